"""A real store for tests, from wherever there is one."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

import pytest

from capicua.store.embedded_store import EmbeddedStore, server_binary

IMAGE = "valkey/valkey:9"


@asynccontextmanager
async def real_store(folder: Path) -> AsyncIterator[str]:
    """URL of a store: CAPICUA_TEST_REDIS_URL, else the embedded one (its server from the package or from PATH),
    else a container. Without any the test is skipped, but fails where CI=true."""
    if url := os.environ.get("CAPICUA_TEST_REDIS_URL"):
        yield url
        return
    try:
        server_binary()
    except RuntimeError as missing:
        with _container(str(missing)) as url:
            yield url
        return
    async with EmbeddedStore(folder) as url:
        yield url


@contextmanager
def _container(missing: str) -> Iterator[str]:
    if not (os.environ.get("DOCKER_HOST") or Path("/var/run/docker.sock").exists()):
        words = f"{missing}; and there is no Docker to run {IMAGE} with"
        if os.environ.get("CI") == "true":
            pytest.fail(words)
        pytest.skip(words)
    from testcontainers.core.container import DockerContainer

    with DockerContainer(IMAGE).with_exposed_ports(6379) as container:
        yield f"redis://{container.get_container_host_ip()}:{container.get_exposed_port(6379)}"
