#!/usr/bin/env python3
"""The state of a sampler is in the key so that a compiler can fold it: with a constant key no instruction may read the
key or a table of formats any more, nor may a function be left that could be handed parts of it.

Compiles fold.c with clang for each key, disassembles the objects and reads instructions and relocations. A last object,
whose key is unknown, shows that what is looked for would be seen. Usage: fold.py CLANG OBJDUMP ROOT FLAG...
"""
import collections
import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile

KEYS = ['bilinear', 'nearest', 'trilinear', 'shadow', 'volume', 'cube', 'layers', 'gather', 'srgb', 'aniso', 'border']
# Others: sample. The unknown key's is the smaller one: what does not fold takes minutes to compile unrolled.
LOOKUPS = {'gather': 'texture_gather', None: 'texture_gather'}
LEVEL = ['-DSCH_LEVEL=fold', '-DSCH_LANES=8']
TARGET = ['-mavx2', '-mfma', '-mf16c']
# The compiler's ordinary work, but loops over axes, corners and channels are unrolled although their bodies are long:
# what is indexed by a loop's counter folds only then.
FOLDING = ['-O2', '-mllvm', '-unroll-threshold=4000']
# A function's own section each, and each table's: relocations then name what they reach.
LAYOUT = ['-ffunction-sections', '-fdata-sections']

FUNCTION = re.compile(r'^[0-9a-f]+ <(.+)>:$')
INSTRUCTION = re.compile(r'^\s+[0-9a-f]+:\s+(?:[0-9a-f]{2} )*\s*([a-z]\w*)(.*)$')
RELOCATION = re.compile(r'^\s+[0-9a-f]+:\s+R_X86_64_\w+\s+(\S+?)(?:[-+]0x[0-9a-f]+)?$')
CONDITIONAL = re.compile(r'^j(?!mp)')

Code = collections.namedtuple('Code', 'functions instructions branches tables key calls')


def compile_key(clang, root, flags, folder, key):
    """The path of one key's object, or the compiler's complaint."""
    path = os.path.join(folder, (key or 'unknown') + '.o')
    defines = ['-DFOLD_LOOKUP=' + LOOKUPS.get(key, 'sample')] + (['-DFOLD_KEY=KEY_' + key] if key else [])
    done = subprocess.run(
        [clang, '-std=c17', *TARGET, *FOLDING, *LAYOUT, '-D_GNU_SOURCE', '-DNDEBUG', '-DSCH_FOLD',
         '-fno-stack-protector', '-w', *flags, *LEVEL, *defines, '-I', os.path.join(root, 'src'), '-I',
         os.path.join(root, 'include'), '-c', '-o', path,
         os.path.join(root, 'tests', 'fold', 'fold.c')], capture_output=True, text=True)
    return (None, done.stderr) if done.returncode else (path, '')


def read_code(objdump, path):
    """What is left in an object: its functions, and what their instructions reach."""
    text = subprocess.run([objdump, '-d', '-r', '--no-show-raw-insn', path], capture_output=True, text=True,
                          check=True).stdout
    functions, calls, tables = [], [], collections.Counter()
    instructions = branches = key = 0
    for line in text.splitlines():
        if match := FUNCTION.match(line):
            functions.append(match.group(1))
        elif match := RELOCATION.match(line):
            name = match.group(1)
            key += 'fold_key' in name
            if name.startswith('.rodata') and not name.startswith('.rodata.cst'):
                tables[name] += 1
        elif match := INSTRUCTION.match(line):
            instructions += 1
            branches += bool(CONDITIONAL.match(match.group(1)))
            if match.group(1).startswith('call'):
                calls.append(match.group(2).strip())
    return Code(functions, instructions, branches, tables, key, calls)


def faults(code):
    """Why the key of this object did not fold; nothing when it did."""
    found = []
    if code.key:
        found.append(f'{code.key} instructions read the key')
    for table in code.tables:
        if 'format' in table:
            found.append(f'{code.tables[table]} instructions read {table}')
    for name in code.functions:
        if name != 'folded':
            found.append(f'{name} is a function of its own')
    if code.calls:
        found.append(f'calls: {", ".join(code.calls[:4])}')
    if code.instructions < 50:  # also: the disassembly was not understood
        found.append(f'only {code.instructions} instructions: that is no lookup')
    return found


def check_key(number, key, code):
    found = faults(code)
    print(f'# {key}: {code.instructions} instructions, {code.branches} conditional jumps, tables: '
          f'{", ".join(sorted(code.tables)) or "none"}')
    for fault in found:
        print(f'# {fault}')
    print(f'{"not " if found else ""}ok {number} - the key folds: {key}')
    return not found


def main():
    clang, objdump, root, *flags = sys.argv[1:]
    print(f'1..{len(KEYS) + 1}')
    good = True
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(2) as pool:
        work = {key: pool.submit(compile_key, clang, root, flags, folder, key) for key in KEYS + [None]}
        for number, key in enumerate(KEYS + [None], 1):
            path, complaint = work[key].result()
            if not path:
                for line in complaint.splitlines()[:20]:
                    print(f'# {line}')
                print(f'not ok {number} - clang compiles {key or "the unknown key"}')
                good = False
            elif key:
                good &= check_key(number, key, read_code(objdump, path))
            else:
                seen = read_code(objdump, path).key > 0
                print(f'{"" if seen else "not "}ok {number} - a key that is not known is seen not to fold')
                good &= seen
    return 0 if good else 1


if __name__ == '__main__':
    sys.exit(main())
