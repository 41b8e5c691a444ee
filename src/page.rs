//! The web page's files, for the server and for `tesuji export`.
//!
//! `build.rs` prepares them. They include the engine for browsers if that was built before the program (`web/engine/build`);
//! the games' data files are those of the core, not a second copy.

use std::borrow::Cow;
use std::io;
use std::path::{Path, PathBuf};
use std::{fs, str};

use serde_json::{Map, Value, json};
use tesuji_core::catalog::Catalog;

/// A file in all encodings.
#[derive(Debug)]
pub struct File {
    /// Its path relative to `web/`.
    pub path: &'static str,
    /// Uncompressed.
    pub plain: &'static [u8],
    /// Gzipped.
    pub gzip: &'static [u8],
    /// Compressed with brotli.
    pub brotli: &'static [u8],
}

include!(concat!(env!("OUT_DIR"), "/page.rs"));

/// The page's files, and their version for browser caches.
pub static PAGE: Page = Page { version: VERSION, files: FILES };

/// The web page.
#[derive(Clone, Copy, Debug)]
pub struct Page {
    /// A hash of all its files.
    pub version: &'static str,
    /// All files except those of [`Page::data`].
    pub files: &'static [File],
}

/// The path of the games' data files, and of their list.
const DATA: &str = "engine/dist/";
const LIST: &str = "engine/dist/files.json";

/// Replaces [`SERVED`] in an exported page, and in the module that other pages import.
const EXPORTED: &str = "\"none\"";
const SERVED: &str = "\"here\"";

impl Page {
    /// The file at a path.
    #[must_use]
    pub fn file(&self, path: &str) -> Option<&'static File> {
        self.files.iter().find(|file| file.path == path)
    }

    /// Whether it includes the engine for browsers.
    #[must_use]
    pub fn has_engine(&self) -> bool {
        self.file("engine/dist/tesuji.wasm").is_some()
    }

    /// A game's data file, which is not compressed further, or the list of these files by game.
    #[must_use]
    pub fn data(&self, catalog: &Catalog, path: &str) -> Option<Cow<'static, [u8]>> {
        let name = path.strip_prefix(DATA)?;
        let files = || catalog.names().filter_map(|game| Some((game, catalog.file(game)?)));
        if path == LIST {
            let list =
                files().map(|(game, file)| (game.to_owned(), json!({ "name": file.name, "needed": file.is_needed })));
            return serde_json::to_vec(&Value::Object(list.collect::<Map<_, _>>())).ok().map(Cow::Owned);
        }
        let (_, file) = files().find(|(_, file)| file.name == name)?;
        Some(Cow::Borrowed(file.bytes()))
    }

    /// Writes the page for any web server: `index.html`, the service worker, the manifest, `embed.js`, and everything else
    /// below `assets/`. Returns the number of bytes.
    ///
    /// # Errors
    /// When a file cannot be written; names it.
    pub fn export(&self, catalog: &Catalog, folder: &Path) -> Result<u64, Unwritten> {
        let assets = folder.join("assets").join(self.version);
        let mut bytes = 0;
        for file in self.files.iter().filter(|file| is_exported(file.path)) {
            let (path, content) = match file.path {
                "index.html" | "embed.js" => (folder.join(file.path), alone(file.plain).into_bytes()),
                "service-worker.js" | "manifest.webmanifest" => (folder.join(file.path), file.plain.to_vec()),
                other => (assets.join(other), file.plain.to_vec()),
            };
            bytes += write(path, &content)?;
        }
        Ok(bytes + self.export_data(catalog, &assets)?)
    }

    /// Writes the engine alone, for pages with custom boards: `index.js`, which they import, and its files.
    ///
    /// # Errors
    /// Those of [`Page::export`].
    pub fn export_engine(&self, catalog: &Catalog, folder: &Path) -> Result<u64, Unwritten> {
        let mut bytes = 0;
        for file in self.files {
            if let Some(path) = file.path.strip_prefix("engine/") {
                bytes += write(folder.join(path), file.plain)?;
            }
        }
        for (path, content) in self.all_data(catalog) {
            bytes += write(folder.join(path.trim_start_matches("engine/")), &content)?;
        }
        Ok(bytes)
    }

    fn export_data(&self, catalog: &Catalog, assets: &Path) -> Result<u64, Unwritten> {
        self.all_data(catalog)
            .into_iter()
            .try_fold(0, |sum, (path, content)| Ok(sum + write(assets.join(path), &content)?))
    }

    fn all_data(&self, catalog: &Catalog) -> Vec<(String, Cow<'static, [u8]>)> {
        let files = catalog.names().filter_map(|game| catalog.file(game)).map(|file| format!("{DATA}{}", file.name));
        let paths = files.chain([LIST.to_owned()]);
        paths.filter_map(|path| self.data(catalog, &path).map(|content| (path, content))).collect()
    }
}

/// A file that could not be written.
#[derive(Debug, thiserror::Error)]
#[error("{}: {error}", path.display())]
pub struct Unwritten {
    path: PathBuf,
    #[source]
    error: io::Error,
}

