"""From a template and plain data to a page."""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from relayd.neutral import neutral
from relayd.web import formatting, languages
from relayd.web.assets import Assets
from relayd.web.languages import Language
from relayd.web.markdown import lines, rendered
from relayd.web.words import environment_name, result_text, score_text

_FOLDER: Final = Path(__file__).parent / "templates"


class Renderer:
    """Holds the templates. Every value is escaped, and what a stranger wrote is neutral (F21, F24)."""

    def __init__(self, assets: Assets) -> None:
        self._environment = Environment(
            loader=FileSystemLoader(_FOLDER),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            finalize=_finalized,
            auto_reload=False,
        )
        self._environment.filters.update(
            markdown=rendered,
            lines=lines,
            countdown=formatting.countdown,
            minutes=formatting.whole_minutes,
            signed=formatting.signed,
            iso=formatting.iso,
            when=formatting.date_and_time,
            clock=formatting.time_of_day,
            score=score_text,
        )
        self._environment.globals.update(
            asset=assets.url, language_names=languages.NAMES, has_text=languages.known
        )

    def page(self, template: str, language: Language, values: Mapping[str, Any]) -> str:
        """Return the page in a language."""
        text: Callable[..., str] = partial(languages.text, language)
        return self._environment.get_template(template).render(
            t=text,
            language=language,
            tag=languages.TAGS[language],
            result_text=partial(result_text, language),
            environment_name=partial(environment_name, language),
            **values,
        )


def _finalized(value: object) -> object:
    """Make text neutral where it is printed; markup of ours stays as it is."""
    return neutral(value) if type(value) is str else value
