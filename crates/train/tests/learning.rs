//! Learning: game files survive interruptions, fits are reproducible, and fitted weights predict held-out games.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use tesuji_core::weights::{self, Features};
use tesuji_train::{
    Fit, Fitted, GameFiles, GameWriter, Games, Header, Learner, OnProgress, PlayError, Ply, Progress, Record, SelfPlay,
    Start, chart, play,
};

fn learner(game: &str) -> Box<dyn Learner> {
    tesuji_train::learner(game, &[]).expect("it learns, and the variant is the default")
}

fn how(opening: u32) -> SelfPlay {
    SelfPlay { nodes: Some(60), depth: None, opening, balance: None, random: 0.05, temperature: None, seed: 7 }
}

/// Plays until a file holds this many games, on this many threads.
fn played(game: &str, path: &Path, how: &SelfPlay, games: u64, threads: usize) {
    let learner = learner(game);
    let mut file = GameWriter::open(path, &learner.header(how)).expect("the file can be written");
    let pool =
        rayon::ThreadPoolBuilder::new().num_threads(threads).stack_size(16 << 20).build().expect("threads start");
    pool.install(|| play(&*learner, how, &mut file, games, &AtomicBool::new(false), &|_| {}))
        .expect("it can be written");
    assert_eq!(file.games, games);
}

const PLAN: Fit = Fit {
    epochs: 6,
    rate: 4.0,
    expected: 0.6,
    lambda: 0.0,
    validation: 0.25,
    held: 10.0,
    shared: 0.0,
    start: Start::Current,
    moves: false,
    network: false,
    decay: 0.0,
    scale: None,
    seed: 1,
};

fn fitted(game: &str, files: &[PathBuf], plan: &Fit, checkpoint: Option<&[u8]>) -> Result<Fitted, String> {
    let mut games = GameFiles::open(files, game)?;
    learner(game).fit(&mut games, plan, checkpoint, &mut |_| true)
}

#[test]
fn files_of_games_survive_any_interruption() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let path = folder.path().join("games");
    played("reversi", &path, &how(50), 3, 1);
    let whole = fs::read(&path).expect("it can be read");
    let header = learner("reversi").header(&how(50));
    for end in 0..whole.len() {
        fs::write(&path, &whole[..end]).expect("it can be written");
        let left = GameWriter::open(&path, &header).unwrap_or_else(|problem| panic!("{end}: {problem}"));
        assert!(left.games < 3, "{end}");
        let now = fs::read(&path).expect("it can be read");
        assert!(whole.starts_with(&now) && now.len() >= header.write().len(), "{end}");
    }
    // The missing games are played again.
    played("reversi", &path, &how(50), 3, 2);
    assert_eq!(fs::read(&path).expect("it can be read"), whole);
    let mut damaged = whole.clone();
    damaged[header.write().len() + 9] ^= 1;
    fs::write(&path, &damaged).expect("it can be written");
    let problem = GameWriter::open(&path, &header).expect_err("it is damaged");
    assert!(problem.contains("damaged at byte"), "{problem}");
    assert_eq!(fs::read(&path).expect("it can be read"), damaged, "a damaged file is left alone");
}

#[test]
fn continued_games_are_those_of_one_run() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let (once, twice) = (folder.path().join("once"), folder.path().join("twice"));
    played("gomoku", &once, &how(6), 6, 3);
    played("gomoku", &twice, &how(6), 2, 1);
    played("gomoku", &twice, &how(6), 6, 2);
    assert_eq!(fs::read(&once).expect("it can be read"), fs::read(&twice).expect("it can be read"));
    for (other, difference) in [
        (SelfPlay { seed: 8, ..how(6) }, "seed is 7, not 8"),
        (SelfPlay { balance: Some(0.5), ..how(6) }, "balance is null, not 0.5"),
        (SelfPlay { temperature: Some(2.0), ..how(6) }, "temperature is null, not 2.0"),
    ] {
        let problem = GameWriter::open(&once, &learner("gomoku").header(&other)).expect_err("they differ");
        assert!(problem.ends_with(difference), "{problem}");
    }
}

