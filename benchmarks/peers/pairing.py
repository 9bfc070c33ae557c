"""Pairs one round with one peer; runs where the peers are installed, and prints its answer as JSON."""

import json
import sys
import time
from collections.abc import Callable
from itertools import combinations
from typing import Any

Answer = tuple[float, list[tuple[int, int]], int | None]
"""Milliseconds, tables, bye."""


class State:
    """What every peer needs to know, from the rounds played."""

    def __init__(self, instance: dict[str, Any]) -> None:
        self.size, self.rounds = instance["size"], instance["rounds"]
        self.players = range(1, self.size + 1)
        self.points = dict.fromkeys(self.players, 0)
        self.met: dict[int, list[int]] = {p: [] for p in self.players}
        self.byes = dict.fromkeys(self.players, 0)
        for a, b, won, lost in (row for tables in self.rounds for row in tables):
            self._add(a, b, won, lost)

    def _add(self, a: int, b: int | None, won: int, lost: int) -> None:
        if b is None:
            self.points[a] += 3
            self.byes[a] += 1
            return
        self.met[a].append(b)
        self.met[b].append(a)
        self.points[a] += 3 if won > lost else won == lost
        self.points[b] += 3 if lost > won else won == lost


def timed(call: Callable[[], Any]) -> tuple[float, Any]:
    """Return the milliseconds of a call and its result; a limit of time makes other clocks coarse."""
    start = time.thread_time()
    result = call()
    return (time.thread_time() - start) * 1e3, result


def swisspair(state: State) -> Answer:
    """C++ inside."""
    import swisspair as peer

    ranked = sorted(state.players, key=lambda p: -state.points[p])
    players = [
        peer.Player(
            id=str(p),
            points=state.points[p],
            rank=rank,
            can_get_bye=not state.byes[p],
            cannot_be_paired_against_ids={str(o) for o in state.met[p]},
        )
        for rank, p in enumerate(ranked, 1)
    ]
    ms, matches = timed(lambda: peer.create_matches(players))
    tables = [(int(m.p1.id), int(m.p2.id)) for m in matches if m.p2 is not None]
    return ms, tables, next((int(m.p1.id) for m in matches if m.p2 is None), None)


def cardarena(state: State) -> Answer:
    """Greedy from the top."""
    from cardarena_tournament_core.common.models import Matchup, MatchupOutcome, Player, Round
    from cardarena_tournament_core.pairings.swiss import Swiss

    who = {p: Player(id=str(p), name=str(p)) for p in state.players}

    def outcome(won: int, lost: int) -> MatchupOutcome:
        if won == lost:
            return MatchupOutcome.DRAW
        return MatchupOutcome.PLAYER1_WINS if won > lost else MatchupOutcome.PLAYER2_WINS

    rounds = [
        Round(
            n,
            [
                Matchup(
                    who[a],
                    None if b is None else who[b],
                    MatchupOutcome.PLAYER1_WINS if b is None else outcome(won, lost),
                )
                for a, b, won, lost in tables
            ],
        )
        for n, tables in enumerate(state.rounds, 1)
    ]
    swiss = Swiss.from_history(list(who.values()), rounds, {str(p) for p in state.players})
    ms, found = timed(swiss.pair)
    tables = [(int(m.player1.id), int(m.player2.id)) for m in found.matchups if m.player2]
    return ms, tables, next((int(m.player1.id) for m in found.matchups if not m.player2), None)


def caissify(state: State) -> Answer:
    """Its casual engine."""
    from caissify_pairings.engines.casual import CasualSwissEngine

    players = [
        {
            "id": p,
            "name": str(p),
            "score": state.points[p],
            "rating": 0,
            "starting_number": p,
            "color_hist": [],
            "float_history": [],
            "bye_count": state.byes[p],
        }
        for p in state.players
    ]
    met = {pair for p in state.players for o in state.met[p] for pair in ((p, o), (o, p))}
    engine = CasualSwissEngine(players, met, len(state.rounds) + 1, len(state.rounds) + 1)
    ms, found = timed(engine.generate_pairings)
    tables = [(m["white_id"], m["black_id"]) for m in found if m["black_id"] is not None]
    return ms, tables, next((m["white_id"] for m in found if m["black_id"] is None), None)


def py4swiss(state: State) -> Answer:
    """FIDE's Dutch system, which has colours to care for: a harder problem."""
    import tempfile
    from pathlib import Path

    from py4swiss.engines import DutchEngine
    from py4swiss.trf import TrfParser

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "event.trf")
        file.write_text(_trf(state))
        parsed = TrfParser.parse(file)
    ms, found = timed(lambda: DutchEngine.generate_pairings(parsed))
    tables = [(m.white, m.black) for m in found if m.black]
    return ms, tables, next((m.white for m in found if not m.black), None)


def _trf(state: State) -> str:
    whites, results, points = (
        dict.fromkeys(state.players, 0),
        dict.fromkeys(state.players, ""),
        dict.fromkeys(state.players, 0.0),
    )
    for tables in state.rounds:
        for a, b, won, lost in tables:
            if b is None:
                results[a] += "  0000 - U"
                points[a] += 1
                continue
            white = a if whites[a] <= whites[b] else b
            whites[white] += 1
            for own, other, mine, theirs in ((a, b, won, lost), (b, a, lost, won)):
                score = 1 if mine > theirs else 0.5 if mine == theirs else 0
                points[own] += score
                colour = "w" if own == white else "b"
                results[own] += f"  {other:4d} {colour} {'1' if score == 1 else '=' if score else '0'}"
    head = "012 event\n" + f"XXR {len(state.rounds) + 1}\n"
    return head + "".join(
        f"001 {p:4d}      {f'P{p}':33s} {1500:4d}" + " " * 28 + f"{points[p]:4.1f} {p:4d}{results[p]}\n"
        for p in state.players
    )


def _edges(state: State) -> list[tuple[int, int, int]]:
    most = max(state.points.values()) ** 2 + 1
    pairs = combinations(state.players, 2)
    return [
        (a, b, most - (state.points[a] - state.points[b]) ** 2) for a, b in pairs if b not in state.met[a]
    ]


def networkx(state: State) -> Answer:
    """One matching over the whole field in Python."""
    import networkx as nx

    def solve() -> Any:
        graph = nx.Graph()
        graph.add_weighted_edges_from(_edges(state))
        return nx.max_weight_matching(graph, maxcardinality=True)

    ms, found = timed(solve)
    return ms, sorted(found), None


def rustworkx(state: State) -> Answer:
    """One matching over the whole field in Rust."""
    import rustworkx as rx

    def solve() -> Any:
        graph = rx.PyGraph()
        graph.add_nodes_from(range(state.size + 1))
        graph.add_edges_from(_edges(state))
        return rx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)

    ms, found = timed(solve)
    return ms, sorted(found), None


PEERS = {f.__name__: f for f in (swisspair, cardarena, caissify, py4swiss, networkx, rustworkx)}

if __name__ == "__main__":
    ms, tables, bye = PEERS[sys.argv[1]](State(json.load(sys.stdin)))
    print(json.dumps({"ms": ms, "tables": tables, "bye": bye}))
