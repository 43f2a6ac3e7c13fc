#!/usr/bin/env python3
"""The libraries and the command as a package has them: installed under another root (DESTDIR), moved, found by pkg-config
and CMake, static, as another project's subproject; used by the smallest example and by one that names both libraries.
Holds no check of what shaders do."""
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), 'static'))
import tap  # noqa: E402

FOLDER = tempfile.TemporaryDirectory()
TINY = os.path.join(tap.SOURCE, 'examples', 'tiny.c')
SHADER = os.path.join(tap.SOURCE, 'examples', 'shaders', 'plasma.tgsi')
VERSION = re.search(r"version: '([\d.]+)'", open(os.path.join(tap.SOURCE, 'meson.build'), encoding='utf-8').read()).group(1)

# Names a function of each library, whatever the language.
BOTH = '''#include <scheelite/scheelite.h>
#include <scheelite/files.h>
#include <stdio.h>

int main(void)
{
    printf("%s %d\\n", sch_version(), sch_file_kind_by_name("a.dds") == SCH_FILE_KIND_DDS);
    return 0;
}
'''
SAYS = f'{VERSION} 1\n'

CMAKE = '''cmake_minimum_required(VERSION 3.18)
project(user C)
find_package(scheelite ASKED REQUIRED)
add_executable(user both.c)
target_link_libraries(user PRIVATE scheelite::scheelite scheelite::files)
'''

MESON = '''project('user', 'c')
executable('user', 'both.c', dependencies: [dependency('scheelite', fallback: 'scheelite'), dependency('scheelite-files')])
'''


def needs(*programs):
    for program in programs:
        if not shutil.which(program):
            raise tap.Skip(f'no {program}')


def below(*names):
    return os.path.join(FOLDER.name, *names)


def write(path, text):
    """What is there already stays as old as it is: what was made of it is not made again."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    if os.path.exists(path):
        with open(path, encoding='utf-8') as file:
            if file.read() == text:
                return path
    with open(path, 'w', encoding='utf-8') as file:
        file.write(text)
    return path


def clean():
    """Without what the test runner says of libraries: an installation finds its own."""
    return {name: value for name, value in os.environ.items() if name != 'LD_LIBRARY_PATH'}


def output(command, env=None, **options):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=env or clean(),
                          timeout=1800, check=False, **options)
    return done.returncode, done.stdout


def expect(wanted, command, **options):
    """What is wrong where a command fails or says something else."""
    status, text = output(command, **options)
    return [] if status == 0 and wanted in text else [f'{" ".join(command)}: exit status {status}, not "{wanted.strip()}":',
                                                      *text.splitlines()[-40:]]


class Installation:
    """A root with an installation in it, that of DESTDIR or a moved one."""

    def __init__(self, root):
        self.root = root

    def found(self, name):
        """The folder that has a file of this name."""
        for at, _, names in os.walk(self.root):
            if name in names:
                return at
        return ''

    def path(self, name):
        return os.path.join(self.found(name), name)

    def command(self):
        """Completions of a shell have the command's name, too."""
        return next((os.path.join(at, 'scheelite') for at, _, names in os.walk(self.root)
                     if os.path.basename(at) == 'bin' and 'scheelite' in names), '')

    def environment(self):
        package = self.found('scheelite.pc')
        return dict(clean(), PKG_CONFIG_PATH=package, PKG_CONFIG_SYSROOT_DIR=self.root,
                    LD_LIBRARY_PATH=os.path.dirname(package))

    def packages(self, *options):
        status, text = output(['pkg-config', *options], env=self.environment())
        if status:
            raise OSError(text)
        return text.split()

    def builds(self, compiler, options, source, says, packages):
        """A program is built with what pkg-config says and says what it should."""
        program = below('program')
        language = ['-x', 'c++'] if '+' in compiler else []
        status, text = output([compiler, *options, *language, source, *(['-x', 'none'] if language else []), '-o', program,
                               *self.packages('--cflags', '--libs', *packages)], env=self.environment())
        return [compiler, text] if status else expect(says, [program], env=self.environment())


