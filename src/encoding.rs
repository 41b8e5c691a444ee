//! Decodes files: game records are older than UTF-8, and many Chinese ones are in GBK.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{BIG5, Encoding, GBK, UTF_8, WINDOWS_1252};

/// Why bytes cannot be decoded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Undecodable {
    /// Unknown encoding.
    #[error("unknown encoding `{0}`: expected the name of an encoding, such as utf-8, gbk or big5")]
    Unknown(String),
    /// The bytes are not valid in the named encoding.
    #[error("the bytes are not valid in the encoding `{0}`")]
    Malformed(String),
}

/// Decoded bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decoded {
    /// The text.
    pub text: String,
    /// Names the guessed encoding, if one was guessed.
    pub warning: Option<String>,
}

/// Decodes bytes in the named encoding. Without a name, the encoding is the first of: that of a byte order mark; UTF-8 if
/// valid; that of SGF's `CA`; a guess. Invalid characters then become U+FFFD.
///
/// The guess is GBK or Big5 if the text then has more moves, counted by `encoded_moves`, and otherwise the likeliest encoding.
///
/// # Errors
/// When the encoding is unknown, or the bytes are not valid in it.
pub fn decode(bytes: &[u8], name: Option<&str>, encoded_moves: impl Fn(&str) -> usize) -> Result<Decoded, Undecodable> {
    let known = |text| Ok(Decoded { text, warning: None });
    if let Some(name) = name {
        let shown = || name.chars().take(40).collect::<String>();
        let encoding = Encoding::for_label(name.as_bytes()).ok_or_else(|| Undecodable::Unknown(shown()))?;
        let (text, _, has_errors) = encoding.decode(bytes);
        return if has_errors { Err(Undecodable::Malformed(shown())) } else { known(text.into_owned()) };
    }
    if let Some((encoding, _)) = Encoding::for_bom(bytes) {
        return known(encoding.decode(bytes).0.into_owned());
    }
    if let Ok(text) = std::str::from_utf8(bytes) {
        return known(text.to_owned());
    }
    if let Some(encoding) = named_in_sgf(bytes) {
        return known(encoding.decode(bytes).0.into_owned());
    }
    let read = |encoding: &'static Encoding| (encoding, encoding.decode(bytes).0);
    let likeliest = read(guess(bytes));
    let count = encoded_moves(&likeliest.1);
    let others = [GBK, BIG5].into_iter().map(read).map(|other| (encoded_moves(&other.1), other));
    let most = others.max_by_key(|(count, _)| *count).filter(|(most, _)| *most > count);
    let (encoding, text) = most.map_or(likeliest, |(_, other)| other);
    let warning = format!("the text is not UTF-8 and does not name its encoding: {} was guessed", encoding.name());
    Ok(Decoded { text: text.into_owned(), warning: Some(warning) })
}

/// The encoding in the first `CA[…]` of an SGF file.
fn named_in_sgf(bytes: &[u8]) -> Option<&'static Encoding> {
    let is_sgf = bytes.trim_ascii_start().starts_with(b"(");
    let begin = bytes.windows(3).position(|window| window == b"CA[").filter(|_| is_sgf)? + 3;
    let length = bytes[begin..].iter().position(|byte| *byte == b']')?;
    Encoding::for_label(&bytes[begin..begin + length]).filter(|encoding| *encoding != UTF_8)
}

/// The likeliest encoding of bytes. A PGN record with tags is taken for Xiangqi in Chinese, unless every non-ASCII byte stands
/// alone, like accented letters.
fn guess(bytes: &[u8]) -> &'static Encoding {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(bytes, true);
    let has_tags = bytes.split(|byte| *byte == b'\n').any(|line| line.trim_ascii_start().starts_with(b"["));
    let has_pairs = bytes.windows(2).any(|pair| !pair[0].is_ascii() && !pair[1].is_ascii());
    let domain = (has_tags && has_pairs).then_some(&b"cn"[..]);
    let guessed = detector.guess(domain, Utf8Detection::Deny);
    if guessed == UTF_8 { WINDOWS_1252 } else { guessed }
}

#[cfg(test)]
mod tests {
    use encoding_rs::SHIFT_JIS;
    use tesuji_core::catalog::Catalog;

    use super::*;

