#!/usr/bin/env python3
"""Debian packages on bare systems: installed, upgraded from an older version while a server runs, downgraded, removed, purged.
SCH_ROOTS names tar files of root folders, separated by colons (mmdebstrap --variant=apt RELEASE FILE), and SCH_PACKAGES the
packages that were built for them, a folder for each or build-package; root and the network are needed. Holds no check of what is
in packages (packages.py)."""
import glob
import os
import re
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), 'static'))
import tap  # noqa: E402

OLDER = '0.0.9'
SOMEONE = 1234  # no other has this number
SCENE = '/usr/share/doc/scheelite/examples/scenes/cube.scene'
LIBRARY = re.compile(rb'ok\tlibrary\tscheelite ')


class Root:
    """A system of its own, thrown away at the end."""

    def __init__(self, archive, packages):
        self.folder = tempfile.mkdtemp(prefix='scheelite-root-')
        subprocess.run(['tar', '-C', self.folder, '--exclude=./dev/*', '-xf', archive], check=True)
        for name, kind in (('proc', ['-t', 'proc', 'proc']), ('dev', ['--bind', '/dev'])):
            subprocess.run(['mount', *kind, os.path.join(self.folder, name)], check=True)
        shutil.copy('/etc/resolv.conf', os.path.join(self.folder, 'etc', 'resolv.conf'))
        self.put(packages, 'new')
        self.run('apt-get', 'update')
        for home in ('own', 'someone'):
            os.mkdir(os.path.join(self.folder, home))
        os.chown(os.path.join(self.folder, 'someone'), SOMEONE, SOMEONE)  # a bare system has no useradd

    def put(self, packages, name):
        where = os.path.join(self.folder, name)
        os.mkdir(where)
        for package in packages:
            shutil.copy(package, where)

    def begin(self, *command, user=None, **more):
        environment = {'PATH': '/usr/sbin:/usr/bin:/sbin:/bin', 'HOME': '/someone' if user else '/own', 'DEBIAN_FRONTEND': 'noninteractive', 'LC_ALL': 'C.UTF-8'}
        return subprocess.Popen(['chroot', *([f'--userspec={SOMEONE}:{SOMEONE}'] if user else []), self.folder, *command], stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment, **more)

    def run(self, *command, user=None):
        process = self.begin(*command, user=user)
        said = process.communicate()[0]
        return process.returncode, said

    def apt(self, *words):
        """What is not the end that was wanted; a question would have no answer."""
        code, said = self.run('apt-get', '-y', '--no-install-recommends', *words)
        return [f'apt-get {" ".join(words)[:80]}: exit {code}', *said.decode(errors='replace').splitlines()[-15:]] if code else []

    def close(self):
        for name in ('proc', 'dev'):
            subprocess.run(['umount', '-l', os.path.join(self.folder, name)], check=False)
        subprocess.run(['rm', '-rf', '--one-file-system', self.folder], check=False)


def older(packages, folder):
    """The same packages with a smaller version, also where they name each other."""
    made = []
    for package in packages:
        inside = os.path.join(folder, os.path.basename(package))
        subprocess.run(['dpkg-deb', '-R', package, inside], check=True)
        control = os.path.join(inside, 'DEBIAN', 'control')
        with open(control, encoding='utf-8') as file:
            text = file.read()
        version = re.search(r'^Version: (.*)$', text, re.MULTILINE)[1]
        with open(control, 'w', encoding='utf-8') as file:
            file.write(re.sub(r'(>= )0\.2\.0(?=\))', rf'\g<1>{OLDER}', text.replace(version, OLDER)))
        made.append(inside + '.old.deb')
        subprocess.run(['dpkg-deb', '--root-owner-group', '-Znone', '-b', inside, made[-1]], check=True, stdout=subprocess.DEVNULL)
    return made