INSTALLED = Installation(below('root'))
MOVED = Installation(below('moved'))
STATIC = Installation(below('static'))


def install():
    """Everything that users call or link is there."""
    needs('meson')
    status, text = output(['meson', 'install', '-C', tap.BUILD, '--no-rebuild', '--destdir', INSTALLED.root])
    wanted = ['scheelite', 'scheelite.h', 'libscheelite.so.1', 'libscheelite-files.so.1', 'scheelite.pc',
              'scheelite-files.pc', 'scheelite.service', 'scheelite-config.cmake', 'scheelite-config-version.cmake',
              'package.json', 'tgsi.tmLanguage.json', 'scheelite.el', 'dap.json']
    if status:
        return [text]
    unit = INSTALLED.path('scheelite.service')
    if os.path.isfile(unit):
        with open(unit, encoding='utf-8') as file:
            starts = re.search(r'^ExecStart=(\S+)', file.read(), re.MULTILINE).group(1)
        if not os.path.exists(INSTALLED.root + starts):
            return [f'{unit}: there is no {starts}']
    return [f'{name} is not installed' for name in wanted if not INSTALLED.found(name)]


def run_path(program):
    status, text = output(['readelf', '-d', program])
    if status:
        raise OSError(text)
    return re.findall(r'\((?:RPATH|RUNPATH)\).*\[(.*)\]', text)


def finds_libraries():
    """The command finds its libraries from where it is, wherever that is."""
    needs('readelf')
    command = INSTALLED.command()
    paths = run_path(command)
    findings = [] if paths and all(p.startswith('$ORIGIN/') and ':' not in p for p in paths) else [f'its path: {paths}']
    return findings + expect(f'scheelite {VERSION}', [command, '--version'])


def moves():
    """The whole under another root: the command finds its libraries there, and the compiler of machine code."""
    os.rename(INSTALLED.root, MOVED.root)
    try:
        command, compiler = MOVED.command(), MOVED.path('libscheelite-jit.so.1')
        findings = expect(f'scheelite {VERSION}', [command, '--version'])
        by_code = [command, 'run', SHADER, '--const', '0:0=0,0,0,0', '--size', '8x8', '-o', below('plasma.png'), '--engine', 'jit',
                   '--cache', 'none']
        if not os.path.exists(compiler):
            return findings
        findings += expect('', by_code)
        for part in (compiler, MOVED.path('scheelite-jit')):  # without it there is no machine code: it was found here
            os.rename(part, part + '.away')
            status, text = output(by_code)
            os.rename(part + '.away', part)
            if status == 0:
                findings.append(f'there is machine code without {part}: is there another installation?')
            elif 'error 438' not in text:
                findings.append(text)
        return findings
    finally:
        os.rename(MOVED.root, INSTALLED.root)


def example(compiler, *options):
    def builds_and_runs():
        needs(compiler, 'pkg-config')
        return INSTALLED.builds(compiler, options, TINY, '3: OUT[0] = 2 16 0 0', ['scheelite'])
    return builds_and_runs


def both_headers(compiler, *standards):
    def build_and_run():
        needs(compiler, 'pkg-config')
        source = write(below('both.c'), BOTH)
        return [finding for standard in standards
                for finding in INSTALLED.builds(compiler, [f'-std={standard}', '-Wall', '-Wextra', '-pedantic', '-Werror'],
                                                source, SAYS, ['scheelite', 'scheelite-files'])]
    return build_and_run


def versions():
    """A program says of which ABI it needs each library."""
    needs('gcc', 'pkg-config', 'readelf')
    findings = INSTALLED.builds('gcc', [], write(below('both.c'), BOTH), SAYS, ['scheelite', 'scheelite-files'])
    _, text = output(['readelf', '-V', below('program')])
    return findings + [f'the program does not need {node}' for node in ('SCHEELITE_1', 'SCHEELITE_FILES_1')
                       if not re.search(rf'Name: {node}\b', text)]


