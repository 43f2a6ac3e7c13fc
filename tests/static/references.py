#!/usr/bin/env python3
"""Comments name files that exist: a name with an ending of sources, alone, with some of its folders, or from the top.
documents.py does the same for documents. Holds no list of the tree's files."""
import re

import tap
import tree

# Files of other projects that comments cite.
FOREIGN = {'clb097tex.h', 'clb197tex.h', 'd3d9types.h', 'dlfcn.h', 'jpeglib.h', 'nir_to_tgsi.c', 'virgl_protocol.h', 'virgl_tgsi.c',
           'vtest_protocol.h'}
# They name files that are not there on purpose.
PLANTED = ('tests/static/references.py', 'tests/static/mutants.py')
TOKEN = re.compile(r'/\*.*?\*/|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'', re.DOTALL)
COMMENTS = {'.py': re.compile(r'#[^\n]*|""".*?"""', re.DOTALL), '.build': re.compile(r'#[^\n]*')}
# Not a member (dst.c is a component), not a pattern (*.c, NAME.md), not a part of a longer name (install.c.in).
NAME = re.compile(r'(?<![\w./<*$-])((?:[\w-]+/)*(?!dst\.|src\d\.|[A-Z]+\.)[\w-]+\.(?:c|h|def|py|md|scd|build|S|tsv))\b(?![\w/(*-]|\.\w)')


def comments(name, text):
    """(line, comment) of a source."""
    if name.endswith(('.c', '.h', '.def')):
        found = (match for match in TOKEN.finditer(text) if match.group().startswith('/*'))
    else:
        found = next((pattern.finditer(text) for ending, pattern in COMMENTS.items() if name.endswith(ending)), ())
    for match in found:
        yield text.count('\n', 0, match.start()) + 1, match.group()


def ends_of(paths):
    """Every path, and every end of one: src/isa/isa.c, isa/isa.c, isa.c."""
    ends = set()
    for path in paths:
        parts = path.split('/')
        ends.update('/'.join(parts[i:]) for i in range(len(parts)))
    return ends


def stale(comment, known):
    return [name for name in NAME.findall(comment) if name not in known and name.split('/')[-1] not in FOREIGN]


def named_files_exist():
    known, findings, count = ends_of(tree.listed()), [], 0
    for name, data in tree.TEXTS.items():
        if name.startswith(PLANTED):
            continue
        for line, comment in comments(name, data.decode('utf-8', 'replace')):
            count += len(NAME.findall(comment))
            findings += [f'{name}:{line}: {missing}' for missing in stale(comment, known)]
    return findings if count > 500 else [f'only {count} names were read']


def stale_names_are_noticed():
    known = ends_of(tree.listed())
    findings = [f'not noticed: {comment}' for comment in ('/* isa/isa.c has it, isa/gone.c does not. */', '# See gone.py.', '/* (src/base/gone.h) */')
                if len(stale(comment, known)) != 1]
    return findings + [f'{comment}: {stale(comment, known)}' for comment in ('/* isa/isa.h, install.c.in, dst.c, X.c, *.c */', '/* src/exec/watch.h. */')
                       if stale(comment, known)]


if __name__ == '__main__':
    tap.run([
        ('named files exist', named_files_exist),
        ('stale names are noticed', stale_names_are_noticed),
    ])
