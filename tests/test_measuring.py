"""The benchmark: it runs, and the figures that must not grow beyond reason do not."""

import json
import sys
from pathlib import Path

import pytest

from scripts.measuring import __main__ as benchmark
from scripts.measuring import figures, pages, pictures, playing, starting, weighing
from scripts.measuring.figures import Figure, Weight, line


def test_replay_is_linear():
    (figure,) = playing.replaying()
    assert figure.ratio < 30, "ten times the actions take about ten times as long"


def test_the_best_train_is_found_in_time():
    worst = {figure.what: figure.milliseconds for figure in playing.trains()}
    assert worst["best train of 25 tiles, worst of 40"] < 5 * 200
    assert worst["best train of 35 tiles, worst of 40"] < 5 * 2000


def test_a_large_photo_fits_into_a_small_pi():
    (peak,) = starting.peak()
    assert 50_000_000 < peak.bytes <= 250_000_000


def test_serving_fits_into_what_the_unit_on_a_pi_allows():
    rest, most = starting.serving()
    assert 80_000_000 < rest.bytes <= 200_000_000
    assert rest.bytes < most.bytes <= weighing.LIMIT


def test_starting_is_measured_against_starting_python(monkeypatch):
    monkeypatch.setattr(starting, "TIMES", 1)
    read, serve = starting.cold_start()
    for figure in (read, serve):
        assert figure.ratio > 1 and figure.yardstick == "starting Python"
        assert figure.milliseconds < 5 * 3000


def test_the_watch_is_quick_and_idles_cheaply():
    taken = {figure.what: figure.milliseconds for figure in pictures.watching()}
    assert 1 < taken["a hub frame in which a tile was laid, median"] < 5 * 60
    assert 0.1 < taken["a hub frame in which nothing changed, median"] < 5 * 5
    assert taken["an idle watch, each second of 3 frames"] < 5 * 50


def test_the_table_page_is_light():
    weighed = {weight.what: weight.bytes for weight in pages.weights()}
    assert 5_000 < weighed["first load of /table with 14 players"] < 120_000
    assert 5_000 < weighed["its scripts as they are written"] <= 25_000


def test_a_tap_is_seen_at_once_also_among_many_pages(monkeypatch):
    monkeypatch.setattr(pages, "OPEN", (2, 6))
    monkeypatch.setattr(pages, "TAPS", 4)
    alone, among, longest = pages.second_device()
    assert 0 < alone.milliseconds < 5 * 100
    assert among.what.endswith("6 pages") and among.milliseconds < 5 * 400
    assert longest.milliseconds >= among.milliseconds


def test_labelled_photos_are_measured_where_there_are_any(monkeypatch, tmp_path):
    monkeypatch.setenv("COMPANION_PHOTOS", str(tmp_path))
    assert list(pictures.labelled()) == []
    (tmp_path / "img").mkdir()
    for number in (1, 3):
        (tmp_path / "img" / f"{number}.jpg").write_bytes(pictures.jpeg_of(number, 320, 240))
    labels = {"1.jpg": {"tiles": [[1, 2]]}, "3.jpg": {"tiles": [[1, 2]] * 40}}
    (tmp_path / "labels.json").write_text(json.dumps(labels))
    (figure,) = pictures.labelled()
    assert figure.ratio <= 1 and figure.yardstick, "of the two only one is of a hand"


def test_a_figure_is_one_line():
    figure = Figure("a durable tap", 4.0, 1.25, "a bare commit")
    assert line(figure).split() == "a durable tap 4.0 ms 1.2 x a bare commit".split()
    assert line(Figure("/table", 2.0)).endswith("2.0 ms")
    assert line(Weight("/table", 12_345)).endswith("12.3 kB")


def test_the_table_names_the_machine_and_is_written_as_json(monkeypatch, tmp_path, capsys):
    known = Figure("a durable tap", 4.0, 1.25, "a bare commit"), Weight("/table", 12_345)
    monkeypatch.setattr(benchmark, "MEASUREMENTS", (lambda: iter(known),))
    out = tmp_path / "figures.json"
    benchmark.main(["--json", str(out)])
    printed = capsys.readouterr()
    assert printed.err == "", "nobody looks on"
    assert printed.out.splitlines()[-2:] == [line(figure) for figure in known]
    assert "cores" in printed.out and "OpenCV" in printed.out
    told = json.loads(out.read_text())
    assert told["figures"][1] == {"what": "/table", "bytes": 12_345}
    assert told["machine"].splitlines() == printed.out.splitlines()[:2]


def test_progress_is_shown_to_who_looks_on(monkeypatch, capsys):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    monkeypatch.setattr(benchmark, "MEASUREMENTS", (playing.taps,))
    benchmark.main([])
    told = capsys.readouterr()
    assert "1 of 1: taps" in told.err and "seconds" in told.err
    assert "a durable tap" in told.out


@pytest.mark.skipif(not Path("/proc/cpuinfo").exists(), reason="Linux alone tells it there")
def test_the_processor_is_named():
    assert len(figures.processor()) > 2
