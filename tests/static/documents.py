#!/usr/bin/env python3
"""The documents: generated parts are up to date, links lead somewhere, commands that they show are forms that exist.
Holds no text of a document."""
import os
import re
import subprocess
import sys

import tap

DOCUMENTS = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md'] + sorted(
    os.path.join('docs', n) for n in os.listdir(os.path.join(tap.SOURCE, 'docs')) if n.endswith('.md'))


def read(name):
    with open(os.path.join(tap.SOURCE, name), encoding='utf-8') as file:
        return file.read()


def documents_exist():
    wanted = [*DOCUMENTS[:3], *(f'docs/{n}.md' for n in ('glossary', 'maxwell', 'semantics', 'status', 'texture'))]
    return [f'{n} is missing' for n in wanted if n not in DOCUMENTS or not os.path.exists(os.path.join(tap.SOURCE, n))]


def semantics_are_up_to_date():
    result = subprocess.run([sys.executable, os.path.join(tap.SOURCE, 'tools', 'gen-semantics'), '--check'],
                            capture_output=True, text=True)
    return [] if result.returncode == 0 else (result.stdout + result.stderr).splitlines()


def vocabulary_is_up_to_date():
    result = subprocess.run([sys.executable, os.path.join(tap.SOURCE, 'tools', 'gen-types'), '--check'],
                            capture_output=True, text=True)
    return [] if result.returncode == 0 else (result.stdout + result.stderr).splitlines()


def links_lead_somewhere():
    findings = []
    for name in DOCUMENTS:
        for target in re.findall(r'\]\(([^)#\s]+)[^)]*\)', read(name)):
            if '://' not in target and not os.path.exists(os.path.join(tap.SOURCE, os.path.dirname(name), target)):
                findings.append(f'{name}: {target}')
    return findings


def named_files_exist():
    """A path in backquotes that begins with a folder of the tree."""
    findings = []
    for name in DOCUMENTS:
        for path in re.findall(r'`((?:src|include|tests|tools|docs|examples|bench)/[\w./-]+)`', read(name)):
            if not os.path.exists(os.path.join(tap.SOURCE, path)):
                findings.append(f'{name}: {path}')
    return findings


def arrows_are_those_of_the_picture():
    """Every folder of src/ stands in the picture of the house."""
    picture = read('ARCHITECTURE.md')
    return [f'src/{f} is not in ARCHITECTURE.md' for f in sorted(os.listdir(os.path.join(tap.SOURCE, 'src')))
            if os.path.isdir(os.path.join(tap.SOURCE, 'src', f)) and f'src/{f}/' not in picture]


tap.run([
    ('documents exist', documents_exist),
    ('docs/semantics.md is up to date', semantics_are_up_to_date),
    ('vocabulary.h is up to date', vocabulary_is_up_to_date),
    ('links lead somewhere', links_lead_somewhere),
    ('named files exist', named_files_exist),
    ('the picture of the house is whole', arrows_are_those_of_the_picture),
])
