#!/usr/bin/env python3
"""scheelite explain: every word that the parser of TGSI knows has an explanation, and the forms that it shows can be typed.
What the words mean is in src/isa."""
import functools
import glob
import json
import os
import re

import command as c
import tap

ISA = os.path.join(tap.SOURCE, 'src', 'isa')
PREAMBLE = ('{stage}\nDCL IN[0], {semantic}\nDCL OUT[0], POSITION\nDCL TEMP[0..1]\nDCL ADDR[0]\nDCL SAMP[0]\nDCL BUFFER[0]\n'
            'DCL IMAGE[0], 2D, PIPE_FORMAT_R32_UINT, WR\nDCL CONST[0]\nIMM[0] UINT32 {{0, 0, 0, 0}}\n')


def explained(names):
    """Name to the lines of its explanation; `!` names get a heading of their own by a call each."""
    done = c.run('explain', *names)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


@functools.lru_cache(maxsize=None)
def explanations():
    """Of each word of the parser."""
    return c.explanations(parser_words())


def parser_words():
    """What the parser compares words with, and the vocabularies that it looks words up in."""
    words = set()
    for name in glob.glob(os.path.join(tap.SOURCE, 'src', 'tgsi', 'parse*.c')):
        with open(name, encoding='utf-8') as file:
            text = file.read()
        words |= set(re.findall(r'(?:accept_attribute|sch_tgsi_word_is|drop_suffix)\([^")]*"(\w+)"', text))
    with open(os.path.join(ISA, 'names.def'), encoding='utf-8') as file:
        words |= set(re.findall(r'^[A-Z_]+\(\w+, \d+, "(\w+)"', file.read(), re.M))
    with open(os.path.join(ISA, 'semantics.def'), encoding='utf-8') as file:
        words |= set(re.findall(r'^SEMANTIC\(\w+, \d+, "(\w+)"', file.read(), re.M))
    with open(os.path.join(ISA, 'properties.def'), encoding='utf-8') as file:
        words |= set(re.findall(r'^PROPERTY\((\w+), ', file.read(), re.M))
    return sorted(words)


def every_word_is_explained():
    words = parser_words()
    findings = [] if {'WR', 'LOCAL', 'STREAM', 'INVARIANT', '_SAT', 'PERSPECTIVE', 'CENTROID', 'COHERENT', 'FLT64',
                      'PRIM_ID', 'DCL', 'GLOBAL', 'UNORM'} <= set(words) else [f'words of the parser: {words}']
    code, _, errors = explained(words)
    findings += [f'{len(words)} words: exit {code}'] if code else []
    findings += errors.splitlines()
    heading = re.compile(r'^(?:statement|attribute|suffix|stage|interpolation|location|memory kind|memory qualifier|return type|'
                         r'immediate type|primitive|origin|pixel centre|semantic|property|register file|texture target) (\S+)', re.M)
    for word in words:
        done = explanations()[word]
        headings = [h.lstrip('_') for h in heading.findall(done)]
        if word.lstrip('_') not in headings and f'in text        {word}' not in done:
            findings.append(f'{word}: {done[:80]!r}')
    return findings


def suffixes_without_underscore():
    return c.exit_is(c.YES, 'explain', 'SAT', out='suffix _SAT') + c.exit_is(c.YES, 'explain', 'precise', out='suffix _PRECISE')


def errors_of(texts):
    """The numbers of errors in each text."""
    paths = [c.write(f'form{i}.tgsi', text) for i, text in enumerate(texts)]
    files = json.loads(c.run('check', '--json', *paths).stdout)['files']
    return [[d['code'] for d in file['diagnostics'] if d['severity'] == 'error'] for file in files]


def forms_of_opcodes():
    """The examples of every opcode are read; those of lookups and memory are valid in a fragment shader, too."""
    rows = json.loads(c.run('list', '--json', 'opcodes').stdout)['rows']
    examples, texts = [], c.explanations([row['name'] for row in rows])
    for row in rows:
        text = texts[row['name']].split('\nMaxwell', 1)[0]
        block = re.search(r'^opcode .*?\n  form +(.*?)\n  example +(.*?)\n  types', text, re.S | re.M)
        if not block or not block[2].startswith(row['name']):
            return [f'{row["name"]}: {text[:200]}']
        for line in block[2].split('\n'):
            examples.append((row, line.strip()))
    findings, wanted = [], re.compile(r'\b(texture|sample|memory)\b')
    texts = []
    for row, line in examples:
        text = PREAMBLE.format(stage='FRAG', semantic='GENERIC[0], CONSTANT')
        if 'SVIEW' in line:
            text += 'DCL SVIEW[0], 2D, FLOAT\n'
        texts.append(text + line + '\nEND\n')
    for (row, line), numbers in zip(examples, errors_of(texts)):
        valid = wanted.search(row['flags']) and 'HANDLE' not in row['name'] and row['name'] != 'BARRIER'
        if any(number < 2000 or valid for number in numbers):
            findings.append(f'{line}: {numbers}')
    if sum('2D' in line for _, line in examples) < 20 or not any('PIPE_FORMAT_R32_UINT' in line for _, line in examples):
        findings.append('no targets or formats in the examples')
    return findings


