"""The files for a hosted CI and for containers fit their schemas, the project and each other."""

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import typer
from ruamel.yaml import YAML

from threespan import cli
from threespan.core.options import split_settings
from threespan.server.settings import read_settings

ROOT = Path(__file__).parents[2]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
FORMS = sorted(set((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml")) - {ROOT / ".github/ISSUE_TEMPLATE/config.yml"})
COMPOSE, DOCKERFILE, CADDYFILE = ROOT / "compose.yaml", ROOT / "Dockerfile", ROOT / "deploy" / "Caddyfile"
IMAGE = re.compile(r"[a-z]+:[a-z0-9.-]+")  # a name and a version, without the host of a registry


def read(file: Path) -> Any:
    return YAML(typ="safe").load(file.read_text("utf-8"))


def instructions() -> list[tuple[str, str]]:
    """The instructions of the Dockerfile with their arguments, each on one line."""
    text = re.sub(r"^#.*\n", "", DOCKERFILE.read_text("utf-8"), flags=re.MULTILINE)
    lines = re.sub(r"\\\n\s*", "", text).splitlines()
    return [(name, rest) for name, _, rest in (line.partition(" ") for line in lines) if name]


@pytest.mark.parametrize(
    ("schema", "files"),
    [
        ("vendor.github-workflows", WORKFLOWS),
        ("vendor.github-issue-forms", FORMS),
        ("vendor.github-issue-config", [ROOT / ".github/ISSUE_TEMPLATE/config.yml"]),
        ("vendor.compose-spec", [COMPOSE]),
    ],
)
def test_files_fit_their_schemas(schema: str, files: list[Path]) -> None:
    assert files
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", schema, *map(str, files)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


# Workflows


@pytest.mark.parametrize("file", WORKFLOWS, ids=lambda file: file.name)
def test_jobs_only_call_targets_of_make(file: Path) -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    [parts] = re.findall(r"^PARTS := (.*)$", makefile, re.MULTILINE)
    targets = set(re.findall(r"^([a-z-]+):", makefile, re.MULTILINE)) | {f"test-{part}" for part in parts.split()}
    commands = [step["run"] for job in read(file)["jobs"].values() for step in job["steps"] if "run" in step]
    assert commands
    for command in commands:
        make, *words = command.removeprefix("sudo ").split()
        assert make == "make"
        assert {word for word in words if "=" not in word} <= targets, command


def test_every_supported_python_is_tested() -> None:
    jobs = read(ROOT / ".github/workflows/test.yml")["jobs"]
    for job in jobs.values():
        assert job["strategy"]["matrix"]["python"] == ["3.11", "3.12", "3.13", "3.14"]
    assert {job["runs-on"].partition("-")[0] for job in jobs.values()} == {"ubuntu", "macos"}


def test_on_macos_only_parts_run_that_need_no_services() -> None:
    [*_, step] = read(ROOT / ".github/workflows/test.yml")["jobs"]["macos"]["steps"]
    assert not {"test-web", "test-server"} & set(step["run"].split())


# Containers


def test_images_are_named_without_a_registry() -> None:
    bases = [rest.partition(" AS ")[0] for name, rest in instructions() if name == "FROM"]
    images = [service["image"] for service in read(COMPOSE)["services"].values() if "image" in service]
    assert len(bases) == 3
    for image in (*bases, *images):
        assert IMAGE.fullmatch(image), image
    files = [*WORKFLOWS, *FORMS, COMPOSE, DOCKERFILE, CADDYFILE, ROOT / ".dockerignore"]
    for file in files:
        for address in re.findall(r"https?://\S+", file.read_text("utf-8")):
            assert address.startswith(("https://${DOMAIN", "http://127.0.0.1:8000")), f"{file.name}: {address}"


def test_the_last_stage_is_small_and_does_not_run_as_root() -> None:
    found = instructions()
    last = found[max(number for number, (name, _) in enumerate(found) if name == "FROM") :]
    names = [name for name, _ in last]
    assert [rest for name, rest in last if name == "USER"] == ["threespan"]
    assert {"VOLUME", "HEALTHCHECK", "EXPOSE", "ENTRYPOINT", "CMD"} <= set(names)
    assert [rest for name, rest in last if name == "COPY"] == ["--from=environment /opt/threespan /opt/threespan"]


def test_what_is_built_from_is_not_ignored() -> None:
    """Everything else is; so neither secrets nor what was built here end up in an image."""
    first, *rules = [line for line in (ROOT / ".dockerignore").read_text("utf-8").splitlines() if line[:1] not in "#"]
    kept = {rule.removeprefix("!").rstrip("/") for rule in rules if rule.startswith("!")}
    assert first == "*"
    needed = {
        "pyproject.toml",
        "hatch_build.py",
        "README.md",
        "LICENSE",
        "constraints.txt",
        "src",
        "web",
        "bench/twins",
    }
    assert kept == needed
    assert all((ROOT / path).exists() for path in kept)


def test_the_servers_are_started_with_options_that_exist() -> None:
    serve = typer.main.get_command(cli.app).commands["serve"]  # type: ignore[attr-defined]
    [(_, image_command)] = [found for found in instructions() if found[0] == "CMD"]
    words = read(COMPOSE)["services"]["threespan"]["command"]
    words = [re.sub(r"\$\{DOMAIN[^}]*\}", "threespan.example", word) for word in words]
    for command in (eval(image_command), words):
        assert command[0] == "serve"
        given = serve.make_context("serve", list(command[1:])).params
        values = {name: given[name] for name in ("host", "port", "database", "bus", "workers")}
        settings = read_settings(values | split_settings(given["settings"] or []))
        assert (settings.host, settings.port) == ("0.0.0.0", 8000)
    assert settings.behind_proxy
    assert settings.public_url == "https://threespan.example"


def test_the_proxy_leads_to_the_server_and_hides_the_metrics() -> None:
    services = read(COMPOSE)["services"]
    text = CADDYFILE.read_text("utf-8")
    [(service, port)] = re.findall(r"reverse_proxy (\w+):(\d+)", text)
    assert service in services
    assert f"--port={port}" in services[service]["command"]
    assert "respond /metrics 403" in text
    assert "./deploy/Caddyfile:/etc/caddy/Caddyfile:ro" in services["proxy"]["volumes"]


def test_only_the_proxy_can_be_reached_from_outside() -> None:
    document = read(COMPOSE)
    assert [name for name, service in document["services"].items() if "ports" in service] == ["proxy"]
    for name in ("database", "bus"):
        assert document["services"][name]["networks"] == ["inside"]
    assert document["networks"]["inside"] == {"internal": True}
