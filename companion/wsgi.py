"""The application for any WSGI server: `companion.wsgi:app`."""

from companion.web import create_app

app = create_app()
