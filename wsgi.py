"""For any WSGI server: `gunicorn wsgi:app` in a checkout, `gunicorn judge.wsgi:app` where it is installed."""

from judge.app import create_app
from judge.config import load_settings
from judge.storage.auto_backup import keep_backups
from judge.web.frame.request_log import configure_logging
from judge.web.frame.serving import settle

configure_logging()
settings = load_settings()
app = create_app(settings)
settle()
keep_backups(
    app.extensions["judge.database"], settings.backups, settings.backup_minutes, settings.backup_folder
)
