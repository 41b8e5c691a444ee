//! A proxy of the broker that can be cut, in both directions or in that from it: nothing passes then, but no connection breaks.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};

use crate::http::RUNTIME;

#[derive(Clone)]
pub struct Proxy {
    address: SocketAddr,
    /// To the broker, and from it.
    is_cut: [Arc<AtomicBool>; 2],
}

impl Proxy {
    pub fn to(port: u16) -> Self {
        let listener = RUNTIME.block_on(TcpListener::bind("127.0.0.1:0")).expect("ports are free");
        let address = listener.local_addr().expect("it listens");
        let is_cut: [Arc<AtomicBool>; 2] = Default::default();
        let cut = is_cut.clone();
        RUNTIME.spawn(async move {
            while let Ok((near, _)) = listener.accept().await {
                let Ok(far) = TcpStream::connect(("127.0.0.1", port)).await else { continue };
                let ((near_read, near_write), (far_read, far_write)) = (near.into_split(), far.into_split());
                tokio::spawn(pass(near_read, far_write, Arc::clone(&cut[0])));
                tokio::spawn(pass(far_read, near_write, Arc::clone(&cut[1])));
            }
        });
        Self { address, is_cut }
    }

    pub fn url(&self) -> String {
        format!("nats://{}", self.address)
    }

    pub fn cut(&self, is_cut: bool) {
        self.is_cut.iter().for_each(|way| way.store(is_cut, Ordering::Relaxed));
    }

    /// The node behind it hears nothing, but is heard.
    pub fn cut_from_broker(&self) {
        self.is_cut[1].store(true, Ordering::Relaxed);
    }
}

async fn pass(mut from: OwnedReadHalf, mut to: OwnedWriteHalf, is_cut: Arc<AtomicBool>) {
    let mut buffer = vec![0; 1 << 16];
    while let Ok(read @ 1..) = from.read(&mut buffer).await {
        while is_cut.load(Ordering::Relaxed) {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        if to.write_all(&buffer[..read]).await.is_err() {
            return;
        }
    }
}
