"""The list of schemas: each names another document, says what it is, and allows no field that is not listed."""

from jsonschema import Draft202012Validator

from singleout.cli.schemas import schemas, write_schemas


def parts_of(schema):
    return [schema, *schema["$defs"].values()]


def test_every_schema_is_valid_and_names_a_document_of_its_own():
    found = schemas()
    for schema in found.values():
        Draft202012Validator.check_schema(schema)
    assert len({schema["title"] for schema in found.values()}) == len(found)
    assert all(schema["title"].startswith("singleout/") for schema in found.values())


def test_every_part_is_described_in_a_sentence_and_closed():
    for name, schema in schemas().items():
        for part in parts_of(schema):
            assert part["description"].endswith((".", "JSON.")), (name, part["description"])
            assert part["additionalProperties"] is False
            assert set(part["required"]) <= set(part["properties"])


def test_writing_them_twice_gives_the_same_bytes(tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    write_schemas(tmp_path / "a")
    write_schemas(tmp_path / "b")
    for file in (tmp_path / "a").iterdir():
        assert file.read_bytes() == (tmp_path / "b" / file.name).read_bytes()
