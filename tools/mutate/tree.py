"""The tree with mutants: a copy of the repository in which the chosen mutants stand, each behind a switch, and its
build. Holds no operators and no judging."""
import json
import os
import random
import re
import shlex
import shutil
import subprocess
import sys

import operators
from libclang import clang

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
COPIED = ['include', 'src', 'tests', 'bench', 'docs', 'examples', 'packaging', 'tools', 'meson.build', 'meson_options.txt', 'dev',
          'README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'LICENSE']


def text_of(path):
    with open(os.path.join(ROOT, path), encoding='utf-8') as file:
        return file.read()


# ---- finding ---------------------------------------------------------------------------------------------------------

def units(build):
    """One compile command for each file of src: the first that meson lists. Those of an operation are of one level."""
    with open(os.path.join(build, 'compile_commands.json'), encoding='utf-8') as file:
        rows = json.load(file)
    seen = {}
    for row in rows:
        path = os.path.relpath(os.path.realpath(os.path.join(row['directory'], row['file'])), ROOT)
        if path.startswith('src/') and path.endswith('.c') and path not in seen:
            words = shlex.split(row['command'])
            kept = [w for w in words if w.startswith(('-D', '-std='))]
            for n, word in enumerate(words):
                if word.startswith('-I'):
                    kept.append('-I' + os.path.join(row['directory'], word[2:]))
                elif word == '-isystem':
                    kept += ['-isystem', os.path.join(row['directory'], words[n + 1])]
                elif word.startswith('-isystem'):
                    kept.append('-isystem' + os.path.join(row['directory'], word[8:]))
            seen[path] = kept
    return seen


def resource_folder():
    """Where clang keeps its own headers; libclang of Python does not know."""
    for name in ('clang-19', 'clang'):
        found = subprocess.run([name, '-print-resource-dir'], capture_output=True, text=True)
        if found.returncode == 0:
            return found.stdout.strip()
    sys.exit('mutate: needs clang-19')


def wanted(name):
    path = os.path.relpath(os.path.realpath(name), ROOT)
    return path if path.startswith('src/') and not operators.EXCLUDED_FILES.match(path) else None


def all_mutants(build):
    """Every mutant of src, in the order of files and places."""
    index, by_path = clang.Index.create(), {}
    own = ['-resource-dir', resource_folder(), '-w', '-D_GNU_SOURCE', '-ferror-limit=0']
    for path, arguments in sorted(units(build).items()):
        found, errors = operators.mutants_of_unit(index, os.path.join(ROOT, path), arguments + own, wanted, text_of)
        if errors:
            print(f'mutate: {path}: {errors[0]}', file=sys.stderr)
        for name, mutants in found.items():
            by_path.setdefault(name, {}).update({(m.start, m.end, m.text): m for m in mutants})
    result = []
    for path in sorted(by_path):
        result += [by_path[path][key] for key in sorted(by_path[path], key=lambda k: (k[0], -k[1], str(k[2])))]
    return result


def sample(mutants, count, seed):
    """`count` of them in random order, or all."""
    order = list(mutants)
    random.Random(seed).shuffle(order)
    return order[:count] if count else order


# ---- writing ---------------------------------------------------------------------------------------------------------

def copy_tree(target):
    os.makedirs(target, exist_ok=True)
    for name in COPIED:
        source, to = os.path.join(ROOT, name), os.path.join(target, name)
        if os.path.isdir(source):
            shutil.copytree(source, to, dirs_exist_ok=True, ignore=shutil.ignore_patterns('__pycache__'))
        elif os.path.exists(source):
            shutil.copy2(source, to)


# The compiler's process gets no environment; in this tree it must be told of the mutants.
SPAWN = ('src/native/spawn.c', b'start->arguments, nothing)', b'start->arguments, environ)')


def write(target, chosen):
    """The files of `chosen` ({number: Mutant}) with their mutants. Files that are as they should be keep their time."""
    by_path = {SPAWN[0]: {}}
    for number, mutant in chosen.items():
        by_path.setdefault(mutant.path, {})[number] = mutant
    for path, here in by_path.items():
        with open(os.path.join(ROOT, path), 'rb') as file:
            text = operators.with_mutants(file.read(), here)
        if path == SPAWN[0]:
            if SPAWN[1] not in text:
                sys.exit(f'mutate: {path} starts processes in another way')
            text = text.replace(SPAWN[1], SPAWN[2])
        name = os.path.join(target, path)
        with open(name, 'rb') as file:
            same = file.read() == text
        if not same:
            with open(name, 'wb') as file:
                file.write(text)


def refused(messages, target, chosen):
    """The mutants on lines that the compiler refuses: not all of them need be at fault."""
    result = set()
    for found in re.finditer(r'(src/[\w./-]+):(\d+):(?:\d+:)? (?:fatal )?error', messages):
        with open(os.path.join(target, found.group(1)), encoding='utf-8') as file:
            lines = file.read().split('\n')
        number = int(found.group(2))
        if number <= len(lines):
            result |= {int(n) for n in re.findall(r'sch_mutant_is\((\d+)\)', lines[number - 1])}
    return result & set(chosen)


def build(target, folder, chosen):
    """Builds the tree; mutants that do not compile are taken out of `chosen`. The build's folder."""
    at = os.path.join(folder, 'build')
    header, state = os.path.join(HERE, 'mutant.h'), os.path.join(folder, 'mutant.o')
    subprocess.run(['gcc', '-fPIC', '-O1', '-c', os.path.join(HERE, 'mutant.c'), '-o', state], check=True)
    if not os.path.exists(os.path.join(at, 'build.ninja')):
        subprocess.run(['meson', 'setup', at, target, '-Dbuildtype=debugoptimized', '-Doptimization=1',
                        '-Dwerror=false', '-Dwarning_level=0', f'-Dc_args=-g0 -w -include {header}',
                        f'-Dc_link_args={state}', f'-Dshared={os.path.join(ROOT, "..", "shared")}'],
                       check=True, stdout=subprocess.DEVNULL, env=dict(os.environ, CC='clang-19'))
    for _ in range(20):
        write(target, chosen)
        done = subprocess.run(['ninja', '-k', '0', '-C', at], capture_output=True, text=True, errors='replace')
        if done.returncode == 0:
            return at
        out = refused(done.stdout, target, chosen)
        if not out:
            errors = [line for line in done.stdout.splitlines() if 'rror' in line or 'FAILED' in line]
            sys.exit('mutate: the tree does not build:\n' + '\n'.join(errors[:30]))
        for number in out:
            del chosen[number]
    sys.exit('mutate: the compiler refuses more mutants each time')
