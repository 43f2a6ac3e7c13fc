#!/usr/bin/env python3
"""ARCHITECTURE.md names functions and files that are there: "`name` (`path`)" and paths by themselves. Holds no list of them."""
import importlib.machinery
import importlib.util
import os
import re

import tap

ARCHITECTURE = 'ARCHITECTURE.md'
TOLD = re.compile(r'`(\w+)`\s+\(`((?:src|include|tests|tools)/[\w./-]+)`\)')
PATH = re.compile(r'`((?:src|include|tests|tools|docs)/[\w./-]*\w)/?`')


def read(name):
    with open(os.path.join(tap.SOURCE, name), encoding='utf-8') as file:
        return file.read()


def defined(name, text):
    """A function with a body, a macro, a struct with members or an object of that name stands in the text."""
    forms = (rf'^\w[\w\s*]*\b{name}\([^;{{]*\)\s*\{{', rf'\bOPS_LOCAL\({name}\)\([^;{{]*\)\s*\{{', rf'^#define {name}\b',
             rf'^(?:struct|enum) {name}\s*\{{', rf'^\w[\w\s*]*\b{name}(?:\[\w*\])?\s*=')
    return any(re.search(form, text, re.M) for form in forms)


def names_are_there():
    told = TOLD.findall(read(ARCHITECTURE))
    findings = [f'{path}: no {name}' for name, path in told
                if not os.path.exists(os.path.join(tap.SOURCE, path)) or not defined(name, read(path))]
    return findings if len(told) >= 20 else [f'only {len(told)} names are told']


def paths_are_there():
    found = PATH.findall(read(ARCHITECTURE))
    findings = [f'no {path}' for path in found if '*' not in path and not os.path.exists(os.path.join(tap.SOURCE, path))
                and path != 'src/ops/FILE.c']
    return findings if found else ['no path is named']


def steps_name_their_place():
    """Each step of each "life of" names a function and its file."""
    findings, lives = [], 0
    for section in re.split(r'^## ', read(ARCHITECTURE), flags=re.M)[1:]:
        title = section.splitlines()[0]
        if 'life of' not in title:
            continue
        lives += 1
        for step in re.findall(r'^\d+\. .*?(?=^\d+\. |\n\n|\Z)', section, re.M | re.S):
            if not TOLD.search(step):
                findings.append(f'{title}: {step.splitlines()[0]}')
    return findings if lives >= 4 else [f'{lives} lives are told']


def gen_sizes():
    loader = importlib.machinery.SourceFileLoader('gen_sizes', os.path.join(tap.SOURCE, 'tools', 'gen-sizes'))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader('gen_sizes', loader))
    loader.exec_module(module)
    return module


def sizes_are_near():
    """The table of sizes is that of tools/gen-sizes, within a fifth; one that is half as large again is noticed."""
    tool, text = gen_sizes(), read(ARCHITECTURE)
    table = text[text.index(tool.BEGIN):text.index(tool.END)]
    findings = [f'{finding}: tools/gen-sizes writes it' for finding in tool.wrong(table)]
    grown = re.sub(r'(\| `src/ops` \| \d+ \| )([\d,]+)', lambda m: m.group(1) + str(int(m.group(2).replace(',', '')) * 3 // 2), table)
    return findings + ([] if grown != table and tool.wrong(grown) else ['a wrong size is not noticed'])


def definitions_differ_from_calls():
    text = 'int called(void);\n\nstatic int made(int a,\n                int b)\n{\n    return called();\n}\nenum { x };\n'
    return [f'{name} is taken for {"defined" if not want else "missing"}' for name, want in (('made', True), ('called', False))
            if defined(name, text) != want]


if __name__ == '__main__':
    tap.run([
        ('names are there', names_are_there),
        ('paths are there', paths_are_there),
        ('steps name their place', steps_name_their_place),
        ('sizes are near', sizes_are_near),
        ('definitions differ from calls', definitions_differ_from_calls),
    ])
