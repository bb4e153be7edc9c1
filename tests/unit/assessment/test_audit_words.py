"""What an audit says in words."""


def test_the_assumptions_say_how_the_interval_was_made(audited, crowded, audited_table):
    assert "20 random halves of the people were matched again: their rates varied" in audited.assumptions[-1]
    effective = f"{crowded.risk.effective:,.0f} independent people would (there are 150)"
    assert f"varied as much as those of about {effective}" in crowded.assumptions[-1]
    assert "halves" not in " ".join(audited_table.assumptions)


def test_all_four_tests_are_answered_with_numbers(audited, audited_table):
    for found in (audited, audited_table):
        names = [section.name for section in found.tests]
        assert names == ["singling out", "linkability", "inference", "motivated intruder"]
        assert all(any(sign.isdigit() for sign in " ".join(section.statements)) for section in found.tests[:2])