/// A learner whose third game cannot be played.
struct Stuck(Box<dyn Learner>);

impl Learner for Stuck {
    fn features(&self) -> Features {
        self.0.features()
    }

    fn unit(&self) -> Option<&'static str> {
        self.0.unit()
    }

    fn orders_moves(&self) -> bool {
        self.0.orders_moves()
    }

    fn header(&self, how: &SelfPlay) -> Header {
        self.0.header(how)
    }

    fn play(&self, how: &SelfPlay, game: u64, stop: &AtomicBool) -> Result<Option<Record>, String> {
        if game == 2 { Err("no move".to_owned()) } else { self.0.play(how, game, stop) }
    }

    fn fit(&self, _: &mut dyn Games, _: &Fit, _: Option<&[u8]>, _: &mut OnProgress<'_>) -> Result<Fitted, String> {
        Err("it only plays".to_owned())
    }
}

#[test]
fn a_game_that_cannot_be_played_ends_self_play() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let (learner, stop) = (Stuck(learner("reversi")), AtomicBool::new(false));
    let mut file =
        GameWriter::open(&folder.path().join("games"), &learner.header(&how(50))).expect("it can be written");
    let error = play(&learner, &how(50), &mut file, 1000, &stop, &|_| {}).expect_err("a game has no move");
    assert!(matches!(&error, PlayError::Game(problem) if problem == "no move"), "{error:?}");
    assert!(file.games <= 2 && stop.into_inner());
}

/// The absolute difference of winning and losing chances in the first search of each game.
fn distances_from_even(balance: Option<f64>) -> Vec<f64> {
    let (learner, how) = (learner("gomoku"), SelfPlay { nodes: Some(400), balance, ..how(8) });
    let first = |game| {
        let record =
            learner.play(&how, game, &AtomicBool::new(false)).expect("it has moves").expect("nothing stops it");
        let value = record.plies.iter().find_map(|ply| match ply {
            Ply::Chosen { value, .. } | Ply::Random { value, .. } => Some(f64::from(*value) / 10_000.0),
            _ => None,
        });
        (2.0 * value.expect("a position was searched") - 1.0).abs()
    };
    (0..16).map(first).collect()
}

#[test]
fn games_begin_as_even_as_asked() {
    let most = |distances: Vec<f64>| distances.into_iter().fold(0.0, f64::max);
    assert!(most(distances_from_even(None)) > 0.5, "some random openings are far from even");
    let distances = distances_from_even(Some(0.2));
    assert!(distances.iter().all(|&distance| distance < 0.201), "{distances:?}");
}

#[test]
fn random_moves_are_as_likely_as_the_temperature_says() {
    // The share of random moves that are the search's best move.
    let share_of_best = |temperature| {
        let (learner, how) = (learner("gomoku"), SelfPlay { random: 0.5, temperature, ..how(4) });
        let mut moves = Vec::new();
        for game in 0..12 {
            let record =
                learner.play(&how, game, &AtomicBool::new(false)).expect("it has moves").expect("nothing stops it");
            moves.extend(record.plies.iter().filter_map(|ply| match ply {
                Ply::Random { mv, best, .. } => Some(mv == best),
                _ => None,
            }));
        }
        moves.iter().filter(|&&is_best| is_best).count() as f64 / moves.len() as f64
    };
    let [uniform, warm, cold] = [None, Some(2.0), Some(0.05)].map(share_of_best);
    assert!(uniform < 0.1 && cold > 0.15 && uniform < warm && warm < cold, "{uniform}, {warm} and {cold}");
}

