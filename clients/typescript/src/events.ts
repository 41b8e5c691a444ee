/** Server-sent events, read from the body of a response. */

/** An event: its `id`, empty if it has none, and its `data`. */
export interface ServerEvent {
  id: string;
  data: string;
}

/**
 * Reads events as they arrive. Comments, and fields that the service does not send, are skipped. A consumer that stops early
 * closes the connection.
 */
export async function* events(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent, void, undefined> {
  const reader = body.getReader();
  try {
    let id = "";
    let data: string[] = [];
    for await (const line of lines(reader)) {
      if (line === "") {
        if (data.length > 0) yield { id, data: data.join("\n") };
        data = [];
        continue;
      }
      const [field, value] = split(line);
      if (field === "data") data.push(value);
      else if (field === "id") id = value;
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

/** A line's field and value; one space after the colon is ignored. A comment has an empty field. */
function split(line: string): [field: string, value: string] {
  const colon = line.indexOf(":");
  return colon < 0 ? [line, ""] : [line.slice(0, colon), line.slice(colon + 1).replace(/^ /, "")];
}

/** The complete lines of a body; text after the last line break belongs to an event that was cut off, and is dropped. */
async function* lines(reader: ReadableStreamDefaultReader<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    // A carriage return at the end may be the first half of a line break.
    const parts = (rest + decoder.decode(value, { stream: true })).split(/\r\n|\n|\r(?!$)/);
    rest = parts.pop() ?? "";
    yield* parts;
  }
}
