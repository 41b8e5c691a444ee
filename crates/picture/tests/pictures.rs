//! Pictures of the built-in games: they show the position, in both formats.

use std::fs;

use roxmltree::{Document, Node};
use serde_json::{Value, json};
use tesuji_core::catalog::{Catalog, LegalMove, Line, Setup};
use tesuji_picture::{Candidate, Options, Subject, Theme, draw};

/// Plays moves and hands the position to a test.
fn with<T>(game: &str, variant: Value, moves: &str, test: impl FnOnce(&Subject<'_>) -> T) -> T {
    let catalog = Catalog::standard();
    let moves: Vec<String> = moves.split_whitespace().map(str::to_owned).collect();
    let setup = Setup { variant: Some(&variant), position: None, moves: &moves };
    let Line { session, moves: line, .. } = catalog.follow(game, setup).expect("the moves are legal");
    let about = catalog.about(game).expect("the game is built in");
    test(&Subject { about: &about, view: &session.view(), legal: &session.legal(), line: &line, ahead: &[] })
}

fn svg(subject: &Subject<'_>, options: &Options) -> String {
    draw(subject, options).expect("the options are valid").svg()
}

/// The number of elements of a layer that satisfy a condition.
fn count(svg: &str, layer: &str, is: impl Fn(Node<'_, '_>) -> bool) -> usize {
    let document = Document::parse(svg).expect("it is XML");
    let layer = document.descendants().find(|node| node.attribute("class") == Some(layer)).expect("there is the layer");
    layer.descendants().filter(|node| is(*node)).count()
}

fn filled<'a>(tag: &'a str, colour: &'a str) -> impl Fn(Node<'_, '_>) -> bool + 'a {
    move |node| node.tag_name().name() == tag && node.attribute("fill") == Some(colour)
}

fn every_move(legal: &[LegalMove]) -> Vec<Candidate> {
    legal.iter().take(400).map(|legal| Candidate { mv: legal.mv.clone(), label: String::new() }).collect()
}

/// All variants of the conformance suite.
fn variants() -> Vec<(String, Value)> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/variants.jsonl");
    let text = fs::read_to_string(path).expect("the file is there");
    let rows = text.lines().map(|line| serde_json::from_str::<Value>(line).expect("it is JSON"));
    let found: Vec<_> =
        rows.filter_map(|row| Some((row["game"].as_str()?.to_owned(), row["variant"].clone()))).collect();
    assert!(found.len() > 30);
    found
}

#[test]
fn every_variant_is_drawn_in_both_formats_and_every_move_has_a_place() {
    for (game, variant) in variants() {
        with(&game, variant.clone(), "", |subject| {
            for (theme, size, coordinates) in [(Theme::Light, 480, true), (Theme::Dark, 64, false)] {
                let candidates = every_move(subject.legal);
                let options = Options { size, theme, coordinates, candidates, ..Options::default() };
                let picture = draw(subject, &options).expect("the options are valid");
                let (width, height) = picture.pixels();
                assert_eq!(width.max(height), size);
                let shown = count(&picture.svg(), "moves", |node| node.tag_name().name() == "rect");
                let placed = subject.legal.iter().take(400).filter(|legal| legal.facts.to.is_some()).count();
                assert_eq!(shown, placed, "{game} {variant}");
                inside(&picture.svg());

                let file = picture.png();
                let mut reader = png::Decoder::new(std::io::Cursor::new(&file)).read_info().expect("it is a PNG");
                let mut pixels = vec![0; reader.output_buffer_size().expect("it is small")];
                let info = reader.next_frame(&mut pixels).expect("it is whole");
                assert_eq!((info.width, info.height), (width, height));
                assert_eq!(file, draw(subject, &options).expect("as before").png(), "equal inputs give equal bytes");
            }
        });
    }
}

/// All circles lie within the picture.
fn inside(svg: &str) {
    let document = Document::parse(svg).expect("it is XML");
    let root = document.root_element();
    let view: Vec<f32> = root
        .attribute("viewBox")
        .expect("there is one")
        .split(' ')
        .map(|number| number.parse().expect("a number"))
        .collect();
    for node in document.descendants().filter(|node| node.tag_name().name() == "circle") {
        let number = |name| node.attribute(name).expect("there is one").parse::<f32>().expect("a number");
        let (x, y, radius) = (number("cx"), number("cy"), number("r"));
        assert!(x - radius >= 0.0 && x + radius <= view[2] && y - radius >= 0.0 && y + radius <= view[3], "{svg}");
    }
}