fn write(path: PathBuf, content: &[u8]) -> Result<u64, Unwritten> {
    let made = path.parent().map_or(Ok(()), fs::create_dir_all);
    match made.and_then(|()| fs::write(&path, content)) {
        Ok(()) => Ok(content.len() as u64),
        Err(error) => Err(Unwritten { path, error }),
    }
}

/// The API reference gets its examples from a server; without one, it is left out.
fn is_exported(path: &str) -> bool {
    !path.starts_with("docs") && path != "openapi.json" && path != "types.js"
}

/// A file for use without a server.
fn alone(file: &[u8]) -> String {
    str::from_utf8(file).unwrap_or_default().replace(SERVED, EXPORTED)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The page's size limit: a first visit transfers at most 80 kB, gzipped (brotli, which most browsers use, is smaller), so
    /// that the page appears within a second or two on a slow mobile connection. This counts `index.html`, the styles, the
    /// icon, the larger language, the preloaded modules, and the modules of one of two starts: the front page with every game's
    /// module, or the game with the largest one. It does not count responses of the service, the reference at `/docs`, which is
    /// a different page, and what is loaded on demand: the engine and some panels.
    #[test]
    fn the_page_is_small() {
        const BUDGET: usize = 80_000;
        let sizes = |path: &str| PAGE.file(path).map_or((0, 0), |file| (file.gzip.len(), file.brotli.len()));
        let add = |sum: (usize, usize), one: (usize, usize)| (sum.0 + one.0, sum.1 + one.1);
        let games = || FILES.iter().filter(|file| file.path.starts_with("games/"));
        let largest = games().max_by_key(|file| file.gzip.len()).expect("there are games");
        let page = str::from_utf8(PAGE.file("index.html").expect("it is there").plain).expect("it is text");
        let hints = |rel: &str| -> Vec<&str> {
            let link = format!("<link rel=\"{rel}\" href=\"assets/{VERSION}/");
            let links = page.split(&link).skip(1);
            links.filter_map(|link| Some(link.split_once('"')?.0)).collect()
        };
        // One language is loaded; the larger one counts.
        let always = ["index.html", "page.css", "icon.svg", "lang/en.js"];
        let now = hints("modulepreload");
        assert!(now.contains(&"main.js"), "{now:?}");
        let first = always.iter().chain(&now).map(|path| sizes(path)).fold((0, 0), add);
        let part = |name, module| {
            let modules = hints(name);
            assert!(modules.contains(&module) && !modules.contains(&"main.js"), "{modules:?}");
            modules.iter().map(|path| sizes(path)).fold(first, add)
        };
        let all = games().map(|file| (file.gzip.len(), file.brotli.len())).fold(part("front", "front.js"), add);
        let game = add(part("game", "app.js"), sizes(largest.path));
        for (what, (gzip, brotli)) in [("without a game", all), ("of a game", game)] {
            println!("the page {what}: {gzip} bytes gzipped, {brotli} in brotli");
            assert!(gzip <= BUDGET, "the page {what}: {gzip} bytes gzipped");
        }
    }

    /// The engine is loaded with the first search in a browser; docs/browser.md has its size.
    #[test]
    fn the_engine_is_small() {
        let Some(engine) = PAGE.file("engine/dist/tesuji.wasm") else { return };
        println!("{} bytes in brotli", engine.brotli.len());
        assert!(engine.brotli.len() < 930_000, "{} bytes in brotli", engine.brotli.len());
    }

    #[test]
    fn an_export_has_all_that_its_page_names() {
        let folder = tempfile::tempdir().expect("a folder");
        let catalog = Catalog::standard();
        let bytes = PAGE.export(&catalog, folder.path()).expect("it can be written");
        let index = fs::read_to_string(folder.path().join("index.html")).expect("it is there");
        let read = |name| fs::read_to_string(folder.path().join(name)).expect("it is there");
        let (embed, manifest) = (read("embed.js"), read("manifest.webmanifest"));
        for text in [&index, &embed] {
            assert!(text.contains(EXPORTED) && !text.contains(SERVED), "{text}");
        }
        let named = |text: &str| -> Vec<String> {
            let quoted = text.split('"').filter(|part| part.starts_with("assets/"));
            quoted.map(str::to_owned).collect()
        };
        let worker = fs::read_to_string(folder.path().join("service-worker.js")).expect("it is there");
        let paths = [named(&index), named(&worker), named(&embed), named(&manifest)].concat();
        assert!(paths.len() > 40, "{paths:?}");
        for path in &paths {
            assert!(folder.path().join(path).exists(), "{path} is named, but not there");
        }
        let assets = folder.path().join("assets").join(VERSION);
        for file in catalog.names().filter_map(|game| catalog.file(game)) {
            let path = assets.join(DATA).join(file.name);
            assert_eq!(fs::read(&path).expect("it is there"), file.bytes(), "{}", file.name);
        }
        assert!(bytes > 6_000_000, "{bytes}");
    }

    #[test]
    fn a_failed_export_names_the_path() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("assets"), "no folder").expect("it can be written");
        let error = PAGE.export(&Catalog::standard(), folder.path()).expect_err("a file is in the way");
        assert!(error.to_string().contains("assets"), "{error}");
    }
}
