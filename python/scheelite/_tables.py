"""What the library's tables say about a name or a number: explain(). Holds no facts of its own."""
from __future__ import annotations

import functools
import html
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from ._library import ffi, lib, nearest, string, struct

__all__ = ['Entry', 'explain']


@dataclass(frozen=True)
class Entry:
    """A row of a table: what it is, and its fields by name."""

    kind: str
    """"opcode", "Direct3D instruction", "Maxwell texture instruction", "diagnostic", "semantic", "property", "format",
    "target", "register file", "keyword", "limit" or "decision"."""
    name: str
    title: str
    fields: dict[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        lines = [f'{self.kind} {self.name}' + (f': {self.title}' if self.title else '')]
        for key, value in self.fields.items():
            first, *rest = value.split('\n')
            lines += [f'  {key:<14} {first}', *(f'  {"":<14} {line}' for line in rest)]
        return '\n'.join(lines)

    def _repr_html_(self) -> str:
        rows = ''.join(f'<tr><th>{html.escape(key)}</th><td><pre>{html.escape(value)}</pre></td></tr>'
                       for key, value in self.fields.items())
        return f'<p><b>{html.escape(self.name)}</b>: {html.escape(self.title or self.kind)}</p><table>{rows}</table>'


class Entries(list[Entry]):
    """What explain() returns: a list that prints as text."""

    def __str__(self) -> str:
        return '\n\n'.join(str(one) for one in self)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return ''.join(one._repr_html_() for one in self)


def _rows(name: str, call: Any) -> Iterator[tuple[int, Any]]:
    info = struct(name)
    index = 0
    while call(index, info):
        yield index, info
        index += 1


def _value(info: Any, name: str) -> str:
    value = getattr(info, name)
    return string(value) if isinstance(value, ffi.CData) else str(value)


def _fields(info: Any, *names: str) -> dict[str, str]:
    """Members that are not empty, by name; "name=label" has another label."""
    made = {}
    for one in names:
        name, _, label = one.partition('=')
        text = _value(info, name)
        if text:
            made[label or name] = text
    return made


def _opcodes() -> Iterator[Entry]:
    form = struct('opcode_form_info')
    for index, info in _rows('opcode_info', lib.sch_table_opcode):
        written = {}
        if lib.sch_table_opcode_form(index, form):
            written = {'form': string(form.form), 'example': '\n'.join(string(one) for one in form.example if one[0] != b'\0')}
        yield Entry('opcode', string(info.name), string(info.title),
                    {**written, **_fields(info, 'formula=meaning', 'words', 'section', 'number', 'flags')})


def _d3d() -> Iterator[Entry]:
    for _, info in _rows('d3d_opcode_info', lib.sch_table_d3d):
        model = f'{info.model // 10}.{info.model % 10}'
        yield Entry('Direct3D instruction', string(info.name), string(info.title),
                    {**_fields(info, 'other=vkd3d', 'text', 'operands', 'runs_as=runs as', 'runs_with=with'),
                     'shader model': model, **_fields(info, 'stages', 'number', 'flags')})


def _maxwell() -> Iterator[Entry]:
    """Rows of one operation follow each other; they are one entry."""
    entry: Entry | None = None
    for _, info in _rows('maxwell_info', lib.sch_table_maxwell):
        operation, kind, text = (_value(info, member) for member in ('operation', 'kind', 'text'))
        if entry is None or entry.name != operation:
            if entry:
                yield entry
            entry = Entry('Maxwell texture instruction', operation, '')
        if kind == 'operation':
            entry = Entry(entry.kind, operation, text, entry.fields)
            continue
        line = ' '.join(part for part in (_value(info, 'bits'), _value(info, 'name'), text) if part)
        entry.fields[kind] = f'{entry.fields[kind]}\n{line}' if kind in entry.fields else line
    if entry:
        yield entry


def _named(table: int, kind: str) -> Iterator[Entry]:
    info, stages = struct('name_info'), struct('stages_info')
    index = 0
    while lib.sch_table_name(table, index, info):
        fields = _fields(info, 'word', 'type', 'number')
        if lib.sch_table_stages(table, index, stages):
            fields.update(_fields(stages, 'input', 'output', 'system_value=system value', 'produced', 'property=stages'))
        yield Entry(kind, string(info.name), string(info.doc), fields)
        index += 1


def _errors() -> Iterator[Entry]:
    for _, info in _rows('error_info', lib.sch_table_error):
        yield Entry('diagnostic', str(info.number), string(info.summary), _fields(info, 'name', 'severity', 'explanation'))


def _keywords() -> Iterator[Entry]:
    for _, info in _rows('keyword_info', lib.sch_table_keyword):
        yield Entry('keyword', _value(info, 'word'), _value(info, 'meaning'), _fields(info, 'kind', 'form'))


def _limits() -> Iterator[Entry]:
    for _, info in _rows('limit_info', lib.sch_table_limit):
        yield Entry('limit', _value(info, 'name'), _value(info, 'meaning'), _fields(info, 'fallback=default', 'most'))


def _decisions() -> Iterator[Entry]:
    for _, info in _rows('decision_info', lib.sch_table_decision):
        yield Entry('decision', string(info.subjects), '', _fields(info, 'clause', 'choice', 'reason'))


def _all() -> Iterator[Entry]:
    yield from _opcodes()
    yield from _d3d()
    yield from _maxwell()
    yield from _errors()
    for table, kind in ((lib.SCH_NAMES_SEMANTICS, 'semantic'), (lib.SCH_NAMES_PROPERTIES, 'property'),
                        (lib.SCH_NAMES_FORMATS, 'format'), (lib.SCH_NAMES_TARGETS, 'target'),
                        (lib.SCH_NAMES_FILES, 'register file')):
        yield from _named(table, kind)
    yield from _keywords()
    yield from _limits()
    yield from _decisions()


@functools.cache
def _table() -> tuple[Entry, ...]:
    return tuple(_all())


def explain(name: str | int) -> Entries:
    """All that the library's tables say about an opcode, a semantic, a property, a format, a target, a limit or the number
    of a diagnostic. LookupError names the nearest name."""
    table = _table()
    wanted = str(name).lower()
    found = Entries(one for one in table if one.name.lower() == wanted or one.fields.get('word', '').lower() == wanted or
                    (one.kind == 'diagnostic' and one.fields.get('name', '').lower() == wanted))
    if found:
        found += [one for one in table if one.kind == 'decision' and wanted in one.name.lower().split() and one not in found]
        return found
    raise LookupError(f'no table has {name!r}{nearest(str(name).upper(), [one.name for one in table])}')
