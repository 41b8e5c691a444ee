//! References to the handwritten schemas of `openapi.yaml`, for fields whose Rust types are less specific than the contract:
//! names and unions of games, variants and engines, and texts in a game's notation.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

macro_rules! references {
    ($($Name:ident),* $(,)?) => {$(
        pub struct $Name;

        impl JsonSchema for $Name {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> Cow<'static, str> {
                stringify!($Name).into()
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!({ "$ref": concat!("#/components/schemas/", stringify!($Name)) })
            }
        }
    )*};
}

references! {
    BatchName, BatchStatus, EffectiveEngine, EndReason, EngineName, GameName, LegalMoves, LimitName, Limits, MovesFilter,
    NotationTexts, PastedText, Picture, Ply, PositionKey, PositionText, RequestedEngine, RequestedMoves, RequestedPosition,
    RequestedVariant, StartPosition, Unit, Variant, VariantName,
}

// The engine for web pages has no records.
#[cfg(not(target_family = "wasm"))]
references! { RecordFormat, RecordFormatName }
