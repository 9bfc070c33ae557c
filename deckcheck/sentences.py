"""What is wrong with a deck, in the reader's language (D40). Made only when somebody reads it."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final, Literal, TypeAlias, get_args

if TYPE_CHECKING:
    from deckcheck.violations import Violation

Language: TypeAlias = Literal["zh", "ja", "en"]
LANGUAGES: Final[tuple[Language, ...]] = get_args(Language)

_LONGEST_TEXT: Final = 60

_SENTENCES: Final[Mapping[Language, Mapping[str, str]]] = {
    "en": {
        "UNREADABLE": "Line {line} is no card: {text}",
        "UNKNOWNCARD": "Unknown card {card}, {count} in {where}",
        "MAINCOUNT": "The main deck has {count} cards; {bound} {limit}",
        "EXTRACOUNT": "The extra deck has {count} cards; at most {limit}",
        "SIDECOUNT": "The side deck has {count} cards; at most {limit}",
        "OCGONLY": "{card} is an OCG card, {count} in {where}",
        "TCGONLY": "{card} is a TCG card, {count} in {where}",
        "NOTAVAIL": "{card} is not available here, {count} in {where}",
        "WRONGPLACE": "{card} does not belong in the {where} deck ({count})",
        "CARDCOUNT": "{card}: {count} copies in {where}; at most {limit} of one name",
        "LFLIST": "{card}: {count} in {where}; the list allows {limit}",
        "NOTINPOOL": "{card} is not in the pool of this environment, {count} in {where}",
        "CREDITS": "{card}: with it the deck costs {count} {text} points; at most {limit}",
        "and more": "and {count} more",
        "least": "at least",
        "most": "at most",
        "main": "main",
        "extra": "extra",
        "side": "side",
        "join": " and ",
        "card": "{name} ({code})",
    },
    "zh": {
        "UNREADABLE": "第 {line} 行不是卡片：{text}",
        "UNKNOWNCARD": "未知卡片 {card}，{where}有 {count} 张",
        "MAINCOUNT": "主卡组有 {count} 张，{bound} {limit} 张",
        "EXTRACOUNT": "额外卡组有 {count} 张，最多 {limit} 张",
        "SIDECOUNT": "副卡组有 {count} 张，最多 {limit} 张",
        "OCGONLY": "{card}是 OCG 专有卡，{where}有 {count} 张",
        "TCGONLY": "{card}是 TCG 专有卡，{where}有 {count} 张",
        "NOTAVAIL": "{card}在此环境不可用，{where}有 {count} 张",
        "WRONGPLACE": "{card}不能放在{where}（{count} 张）",
        "CARDCOUNT": "{card}：{where}共 {count} 张，同名卡最多 {limit} 张",
        "LFLIST": "{card}：{where}共 {count} 张，禁限卡表只允许 {limit} 张",
        "NOTINPOOL": "{card}不在此环境的卡池内，{where}有 {count} 张",
        "CREDITS": "{card}：加入后卡组共 {count} 点（{text}），最多 {limit} 点",
        "and more": "还有 {count} 条",
        "least": "最少",
        "most": "最多",
        "main": "主卡组",
        "extra": "额外卡组",
        "side": "副卡组",
        "join": "和",
        "card": "「{name}」（{code}）",
    },
    "ja": {
        "UNREADABLE": "{line} 行目はカードではありません：{text}",
        "UNKNOWNCARD": "不明なカード {card}（{where}に {count} 枚）",
        "MAINCOUNT": "メインデッキは {count} 枚です。{limit} 枚{bound}にしてください",
        "EXTRACOUNT": "エクストラデッキは {count} 枚です。{limit} 枚以下にしてください",
        "SIDECOUNT": "サイドデッキは {count} 枚です。{limit} 枚以下にしてください",
        "OCGONLY": "{card}は OCG 専用カードです（{where}に {count} 枚）",
        "TCGONLY": "{card}は TCG 専用カードです（{where}に {count} 枚）",
        "NOTAVAIL": "{card}はこの環境では使えません（{where}に {count} 枚）",
        "WRONGPLACE": "{card}は{where}に入れられません（{count} 枚）",
        "CARDCOUNT": "{card}：{where}に合計 {count} 枚。同名カードは {limit} 枚までです",
        "LFLIST": "{card}：{where}に合計 {count} 枚。リミットレギュレーションでは {limit} 枚までです",
        "NOTINPOOL": "{card}はこの環境のカードプールにありません（{where}に {count} 枚）",
        "CREDITS": "{card}：加えるとデッキは {count} ポイント（{text}）。{limit} ポイントまでです",
        "and more": "ほか {count} 件",
        "least": "以上",
        "most": "以下",
        "main": "メインデッキ",
        "extra": "エクストラデッキ",
        "side": "サイドデッキ",
        "join": "と",
        "card": "「{name}」（{code}）",
    },
}


def sentence(violation: "Violation", language: Language) -> str:
    """Return one sentence without line ends or control characters, whatever the deck holds."""
    words = _SENTENCES[language]
    return words[violation.kind].format(
        card=card_text(violation.code, violation.name, language),
        where=words["join"].join(words[section] for section in violation.where),
        bound=words["least" if violation.count < violation.limit else "most"],
        count=violation.count,
        limit=violation.limit,
        line=violation.line,
        text=printable(_shortened(violation.text)),
    )


def card_text(code: int, name: str, language: Language = "en") -> str:
    """Return a card as the player knows it: the printed passcode and, if known, the name (D23)."""
    if not name:
        return f"{code:08d}"
    return _SENTENCES[language]["card"].format(name=printable(name), code=f"{code:08d}")


def and_more(count: int, language: Language) -> str:
    """Say how many were left out."""
    return _SENTENCES[language]["and more"].format(count=count)


def section_text(section: str, language: Language) -> str:
    """Return the name of a section."""
    return _SENTENCES[language][section]


def printable(text: str) -> str:
    """Return *text* with what cannot be seen, or turns text around, spelled out."""
    return "".join(char if char.isprintable() else f"\\u{ord(char):04x}" for char in text)


def _shortened(text: str) -> str:
    return text if len(text) <= _LONGEST_TEXT else text[:_LONGEST_TEXT] + "…"
