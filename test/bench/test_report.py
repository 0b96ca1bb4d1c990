# SPDX-License-Identifier: BSD-3-Clause
"""The page: complete, and of one piece."""

import re
from html.parser import HTMLParser

import pytest

SERIES = ("utofu", "ucp-N", "ucp-1", "ucp-peer-N", "openmpi", "mpich", "shm")
FIGURES = ("pingpong-put", "rate-put", "rate-get", "gups-get-put")


@pytest.fixture
def page(example_rows, tmp_path):
    from tofu_report import page as writer
    path = tmp_path / "index.html"
    writer.write(path, "Title & more", {"commit": "abc", "environment": {"UCX_TLS": "<none>"}}, example_rows)
    return path.read_text()


def test_page__has_every_series_in_every_figure(page):
    from tofu_report.series import BY_KEY
    for figure in FIGURES:
        for series in SERIES:
            assert f'id="{figure}:{series}"' in page
    for series in SERIES:
        assert page.count(BY_KEY[series].label) >= 2 * len(FIGURES)  # Legend and table.


def test_page__says_that_the_fabric_is_software(page):
    assert "software fabric" in page


def test_page__has_a_sentence_under_each_figure(page):
    captions = re.findall(r"<figcaption>(.*?)</figcaption>", page)
    assert len(captions) == len(FIGURES)
    assert all(caption.startswith("With 24 threads UCP over utofu") for caption in captions)


def test_page__refers_to_no_other_file(page):
    links = re.findall(r'(?:src|href)="([^"]*)"', page)
    assert all(link.startswith("#") for link in links)
    assert "@import" not in page and "url(http" not in page


def test_page__has_no_name_twice(page):
    names = re.findall(r'\bid="([^"]*)"', page)
    assert len(names) == len(set(names))
    targets = set(re.findall(r'(?:href="|url\()#([^")]*)', page))
    assert targets <= set(names)


def test_page__is_well_formed(page):
    open_tags = []

    class Check(HTMLParser):
        def handle_starttag(self, tag, attrs):
            if tag not in ("meta", "br"):
                open_tags.append(tag)

        def handle_endtag(self, tag):
            assert open_tags.pop() == tag

    Check().feed(page)
    assert open_tags == []
    assert "Title &amp; more" in page and "&lt;none&gt;" in page


def test_failures__are_on_the_page(example_rows, tmp_path):
    from tofu_report import page as writer
    writer.write(tmp_path / "p.html", "T", {}, example_rows, failures=["backend x failed"])
    assert "backend x failed" in (tmp_path / "p.html").read_text()


def test_peer__is_the_worker_per_thread(example_rows):
    for row in example_rows:
        if row["experiment"] == "rate" and row["threads"] == 24 and row["backend"] == "ucp":
            assert row["peer"] == "ucp-peer"
            assert row["ratio_to_peer"] == pytest.approx(1.0 if row["workers"] == 24 else 1 / 24)
