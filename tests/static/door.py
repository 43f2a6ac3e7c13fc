#!/usr/bin/env python3
"""./dev itself, with tools of its own: when it asks again what a build is to be, and what it shows while it builds. Holds no
build of Scheelite."""
import os
import platform
import pty
import re
import shutil
import subprocess
import tempfile

import tap

# meson keeps its arguments, ninja says three lines; the others are only looked for.
TOOLS = {
    'meson': 'shift; for word; do case $word in -*) ;; *) folder=$word; break ;; esac; done\necho "$*" >>asked-meson\n: >"$folder/build.ninja"',
    'ninja': 'test ! -e broken || { echo "[1/1] cc a.c"; echo "a.c:1: error: wrong"; exit 1; }\n'
             'for n in 1 2 3 4 5 6 7 8; do echo "[$n/8] cc $n.c"; done; echo "the last words"',
    'dpkg-query': 'printf installed',
    'pkg-config': 'test ! -e "$2.pc" || cat "$2.pc"',
    **dict.fromkeys(['gcc', 'python3'], ':'),
}


class Checkout:
    """A copy of ./dev in a folder, and a PATH that has nothing but the tools and what a shell needs."""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory(prefix='scheelite-dev-')
        shutil.copy(os.path.join(tap.SOURCE, 'dev'), self.folder.name)
        self.tools = os.path.join(self.folder.name, 'tools')
        os.mkdir(self.tools)
        for name in ('cat', 'rm', 'mkdir', 'grep', 'tail', 'dirname', 'id', 'env'):
            os.symlink(shutil.which(name), os.path.join(self.tools, name))
        for name, body in TOOLS.items():
            self.tool(name, body)

    def tool(self, name, body=':'):
        path = os.path.join(self.tools, name)
        with open(path, 'w', encoding='utf-8') as file:
            file.write(f'#!/bin/sh\n{body}\n')
        os.chmod(path, 0o755)

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def build(self, stdout=subprocess.PIPE, what='build'):
        return subprocess.run(['/bin/sh', self.path('dev'), *([what] if isinstance(what, str) else what)], env={'PATH': self.tools}, stdout=stdout, stderr=subprocess.STDOUT,
                              text=True, timeout=60, check=False)

    def asked(self):
        """The arguments of each setup since the last call."""
        path = self.path('asked-meson')
        if not os.path.exists(path):
            return []
        with open(path, encoding='utf-8') as file:
            lines = file.read().splitlines()
        os.remove(path)
        return lines


def compiler_appears():
    """A folder is set up once; again when the compiler of machine code, or what else it takes where it is there, appears or
    vanishes, and then keeps what it has."""
    checkout, findings = Checkout(), []

    def built(what, times, again):
        done = checkout.build()
        asked = checkout.asked()
        if done.returncode or len(asked) != times or (times and ('--reconfigure' in asked[0]) != again):
            findings.append(f'{what}: exit code {done.returncode}, {asked}, {done.stdout}')

    built('new', 1, False)
    open(checkout.path('build/kept'), 'w', encoding='utf-8').close()
    built('the same', 0, False)
    checkout.tool('clang-19')
    checkout.tool('llvm-config-19')
    built('with a compiler', 1, True)
    built('the same with a compiler', 0, False)
    os.remove(os.path.join(checkout.tools, 'llvm-config-19'))
    built('without llvm', 1, True)
    checkout.tool('scdoc')
    built('with what makes the manual', 1, True)
    with open(checkout.path('libseccomp.pc'), 'w', encoding='utf-8') as file:
        file.write('2.5')
    built('with another library', 1, True)
    built('the same with another library', 0, False)
    os.remove(checkout.path('build/tools'))  # as made by a ./dev that did not look
    built('from before', 1, True)
    findings += [] if os.path.exists(checkout.path('build/kept')) else ['the folder was made anew']
    with open(checkout.path('build/asked'), 'a', encoding='utf-8') as file:
        file.write(' -Dother=true')
    built('with other options', 1, False)
    return findings + (['the folder was kept with other options'] if os.path.exists(checkout.path('build/kept')) else [])


def everything(terminal):
    """What was written to a terminal whose other side is closed; one read may return a part of it."""
    parts = []
    try:
        while part := os.read(terminal, 4096):
            parts.append(part)
    except OSError:  # Linux: nothing is left
        pass
    return b''.join(parts)


