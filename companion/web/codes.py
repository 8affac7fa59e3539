"""QR codes as drawings for the pages."""

from __future__ import annotations

import segno
from markupsafe import Markup


def qr_code(text: str) -> Markup:
    """A QR code as SVG: black on white, sized by the style sheet."""
    drawn = segno.make(text, error="m", micro=False).svg_inline(
        omitsize=True, border=3, light="#fff", svgclass="qr", lineclass="qr-dark"
    )
    return Markup(drawn)  # nosec B704 # drawn by segno
