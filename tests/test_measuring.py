"""The benchmark: it runs, and the figures that must not grow beyond reason do not."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest


@pytest.fixture(scope="module")
def measuring() -> ModuleType:
    """The measurements of scripts/benchmark."""
    path = Path(__file__).parent.parent / "scripts" / "measuring.py"
    spec = importlib.util.spec_from_file_location("measuring", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["measuring"] = module
    spec.loader.exec_module(module)
    return module


def test_replay_is_linear(measuring: ModuleType) -> None:
    (figure,) = measuring.replaying()
    assert figure.ratio < 30, "ten times the actions take about ten times as long"


def test_the_best_train_is_found_in_time(measuring: ModuleType) -> None:
    worst = {figure.what: figure.milliseconds for figure in measuring.trains()}
    assert worst["best train of 25 tiles, worst of 40"] < 5 * 200
    assert worst["best train of 35 tiles, worst of 40"] < 5 * 2000


def test_a_large_photo_fits_into_a_small_pi(measuring: ModuleType) -> None:
    (peak,) = measuring.peak()
    assert 50_000_000 < peak.bytes <= 250_000_000


def test_the_table_page_is_light_and_a_tap_is_seen_at_once(measuring: ModuleType) -> None:
    weighed = {weight.what: weight.bytes for weight in measuring.weights()}
    assert 5_000 < weighed["first load of /table with 14 players"] < 120_000
    assert 5_000 < weighed["its scripts as they are written"] <= 25_000
    (figure,) = measuring.second_device()
    assert 0 < figure.milliseconds < 5 * 100


def test_a_figure_is_one_line(measuring: ModuleType) -> None:
    figure = measuring.Figure("a durable tap", 4.0, 1.25, "a bare commit")
    assert measuring.line(figure).split() == "a durable tap 4.0 ms 1.2 x a bare commit".split()
    assert measuring.line(measuring.Figure("/table", 2.0)).endswith("2.0 ms")
    assert measuring.line(measuring.Weight("/table", 12_345)).endswith("12.3 kB")
