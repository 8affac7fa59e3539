"""``companion rules``: the rule card as text, below it every switch with what it changes."""

from __future__ import annotations

from collections.abc import Sequence

from companion.card import headline, rule_card, settings
from companion.rulebook import Rules
from companion.switches import read_setting


def rules_command(rules: str = "classic", switches: Sequence[str] = ()) -> str:
    """The text for a preset with some switches set otherwise, each written ``name=value``.

    Raises RuleBroken with a sentence for unknown rules, switches or values.
    """
    overrides = dict(read_setting(text) for text in switches)
    return card_text(Rules.preset(rules, overrides))


def card_text(rules: Rules) -> str:
    """The card of these rules, then the switches."""
    lines = [headline(rules)]
    for heading, sentences in rule_card(rules):
        lines += ["", heading, *(f"  {sentence}" for sentence in sentences)]
    lines += ["", "Switches: what each is about, and what it changes"]
    for setting in settings(rules):
        lines.append(f"  {setting.name}={setting.value}: {setting.meaning}")
        lines.append(f"      {setting.kind}: {setting.effect}")
    return "\n".join(lines)
