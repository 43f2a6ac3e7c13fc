#!/usr/bin/env python3
"""Every header compiles alone: the public ones as C11 and C++ under every compiler there is, the inner ones as C17."""
import glob
import os
import shutil
import subprocess

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


def inner():
    """src/ops headers are for a level; they need the width and the suffix. src/jit needs LLVM."""
    options = ['-std=c17', '-x', 'c', '-Wall', '-Wextra', '-Werror', '-Wno-psabi', '-fsyntax-only', '-D_GNU_SOURCE',
               '-DSCH_LANES=8', '-DSCH_LEVEL=w8', '-I', os.path.join(tap.SOURCE, 'src')]
    return compiles('gcc', options, [h for h in under('src') if not h.startswith('jit/')])


tap.run([
    ('public headers: gcc, C11', public('gcc', '-std=c11', '-x', 'c')),
    ('public headers: gcc, C17', public('gcc', '-std=c17', '-x', 'c')),
    ('public headers: g++, C++11', public('g++', '-std=c++11', '-x', 'c++')),
    ('public headers: g++, C++20', public('g++', '-std=c++20', '-x', 'c++')),
    ('public headers: clang, C11', public('clang', '-std=c11', '-x', 'c')),
    ('public headers: clang++, C++17', public('clang++', '-std=c++17', '-x', 'c++')),
    ('inner headers: gcc, C17', inner),
])
