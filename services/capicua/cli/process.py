"""What every server process has: a store, a clock, a name in the installation."""

from __future__ import annotations

import socket
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path

import structlog

from capicua.cli import metrics
from capicua.links.directory import Directory
from capicua.links.leases import Leases
from capicua.links.link_server import Handler, LinkServer, link_token
from capicua.runtime.clock import StoreClock
from capicua.runtime.probes import Probes
from capicua.runtime.settings import ServeSettings, data_folder
from capicua.store.archive import Archive
from capicua.store.open_archive import archive_in, open_archive
from capicua.store.redis_store import RedisStore
from capicua.store.store import FINISHED_SECONDS

logger = structlog.get_logger()


class Process:
    """One process of an installation of several. Whatever is begun here ends with `stack`, in reverse order."""

    def __init__(
        self,
        role: str,
        settings: ServeSettings,
        store: RedisStore,
        secret: bytes,
        stack: AsyncExitStack,
        probes: Probes,
        name: str,
    ) -> None:
        self.settings = settings
        self.store = store
        self.stack = stack
        self.probes = probes
        self.clock = StoreClock()
        self.token = link_token(secret)
        self._role = role
        self._secret = secret
        self._name = name

    async def directory(self) -> Directory:
        """Where the other processes are."""
        directory = Directory(self.store)
        await directory.start()
        self.stack.callback(directory.stop)
        return directory

    def archive(self) -> Archive | None:
        """Where finished games go; None where there is a store of one's own but no archive to it.

        Raises as `open_archive` does.
        """
        settings = self.settings
        url = settings.archive or ("" if settings.store else archive_in(Path(settings.data or data_folder())))
        if not url:
            logger.info("no_archive", days_kept=FINISHED_SECONDS // (24 * 3600))
            return None
        archive = open_archive(url)
        self.stack.push_async_callback(archive.close)
        return archive

    async def listen(self, handlers: dict[str, Handler]) -> str:
        """Answer calls of other processes; gives the address they find us at."""
        server = LinkServer(handlers, self._secret)
        port = await server.start(self.settings.internal)
        self.stack.push_async_callback(server.stop)
        return self.advertised(f"{self.settings.internal.rpartition(':')[0]}:{port}")

    def advertised(self, listening: str) -> str:
        """The address at which others reach what listens there."""
        own, _, port = listening.rpartition(":")
        host = self.settings.advertise or own
        if host in ("", "0.0.0.0", "[::]"):
            host = socket.gethostbyname(socket.gethostname())
        return f"{host}:{port}"

    def leases(self, address: str, shards: int = 0, *, alone: bool = False) -> Leases:
        """Membership with our share of `shards`; to be started when we are ready to serve."""
        leases = Leases(
            self.store,
            self.clock,
            role=self._role,
            name=self._name,
            address=address,
            shards=shards,
            seconds=self.settings.lease,
            alone=alone,
        )
        self.probes.show(partial(metrics.of_leases, leases))
        return leases
