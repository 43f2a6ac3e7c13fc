#!/usr/bin/env python3
"""The include arrows of ARCHITECTURE.md: a folder of src/ may include only itself and what its arrows lead to.
Holds the arrows; ARCHITECTURE.md shows the same picture."""
import os
import re

import tap

# A folder and the folders that it may use, transitively.
ARROWS = {
    'base': [],
    'isa': ['base'],
    'abi': ['isa'],
    'ops': ['abi'],
    'ir': ['abi'],
    'tgsi': ['ir'],
    'd3d': ['ir'],
    'texture': ['ops'],
    'exec': ['ir', 'texture'],
    'run': ['exec'],
    'maxwell': ['native'],
    'protocol': ['ir'],
    'native': ['exec', 'protocol'],
    'filter': [],
    'clock': [],
    'jit': ['protocol', 'filter'],
    'pipeline': ['run'],
    'files': ['texture'],
    'api': ['base', 'isa', 'abi', 'ops', 'ir', 'tgsi', 'd3d', 'texture', 'exec', 'run', 'maxwell', 'protocol', 'native', 'pipeline', 'files'],
    'virgl': ['support'],
    'vtest': ['virgl', 'filter', 'support'],
    'support': [],
    'player': [],
    'script': ['player', 'support'],
    'scene': ['player', 'support'],
    'debug': ['support'],
    'cli': ['support', 'script', 'scene', 'vtest', 'debug', 'clock'],
    'mpi': ['base', 'support'],
}
# Files that are no part of what their folder is linked to: the sources of the compiler's bitcode.
BEYOND = {'src/jit/bodies.c': 'ops', 'src/jit/lookup_bodies.c': 'ops'}
# The same of the subfolders of a folder: what one may use of its siblings.
WITHIN = {
    'cli': {'common': [], 'inputs': ['common'], 'picture': ['common'], 'bind': ['inputs', 'picture'], 'lookup': ['picture'], 'launch': ['bind'], 'shade': ['launch'],
            'scenes': ['picture'], 'read': ['inputs', 'scenes'], 'trace': ['scenes', 'shade'], 'debugger': ['trace'], 'compare': ['trace'],
            'reduce': ['trace'], 'opengl': ['bind'], 'play': ['opengl', 'trace'], 'about': ['opengl']},
    'd3d': {'dxbc': [], 'text': ['dxbc'], 'check': ['dxbc'], 'lower': ['dxbc'], 'raise': ['check']},
    'maxwell': {'text': [], 'slots': ['text'], 'header': [], 'lower': ['text'], 'run': ['header', 'lower']},
}
INTERNAL = 'internal.h'  # a header of this name is its folder's own
# Who sees the public headers: the folder that implements them, and the libraries and programs on top of them. Two of
# them are plain state, which every folder may include; they must bring nothing else along. What a run or a lookup is
# asked for is described where the function is that takes it, so the folders that do the work include that header, too.
PUBLIC = {'api', 'cli', 'debug', 'files', 'mpi', 'player', 'scene', 'script', 'support', 'virgl', 'vtest'}
SHARED = {'scheelite/types.h', 'scheelite/state.h'}
ASKED = {'texture': {'scheelite/lookup.h'}, 'exec': {'scheelite/dispatch.h'}, 'run': {'scheelite/dispatch.h'}}
SHARED_INCLUDES = {'stdbool.h', 'stddef.h', 'stdint.h', 'vocabulary.h', 'types.h'}
# Who sees nothing of src/ but these: no inner header is on their search path, so that they name their own headers alone,
# those of their subfolders by paths from the folder, and of another such folder the one that has its name, as
# "../script/script.h".
OUTSIDE = {'cli', 'debug', 'player', 'scene', 'script', 'support', 'virgl', 'vtest'}
# What clients of include/ share; all its headers are for them. (What the library shares is in src/base.)
COMMON = 'support'
# The meanings call nothing, so they include nothing but types, memcpy for vectors, and intrinsics.
OPS_SYSTEM = {'stdalign.h', 'stdbool.h', 'stddef.h', 'stdint.h', 'string.h', 'cpuid.h', 'immintrin.h', 'arm_neon.h'}
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def reachable(folder, arrows=None):
    arrows = ARROWS if arrows is None else arrows
    seen, todo = {folder}, list(arrows[folder])
    while todo:
        other = todo.pop()
        if other not in seen:
            seen.add(other)
            todo += arrows[other]
    return seen


def is_file(path):
    """A file of src/, or one that the build makes of it."""
    return any(os.path.exists(os.path.join(tap.SOURCE, 'src', path + ending)) for ending in ('', '.in'))


def includes():
    """(folder, place, bracket, path) of every #include under src/."""
    src = os.path.join(tap.SOURCE, 'src')
    for at, folders, files in os.walk(src):
        folders.sort()
        for name in sorted(files):
            if not name.endswith(('.c', '.h', '.def', '.inc')):
                continue
            path = os.path.join(at, name)
            folder = os.path.relpath(at, src).split(os.sep)[0]
            with open(path, encoding='utf-8') as file:
                for number, line in enumerate(file, 1):
                    found = INCLUDE.match(line)
                    if found:
                        yield folder, f'{os.path.relpath(path, tap.SOURCE)}:{number}', found.group(1), found.group(2)


