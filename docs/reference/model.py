# SPDX-License-Identifier: BSD-3-Clause
"""Doxygen's XML as calls and topics.

Text is kept as strings with three marks: BOLD and ITALIC begin, END ends. A description is a list of blocks:
("para", text), ("list", [text]), ("head", text), ("code", text).
"""

import dataclasses
import pathlib
import re
import xml.etree.ElementTree as ElementTree

BOLD, ITALIC, END = "\x01", "\x02", "\x03"
CONTRACT = ("Completes", "Owns", "Threads", "Blocks")
_KEYS = re.compile(rf"((?:{BOLD}(?:{'|'.join(CONTRACT)}){END}(?:, )?)+): ")
_AS_CALL = re.compile(r"as (\w+)\(\)\.?\s*", re.IGNORECASE)
_ERROR = re.compile(r"\b([A-Z]+_ERR_\w+) - ")


@dataclasses.dataclass
class Clause:
    """What a call promises; as @a base does, if that is given, and more."""
    base: str
    text: str


@dataclasses.dataclass
class Parameter:
    name: str
    direction: str
    text: str


@dataclasses.dataclass
class Returns:
    """Text before the errors, calls whose errors it may return, too, except those in never, and its own."""
    text: str = ""
    bases: list = dataclasses.field(default_factory=list)
    never: list = dataclasses.field(default_factory=list)
    replaces: bool = False
    errors: list = dataclasses.field(default_factory=list)


@dataclasses.dataclass
class Call:
    name: str
    header: str
    topic: str
    type: str
    arguments: list
    brief: str
    blocks: list
    contract: dict
    parameters: list
    returns: Returns


@dataclasses.dataclass
class Topic:
    """A group of a header's calls and types, or the header itself."""
    name: str
    title: str
    header: str
    blocks: list
    constants: list = dataclasses.field(default_factory=list)
    types: list = dataclasses.field(default_factory=list)
    structs: list = dataclasses.field(default_factory=list)
    calls: list = dataclasses.field(default_factory=list)


def marked(element):
    """The text of a piece of a paragraph, with marks; "" for what is a block by itself."""
    if element.tag in ("itemizedlist", "parameterlist", "simplesect", "verbatim", "programlisting"):
        return ""
    if element.tag == "bold":
        return BOLD + inline(element) + END
    if element.tag in ("emphasis", "computeroutput"):
        return ITALIC + inline(element) + END
    if element.get("refid", "").startswith("group__") and element.get("kindref") == "compound":
        return element.get("refid")[len("group__"):].replace("__", "_") + "(7)"
    return inline(element)


def inline(element):
    """Text of an element with marks; what is a block by itself is left out."""
    text = "".join([element.text or ""] + [marked(child) + (child.tail or "") for child in element])
    return " ".join(text.split()) if element.tag == "para" else text


def text_block(text):
    return [("para", " ".join(text.split()))] if text.split() else []


def blocks_of_para(para):
    """Lists and listings lie within paragraphs, text before and behind them."""
    blocks, text = [], para.text or ""
    for child in para:
        if child.tag == "itemizedlist":
            blocks += text_block(text) + [("list", [plain(item) for item in child])]
            text = ""
        elif child.tag == "verbatim":
            blocks += text_block(text) + [("code", child.text.rstrip())]
            text = ""
        else:
            text += marked(child)
        text += child.tail or ""
    return blocks + text_block(text)


def blocks_of(element):
    blocks = []
    if element is None:
        return blocks
    for child in element:
        if child.tag.startswith("sect"):
            blocks += blocks_of(child)
        elif child.tag == "title":
            blocks.append(("head", inline(child)))
        elif child.tag == "para":
            blocks += blocks_of_para(child)
    return blocks


def join_first(brief, blocks):
    """The first sentence, which doxygen takes for the brief description, and the rest of its paragraph. A paragraph
    that begins with a bold heading is another one."""
    if brief and blocks and blocks[0][0] == "para" and not blocks[0][1].startswith(BOLD):
        return [("para", f"{brief[0][1]} {blocks[0][1]}")] + blocks[1:]
    return brief + blocks


def all_blocks(element):
    return join_first(blocks_of(element.find("briefdescription")), blocks_of(element.find("detaileddescription")))


def plain(element):
    """A description of one paragraph or a few as one text."""
    return " ".join(inline(para) for para in element.iter("para")).strip() if element is not None else ""


def description(member):
    """Both descriptions as one text. Doxygen cuts at a full stop, also between those of "1 .. 48"."""
    text = plain(member.find("briefdescription")) + " " + plain(member.find("detaileddescription"))
    return text.strip().replace(" . . ", " .. ")


