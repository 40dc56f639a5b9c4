"""No index of requests: whoever appends knows all events before, so the primary key alone keeps requests single."""

from collections.abc import Sequence

from alembic import op

revision: str = "0002"
down_revision: str | None = "0001"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None


def upgrade() -> None:
    """Drop the index, which cost as much as everything else in a move's transaction."""
    op.drop_index("events_request", "events")


def downgrade() -> None:
    """Build the index again."""
    op.create_index("events_request", "events", ["table_id", "request"], unique=True)
