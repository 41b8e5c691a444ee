//! Pictures of games added at run time, which describe their boards. No description breaks a picture.

use std::sync::Arc;

use roxmltree::Document;
use serde_json::{Value, json};
use tesuji_core::catalog::{Catalog, Setup};
use tesuji_core::custom::{CustomGame, Fault, MoveCells, Rules, Source, State, Status};
use tesuji_core::position::{Outcome, Side};
use tesuji_picture::{Candidate, Options, Subject, Theme, draw};

/// The players take turns to fill cells, whose names and pieces come from a description.
struct Filling {
    names: Vec<String>,
    pieces: [String; 2],
}

fn state(bytes: &[u8]) -> State {
    let filled = bytes.iter().filter(|&&cell| cell > 0).count();
    let turn = if filled % 2 == 0 { Side::First } else { Side::Second };
    let outcome = (filled == bytes.len()).then_some(Outcome::draw("board_full"));
    State { bytes: bytes.into(), status: Status { turn, outcome } }
}

impl Rules for Filling {
    fn identity(&self) -> &str {
        "filling"
    }
    fn score_limit(&self) -> i16 {
        1
    }
    fn start(&self, _: &Value) -> Result<State, Fault> {
        Ok(state(&vec![0; self.names.len()]))
    }
    fn moves(&self, position: &[u8], moves: &mut Vec<u32>) -> Result<(), Fault> {
        moves.extend((0..).zip(position).filter(|(_, cell)| **cell == 0).map(|(code, _)| code));
        Ok(())
    }
    fn play(&self, position: &[u8], mv: u32) -> Result<State, Fault> {
        let mut next = position.to_vec();
        next[mv as usize] = 1 + state(position).status.turn.index() as u8;
        Ok(state(&next))
    }
    fn write_move(&self, _: &[u8], mv: u32) -> Result<String, Fault> {
        Ok(mv.to_string())
    }
    fn write_position(&self, position: &[u8]) -> Result<String, Fault> {
        Ok(position.iter().map(u8::to_string).collect())
    }
    fn read_position(&self, _: &Value, _: &str) -> Result<Result<State, String>, Fault> {
        Ok(Err("not read".to_owned()))
    }
    fn cells(&self, position: &[u8]) -> Result<Vec<String>, Fault> {
        let text = |cell: &u8| if *cell == 0 { String::new() } else { self.pieces[usize::from(*cell) - 1].clone() };
        Ok(position.iter().map(text).collect())
    }
    fn move_cells(&self, _: &[u8], mv: u32) -> Result<MoveCells, Fault> {
        Ok(MoveCells { to: Some(self.names[mv as usize].clone()), ..MoveCells::default() })
    }
    fn playout(&self, _: &[u8], _: u64) -> Result<Option<Outcome>, Fault> {
        Ok(None)
    }
    fn symmetry(&self, _: &[u8]) -> Result<Option<u64>, Fault> {
        Ok(None)
    }
    fn evaluate(&self, _: &[u8]) -> Result<i32, Fault> {
        Ok(0)
    }
    fn priority(&self, _: &[u8], _: u32) -> Result<Option<i32>, Fault> {
        Ok(None)
    }
}

/// The picture of a game with this board after the moves 0, 1 and 2, with all remaining moves as candidates.
fn pictured(board: &Value, names: &[&str], pieces: [&str; 2]) -> (String, Vec<u8>) {
    let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
    let sides = json!({"first": {"en": "White & <b>"}, "second": {"en": "Black"}});
    let description = json!({"name": "filling", "names": {"en": "<script>\"&'"}, "sides": sides, "board": board});
    let game = CustomGame {
        rules: Arc::new(Filling { names, pieces: pieces.map(str::to_owned) }),
        description: Arc::new(serde_json::from_value(description).expect("it is a description")),
        evaluates: false,
        source: Source::Script,
        hash: "0".repeat(64),
    };
    let mut catalog = Catalog::standard();
    catalog.add_custom(&game).expect("it is added");
    let moves = ["0", "1", "2"].map(str::to_owned);
    let line = catalog.follow("filling", Setup { moves: &moves, ..Setup::default() }).expect("the moves are legal");
    let (about, view, legal) =
        (catalog.about("filling").expect("it is there"), line.session.view(), line.session.legal());
    let subject = Subject { about: &about, view: &view, legal: &legal, line: &line.moves, ahead: &[] };
    let candidates = legal.iter().map(|legal| Candidate { mv: legal.mv.clone(), label: "½".to_owned() }).collect();
    let picture = draw(&subject, &Options { candidates, theme: Theme::Dark, ..Options::default() });
    let picture = picture.expect("the options are valid");
    (picture.svg(), picture.png())
}

