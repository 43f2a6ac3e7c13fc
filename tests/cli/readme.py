#!/usr/bin/env python3
"""README.md, docs/tour.md, docs/tutorial.md, docs/wrong-pixel.md and examples/: every command of a document runs in a copy of the examples, in the
document's order, and prints what the document shows; README's program in C does, too; the files that are made are what is made of
them; every file of examples/ is listed. Holds no command of its own."""
import contextlib
import os
import re
import shutil
import subprocess
import sys
import tempfile

import command as c
import tap

README, PACKAGING = os.path.join(tap.SOURCE, 'README.md'), os.path.join(tap.SOURCE, 'packaging', 'README.md')
TOUR, TUTORIAL, PIXEL = (os.path.join(tap.SOURCE, 'docs', name) for name in ('tour.md', 'tutorial.md', 'wrong-pixel.md'))
README_LINES = 150
# A section whose commands change the machine; the suite `system` has their tests.
INSTALL = 'Install'
# What a command needs beyond a build, by its first word or its verb; others need nothing.
NEEDS = {'xvfb-run': ('glxgears', 'xvfb-run'), 'cc': ('cc', 'pkg-config')}


def commands(text):
    """(line, section, command, output that is shown below it) of every block without a language; a backslash goes on with the
    next line."""
    section, inside, block, found = '', False, False, []
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith('```'):
            block = not block
            inside = block and line == '```'
        elif not block and line.startswith('## '):
            section = line[3:]
        elif inside and found and found[-1][2].endswith('\\') and not found[-1][3]:
            found[-1] = (*found[-1][:2], found[-1][2] + '\n' + line, [])
        elif inside and line.startswith('$ '):
            found.append((number, section, line[2:], []))
        elif inside and found:
            found[-1][3].append(line)
    return [(number, section, words, ''.join(line + '\n' for line in shown)) for number, section, words, shown in found]


@contextlib.contextmanager
def copy():
    """A folder with the examples, and an environment with the command, as the demo leaves them."""
    with tempfile.TemporaryDirectory(prefix='scheelite-readme-') as folder:
        shutil.copytree(c.EXAMPLES, os.path.join(folder, 'examples'))
        library = os.path.join(tap.BUILD, 'src')
        yield folder, dict(os.environ, PATH=os.path.dirname(c.COMMAND) + os.pathsep + os.environ['PATH'], XDG_CACHE_HOME=folder,
                           PKG_CONFIG_PATH=os.path.join(tap.BUILD, 'meson-uninstalled'), CPATH=os.path.join(tap.SOURCE, 'include'),
                           LD_LIBRARY_PATH=library)


def missing(words, environment):
    """What a command lacks here."""
    first = words.split()
    name = first[1] if first[0] == 'scheelite' else first[0]
    lacks = [need for need in NEEDS.get(name, ()) if not shutil.which(need)]
    if name == 'python3' and subprocess.run(['python3', '-c', 'import scheelite'], env=environment, capture_output=True, check=False).returncode:
        lacks.append('Python module scheelite')
    if (name == 'jit' or '--engine both' in words) and not c.compiles():
        lacks.append('compiler of machine code')
    return lacks


def run(words, folder, environment):
    """Exit code and output, in the order that a terminal shows."""
    done = subprocess.run(['stdbuf', '-oL', 'sh', '-c', words], cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, timeout=120, check=False)
    return done.returncode, done.stdout


def wanted_code(shown):
    """What a document shows says whether a command answers no."""
    return 1 if re.search(r'error|^different,|^[1-9]\d* of \d+ texels differ', shown) else 0


left_out = []


def can_be_pasted():
    """A line of the sections that change the machine is a command and nothing else; words about it are a comment."""
    findings, seen = [], 0
    for document in (README, PACKAGING):
        section, inside = '', False
        with open(document, encoding='utf-8') as file:
            for number, line in enumerate(file, 1):
                if line.startswith('```'):
                    inside = not inside
                elif not inside and line.startswith('## '):
                    section = line[3:].strip()
                elif inside and section == INSTALL and line.startswith('./dev '):
                    seen += 1
                    words = line.partition(' #')[0].split()[2:]
                    findings += [f'{os.path.basename(document)}:{number}: {line.strip()}: "{word}" is no option'
                                 for before, word in zip(['', *words], words) if not word.startswith('--') and not before.startswith('--')]
    return findings + ([] if seen > 5 else [f'{seen} commands only'])


