// A client with the TypeScript SDK: the same calls over standard input and output, and over HTTP.
// Usage: node typescript.js BINARY URL

import assert from "node:assert/strict";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const [binary, url] = process.argv.slice(2);

async function session(transport) {
  const client = new Client({ name: "test", version: "1" });
  await client.connect(transport);
  assert.equal(client.getServerVersion()?.name, "tesuji");

  // The SDK holds every result against its tool's schema.
  const { tools } = await client.listTools();
  assert.ok(tools.length >= 9);
  const call = (name, args, options) => client.callTool({ name, arguments: args }, undefined, options);

  const reports = [];
  const won = await call("best_move", { game: "connect-four", moves: ["4", "4"], time_ms: 300 });
  assert.equal(won.structuredContent.move, "4");
  const analysis = await call("analyze", { game: "gomoku", moves: ["h8"], time_ms: 1200 }, { onprogress: (report) => reports.push(report) });
  assert.equal(analysis.structuredContent.moves.length, 5);
  assert.ok(reports.length > 0 && reports.every(({ total }) => total === 1200));

  const refused = await call("play", { game: "hex", moves: ["z99"] });
  assert.ok(refused.isError && refused.content[0].text.includes("Legal moves"));

  const cancelled = new AbortController();
  setTimeout(() => cancelled.abort("enough"), 200);
  await assert.rejects(call("analyze", { game: "gomoku", time_ms: 30_000 }, { signal: cancelled.signal }));

  const { resources } = await client.listResources();
  const rules = await client.readResource({ uri: resources[0].uri });
  assert.ok(rules.contents[0].text.includes("How to play"));
  const { messages } = await client.getPrompt({ name: "play_against_me", arguments: { game: "reversi" } });
  assert.ok(messages[0].content.text.includes("Reversi"));
  await client.close();
}

await session(new StdioClientTransport({ command: binary, args: ["mcp"] }));
await session(new StreamableHTTPClientTransport(new URL(url)));
console.log("TypeScript SDK: two sessions");
process.exit(0);
