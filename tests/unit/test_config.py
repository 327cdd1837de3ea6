"""Settings come from the environment, and a wrong one is named."""

import pytest

from judge.config import SettingsError, read_base_url, read_number


@pytest.mark.parametrize(
    ("written", "read"),
    [(None, None), ("", None), ("https://judge.example.org/", "https://judge.example.org")],
)
def test_the_base_url_is_kept_without_its_last_slash(written, read):
    assert read_base_url(written) == read


@pytest.mark.parametrize(
    "wrong", ["judge.example.org", "ftp://x", "https://", "https://x/?q=1", "https://x/hall"]
)
def test_a_base_url_that_is_none_is_refused_by_name(wrong):
    with pytest.raises(SettingsError, match="JUDGE_BASE_URL"):
        read_base_url(wrong)


@pytest.mark.parametrize("wrong", ["many", "-1", "nan", "1e9"])
def test_a_number_that_is_none_is_refused_by_name(wrong):
    with pytest.raises(SettingsError, match="JUDGE_PROXIES"):
        read_number({"JUDGE_PROXIES": wrong}, "JUDGE_PROXIES", "0")