#[test]
fn fitted_weights_predict_games_held_out_better() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    for (game, opening, games) in [("reversi", 30, 24), ("gomoku", 4, 16), ("xiangqi", 10, 60)] {
        let files = [folder.path().join(game)];
        played(game, &files[0], &how(opening), games, 2);
        let zero = Fit { start: Start::Zero, epochs: 20, ..PLAN };
        let fit = fitted(game, &files, &zero, None).unwrap_or_else(|problem| panic!("{game}: {problem}"));
        assert!(fit.positions > 50 && fit.held_out > 5, "{game}: {fit:?}");
        let (first, last) = (fit.epochs[0], fit.epochs[19]);
        assert!(last.validation < first.validation || last.training < first.training, "{game}: {:?}", fit.epochs);
        assert_eq!(fit.phases.iter().map(|phase| phase.positions).sum::<u64>(), fit.held_out, "{game}");
        if let Some(chances) = fit.chances {
            assert!(chances.iter().all(|chances| chances.spread > 0.0 && chances.even >= 0.0), "{game}");
        }
        let again = fitted(game, &files, &zero, None).expect("it was fitted before");
        assert_eq!(again.weights, fit.weights, "{game}: equal seeds give equal weights");
        // The other games have too many weights for so few games.
        if game != "xiangqi" {
            continue;
        }
        // From zero, a few games suffice to predict better than zero weights do.
        let none = Fit { epochs: 1, rate: 1e-9, ..zero };
        let none = fitted(game, &files, &none, None).expect("it can be fitted").epochs[0].validation;
        assert!(fit.epochs[19].validation < none, "{game}: {} and {none}", fit.epochs[19].validation);
    }
}

#[test]
fn fitted_orders_find_the_best_move_sooner() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let files = [folder.path().join("gomoku")];
    played("gomoku", &files[0], &how(4), 24, 2);
    let zero = Fit { start: Start::Zero, moves: true, rate: 10.0, epochs: 8, ..PLAN };
    let fit = fitted("gomoku", &files, &zero, None).expect("it can be fitted");
    let none = Fit { epochs: 1, rate: 1e-9, ..zero };
    let none = fitted("gomoku", &files, &none, None).expect("it can be fitted");
    assert!(fit.errors[1] < none.errors[1] - 0.2, "{:?} and {:?}", fit.errors, none.errors);
    let [Some([_, first]), Some([current, _])] = [fit.first, none.first] else { panic!("shares are told") };
    assert!(first > 0.1 && current > 0.1, "of some 60 moves: {first} and {current}");
    // A fit of the move ordering does not change the evaluation, nor the reverse.
    let still = Fit { epochs: 1, rate: 1e-9, start: Start::Current, ..zero };
    let before = fitted("gomoku", &files, &still, None).expect("it can be fitted").weights;
    let values = fitted("gomoku", &files, &Fit { start: Start::Zero, ..PLAN }, None).expect("it can be fitted").weights;
    let differ = |weights: &[i32]| -> Vec<usize> {
        (0..before.len()).filter(|&index| weights[index] != before[index]).collect()
    };
    let (order, values) = (differ(&fit.weights), differ(&values));
    assert!(order.len() > 1000 && values.len() > 1000, "{} and {}", order.len(), values.len());
    assert!(values[values.len() - 1] < order[0], "{:?} and {:?}", values.last(), order.first());
    let again = fitted("gomoku", &files, &zero, None).expect("it was fitted before");
    assert_eq!(again.weights, fit.weights, "equal seeds give equal weights");
    let refused = [folder.path().join("reversi")];
    played("reversi", &refused[0], &how(40), 12, 2);
    let problem = fitted("reversi", &refused, &zero, None).expect_err("it has none");
    assert!(problem.contains("no learned move order"), "{problem}");
}