def forms_of_words():
    """What explain shows as the form of a word is read in some stage."""
    findings, forms = [], []
    for text in explanations().values():
        for kind, name, form in re.findall(r'^([a-z ]+) (\w+)\n(?:  (?!form).*\n| {17}.*\n)*  form +((?:DCL|IMM|PROPERTY|LOAD|M\w+_\w+) .*)$', text, re.M):
            forms.append((name, form.replace('FILE[first..last].xyzw, attributes', 'TEMP[0..1]')))
    stages = ('FRAG', 'GEOM', 'VERT', 'COMP')
    own = '{stage}\nDCL IN[0]{semantic}\nDCL OUT[0], COLOR\nDCL TEMP[0]\nDCL BUFFER[0]\n{form}\nEND\n'
    texts = [own.format(stage=s, semantic='' if s == 'VERT' else ', GENERIC[0]', form=form) for _, form in forms for s in stages]
    numbers = errors_of(texts)
    for i, (name, form) in enumerate(forms):
        if not any(all(n >= 2000 for n in numbers[len(stages) * i + s]) for s in range(len(stages))):
            findings.append(f'{name}: {form}: {numbers[len(stages) * i]}')
    return findings + ([] if len(forms) > 40 else [f'{len(forms)} forms'])


def stages_of_names():
    wanted = (('PRIM_ID', '  input of       GEOM FRAG\n'), ('PRIM_ID', '  written in     TESS_CTRL TESS_EVAL\n'),
              ('INVOCATIONID', '  SV of          GEOM\n'), ('THREAD_ID', '  SV of          COMP\n'),
              ('SUBGROUP_SIZE', '  SV of          all\n'), ('GS_INVOCATIONS', '  stages         GEOM\n'),
              ('LEGACY_MATH_RULES', '  stages         all\n'))
    texts = c.explanations(sorted({name for name, _ in wanted}))
    return [f'{name} lacks {text!r}: {texts[name]}' for name, text in wanted if text not in texts[name]]


def words_of_direct3d():
    """Every word of listings that src/isa/d3d.def has and that is no instruction, SV_ names of HLSL, and registers."""
    with open(os.path.join(ISA, 'd3d.def'), encoding='utf-8') as file:
        table = file.read()
    said = ('SYSTEM_VALUE', 'SIGNATURE', 'SEMANTIC', 'UNPLACED', 'DIMENSION', 'UNTYPED', 'FLAG', 'DOMAIN', 'PARTITIONING', 'OUTPUT_PRIMITIVE', 'SAMPLER', 'ACCESS', 'TOPOLOGY', 'PRECISION', 'INTERPOLATION')
    words = set()
    for vocabulary, word, other in re.findall(r'^D3D_WORD\((\w+), \d+, "([^"]*)", "([^"]*)"\)', table, re.M):
        words |= set((word + ' ' + other).split()) if vocabulary in said else set()
    for word, other in re.findall(r'^D3D_REGISTER\(\w+, \d+, "(\w+)", "(\w*)", \w+, [^\n]*\)$', table, re.M):
        numbered = word in ('r', 'v', 'o', 'x', 's', 't', 'cb', 'm', 'fb', 'ft', 'fp', 'fi', 'fo', 'vicp', 'vocp', 'vpc', 'u', 'g')
        words |= {word + '3', word + '#'} if numbered else {'l()', 'd()'} if word in ('l', 'd') else {word, other} - {''}
    words |= {'SV_Position', 'SV_Target3', 'SV_ClipDistance1', 'SV_VertexID', 'SV_GroupIndex', 'SV_DispatchThreadID', 'SV_TessFactor', 'sv_position'}
    findings = [] if len(words) > 120 else [f'{len(words)} words']
    code, text, errors = explained(sorted(words))
    findings += errors.splitlines()
    for word, done in c.explanations(sorted(words)).items():
        if not re.search(r'^Direct3D [a-z ]+ ' + re.escape(re.sub(r'[0-9]+$|#$', '', word)), done, re.M | re.I):
            findings.append(f'{word}: {done[:80]!r}')
    # What stands under "here" are names of TGSI.
    there = {name for here in re.findall(r'^  here +(.*)$', text, re.M) for name in re.findall(r'\b[A-Z][A-Z_]{3,}\b', here)}
    code, _, errors = explained(sorted(there - {'SHARED', 'TESSOUTER', 'TESSINNER'}))
    findings += [] if len(there) > 10 and code == c.YES else [f'{len(there)} names: exit {code}: {errors}']
    for wrong, right in (('SV_Positon', 'SV_Position'), ('vThreadId2', None), ('refactoringAlowed', 'refactoringAllowed')):
        done = c.run('explain', wrong)
        findings += [] if done.returncode == c.NO and (not right or f'did you mean {right}?'.encode() in done.stderr) else [f'{done}']
    return findings


def names_of_lists():
    """What `list` prints is explained, and so are its tables; names in small letters are Direct3D's first."""
    findings = []
    tables = 'opcodes semantics properties formats targets files d3d maxwell headers decisions errors limits'.split()
    for table, done in c.explanations(tables).items():
        findings += [] if f'  printed by     scheelite list {table}\n' in done else [f'{table}: {done}']
    limits = json.loads(c.run('list', '--json', 'limits').stdout)['rows']
    texts = c.explanations([row['name'] for row in limits])
    for row in limits:
        done = texts[row['name']]
        findings += [] if f'limit {row["name"]}\n' in done and str(row['default']) in done else [f'{row}: {done}']
    for name, first, second in (('bfi', 'Direct3D instruction bfi', 'opcode BFI'), ('BFI', 'opcode BFI', 'Direct3D instruction bfi'), ('mad', 'Direct3D instruction mad', 'opcode MAD')):
        lines = c.run('explain', name).stdout.decode()
        findings += [] if lines.startswith(first) and lines.count(second) == 1 and lines.count(first) == 1 else [f'{name}: {lines[:200]}']
    return findings


tap.run([
    ('every word of the parser is explained', every_word_is_explained),
    ('suffixes without the underscore', suffixes_without_underscore),
    ('the forms of opcodes are read', forms_of_opcodes),
    ('the forms of words are read', forms_of_words),
    ('stages of semantics and properties', stages_of_names),
    ('words of Direct3D', words_of_direct3d),
    ('names of lists', names_of_lists),
])
