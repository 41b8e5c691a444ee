//! Record formats of Gomoku and renju: SGF, and the files of Gomocup's game manager (`.psq`).

#![cfg(not(target_family = "wasm"))]

use super::variant::{GomokuVariant, LARGEST, Opening, Rule};
use crate::parameters::Choice;
use crate::position::shorten;
use crate::record::RecordedMove;
use crate::records::sgf::{self, Colours, Sgf};
use crate::records::{Draft, Format, Misread, Source, Written, number, place, single_line, time};

/// The formats.
pub(super) const FORMATS: &[Format<GomokuVariant>] = &[
    Format {
        name: "sgf",
        notation: "coordinates",
        recognises: sgf::recognises,
        read: |source| sgf::read(source, &SGF),
        write: |written| sgf::write(written, &SGF),
    },
    Format {
        name: "psq",
        notation: "coordinates",
        recognises: |text| text.trim_start().starts_with("Piskvorky"),
        read: read_psq,
        write: write_psq,
    },
];

const SGF: Sgf<GomokuVariant> = Sgf {
    game: "4",
    stones: ['x', 'o'],
    is_flat: false,
    start: |_| Vec::new(),
    second_begins: false,
    white_first: |_| (Colours::default(), None),
    variant: |asked, size, rules| variant(asked, size, rules.and_then(read_rules)),
    knows_rules: |rules| read_rules(rules).is_some(),
    properties: |variant| check(variant).map(|()| (variant.size, Some(variant.name.name()))),
    words: &[],
    read_point: sgf::read_letters,
    write_point: sgf::write_letters,
    // Rows are numbered from the bottom.
    mv: |column, row, size| sgf::write_letter_and_number(column, size - 1 - row),
    cell: |mv, size| {
        let (column, row) = sgf::read_letter_and_number(mv)?;
        Some((column, size.checked_sub(row + 1)?))
    },
};

/// The rule named in free text.
fn read_rules(text: &str) -> Option<Rule> {
    let text = text.to_ascii_lowercase();
    let words = [
        ("renju", Rule::Renju),
        ("caro", Rule::Caro),
        ("standard", Rule::Standard),
        ("exact", Rule::Standard),
        ("free", Rule::Freestyle),
    ];
    words.into_iter().find(|(word, _)| text.contains(word)).map(|(_, rule)| rule)
}

/// The requested variant, which the board size has to fit, or else that of the record.
fn variant(asked: Option<GomokuVariant>, size: Option<u32>, rule: Option<Rule>) -> Result<GomokuVariant, String> {
    let is_asked = asked.is_some();
    let mut variant = asked.unwrap_or_default();
    if let Some(size) = size.filter(|&size| size != variant.size) {
        if is_asked {
            return Err(format!("expected the requested variant's size, {}", variant.size));
        }
        if !(5..=LARGEST).contains(&size) {
            return Err(format!("expected a size from 5 to {LARGEST}"));
        }
        variant.size = size;
    }
    if let Some(rule) = rule.filter(|_| !is_asked) {
        variant.name = rule;
    }
    Ok(variant)
}

/// Refuses variants whose games have moves other than stones.
fn check(variant: &GomokuVariant) -> Result<(), String> {
    match variant.opening {
        Opening::Free => Ok(()),
        Opening::Swap2 => Err("this format cannot express the choices of `swap2`".to_owned()),
    }
}

/// Reads `Piskvorky 15x15, 11:11, 0`, a line `COLUMN,ROW,MILLISECONDS` for each move (from 1, from the top left), and then the
/// programs' names and lines of numbers about the match.
fn read_psq(source: &Source<'_, GomokuVariant>) -> Result<Draft<GomokuVariant>, Misread> {
    let text = source.text.trim_start();
    let mut lines = text.lines();
    let header = lines.next().unwrap_or_default();
    let at = |part: &str| place(source.text, part);
    let size = header.split_whitespace().nth(1).and_then(|size| {
        let (columns, rows) = size.trim_end_matches(',').split_once('x')?;
        let [columns, rows] = [columns, rows].map(|side| side.parse::<u32>().ok());
        columns.filter(|_| columns == rows)
    });
    let refuse =
        |part: &str, expected: &str| Err(Misread::new(at(part), format!("`{}`: expected {expected}", shorten(part))));
    let Some(size) = size else { return refuse(header, "`Piskvorky` and the size of a square board, like `15x15,`") };
    let variant = variant(source.variant.clone(), Some(size), None);
    let variant = variant.map_err(|problem| Misread::new(at(header), problem))?;
    source.choose(vec![(0, ())])?;
    let mut draft = Draft::new(variant);
    let mut names = Vec::new();
    for line in lines.map(str::trim).filter(|line| !line.is_empty()) {
        let fields: Vec<&str> = line.split(',').map(str::trim).collect();
        let is_move = fields.len() >= 2 && fields.iter().all(|field| number(field).is_some());
        if !is_move || !names.is_empty() {
            names.push(line);
            continue;
        }
        let point = [fields[0], fields[1]].map(|field| field.parse::<u32>().ok().filter(|n| (1..=size).contains(n)));
        let [Some(column), Some(row)] = point else {
            return refuse(line, &format!("a column and a row from 1 to {size}, and milliseconds"));
        };
        let mv = format!("{}{}", char::from(b'a' + (column - 1) as u8), size + 1 - row);
        let millis = fields.get(2).and_then(|field| time(field)).filter(|&millis| millis > 0.0);
        let seconds = millis.map(|millis| millis / 1000.0);
        draft.moves.push((at(line), RecordedMove { seconds, ..RecordedMove::new(mv) }));
    }
    for (player, name) in draft.record.players.iter_mut().zip(names.into_iter().take_while(|line| is_name(line))) {
        *player = Some(name.to_owned()).filter(|name| name != "?");
    }
    Ok(draft)
}

/// Whether a line after the moves is a player's name; lines of numbers are about the match.
fn is_name(line: &str) -> bool {
    number(line.split(',').next().unwrap_or_default()).is_none()
}

fn write_psq(written: &Written<'_, GomokuVariant>) -> Result<String, String> {
    check(written.variant)?;
    if written.record.position.is_some() {
        return Err("a `.psq` file cannot hold a position: it begins with an empty board".to_owned());
    }
    let size = written.variant.size;
    let mut out = format!("Piskvorky {size}x{size}, 11:11, 0\n");
    for (mv, recorded) in written.moves.iter().zip(&written.record.moves) {
        let (column, row) = sgf::read_letter_and_number(mv).ok_or_else(|| format!("`{mv}` is not a point"))?;
        let millis = (recorded.seconds.unwrap_or_default() * 1000.0).round();
        out.push_str(&format!("{},{},{millis}\n", column + 1, size - row));
    }
    for name in &written.record.players {
        let name = name.as_deref().map(single_line);
        let name = name.as_deref().map(str::trim).filter(|name| !name.is_empty() && is_name(name));
        out.extend([name.unwrap_or("?"), "\n"]);
    }
    out.push_str("-1\n");
    Ok(out)
}
