"""`make audit`: the pinned packages against published advisories, and a bill of materials.

Advisories come from a folder (ADVISORIES=..., a checkout of github.com/pypa/advisory-database), else from
the service of osv.dev. Where neither can be had it says so: nothing was audited, and that is no success.

    exit code 0   no advisory is about what is pinned
              1   one is
              2   no advisories could be had
"""

from __future__ import annotations

import json
import re
import sys
import urllib.request
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_URL, uuid5

import yaml
from packaging.version import InvalidVersion, Version

ROOT = Path(__file__).parents[2]
LOCKS = {"requirements.lock": "required", "requirements-server.lock": "optional",
         "requirements-dev.lock": "excluded"}  # fmt: skip
BILL = ROOT / "build" / "judge.cdx.json"
SERVICE = "https://api.osv.dev/v1/querybatch"
PINNED = re.compile(r"^([\w.-]+)==([^\s;\\]+)((?:.*\\\n)*.*)", re.MULTILINE)
VENDORED = re.compile(
    r"^\| (\S+) \| ([\w-]+(?: Sans)?)[^|]*\| ([\d.]+) \| [^|]*\| ([0-9a-f]{64}) \|", re.MULTILINE
)
OLD_DAYS = 60


@dataclass(frozen=True)
class Pinned:
    """A package of a lock. scope: needed to run, to run on a server, or only to test."""

    name: str
    version: str
    scope: str
    hashes: tuple[str, ...]


@dataclass(frozen=True)
class Finding:
    package: Pinned
    advisory: str
    says: str = ""


def pinned(folder: Path = ROOT) -> list[Pinned]:
    """Every package of the locks, each once, with the widest scope."""
    result: dict[str, Pinned] = {}
    for lock, scope in LOCKS.items():
        for name, version, rest in PINNED.findall((folder / lock).read_text(encoding="utf-8")):
            hashes = tuple(re.findall(r"sha256:([0-9a-f]{64})", rest))
            result.setdefault(f"{name} {version}", Pinned(name, version, scope, hashes))
    return sorted(result.values(), key=lambda package: (package.name, package.version))


def bill_of_materials(packages: Iterable[Pinned], version: str) -> dict[str, Any]:
    """A CycloneDX document of the packages and of the files of others kept here; the same each time."""
    components = [
        {
            "type": "library", "bom-ref": purl, "name": package.name, "version": package.version,
            "scope": package.scope, "purl": purl,
            "hashes": [{"alg": "SHA-256", "content": content} for content in package.hashes],
        }
        for package in packages
        for purl in [f"pkg:pypi/{package.name}@{package.version}"]
    ]  # fmt: skip
    for path, name, number, content in VENDORED.findall((ROOT / "VENDORED.md").read_text(encoding="utf-8")):
        scope = "excluded" if path.startswith("tests/") else "required"
        components.append(
            {"type": "file", "bom-ref": path, "name": path, "version": number, "scope": scope,
             "description": name, "hashes": [{"alg": "SHA-256", "content": content}]}
        )  # fmt: skip
    serial = uuid5(NAMESPACE_URL, json.dumps(components))
    judge = {"type": "application", "bom-ref": "judge", "name": "judge", "version": version}
    return {
        "bomFormat": "CycloneDX", "specVersion": "1.6", "serialNumber": f"urn:uuid:{serial}", "version": 1,
        "metadata": {"component": judge}, "components": components,
    }  # fmt: skip


def findings_of_folder(packages: Iterable[Pinned], folder: Path) -> Iterator[Finding]:
    """Every advisory of a folder that is about one of the packages."""
    for package in packages:
        for path in sorted((folder / package.name).glob("*.yaml")):
            advisory = yaml.safe_load(path.read_text(encoding="utf-8"))
            if not advisory.get("withdrawn") and any(
                is_affected(package.version, affected)
                for affected in advisory["affected"]
                if normal(affected["package"]["name"]) == package.name
            ):
                yield Finding(package, advisory["id"], " ".join(advisory.get("details", "").split())[:200])


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def is_affected(version: str, affected: dict[str, Any]) -> bool:
    """Whether a version is listed, or lies in a range (introduced up to fixed, or last affected)."""
    if version in affected.get("versions", ()):
        return True
    ranges = [r["events"] for r in affected.get("ranges", ()) if r["type"] == "ECOSYSTEM"]
    return any(_is_inside(Version(version), events) for events in ranges)


def _is_inside(version: Version, events: list[dict[str, str]]) -> bool:
    inside = False
    for event in events:
        (kind, text), *_ = event.items()
        try:
            at = Version("0.dev0" if text == "0" else text)
        except InvalidVersion:
            continue
        if kind == "introduced" and version >= at:
            inside = True
        elif (kind == "fixed" and version >= at) or (kind == "last_affected" and version > at):
            inside = False
    return inside


def newest(folder: Path) -> str:
    """The day of the newest change in a folder of advisories."""
    days = (re.search(r"^modified: '?([\d-]{10})", p.read_text(encoding="utf-8"), re.MULTILINE)
            for p in folder.glob("*/*.yaml"))  # fmt: skip
    return max((found[1] for found in days if found), default="")


def findings_of_service(packages: list[Pinned]) -> list[Finding]:
    """What osv.dev knows about them; OSError where it cannot be reached."""
    queries = [{"package": {"ecosystem": "PyPI", "name": p.name}, "version": p.version} for p in packages]
    asked = urllib.request.Request(
        SERVICE, json.dumps({"queries": queries}).encode(), {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(asked, timeout=30) as answer:
        results = json.load(answer)["results"]
    return [
        Finding(package, vulnerability["id"])
        for package, result in zip(packages, results, strict=True)
        for vulnerability in result.get("vulns", ())
    ]


def audit(packages: list[Pinned], folder: Path | None) -> tuple[list[Finding] | None, str]:
    """What was found (None: nothing could be asked), and a sentence about what was asked."""
    if folder:
        folder = folder / "vulns" if (folder / "vulns").is_dir() else folder
        day = newest(folder)
        if not day:
            return None, f"{folder} holds no advisories. Nothing was audited."
        age = (datetime.now(UTC) - datetime.fromisoformat(f"{day}T00:00:00+00:00")).days
        old = f", {age} days old: what became known since is not in it" if age > OLD_DAYS else ""
        return list(
            findings_of_folder(packages, folder)
        ), f"Advisories of {folder}, the newest of {day}{old}."
    try:
        return findings_of_service(packages), f"Advisories of {SERVICE}."
    except (OSError, ValueError, KeyError) as error:
        return None, (
            f"{SERVICE} cannot be reached ({error}). Nothing was audited. With a checkout of"
            " github.com/pypa/advisory-database: make audit ADVISORIES=FOLDER"
        )


def main(arguments: list[str]) -> int:
    from judge import __version__

    packages = pinned()
    BILL.parent.mkdir(exist_ok=True)
    BILL.write_text(json.dumps(bill_of_materials(packages, __version__), indent=1) + "\n", encoding="utf-8")
    print(f"{len(packages)} pinned packages; bill of materials: {BILL.relative_to(ROOT)}")
    found, asked = audit(packages, Path(arguments[0]) if arguments else None)
    print(asked)
    if found is None:
        return 2
    for finding in found:
        package = finding.package
        print(f"{package.name} {package.version} ({package.scope}): {finding.advisory} {finding.says}")
    print(f"{len(found)} advisories are about what is pinned.")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
