"""The table's key: what opens the table to a device, and as what.

From one secret come, for each role, a link that is scanned and a short code that is typed. Also
counts wrong codes. Knows no page, no file and no clock.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import ipaddress
from dataclasses import dataclass, field

HOST, PLAYER, SPECTATOR = "host", "player", "spectator"
ROLES = (SPECTATOR, PLAYER, HOST)
"""What a device may be, the least first: each may all that those before it may."""

ALPHABET = "ACDEFGHJKMNPQRTUVWXY34679"
"""Letters and digits of a code: none that is mistaken for another one (B8, I1L, O0, S5, Z2)."""
LENGTHS = {HOST: 8, PLAYER: 6, SPECTATOR: 6}
"""Characters of a code. At the most guesses that ``Guesses`` lets through, one of the two short
ones is hit within an evening of six hours with a chance of 1 to 100,000."""
LINK_BYTES = 18
"""144 bits: nobody guesses a link, so nobody counts who tries, and a right one opens always."""


@dataclass(frozen=True)
class Key:
    """A table's key. Its ``master`` is never shown, printed or compared."""

    master: bytes = field(repr=False)

    def link(self, role: str) -> str:
        """The token in the link of this role: 24 letters, digits, ``-`` and ``_``."""
        made = self._made("link", role)[:LINK_BYTES]
        return base64.urlsafe_b64encode(made).decode("ascii")

    def code(self, role: str) -> str:
        """The short code of this role, as it is typed: ``ACD347``."""
        number = int.from_bytes(self._made("code", role), "big")
        letters = []
        for _ in range(LENGTHS[role]):
            number, letter = divmod(number, len(ALPHABET))
            letters.append(ALPHABET[letter])
        return "".join(letters)

    @property
    def generation(self) -> str:
        """A name of this key that gives nothing of it away: a cookie carries it."""
        return self._made("generation", "")[:8].hex()

    def opened_by_link(self, token: str) -> str | None:
        """The role that this token opens; None for none."""
        return self._opened(token, {role: self.link(role) for role in ROLES})

    def opened_by_code(self, typed: str) -> str | None:
        """The role that this code opens, however it is grouped and written; None for none."""
        bare = "".join(letter for letter in typed if letter.isalnum()).upper()
        return self._opened(bare, {role: self.code(role) for role in ROLES})

    def _opened(self, told: str, known: dict[str, str]) -> str | None:
        """Compares with each in the same time, wherever they differ."""
        right = [role for role, own in known.items() if same(told, own)]
        return right[-1] if right else None

    def _made(self, what: str, role: str) -> bytes:
        return hmac.digest(self.master, f"{what} {role}".encode(), hashlib.sha256)


def same(one: str, other: str) -> bool:
    """Whether two texts are equal, found out in a time that tells nothing of where they differ."""
    return hmac.compare_digest(one.encode("utf-8", "replace"), other.encode("utf-8", "replace"))


def grouped(code: str) -> str:
    """A code as it is shown: ``ACD-347``, ``ACDE-3479``."""
    half = len(code) // 2
    return f"{code[:half]}-{code[half:]}"


@dataclass
class _Bucket:
    """Tries that are left; they come back one by one."""

    left: float
    since: float


TRIES, BACK = 8, 60.0
"""Wrong codes from one address until it has to wait, and seconds until it has one more."""
ALL_TRIES, ALL_BACK = 60, 20.0
"""The same for all addresses together: far more than a family mistypes."""
REMEMBERED = 1000
"""Addresses; of more the ones that were wrong longest ago are forgotten."""


class Guesses:
    """Counts wrong codes by address and in total. ``now`` is in seconds of any steady clock."""

    def __init__(self) -> None:
        self._by: dict[str, _Bucket] = {}
        self._all = _Bucket(ALL_TRIES, 0.0)

    def wait(self, who: str, now: float) -> float:
        """Seconds until this address may guess again; 0 where it may now."""
        own = self._by.get(group(who), _Bucket(TRIES, now))
        return max(_until(own, TRIES, BACK, now), _until(self._all, ALL_TRIES, ALL_BACK, now))

    def wrong(self, who: str, now: float) -> None:
        """This address guessed wrong."""
        name = group(who)
        own = self._by.pop(name, _Bucket(TRIES, now))
        self._by[name] = _spent(own, TRIES, BACK, now)
        self._all = _spent(self._all, ALL_TRIES, ALL_BACK, now)
        while len(self._by) > REMEMBERED:
            del self._by[next(iter(self._by))]


def _left(bucket: _Bucket, most: int, back: float, now: float) -> float:
    return min(most, bucket.left + max(0.0, now - bucket.since) / back)


def _until(bucket: _Bucket, most: int, back: float, now: float) -> float:
    return max(0.0, (1 - _left(bucket, most, back, now)) * back)


def _spent(bucket: _Bucket, most: int, back: float, now: float) -> _Bucket:
    return _Bucket(max(0.0, _left(bucket, most, back, now) - 1), now)


def group(address: str) -> str:
    """Whom an address stands for: a device has one of IPv4, and a whole network (/64) of IPv6.

    Some proxies tell the port as well.
    """
    bare = address.partition("%")[0]
    if "." in bare and bare.count(":") == 1:
        bare = bare.partition(":")[0]
    elif bare.startswith("["):
        bare = bare[1:].partition("]")[0]
    try:
        number = ipaddress.ip_address(bare)
    except ValueError:
        return address[:50]
    inner = getattr(number, "ipv4_mapped", None)
    if inner is not None:
        return str(inner)
    if number.version == 4:
        return str(number)
    return str(ipaddress.ip_network((number, 64), strict=False).network_address)
