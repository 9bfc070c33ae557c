"""What the operator chooses: one frozen tree from a TOML file and ``RELAYD_…`` variables; secrets in files.

The only place that reads the process environment, and only when it is asked to.
"""

from relayd.settings.problems import problems
from relayd.settings.reading import load, masked, shown
from relayd.settings.surroundings import SettingsError, Surroundings, default_data_dir, secret, surroundings
from relayd.settings.tree import (
    AdminToken,
    DuelServer,
    EnvironmentSettings,
    Mail,
    OwnEnvironment,
    RoleName,
    ServerHabits,
    Settings,
    SocketRole,
)

__all__ = [
    "AdminToken",
    "DuelServer",
    "EnvironmentSettings",
    "Mail",
    "OwnEnvironment",
    "RoleName",
    "ServerHabits",
    "Settings",
    "SettingsError",
    "SocketRole",
    "Surroundings",
    "default_data_dir",
    "load",
    "masked",
    "problems",
    "secret",
    "shown",
    "surroundings",
]
