"""The words of the pages: none is left out of the catalogs, and the catalogs are right."""

import ast
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from gettext import GNUTranslations
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog, Message
from jinja2 import Environment, nodes

from companion.web.language import LANGUAGES
from tests.telling_languages import Reader, load_catalogs

catalogs = load_catalogs()

ROOT = Path(__file__).parent.parent
ENGLISH = "en"


@cache
def stored(language: str) -> Catalog:
    return catalogs.read(language)


def told(language: str) -> Iterator[Message]:
    """The messages of a catalog that have a translation."""
    return (each for each in stored(language) if each.id and all(catalogs.forms(each)))


every_language = pytest.mark.parametrize("language", catalogs.LANGUAGES)


def test_the_pages_and_the_catalogs_know_the_same_languages() -> None:
    assert sorted([*catalogs.LANGUAGES, ENGLISH]) == sorted(LANGUAGES)
    kept = {path.name for path in catalogs.FOLDER.iterdir() if path.is_dir()}
    assert kept == set(catalogs.LANGUAGES)


# ---- the catalogs ------------------------------------------------------------------------------


@every_language
def test_the_catalog_has_the_texts_of_the_sources(language: str) -> None:
    """Where this fails, run scripts/translations update."""
    wanted = {each.id for each in catalogs.template() if each.id}
    found = {each.id for each in stored(language) if each.id}
    assert len(wanted) > 800
    assert (sorted(map(str, wanted - found)), sorted(map(str, found - wanted))) == ([], [])


@every_language
def test_nothing_is_left_to_translate(language: str) -> None:
    assert catalogs.missing(stored(language)) == []


@every_language
def test_a_translation_shows_the_values_of_the_english(language: str) -> None:
    assert catalogs.misplaced(stored(language)) == []


@every_language
def test_no_translation_is_the_english_again(language: str) -> None:
    allowed = same(language)
    again = []
    for message in told(language):
        pairs = zip(catalogs.english(message), catalogs.forms(message), strict=False)
        again += [one for one, other in pairs if one == other and one not in allowed]
    assert [text for text in again if re.search("[A-Za-z]", bare(text))] == []


@every_language
def test_the_words_of_the_game_are_those_of_the_glossary(language: str) -> None:
    assert [wrong for message in told(language) for wrong in misnamed(message, language)] == []


@every_language
def test_the_compiled_catalog_is_the_edited_one(language: str) -> None:
    """Where this fails, run scripts/translations compile."""
    with catalogs.mo_path(language).open("rb") as file:
        compiled = GNUTranslations(file)
    for message in told(language):
        one, *_ = catalogs.english(message)
        many = catalogs.english(message)[-1]
        said = compiled.ngettext(one, many, 1) if message.pluralizable else compiled.gettext(one)
        assert said in catalogs.forms(message)
    assert catalogs.mo_path(language).read_bytes() == catalogs.as_mo(stored(language))


@every_language
def test_the_catalog_is_laid_out_as_the_script_does(language: str) -> None:
    assert catalogs.po_path(language).read_bytes() == catalogs.as_po(stored(language))
    header = catalogs.po_path(language).read_text(encoding="utf-8").partition("\n\n")[0]
    assert "fuzzy" not in header and "Date" not in header and "Plural-Forms" in header


# ---- the glossary ------------------------------------------------------------------------------


@cache
def glossary() -> dict[str, dict[str, list[str]]]:
    found: dict[str, dict[str, list[str]]] = tomllib.loads(
        (catalogs.FOLDER / "glossary.toml").read_text(encoding="utf-8")
    )
    return found


def terms() -> dict[str, dict[str, list[str]]]:
    return {name: term for name, term in glossary().items() if name != "same"}


def same(language: str) -> list[str]:
    return [*glossary()["same"]["all"], *glossary()["same"][language]]


def bare(text: str) -> str:
    """A text without its placeholders."""
    return re.sub(r"%\(\w+\)s", " ", text)


def speaks_of(term: dict[str, list[str]], english: str) -> bool:
    """Whether an English text has one of the term's words."""
    text = bare(english)
    for other in term.get("unless", ()):
        text = text.replace(other, " ")
    words = "|".join(map(re.escape, term["en"]))
    return re.search(rf"\b({words})\b", text, re.IGNORECASE) is not None


