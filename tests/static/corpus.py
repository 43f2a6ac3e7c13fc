#!/usr/bin/env python3
"""The repository's own corpora (tests/corpus): they are what tools/gen-corpus makes, and each row of the tables of src/isa
is in one of their programs at least, so that a row without a program fails here."""
import os
import re
import subprocess
import sys

import tap

CORPUS = os.path.join(tap.SOURCE, 'tests', 'corpus')
sys.path.insert(0, os.path.join(tap.SOURCE, 'tools', 'corpus'))
sys.dont_write_bytecode = True
import d3d  # noqa: E402
import tgsi  # noqa: E402

# What no TGSI program can have, and why.
UNSAID = {
    'LOCATION': {'CENTER': 'what is not said'},
    'FILE_': {'NULL': 'no register', 'CONSTBUF': 'read by its number, not declared'},
    'TARGET': {'UNKNOWN': 'a lookup says what it looks into'},
    'PRIMITIVE': {name: 'of draws, not of shaders' for name in ('LINE_LOOP', 'TRIANGLE_FAN', 'QUADS', 'QUAD_STRIP', 'POLYGON', 'PATCHES',
                                                               'LINE_STRIP_ADJACENCY', 'TRIANGLE_STRIP_ADJACENCY')},
}


def table(name):
    with open(os.path.join(tap.SOURCE, 'src', 'isa', name), encoding='utf-8') as file:
        return file.read()


def texts(*folders):
    found = []
    for folder in folders:
        for top, _, names in os.walk(folder):
            for name in sorted(names):
                if name.endswith(('.tgsi', '.asm')):
                    with open(os.path.join(top, name), encoding='utf-8') as file:
                        found.append(file.read())
    return found


def as_made():
    done = subprocess.run([sys.executable, os.path.join(tap.SOURCE, 'tools', 'gen-corpus'), '--check'], capture_output=True, text=True)
    return done.stdout.splitlines() + done.stderr.splitlines()


def lacking(what, wanted, found):
    return [f'{what} {word} is in no program' for word in sorted(set(wanted) - set(found))]


def tgsi_rows():
    """Opcodes, vocabularies, semantics and properties, as whole words of the programs."""
    programs = texts(os.path.join(CORPUS, 'tgsi'))
    lines = [line for text in programs for line in text.splitlines()]
    used = {re.sub(r'(_SAT|_PRECISE)+$', '', m[1]) for line in lines for m in [re.match(r' *\d+: +(\w+)', line)] if m}
    used |= {m[1] for line in lines for m in [re.match(r' *\d+: +(\w+)', line)] if m}
    findings = lacking('opcode', tgsi.opcodes(table('opcodes.def')), used)
    words = set(re.findall(r'\w+', '\n'.join(lines)))
    for kind, word in re.findall(r'^(\w+)\(\w+, \d+, "([^"]*)"', table('names.def'), re.MULTILINE):
        if word not in UNSAID.get(kind, {}):
            findings += lacking(kind, [word], words)
    findings += lacking('semantic', re.findall(r'^SEMANTIC\(\w+, \d+, "(\w+)"', table('semantics.def'), re.MULTILINE), words)
    return findings + lacking('property', re.findall(r'^PROPERTY\((\w+),', table('properties.def'), re.MULTILINE), words)


def lookups_with_targets():
    """Each lookup with each target that tools/corpus says it has, and each target with some lookup."""
    lines = '\n'.join(texts(os.path.join(CORPUS, 'tgsi')))
    findings = []
    for name, (operands, targets) in tgsi.LOOKUPS.items():
        if '{v}' in operands:
            continue
        findings += [f'{name} of {target} is in no program' for target in targets if not re.search(rf' {name} [^\n]*, {target}\b', lines)]
    return findings


def d3d_words(kind):
    return [word for named, word in re.findall(r'^D3D_WORD\((\w+), \d+, "([^"]*)"', table('d3d.def'), re.MULTILINE) if named == kind and word]


