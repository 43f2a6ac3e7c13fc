#!/usr/bin/env python3
"""What the compiled objects need and show: the operations call nothing, no library has mutable globals but those named
here, none ends the process or prints; the library exports sch_ names only and links libc and libm only. Reads the objects
of the build; x86 or not."""
import glob
import os
import re
import shutil
import subprocess

import tap

# What the linker makes itself, and what compilers call by themselves to clear and copy (C17 4p6 leaves them that).
# Operations call no function of any other object, so nothing else is allowed.
OPS_UNDEFINED = {'_GLOBAL_OFFSET_TABLE_', 'memcpy', 'memmove', 'memset'}
OWN = re.compile(r'^sch_ops?_\w+$')
# Ways to end the process, to print or to read the environment, none of which a library may use.
FORBIDDEN = {'abort', 'exit', '_exit', '_Exit', 'quick_exit', 'raise', 'kill', 'signal', 'longjmp', '_longjmp', 'setjmp',
             'printf', 'puts', 'putchar', 'vprintf', 'fprintf', 'vfprintf', 'fputs', 'fputc', 'putc', 'fwrite', 'perror',
             'stdout', 'stderr', 'stdin', '__printf_chk', '__fprintf_chk', '__vfprintf_chk', 'getenv', 'secure_getenv',
             'setenv', 'putenv', 'system', 'popen', 'fork', 'setlocale', 'rand', 'srand', 'random', 'time', 'strtok'}
# The mutable globals that there are, by object and name (ARCHITECTURE.md). The processes that compile are the host's, not
# a context's. The compiler has what LLVM wants once a process, and keeps what was read of its archives for the next lookup;
# it is a process of its own, and where a host loads it inside, LLVM's own globals come with it.
STATE = {'native_process.c.o': {'all'}, 'module.c.o': {'once'}, 'bitcode.c.o': {'pool', 'pool_lock', 'idle'}}
# What else only some files may do: the child on its way to the program ends; libpng and libjpeg report errors by longjmp; the server
# makes a process for each client, and ends it.
ENDS = {'native_spawn.c.o': {'_exit'}, 'png_read.c.o': {'setjmp', '_setjmp', 'longjmp'},
        'jpeg.c.o': {'setjmp', '_setjmp', 'longjmp'}, 'server.c.o': {'fork', '_exit', 'kill'}}
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
    """Those by clang have names of their own (src/ops/meson.build)."""
    return sorted(glob.glob(os.path.join(tap.BUILD, 'src', 'ops', 'w*.o'))) or objects('libops_*.a.p/*.o')


# The folders that the core is made of, each a static library; and those that the compiler links (src/meson.build).
FLOORS = ['base', 'isa', 'ops', 'ir', 'protocol', 'tgsi', 'd3d', 'texture', 'exec', 'run', 'pipeline', 'maxwell', 'native', 'api']
OF_COMPILER = {'base', 'isa', 'ir', 'protocol'}


def core_objects():
    return [path for floor in FLOORS for path in objects(f'libscheelite_{floor}.a.p/*.o')]


def library_objects():
    """Those of all libraries: the core, picture files, scripts, scenes, the server, and the compiler where it is built."""
    found = core_objects() + objects('libscheelite-files.so*.p/*.o')
    for name in ('script', 'scene', 'virgl', 'vtest'):
        found += objects(f'libscheelite_{name}.a.p/*.o')
    return found + sorted(glob.glob(os.path.join(tap.BUILD, 'src', 'jit', 'libscheelite-jit.so*.p', '*.o')))


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
        level = re.search(r'(?:libops_|ops/)(w\w+)\.', path).group(1)
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


def libraries_have_no_mutable_globals():
    """.data.rel.ro is constant after relocation; .data, .bss and thread-local sections are state."""
    findings, seen = [], set()
    for path, name, size in sections(ops_objects() + library_objects()):
        state = re.match(r'^\.(data|bss|tdata|tbss)\b', name) and not name.startswith('.data.rel.ro')
        if state and size and os.path.basename(path) not in STATE:
            findings.append(f'{short(path)}: {size} bytes in {name}')
    for path, letter, name in symbols(library_objects(), '--defined-only'):
        file, plain = os.path.basename(path), name.split('.')[0]  # of a function's static the compiler adds a number
        if file not in STATE or letter not in 'bBdD' or not plain or in_constant_data(path, name):
            continue
        seen.add((file, plain))
        if plain not in STATE[file]:
            findings.append(f'{short(path)}: {name}')
    gone = {(file, name) for file in STATE for name in STATE[file]} - seen
    if any(file == 'bitcode.c.o' for file, _ in seen):  # the compiler is built
        findings += [f'{file}: {name} is not there: strike it out' for file, name in sorted(gone)]
    return findings


