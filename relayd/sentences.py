"""What the rules refuse, in words: one sentence for each code, with what to do (house 4)."""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Final, Literal, TypeAlias

from relayd.neutral import neutral
from ruleset.ids import PlayerId, player_label

Language: TypeAlias = Literal["en", "zh"]

SENTENCES: Final[Mapping[Language, Mapping[str, str]]] = {
    "en": {
        "already_published": "Tournament {number} is published already.",
        "already_started": "The tournament has started: that is possible before it only.",
        "ask_the_host": "Players do not do that by themselves here: ask the host.",
        "bad_criteria": "These criteria cannot be used: each once, known ones only, sign-in or lot last.",
        "bad_file": "The file cannot be read: {why}.",
        "bad_moment": "{text} is no date and time: write it as 2026-08-01 19:30.",
        "bad_nickname": "Not a nickname ({why}): 1 to 16 characters, no $ or #, not only digits.",
        "bad_room_code": "{text} is no room code: one looks like X12R3T4.",
        "bad_rounds": "{rounds} rounds cannot be played: 1 to {most}.",
        "bad_rows": "The list was not taken in; wrong are: {rows}",
        "bad_score": "A match cannot end {wins} for that outcome.",
        "bad_scoring": "These points cannot be used: a win is worth 1 or more, nothing less than 0.",
        "bad_settings": "The settings cannot be used: {problems}",
        "bad_text": "The text holds half a character: write it again.",
        "bad_time": "The time must be more than 0.",
        "bracket_open": "Only a Swiss tournament can be ended early: rule the open matches, or cancel it.",
        "changed_since": "That has changed since and cannot be undone any more.",
        "confirm_unsigned": "Not signed in yet: {players}. Confirm to start without them.",
        "cut_made": "The cut is made: the number of rounds stands.",
        "deck_locked": "The deck of {player} has passed and is locked: the host must refuse it first.",
        "deck_not_approved": "{player} has no approved deck (it is: {status}).",
        "decks_changed": "Decks have come in while the others were checked: {players}. Refresh again.",
        "draw_in_elimination": "A match of the bracket cannot be drawn: name a winner.",
        "empty_text": "Say something: the text is empty.",
        "ended": "The tournament has ended ({phase}).",
        "environment_fixed": "The environment stays {environment}: decks are checked by it already.",
        "environment_unavailable": "The environment {environment} is not available: {why}.",
        "judged_before": "The list was refreshed while the deck of {player} was checked: hand it in again.",
        "lapsed": "Nothing had happened for so long that the tournament counts as ended: unset that first.",
        "later_round_paired": "The next round is paired already: correct the result of {table} instead.",
        "list_full": "The list is full: {limit} players.",
        "no_deck": "{player} has handed in no deck.",
        "no_first_stage": "Elimination has no rounds before its bracket.",
        "no_such_time": "{text} does not exist: clocks are put forward; the nearest times are {nearest}.",
        "not_a_candidate": "That report cannot belong to table {table}.",
        "not_at_table": "{player} does not sit at table {table}.",
        "not_ended": "Decks are counted after the end: the tournament is not over.",
        "not_entered": "{player} does not take part.",
        "not_published": "The tournament is not published yet.",
        "not_seated": "{player} has no place in round {round}.",
        "not_started": "The tournament has not started.",
        "not_swiss": "Only in a Swiss round can players change seats.",
        "nothing_offered": "There is no win to take at table {table}.",
        "nothing_to_call": "Every match of round {round} is over, or its time was called already.",
        "nothing_to_claim": "There is no absence to claim at table {table}.",
        "nothing_to_undo": "There is nothing to undo.",
        "number_too_long": "Room codes of tournament {number} do not fit into the password of a duel client.",
        "one_is_no_pair": "A pair needs two players: {player} is one.",
        "order_fixed": "The criteria and their order ({preset}) were announced and stay as they are.",
        "outdated": "Somebody else was first: you saw version {expected}, it is {version}. Look again.",
        "outdated_action": "Something else was done since; the last action is number {action} ({what}).",
        "pairing_breaks": "The rules speak against that ({why}); confirm to do it all the same.",
        "registration_closed": "Registration is closed; the host can still add a player.",
        "room_not_lost": "The room of table {table} is not lost.",
        "round_begun": "The round has begun: {tables}.",
        "round_open": "The round is not over: {tables}.",
        "round_over": "The round of table {table} is over.",
        "rounds_locked": "The number of rounds was fixed at publishing.",
        "runs_elsewhere": "{player} plays in tournament {tournament} by now: nobody plays in two.",
        "same_player": "{player} cannot be compared with himself.",
        "same_table": "Both sit at table {table}: there is nothing to change.",
        "scoring_closed": "Players score only while the round's clock runs: ask the host, for table {table}.",
        "signin_closed": "Sign-in closed at {closed_at}; only the host can sign in now.",
        "signin_not_open": "Sign-in opens at {opens_at}.",
        "table_decided": "The match of table {table} is over ({status}).",
        "table_open": "Table {table} is open: its match goes on.",
        "team_required": "Name a team to register.",
        "too_few_players": "At least two players must be signed in and free: {players}.",
        "too_late": "Results could be corrected until {until}.",
        "too_late_to_edit": "Settings could be changed until {until}; cancel and publish again if you must.",
        "tournament_ended": "Tournament {tournament} has ended.",
        "unfit_servers": "A duel server cannot play that: {problems}",
        "unknown_criterion": "There is no criterion {criterion} here.",
        "unknown_environment": "There is no environment {environment}; known are {known}.",
        "unknown_player": "There is no player {player} here.",
        "unknown_preset": "There is no preset {preset}; known are {known}.",
        "unknown_report": "There is no waiting report {id}.",
        "unknown_round": "There is no round {round}; {rounds} were paired so far.",
        "unknown_table": "There is no table {table}.",
        "unknown_team": "There is no team {team} here.",
        "unknown_tournament": "There is no such tournament.",
    },
    "zh": {
        "already_published": "第 {number} 场已经发布。",
        "already_started": "比赛已经开始，此操作只能在开始前进行。",
        "ask_the_host": "这里选手不能自行操作，请联系主持。",
        "bad_criteria": "排名依据不可用：每项只能出现一次，须为已知项，签到或抽签只能放在最后。",
        "bad_file": "文件无法读取：{why}。",
        "bad_moment": "{text} 不是日期时间，请写成 2026-08-01 19:30。",
        "bad_nickname": "昵称不可用（{why}）：1 到 16 个字符，不含 $ 和 #，不能全是数字。",
        "bad_room_code": "{text} 不是房间密码，应形如 X12R3T4。",
        "bad_rounds": "轮数不能为 {rounds}，须为 1 到 {most}。",
        "bad_rows": "名单未导入，有误的行：{rows}",
        "bad_score": "这个结果不可能是比分 {wins}。",
        "bad_scoring": "计分不可用：胜至少 1 分，任何一项都不能小于 0。",
        "bad_settings": "设置不可用：{problems}",
        "bad_text": "文本中含有不完整的字符，请重新输入。",
        "bad_time": "时间必须大于 0。",
        "bracket_open": "只有瑞士轮比赛可以提前结束：请裁定未完的对局，或取消比赛。",
        "changed_since": "此后情况已变，无法再撤销。",
        "confirm_unsigned": "尚未签到：{players}。确认后将不带他们开始。",
        "cut_made": "已经卡线，轮数不能再改。",
        "deck_locked": "{player} 的卡组已核卡通过并锁定，须先由主持退回。",
        "deck_not_approved": "{player} 没有核卡通过的卡组（现状：{status}）。",
        "decks_changed": "核卡期间又有人交卡：{players}，请再刷新一次。",
        "draw_in_elimination": "淘汰赛不能平局：请指定胜者。",
        "empty_text": "内容为空。",
        "ended": "比赛已经结束（{phase}）。",
        "environment_fixed": "环境固定为 {environment}：卡组已按它核卡。",
        "environment_unavailable": "环境 {environment} 不可用：{why}。",
        "judged_before": "核卡期间卡表已刷新，{player} 须重新交卡。",
        "lapsed": "长时间没有配对或结算，比赛已视为结束，请先取消结束状态。",
        "later_round_paired": "下一轮已经配对，请改为更正 {table} 桌的结果。",
        "list_full": "名额已满：{limit} 人。",
        "no_deck": "{player} 还没有交卡。",
        "no_first_stage": "淘汰赛没有卡线前的轮次。",
        "no_such_time": "{text} 不存在（夏令时拨快），最近的时间是 {nearest}。",
        "not_a_candidate": "这条报告不可能属于 {table} 桌。",
        "not_at_table": "{player} 不在 {table} 桌。",
        "not_ended": "比赛结束后才能统计卡组。",
        "not_entered": "{player} 未入场。",
        "not_published": "比赛尚未发布。",
        "not_seated": "{player} 不在第 {round} 轮中。",
        "not_started": "比赛尚未开始。",
        "not_swiss": "只有瑞士轮可以交换席位。",
        "nothing_offered": "{table} 桌没有可领取的胜利。",
        "nothing_to_call": "第 {round} 轮的对局都已结束，或已宣布时间到。",
        "nothing_to_claim": "{table} 桌没有可主张的缺席。",
        "nothing_to_undo": "没有可以撤销的操作。",
        "number_too_long": "第 {number} 场的房间密码超出决斗客户端的密码长度。",
        "one_is_no_pair": "一对需要两名选手，{player} 只是一名。",
        "order_fixed": "排名依据及其顺序（{preset}）已公布，不能再改。",
        "outdated": "已有他人先行操作：您看到的是版本 {expected}，现在是 {version}，请重新查看。",
        "outdated_action": "此后又有新的操作，最近一次是第 {action} 号（{what}）。",
        "pairing_breaks": "规则不允许这样交换（{why}），确认后仍可交换。",
        "registration_closed": "报名已截止，主持仍可添加选手。",
        "room_not_lost": "{table} 桌的房间没有丢失。",
        "round_begun": "本轮已经开始：{tables}。",
        "round_open": "本轮尚未结束：{tables}。",
        "round_over": "{table} 桌所在的轮次已结束。",
        "rounds_locked": "轮数在发布时已经固定。",
        "runs_elsewhere": "{player} 现在正在第 {tournament} 场比赛中，不能同时参加两场。",
        "same_player": "{player} 不能与自己比较。",
        "same_table": "两人都在第 {table} 桌，无需交换。",
        "scoring_closed": "选手只能在本轮计时内上报结果，{table} 桌请联系主持。",
        "signin_closed": "签到已于 {closed_at} 截止，现在只能由主持代签。",
        "signin_not_open": "签到将于 {opens_at} 开放。",
        "table_decided": "{table} 桌的对局已结束（{status}）。",
        "table_open": "{table} 桌尚未结束。",
        "team_required": "报名须选择队伍。",
        "too_few_players": "至少需要两名已签到且空闲的选手：{players}。",
        "too_late": "结果只能在 {until} 之前更正。",
        "too_late_to_edit": "设置只能在 {until} 之前修改；必要时请取消后重新发布。",
        "tournament_ended": "第 {tournament} 场已经结束。",
        "unfit_servers": "决斗服务器无法进行这样的比赛：{problems}",
        "unknown_criterion": "这里没有排名依据 {criterion}。",
        "unknown_environment": "没有环境 {environment}，已知的有 {known}。",
        "unknown_player": "这里没有选手 {player}。",
        "unknown_preset": "没有预设 {preset}，已知的有 {known}。",
        "unknown_report": "没有待处理的报告 {id}。",
        "unknown_round": "没有第 {round} 轮，目前共配对 {rounds} 轮。",
        "unknown_table": "没有 {table} 桌。",
        "unknown_team": "这里没有队伍 {team}。",
        "unknown_tournament": "没有这场比赛。",
    },
}


