//! A client's quota of search time: a bucket of milliseconds that fills at a steady rate. A search is charged an estimate
//! before its start; at its end, the CPU time replaces the estimate, and the difference is returned or owed.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::mpsc;

use super::client::Client;
use crate::cluster::Charged;
use crate::service::problem::{Code, Problem};
use crate::settings::Settings;
use tesuji_core::catalog::{BudgetRequest, Plan};

/// The buckets of all clients.
#[derive(Debug)]
pub struct Quota {
    /// The buckets that are not full.
    buckets: Mutex<HashMap<Client, Bucket>>,
    /// Milliseconds added to a bucket per second, and its capacity.
    rate: f64,
    burst: f64,
    /// The longest search, in milliseconds.
    longest: u64,
    /// The channel of charges to other nodes, in a cluster.
    outgoing: OnceLock<mpsc::Sender<(String, f64)>>,
}

/// A client's balance in milliseconds; negative if it owes time.
#[derive(Clone, Copy, Debug)]
struct Bucket {
    left: f64,
    at: Instant,
}

/// The capacity of the channel of charges to other nodes; further ones are not sent.
const CHARGE_QUEUE: usize = 4096;

/// Work that counts as a millisecond: the minimum that one thread does in the slower games.
const SIMULATIONS_PER_MS: u64 = 100;
const NODES_PER_MS: u64 = 1000;

impl Quota {
    /// The quota in the settings; `None` if there is none.
    pub fn new(settings: &Settings) -> Option<Self> {
        let rate = settings.quota_ms_per_s.filter(|&rate| rate > 0)?;
        (settings.quota_burst_ms > 0).then(|| Self {
            buckets: Mutex::default(),
            rate: rate.into(),
            burst: settings.quota_burst_ms.into(),
            longest: settings.max_time_ms,
            outgoing: OnceLock::new(),
        })
    }

    fn buckets(&self) -> MutexGuard<'_, HashMap<Client, Bucket>> {
        self.buckets.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn filled(&self, bucket: Option<&Bucket>, now: Instant) -> f64 {
        bucket.map_or(self.burst, |bucket| {
            self.burst.min(bucket.left + now.saturating_duration_since(bucket.at).as_secs_f64() * self.rate)
        })
    }

    /// Takes a price from a client's bucket, if it holds enough; `pointer` locates the request for it.
    fn take(&self, client: &Client, price: f64, pointer: &str) -> Result<(), Problem> {
        if price > self.burst {
            let most = self.burst;
            let detail =
                format!("expected a search of at most {most} ms, the client's whole quota, not of up to {price} ms");
            return Err(Problem::at(Code::InvalidBudget, pointer, detail));
        }
        let mut buckets = self.buckets();
        let now = Instant::now();
        let left = self.filled(buckets.get(client), now);
        if left < price {
            // Rounded up, so that a client that waits this long is served.
            let seconds = ((price - left) / self.rate).ceil().clamp(1.0, u32::MAX.into()) as u32;
            let detail =
                format!("this client's quota of search time is used up: {price} ms are available in {seconds} s");
            return Err(Problem::new(Code::QuotaExceeded, detail).retry_after(seconds));
        }
        buckets.insert(client.clone(), Bucket { left: left - price, at: now });
        drop(buckets);
        self.publish(client, price);
        Ok(())
    }

    /// Takes a price from a client's bucket, even below zero; a negative price is a refund.
    fn adjust(&self, client: &Client, price: f64) {
        let mut buckets = self.buckets();
        let now = Instant::now();
        let left = self.burst.min(self.filled(buckets.get(client), now) - price);
        buckets.insert(client.clone(), Bucket { left, at: now });
    }

    fn publish(&self, client: &Client, price: f64) {
        if let Some(outgoing) = self.outgoing.get() {
            // If it is lost, the client gets a little more or less on other nodes.
            drop(outgoing.try_send((client.to_text(), price)));
        }
    }

    /// The channel of all charges from now on, with their clients; refunds are negative.
    pub fn outgoing(&self) -> mpsc::Receiver<(String, f64)> {
        let (sender, receiver) = mpsc::channel(CHARGE_QUEUE);
        // A service joins one cluster, once.
        drop(self.outgoing.set(sender));
        receiver
    }

    /// Takes another node's charge from a client's bucket.
    pub fn apply_remote_charge(&self, client: &str, price: f64) {
        if let Some(client) = Client::of_text(client).filter(|_| price.is_finite()) {
            self.adjust(&client, price);
        }
    }

