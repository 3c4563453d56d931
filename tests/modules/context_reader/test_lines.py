from modules.context_reader.lines import plain_text, read_lines


def test_markup_bullets_and_spaces_are_gone() -> None:
    (line,) = read_lines("   - Turn <b>left</b> onto <b>A&amp;B St</b>/<wbr/><b>X\u202fRd</b>")
    assert line.text == "Turn left onto A&B St/X Rd"
    assert (line.indent, line.bulleted, line.number, line.lead) == (3, True, None, "")


def test_remarks_in_blocks_of_their_own_become_notes() -> None:
    (line,) = read_lines(
        'Turn left<div style="font-size:0.9em">Toll road</div><div>Pass by X &amp; Y (on the left)</div>'
    )
    assert line.text == "Turn left"
    assert line.notes == ("Toll road", "Pass by X & Y (on the left)")


def test_numbered_item_with_emphasised_name() -> None:
    (line,) = read_lines("12. **Old Mill** (1 Mill Lane)")
    assert (line.number, line.lead, line.text) == (12, "Old Mill", "Old Mill (1 Mill Lane)")


def test_negative_number_is_no_bullet() -> None:
    (line,) = read_lines("-33.86, 151.21")
    assert not line.bulleted
    assert line.text == "-33.86, 151.21"


def test_blank_lines_are_remembered_and_line_ends_do_not_matter() -> None:
    lines = read_lines("A\r\n\r\nB<br/>C")
    assert [(line.text, line.blank_before) for line in lines] == [("A", False), ("B", True), ("C", False)]


def test_name_in_angle_brackets_is_no_markup() -> None:
    assert plain_text("Turn left onto <High St>") == "Turn left onto <High St>"


def test_right_to_left_marks_do_not_stay_in_names() -> None:
    (line,) = read_lines('1. <b><span dir="rtl">\u200fمسجد\u200e</span></b>')
    assert line.lead == "مسجد"
