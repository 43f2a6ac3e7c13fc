#!/usr/bin/env python3
"""Debian packages: ./dev package builds them (minutes); what is in each, what each needs, that none knows where it was
built, and lintian's word. An argument names the processor that they are for, if it is another one. The environment's
SCH_PACKAGES names a folder with packages of this one that are built already. Holds no check of what shaders do."""
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), 'static'))
import tap  # noqa: E402

CROSS = sys.argv[1] if len(sys.argv) > 1 else ''
BUILT = not CROSS and os.environ.get('SCH_PACKAGES')
FOLDER = BUILT or os.path.join(tap.SOURCE, f'build-package-{CROSS}' if CROSS else 'build-package')
LIB = r'\./usr/lib/[\w-]+/'
# Of each package what must be in it, and in no other one.
CONTENTS = {
    'scheelite': [r'\./usr/bin/scheelite', r'\./usr/share/man/man1/scheelite\.1\.gz', r'\./usr/share/man/man1/scheelite-run\.1\.gz',
                  r'\./usr/share/bash-completion/completions/scheelite', r'\./usr/share/zsh/vendor-completions/_scheelite',
                  r'\./usr/share/fish/vendor_completions\.d/scheelite\.fish', r'\./usr/share/scheelite/editors/vscode/package\.json',
                  r'\./usr/share/scheelite/editors/emacs/scheelite\.el', r'\./usr/share/scheelite/editors/kate/dap\.json'],
    'scheelite-mpi': [r'\./usr/bin/scheelite-mpi', r'\./usr/share/man/man1/scheelite-mpi\.1\.gz'],
    'python3-scheelite': [r'\./usr/lib/python3/dist-packages/scheelite/__init__\.py'],
    'scheelite-server': [r'\./usr/lib/systemd/user/scheelite\.service'],
    'libscheelite1': [LIB + r'libscheelite\.so\.1', LIB + r'libscheelite\.so\.1\.[\d.]+'],
    'libscheelite-files1': [LIB + r'libscheelite-files\.so\.1', LIB + r'libscheelite-files\.so\.1\.[\d.]+'],
    'libscheelite-jit': [LIB + r'scheelite/libscheelite-jit\.so\.1', r'\./usr/libexec/scheelite/scheelite-jit'],
    'libscheelite-dev': [r'\./usr/include/scheelite/scheelite\.h', LIB + r'libscheelite\.so', LIB + r'libscheelite\.a',
                         LIB + r'libscheelite-files\.so', LIB + r'libscheelite-files\.a', LIB + r'pkgconfig/scheelite\.pc',
                         LIB + r'pkgconfig/scheelite-files\.pc', LIB + r'cmake/scheelite/scheelite-config\.cmake'],
}
# What each needs of the others.
NEEDS = {'scheelite': ['libscheelite1', 'libseccomp2', 'libscheelite-files1', 'Recommends: libscheelite-jit'],
         'scheelite-mpi': ['scheelite', 'openmpi-bin'],
         'python3-scheelite': ['libscheelite1', 'libscheelite-files1', 'python3-numpy', 'Recommends: scheelite'],
         'scheelite-server': ['scheelite'], 'libscheelite1': ['Recommends: libscheelite-jit'], 'libscheelite-files1': [],
         'libscheelite-jit': ['libscheelite1', 'libllvm19', 'libseccomp2'],
         'libscheelite-dev': ['libscheelite1', 'libscheelite-files1', 'libpng-dev']}
MACHINE_CODE = 'libscheelite-jit'  # there is none for other processors than these
PROCESSORS = ('amd64', 'arm64')


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True, errors='replace').stdout


HAS_CODE = (CROSS or (shutil.which('dpkg') and output('dpkg', '--print-architecture').strip())) in PROCESSORS


def needs(*programs):
    for program in programs:
        if not shutil.which(program):
            raise tap.Skip(f'no {program}')


def package(name):
    """The file of a package; what was not built is not looked at."""
    needs('dpkg-deb')
    found = glob.glob(os.path.join(FOLDER, f'{name}_*.deb'))
    if not found:
        raise tap.Skip('the packages are not built')
    return found[0]


def wanted():
    return [name for name in CONTENTS if HAS_CODE or name != MACHINE_CODE]


def build():
    """./dev package, where all that it needs is there: a test installs nothing."""
    if BUILT:
        raise tap.Skip('SCH_PACKAGES names built ones')
    needs('dpkg-buildpackage', 'dh', 'dpkg-checkbuilddeps')
    if CROSS and CROSS not in output('dpkg', '--print-foreign-architectures').split():
        raise tap.Skip(f'apt does not know {CROSS}')
    crossed = ['-a', CROSS, '-P', 'cross,nocheck'] if CROSS else []
    checked = subprocess.run(['dpkg-checkbuilddeps', *crossed, os.path.join(tap.SOURCE, 'debian', 'control')], capture_output=True,
                             text=True)
    if checked.returncode:
        raise tap.Skip(checked.stderr.strip().replace('\n', ' '))
    # A compiler's cache or another python in front of the system's is not what a package is built with.
    done = subprocess.run([os.path.join(tap.SOURCE, 'dev'), 'package', *(['--arch', CROSS] if CROSS else [])], capture_output=True, text=True, check=False,
                          env=dict(os.environ, PATH='/usr/sbin:/usr/bin:/sbin:/bin', LD_LIBRARY_PATH=''))
    return [] if done.returncode == 0 else (done.stdout + done.stderr).splitlines()[-60:]


