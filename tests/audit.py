"""Look for known vulnerabilities in our dependencies: `python -m tests.audit`, a part of `make lint`.

pip-audit asks the advisory database about every line of the lock file, and a vulnerability fails the run. Without a
connection, or for packages the database cannot look up, it prints what was not checked and passes, so that `make lint`
still works offline.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

LOCK = Path(__file__).parents[1] / "requirements-dev.lock"  # includes what running needs
COMMAND = (
    *(sys.executable, "-m", "pip_audit", "--disable-pip", "--require-hashes", "--requirement", str(LOCK)),
    *("--format", "json", "--progress-spinner", "off", "--timeout", "5"),
)
PATIENCE = 120  # seconds for the whole audit


def main() -> int:
    try:
        done = subprocess.run(COMMAND, capture_output=True, text=True, timeout=PATIENCE, check=False)
        asked = json.loads(done.stdout)["dependencies"]
    except (subprocess.TimeoutExpired, ValueError, KeyError, TypeError):
        print("AUDIT: NOT DONE, the advisory database does not answer.", file=sys.stderr)
        return 0
    return report(asked)


def report(asked: list[dict[str, object]]) -> int:
    """Print what pip-audit found; return 1 if there is a vulnerability."""
    unknown = [str(package["name"]) for package in asked if "skip_reason" in package]
    holes = [(package["name"], package["version"], hole) for package in asked for hole in package.get("vulns", ())]  # type: ignore[attr-defined]
    if unknown:
        print(f"AUDIT: {len(unknown)} of {len(asked)} packages could not be looked up.", file=sys.stderr)
    for name, version, hole in holes:
        print(f"AUDIT: {name} {version}: {hole['id']}, mended in {', '.join(hole['fix_versions']) or 'no release'}")
    if not unknown and not holes:
        print(f"AUDIT: no known hole in {len(asked)} packages.")
    return 1 if holes else 0


if __name__ == "__main__":
    sys.exit(main())
