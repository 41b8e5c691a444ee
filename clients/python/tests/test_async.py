"""The asynchronous client against the real program."""

from __future__ import annotations

import asyncio
import time

import pytest

from tesuji import AsyncClient, Refused


async def busy(client: AsyncClient) -> None:
    """Waits until the service runs a search."""
    begin = time.monotonic()
    while (await client.cluster()).nodes[0].searches == 0:
        assert time.monotonic() - begin < 20, "no search has begun"


async def idle(client: AsyncClient) -> None:
    """Waits until it runs none."""
    begin = time.monotonic()
    while (await client.cluster()).nodes[0].searches > 0:
        assert time.monotonic() - begin < 20, "the search goes on"


def test_calls(url: str) -> None:
    async def calls() -> None:
        async with AsyncClient(url) as tesuji:
            found = await tesuji.search(game="connect-four", moves=["44"], budget={"nodes": 1000})
            assert found.move == found.children[0].move
            together = await asyncio.gather(
                *(tesuji.search(game="reversi", budget={"depth": depth}) for depth in (2, 3, 4))
            )
            assert [one.status for one in together] == ["done"] * 3
            with pytest.raises(Refused):
                await tesuji.position(game="reversi", moves=["a1"])
            batch = await tesuji.batch(searches=[{"game": "reversi", "budget": {"depth": 2}}])
            assert batch.status == "done"
            review = await tesuji.review(game="tic-tac-toe", moves=["b2"], budget={"simulations": 100})
            assert review.status == "done"

    asyncio.run(calls())


def test_jobs(url: str) -> None:
    async def jobs() -> None:
        async with AsyncClient(url) as tesuji:
            job = await tesuji.start_batch(searches=[{"game": "xiangqi", "budget": {"time_ms": 60_000}}])
            assert job.id in [one.id async for one in tesuji.jobs(kind="batch", status=["queued", "running"])]
            assert [one.status for one in await tesuji.cancel_jobs(kind="batch")] == ["cancelled"]

    asyncio.run(jobs())


def test_stream(url: str) -> None:
    async def streams() -> None:
        async with AsyncClient(url) as tesuji:
            request = tesuji.stream_search(game="gomoku", budget={"time_ms": 3000}, report={"interval_ms": 50})
            async with request as messages:
                statuses = [message.status async for message in messages]
            assert statuses[0] == "queued" and statuses[-1] == "done" and "running" in statuses
            async with tesuji.stream_search(game="xiangqi", budget={"time_ms": 60_000}) as messages:
                async for message in messages:
                    if message.status == "running":
                        break
            await idle(tesuji)

    asyncio.run(streams())


@pytest.mark.parametrize("kind", ["search", "review"])
def test_a_cancelled_task_stops_its_search(url: str, kind: str) -> None:
    async def cancelled() -> None:
        async with AsyncClient(url) as tesuji:
            task: asyncio.Task[object]
            if kind == "search":
                task = asyncio.create_task(tesuji.search(game="xiangqi", budget={"time_ms": 60_000}))
            else:
                request = tesuji.review(game="gomoku", moves=["h8", "h9", "g8"], budget={"time_ms": 60_000})
                task = asyncio.create_task(request)
            await busy(tesuji)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            await idle(tesuji)

    asyncio.run(cancelled())


def test_job(url: str) -> None:
    async def jobs() -> None:
        async with AsyncClient(url) as tesuji:
            job = await tesuji.start_search(game="xiangqi", budget={"time_ms": 60_000})
            async for message in job.follow():
                if message.status == "running":
                    break
            await job.cancel()
            assert (await job.result()).status == "cancelled"

    asyncio.run(jobs())
