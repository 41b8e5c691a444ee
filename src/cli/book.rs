//! `tesuji book`: computes an opening book, or checks one.

use std::fs::{self, File, OpenOptions};
use std::io::{Write, stdout};
use std::path::{Path, PathBuf};

use tesuji_core::games::connect_four::book::{BookBuilder, KnownScores, embedded_scores, solve};
use tesuji_core::rng::Rng;

use super::{CommandError, print_stderr, terminal};

/// Options of `book`.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The game.
    #[arg(value_parser = ["connect-four"])]
    game: String,
    /// The book's file. Scores found so far are kept beside it, in a file ending in `.part`, from which an interrupted run
    /// resumes.
    #[arg(long, value_name = "FILE", required_unless_present = "check")]
    out: Option<PathBuf>,
    /// Take the scores of the positions with twelve stones from this table, instead of solving them for days:
    /// `book_12ply_distances.dat` of the Python package `bitbully-databases`.
    #[arg(long, value_name = "FILE", requires = "out")]
    facts: Option<PathBuf>,
    /// Number of random positions with twelve stones to solve and compare with the table, or without `--out` with the built-in
    /// book.
    #[arg(long, value_name = "N")]
    check: Option<usize>,
    /// Threads (default: all cores).
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
    /// Mebibytes of transposition table per thread.
    #[arg(long, value_name = "N", default_value_t = 128, value_parser = clap::value_parser!(u64).range(1..=4096))]
    memory_mb: u64,
}

/// Positions per thread between two writes.
const PIECE: usize = 64;

/// Computes or checks the book.
pub fn run(arguments: &Arguments) -> Result<(), CommandError> {
    super::on_threads(arguments.threads, || make(arguments))
}

fn make(arguments: &Arguments) -> Result<(), CommandError> {
    let mut out = stdout().lock();
    let making = BookBuilder::new(|stones, count| print_stderr(format_args!("{stones:>2} stones: {count} positions")));
    let threads =
        arguments.threads.map_or_else(|| std::thread::available_parallelism().map_or(1, usize::from), usize::from);
    let memory = arguments.memory_mb << 20;
    let Some(file) = &arguments.out else {
        let scores =
            embedded_scores(making.open()).ok_or_else(|| CommandError::failed("the built-in book cannot be read"))?;
        let checked = check(making.open(), &scores, arguments.check.unwrap_or_default(), threads, memory)?;
        writeln!(out, "{checked} of {} scores solved again: all equal", scores.len())?;
        return Ok(());
    };
    let scores = match &arguments.facts {
        Some(file) => {
            let refuse = |problem| CommandError::refused(format_args!("{}: {problem}", file.display()));
            let facts = KnownScores::read(&read(file)?).map_err(refuse)?;
            let scores = facts.scores(making.open()).map_err(refuse)?;
            let checked = check(making.open(), &scores, arguments.check.unwrap_or_default(), threads, memory)?;
            writeln!(out, "{} scores from the table, {checked} of them solved again: all equal", scores.len())?;
            scores
        }
        None => solve_all(making.open(), file, threads, memory)?,
    };
    let book = making.book(&scores);
    fs::write(file, &book).map_err(|error| CommandError::failed(format_args!("{}: {error}", file.display())))?;
    writeln!(out, "{}: {} bytes", file.display(), book.len())?;
    if arguments.facts.is_none() {
        fs::remove_file(part_of(file))?;
    }
    Ok(())
}

fn read(file: &Path) -> Result<Vec<u8>, CommandError> {
    fs::read(file).map_err(|error| CommandError::refused(format_args!("{}: {error}", file.display())))
}

fn part_of(out: &Path) -> PathBuf {
    let mut name = out.as_os_str().to_owned();
    name.push(".part");
    name.into()
}

const BAR: &str = "{bar:24} {pos}/{len}  {elapsed} of {duration}  {per_sec}";

/// Solves the positions that the part file lacks: one byte per position, in order.
fn solve_all(keys: &[u64], out: &Path, threads: usize, memory: u64) -> Result<Vec<i8>, CommandError> {
    let part = part_of(out);
    let mut scores: Vec<i8> =
        if part.exists() { read(&part)?.into_iter().map(|byte| byte as i8).collect() } else { Vec::new() };
    if scores.len() > keys.len() {
        return Err(CommandError::refused(format_args!("{}: more scores than positions", part.display())));
    }
    let open = |part: &Path| OpenOptions::new().create(true).append(true).open(part);
    let mut file: File =
        open(&part).map_err(|error| CommandError::failed(format_args!("{}: {error}", part.display())))?;
    let bar = terminal::progress_bar(keys.len() as u64, BAR);
    bar.set_position(scores.len() as u64);
    bar.reset_eta();
    while scores.len() < keys.len() {
        let left = &keys[scores.len()..];
        let found = solve(&left[..left.len().min(PIECE * threads)], threads, memory);
        file.write_all(&found.iter().map(|&score| score as u8).collect::<Vec<_>>())?;
        bar.inc(found.len() as u64);
        scores.extend(found);
    }
    bar.finish_and_clear();
    Ok(scores)
}

/// Solves `count` random positions; fails at the first whose score differs.
fn check(keys: &[u64], scores: &[i8], count: usize, threads: usize, memory: u64) -> Result<usize, CommandError> {
    let mut rng = Rng::new(1, 0);
    let chosen: Vec<usize> = (0..count).map(|_| rng.below(keys.len() as u32) as usize).collect();
    let bar = terminal::progress_bar(count as u64, BAR);
    for some in chosen.chunks(PIECE * threads) {
        let found = solve(&some.iter().map(|&index| keys[index]).collect::<Vec<_>>(), threads, memory);
        for (&index, found) in some.iter().zip(found) {
            if found != scores[index] {
                let (key, fact) = (keys[index], scores[index]);
                return Err(CommandError::failed(format_args!(
                    "position {key:#x}: the solved score is {found}, the expected one {fact}"
                )));
            }
        }
        bar.inc(some.len() as u64);
    }
    bar.finish_and_clear();
    Ok(count)
}
