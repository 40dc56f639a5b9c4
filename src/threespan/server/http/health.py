"""Health checks and metrics of a worker."""

from typing import Any

from litestar import MediaType, Request, Response, get
from litestar.openapi.datastructures import ResponseSpec
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from threespan.server.tables.all_tables import Tables
from threespan.table.messages.lobby import Health


@get("/healthz")
async def is_alive(request: Request[Any, Any, Any]) -> Health:
    """Whether the worker responds."""
    return Health(True, request.app.state.tables.worker)


@get("/readyz", responses={503: ResponseSpec(Health, description="Not ready.", generate_examples=False)})
async def is_ready(request: Request[Any, Any, Any]) -> Response[Health]:
    """Whether the worker can serve players: the store and the bus work, and it is not stopping."""
    tables: Tables = request.app.state.tables
    try:
        await tables.store.ping()
        await tables.bus.ping()
        ok = not tables.is_stopping
    except Exception:
        ok = False
    return Response(Health(ok, tables.worker), status_code=200 if ok else 503)


@get("/metrics", media_type=MediaType.TEXT, include_in_schema=False)
async def read_metrics() -> Response[bytes]:
    """Metrics for Prometheus."""
    return Response(generate_latest(), media_type=CONTENT_TYPE_LATEST)
