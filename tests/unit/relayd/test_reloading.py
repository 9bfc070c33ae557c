"""Settings that are read anew: taken up whole, or not at all."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from relayd.app.reloading import Apply, Reloading
from relayd.app.uptake import take_up_level
from relayd.observe.logging import Level
from relayd.observe.metrics import Metrics
from relayd.settings import Settings, SettingsError
from relayd.settings.tree import Address, LogSettings

OLD = Settings(data_dir=Path("/here"))


@dataclass
class Part:
    """A part that notes what it was given."""

    given: list[Settings] = field(default_factory=list)
    fails: bool = False

    def __call__(self, new: Settings) -> Apply:
        """Ready it, or fail as one does whose secret cannot be read."""
        if self.fails:
            raise SettingsError(["/nowhere: the secret cannot be read"])
        return lambda: self.given.append(new)


def reading(*results: Settings | SettingsError) -> Callable[[], Settings]:
    """Return one result after the other."""
    left: Iterator[Settings | SettingsError] = iter(results)

    def reread() -> Settings:
        result = next(left)
        if isinstance(result, SettingsError):
            raise result
        return result

    return reread


def gauge(metrics: Metrics, name: str) -> float | None:
    """Return the value of a metric without labels."""
    return metrics.registry.get_sample_value(name)


async def test_new_settings_reach_every_part() -> None:
    """F28: all parts get the same, with what needs a restart left as it was."""
    new = OLD.model_copy(update={"time_zone": "Europe/Berlin", "http": Address(port=1)})
    metrics, parts = Metrics(), [Part(), Part()]
    reloading = Reloading(OLD, reading(new, new), metrics)
    for part in parts:
        reloading.add(part)
    told = await reloading.reload()
    assert (told.changed, told.waiting) == (("time_zone",), ("http.port",))
    assert [part.given for part in parts] == [[reloading.settings]] * 2
    assert (reloading.settings.time_zone, reloading.settings.http.port) == ("Europe/Berlin", 8720)
    told = await reloading.reload()
    assert (told.changed, told.waiting) == ((), ("http.port",))
    assert gauge(metrics, "relayd_settings_waiting") == 1


async def test_what_one_part_cannot_use_nobody_takes_up() -> None:
    """F28: a bad configuration keeps the old one, in every part; the next good one is taken up."""
    new = OLD.model_copy(update={"time_zone": "Europe/Berlin"})
    metrics, good, bad = Metrics(), Part(), Part(fails=True)
    reloading = Reloading(OLD, reading(SettingsError(["no TOML"]), new, new), metrics)
    reloading.add(good)
    reloading.add(bad)
    for problem in ("no TOML", "/nowhere"):
        with pytest.raises(SettingsError, match=problem):
            await reloading.reload()
        assert (good.given, reloading.settings) == ([], OLD)
        assert gauge(metrics, "relayd_settings_refused") == 1
    bad.fails = False
    await reloading.reload()
    assert (good.given, gauge(metrics, "relayd_settings_refused")) == ([new], 0)


async def test_a_level_set_by_hand_stays_until_the_setting_changes() -> None:
    """Issue 3, log levels at run time: a reload for another reason does not undo the operator's word."""
    debug = OLD.model_copy(update={"log": LogSettings(level="error")})
    level = Level("info")
    reloading = Reloading(OLD, reading(OLD, debug), Metrics())
    reloading.add(take_up_level(level, "info"))
    level.set("debug")
    await reloading.reload()
    names = [level.name]
    await reloading.reload()
    assert [*names, level.name] == ["debug", "error"]
    level.set("info")
