//! UCCI, the Universal Chinese Chess Protocol, version 3.0, of Xiangqi's engines and interfaces in China. Programs that speak
//! it are played against ([`Player`]).

mod player;

pub use player::Player;
