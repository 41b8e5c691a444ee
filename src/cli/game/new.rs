//! `tesuji game new`: a folder with a working game, from a template.

use std::fs;
use std::io::{ErrorKind, Write as _, stdout};
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use tesuji_core::conformance::check_name;
use tesuji_game::sources::SOURCES;

use super::CommandError;

/// Options of `game new`.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The name of the game in the API: lower-case letters, digits and hyphens, such as `my-game`.
    #[arg(value_parser = parse_name)]
    name: String,
    /// The language of the game.
    #[arg(long, value_enum, default_value_t = Language::Rust)]
    language: Language,
    /// The folder in which the game's folder is created (default: the current one).
    #[arg(long, value_name = "FOLDER", default_value = ".", hide_default_value = true)]
    into: PathBuf,
}

/// The languages that have a template.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Language {
    Rust,
    C,
    #[value(name = "assemblyscript")]
    AssemblyScript,
    #[value(name = "javascript")]
    JavaScript,
}

/// A template file: its path, in which `{{name}}` is replaced, and its text.
type File = (&'static str, &'static str);

macro_rules! template {
    ($file:literal) => {
        include_str!(concat!("../../../sdk/templates/", $file))
    };
}

impl Language {
    /// The template's files, in whose texts names are replaced.
    const fn template(self) -> &'static [File] {
        match self {
            Self::Rust => &[
                ("README.md", template!("rust/README.md")),
                ("Cargo.toml", template!("rust/Cargo.toml.template")),
                ("src/lib.rs", template!("rust/src/lib.rs")),
                (".gitignore", "/target\n"),
            ],
            Self::C => &[("README.md", template!("c/README.md")), ("game.c", template!("c/game.c"))],
            Self::AssemblyScript => &[
                ("README.md", template!("assemblyscript/README.md")),
                ("package.json", template!("assemblyscript/package.json")),
                ("game.ts", template!("assemblyscript/game.ts")),
                (".gitignore", "/node_modules\n"),
            ],
            Self::JavaScript => {
                &[("README.md", template!("javascript/README.md")), ("{{name}}.js", template!("javascript/game.js"))]
            }
        }
    }

    /// The SDK's files, which are copied unchanged.
    fn library(self) -> Vec<(PathBuf, &'static str)> {
        match self {
            Self::Rust => SOURCES.iter().map(|&(path, text)| (Path::new("sdk").join(path), text)).collect(),
            Self::C => vec![("tesuji.h".into(), include_str!("../../../sdk/c/tesuji.h"))],
            Self::AssemblyScript => {
                vec![("tesuji.ts".into(), include_str!("../../../sdk/assemblyscript/tesuji.ts"))]
            }
            Self::JavaScript => Vec::new(),
        }
    }
}

/// Names that Cargo refuses for a package: Rust's keywords, and crates of the standard library.
const RESERVED: &str = "abstract alloc as async await become box break const continue core crate do dyn else enum extern false \
     final fn for gen if impl in let loop macro match mod move mut override priv proc-macro pub ref return self static std \
     struct super test tesuji-game trait true try type typeof unsafe unsized use virtual where while yield";

fn parse_name(text: &str) -> Result<String, String> {
    check_name(text)?;
    if RESERVED.split_whitespace().any(|word| word == text) {
        return Err("the name is reserved in Rust; expected another one".to_owned());
    }
    Ok(text.to_owned())
}

/// `my-game` as a title: `My game`.
fn title(name: &str) -> String {
    let words = name.replace('-', " ");
    words[..1].to_ascii_uppercase() + &words[1..]
}

/// Creates the folder, which must not exist yet.
pub fn run(arguments: &Arguments) -> Result<(), CommandError> {
    let Arguments { name, language, into } = arguments;
    let folder = into.join(name);
    let failed = |path: &Path, error: std::io::Error| match error.kind() {
        ErrorKind::AlreadyExists => {
            CommandError::refused(format_args!("{} already exists; expected a new folder", path.display()))
        }
        _ => CommandError::failed(format_args!("{}: {error}", path.display())),
    };
    fs::create_dir_all(into).map_err(|error| failed(into, error))?;
    fs::create_dir(&folder).map_err(|error| failed(&folder, error))?;
    let fill = |text: &str| {
        text.replace("{{name}}", name).replace("{{title}}", &title(name)).replace("{{crate}}", &name.replace('-', "_"))
    };
    let filled = language.template().iter().map(|(path, text)| (PathBuf::from(fill(path)), fill(text)));
    let copied = language.library().into_iter().map(|(path, text)| (path, text.to_owned()));
    for (path, text) in filled.chain(copied) {
        let path = folder.join(path);
        let parent = path.parent().unwrap_or(&folder);
        fs::create_dir_all(parent).map_err(|error| failed(parent, error))?;
        fs::write(&path, text).map_err(|error| failed(&path, error))?;
    }
    writeln!(stdout(), "{}: README.md has the commands that build, check and serve it", folder.display())?;
    Ok(())
}
