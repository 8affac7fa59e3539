"""The catalogs of the pages' languages: what is to be translated, and what is wrong with one.

Every text of a page stands in the sources in English. A catalog holds what it is in one language,
in the form of gettext (``messages.po``, to be edited by people) and compiled (``messages.mo``,
which the pages read). Neither holds places or dates, so that only texts ever change in them.
"""

from __future__ import annotations

import ast
import io
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "companion" / "web" / "translations"
LANGUAGES = ("af", "es", "nl", "pt", "sl")
"""English needs none: it is what stands in the sources."""

PYTHON = ("companion", "hardware")
TEMPLATES = "templates"
KEYWORDS = {
    "_": None,
    "lazy_gettext": None,
    "ngettext": (1, 2),
    "phrase": None,
    "say": None,
    "say_many": (1, 2),
}
"""The words around a text that is to be translated."""
HOMES = ("companion.saying", "companion.web.words", "flask_babel")
"""The modules that these words come from."""

Text = str | tuple[str, ...]
"""A text, or what it is for one and for several."""

PLACEHOLDER = re.compile(r"%\((\w+)\)s")


class Words(Catalog):
    """A catalog whose header says only what its readers need."""

    @property
    def mime_headers(self) -> list[tuple[str, str]]:
        headers = [("Content-Type", "text/plain; charset=utf-8")]
        headers += [("Content-Transfer-Encoding", "8bit"), ("MIME-Version", "1.0")]
        if self.locale is not None:
            headers += [("Language", str(self.locale)), ("Plural-Forms", self.plural_forms)]
        return headers


@cache
def template() -> Words:
    """Everything that is to be translated, as it stands in the sources."""
    found = Words(fuzzy=False)
    for path in sources("py", *PYTHON):
        for text in in_python(path):
            found.add(text)
    for path in sources("html", TEMPLATES):
        for text in in_template(path):
            found.add(text)
    return found


def sources(kind: str, *folders: str) -> Iterator[Path]:
    """The files of one kind in these folders of the repository."""
    for folder in folders:
        yield from sorted((ROOT / folder).rglob(f"*.{kind}"))


def in_python(path: Path) -> Iterator[Text]:
    """The texts of a module; one that is put together while it runs is none."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for call in translating(tree):
        told = told_to_translators(call)
        texts = tuple(each.value for each in told if isinstance(each, ast.Constant))
        if texts and len(texts) == len(told):
            yield texts if len(texts) > 1 else texts[0]


def translating(tree: ast.Module) -> Iterator[ast.Call]:
    """The calls of our own words in a module; it may use the same names for something else."""
    ours = {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module in HOMES
        for alias in node.names
    } | {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            if node.func.id in ours & KEYWORDS.keys():
                yield node


def told_to_translators(call: ast.Call) -> list[ast.expr]:
    """The texts that such a call is given: one, or those for one and for several."""
    assert isinstance(call.func, ast.Name)
    return call.args[: len(KEYWORDS[call.func.id] or (1,))]


def in_template(path: Path) -> Iterator[Text]:
    """The texts of a template."""
    options = {"trim_blocks": "true", "lstrip_blocks": "true"}
    with path.open("rb") as file:
        method = "jinja2.ext:babel_extract"
        for _line, text, _comments, _context in extract(method, file, KEYWORDS, (), options):
            if text:
                yield text


def po_path(language: str) -> Path:
    """The file that people edit."""
    return FOLDER / language / "LC_MESSAGES" / "messages.po"


def mo_path(language: str) -> Path:
    """The file that the pages read."""
    return po_path(language).with_suffix(".mo")


def _empty(language: str) -> Words:
    words = f"# The words of the companion's pages in one language: {language}"
    return Words(language, header_comment=words, fuzzy=False)


def read(language: str) -> Words:
    """The catalog as it is stored; an empty one where there is none yet."""
    catalog = _empty(language)
    if po_path(language).exists():
        with po_path(language).open("rb") as file:
            for message in read_po(file, locale=language, ignore_obsolete=True):
                if message.id:
                    catalog.add(message.id, message.string, flags=message.flags)
    return catalog


def updated(language: str) -> Words:
    """The stored catalog with exactly the texts of the sources; new ones are empty.

    Nothing is guessed from a similar text: a sentence that changed is to be translated anew.
    """
    old, fresh = read(language), _empty(language)
    for message in template():
        if message.id:
            known = old.get(message.id)
            same = known is not None and known.id == message.id
            fresh.add(message.id, known.string if same else None, flags=known.flags if same else ())
    return fresh


def as_po(catalog: Catalog) -> bytes:
    """The catalog as people edit it."""
    made = io.BytesIO()
    write_po(made, catalog, width=100, no_location=True, sort_output=True)
    return made.getvalue()


def as_mo(catalog: Catalog) -> bytes:
    """The catalog as the pages read it."""
    made = io.BytesIO()
    write_mo(made, catalog)
    return made.getvalue()


def store(language: str, catalog: Catalog) -> None:
    """Write both files of a language."""
    po_path(language).parent.mkdir(parents=True, exist_ok=True)
    po_path(language).write_bytes(as_po(catalog))
    mo_path(language).write_bytes(as_mo(catalog))


def forms(message: Message) -> tuple[str, ...]:
    """The translations of a message: one, or one for each plural form."""
    told = message.string or ""
    return (told,) if isinstance(told, str) else tuple(told)


def english(message: Message) -> tuple[str, ...]:
    """The texts of a message in English: one, or those for one and for several."""
    return (message.id,) if isinstance(message.id, str) else tuple(message.id)


def missing(catalog: Catalog) -> list[str]:
    """The texts without a translation, or with one that nobody has confirmed."""
    return [
        english(each)[0] for each in catalog if each.id and (not all(forms(each)) or each.fuzzy)
    ]


def misplaced(catalog: Catalog) -> list[str]:
    """The texts whose translation shows other values than the English does.

    Of a plural, a form may leave out the number where the English says it with a word.
    """
    wrong = []
    for message in catalog:
        wanted = set().union(*(PLACEHOLDER.findall(text) for text in english(message)))
        for told in filter(None, forms(message) if message.id else ()):
            shown = set(PLACEHOLDER.findall(told))
            left = re.sub(r"%\(\w+\)s|%%", "", told)
            spare = {"num"} if message.pluralizable else set()
            if not (wanted - spare <= shown <= wanted | spare) or "%" in left:
                wrong.append(told)
    return wrong
