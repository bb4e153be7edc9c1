"""Reports name files by their way from one folder, and never a folder of this machine."""

from pathlib import Path

import pytest

from singleout.assessment.file_names import NO_FILE, WORKING_FOLDER, as_typed, name_files


def names(*files):
    found = name_files(files)
    return [found.name(each) for each in files], found.folder


def test_files_in_the_working_folder_are_named_as_they_were_given():
    given = ["log.csv", "in/survey.xlsx?sheet=May", "in/*.csv", "sqlite:///in/visits.db?table=taps"]
    assert names(*given) == (given, WORKING_FOLDER)


def test_data_that_came_from_no_file_has_no_name_and_a_server_no_folder():
    address = "postgresql://me:secret@host/data?table=taps"
    assert names(object()) == ([NO_FILE], "")
    assert names(address) == (["postgresql://me@host/data?table=taps"], "")
    assert as_typed(address) == "postgresql://me@host/data?table=taps"


@pytest.mark.parametrize("file", ["/home/someone/log.csv", "../someone/log.csv", "~/log.csv", Path("/away/log.csv")])
def test_a_file_elsewhere_is_named_without_its_folder(file):
    assert names(file) == (["log.csv"], "the folder that holds log.csv")


def test_files_of_several_folders_are_named_from_the_folder_that_holds_all(tmp_path, monkeypatch):
    (tmp_path / "f" / "fold").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "f")
    found = ["survey.csv", "f/fold/h.csv"], "the folder that holds survey.csv and f/fold/h.csv"
    assert names("../survey.csv", "fold/h.csv") == found
    assert names(tmp_path / "survey.csv", "fold/h.csv") == found
    given = f"sqlite:///{tmp_path.as_posix()}/v.db?table=taps", tmp_path / "b c" / "*" / "*.csv"
    assert names(*given)[0] == ["sqlite:///v.db?table=taps", "b c/*/*.csv"]
    assert names("../*.csv", "..")[0] == [f"{tmp_path.name}/*.csv", tmp_path.name]


def test_what_lies_far_apart_is_named_by_as_little_as_tells_it_apart(tmp_path, monkeypatch):
    monkeypatch.setattr(Path, "home", lambda: tmp_path / "home" / "someone")
    one, other = tmp_path / "home" / "someone" / "a" / "calls.csv", tmp_path / "home" / "another" / "b" / "calls.csv"
    shown, folder = names(one, other)
    assert shown == ["a/calls.csv", "b/calls.csv"]
    assert folder == "a folder with copies of a/calls.csv and b/calls.csv"


def test_a_folder_is_described_by_a_few_of_its_files(tmp_path):
    assert (
        names(*(tmp_path / f"{k}.csv" for k in range(5)))[1] == "the folder that holds 0.csv, 1.csv, 2.csv and 2 more"
    )
