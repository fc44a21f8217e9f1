//! Messages between the server and a client, on two streams of bytes.
//!
//! ```text
//! Content-Length: 40\r\n                        <- headers, one per line
//! \r\n
//! {"jsonrpc":"2.0","method":"initialized"}      <- as many bytes as the header announces
//! ```
//!
//! The crate `lsp-server` can also read messages, but it allocates the announced length before any
//! byte arrives: a message of 40 bytes that announces 99 GB would block the machine. Here memory
//! grows with the received bytes, and no message is longer than [`Limit::Message`].

use std::io::{BufRead, BufReader, Read, Write};
use std::sync::{Arc, OnceLock};
use std::thread;

use crossbeam_channel::{Receiver, Sender, bounded};
use lsp_server::{Connection, Message};

use super::server::{protocol_error, serve};
use crate::source::world::{World, reason};
use crate::source::{Diagnostic, Limit, Result};
use crate::yaml::keep_parsed;

/// The maximum number of bytes in the headers of one message. Clients send one or two lines.
const HEADER_BYTES: u64 = 8192;

/// Serves a client that writes to `input` and reads from `output`, until it asks to shut down.
///
/// # Errors
/// The client breaks the protocol or goes away.
pub fn serve_streams(
    world: &dyn World,
    input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
) -> Result<()> {
    // A keystroke changes one file: the trees of the others, which may be much larger, stay.
    keep_parsed();
    let (incoming, from_client) = bounded(0);
    let (to_client, outgoing) = bounded(0);
    let fault = Arc::new(OnceLock::new());
    let found = Arc::clone(&fault);
    thread::spawn(move || {
        if let Err(error) = read_all(&mut BufReader::new(input), &incoming) {
            // The server learns that something is wrong when `incoming` is dropped, after this.
            let _ = found.set(error);
        }
    });
    let writer = thread::spawn(move || write_all(output, &outgoing));
    let connection = Connection {
        sender: to_client,
        receiver: from_client,
    };
    let served = serve(world, &connection);
    drop(connection);
    if let Err(error) = served {
        // The server knows only that no more messages come; the reader knows why.
        return Err(fault.get().cloned().unwrap_or(error));
    }
    // The last answer must be out before the process ends.
    let _ = writer.join();
    Ok(())
}

/// Passes messages on until the client says `exit` or closes the stream.
pub(super) fn read_all(input: &mut dyn BufRead, messages: &Sender<Message>) -> Result<()> {
    while let Some(message) = read_message(input)? {
        let is_last = matches!(&message, Message::Notification(last) if last.method == "exit");
        if messages.send(message).is_err() || is_last {
            break;
        }
    }
    Ok(())
}

/// Writes messages until the server has no more of them.
pub(super) fn write_all(mut output: impl Write, messages: &Receiver<Message>) {
    let mut is_open = true;
    for message in messages {
        // A client that does not listen any more may still send, until it says `exit`. Its answers are dropped.
        is_open = is_open && message.write(&mut output).is_ok();
    }
}

/// Reads one message; `None` if the stream ends between two messages.
///
/// # Errors
/// The headers are not those of a message, it is too long, it ends early, or it is not JSON-RPC.
fn read_message(input: &mut dyn BufRead) -> Result<Option<Message>> {
    let Some(length) = read_headers(input)? else {
        return Ok(None);
    };
    let most = Limit::Message.value();
    if length > most {
        let message =
            format!("the language client: a message of {length} bytes; at most {most} are read");
        return Err(Limit::Message.exceeded_by(length, message));
    }
    let mut text = String::new();
    let read = input.take(length).read_to_string(&mut text);
    let read = read.map_err(|error| protocol_error(reason(&error)))?;
    if (read as u64) < length {
        let message = format!("a message of {length} bytes ends after {read}");
        return Err(protocol_error(message));
    }
    let message = serde_json::from_str(&text).or_else(|error| {
        let whole = with_whole_characters(&text);
        serde_json::from_str(&whole).map_err(|_| error)
    });
    message
        .map(Some)
        .map_err(|error| protocol_error(format!("a message is not JSON-RPC: {error}")))
}

/// Replaces each half of a surrogate pair that is alone by U+FFFD. The strings of JavaScript can
/// contain such halves, and editors written in it send them as `\ud83d`, which the JSON reader
/// refuses. Positions stay the same, because both are one code unit of UTF-16.
fn with_whole_characters(text: &str) -> String {
    const REPLACEMENT: &str = "\\ufffd";
    let mut whole = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        let (before, escape) = rest.split_at(at);
        let next = code_unit(escape.get(6..).unwrap_or(""));
        let (length, is_whole) = match (code_unit(escape), next) {
            (Some(0xd800..=0xdbff), Some(0xdc00..=0xdfff)) => (12, true),
            (Some(unit), _) => (6, !(0xd800..=0xdfff).contains(&unit)),
            // A backslash with the character that it escapes.
            (None, _) => (
                1 + escape[1..].chars().next().map_or(0, char::len_utf8),
                true,
            ),
        };
        let (escape, after) = escape.split_at(length);
        whole.extend([before, if is_whole { escape } else { REPLACEMENT }]);
        rest = after;
    }
    whole + rest
}

