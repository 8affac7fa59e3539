"""The scorecard script as a module, for the tests that measure with it."""

import importlib.util
import sys
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import ModuleType

SCRIPT = Path(__file__).resolve().parent.parent / "scripts" / "score_photos"


def scorecard() -> ModuleType:
    """The module; its text is a script without a suffix."""
    loader = SourceFileLoader("score_photos", str(SCRIPT))
    spec = importlib.util.spec_from_loader("score_photos", loader)
    assert spec
    module = importlib.util.module_from_spec(spec)
    sys.modules["score_photos"] = module
    loader.exec_module(module)
    return module