def progress():
    """A line for each quarter, the whole in the log; on a terminal one line that counts."""
    checkout, findings = Checkout(), []
    done = checkout.build()
    if done.stdout.splitlines() != [f'  {n} of 8' for n in (2, 4, 6, 8)]:
        findings.append(f'not quarters: {done.stdout!r}')
    with open(checkout.path('build/compile.log'), encoding='utf-8') as file:
        log = file.read()
    if log.splitlines() != [f'[{n}/8] cc {n}.c' for n in range(1, 9)] + ['the last words']:
        findings.append(f'log: {log!r}')
    ours, theirs = pty.openpty()
    checkout.build(stdout=theirs)
    os.close(theirs)
    shown = everything(ours).decode()
    os.close(ours)
    if shown != ''.join(f'\r  {n} of 8' for n in range(1, 9)) + '\r\x1b[K':
        findings.append(f'on a terminal: {shown!r}')
    return findings


def demo():
    """It says which packages could not be had, and goes on; the page is made of the release build."""
    checkout, findings = Checkout(), []
    checkout.tool('python3', 'echo "python3 $*"; exit 1')
    checkout.tool('dpkg-query', 'for package; do :; done; case $package in llvm*) ;; *) printf installed ;; esac')
    lines = checkout.build(what='demo').stdout.splitlines()
    wanted = 'going on without what these packages give: clang-19 llvm-19-dev '
    findings += [] if lines and lines[0] == wanted else [f'{lines}, not {wanted!r} first']
    checkout.tool('clang-19')
    checkout.tool('dpkg-query', TOOLS['dpkg-query'])
    done = checkout.build(what='demo')
    if done.returncode != 1 or done.stdout.splitlines()[-1] != 'python3 tools/demo build-release/src/cli/scheelite build-release/demo' or 'going on' in done.stdout:
        findings.append(f'{done}')
    return findings


def warnings():
    """They end the builds of the tests, not those of who only uses this, by ./dev or by meson itself."""
    checkout = Checkout()
    checkout.build()
    strict = checkout.asked()
    checkout.build(what='demo')
    lenient = checkout.asked()
    findings = [] if len(strict) == 1 and '-Dwerror=true' in strict[0].split() else [f'build: {strict}']
    findings += [] if len(lenient) == 1 and 'werror' not in lenient[0] else [f'demo: {lenient}']
    with open(os.path.join(tap.SOURCE, 'meson.build'), encoding='utf-8') as file:
        return findings + ['meson.build: werror'] * ('werror' in file.read())


def not_into_the_sources():
    """An installation among the sources would overwrite files of theirs, and take them away when it goes."""
    checkout, findings = Checkout(), []
    os.mkdir(checkout.path('below'))
    os.symlink(checkout.folder.name, checkout.path('below/link'))
    for verb in ('install', 'uninstall'):
        for prefix in (checkout.folder.name, checkout.folder.name + '/', checkout.path('below/..'), checkout.path('below/link')):
            done = checkout.build(what=(verb, '--prefix', prefix))
            if done.returncode != 1 or 'has these sources; name another folder' not in done.stdout:
                findings.append(f'{verb} --prefix {prefix}: {done}')
    return findings + checkout.asked()


def failure():
    """A build that fails is not built, and its errors are shown without the lines that count."""
    checkout = Checkout()
    good = checkout.build()
    findings = [] if good.returncode == 0 and os.path.exists(checkout.path('build/built')) else [f'good: {good}']
    open(checkout.path('broken'), 'w', encoding='utf-8').close()
    done = checkout.build()
    if done.returncode != 1 or os.path.exists(checkout.path('build/built')) or 'a.c:1: error: wrong' not in done.stdout or '[1/1]' in done.stdout:
        findings.append(f'broken: {done}')
    return findings


def every_level():
    """./dev test --long has a build of all levels, whose targets nothing else makes together."""
    if platform.machine() != 'x86_64':
        raise tap.Skip('not x86-64')
    with open(os.path.join(tap.SOURCE, 'dev'), encoding='utf-8') as file:
        levels = max(re.findall(r'\(levels ([\w,]+)\)', file.read()), key=len)
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(['meson', 'setup', folder, tap.SOURCE, f'-Dlevels={levels}', '-Djit=disabled'], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, check=False)
    return done.stdout.splitlines()[-10:] if done.returncode else []


tap.run([('the compiler of machine code appears and vanishes', compiler_appears), ('progress', progress), ('demo', demo), ('warnings', warnings),
         ('no installation into the sources', not_into_the_sources), ('failure', failure),
         ('every level', every_level)])
