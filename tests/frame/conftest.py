"""What several tests of the frame look at."""

import pytest

from tests.every_page import build_world


@pytest.fixture
def world(app, sign_in):
    return build_world(app, sign_in)
