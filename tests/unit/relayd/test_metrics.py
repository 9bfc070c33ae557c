"""The metrics as a monitor reads them."""

from prometheus_client import CollectorRegistry, generate_latest

from relayd.observe.metrics import Metrics

IDS = {"tournament", "player", "table", "round", "server", "peer", "room", "token", "version"}


def test_every_metric_is_ours_and_says_what_it_means() -> None:
    """House 5: one prefix, a help text, no ids as labels."""
    metrics = Metrics()
    families = list(metrics.registry.collect())
    assert len(families) > 20
    for family in families:
        assert family.name.startswith("relayd_")
        assert family.documentation.endswith(".")
    labels = {label for name in vars(metrics).values() for label in getattr(name, "_labelnames", ())}
    assert labels
    assert not labels & IDS


def test_parts_count_in_the_registry_that_was_given() -> None:
    """Two daemons in one process, as in tests, do not meet."""
    registry = CollectorRegistry()
    metrics = Metrics(registry)
    Metrics()
    metrics.commands.labels("register", "accepted").inc()
    assert (
        registry.get_sample_value("relayd_commands_total", {"kind": "register", "outcome": "accepted"}) == 1.0
    )
    assert b'relayd_commands_total{kind="register",outcome="accepted"} 1.0' in generate_latest(registry)
