"""An earlier result is replaced only if it is one, unchanged, of the same command."""

import json

import pytest

import singleout as so
from singleout.ground.earlier_results import MANIFEST, digest, seal
from singleout.ground.files import whole_folder, write_json
from tests.result_folders import ABOUT, FILES, names, write_result


@pytest.mark.parametrize(
    "listed", ["with no digest", "with the digest of another", "by a path", "as a folder", "as a link"]
)
def test_a_forged_manifest_removes_nothing(tmp_path, listed):
    folder = tmp_path / "mine"
    folder.mkdir()
    thesis = folder / "thesis.tex"
    if listed == "as a folder":
        thesis.mkdir()
        (thesis / "chapter").write_text("years of work")
    elif listed == "as a link":
        (tmp_path / "elsewhere").write_text("years of work")
        thesis.symlink_to(tmp_path / "elsewhere")
    else:
        thesis.write_text("years of work")
    entry = {"name": "../mine/thesis.tex" if listed == "by a path" else "thesis.tex"}
    entry["sha256"] = {"with no digest": "", "by a path": digest(thesis) if thesis.is_file() else ""}.get(
        listed, "0" * 64
    )
    if listed == "as a link":
        entry["sha256"] = digest(thesis)
    write_json(folder / MANIFEST, seal(ABOUT | {"files": [entry]}))
    with pytest.raises(so.OutputError, match="holds other files"):
        write_result(folder, "lost")
    assert names(folder) == ["manifest.json", "thesis.tex"]


@pytest.mark.parametrize("listed", ["thesis.docx", "../mine/thesis.docx", "/tmp/thesis.docx"])
def test_a_manifest_with_right_digests_removes_no_file_that_the_command_does_not_write(tmp_path, listed):
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "thesis.docx").write_text("years of work")
    entry = {"name": listed, "bytes": 13, "sha256": digest(folder / "thesis.docx")}
    write_json(folder / MANIFEST, seal(ABOUT | {"files": [entry]}))
    with pytest.raises(so.OutputError, match="holds other files, such as .*thesis.docx"):
        write_result(folder, "lost")
    assert names(folder) == ["manifest.json", "thesis.docx"]


@pytest.mark.parametrize("name", ["../result.txt", "/result.txt", "a/result.txt"])
def test_a_manifest_that_lists_paths_is_not_genuine(tmp_path, name):
    write_result(tmp_path / "out", "one")
    listed = [{"name": each, "sha256": digest(tmp_path / "out" / "result.txt")} for each in ("result.txt", name)]
    write_json(tmp_path / "out" / MANIFEST, seal(ABOUT | {"files": listed}))
    with pytest.raises(so.OutputError, match="has been changed: manifest.json differs from what was written"):
        write_result(tmp_path / "out", "two")
    assert (tmp_path / "out" / "result.txt").read_text() == "one"


@pytest.mark.parametrize("edit", ["a line at the end", "another seed", "a remark", "no digest"])
def test_a_manifest_that_was_edited_counts_as_changed(tmp_path, edit):
    write_result(tmp_path / "out", "one")
    path = tmp_path / "out" / MANIFEST
    document = json.loads(path.read_text())
    if edit == "a line at the end":
        path.write_text(path.read_text() + "\n")
    elif edit == "no digest":
        write_json(path, {name: value for name, value in document.items() if name != "sha256"})
    else:
        write_json(path, document | ({"seed": 8} if edit == "another seed" else {"remark": "years of work"}))
    before = path.read_bytes()
    with pytest.raises(so.OutputError, match="has been changed: manifest.json"):
        write_result(tmp_path / "out", "two")
    assert path.read_bytes() == before


def test_a_result_of_another_command_is_not_replaced(tmp_path):
    write_result(tmp_path / "out", "one")
    says = "holds a result of the command try. Name a new folder, or one that this command wrote earlier"
    with pytest.raises(so.OutputError, match=says), whole_folder(tmp_path / "out", {"command": "other"}, FILES):
        pass
    assert (tmp_path / "out" / "result.txt").read_text() == "one"


def test_a_result_with_an_earlier_manifest_has_no_digest_of_its_own_and_stays(tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "result.txt").write_text("one")
    entry = {"name": "result.txt", "sha256": digest(tmp_path / "out" / "result.txt")}
    write_json(tmp_path / "out" / MANIFEST, {"schema": "singleout/manifest/2", "command": "try", "files": [entry]})
    with pytest.raises(so.OutputError, match="a result of another version of singleout"):
        write_result(tmp_path / "out", "two")


def test_a_result_that_was_edited_is_not_replaced(tmp_path):
    write_result(tmp_path / "out", "one")
    (tmp_path / "out" / "result.txt").write_text("one, with my remarks")
    with pytest.raises(so.OutputError, match="has been changed"):
        write_result(tmp_path / "out", "two")
    assert (tmp_path / "out" / "result.txt").read_text() == "one, with my remarks"


@pytest.mark.parametrize(
    ("protected", "says"), [("", "out is write-protected"), ("result.txt", "holds result.txt, which")]
)
def test_a_write_protected_result_is_not_replaced(tmp_path, protected, says):
    write_result(tmp_path / "out", "one")
    (tmp_path / "out" / protected).chmod(0o555)
    with pytest.raises(so.OutputError, match=says):
        write_result(tmp_path / "out", "two")
    assert (tmp_path / "out" / "result.txt").read_text() == "one"
    (tmp_path / "out" / protected).chmod(0o755)
