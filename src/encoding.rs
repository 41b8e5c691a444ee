//! Bytes of files as text: records of games are older than UTF-8, and many Chinese ones are in GBK.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};

/// Why bytes are no text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Undecodable {
    /// There is no encoding of that name.
    #[error("`{0}` is no encoding: expected a name as in HTTP, such as utf-8, gbk or big5")]
    Unknown(String),
    /// The bytes are not in the encoding that was named.
    #[error("the bytes are not in the encoding `{0}`")]
    Malformed(String),
}

/// Reads bytes as text, in the encoding of this name. Without one: by a byte order mark; as UTF-8, if they are that; in the
/// encoding that SGF's `CA` names; else as what they most look like. Then what is no character becomes U+FFFD.
///
/// # Errors
/// When the name is no encoding's, or the bytes are in another.
pub fn decode(bytes: &[u8], name: Option<&str>) -> Result<String, Undecodable> {
    if let Some(name) = name {
        let shown = || name.chars().take(40).collect::<String>();
        let encoding = Encoding::for_label(name.as_bytes()).ok_or_else(|| Undecodable::Unknown(shown()))?;
        let (text, _, has_errors) = encoding.decode(bytes);
        return if has_errors { Err(Undecodable::Malformed(shown())) } else { Ok(text.into_owned()) };
    }
    if Encoding::for_bom(bytes).is_none()
        && let Ok(text) = std::str::from_utf8(bytes)
    {
        return Ok(text.to_owned());
    }
    // A byte order mark goes before the encoding given here.
    Ok(named_in_sgf(bytes).unwrap_or_else(|| guess(bytes)).decode(bytes).0.into_owned())
}

/// The encoding that the first `CA[…]` of an SGF file names.
fn named_in_sgf(bytes: &[u8]) -> Option<&'static Encoding> {
    let is_sgf = bytes.trim_ascii_start().starts_with(b"(");
    let begin = bytes.windows(3).position(|window| window == b"CA[").filter(|_| is_sgf)? + 3;
    let length = bytes[begin..].iter().position(|byte| *byte == b']')?;
    Encoding::for_label(&bytes[begin..begin + length]).filter(|encoding| *encoding != UTF_8)
}

/// What bytes most look like. A record in PGN with tags is Xiangqi's, and Chinese.
fn guess(bytes: &[u8]) -> &'static Encoding {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(bytes, true);
    let domain = bytes.trim_ascii_start().starts_with(b"[").then_some(&b"cn"[..]);
    let guessed = detector.guess(domain, Utf8Detection::Deny);
    if guessed == UTF_8 { WINDOWS_1252 } else { guessed }
}

#[cfg(test)]
mod tests {
    use encoding_rs::{BIG5, GBK};

    use super::*;

    #[test]
    fn text_is_read_in_the_encoding_that_is_named_or_looks_right() {
        let game = "[Game \"Chinese Chess\"]\n[Red \"王天一\"]\n1. 炮二平五 马8进7\n";
        let (gbk, ..) = GBK.encode(game);
        assert_eq!(decode(&gbk, None).as_deref(), Ok(game));
        assert_eq!(decode(&gbk, Some("GB2312")).as_deref(), Ok(game));
        assert_eq!(decode(game.as_bytes(), None).as_deref(), Ok(game));
        let (big5, ..) = BIG5.encode("[Red \"許銀川\"]\n1. 炮二平五 馬8進7\n2. 馬二進三 車9平8\n");
        assert_eq!(
            decode(&big5, Some("big5")).as_deref(),
            Ok("[Red \"許銀川\"]\n1. 炮二平五 馬8進7\n2. 馬二進三 車9平8\n")
        );
        assert_eq!(decode("\u{feff}f5d6".as_bytes(), None).as_deref(), Ok("f5d6"));
        assert_eq!(decode(b"(;GM[4]CA[GBK]PB[\xcd\xf5])", None).as_deref(), Ok("(;GM[4]CA[GBK]PB[王])"));
        assert_eq!(
            decode(b"(;GM[4]CA[ISO-8859-1]PB[Andr\xe9])", None).as_deref(),
            Ok("(;GM[4]CA[ISO-8859-1]PB[André])")
        );
        let wide: Vec<u8> = "\u{feff}f5".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(decode(&wide, None).as_deref(), Ok("f5"));
    }

    #[test]
    fn what_is_in_no_encoding_is_refused() {
        assert_eq!(decode(b"", Some("klingon")), Err(Undecodable::Unknown("klingon".to_owned())));
        assert_eq!(decode(b"\xff", Some("utf-8")), Err(Undecodable::Malformed("utf-8".to_owned())));
        assert!(decode(b"\xff\xfe\xfd", None).is_ok());
    }
}
