"""The HTTP twins: the same answers as the commands, problems that name the field, and nothing stored."""

import json

import pytest
import yaml

from judge.cli import main
from judge.services.dispute.case import Case
from judge.services.dispute.compare import compare_file
from judge.services.dispute.repair import repair
from judge.services.dispute.rulings import rule_file
from judge.services.event.outlooks import outlook_file
from judge.services.event.tournament_files import bracket_file, pair_file, standings_file
from judge.services.season.season_files import season_file
from judge.web.api.examples import CUP, DISPUTE, SEASON, SWISS
from judge.web.api.openapi import document


def post(client, path, value, **kwargs):
    return client.post(f"/api/v1/{path}", json=value, **kwargs)


def test_a_ruling_is_the_same_as_the_command_gives(client):
    answer = post(client, "rulings", DISPUTE)

    assert answer.status_code == 200
    assert answer.json == rule_file(DISPUTE)
    assert answer.json["players"]["A"]["health"] == 41


BAD = {
    "game": "dice-throne",
    "players": [{"id": "A", "cp": 99}, {"id": "B", "health": "x"}],
    "turn": {"phase": "lunch"},
    "events": [{"by": "Z", "sell": 1}, {"by": "A", "roll": [9, 1, 1, 1, 1]}],
}
FAULTS = ["players[1].cp", "players[2].health", "turn.phase", "events[1].by", "events[2].roll[1]"]


def test_every_fault_of_a_table_is_named_with_its_place(client):
    answer = client.post("/api/v1/rulings", data=json.dumps(BAD), content_type="application/json")

    assert answer.status_code == 422
    assert [fault["path"] for fault in answer.json["errors"]] == FAULTS


def test_the_faults_of_every_table_of_a_file_are_named(client):
    answer = post(
        client, "rulings", {"tables": [{**DISPUTE, "mode": "x"}, DISPUTE, {**DISPUTE, "edition": "x"}]}
    )

    assert [fault["path"] for fault in answer.json["errors"]] == ["tables[1].mode", "tables[3].edition"]


def test_the_command_names_the_first_fault_and_counts_the_others(tmp_path, monkeypatch, capsys):
    file = tmp_path / "bad.yaml"
    file.write_text(json.dumps(BAD))
    monkeypatch.setattr("sys.argv", ["judge", "rule", str(file)])

    with pytest.raises(SystemExit) as ended:
        main()

    assert ended.value.code == 2
    said = capsys.readouterr().err
    assert said.startswith(f"{file}: players[1].cp: ")
    assert said.endswith(" (and 4 more)\n")


def test_several_tables_are_answered_in_their_order(client):
    answer = post(client, "rulings", {"tables": [{**DISPUTE, "id": "x"}, {**DISPUTE, "id": "y"}]})

    assert [ruling["id"] for ruling in answer.json] == ["x", "y"]


def test_a_table_is_mended_and_compared_like_the_commands_do(client):
    shows = {"players": {"A": {"health": 50}}}

    mended = post(client, "repair", {"table": DISPUTE, "shows": shows})
    taken_back = post(client, "repair?lang=fr", {"table": DISPUTE, "illegal": 5})

    assert mended.json == repair(Case(DISPUTE), shows)
    assert taken_back.json == repair(Case(DISPUTE), illegal=5, lang="fr")
    assert post(client, "compare", DISPUTE).json == compare_file(DISPUTE)


@pytest.mark.parametrize(
    ("sent", "path"),
    [
        ({"shows": {}}, "table"),
        ({"table": {**DISPUTE, "turns": 1}, "shows": {}}, "table.turns"),
        ({"table": DISPUTE, "shows": {"players": {"Z": {}}}}, "shows.players.Z"),
        ({"table": DISPUTE}, "shows"),
        ({"table": DISPUTE, "illegal": 99}, "illegal"),
    ],
)
def test_what_cannot_be_mended_is_named(client, sent, path):
    answer = post(client, "repair", sent)

    assert answer.status_code == 422
    assert answer.json["errors"][0]["path"] == path


@pytest.mark.parametrize("content_type", ["application/yaml", "text/yaml;charset=utf-8", "text/x-yaml", None])
def test_the_body_may_be_yaml_under_any_of_its_names_or_none(client, content_type):
    answer = client.post("/api/v1/rulings", data=yaml.safe_dump(DISPUTE), content_type=content_type)

    assert answer.json == rule_file(DISPUTE)


@pytest.mark.parametrize("lang", ["fr", "ru"])
def test_sentences_come_in_the_asked_language(client, lang):
    asked = post(client, f"rulings?lang={lang}", DISPUTE).json
    preferred = post(client, "rulings", DISPUTE, headers={"Accept-Language": lang}).json

    assert asked == preferred == rule_file(DISPUTE, lang)
    assert asked["steps"][0]["says"] != rule_file(DISPUTE)["steps"][0]["says"]