def names(forms: list[str], translation: str) -> bool:
    """Whether a translation has one of these beginnings."""
    text = bare(translation)
    return any(
        re.search(("" if form[0] == "-" else r"\b") + re.escape(form.lstrip("-")), text, re.I)
        for form in forms
    )


def misnamed(message: Message, language: str) -> list[str]:
    """The terms of an English text that its translation calls by no name of theirs."""
    wrong = []
    for name, term in terms().items():
        said = [speaks_of(term, text) for text in catalogs.english(message)]
        found = [names(term[language], text) for text in catalogs.forms(message)]
        if (all(said) and not all(found)) or (any(said) and not any(found)):
            wrong.append(f"{name}: {catalogs.english(message)[0]} = {catalogs.forms(message)}")
    return wrong


def test_the_glossary_knows_every_word_in_every_language() -> None:
    words = {"engine", "boneyard", "marker", "train", "double", "round", "hub"}
    assert words < set(terms()) and len(terms()) >= 15
    for name, term in terms().items():
        assert set(term) - {"unless"} == set(LANGUAGES), name
        assert all(term[language] and all(term[language]) for language in LANGUAGES), name
    assert set(glossary()["same"]) == {"all", *catalogs.LANGUAGES}
    assert "engine" in str([each.id for each in catalogs.template()])


def test_every_word_of_the_glossary_stands_in_some_text() -> None:
    texts = [catalogs.english(each)[0] for each in catalogs.template() if each.id]
    for name, term in terms().items():
        assert any(speaks_of(term, text) for text in texts), name
        for phrase in term.get("unless", ()):
            assert any(phrase in text for text in texts), phrase


@pytest.mark.parametrize(
    "english, translation, wrong",
    [
        ("The engine lies in the hub.", "O motor está na estação.", []),
        ("The engine lies in the hub.", "A locomotiva está na estação.", ["engine"]),
        ("Trains", "Trens", []),
        ("%(train)s goes on", "vai em frente", []),
        ("rounded down", "arredondado para baixo", []),
        ("A hand moves over the hub: I look again.", "Algo passa sobre a estação.", []),
        ("Your hand", "Sua jogada", ["hand"]),
    ],
)
def test_a_wrong_name_is_found(english: str, translation: str, wrong: list[str]) -> None:
    found = misnamed(Message(english, translation), "pt")
    assert [each.partition(":")[0] for each in found] == wrong


def test_wrong_values_and_empty_or_doubtful_translations_are_found() -> None:
    made = catalogs.Words("sl")
    made.add("%(a)s of %(b)s", "%(b)s: %(a)s")
    made.add("%(a)s is in", "%(b)s je notri")
    made.add("Half", "%(a)s in 50 %")
    made.add("%(x)s", "%(x)d")
    made.add(("%(num)s of %(a)s", "%(num)s of %(a)s"), ("ena: %(a)s", "dve: %(a)s", "tri", "%(a)s"))
    assert catalogs.misplaced(made) == ["%(b)s je notri", "%(a)s in 50 %", "%(x)d", "tri"]
    made.add("Empty")
    made.add("Doubtful", "Dvomljivo", flags={"fuzzy"})
    made.add(("one", "some"), ("ena", "dve", "", "pet"))
    assert catalogs.missing(made) == ["Empty", "Doubtful", "one"]


# ---- texts that no catalog knows ---------------------------------------------------------------

LETTERS = re.compile(r"[^\W\d_]{2,}")
UNTRANSLATED = {"12", "CSV", "JSON", "BG Stats", "GPIO"}
"""What may stand on a page as it is."""
MARKS = ("page_class", "page_about")
"""Blocks that fill an attribute which nobody reads."""


def page_source(path: Path) -> str:
    """A template as the page that it makes: all branches, and of each expression its own texts."""
    tree = environment().parse(path.read_text(encoding="utf-8"))
    return "".join(_written(tree))


@cache
def environment() -> Environment:
    return Environment(extensions=["jinja2.ext.i18n"], trim_blocks=True, lstrip_blocks=True)


