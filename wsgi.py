"""For any WSGI server: `gunicorn wsgi:app`, `waitress-serve wsgi:app`."""

from judge.app import create_app
from judge.web.log import configure_logging

configure_logging()
app = create_app()
