# SPDX-License-Identifier: BSD-3-Clause
"""Marked text as roff and as HTML; the filters of the templates."""

import html
import re

from model import BOLD, END, ITALIC

_NAMES = re.compile(r"\b(?P<call>(?:utofu|softtofu|jtofu)_\w+)\(\)|\b(?P<topic>(?:utofu|softtofu|jtofu)\w*)\(7\)"
                    r"|\b(?P<constant>(?:UTOFU|JTOFU|SOFTTOFU)_[A-Z0-9_]+\*?)")
WIDTH = 74


class Roff:
    def __init__(self, pages):
        self.pages = pages

    @staticmethod
    def escape(text):
        text = text.replace("\\", "\\e").replace("-", "\\-").replace("^", "\\(ha").replace("~", "\\(ti")
        return text.replace("`", "\\(ga").replace('"', "\\(dq")

    def _name(self, match):
        if match["call"]:
            return f"{BOLD}{match['call']}{END}({3 if match['call'] in self.pages else ''})"
        return BOLD + match["constant"] + END if match["constant"] else f"{BOLD}{match['topic']}{END}(7)"

    def text(self, text):
        text = self.escape(_NAMES.sub(self._name, text))
        text = text.replace(BOLD, "\\fB").replace(ITALIC, "\\fI").replace(END, "\\fP")
        return "\\&" + text if text.startswith((".", "'")) else text

    def code(self, text):
        """Text as it is, without names of pages."""
        lines = [self.escape(line) for line in text.splitlines()]
        return "\n".join("\\&" + line if line.startswith((".", "'")) else line for line in lines)

    def synopsis(self, call):
        """The declaration, folded between arguments; types bold, names italic."""
        head = f"{call.type} {call.name}(".replace("* ", "*")
        lines, line = [], (head, f"\\fB{self.escape(head)}\\fP")
        arguments = call.arguments or [("void", "", "")]
        for place, (kind, name, array) in enumerate(arguments):
            kind = kind if kind.endswith("*") or not name else kind + " "
            comma = ");" if place == len(arguments) - 1 else ", "
            plain = kind + name + array + comma
            marked = f"\\fB{self.escape(kind)}\\fP\\fI{self.escape(name)}\\fP\\fB{self.escape(array + comma)}\\fP"
            if len(line[0]) + len(plain) > WIDTH and place > 0:
                lines.append(line[1])
                line = (" " * 8, " " * 8)
            line = (line[0] + plain, line[1] + marked)
        return "\n".join(lines + [line[1]])


class Html:
    def __init__(self, pages):
        self.pages = pages

    def _name(self, match):
        if match["call"]:
            name, page = match["call"] + "()", match["call"] + ".3"
        elif match["topic"]:
            name, page = match["topic"] + "(7)", match["topic"] + ".7"
        else:
            return f"<code>{match['constant']}</code>"
        link = page.rsplit(".", 1)[0] in self.pages
        return f'<a href="{page}.html"><code>{name}</code></a>' if link else f"<code>{name}</code>"

    def text(self, text):
        """Names within ITALIC or BOLD stay plain code; marks do not nest in the headers."""
        text = _NAMES.sub(self._name, html.escape(text, quote=False))
        open_tags, parts = [], []
        for part in re.split(f"([{BOLD}{ITALIC}{END}])", text):
            if part in (BOLD, ITALIC):
                open_tags.append("b" if part == BOLD else "em")
                part = f"<{open_tags[-1]}>"
            elif part == END:
                part = f"</{open_tags.pop()}>"
            parts.append(part)
        return "".join(parts)

    @staticmethod
    def code(text):
        return html.escape(text, quote=False)

    @staticmethod
    def synopsis(call):
        head = f"{call.type} {call.name}(".replace("* ", "*")
        lines, line = [], head
        arguments = call.arguments or [("void", "", "")]
        for place, (kind, name, array) in enumerate(arguments):
            kind = kind if kind.endswith("*") or not name else kind + " "
            comma = ");" if place == len(arguments) - 1 else ", "
            if len(line) + len(kind + name + array + comma) > 100 and place > 0:
                lines.append(line.rstrip())
                line = " " * 8
            line += kind + name + array + comma
        return html.escape("\n".join(lines + [line]), quote=False)
