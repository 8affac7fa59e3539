"""What one device remembers of its own look and sounds, in cookies of its own.

Knows the names and the values; nothing here is told to the game or to other devices.
"""

from __future__ import annotations

from flask import Response, request

DEVICE, LIGHT, DARK = "device", "light", "dark"
OFF, ON = "off", "on"

WISHES = {"theme": (DEVICE, LIGHT, DARK), "sounds": (OFF, ON)}
"""What can be wished, each with its values; the first is what holds unless something is said."""
A_YEAR = 365 * 24 * 3600


def wish(name: str) -> str:
    """What this device wishes."""
    said, values = request.cookies.get(name), WISHES[name]
    return said if said in values else values[0]


def remember(answer: Response, name: str, value: str) -> None:
    """Let this device remember the wish; the usual one needs no cookie."""
    if value == WISHES[name][0]:
        answer.delete_cookie(name)
    else:
        answer.set_cookie(name, value, max_age=A_YEAR, httponly=True, samesite="Lax")


SYSTEMS = ("ios", "android", "fire", "windows", "mac", "chromebook", "linux")


def systems(agent: str) -> tuple[str, ...]:
    """The systems that a browser may run on, by what it calls itself.

    An iPad calls itself a Mac unless it is told otherwise.
    """
    if "Silk" in agent or "KF" in agent.partition("Build/")[0].partition("Android")[2]:
        return ("fire",)
    marks = {"iPhone": "ios", "iPad": "ios", "Android": "android", "CrOS": "chromebook"}
    marks |= {"Windows": "windows", "Linux": "linux"}
    for mark, system in marks.items():
        if mark in agent:
            return (system,)
    if "Macintosh" not in agent:
        return ()
    others = any(name in agent for name in ("Chrome", "Firefox"))
    return ("mac",) if others else ("ios", "mac")
