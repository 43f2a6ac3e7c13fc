#!/usr/bin/env python3
"""headers: texture headers and samplers from text to bytes and back, its forms and exit codes."""
import os
import random
import re
import struct

import command as c
import tap

TEXT = '''# two headers
header 0 BLOCKLINEAR {
  COMPONENTS = A8B8G8R8
  WIDTH = 640; HEIGHT = 480
  ADDRESS = 0x123456789200
  GOBS_PER_BLOCK_HEIGHT = 16
}
header 2 ONE_D_BUFFER { WIDTH = 65537 }
'''
SAMPLER = 'sampler 0 {\n  ADDRESS_U = MIRROR\n  BORDER_COLOR_G = 0.5\n}\n'


def words(data):
    return struct.unpack(f'<{len(data) // 4}I', data)


def texts_become_pools():
    findings = []
    text, pool = c.write('h.txt', TEXT), c.path('h.pool')
    findings += c.exit_is(c.YES, 'headers', text, '-o', pool, out='')
    with open(pool, 'rb') as file:
        data = file.read()
    if len(data) != 96 or data[32:64] != bytes(32):
        findings.append(f'{len(data)} bytes, or an entry that nobody gave')
        return findings
    header, buffer = words(data[:32]), words(data[64:])
    wanted = {'COMPONENTS': (header[0] & 127, 8), 'ADDRESS low': (header[1] >> 9, 0x56789200 >> 9),
              'ADDRESS high': (header[2] & 0xffff, 0x1234), 'version': (header[2] >> 21 & 7, 3),
              'blocks': (header[3] >> 3 & 7, 4), 'WIDTH': (header[4] & 0xffff, 639), 'HEIGHT': (header[5] & 0xffff, 479),
              'buffer WIDTH high': (buffer[3] & 0xffff, 1), 'buffer WIDTH low': (buffer[4] & 0xffff, 0),
              'buffer type': (buffer[4] >> 23 & 15, 6), 'buffer version': (buffer[2] >> 21 & 7, 0)}
    findings += [f'{name}: {got:#x}, not {good:#x}' for name, (got, good) in wanted.items() if got != good]
    out = c.run('headers', text).stdout  # without -o: standard output
    if out != data:
        findings.append('standard output has other bytes')
    return findings


def pools_become_texts():
    random.seed(5)
    findings = []
    for option, word in ((None, 'header 3 '), ('--headers', 'header 3 '), ('--samplers', 'sampler 3 {')):
        data = bytes(random.randrange(256) for _ in range(32 * 8))
        options = [option] if option else []
        pool = c.write('random.pool', data)
        text = c.run('headers', *options, pool).stdout.decode()
        if word not in text:
            findings.append(f'{option}: no {word}')
        again = c.run('headers', c.write('random.txt', text)).stdout
        if again != data:
            findings.append(f'{option}: other bytes came back')
    return findings


def exit_codes():
    both = c.write('both.txt', TEXT + SAMPLER)
    return (c.exit_is(c.NO, 'headers', both, err='error 1169') +
            c.exit_is(c.YES, 'headers', '--samplers', both) + c.exit_is(c.YES, 'headers', '--headers', both) +
            c.exit_is(c.YES, 'headers', '-', stdin='', out='') + c.exit_is(c.USAGE, 'headers') +
            c.exit_is(c.USAGE, 'headers', both, both) + c.exit_is(c.USAGE, 'headers', '--headers', '--samplers', both) +
            c.exit_is(c.USAGE, 'headers', '--nothing', both) + c.exit_is(c.IO, 'headers', c.path('absent')) +
            c.exit_is(c.NO, 'headers', c.write('cut.pool', bytes(33)), err='error 1170') +
            c.exit_is(c.NO, 'headers', c.write('wrong.txt', 'header 0 PITCH {\n  WIDTH = 0\n}\n'),
                      err='wrong.txt:2:11: error 1166'))