def _written(node: nodes.Node) -> Iterator[str]:
    if isinstance(node, nodes.Block) and node.name in MARKS:
        return
    if isinstance(node, nodes.Output):
        for part in node.nodes:
            yield (
                part.data if isinstance(part, nodes.TemplateData) else f" {' '.join(_texts(part))} "
            )
    else:
        for child in node.iter_child_nodes():
            yield from _written(child)


def _texts(node: nodes.Node) -> Iterator[str]:
    """The texts that an expression may come to by itself; what is called makes its own."""
    if isinstance(node, nodes.Const):
        yield str(node.value) if isinstance(node.value, str) else ""
    elif isinstance(node, nodes.CondExpr):
        for each in (node.expr1, node.expr2):
            yield from _texts(each) if each is not None else ()
    elif isinstance(node, nodes.Concat):
        yield "".join(text for each in node.nodes for text in _texts(each))
    elif isinstance(node, (nodes.Or, nodes.And)):
        yield from _texts(node.left)
        yield from _texts(node.right)


def bare_texts(source: str) -> list[str]:
    """What a page shows in letters outside of every expression."""
    reader = Reader(source)
    shown = [reader.text, *reader.attributes]
    return [word for text in shown for word in LETTERS.findall(text)]


def test_no_template_says_anything_untranslated() -> None:
    found = {}
    templates = list(catalogs.sources("html", catalogs.TEMPLATES))
    for path in templates:
        words = [word for word in bare_texts(page_source(path)) if word not in UNTRANSLATED]
        if words:
            found[str(path.relative_to(ROOT))] = words
    assert len(templates) > 20 and found == {}


def test_no_template_hands_on_an_untranslated_sentence() -> None:
    found = []
    for path in catalogs.sources("html", catalogs.TEMPLATES):
        tree = environment().parse(path.read_text(encoding="utf-8"))
        inside = {id(arg) for call in tree.find_all(nodes.Call) for arg in _own(call)}
        for const in tree.find_all(nodes.Const):
            if isinstance(const.value, str) and id(const) not in inside:
                if re.match(r"[A-Z][a-z]+ \w+|[A-Z]?[a-z]+ .*[.?!]$", const.value):
                    found.append((path.name, const.value))
    assert found == []


def _own(call: nodes.Call) -> Iterator[nodes.Node]:
    if isinstance(call.node, nodes.Name) and call.node.name in catalogs.KEYWORDS:
        yield from call.args


