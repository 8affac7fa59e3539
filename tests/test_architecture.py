"""The house keeps its walls: imports point one way, and the rules touch no clock or file."""

import ast
import sys
from collections.abc import Iterator
from functools import cache
from itertools import combinations
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

PURE = {
    f"companion.{name}"
    for name in (
        "actions",
        "agreement",
        "bgstats",
        "card",
        "cardwords",
        "checkup",
        "closing",
        "dominoes",
        "doubles",
        "errors",
        "exporting",
        "hunt",
        "importing",
        "intake",
        "joining",
        "kept",
        "lamps",
        "layout",
        "lines",
        "names",
        "observation",
        "pairing",
        "pips",
        "planner",
        "play",
        "presses",
        "proposals",
        "reminders",
        "report",
        "rulebook",
        "saying",
        "scores",
        "seating",
        "sighting",
        "since",
        "state",
        "statistics",
        "switches",
        "table",
        "tally",
        "tracking",
        "versus",
    )
}
"""What a game is and what was seen: the standard library only, and each other."""

ONE_WAY = (
    ("dominoes", "rulebook", "state", "table", "report"),
    ("dominoes", "observation", "vision.read", "watch"),
    ("table", "game", "web", "cli"),
    ("journalfile", "journal", "game", "watch"),
    ("game", "watch", "cli"),
    ("scores", "report"),
    ("table", "kept", "statistics"),
    ("kept", "versus"),
    ("kept", "intake", "game"),
    ("kept", "exporting", "importing"),
    ("journal", "houserules", "game"),
    ("joining", "keyfile", "web"),
)
"""Later ones may know earlier ones, never the other way round, not even through others."""

AT_HOME = {
    "cv2": ("companion.vision", "hardware.camera", "hardware.simulator"),
    "flask": ("companion.web",),
    "flask_babel": ("companion.web",),
    "gpiozero": ("hardware",),
    "picamera2": ("hardware",),
    "libcamera": ("hardware",),
}
"""Where alone each of these may be imported."""

WORLDLY = {
    *("asyncio", "io", "multiprocessing", "os", "pathlib", "random", "secrets", "shutil"),
    *("socket", "sqlite3", "subprocess", "tempfile", "threading", "time"),
}
"""Clocks, files, threads and chance."""

LONGEST_MODULE = 350
"""Lines."""


@cache
def modules() -> dict[str, Path]:
    """Every module of the product by its full name."""
    found = {}
    for top in ("companion", "hardware"):
        for path in sorted((ROOT / top).rglob("*.py")):
            parts = path.relative_to(ROOT).with_suffix("").parts
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


@cache
def tree(module: str) -> ast.Module:
    return ast.parse(modules()[module].read_text(encoding="utf-8"))


def is_part_of(module: str, homes: tuple[str, ...]) -> bool:
    return any(module == home or module.startswith(f"{home}.") for home in homes)


@cache
def imports(module: str) -> frozenset[str]:
    """What a module imports anywhere in its text, by full name."""
    return frozenset(_imported(module, ast.walk(tree(module))))


@cache
def imports_when_run(module: str) -> frozenset[str]:
    """The same without what only the type checker sees."""
    return frozenset(_imported(module, _run(tree(module))))


def _run(node: ast.AST) -> Iterator[ast.AST]:
    yield node
    for child in ast.iter_child_nodes(node):
        if not (isinstance(child, ast.If) and ast.unparse(child.test) == "TYPE_CHECKING"):
            yield from _run(child)


def _imported(module: str, nodes: Iterator[ast.AST]) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0 and node.module, f"{module}: imports are written in full"
            inner = {f"{node.module}.{alias.name}" for alias in node.names}
            yield from inner & modules().keys()
            if inner - modules().keys():
                yield node.module


@cache
def reached(module: str) -> frozenset[str]:
    """Every module of the product that a module imports, directly or through others."""
    found: set[str] = set()
    waiting = [module]
    while waiting:
        for other in imports_when_run(waiting.pop()) & modules().keys():
            if other not in found:
                found.add(other)
                waiting.append(other)
    return frozenset(found)


