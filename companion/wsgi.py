"""The application for any WSGI server: `companion.wsgi:app`. The environment configures it."""

from companion.web import create_app

from .server.settings import settings

app = create_app(config=settings())
