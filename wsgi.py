"""For any WSGI server: `gunicorn wsgi:app` in a checkout, `gunicorn judge.wsgi:app` where it is installed."""

from judge.app import create_app
from judge.web.log import configure_logging
from judge.web.serving import settle

configure_logging()
app = create_app()
settle()
