#!/usr/bin/env python3
"""Names that went are used nowhere. Holds no list of them: that is old_names.txt."""
import os
import re

import tap
import tree

OLD = 'tests/static/old_names.txt'


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
    names = [(words, pattern, folders, set(re.findall(r'\w+', words.lower()))) for words, pattern, folders in old_names()]
    for path, text in texts():
        count += 1
        # Few files have all words of a name: only those are read through.
        there = set(re.findall(r'\w+', text.lower()))
        for words, pattern, folders, needed in names:
            if not needed <= there or (folders and not path.startswith(folders)):
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


if __name__ == '__main__':
    tap.run([
        ('old names are gone', old_names_are_gone),
        ('old names would be seen', patterns_notice),
    ])
