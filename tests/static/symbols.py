#!/usr/bin/env python3
"""What the compiled objects need and show: the operations call nothing, the library has no mutable globals, never ends
the process, exports sch_ names only and links libc and libm only. Reads the objects of the build; x86 or not."""
import glob
import os
import re
import shutil
import subprocess

import tap

# What the linker makes itself. Operations call no function of any other object, so nothing else is allowed.
OPS_UNDEFINED = {'_GLOBAL_OFFSET_TABLE_'}
OWN = re.compile(r'^sch_ops?_\w+$')
# Ways to end the process, to print or to read the environment, none of which a library may use.
FORBIDDEN = {'abort', 'exit', '_exit', '_Exit', 'quick_exit', 'raise', 'kill', 'signal', 'longjmp', '_longjmp', 'setjmp',
             'printf', 'puts', 'putchar', 'vprintf', 'fprintf', 'vfprintf', 'fputs', 'fputc', 'putc', 'fwrite', 'perror',
             'stdout', 'stderr', 'stdin', '__printf_chk', '__fprintf_chk', '__vfprintf_chk', 'getenv', 'secure_getenv',
             'setenv', 'putenv', 'system', 'popen', 'fork', 'setlocale', 'rand', 'srand', 'random', 'time', 'strtok'}
# The two files that start processes and share them among all contexts of the host (ARCHITECTURE.md): what only they may
# have. One global, and the end of the children on their way to the program.
STATE = {'native_process.c.o': {'all'}}
ENDS = {'native_spawn.c.o': {'_exit'}}
NEEDED = re.compile(r'^(libc|libm|ld-linux[\w-]*|libpthread)\.so')


def output(*command):
    if not shutil.which(command[0]):
        raise tap.Skip(f'no {command[0]}')
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def objects(pattern):
    found = sorted(glob.glob(os.path.join(tap.BUILD, 'src', '**', pattern), recursive=True))
    if not found:
        raise FileNotFoundError(f'no objects {pattern} under {tap.BUILD}')
    return found


def ops_objects():
    return objects('libops_*.a.p/*.o')


def core_objects():
    return objects('libscheelite_internal.a.p/*.o')


def symbols(paths, *options):
    """(file, type letter, name) of every symbol; one call of nm reads all files."""
    for line in output('nm', '-A', *options, *paths).splitlines():
        path, _, rest = line.partition(':')
        fields = rest.split()
        if len(fields) >= 2:
            yield path, fields[-2], fields[-1].split('@')[0]


def short(path):
    return os.path.relpath(path, tap.BUILD)


def operations_call_nothing():
    findings = []
    for path, _, name in symbols(ops_objects(), '-u'):
        if name not in OPS_UNDEFINED and not OWN.match(name):
            findings.append(f'{short(path)} needs {name}')
    return findings


def operations_define_suffixed_symbols():
    findings = []
    for path, letter, name in symbols(ops_objects(), '-g', '--defined-only'):
        level = re.search(r'libops_(\w+)\.a\.p', path).group(1)
        if not name.startswith('sch_op') or not name.endswith('_' + level):
            findings.append(f'{short(path)} defines {name} ({letter})')
    return findings


def sections(paths):
    """(file, name, size) of every section of some objects."""
    path = ''
    for line in output('readelf', '-SW', *paths).splitlines():
        if line.startswith('File: '):
            path = line[6:]
        row = re.match(r'\s*\[\s*\d+\]\s+(\S+)\s+\S+\s+[0-9a-f]+\s+[0-9a-f]+\s+([0-9a-f]+)', line)
        if row:
            yield path, row[1], int(row[2], 16)


def library_has_no_mutable_globals():
    """.data.rel.ro is constant after relocation; .data, .bss and thread-local sections are state."""
    findings = []
    for path, letter, name in symbols(core_objects(), '--defined-only'):
        if letter in 'bBdD' and os.path.basename(path) in STATE and name not in STATE[os.path.basename(path)]:
            if not name.startswith('.'):
                findings.append(f'{short(path)}: {name}')
    for path, name, size in sections(ops_objects() + core_objects()):
        if os.path.basename(path) in STATE:
            continue
        state = re.match(r'^\.(data|bss|tdata|tbss)\b', name) and not name.startswith('.data.rel.ro')
        if state and size:
            findings.append(f'{short(path)}: {size} bytes in {name}')
    return findings


def library_neither_ends_nor_prints():
    findings = []
    for path, _, name in symbols(core_objects(), '-u'):
        if name in FORBIDDEN - ENDS.get(os.path.basename(path), set()):
            findings.append(f'{short(path)} calls {name}')
    return findings


COMPILER = 'libscheelite-jit.so'  # the core loads it; nobody links it


def shared_libraries():
    """The libraries that are installed for programs: the library itself, then those beside it."""
    found = sorted(glob.glob(os.path.join(tap.BUILD, 'src', '**', 'libscheelite*.so'), recursive=True))
    found = [f for f in found if os.path.basename(f) != COMPILER]
    if not any(os.path.basename(f) == 'libscheelite.so' for f in found):
        raise FileNotFoundError(f'no libscheelite.so under {tap.BUILD}')
    return found


def exported():
    return {name for _, _, name in symbols(shared_libraries(), '-D', '--defined-only')}


def declared():
    names = set()
    for path in glob.glob(os.path.join(tap.SOURCE, 'include', 'scheelite', '*.h')):
        with open(path, encoding='utf-8') as file:
            text = re.sub(r'/\*.*?\*/', ' ', file.read(), flags=re.DOTALL)
        names |= set(re.findall(r'^SCH_API\b[^;{(]*?(\w+)\s*\(', text, re.MULTILINE))
    return names


def exports_begin_with_sch():
    return [name for name in sorted(exported()) if not name.startswith('sch_')]


def exports_are_the_declared_functions():
    there, wanted = exported(), declared()
    if not wanted:
        return ['no declaration was seen']
    return [f'declared, not exported: {n}' for n in sorted(wanted - there)] + \
           [f'exported, not declared: {n}' for n in sorted(there - wanted)]


def compiler_exports_its_one_symbol():
    path = os.path.join(tap.BUILD, 'src', 'jit', COMPILER)
    if not os.path.exists(path):
        raise tap.Skip('no compiler of machine code was built')
    with open(os.path.join(tap.SOURCE, 'src', 'native', 'compiler.h'), encoding='utf-8') as file:
        wanted = re.search(r'SCH_NATIVE_COMPILER_SYMBOL "(\w+)"', file.read()).group(1)
    there = {name for _, _, name in symbols([path], '-D', '--defined-only')}
    return [f'not exported: {wanted}'] * (wanted not in there) + [f'exported: {n}' for n in sorted(there - {wanted})]


def library_needs_libc_and_libm():
    library = next(f for f in shared_libraries() if os.path.basename(f) == 'libscheelite.so')
    needed = re.findall(r'\(NEEDED\).*\[(.+)\]', output('readelf', '-d', library))
    return [name for name in needed if not NEEDED.match(name)] + ([] if needed else ['nothing is needed'])


tap.run([
    ('operations call no other object', operations_call_nothing),
    ('operations define symbols of their level', operations_define_suffixed_symbols),
    ('no mutable globals', library_has_no_mutable_globals),
    ('the library neither ends the process nor prints', library_neither_ends_nor_prints),
    ('exports begin with sch_', exports_begin_with_sch),
    ('exports are the declared functions', exports_are_the_declared_functions),
    ('the compiler of machine code exports one symbol', compiler_exports_its_one_symbol),
    ('the library needs libc and libm only', library_needs_libc_and_libm),
])