# Words of Direct3D that no program can have, and why.
UNUSED = {
    'RETURN': {'double', 'continued', 'unused'},  # of no format that a view has
    'SYSTEM_VALUE': {'undefined'},
    'TOPOLOGY': {'linelist', 'trianglelist'},  # a geometry shader makes strips
    'REGISTER': {'fi', 'fo'},  # of function bodies in the format; no compiler makes them
    'CUSTOM': {'comment', 'debuginfo', 'opaque', 'shaderMessage'},  # data that mean nothing
}


def d3d_rows():
    """Instructions, declarations, registers, and the words that go with them."""
    programs = texts(os.path.join(CORPUS, 'd3d'), os.path.join(tap.SOURCE, 'tests', 'golden', 'd3d', 'lower'))
    lines = [line.strip() for text in programs for line in text.splitlines()]
    begins = {line.split(' ')[0].split('(')[0] for line in lines}
    findings = []
    for row in d3d.rows(table('d3d.def')):
        suffixed = row.operands and row.operands[0][0] in 'DNVRSC' or row.text.startswith(('_', '%')) or 'TEST' in row.fields or 'SYNC' in row.fields
        good = any(word == row.word or suffixed and word.startswith(row.word + '_') for word in begins)
        if not good and row.name != 'CUSTOMDATA':
            findings.append(f'{row.word} is in no program')
    everything = '\n'.join(lines)
    for kind in ('TEST', 'RESINFO', 'UINT', 'DIMENSION', 'UNTYPED', 'RETURN', 'ACCESS', 'SAMPLER', 'TOPOLOGY', 'INTERPOLATION', 'FLAG', 'DOMAIN', 'PARTITIONING',
                 'OUTPUT_PRIMITIVE', 'SYSTEM_VALUE', 'FEATURE'):
        findings += [f'{kind} {word} is in no program' for word in d3d_words(kind) if word not in UNUSED.get(kind, ()) and not re.search(rf'{"" if word.startswith("_") else "(?<![a-zA-Z0-9])"}{re.escape(word)}(?![a-zA-Z0-9])', everything)]
    registers = re.findall(r'^D3D_REGISTER\(\w+, \d+, "(\w+)"', table('d3d.def'), re.MULTILINE)
    findings += [f'register {word} is in no program' for word in registers if word not in UNUSED['REGISTER'] and not re.search(rf'(?<![a-zA-Z]){word}(?![a-zA-Z])', everything, re.IGNORECASE)]
    profiles = {line for line in lines if re.fullmatch(r'[pvghdc]s_[45]_[01]', line)}
    return findings + lacking('profile', [f'{s}s_{m}' for s in 'pvg' for m in ('4_0', '4_1', '5_0')] + ['hs_5_0', 'ds_5_0', 'cs_4_0', 'cs_5_0', 'ps_5_1'], profiles)


def maxwell_rows():
    """Operations and the names of their fields on each architecture; phases in the list of control words."""
    def rows_of(name):
        with open(os.path.join(CORPUS, 'maxwell', name), encoding='utf-8') as file:
            return [line.rstrip('\n').split('\t') for line in file][1:]
    findings, words = [], rows_of('words.tsv')
    operations = re.findall(r'^MAXWELL_OPERATION\((\w+),', table('maxwell.def'), re.MULTILINE)
    names = re.findall(r'^MAXWELL_NAME\((\w+), \w+, "(\w+)"', table('maxwell.def'), re.MULTILINE)
    for arch in ('SM50', 'SM52', 'SM53'):
        said = set(re.findall(r'\w+', ' '.join(text for _, of, text in words if of == arch)))
        wanted = operations + [name for kind, name in names if kind not in ('PHASE', 'HALF', 'LC')] + ([] if arch == 'SM50' else ['F16', 'LC'])
        findings += lacking(f'{arch}:', wanted, said)
    said = set(re.findall(r'\w+', ' '.join(row[4] for row in rows_of('control.tsv'))))
    return findings + lacking('phase', [name for kind, name in names if kind == 'PHASE'], said)


tap.run([('the corpora are those that are made', as_made), ('TGSI: every row has a program', tgsi_rows),
         ('TGSI: every lookup with its targets', lookups_with_targets), ('Direct3D: every row has a program', d3d_rows),
         ('Maxwell: every operation and name has a word', maxwell_rows)])
