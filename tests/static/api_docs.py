#!/usr/bin/env python3
"""The reference of the C interface (tools/api-docs): what is declared is explained, doxygen has nothing to say against the
comments, and functions, structs, tasks and examples are in its pages."""
import glob
import importlib.machinery
import importlib.util
import os
import re
import shutil
import subprocess
import tempfile

import tap

TOOL = os.path.join(tap.SOURCE, 'tools', 'api-docs')


def tool():
    loader = importlib.machinery.SourceFileLoader('api_docs', TOOL)
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader('api_docs', loader))
    loader.exec_module(module)
    return module


def headers():
    for path in sorted(glob.glob(os.path.join(tap.SOURCE, 'include', 'scheelite', '*.h'))):
        with open(path, encoding='utf-8') as file:
            yield os.path.basename(path), file.read()


def all_is_explained():
    """Structs, enumerations and functions have a comment: above, behind, or above a line of the same paragraph."""
    findings = []
    for header, text in headers():
        for paragraph in re.split(r'\n\n', text):
            found = re.search(r'^(?:SCH_API|struct \w+ \{|enum \w+ \{|struct \w+;)[^\n]*', paragraph, re.MULTILINE)
            if found and '*/' not in paragraph[:found.end()] and header != 'scheelite.h':
                findings.append(f'{header}: {found.group()}')
    return findings


CASES = [
    ('/* Head. */\nint x;\n', '/** @file t.h\n Head. */\nint x;\n'),
    ('\n/* ---- part ---- */\n/* Of f. */\nSCH_API void f(void);\n', '\n/* ---- part ---- */\n/** Of f. */\nSCH_API void f(void);\n'),
    ('\n/* Of both. */\nSCH_API int f(void);\nSCH_API int g(void);\n\nSCH_API int h(void);\n',
     '\n/** Of both. */\nSCH_API int f(void);\n/** Of both. */\nSCH_API int g(void);\n\nSCH_API int h(void);\n'),
    ('\nstruct s {\n    float a, b[2]; /* one each */\n};\n',
     '\nstruct s {\n    float a; /**< one each */\n    float b[2]; /**< one each */\n};\n'),
    ('\n/* `a < b` and sch_shader_read, 50 % of @x. */\nint x;\n',
     '\n/** <code>a &lt; b</code> and @link sch_shader_read sch_shader_read @endlink, 50 \\% of \\@x. */\nint x;\n'),
    ('\n/* Text.\n *\n *     if (a < b) sch_free(c, d);\n *\n * More. */\nint x;\n',
     '\n/** Text.\n\n@verbatim\n    if (a < b) sch_free(c, d);\n\n@endverbatim\nMore. */\nint x;\n'),
]


def comments_become_doxygen():
    findings = []
    for text, want in CASES:
        made = tool().filtered('t.h', text)
        findings += [] if made == want else [f'{text!r} became {made!r}']
    return findings


def pages_are_made():
    if not shutil.which('doxygen'):
        raise tap.Skip('no doxygen')
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(['python3', TOOL, folder], capture_output=True, text=True, timeout=110, check=False)
        if done.returncode:
            return [f'exit status {done.returncode}', *done.stderr.splitlines()]
        pages = {}
        for path in glob.glob(os.path.join(folder, 'html', '*.html')):
            with open(path, encoding='utf-8') as file:
                pages[os.path.basename(path)] = file.read()
    findings = [line for line in done.stderr.splitlines() if 'warning' in line]
    front = pages.get('index.html', '')
    everything = ''.join(pages.values())
    for header, text in headers():
        code = re.sub(r'/\*.*?\*/', ' ', text, flags=re.DOTALL)
        for name in re.findall(r'^SCH_API[^;(]*?\b(\w+)\(', code, re.MULTILINE):
            findings += [] if f'>{name}()' in everything or f'>{name} ()' in everything else [f'{header}: no {name}']
        for name in re.findall(r'^struct (\w+)', code, re.MULTILINE):
            page = f'struct{name.replace("_", "__")}.html'
            findings += [] if page in pages else [f'{header}: no page of struct {name}']
    for path in glob.glob(os.path.join(tap.SOURCE, 'examples', '*.c')):
        page = os.path.basename(path).replace('.c', '_8c-example.html')
        findings += [] if page in pages and page in front else [f'the front page does not lead to {page}']
    with open(os.path.join(tap.SOURCE, 'docs', 'api', 'tasks.dox'), encoding='utf-8') as file:
        for name in set(re.findall(r'\b(sch_\w+)\(\)', file.read())):
            findings += [] if re.search(rf'href="[^>]*>{name}\(\)', front) else [f'the front page does not link {name}()']
    return findings


tap.run([('what is declared is explained', all_is_explained), ('comments become those of doxygen', comments_become_doxygen),
         ('the pages are made', pages_are_made)])
