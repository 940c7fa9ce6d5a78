"""One zip to carry away."""

import os
import zipfile
from pathlib import Path

import pytest

from generator.check import NoSiteError, check_site
from generator.pack import pack_site
from tests.projects import Project, different, files, make_project


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Project:
    project = make_project(tmp_path_factory.mktemp("pack") / "shelf")
    assert project.build("--search") == 0
    return project


def test_the_unpacked_site_is_the_site(built: Project, tmp_path: Path) -> None:
    count = pack_site(built.site, tmp_path / "tea.zip")
    with zipfile.ZipFile(tmp_path / "tea.zip") as archive:
        assert archive.testzip() is None
        assert {name.split("/")[0] for name in archive.namelist()} == {"tea"}
        archive.extractall(tmp_path)
    found = files(tmp_path / "tea")
    assert different(found, files(built.site)) == []
    assert len(found) == count
    assert check_site(tmp_path / "tea").faults == ()
    assert (tmp_path / "tea" / "index.html").stat().st_mode & 0o777 in (0o644, 0o664, 0o600)


def test_the_same_site_gives_the_same_bytes(built: Project, tmp_path: Path) -> None:
    pack_site(built.site, tmp_path / "tea.zip")
    one = (tmp_path / "tea.zip").read_bytes()
    for path in built.site.rglob("*.html"):
        os.utime(path, (1, 1))
        path.chmod(0o600)
    pack_site(built.site, tmp_path / "tea.zip")
    assert (tmp_path / "tea.zip").read_bytes() == one
    assert os.listdir(tmp_path) == ["tea.zip"]


def test_hidden_files_and_the_zip_itself_stay_out(tmp_path: Path) -> None:
    site = tmp_path / "site"
    for name in ("index.html", ".git/HEAD", "a/.hidden", "a/b.html"):
        (site / name).parent.mkdir(parents=True, exist_ok=True)
        (site / name).touch()
    for _ in range(2):
        assert pack_site(site, site / "site.zip") == 2
    with zipfile.ZipFile(site / "site.zip") as archive:
        assert archive.namelist() == ["site/a/b.html", "site/index.html"]


def test_without_a_site_there_is_no_zip(tmp_path: Path) -> None:
    with pytest.raises(NoSiteError):
        pack_site(tmp_path, tmp_path / "a.zip")
    assert os.listdir(tmp_path) == []


def test_a_failed_zip_leaves_the_old_one(built: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.zip").write_bytes(b"old")

    def fail(*_: object, **__: object) -> None:
        raise OSError("no space left")

    monkeypatch.setattr(zipfile.ZipFile, "writestr", fail)
    with pytest.raises(OSError, match="no space left"):
        pack_site(built.site, tmp_path / "a.zip")
    assert files(tmp_path) == {"a.zip": b"old"}


@pytest.mark.parametrize(
    ("arguments", "name"),
    [((), "shelf.zip"), (("--output", "other.zip"), "other.zip"), (("--site-dir", "site"), "shelf.zip")],
)
def test_the_command_names_the_zip(
    built: Project, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], name: str
) -> None:
    assert built.run("pack", *arguments) == 0
    assert capsys.readouterr().out == f"{name}\n"
    (built.folder / name).unlink()
