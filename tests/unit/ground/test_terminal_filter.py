"""The filter before a terminal: nothing of the data steers it, and a reader who leaves ends the output only."""

import errno
import io
import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

import singleout as so
from singleout.ground.terminal_filter import VisibleText, visible

CODES = [chr(k) for k in (*range(9), *range(11, 32), *range(127, 160), 0x202E, 0x2066, 0x200F, 0x2028)]


@pytest.mark.parametrize("code", CODES, ids=lambda code: f"{ord(code):#x}")
def test_no_control_code_gets_through(code):
    stream = io.StringIO()
    VisibleText(stream).write(f"before{code}[31mafter\n")
    assert stream.getvalue() == "before?[31mafter\n"


@given(st.text())
def test_text_stays_as_long_as_it_was_and_is_only_text(text):
    assert len(visible(text)) == len(text)
    assert all(sign.isprintable() or sign in "\t\n" for sign in visible(text) if ord(sign) < 160)


def test_bold_of_our_own_tables_stays():
    stream = io.StringIO()
    VisibleText(stream).write("\x1b[1mjoint\x1b[0m\x1b[2J")
    assert stream.getvalue() == "\x1b[1mjoint\x1b[0m?[2J"


class Failing(io.StringIO):
    def __init__(self, number, handle):
        super().__init__()
        self.number, self.handle = number, handle

    def flush(self):
        raise OSError(self.number, os.strerror(self.number))

    def fileno(self):
        return self.handle


def test_a_reader_who_leaves_is_no_error_and_a_full_disk_is_one(tmp_path):
    handle = os.open(tmp_path / "out", os.O_CREAT | os.O_WRONLY)
    VisibleText(Failing(errno.EPIPE, handle)).flush()
    with pytest.raises(so.OutputError, match="cannot write to the standard output: No space left on device"):
        VisibleText(Failing(errno.ENOSPC, handle)).flush()
    os.write(handle, b"goes nowhere")
    assert (tmp_path / "out").read_bytes() == b""


def test_nobody_gets_past_the_filter():
    assert VisibleText(io.TextIOWrapper(io.BytesIO())).buffer is None


def test_a_fault_that_somebody_swallowed_is_reported_again(tmp_path):
    handle = os.open(tmp_path / "out", os.O_CREAT | os.O_WRONLY)
    stream = VisibleText(Failing(errno.ENOSPC, handle))
    with pytest.raises(so.OutputError, match="No space left"):
        stream.flush()
    assert stream.write("") == 0
    with pytest.raises(so.OutputError, match="No space left"):
        stream.write("the result")
