//! The cluster's JetStream: queues of tasks, their records, and uploads (`queue`, `records`, `uploads`). Creates missing ones
//! and watches them: while the broker cannot be reached or has no JetStream, requests fail at once.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_nats::jetstream::context::ContextBuilder;
use async_nats::jetstream::stream::{Config, DiscardPolicy, RetentionPolicy, Stream};
use async_nats::jetstream::{Context, kv};
use tokio::sync::watch;

use super::bucket::{Bucket, unavailable};
use super::connection::Connection;
use super::queue::{Queue, name_of};
use crate::job::StoreError;
use crate::metrics::Metrics;
use crate::scheduler::Class;
use crate::settings::Settings;

/// The timeout for an answer of the broker.
const BROKER_TIMEOUT: Duration = Duration::from_secs(3);
/// The interval of checks of the connection.
const POLL: Duration = Duration::from_millis(200);
/// One check in this many also reads the queues' lengths, or creates what is missing.
const POLLS_PER_CHECK: u32 = 5;
/// Messages repeated within this time count once.
const DUPLICATES: Duration = Duration::from_secs(120);

/// Records of tasks are removed at their end. After a crash, they expire after this time.
const TASK_EXPIRY: Duration = Duration::from_secs(7 * 24 * 3600);
/// The shortest time to keep results: a task that is delivered again must find its own.
const MIN_RETENTION: Duration = Duration::from_secs(60);

const UNREACHABLE: &str = "the cluster's broker is unreachable";

/// The queues and records on the broker.
#[derive(Clone)]
pub(super) struct Assets {
    /// The queues of both classes.
    pub queues: [Queue; 2],
    /// Records of tasks in progress, including finished parts.
    pub tasks: Bucket,
    /// Results and idempotency keys, both for as long as results are kept.
    pub results: Bucket,
    /// Uploads of games; `None` if this node takes none.
    pub games: Option<kv::Store>,
}

type State = Result<Arc<Assets>, Arc<str>>;

/// The state of JetStream as seen by this node.
pub(super) struct JetStream {
    connection: Connection,
    context: Context,
    replicas: usize,
    keep: Duration,
    max_tasks: i64,
    takes_uploads: bool,
    state: watch::Sender<State>,
    queued: [AtomicU64; 2],
    metrics: Metrics,
    /// Streams and settings that the log has warned about.
    warned: Mutex<BTreeSet<(String, &'static str)>>,
}

impl fmt::Debug for JetStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("JetStream").field("queued", &self.queued).finish_non_exhaustive()
    }
}

impl JetStream {
    pub fn new(connection: Connection, settings: &Settings, metrics: Metrics) -> Self {
        let context =
            ContextBuilder::new().timeout(BROKER_TIMEOUT).ack_timeout(BROKER_TIMEOUT).build(connection.client.clone());
        Self {
            connection,
            context,
            replicas: settings.cluster_replicas as usize,
            keep: Duration::from_millis(settings.keep_ms),
            max_tasks: settings.cluster_queue as i64,
            takes_uploads: settings.takes_uploads(),
            state: watch::Sender::new(Err(UNREACHABLE.into())),
            queued: Default::default(),
            metrics,
            warned: Mutex::default(),
        }
    }

    /// The queues and records.
    ///
    /// # Errors
    /// When the broker cannot be reached.
    pub fn assets(&self) -> Result<Arc<Assets>, StoreError> {
        if !self.connection.is_connected() {
            return Err(StoreError::Unavailable(UNREACHABLE.into()));
        }
        self.state.borrow().clone().map_err(StoreError::Unavailable)
    }

    /// Whether it works, and if not, why.
    pub fn state(&self) -> watch::Receiver<State> {
        self.state.subscribe()
    }

    /// Tasks waiting or running, as last reported by the broker.
    pub fn queued(&self, class: Class) -> u64 {
        self.queued[class as usize].load(Ordering::Relaxed)
    }

    fn set_state(&self, state: State) {
        self.state.send_if_modified(|now| {
            let same = match (&*now, &state) {
                (Ok(_), Ok(_)) => true,
                (Err(a), Err(b)) => a == b,
                _ => false,
            };
            if !same {
                match &state {
                    Ok(_) => tracing::info!("the cluster's broker stores tasks"),
                    Err(reason) => tracing::warn!(%reason, "asynchronous jobs are refused"),
                }
                *now = state;
            }
            !same
        });
    }

    /// Creates and watches the queues and records; never returns.
    pub async fn maintain(self: Arc<Self>) {
        let mut polls = 0;
        loop {
            if !self.connection.is_connected() {
                self.set_state(Err(UNREACHABLE.into()));
                tokio::time::sleep(POLL).await;
                polls = 0;
                continue;
            }
            if polls % POLLS_PER_CHECK == 0 {
                let existing = self.state.borrow().clone();
                let checked = match existing {
                    Ok(assets) => self.read_queue_lengths(&assets).await.map(|()| assets),
                    Err(_) => self.open_assets().await.map(Arc::new),
                };
                self.set_state(checked.map_err(|error| error.to_string().into()));
            }
            polls += 1;
            tokio::time::sleep(POLL).await;
        }
    }

