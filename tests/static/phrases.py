#!/usr/bin/env python3
"""Documents, comments and messages are in plain English: no phrase of phrases.tsv is in them. Holds no phrase."""
import os
import re

import tap
import tree

LIST = 'tests/static/phrases.tsv'
TOKEN = re.compile(r'/\*.*?\*/|"(?:[^"\\\n]|\\.)*"(?:\s*"(?:[^"\\\n]|\\.)*")*|\'(?:[^\'\\\n]|\\.)*\'', re.DOTALL)
QUOTED = re.compile(r'\\?"[^"]*?\\?"|`[^`]*`')


def phrases():
    """(expression, plain words, a sentence with the phrase)"""
    for line in tree.TEXTS[LIST].decode('utf-8').splitlines():
        if line and not line.startswith('#'):
            expression, plain, sentence = line.split('\t')
            yield re.compile(expression, re.IGNORECASE if not expression.startswith('(?:^') else 0), plain, sentence


def joined(text):
    """A comment or paragraph as one line, without what it quotes."""
    return QUOTED.sub('""', re.sub(r'\s*\n[\s*]*', ' ', text).strip(' \n*'))


def of_source(text):
    """(line, text) of each comment, and of each string of several words, with those that follow it."""
    for match in TOKEN.finditer(text):
        found, line = match.group(), text.count('\n', 0, match.start()) + 1
        if found.startswith('/*'):
            for paragraph in re.split(r'\n *\* *\n', found[2:-2]):
                yield line, joined(paragraph)
        elif found.startswith('"') and ' ' in found:
            yield line, QUOTED.sub('', re.sub(r'"\s*"', '', found)[1:-1].replace('\\"', '"'))


def of_document(text):
    """(line, text) of each paragraph, list item and table row outside of code."""
    line, paragraph, first, code = 0, [], 1, False
    for line, content in enumerate([*text.splitlines(), ''], 1):
        fence = content.lstrip().startswith('```')
        if fence or code or not content.strip() or re.match(r'\s*(?:[-*] |\d+\. |\||#)', content):
            if paragraph:
                yield first, joined('\n'.join(paragraph))
            paragraph = []
        code ^= fence
        if not code and not fence and content.strip():
            first = first if paragraph else line
            paragraph.append(re.sub(r'^\s*(?:[-*] |\d+\. |#+ )', '', content))


def is_document(name):
    return name.endswith(('.md', '.scd')) and not name.startswith('tests/')


def texts():
    """(file, line, text) of all that is linted."""
    for name, data in tree.TEXTS.items():
        if name.startswith(('src/', 'include/')) and name.endswith(('.c', '.h', '.def')):
            pieces = of_source(data.decode('utf-8', 'replace'))
        elif is_document(name):
            pieces = of_document(data.decode('utf-8', 'replace'))
        else:
            continue
        for line, text in pieces:
            yield name, line, text


def english_is_plain():
    findings, count, rules = [], 0, list(phrases())
    for name, line, text in texts():
        count += 1
        for expression, plain, _ in rules:
            # Words in capitals are identifiers and opcodes.
            found = next((f for f in expression.finditer(text) if not re.search(r'\b[A-Z]{2,}\b', f.group()[:30])), None)
            if found:
                findings.append(f'{name}:{line}: "{found.group().strip()[:60]}": {plain}')
    return findings if count > 10000 and rules else [f'only {count} texts and {len(rules)} phrases were read']


def phrases_are_noticed():
    """Each in its sentence, planted in a document, in a comment of two lines and in a string; none in plain sentences."""
    findings = []
    for expression, _, sentence in phrases():
        torn = sentence.replace(' ', '\n * ')
        places = {'a document': of_document(f'# Title\n\nA line.\n\n{sentence.replace(" ", chr(10))}\n'),
                  'a comment': of_source(f'int x; /* First.\n *\n * {torn} */\n'),
                  'a string': of_source(f'f("{sentence[:9]}"\n  "{sentence[9:]}");\n')}
        findings += [f'{sentence}: not seen in {place}' for place, pieces in places.items()
                     if not any(expression.search(text) for _, text in pieces)]
        plain = ('Of course it waits.', 'The eye is in front; a point behind the eye is clipped.', 'There is none.', 'It stands for a line.',
                 'It is said to be exact.', 'It leaves nothing behind.', 'It turns the page.', 'The process `goes on`, "anew".')
        findings += [f'{expression.pattern} is seen in: {text}' for text in plain
                     if any(expression.search(piece) for _, piece in of_source(f'/* {text} */'))]
    return findings


if __name__ == '__main__':
    tap.run([
        ('English is plain', english_is_plain),
        ('phrases are noticed', phrases_are_noticed),
    ])
