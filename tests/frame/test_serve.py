"""`judge serve` as a process: start, stop, start again, port taken, hall mode, wrong settings."""

import json
import re
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request

import pytest


def read(url, data=None):
    try:
        with urllib.request.urlopen(urllib.request.Request(url, data=data), timeout=20) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read().decode()


def test_it_starts_stops_cleanly_and_keeps_its_secret_and_data(start_server):
    first = start_server()
    secret = (first.instance / "secret").read_text()
    ready = json.loads(read(f"{first.url}/readyz")[1])
    first.process.send_signal(signal.SIGINT)
    said = first.process.communicate(timeout=20)[0]
    second = start_server()

    assert ready["status"] == "ok"
    assert said.splitlines()[-1] == "judge has stopped."
    assert "Traceback" not in said
    assert first.process.returncode == 0
    assert (first.instance / "secret").read_text() == secret
    assert (first.instance / "secret").stat().st_mode & 0o077 == 0
    assert (first.instance / "judge.sqlite3").stat().st_mode & 0o077 == 0
    assert any("Database made" in line for line in first.output)
    assert not any("Database" in line for line in second.output)


def test_the_log_has_one_line_a_request_and_no_form_bodies(server):
    read(f"{server.url}/nope?token=hush", data=b"password=hush")

    said = server.stop()
    assert server.process.returncode == 0, "a service manager stops it too"
    assert "POST /nope" in said
    assert "hush" not in said


def test_a_body_over_the_limit_gets_our_page(shared_server):
    status, page = read(f"{shared_server.url}/", data=b"x" * (9 * 1024 * 1024))

    assert status == 413
    assert "That is too big" in page


def test_a_body_far_over_the_limit_is_cut_off_before_it_is_sent(shared_server):
    host, _, port = shared_server.url.removeprefix("http://").partition(":")
    with socket.create_connection((host, int(port)), timeout=10) as connection:
        connection.sendall(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10000000000\r\n\r\n")
        answer = connection.recv(1000)

    assert answer.startswith(b"HTTP/1.1 413")


def test_a_taken_port_is_said_in_one_line(judge, tmp_path):
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        process = judge("serve", "--port", str(port))
        said = process.communicate(timeout=30)[0]

    assert process.returncode == 1
    assert said == (
        f"Port {port} is taken. Choose another: make serve PORT={port + 1} (judge serve --port {port + 1})\n"
    )
    assert not (tmp_path / "instance" / "judge.sqlite3").exists(), "the data were not touched"


def test_hall_mode_shows_a_code_for_phones(start_server):
    server = start_server("--host", "0.0.0.0")
    said = "".join(server.output) + server.stop()

    assert "\N{UPPER HALF BLOCK}" in said or "\N{FULL BLOCK}" in said
    assert "0.0.0.0" not in said


@pytest.mark.parametrize(
    ("setting", "named"),
    [
        ({"DATABASE_URL": "mysql://x"}, "DATABASE_URL"),
        ({"JUDGE_SECRET_KEY": "short"}, "JUDGE_SECRET_KEY"),
        ({"JUDGE_BASE_URL": "nonsense"}, "JUDGE_BASE_URL"),
        ({"JUDGE_INSTANCE": "/dev/null/x"}, "JUDGE_INSTANCE"),
    ],
)
def test_a_wrong_setting_is_named_in_one_line(judge, setting, named):
    process = judge("serve", "--port", "0", **setting)
    said = process.communicate(timeout=30)[0]

    assert process.returncode == 2
    assert said.startswith(named)
    assert len(said.splitlines()) == 1


def test_a_database_that_cannot_be_used_is_said_in_one_line(judge, free_port):
    process = judge(
        "serve", "--port", "0", DATABASE_URL=f"postgresql://nobody:hush@127.0.0.1:{free_port}/none"
    )
    said = process.communicate(timeout=60)[0]

    assert process.returncode == 1
    assert "cannot be used" in said
    assert "hush" not in said
    assert "Traceback" not in said


def test_help_and_version_start_no_web_framework():
    script = (
        "import sys; from click.testing import CliRunner; from judge.cli import cli\n"
        "assert 'serve' in CliRunner().invoke(cli, ['--help']).output\n"
        "assert CliRunner().invoke(cli, ['--version']).output.startswith('judge, version')\n"
        "sys.exit(any(name in sys.modules for name in ('flask', 'sqlalchemy', 'reportlab')))"
    )

    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0


def test_an_empty_database_prints_the_first_organisers_link_until_there_is_one(start_server, tmp_path):
    def printed(server):
        return re.search(r"(http://\S+)(/join/\S+)", "".join(server.output)).groups()

    first = start_server("--host", "0.0.0.0", instance=tmp_path / "data")
    first.stop()
    again = start_server(instance=tmp_path / "data")

    assert printed(first)[0] == first.url, "the address that other devices use"
    assert printed(again) == (again.url, printed(first)[1]), "one link, not one for every start"
