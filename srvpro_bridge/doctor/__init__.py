"""What a duel server needs so that tournaments work on it, and which line to change (decisions 15).

Looks at what srvpro's files say; whoever calls reads them, and may write back what a finding wants changed.
"""

from srvpro_bridge.doctor.account import examine_users
from srvpro_bridge.doctor.config import examine_config, examine_decks, examine_told
from srvpro_bridge.doctor.findings import (
    CONFIG,
    LISTS,
    PLUGIN_CONF,
    PLUGIN_SCRIPT,
    USERS,
    Change,
    Finding,
    Wish,
)
from srvpro_bridge.doctor.lists import examine_lists
from srvpro_bridge.doctor.plugin import PluginFiles, examine_plugin, read_conf, with_setting
from srvpro_bridge.doctor.tree import at, overlaid, with_value

__all__ = [
    "CONFIG",
    "LISTS",
    "PLUGIN_CONF",
    "PLUGIN_SCRIPT",
    "USERS",
    "Change",
    "Finding",
    "PluginFiles",
    "Wish",
    "at",
    "examine_config",
    "examine_decks",
    "examine_lists",
    "examine_plugin",
    "examine_told",
    "examine_users",
    "overlaid",
    "read_conf",
    "with_setting",
    "with_value",
]
