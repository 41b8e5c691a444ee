"""A client with the Python SDK: the same calls over standard input and output and over HTTP, in both forms of the protocol.

Usage: python.py BINARY URL
"""

import asyncio
import sys

from mcp import Client, StdioServerParameters
from mcp.client.client import ConnectMode

BINARY, URL = sys.argv[1:]


async def session(server: StdioServerParameters | str, mode: ConnectMode) -> str:
    async with Client(server, mode=mode) as client:
        assert client.server_info is not None and client.server_info.name == "tesuji"
        assert {tool.name for tool in (await client.list_tools()).tools} >= {"play", "best_move", "analyze", "review_game"}

        reports: list[float] = []

        async def progress(done: float, _total: float | None, _message: str | None) -> None:
            reports.append(done)

        arguments = {"game": "gomoku", "moves": ["h8", "i9"], "time_ms": 1200}
        analysis = await client.call_tool("analyze", arguments, progress_callback=progress)
        assert analysis.structured_content is not None and len(analysis.structured_content["moves"]) == 5
        assert reports and reports == sorted(set(reports))

        refused = await client.call_tool("play", {"game": "reversi", "moves": ["a1"]})
        assert refused.is_error and "Legal moves" in refused.content[0].text
        played = await client.call_tool("play", {"game": "reversi", "moves": ["f5"]})
        assert not played.is_error and played.structured_content["to_move"] == "second"

        # A cancelled call leaves the session usable.
        try:
            await asyncio.wait_for(client.call_tool("analyze", {"game": "gomoku", "time_ms": 30_000}), 0.3)
            raise AssertionError("it thinks for 30 s")
        except TimeoutError:
            pass

        rules = await client.read_resource("rules://xiangqi/zh")
        assert "象棋" in rules.contents[0].text
        prompt = await client.get_prompt("explain_game", {"game": "hex"})
        assert "Hex" in prompt.messages[0].content.text
        return client.protocol_version


async def main() -> None:
    versions = [
        await session(server, mode)
        for mode in ("legacy", "auto")
        for server in (StdioServerParameters(command=BINARY, args=["mcp"]), f"{URL}/mcp")
    ]
    print(f"Python SDK: {len(versions)} sessions ({', '.join(versions)})")


asyncio.run(main())
