"""When the server took a change: its own time may be that of a phone which was offline."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.add_column("changes", sa.Column("taken", sa.String()))
