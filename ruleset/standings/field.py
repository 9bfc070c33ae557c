"""The numbers of a whole field that several criteria share, exact: integers over a common denominator."""

from collections import defaultdict
from collections.abc import Mapping
from fractions import Fraction
from math import lcm
from typing import TypeAlias

from ruleset.ids import PlayerId
from ruleset.standings.boards import Boards
from ruleset.standings.record import Record
from ruleset.standings.scoring import Scoring

Number: TypeAlias = int | Fraction
Key: TypeAlias = Number | tuple[Number, ...]
"""What players are compared by."""
Tally: TypeAlias = tuple[int, int]
"""A part and the whole that it is a part of."""


class Field:
    """Everybody's record with his points and shares; whoever was met must be in *records*.

    ``unit`` is the common denominator of all shares, and ``mean_unit`` a multiple of every number of
    opponents: a share times ``unit`` and a mean of shares times ``unit * mean_unit`` are integers.
    """

    def __init__(
        self,
        records: Mapping[PlayerId, Record],
        scoring: Scoring,
        order: tuple[str, ...] = (),
        seed: bytes = b"",
        rounds: int = 0,
    ) -> None:
        self.records, self.scoring, self.order, self.seed = dict(records), scoring, order, seed
        self._rounds = rounds
        self.points: dict[PlayerId, int] = {}
        self.match_tally: dict[PlayerId, Tally] = {}
        self.game_tally: dict[PlayerId, Tally] = {}
        self.match_share: dict[PlayerId, int] = {}
        """Floored: what a player counts in his opponents' averages (R025)."""
        self.game_share: dict[PlayerId, int] = {}
        """The same of his games, floored if so chosen (R027)."""
        self.own_game_share: dict[PlayerId, int] = {}
        """What counts for himself: raw, or floored if so chosen (R026)."""
        self.met: dict[PlayerId, list[PlayerId]] = {}
        """Opponents in the order of rounds; a bye is none, and who is met twice counts twice (4.1)."""
        self.faced: dict[PlayerId, list[PlayerId]] = {}
        """The same, without those whose absence counts as a bye (R029)."""
        self.known: defaultdict[str, dict[PlayerId, Key]] = defaultdict(dict)
        """Values of criteria that were computed already."""
        self.boards = Boards(self.records.values(), scoring.median_over)
        for record in self.records.values():
            self._tally(record)
        self._rescale()

    def put(self, record: Record) -> bool:
        """Replace one player's record; ``False``: every value may have changed, not only those near him."""
        self.records[record.player] = record
        self._tally(record)
        if any(match.boards for match in record.matches):
            self.boards = Boards(self.records.values(), self.scoring.median_over)
        elif self._fits(record.player):
            self._share(record.player)
            return True
        self._rescale()
        return False

    def share(self, tally: Tally) -> int:
        """Return a part of a whole in ``unit``; nothing of nothing is 0 (4.1)."""
        part, whole = tally
        return part * (self.unit // whole) if whole else 0

    def _tally(self, record: Record) -> None:
        player, matches, scoring = record.player, record.matches, self.scoring
        self.points[player] = points = sum(map(scoring.points, matches))
        self.match_tally[player] = points, scoring.win * len(matches)
        games = [scoring.games(match) for match in matches]
        self.game_tally[player] = sum(won for won, _ in games), sum(had for _, had in games)
        self.met[player] = met = [m.opponent for m in matches if m.opponent is not None]
        if scoring.noshow_counts_as_bye:
            met = [m.opponent for m in matches if m.opponent is not None and not scoring.is_bye(m)]
        self.faced[player] = met

    def _rescale(self) -> None:
        scoring, expected = self.scoring, range(1, self._rounds + 1)
        wholes = {whole for _, whole in (*self.match_tally.values(), *self.game_tally.values())} - {0}
        wholes.update(scoring.win * rounds for rounds in expected)
        wholes.update(3 * games for games in range(1, scoring.best_of * self._rounds + 1))
        met = max(map(len, self.met.values()), default=0)
        self.unit = lcm(scoring.floor.denominator, *wholes)
        self.mean_unit = lcm(*range(1, max(met, self._rounds) + 1))
        self.floor = int(scoring.floor * self.unit)
        self.known.clear()
        for player in self.records:
            self._share(player)

    def _fits(self, player: PlayerId) -> bool:
        wholes = self.match_tally[player][1] or 1, self.game_tally[player][1] or 1
        return self.unit % lcm(*wholes) == 0 == self.mean_unit % (len(self.met[player]) or 1)

    def _share(self, player: PlayerId) -> None:
        self.match_share[player] = max(self.share(self.match_tally[player]), self.floor)
        games = self.share(self.game_tally[player])
        self.game_share[player] = max(games, self.floor if self.scoring.floor_ogw else 0)
        self.own_game_share[player] = max(games, self.floor if self.scoring.floor_own_gw else 0)
