//! The whole service of a process: log, traces, data files, scheduler, cluster and HTTP, from the start to the last response.

use std::error::Error;
use std::io::{IsTerminal as _, Write as _, stderr, stdout};
use std::net::SocketAddr;
use std::path::Path;
use std::time::Duration;

use tesuji_core::catalog::Catalog;
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use ulid::Ulid;

use crate::cluster::Cluster;
use crate::job::StoreError;
use crate::library::Library;
use crate::registry::{Pending, Registry, Repaired, Retention, repair};
use crate::scheduler::{Limits, Scheduler, machine_memory};
use crate::server::{Server, raise_file_limit};
use crate::service::{Drain, Guards, Phase, Service, metrics, resume, run_tasks};
use crate::settings::{LogFormat, Role, Settings};
use crate::traces::{Target, Traces, target};

/// Why the service cannot start.
type Problem = Box<dyn Error + Send + Sync>;

/// The longest wait, at the end, for handing tasks over and for sending results to other nodes.
const LAST_TASKS: Duration = Duration::from_secs(5);

/// Serves the games of a catalog until SIGINT or SIGTERM: `tesuji serve` with other games.
///
/// Prints the address to standard output and logs to standard error, unless the process has a `tracing` subscriber already.
///
/// # Errors
/// When a setting is invalid, the address is taken, the data folder or a folder of games cannot be used, or a file for the
/// connection to the cluster's broker cannot be read.
pub fn serve(settings: &Settings, catalog: Catalog) -> Result<(), Problem> {
    serve_on(Frontend::Network, settings, catalog)
}

/// Serves the games of a catalog as tools for a language model, on standard input and output, until the client closes its end:
/// `tesuji mcp` with other games. Logs to standard error.
///
/// # Errors
/// As [`serve`], and when the client does not speak the protocol.
#[cfg(feature = "mcp")]
pub fn serve_tools(settings: &Settings, catalog: Catalog) -> Result<(), Problem> {
    serve_on(Frontend::Stdio, settings, catalog)
}

/// The source of a service's clients.
#[derive(Clone, Copy, Debug)]
enum Frontend {
    /// The network, by HTTP or the cluster.
    Network,
    /// Standard input and output.
    #[cfg(feature = "mcp")]
    Stdio,
}

fn serve_on(frontend: Frontend, settings: &Settings, catalog: Catalog) -> Result<(), Problem> {
    settings.check()?;
    let traced = target(settings.otlp_endpoint.as_deref(), |name| std::env::var(name).ok())?;
    start_log(settings);
    if let Some(Target { endpoint, .. }) = &traced {
        tracing::info!(%endpoint, "traces are exported");
    }
    #[cfg(all(target_arch = "x86_64", not(target_feature = "avx2")))]
    report_unused_instructions();
    raise_file_limit();
    let policy = settings.policy();
    let machine = machine_memory();
    let bytes = |set: Option<u64>, usual: u64| set.map_or(usual, |mebibytes| mebibytes.saturating_mul(1 << 20));
    let memory = bytes(settings.max_total_memory_mb, machine.map_or(u64::MAX, |bytes| bytes / 4 * 3));
    let tree_cache_bytes = bytes(settings.kept_memory_mb, machine.map_or(256 << 20, |bytes| bytes / 8));
    let limits = Limits {
        low_priority: true,
        memory,
        tree_cache_bytes,
        ..Limits::of(policy.cores as usize, settings.max_searches as usize)
    };
    let scheduler = Scheduler::new(limits)?;
    let retention = Retention::of(settings);
    let (searches, pending) = match &settings.data_dir {
        None => (Registry::in_memory(retention), Vec::new()),
        Some(folder) => open(folder, retention, settings.repair_data)?,
    };
    let sharing = scheduler.clone();
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .on_thread_start(move || sharing.share_cores())
        .build()?;
    let instance = settings.node_name.clone().unwrap_or_else(|| Ulid::generate().to_string());
    let traces = match &traced {
        None => Traces::default(),
        Some(target) => Traces::start(target, runtime.handle().clone(), &instance)?,
    };
    let library = Library::open(catalog, settings)?;
    let service = Service {
        metrics: metrics(&scheduler, &library),
        library,
        scheduler,
        cluster: None,
        policy,
        guards: Guards::new(settings),
        drain: Drain::default(),
        searches,
        reviews: Registry::in_memory(retention),
        batches: Registry::in_memory(retention),
        traces: traces.clone(),
    };
    let served = runtime.block_on(run(frontend, settings, service, pending));
    traces.shut_down();
    // A read of standard input cannot be interrupted.
    #[cfg(feature = "mcp")]
    if matches!(frontend, Frontend::Stdio) {
        runtime.shutdown_background();
    }
    served
}

