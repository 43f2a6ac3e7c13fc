#!/usr/bin/env python3
"""Knots: files of one folder of src/ that all reach each other by the functions and tables that they use. Read from the
symbols of the build's objects; a folder's subfolders belong to it, but those of src/cli are looked at one by one. A knot of more than LARGEST files is to be untied:
what its files share goes below them, what calls all of them above.

`python3 tests/static/knots.py --all` prints every knot, and by which symbols its files hold each other. Holds what is excepted."""
import collections
import json
import os
import shutil
import subprocess
import sys

import tap

LARGEST = 3
# Folders whose knots may be larger: messages and inputs of the command, kinds of files that are shrunk.
LARGER = {'cli/common': 9, 'cli/reduce': 4}


def objects():
    """{object: (folder of src/, file)} of the build."""
    with open(os.path.join(tap.BUILD, 'compile_commands.json'), encoding='utf-8') as file:
        entries = json.load(file)
    found, src = {}, os.path.join(tap.SOURCE, 'src')
    for entry in entries:
        source = os.path.relpath(os.path.join(entry['directory'], entry['file']), src)
        made = os.path.join(entry['directory'], entry['output'])
        if not source.startswith('..') and source.endswith('.c') and os.path.exists(made):
            parts = source.split(os.sep)
            found[made] = '/'.join(parts[:2] if parts[0] == 'cli' and len(parts) > 2 else parts[:1]), source
    if not found:
        raise FileNotFoundError(f'no objects of src/ under {tap.BUILD}')
    return found


def uses(found):
    """{folder: {file: {file of the folder that it uses: symbols}}}."""
    if not shutil.which('nm'):
        raise tap.Skip('no nm')
    listed = subprocess.run(['nm', '-A', '-g', *found], check=True, capture_output=True, text=True).stdout
    defined, undefined = collections.defaultdict(set), []
    for line in listed.splitlines():
        made, _, rest = line.partition(':')
        letter, name = rest.split()[-2:]
        folder, source = found[made]
        if letter in 'Uwv':
            undefined.append((folder, source, name))
        else:
            defined[folder, name].add(source)
    graph = {folder: {source: collections.defaultdict(set) for in_folder, source in found.values() if in_folder == folder} for folder, _ in found.values()}
    for folder, source, name in undefined:
        for other in defined[folder, name] - {source}:
            graph[folder][source][other].add(name)
    return graph


def reachable(graph, begin):
    seen, todo = set(), list(graph[begin])
    while todo:
        source = todo.pop()
        if source not in seen:
            seen.add(source)
            todo += graph[source]
    return seen


def knots(graph):
    """The sets of two and more files that reach each other, the largest first."""
    reach = {source: reachable(graph, source) for source in graph}
    sets = {frozenset(other for other in reach[source] if source in reach[other]) for source in graph if source in reach[source]}
    return sorted((sorted(knot) for knot in sets), key=lambda knot: (-len(knot), knot))


def files_form_no_knot():
    return [f'{len(knot)} files that reach each other: {" ".join(knot)}' for folder, graph in uses(objects()).items()
            for knot in knots(graph) if len(knot) > LARGER.get(folder, LARGEST)]


def print_all():
    for folder, graph in sorted(uses(objects()).items()):
        for knot in knots(graph):
            print(f'{folder}: {len(knot)} of {len(graph)}: {" ".join(knot)}')
            for source in knot:
                for other in sorted(set(graph[source]) & set(knot)):
                    print(f'  {source} -> {other}: {" ".join(sorted(graph[source][other]))}')


if '--all' in sys.argv:
    print_all()
else:
    tap.run([('no large knot of files', files_form_no_knot)])
