"""TLS between clients and the server, with certificates of an authority of the test's own."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
import trustme

from capicua.bots import play
from capicua.client import Unreachable, connect
from capicua.runtime.tls import server_credentials
from kit.server import ServerProcess
from kit.terminal import capicua


class Certified:
    """A server with TLS, and the files it reads."""

    def __init__(self, folder: Path) -> None:
        self.authority = trustme.CA()
        self.authority_file = folder / "authority.pem"
        self.authority.cert_pem.write_to_path(self.authority_file)
        self._cert, self._key = folder / "cert.pem", folder / "key.pem"
        self.issue()
        options = ["--tls-cert", str(self._cert), "--tls-key", str(self._key), "--bot-fill", "0.1", "--bot-pause", "0"]
        self.server = ServerProcess(folder, options)

    def issue(self, name: str = "127.0.0.1", authority: trustme.CA | None = None) -> None:
        """Put a new certificate in place of the old one."""
        issued = (authority or self.authority).issue_cert(name)
        # The key first: what is read in between is no pair, and the old pair stays.
        issued.private_key_pem.write_to_path(self._key)
        self._cert.write_bytes(b"".join(blob.bytes() for blob in issued.cert_chain_pems))


@pytest.fixture(scope="module")
def certified(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Certified]:
    """One server for all tests."""
    made = Certified(tmp_path_factory.mktemp("server"))
    with made.server:
        yield made


async def test_a_game_is_played_over_tls(certified: Certified) -> None:
    """The client trusts the authority it is given; the bots of the server need none."""
    trusted = certified.authority.cert_pem.bytes()
    async with connect(certified.server.address, name="Ana", tls=trusted) as ana:
        seat = await ana.quick_match("block", seats=2)
        game = await ana.watch(seat.game_id)
        await play(game)

    assert game.finished


@pytest.mark.parametrize("tls", [False, True, trustme.CA().cert_pem.bytes()], ids=["none", "system", "stranger"])
async def test_who_does_not_trust_the_certificate_gets_no_connection(certified: Certified, tls: bool | bytes) -> None:
    """Neither in plain text, nor with other authorities."""
    with pytest.raises(Unreachable):
        async with connect(certified.server.address, name="Ana", tls=tls):
            pass


async def test_a_new_certificate_is_used_without_a_restart(certified: Certified) -> None:
    """Certificates live shorter than servers; a file that is no certificate changes nothing."""
    another = trustme.CA()
    certified.issue(authority=another)
    async with connect(certified.server.address, name="Ana", tls=another.cert_pem.bytes()):
        pass
    (certified.server.data / "cert.pem").write_text("half a certifi")
    async with connect(certified.server.address, name="Ana", tls=another.cert_pem.bytes()):
        pass
    certified.issue()
    async with connect(certified.server.address, name="Ana", tls=certified.authority.cert_pem.bytes()):
        pass


async def test_the_terminal_speaks_tls(certified: Certified) -> None:
    """`--tls` trusts what gRPC trusts, and that can be told."""
    play_it = ("play", "--server", certified.server.address, "--variant", "block")
    trusted = {"GRPC_DEFAULT_SSL_ROOTS_FILE_PATH": str(certified.authority_file)}
    done, plain = await asyncio.gather(
        asyncio.to_thread(capicua, *play_it, "--tls", typed="q\n", **trusted),
        asyncio.to_thread(capicua, *play_it, typed="q\n"),
    )

    assert (done.returncode, "You left" in done.stdout) == (0, True), done.stderr
    assert (plain.returncode, len(plain.stderr.splitlines())) == (1, 1)


@pytest.mark.parametrize(
    ("cert", "key", "why"),
    [
        ("cert.pem", "", "belong together"),
        ("cert.pem", "cert.pem", "no TLS with"),
        ("cert.pem", "nowhere.pem", "No such file"),
    ],
)
def test_files_that_will_not_do_are_one_sentence(tmp_path: Path, cert: str, key: str, why: str) -> None:
    """The server does not start without the TLS it was asked for."""
    trustme.CA().cert_pem.write_to_path(tmp_path / "cert.pem")

    with pytest.raises(ValueError, match=why):
        server_credentials(str(tmp_path / cert), str(tmp_path / key) if key else "")
