/** A service that is full, or that limits its clients, is asked again when it says so; broken streams go on. */

import { strict as assert } from "node:assert";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type TestContext, test } from "node:test";
import { Client, type SearchRequest } from "../dist/index.js";
import { startService } from "./service.js";

test("a full service is asked again after the seconds that it names", async (t) => {
  const service = await startService("--max-searches", "1");
  t.after(() => service.stop());
  const statuses: number[] = [];
  const patient = new Client(service.url, { retries: 20, fetch: noting(statuses) });
  const job = await patient.startSearch({ game: "xiangqi", budget: { time_ms: 60_000 } });

  const hurried = new Client(service.url, { retries: 0 });
  await assert.rejects(hurried.search({ game: "hex" }), { name: "ProblemError", code: "overloaded", retryAfter: 1 });
  await assert.rejects(hurried.ready(), { name: "ProblemError", status: 503 });

  const search = patient.search({ game: "reversi", budget: { depth: 2 } });
  while (!statuses.includes(503)) await new Promise((resolve) => setTimeout(resolve, 20));
  await job.cancel();
  assert.equal((await search).status, "done");
  assert.equal(statuses.at(-1), 200);
});

test("a quota is waited for, unless that takes too long", async (t) => {
  // One search spends what there is. On a busy machine it takes longer, and the quota must not have grown back by then.
  const service = await startService("--quota-ms-per-s", "25", "--quota-burst-ms", "110");
  t.after(() => service.stop());
  const statuses: number[] = [];
  const tesuji = new Client(service.url, { fetch: noting(statuses) });
  const search: SearchRequest = { game: "hex", budget: { cpu_ms: 100 } };
  await tesuji.search(search);
  assert.equal((await tesuji.search(search)).status, "done");
  assert.ok(statuses.includes(429), String(statuses));

  const hurried = new Client(service.url, { longestWait: 0 });
  await assert.rejects(hurried.search(search), { name: "ProblemError", code: "quota_exceeded" });
});

test("aborting a signal ends a wait", async (t) => {
  const url = await listen(t, (_, response) => refuse(response, 25));
  const stop = new AbortController();
  const search = new Client(url).search({ game: "hex" }, { signal: stop.signal });
  setTimeout(() => stop.abort(), 50);
  await assert.rejects(search, { name: "AbortError" });
});

test("no more than `retries` times", async (t) => {
  let asked = 0;
  const url = await listen(t, (_, response) => {
    asked += 1;
    refuse(response, 0);
  });
  await assert.rejects(new Client(url, { retries: 3 }).games(), { name: "ProblemError", status: 503, retryAfter: 0 });
  assert.equal(asked, 4);
});

test("what is no answer of the service is told apart", async (t) => {
  const url = await listen(t, (_, response) => response.writeHead(502, { "Content-Type": "text/html" }).end("<p>Bad gateway"));
  await assert.rejects(new Client(url).games(), { name: "UnexpectedAnswer", status: 502, text: "<p>Bad gateway" });
});

test("a stream that ends without its final message is an error", async (t) => {
  const url = await listen(t, (_, response) => response.writeHead(200, EVENTS).end('id: 0\ndata: {"final":false}\n\n'));
  const stream = new Client(url).streamSearch({ game: "hex" });
  assert.equal((await stream.next()).done, false);
  await assert.rejects(stream.next(), { name: "StreamInterrupted" });
});

test("a search that failed on the server is an error with its last message", async (t) => {
  const last = 'id: 1\ndata: {"id":"X","status":"failed","final":true}\n\n';
  const url = await listen(t, (_, response) => response.writeHead(200, EVENTS).end(last));
  await assert.rejects(new Client(url).streamSearch({ game: "hex" }).next(), (error: { name: string; last: { id: string } }) => {
    return error.name === "SearchFailed" && error.last.id === "X";
  });
});

test("following a job goes on where the connection broke", async (t) => {
  const service = await startService();
  t.after(() => service.stop());
  let connections = 0;
  const resumed: (string | undefined)[] = [];
  // Between client and service, and cuts the first stream in its middle.
  const url = await listen(t, (incoming, response) => {
    const { method, url: path, headers } = incoming;
    const passed = request(service.url + path, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      const cut = path?.endsWith("/events") && (connections += 1) === 1;
      if (path?.endsWith("/events")) resumed.push(headers["last-event-id"] as string | undefined);
      let events = 0;
      answer.on("data", (chunk) => {
        response.write(chunk);
        events += 1;
        if (cut && events === 2) setTimeout(() => response.destroy(), 20);
      });
      answer.on("end", () => response.end());
    });
    incoming.pipe(passed);
  });
  const job = await new Client(url).startSearch({ game: "gomoku", budget: { time_ms: 4000 }, report: { interval_ms: 50 } });
  const numbers: number[] = [];
  for await (const { seq } of job.follow()) numbers.push(seq);
  assert.equal(connections, 2);
  assert.equal(resumed[0], undefined);
  assert.match(resumed[1] ?? "", /^\d+$/);
  assert.deepEqual(numbers, [...new Set(numbers)].sort((a, b) => a - b));
});

const EVENTS = { "Content-Type": "text/event-stream" };

/** `fetch`, with a note of each status. */
function noting(statuses: number[]): typeof fetch {
  return async (...call) => {
    const response = await fetch(...call);
    statuses.push(response.status);
    return response;
  };
}

/** Answers as a service that is full. */
function refuse(response: ServerResponse, seconds: number): void {
  const problem = { type: "/problems/overloaded", title: "Overloaded", status: 503, detail: "full", code: "overloaded", errors: [], request_id: null };
  response.writeHead(503, { "Content-Type": "application/problem+json", "Retry-After": String(seconds) }).end(JSON.stringify(problem));
}

/** A server of the test's own. */
async function listen(t: TestContext, answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
