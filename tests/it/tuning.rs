//! Fitting weights: what comes out tells results better than what went in, and is a file that can be read again.

use tesuji_core::catalog::Catalog;
use tesuji_core::search::alpha_beta::Effort;

#[test]
fn weights_are_fitted_to_games() {
    let catalog = Catalog::standard();
    for (game, opening) in [("reversi", 40), ("xiangqi", 10), ("gomoku", 4)] {
        let effort = Effort { games: 6, nodes: 60, opening, epochs: 40, expected: 0.5, seed: 1 };
        let mut heard = Vec::new();
        let tuned = catalog.tune(game, &effort, &mut |played, all| heard.push((played, all))).expect("it has weights");
        assert_eq!(heard.last(), Some(&(6, 6)), "{game}");
        assert!(tuned.positions > 20, "{game}: {tuned:?}");
        assert!(tuned.errors[1] < tuned.errors[0], "{game}: {:?}", tuned.errors);
        assert!(tuned.chances.iter().all(|chances| chances.spread > 0.0 && chances.even >= 0.0), "{game}");
        let numbers = tuned.text.lines().filter(|line| !line.starts_with('#')).flat_map(str::split_whitespace);
        assert!(numbers.into_iter().all(|word| word.parse::<i32>().is_ok()), "{game}: {}", tuned.text);
        let again = catalog.tune(game, &effort, &mut |_, _| {}).expect("it has weights");
        assert_eq!(again.text, tuned.text, "{game}: equal seeds give equal weights");
    }
    let effort = Effort { games: 1, nodes: 1, opening: 0, epochs: 1, expected: 0.5, seed: 1 };
    assert!(catalog.tune("tic-tac-toe", &effort, &mut |_, _| {}).is_none());
}
