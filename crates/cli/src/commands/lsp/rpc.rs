//! Messages of the language server protocol: JSON-RPC 2.0 behind headers, as in HTTP.

use std::io::{self, BufRead, Write};

use serde_json::{Value as Json, json};

/// Longer messages are refused: no editor sends a file of this size.
const LONGEST: usize = 256 << 20;

/// The next message; `None` at the end of the input.
pub fn read(input: &mut impl BufRead) -> io::Result<Option<Json>> {
    let wrong = |what: &str| io::Error::new(io::ErrorKind::InvalidData, what.to_owned());
    let mut length = None;
    loop {
        let mut line = String::new();
        if input.read_line(&mut line)? == 0 {
            return Ok(None);
        }
        let line = line.trim_end();
        if line.is_empty() {
            break;
        }
        let (name, value) = line.split_once(':').ok_or_else(|| wrong("a header without a colon"))?;
        if name.eq_ignore_ascii_case("content-length") {
            length = value.trim().parse::<usize>().ok();
        }
    }
    let length = length.filter(|length| *length <= LONGEST).ok_or_else(|| wrong("no usable Content-Length"))?;
    let mut body = vec![0; length];
    input.read_exact(&mut body)?;
    serde_json::from_slice(&body).map(Some).map_err(|error| wrong(&error.to_string()))
}

/// Writes a message.
pub fn write(output: &mut impl Write, message: &Json) -> io::Result<()> {
    let body = message.to_string();
    write!(output, "Content-Length: {}\r\n\r\n{body}", body.len())?;
    output.flush()
}

/// A message that wants no answer.
pub fn notification(method: &str, params: Json) -> Json {
    json!({ "jsonrpc": "2.0", "method": method, "params": params })
}

/// A message that wants an answer.
pub fn request(id: u64, method: &str, params: Json) -> Json {
    json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })
}

/// The answer to a request.
pub fn response(id: &Json, result: Json) -> Json {
    json!({ "jsonrpc": "2.0", "id": id, "result": result })
}

/// The answer to a request that cannot be met.
pub fn failure(id: &Json, code: i32, message: &str) -> Json {
    json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": message } })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_read_back() {
        let messages = [notification("a", json!({ "text": "ä\n" })), request(3, "b", Json::Null)];
        let mut bytes = Vec::new();
        messages.iter().for_each(|message| write(&mut bytes, message).unwrap());
        let mut input = &bytes[..];
        assert_eq!(read(&mut input).unwrap().as_ref(), Some(&messages[0]));
        assert_eq!(read(&mut input).unwrap().as_ref(), Some(&messages[1]));
        assert_eq!(read(&mut input).unwrap(), None);
    }

    #[test]
    fn nonsense_is_an_error() {
        for text in ["no header\r\n\r\n", "Content-Length: x\r\n\r\n", "Content-Length: 3\r\n\r\n{", "\r\n"] {
            assert!(read(&mut text.as_bytes()).is_err(), "{text:?}");
        }
    }
}
