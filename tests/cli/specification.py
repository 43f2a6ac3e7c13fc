#!/usr/bin/env python3
"""The specification's own lines (../shared/spec/tgsi.rst; skipped where it is not there): every example, every syntax line
with registers in place of its words, and every form of declaration is read and checked inside of a small shader that
declares what it names. A line that is refused must stand in LEFT_OUT, with the words of its row in decisions.def."""
import os
import re

import command as c
import tap

LEFT_OUT = {}  # line: words of the row; none today

DECLARATIONS = '''FRAG
DCL OUT[0], COLOR
DCL SAMP[0]
DCL TEMP[0..3]
IMM[0] UINT32 {0, 1, 2, 3}
'''
FITTING = (('SVIEW[0]', 'DCL SVIEW[0], 2D, FLOAT'), ('BUFFER[0]', 'DCL BUFFER[0]'),
           ('IMAGE[0]', 'DCL IMAGE[0], 2D, PIPE_FORMAT_R32_UINT, WR'))
# What the words of the syntax lines stand for.
REGISTERS = {'dst': 'TEMP[0]', 'address': 'TEMP[1]', 'offset': 'TEMP[1]', 'sampler_view': 'SVIEW[0]',
             'sampler_view.r': 'SVIEW[0].r', 'sampler': 'SAMP[0]', 'resource': 'BUFFER[0]', 'image': 'IMAGE[0]',
             'output': 'OUT[0]', 'source': 'SVIEW[0]', 'src': 'TEMP[2]', 'cmp': 'TEMP[3]', 'der_x': 'TEMP[2]',
             'der_y': 'TEMP[3]', 'value': 'TEMP[1].x'}
SCALAR = 'TEMP[2].x'  # sample, lod_bias and so on

TARGETS = ('BUFFER', '1D', '2D', '3D', '1D_ARRAY', '2D_ARRAY')


def specification():
    path = os.path.join(os.environ.get('SCH_SHARED', ''), 'spec', 'tgsi.rst')
    if not os.path.exists(path):
        raise tap.Skip('no specification')
    with open(path, encoding='utf-8') as file:
        return file.read()


def shader(body):
    fitting = [declaration for word, declaration in FITTING if word in body]
    return DECLARATIONS + '\n'.join(fitting + [body, 'END', ''])


def judge(lines, minimum, make=shader):
    findings = [] if len(lines) >= minimum else [f'{len(lines)} lines, not {minimum} or more']
    with open(os.path.join(tap.SOURCE, 'src', 'isa', 'decisions.def'), encoding='utf-8') as file:
        decisions = file.read()
    for line in lines:
        if line in LEFT_OUT:
            if LEFT_OUT[line] not in decisions:
                findings.append(f'{line}: decisions.def has no {LEFT_OUT[line]!r}')
            continue
        done = c.run('check', '-', stdin=make(line))
        if done.returncode != c.YES:
            findings.append(f'{line}: {done.stderr.decode()[:200]}')
        if done.returncode == c.YES and c.run('dis', '-', stdin=make(line)).returncode != c.YES:
            findings.append(f'{line}: dis refuses it')
    return findings


def examples():
    return judge(re.findall(r'^Example: ``(.*)``$', specification(), re.MULTILINE), 33)


def syntax_lines():
    lines = []
    for line in re.findall(r'^Syntax: ``(.*)``$', specification(), re.MULTILINE):
        opcode, operands = line.split(' ', 1)
        lines.append(f'{opcode} ' + ', '.join(REGISTERS.get(word, SCALAR) for word in operands.split(', ')))
    return judge(lines, 36)


def example_blocks():
    """SWITCH src[0].x and so on: lines in parentheses stand for any instructions."""
    blocks = re.findall(r'^Example::\n\n((?:.+\n)+)', specification(), re.MULTILINE)
    bodies = [re.sub(r'^\s*\((.*)\)$', lambda m: 'BRK' if 'BRK' in m.group(1) else 'NOP', block.replace('src[0]', 'IMM[0]'),
                     flags=re.MULTILINE) for block in blocks]
    return judge(bodies, 1)


def declarations():
    findings = []
    for line in re.findall(r'^DCL .*$', specification(), re.MULTILINE):
        choices = [line.replace('#', '0').replace('type(s)', 'FLOAT')]
        if 'resource' in line:
            choices = [one.replace('resource', target) for one in choices for target in TARGETS]
        for optional in re.findall(r' \[(, \w+)\]', line):
            choices = [one.replace(f' [{optional}]', kept) for one in choices for kept in ('', optional)]
        findings += judge(choices, 1, lambda body: f'COMP\n{body}\nEND\n')
    return findings


tap.run([('examples of the specification are valid', examples), ('syntax lines of the specification are valid', syntax_lines),
         ('blocks of the specification are valid', example_blocks),
         ('declarations of the specification are valid', declarations)])
