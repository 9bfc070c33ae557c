"""The log as a monitor sees it."""

from relayd.observe.logwatch import REMEMBERED_S, LogWatch
from relayd.observe.metrics import Metrics
from relayd.storage.log import LogBroken, LogUnavailable


def sample(metrics: Metrics, name: str, **labels: str) -> float:
    """Return the value of a sample; 0: it is not there."""
    return metrics.registry.get_sample_value(name, labels) or 0.0


def test_groups_are_counted() -> None:
    """House 5: entries that shared a sync, the seconds that it took, failures by kind."""
    metrics = Metrics()
    watch = LogWatch(metrics)
    watch(3, 0.25, None)
    watch(2, 0.5, None)
    watch(9, 0.1, LogUnavailable("disk full"))
    watch(1, 0.1, LogBroken("EIO"))
    assert sample(metrics, "relayd_log_group_entries_sum") == 5
    assert sample(metrics, "relayd_log_sync_seconds_sum") == 0.75
    assert sample(metrics, "relayd_log_failures_total", kind="unavailable") == 1
    assert sample(metrics, "relayd_log_failures_total", kind="broken") == 1


def test_a_log_that_fails_is_not_ready() -> None:
    """F03: ``/readyz`` says why, until a group is written again, or nobody has tried for a while."""
    now = [0.0]
    watch = LogWatch(Metrics(), lambda: now[0])
    reasons = [watch.why_not()]
    watch(1, 0.1, LogUnavailable("relayd.db: disk full"))
    reasons.append(watch.why_not())
    watch(1, 0.1, None)
    reasons.append(watch.why_not())
    watch(1, 0.1, LogUnavailable("relayd.db: busy"))
    now[0] = REMEMBERED_S + 1
    assert [*reasons, watch.why_not()] == ["", "relayd.db: disk full", "", ""]
