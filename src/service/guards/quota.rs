//! How much search one client may ask for: a bucket of milliseconds that fills at a steady rate (a leaky bucket, by the generic
//! cell rate algorithm of the crate `governor`), charged with what a search was granted before it begins.

use std::num::NonZeroU32;
use std::sync::OnceLock;

use governor::clock::{Clock as _, DefaultClock};
use governor::{DefaultKeyedRateLimiter, RateLimiter};
use tokio::sync::mpsc;

use super::Client;
use crate::service::problem::{Code, Problem};
use crate::settings::Settings;
use tesuji_core::catalog::{BudgetRequest, Plan};

/// The buckets of all clients.
#[derive(Debug)]
pub struct Quota {
    buckets: DefaultKeyedRateLimiter<Client>,
    /// The most that a bucket holds, in milliseconds.
    burst: u32,
    /// The longest that any search takes, in milliseconds.
    longest: u64,
    clock: DefaultClock,
    /// Where charges are told to other nodes, if there are any.
    told: OnceLock<mpsc::Sender<(String, u32)>>,
}

/// So many charges may wait to be told; more are not.
const MOST_UNTOLD: usize = 4096;

/// Work that counts as a millisecond where time is not limited: what one thread does at least in the slower games.
const SIMULATIONS_PER_MS: u64 = 100;
const NODES_PER_MS: u64 = 1000;

impl Quota {
    /// The quota that settings ask for; none when they ask for none.
    pub fn new(settings: &Settings) -> Option<Self> {
        let rate = NonZeroU32::new(settings.quota_ms_per_s?)?;
        let burst = NonZeroU32::new(settings.quota_burst_ms)?;
        let quota = governor::Quota::per_second(rate).allow_burst(burst);
        Some(Self {
            buckets: RateLimiter::keyed(quota),
            burst: burst.get(),
            longest: settings.max_time_ms,
            clock: DefaultClock::default(),
            told: OnceLock::new(),
        })
    }

    /// Takes the price of some searches out of a client's bucket, all or nothing; `pointer` leads to what asks for them.
    ///
    /// # Errors
    /// When the bucket holds less: `quota_exceeded`, with the seconds until it will hold enough; when no bucket ever holds so
    /// much: `invalid_budget`.
    pub fn charge<'a>(
        &self,
        client: &Client,
        searches: impl IntoIterator<Item = &'a Plan>,
        pointer: &str,
    ) -> Result<(), Problem> {
        let prices = searches.into_iter().map(|plan| price(&plan.budget, plan.threads, self.longest).max(1));
        match prices.fold(0, u64::saturating_add) {
            0 => Ok(()),
            price => self.take(client, price, pointer),
        }
    }

    fn take(&self, client: &Client, price: u64, pointer: &str) -> Result<(), Problem> {
        let cells = u32::try_from(price).ok().and_then(NonZeroU32::new);
        let Some((cells, Ok(taken))) = cells.map(|cells| (cells, self.buckets.check_key_n(client, cells))) else {
            let most = self.burst;
            let detail = format!("expected at most {most} ms of search, a client's whole quota, not up to {price} ms");
            return Err(Problem::at(Code::InvalidBudget, pointer, detail));
        };
        if let (Ok(_), Some(told)) = (&taken, self.told.get()) {
            // One that is not told lets a client have a little more elsewhere.
            drop(told.try_send((client.to_text(), cells.get())));
        }
        taken.map(drop).map_err(|early| {
            let wait = early.wait_time_from(self.clock.now());
            // Rounded up, so that who waits as told is served.
            let seconds = wait.as_millis().div_ceil(1000).clamp(1, u32::MAX.into()) as u32;
            let detail =
                format!("this client's quota of search time is spent: {price} ms more are there in {seconds} s");
            Problem::new(Code::QuotaExceeded, detail).retry_after(seconds)
        })
    }

    /// From now on, what is charged to whom.
    pub fn told(&self) -> mpsc::Receiver<(String, u32)> {
        let (sender, receiver) = mpsc::channel(MOST_UNTOLD);
        // A service joins one cluster, once.
        drop(self.told.set(sender));
        receiver
    }

    /// Takes out of a client's bucket what another node has charged, as far as it holds as much.
    pub fn charged_elsewhere(&self, client: &str, price: u32) {
        let Some(client) = Client::of_text(client) else { return };
        let mut left = price.min(self.burst);
        let mut piece = left;
        while let Some(cells) = NonZeroU32::new(piece.min(left)) {
            match self.buckets.check_key_n(&client, cells) {
                Ok(Ok(_)) => left -= cells.get(),
                Ok(Err(_)) | Err(_) => piece = cells.get() / 2,
            }
        }
    }

    /// Forgets clients whose buckets are full again.
    pub fn forget_the_quiet(&self) {
        self.buckets.retain_recent();
        self.buckets.shrink_to_fit();
    }
}

/// What a granted budget may cost in milliseconds of one thread: its time, or what its other limits come to, whichever is
/// reached first; the server's own limit where nothing else can be said (a depth). Work is shared by a search's threads, time
/// is spent by each.
fn price(budget: &BudgetRequest, threads: u32, longest: u64) -> u64 {
    let time = budget.time_ms.unwrap_or(longest).min(longest).saturating_mul(threads.into());
    let simulations = budget.simulations.map(|count| count.div_ceil(SIMULATIONS_PER_MS));
    let nodes = budget.nodes.map(|count| count.div_ceil(NODES_PER_MS));
    [Some(time), simulations, nodes].into_iter().flatten().min().unwrap_or(time)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_other_nodes_charge_counts() {
        let settings = Settings { quota_ms_per_s: Some(1), quota_burst_ms: 1000, ..Settings::default() };
        let quota = Quota::new(&settings).expect("it is asked for");
        let client = Client::Key("alice".into());
        quota.charged_elsewhere(&client.to_text(), 700);
        assert!(quota.take(&client, 400, "").is_err());
        assert!(quota.take(&client, 200, "").is_ok());
        // More than there is empties the bucket.
        quota.charged_elsewhere(&client.to_text(), 5000);
        assert!(quota.take(&client, 10, "").is_err());
        assert!(quota.take(&Client::Unknown, 900, "").is_ok());
    }

    #[test]
    fn prices_follow_the_limit_that_is_reached_first() {
        let budget = |time_ms, simulations, nodes, depth| BudgetRequest {
            time_ms,
            simulations,
            nodes,
            depth,
            memory_mb: Some(64),
            ..BudgetRequest::default()
        };
        for (budget, threads, wanted) in [
            (budget(Some(200), None, None, None), 1, 200),
            (budget(Some(200), None, None, None), 4, 800),
            (budget(None, Some(1), None, None), 8, 1),
            (budget(None, Some(1000), None, None), 1, 10),
            (budget(Some(5), Some(1000), None, None), 1, 5),
            (budget(None, None, Some(50_000), None), 2, 50),
            (budget(None, None, None, Some(12)), 2, 2000),
        ] {
            assert_eq!(price(&budget, threads, 1000), wanted, "{budget:?}");
        }
    }
}
