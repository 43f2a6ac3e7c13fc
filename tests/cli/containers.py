#!/usr/bin/env python3
"""info of Direct3D containers: checksums, features bit by bit, statistics word by word."""
import json
import struct

import command as c
import tap

LISTING = ('ps_5_0\n.output\n.param SV_Target.xyzw, o0.xyzw, float, TARGET\n.text\ndcl_output o0.xyzw\nmov o0.xyzw, l(1.0, 2.0, 3.0, 4.0)\nret\n')


def with_chunks(*more):
    """A container with further chunks, its checksum as it was."""
    c.run('asm', c.write('plain.asm', LISTING), '-o', c.path('plain.dxbc'))
    data = c.read(c.path('plain.dxbc'))
    count = struct.unpack_from('<I', data, 28)[0]
    places = struct.unpack_from(f'<{count}I', data, 32)
    chunks = [data[at:at + 8 + struct.unpack_from('<I', data, at + 4)[0]] for at in places]
    chunks += [tag + struct.pack('<I', len(body)) + body for tag, body in more]
    begin = 32 + 4 * len(chunks)
    places = [begin + sum(map(len, chunks[:n])) for n in range(len(chunks))]
    body = b''.join(chunks)
    return data[:24] + struct.pack(f'<II{len(chunks)}I', begin + len(body), len(chunks), *places) + body


def infos(*more):
    """The text's lines and the JSON of such a container."""
    path = c.write('chunks.dxbc', with_chunks(*more))
    done = c.run('info', '--any-checksum', path)
    return done.stdout.decode().splitlines(), json.loads(c.run('info', '--any-checksum', '--json', path).stdout), c.read(path)


def checksums():
    findings = []
    c.run('asm', c.write('plain.asm', LISTING), '-o', c.path('plain.dxbc'))
    data = bytearray(c.read(c.path('plain.dxbc')))
    for right in (True, False):
        for byte in range(16) if not right else (0,):
            changed = bytearray(data)
            if not right: changed[4 + byte] ^= 0x40 + byte
            path = c.write('sum.dxbc', bytes(changed))
            words = ''.join(f'{w:08x}' for w in struct.unpack_from('<4I', changed, 4))
            line = f'checksum\t{words}\t{"right" if right else "wrong"}'
            lines = c.run('info', '--any-checksum', path).stdout.decode().splitlines()
            said = json.loads(c.run('info', '--any-checksum', '--json', path).stdout)
            if line not in lines or (said['checksum'], said['checksum_right']) != (words, right):
                findings.append(f'{lines}, {said["checksum"]}, not {line}')
            if not right: findings += c.exit_is(c.NO, 'info', path)
    return findings


def features():
    """A bit alone has its word, or its number where it has none; all of them together."""
    findings, together = [], []
    for bit in range(64):
        lines, said, _ = infos((b'SFI0', struct.pack('<Q', 1 << bit)))
        have = [line.split('\t')[1] for line in lines if line.startswith('feature')]
        if len(have) != 1 or (have[0].isdigit() and have[0] != str(bit)) or said['features'] != [int(have[0]) if have[0].isdigit() else have[0]]:
            findings.append(f'bit {bit}: {have} {said["features"]}')
        together += have
    lines, said, _ = infos((b'SFI0', b'\xff' * 8))
    if [line.split('\t')[1] for line in lines if line.startswith('feature')] != together or list(map(str, said['features'])) != together or len(set(together)) != 64:
        findings.append(f'{lines}')
    lines, said, _ = infos((b'SFI0', bytes(8)))
    return findings + ([] if said['features'] == [] and not any(line.startswith('feature') for line in lines) else [f'{said["features"]}'])


def statistics():
    """Words of STAT by their names; each of its own value, low byte first; a shorter chunk has fewer."""
    findings, names = [], None
    for count in (37, 29, 5, 1):
        words = [0x01020304 + 0x11223300 * i & 0xffffffff for i in range(count)]
        lines, said, _ = infos((b'STAT', struct.pack(f'<{count}I', *words)))
        rows = [line.split('\t')[1:] for line in lines if line.startswith('statistic')]
        if {name: int(value) for name, value in rows} != said['statistics'] or len(rows) != len(said['statistics']) or not set(said['statistics'].values()) <= set(words):
            findings.append(f'{count}: {rows}, {said["statistics"]}')
        indices = [words.index(int(value)) for _, value in rows]
        if indices != sorted(indices) or (count == 1) != (len(rows) == 1):
            findings.append(f'{count}: {indices}')
        if names and [row[0] for row in rows] != names[:len(rows)]:
            findings.append(f'{count}: {rows}, not {names}')
        names = names or [row[0] for row in rows]
    return findings


tap.run([('checksums', checksums), ('features', features), ('statistics', statistics)])
