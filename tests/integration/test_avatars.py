"""Pictures of players: uploaded, made anew, shown, and nothing evil in them (R004, F24, F26)."""

import re
from collections.abc import AsyncIterator
from http import HTTPStatus
from io import BytesIO
from pathlib import Path

import pytest
from aiohttp import ClientResponse, FormData
from PIL import Image

from relayd.accounts.avatars import MOST_BYTES, AvatarRefused, Painter
from relayd.web.parts import Caller, CallFailed
from ruleset.ids import PlayerId
from tests.pictures import bomb, picture
from tests.website import Reader, Website, website

ANN = PlayerId(1)


@pytest.fixture
async def site(tmp_path: Path) -> AsyncIterator[Website]:
    """The site, without limits on how often it is asked."""
    async with website(tmp_path) as site:
        yield site


async def upload(reader: Reader, data: bytes) -> ClientResponse:
    """Send a file as the form of /me does."""
    form = FormData()
    form.add_field("picture", BytesIO(data), filename="../../me.svg", content_type="image/svg+xml")
    headers = {"Origin": reader.base, "Sec-Fetch-Site": "same-origin"}
    return await reader.session.post(f"{reader.base}/me/avatar", data=form, headers=headers)


def opened(image: bytes) -> Image.Image:
    """Return what a browser shows."""
    with Image.open(BytesIO(image)) as found:
        assert found.format == "WEBP"
        found.load()
        return found


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP"])
async def test_an_upload_becomes_a_small_square(kind: str) -> None:
    """R004: the middle of it, 128 pixels wide, without place and date."""
    avatar = await Painter().paint(ANN, picture(kind))
    image = opened(avatar.image)
    assert image.size == (128, 128)
    assert not image.getexif()
    assert b"home" not in avatar.image
    left, right = image.convert("RGB").getpixel((5, 64)), image.convert("RGB").getpixel((122, 64))
    assert isinstance(left, tuple)
    assert isinstance(right, tuple)
    assert left[0] > 200 > left[2]
    assert right[2] > 200 > right[0]


async def test_the_same_picture_has_the_same_name() -> None:
    """Addresses change with what they show, so browsers may keep it for ever."""
    painter = Painter()
    first, again = await painter.paint(ANN, picture()), await painter.paint(PlayerId(2), picture())
    assert first.digest == again.digest
    assert len(first.digest) == 64


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "avatar_unreadable"),
        (b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>", "avatar_unreadable"),
        (b"GIF89a" + b"\0" * 50, "avatar_unreadable"),
        (picture()[:200], "avatar_unreadable"),
        (picture("JPEG")[:-200], "avatar_unreadable"),
        (b"x" * (MOST_BYTES + 1), "avatar_too_large"),
        (bomb(30_000, 30_000), "avatar_too_large"),
        (bomb(9_000, 9_000), "avatar_too_large"),
    ],
    ids=["empty", "svg", "gif", "cut", "cut-jpeg", "large", "bomb", "smaller-bomb"],
)
async def test_what_is_no_picture_is_refused(data: bytes, code: str) -> None:
    """Bounded in bytes and pixels: a decompression bomb is refused from its head."""
    with pytest.raises(AvatarRefused) as refused:
        await Painter().paint(ANN, data)
    assert refused.value.code == code


async def test_a_picture_that_takes_too_long_is_given_up() -> None:
    """Bounded in time: the program that reads it is ended, and the next one is made."""
    with pytest.raises(AvatarRefused):
        await Painter(patience_s=0.0).paint(ANN, picture())
    assert await Painter().paint(ANN, picture())


async def test_a_player_changes_his_picture(site: Website) -> None:
    """R004: it stands on his profile and in the ladder, and can be taken away again."""
    ann, stranger = site.reader(), site.reader()
    await ann.sign_up("Ann")
    assert "The picture is changed" in await (await upload(ann, picture("JPEG"))).text()
    paths = set()
    for page in ("/p/1", "/ladder"):
        found = re.search(
            r'<img src="(/avatar/[0-9a-f]{64}\.webp)" alt="" width="128"', await stranger.get(page)
        )
        assert found is not None, page
        paths.add(found[1])
    (path,) = paths
    async with stranger.session.get(site.base + path) as answer:
        assert answer.content_type == "image/webp"
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert "immutable" in answer.headers["Cache-Control"]
        opened(await answer.read())
    await ann.post("/me/avatar/remove")
    assert "<img" not in await stranger.get("/p/1")
    await stranger.get(path, HTTPStatus.NOT_FOUND)


async def test_a_refused_upload_leaves_the_old_picture(site: Website) -> None:
    """A clear word of what was wrong; nothing is lost."""
    ann = site.reader()
    await ann.sign_up("Ann")
    await upload(ann, picture())
    before = await site.store.avatars([ANN])
    assert "That cannot be read" in await (await upload(ann, b"<svg/>")).text()
    assert "too large" in await (await upload(ann, b"x" * (MOST_BYTES + 100_000))).text()
    assert await site.store.avatars([ANN]) == before
    await ann.post("/me/avatar", picture="text, no file ü")
    assert await site.store.avatars([ANN]) == before


async def test_nobody_changes_the_picture_of_another(site: Website) -> None:
    """Strangers are sent to sign in; a foreign page is refused (F25)."""
    ann = site.reader()
    await ann.sign_up("Ann")
    assert "Sign in" in await (await upload(site.reader(), picture())).text()
    answer = await ann.session.post(f"{site.base}/me/avatar", data={"picture": "x"})
    assert answer.status == HTTPStatus.FORBIDDEN
    assert await site.store.avatars([ANN]) == {}


async def test_an_operator_takes_a_picture_off(site: Website) -> None:
    """What should not be seen goes; only the operator does so, and its player may upload another."""
    ann, calls = site.reader(), site.parts.calls
    await ann.sign_up("Ann")
    await upload(ann, picture())
    with pytest.raises(CallFailed, match="needs the role operator"):
        await calls(Caller(name="host", role="host"), "player.drop_picture", {"player": 1})
    operator = Caller(name="operator", role="operator")
    await calls(operator, "player.drop_picture", {"player": "P000001"})
    assert await site.store.avatars([ANN]) == {}
    with pytest.raises(CallFailed) as unknown:
        await calls(operator, "player.drop_picture", {"player": 99})
    assert unknown.value.code == "unknown_player"
    await upload(ann, picture())
    assert await site.store.avatars([ANN])


async def test_whoever_leaves_takes_his_picture_along(site: Website) -> None:
    """Deleting an account deletes its picture."""
    ann = site.reader()
    await ann.sign_up("Ann")
    await upload(ann, picture())
    await ann.post("/me/leave", password="correct horse")
    assert await site.store.avatars([ANN]) == {}
