"""What registers the machine code has that both sides run the workloads with: how many instructions name a register of
128, 256 or 512 bits (xmm, ymm, zmm), how many name what only AVX-512 has (zmm, masks, registers from 16 on), and how many
are encoded as only AVX has them (vex). At level avx2 the exit code is 1 if either side has zmm, or ours anything of
AVX-512; at level sse2 if either side has anything of AVX."""
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile

import sides

KINDS = {'xmm': r'%xmm\d', 'ymm': r'%ymm\d', 'zmm': r'%zmm\d', 'avx512': r'%zmm|%[xy]mm(?:1[6-9]|2\d|3[01])|%k[0-7]',
         'vex': r'^v'}
# By level: what each side may not have.
FORBIDDEN = {'avx2': {'ours': 'avx512', 'llvmpipe': 'zmm'}, 'sse2': {'ours': 'vex', 'llvmpipe': 'vex'}}


def count(path):
    """Instructions, and those that name each kind of register."""
    done = subprocess.run(['objdump', '-D', '-b', 'binary', '-m', 'i386:x86-64', '--no-show-raw-insn', path], capture_output=True, text=True, check=True)
    code = [line.split('\t', 1)[1] for line in done.stdout.splitlines() if re.match(r' *[0-9a-f]+:\t', line)]
    # The rest of a page is zeros, which objdump leaves out, or shows as an addition of bytes.
    code = [line for line in code if not line.startswith('add    %al,(%rax)')]
    return [len(code)] + [sum(bool(re.search(pattern, line)) for line in code) for pattern in KINDS.values()]


def main(words):
    parser = argparse.ArgumentParser(prog='./dev bench code', description=__doc__)
    sides.add_options(parser, timed=False)
    asked = parser.parse_args(words)
    if not shutil.which('objdump'):
        sides.die('objdump is missing; Debian package: binutils')
    asked.engine = 'jit'
    works = sides.wanted(asked)
    both, failed = {'ours': sides.ours(asked), 'llvmpipe': sides.llvmpipe(asked)}, False
    print(f'# {sides.processor()[0]}, level {asked.level}')
    print('\t'.join(['workload', 'side', 'instructions', *KINDS]), flush=True)
    totals = {}
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'code')
        for work in works:
            for name, side in both.items():
                if not side.rows(work, '--repetitions', '0', '--code', path):
                    sides.die(f'{work} did not run')
                counts = count(path)
                print('\t'.join([work, name, *map(str, counts)]), flush=True)
                totals[name] = [a + b for a, b in zip(totals.get(name, [0] * len(counts)), counts)]
    for name, counts in totals.items():
        print('\t'.join(['all', name, *map(str, counts)]))
        found = dict(zip(KINDS, counts[1:]))
        forbidden = FORBIDDEN.get(asked.level)
        failed |= not counts[0] or forbidden is not None and found[forbidden[name]] > 0
    sys.exit(1 if failed else 0)