def works(root, version):
    """For root and for somebody else, with all that doctor looks for of our own."""
    findings = []
    for user in (None, 'someone'):
        code, said = root.run('scheelite', 'doctor', user=user)
        if code != 0 or not LIBRARY.search(said) or b'missing\t' in said:
            findings += [f'doctor ends with {code} for {user or "root"}', *said.decode(errors='replace').splitlines()]
        code, said = root.run('scheelite', 'render', SCENE, '--check', user=user)
        findings += [f'render ends with {code}: {said[-300:]!r}'] * (code != 0)
    code, said = root.run('dpkg-query', '-W', '-f=${Package} ${Version} ${db:Status-Status}\n', '*scheelite*')
    findings += [f'{line} where {version} was installed' for line in said.decode().splitlines()
                 if not line.endswith(f' {version} installed') and not line.endswith(' not-installed')]
    code, said = root.run('dpkg', '--audit')
    return findings + said.decode().splitlines()


def ping(client):
    client.sendall(struct.pack('<2I', 0, 10))
    return client.recv(8, socket.MSG_WAITALL) == struct.pack('<2I', 0, 10)


def connected(root):
    client = socket.socket(socket.AF_UNIX)
    client.settimeout(20)
    client.connect(os.path.join(root.folder, 'someone', 'virgl'))
    client.sendall(struct.pack('<2I', 5, 8) + b'test\0')
    return client


def left(root):
    ours = [word for name in ('new', 'old', 'own', 'someone') for word in ('-not', '-path', f'/{name}/*')]
    code, said = root.run('find', '/', '-xdev', '-iname', '*scheelite*', *ours)
    return [f'left behind: {line}' for line in said.decode().splitlines()]


def life(archive, packages):
    version = subprocess.run(['dpkg-deb', '-f', packages[0], 'Version'], check=True, capture_output=True, text=True).stdout.strip()
    root = Root(archive, packages)
    server = None
    try:
        with tempfile.TemporaryDirectory() as folder:
            root.put(older(packages, folder), 'old')
        new, old = ([f'/{name}/{os.path.basename(p)}' for p in sorted(glob.glob(os.path.join(root.folder, name, '*.deb')))] for name in ('new', 'old'))
        findings = root.apt('install', *old)
        if findings:
            return findings
        findings += works(root, OLDER)
        server = root.begin('scheelite', 'serve', '--socket', '/someone/virgl', user='someone')
        until = time.monotonic() + 60
        while not os.path.exists(os.path.join(root.folder, 'someone', 'virgl')) and time.monotonic() < until:
            time.sleep(0.1)
        if not os.path.exists(os.path.join(root.folder, 'someone', 'virgl')):
            server.kill()
            said, server = server.communicate()[0], None
            return [*findings, f'no server: {said.decode(errors="replace")}']
        first = connected(root)
        findings += ['the server does not answer'] * (not ping(first))
        findings += root.apt('install', *new) + works(root, version)
        findings += ['a client from before the upgrade is not answered'] * (not ping(first))
        findings += ['a client behind the upgrade is not answered'] * (not ping(connected(root)))
        # The command alone does not go back; all of them together do, and forth again.
        code, said = root.run('apt-get', '-y', '--allow-downgrades', '--no-remove', 'install', next(p for p in old if '/scheelite_' in p))
        findings += ['the command was taken back without its library'] * (code == 0)
        findings += root.apt('--allow-downgrades', 'install', *old) + works(root, OLDER) + root.apt('install', *new)
        names = [os.path.basename(p).split('_')[0] for p in new]
        findings += root.apt('remove', *names) + root.apt('install', *new) + root.apt('purge', *names)
        return findings + left(root)
    finally:
        if server:
            server.kill()
            server.communicate()
        root.close()


def on(number, archive):
    def run():
        folders = os.environ.get('SCH_PACKAGES', os.path.join(tap.SOURCE, 'build-package')).split(':')
        packages = sorted(glob.glob(os.path.join(folders[number % len(folders)], '*.deb')))
        if not packages:
            raise tap.Skip('the packages are not built')
        return life(archive, [p for p in packages if 'dbgsym' not in p])
    return run


def none():
    raise tap.Skip('SCH_ROOTS names no root folders, or this is not root')


ROOTS = [path for path in os.environ.get('SCH_ROOTS', '').split(':') if path] if os.geteuid() == 0 else []
tap.run([(f'packages on {os.path.basename(path)}', on(number, path)) for number, path in enumerate(ROOTS)] or [('packages on bare systems', none)])
