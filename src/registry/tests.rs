//! Work in a registry: its keys, its end, its file.

use super::*;

fn message(seq: u64, is_final: bool) -> Message {
    Message { seq, is_final, failed: false, lasts: false, text: format!("message {seq}").into(), parts: None }
}

fn enter(registry: &Registry, id: &str, key: Option<(&str, &[u8])>) -> Seen {
    registry.enter::<()>(id, key, message(0, false), || Ok(Box::new(|| ()))).expect("it begins")
}

#[tokio::test]
async fn keys_find_the_same_work_again() {
    let registry = Registry::in_memory(Duration::from_secs(60));
    assert_eq!(enter(&registry, "a", Some(("key", b"one"))), Seen::No);
    assert_eq!(enter(&registry, "b", Some(("key", b"one"))), Seen::As("a".to_owned()));
    assert_eq!(enter(&registry, "b", Some(("key", b"two"))), Seen::Other);
    registry.finish("a", message(1, true)).await.expect("it is kept");
    assert_eq!(enter(&registry, "b", Some(("key", b"one"))), Seen::As("a".to_owned()));
    assert!(matches!(registry.find("a").await, Ok(Some(Found::Finished(last))) if last == message(1, true)));
    assert!(matches!(registry.find("b").await, Ok(None)));
}

#[tokio::test]
async fn the_end_of_all_work_can_be_awaited() {
    let registry = Registry::in_memory(Duration::from_secs(60));
    registry.empty().await;
    enter(&registry, "a", None);
    enter(&registry, "b", None);
    let waiting = tokio::spawn({
        let registry = registry.clone();
        async move { registry.empty().await }
    });
    registry.finish("a", message(1, true)).await.expect("it is kept");
    tokio::task::yield_now().await;
    assert!(!waiting.is_finished());
    registry.abandon("b");
    waiting.await.expect("it does not panic");
}

#[tokio::test]
async fn a_key_is_free_where_nothing_began() {
    let registry = Registry::in_memory(Duration::from_secs(60));
    let refused = registry.enter("a", Some(("key", b"one")), message(0, false), || Err("full"));
    assert_eq!(refused, Err("full"));
    assert_eq!(enter(&registry, "b", Some(("key", b"two"))), Seen::No);
}

#[tokio::test]
async fn work_survives_in_a_file() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let path = folder.path().join("searches.redb");
    let keep = Duration::from_secs(60);
    let (registry, pending) = Registry::in_file(&path, keep).expect("it opens");
    assert!(pending.is_empty());
    for id in ["a", "b"] {
        enter(&registry, id, None);
        registry.note(id, ("alice", None), Some("key"), b"{}").await.expect("it is written");
    }
    registry.finish("a", message(7, true)).await.expect("it is kept");
    assert!(Registry::in_file(&path, keep).is_err(), "the file belongs to the first");
    drop(registry);
    let (registry, pending) = Registry::in_file(&path, keep).expect("it opens again");
    assert_eq!(
        pending.iter().map(|work| (&*work.id, work.owner.as_deref(), &*work.request)).collect::<Vec<_>>(),
        [("b", Some("alice"), &b"{}"[..])]
    );
    assert!(matches!(registry.find("a").await, Ok(Some(Found::Finished(last))) if last == message(7, true)));
    assert!(matches!(registry.find("b").await, Ok(None)), "it has not begun again");
}

#[tokio::test]
async fn results_go_when_their_time_is_over() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let path = folder.path().join("searches.redb");
    let (registry, _) = Registry::in_file(&path, Duration::ZERO).expect("it opens");
    enter(&registry, "a", None);
    registry.note("a", ("", None), None, b"{}").await.expect("it is written");
    registry.finish("a", message(1, true)).await.expect("it is kept");
    drop(registry);
    let (registry, pending) = Registry::in_file(&path, Duration::ZERO).expect("it opens again");
    assert!(pending.is_empty() && matches!(registry.find("a").await, Ok(None)));
}