def in_constant_data(path, symbol):
    """Whether a symbol stands in .data.rel.ro, which nm says as it says .data."""
    for line in output('objdump', '-t', path).splitlines():
        fields = line.split()
        if fields and fields[-1] == symbol:
            return any(f.startswith('.data.rel.ro') for f in fields)
    return False


def libraries_neither_end_nor_print():
    findings = []
    for path, _, name in symbols(library_objects(), '-u'):
        if name in FORBIDDEN - ENDS.get(os.path.basename(path), set()):
            findings.append(f'{short(path)} calls {name}')
    return findings


COMPILER = 'libscheelite-jit.so'  # the core loads it; nobody links it
CLOCK = 'libscheelite-clock.so'  # programs load it before their libraries, whose functions it has


def shared_libraries():
    """The libraries that are installed for programs: the library itself, then those beside it."""
    found = sorted(glob.glob(os.path.join(tap.BUILD, 'src', '**', 'libscheelite*.so'), recursive=True))
    found = [f for f in found if os.path.basename(f) not in (COMPILER, CLOCK)]
    if not any(os.path.basename(f) == 'libscheelite.so' for f in found):
        raise FileNotFoundError(f'no libscheelite.so under {tap.BUILD}')
    return found


def exported():
    """What is of type A is a node of versions, which GNU's linker lists."""
    return {name for _, letter, name in symbols(shared_libraries(), '-D', '--defined-only') if letter != 'A'}


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


def exports_have_a_version():
    """One node for each library, with the number of its ABI: distributions tell by it what a program needs."""
    findings = []
    for path in shared_libraries():
        name = os.path.basename(path)
        soname = re.search(r'SONAME.*\[lib(.+)\.so\.(\d+)\]', output('readelf', '-d', path))
        node = f'{soname[1]}_{soname[2]}'.replace('-', '_').upper()
        words = [line.split()[-1] for line in output('nm', '-D', '--defined-only', path).splitlines()]
        findings += [f'{name}: {word}, not of {node}' for word in words if word != node and not word.endswith('@@' + node)]
    return findings


def compiler_exports_its_one_symbol():
    path = os.path.join(tap.BUILD, 'src', 'jit', COMPILER)
    if not os.path.exists(path):
        raise tap.Skip('no compiler of machine code was built')
    with open(os.path.join(tap.SOURCE, 'src', 'protocol', 'compiler.h'), encoding='utf-8') as file:
        wanted = re.search(r'SCH_NATIVE_COMPILER_SYMBOL "(\w+)"', file.read()).group(1)
    there = {name for _, _, name in symbols([path], '-D', '--defined-only')}
    return [f'not exported: {wanted}'] * (wanted not in there) + [f'exported: {n}' for n in sorted(there - {wanted})]


def library_needs_libc_and_libm():
    library = next(f for f in shared_libraries() if os.path.basename(f) == 'libscheelite.so')
    needed = re.findall(r'\(NEEDED\).*\[(.+)\]', output('readelf', '-d', library))
    return [name for name in needed if not NEEDED.match(name)] + ([] if needed else ['nothing is needed'])


def the_compiler_is_only_that():
    """No function or table of a floor above the compiler's is in its object or its program."""
    above = ops_objects() + [path for floor in FLOORS if floor not in OF_COMPILER
                             for path in objects(f'libscheelite_{floor}.a.p/*.o')]
    others = {name for _, _, name in symbols(above, '-g', '--defined-only')}
    linked = [path for path in glob.glob(os.path.join(tap.BUILD, 'src', 'jit', '*scheelite-jit*')) if os.path.isfile(path)]
    if not linked:
        raise FileNotFoundError('no program scheelite-jit')
    return [f'{short(path)} has {name}' for path, letter, name in symbols(linked, '--defined-only') if name in others]


tap.run([
    ('operations call no other object', operations_call_nothing),
    ('operations define symbols of their level', operations_define_suffixed_symbols),
    ('no mutable globals', libraries_have_no_mutable_globals),
    ('no library ends the process or prints', libraries_neither_end_nor_print),
    ('exports begin with sch_', exports_begin_with_sch),
    ('exports are the declared functions', exports_are_the_declared_functions),
    ('exports have a version', exports_have_a_version),
    ('the compiler of machine code exports one symbol', compiler_exports_its_one_symbol),
    ('the library needs libc and libm only', library_needs_libc_and_libm),
    ('the compiler links what compiles, and nothing that runs', the_compiler_is_only_that),
])
