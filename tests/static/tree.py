#!/usr/bin/env python3
"""The state of the tree: what every file must have (a first comment, clean lines, a sane size, the format) and must not
have (paths of one machine). Reads what git lists, or all files where there is no git."""
import ast
import collections
import os
import re
import shutil
import subprocess

import tap

# The version whose output is the style; others break lines elsewhere.
CLANG_FORMAT = 14
LONGEST_FILE = 1300      # lines, tables aside; a reason to split, not a style
LONGEST_FUNCTION = 160
COLUMNS = 120            # ColumnLimit of .clang-format
BINARY = ('.png', '.bin', '.ico', '.dds', '.dxbc', '.rec')
MACHINE_PATH = re.compile(r'(?<![\w.])/(home|root|work|tmp|var/tmp|Users|mnt|opt)/')


def listed():
    if shutil.which('git') and os.path.exists(os.path.join(tap.SOURCE, '.git')):
        result = subprocess.run(['git', '-c', 'safe.directory=*', '-C', tap.SOURCE, 'ls-files', '-z'],
                                capture_output=True, text=True)
        names = [n for n in result.stdout.split('\0') if n]
        if names:
            return [n for n in names if os.path.isfile(os.path.join(tap.SOURCE, n))]
    names = []
    for at, folders, files in os.walk(tap.SOURCE):
        folders[:] = [f for f in folders if f != '.git' and not f.startswith('build') and f != '__pycache__']
        names += [os.path.relpath(os.path.join(at, f), tap.SOURCE) for f in files]
    return sorted(names)


def read(name):
    with open(os.path.join(tap.SOURCE, name), 'rb') as file:
        return file.read()


# Corpora of hostile inputs are bytes, not text.
NAMES = [n for n in listed() if not n.endswith(BINARY) and '/corpus/' not in n]
TEXTS = {n: read(n) for n in NAMES}
SOURCES = [n for n in NAMES if n.endswith(('.c', '.h', '.def'))]


# What the root holds, and empty files that mean something: the mark of a typed package, and inputs of fuzzers.
ROOT = set('.ci .clang-format .github .gitignore ARCHITECTURE.md CHANGELOG.md CONTRIBUTING.md LICENSE README.md SECURITY.md bench debian dev docs editors examples include '
           'meson.build meson_options.txt packaging python src tests tools'.split())
EMPTY = ('py.typed', 'empty', 'empty.asm')


def nothing_is_stray():
    names = listed()
    tops = {name.split('/')[0] for name in names}
    return [f'{top}: not what the root holds' for top in sorted(tops - ROOT)] + [f'{top}: the root lacks it' for top in sorted(ROOT - tops)] + \
        [f'{name}: empty' for name in names if not os.path.getsize(os.path.join(tap.SOURCE, name)) and os.path.basename(name) not in EMPTY]


def files_are_clean_text():
    findings = []
    for name, data in TEXTS.items():
        try:
            data.decode('utf-8')
        except UnicodeDecodeError:
            findings.append(f'{name}: not UTF-8')
            continue
        if b'\r' in data:
            findings.append(f'{name}: carriage return')
        if data and not data.endswith(b'\n'):
            findings.append(f'{name}: no line end at the end')
        if name.endswith(('.c', '.h', '.py')) and b'\t' in data:
            findings.append(f'{name}: tab')
        for number, line in enumerate(data.split(b'\n'), 1):
            if line.endswith((b' ', b'\t')) and not name.endswith(('.tsv', '.tgsi')):
                findings.append(f'{name}:{number}: blank at the end of the line')
                break
    return findings if TEXTS else ['no file was seen']


def files_begin_with_a_comment():
    findings = []
    for name, data in TEXTS.items():
        text = data.decode('utf-8', 'replace')
        if name in SOURCES:
            good = text.startswith('/*')
        elif text.startswith('#!'):
            rest = text.split('\n', 1)[1].lstrip()
            good = rest.startswith(('#', '"""'))
        elif name.endswith('.py'):
            good = text.startswith(('#', '"""'))
        else:
            continue
        if not good:
            findings.append(f'{name}: what is this file?')
    return findings


def no_path_of_a_machine():
    findings = []
    for name, data in TEXTS.items():
        for number, line in enumerate(data.decode('utf-8', 'replace').split('\n'), 1):
            if MACHINE_PATH.search(line):
                findings.append(f'{name}:{number}: {line.strip()[:120]}')
    return findings


def files_are_not_too_long():
    return [f'{n}: {TEXTS[n].count(10)} lines' for n in SOURCES
            if not n.endswith('.def') and TEXTS[n].count(10) > LONGEST_FILE]


def functions_are_not_too_long():
    """A function's body stands between braces in the first column."""
    findings = []
    for name in SOURCES:
        opened = None
        for number, line in enumerate(TEXTS[name].decode('utf-8', 'replace').split('\n'), 1):
            if line == '{':
                opened = number
            elif line.startswith('}') and opened:
                if number - opened > LONGEST_FUNCTION:
                    findings.append(f'{name}:{opened}: {number - opened} lines')
                opened = None
    return findings


def comments_are_not_too_wide():
    """clang-format keeps code within its columns; comments it leaves as they are."""
    return [f'{name}:{number}: {len(line)} columns' for name in SOURCES if name.endswith(('.c', '.h'))
            for number, line in enumerate(TEXTS[name].decode('utf-8', 'replace').split('\n'), 1)
            if len(line) > COLUMNS and re.match(r'\s*(/?\*|//)', line)]


def names_bound(text):
    """What statements of a module bind that stand in it directly, each as often as it is bound."""
    for statement in ast.parse(text).body:
        if isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
            yield statement.name
        targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target] if isinstance(statement, ast.AnnAssign) else []
        yield from (target.id for target in targets if isinstance(target, ast.Name))


def python_binds_names_once():
    """A module of the package that binds a name twice has lost the first, of which only a call at run time tells."""
    names = [name for name in listed() if name.startswith('python/') and name.endswith('.py')]
    findings = [f'{name}: {bound} is bound {count} times' for name in names
                for bound, count in collections.Counter(names_bound(read(name).decode())).items() if count > 1]
    if list(names_bound('a = 1\ndef f(): b = 2\na: int = 3\n')) != ['a', 'f', 'a']:
        findings.append('names that are bound are not found')
    return findings if names else ['no module was read']


def sources_are_formatted():
    if not shutil.which('clang-format'):
        raise tap.Skip('no clang-format')
    version = subprocess.run(['clang-format', '--version'], capture_output=True, text=True).stdout
    major = re.search(r'version (\d+)', version)
    if not major or int(major.group(1)) != CLANG_FORMAT:
        raise tap.Skip(f'the style is that of clang-format {CLANG_FORMAT}')
    names = [n for n in SOURCES if n.endswith(('.c', '.h'))]
    result = subprocess.run(['clang-format', '--dry-run', *names], cwd=tap.SOURCE, capture_output=True, text=True)
    return sorted({line.split(':')[0] + ': ./dev fmt changes it' for line in result.stderr.splitlines()
                   if 'code should be clang-formatted' in line})


if __name__ == '__main__':
    tap.run([
        ('nothing is stray', nothing_is_stray),
        ('files are clean text', files_are_clean_text),
        ('files begin with a comment', files_begin_with_a_comment),
        ('no path of a machine', no_path_of_a_machine),
        ('files are not too long', files_are_not_too_long),
        ('functions are not too long', functions_are_not_too_long),
        ('comments are not too wide', comments_are_not_too_wide),
        ('Python binds names once', python_binds_names_once),
        ('sources are formatted', sources_are_formatted),
    ])
