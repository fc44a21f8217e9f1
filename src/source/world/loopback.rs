//! Accepts connections from this machine.
//!
//! The type guarantees the rule: a [`Loopback`] listens on 127.0.0.1 and cannot get another
//! address. So no flag and no mistake can open a server to the network.

use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, Shutdown, TcpListener, TcpStream};
use std::time::{Duration, Instant};

/// A listener on 127.0.0.1.
#[derive(Debug)]
pub struct Loopback {
    listener: TcpListener,
    port: u16,
}

/// A connection whose reads and writes end at a deadline, so that a peer that sends one byte at a
/// time cannot occupy it forever.
#[derive(Debug)]
pub struct Connection {
    stream: TcpStream,
    deadline: Instant,
}

impl Loopback {
    /// Listens on a port. The port 0 is any free one.
    ///
    /// # Errors
    /// The error of the operating system, for example if the port is taken.
    pub fn bind(port: u16) -> io::Result<Loopback> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
        let port = listener.local_addr()?.port();
        Ok(Loopback { listener, port })
    }

    /// Returns the port.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Connects to the port, so that a waiting [`accept`](Self::accept) returns.
    pub fn wake(&self) {
        // If the connection fails, nothing is waiting.
        let _ = TcpStream::connect((Ipv4Addr::LOCALHOST, self.port));
    }

    /// Waits for the next connection, which ends after `time` at the latest.
    ///
    /// # Errors
    /// The error of the operating system.
    pub fn accept(&self, time: Duration) -> io::Result<Connection> {
        let (stream, _) = self.listener.accept()?;
        // Answers are written in one piece, so there is nothing to combine.
        stream.set_nodelay(true)?;
        let deadline = Instant::now() + time;
        Ok(Connection { stream, deadline })
    }
}

impl Connection {
    /// Sets a new deadline, `time` from now.
    pub fn extend(&mut self, time: Duration) {
        self.deadline = Instant::now() + time;
    }

    /// Tells the peer that no data follows, and reads the rest of its data, up to `most` bytes.
    ///
    /// A connection that is closed with unread bytes is reset. The reset may overtake the answer,
    /// and then the peer would see an error instead.
    pub fn finish(mut self, most: usize) {
        let _ = self.stream.shutdown(Shutdown::Write);
        let mut rest = [0; 4096];
        let mut read = 0;
        while read < most {
            match self.read(&mut rest) {
                Ok(count) if count > 0 => read += count,
                _ => break,
            }
        }
    }

    /// Returns the remaining time.
    fn left(&self) -> io::Result<Option<Duration>> {
        let left = self.deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(io::ErrorKind::TimedOut.into());
        }
        Ok(Some(left))
    }
}

impl Read for Connection {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.stream.set_read_timeout(self.left()?)?;
        self.stream.read(buffer)
    }
}

impl Write for Connection {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.stream.set_write_timeout(self.left()?)?;
        self.stream.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}
