#!/usr/bin/env python3
"""Names: those that went are used nowhere, and those that ARCHITECTURE.md tells are there. Holds no list of old names:
that is old_names.txt."""
import os
import re

import tap
import tree

OLD = 'tests/static/old_names.txt'
ARCHITECTURE = 'ARCHITECTURE.md'


def read(name):
    with open(os.path.join(tap.SOURCE, name), encoding='utf-8') as file:
        return file.read()


def old_names():
    """(pattern, folders): whole words, of phrases with any blanks between; where folders follow, only there."""
    for line in read(OLD).splitlines():
        if not line or line.startswith('#'):
            continue
        words, _, folders = line.partition(' | ')
        inner = r'[\s/*#]+'.join(re.escape(w) for w in words.split())
        flags = 0 if '_' in words or not words.islower() else re.IGNORECASE
        yield words, re.compile(rf'(?<![\w-]){inner}(?![\w-])', flags), tuple(folders.split())


def texts():
    for name, data in tree.TEXTS.items():
        if name != OLD and not name.startswith('tests/golden/'):
            yield name, data.decode('utf-8', 'replace')


def old_names_are_gone():
    findings, count = [], 0
    names = list(old_names())
    for path, text in texts():
        count += 1
        there = set(re.findall(r'\w+', text.lower()))
        for words, pattern, folders in names:
            # Few files have all words of a phrase: only those are read through.
            if (folders and not path.startswith(folders)) or not there.issuperset(re.findall(r'\w+', words.lower())):
                continue
            found = pattern.search(text)
            if found:
                findings.append(f'{path}:{text.count(chr(10), 0, found.start()) + 1}: {words}')
    return findings if count and names else ['nothing was read']


def patterns_notice():
    """A name of the list is found alone, in a comment's two lines, and not inside of a longer word."""
    findings = []
    for words, pattern, _ in old_names():
        if not pattern.search(f'x {words};') or not pattern.search('\n * '.join(words.split())):
            findings.append(f'{words}: not seen')
        if pattern.search(f'un{words.replace(" ", "")}s'):
            findings.append(f'{words}: seen inside of a word')
    return findings


# `sch_exec_decode` (`src/exec/decode.c`)
TOLD = re.compile(r'`(\w+)`\s+\(`((?:src|include)/[\w./-]+)`\)')


def told():
    return TOLD.findall(read(ARCHITECTURE))


def defined(name, text):
    """A function with a body, a macro, a type, an enumerator or a row of that name stands in the file."""
    forms = (rf'^\w[\w\s*]*\b{name}\([^;]*?\)\s*\{{', rf'^#define {name}\b', rf'^\s*(?:struct|enum) {name}\b',
             rf'^\w+\({name}\b', rf'^\s*{name}\b[,=]', rf'^\w[\w\s*]*\b{name}(?:\[\w*\])?\s*=', rf'\(\*{name}\)\(',
             rf'^\w[\w\s*]*\b{name}\(')
    return any(re.search(form, text, re.M) for form in forms)


def names_of_the_architecture_are_there():
    findings = [f'{path}: no {name}' for name, path in told()
                if not os.path.exists(os.path.join(tap.SOURCE, path)) or not defined(name, read(path))]
    return findings if len(told()) >= 12 else [f'{ARCHITECTURE} tells {len(told())} names']


def steps_name_their_place():
    """Each step of a "life of" names a function and its file."""
    findings, lives = [], 0
    for section in re.split(r'^## ', read(ARCHITECTURE), flags=re.M)[1:]:
        if 'life of' not in section.splitlines()[0]:
            continue
        lives += 1
        for step in re.findall(r'^\d+\. (.*?)(?=^\d+\. |^#|\n\n|\Z)', section, re.M | re.S):
            if not TOLD.search(step):
                findings.append(f'{section.splitlines()[0]}: {step.splitlines()[0]}')
    return findings if lives else ['no life is told']


if __name__ == '__main__':
    tap.run([
        ('old names are gone', old_names_are_gone),
        ('old names would be seen', patterns_notice),
        ('what ARCHITECTURE.md names is there', names_of_the_architecture_are_there),
        ('each step of a life names its place', steps_name_their_place),
    ])