def test_there_is_something_to_look_at() -> None:
    assert {"companion.table", "companion.vision.read", "hardware.lights"} <= modules().keys()
    assert imports("companion.table") >= {"companion.play", "companion.errors", "dataclasses"}


@pytest.mark.parametrize("package", AT_HOME)
def test_a_device_or_framework_is_known_only_where_it_is_at_home(package: str) -> None:
    strangers = [
        module
        for module in modules()
        if not is_part_of(module, AT_HOME[package])
        and any(is_part_of(imported, (package,)) for imported in imports(module))
    ]
    assert strangers == []


def test_only_the_command_line_knows_the_hardware() -> None:
    strangers = [
        module
        for module in modules()
        if not is_part_of(module, ("hardware", "companion.cli"))
        and any(is_part_of(imported, ("hardware",)) for imported in imports(module))
    ]
    assert strangers == []


def test_the_hardware_knows_neither_game_nor_pages() -> None:
    beyond = ("companion.game", "companion.journal", "companion.web", "companion.cli")
    for module in modules():
        if is_part_of(module, ("hardware",)):
            assert not [other for other in reached(module) if is_part_of(other, beyond)], module


@pytest.mark.parametrize("module", sorted(PURE & modules().keys()))
def test_the_rules_import_the_standard_library_and_each_other_only(module: str) -> None:
    ours = {name for name in imports(module) if is_part_of(name, ("companion", "hardware"))}
    assert ours <= PURE
    assert {name.split(".")[0] for name in imports(module) - ours} <= sys.stdlib_module_names


@pytest.mark.parametrize("module", sorted(PURE & modules().keys()))
def test_the_rules_touch_no_clock_file_or_thread(module: str) -> None:
    assert not {name.split(".")[0] for name in imports(module)} & WORLDLY
    for node in ast.walk(tree(module)):
        if isinstance(node, ast.Call):
            called = ast.unparse(node.func)
            assert called not in ("open", "input", "print")
            assert not called.endswith((".now", ".today", ".utcnow")), called


@pytest.mark.parametrize("chain", ONE_WAY, ids=lambda chain: " ← ".join(chain))
def test_imports_point_one_way(chain: tuple[str, ...]) -> None:
    names = [f"companion.{name}" for name in chain]
    for lower, upper in combinations((name for name in names if name in modules()), 2):
        assert not is_part_of_any(reached(lower), upper), f"{lower} must not know {upper}"


def is_part_of_any(found: frozenset[str], home: str) -> bool:
    return any(is_part_of(module, (home,)) for module in found)


def test_no_module_reaches_itself() -> None:
    assert [module for module in modules() if module in reached(module)] == []


def test_modules_stay_short() -> None:
    long = {
        module: lines
        for module, path in modules().items()
        if (lines := len(path.read_text(encoding="utf-8").splitlines())) > LONGEST_MODULE
    }
    assert long == {}


def test_every_module_opens_by_saying_what_it_is_for() -> None:
    assert [module for module in modules() if not ast.get_docstring(tree(module))] == []


def test_nothing_is_printed() -> None:
    printing = [
        module
        for module in modules()
        for node in ast.walk(tree(module))
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "print"
    ]
    assert printing == []


def test_every_folder_of_the_product_is_packed() -> None:
    setup = (ROOT / "setup.cfg").read_text(encoding="utf-8")
    packed = setup.partition("packages =")[2].partition("package_dir")[0].split()
    folders = {".".join(path.parent.relative_to(ROOT).parts) for path in modules().values()} | {
        "companion.templates"
    }
    assert sorted(packed) == sorted(folders)


def test_every_test_file_has_a_name_of_its_own() -> None:
    names = sorted(path.name for path in (ROOT / "tests").rglob("test_*.py"))
    assert names == sorted(set(names)), "pytest cannot tell two files of one name apart"
