#!/usr/bin/env python3
"""Each list of src/support/words.h is its enumeration: a word at the place of each number, which is the enumerator's name
in small letters. What differs is named here."""
import os
import re

import tap

HEADERS = ('types.h', 'state.h', 'vocabulary.h', 'context.h', 'shader.h', 'dispatch.h')
# Words that are shorter than names; enumerators without a word.
SHORTER = {'interp': 'interpreter', 'incr': 'increment', 'decr': 'decrement', 'incr_wrap': 'increment_wrap', 'decr_wrap': 'decrement_wrap'}
WITHOUT = {'compare': {'none'}, 'kind': {'maxwell_text', 'maxwell_raw'}, 'query_kind': {'timestamp', 'timestamp_disjoint', 'time_elapsed', 'gpu_finished', 'pipeline_statistics_single'},
           'target': {'shadow1d', 'shadow2d', 'shadowrect', 'shadow1d_array', 'shadow2d_array', 'shadowcube', 'shadowcube_array', 'unknown'}}
PARTS = {'drawing_stage', 'compared'}  # of other lists


def enumerations():
    """name: {number: enumerator without its prefix}."""
    found = {}
    for header in HEADERS:
        with open(os.path.join(tap.SOURCE, 'include', 'scheelite', header), encoding='utf-8') as file:
            text = re.sub(r'/\*.*?\*/', '', file.read(), flags=re.DOTALL)
        for name, body in re.findall(r'enum sch_(\w+) \{([^}]*)\}', text):
            rows, number = {}, -1
            for row in filter(None, (row.strip() for row in body.split(','))):
                word, _, value = (part.strip() for part in row.partition('='))
                if value and not re.fullmatch(r'\d+', value):
                    break
                number = int(value) if value else number + 1
                rows[number] = word
            prefix = len(os.path.commonprefix(list(rows.values())).rpartition('_')[0]) + 1
            found[name] = {number: word[prefix:].lower() for number, word in rows.items()}
    return found


def lists():
    with open(os.path.join(tap.SOURCE, 'src', 'support', 'words.h'), encoding='utf-8') as file:
        text = re.sub(r'/\*.*?\*/', '', file.read(), flags=re.DOTALL).replace('\\\n', ' ')
    bodies = dict(re.findall(r'#define SCH_WORDS_(\w+)\(W\) (.*)', text))

    def words(name):
        result = []
        for inner, word in re.findall(r'SCH_WORDS_(\w+)\(W\)|\bW\(([\w-]*)\)', bodies[name]):
            result += words(inner) if inner else [word]
        return result
    return {name.lower(): words(name) for name in bodies}


def lists_are_enumerations():
    findings, enums, count = [], enumerations(), 0
    for name, words in lists().items():
        if name in PARTS:
            continue
        if name not in enums:
            findings.append(f'{name}: no such enumeration')
            continue
        left = dict(enums[name])
        for number, word in enumerate(words):
            if word:
                count += 1
                meant = left.pop(number, None)
                if SHORTER.get(word, word).lower().replace('-', '_') != meant:
                    findings.append(f'{name}: {word} is at the place of {meant}')
        if set(left.values()) != WITHOUT.get(name, set()):
            findings.append(f'{name}: no word for {sorted(left.values())}')
    return findings if count > 100 else findings + ['no list was seen']


tap.run([('the lists of words are those of the headers', lists_are_enumerations)])
