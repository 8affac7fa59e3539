"""The one family of errors: each is a plain sentence for the people at the table.

Knows nothing of games, photos or devices; it only gives them their ways to refuse.
"""


class Trouble(Exception):
    """Something that cannot be done, said in one plain sentence that tells what to do."""


class RuleBroken(Trouble, ValueError):
    """The record refuses an action.

    ``overrulable`` tells whether the people may insist by sending it again with
    ``overrule: true``.
    """

    def __init__(self, sentence: str, *, overrulable: bool = False) -> None:
        super().__init__(sentence)
        self.overrulable = overrulable


class NotAnAction(RuleBroken):
    """The message is not an action of the journal's vocabulary."""


class PhotoUnreadable(Trouble, ValueError):
    """The bytes are no picture that can be read."""


class DeviceTrouble(Trouble, OSError):
    """A camera, lamp or button is missing, busy or failing."""


class JournalTrouble(Trouble, OSError):
    """The journal's file cannot be read or written."""