def test_tournament_files_are_answered_like_the_commands(client):
    assert post(client, "standings", SWISS).json == standings_file(SWISS)
    assert post(client, "standings?after=0", SWISS).json == standings_file(SWISS, 0)
    assert post(client, "pairings?seed=7", SWISS).json == pair_file(SWISS, 7)
    assert post(client, "bracket", CUP).json == json.loads(json.dumps(bracket_file(CUP)))
    assert post(client, "outlook?player=Ana", CUP).json == outlook_file(CUP, "Ana")
    assert post(client, "season", SEASON).json == season_file(SEASON)


def test_stages_are_asked_for_in_the_address(client):
    first = {"format": {"kind": "swiss", "rounds": 1}, "rounds": SWISS["rounds"]}
    final = {"take": {"top": 2}, "format": "single-elimination"}
    staged = {"players": SWISS["players"], "stages": [first, final]}

    assert post(client, "pairings", staged).json["stage"] == 2
    assert post(client, "standings?stage=2", staged).json == standings_file(staged, stage=2)
    assert post(client, "standings?event=1", staged).json == standings_file(staged, whole_event=True)
    assert post(client, "standings?event=1&stage=2", staged).status_code == 422
    assert post(client, "standings?event=perhaps", staged).status_code == 422
    assert post(client, "bracket?stage=1", staged).status_code == 422
    assert post(client, "pairings?stage=3", staged).json["errors"][0]["path"] == "stages"


def test_a_season_in_a_request_reads_no_files(client):
    asked = {"points": {"places": [3]}, "events": [{"file": "/etc/passwd"}]}

    answer = post(client, "season", asked)

    assert answer.status_code == 422
    assert answer.json["errors"][0]["path"] == "events[1].file"


def test_rules_and_heroes_can_be_looked_up(client):
    assert client.get("/api/v1/rules/DT-DMG-04").json["id"] == "DT-DMG-04"
    assert "DT-DMG-04" in {rule["id"] for rule in client.get("/api/v1/rules").json}
    assert client.get("/api/v1/rules?q=zzzz").json == []
    assert client.get("/api/v1/heroes/paladin").json["id"] == "paladin"
    assert {"paladin", "samurai", "seraph"} <= {hero["id"] for hero in client.get("/api/v1/heroes").json}


@pytest.mark.parametrize("path", ["rules/DT-XYZ-01", "heroes/nobody"])
def test_what_nobody_knows_is_404(client, path):
    answer = client.get(f"/api/v1/{path}")

    assert answer.status_code == 404
    assert answer.mimetype == "application/problem+json"


def test_a_malformed_file_names_every_bad_field(client):
    answer = post(client, "rulings", {**DISPUTE, "events": [{"by": "A", "tpye": 1}]})

    assert answer.status_code == 422
    assert answer.mimetype == "application/problem+json"
    assert "events[1].tpye" in {error["path"] for error in answer.json["errors"]}


@pytest.mark.parametrize(
    ("data", "content_type", "status"),
    [
        (b"{", "application/json", 422),
        (b"", "application/json", 422),
        (b"\xff", "application/json", 422),
        (b"[]", "application/json", 422),
        (b"{}", "text/plain", 415),
        (b"#" * (8 * 1024 * 1024 + 1), "application/json", 413),
    ],
)
def test_what_is_no_file_gets_its_status(client, data, content_type, status):
    answer = client.post("/api/v1/rulings", data=data, content_type=content_type)

    assert answer.status_code == status
    assert answer.json["status"] == status


def test_a_wrong_number_in_the_query_is_named(client):
    answer = post(client, "standings?after=two", SWISS)

    assert answer.status_code == 422
    assert answer.json["errors"][0]["path"] == "after"


def test_the_rate_is_limited_per_address(app):
    app.config["JUDGE_API_RATE"] = 3
    client = app.test_client()
    statuses = [client.get("/api/v1/heroes").status_code for _ in range(4)]
    last = client.get("/api/v1/heroes")
    elsewhere = client.get("/api/v1/heroes", environ_base={"REMOTE_ADDR": "10.0.0.9"})

    assert statuses == [200, 200, 200, 429]
    assert last.headers["Retry-After"] == "60"
    assert elsewhere.status_code == 200


def test_the_description_names_every_route_and_only_those(app):
    routes = {
        (rule.rule.replace("<", "{").replace(">", "}"), method.lower())
        for rule in app.url_map.iter_rules()
        for method in rule.methods & {"GET", "POST"}
        if rule.rule.startswith("/api/v1/") and rule.endpoint != "api.openapi"
    }

    assert routes == {(path, method) for path, methods in document()["paths"].items() for method in methods}


def test_its_examples_are_answered(client):
    for path, methods in document()["paths"].items():
        for operation in methods.values():
            if "requestBody" in operation and "security" not in operation:
                content = operation["requestBody"]["content"]["application/json"]
                assert client.post(path, json=content["examples"]["example"]["value"]).status_code == 200


def test_the_manual_page_shows_every_route(client):
    page = client.get("/api").text

    assert all(path in page for path in document()["paths"])