    /// Reads the queues' lengths.
    async fn read_queue_lengths(&self, assets: &Assets) -> Result<(), StoreError> {
        for class in [Class::Interactive, Class::Batch] {
            let info = assets.queues[class as usize].stream.get_info().await.map_err(unavailable)?;
            self.queued[class as usize].store(info.state.messages, Ordering::Relaxed);
            self.metrics.cluster_queue(name_of(class), info.state.messages);
        }
        Ok(())
    }

    /// Finds or creates everything.
    async fn open_assets(&self) -> Result<Assets, StoreError> {
        let [interactive, batch] = [self.queue(Class::Interactive), self.queue(Class::Batch)];
        let (interactive, batch, tasks, results) = tokio::try_join!(
            interactive,
            batch,
            self.bucket("tasks", TASK_EXPIRY),
            self.bucket("results", self.keep.max(MIN_RETENTION)),
        )?;
        let games = if self.takes_uploads { Some(self.records("games", Duration::ZERO).await?) } else { None };
        Ok(Assets { queues: [interactive, batch], tasks, results, games })
    }

    /// A stream, created with these settings if it is missing. The limits of an existing one hold for the whole cluster: a node
    /// with other settings follows them, so that the last node to start does not decide for all.
    async fn stream(&self, config: Config) -> Result<Stream, StoreError> {
        let wanted = Config { num_replicas: self.replicas, ..config };
        let stream = self.context.get_or_create_stream(wanted.clone()).await.map_err(unavailable)?;
        let existing = &stream.cached_info().config;
        let counts = |config: &Config| {
            let age = config.max_age.as_millis() as i64;
            [("cluster_replicas", config.num_replicas as i64), ("cluster_queue", config.max_messages), ("keep_ms", age)]
        };
        for ((setting, cluster), (_, node)) in counts(existing).into_iter().zip(counts(&wanted)) {
            // Unlimited is 0 here, and -1 on the broker.
            if cluster != node
                && (node, cluster) != (0, -1)
                && self.warned.lock().unwrap_or_else(PoisonError::into_inner).insert((wanted.name.clone(), setting))
            {
                let stream = &wanted.name;
                tracing::warn!(
                    setting,
                    cluster,
                    node,
                    stream,
                    "the cluster's limit differs from this node's and stays in effect"
                );
            }
        }
        Ok(stream)
    }

    async fn queue(&self, class: Class) -> Result<Queue, StoreError> {
        let (prefix, class) = (&self.connection.subjects.prefix, name_of(class));
        let config = Config {
            name: format!("{prefix}_{class}"),
            description: Some("tasks of tesuji".to_owned()),
            subjects: vec![self.connection.subjects.queue(class, "*")],
            retention: RetentionPolicy::WorkQueue,
            discard: DiscardPolicy::New,
            max_messages: self.max_tasks,
            // One lane cannot fill the queue, so that others' tasks find room.
            max_messages_per_subject: (self.max_tasks + 1) / 2,
            discard_new_per_subject: true,
            duplicate_window: DUPLICATES,
            ..Config::default()
        };
        let stream = self.stream(config).await?;
        Queue::open(&self.context, &self.connection.subjects, class, stream).await
    }

    /// A bucket of records that fit into a message, kept for this time, or forever if it is zero.
    async fn records(&self, name: &str, keep: Duration) -> Result<kv::Store, StoreError> {
        let name = format!("{}_{name}", self.connection.subjects.prefix);
        // Not by `create_key_value`, which sends older servers an unknown request. Without `allow_direct`, because a record
        // must be found as soon as it is written.
        let config = Config {
            name: format!("KV_{name}"),
            subjects: vec![format!("$KV.{name}.>")],
            max_messages_per_subject: 1,
            max_age: keep,
            discard: DiscardPolicy::New,
            allow_rollup: true,
            deny_delete: false,
            duplicate_window: DUPLICATES.min(keep),
            ..Config::default()
        };
        self.stream(config).await?;
        self.context.get_key_value(&name).await.map_err(unavailable)
    }

    async fn bucket(&self, name: &str, keep: Duration) -> Result<Bucket, StoreError> {
        let small = self.records(name, keep).await?;
        let name = format!("{}_{name}", self.connection.subjects.prefix);
        let large = Config {
            name: format!("OBJ_{name}"),
            subjects: vec![format!("$O.{name}.C.>"), format!("$O.{name}.M.>")],
            max_age: keep,
            discard: DiscardPolicy::New,
            allow_rollup: true,
            duplicate_window: DUPLICATES.min(keep),
            ..Config::default()
        };
        self.stream(large).await?;
        Ok(Bucket { small, large: self.context.get_object_store(&name).await.map_err(unavailable)? })
    }
}
