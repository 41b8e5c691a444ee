//! Results in memory until they expire, clients' idempotency keys, and the used part of each client's share.
//!
//! No result is evicted early: a client whose share is full starts no further job until its oldest result expires. So no client
//! displaces another's results, and a key finds its job as long as that is kept.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::hash::Hash;
use std::ops::Bound;
use std::sync::Arc;
use std::time::{Duration, Instant};

use sha2::{Digest as _, Sha256};

use super::job::{Listed, Selection};
use crate::job::{JobId, Message};
use crate::settings::Settings;

/// Approximate size of a result besides its texts: names, hashes, places in tables.
const OVERHEAD: usize = 500;

/// How long results are kept, and how many bytes of them.
#[derive(Clone, Copy, Debug)]
pub struct Retention {
    /// From the end of the job.
    pub time: Duration,
    /// Bytes of results per owner. Of several clients that share an owner, one fills at most half.
    pub share: usize,
}

impl Retention {
    /// The limits of the settings.
    #[must_use]
    pub fn of(settings: &Settings) -> Self {
        let share = usize::try_from(settings.results_memory_mb).unwrap_or(usize::MAX).saturating_mul(1 << 20);
        Self { time: Duration::from_millis(settings.keep_ms), share }
    }
}

/// A client whose results are counted: the owner, and the address or name within it.
pub(super) type Payer = (Arc<str>, Arc<str>);

/// A stored result.
#[derive(Debug)]
struct Ended {
    message: Message,
    bytes: usize,
    payer: Payer,
    key: Option<String>,
}

/// The job of a key, and the hash of its request.
#[derive(Clone, Debug)]
struct KeyedJob {
    request: [u8; 32],
    job: JobId,
}

/// The bytes of each client.
#[derive(Debug)]
struct Usage<K>(HashMap<K, usize>);

impl<K: Clone + Eq + Hash> Usage<K> {
    fn bytes_of(&self, key: &K) -> usize {
        self.0.get(key).copied().unwrap_or(0)
    }

    fn add(&mut self, key: &K, bytes: usize) {
        *self.0.entry(key.clone()).or_default() += bytes;
    }

    fn subtract(&mut self, key: &K, bytes: usize) {
        let left = self.bytes_of(key).saturating_sub(bytes);
        if left == 0 {
            self.0.remove(key);
        } else {
            self.0.insert(key.clone(), left);
        }
    }
}

/// The kept results and keys.
#[derive(Debug)]
pub(super) struct StoredResults {
    retention: Retention,
    ended: HashMap<JobId, Ended>,
    /// The times of expiry, the earliest first.
    expiries: VecDeque<(Instant, JobId)>,
    keys: HashMap<(Arc<str>, String), KeyedJob>,
    owners: Usage<Arc<str>>,
    payers: Usage<Payer>,
    /// Each client's results by their ids.
    lists: HashMap<Payer, BTreeMap<Arc<str>, Listed>>,
}

impl StoredResults {
    pub fn new(retention: Retention) -> Self {
        Self {
            retention,
            ended: HashMap::new(),
            expiries: VecDeque::new(),
            keys: HashMap::new(),
            owners: Usage(HashMap::new()),
            payers: Usage(HashMap::new()),
            lists: HashMap::new(),
        }
    }

    /// Removes expired results.
    pub fn remove_expired(&mut self) {
        let now = Instant::now();
        while self.expiries.front().is_some_and(|(expires, _)| *expires <= now) {
            let Some((_, job)) = self.expiries.pop_front() else { return };
            let Some(ended) = self.ended.remove(&job) else { continue };
            self.owners.subtract(&ended.payer.0, ended.bytes);
            self.payers.subtract(&ended.payer, ended.bytes);
            if let Some(list) = self.lists.get_mut(&ended.payer) {
                list.remove(&job.id);
                if list.is_empty() {
                    self.lists.remove(&ended.payer);
                }
            }
            if let Some(key) = ended.key {
                self.forget_key(&job, key);
            }
        }
    }

    /// How long a client must wait until it has room for another result; `None` if it has room now.
    pub fn time_until_room(&self, payer: &Payer) -> Option<Duration> {
        let (owner, client) = payer;
        let share = self.retention.share;
        let of_owner = self.owners.bytes_of(owner) >= share;
        let is_full = of_owner || owner != client && self.payers.bytes_of(payer) >= share / 2;
        let counts = |ended: &Ended| ended.payer.0 == *owner && (of_owner || ended.payer.1 == *client);
        let mut expiries = self.expiries.iter().filter(|(_, job)| self.ended.get(job).is_some_and(counts));
        is_full.then(|| {
            expiries
                .next()
                .map_or(self.retention.time, |(expires, _)| expires.saturating_duration_since(Instant::now()))
        })
    }

    /// Keeps a job's result for its whole time, unless there is one already; `age` is the time since its end.
    pub fn put(&mut self, listed: Listed, message: Message, payer: Payer, key: Option<String>, age: Duration) {
        let job = &listed.job.clone();
        if self.ended.contains_key(job) {
            return;
        }
        self.lists.entry(payer.clone()).or_default().insert(Arc::clone(&job.id), listed);
        let bytes = message.bytes() + key.as_ref().map_or(0, String::len) + OVERHEAD;
        self.owners.add(&payer.0, bytes);
        self.payers.add(&payer, bytes);
        self.expiries.push_back((Instant::now() + self.retention.time.saturating_sub(age), job.clone()));
        self.ended.insert(job.clone(), Ended { message, bytes, payer, key });
    }

    /// A result.
    pub fn find(&self, job: &JobId) -> Option<Message> {
        self.ended.get(job).map(|ended| ended.message.clone())
    }

    /// A client's jobs that have ended, the newest first.
    pub fn list(&self, selection: Selection<'_>) -> impl Iterator<Item = &Listed> {
        let list = self.lists.get(&(selection.owner.into(), selection.client.into()));
        let range = (Bound::Unbounded, selection.before.map_or(Bound::Unbounded, Bound::Excluded));
        let before = list.into_iter().flat_map(move |list| list.range::<str, _>(range).rev());
        before
            .map(|(_, listed)| listed)
            .filter(move |listed| selection.includes_status(&listed.status))
            .take(selection.limit)
    }

    /// The job of an owner's key; an error if the request is a different one.
    pub fn job_of_key(&self, owner: &Arc<str>, key: &str, request: &[u8]) -> Option<Result<JobId, ()>> {
        let known = self.keys.get(&(Arc::clone(owner), key.to_owned()))?;
        let is_same = known.request == <[u8; 32]>::from(Sha256::digest(request));
        Some(if is_same { Ok(known.job.clone()) } else { Err(()) })
    }

    /// Adds a key, which lasts until it is removed, or as long as its job's result.
    pub fn enter_key(&mut self, job: &JobId, key: &str, request: &[u8]) {
        let known = KeyedJob { request: Sha256::digest(request).into(), job: job.clone() };
        self.keys.insert((Arc::clone(&job.owner), key.to_owned()), known);
    }

    /// Removes a job's key.
    pub fn forget_key(&mut self, job: &JobId, key: String) {
        self.keys.remove(&(Arc::clone(&job.owner), key));
    }
}
