//! Prepares the web page: every file of `web/` uncompressed, gzipped and in brotli, and `openapi.yaml` as JSON for `/docs`.
//!
//! All files share one path that contains a hash of their contents, so browsers can cache them forever and modules can import
//! each other by relative paths. Only the two HTML pages, the service worker, the manifest and `embed.js` have stable
//! addresses. In these, `{assets}` becomes that path, relative to their own, and `{preload}` a hint for each module that the
//! page imports, since the browser would otherwise discover them one by one. In the service worker, `{files}` becomes the list
//! of files to cache.
//!
//! The page includes the browser engine (`web/engine`) if `web/engine/build` has built it; otherwise `{engine}` is empty.

use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::{env, fs, str};

type Files = Vec<(String, Vec<u8>)>;

/// The browser engine, if built.
const MODULE: &str = "web/engine/dist/tesuji.wasm";
/// Caches the page for offline use.
const WORKER: &str = "service-worker.js";
/// The module that other pages import.
const EMBED: &str = "embed.js";
/// The manifest with which browsers install the page.
const MANIFEST: &str = "manifest.webmanifest";

fn main() {
    println!("cargo::rerun-if-changed=web");
    println!("cargo::rerun-if-changed=openapi.yaml");
    let mut files = Files::new();
    collect(Path::new("web"), &mut files);
    files.push(("openapi.json".to_owned(), contract()));
    files.push(("page.css".to_owned(), styles()));
    let has_engine = Path::new(MODULE).exists();
    if has_engine {
        files.push((name_of(Path::new(MODULE)), fs::read(MODULE).expect("the module can be read")));
    }
    files.sort();

    let mut hasher = DefaultHasher::new();
    (&files, data_hash()).hash(&mut hasher);
    let version = format!("{:016x}", hasher.finish());
    let assets = format!("assets/{version}");
    let (preload, cached_files) = (preload(&files, &assets), cached_files(&files, &assets));
    let fill = |text: &str| {
        let engine = if has_engine { "carried" } else { "" };
        let text = text.replace("{assets}", &assets).replace("{preload}", &preload);
        text.replace("{engine}", engine).replace("{files}", &cached_files)
    };
    for (path, bytes) in &mut files {
        let extension = path.rsplit_once('.').map(|(_, extension)| extension);
        if extension == Some("wasm") {
            continue;
        }
        let text = String::from_utf8(std::mem::take(bytes)).expect("the page's files are UTF-8");
        *bytes = match extension {
            Some("html" | "webmanifest") => fill(&text),
            Some("js") if [WORKER, EMBED].contains(&path.as_str()) => fill(&minify(&text)),
            Some("js" | "css") => minify(&text),
            _ => text,
        }
        .into_bytes();
    }

    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it"));
    let mut table = format!("const VERSION: &str = {version:?};\nstatic FILES: &[File] = &[\n");
    for (index, (path, bytes)) in files.iter().enumerate() {
        let forms = [("plain", bytes.clone()), ("gzip", gzip(bytes)), ("brotli", brotli(bytes))];
        table += &format!("    File {{ path: {path:?}");
        for (form, bytes) in forms {
            let name = format!("{index}.{form}");
            fs::write(out.join(&name), bytes).expect("the output folder can be written");
            table += &format!(", {form}: include_bytes!(concat!(env!(\"OUT_DIR\"), \"/{name}\"))");
        }
        table += " },\n";
    }
    table += "];\n";
    fs::write(out.join("page.rs"), table).expect("the output folder can be written");
}

/// Collects the page's files in a folder and its subfolders, with their paths relative to `web/`; of the engine's package, only
/// the scripts.
fn collect(folder: &Path, files: &mut Files) {
    for entry in fs::read_dir(folder).expect("web/ can be read") {
        let path = entry.expect("web/ can be read").path();
        let is_script = path.extension().is_some_and(|extension| extension == "js");
        if path.is_dir() {
            if !path.ends_with("engine/dist") {
                collect(&path, files);
            }
        } else if folder != Path::new("web/engine") || is_script {
            files.push((name_of(&path), fs::read(&path).expect("web/ can be read")));
        }
    }
}

/// A file's path relative to `web/`.
fn name_of(path: &Path) -> String {
    path.strip_prefix("web").expect("it lies below it").to_string_lossy().replace('\\', "/")
}

/// A hash of the games' data files (opening book, weights), which browsers cache with the engine. The core embeds them; here
/// only the version depends on them. A published package is built without the core's sources, so there the release version
/// stands in for them.
fn data_hash() -> u64 {
    const FILES: [&str; 2] = ["connect_four/solver/book/connect-four.book", "reversi/weights.bin"];
    let mut hasher = DefaultHasher::new();
    if !Path::new("crates/core").exists() {
        env!("CARGO_PKG_VERSION").hash(&mut hasher);
        return hasher.finish();
    }
    for file in FILES {
        let path = Path::new("crates/core/src/games").join(file);
        println!("cargo::rerun-if-changed={}", path.display());
        fs::read(&path).expect("the file can be read").hash(&mut hasher);
    }
    hasher.finish()
}

