//! What has ended, as long as it is kept; clients' own keys; and how much of a client's share its results fill.
//!
//! Nothing goes before its time: a client whose share is full begins no new work until the oldest of its results has gone. So
//! no client costs another a result, and a key finds its work as long as that is kept.

use std::collections::{HashMap, VecDeque};
use std::hash::Hash;
use std::sync::Arc;
use std::time::{Duration, Instant};

use sha2::{Digest as _, Sha256};

use crate::job::{JobId, Message};
use crate::settings::Settings;

/// What a result takes besides its texts, about: names, hashes, places in tables.
const OVERHEAD: usize = 500;

/// How long results are kept, and how much of them.
#[derive(Clone, Copy, Debug)]
pub struct Keep {
    /// From the end of their work on.
    pub time: Duration,
    /// Bytes of results of one owner. Of several clients that share an owner, one fills half of them.
    pub share: usize,
}

impl Keep {
    /// What settings ask for.
    #[must_use]
    pub fn of(settings: &Settings) -> Self {
        let share = usize::try_from(settings.results_memory_mb).unwrap_or(usize::MAX).saturating_mul(1 << 20);
        Self { time: Duration::from_millis(settings.keep_ms), share }
    }
}

/// A client, as far as its results are counted: whose they are, and who had them made.
pub(super) type Payer = (Arc<str>, Arc<str>);

/// A result that is kept.
#[derive(Debug)]
struct Ended {
    message: Message,
    bytes: usize,
    payer: Payer,
    key: Option<String>,
}

/// The work of a key, and the hash of its request.
#[derive(Clone, Debug)]
struct KeyedJob {
    request: [u8; 32],
    job: JobId,
}

/// The bytes of each client.
#[derive(Debug)]
struct Tally<K>(HashMap<K, usize>);

impl<K: Clone + Eq + Hash> Tally<K> {
    fn of(&self, who: &K) -> usize {
        self.0.get(who).copied().unwrap_or(0)
    }

    fn add(&mut self, who: &K, bytes: usize) {
        *self.0.entry(who.clone()).or_default() += bytes;
    }

    fn take(&mut self, who: &K, bytes: usize) {
        let left = self.of(who).saturating_sub(bytes);
        if left == 0 {
            self.0.remove(who);
        } else {
            self.0.insert(who.clone(), left);
        }
    }
}

/// All that is kept.
#[derive(Debug)]
pub(super) struct Shelf {
    keep: Keep,
    ended: HashMap<JobId, Ended>,
    /// When each goes, the first first.
    order: VecDeque<(Instant, JobId)>,
    keys: HashMap<(Arc<str>, String), KeyedJob>,
    owners: Tally<Arc<str>>,
    payers: Tally<Payer>,
}

impl Shelf {
    pub fn new(keep: Keep) -> Self {
        Self {
            keep,
            ended: HashMap::new(),
            order: VecDeque::new(),
            keys: HashMap::new(),
            owners: Tally(HashMap::new()),
            payers: Tally(HashMap::new()),
        }
    }

    /// Takes out what is too old.
    pub fn sweep(&mut self) {
        let now = Instant::now();
        while self.order.front().is_some_and(|(goes, _)| *goes <= now) {
            let Some((_, job)) = self.order.pop_front() else { return };
            let Some(ended) = self.ended.remove(&job) else { continue };
            self.owners.take(&ended.payer.0, ended.bytes);
            self.payers.take(&ended.payer, ended.bytes);
            if let Some(key) = ended.key {
                self.forget_key(&job, key);
            }
        }
    }

    /// How long a client has to wait until there is room for more of its results; none where there is.
    pub fn wait(&self, payer: &Payer) -> Option<Duration> {
        let (owner, client) = payer;
        let share = self.keep.share;
        let of_owner = self.owners.of(owner) >= share;
        let is_full = of_owner || owner != client && self.payers.of(payer) >= share / 2;
        let counts = |ended: &Ended| ended.payer.0 == *owner && (of_owner || ended.payer.1 == *client);
        let mut order = self.order.iter().filter(|(_, job)| self.ended.get(job).is_some_and(counts));
        is_full.then(|| order.next().map_or(self.keep.time, |(goes, _)| goes.saturating_duration_since(Instant::now())))
    }

    /// Keeps a result for its whole time, unless there is one; `age` is how long ago it came.
    pub fn put(&mut self, job: &JobId, message: Message, payer: Payer, key: Option<String>, age: Duration) {
        if self.ended.contains_key(job) {
            return;
        }
        let bytes = message.bytes() + key.as_ref().map_or(0, String::len) + OVERHEAD;
        self.owners.add(&payer.0, bytes);
        self.payers.add(&payer, bytes);
        self.order.push_back((Instant::now() + self.keep.time.saturating_sub(age), job.clone()));
        self.ended.insert(job.clone(), Ended { message, bytes, payer, key });
    }

    /// A result.
    pub fn find(&self, job: &JobId) -> Option<Message> {
        self.ended.get(job).map(|ended| ended.message.clone())
    }

    /// The work of an owner's key; an error where the request is another one.
    pub fn known(&self, owner: &Arc<str>, key: &str, request: &[u8]) -> Option<Result<JobId, ()>> {
        let known = self.keys.get(&(Arc::clone(owner), key.to_owned()))?;
        let is_same = known.request == <[u8; 32]>::from(Sha256::digest(request));
        Some(if is_same { Ok(known.job.clone()) } else { Err(()) })
    }

    /// Enters a key, which lasts until it is forgotten, or as long as the result of its work.
    pub fn enter_key(&mut self, job: &JobId, key: &str, request: &[u8]) {
        let known = KeyedJob { request: Sha256::digest(request).into(), job: job.clone() };
        self.keys.insert((Arc::clone(&job.owner), key.to_owned()), known);
    }

    /// Forgets a key of some work.
    pub fn forget_key(&mut self, job: &JobId, key: String) {
        self.keys.remove(&(Arc::clone(&job.owner), key));
    }
}
