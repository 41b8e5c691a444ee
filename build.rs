//! Prepares the web page: every file of `web/` as it is, gzipped and in brotli, and the contract as JSON for `/docs`.
//!
//! All files lie under one address that contains a hash of them all, so that browsers may keep them for ever, and modules can
//! import each other by relative paths. Only the two HTML pages have lasting addresses; in them `{assets}` becomes that address,
//! and `{preload}` a hint for each module, since otherwise the browser would find them one after the other.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};

type Files = Vec<(String, Vec<u8>)>;

fn main() {
    println!("cargo::rerun-if-changed=web");
    println!("cargo::rerun-if-changed=openapi.yaml");
    let mut files = Files::new();
    collect(Path::new("web"), Path::new("web"), &mut files);
    files.push(("openapi.json".to_owned(), contract()));
    files.push(("page.css".to_owned(), styles()));
    files.sort();

    let mut hasher = DefaultHasher::new();
    files.hash(&mut hasher);
    let version = format!("{:016x}", hasher.finish());
    let assets = format!("/assets/{version}");
    let preload = preload(&files, &assets);
    for (path, bytes) in &mut files {
        let text = String::from_utf8(std::mem::take(bytes)).expect("the page's files are UTF-8");
        *bytes = match path.rsplit_once('.').map(|(_, extension)| extension) {
            Some("html") => text.replace("{assets}", &assets).replace("{preload}", &preload),
            Some("js" | "css") => lean(&text),
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

/// The files of a folder and those below it, by their paths from the root.
fn collect(root: &Path, folder: &Path, files: &mut Files) {
    for entry in fs::read_dir(folder).expect("web/ can be read") {
        let path = entry.expect("web/ can be read").path();
        // The engine is a package of its own, built by another compiler.
        if path.is_dir() {
            if path != root.join("engine") {
                collect(root, &path, files);
            }
        } else {
            let name = path.strip_prefix(root).expect("it lies below the root").to_string_lossy().replace('\\', "/");
            files.push((name, fs::read(&path).expect("web/ can be read")));
        }
    }
}

/// `openapi.yaml` as JSON, so that the page needs no parser of YAML.
fn contract() -> Vec<u8> {
    let text = fs::read_to_string("openapi.yaml").expect("openapi.yaml can be read");
    let document: serde_json::Value = serde_saphyr::from_str(&text).expect("openapi.yaml is YAML");
    serde_json::to_vec(&document).expect("YAML fits into JSON")
}

/// The page's styles as one file, since each of them would be asked for before anything is drawn.
fn styles() -> Vec<u8> {
    let read = |name| fs::read(format!("web/style/{name}.css")).expect("web/style/ can be read");
    ["base", "layout", "board", "panels"].map(read).concat()
}

/// What the page itself needs at once: neither `/docs`, nor the languages and games, of which one is chosen.
fn preload(files: &Files, assets: &str) -> String {
    let wanted = files.iter().map(|(path, _)| path).filter(|path| {
        let elsewhere = ["docs/", "lang/", "games/"].iter().any(|folder| path.starts_with(folder));
        path.ends_with(".js") && !elsewhere && *path != "types.js"
    });
    wanted.map(|path| format!("<link rel=\"modulepreload\" href=\"{assets}/{path}\">\n    ")).collect()
}

/// A script or style without what only its readers need: comments that have lines to themselves, types in comments, and room at
/// the beginnings of lines. Comments within a line stay, so that no text in quotes can be taken for one.
fn lean(text: &str) -> String {
    let mut lean = String::new();
    let mut inside = false;
    for line in text.lines().map(str::trim) {
        let opens = line.starts_with("/*");
        if inside || opens {
            inside = !line.contains("*/");
            let after = line.split_once("*/").map_or("", |(_, after)| after.trim());
            if after.is_empty() {
                continue;
            }
            // What follows a comment on its line: only types are written so, in front of code.
            lean += after;
        } else if !line.is_empty() && !line.starts_with("//") {
            let mut rest = line;
            while let Some((before, after)) = rest
                .split_once("/** @")
                .and_then(|(before, after)| Some((before, after.split_once("*/")?.1.trim_start())))
            {
                lean += before;
                rest = after;
            }
            lean += rest;
        } else {
            continue;
        }
        lean.push('\n');
    }
    lean
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(bytes).expect("memory takes it");
    encoder.finish().expect("memory takes it")
}

fn brotli(bytes: &[u8]) -> Vec<u8> {
    let mut compressed = Vec::new();
    let mut encoder = brotli::CompressorWriter::new(&mut compressed, 1 << 16, 11, 22);
    encoder.write_all(bytes).expect("memory takes it");
    drop(encoder);
    compressed
}
