"""The lock files: the packages that running, building and development install."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

HOME = Path(__file__).parents[2]
RUNTIME, BUILD, DEVELOPMENT = "requirements.lock", "requirements-build.lock", "requirements-dev.lock"


def locked(name: str) -> dict[str, str]:
    """Each package of a lock file, with its lines."""
    parts = re.split(r"(?m)^(?=[a-z0-9])", (HOME / name).read_text("utf-8"))
    return {part.partition("==")[0]: part for part in parts if part.strip()}


def names(requirements: list[str]) -> set[str]:
    return {re.split(r"[\[>=<~! ]", requirement)[0] for requirement in requirements}


def versions(name: str) -> set[str]:
    return {part.split(" \\\n")[0] for part in locked(name).values()}


def test_the_runtime_lock_has_our_dependencies_and_no_development_tools() -> None:
    project = tomllib.loads((HOME / "pyproject.toml").read_text("utf-8"))["project"]
    extras = [requirement for group in project["optional-dependencies"].values() for requirement in group]
    assert names(project["dependencies"]) <= set(locked(RUNTIME))
    assert names(extras).isdisjoint(locked(RUNTIME))
    assert names(extras) <= set(locked(DEVELOPMENT))


def test_development_uses_the_same_versions_as_running() -> None:
    assert versions(RUNTIME) < versions(DEVELOPMENT)


def test_the_build_lock_has_the_build_requirements_and_every_install_is_locked() -> None:
    required = tomllib.loads((HOME / "pyproject.toml").read_text("utf-8"))["build-system"]["requires"]
    assert names(required) <= set(locked(BUILD))
    assert "django" not in locked(BUILD)
    installs = [line for line in (HOME / "Makefile").read_text("utf-8").splitlines() if "$(PIP)" in line]
    assert len(installs) == 4
    for line in installs:  # from a lock file, or without fetching anything
        assert "--require-hashes" in line or ("--no-build-isolation" in line and "--no-deps" in line), line


@pytest.mark.parametrize("name", [RUNTIME, BUILD, DEVELOPMENT])
def test_every_package_is_locked_by_hash_and_none_by_address(name: str) -> None:
    assert [package for package, part in locked(name).items() if "--hash=sha256:" not in part] == []
    assert "://" not in (HOME / name).read_text("utf-8")