def documents_name_every_field():
    """docs/maxwell.md has a row with the bits of each field, and every word of the vocabularies."""
    with open(os.path.join(tap.SOURCE, 'src', 'isa', 'maxwell_headers.def'), encoding='utf-8') as file:
        table = file.read()
    with open(os.path.join(tap.SOURCE, 'docs', 'maxwell.md'), encoding='utf-8') as file:
        lines = file.read().split('## Headers and samplers', 1)[1].split('\n')
    findings, rows = [], 0
    for name, high, low in re.findall(r'^MAXWELL_FIELD\(\w+, (\w+), \w+, PART\((\d+), (\d+)\)', table, re.M):
        rows += 1
        if name != 'HEADER_VERSION' and not any(f'`{name}`' in li and f'{high}:{low}' in li for li in lines):
            findings.append(f'{name}, {high}:{low} has no row')
    for word in re.findall(r'^MAXWELL_WORD\(\w+, (\w+), ', table, re.M):
        rows += 1
        if not any(re.search(rf'\b{word}\b', li) for li in lines):
            findings.append(f'{word} is not there')
    return findings if rows > 200 else [f'{rows} rows were seen']


def list_and_explain_fields():
    rows = [line.split('\t') for line in c.run('list', 'headers').stdout.decode().splitlines()]
    findings = [] if len(rows) == 81 and {len(r) for r in rows} == {7} else [f'{len(rows)} rows']
    texts = c.explanations(sorted({r[0] for r in rows}) + ['max_anisotropy'])
    findings += [f'explain {r[0]}' for r in rows if f'field {r[0]} of' not in texts[r[0]]]
    wanted = ['WIDTH', 'ONE_D_BUFFER', '143:128, 111:96', 'number, from 1', '1', 'elements', '']
    if wanted not in rows:
        findings.append(f'no row {wanted}: {[r for r in rows if r[0] == "WIDTH"]}')
    findings += [f'explain max_anisotropy lacks {w!r}' for w in ('221:219', '22:20', 'ANISO_16_TO_1=7')
                 if w not in texts['max_anisotropy']]
    return findings


def block_linear_byte(x, y):
    """Of a surface two GOBs wide, in blocks of four: the address of byte x of row y."""
    gob = (x & 63) >> 5 << 8 | (y & 7) >> 1 << 6 | (x & 31) >> 4 << 5 | (y & 1) << 4 | (x & 15)
    return gob + (y >> 3) * 512 + (x >> 6) * 2048


def texts_are_executed():
    """A program that loads a texel through a header that was written as text."""
    memory = bytearray(2 * 4 * 512)
    for y in range(20):
        for x in range(20):
            at = block_linear_byte(4 * x, y)
            memory[at:at + 4] = bytes((x, y, x + y, 255))
    done = c.run('eval', '-x', 'maxwell', c.write('p.txt', 'TLDS.LZ R2, R0, R4, R9, 0x0, 2D, RGBA;'),
                 '--vectors', c.write('v.tsv', 'R[4]=0x13\tR[9]=0x7\nR[4]=0x14\tR[9]=0x7\n'),
                 '--headers', c.write('h.txt', 'header 1 BLOCKLINEAR { COMPONENTS = A8B8G8R8; X_SOURCE = B; Z_SOURCE = R\n'
                                      'WIDTH = 20; HEIGHT = 20; ADDRESS = 0x1000; GOBS_PER_BLOCK_HEIGHT = 4 }'),
                 '--samplers', c.write('s.txt', 'sampler { }'), '--cbank', c.write('cbank', struct.pack('<I', 1)),
                 '--memory', c.write('memory', bytes(memory)) + '@1000')
    inside = [struct.unpack('<I', struct.pack('<f', n / 255))[0] for n in (26, 7, 19, 255)]
    wanted = ['\t'.join(f'R[{i}]=0x{n:08x}' for i, n in enumerate(values)) for values in (inside, [0] * 4)]
    got = done.stdout.decode().splitlines()
    return [] if got == wanted else [f'{got}, not {wanted}: {done.stderr.decode()[:300]}']


tap.run([
    ('texts become pools', texts_become_pools),
    ('pools become texts', pools_become_texts),
    ('exit codes', exit_codes),
    ('texts are executed', texts_are_executed),
    ('list and explain show every field', list_and_explain_fields),
    ('documents name every field', documents_name_every_field),
])