/// The files that the service worker caches, as a JSON list: the page and the engine. The games' data files are cached when
/// fetched.
fn cached_files(files: &Files, assets: &str) -> String {
    let wanted = files.iter().map(|(path, _)| path).filter(|path| {
        let elsewhere = ["docs", "style/", "openapi.json", "types.js", "index.html", "embed", MANIFEST, WORKER];
        !elsewhere.iter().any(|other| path.starts_with(other))
    });
    let list: Vec<_> = wanted.map(|path| format!("{assets}/{path}")).chain([MANIFEST.to_owned()]).collect();
    serde_json::to_string(&list).expect("names are JSON")
}

/// `openapi.yaml` as JSON, so that the page needs no YAML parser.
fn contract() -> Vec<u8> {
    let text = fs::read_to_string("openapi.yaml").expect("openapi.yaml can be read");
    let document: serde_json::Value = serde_saphyr::from_str(&text).expect("openapi.yaml is YAML");
    serde_json::to_vec(&document).expect("YAML fits into JSON")
}

/// The page's styles as one file, since the first paint waits for all of them.
fn styles() -> Vec<u8> {
    let read = |name| fs::read(format!("web/style/{name}.css")).expect("web/style/ can be read");
    ["base", "layout", "board", "themes", "front", "panels", "review", "setup", "play"].map(read).concat()
}

/// The page's entry module, and the modules of its parts; it imports the part to show.
const MAIN: &str = "main.js";
const PARTS: [(&str, &str); 2] = [("front", "front.js"), ("game", "app.js")];

/// Preload hints for the modules that the page always needs, and links, with a part's name as `rel`, for the additional modules
/// of that part (`web/main.js` turns them into hints). Modules imported on demand have none: languages, games, the engine.
fn preload(files: &Files, assets: &str) -> String {
    // The boards that games are drawn with are always needed.
    let games = files.iter().map(|(path, _)| path).filter(|path| is_game(path));
    let boards = games.flat_map(|path| imported(files, path)).filter(|path| !is_game(path));
    let first: BTreeSet<_> = imported(files, MAIN).into_iter().chain(boards).collect();
    let link = |rel: &str, path: &String| format!("<link rel=\"{rel}\" href=\"{assets}/{path}\">\n    ");
    let mut links: String = first.iter().map(|path| link("modulepreload", path)).collect();
    for (part, module) in PARTS {
        links.extend(imported(files, module).difference(&first).map(|path| link(part, path)));
    }
    links
}

fn is_game(path: &str) -> bool {
    path.starts_with("games/")
}

/// A module and its static imports, transitively.
fn imported(files: &Files, module: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut open = vec![module.to_owned()];
    while let Some(path) = open.pop() {
        let (_, bytes) = files.iter().find(|(name, _)| *name == path).expect("what is imported is there");
        let text = str::from_utf8(bytes).expect("the page's files are UTF-8");
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        let imports = text.lines().filter_map(|line| line.split_once(" from \"")?.1.strip_suffix("\";"));
        open.extend(imports.map(|import| resolved(folder, import)).filter(|import| !found.contains(import)));
        found.insert(path);
    }
    found
}

/// The path relative to `web/` of an import in a module of `folder`.
fn resolved(folder: &str, import: &str) -> String {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in import.split('/') {
        match part {
            "." => {}
            ".." => drop(parts.pop()),
            name => parts.push(name),
        }
    }
    parts.join("/")
}

/// A script or style without comments on separate lines, type comments, indentation and blank lines. Other comments within a
/// line stay, so that no quoted text is mistaken for one.
fn minify(text: &str) -> String {
    let mut minified = String::new();
    let mut inside = false;
    for line in text.lines().map(str::trim) {
        let opens = line.starts_with("/*");
        if inside || opens {
            inside = !line.contains("*/");
            let after = line.split_once("*/").map_or("", |(_, after)| after.trim());
            if after.is_empty() {
                continue;
            }
            // Code after a comment on the same line; only type comments are written this way.
            minified += after;
        } else if !line.is_empty() && !line.starts_with("//") {
            let mut rest = line;
            while let Some((before, after)) = rest
                .split_once("/** @")
                .and_then(|(before, after)| Some((before, after.split_once("*/")?.1.trim_start())))
            {
                minified += before;
                rest = after;
            }
            minified += rest;
        } else {
            continue;
        }
        minified.push('\n');
    }
    minified
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(bytes).expect("memory takes it");
    encoder.finish().expect("memory takes it")
}

fn brotli(bytes: &[u8]) -> Vec<u8> {
    let mut compressed = Vec::new();
    let mut encoder = brotli::CompressorWriter::new(&mut compressed, 1 << 16, 11, 24);
    encoder.write_all(bytes).expect("memory takes it");
    drop(encoder);
    compressed
}
