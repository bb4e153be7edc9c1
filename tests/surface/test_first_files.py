"""From the files that officers have to the page, with at most one corrected command each."""

import datetime as dt
import json
import random
import re
import zipfile

import pytest

from tests.commands import run
from tests.small_files import write_xlsx

START = dt.datetime(2025, 9, 1, 7, 0)
QUICK = ("--no-protect", "--topology", "no", "--known-pairs", "0", "--similarities", "js")


def taps(people=30, days=28, seed=5):
    """Who was where, when: everyone has four places of their own choice."""
    draw = random.Random(seed)
    rows = []
    for person in range(people):
        mine = draw.sample(range(25), 4)
        for day in range(days):
            moment = START + dt.timedelta(days=day, minutes=draw.randrange(600))
            rows.append((f"c{person:03d}", moment, draw.choice(mine)))
    return rows


def audit(source, *arguments, out):
    return run("audit", source, *arguments, "--out", out)


def notes_of(folder):
    return [f"{note['what']}: {note['why']}" for note in json.loads((folder / "audit.json").read_text())["notes"]]


def test_bus_cards_go_from_file_to_page(tmp_path):
    lines = ["card_id,tapped_at,stop_id", *(f"{who},{when:%Y-%m-%d %H:%M:%S},s{where}" for who, when, where in taps())]
    with zipfile.ZipFile(tmp_path / "taps.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("taps.csv", "\n".join(lines))
    columns = ("--user", "card_id", "--time", "tapped_at", "--place", "stop_id")
    found = audit(tmp_path / "taps.zip", *columns, *QUICK, out=tmp_path / "out")
    assert found.exit_code == 0, found.output
    assert (tmp_path / "out" / "audit.html").exists()


def test_a_badge_log_of_another_country_goes_from_file_to_page_and_every_guess_is_announced(tmp_path):
    lines = ["Ausweis;Zeit;Breite;Länge"]
    lines += [f"{who};{when:%d.%m.%Y %H:%M};{47 + where / 100:.4f};8.500" for who, when, where in taps()]
    lines = [re.sub(r";(\d+)\.(\d+)(?=;|$)", r";\1,\2", line) for line in lines]
    (tmp_path / "badges.csv").write_bytes("\r\n".join(lines).encode("latin-1"))
    columns = ("--user", "Ausweis", "--time", "Zeit", "--lat", "Breite", "--lng", "Länge", "--grid", "500")
    found = audit(tmp_path / "badges.csv", *columns, *QUICK, out=tmp_path / "out")
    assert found.exit_code == 0, found.output
    assert (tmp_path / "out" / "audit.html").exists()
    notes = "\n".join(notes_of(tmp_path / "out"))
    for announced in (
        "encodings guessed: read as Latin-1",
        "separators guessed: fields are divided by semicolons",
        "columns with decimal commas guessed (Breite, Länge)",
        "formats of times guessed: column 'Zeit' is read as day.month.year hour:minute (%d.%m.%Y %H:%M)",
    ):
        assert announced in notes


def test_a_log_whose_days_and_months_could_be_swapped_needs_one_corrected_command(tmp_path):
    rows = [(who, when.replace(day=1 + when.day % 12), where) for who, when, where in taps()]
    lines = ["who,when,where", *(f"{who},{when:%d/%m/%Y %H:%M},{where}" for who, when, where in rows)]
    (tmp_path / "log.csv").write_text("\n".join(lines))
    columns = ("--user", "who", "--time", "when", "--place", "where")
    found = audit(tmp_path / "log.csv", *columns, *QUICK, out=tmp_path / "out")
    assert found.exit_code == 2
    assert found.stderr.strip().count("\n") == 0
    suggested = "Pass --time-format '%d/%m/%Y %H:%M' or --time-format '%m/%d/%Y %H:%M'."
    assert f"in every date of column 'when' day and month could be swapped. {suggested}" in found.stderr
    found = audit(tmp_path / "log.csv", *columns, "--time-format", "%d/%m/%Y %H:%M", *QUICK, out=tmp_path / "out")
    assert found.exit_code == 0, found.output


def test_where_days_and_months_could_be_swapped_proposals_ask_for_the_format(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    lines = [f"{who},{when.replace(day=1 + when.day % 12):%d/%m/%Y %H:%M},{where}" for who, when, where in taps()]
    (tmp_path / "log.csv").write_text("\n".join(["card_id,seen,stop", *lines]))
    both = "'%d/%m/%Y %H:%M' or '%m/%d/%Y %H:%M'"
    for files in (("log.csv",), ("log.csv", "log.csv")):
        found = run("audit", *files)
        assert found.exit_code == 2
        assert "--user card_id --time seen --place stop --time-format FORMAT\n" in found.stderr
        assert f"FORMAT is {both}: day and month of the dates could be swapped" in found.stderr
    found = run("init", "log.csv", "--yes")
    assert "Complete it where it says MISSING" in found.stdout
    text = (tmp_path / "audit.toml").read_text()
    missing = f"# MISSING: Day and month of the dates could be swapped: set time_format to {both}.\n"
    assert missing in text
    (tmp_path / "audit.toml").write_text(text.replace(missing, "time_format = '%d/%m/%Y %H:%M'\n"))
    found = run("audit", "--config", "audit.toml", *QUICK)
    assert found.exit_code == 0, found.output


@pytest.fixture
def survey():
    draw = random.Random(3)
    header = ["employee_no", "sex", "birth_year", "postcode", "department", "salary"]
    people = [
        [f"e{n}", draw.choice("fm"), 1960 + draw.randrange(40), 8000 + draw.randrange(20), draw.choice("ABC"), n * 7.5]
        for n in range(120)
    ]
    return [header, *people]


def test_a_survey_in_excel_goes_from_file_to_page_and_its_advice_runs(tmp_path, survey, monkeypatch):
    write_xlsx(tmp_path / "survey.xlsx", {"Answers": survey, "Codebook": [["column", "meaning"], ["sex", "f or m"]]})
    columns = ("--known-columns", "sex,birth_year,department", "--drop", "employee_no")
    found = audit(tmp_path / "survey.xlsx", *columns, out=tmp_path / "out")
    assert found.exit_code == 2
    assert "has 2 sheets: Answers, Codebook. Choose one: " in found.stderr
    chosen = f"{tmp_path / 'survey.xlsx'}?sheet=Answers"
    assert chosen in found.stderr
    found = audit(chosen, *columns, out=tmp_path / "out")
    assert found.exit_code == 0, found.output
    assert (tmp_path / "out" / "audit.html").exists()
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert [each["name"] for each in manifest["inputs"]] == ["survey.xlsx"]
    monkeypatch.chdir(tmp_path)
    found = run("protect", "survey.xlsx?sheet=Answers", *columns, "--k", "3", "--out", "safe")
    assert found.exit_code == 0, found.output
    assert (tmp_path / "safe" / "protected.csv").exists()


def test_an_excel_file_of_events_has_dates_of_its_own(tmp_path):
    rows = [["card", "when", "stop"], *([who, when, f"s{where}"] for who, when, where in taps())]
    write_xlsx(tmp_path / "taps.csv", {"Taps": rows})  # by content, not by name
    columns = ("--user", "card", "--time", "when", "--place", "stop")
    found = audit(tmp_path / "taps.csv", *columns, *QUICK, out=tmp_path / "out")
    assert found.exit_code == 0, found.output
    assert (tmp_path / "out" / "audit.html").exists()


def test_a_survey_without_header_is_told_how_to_name_its_columns_and_its_first_row_is_not_shown(tmp_path, survey):
    (tmp_path / "survey.csv").write_text("\n".join(",".join(map(str, row)) for row in survey[1:]))
    found = audit(tmp_path / "survey.csv", "--known-columns", "sex,birth_year", out=tmp_path / "out")
    assert found.exit_code == 2
    assert "name its columns in their order with --columns-are" in found.stderr
    assert "e0" not in found.stderr
    names = ",".join(survey[0])
    given = ("--columns-are", names, "--known-columns", "sex,birth_year", "--drop", "employee_no")
    found = audit(tmp_path / "survey.csv", *given, out=tmp_path / "out")
    assert found.exit_code == 0, found.output


def test_one_file_per_person_gives_ids_that_no_result_shows(tmp_path):
    (tmp_path / "people").mkdir()
    for person in sorted({who for who, _, _ in taps(20)}):
        lines = [f"{when:%d.%m.%Y},{when:%H:%M},{where}" for who, when, where in taps(20) if who == person]
        (tmp_path / "people" / f"anna-{person}.csv").write_text("\n".join(lines))
    given = (
        "--user-from-name",
        "--columns-are",
        "day,clock,stop",
        "--date",
        "day",
        "--time",
        "clock",
        "--place",
        "stop",
    )
    found = audit(tmp_path / "people", *given, *QUICK, out=tmp_path / "out")
    assert found.exit_code == 0, found.output
    for file in (tmp_path / "out").iterdir():
        assert "anna" not in file.read_text()
    assert "anna" not in found.output
    (tmp_path / "people" / "anna-c003.csv").write_text("1.9.2025,soon,1\n")
    found = audit(tmp_path / "people", *given, *QUICK, out=tmp_path / "out")
    assert found.exit_code == 2
    assert "anna" not in found.stderr


def test_the_known_file_may_have_other_names(tmp_path):
    rows = taps()
    half = START + dt.timedelta(days=14)
    released = ["card,at,stop", *(f"{who},{when:%Y-%m-%d %H:%M},{where}" for who, when, where in rows if when >= half)]
    known = ["Karte;Zeit;Halt", *(f"{who};{when:%d.%m.%Y %H:%M};{where}" for who, when, where in rows if when < half)]
    (tmp_path / "released.csv").write_text("\n".join(released))
    (tmp_path / "known.csv").write_text("\n".join(known))
    files = (tmp_path / "released.csv", tmp_path / "known.csv")
    columns = ("--user", "card", "--time", "at", "--place", "stop")
    names = ("--known-user", "Karte", "--known-time", "Zeit", "--known-place", "Halt")
    found = run("audit", *files, *columns, *names, *QUICK, "--out", tmp_path / "out")
    assert found.exit_code == 0, found.output
    for command in ("audit", "match"):
        wrong = ("--known-user", "Krate", *names[2:])
        found = run(command, *files, *columns, *wrong, "--out", tmp_path / "other")
        assert found.exit_code == 2
        assert "--known-user Krate is not a column of known.csv" in found.stderr
        found = run(command, *files, *columns, *names[:2], "--out", tmp_path / "other")
        assert found.exit_code == 2
        wanted = "If that file has other names for them, give --known-time and --known-place."
        assert found.stderr.rstrip().endswith(wanted)
        found = run(command, *files, "--user", "crad", *columns[2:], "--out", tmp_path / "other")
        assert "Did you mean 'card'?" in found.stderr
        assert "--known-user" not in found.stderr
        found = run(command, files[0], *columns, *names, "--split", "halves", "--out", tmp_path / "other")
        assert found.exit_code == 2
        assert "--known-user requires a second file" in found.stderr


def test_the_known_table_may_have_other_names(tmp_path, survey):
    (tmp_path / "released.csv").write_text("\n".join(",".join(map(str, row)) for row in survey))
    renamed = [["Nummer", "Geschlecht", "Jahrgang", "sex"], *([row[0], row[1], row[2], "?"] for row in survey[1:])]
    (tmp_path / "known.csv").write_text("\n".join(";".join(map(str, row)) for row in renamed))
    files = (tmp_path / "released.csv", tmp_path / "known.csv")
    asked = ("--on", "sex,birth_year", "--truth", "employee_no", "--one-row-per-person", "--no-protect")
    names = ("--known-on", "Geschlecht,Jahrgang", "--known-truth", "Nummer")
    found = run("audit", *files, *asked, *names, "--out", tmp_path / "out")
    assert found.exit_code == 0, found.output
    for wrong, message in (
        (("--known-on", "Geschlecht"), "--known-on must name as many columns as --on"),
        (("--known-on", "Geschlecht,Jahr", *names[2:]), "--known-on Jahr is not a column of known.csv"),
    ):
        found = run("audit", *files, *asked, *wrong, "--out", tmp_path / "other")
        assert found.exit_code == 2
        assert message in found.stderr


BADGES = ("--user", "badge", "--time", "seen", "--place", "door")


def write_badges(path, bad):
    rows = taps()
    lines = [f"{who};{when:%d.%m.%Y %H:%M};{where}" for who, when, where in rows]
    for row, text in bad.items():
        lines[row] = f"{rows[row][0]};{text};{rows[row][2]}"
    path.write_text("\n".join(["badge;seen;door", *lines]))


def test_a_few_bad_dates_do_not_condemn_the_column(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    bad = {40 + 50 * k: ("31.13.2025 14:05", "unbekannt")[k % 2] for k in range(14)}
    write_badges(tmp_path / "badges.csv", bad)
    found = run("init", "badges.csv", "--yes")
    assert found.exit_code == 0, found.output
    assert "all but 14 of its values are times" in " ".join(found.stdout.split())
    assert "No column holds dates" not in found.stdout
    assert 'time = "seen"' in (tmp_path / "audit.toml").read_text()
    for asked in (("badges.csv", *BADGES), ("--config", "audit.toml")):
        found = run("audit", *asked, *QUICK, "--out", "out")
        assert found.exit_code == 2
        assert "badges.csv, row 41: the value of column 'seen' cannot be read as a time. Accepted: %d.%m.%Y %H:%M." in (
            found.stderr
        )
        assert "(14 rows have this problem)" in found.stderr
        assert "unbekannt" not in found.output
    write_badges(tmp_path / "badges.csv", dict.fromkeys(bad, ""))  # what the message proposes
    found = run("audit", "--config", "audit.toml", *QUICK, "--out", "out")
    assert found.exit_code == 0, found.output
    assert "14 events left out: without a time" in " ".join(found.output.split())


FORMAT = "--time-format '%d/%m/%Y %H:%M'"


def write_visits(path, form, name="seen"):
    lines = [f"{who},{when.strftime(form)},s{where}" for who, when, where in taps()]
    path.write_text("\n".join([f"card_id,{name},stop", *lines]))


def test_a_format_of_times_that_is_not_recognised_is_asked_for_by_init_and_audit(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_visits(tmp_path / "log.csv", "%d-%b-%y %H:%M")
    found = run("init", "log.csv", "--yes")
    assert found.exit_code == 0, found.output
    assert f"in a format that is not recognised: add {FORMAT}" in " ".join(found.stdout.split())
    assert "Complete it where it says MISSING" in found.stdout
    for asked in (("--config", "audit.toml"), ("log.csv", "--user", "card_id", "--time", "seen", "--place", "stop")):
        found = run("audit", *asked, *QUICK, "--out", "out")
        assert found.exit_code == 2
        assert f"or name the format, such as {FORMAT}" in found.stderr
    found = run("audit", "log.csv", "--user", "card_id", "--place", "stop")
    assert "--user card_id --time seen --place stop --time-format FORMAT\n" in found.stderr
    assert f"FORMAT is how times are written, such as {FORMAT}" in found.stderr
    found = run("audit", "--config", "audit.toml", "--time-format", "%d-%b-%y %H:%M", *QUICK)
    assert found.exit_code == 0, found.output


def test_where_no_column_seems_to_hold_times_init_and_audit_say_how_to_name_one(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_visits(tmp_path / "log.csv", "soon")
    found = run("init", "log.csv", "--yes")
    assert found.exit_code == 0, found.output
    assert f"singleout audit --config audit.toml --time COLUMN {FORMAT}" in found.stdout
    for asked in (("--config", "audit.toml"), ("log.csv",), ("log.csv", "--user", "card_id", "--place", "stop")):
        found = run("audit", *asked)
        assert found.exit_code == 2
        assert "--time COLUMN --time-format FORMAT" in found.stderr
        assert f"FORMAT is how times are written, such as {FORMAT}" in found.stderr
    found = run("match", "log.csv", "--user", "card_id", "--place", "stop", "--split", "weeks", "--out", "m")
    assert found.exit_code == 2
    assert FORMAT in found.stderr


def write_tracks(folder, header):
    folder.mkdir(exist_ok=True)
    people = ("anna_meier", "anna_rossi", "anna_weber")
    for person, name in zip(("c000", "c001", "c002"), people, strict=True):
        lines = [f"{when:%Y-%m-%d %H:%M},s{where}" for who, when, where in taps(3) if who == person]
        (folder / f"{name}.csv").write_text("\n".join([*header, *lines]))


def test_a_folder_of_files_without_header_lines_is_told_so_and_no_name_of_a_file_is_shown(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_tracks(tmp_path / "gps", [])
    for asked in (("init", "gps", "--yes"), ("audit", "gps"), ("audit", "gps", "--user", "who", "--place", "stop")):
        found = run(*asked)
        assert found.exit_code == 2
        assert "the first lines of the 3 files differ and look like data" in found.stderr
        assert "Name their 2 columns in their order with --columns-are." in found.stderr
        assert "anna" not in found.output
    found = run("init", "gps", "--yes", "--columns-are", "seen,stop")
    assert found.exit_code == 0, found.output
    assert "anna" not in found.output
    assert "user_from_name = true" in (tmp_path / "audit.toml").read_text()


def test_a_column_that_files_of_a_folder_lack_is_reported_without_the_name_of_a_file(tmp_path):
    write_tracks(tmp_path / "gps", ["seen,stop"])
    for command in ("audit", "match"):
        asked = ("--user", "person", "--time", "seen", "--place", "stop", "--out", tmp_path / "out")
        found = run(command, tmp_path / "gps", *asked)
        assert found.exit_code == 2
        assert "--user person is not a column of file 1 of 3 (by name)" in found.stderr
        assert "anna" not in found.output


def test_half_of_what_coordinates_need_is_proposed_whole(tmp_path, monkeypatch):
    rows = [f"u{n % 9},2025-09-{n % 28 + 1:02} 10:00:00,{46 + n % 7 / 10},{7 + n % 5 / 10}" for n in range(200)]
    (tmp_path / "gps.csv").write_text("\n".join(["user,time,lat,lng", *rows]))
    monkeypatch.chdir(tmp_path)
    for half in (("--lat", "lat"), ("--lat", "lat", "--lng", "lng")):
        result = run("audit", "gps.csv", "--user", "user", "--time", "time", *half)
        assert result.exit_code == 2
        assert "--grid" in result.stderr.splitlines()[0]
        assert "singleout audit gps.csv --user user --time time --lat lat --lng lng --grid 1000" in result.stderr


def test_a_file_without_a_header_line_or_with_an_unknown_separator_is_told_so_and_none_of_it_is_shown(
    tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "plain.csv").write_text("Anna,Bern,45\nBob,Basel,33\nEva,Bern,20\n")
    (tmp_path / "colons.csv").write_text("Anna:Bern:45\nBob:Basel:33\nEva:Bern:20\n")
    for name, why, ways in (
        ("plain.csv", "the first line of plain.csv does not look like column names", ("--columns-are",)),
        ("colons.csv", "colons.csv has one column only as it was read", ("--delimiter", "--columns-are")),
    ):
        for asked in (("init", name, "--yes"), ("audit", name), ("audit", name, "--max-risk", "5%")):
            found = run(*asked)
            assert found.exit_code == 2
            assert why in found.stderr.replace("The first", "the first")
            assert all(way in found.stderr for way in ways)
            assert "Anna" not in found.output
    assert sorted(file.name for file in tmp_path.iterdir()) == ["colons.csv", "plain.csv"]
    found = run("init", "colons.csv", "--yes", "--delimiter", ":", "--columns-are", "who,town,age")
    assert found.exit_code == 0, found.output


def test_one_mistyped_column_does_not_make_the_header_a_record(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    lines = [f"{k},{'mf'[k % 2]},{k % 3},19{50 + k % 40}" for k in range(60)]
    (tmp_path / "survey.csv").write_text("\n".join(["no.,sex,education,birth date?", *lines]))
    found = run("audit", "survey.csv", "--drop", "no.,birth date?", "--known-columns", "sex,edcation")
    assert found.exit_code == 2
    assert "--known-columns edcation is not a column of survey.csv." in found.stderr
    assert "The first line of the file names 4 columns. Did you mean 'education'?" in found.stderr


def test_an_advised_command_does_not_repeat_a_mistake(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    lines = [f"{'mf'[k % 2]},{k % 7 + 30},{k % 3}" for k in range(60)]
    (tmp_path / "people.csv").write_text("\n".join(["sex,age,answer", *lines]))
    (tmp_path / "wrong.toml").write_text("max_risk = 5\nk = 1\nseed = 3\n")
    found = run("audit", "people.csv", "--config", "wrong.toml")
    assert "--max-risk must be between 0 and 1" in found.stderr
    assert "  singleout audit people.csv --known-columns sex,age --seed 3\n" in found.stderr
    write_visits(tmp_path / "log.csv", "%Y-%m-%d %H:%M")
    for asked in (("--lat", "stop"), ("--user", "card_id", "--lat", "stop")):
        found = run("audit", "log.csv", *asked)
        (line,) = (each for each in found.stderr.splitlines() if "singleout audit" in each)
        assert "--place stop" in line
        assert "--lat" not in line
