//! The macros that declare a position and export a game.

/// Declares a struct of numbers, sides and arrays of them as a position, for which a game implements [`Game`](crate::Game).
#[macro_export]
macro_rules! position {
    (
        $(#[$meta:meta])*
        $visibility:vis struct $Position:ident {
            $($(#[$field_meta:meta])* $field_visibility:vis $field:ident: $Field:ty,)+
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        $visibility struct $Position {
            $($(#[$field_meta])* $field_visibility $field: $Field,)+
        }

        impl $crate::Field for $Position {
            const SIZE: usize = 0 $(+ <$Field as $crate::Field>::SIZE)+;

            #[inline]
            fn write(&self, bytes: &mut [u8]) {
                let rest = bytes;
                $(
                    let (own, rest) = rest.split_at_mut(<$Field as $crate::Field>::SIZE);
                    $crate::Field::write(&self.$field, own);
                )+
                debug_assert!(rest.is_empty());
            }

            #[inline]
            fn read(bytes: &[u8]) -> Self {
                let rest = bytes;
                $(
                    let (own, rest) = rest.split_at(<$Field as $crate::Field>::SIZE);
                    let $field = <$Field as $crate::Field>::read(own);
                )+
                debug_assert!(rest.is_empty());
                Self { $($field),+ }
            }
        }
    };
}

/// Exports a game's functions from the module, with those of the optional traits that are listed:
/// `export!(MyGame, Symmetry, Evaluate, Priority);`.
#[macro_export]
macro_rules! export {
    ($Game:ty $(, $Optional:ident)* $(,)?) => {
        #[cfg(target_arch = "wasm32")]
        #[allow(unsafe_code)]
        const _: () = {
            use $crate::exports;

            $crate::export!(@function buffer(size: u32) -> u32: exports::buffer(size));
            $crate::export!(@function describe() -> u32: exports::describe::<$Game>());
            $crate::export!(@function start(length: u32) -> u64: exports::start::<$Game>(length));
            $crate::export!(@function moves(length: u32) -> u32: exports::moves::<$Game>(length));
            $crate::export!(@function play(length: u32, mv: u32) -> u64: exports::play::<$Game>(length, mv));
            $crate::export!(@function move_text(length: u32, mv: u32) -> u32: exports::move_text::<$Game>(length, mv));
            $crate::export!(@function position_text(length: u32) -> u32: exports::position_text::<$Game>(length));
            $crate::export!(@function parse_position(length: u32, text: u32) -> u64:
                exports::parse_position::<$Game>(length, text));
            $crate::export!(@function cells(length: u32) -> u32: exports::cells::<$Game>(length));
            $crate::export!(@function move_cells(length: u32, mv: u32) -> u32: exports::move_cells::<$Game>(length, mv));
            $crate::export!(@function playout(length: u32, seed: u64) -> u32: exports::playout::<$Game>(length, seed));
            $($crate::export!(@optional $Optional $Game);)*
        };
    };
    (@optional Symmetry $Game:ty) => {
        $crate::export!(@function symmetry(length: u32) -> u64: exports::symmetry::<$Game>(length));
    };
    (@optional Evaluate $Game:ty) => {
        $crate::export!(@function evaluate(length: u32) -> i32: exports::evaluate::<$Game>(length));
    };
    (@optional Priority $Game:ty) => {
        $crate::export!(@function priority(length: u32, mv: u32) -> i32: exports::priority::<$Game>(length, mv));
    };
    (@function $name:ident($($parameter:ident: $Parameter:ty),*) -> $Result:ty: $body:expr) => {
        #[unsafe(no_mangle)]
        extern "C" fn $name($($parameter: $Parameter),*) -> $Result {
            $body
        }
    };
}