def folders_are_known():
    src = os.path.join(tap.SOURCE, 'src')
    return [f'src/{f}: no arrow' for f in sorted(os.listdir(src))
            if os.path.isdir(os.path.join(src, f)) and f not in ARROWS]


def arrows_have_no_cycle():
    return [f'{a} and {b} reach each other' for arrows in [ARROWS, *WITHIN.values()] for a in arrows
            for b in reachable(a, arrows) if a < b and a in reachable(b, arrows)]


def subfolders_follow_their_arrows():
    findings, count = [], 0
    for folder, arrows in WITHIN.items():
        at = os.path.join(tap.SOURCE, 'src', folder)
        there = {name for name in os.listdir(at) if os.path.isdir(os.path.join(at, name))}
        findings += [f'src/{folder}/{name}: no arrow' for name in sorted(there ^ set(arrows))]
    for folder, place, bracket, path in includes():
        parts, own = path.split('/'), place.split(':')[0].split('/')[2]
        if folder in OUTSIDE and folder in WITHIN and len(parts) == 2:
            parts = [folder, *parts] # the path begins at the folder
        if bracket != '"' or len(parts) < 3:
            continue
        count += 1
        inside = parts[0] == folder and folder in WITHIN
        if inside and own in WITHIN[folder] and parts[1] not in reachable(own, WITHIN[folder]):
            findings.append(f'{place}: src/{folder}/{own} must not include src/{folder}/{parts[1]}')
        if parts[-1] == INTERNAL and not (inside and own == parts[1]):
            findings.append(f'{place}: {path} is private to its folder')
    return findings if count else ['no include was seen']


def includes_follow_the_arrows():
    findings = []
    count = 0
    for folder, place, bracket, path in includes():
        if bracket != '"':
            continue
        count += 1
        target = path.split('/')[0]
        if folder in OUTSIDE:
            others = {f'../{other}/{other}.h' for other in reachable(folder) - {folder}}
            beside = os.path.join(tap.SOURCE, os.path.dirname(place.split(':')[0]), path)
            below = path.split('/')[0] in WITHIN.get(folder, {}) and os.path.exists(os.path.join(tap.SOURCE, 'src', folder, path))
            own = below or ('/' not in path and os.path.exists(beside))
            shared = path.startswith(f'../{COMMON}/') and COMMON in reachable(folder) - {folder}
            if not own and not shared and path not in others:
                findings.append(f'{place}: "{path}" is not a header that src/{folder} sees')
        elif '/' not in path or not is_file(path):
            findings.append(f'{place}: "{path}" is not a path from src/')
        elif target not in reachable(folder) and target != BEYOND.get(place.split(':')[0]):
            findings.append(f'{place}: src/{folder} must not include src/{target}')
    return findings if count else ['no include was seen']


def public_headers_are_for_the_top():
    return [f'{place}: src/{folder} must not see the public headers'
            for folder, place, bracket, path in includes()
            if bracket == '<' and path.startswith('scheelite/') and folder not in PUBLIC
            and path not in SHARED | ASKED.get(folder, set())]


def plain_state_stands_alone():
    findings = []
    for header in sorted(SHARED):
        with open(os.path.join(tap.SOURCE, 'include', header), encoding='utf-8') as file:
            text = file.read()
        found = [match.group(2) for match in map(INCLUDE.match, text.splitlines()) if match]
        findings += [f'{header}: includes {path}' for path in found if path not in SHARED_INCLUDES]
        findings += [f'{header}: declares a function of the library' for _ in range(text.count('SCH_API'))]
    return findings


def operations_include_no_library():
    return [f'{place}: <{path}>' for folder, place, bracket, path in includes()
            if folder == 'ops' and bracket == '<' and path not in OPS_SYSTEM | SHARED]


def only_the_jit_includes_llvm():
    return [f'{place}: <{path}>' for folder, place, bracket, path in includes()
            if folder != 'jit' and path.startswith(('llvm', 'clang'))]


def build_numbers_count_all():
    """Cached code is of one build: tools/build-id reads every folder that the compiler sees, or who runs its code."""
    with open(os.path.join(tap.SOURCE, 'tools', 'build-id'), encoding='utf-8') as file:
        counted = set(re.findall(r"'([\w/]+)'", re.search(r'FOLDERS = \[([^]]*)\]', file.read()).group(1)))
    needed = {f'src/{folder}' for folder in reachable('jit') | reachable('native')} | {'include/scheelite'}
    return [f'tools/build-id: {folder} does not count' for folder in sorted(needed - counted)]


tap.run([
    ('every folder has its arrows', folders_are_known),
    ('the arrows have no cycle', arrows_have_no_cycle),
    ('includes follow the arrows', includes_follow_the_arrows),
    ('subfolders follow their arrows', subfolders_follow_their_arrows),
    ('only the top sees the public headers', public_headers_are_for_the_top),
    ('types.h is plain state', plain_state_stands_alone),
    ('src/ops includes no library', operations_include_no_library),
    ('only src/jit includes LLVM', only_the_jit_includes_llvm),
    ('the number of a build counts all folders', build_numbers_count_all),
])
