//! A TCP proxy before PostgreSQL that cuts a connection where it hurts most: at a commit.

use sqlx::postgres::{PgConnectOptions, PgSslMode};
use std::{
    io,
    sync::{Arc, Mutex},
};
use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, copy},
    net::{TcpListener, TcpStream, UnixStream},
};

/// Where the connection is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// The commit never reaches the database.
    BeforeCommit,
    /// The database commits; its reply never reaches the ledger.
    BeforeReply,
    /// The database commits; instead of its reply comes word that its process was ended.
    Ended,
}

/// What PostgreSQL says when an administrator ends a process: `E`, the length, fields that each end in 0, and a 0.
const ENDED: &[u8] = b"E\0\0\0\x3bSFATAL\0VFATAL\0C57P01\0Mterminating by an administrator\0\0";

/// The cuts that are still to be made, and those that were.
#[derive(Default)]
struct Cuts {
    planned: Vec<Cut>,
    made: usize,
}

pub struct Proxy {
    /// Connects to the database through the proxy.
    pub options: PgConnectOptions,
    cuts: Arc<Mutex<Cuts>>,
}

impl Proxy {
    pub async fn before(database: &PgConnectOptions) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let options = PgConnectOptions::new_without_pgpass()
            .host("127.0.0.1")
            .port(listener.local_addr().unwrap().port())
            .username(database.get_username())
            .database(database.get_database().unwrap())
            .ssl_mode(PgSslMode::Disable);
        let (cuts, database) = (Arc::<Mutex<Cuts>>::default(), database.clone());
        let proxy = Self {
            options,
            cuts: cuts.clone(),
        };
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let (cuts, database) = (cuts.clone(), database.clone());
                // A connection that ends in an error is one that was cut.
                tokio::spawn(async move {
                    let _ = forward(client, &database, &cuts).await;
                });
            }
        });
        proxy
    }

    /// Cuts the next `times` commits.
    pub fn cut_next(&self, cut: Cut, times: usize) {
        self.cuts.lock().unwrap().planned = vec![cut; times];
    }

    /// How many commits were cut.
    pub fn made(&self) -> usize {
        self.cuts.lock().unwrap().made
    }
}

async fn forward(client: TcpStream, database: &PgConnectOptions, cuts: &Mutex<Cuts>) -> io::Result<()> {
    let (requests, replies) = client.into_split();
    match database.get_socket() {
        Some(folder) => {
            let socket = folder.join(format!(".s.PGSQL.{}", database.get_port()));
            let (from, to) = UnixStream::connect(socket).await?.into_split();
            between(requests, replies, from, to, cuts).await
        }
        None => {
            let address = (database.get_host(), database.get_port());
            let (from, to) = TcpStream::connect(address).await?.into_split();
            between(requests, replies, from, to, cuts).await
        }
    }
}

/// Forwards until either side ends or a cut is made; returning drops all four halves, which closes both connections.
async fn between(
    mut requests: impl AsyncRead + Unpin,
    mut replies: impl AsyncWrite + Unpin,
    mut from_database: impl AsyncRead + Unpin,
    mut to_database: impl AsyncWrite + Unpin,
    cuts: &Mutex<Cuts>,
) -> io::Result<()> {
    let cut = tokio::select! {
        cut = forward_requests(&mut requests, &mut to_database, cuts) => cut?,
        ended = copy(&mut from_database, &mut replies) => return ended.map(drop),
    };
    if cut != Some(Cut::BeforeCommit) {
        // The reply proves that the commit is done; nobody hears it.
        from_database.read_u8().await?;
    }
    if cut == Some(Cut::Ended) {
        replies.write_all(ENDED).await?;
    }
    Ok(())
}

/// Forwards messages of the client until the connection must be cut.
async fn forward_requests(
    requests: &mut (impl AsyncRead + Unpin),
    to_database: &mut (impl AsyncWrite + Unpin),
    cuts: &Mutex<Cuts>,
) -> io::Result<Option<Cut>> {
    // The first message has no type, only a length.
    let length = requests.read_u32().await?;
    pass(requests, to_database, &length.to_be_bytes(), length).await?;
    loop {
        let kind = requests.read_u8().await?;
        let length = requests.read_u32().await?;
        let mut body = vec![0; length as usize - 4];
        requests.read_exact(&mut body).await?;
        let cut = (kind == b'Q' && body.starts_with(b"COMMIT"))
            .then(|| next(cuts))
            .flatten();
        if cut == Some(Cut::BeforeCommit) {
            return Ok(cut);
        }
        let mut message = vec![kind];
        message.extend_from_slice(&length.to_be_bytes());
        message.extend_from_slice(&body);
        to_database.write_all(&message).await?;
        if cut.is_some() {
            return Ok(cut);
        }
    }
}

async fn pass(
    requests: &mut (impl AsyncRead + Unpin),
    to_database: &mut (impl AsyncWrite + Unpin),
    head: &[u8],
    length: u32,
) -> io::Result<()> {
    let mut body = vec![0; length as usize - 4];
    requests.read_exact(&mut body).await?;
    to_database.write_all(head).await?;
    to_database.write_all(&body).await
}

fn next(cuts: &Mutex<Cuts>) -> Option<Cut> {
    let mut cuts = cuts.lock().unwrap();
    let cut = cuts.planned.pop()?;
    cuts.made += 1;
    Some(cut)
}