def short():
    with open(README, encoding='utf-8') as file:
        lines = len(file.readlines())
    return [] if lines <= README_LINES else [f'{lines} lines; docs/tour.md has room']


def program():
    """README's program in C compiles without a warning, and prints what its last comment says."""
    if not shutil.which('cc') or not shutil.which('pkg-config'):
        raise tap.Skip('no cc, or no pkg-config')
    with open(README, encoding='utf-8') as file:
        text, = re.findall(r'^```c\n(.*?)^```', file.read(), re.MULTILINE | re.DOTALL)
    wanted, = re.findall(r'printf.*/\* (\S+) \*/', text)
    with copy() as (folder, environment):
        with open(os.path.join(folder, 'first.c'), 'w', encoding='utf-8') as file:
            file.write(text)
        code, output = run('cc -Wall -Wextra -Werror first.c $(pkg-config --cflags --libs scheelite) -o first && ./first', folder, environment)
    return [] if (code, output) == (0, wanted + '\n') else [f'{code}: {output}']


def every_command(document, least):
    """A command whose file would come from one that could not be run is left out, too."""
    findings, lost = [], set()
    with open(document, encoding='utf-8') as file:
        found = commands(file.read())
    with copy() as (folder, environment):
        for number, section, words, shown in found:
            if section == INSTALL:
                continue
            lacks, name = missing(words, environment), ' '.join(words.replace('\\\n', ' ').split())
            lacks += sorted(lost.intersection(words.split()))
            if lacks:
                lost.update(re.findall(r'=([\w-]+\.png)\b', words))
                left_out.append(f'{name} (no {", ".join(lacks)})')
                continue
            code, output = run(words, folder, environment)
            if code != wanted_code(shown):
                findings.append(f'{os.path.basename(document)}:{number}: {name}: exit code {code}, not {wanted_code(shown)}: {output[-300:]!r}')
            elif shown and output != shown:
                findings.append(f'{os.path.basename(document)}:{number}: {name}: {output!r}, not {shown!r}')
    return findings + ([] if len(found) > least else [f'{len(found)} commands only'])


def needs_of_commands():
    """Names what could not be run here."""
    if left_out:
        raise tap.Skip('; '.join(left_out))
    return []


def made_files():
    done = subprocess.run([sys.executable, os.path.join(tap.SOURCE, 'tools', 'gen-examples'), c.COMMAND, '--check'], capture_output=True, text=True)
    return [] if done.returncode == 0 else (done.stdout + done.stderr).splitlines()


def all_listed():
    """examples/README.md names each file: by its name, or by its name without the ending in a table's first column. What a program prints
    is named by the program."""
    with open(os.path.join(c.EXAMPLES, 'README.md'), encoding='utf-8') as file:
        text = file.read()
    names = set(re.findall(r'[\w.-]+', ' '.join(re.findall(r'`([^`]+)`', text)))) | set(re.findall(r'^\| ([\w.-]+) \|', text, re.MULTILINE))
    findings = []
    for folder, folders, files in os.walk(c.EXAMPLES):
        folders[:] = [name for name in folders if name != '__pycache__' and not (os.path.basename(folder) == 'scenes' and name == 'shaders')]
        findings += [f'{os.path.join(os.path.relpath(folder, tap.SOURCE), name)} is not in examples/README.md' for name in files
                     if not {name, name.split('.')[0], *([name.replace('.txt', '.c')] if os.path.basename(folder) == 'output' else [])} & names and name not in ('README.md', 'meson.build')]
    return sorted(findings)


tap.run([('what can be pasted', can_be_pasted), ('README.md is short', short), ('every command of README.md', lambda: every_command(README, 7)), ('the program of README.md', program),
         ('every command of the tour', lambda: every_command(TOUR, 40)),
         ('every command of the tutorial', lambda: every_command(TUTORIAL, 10)), ('every command of the wrong pixel', lambda: every_command(PIXEL, 12)), ('what commands need is here', needs_of_commands), ('files that are made', made_files), ('all examples are listed', all_listed)])
