"""Every metric of the daemon, with its help text and buckets. Labels are kinds and outcomes, never ids."""

from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

_FAST: Final = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
"""Seconds, for what a disk or the loop does."""
_SLOW: Final = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
"""Seconds, for what another machine does."""
_SIZES: Final = (1, 2, 5, 10, 20, 50, 100, 200, 500)
"""Entries."""
_LATENESS: Final = (0.01, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0, 30.0, 60.0)
"""Seconds behind a deadline."""


class Metrics:
    """All of them, in a registry of their own; each part is given this and counts its own."""

    def __init__(self, registry: CollectorRegistry | None = None) -> None:
        self.registry: Final = registry or CollectorRegistry()
        self._of_commands(self.registry)
        self._of_the_log(self.registry)
        self._of_duel_servers(self.registry)
        self._of_time(self.registry)
        self._of_people(self.registry)
        self._of_effects(self.registry)
        self._of_the_daemon(self.registry)
        self._begin_at_zero()

    def _of_commands(self, registry: CollectorRegistry) -> None:
        self.commands = Counter(
            "relayd_commands",
            "Commands by kind and what came of them.",
            ["kind", "outcome"],
            registry=registry,
        )
        """Outcome: ``accepted``, ``unchanged``, ``refused``, ``away``, ``broken``."""
        self.command_seconds = Histogram(
            "relayd_command_seconds",
            "From taking up a command to its durable answer.",
            buckets=_FAST,
            registry=registry,
        )
        self.tournaments = Gauge(
            "relayd_tournaments", "Tournaments that have not ended, by phase.", ["phase"], registry=registry
        )
        self.open_tables = Gauge(
            "relayd_open_tables", "Tables that a running round waits for.", registry=registry
        )
        self.desks_stopped = Gauge(
            "relayd_desks_stopped", "Tournaments that take no commands after a bug.", registry=registry
        )

    def _of_the_log(self, registry: CollectorRegistry) -> None:
        self.log_group_size = Histogram(
            "relayd_log_group_entries", "Entries that shared one sync.", buckets=_SIZES, registry=registry
        )
        self.log_sync_seconds = Histogram(
            "relayd_log_sync_seconds", "Writing and syncing a group.", buckets=_FAST, registry=registry
        )
        self.log_failures = Counter(
            "relayd_log_failures", "Groups that were not written, by kind.", ["kind"], registry=registry
        )
        """Kind: ``unavailable``, ``broken``."""

    def _of_duel_servers(self, registry: CollectorRegistry) -> None:
        self.reports = Counter(
            "relayd_reports", "Reports of duel servers.", ["source", "outcome"], registry=registry
        )
        """Outcome: ``filed``, ``again``, ``parked``, ``unmatched``, ``refused``."""
        self.polls = Counter(
            "relayd_polls",
            "Looks at a duel server's rooms by what came back.",
            ["outcome"],
            registry=registry,
        )
        """Outcome: ``ok``, ``wrong_password``, ``no_json``, ``status``, ``timeout``, ``unreachable``."""
        self.poll_seconds = Histogram(
            "relayd_poll_seconds", "How long a look at the rooms took.", buckets=_SLOW, registry=registry
        )
        self.orders = Counter(
            "relayd_orders", "Orders to duel servers.", ["kind", "stage"], registry=registry
        )
        """Stage: ``wanted``, ``sent``, ``confirmed`` (the rooms show it), ``failed``."""
        self.servers = Gauge(
            "relayd_duel_servers", "Duel servers of the settings by state.", ["state"], registry=registry
        )
        self.rooms = Gauge("relayd_rooms", "Rooms of our tables on duel servers.", registry=registry)
        self._of_plugins(registry)

    def _of_plugins(self, registry: CollectorRegistry) -> None:
        self.plugins = Gauge("relayd_plugins", "Plugins that are connected.", registry=registry)
        self.plugin_records = Counter(
            "relayd_plugin_records",
            "Records of plugins by kind and what came of them.",
            ["kind", "outcome"],
            registry=registry,
        )
        """Outcome: ``taken``, ``again``, ``unreadable``, ``broken``."""
        self.plugin_questions = Counter(
            "relayd_plugin_questions",
            "Questions of plugins by kind and answer.",
            ["kind", "outcome"],
            registry=registry,
        )
        """Outcome: ``yes``, ``no``, ``failed``."""

    def _of_time(self, registry: CollectorRegistry) -> None:
        self.deadline_lateness = Histogram(
            "relayd_deadline_lateness_seconds",
            "From a deadline to the alarm that served it.",
            buckets=_LATENESS,
            registry=registry,
        )
        self.clock_steps = Counter(
            "relayd_clock_steps", "Steps of the wall clock that were ignored.", registry=registry
        )
        self.loop_lag = Histogram(
            "relayd_loop_lag_seconds", "How late the event loop woke up.", buckets=_FAST, registry=registry
        )

    def _of_people(self, registry: CollectorRegistry) -> None:
        self.admin_calls = Counter(
            "relayd_admin_calls", "Calls of the admin sockets.", ["method", "outcome"], registry=registry
        )
        """Outcome: ``ok``, ``refused``, ``forbidden``, ``bad``, ``away``, ``busy``, ``broken``."""
        self.admin_connections = Gauge(
            "relayd_admin_connections", "Open admin connections.", ["transport"], registry=registry
        )
        self.peer_errors = Counter(
            "relayd_peer_errors", "Peers that spoke badly, by how.", ["part", "kind"], registry=registry
        )
        self.subscribers = Gauge(
            "relayd_live_subscribers", "Who follows tournaments live.", registry=registry
        )
        self.subscribers_dropped = Counter(
            "relayd_live_dropped",
            "Followers that were dropped because they read too slowly.",
            registry=registry,
        )
        self.viewers = Gauge("relayd_viewers", "Open lines to who looks on.", ["kind"], registry=registry)
        """Kind: ``pages``, ``programs``."""
        self.shared_pages = Counter(
            "relayd_shared_pages", "Pages sent to strangers.", ["outcome"], registry=registry
        )
        """Outcome: ``made``, ``kept``."""
        self.viewers_failed = Counter(
            "relayd_viewers_failed",
            "Times all viewers of a tournament were cut off by a bug.",
            registry=registry,
        )

    def _of_effects(self, registry: CollectorRegistry) -> None:
        self.rating_rows = Counter("relayd_rating_rows", "Rows written to the DP ledger.", registry=registry)
        self.effects = Counter(
            "relayd_effects", "Effects carried out from the log.", ["sink", "outcome"], registry=registry
        )
        self.repairs = Counter(
            "relayd_sweep_repairs", "What a sweep found that a push had missed.", ["kind"], registry=registry
        )

    def _of_the_daemon(self, registry: CollectorRegistry) -> None:
        self.started_at = Gauge(
            "relayd_start_time_seconds",
            "When the daemon was ready, in seconds since 1970; 0 before.",
            registry=registry,
        )
        self.settings_refused = Gauge(
            "relayd_settings_refused",
            "Whether the settings that were read last could not be used: 1, the old ones hold on.",
            registry=registry,
        )
        self.settings_waiting = Gauge(
            "relayd_settings_waiting", "Changed settings that need a restart.", registry=registry
        )

    def _begin_at_zero(self) -> None:
        """Show from the start what alerts wait for: a counter that appears at 1 has not increased."""
        for kind in ("unavailable", "broken"):
            self.log_failures.labels(kind)
        for source in ("plugin", "challonge", "poller", "duellog"):
            self.reports.labels(source, "parked")
        self.plugin_records.labels("unknown", "unreadable")
