//! Jobs in a registry: their keys, their end, their file.

use super::*;

fn message(seq: u64, is_final: bool) -> Message {
    Message { seq, is_final, failed: false, lasts: false, text: format!("message {seq}").into(), parts: None }
}

const KEEP: Retention = Retention { time: Duration::from_secs(60), share: 1 << 20 };

/// A job of alice.
fn job(id: &str) -> JobId {
    JobId::new(Kind::Search, "alice", id)
}

fn enter_for(registry: &Registry, job: &JobId, payer: &str, key: Option<(&str, &[u8])>) -> Registration {
    let new = NewJob { job, key, client: Some(payer), is_accepted: false, game: None, first: message(0, false) };
    registry.enter::<()>(new, || Ok(Box::new(|| ()))).expect("it begins")
}

fn enter(registry: &Registry, id: &str, key: Option<(&str, &[u8])>) -> Registration {
    enter_for(registry, &job(id), "alice", key)
}

#[tokio::test]
async fn keys_find_the_same_work_again() {
    let registry = Registry::in_memory(KEEP);
    assert_eq!(enter(&registry, "a", Some(("key", b"one"))), Registration::New);
    assert_eq!(enter(&registry, "b", Some(("key", b"one"))), Registration::Duplicate(job("a")));
    assert_eq!(enter(&registry, "b", Some(("key", b"two"))), Registration::KeyConflict);
    registry.finish(&job("a"), message(1, true)).await.expect("it is kept");
    assert_eq!(enter(&registry, "b", Some(("key", b"one"))), Registration::Duplicate(job("a")));
    assert!(matches!(registry.find(&job("a")).await, Ok(Some(FoundJob::Finished(last))) if last == message(1, true)));
    assert!(matches!(registry.find(&job("b")).await, Ok(None)));
}

#[tokio::test]
async fn the_end_of_all_work_can_be_awaited() {
    let registry = Registry::in_memory(KEEP);
    registry.wait_until_empty().await;
    enter(&registry, "a", None);
    enter(&registry, "b", None);
    let waiting = tokio::spawn({
        let registry = registry.clone();
        async move { registry.wait_until_empty().await }
    });
    registry.finish(&job("a"), message(1, true)).await.expect("it is kept");
    tokio::task::yield_now().await;
    assert!(!waiting.is_finished());
    registry.abandon(&job("b"));
    waiting.await.expect("it does not panic");
}

#[tokio::test]
async fn a_key_is_free_where_nothing_began() {
    let registry = Registry::in_memory(KEEP);
    let name = job("a");
    let key: Option<(&str, &[u8])> = Some(("key", b"one"));
    let new = NewJob { job: &name, key, client: None, is_accepted: false, game: None, first: message(0, false) };
    let refused = registry.enter(new, || Err("full"));
    assert_eq!(refused, Err("full"));
    assert_eq!(enter(&registry, "b", Some(("key", b"two"))), Registration::New);
}

#[tokio::test]
async fn work_survives_in_a_file() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let path = folder.path().join("searches.journal");
    let (registry, pending) = Registry::in_file(&path, KEEP).expect("it opens");
    assert!(pending.is_empty());
    for id in ["a", "b"] {
        enter(&registry, id, Some((id, b"{}")));
        registry.persist(&job(id), None, Some(id), b"{}").await.expect("it is written");
    }
    registry.finish(&job("a"), message(7, true)).await.expect("it is kept");
    assert!(Registry::in_file(&path, KEEP).is_err(), "the file belongs to the first");
    drop(registry);
    let (registry, pending) = Registry::in_file(&path, KEEP).expect("it opens again");
    assert_eq!(
        pending.iter().map(|work| (&work.job, work.key.as_deref(), &*work.request)).collect::<Vec<_>>(),
        [(&job("b"), Some("b"), &b"{}"[..])]
    );
    assert!(matches!(registry.find(&job("a")).await, Ok(Some(FoundJob::Finished(last))) if last == message(7, true)));
    assert!(matches!(registry.find(&job("b")).await, Ok(None)), "it has not begun again");
    assert!(matches!(registry.find(&JobId::new(Kind::Search, "bob", "a")).await, Ok(None)), "it is alice's alone");
    assert_eq!(enter(&registry, "c", Some(("a", b"{}"))), Registration::Duplicate(job("a")), "its key lasts as long");
    assert_eq!(
        enter_for(&registry, &JobId::new(Kind::Search, "bob", "c"), "bob", Some(("a", b"{}"))),
        Registration::New,
        "bob's key is another"
    );
}

