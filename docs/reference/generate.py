#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Write the reference: one page a call and one a topic, as man pages and as HTML.

    docs/reference/generate.py XML MAN HTML VERSION

XML is the folder of doxygen's XML. MAN gets man3 and man7, HTML pages and their index.html.
"""

import pathlib
import re
import shutil
import sys

import jinja2

import inherit
import model
import render

HEADINGS = {"Completes": "Completion", "Owns": "Ownership", "Threads": "Threads", "Blocks": "Blocking"}
DIRECTIONS = {"in": "in", "out": "out", "inout": "in, out", "": "in"}
LIBRARIES = {"jtofu.h": "tofutop"}
UNDECLARED = "undeclared.h"


def sentence(text):
    """A clause as a sentence."""
    text = text[:1].upper() + text[1:]
    return text if text.endswith(".") else text + "."


def name_line(text):
    """A brief description as what follows the dash in a NAME section."""
    text = text.rstrip(".")
    return text if re.match(r"\w+\(|u?TOFU|[A-Z]{2}", text) else text[:1].lower() + text[1:]


class Reference:
    """The pages of @a topics. One text serves both formats: only filters and templates differ."""

    def __init__(self, topics, version):
        self.topics = [topic for topic in topics if topic.name + ".h" != UNDECLARED]
        self.calls = [call for topic in topics for call in topic.calls]
        self.inherited = inherit.Inherited(topics)
        self.version = version
        self.pages = {call.name for call in self.calls} | {topic.name for topic in self.topics}
        for call in self.calls:
            if call.header == UNDECLARED:
                call.topic = "utofu"

    def environment(self, dialect):
        loader = jinja2.FileSystemLoader(pathlib.Path(__file__).with_name("templates"))
        environment = jinja2.Environment(loader=loader, trim_blocks=True, lstrip_blocks=True,
                                         undefined=jinja2.StrictUndefined, keep_trailing_newline=True)
        environment.filters.update(text=dialect.text, code=dialect.code, synopsis=dialect.synopsis,
                                   sentence=sentence, direction=DIRECTIONS.get)
        environment.globals.update(version=self.version, headings=HEADINGS)
        return environment

    def see_also(self, page, topic, texts):
        """Pages that the texts speak of, the topic and its header; without @a page itself, a name and a section."""
        found = {match for text in texts for match in re.findall(r"\b((?:utofu|softtofu|jtofu)_\w+)\(\)", text)}
        topics = [topic.name] + [other.name for other in self.topics if other.name + ".h" == topic.header]
        pages = [(call, 3) for call in sorted(found) if call in self.pages]
        if topic.header.startswith("utofu"):
            topics += ["utofu", "utofu_profile"]
        pages += [(other, 7) for other in dict.fromkeys(topics)]
        return [other for other in pages if other != page] or [("utofu", 7)]

    def call_values(self, call):
        topic = next(topic for topic in self.topics if topic.name == call.topic)
        place = {name: number for number, (_, name, _) in enumerate(call.arguments)}
        parameters = [model.Parameter(own.name, own.direction, self.inherited.parameter(call, own.name))
                      for own in sorted(call.parameters, key=lambda own: place[own.name])]
        errors, contract = self.inherited.errors(call), self.inherited.contract(call)
        texts = [call.brief, self.inherited.answer(call)] + [body for kind, body in call.blocks if kind == "para"]
        texts += [parameter.text for parameter in parameters] + [text for _, text in contract]
        return {"call": call, "brief": name_line(call.brief), "declared": call.header != UNDECLARED,
                "library": LIBRARIES.get(call.header, "tofucom"), "parameters": parameters,
                "answer": self.inherited.answer(call), "errors": errors, "contract": contract,
                "topic_has_text": bool(topic.blocks), "see_also": self.see_also((call.name, 3), topic, texts)}

    def topic_values(self, topic):
        texts = [body if isinstance(body, str) else " ".join(body) for _, body in topic.blocks]
        members = [(other.name, 7) for other in self.topics if other.header == topic.header and other is not topic]
        header = topic.name + ".h" == topic.header
        see_also = list(dict.fromkeys(self.see_also((topic.name, 7), topic, texts) + (members if header else [])))
        return {"topic": topic, "title": name_line(topic.title), "see_also": see_also}

    def documents(self):
        """-> (name, section, template, values) of each page."""
        for call in self.calls:
            yield call.name, 3, "call", self.call_values(call)
        for topic in self.topics:
            yield topic.name, 7, "topic", self.topic_values(topic)

    def write_man(self, folder):
        environment = self.environment(render.Roff(self.pages))
        for name, section, template, values in self.documents():
            page = environment.get_template(template + ".man").render(values)
            lines = [line for line in page.splitlines() if line.strip()]
            (folder / f"man{section}" / f"{name}.{section}").write_text("\n".join(lines) + "\n")

    def write_html(self, folder):
        environment = self.environment(render.Html(self.pages))
        for name, section, template, values in self.documents():
            page = environment.get_template(template + ".html").render(values)
            (folder / f"{name}.{section}.html").write_text(page)
        (folder / "index.html").write_text(environment.get_template("index.html").render(topics=self.topics))


def empty(folder):
    """So that pages of calls that are gone go, too."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)


def main():
    xml, man, html = map(pathlib.Path, sys.argv[1:4])
    for folder in (man / "man3", man / "man7", html):
        empty(folder)
    reference = Reference(model.read(xml), sys.argv[4])
    reference.write_man(man)
    reference.write_html(html)


if __name__ == "__main__":
    main()
