"""For any WSGI server: `gunicorn wsgi:app` in a checkout, `gunicorn judge.wsgi:app` where it is installed."""

from judge.app import create_app
from judge.web.frame.request_log import configure_logging
from judge.web.frame.serving import settle

configure_logging()
app = create_app()
settle()
