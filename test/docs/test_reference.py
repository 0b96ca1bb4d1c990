# SPDX-License-Identifier: BSD-3-Clause
"""The reference of the calls is complete, names only what exists, and renders."""
import os
import pathlib
import re
import shutil
import subprocess

import pytest

BUILD = pathlib.Path(os.environ["TOFUKIT_BUILD_DIR"])
ROOT = pathlib.Path(__file__).parents[2]
MAN = BUILD / "share" / "man"
HTML = BUILD / "docs" / "reference"
PAGES = sorted(MAN.glob("man*/*"))
CALL_PAGES = sorted(MAN.glob("man3/*"))


def exported_calls():
    for library in BUILD.glob("lib/lib*.so*"):
        output = subprocess.run(["nm", "-D", "--defined-only", library], check=True, capture_output=True, text=True)
        yield from re.findall(r" [TW] ((?:utofu|softtofu|jtofu)_\w+)$", output.stdout, re.MULTILINE)


def section(page, title):
    """The text of a section of a man page, "" if it has none."""
    found = re.search(rf"^\.SH {title}\n(.*?)(?=^\.SH |\Z)", page.read_text(), re.MULTILINE | re.DOTALL)
    return found[1] if found else ""


def test_every_exported_call_has_a_page():
    calls = set(exported_calls())
    assert "utofu_put" in calls and "softtofu_job_create" in calls
    assert calls == {page.stem for page in CALL_PAGES}


def test_every_header_has_a_page():
    assert {header.stem for header in (ROOT / "include").glob("*.h")} <= {page.stem for page in MAN.glob("man7/*")}


def test_doxygen_had_nothing_to_say():
    assert (BUILD / "docs" / "doxygen.warnings").read_text() == ""


def test_every_error_exists():
    headers = "".join(header.read_text() for header in (ROOT / "include").glob("*.h"))
    known = set(re.findall(r"\b(\w+_ERR_\w+) += ", headers))
    assert "UTOFU_ERR_BUSY" in known
    for page in PAGES:
        named = set(re.findall(r"\b(?:U|J|SOFT)TOFU_ERR_[A-Z0-9_]*[A-Z0-9]\b(?!_?\*)", page.read_text()))
        assert named <= known, page.name


@pytest.mark.parametrize("title", ["NAME", "SYNOPSIS", "DESCRIPTION", "RETURN VALUE", "SEE ALSO"])
def test_every_call_tells(title):
    assert CALL_PAGES
    for page in CALL_PAGES:
        assert section(page, title).strip(), page.name


def test_every_call_tells_of_threads():
    """By itself, or by its header for all calls alike."""
    for page in CALL_PAGES:
        header = MAN / "man7" / (page.name.split("_")[0] + ".7")
        assert section(page, "THREADS") or "Threads: any" in header.read_text(), page.name


def test_every_argument_is_told():
    for page in CALL_PAGES:
        arguments = re.findall(r"\\fI(\w+)\\fP", section(page, "SYNOPSIS"))
        told = re.findall(r"^\.TP\n\\fI(\w+)\\fP", section(page, "PARAMETERS"), re.MULTILINE)
        assert told == arguments, page.name


def test_a_page_tells_what_it_takes_over():
    """What the header says of utofu_prepare_get_stride_gap() is nearly all "as for" others."""
    page = MAN / "man3" / "utofu_prepare_get_stride_gap.3"
    errors = re.findall(r"^\.B (UTOFU_ERR_\w+)$", section(page, "RETURN VALUE"), re.MULTILINE)
    assert set(errors) == {f"UTOFU_ERR_{name}" for name in (
        "INVALID_VCQ_HDL", "INVALID_VCQ_ID", "INVALID_SIZE", "INVALID_EDATA", "INVALID_FLAGS", "OUT_OF_MEMORY",
        "INVALID_NUMBER", "INVALID_POINTER")}
    assert "As for" not in page.read_text()
    assert "registered on vcq_hdl and not read\\-only" in section(page, "PARAMETERS")
    assert "The caller owns desc" in section(page, "OWNERSHIP")


def test_blocks_keep_their_places():
    text = section(MAN / "man7" / "utofu_profile.7", "DESCRIPTION")
    assert text.index("calls the twin:") < text.index("puts_so_far++") < text.index("are weak")


@pytest.mark.skipif(shutil.which("groff") is None, reason="groff is not installed")
def test_pages_render_without_warnings():
    assert PAGES
    for page in PAGES:
        output = subprocess.run(["groff", "-man", "-ww", "-Tutf8", "-z", page], capture_output=True, text=True)
        assert (output.returncode, output.stderr) == (0, ""), page.name


def test_links_lead_to_pages():
    pages = {page.name: page.read_text() for page in HTML.glob("*.html")}
    assert len(pages) == len(PAGES) - len(list(MAN.glob("man1/*"))) + 1
    for name, text in pages.items():
        assert set(re.findall(r'href="([^"]+)"', text)) <= set(pages), name