    /// Removes full buckets.
    pub fn remove_full_buckets(&self) {
        let now = Instant::now();
        let mut buckets = self.buckets();
        buckets.retain(|_, bucket| self.filled(Some(bucket), now) < self.burst);
        buckets.shrink_to_fit();
    }
}

/// The charges of several searches, with their places in a batch or review.
pub type Charges = Vec<(usize, Charge)>;

/// The charge of a search; refunded if dropped before the search begins.
#[derive(Debug)]
pub struct Charge {
    quota: Arc<Quota>,
    client: Client,
    /// Milliseconds.
    price: f64,
    is_settled: AtomicBool,
    /// Whether the search is a task of a cluster: if another node repeats it, that node settles the charge.
    is_task: bool,
}

impl Charge {
    /// Replaces the estimate by the CPU time of the search, at least a millisecond per thread, since starting one has a cost
    /// too. The first call counts.
    pub fn settle(&self, cpu_time: Duration, threads: u32) {
        self.settle_with((cpu_time.as_secs_f64() * 1e3).max(threads.into()));
    }

    /// Refunds the charge of a search that will not begin.
    pub fn cancel(&self) {
        self.settle_with(0.0);
    }

    /// Leaves the charge to another node, which will repeat and settle the search; `false` if no node will.
    pub fn hand_over(&self) -> bool {
        self.is_task && !self.is_settled.swap(true, Ordering::Relaxed)
    }

    /// The record of the charges for the node that will run the searches as a task.
    pub fn record(charges: &Charges) -> Option<Charged> {
        let client = charges.first()?.1.client.to_text();
        Some(Charged { client, prices: charges.iter().map(|(place, charge)| (*place, charge.price)).collect() })
    }

    /// Keeps the charge: the task is accepted, and the node that runs it settles it.
    pub fn commit(self) {
        self.is_settled.store(true, Ordering::Relaxed);
    }

    fn settle_with(&self, cost: f64) {
        if !self.is_settled.swap(true, Ordering::Relaxed) {
            self.quota.adjust(&self.client, cost - self.price);
            self.quota.publish(&self.client, cost - self.price);
        }
    }
}

impl Drop for Charge {
    fn drop(&mut self) {
        if !self.hand_over() {
            self.cancel();
        }
    }
}

impl Quota {
    /// Charges a client for some searches, all or nothing; `pointer` locates the request for them. Returns a charge for each,
    /// in order.
    ///
    /// # Errors
    /// `quota_exceeded` when the bucket holds too little, with the seconds until it holds enough; `invalid_budget` when no
    /// bucket can hold that much.
    pub(in crate::service) fn charge<'a>(
        self: &Arc<Self>,
        client: &Client,
        searches: impl IntoIterator<Item = &'a Plan>,
        pointer: &str,
    ) -> Result<Vec<Charge>, Problem> {
        let prices = searches.into_iter().map(|plan| price(&plan.budget, plan.threads, self.longest) as f64);
        let prices: Vec<f64> = prices.collect();
        if !prices.is_empty() {
            self.take(client, prices.iter().sum(), pointer)?;
        }
        Ok(prices.into_iter().map(|price| self.new_charge(client, price, false)).collect())
    }

    /// The charges of a task's searches, made by the node that accepted it.
    pub fn restore_charges(self: &Arc<Self>, charged: &Charged) -> Charges {
        let Some(client) = Client::of_text(&charged.client) else { return Charges::new() };
        let prices = charged.prices.iter().filter(|(_, price)| price.is_finite());
        prices.map(|&(place, price)| (place, self.new_charge(&client, price, true))).collect()
    }

    fn new_charge(self: &Arc<Self>, client: &Client, price: f64, is_task: bool) -> Charge {
        let is_settled = AtomicBool::new(false);
        Charge { quota: Arc::clone(self), client: client.clone(), price, is_settled, is_task }
    }
}

