"""A calculation and a comparison as one sentence, in Chinese, Japanese and English."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Final, Literal, TypeAlias

from ruleset.ids import PlayerId, player_label
from ruleset.standings.criteria import CRITERIA
from ruleset.standings.criterion import Fold
from ruleset.standings.explain import Calculation, Comparison, Term
from ruleset.standings.field import Key

Language: TypeAlias = Literal["zh", "ja", "en"]
Name: TypeAlias = Callable[[PlayerId], str]

TITLES: Final[Mapping[str, Mapping[Language, str]]] = {
    key: {"zh": zh, "ja": ja, "en": en}
    for key, zh, ja, en in (
        ("points", "大分", "勝ち点", "points"),
        ("match_wins", "胜轮次", "勝利数", "rounds won"),
        ("omw", "对手胜率（OMW%）", "対戦相手の勝率（OMW%）", "opponents' match-win share (OMW%)"),
        ("gw", "单局胜率（GW%）", "ゲーム勝率（GW%）", "game-win share (GW%)"),
        ("ogw", "对手单局胜率（OGW%）", "対戦相手のゲーム勝率（OGW%）", "opponents' game-win share (OGW%)"),
        ("oomw", "对手的对手胜率", "対戦相手の対戦相手の勝率", "opponents' OMW%"),
        ("h2h", "相互对战", "直接対決", "head-to-head"),
        ("fewer_byes", "轮空次数", "不戦勝（BYE）の数", "byes"),
        ("signin", "签到顺序", "受付順", "place in the order of sign-in"),
        ("lot", "抽签", "抽選", "lot"),
        ("tb_tied", "小分", "同点者への勝ち数", "wins against tied players"),
        ("games_won", "单局小分", "ゲーム勝ち数", "games won"),
        ("game_diff", "输赢差", "ゲーム得失差", "games won less games lost"),
        ("buchholz", "对手分", "ブッフホルツ", "Buchholz"),
        ("median_buchholz", "对手分（去高低）", "メディアン・ブッフホルツ", "Median-Buchholz"),
        ("losses_sq", "负轮次平方和", "敗戦ラウンドの二乗和", "squares of the rounds lost"),
        ("level26", "级差分", "級差点", "level points"),
        ("levels", "升级数", "昇級数", "levels gained"),
        ("opp_level26", "对手级差分", "対戦相手の級差点", "opponents' level points"),
        ("opp_points", "对手场分", "対戦相手の勝ち点", "opponents' points"),
        ("round_high", "轮高分", "ラウンド高得点", "best rounds"),
        ("board_sum", "各副积分", "ボード得点", "board points"),
        ("sci_dev", "科学偏差分", "平均偏差", "deviation from the mean"),
        ("sci_points", "科学场分", "平均勝ち点", "points by the mean"),
        ("med_dev", "中位数偏差分", "中央値偏差", "deviation from the median"),
        ("med_points", "中位数场分", "中央値勝ち点", "points by the median"),
        ("med5", "中位5段场分", "四分位勝ち点", "points by the quartiles"),
    )
}

_OF: Final[Mapping[Language, str]] = {
    "zh": "{player}的{title}：{formula}{notes}。",
    "ja": "{player}の{title}：{formula}{notes}。",
    "en": "{player}, {title}: {formula}{notes}.",
}
_BEFORE: Final[Mapping[Language, str]] = {
    "zh": "{upper}排在{lower}之前：前面各项相同，{title}{above} {sign} {below}。",
    "ja": "{upper}は{lower}より上位：これより前の基準は同じで、{title}が{above} {sign} {below}。",
    "en": "{upper} stands before {lower}: equal on everything before, {title} {above} {sign} {below}.",
}
_NOTES: Final[Mapping[str, Mapping[Language, str]]] = {
    "floor": {
        "zh": "（低于{floor}按{floor}计）",
        "ja": "（{floor}未満は{floor}とする）",
        "en": " (shares below {floor} count {floor})",
    },
    "inner_sum": {
        "zh": "（各去掉一个最高和最低）",
        "ja": "（最高と最低を一つずつ除く）",
        "en": " (without one highest and one lowest)",
    },
    "bye": {"zh": "轮空", "ja": "不戦勝", "en": "bye"},
    "nothing": {"zh": "没有可计的对局，", "ja": "対象の対戦がなく、", "en": "nothing to count, "},
    "tied": {"zh": "（同分者：{tied}）", "ja": "（同点者：{tied}）", "en": " (the tied: {tied})"},
    "table": {
        "zh": "（有人未交手或全部相同则不计）",
        "ja": "（未対戦があるか全員同じなら用いない）",
        "en": " (it does nothing if two have not met or all are equal)",
    },
}


def calculation_sentence(calculation: Calculation, language: Language, name: Name = player_label) -> str:
    """Return one sentence that a player can check with a pencil (H203)."""
    return _OF[language].format(
        player=name(calculation.player),
        title=TITLES[calculation.criterion][language],
        formula=_formula(calculation, language, name),
        notes=_notes(calculation, language, name),
    )


def comparison_sentence(comparison: Comparison, language: Language, name: Name = player_label) -> str:
    """Return one sentence that says why one stands before the other."""
    upper, lower = comparison.upper, comparison.lower
    return _BEFORE[language].format(
        upper=name(upper.player),
        lower=name(lower.player),
        title=TITLES[upper.criterion][language] + (" " if language != "en" else ""),
        above=display(upper.value),
        below=display(lower.value),
        sign="<" if CRITERIA[upper.criterion].lower_first else ">",
    )


def display(value: Key) -> str:
    """Return a value as people see it: counts as they are, shares with four decimals, halves up (4)."""
    if isinstance(value, tuple):
        return ", ".join(map(display, value)) or "–"
    if isinstance(value, int):
        return str(value)
    parts = int(abs(value) * 10_000 + Fraction(1, 2))
    return f"{'-' if value < 0 else ''}{parts // 10_000}.{parts % 10_000:04d}"


def _formula(calculation: Calculation, language: Language, name: Name) -> str:
    value, fold = display(calculation.value), calculation.fold
    if fold == "self":
        return value
    if not calculation.terms:
        return _NOTES["nothing"][language] + value
    terms = [_term(term, fold, language, name) for term in calculation.terms]
    if fold in ("mean", "share"):
        return f"({' + '.join(terms)}) / {_whole(calculation)} = {value}"
    return (
        f"{'; '.join(terms)} → {value}" if fold in ("sorted", "table") else f"{' + '.join(terms)} = {value}"
    )


def _whole(calculation: Calculation) -> int:
    """Return what the sum of the terms is divided by."""
    if calculation.fold == "mean":
        return len(calculation.terms)
    return sum(term.tally[1] for term in calculation.terms if term.tally)


def _term(term: Term, fold: Fold, language: Language, name: Name) -> str:
    who = _NOTES["bye"][language] if term.opponent is None else name(term.opponent)
    number = display(term.number) if term.counts else f"[{display(term.number)}]"
    share = f"{term.tally[0]}/{term.tally[1]} → " if term.tally and fold == "mean" else ""
    return f"R{term.round_no} {who} {share}{number}"


def _notes(calculation: Calculation, language: Language, name: Name) -> str:
    told = (
        ("floor", calculation.floor is not None),
        ("inner_sum", calculation.fold == "inner_sum"),
        ("tied", bool(calculation.tied)),
        ("table", bool(calculation.tied) and calculation.fold == "table"),
    )
    notes = [_NOTES[key] for key, tells in told if tells]
    floor, tied = display(calculation.floor or 0), ", ".join(map(name, calculation.tied))
    return "".join(note[language].format(floor=floor, tied=tied) for note in notes)