    /// The text, and the guessed encoding.
    fn decoded(bytes: &[u8]) -> (String, Option<String>) {
        let catalog = Catalog::standard();
        let Decoded { text, warning } = decode(bytes, None, |text| catalog.encoded_moves(text)).expect("it is text");
        let guessed = warning.map(|warning| {
            let guessed = warning.strip_prefix("the text is not UTF-8 and does not name its encoding: ");
            guessed.and_then(|guessed| guessed.strip_suffix(" was guessed")).expect(&warning).to_owned()
        });
        (text, guessed)
    }

    fn named(bytes: &[u8], name: &str) -> Result<String, Undecodable> {
        decode(bytes, Some(name), |_| 0).map(|decoded| decoded.text)
    }

    #[test]
    fn a_known_encoding_is_not_guessed() {
        let game = "[Game \"Chinese Chess\"]\n[Red \"王天一\"]\n1. 炮二平五 马8进7\n";
        assert_eq!(named(&GBK.encode(game).0, "GB2312").as_deref(), Ok(game));
        assert_eq!(decoded(game.as_bytes()), (game.to_owned(), None));
        assert_eq!(named(&BIG5.encode("許銀川").0, "big5").as_deref(), Ok("許銀川"));
        assert_eq!(decoded("\u{feff}f5d6".as_bytes()), ("f5d6".to_owned(), None));
        let gbk = decoded(b"(;GM[4]CA[GBK]PB[\xcd\xf5])");
        assert_eq!(gbk, ("(;GM[4]CA[GBK]PB[王])".to_owned(), None));
        let latin = decoded(b"(;GM[4]CA[ISO-8859-1]PB[Andr\xe9])");
        assert_eq!(latin, ("(;GM[4]CA[ISO-8859-1]PB[André])".to_owned(), None));
        let wide: Vec<u8> = "\u{feff}f5".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(decoded(&wide), ("f5".to_owned(), None));
    }

    /// A game of ten moves or of one, in simplified or traditional characters, and one in letters.
    #[test]
    fn an_encoding_is_guessed_by_the_moves_and_else_by_the_bytes() {
        let tags = "[Game \"Chinese Chess\"]\r\n[Event \"第三屆“嘉寶杯”\"]\r\n[Red \"許銀川\"]\r\n\r\n";
        let long = "1. 炮二平五 馬8進7 2. 馬二進三 車9平8 3. 車一平二 卒7進1 4. 車二進六 馬2進3 5. 兵七進一 炮8平9\r\n";
        let simple = "[Red \"王天一\"]\n1. 炮二平五 马8进7\n";
        let letters = "[Red \"M\u{fc}ller\"]\n[Black \"Jos\u{e9} Ni\u{f1}o\"]\n1. C2.5 H8+7\n";
        for (text, encoding) in [
            (format!("{tags}{long}"), BIG5),
            (format!("{tags}1. 炮二平五 *\r\n"), BIG5),
            (format!("對局\r\n{tags}1. 炮二平五 *\r\n=====\r\n歡迎\r\n"), BIG5),
            ("1. 炮二平五 馬8進7".to_owned(), BIG5),
            (format!("{tags}{long}"), GBK),
            (simple.to_owned(), GBK),
            ("1. 炮二平五 马8进7".to_owned(), GBK),
            (letters.to_owned(), WINDOWS_1252),
            ("(;GM[4]PB[M\u{fc}ller];B[hh])".to_owned(), WINDOWS_1252),
            ("(;GM[4]PB[中村 茂];C[連珠の名人戦です。];B[hh])".to_owned(), SHIFT_JIS),
            ("[Red \"许银川\"]\n[Site \"广州\"]\n1. C2.5 H8+7\n".to_owned(), GBK),
        ] {
            let (bytes, _, has_errors) = encoding.encode(&text);
            assert!(!has_errors, "{text}");
            assert_eq!(decoded(&bytes), (text.clone(), Some(encoding.name().to_owned())));
        }
    }

    #[test]
    fn what_is_in_no_encoding_is_refused() {
        assert_eq!(named(b"", "klingon"), Err(Undecodable::Unknown("klingon".to_owned())));
        assert_eq!(named(b"\xff", "utf-8"), Err(Undecodable::Malformed("utf-8".to_owned())));
        assert_eq!(decoded(b"\xff\x81x").1, Some("windows-1252".to_owned()));
    }
}
