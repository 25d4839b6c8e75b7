"""Alembic asks here how to reach the database: over the connection that `schema.migrate` holds."""

from alembic import context

from companion.store.models import db

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=db.metadata,
    render_as_batch=True,  # SQLite cannot alter a table in place
    transactional_ddl=True,  # `store.transaction()` has begun the transaction, also on SQLite
)
context.run_migrations()
