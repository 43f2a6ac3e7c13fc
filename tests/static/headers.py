#!/usr/bin/env python3
"""Every header compiles alone, and the public ones together: these as C and C++ of each standard, by gcc and by clang; the
inner ones as C17. Public structs can grow. The example at the top of each public header compiles, runs, and prints what it
says."""
import glob
import os
import re
import shutil
import subprocess
import tempfile

import tap

STRICT = ['-Wall', '-Wextra', '-Werror', '-pedantic', '-fsyntax-only']


def compiles(compiler, options, headers):
    if not shutil.which(compiler):
        raise tap.Skip(f'no {compiler}')
    findings = []
    for header in headers:
        result = subprocess.run([compiler, *options, '-I', os.path.join(tap.SOURCE, 'include'), '-'],
                                input=f'#include <{header}>\n#include <{header}>\n', text=True, capture_output=True)
        if result.returncode:
            findings.append(f'{header}: {result.stderr.strip()[:1000]}'.replace('\n', '\n# '))
    return findings if headers else ['no header was seen']


def under(folder):
    found = glob.glob(os.path.join(tap.SOURCE, folder, '**', '*.h'), recursive=True)
    return sorted(os.path.relpath(path, os.path.join(tap.SOURCE, folder)) for path in found)


def public(compiler, *options):
    return lambda: compiles(compiler, [*STRICT, *options], under('include'))


def together(compiler, *options):
    """All public headers in one program, in both orders: none needs that another comes first, none hides another."""
    def compile_all():
        if not shutil.which(compiler):
            raise tap.Skip(f'no {compiler}')
        findings = []
        for headers in (under('include'), under('include')[::-1]):
            lines = ''.join(f'#include <{header}>\n' for header in headers)
            result = subprocess.run([compiler, *STRICT, *options, '-I', os.path.join(tap.SOURCE, 'include'), '-'], input=lines,
                                    text=True, capture_output=True)
            findings += [result.stderr.strip()[:1000].replace('\n', '\n# ')] if result.returncode else []
        return findings
    return compile_all


# -std of each language, as gcc 12 and clang 14 spell it: C23 is c2x there.
STANDARDS = [('C11', 'c11', 'c'), ('C17', 'c17', 'c'), ('C23', 'c2x', 'c'), ('C++11', 'c++11', 'c++'), ('C++17', 'c++17', 'c++'),
             ('C++20', 'c++20', 'c++')]
COMPILERS = {'c': ('gcc', 'clang'), 'c++': ('g++', 'clang++')}


def structs():
    """(header, name, whether its size comes first, the comment above) of each public struct with members."""
    for header in under('include'):
        with open(os.path.join(tap.SOURCE, 'include', header), encoding='utf-8') as file:
            text = file.read()
        for match in re.finditer(r'(/\*(?:(?!\*/).)*\*/\n)?^struct (\w+) \{\n(.*?)^\};', text, re.MULTILINE | re.DOTALL):
            comment = re.sub(r'\n \* ', ' ', match.group(1) or '')
            yield header, match.group(2), match.group(3).lstrip().startswith('size_t size;'), comment


def structs_grow_or_say_that_they_do_not():
    """What a program of today gives a library of tomorrow must tell how much of it there is (base.h)."""
    findings, count = [], 0
    for header, name, sized, comment in structs():
        count += 1
        if not sized and 'Closed:' not in comment and 'array with a stride' not in comment:
            findings.append(f'{header}: struct {name} has no size, and is neither closed nor of an array with a stride')
        if sized and 'Closed:' in comment:
            findings.append(f'{header}: struct {name} has a size, but is closed')
    return findings if count else ['no struct was seen']


def sizes_come_first(compiler, *options):
    """The library reads the first bytes of a struct as its size, in either language."""
    def compile_asserts():
        if not shutil.which(compiler):
            raise tap.Skip(f'no {compiler}')
        lines = [f'#include <{header}>' for header in under('include')] + ['#include <assert.h>']
        for _, name, sized, _ in structs():
            lines += [f'static_assert(offsetof(struct {name}, size) == 0, "{name}");',
                      f'static_assert(sizeof(((struct {name} *)0)->size) == sizeof(size_t), "{name}");'] if sized else []
        result = subprocess.run([compiler, *STRICT, *options, '-I', os.path.join(tap.SOURCE, 'include'), '-'],
                                input='\n'.join(lines) + '\n', text=True, capture_output=True)
        return [result.stderr.strip()[:1000].replace('\n', '\n# ')] if result.returncode else []
    return compile_asserts


def first_include(path):
    """The file of src that another includes before all else, under no condition but its own guard; None: there is none."""
    with open(os.path.join(tap.SOURCE, 'src', path), encoding='utf-8') as file:
        text = re.sub(r'/\*.*?\*/', '', file.read(), flags=re.DOTALL)
    found = re.match(r'\s*(?:#ifndef (\w+)\n#define \1\n\s*)?#include [<"]([^>"]+)[>"]', text)
    beside = found and os.path.normpath(os.path.join(os.path.dirname(path), found.group(2)))
    for name in (beside, found and found.group(2)):
        if name and os.path.isfile(os.path.join(tap.SOURCE, 'src', name)):
            return name
    return None


def proven(sources, headers):
    """The headers that compile alone because something that compiles does: what it includes first has nothing before it."""
    found = set()
    for path in sources:
        while (path := first_include(path)) in headers and path not in found:
            found.add(path)
    return found


def is_guarded(header):
    with open(os.path.join(tap.SOURCE, 'src', header), encoding='utf-8') as file:
        return re.search(r'^#ifndef (\w+)\n#define \1\n', file.read(), re.MULTILINE)


