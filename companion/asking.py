"""Asks a companion on this machine how it is, as a tablet would.

Knows its address and `/healthz`, nothing of what it does.
"""

from __future__ import annotations

import http.client
import json
from contextlib import closing

EVERYWHERE = {"": "127.0.0.1", "0.0.0.0": "127.0.0.1", "::": "::1"}  # nosec B104 # a comparison
"""Where somebody on this machine reaches what listens on all its addresses."""
PATIENCE = 5.0
"""Seconds that it may take to answer."""


def answers(host: str, port: int, patience: float = PATIENCE) -> bool:
    """Whether a companion answers there that all is well."""
    line = http.client.HTTPConnection(EVERYWHERE.get(host, host), port, timeout=patience)
    with closing(line):
        try:
            line.request("GET", "/healthz")
            told = json.loads(line.getresponse().read(1000))
        except (OSError, http.client.HTTPException, ValueError):
            return False
    return isinstance(told, dict) and told.get("ok") is True