#[test]
fn a_fitted_network_corrects_the_sum() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    // `others`: the share of weights that precede the network's.
    for (game, opening, games, epochs, others) in [("gomoku", 4, 40, 120, 0.9), ("xiangqi", 10, 40, 60, 0.02)] {
        let files = [folder.path().join(game)];
        played(game, &files[0], &how(opening), games, 2);
        let zero = Fit { start: Start::Zero, network: true, rate: 4.0, epochs, ..PLAN };
        let fit = fitted(game, &files, &zero, None).expect("it can be fitted");
        let [first, .., last] = &fit.epochs[..] else { panic!("there are many epochs") };
        assert!(last.training < first.training - 0.02, "{game}: {} and {}", first.training, last.training);
        // The stored weights are the learned ones, rounded to 16 bits.
        assert!((fit.errors[1] - last.validation).abs() < 0.002, "{game}: {:?} and {}", fit.errors, last.validation);
        // All other weights are unchanged.
        let none = Fit { epochs: 1, rate: 1e-9, start: Start::Current, ..zero };
        let none = fitted(game, &files, &none, None).expect("it can be fitted");
        let changed = fit.weights.iter().zip(&none.weights).position(|(fitted, none)| fitted != none);
        assert!(changed.is_some_and(|first| first as f64 > fit.weights.len() as f64 * others), "{game}: {changed:?}");
        assert!((none.errors[0] - none.errors[1]).abs() < 1e-6, "{game}: {:?}", none.errors);
        // On a scale of ten million all values are even.
        let even = fitted(game, &files, &Fit { scale: Some(1e7), epochs: 1, rate: 1e-9, ..PLAN }, None);
        let error = even.expect("it can be fitted").errors[0];
        assert!((error - std::f64::consts::LN_2).abs() < 0.001, "{game}: {error}");
        let again = fitted(game, &files, &zero, None).expect("it was fitted before");
        assert_eq!(again.weights, fit.weights, "{game}: equal seeds give equal weights");
        // Decay makes weights smaller.
        let decayed = fitted(game, &files, &Fit { decay: 20.0, ..zero }, None).expect("it can be fitted");
        let size =
            |weights: &[i32]| weights[changed.unwrap_or(0)..].iter().map(|weight| f64::from(weight.abs())).sum::<f64>();
        assert!(size(&decayed.weights) < 0.7 * size(&fit.weights), "{game}");
    }
    let refused = [folder.path().join("reversi")];
    played("reversi", &refused[0], &how(40), 12, 2);
    let zero = Fit { start: Start::Zero, network: true, ..PLAN };
    let problem = fitted("reversi", &refused, &zero, None).expect_err("it has none");
    assert!(problem.contains("no learned network"), "{problem}");
    let once = [folder.path().join("once")];
    played("gomoku", &once[0], &how(4), 4, 2);
    let problem = fitted("gomoku", &once, &Fit { shared: 0.5, ..PLAN }, None).expect_err("it has one set of weights");
    assert!(problem.contains("--shared"), "{problem}");
    let scaled = Fit { scale: Some(300.0), ..PLAN };
    let problem = fitted("reversi", &refused, &scaled, None).expect_err("its values are discs");
    assert!(problem.contains("--scale: expected none"), "{problem}");
}

#[test]
fn an_interrupted_fit_goes_on_from_its_checkpoint() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let files = [folder.path().join("games")];
    played("reversi", &files[0], &how(40), 12, 2);
    let whole = fitted("reversi", &files, &PLAN, None).expect("it can be fitted");
    let shared = fitted("reversi", &files, &Fit { shared: 0.5, ..PLAN }, None).expect("it can be fitted");
    assert!(shared.features > whole.features, "neighbouring phases are fitted as well");
    let (mut saved, epochs) = (Vec::new(), AtomicU64::new(0));
    let mut games = GameFiles::open(&files, "reversi").expect("it is whole");
    let broken_off = learner("reversi").fit(&mut games, &PLAN, None, &mut |progress| {
        let Progress::Done(epoch, save) = progress else { return true };
        saved = save();
        epochs.fetch_add(1, Ordering::Relaxed);
        epoch.number < 3
    });
    assert_eq!(broken_off.expect_err("it was broken off"), "interrupted");
    assert_eq!(epochs.into_inner(), 3);
    let resumed = fitted("reversi", &files, &PLAN, Some(&saved)).expect("it can go on");
    assert_eq!((resumed.weights, resumed.epochs.len()), (whole.weights, 6));
    let other = Fit { rate: 5.0, ..PLAN };
    let problem = fitted("reversi", &files, &other, Some(&saved)).expect_err("it is another fit");
    assert!(problem.ends_with("its rate is 4.0, not 5.0"), "{problem}");
    saved[100] ^= 1;
    assert!(fitted("reversi", &files, &PLAN, Some(&saved)).is_err(), "it is damaged");
    let svg = chart("errors", "squared discs", &whole.epochs).expect("it can be drawn");
    assert!(svg.starts_with("<svg") && svg.contains("validation"), "{svg}");
}

