"""/metrics of a daemon that has just started, as the alerts look at it."""

import re
from pathlib import Path

from tests.daemons import ROOT, running, settings

ALERTS = (ROOT / "systemd" / "prometheus" / "alerts.yml").read_text(encoding="utf-8")
COUNTED = re.compile(r"increase\((\w+)(?:\{(\w+)=~?\"([^\"]*)\"\})?\[\w+\]\)+ > 0")


def test_what_an_alert_counts_is_there_from_the_start(tmp_path: Path) -> None:
    """Issue 3: a counter that appears at 1 has not increased, so that the first event would be missed."""
    with running(settings(tmp_path)) as daemon:
        page = daemon.get("/metrics")
    counted = COUNTED.findall(ALERTS)
    assert len(counted) > 5
    for name, label, values in counted:
        for value in values.split("|"):
            labels = f'.*{label}="{value}".*' if label else ".*"
            assert re.search(rf"^{name}{labels} 0\.0$", page, re.MULTILINE), (name, label, value)
