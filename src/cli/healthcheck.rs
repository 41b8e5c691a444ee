//! `tesuji healthcheck`: asks a running server whether it is ready, for containers without an HTTP client.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, ToSocketAddrs as _};
use std::time::Duration;

use clap::{ArgMatches, value_parser};
use tesuji::server::probe;
use tesuji::settings;

use super::CommandError;

/// Options of `healthcheck`: those of the server, of which only the address is used.
#[derive(Debug, clap::Args)]
#[group(skip)]
pub struct Arguments {
    /// The path to request: /readyz (would a search be admitted?) or /livez (does the server respond?).
    #[arg(long, value_name = "PATH", default_value = "/readyz", value_parser = ["/readyz", "/livez"])]
    path: String,
    /// Milliseconds to wait for the response.
    #[arg(long, value_name = "N", default_value_t = 2000, value_parser = value_parser!(u64).range(1..=60_000))]
    patience_ms: u64,
    #[command(flatten)]
    server: settings::Arguments,
}

/// Succeeds if the server responds with 200.
pub fn run(arguments: &Arguments, matches: &ArgMatches) -> Result<(), CommandError> {
    let settings = arguments.server.settings(matches).map_err(CommandError::of)?;
    let address = settings
        .listen
        .to_socket_addrs()?
        .next()
        .ok_or_else(|| CommandError::refused("listen: expected a name that resolves to an address"))?;
    let address = reachable(address).to_string();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let patience = Duration::from_millis(arguments.patience_ms);
    match runtime.block_on(probe(&address, &arguments.path, patience))? {
        200 => Ok(()),
        status => Err(CommandError::failed(format_args!("{address}{} returned status {status}", arguments.path))),
    }
}

/// The loopback address of a server that listens on all addresses.
fn reachable(address: SocketAddr) -> SocketAddr {
    let ip = match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    SocketAddr::new(ip, address.port())
}
