//! The nodes of the cluster, with the last announcement of each and its time. A node that is silent for too long is lost.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::wire::{Announcement, State, VERSION};
use crate::settings::Role;

/// A node is lost after this long without an announcement: seven intervals.
const LOST_AFTER: Duration = Duration::from_millis(1500);

/// The nodes of the cluster, as seen by one of them.
#[derive(Debug)]
pub(super) struct Members {
    own: Mutex<Announcement>,
    others: Mutex<BTreeMap<String, Member>>,
}

#[derive(Debug)]
struct Member {
    announcement: Announcement,
    last_seen: Instant,
}

impl Member {
    fn is_present(&self) -> bool {
        self.last_seen.elapsed() < LOST_AFTER
    }

    fn takes_work(&self) -> bool {
        self.is_present() && self.announcement.state == State::Serving && self.announcement.version == VERSION
    }
}

/// A node, for clients.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// Its id, new at each start.
    pub id: String,
    /// Its name, for people.
    pub name: String,
    /// The program's version.
    pub version: String,
    /// Its role.
    pub role: Role,
    /// Its search cores.
    pub cores: u32,
    /// Its idle cores.
    pub idle: u32,
    /// Searches running or waiting there.
    pub searches: u64,
    /// How many of these run for other nodes.
    pub shards: u64,
    /// Whether it takes no new work.
    pub is_draining: bool,
    /// Whether it is the node that responds.
    pub is_self: bool,
    /// The time since its last announcement.
    pub announcement_age: Duration,
}

impl Node {
    fn new(announcement: Announcement, announcement_age: Duration, is_self: bool) -> Self {
        let Announcement { id, name, version, role, cores, idle, searches, shards, state } = announcement;
        let is_draining = state != State::Serving;
        Self { id, name, version, role, cores, idle, searches, shards, is_draining, is_self, announcement_age }
    }
}

/// Idle cores of a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Idle {
    pub id: String,
    pub name: String,
    pub cores: u32,
}

impl Members {
    /// A cluster with this node alone.
    pub fn new(own: Announcement) -> Self {
        Self { own: Mutex::new(own), others: Mutex::default() }
    }

    fn others(&self) -> MutexGuard<'_, BTreeMap<String, Member>> {
        self.others.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn own_mut(&self) -> MutexGuard<'_, Announcement> {
        self.own.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// This node's announcement, apart from its load.
    pub fn own(&self) -> Announcement {
        self.own_mut().clone()
    }

    /// Sets this node's state.
    pub fn set_state(&self, state: State) {
        self.own_mut().state = state;
    }

    /// Stores a node's announcement.
    pub fn record(&self, announcement: Announcement) {
        if announcement.id == self.own_mut().id {
            return;
        }
        let mut others = self.others();
        // Nodes lost long ago must not fill the table.
        others.retain(|_, member| member.last_seen.elapsed() < 40 * LOST_AFTER);
        if announcement.state == State::Gone {
            others.remove(&announcement.id);
        } else {
            others.insert(announcement.id.clone(), Member { announcement, last_seen: Instant::now() });
        }
    }

    /// Stores a node's number of idle cores, reported with a shard's result.
    pub fn set_idle(&self, id: &str, idle: u32) {
        if let Some(member) = self.others().get_mut(id) {
            member.announcement.idle = idle;
        }
    }

    /// Whether a node was heard from recently.
    pub fn is_present(&self, id: &str) -> bool {
        self.others().get(id).is_some_and(Member::is_present)
    }

    /// Waits until a node is lost.
    pub async fn wait_until_lost(&self, id: &str) {
        while self.is_present(id) {
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }

    /// All present nodes, this one first.
    pub fn nodes(&self, own: Announcement) -> Vec<Node> {
        let own = Node::new(own, Duration::ZERO, true);
        let others = self.others();
        let present = others.values().filter(|member| member.is_present());
        let others = present.map(|member| Node::new(member.announcement.clone(), member.last_seen.elapsed(), false));
        [own].into_iter().chain(others).collect()
    }

    /// Idle cores of other nodes.
    pub fn idle_elsewhere(&self) -> u32 {
        let others = self.others();
        others
            .values()
            .filter(|member| member.takes_work())
            .fold(0, |sum, member| sum.saturating_add(member.announcement.idle))
    }

    /// Reserves cores of other nodes for `wanted` workers beside those here: `choose` gets the idle cores and returns the
    /// number of workers of each node. Reserved cores are not offered again before their nodes' next announcements.
    pub fn reserve<R>(&self, choose: impl FnOnce(&[Idle]) -> (Vec<u32>, R)) -> (Vec<(Idle, u32)>, R) {
        let mut others = self.others();
        let idle: Vec<Idle> = others
            .values()
            .filter(|member| member.takes_work() && member.announcement.idle > 0)
            .map(|Member { announcement, .. }| Idle {
                id: announcement.id.clone(),
                name: announcement.name.clone(),
                cores: announcement.idle,
            })
            .collect();
        let (workers, rest) = choose(&idle);
        let taken: Vec<_> = idle.into_iter().zip(workers).filter(|(_, workers)| *workers > 0).collect();
        for (node, workers) in &taken {
            if let Some(member) = others.get_mut(&node.id) {
                member.announcement.idle = member.announcement.idle.saturating_sub(*workers);
            }
        }
        (taken, rest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn announcement(id: &str, idle: u32, state: State, version: &str) -> Announcement {
        let (id, name, version) = (id.to_owned(), id.to_uppercase(), version.to_owned());
        Announcement { id, name, version, role: Role::Server, cores: 4, idle, searches: 0, shards: 0, state }
    }

    #[test]
    fn only_serving_nodes_of_the_same_version_are_offered() {
        let members = Members::new(announcement("own", 4, State::Serving, VERSION));
        for (id, idle, state, version) in [
            ("own", 4, State::Serving, VERSION),
            ("a", 3, State::Serving, VERSION),
            ("b", 2, State::Draining, VERSION),
            ("c", 2, State::Serving, "0.0.1"),
            ("d", 0, State::Serving, VERSION),
            ("e", 1, State::Serving, VERSION),
        ] {
            members.record(announcement(id, idle, state, version));
        }
        assert_eq!(members.idle_elsewhere(), 4);
        let (taken, names) =
            members.reserve(|idle| (vec![2, 0], idle.iter().map(|node| node.name.clone()).collect::<Vec<_>>()));
        assert_eq!(names, ["A", "E"]);
        assert_eq!(taken.iter().map(|(node, workers)| (&*node.id, *workers)).collect::<Vec<_>>(), [("a", 2)]);
        assert_eq!(members.idle_elsewhere(), 2, "what was taken is not offered again");
        members.record(announcement("a", 0, State::Gone, VERSION));
        assert!(!members.is_present("a") && members.is_present("c"));
        let own = members.own();
        assert_eq!(members.nodes(own).iter().map(|node| &*node.id).collect::<Vec<_>>(), ["own", "b", "c", "d", "e"]);
    }
}
