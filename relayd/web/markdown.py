"""A host's words in Markdown, as safe HTML: no raw HTML, no images, links to http and https only (R055)."""

from functools import lru_cache
from typing import Final

import nh3
from markdown_it import MarkdownIt
from markupsafe import Markup, escape

from relayd.neutral import neutral

_TAGS: Final = {
    *("a", "blockquote", "br", "code", "del", "em", "h3", "h4", "h5", "h6", "hr", "li", "ol", "p", "pre"),
    *("strong", "table", "tbody", "td", "th", "thead", "tr", "ul"),
}
_parser: Final = MarkdownIt("js-default", {"html": False, "linkify": False}).disable("image")


@lru_cache(maxsize=256)
def rendered(text: str) -> Markup:
    """Return the HTML of *text*; its headings begin below those of the page."""
    tokens = _parser.parse(_neutral_lines(text))
    for token in tokens:
        if token.type in {"heading_open", "heading_close"}:
            token.tag = f"h{min(6, int(token.tag[1]) + 2)}"
    made = _parser.renderer.render(tokens, _parser.options, {})
    clean = nh3.clean(
        made,
        tags=_TAGS,
        attributes={"a": {"href", "title"}, "ol": {"start"}},
        url_schemes={"http", "https"},
        link_rel="nofollow noopener",
    )
    return Markup(clean)  # noqa: S704  nh3 has cleaned it


def lines(text: str) -> Markup:
    """Return *text* escaped and neutral, line by line, as a text area shows it (F21)."""
    return escape(_neutral_lines(text))


def _neutral_lines(text: str) -> str:
    return "\n".join(neutral(line) for line in text.replace("\r\n", "\n").split("\n"))