def contents():
    findings, owner = [], {}
    for name in wanted():
        paths = [line.split()[5] for line in output('dpkg-deb', '-c', package(name)).splitlines()]
        findings += [f'{name} has no {pattern}' for pattern in CONTENTS[name] if not any(re.fullmatch(pattern, p) for p in paths)]
        for other in (o for o in CONTENTS if o != name):
            findings += [f'{name} has {p} of {other}' for p in paths for pattern in CONTENTS[other] if re.fullmatch(pattern, p)]
        for path in (p for p in paths if not p.endswith('/')):
            findings += [f'{path} is in {owner.setdefault(path, name)} and {name}'] * (owner.setdefault(path, name) != name)
    return findings


def relations():
    findings = []
    for name in wanted():
        fields = output('dpkg-deb', '-f', package(name))
        for need in NEEDS[name]:
            field, _, other = need.rpartition(': ')
            line = re.search(rf'^{field or "Depends"}: (.*)$', fields, re.MULTILINE)
            if (HAS_CODE or other != MACHINE_CODE) and not (line and re.search(rf'(^|, ){re.escape(other)}\b', line[1])):
                findings.append(f'{name} does not need {need}: {line and line[1]}')
    return findings


def symbols_have_the_version():
    """A program that was linked with this library may use all of it, so what it depends on is not older."""
    with open(os.path.join(tap.SOURCE, 'debian', 'changelog'), encoding='utf-8') as file:
        version = re.match(r'scheelite \(([^)]+)\)', file.read())[1]
    findings = []
    for path in glob.glob(os.path.join(tap.SOURCE, 'debian', '*.symbols')):
        with open(path, encoding='utf-8') as file:
            findings += [f'{path}: {line.strip()}, and the version is {version}' for line in file
                         if line.startswith(' ') and line.split()[-1] != version]
    return findings


def sandboxed():
    """Where libseccomp is missing no package is built: its sandbox would leave most open."""
    needs('meson')
    rules = os.path.join(tap.SOURCE, 'debian', 'rules')
    with open(rules, encoding='utf-8') as file:
        options = re.search(r'dh_auto_configure -- (.*)', file.read())[1]
    options = [option for option in options.split() if re.match('-D(seccomp|tests)=', option)]
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(['meson', 'setup', os.path.join(folder, 'build'), tap.SOURCE, '-Dmpi=disabled', '-Djit=disabled', *options], capture_output=True, text=True,
                              env=dict(os.environ, PKG_CONFIG_LIBDIR=folder), check=False)
    return [] if done.returncode and 'Dependency "libseccomp" not found' in done.stdout + done.stderr else [f'{options}: {done.stdout[-600:]}']


def know_no_place():
    """The same packages come out wherever they are built: no path of the build, no path of libraries."""
    needs('readelf')
    findings = []
    for name in wanted():
        with tempfile.TemporaryDirectory() as folder:
            output('dpkg-deb', '-x', package(name), folder)
            for path in (os.path.join(at, n) for at, _, names in os.walk(folder) for n in names):
                if os.path.islink(path):
                    continue
                with open(path, 'rb') as file:
                    data = file.read()
                short = os.path.relpath(path, folder)
                findings += [f'{name}: {short} names a folder of the build: {m.decode()}'
                             for m in set(re.findall(rb'[\w./-]*(?:build-package|obj-\w+-linux)[\w./-]*', data))
                             if not short.startswith('usr/share/doc/')]
                if data[:4] == b'\x7fELF' and re.search(r'RPATH|RUNPATH', output('readelf', '-d', path)):
                    findings.append(f'{name}: {short} has a path of libraries')
    return findings


def lintian():
    needs('lintian')
    found = glob.glob(os.path.join(FOLDER, '*.changes'))
    if not found:
        raise tap.Skip('the packages are not built')
    # Not by its exit status, which counts what it masks itself (a Python package's egg-info).
    said = subprocess.run(['lintian', '-EI', *found], capture_output=True, text=True, check=False).stdout.splitlines()
    return [line for line in said if re.match('[EWI]: ', line)]


tap.run([
    ('./dev package', build),
    ('what is in the packages', contents),
    ('what the packages need', relations),
    ('symbols are of this version', symbols_have_the_version),
    ('none is built without libseccomp', sandboxed),
    ('the packages do not say where they were built', know_no_place),
    ('lintian', lintian),
])