/// Opens or creates the data file of searches; with `repairs`, a damaged one is repaired first.
fn open(folder: &Path, retention: Retention, repairs: bool) -> Result<(Registry, Vec<Pending>), Problem> {
    let problem = |error: String| Problem::from(format!("cannot store searches in {}: {error}", folder.display()));
    std::fs::create_dir_all(folder).map_err(|error| problem(error.to_string()))?;
    let path = folder.join("searches.journal");
    let file = path.display();
    let error = match Registry::in_file(&path, retention) {
        Ok(opened) => return Ok(opened),
        Err(error @ StoreError::Damaged(_)) => error,
        Err(error) => return Err(problem(error.to_string())),
    };
    if !repairs {
        let remedy = "start once with --repair-data to keep its readable records, restore a copy, or move it away";
        return Err(problem(format!("{file} is damaged ({error}): {remedy}")));
    }
    tracing::warn!(%error, %file, "the data file is damaged and will be repaired");
    let cannot = |error: StoreError| problem(format!("{file} cannot be repaired: {error}"));
    let Repaired { kept, lost, aside } = repair(&path).map_err(cannot)?;
    let lost = lost.map_or_else(|| "unknown".to_owned(), |lost| lost.to_string());
    tracing::warn!(kept, lost, aside = %aside.display(), "the data file was repaired; the damaged one was moved aside");
    Registry::in_file(&path, retention).map_err(cannot)
}

/// Warns if this build leaves instructions of the processor unused, as `cargo install` without flags does.
#[cfg(all(target_arch = "x86_64", not(target_feature = "avx2")))]
fn report_unused_instructions() {
    if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("bmi2") && is_x86_feature_detected!("lzcnt") {
        tracing::warn!(
            "compiled for baseline x86-64, but this processor has x86-64-v3: for faster searches, compile with \
             RUSTFLAGS=\"-C target-cpu=x86-64-v3\""
        );
    }
}

/// Logs to standard error.
fn start_log(settings: &Settings) {
    let filter: Targets = settings.log.parse().expect("the settings have been checked");
    // The MCP library reports each client that closes its connection as an error.
    let filter = match settings.log.contains("rmcp") {
        true => filter,
        false => filter.with_target("rmcp", LevelFilter::OFF),
    };
    let registry = tracing_subscriber::registry().with(filter);
    // By default the layer colours files and pipes too.
    let log = tracing_subscriber::fmt::layer().with_writer(stderr);
    let log = if stderr().is_terminal() { log } else { log.with_ansi(false) };
    match settings.log_format {
        LogFormat::Text => drop(registry.with(log).try_init()),
        LogFormat::Json => drop(registry.with(log.json().flatten_event(true).with_span_list(false)).try_init()),
    }
}

async fn run(
    frontend: Frontend,
    settings: &Settings,
    mut service: Service,
    pending: Vec<Pending>,
) -> Result<(), Problem> {
    let catalog = service.library.shared();
    // Done before the first searches, which would otherwise compete with it for the processor.
    let tables = tokio::task::spawn_blocking(move || catalog.prepare());
    if !settings.cluster.is_empty() {
        let Service { scheduler, library, metrics, traces, policy, .. } = service.clone();
        let cluster = Cluster::join(settings, scheduler, library.shared(), metrics, traces, policy.cores).await?;
        service.join(cluster.clone(), Retention::of(settings));
        let (draining, stopping) = (service.drain.reached(Phase::Draining), service.drain.reached(Phase::Stopping));
        tokio::spawn(async move {
            draining.await;
            cluster.drain().await;
            stopping.await;
            cluster.begin_leaving();
        });
    }
    #[cfg(unix)]
    reload_on_hangup(service.library.clone())?;
    let cluster = service.cluster.clone();
    let working = cluster.clone().map(|cluster| tokio::spawn(run_tasks(service.clone(), cluster)));
    tables.await?;
    match (frontend, settings.role) {
        (Frontend::Network, Role::Server) => serve_http(settings, service, pending).await?,
        (Frontend::Network, Role::Worker) => run_worker(settings, service).await?,
        #[cfg(feature = "mcp")]
        (Frontend::Stdio, _) => serve_stdio(service, pending).await?,
    }
    if let Some((cluster, working)) = cluster.zip(working) {
        // Interrupted tasks are handed over.
        drop(timeout(LAST_TASKS, working).await);
        drop(timeout(LAST_TASKS, cluster.served()).await);
        cluster.leave().await;
    }
    Ok(())
}

