"""What lies in systemd/prometheus/: alert rules with their tests, and a dashboard."""

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from relayd.observe.metrics import Metrics

FOLDER = Path(__file__).parents[3] / "systemd" / "prometheus"
ALERTS = (FOLDER / "alerts.yml").read_text(encoding="utf-8")
DASHBOARD: dict[str, Any] = json.loads((FOLDER / "dashboard.json").read_text(encoding="utf-8"))
NAME = re.compile(r"\brelayd_[a-z_]+\b")
installed = pytest.mark.skipif(shutil.which("promtool") is None, reason="needs the Debian package prometheus")


def promtool(*words: str) -> str:
    """Return what promtool says, which must end well."""
    ended = subprocess.run(
        ["promtool", *words], cwd=FOLDER, capture_output=True, text=True, timeout=120, check=False
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout


def samples() -> set[str]:
    """Return the names of all samples that the daemon may show."""
    endings = {"counter": ("_total",), "histogram": ("_bucket", "_sum", "_count"), "gauge": ("",)}
    families = list(Metrics().registry.collect())
    return {family.name + ending for family in families for ending in endings[family.type]}


def expressions() -> Iterator[str]:
    """Yield every expression of the dashboard."""
    for panel in DASHBOARD["panels"]:
        yield from (target["expr"] for target in panel.get("targets", ()))
    yield from (note["expr"] for note in DASHBOARD["annotations"]["list"])


def test_rules_and_dashboard_name_what_the_daemon_shows() -> None:
    """Issue 3: no panel and no alert that waits for a metric which does not exist; none is left out."""
    queries = [variable["query"] for variable in DASHBOARD["templating"]["list"]]
    asked = set(NAME.findall(" ".join([*expressions(), *queries])))
    assert asked <= samples()
    alerted = set(NAME.findall(" ".join(re.findall(r"expr: ([^#]*?)\n +(?:for|labels):", ALERTS, re.DOTALL))))
    assert len(alerted) > 15
    assert alerted <= samples()
    families = [family.name for family in Metrics().registry.collect()]
    assert [name for name in families if not any(one.startswith(name) for one in asked)] == []


def test_panels_stand_beside_each_other() -> None:
    """Each has its own number and its own place."""
    panels = DASHBOARD["panels"]
    assert len({panel["id"] for panel in panels}) == len(panels)
    places = [
        (x, y)
        for place in (panel["gridPos"] for panel in panels)
        for x in range(place["x"], place["x"] + place["w"])
        for y in range(place["y"], place["y"] + place["h"])
    ]
    assert len(set(places)) == len(places)
    assert max(x for x, _ in places) == 23


def test_every_alert_says_what_to_do() -> None:
    """Issue 3: a severity of ours, what is wrong, and what to do about it."""
    blocks = ALERTS.split("- alert: ")[1:]
    assert len(blocks) == ALERTS.count("severity: ")
    for block in blocks:
        assert re.search(r"severity: (page|ticket|note)\}", block), block
        assert re.search(r"summary: .+\n +action: .+\n", block), block


def test_every_alert_has_a_course_on_which_it_fires_and_one_on_which_not() -> None:
    """Issue 3: rule unit tests."""
    tests = (FOLDER / "alerts_test.yml").read_text(encoding="utf-8")
    for alert in re.findall(r"- alert: (\w+)", ALERTS):
        assert re.search(rf"alertname: {alert}\n +exp_alerts:\n +- exp_labels", tests), alert
        assert re.search(rf"alertname: {alert}, exp_alerts: \[\]", tests), alert


@installed
def test_promtool_accepts_the_rules_and_their_tests() -> None:
    """Issue 3: ``promtool check rules`` and ``promtool test rules``."""
    assert "SUCCESS" in promtool("check", "rules", "alerts.yml")
    assert "SUCCESS" in promtool("test", "rules", "alerts_test.yml")
    assert "SUCCESS" in promtool("check", "config", "--syntax-only", "scrape.yml")


@installed
def test_promtool_understands_the_dashboard(tmp_path: Path) -> None:
    """Every expression of every panel is PromQL."""
    asked = [expression.replace("$__rate_interval", "5m") for expression in expressions()]
    rules = [{"record": f"panel:{place}", "expr": expression} for place, expression in enumerate(asked)]
    groups = {"groups": [{"name": "dashboard", "rules": rules}]}
    (tmp_path / "dashboard.yml").write_text(json.dumps(groups), encoding="utf-8")  # JSON is YAML
    assert f"{len(asked)} rules found" in promtool("check", "rules", str(tmp_path / "dashboard.yml"))