def inner():
    """src/ops headers are for a level; they need the width and the suffix. src/jit needs LLVM. Paths of src/cli begin there."""
    options = ['-std=c17', '-x', 'c', '-Wall', '-Wextra', '-Werror', '-Wno-psabi', '-fsyntax-only', '-D_GNU_SOURCE',
               '-DSCH_LANES=8', '-DSCH_LEVEL=w8', '-I', os.path.join(tap.SOURCE, 'src'), '-I', os.path.join(tap.SOURCE, 'src', 'cli')]
    headers = [h for h in under('src') if not h.startswith('jit/')]
    sources = [os.path.relpath(path, os.path.join(tap.SOURCE, 'src'))
               for path in glob.glob(os.path.join(tap.SOURCE, 'src', '**', '*.c'), recursive=True)]
    done = proven(sources, set(headers))  # by the build
    alone = [h for h in headers if h not in done]
    done |= proven(alone, set(headers))  # by what is compiled here
    return [f'{h}: no guard' for h in headers if not is_guarded(h)] + compiles('gcc', options, [h for h in alone if h not in done])


LIBRARIES = ('scheelite', 'scheelite-files')


def example_of(text):
    """The indented lines after "Example" in the first comment of a header; "": it has none."""
    comment = text[:text.index('*/')]
    found = re.search(r'\n \* Example[^\n]*:\n \*\n((?: \*(?:     [^\n]*)?\n)+)', comment)
    return '\n'.join(line[7:] for line in found.group(1).rstrip('\n').split('\n')).strip('\n') if found else ''


def program_of(example):
    """The whole program: what an example declares in the file's scope, ending in a brace in the first column, comes before
    main(); examples without a context of their own take the one of example.h."""
    if 'int main(void)' in example:
        return example + '\n'
    outer, brace, body = example.partition('\n}\n') if example.startswith('static ') else ('', '', example)
    own = 'struct sch_context *context;' in example
    head = ['#include <scheelite/files.h>', '#include <scheelite/scheelite.h>', '#include <stdio.h>', '#include <string.h>'] if own \
        else ['#include "example.h"']
    return '\n'.join([*head, outer + brace, 'static int example(void)', '{', body, 'return 0;', '}', 'int main(void)', '{',
                      'return example();' if own else 'if (!given()) return 2;\nint result = example();\ntaken_back();\nreturn result;',
                      '}', ''])


def library(name):
    found = glob.glob(os.path.join(tap.BUILD, '**', f'lib{name}.so'), recursive=True)
    return found[0] if found else None


def run_example(example, folder):
    """None if it compiled, ran and printed what it promises; otherwise what was wrong."""
    libraries = [library(name) for name in LIBRARIES]
    if not all(libraries):
        raise tap.Skip('the shared libraries are not built')
    program = os.path.join(folder, 'example')
    with open(program + '.c', 'w', encoding='utf-8') as file:
        file.write(program_of(example))
    made = subprocess.run(['gcc', *STRICT[:-1], '-std=c11', '-I', os.path.join(tap.SOURCE, 'include'), '-I',
                           os.path.join(tap.SOURCE, 'tests', 'static'), program + '.c', *libraries, '-o', program],
                          capture_output=True, text=True)
    if made.returncode:
        return made.stderr[:1000]
    paths = ':'.join(os.path.dirname(path) for path in libraries)
    ran = subprocess.run([program], capture_output=True, text=True, cwd=folder, timeout=60,
                         env={**os.environ, 'LD_LIBRARY_PATH': f'{paths}:{os.environ.get("LD_LIBRARY_PATH", "")}'})
    if ran.returncode:
        return f'ended with {ran.returncode}: {ran.stderr[:500]}'
    said = re.findall(r'// prints (.*)', example)
    if said and ran.stdout.splitlines() != said:
        return f'promises {said}, but printed {ran.stdout.splitlines()}'
    return None


def examples_run():
    if not shutil.which('gcc'):
        raise tap.Skip('no gcc')
    findings = []
    for header in under('include'):
        with open(os.path.join(tap.SOURCE, 'include', header), encoding='utf-8') as file:
            example = example_of(file.read())
        if not example:
            findings.append(f'{header}: no example')
            continue
        if len(example.split('\n')) > 20:
            findings.append(f'{header}: an example of {len(example.splitlines())} lines')
        with tempfile.TemporaryDirectory() as folder:
            wrong = run_example(example, folder)
        findings += [f'{header}: {wrong}'.replace('\n', '\n# ')] if wrong else []
    return findings


def wrong_examples_are_noticed():
    """One that does not compile, one that fails, one that prints something else."""
    planted = ('sch_versoin();', 'return 1;', 'puts(sch_version()); // prints another version')
    findings = []
    for example in planted:
        with tempfile.TemporaryDirectory() as folder:
            findings += [] if run_example(example, folder) else [f'not noticed: {example}']
    return findings


tap.run([
    *[(f'public headers alone: {compiler}, {name}', public(compiler, f'-std={standard}', '-x', language))
      for name, standard, language in STANDARDS for compiler in COMPILERS[language]
      if (name, compiler) in (('C11', 'gcc'), ('C++17', 'clang++')) or os.environ.get('SCH_LONG') and name in ('C11', 'C++17')],
    *[(f'public headers together: {compiler}, {name}', together(compiler, f'-std={standard}', '-x', language))
      for name, standard, language in STANDARDS for compiler in COMPILERS[language]],
    ('structs grow, or say that they do not', structs_grow_or_say_that_they_do_not),
    ('sizes come first: C11', sizes_come_first('gcc', '-std=c11', '-x', 'c')),
    ('sizes come first: C++11', sizes_come_first('g++', '-std=c++11', '-x', 'c++')),
    ('inner headers: gcc, C17', inner),
    ('examples run', examples_run),
    ('wrong examples are noticed', wrong_examples_are_noticed),
])