/// Runs the program. Returns its exit code and standard error.
fn run(arguments: &[&str]) -> (Option<i32>, String) {
    let ran = Command::new(env!("CARGO_BIN_EXE_tesuji-train")).args(arguments).output().expect("the program starts");
    (ran.status.code(), String::from_utf8(ran.stderr).expect("it prints UTF-8"))
}

#[test]
fn games_are_played_and_fitted_on_the_command_line() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let path = |name: &str| folder.path().join(name).to_str().expect("its name is text").to_owned();
    let (games, weights, curve) = (path("games"), path("weights"), path("curve.svg"));
    let play = ["selfplay", "reversi", "--output", &games, "--depth", "1", "--opening", "40", "--games", "20"];
    let fit =
        ["fit", "reversi", &games, "--output", &weights, "--epochs", "2", "--validation", "0.2", "--curve", &curve];
    let fitted = ["epoch   2: ", "samples a second", "squared discs", "correlation"];
    for (arguments, parts) in
        [(&play[..], &["20 games, 20 of them new"][..]), (&play, &["20 games, 0 of them new"]), (&fit, &fitted)]
    {
        let (code, err) = run(arguments);
        assert_eq!(code, Some(0), "{err}");
        assert!(parts.iter().all(|part| err.contains(part)), "{parts:?} are missing: {err}");
    }
    let file = fs::read(&weights).expect("it was written");
    let read = weights::read(&file, "reversi", &learner("reversi").features()).expect("they are Reversi's");
    assert!(read.iter().any(|&weight| weight != 0));
    assert!(fs::read_to_string(&curve).expect("it was drawn").starts_with("<svg"));
    for (arguments, message) in [
        (
            &["selfplay", "connect-four", "--output", &games, "--games", "1", "--depth", "1"][..],
            "'connect-four' for '<GAME>'",
        ),
        (&["selfplay", "reversi", "--output", &games, "--games", "1", "--depth", "2"], "depth is 1, not 2"),
        (&["selfplay", "reversi", "--output", &games, "--games", "1"], "--nodes"),
        (&["selfplay", "gomoku", "--output", &games, "--games", "1", "--depth", "1", "--variant", "size=3"], "size"),
        (&["fit", "gomoku", &games, "--output", &weights], "these are games of reversi, not of gomoku"),
        (&["fit", "reversi", &weights, "--output", &weights], "not a file of games"),
        (&["fit", "reversi", "/no/such/file", "--output", &weights], "/no/such/file"),
        // The engine plays with the new weights.
        (&[&play[..], &["--weights", &weights]].concat(), "the file has games with other options: weights is "),
        (&[&play[..], &["--weights", &games]].concat(), "not a file of weights"),
    ] {
        let (code, err) = run(arguments);
        assert!(code == Some(2) && err.contains(message), "{arguments:?}: {code:?}, {err}");
    }
    let (code, err) = run(&fit.map(|argument| if argument == weights { "/no/such/folder/weights" } else { argument }));
    assert!(code == Some(1) && err.contains("--output"), "{err}");
}
