"""Tables and changes, as release 0.1.0 made them."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "tables",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("names", sa.String(), nullable=False),
        sa.Column("secret", sa.String(), nullable=False),
        sa.Column("created", sa.String(), nullable=False),
        sa.Column("epoch", sa.Integer(), nullable=False),
        sa.Column("offered", sa.String()),
        sa.Column("guesses", sa.Integer(), nullable=False),
        sa.Column("barred", sa.String()),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tables")),
    )
    op.create_table(
        "changes",
        sa.Column("table_id", sa.String(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("entry", sa.Integer()),
        sa.Column("entries", sa.String(), nullable=False),
        sa.Column("client", sa.String()),
        sa.Column("at", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name=op.f("fk_changes_table_id_tables")),
        sa.PrimaryKeyConstraint("table_id", "number", name=op.f("pk_changes")),
        sa.UniqueConstraint("table_id", "client", name=op.f("uq_changes_table_id_client")),
    )