/// Returns the code unit of the escape `\uXXXX` at the start of `text`.
fn code_unit(text: &str) -> Option<u32> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    u32::from_str_radix(digits, 16).ok()
}

/// Reads the headers of a message and the empty line after them. Returns the announced length;
/// `None` if the stream ends before them.
fn read_headers(input: &mut dyn BufRead) -> Result<Option<u64>> {
    let mut headers = input.take(HEADER_BYTES);
    let mut length = None;
    loop {
        let mut line = String::new();
        let read = headers.read_line(&mut line);
        let read = read.map_err(|error| protocol_error(reason(&error)))?;
        if read == 0 && headers.limit() == HEADER_BYTES {
            return Ok(None);
        }
        let Some(header) = line.strip_suffix("\r\n") else {
            return Err(malformed(&line, headers.limit() == 0));
        };
        if header.is_empty() {
            break;
        }
        let Some((name, value)) = header.split_once(':') else {
            return Err(malformed(header, false));
        };
        if name.eq_ignore_ascii_case("Content-Length") {
            let value: u64 = value.trim().parse().map_err(|_| malformed(header, false))?;
            length = Some(value);
        }
    }
    let missing = || protocol_error("a message without the header `Content-Length`");
    length.map(Some).ok_or_else(missing)
}

fn malformed(header: &str, is_long: bool) -> Box<Diagnostic> {
    if is_long {
        return protocol_error(format!("headers of more than {HEADER_BYTES} bytes"));
    }
    protocol_error(format!(
        "expected a header such as `Content-Length: 40`, found `{header}`"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> std::result::Result<Option<String>, String> {
        let message = read_message(&mut text.as_bytes());
        let message = message.map_err(|error| error.message.clone())?;
        Ok(message.map(|message| match message {
            Message::Notification(notification) => notification.method,
            other => panic!("{other:?}"),
        }))
    }

    fn framed(length: usize, header: &str) -> String {
        format!("{header}Content-Length: {length}\r\n\r\n{{\"method\":\"a\"}}")
    }

    #[test]
    fn reads_a_message_with_any_headers() {
        let long = format!("Note: {}\r\n", "x".repeat(7000));
        for header in ["", "content-type: x; charset=utf-8\r\n", long.as_str()] {
            assert_eq!(read(&framed(14, header)), Ok(Some("a".to_owned())));
        }
        assert!(read("content-length:  2\r\n\r\n{}x").is_err());
        assert_eq!(read(""), Ok(None));
    }

    #[test]
    fn reads_half_a_surrogate_pair_as_one_character() {
        let rows = [
            (r#"{"method":"a\ud83d"}"#, "a\u{fffd}"),
            (r#"{"method":"\ude00\ud83d\\"}"#, "\u{fffd}\u{fffd}\\"),
            (
                r#"{"method":"\ud83d\ude00\ud83d\u0041é\n"}"#,
                "😀\u{fffd}Aé\n",
            ),
            (r#"{"method":"\\ud83d\udc00"}"#, "\\ud83d\u{fffd}"),
        ];
        for (text, method) in rows {
            let message = format!("Content-Length: {}\r\n\r\n{text}", text.len());
            assert_eq!(read(&message), Ok(Some(method.to_owned())), "{text}");
        }
        assert!(read("Content-Length: 4\r\n\r\n\"\\ud8").is_err());
    }

    #[test]
    fn refuses_what_is_not_a_message() {
        let endless = "x".repeat(1 << 20);
        let many = "a: b\r\n".repeat(5000);
        let table = [
            (
                "Content-Length: 99000000000\r\n\r\n",
                "a message of 99000000000 bytes; at most 268435456 are read",
            ),
            (
                "Content-Length: 99999999999999999999999\r\n\r\n",
                "expected a header such as",
            ),
            ("Content-Length: -1\r\n\r\n", "expected a header such as"),
            (
                "Content-Length: 20\r\n\r\n{}",
                "a message of 20 bytes ends after 2",
            ),
            ("Content-Length: 2\r\n\r\n[]", "a message is not JSON-RPC: "),
            (
                "Content-Length: 2\r\n\r\n\u{fe}",
                "a message is not JSON-RPC: ",
            ),
            ("Content-Length: 2\r\n", "expected a header such as"),
            ("Content-Length: 2\n\n{}", "expected a header such as"),
            (
                "a: b\r\n\r\n{}",
                "a message without the header `Content-Length`",
            ),
            (&*endless, "headers of more than 8192 bytes"),
            (&*many, "headers of more than 8192 bytes"),
        ];
        for (text, expected) in table {
            let message = read(text).unwrap_err();
            assert!(message.contains(expected), "{message}");
        }
    }
}
