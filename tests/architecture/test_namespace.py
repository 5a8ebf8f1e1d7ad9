"""The namespace `capicua` is shared by four source roots; one stray file in it would hide the others."""

from pathlib import Path

ROOT = Path(__file__).parents[2]
PORTIONS = [ROOT / name / "capicua" for name in ("engine", "services", "clients", "protos/gen")]


def test_no_module_lies_directly_in_the_namespace() -> None:
    """An `__init__.py` in any portion makes the other portions vanish from the import system."""
    strays = [str(path) for portion in PORTIONS for path in portion.glob("*.py")]

    assert strays == []


def test_every_package_is_typed() -> None:
    """Users' type checkers read our hints only where `py.typed` lies."""
    packages = [
        path for portion in PORTIONS for path in portion.iterdir() if path.is_dir() and path.name != "__pycache__"
    ]
    untyped = [str(path) for path in packages if not (path / "py.typed").is_file()]

    assert packages
    assert untyped == []
