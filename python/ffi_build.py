"""The build step of the Python package: reads the public headers of libscheelite and makes the extension module
scheelite._native of them, by cffi in API mode. So the compiler that builds the module says how structs are laid out, and
nothing of the headers is written down here a second time. Holds no part of the interface that Python programs see.

pkg-config says where headers and libraries are. Environment:

  PKG_CONFIG, PKG_CONFIG_PATH   as pkg-config has them; build/meson-uninstalled is a build that is not installed
  CC                            the compiler; otherwise the one that Python was built with
  SCHEELITE_RPATH               folders, separated by colons, where the module looks for the libraries when it is loaded,
                                or "none". Otherwise these are the folders that pkg-config names, which are none for
                                libraries in the system's own folders
"""
import os
import re
import shlex
import subprocess
import sysconfig

import cffi

PACKAGES = ['scheelite', 'scheelite-files']
HEADERS = ['scheelite/scheelite.h', 'scheelite/files.h']
INCLUDES = ''.join(f'#include <{name}>\n' for name in HEADERS)


def pkg_config(*options):
    """The words that pkg-config prints for the two libraries."""
    command = [*shlex.split(os.environ.get('PKG_CONFIG', 'pkg-config')), *options, *PACKAGES]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except FileNotFoundError as error:
        raise SystemExit(f'{command[0]} is not installed; it says where libscheelite is') from error
    if done.returncode:
        raise SystemExit('libscheelite is not found. Install it with its headers (libscheelite-dev), or name the folder of '
                         f'scheelite.pc in PKG_CONFIG_PATH.\n{done.stderr.strip()}')
    return shlex.split(done.stdout)


def version():
    """The version of the library, which is that of the package."""
    return pkg_config('--modversion')[0]


def preprocess(text, *options):
    compiler = os.environ.get('CC') or sysconfig.get_config_var('CC') or 'cc'
    command = [*shlex.split(compiler), '-E', *pkg_config('--cflags'), *options, '-x', 'c', '-']
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f'the headers of libscheelite cannot be read:\n{done.stderr.strip()}')
    return done.stdout


def of_public_headers(text):
    """The lines that stand in public headers, by the preprocessor's line markers: system headers declare what cffi
    knows, or what it need not know."""
    lines, ours = [], False
    for line in text.split('\n'):
        marker = re.match(r'# \d+ "([^"]*)"', line)
        if marker:
            ours = os.path.basename(os.path.dirname(marker.group(1))) == 'scheelite'
        elif ours:
            lines.append(line)
    return '\n'.join(lines)


def statements(text):
    """Declarations and definitions one by one: each ends with a semicolon, or with the brace of a function's body."""
    depth, begin = 0, 0
    for at, letter in enumerate(text):
        if letter in '{(':
            depth += 1
        elif letter in '})':
            depth -= 1
        ends = letter == ';' or (letter == '}' and re.match(r'\s*(static|inline|extern)\b', text[begin:]))
        if ends and depth == 0:
            yield text[begin:at + 1]
            begin = at + 1


def declarations():
    """What cffi reads: the headers without attributes, assertions and functions that have bodies; and the version's
    numbers, which are macros."""
    text = of_public_headers(preprocess(INCLUDES, '-D__attribute__(x)='))
    kept = [part for part in statements(text) if not re.match(r'\s*(static|inline|_Static_assert|static_assert)\b', part)]
    macros = re.findall(r'^#define (SCH_VERSION_[A-Z]+) (\d+)$', preprocess(INCLUDES, '-dM'), re.MULTILINE)
    if not kept or not macros:
        raise SystemExit('the headers of libscheelite declare nothing')
    return ''.join(kept) + ''.join(f'\n#define {name} {number}' for name, number in sorted(macros))


def run_paths(folders):
    wanted = os.environ.get('SCHEELITE_RPATH')
    if wanted is None:
        return folders
    return [] if wanted in ('', 'none') else wanted.split(':')


def builder():
    flags = pkg_config('--cflags', '--libs')
    ffi = cffi.FFI()
    ffi.cdef(declarations())
    folders = [flag[2:] for flag in flags if flag.startswith('-L')]
    ffi.set_source('scheelite._native', INCLUDES,
                   include_dirs=[flag[2:] for flag in flags if flag.startswith('-I')],
                   libraries=[flag[2:] for flag in flags if flag.startswith('-l')],
                   library_dirs=folders,
                   extra_link_args=[f'-Wl,-rpath,{folder}' for folder in run_paths(folders)])
    return ffi


if __name__ == '__main__':
    print(declarations())
