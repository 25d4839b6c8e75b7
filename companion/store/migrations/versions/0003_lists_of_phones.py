"""The list of each phone's tables, with other names of people; invitations to a list."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.create_table(
        "listed",
        sa.Column("phone", sa.String(), nullable=False),
        sa.Column("table_id", sa.String(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("dealt", sa.Boolean(), nullable=False),
        sa.Column("seat", sa.String(), nullable=False),
        sa.Column("hidden", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name=op.f("fk_listed_table_id_tables")),
        sa.PrimaryKeyConstraint("phone", "table_id", name=op.f("pk_listed")),
    )
    op.create_index(op.f("ix_listed_table_id"), "listed", ["table_id"])
    op.create_table(
        "aliases",
        sa.Column("phone", sa.String(), nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("phone", "key", name=op.f("pk_aliases")),
    )
    op.create_table(
        "invitations",
        sa.Column("phone", sa.String(), nullable=False),
        sa.Column("code", sa.String(), nullable=False),
        sa.Column("sealed", sa.String(), nullable=False),
        sa.Column("until", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("phone", name=op.f("pk_invitations")),
        sa.UniqueConstraint("code", name=op.f("uq_invitations_code")),
    )