/// The number of candidates' chips.
fn chips(svg: &str) -> usize {
    layer(&Document::parse(svg).expect("it is XML"), "moves", "rect")
}

/// The number of elements of this name in a layer.
fn layer(document: &Document<'_>, class: &str, name: &str) -> usize {
    let layer = document.descendants().find(|node| node.attribute("class") == Some(class)).expect("there is the layer");
    layer.descendants().filter(|node| node.tag_name().name() == name).count()
}

#[test]
fn each_shape_of_cells_has_a_place_for_each_move() {
    let usual = ["a2", "b2", "c2", "a1", "b1", "c1"];
    let pieces = json!({"w": {"side": "first"}, "b": {"side": "second", "text": "B"}});
    for shape in ["squares", "points", "hexagons"] {
        let board = json!({"cells": shape, "columns": 3, "rows": 2, "pieces": pieces});
        let (svg, png) = pictured(&board, &usual, ["w", "b"]);
        assert_eq!(chips(&svg), 3, "{shape}");
        assert!(png.starts_with(b"\x89PNG"));
        assert!(
            svg.contains("#fbfaf6") && svg.contains("#1d1d1f"),
            "sides have the colours that they are called after"
        );
    }
    let at = [[0.0, 0.0], [1.5, 0.0], [3.0, 0.5], [0.0, 2.0], [1.5, 2.5]];
    let names = ["home", "b", "c", "d", "<e>"];
    let board = json!({"cells": "free", "at": at, "names": names, "pieces": pieces});
    assert_eq!(chips(&pictured(&board, &names, ["w", "7"]).0), 2);
}

#[test]
fn hostile_descriptions_are_drawn_within_their_cells() {
    let names = ["a1", "b1", "c1", "</svg>", "\u{0}"];
    let paths = [
        "M0 0L1e38 1e38L-1e38 1e39Z",
        "M-1e9 0A1e-30 1e30 45 1 1 1e9 1e9z",
        "\" onload=\"alert(1)",
        "M0 0 nan 5 Q",
        "L5 5 C1 2 3",
        "Mzzzz",
    ];
    for path in paths {
        let pieces = json!({"w": {"side": "first", "path": path}, "b": {"text": "<!--馬騎士"}});
        let board = json!({"columns": 5, "rows": 1, "names": names, "pieces": pieces});
        let (svg, _) = pictured(&board, &names, ["w", "b"]);
        let document = Document::parse(&svg).expect("it is XML");
        let title =
            document.descendants().find_map(|node| (node.tag_name().name() == "title").then(|| node.text()).flatten());
        assert_eq!(title, Some("<script>\"&': Black to move"));
        let mine = ["svg", "title", "defs", "path", "g", "circle", "rect", "use"];
        assert!(
            document.descendants().filter(|node| node.is_element()).all(|node| mine.contains(&node.tag_name().name()))
        );
        assert!(document.descendants().flat_map(|node| node.attributes()).all(|one| !one.name().starts_with("on")));
    }
    // On a large board a long path could be in the picture hundreds of times.
    let path = format!("M0 0h1{}", " 1".repeat(1900));
    let figures = |rows: usize| {
        let names: Vec<String> = (0..20 * rows).map(|cell| format!("c{cell}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let board =
            json!({"columns": 20, "rows": rows, "names": names, "pieces": {"w": {"side": "first", "path": path}}});
        let (svg, _) = pictured(&board, &names, ["w", "w"]);
        layer(&Document::parse(&svg).expect("it is XML"), "pieces", "path")
    };
    assert!(figures(1) > 0);
    assert_eq!(figures(20), 0);
    let huge = json!({"columns": 4_000_000_000_u32, "rows": "none", "names": names});
    assert_eq!(chips(&pictured(&huge, &names, ["☃", "a long text on a cell"]).0), 2);
    let scattered =
        json!({"cells": "free", "at": [[1e30, -1e30], [0.0, 0.0], [0.0, 0.0], [1.0, 1.0], [2.0, 2.0]], "names": names});
    assert_eq!(chips(&pictured(&scattered, &names, ["x", "o"]).0), 2);
}

#[test]
fn games_without_cells_are_their_text() {
    let (svg, png) = pictured(&json!({"cells": "free"}), &["a", "b", "c", "d"], ["x", "o"]);
    let document = Document::parse(&svg).expect("it is XML");
    assert!(document.descendants().any(|node| node.text() == Some("1210")));
    assert!(png.starts_with(b"\x89PNG"));
}
