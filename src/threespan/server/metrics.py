"""The metrics that Prometheus can read at /metrics."""

from prometheus_client import Counter, Gauge, Histogram

EVENTS_STORED = Counter("threespan_events_stored_total", "Events stored")
MESSAGES = Counter("threespan_messages_total", "Messages from clients", ["kind"])
REFUSALS = Counter("threespan_refusals_total", "Messages refused", ["code"])
CLIENTS_DROPPED = Counter("threespan_clients_dropped_total", "Clients dropped because they read too slowly")
FAILURES = Counter("threespan_failures_total", "Messages and requests that failed because of a bug or an outage")
CONNECTIONS = Gauge("threespan_connections", "Open connections to tables")
LIVE_TABLES = Gauge("threespan_live_tables", "Tables in memory")
COMMIT_SECONDS = Histogram(
    "threespan_commit_seconds",
    "Time from a message to its storage",
    buckets=(0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 1),
)
LOOP_LAG = Gauge("threespan_loop_lag_seconds", "Maximum delay of the event loop in the last ten seconds")