/// Reads the folder of games again at each SIGHUP.
#[cfg(unix)]
fn reload_on_hangup(library: Library) -> std::io::Result<()> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut hangup = signal(SignalKind::hangup())?;
    tokio::spawn(async move {
        while hangup.recv().await.is_some() {
            let lock = library.lock_changes().await;
            let own = library.clone();
            let read = tokio::task::spawn_blocking(move || own.reload()).await;
            drop(lock);
            match read {
                Ok(Ok(games)) => tracing::info!(games, "the folder of games was reloaded"),
                Ok(Err(problem)) => {
                    tracing::error!(%problem, "the folder of games could not be reloaded; the games are unchanged")
                }
                Err(error) => {
                    tracing::error!(%error, "the folder of games could not be reloaded; the games are unchanged")
                }
            }
        }
    });
    Ok(())
}

/// Searches for the other nodes of the cluster until it is asked to stop, and ends as a server does.
async fn run_worker(settings: &Settings, service: Service) -> Result<(), Problem> {
    let (stop, stop_now) = stop_signals()?;
    // The reader may be gone.
    drop(writeln!(stdout(), "tesuji {} is running as a cluster worker", env!("CARGO_PKG_VERSION")));
    stop.cancelled().await;
    service.drain.advance(Phase::Draining);
    tokio::select! {
        () = service.ended() => {}
        () = sleep(Duration::from_millis(settings.drain_ms)) => {}
        () = stop_now.cancelled() => {}
    }
    service.drain.advance(Phase::Stopping);
    service.scheduler.shut_down();
    service.scheduler.wait_until_empty().await;
    Ok(())
}

async fn serve_http(settings: &Settings, service: Service, pending: Vec<Pending>) -> Result<(), Problem> {
    let listen = &settings.listen;
    let cannot = |error| Problem::from(format!("cannot listen on {listen}: {error}"));
    let server = Server::bind(settings, service.clone()).await.map_err(cannot)?;
    let (stop, stop_now) = stop_signals()?;
    // The reader may be gone, which does not affect the service.
    drop(stdout().write_all(greeting(server.address()?, settings, &service.library.shared()).as_bytes()));
    // Before the first request, which can ask for pending work.
    tokio::spawn(resume(service, pending));
    server.run(stop.cancelled(), stop_now.cancelled()).await;
    Ok(())
}

/// Serves the client on standard input and output.
#[cfg(feature = "mcp")]
async fn serve_stdio(service: Service, pending: Vec<Pending>) -> Result<(), Problem> {
    let (stop, _) = stop_signals()?;
    tokio::spawn(resume(service.clone(), pending));
    let served = crate::mcp::serve(service.clone(), stop).await;
    service.drain.advance(Phase::Stopping);
    service.scheduler.shut_down();
    served
}

/// The address, and a call to try.
fn greeting(address: SocketAddr, settings: &Settings, catalog: &Catalog) -> String {
    let version = env!("CARGO_PKG_VERSION");
    let key = if settings.api_keys.is_empty() { "" } else { " -H 'Authorization: Bearer KEY'" };
    let game = catalog.names().last().unwrap_or_default();
    let example = format!(r#"{{"game":"{game}","report":{{"children":"best"}}}}"#);
    format!("tesuji {version} listens on http://{address}\nTry: curl -s {address}/v1/searches{key} -d '{example}'\n")
}

/// Tokens cancelled at the first and the second request to stop (SIGINT or SIGTERM); the second ends the wait for searches.
/// From here on, neither signal kills the process.
fn stop_signals() -> std::io::Result<(CancellationToken, CancellationToken)> {
    let (stop, stop_now) = (CancellationToken::new(), CancellationToken::new());
    let requests = [stop.clone(), stop_now.clone()];
    #[cfg(unix)]
    let (mut interrupt, mut terminate) = {
        use tokio::signal::unix::{SignalKind, signal};
        (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?)
    };
    tokio::spawn(async move {
        for request in requests {
            #[cfg(unix)]
            tokio::select! {
                _ = interrupt.recv() => {}
                _ = terminate.recv() => {}
            }
            #[cfg(not(unix))]
            drop(tokio::signal::ctrl_c().await);
            request.cancel();
        }
    });
    Ok((stop, stop_now))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::fresh_key;

    #[test]
    fn the_call_to_try_names_a_game_of_the_catalog_and_sends_a_key_where_one_is_needed() {
        let address = SocketAddr::from(([127, 0, 0, 1], 8080));
        let open = greeting(address, &Settings::default(), &Catalog::standard());
        assert!(open.ends_with("/v1/searches -d '{\"game\":\"hex\",\"report\":{\"children\":\"best\"}}'\n"), "{open}");
        let api_keys = vec![fresh_key("alice").expect("there are random numbers").1];
        let guarded = greeting(address, &Settings { api_keys, ..Settings::default() }, &Catalog::standard());
        assert!(guarded.contains("/v1/searches -H 'Authorization: Bearer KEY' -d "), "{guarded}");
    }
}