def test_untranslated_words_in_a_template_are_found(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text(
        '<p class="{{ "big" if a else "small" }}" title="Tip">{{ _("Fine") }} loose {{ name }}'
        '{% if a %}{{ "yes" if b else _("No") }}{% endif %}<b aria-label="{{ c or "None" }}">'
        "{% macro m() %}deep{% endmacro %}{{ tile(1, 2, 'css class') }}</b></p>"
    )
    assert bare_texts(page_source(page)) == ["loose", "yes", "deep", "Tip", "None"]


# ---- sentences in modules ----------------------------------------------------------------------

IN_ENGLISH = {
    "companion.carding": None,
    "companion.check": None,
    "companion.checkkeys": None,
    "companion.checkreport": None,
    "companion.cli": None,
    "companion.config": None,
    "companion.lampwalk": None,
    "companion.reading": None,
    "companion.replaying": None,
    "companion.restoring": None,
    "companion.web.api": None,
    "companion.web.arriving": None,
    "companion.web.serving": None,
    "hardware.checks": None,
    "hardware.playing": None,
    "hardware.supply": None,
    "companion.backups": ("copy",),
    "companion.journalfile": ("open_file", "alone", "set_aside"),
    "companion.keyfile": ("whole",),
    "companion.planning": ("say_plan", "progress"),
    "hardware.camera": ("open_camera",),
    "hardware.evening": ("moments", "_with_light"),
    "hardware.scorecard": ("lines",),
}
"""What only a terminal or a program is told; None for a whole module, else its functions."""

LATER = {
    ("companion.report", "say_action"),
    ("companion.reminders", "_sentence"),
    ("companion.saying", "_joined"),
    ("companion.web.words", "told"),
}
"""Where words are said that were marked by ``phrase`` or written before."""

INTERNAL = ("ValueError", "KeyError", "TypeError", "NotImplementedError")
SENTENCE = re.compile(r"(?!SELECT|DELETE|UPDATE)[A-Z%{][^\n]* [^\n]*[.?!…:]$")
"""Errors that no page shows are for programmers; a sentence has a capital, a blank, an end."""


def modules() -> Iterator[tuple[str, ast.Module]]:
    for path in catalogs.sources("py", *catalogs.PYTHON):
        parts = path.relative_to(ROOT).with_suffix("").parts
        yield ".".join(parts), ast.parse(path.read_text(encoding="utf-8"))


def with_parents(tree: ast.Module) -> Iterator[tuple[ast.AST, list[ast.AST]]]:
    """Every node with what it stands in, the nearest first."""
    waiting: list[tuple[ast.AST, list[ast.AST]]] = [(tree, [])]
    while waiting:
        node, around = waiting.pop()
        yield node, around
        waiting += [(child, [node, *around]) for child in ast.iter_child_nodes(node)]


def called(node: ast.AST) -> str:
    return ast.unparse(node.func) if isinstance(node, ast.Call) else ""


def english_only(module: str, around: list[ast.AST]) -> bool:
    rooms = [room for room in IN_ENGLISH if f"{module}.".startswith(f"{room}.")]
    if not rooms:
        return False
    functions = IN_ENGLISH[max(rooms)]
    names = {each.name for each in around if isinstance(each, ast.FunctionDef)}
    return functions is None or bool(names & set(functions))


def untranslated(module: str, tree: ast.Module) -> Iterator[str]:
    """The sentences of a module that stand in no word for translators."""
    for node, around in with_parents(tree):
        text = plain(node)
        if text is None or not around or isinstance(around[0], (ast.Expr, ast.JoinedStr)):
            continue
        calls = [called(each) for each in around]
        kept = any(name in (*catalogs.KEYWORDS, *INTERNAL) for name in calls)
        kept = kept or any(name.startswith(("log.", "logging.")) for name in calls)
        raised = isinstance(around[0], ast.Call) and isinstance(around[1], ast.Raise)
        if (raised or SENTENCE.match(text)) and not kept and not english_only(module, around):
            yield text


def plain(node: ast.AST) -> str | None:
    """A text in a module, with {} for the values of an f-string."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(plain(part) or "{}" for part in node.values)
    return None


def test_no_module_says_anything_untranslated() -> None:
    found = {
        module: texts for module, tree in modules() if (texts := [*untranslated(module, tree)])
    }
    assert found == {}


def test_what_is_to_be_translated_is_written_out() -> None:
    """A text that is put together while the program runs is in no catalog."""
    found = []
    for module, tree in modules():
        spared = {
            id(node)
            for each in ast.walk(tree)
            if isinstance(each, ast.FunctionDef) and (module, each.name) in LATER
            for node in ast.walk(each)
        }
        for call in catalogs.translating(tree):
            texts = catalogs.told_to_translators(call)
            if id(call) not in spared and not all(isinstance(each, ast.Constant) for each in texts):
                found.append(f"{module}: {ast.unparse(call)[:80]}")
    assert found == []


def test_untranslated_sentences_in_a_module_are_found() -> None:
    source = """
def f(x):
    "A sentence about f."
    log.info("A line of the log.")
    say("This is told.")
    raise Trouble("no such thing")
    raise ValueError("The caller is wrong.")
    refuse(f"There is no {x}.")
    return _("Fine, this one."), "Not this one.", "a key"
"""
    found = [*untranslated("companion.made_up", ast.parse(source))]
    assert sorted(found) == ["Not this one.", "There is no {}.", "no such thing"]
    assert [*untranslated("companion.cli", ast.parse(source))] == []


def test_every_text_says_the_same_values_for_one_and_for_several() -> None:
    for message in catalogs.template():
        found = [set(catalogs.PLACEHOLDER.findall(text)) for text in catalogs.english(message)]
        assert all(each | {"num"} == found[0] | {"num"} for each in found), message.id


def test_a_text_has_no_markup_and_no_loose_signs() -> None:
    for message in catalogs.template():
        for text in catalogs.english(message) if message.id else ():
            assert not re.search(r"<\w|&\w+;", text), text
            assert "%" not in re.sub(r"%\(\w+\)s|%%", "", text) or "%(" not in text, text
            assert text == text.strip() and "  " not in text, text
