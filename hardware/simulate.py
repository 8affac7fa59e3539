"""Plays simulated evenings before the watch's follower, and scores what was seen.

The follower is told where the hub and the seats are, as the calibration page stores it, and is
taught the markers; everything else it must see.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from companion.edges import Frame
from companion.errors import RuleBroken
from companion.following import Follower, PhotoReader
from companion.layout import Layout
from companion.vision import markers
from companion.vision.drawtable import HEIGHT, WIDTH
from companion.vision.markers import Marker
from hardware.evening import Evening, Moment
from hardware.scorecard import Scores, Scorer, clock, told
from hardware.stage import Stage

PACE = 1 / 3
"""Virtual seconds between two frames."""


class Watched:
    """One evening with a camera over it and a follower that looks at its frames."""

    def __init__(self, evening: Evening, reader: PhotoReader, *, agree: int = 2) -> None:
        self.evening, self.stage = evening, Stage(evening)
        x, y = self.stage.centre
        layout = Layout(centre=(x / WIDTH, y / HEIGHT), directions=self.stage.directions)
        players = evening.table.players
        self.follower = Follower(
            reader,
            highest=lambda: evening.table.highest,
            agree=agree,
            layout=lambda: layout,
            seats=lambda: len(players),
            markers=lambda: self.markers,
        )
        self.scorer = Scorer(players)
        self.markers = self._taught()

    def _taught(self) -> tuple[Marker, ...]:
        """The markers as the camera learns them; those that do not stand out are left out."""
        moment, found = self.evening.teaching(), []
        picture, _ = self.stage.frame(moment, 0.0)
        alike = self.evening.marker == "coin"
        for put in moment.scene.markers[:1] if alike else moment.scene.markers:
            name = "coin" if alike else f"{put.train}'s {self.evening.marker}"
            try:
                place = self.stage.seen(put.x, put.y)
                found.append(markers.learn(picture, place, self.stage.length, name))
            except RuleBroken as trouble:
                self.scorer.notes.append(f"{name}: {trouble}")
        return tuple(found)

    def play(
        self,
        tell: Callable[[str], None] = lambda words: None,
        *,
        speed: float = 0.0,
        sleep: Callable[[float], None] = time.sleep,
    ) -> Scorer:
        """Play it to the end, and tell in words what was done and what was seen.

        ``speed`` is how many virtual seconds pass in one, 0 for as many as the machine can.
        """
        now, began = 0.0, time.monotonic()
        for moment in self.evening.moments():
            self.scorer.moment(moment)
            tell(f"{moment.round:2}  {clock(moment.at):>6}  {moment.said}")
            while now < moment.until:
                self._look(moment, now, tell)
                now += PACE
                if speed > 0:
                    sleep(max(0.0, began + now / speed - time.monotonic()))
        self.scorer.end()
        return self.scorer

    def _look(self, moment: Moment, now: float, tell: Callable[[str], None]) -> None:
        picture, clear = self.stage.frame(moment, now)
        self.scorer.frame(clear)
        seen = self.follower.look(Frame(picture, now, "simulated table"), now)
        if seen is not None and self.scorer.sighting(seen, clear, now):
            tell(f"{'':>12}seen: {told(seen, self.evening.table.players)}")
            for question in seen.questions:
                tell(f"{'':>12}asks: {question}")


def simulate_command(
    evening: Evening, reader: PhotoReader, tell: Callable[[str], None], *, speed: float = 0.0
) -> Scores:
    """Play one evening before the follower, in words, with its scorecard at the end."""
    watched = Watched(evening, reader)
    tell(f"{evening.looks[0].upper()}{evening.looks[1:]}.")
    scorer = watched.play(tell, speed=speed)
    tell("")
    for line in scorer.notes:
        tell(line)
    for line in scorer.scores.lines():
        tell(line)
    return scorer.scores