def cmake(installation, asked):
    """Configures and builds a program of CMake's in `cmake`; exit status and what was said."""
    needs('cmake', 'gcc')
    shutil.rmtree(below('cmake'), ignore_errors=True)
    write(below('cmake', 'both.c'), BOTH)
    write(below('cmake', 'CMakeLists.txt'), CMAKE.replace('ASKED', asked))
    status, text = output(['cmake', '-S', below('cmake'), '-B', below('cmake', 'build'), '-DCMAKE_BUILD_TYPE=Release',
                           '-Dscheelite_DIR=' + installation.found('scheelite-config.cmake')])
    return output(['cmake', '--build', below('cmake', 'build')]) if status == 0 else (status, text)


def by_cmake():
    """The asked version may be older, not newer; the program finds the library by the path that CMake gives it."""
    major, minor, patch = (int(n) for n in VERSION.split('.'))
    findings = []
    for asked in ('', f'{major}.{minor}', f'{VERSION} EXACT'):
        status, text = cmake(INSTALLED, asked)
        findings += [f'asked for {asked}: {text}'] if status else expect(SAYS, [below('cmake', 'build', 'user')])
    for asked in (f'{major}.{minor + 1}', f'{major}.{minor}.{patch + 1}', f'{major + 1}'):
        status, text = cmake(INSTALLED, asked)
        if status == 0 or 'not accepted' not in text:
            findings.append(f'{VERSION} is given for {asked}: {text}')
    return findings


def subproject():
    """Another project has the sources among its own and asks as it would for what is installed. Static and in /usr, which
    the next tests want."""
    needs('meson', 'gcc')
    project = os.path.join(tap.SOURCE, 'build-user')  # it is kept: the first build takes minutes
    write(os.path.join(project, 'both.c'), BOTH)
    write(os.path.join(project, 'meson.build'), MESON)
    link = os.path.join(project, 'subprojects', 'scheelite')
    if not os.path.islink(link):
        os.makedirs(os.path.dirname(link), exist_ok=True)
        os.symlink(tap.SOURCE, link)
    build = os.path.join(project, 'build')
    environment = {n: v for n, v in clean().items() if not n.startswith('PKG_CONFIG')}
    for command in (['meson', 'setup', build, project, '--prefix=/usr', '-Dbuildtype=plain', '-Ddefault_library=static',
                     '--force-fallback-for=scheelite', '-Dscheelite:jit=disabled'],
                    ['ninja', '-C', build],
                    ['meson', 'install', '-C', build, '--no-rebuild', '--destdir', STATIC.root]):
        status, text = output(command, env=environment)
        if status:
            return [' '.join(command), *text.splitlines()[-60:]]
    user = os.path.join(build, 'user')
    return expect(SAYS, [user]) + alone(user)


def alone(program):
    """A program needs no library of ours."""
    _, text = output(['readelf', '-d', program])
    return [f'{program} needs {name}' for name in re.findall(r'NEEDED.*\[(libscheelite.*)\]', text)]


def is_static():
    if not STATIC.found('scheelite.pc'):
        raise tap.Skip('there is no static build')
    return [f'{name} is there' for name in ('libscheelite.so', 'libscheelite-files.so') if STATIC.found(name)] + \
           [f'{name} is not there' for name in ('libscheelite.a', 'libscheelite-files.a') if not STATIC.found(name)]


def static_by_pkg_config():
    needs('pkg-config', 'gcc', 'readelf')
    findings = is_static()
    for packages, source, says in ((['scheelite'], TINY, '3: OUT[0] = 2 16 0 0'),
                                   (['scheelite', 'scheelite-files'], write(below('both.c'), BOTH), SAYS)):
        findings += STATIC.builds('gcc', [], source, says, ['--static', *packages]) + alone(below('program'))
    return findings


