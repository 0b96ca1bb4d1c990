# SPDX-License-Identifier: BSD-3-Clause
"""Headers say "as for utofu_put()"; pages say it all. Each function follows such references to their end."""

import re

import model

_AS_FOR = re.compile(r"As for (\w+)\(\)\.?\s*")


class Inherited:
    """Answers for the calls of @a topics."""

    def __init__(self, topics):
        self.calls = {call.name: call for topic in topics for call in topic.calls}

    def base(self, name, of):
        if name not in self.calls:
            raise KeyError(f"{of} refers to {name}(), which no header documents")
        return self.calls[name]

    def parameter(self, call, name):
        """The text of a parameter, by whichever call gives it."""
        found = [parameter for parameter in call.parameters if parameter.name == name]
        if not found:
            raise KeyError(f"{call.name}: parameter {name} is not documented")
        reference = _AS_FOR.match(found[0].text)
        if reference is None:
            return found[0].text
        rest = found[0].text[reference.end():]
        return f"{self.parameter(self.base(reference[1], call.name), name)} {rest}".strip()

    def clause(self, call, key):
        """What a call promises under one of model.CONTRACT, or ""."""
        clause = call.contract.get(key)
        if clause is None:
            return ""
        if not clause.base:
            return clause.text
        return f"{self.clause(self.base(clause.base, call.name), key)} {clause.text}".strip()

    def errors(self, call):
        """{name: [cause]} with those of the calls that it refers to."""
        causes = {}
        returns = call.returns
        for base in returns.bases:
            for name, texts in self.errors(self.base(base, call.name)).items():
                if not any(name.endswith(f"_ERR_{never}") for never in returns.never):
                    causes.setdefault(name, []).extend(text for text in texts if text not in causes.get(name, []))
        if returns.replaces:
            for name, _ in returns.errors:
                causes.pop(name, None)
        for name, cause in returns.errors:
            causes.setdefault(name, []).append(cause)
        return causes

    def answer(self, call):
        """What a call returns, without its errors."""
        if self.errors(call):
            return f"{call.returns.text.split(',')[0]}, or one of these errors:"
        return call.returns.text

    def contract(self, call):
        return [(key, self.clause(call, key)) for key in model.CONTRACT if self.clause(call, key)]
