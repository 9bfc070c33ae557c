"""The one place that knows the matching library."""

from collections.abc import Iterable

import rustworkx

Edge = tuple[int, int, int]
"""Two nodes and what it costs to match them, an integer of up to 120 bits."""


def cheapest(nodes: int, edges: Iterable[Edge]) -> list[tuple[int, int]] | None:
    """Return a perfect matching of nodes 0 to *nodes* - 1 of least cost; ``None``: there is none."""
    graph = rustworkx.PyGraph[None, int](multigraph=False)
    graph.add_nodes_from([None] * nodes)
    graph.add_edges_from([(a, b, -cost) for a, b, cost in edges])
    matched = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    return sorted((min(pair), max(pair)) for pair in matched) if 2 * len(matched) == nodes else None
