//! The error codes of the API, each with a status, a title and a description.

use schemars::JsonSchema;
use serde::Serialize;

/// The kind of error: a stable word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "ProblemCode")]
pub enum Code {
    /// The body is not JSON.
    MalformedJson,
    /// No such route or resource.
    NotFound,
    /// The route exists, the method does not.
    MethodNotAllowed,
    /// The route offers none of the formats in the `Accept` header.
    NotAcceptable,
    /// A header has an invalid value.
    InvalidHeader,
    /// The request conflicts with the resource's state.
    Conflict,
    /// The body is larger than the limit.
    TooLarge,
    /// The body's media type is not JSON.
    UnsupportedMediaType,
    /// The body does not have the expected shape.
    InvalidRequest,
    /// No game of that name.
    UnknownGame,
    /// The variant's parameters are refused.
    InvalidVariant,
    /// The position is refused.
    InvalidPosition,
    /// A move is refused.
    IllegalMove,
    /// The engine or its options are refused.
    InvalidEngine,
    /// The budget is refused.
    InvalidBudget,
    /// The filter of root moves is refused.
    InvalidFilter,
    /// A game's record is refused, or its format.
    InvalidRecord,
    /// The rules of a game that is not built in failed.
    GameFailed,
    /// An uploaded game is refused.
    InvalidGame,
    /// The request has no API key, or an unknown one.
    Unauthorized,
    /// The body took too long to arrive.
    RequestTimeout,
    /// The client has spent its quota.
    QuotaExceeded,
    /// The server has no room for another search.
    Overloaded,
    /// The server cannot store searches at present.
    StorageUnavailable,
    /// The server is shutting down, and takes no new searches.
    ShuttingDown,
    /// The search or the request failed because of an error of the server.
    Internal,
}

/// All codes, each with its status, title and description.
const TABLE: [(Code, &str, u16, &str, &str); 26] = [
    (
        Code::MalformedJson,
        "malformed_json",
        400,
        "Malformed JSON",
        "The request's body is not well-formed JSON; the detail has the place.",
    ),
    (Code::NotFound, "not_found", 404, "Not found", "Unknown path or id; /openapi.yaml lists the routes."),
    (
        Code::MethodNotAllowed,
        "method_not_allowed",
        405,
        "Method not allowed",
        "The path does not support this method; the Allow header lists the supported ones.",
    ),
    (
        Code::NotAcceptable,
        "not_acceptable",
        406,
        "Not acceptable",
        "The route offers none of the formats in the Accept header.",
    ),
    (
        Code::InvalidHeader,
        "invalid_header",
        400,
        "Invalid header",
        "A header is missing or invalid; the detail names it.",
    ),
    (
        Code::Conflict,
        "conflict",
        409,
        "Conflict",
        "The request conflicts with the current state or an earlier request, such as another one with the same Idempotency-Key.",
    ),
    (Code::TooLarge, "too_large", 413, "Body too large", "The request's body exceeds this server's limit."),
    (
        Code::UnsupportedMediaType,
        "unsupported_media_type",
        415,
        "Unsupported media type",
        "By its Content-Type or Content-Encoding header, the body is not plain JSON.",
    ),
    (
        Code::InvalidRequest,
        "invalid_request",
        422,
        "Invalid request",
        "The body is JSON, but a field is unknown, missing or of a wrong type; the pointer locates it.",
    ),
    (
        Code::UnknownGame,
        "unknown_game",
        422,
        "Unknown game",
        "There is no game of this name; GET /v1/games lists them.",
    ),
    (
        Code::InvalidVariant,
        "invalid_variant",
        422,
        "Invalid variant",
        "The game has no such variant, or a parameter is out of range; GET /v1/games/{game} lists them.",
    ),
    (
        Code::InvalidPosition,
        "invalid_position",
        422,
        "Invalid position",
        "The position is not in the game's notation, or cannot arise in the game.",
    ),
    (
        Code::IllegalMove,
        "illegal_move",
        422,
        "Illegal move",
        "A move is not in the game's notation, or not legal where it is played.",
    ),
    (
        Code::InvalidEngine,
        "invalid_engine",
        422,
        "Invalid engine",
        "The game has no such engine, or an option or the seed is refused; GET /v1/games/{game} lists engines and options.",
    ),
    (
        Code::InvalidBudget,
        "invalid_budget",
        422,
        "Invalid budget",
        "A limit is out of range, or the engine has no such limit; GET /v1/games lists the caps.",
    ),
    (
        Code::InvalidFilter,
        "invalid_filter",
        422,
        "Invalid moves filter",
        "The filter contains an illegal move, or excludes all moves.",
    ),
    (
        Code::InvalidRecord,
        "invalid_record",
        422,
        "Invalid record",
        "The text is not a game record in a known format, or the format cannot hold the game; the detail has the place and the reason.",
    ),
    (
        Code::GameFailed,
        "game_failed",
        422,
        "Game failed",
        "The rules of a game that is not built in failed; the detail names the game, the function and the reason.",
    ),
    (
        Code::InvalidGame,
        "invalid_game",
        422,
        "Invalid game",
        "The uploaded file is not a valid game; the detail has the first rule that it breaks.",
    ),
    (
        Code::Unauthorized,
        "unauthorized",
        401,
        "API key required",
        "This server requires an API key in the header `Authorization: Bearer KEY`; the request has none, or an unknown one.",
    ),
    (
        Code::RequestTimeout,
        "request_timeout",
        408,
        "Request timeout",
        "The request's body did not arrive in time; the connection is closed.",
    ),
    (
        Code::QuotaExceeded,
        "quota_exceeded",
        429,
        "Quota exceeded",
        "The client's quota of search time is used up, or its stored results fill its share of the memory; retry after the time in the Retry-After header.",
    ),
    (
        Code::Overloaded,
        "overloaded",
        503,
        "Overloaded",
        "The maximum number of searches is running or waiting; retry after the time in the Retry-After header.",
    ),
    (
        Code::StorageUnavailable,
        "storage_unavailable",
        503,
        "Storage unavailable",
        "This server cannot store searches at present, for instance because its disk is full: asynchronous searches and requests \
         with an Idempotency-Key are refused, others are answered. It recovers by itself; retry after the time in the \
         Retry-After header.",
    ),
    (
        Code::ShuttingDown,
        "shutting_down",
        503,
        "Shutting down",
        "This server is shutting down and accepts no new searches; retry after the time in the Retry-After header.",
    ),
    (
        Code::Internal,
        "internal",
        500,
        "Internal error",
        "An error of the server; its log has the details under the request's id.",
    ),
];

impl Code {
    /// All codes.
    pub fn all() -> impl Iterator<Item = Self> {
        TABLE.iter().map(|row| row.0)
    }

    /// The code as a stable word.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.row().1
    }

    /// The HTTP status.
    #[must_use]
    pub fn status(self) -> u16 {
        self.row().2
    }

    /// The title.
    #[must_use]
    pub fn title(self) -> &'static str {
        self.row().3
    }

    /// The description, a sentence.
    #[must_use]
    pub fn description(self) -> &'static str {
        self.row().4
    }

    fn row(self) -> &'static (Self, &'static str, u16, &'static str, &'static str) {
        // The table has a row for every code, in the order of the enum.
        &TABLE[self as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_has_its_own_row() {
        for (index, code) in Code::all().enumerate() {
            assert_eq!((code as usize, code.row().0), (index, code), "{}", code.name());
            assert_eq!(serde_json::to_value(code).expect("codes are texts"), code.name());
        }
    }
}
