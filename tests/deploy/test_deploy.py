"""The files of deploy/ are what they claim to be, and start what there is."""

from __future__ import annotations

import shutil
import subprocess
import sys
from dataclasses import fields
from pathlib import Path
from typing import Any

import kubernetes_validate
import pytest
import yaml

from capicua.cli.main import _parser
from capicua.cli.roles import ROLES
from capicua.runtime.settings import ServeSettings
from kit.deployments import (
    COMPOSE,
    DEPLOY,
    KUBERNETES,
    Started,
    by_compose,
    by_image,
    by_kubernetes,
    deployments,
    dockerfile,
    instruction,
)

SETTINGS = {f"CAPICUA_{setting.name.upper()}": setting for setting in fields(ServeSettings)}
STARTED = [by_image(), *by_compose(), *by_kubernetes()]


@pytest.mark.parametrize("started", STARTED, ids=lambda started: started.name)
def test_what_is_started_is_understood(started: Started, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every command and every variable is one that `capicua` has."""
    environment = by_image().environment | started.environment
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    chosen = _parser().parse_args(started.arguments)

    ours = {name: value for name, value in environment.items() if name.startswith("CAPICUA_")}
    assert ours.keys() <= SETTINGS.keys()
    for name, value in ours.items():
        assert str(getattr(chosen, SETTINGS[name].name)) in (value, f"{value}.0")


@pytest.mark.parametrize(
    ("name", "value"), [("LOG_FORMAT", "jsn"), ("LISTEN", "7600"), ("BOT_FILL", "soon"), ("METRICS", "here")]
)
def test_a_variable_that_means_nothing_is_refused(name: str, value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A slip in a file of deploy/ does not go by as the default."""
    monkeypatch.setenv(f"CAPICUA_{name}", value)

    with pytest.raises(SystemExit):
        _parser().parse_args(["serve"])


def test_every_service_is_deployed() -> None:
    """Each role of `capicua serve` has its place in the compose file and in Kubernetes."""
    wanted = sorted(["serve", role] for role in ROLES)

    assert sorted(started.arguments for started in by_compose()) == wanted
    assert sorted(started.arguments for started in by_kubernetes()) == wanted
    assert deployments().keys() == ROLES.keys()


def test_the_compose_file_is_one() -> None:
    """It follows the schema of the Compose Specification."""
    tool = Path(sys.executable).with_name("check-jsonschema")
    done = subprocess.run(
        [tool, "--builtin-schema", "vendor.compose-spec", COMPOSE], capture_output=True, text=True, timeout=50
    )

    assert done.returncode == 0, done.stdout


def test_the_image_is_made_of_files_that_are_there() -> None:
    """What is copied exists and is not ignored; the server runs as nobody special and is looked after."""
    lines = (DEPLOY / "Dockerfile.dockerignore").read_text().splitlines()
    shown = [line.removeprefix("!") for line in lines if line.startswith("!")]
    copied = [
        source
        for step in dockerfile().structure
        if step["instruction"] == "COPY" and "--from" not in step["value"]
        for source in step["value"].split()[:-1]
    ]

    assert "*" in lines
    assert sorted(copied) == sorted(shown)
    assert all((DEPLOY.parent / source).exists() for source in copied)
    assert int(instruction("USER")) > 0
    assert "/healthz" in instruction("HEALTHCHECK")
    listening = [by_image().environment[f"CAPICUA_{name}"] for name in ("LISTEN", "INTERNAL", "METRICS")]
    assert instruction("EXPOSE").split() == [address.rpartition(":")[2] for address in listening]


@pytest.fixture(scope="module", params=["base", "example", "example with TLS"])
def manifests(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """All that would be applied, as kustomize makes it."""
    kubectl = shutil.which("kubectl")
    if kubectl is None:
        pytest.skip("there is no kubectl to build them with")
    folder = tmp_path_factory.mktemp("deploy") / "k8s"
    shutil.copytree(KUBERNETES, folder)
    name, _, component = request.param.partition(" with ")
    if component:
        with (folder / name / "kustomization.yaml").open("a") as more:
            more.write("components: [../tls]\n")
    command = [kubectl, "kustomize", str(folder / name)]
    built = subprocess.run(command, capture_output=True, text=True, timeout=50, check=True).stdout
    return list(yaml.safe_load_all(built))


def test_manifests_are_what_kubernetes_takes(manifests: list[dict[str, Any]]) -> None:
    """Each follows the schema of its kind, and has no field that its kind has not."""
    for manifest in manifests:
        kubernetes_validate.validate(manifest, kubernetes_validate.latest_version(), strict=True)


def test_pods_are_probed_drained_and_kept_small(manifests: list[dict[str, Any]]) -> None:
    """Named ports exist, a pod has time to hand over, and nothing in it is root."""
    for manifest in (found for found in manifests if found["kind"] == "Deployment"):
        pod = manifest["spec"]["template"]["spec"]
        (server,) = pod["containers"]
        ports = {port["name"]: port["containerPort"] for port in server["ports"]}
        environment = by_image().environment
        probes = [server[f"{kind}Probe"]["httpGet"] for kind in ("startup", "liveness", "readiness")]

        assert {(probe["port"], probe["path"]) for probe in probes} == {("metrics", "/healthz"), ("metrics", "/readyz")}
        for name, setting in (("grpc", "LISTEN"), ("internal", "INTERNAL"), ("metrics", "METRICS")):
            assert ports.get(name) in (None, int(environment[f"CAPICUA_{setting}"].rpartition(":")[2]))
        assert pod["terminationGracePeriodSeconds"] > 30
        assert pod["securityContext"]["runAsUser"] == int(instruction("USER"))
        assert server["securityContext"]["readOnlyRootFilesystem"]
        assert {"cpu", "memory"} == server["resources"]["requests"].keys()


def test_selectors_find_what_they_are_for(manifests: list[dict[str, Any]]) -> None:
    """Every selector of a Service, a budget, a policy and an autoscaler names pods that are there."""
    specs = [(found["kind"], found["metadata"]["name"], found["spec"]) for found in manifests if "spec" in found]
    pods = [spec["template"]["metadata"]["labels"] for _, _, spec in specs if "template" in spec]
    scaled = {name: spec for kind, name, spec in specs if kind == "Deployment"}
    for kind, name, spec in specs:
        wanted = spec.get("podSelector") or spec.get("selector") or {}
        labels = wanted.get("matchLabels", wanted)
        assert any(labels.items() <= pod.items() for pod in pods), name
        if kind == "HorizontalPodAutoscaler":
            # Whoever applied a number of their own would undo what the autoscaler did.
            assert "replicas" not in scaled[spec["scaleTargetRef"]["name"]]
