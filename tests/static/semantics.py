#!/usr/bin/env python3
"""Each semantic and property that concerns the shaders of a draw has a test of its effect in one. A test says which
effects it is about in a comment before it, `effect: FRAG IN FACE, PROPERTY FS_COORD_ORIGIN`: stage, file and name of a
semantic, or the word PROPERTY and its name. Holds no name of a semantic but those without any effect."""
import glob
import os
import re

import tap

TESTS = os.path.join(tap.SOURCE, 'tests', 'unit')
STAGES = {'V': 'VERT', 'C': 'TESS_CTRL', 'E': 'TESS_EVAL', 'G': 'GEOM', 'F': 'FRAG',
          'PRE': 'VERT TESS_CTRL TESS_EVAL GEOM', 'ALL': 'VERT TESS_CTRL TESS_EVAL GEOM FRAG'}
FILES = ('IN', 'OUT', 'SV')  # the columns from the sixth on
# Of one driver, of other stages, or hints (docs/status.md); fragments have no such outputs.
WITHOUT_EFFECT = {'FRAG OUT CLIPDIST', 'FRAG OUT GENERIC', 'PROPERTY NEXT_SHADER', 'PROPERTY SEPARABLE_PROGRAM',
                  'PROPERTY VS_BLIT_SGPRS_AMD', 'FRAG OUT VIEWPORT_MASK', 'TESS_CTRL OUT VIEWPORT_MASK',
                  'TESS_EVAL OUT PATCH', 'TESS_EVAL OUT TESSOUTER', 'TESS_EVAL OUT TESSINNER'}
NAMES_WITHOUT_EFFECT = {'IN VIEWPORT_MASK', 'SV CS_USER_DATA_AMD'}
ROW = re.compile(r'^(SEMANTIC|PROPERTY)\((.*)\)$', re.M)
TAG = re.compile(r'/\*((?:[^*]|\*(?!/))*\beffect: (?:[^*]|\*(?!/))*)\*/\s*static void (\w+)\(void \*\*')


def rows_of(name):
    """The arguments of each row of a table, without the text at the end."""
    with open(os.path.join(tap.SOURCE, 'src', 'isa', name), encoding='utf-8') as file:
        return [[part.strip() for part in row.split(',')] for _, row in ROW.findall(file.read())]


def stages_in(letters):
    return sorted({word for letter in letters.split('|') for word in STAGES.get(letter.strip(), '').split()})


def wanted():
    """Every effect that is to be tested."""
    effects = set()
    for row in rows_of('semantics.def'):
        for column, file in enumerate(FILES, 5):
            effect = f'{file} {row[2]}'.replace('"', '')
            if effect not in NAMES_WITHOUT_EFFECT:
                effects |= {f'{stage} {effect}' for stage in stages_in(row[column])}
    effects |= {f'PROPERTY {row[0]}' for row in rows_of('properties.def') if stages_in(row[2])}
    return effects - WITHOUT_EFFECT


def tests():
    """(file, test, effects) of every tag."""
    found = []
    for path in sorted(glob.glob(os.path.join(TESTS, '*', '*.c'))):
        name = os.path.basename(path)
        with open(path, encoding='utf-8') as file:
            text = file.read()
        for comment, test in TAG.findall(text):
            effects = re.sub(r'\s*\n\s*\*\s*', ' ', comment.split('effect: ', 1)[1])
            listed = [effect.strip(' .\n') for effect in effects.split('.')[0].split(',')]
            found.append((name, test, listed, f'cmocka_unit_test({test})' in text))
    return found


def tags_name_effects():
    known = wanted()
    return [f'{name}: {test}: {effect} is no effect of these stages' for name, test, effects, _ in tests()
            for effect in effects if effect not in known]


def tests_run():
    """A tag stands before a test of the program's list."""
    return [f'{name}: {test} does not run' for name, test, _, runs in tests() if not runs]


def every_effect_has_a_test():
    tested = {effect for _, _, effects, _ in tests() for effect in effects}
    return [f'no test: {effect}' for effect in sorted(wanted() - tested)]


if __name__ == '__main__':
    tap.run([('effects that tests name exist', tags_name_effects), ('tests of effects run', tests_run),
             ('every effect has a test', every_effect_has_a_test)])
