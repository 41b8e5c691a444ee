//! A client of `tesuji mcp`, message by message.

use std::time::Instant;

use serde_json::{Value, json};

use crate::program::{Dialogue, TIMEOUT};

/// A dialogue with the program.
pub struct Session {
    program: Dialogue,
    next: u64,
    notifications: Vec<Value>,
}

impl Session {
    /// Starts the program with more arguments, and sends nothing.
    pub fn bare(arguments: &[&str]) -> Self {
        let arguments: Vec<&str> = ["mcp"].iter().chain(arguments).copied().collect();
        Self { program: Dialogue::start_with(&arguments), next: 1, notifications: Vec::new() }
    }

    /// Starts the program and greets it.
    pub fn start() -> Self {
        Self::start_with(&[])
    }

    /// The same with more arguments.
    pub fn start_with(arguments: &[&str]) -> Self {
        let mut session = Self::bare(arguments);
        session.initialize("2025-06-18");
        session
    }

    /// Greets the program, and returns its answer.
    pub fn initialize(&mut self, version: &str) -> Value {
        let client = json!({ "name": "test", "version": "1" });
        let response =
            self.ask("initialize", &json!({ "protocolVersion": version, "capabilities": {}, "clientInfo": client }));
        self.notify("notifications/initialized", &json!({}));
        response
    }

    /// Sends a request, and returns its id.
    pub fn send(&mut self, method: &str, parameters: &Value) -> u64 {
        let id = self.next;
        self.next += 1;
        let message = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": parameters });
        self.program.send(&[&message.to_string()]);
        id
    }

    /// Sends a notification.
    pub fn notify(&mut self, method: &str, parameters: &Value) {
        let message = json!({ "jsonrpc": "2.0", "method": method, "params": parameters });
        self.program.send(&[&message.to_string()]);
    }

    /// The message that answers a request; notifications before it are kept.
    fn message(&mut self, id: u64) -> Value {
        loop {
            let line = self.program.wait_for_line("");
            let message: Value = serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"));
            assert_eq!(message["jsonrpc"], "2.0");
            if message["id"] == id {
                return message;
            }
            self.notifications.push(message);
        }
    }

    /// The result of a request.
    #[track_caller]
    pub fn answer(&mut self, id: u64) -> Value {
        let message = self.message(id);
        assert!(message["error"].is_null(), "{message}");
        message["result"].clone()
    }

    /// Sends a request, and returns its result.
    #[track_caller]
    pub fn ask(&mut self, method: &str, parameters: &Value) -> Value {
        let id = self.send(method, parameters);
        self.answer(id)
    }

    /// The error code in the answer to a request.
    pub fn refused(&mut self, method: &str, parameters: &Value) -> i64 {
        let id = self.send(method, parameters);
        let message = self.message(id);
        message["error"]["code"].as_i64().unwrap_or_else(|| panic!("no error: {message}"))
    }

    /// Sends a call of a tool, with a token for progress.
    pub fn send_call(&mut self, tool: &str, arguments: &Value, token: Option<&str>) -> u64 {
        let mut parameters = json!({ "name": tool, "arguments": arguments });
        if let Some(token) = token {
            parameters["_meta"] = json!({ "progressToken": token });
        }
        self.send("tools/call", &parameters)
    }

    /// Calls a tool.
    #[track_caller]
    pub fn call(&mut self, tool: &str, arguments: &Value) -> Value {
        let id = self.send_call(tool, arguments, None);
        self.answer(id)
    }

    /// Calls a tool that succeeds, and returns its data.
    #[track_caller]
    pub fn data(&mut self, tool: &str, arguments: &Value) -> Value {
        let result = self.call(tool, arguments);
        assert_eq!(result["isError"], false, "{tool} {arguments}: {result:#}");
        result["structuredContent"].clone()
    }

    /// Calls a tool that refuses, and returns its text.
    #[track_caller]
    pub fn complaint(&mut self, tool: &str, arguments: &Value) -> String {
        let result = self.call(tool, arguments);
        assert_eq!(result["isError"], true, "{tool} {arguments}: {result:#}");
        assert!(result["structuredContent"].is_null(), "{result}");
        result["content"][0]["text"].as_str().expect("it is text").to_owned()
    }

    /// Repeats a call until it succeeds.
    #[track_caller]
    pub fn until_done(&mut self, tool: &str, arguments: &Value) {
        let begin = Instant::now();
        while self.call(tool, arguments)["isError"] == true {
            assert!(begin.elapsed() < TIMEOUT, "{tool} is refused");
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
    }

    /// The next message, which is a notification.
    pub fn notification(&mut self) -> Value {
        let line = self.program.wait_for_line("");
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"))
    }

    /// The notifications since the last call of this.
    pub fn take_notifications(&mut self) -> Vec<Value> {
        std::mem::take(&mut self.notifications)
    }

    /// Closes the input; whether the program then ends well.
    pub fn ends_well(mut self) -> bool {
        self.program.close_input();
        self.program.ends_well()
    }
}