/// The estimated cost of a granted budget in milliseconds of one thread: the lowest of its limits, converted; the server's
/// limit where nothing can be estimated (a depth); at least a millisecond per thread. Threads share the work, but each spends
/// the time.
fn price(budget: &BudgetRequest, threads: u32, longest: u64) -> u64 {
    let time = budget.time_ms.unwrap_or(longest).min(longest).saturating_mul(threads.into());
    let simulations = budget.simulations.map(|count| count.div_ceil(SIMULATIONS_PER_MS));
    let nodes = budget.nodes.map(|count| count.div_ceil(NODES_PER_MS));
    let least = [budget.cpu_ms, simulations, nodes].into_iter().flatten().fold(time, u64::min);
    least.max(threads.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quota(rate: u32, burst: u32) -> Arc<Quota> {
        let settings = Settings { quota_ms_per_s: Some(rate), quota_burst_ms: burst, ..Settings::default() };
        Arc::new(Quota::new(&settings).expect("it is asked for"))
    }

    #[test]
    fn what_other_nodes_charge_counts() {
        let quota = quota(1, 1000);
        let client = Client::Key("alice".into());
        quota.apply_remote_charge(&client.to_text(), 700.0);
        assert!(quota.take(&client, 400.0, "").is_err());
        assert!(quota.take(&client, 200.0, "").is_ok());
        // Refunds are available again.
        quota.apply_remote_charge(&client.to_text(), -650.0);
        assert!(quota.take(&client, 700.0, "").is_ok());
        // An amount beyond the balance is owed.
        quota.apply_remote_charge(&client.to_text(), 5000.0);
        assert!(quota.take(&client, 10.0, "").is_err());
        assert!(quota.take(&Client::Unknown, 900.0, "").is_ok());
        for nonsense in [f64::NAN, f64::INFINITY] {
            quota.apply_remote_charge(&Client::Unknown.to_text(), nonsense);
        }
        assert!(quota.take(&Client::Unknown, 90.0, "").is_ok());
    }

    #[test]
    fn a_charge_is_settled_once() {
        let quota = quota(1, 1000);
        let client = Client::Unknown;
        let holds = |wanted: f64| {
            let left = quota.filled(quota.buckets().get(&client), Instant::now());
            assert!((wanted..wanted + 5.0).contains(&left), "{left}, not {wanted}");
        };
        let charged = || {
            quota.buckets().clear();
            quota.take(&client, 400.0, "").expect("there is enough");
            holds(600.0);
            quota.new_charge(&client, 400.0, false)
        };
        // It cost less, or more, than the estimate.
        charged().settle(Duration::from_millis(50), 2);
        holds(950.0);
        let charge = charged();
        charge.settle(Duration::from_millis(1900), 1);
        charge.cancel();
        drop(charge);
        holds(-900.0);
        // Each thread costs a millisecond.
        charged().settle(Duration::ZERO, 8);
        holds(992.0);
        drop(charged());
        holds(1000.0);
        // A task that another node repeats is settled there.
        let accepted = vec![(3, charged())];
        let record = Charge::record(&accepted).expect("there is a charge");
        assert_eq!(record.prices, [(3, 400.0)]);
        accepted.into_iter().for_each(|(_, charge)| charge.commit());
        holds(600.0);
        for (cpu_time, left) in [(Duration::from_millis(100), 900.0), (Duration::from_millis(1900), -900.0)] {
            quota.buckets().clear();
            quota.take(&client, 400.0, "").expect("there is enough");
            let [(3, task)] = &quota.restore_charges(&record)[..] else { panic!("there is one") };
            task.settle(cpu_time, 1);
            holds(left);
        }
        quota.buckets().clear();
        quota.take(&client, 400.0, "").expect("there is enough");
        drop(quota.new_charge(&client, 400.0, true));
        // It is not refunded while the task waits for another node.
        holds(600.0);
    }

    #[test]
    fn only_full_buckets_are_removed() {
        let quota = quota(1000, 20);
        quota.take(&Client::Unknown, 15.0, "").expect("there is enough");
        quota.adjust(&Client::Key("debtor".into()), 50_000.0);
        std::thread::sleep(Duration::from_millis(40));
        quota.remove_full_buckets();
        let left: Vec<Client> = quota.buckets().keys().cloned().collect();
        assert_eq!(left, [Client::Key("debtor".into())]);
    }

    #[test]
    fn prices_follow_the_limit_that_is_reached_first() {
        let budget = |time_ms, cpu_ms, simulations, nodes, depth| BudgetRequest {
            time_ms,
            cpu_ms,
            simulations,
            nodes,
            depth,
            memory_mb: Some(64),
            ..BudgetRequest::default()
        };
        for (budget, threads, wanted) in [
            (budget(Some(200), None, None, None, None), 1, 200),
            (budget(Some(200), None, None, None, None), 4, 800),
            (budget(Some(200), Some(300), None, None, None), 4, 300),
            (budget(None, Some(300), None, None, None), 4, 300),
            (budget(None, None, Some(1), None, None), 8, 8),
            (budget(None, None, Some(1000), None, None), 1, 10),
            (budget(Some(5), None, Some(1000), None, None), 1, 5),
            (budget(None, None, None, Some(50_000), None), 2, 50),
            (budget(None, None, None, None, Some(12)), 2, 2000),
        ] {
            assert_eq!(price(&budget, threads, 1000), wanted, "{budget:?}");
        }
    }
}
