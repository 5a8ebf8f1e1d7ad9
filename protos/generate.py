"""Generate the Python code of all protos into gen/; `--check` says whether it is up to date."""

from __future__ import annotations

import filecmp
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
GEN = HERE / "gen"


def generate(out: Path) -> None:
    """Write fresh code below `out`; a portion of the namespace `capicua` needs `py.typed` in each package."""
    protos = sorted(str(path.relative_to(HERE)) for path in (HERE / "capicua").rglob("*.proto"))
    services = [name for name in protos if name.endswith("_service.proto")]
    # The plugins lie beside the interpreter, which need not be on PATH.
    environment = os.environ | {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}

    def protoc(*arguments: str) -> None:
        command = [sys.executable, "-m", "grpc_tools.protoc", "-I.", *arguments]
        subprocess.run(command, cwd=HERE, env=environment, check=True)

    protoc(f"--python_out={out}", f"--mypy_out={out}", *protos)
    protoc(f"--grpc_python_out={out}", f"--mypy_grpc_out={out}", *services)
    for package in (out / "capicua").iterdir():
        for folder in (package, package / "v1"):
            (folder / "__init__.py").touch()
        (package / "py.typed").touch()


def stale(fresh: Path) -> list[str]:
    """Names of generated files that differ between `fresh` and gen/, or exist in one only."""

    def files(root: Path) -> set[Path]:
        return {p.relative_to(root) for p in root.rglob("*") if p.is_file() and "__pycache__" not in p.parts}

    names = files(fresh) | files(GEN)
    return sorted(
        str(name)
        for name in names
        if not ((fresh / name).is_file() and (GEN / name).is_file())
        or not filecmp.cmp(fresh / name, GEN / name, shallow=False)
    )


def main() -> int:
    """Return 0 when gen/ is as it should be."""
    with tempfile.TemporaryDirectory() as folder:
        fresh = Path(folder)
        generate(fresh)
        if "--check" in sys.argv[1:]:
            changed = stale(fresh)
            for name in changed:
                print(f"protos/gen/{name} is out of date: run `make protos`", file=sys.stderr)
            return 1 if changed else 0
        shutil.rmtree(GEN, ignore_errors=True)
        shutil.copytree(fresh, GEN)
    return 0


if __name__ == "__main__":
    sys.exit(main())
