"""Environments and decks of the operator's own files on the pages."""

from pathlib import Path

from ruleset.ids import TournamentNo
from tests.cardfiles import operators_files, own_deck
from tests.website import website


async def test_own_pools_are_there_to_publish_with(tmp_path: Path) -> None:
    """D08, issue 5: among the others in the form, and by their key where they have no title of ours."""
    async with website(tmp_path) as site:
        site.house.parts.submitting.environments.use(operators_files(tmp_path))
        host = site.reader()
        player = await host.sign_up("Host")
        form = await host.get("/new")
        assert [f'value="{key}"' in form for key in ("ocg", "goat", "summer", "winter")] == [
            *([True] * 3),
            False,
        ]
        fields = {"title": "Cup", "format": "swiss", "rounds": "3", "best_of": "3", "environment": "summer"}
        await host.post("/new", step="publish", command_id="one", **fields)
        assert (await site.house.desks.load(TournamentNo(1))).settings.environment == "summer"
        await host.do(TournamentNo(1), "entry.register", player=player)
        assert "卡 102" in await host.post("/e/1/deck", deck=own_deck())