#[tokio::test]
async fn results_go_when_their_time_is_over() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let path = folder.path().join("searches.journal");
    let (registry, _) = Registry::in_file(&path, Retention { time: Duration::ZERO, ..KEEP }).expect("it opens");
    enter(&registry, "a", None);
    registry.persist(&job("a"), None, None, b"{}").await.expect("it is written");
    registry.finish(&job("a"), message(1, true)).await.expect("it is kept");
    drop(registry);
    let (registry, pending) =
        Registry::in_file(&path, Retention { time: Duration::ZERO, ..KEEP }).expect("it opens again");
    assert!(pending.is_empty() && matches!(registry.find(&job("a")).await, Ok(None)));
}

#[tokio::test]
async fn a_key_finds_its_work_until_the_result_goes() {
    let keep = Duration::from_millis(200);
    let registry = Registry::in_memory(Retention { time: keep, ..KEEP });
    let key: Option<(&str, &[u8])> = Some(("key", b"one"));
    assert_eq!(enter(&registry, "a", key), Registration::New);
    tokio::time::sleep(keep * 2).await;
    assert_eq!(enter(&registry, "b", key), Registration::Duplicate(job("a")), "it goes on");
    registry.finish(&job("a"), message(1, true)).await.expect("it is kept");
    assert_eq!(enter(&registry, "b", key), Registration::Duplicate(job("a")));
    tokio::time::sleep(keep * 2).await;
    assert_eq!(enter(&registry, "b", key), Registration::New);
    assert!(matches!(registry.find(&job("a")).await, Ok(None)));
}

/// Fills a client's share with results of 100 KiB, under these numbers, until there is no room.
async fn fill(registry: &Registry, owner: &str, payer: &str, numbers: std::ops::Range<usize>) -> Vec<JobId> {
    let mut kept = Vec::new();
    for number in numbers {
        let job = JobId::new(Kind::Search, owner, &format!("{payer} {number}"));
        let key = job.id.to_string();
        match enter_for(registry, &job, payer, Some((&key, b"{}"))) {
            Registration::ShareFull(wait) => {
                assert!(wait > KEEP.time / 2 && wait <= KEEP.time, "{wait:?}");
                break;
            }
            registration => assert_eq!(registration, Registration::New),
        }
        let text = "x".repeat(100 << 10).into();
        registry.finish(&job, Message { text, ..message(1, true) }).await.expect("it is kept");
        kept.push(job);
    }
    kept
}

#[tokio::test]
async fn no_client_costs_another_a_result() {
    let registry = Registry::in_memory(KEEP);
    let of_alice = fill(&registry, "alice", "alice", 0..3).await;
    let of_bob = fill(&registry, "bob", "bob", 0..100).await;
    assert_eq!(of_bob.len(), 11, "a mebibyte, and what was under way when it was full");
    for job in of_alice.iter().chain(&of_bob) {
        assert!(matches!(registry.find(job).await, Ok(Some(FoundJob::Finished(_)))), "{job:?}");
        let again =
            enter_for(&registry, &JobId::new(Kind::Search, &job.owner, "again"), &job.owner, Some((&job.id, b"{}")));
        assert_eq!(again, Registration::Duplicate(job.clone()));
    }
    assert_eq!(fill(&registry, "alice", "alice", 3..100).await.len(), 8, "alice has room left");
    // Clients without a key share one amount, of which one address has half.
    assert_eq!(fill(&registry, "", "192.0.2.1", 0..100).await.len(), 6);
    assert_eq!(fill(&registry, "", "192.0.2.2", 0..100).await.len(), 5);
    assert_eq!(fill(&registry, "", "192.0.2.3", 0..100).await.len(), 0);
}

#[tokio::test]
async fn there_is_room_again_when_a_result_has_gone() {
    let time = Duration::from_secs(2);
    let registry = Registry::in_memory(Retention { time, share: 1000 });
    let large = Message { text: "x".repeat(1000).into(), ..message(1, true) };
    assert_eq!(enter(&registry, "a", None), Registration::New);
    registry.finish(&job("a"), large).await.expect("it is kept");
    let Registration::ShareFull(wait) = enter(&registry, "b", None) else { panic!("there is room") };
    assert!(wait <= time, "{wait:?}");
    tokio::time::sleep(wait).await;
    assert_eq!(enter(&registry, "b", None), Registration::New);
}
