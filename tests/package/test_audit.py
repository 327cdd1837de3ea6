"""The audit: every pinned package is looked at, a bad one is named, and no data is no success."""

import json

import pytest

from tests.package import audit

ADVISORY = """
id: TEST-1
details: Something bad.
modified: '2026-01-02T03:04:05Z'
affected:
- package: {name: Waitress, ecosystem: PyPI}
  ranges:
  - type: ECOSYSTEM
    events: [{introduced: '0'}, {fixed: 2.1.0}, {introduced: 3.0.0}, {fixed: 3.0.9}]
  versions: []
"""


@pytest.fixture
def advisories(tmp_path):
    folder = tmp_path / "vulns" / "waitress"
    folder.mkdir(parents=True)
    (folder / "TEST-1.yaml").write_text(ADVISORY)
    return tmp_path


def waitress(version):
    return audit.Pinned("waitress", version, "required", ())


@pytest.mark.parametrize(
    ("version", "is_bad"),
    [("1.4", True), ("2.0.9", True), ("2.1.0", False), ("3.0.0", True), ("3.0.9", False), ("3.1", False)],
)
def test_an_advisory_names_the_versions_in_its_ranges(advisories, version, is_bad):
    found, asked = audit.audit([waitress(version)], advisories)

    assert [finding.advisory for finding in found] == ["TEST-1"] * is_bad
    assert "2026-01-02" in asked


@pytest.mark.parametrize("line", ["withdrawn: '2026-02-01T00:00:00Z'", "# a line"])
def test_a_withdrawn_advisory_says_nothing(advisories, line):
    (advisories / "vulns" / "waitress" / "TEST-1.yaml").write_text(f"{line}\n{ADVISORY}")
    found, _ = audit.audit([waitress("1.4")], advisories)

    assert len(found) == line.startswith("#")


def test_a_folder_without_advisories_is_no_success(tmp_path, capsys):
    assert audit.main([str(tmp_path)]) == 2
    assert "Nothing was audited" in capsys.readouterr().out


def test_a_service_that_cannot_be_reached_is_no_success(monkeypatch):
    monkeypatch.setattr(audit, "SERVICE", "http://127.0.0.1:9/v1/querybatch")
    found, asked = audit.audit([waitress("1.4")], None)

    assert found is None
    assert "Nothing was audited" in asked


def test_the_bill_of_materials_names_everything_that_is_pinned_or_kept_here():
    packages = audit.pinned()
    bill = audit.bill_of_materials(packages, "1.2.3")
    parts = {part["name"]: part for part in bill["components"]}
    lines = (audit.ROOT / "requirements-dev.lock").read_text().splitlines()
    locked = {line.split("==")[0] for line in lines if "==" in line and not line.startswith(" ")}

    assert bill["bomFormat"] == "CycloneDX"
    assert json.dumps(bill) == json.dumps(audit.bill_of_materials(packages, "1.2.3"))
    assert locked <= set(parts)
    assert parts["flask"]["scope"] == "required"
    assert parts["gunicorn"]["scope"] == "optional"
    assert parts["pytest"]["scope"] == "excluded"
    assert all(part["hashes"] for part in parts.values())
    kept = {name for name in parts if "/" in name}
    listed = (audit.ROOT / "VENDORED.md").read_text().count("| judge/") + 1
    assert len(kept) == listed
