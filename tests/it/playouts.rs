//! The knowledge of playouts about single positions, checked by trying every move.

use tesuji_core::bits::Wide;
use tesuji_core::games::connect_four::{self, ConnectFour, Custom, Standard};
use tesuji_core::games::gomoku::{self, Gomoku};
use tesuji_core::games::tic_tac_toe::{self, TicTacToe};
use tesuji_core::games::{Game, Variant};
use tesuji_core::position::{Position, Side};
use tesuji_core::rng::Rng;
use tesuji_core::search::mcts::{Playout, Policies, Policy};

/// The moves after which `side` has won, if it were to move: tried by letting it move in a copy where it is.
fn wins<P: Position>(position: &P, side: Side) -> Vec<P::Move> {
    let won = |mv: &P::Move| {
        let mut next = position.clone();
        next.play(*mv);
        next.outcome().is_some_and(|outcome| outcome.winner == Some(side))
    };
    position.moves().filter(won).collect()
}

fn decides<G: Game<Variant: Variant>, F: Playout<G>>(variant: &str, playout: &F) {
    decides_in(variant, playout, G::clone);
}

/// Over random games: the decisive move wins at once when any does; else it is one that stops a loss. `view` makes a position
/// of the search.
fn decides_in<G: Game<Variant: Variant>, P: Position<Move = G::Move>, F: Playout<P>>(
    variant: &str,
    playout: &F,
    view: fn(&G) -> P,
) {
    let variant: G::Variant = serde_json::from_str(variant).expect("the variant is valid JSON");
    let mut rng = Rng::new(77, 0);
    let (mut won, mut stopped) = (0, 0);
    for _ in 0..60 {
        let mut position = G::start(&variant);
        while position.outcome().is_none() {
            let turn = position.turn();
            let decisive = playout.decisive(&view(&position));
            let at_hand = wins(&position, turn);
            if at_hand.is_empty() {
                if let Some(mv) = decisive {
                    // A threat of the other side: a move of mine after which it wins. One threat spares only its own point.
                    let losing = |mv: &G::Move| {
                        let mut next = position.clone();
                        next.play(*mv);
                        next.outcome().is_none() && !wins(&next, turn.other()).is_empty()
                    };
                    let moves: Vec<G::Move> = position.moves().collect();
                    let safe: Vec<G::Move> = moves.iter().copied().filter(|mv| !losing(mv)).collect();
                    stopped += 1;
                    assert!(moves.contains(&mv), "{position}: {mv} is not legal");
                    assert!(
                        safe.len() <= 1 || moves.len() - safe.len() >= safe.len(),
                        "{position}: {mv} stops nothing"
                    );
                    assert!(safe.is_empty() || safe.contains(&mv), "{position}: {mv} does not stop the loss");
                }
            } else {
                won += 1;
                assert!(decisive.is_some_and(|mv| at_hand.contains(&mv)), "{position}: {decisive:?} does not win");
            }
            position.play(position.random_move(&mut rng));
        }
    }
    assert!(won > 20 && stopped > 20, "{won} wins and {stopped} stops were seen");
}

#[test]
fn wins_are_seen_and_losses_stopped() {
    decides::<TicTacToe<u64>, _>("{}", &tic_tac_toe::Decisive);
    decides::<TicTacToe<u128>, _>(r#"{"columns":8,"rows":9,"k":4}"#, &tic_tac_toe::Decisive);
    decides::<TicTacToe<Wide<6>>, _>(r#"{"columns":10,"rows":19,"k":4}"#, &tic_tac_toe::Decisive);
    for rule in ["freestyle", "standard"] {
        let variant = format!(r#"{{"name":"{rule}","size":9}}"#);
        decides_in(&variant, &gomoku::CodePlayout::default(), gomoku::CodedPosition::<88>::new);
    }
}

/// In Connect Four a stone may also open the cell above it, so that stopping one line is not always enough.
#[test]
fn connect_four_wins_are_seen() {
    fn sees<G: Game<Variant: Variant>>(variant: &str)
    where
        connect_four::Decisive: Playout<G>,
    {
        let variant: G::Variant = serde_json::from_str(variant).expect("the variant is valid JSON");
        let mut rng = Rng::new(78, 0);
        let (mut seen, mut answered) = (0, 0);
        for _ in 0..200 {
            let mut position = G::start(&variant);
            while position.outcome().is_none() {
                let at_hand = wins(&position, position.turn());
                let decisive = connect_four::Decisive.decisive(&position);
                if !at_hand.is_empty() {
                    seen += 1;
                    assert!(decisive.is_some_and(|mv| at_hand.contains(&mv)), "{position}: {decisive:?} does not win");
                } else if let Some(mv) = decisive {
                    answered += 1;
                    // If anything else is played, the other side wins there.
                    let other = position.moves().find(|other| *other != mv);
                    if let Some(other) = other {
                        let mut next = position.clone();
                        next.play(other);
                        let won = next.outcome().is_some() || wins(&next, next.turn()).contains(&mv);
                        assert!(won, "{position}: {mv} answers no threat");
                    }
                }
                position.play(position.random_move(&mut rng));
            }
        }
        assert!(seen > 50 && answered > 50, "{seen} wins and {answered} answers were seen");
    }
    sees::<ConnectFour<Standard>>("{}");
    sees::<ConnectFour<Custom<u64>>>(r#"{"columns":4,"rows":12,"connect":3}"#);
    sees::<ConnectFour<Custom<u128>>>(r#"{"columns":9,"rows":9,"blocked":"e3"}"#);
}

/// Every policy of every playout ends with a score that the game can have.
#[test]
fn every_policy_ends_with_a_possible_score() {
    fn ends<G: Game<Variant: Variant>, F: Playout<G>>() {
        ends_from::<G, F>(G::start(&G::Variant::default()), G::NAME);
    }
    fn ends_from<P: Position, F: Playout<P> + Policies>(start: P, name: &str) {
        let mut rng = Rng::new(5, 0);
        for policy in F::POLICIES {
            for _ in 0..20 {
                let score = F::default().finish(*policy, start.clone(), &mut rng);
                assert!(score.abs() <= start.score_limit(), "{name} {policy:?}: {score}");
            }
        }
        assert!(F::POLICIES.contains(&Policy::Uniform));
    }
    ends::<TicTacToe<u64>, tic_tac_toe::Decisive>();
    ends::<ConnectFour<Standard>, connect_four::Decisive>();
    let board = Gomoku::<88>::start(&Default::default());
    ends_from::<_, gomoku::CodePlayout>(gomoku::CodedPosition::new(&board), "gomoku");
    ends::<tesuji_core::games::reversi::Reversi, tesuji_core::games::reversi::EvaluatedPlayout>();
    ends::<tesuji_core::games::xiangqi::Xiangqi, tesuji_core::games::xiangqi::EvaluatedPlayout>();
}
