"""The application for any WSGI server: `companion.wsgi:app`. `companion run` and the environment configure it."""

import os

from companion.web import create_app

NUMBERS = {"PROXIES": "FIFTY_FIVE_PROXIES", "TABLES_PER_HOUR": "FIFTY_FIVE_TABLES_PER_HOUR", "LOG": "FIFTY_FIVE_LOG"}

app = create_app(config={key: int(os.environ[name]) for key, name in NUMBERS.items() if os.environ.get(name)})