def sentence(code: str, data: Mapping[str, object], language: Language = "en") -> str:
    """Say a refusal to a person, on one line; a code without words of its own is named."""
    template = SENTENCES[language].get(code, code)
    return neutral(template.format_map(_Words({name: _word(name, value) for name, value in data.items()})))


class _Words(dict[str, str]):
    def __missing__(self, name: str) -> str:
        return "?"


def _word(name: str, value: object) -> str:
    if name in _READERS and value is not None:
        return _READERS[name](value)
    if isinstance(value, Mapping):
        return ", ".join(f"{key} ({inner})" for key, inner in value.items())
    if isinstance(value, list | tuple):
        return ("; " if name == "problems" else ", ").join(map(str, value)) or "–"
    return str(value)


def _player(value: object) -> str:
    return player_label(PlayerId(value)) if isinstance(value, int) else str(value)


def _players(value: object) -> str:
    return ", ".join(map(_player, value)) or "–" if isinstance(value, list | tuple) else str(value)


def _moment(value: object) -> str:
    if not isinstance(value, int):
        return str(value)
    return datetime.fromtimestamp(min(value, _LAST) / 1_000, UTC).strftime("%Y-%m-%d %H:%M UTC")


def _score(value: object) -> str:
    return "-".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


_LAST: Final = 253_402_300_799_000
_READERS: Final[Mapping[str, Callable[[object], str]]] = {
    "player": _player,
    "players": _players,
    "until": _moment,
    "opens_at": _moment,
    "closed_at": _moment,
    "wins": _score,
}
