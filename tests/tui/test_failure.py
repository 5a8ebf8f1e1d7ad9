"""Every failure is a sentence in the player's language that says what to do."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager

import grpc
import pytest
import trustme

from capicua.api.v1.error_reason_pb2 import ErrorReason
from capicua.client import Refused, Unreachable, connect
from capicua.store.memory_store import MemoryStore
from capicua.tui.failure import SENTENCES, sentence
from capicua.tui.words import LANGUAGES, isolated, speak
from kit.gateway import server_here

Elsewhere = Callable[[], AbstractAsyncContextManager[str]]


@pytest.fixture(autouse=True)
def english() -> None:
    """A test that speaks another language leaves it to no other."""
    speak("en")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_reason_has_a_sentence(language: str) -> None:
    """All of `error_reason.proto`: another one in each language, with a full stop, and without our names for things."""
    assert sorted(SENTENCES) == sorted(ErrorReason.values())
    for reason in ErrorReason.values():
        speak("en")
        english = sentence(Refused(reason, "internal words"), "example.org:7600")
        speak(language)
        told = sentence(Refused(reason, "internal words"), "example.org:7600")

        assert told.rstrip("\u2069").endswith(".")
        assert (told == english) == (language == "en")
        assert "internal words" not in told
        assert ErrorReason.Name(reason) not in told


def test_a_reason_of_a_newer_server_is_explained_too() -> None:
    """New reasons may come: the client says that it does not know this one."""
    unknown: ErrorReason.ValueType = 9_999  # type: ignore[assignment]

    assert "unknown to this client" in sentence(Refused(unknown, ""), "example.org:7600")


async def test_who_asks_too_often_is_told_the_wait() -> None:
    """RATE_LIMITED with RetryInfo, from a real server."""
    async with server_here(MemoryStore()) as server, connect(server.address, name="Ana") as client:
        asked = await asyncio.gather(*(client.list_tables() for _ in range(200)), return_exceptions=True)
        told = sentence(next(answer for answer in asked if isinstance(answer, Refused)), server.address)

        assert told.startswith("That was too often. Try again in ")
        assert any(digit in told for digit in "123456789")


@asynccontextmanager
async def nowhere() -> AsyncIterator[str]:
    """A port that nobody listens at."""
    server = await asyncio.start_server(lambda _reader, _writer: None, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    server.close()
    await server.wait_closed()
    yield f"127.0.0.1:{port}"


@asynccontextmanager
async def unnamed() -> AsyncIterator[str]:
    """A name that no machine has (RFC 2606)."""
    yield "capicua.invalid:7600"


@asynccontextmanager
async def web() -> AsyncIterator[str]:
    """A server of something else."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(1)
        writer.write(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")
        writer.close()

    async with await asyncio.start_server(answer, "127.0.0.1", 0) as server:
        yield f"127.0.0.1:{server.sockets[0].getsockname()[1]}"


@asynccontextmanager
async def old() -> AsyncIterator[str]:
    """A gRPC server that knows none of our calls."""
    server = grpc.aio.server()
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    yield f"127.0.0.1:{port}"
    await server.stop(0)


@asynccontextmanager
async def encrypted() -> AsyncIterator[str]:
    """A server with a certificate of nobody known."""
    certificate = trustme.CA().issue_cert("localhost")
    pair = (certificate.private_key_pem.bytes(), certificate.cert_chain_pems[0].bytes())
    server = grpc.aio.server()
    port = server.add_secure_port("localhost:0", grpc.ssl_server_credentials([pair]))
    await server.start()
    yield f"localhost:{port}"
    await server.stop(0)


@pytest.mark.parametrize(
    ("where", "tls", "told"),
    [
        (nowhere, False, "No server answers at"),
        (nowhere, True, "No server answers at"),
        (unnamed, False, "There is no server called"),
        (web, False, "wants encryption, or is no Capicua server"),
        (old, False, "is older than this client"),
        (old, True, "Switch encryption off"),
        (encrypted, False, "Try it with encryption"),
        (encrypted, True, "cannot prove its name"),
    ],
)
async def test_what_answers_is_no_server_of_ours(where: Elsewhere, tls: bool, told: str) -> None:
    """Wrong address, old server, TLS on one side alone: each has its own advice, with the address."""
    async with where() as address:
        with pytest.raises(Unreachable) as unreachable:
            async with connect(address, name="Ana", tls=tls):
                pass
        said = sentence(unreachable.value, address)

        assert told in said
        assert isolated(address) in said