def static_by_cmake():
    needs('pkg-config', 'readelf')
    findings = is_static()
    status, text = cmake(STATIC, '')
    return findings + ([text] if status else expect(SAYS, [below('cmake', 'build', 'user')]) +
                       alone(below('cmake', 'build', 'user')))


def system_prefix():
    """In /usr the system finds libraries: no path is in what distributions have."""
    needs('readelf')
    if not STATIC.found('scheelite.pc'):
        raise tap.Skip('there is no static build')
    command = STATIC.command()
    paths = run_path(command)
    return [f'its path: {paths}'] * bool(paths) + expect(f'scheelite {VERSION}', [command, '--version'])


def comes_and_goes():
    """What ./dev install puts under a prefix, ./dev uninstall takes away: all of it, and nothing else."""
    prefix, staged, tool = below('prefix'), below('staged'), os.path.join(tap.SOURCE, 'tools', 'install')
    shutil.copytree(os.path.dirname(INSTALLED.command()), staged + prefix + '/bin', symlinks=True)
    shutil.copytree(os.path.dirname(INSTALLED.found('scheelite.h')), staged + prefix + '/include', symlinks=True)
    shutil.copytree(os.path.dirname(os.path.dirname(INSTALLED.found('dap.json'))), staged + prefix + '/share/scheelite/editors')
    os.symlink('scheelite', staged + prefix + '/bin/link')
    write(prefix + '/include/other.h', 'not ours')
    findings = expect('', [sys.executable, tool, 'may', prefix, staged]) + \
        expect('', [sys.executable, tool, 'put', staged, prefix]) + \
        expect('', [sys.executable, tool, 'put', staged, prefix])
    os.unlink(staged + prefix + '/bin/link')
    findings += [] if os.path.islink(prefix + '/bin/link') else ['the link was not installed']
    findings += expect('', [sys.executable, tool, 'put', staged, prefix])
    findings += ['a file that is no more is still installed'] * os.path.lexists(prefix + '/bin/link')
    findings += [] if os.path.isfile(prefix + '/include/scheelite/scheelite.h') else ['no header was installed']
    findings += expect('', [sys.executable, tool, 'remove', prefix])
    left = sorted(os.path.join(at, name) for at, folders, names in os.walk(prefix) for name in folders + names)
    wanted = [prefix + '/include', prefix + '/include/other.h']
    findings += [f'left: {name}' for name in left if name not in wanted] + [f'taken, too: {n}' for n in wanted if n not in left]
    new = below('new', 'prefix')  # folders that were made for it go, too
    os.rename(staged + prefix, below('moving'))
    os.makedirs(staged + os.path.dirname(new))
    os.rename(below('moving'), staged + new)
    findings += expect('', [sys.executable, tool, 'put', staged, new]) + expect('', [sys.executable, tool, 'remove', new])
    findings += [f'left: {new}'] * os.path.exists(new)
    status, text = output([sys.executable, tool, 'remove', prefix])
    return findings + ([] if status == 1 and 'nothing was installed' in text else [f'removed twice: {status} {text}'])


tap.run([
    ('installation with DESTDIR', install),
    ('the installed command finds its libraries', finds_libraries),
    ('what is moved finds its parts', moves),
    ('what is put under a prefix is taken away', comes_and_goes),
    ('the example by pkg-config: gcc, C11', example('gcc', '-std=c11', '-Wall', '-Werror')),
    ('the example by pkg-config: clang, C17', example('clang', '-std=c17', '-Wall', '-Werror')),
    ('the example by pkg-config: tcc', example('tcc')),
    ('both headers in C', both_headers('gcc', 'c11', 'c17', 'c2x')),
    ('both headers in C++', both_headers('g++', 'c++11', 'c++17', 'c++20')),
    ('programs need versions of the ABI', versions),
    ('by CMake', by_cmake),
    ('as a subproject, static', subproject),
    ('static by pkg-config', static_by_pkg_config),
    ('static by CMake', static_by_cmake),
    ('no path in /usr', system_prefix),
])
