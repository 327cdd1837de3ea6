"""A hall full of phones: many requests at once, and every one is answered."""

import urllib.request
from concurrent.futures import ThreadPoolExecutor

PHONES = 64
LOADS = 2000


def test_a_hall_full_of_phones_gets_every_page(server):
    def load(n):
        path = ("/", "/?lang=fr", "/readyz", "/static/judge.css")[n % 4]
        with urllib.request.urlopen(server.url + path, timeout=60) as answer:
            return answer.status

    with ThreadPoolExecutor(PHONES) as phones:
        answers = list(phones.map(load, range(LOADS)))

    assert answers == [200] * LOADS
    assert "Traceback" not in server.stop()
