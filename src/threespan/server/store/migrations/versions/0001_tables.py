"""Tables, events and keys."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0001"
down_revision: str | None = None
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None


def upgrade() -> None:
    """Create all tables."""
    op.create_table(
        "tables",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("charter", sa.LargeBinary, nullable=False),
        sa.Column("is_public", sa.Boolean, nullable=False),
        sa.Column("status", sa.Text, nullable=False),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.Column("updated_at", sa.BigInteger, nullable=False),
        sa.Column("wake_at", sa.BigInteger),
        sa.Column("lease_owner", sa.Text),
        sa.Column("lease_until", sa.BigInteger, nullable=False),
    )
    op.create_index("tables_lobby", "tables", ["is_public", "status", "created_at", "id"])
    op.create_index("tables_wake", "tables", ["wake_at"])
    op.create_index("tables_stale", "tables", ["status", "updated_at"])
    op.create_table(
        "events",
        sa.Column("table_id", sa.Text, primary_key=True),
        sa.Column("sequence", sa.BigInteger, primary_key=True),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("request", sa.Text),
        sa.Column("body", sa.LargeBinary, nullable=False),
    )
    op.create_index("events_request", "events", ["table_id", "request"], unique=True)
    op.create_table(
        "keys",
        sa.Column("table_id", sa.Text, primary_key=True),
        sa.Column("hash", sa.LargeBinary, primary_key=True),
        sa.Column("seats", sa.Text, nullable=False),
    )


def downgrade() -> None:
    """Drop all tables."""
    for table in ("keys", "events", "tables"):
        op.drop_table(table)
