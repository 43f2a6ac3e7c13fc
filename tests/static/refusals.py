#!/usr/bin/env python3
"""Nothing is ignored silently: each refusal of src/virgl and src/vtest has a row in tests/cli/refused.py, and each row a
refusal. Holds no row."""
import collections
import os
import re
import sys

import tap

sys.path.insert(0, os.path.join(tap.SOURCE, 'tests', 'cli'))
import refused  # noqa: E402

# Functions that refuse, and their files; a reason that is returned to one of them.
FUNCTIONS = {'virgl': ('sch_virgl_refuse', 'sch_virgl_refuse_for', 'sch_virgl_check', 'wrong', 'end_run', 'sch_virgl_end_move'),
             'vtest': ('refuse', 'stop', 'lose', 'lose_process', 'give_reason', 'sch_virgl_losses_note')}
REASONS = {'vtest/memories.c'}
# What these functions themselves write around a reason.
AROUND = {'%s: %s', '%s: %s (%u)', '%s: line %u, column %u: %s (%u)', 'is refused', 'ends the session'}
TEXT = r'"(?:[^"\\]|\\.)*"(?:\s*PRI\w+(?:\s*"(?:[^"\\]|\\.)*")?)*'


def code(path):
    with open(path, encoding='utf-8') as file:
        return re.sub(r'/\*.*?\*/', ' ', file.read(), flags=re.DOTALL)


def arguments(text, at):
    """What stands between the parenthesis before `at` and the one that closes it."""
    depth, end = 1, at
    while depth:
        if text[end] == '"':
            end += len(re.match(r'"(?:[^"\\]|\\.)*"', text[end:]).group()) - 1
        depth += {'(': 1, ')': -1}.get(text[end], 0)
        end += 1
    return text[at:end - 1]


def texts_of(words):
    """The texts among them, each with its parts put together."""
    found = []
    for match in re.findall(TEXT, re.sub(r'"\s+"', '', words)):
        match = re.sub(r'\s+', ' ', match[1:-1] if match.endswith('"') else match[1:])
        found.append(match)
    return found


def sites():
    found = collections.Counter()
    for folder, functions in FUNCTIONS.items():
        for name in sorted(os.listdir(os.path.join(tap.SOURCE, 'src', folder))):
            if not name.endswith('.c'):
                continue
            file, text = f'{folder}/{name}', code(os.path.join(tap.SOURCE, 'src', folder, name))
            for match in re.finditer(rf'(?<![\w.>])(?:{"|".join(functions)})\(', text):
                found.update((file, said) for said in texts_of(arguments(text, match.end())) if said not in AROUND)
            if file in REASONS:
                found.update((file, said) for said in re.findall(r'return "((?:[^"\\]|\\.)*)"', text))
                found.update((file, said) for said in re.findall(r'\? "((?:[^"\\]|\\.)*)"', text))
    return found


def rows():
    return collections.Counter((row[0], row[1]) for table in (refused.PLAYED, refused.DAMAGED, refused.SERVED, refused.UNIT, refused.UNREACHED)
                               for row in table if row[-1] is not None)


def every_refusal_has_a_row():
    return [f'no row: {file}: {text}' for file, text in sorted((sites() - rows()).elements())]


def every_row_has_a_refusal():
    return [f'no refusal: {file}: {text}' for file, text in sorted((rows() - sites()).elements())]


def no_other_ways():
    """What is counted without a reason would be a line that says nothing; what is refused is counted where it is refused."""
    findings = []
    for folder in FUNCTIONS:
        for name in sorted(os.listdir(os.path.join(tap.SOURCE, 'src', folder))):
            path = os.path.join(tap.SOURCE, 'src', folder, name)
            if name.endswith('.c') and re.search(r'log\.write\(', code(path)):
                findings += [] if f'{folder}/{name}' in ('virgl/reports.c', 'vtest/server.c', 'vtest/session.c', 'vtest/client.c') else [f'{folder}/{name} writes to the log itself']
    return findings


if __name__ == '__main__':
    tap.run([('every refusal has a row', every_refusal_has_a_row), ('every row has a refusal', every_row_has_a_refusal),
             ('nobody else writes to the log', no_other_ways)])
