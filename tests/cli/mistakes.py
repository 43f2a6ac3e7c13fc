#!/usr/bin/env python3
"""Typical mistakes and what is said of them, whole: mistakes.txt. `python3 tests/cli/mistakes.py --write` writes the file anew; it is
read before it is committed: a message names what was wrong, where, and what to do."""
import os
import re
import sys

import command as c
import tap

GOLDEN = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'mistakes.txt')
FRAGMENT = 'FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL SAMP[0]\nTEX OUT[0], IN[0], SAMP[0], 2D\nEND\n'
FILES = {
    'good.tgsi': FRAGMENT, 'undeclared.tgsi': FRAGMENT.replace('TEX OUT[0], IN[0]', 'TEX OUT[0], IN[1]'), 'opcode.tgsi': FRAGMENT.replace('TEX', 'TXE'),
    'endless.tgsi': 'FRAG\nDCL OUT[0], COLOR\nBGNLOOP\nENDLOOP\nEND\n', 'vertex.tgsi': 'VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nMOV OUT[0], IN[0]\nEND\n',
    'grid.tgsi': 'COMP\nDCL SV[0], THREAD_ID\nDCL TEMP[0]\nMOV TEMP[0], SV[0]\nEND\n', 'two.tgsi': FRAGMENT + FRAGMENT, 'bad.tsv': 'IN[0]=3f800000\nIN[0]=x\n', 'empty.tgsi': '',
    'effect.txt': 'float4 main() : SV_Target { return 1; }\n', 'effect.hlsl': 'float4 main() : SV_Target { return 1; }\n', 'shader.frag': '#version 450\nvoid main() {}\n', 'shader.spv': b'\x03\x02\x23\x07\0\0\1\0', 'old.asm': 'ps_3_0\nmov oC0, c0\n',
    'listing.asm': 'ps_5_0\ndcl_output o0.xyzw\nmvo o0.xyzw, l(1, 1, 1, 1)\nret\n', 'code.txt': 'TEXX R0, R4, 0x0, 2D, 0xf;\n', 'two.maxwell': 'TEX R4, R0, 0x0, 2D, 0xf;\n' * 2, 'elsewhere.maxwell': 'TEX R8, R12, 0x0, 2D, 0xf;\n', 'plain.scene': 'pass {\n  clear nothing\n}\n'}

MISTAKES = [line for line in '''
chekc good.tgsi
check
check good.tgs
check --jsn good.tgsi
check -x tsgi good.tgsi
check --tex 0=a.png good.tgsi
check -Wno-6999 good.tgsi
check -Wpedntic good.tgsi
check --limit nestng=4 good.tgsi
check undeclared.tgsi
check opcode.tgsi
check empty.tgsi
check effect.txt
check effect.hlsl --hlsl-compiler false
check shader.frag
check shader.spv
check old.asm
check listing.asm
dis two.tgsi --nth 3
dis --style=fcx good.tgsi
asm good.tgsi
asm good.tgsi -o good.tgsi
asm -x maxwell code.txt --words
asm good.tgsi -o
asm good.tgsi -o a.bin -o b.bin
run good.tgsi
run good.tgsi -o out.pgn
run good.tgsi -o out.png --size 64
run good.tgsi -o out.png --tex 0=photo.png
run good.tgsi -o out.png --tex 0=good.tgsi
run good.tgsi -o out.png --tex 0=zero:R8_UNROM:4x4
run good.tgsi -o out.png --tex 0=zero:R8_UNORM:4x4,filter=liner
run good.tgsi -o out.png --tex photo.png
run good.tgsi -o out.png --engine jti
run good.tgsi -o out.png --grid 1,1,1
run vertex.tgsi -o out.png
run grid.tgsi
run two.tgsi -o out.png
run endless.tgsi -o out.png --budget 100
eval good.tgsi
eval good.tgsi --vectors bad.tsv
sample --tex zero:R8_UNORM:4x4 --at 0.5
sample --tex zero:R8_UNORM:4x4 --at 0,0 --op gahter
sample zero:R8_UNORM:4x4 --at 0,0
translate good.tgsi
translate --to glsl good.tgsi
convert photo.png out.exr
diff good.tgsi good.tgsi
trace good.tgsi
trace good.tgsi --pixel 300,1
trace good.tgsi --pixel 1,1 --line 2
trace good.tgsi --pixel 1,1 --only lookup
trace good.tgsi --pixel 1,1 --lanes 32
trace good.tgsi --pixel 1,1 --from 9 --to 3
trace good.tgsi --pixel 1,1 --engine jit
trace good.tgsi --grid 1,1,1
trace good.tgsi --vectors bad.tsv
trace vertex.tgsi --pixel 1,1
trace grid.tgsi --grid 1,1,1 --thread 5,0,0
trace endless.tgsi --pixel 1,1 --budget 3
trace good.tgsi --pixel 1,1 --lookup-code code.txt
compare good.tgsi
compare -x tgsi good.tgsi two.maxwell
compare good.tgsi two.maxwell
compare two.maxwell elsewhere.maxwell --const 0:0=1,1,1,1
compare elsewhere.maxwell vertex.tgsi
list opcods
explain LGG2
explain 2999
render plain.scene -o out.png
help evla
'''.splitlines() if line]


def answers():
    """The file anew: each call, what it says, and its exit code. The folder's name stands for nothing."""
    folder = c.path('mistakes')
    os.makedirs(folder, exist_ok=True)
    for name, text in FILES.items():
        with open(os.path.join(folder, name), 'wb') as file:
            file.write(text if isinstance(text, bytes) else text.encode())
    for line in MISTAKES:
        done = c.run(*line.split(), cwd=folder)
        said = f'$ scheelite {line}\n{done.stdout.decode()}{done.stderr.decode(errors="replace")}exit {done.returncode}\n'
        yield re.sub('(?m)^ +\n', '', said)  # blanks that stand for an empty line of a source


def mistakes():
    wanted = c.read(GOLDEN).decode().split('\n\n')
    have = ''.join(f'{answer}\n' for answer in answers()).rstrip('\n').split('\n\n')
    if len(have) != len(MISTAKES) or len(MISTAKES) < 40:
        return [f'{len(have)} answers to {len(MISTAKES)} mistakes']
    return [f'{one!r}, not {other!r}' for one, other in zip(have, [text.rstrip('\n') for text in wanted]) if one.rstrip('\n') != other] + ([] if len(wanted) == len(have) else ['the file has another number'])


def all_wrong():
    """A mistake has an exit code that is not 0, and says something."""
    return [answer for answer in answers() if answer.endswith('exit 0\n') or answer.count('\n') < 3]


if __name__ == '__main__':
    if sys.argv[1:] == ['--write']:
        with open(GOLDEN, 'w', encoding='utf-8') as golden:
            golden.write('\n'.join(answers()))
    else:
        tap.run([('mistakes', mistakes), ('all wrong', all_wrong)])
