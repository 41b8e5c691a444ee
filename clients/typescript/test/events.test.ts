/** Server-sent events, however they are cut into pieces. */

import { strict as assert } from "node:assert";
import { test } from "node:test";
import { events } from "../dist/events.js";

/** Reads a text that comes in pieces of some bytes. */
async function read(text: string, size: number): Promise<{ id: string; data: string }[]> {
  const bytes = new TextEncoder().encode(text);
  const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) => bytes.slice(index * size, (index + 1) * size));
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const piece = pieces.shift();
      if (piece) controller.enqueue(piece);
      else controller.close();
    },
  });
  const found = [];
  for await (const event of events(body)) found.push(event);
  return found;
}

for (const [name, end] of [["line feeds", "\n"], ["carriage returns and line feeds", "\r\n"]] as const) {
  test(`events with ${name}, in pieces of any size`, async () => {
    const text = [": a comment", "", "id: 1", 'data: {"move":"炮二平五"}', "", "data:two", "data: lines", "id: 2", "retry: 5", "", "data: cut off"].join(end);
    for (let size = 1; size <= text.length; size += 1) {
      assert.deepEqual(await read(text, size), [{ id: "1", data: '{"move":"炮二平五"}' }, { id: "2", data: "two\nlines" }]);
    }
  });
}

test("a consumer that stops early closes the body", async () => {
  let cancelled = false;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode("data: 1\n\ndata: 2\n\n")),
    cancel: () => void (cancelled = true),
  });
  for await (const { data } of events(body)) if (data === "1") break;
  assert.ok(cancelled);
});
