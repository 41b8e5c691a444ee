//! Games in a cluster: uploads to other nodes, and the games that this node has.

use std::time::Duration;

use tesuji_core::custom::CustomGame;

use crate::cluster::{Cluster, Delivery, Upload, Uploads, UploadsFollower};
use crate::job::StoreError;
use crate::library::{Library, missing_versions};

/// The pause before a task whose game this node lacks is delivered again. It doubles each time, so that many such tasks do not
/// delay others.
const RETRY_PAUSE: Duration = Duration::from_millis(500);
/// The maximum number of doublings: if another node has the game, and if none has.
const DOUBLED: [u64; 2] = [4, 2];
/// The pause before another attempt to remove old files.
const CLEANUP_RETRY: Duration = Duration::from_secs(60);

/// Keeps this node's uploads in step with the cluster's, until the node leaves.
pub async fn follow_uploads(library: Library, cluster: Cluster) {
    if !library.takes_uploads() {
        return;
    }
    let Some(mut uploads) = cluster.follow_uploads().await else { return };
    tokio::select! {
        () = cluster.leaving() => return,
        _ = cluster.wait_for_storage(true) => {}
    }
    let joined = cluster.clone();
    tokio::spawn(async move {
        while let Err(error) = joined.remove_orphaned_files().await {
            tracing::debug!(%error, "game files without a record could not be removed yet");
            tokio::select! {
                () = joined.leaving() => return,
                () = tokio::time::sleep(CLEANUP_RETRY) => {}
            }
        }
    });
    loop {
        if let Err(error) = catch_up(&library, &cluster, &mut uploads).await {
            tracing::debug!(%error, "the uploads of other nodes could not be read and are tried again");
        }
        if !uploads.wait().await {
            return;
        }
    }
}

/// Applies all changes since the last call.
async fn catch_up(library: &Library, cluster: &Cluster, uploads: &mut UploadsFollower) -> Result<(), StoreError> {
    if uploads.were_lost()? {
        tracing::warn!("the cluster's broker has lost all uploads of games");
        let _lock = library.lock_changes().await;
        library.remove_uploads();
    }
    while let Some((number, change)) = uploads.next().await? {
        match change {
            Ok(change) => apply(library, cluster, change).await?,
            Err(error) => tracing::warn!(%error, "a client's uploads could not be applied and are unchanged"),
        }
        uploads.mark_applied(number);
    }
    Ok(())
}

/// Replaces a client's uploads by those of a record. A game with the same hash stays, with its failures.
async fn apply(library: &Library, cluster: &Cluster, Uploads { owner, games }: Uploads) -> Result<(), StoreError> {
    // Without the lock, a concurrent upload to this node would be replaced by its earlier version.
    let _lock = library.lock_changes().await;
    let mut here = library.uploads(&owner);
    here.retain(|name, game| games.get(name).is_some_and(|upload| upload.hash == game.hash));
    for (name, upload) in games.iter().filter(|(name, _)| !here.contains_key(*name)).collect::<Vec<_>>() {
        if let Some(game) = load(library, cluster, name, upload).await? {
            here.insert(name.clone(), game);
        }
    }
    let library = library.clone();
    if let Err(error) = tokio::task::spawn_blocking(move || library.set_uploads(&owner, here)).await {
        tracing::error!(%error, "a client's uploads could not be applied and are unchanged");
    }
    Ok(())
}

/// Loads an upload; `None`, with a line in the log, if its file is gone or this node refuses it.
async fn load(
    library: &Library,
    cluster: &Cluster,
    name: &str,
    upload: &Upload,
) -> Result<Option<CustomGame>, StoreError> {
    let Some(file) = cluster.game_file(upload).await? else {
        tracing::debug!(name, "an upload's file no longer exists");
        return Ok(None);
    };
    let (library, named) = (library.clone(), name.to_owned());
    let loaded = tokio::task::spawn_blocking(move || library.load(&named, &file)).await;
    Ok(match loaded {
        Ok(Ok(game)) => Some(game),
        Ok(Err(problem)) => {
            tracing::warn!(name, %problem, "an upload accepted by another node could not be loaded and is omitted");
            None
        }
        Err(error) => {
            tracing::error!(name, %error, "an upload accepted by another node could not be loaded and is omitted");
            None
        }
    })
}

/// Answers nodes that lack a task's games, if this node has them.
pub async fn serve_game_requests(library: Library, cluster: Cluster) {
    cluster
        .answer_game_requests(|owner, games| missing_versions(&library.catalog(owner), games).next().is_none())
        .await;
}

/// Returns a task whose games this node lacks to the queue. Counts how often no other node has them: too often, and it fails.
pub async fn hand_back(cluster: Cluster, delivery: Delivery) {
    let is_missing = count(&cluster, &delivery).await.unwrap_or_else(|error| {
        tracing::debug!(%error, id = &*delivery.task.id, "a task without its games was handed back without being counted");
        false
    });
    let doubled = DOUBLED[usize::from(is_missing)].min(delivery.deliveries.saturating_sub(1));
    delivery.retry_after(RETRY_PAUSE * (1 << doubled)).await;
}

/// Counts a hand-over; returns whether no other node has the task's games.
async fn count(cluster: &Cluster, delivery: &Delivery) -> Result<bool, StoreError> {
    let task = &delivery.task;
    cluster.count_hand_over(task).await?;
    let Some(accepted) = cluster.accepted(task).await? else { return Ok(false) };
    if cluster.another_node_has(&task.owner, &accepted.games).await {
        return Ok(false);
    }
    cluster.count_miss(task).await?;
    Ok(true)
}
