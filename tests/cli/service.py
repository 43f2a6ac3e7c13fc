#!/usr/bin/env python3
"""The unit for systemd: it serves what it says, and systemd finds nothing wrong with it."""
import os
import re
import shutil
import socket
import subprocess

import command as c
import tap

UNIT = os.path.join(tap.SOURCE, 'packaging', 'scheelite.service.in')
PING = bytes([0, 0, 0, 0, 10, 0, 0, 0])


def unit():
    """Its text, with the command of the build."""
    return c.read(UNIT).decode().replace('@bindir@/scheelite', c.COMMAND)


def serves():
    """The command of the unit, with a folder in the place of %t."""
    runtime = c.path('runtime')
    os.mkdir(runtime, 0o700)
    words = re.search(r'^ExecStart=(.*)$', unit(), re.MULTILINE).group(1).replace('%t', runtime).split()
    server = subprocess.Popen([*words, '--cache', 'none', '--once'], stderr=subprocess.PIPE, text=True)
    text = server.stderr.readline()
    while text and 'the socket is' not in text:
        text = server.stderr.readline()
    client = socket.socket(socket.AF_UNIX)
    client.settimeout(60)
    client.connect(os.path.join(runtime, 'virgl'))
    client.sendall(PING)
    answer = client.recv(len(PING), socket.MSG_WAITALL)
    client.close()
    server.communicate(timeout=60)
    return [] if answer == PING and server.returncode == c.YES else [f'{answer} {server.returncode}']


def verified():
    if not shutil.which('systemd-analyze'):
        raise tap.Skip('no systemd-analyze')
    path = c.write('scheelite.service', unit().encode())
    done = subprocess.run(['systemd-analyze', 'verify', '--user', '--man=no', path], capture_output=True, text=True, timeout=60,
                          env={**os.environ, 'XDG_RUNTIME_DIR': os.path.dirname(path)})
    return [] if done.returncode == 0 and not done.stderr else [done.stderr or str(done)]


tap.run([('its command serves', serves), ('systemd-analyze verify', verified)])
