"""TLS for clients: a certificate and its key, read again whenever their files change."""

from __future__ import annotations

import ssl
from pathlib import Path

import grpc
import structlog

logger = structlog.get_logger()


def server_credentials(cert: str, key: str) -> grpc.ServerCredentials | None:
    """Credentials from two PEM files, the certificate with its chain; None where neither is named.

    Raises ValueError, with a sentence for the operator, if they cannot be used.
    """
    if not cert and not key:
        return None
    if not cert or not key:
        raise ValueError("--tls-cert and --tls-key belong together: name both")
    files = _Files(Path(cert), Path(key))
    try:
        first = files.read()
    except OSError as failure:
        raise ValueError(f"no TLS with {cert} and {key}: {failure.strerror or failure}") from failure
    return grpc.dynamic_ssl_server_credentials(first, files.renewed)  # type: ignore[arg-type]  # None is allowed


class _Files:
    """A certificate that is renewed in place, as those who issue it for a short time do."""

    def __init__(self, cert: Path, key: Path) -> None:
        self._cert = cert
        self._key = key
        self._seen: tuple[int, int] | None = None

    def read(self) -> grpc.ServerCertificateConfiguration:
        """The two files as they are. Raises OSError if they cannot be read or do not belong together."""
        self._seen = self._changed()
        ssl.create_default_context(ssl.Purpose.CLIENT_AUTH).load_cert_chain(self._cert, self._key)
        return grpc.ssl_server_certificate_configuration([(self._key.read_bytes(), self._cert.read_bytes())])

    def renewed(self) -> grpc.ServerCertificateConfiguration | None:
        """The files if they have changed; None leaves all as it was. Asked at each handshake, by any thread."""
        try:
            return self.read() if self._changed() != self._seen else None
        except OSError as failure:
            logger.warning("certificate_not_renewed", error=failure.strerror or str(failure))
            return None

    def _changed(self) -> tuple[int, int]:
        return self._cert.stat().st_mtime_ns, self._key.stat().st_mtime_ns
