"""The script of attacks, tried on a real companion: each is answered as it should be."""

from pathlib import Path

from tests.attacks import attack


def test_every_attack_is_answered_rightly_and_leaves_no_secret_in_the_log(tmp_path: Path) -> None:
    tries, where, said, secrets = attack(tmp_path / "data")
    assert [str(each) for each in tries if not each.right] == [], where
    assert len(tries) >= 30
    assert not [secret for secret in secrets if secret in said]
    assert "companion key" in said or "this machine only" in said
    assert "Traceback" not in said
