"""What one device wishes, and what it calls itself."""

import pytest

from companion.web.devices import SYSTEMS, systems

AGENTS = {
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 Safari": ("ios",),
    "Mozilla/5.0 (iPad; CPU OS 12_5 like Mac OS X) AppleWebKit/605.1.15 Safari": ("ios",),
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Safari": ("ios", "mac"),
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Chrome/126.0 Safari/537.36": ("mac",),
    "Mozilla/5.0 (Linux; Android 14; SM-X200) Chrome/126.0 Safari/537.36": ("android",),
    "Mozilla/5.0 (Linux; Android 9; KFMAWI Build/PS7327) Silk/126.2 like Chrome": ("fire",),
    "Mozilla/5.0 (Linux; Android 11; KFTRWI Build/RS8332) Chrome/126.0": ("fire",),
    "Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) Chrome/126.0 Safari/537.36": ("chromebook",),
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/126.0 Safari/537.36": ("windows",),
    "Mozilla/5.0 (X11; Linux aarch64; rv:127.0) Gecko/20100101 Firefox/127.0": ("linux",),
    "": (),
    "curl/8.5.0": (),
}


@pytest.mark.parametrize(("agent", "found"), AGENTS.items())
def test_a_browser_is_told_about_its_own_system(agent: str, found: tuple[str, ...]) -> None:
    assert systems(agent) == found
    assert set(found) <= set(SYSTEMS)
