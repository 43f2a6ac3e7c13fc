#!/usr/bin/env python3
"""The documents: generated parts are up to date, links lead somewhere, what they name (files, identifiers, options,
diagnostics, sections) exists. Holds no text of a document."""
import os
import re
import subprocess
import sys

import tap
import tree

DOCUMENTS = ['README.md', 'ARCHITECTURE.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md', 'packaging/README.md'] + sorted(
    os.path.join('docs', n) for n in os.listdir(os.path.join(tap.SOURCE, 'docs')) if n.endswith('.md'))
INDEX = 'docs/README.md'
MANUALS = sorted(n for n in tree.NAMES if n.startswith('docs/man/') and n.endswith('.scd'))
NAMED_IN = DOCUMENTS + MANUALS + sorted(n for n in tree.NAMES if n.startswith('include/') and n.endswith('.h'))


def text_of(name):
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
        for target in re.findall(r'\]\(([^)#\s]+)[^)]*\)', text_of(name)):
            if '://' not in target and not os.path.exists(os.path.join(tap.SOURCE, os.path.dirname(name), target)):
                findings.append(f'{name}: {target}')
    return findings


def ends_of(paths):
    """Every path, and every end of one: src/isa/isa.c, isa/isa.c, isa.c."""
    ends = set()
    for path in paths:
        parts = path.split('/')
        ends.update('/'.join(parts[i:]) for i in range(len(parts)))
    return ends


def named_files_exist():
    """A path in backquotes, from the top or without the first folders."""
    findings, known = [], ends_of(tree.NAMES)
    for name in NAMED_IN:
        for path in re.findall(r'`([\w./-]+\.(?:c|h|S|def|in|py|md|txt|map))`', text_of(name)):
            shown = f'`{path}`:\n\n```' in text_of(name)  # the page has it whole
            if path not in known and not shown and not os.path.exists(os.path.join(tap.SOURCE, path)):
                findings.append(f'{name}: {path}')
        for path in re.findall(r'`((?:src|include|tests|tools|docs|examples|bench)/[\w./-]+)`', text_of(name)):
            if not os.path.exists(os.path.join(tap.SOURCE, path)):
                findings.append(f'{name}: {path}')
    return findings


def sources():
    return '\n'.join(data.decode() for name, data in tree.TEXTS.items()
                     if name.startswith(('src/', 'include/', 'bench/', 'tools/', 'tests/', 'python/'))
                     and not name.startswith('tests/golden/'))


def named_identifiers_exist():
    """sch_* and SCH_*: in the sources, or begun there by a macro (`sch_value_##name`)."""
    text = sources()
    known = set(re.findall(r'\b(?:sch|SCH)_\w+', text))
    made = tuple(re.findall(r'\b((?:sch|SCH)_\w+)##', text))
    return [f'{name}: {word}' for name in NAMED_IN for word in sorted(set(re.findall(r'\b(?:sch|SCH)_\w+', text_of(name))))
            if word not in known and not word.startswith(made) and not word.endswith('_')]


def named_options_exist():
    """--option, but for those of other programs."""
    known = set(re.findall(r'--[a-z][\w-]*', sources() + tree.TEXTS['dev'].decode()))
    findings = []
    for name in DOCUMENTS + MANUALS:
        for line in text_of(name).splitlines():
            if not line.startswith(('dpkg', 'apt', 'meson', 'systemctl', 'glmark2', 'chromium')):
                findings += [f'{name}: {o}' for o in re.findall(r'(?<![\w-])--[a-z][\w-]*', line) if o not in known]
    return findings


def named_diagnostics_exist():
    """Numbers in parentheses of their own, or behind the word error or warning."""
    known = {int(n) for n in re.findall(r'^DIAGNOSTIC\((\d+),', tree.TEXTS['src/isa/errors.def'].decode(), re.MULTILINE)}
    findings, count = [], 0
    for name in NAMED_IN:
        for match in re.finditer(r'(?:\(|\b(?:error|errors|warning|warnings|numbers?) )(\d{4})(?: to (\d{4}))?\b(?!\.)', text_of(name)):
            if match.group(0).startswith('(') and text_of(name)[match.end():match.end() + 1] != ')':
                continue
            first, last = int(match.group(1)), int(match.group(2) or match.group(1))
            count += 1
            if not known.intersection(range(first, last + 1)):
                findings.append(f'{name}: {match.group(0)}')
    return findings if count else ['no number was seen']


def named_sections_exist():
    """docs/NAME.md, "Title": a heading of the page, or what a paragraph begins with in bold."""
    findings, count = [], 0
    texts = {name: data.decode() for name, data in tree.TEXTS.items()
             if name.startswith(('src/', 'include/', 'docs/', 'tests/unit/')) or name in DOCUMENTS}
    for name, text in texts.items():
        for page, title in re.findall(r'(?:docs/|\]\()([\w-]+\.md)\)?,[\s*]+"([^"\n]+)"', text):
            count += 1
            there = texts.get(f'docs/{page}', '')
            if not re.search(rf'^(?:#+ .*|(?:- |\d+\. )?\*\*){re.escape(title)}', there, re.MULTILINE) and \
                    not (page == 'semantics.md' and title.split()[0] in there):
                findings.append(f'{name}: {page}, "{title}"')
    return findings if count else ['no section was seen']


def index_lists_all_pages():
    """docs/README.md, which README.md names."""
    text = text_of(INDEX)
    findings = [f'{INDEX} does not list {name}' for name in DOCUMENTS[1:]
                if name != INDEX and f']({os.path.relpath(name, "docs")})' not in text]
    if f']({INDEX})' not in text_of('README.md'):
        findings.append(f'README.md does not name {INDEX}')
    return findings


def status_is_one_page():
    lines = text_of('docs/status.md').count('\n')
    return [f'docs/status.md has {lines} lines'] if lines > 80 else []


def arrows_are_those_of_the_picture():
    """Every folder of src/ stands in the picture of the house."""
    picture = text_of('ARCHITECTURE.md')
    return [f'src/{f} is not in ARCHITECTURE.md' for f in sorted(os.listdir(os.path.join(tap.SOURCE, 'src')))
            if os.path.isdir(os.path.join(tap.SOURCE, 'src', f)) and f'src/{f}/' not in picture]


tap.run([
    ('documents exist', documents_exist),
    ('docs/semantics.md is up to date', semantics_are_up_to_date),
    ('vocabulary.h is up to date', vocabulary_is_up_to_date),
    ('links lead somewhere', links_lead_somewhere),
    ('named files exist', named_files_exist),
    ('named identifiers exist', named_identifiers_exist),
    ('named options exist', named_options_exist),
    ('named diagnostics exist', named_diagnostics_exist),
    ('named sections exist', named_sections_exist),
    ('the index lists all pages', index_lists_all_pages),
    ('docs/status.md is one page', status_is_one_page),
    ('the picture of the house is whole', arrows_are_those_of_the_picture),
])