def split_contract(text):
    """-> text that is no contract, {key: Clause}. What follows "as call()" for several keys at once is no contract."""
    first, *rest = _KEYS.split(text)
    clauses, left = {}, [first.strip()]
    for keys, clause in zip(rest[::2], rest[1::2]):
        keys = re.findall(r"\w+", keys)
        base = _AS_CALL.match(clause)
        own = clause[base.end():].strip() if base else clause.strip()
        if base and len(keys) > 1:
            left.append(own)
            own = ""
        for key in keys:
            clauses[key] = Clause(base[1] if base else "", own)
    return " ".join(part for part in left if part), clauses


def read_returns(text):
    lead, *rest = _ERROR.split(text)
    return Returns(text=lead.strip(), bases=re.findall(r"\bas (\w+)\(\)", lead) + re.findall(r"\) and (\w+)\(\)", lead),
                   never=re.findall(r"never (\w+)", lead), replaces=lead.rstrip().endswith("but"),
                   errors=[(name, cause.strip()) for name, cause in zip(rest[::2], rest[1::2])])


def read_parameters(member):
    for item in member.iterfind("detaileddescription//parameteritem"):
        text = plain(item.find("parameterdescription"))
        for name in item.iter("parametername"):
            yield Parameter(name.text, name.get("direction", ""), text)


def read_call(member, topic):
    blocks, contract = [], {}
    for kind, body in blocks_of(member.find("detaileddescription")):
        if kind == "para":
            body, found = split_contract(body)
            contract.update(found)
        if body:
            blocks.append((kind, body))
    returned = [plain(section) for section in member.iterfind("detaileddescription//simplesect[@kind='return']")]
    returned += [plain(section) for section in member.iterfind("briefdescription//simplesect[@kind='return']")]
    text, found = split_contract(" ".join(returned))
    contract.update(found)
    arguments = [("".join(param.find("type").itertext()), param.findtext("declname", ""), param.findtext("array", ""))
                 for param in member.findall("param")]
    if arguments and not arguments[0][1]:
        arguments = []
    return Call(member.findtext("name"), header_of(member), topic, "".join(member.find("type").itertext()), arguments,
                plain(member.find("briefdescription")), blocks, contract, list(read_parameters(member)),
                read_returns(text))


def header_of(element):
    return pathlib.Path(element.find("location").get("file")).name


def read_struct(path):
    compound = ElementTree.parse(path).find("compounddef")
    fields = [(" ".join("".join(member.find("type").itertext()).split()),
               member.findtext("name") + (member.findtext("argsstring") or ""), description(member))
              for member in compound.iter("memberdef")]
    return compound.findtext("compoundname"), all_blocks(compound), fields


def read_constants(section):
    title = section.findtext("header", "")
    rows = []
    for member in section.findall("memberdef[@kind='define']"):
        arguments = ", ".join(name.text for name in member.iter("defname"))
        name = member.findtext("name") + (f"({arguments})" if arguments else "")
        if text := description(member):
            rows.append((name, member.findtext("initializer", ""), text))
    return [(title or "Constants", "", rows)] if rows else []


def read_enum(member):
    rows = [(value.findtext("name"), value.findtext("initializer", "").lstrip("= "), description(value))
            for value in member.findall("enumvalue")]
    return f"enum {member.findtext('name')}", description(member), rows


def read_topic(compound, folder):
    """A group, or a file with what is in no group. A file's name without .h is its topic's."""
    name = compound.findtext("compoundname").removesuffix(".h")
    topic = Topic(name, compound.findtext("title") or compound.findtext("compoundname"), "", all_blocks(compound))
    for section in compound.findall("sectiondef"):
        topic.constants += read_constants(section)
        for member in section.findall("memberdef"):
            topic.header = topic.header or header_of(member)
            if member.get("kind") == "function":
                topic.calls.append(read_call(member, name))
            elif member.get("kind") == "enum":
                topic.constants.append(read_enum(member))
            elif member.get("kind") == "typedef":
                topic.types.append((member.findtext("definition"), description(member)))
    topic.structs = [read_struct(folder / f"{inner.get('refid')}.xml") for inner in compound.findall("innerclass")]
    if compound.get("kind") == "file":
        topic.header = name + ".h"
        topic.title = plain(compound.find("briefdescription")).rstrip(".") or topic.title
    return topic


def read(folder):
    """-> [Topic], headers first. A struct and a call that are in a group are not the file's."""
    folder = pathlib.Path(folder)
    topics = []
    for kind in ("file", "group"):
        for entry in ElementTree.parse(folder / "index.xml").findall(f"compound[@kind='{kind}']"):
            compound = ElementTree.parse(folder / f"{entry.get('refid')}.xml").find("compounddef")
            topics.append(read_topic(compound, folder))
    files = topics[:sum(topic.name + ".h" == topic.header for topic in topics)]
    grouped = {struct[0] for topic in topics if topic not in files for struct in topic.structs}
    for topic in files:
        topic.structs = [struct for struct in topic.structs if struct[0] not in grouped]
    return topics