#[test]
fn pieces_are_those_of_the_position() {
    let plain = Options::default();
    with("gomoku", json!({}), "h8 i9 h9", |subject| {
        let svg = svg(subject, &plain);
        assert_eq!(count(&svg, "pieces", filled("circle", "#1d1d1f")), 2);
        assert_eq!(count(&svg, "pieces", filled("circle", "#fbfaf6")), 1);
        assert_eq!(count(&svg, "marks", filled("circle", "#ffffff")), 1, "the last move is marked on a black stone");
    });
    with("reversi", json!({}), "f5", |subject| {
        let svg = svg(subject, &plain);
        assert_eq!(count(&svg, "pieces", filled("circle", "#1d1d1f")), 4);
        assert_eq!(count(&svg, "pieces", filled("circle", "#fbfaf6")), 1);
    });
    with("connect-four", json!({"blocked": "c1"}), "4455", |subject| {
        let svg = svg(subject, &plain);
        assert_eq!(count(&svg, "pieces", filled("circle", "#d43a2f")), 2);
        assert_eq!(count(&svg, "pieces", filled("circle", "#f6c935")), 2);
        assert_eq!(count(&svg, "pieces", |node| node.tag_name().name() == "path"), 1, "the blocked cell");
    });
    with("xiangqi", json!({}), "", |subject| {
        let svg = svg(subject, &plain);
        let names = |node: Node<'_, '_>| "帥仕相傌俥炮兵將士象馬車砲卒".contains(node.text().unwrap_or("-"));
        assert_eq!(count(&svg, "pieces", |node| node.tag_name().name() == "title" && names(node)), 32);
    });
    with("tic-tac-toe", json!({}), "a1 b2 c3", |subject| {
        let svg = svg(subject, &plain);
        assert_eq!(count(&svg, "pieces", |node| node.tag_name().name() == "path"), 2);
        assert_eq!(count(&svg, "pieces", |node| node.tag_name().name() == "circle"), 1);
    });
    with("hex", json!({"swap": false}), "a2 c3 d4", |subject| {
        let svg = svg(subject, &plain);
        assert_eq!(count(&svg, "pieces", filled("circle", "#c8402f")), 2);
        assert_eq!(count(&svg, "pieces", filled("circle", "#2d6cc0")), 1);
    });
    with("dots-and-boxes", json!({}), "h0,0 v0,0 h1,0 v0,1 h2,2", |subject| {
        let svg = svg(subject, &plain);
        assert_eq!(count(&svg, "pieces", |node| node.tag_name().name() == "path"), 5);
        assert_eq!(count(&svg, "pieces", filled("rect", "#c25400")), 1, "the second player's box");
        assert_eq!(count(&svg, "pieces", filled("circle", "#1e1b16")), 16);
    });
}

#[test]
fn what_a_position_tells_is_marked() {
    let rings = |node: Node<'_, '_>| node.attribute("stroke") == Some("#008f5a");
    let won = [
        ("gomoku", json!({}), "e5 a1 e6 a2 e7 a9 e8 a8 e9", 5),
        ("hex", json!({"size": 3, "swap": false}), "a1 b1 a2 b2 a3", 3),
        ("tic-tac-toe", json!({}), "a1 b1 b2 a2 c3", 3),
        ("connect-four", json!({}), "1122334", 4),
        ("reversi", json!({}), "f5", 0),
    ];
    for (game, variant, moves, stones) in won {
        with(game, variant, moves, |subject| {
            assert_eq!(count(&svg(subject, &Options::default()), "marks", rings), stones, "{game}")
        });
    }
    with("gomoku", json!({"name": "renju", "size": 9}), "e5 a1 e6 a2 f7 a9 g7 a8", |subject| {
        let crosses = |node: Node<'_, '_>| node.attribute("stroke") == Some("#b3000f");
        assert_eq!(count(&svg(subject, &Options::default()), "marks", crosses), 1, "a forbidden point");
    });
    with("gomoku", json!({}), "h8", |subject| {
        let options = Options { last_move: false, ..Options::default() };
        assert_eq!(count(&svg(subject, &options), "marks", |node| node.is_element()), 1, "only the layer itself");
    });
}

#[test]
fn moves_ahead_are_numbered() {
    let catalog = Catalog::standard();
    for (game, moves) in
        [("gomoku", "h8 i9 j10"), ("xiangqi", "h2e2 h9g7"), ("connect-four", "4 4"), ("dots-and-boxes", "h0,0")]
    {
        let mut session = catalog.open(game, Setup::default()).expect("the game is built in");
        let (view, legal, about) = (session.view(), session.legal(), catalog.about(game).expect("as before"));
        let mut ahead = Vec::new();
        moves.split(' ').for_each(|mv| session.play_described(mv, &mut ahead).expect("the move is legal"));
        let subject = Subject { about: &about, view: &view, legal: &legal, line: &[], ahead: &ahead };
        let svg = svg(&subject, &Options::default());
        let document = Document::parse(&svg).expect("it is XML");
        let layer = document.descendants().find(|node| node.attribute("class") == Some("moves")).expect("as before");
        let numbers: Vec<&str> = layer
            .descendants()
            .filter(|node| node.tag_name().name() == "title")
            .filter_map(|node| node.text())
            .collect();
        let expected: Vec<String> = (1..=ahead.len()).map(|number| number.to_string()).collect();
        assert_eq!(numbers, expected, "{game}");
    }
}

#[test]
fn labels_are_escaped_and_shortened() {
    with("gomoku", json!({}), "", |subject| {
        let label = "<&\">\u{1}'".to_owned();
        let hostile = Candidate { mv: "h8".to_owned(), label };
        let long = Candidate { mv: "a1".to_owned(), label: "0123456789".to_owned() };
        let options = Options { candidates: vec![hostile, long], ..Options::default() };
        let svg = svg(subject, &options);
        let document = Document::parse(&svg).expect("it is XML");
        let titles: Vec<&str> = document.descendants().filter_map(|node| node.text()).collect();
        assert!(titles.contains(&"<&\">'") && titles.contains(&"0123456…"), "{titles:?}");
    });
}

#[test]
fn refusals_name_the_field() {
    with("gomoku", json!({}), "h8", |subject| {
        let refused = |options: Options| draw(subject, &options).expect_err("it is refused").to_string();
        assert_eq!(refused(Options { size: 63, ..Options::default() }), "/size: 63: expected 64 to 2048 pixels");
        let candidate = |mv: &str| Candidate { mv: mv.to_owned(), label: String::new() };
        let candidates = vec![candidate("a1"), candidate("h8")];
        let message = "/candidates/1/move: `h8`: expected a legal move of the position";
        assert_eq!(refused(Options { candidates, ..Options::default() }), message);
        let many = vec![candidate("a1"); 401];
        let message = "/candidates: 401 candidates: expected at most 400";
        assert_eq!(refused(Options { candidates: many, ..Options::default() }), message);
    });
}
