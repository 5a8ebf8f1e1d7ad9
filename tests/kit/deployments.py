"""The files of deploy/ as data: what they would run, and in which environment."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml
from dockerfile_parse import DockerfileParser

DEPLOY = Path(__file__).parents[2] / "deploy"
COMPOSE = DEPLOY / "compose.yaml"
KUBERNETES = DEPLOY / "k8s"


@dataclass(frozen=True)
class Started:
    """One `capicua` that a file would start."""

    name: str
    arguments: list[str]
    environment: dict[str, str] = field(default_factory=dict)


def documents(path: Path) -> list[dict[str, Any]]:
    """Every document of a YAML file."""
    return list(yaml.safe_load_all(path.read_text()))


def dockerfile() -> DockerfileParser:
    """The image's recipe. Nothing is written."""
    return DockerfileParser(str(DEPLOY / "Dockerfile"))


def instruction(word: str) -> str:
    """The last instruction of that kind in the Dockerfile."""
    return str([step["value"] for step in dockerfile().structure if step["instruction"] == word][-1])


def by_image() -> Started:
    """What the image starts when nobody says more."""
    assert json.loads(instruction("ENTRYPOINT")) == ["capicua"]
    return Started("image", json.loads(instruction("CMD")), dict(dockerfile().envs))


def by_compose() -> list[Started]:
    """What each service of the compose file starts."""
    services = documents(COMPOSE)[0]["services"]
    return [
        Started(f"compose {name}", service["command"], dict(service["environment"]))
        for name, service in services.items()
        if service["image"] == "capicua"
    ]


def by_kubernetes() -> list[Started]:
    """What each Deployment starts, patches and all Components included."""
    pod = documents(KUBERNETES / "base" / "pod.yaml")[0]
    config = documents(KUBERNETES / "base" / "kustomization.yaml")[0]["configMapGenerator"][0]
    secret = documents(KUBERNETES / "example" / "kustomization.yaml")[0]["secretGenerator"][0]
    given = dict(literal.split("=", 1) for literal in (*config["literals"], *secret["literals"]))
    for patch in (pod, *documents(KUBERNETES / "tls" / "gateway.yaml")):
        given |= {variable["name"]: variable.get("value", "10.0.0.1") for variable in _server(patch)["env"]}
    return [Started(f"kubernetes {name}", _server(found)["args"], given) for name, found in deployments().items()]


def deployments() -> dict[str, dict[str, Any]]:
    """The Deployments of the base by name, before its patches."""
    base = KUBERNETES / "base"
    resources = documents(base / "kustomization.yaml")[0]["resources"]
    found = [document for name in resources for document in documents(base / name)]
    return {document["metadata"]["name"]: document for document in found if document["kind"] == "Deployment"}


def _server(deployment: dict[str, Any]) -> dict[str, Any]:
    (container,) = deployment["spec"]["template"]["spec"]["containers"]
    assert container["name"] == "server"
    return dict(container)
