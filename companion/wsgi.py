"""The application for any WSGI server: `companion.wsgi:app`. The environment configures it."""

from companion.settings import settings
from companion.web import create_app

app = create_app(config=settings())
