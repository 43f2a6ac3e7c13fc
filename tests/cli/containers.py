#!/usr/bin/env python3
"""info of Direct3D containers: checksums, features bit by bit, statistics word by word, bindings; the text and the JSON
say the same."""
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


COUNTS = ('instructions', 'declarations', 'immediates', 'properties', 'inputs', 'outputs', 'system_values', 'temporaries', 'samplers', 'sampler_views', 'images', 'buffers', 'constant_buffers')


def letters(mask):
    return ''.join(letter for n, letter in enumerate('xyzw') if mask >> n & 1) or '-'


def as_text(said, tags=(), spaces=False):
    """The text that says what the JSON says; `tags`: of the chunks that others are nested in."""
    rows = [('stage', said['stage']), ('hash', said['hash']), *((name, said[name]) for name in COUNTS)]
    if said['stage'] == 'compute': rows.append(('block', 'x'.join(map(str, said['block']))))
    rows += [('profile', said['profile']), ('checksum', said['checksum'], 'right' if said['checksum_right'] else 'wrong'), *(('feature', f) for f in said['features'])]
    for kind in ('input', 'output', 'patch_constant'):
        rows += [(kind, e['name'], e['index'], '-' if e['register'] is None else e['register'], letters(e['mask']), letters(e['used']), e['type'], e['system_value'] or '-') for e in said[kind + '_signature']]
    rows += [('binding', b['name'], b['kind'], b['slot'], b['count'], b['space']) for b in said['bindings']]
    rows += [('interface', f'fp{i["slot"]}', i['count'], i['call_sites'], 'dynamicindexed' if i['dynamicindexed'] else '-', ','.join(f'ft{t}' for t in i['tables'])) for i in said['interfaces']]
    rows += [('range', r['register'], r['space'], r['count'] or '*', f'{r["file"]}[{r["unit"]}]', r['units']) for r in said['ranges'] if spaces]
    rows += [('chunk', e['tag'], e['bytes']) for e in said['chunks']] + [('statistic', *item) for item in said['statistics'].items()]
    rows += [('nested', n['number'], n['profile'], tag, n['offset'], n['bytes']) for n, tag in zip(said['nested'], tags)]
    return '\n'.join('\t'.join(map(str, row)) for row in rows) + '\n'


def told(path, *tags, spaces=False):
    """The JSON, and findings: the text says another thing."""
    said = json.loads(c.run('info', '--json', '--any-checksum', path).stdout)
    return said, c.says(c.YES, as_text(said, tags, spaces), '', 'info', '--any-checksum', path)


LINKED = ('ps_5_0\ndcl_globalFlags refactoringAllowed\ndcl_function_body fb0\ndcl_function_body fb1\ndcl_function_table ft0 = {fb0}\ndcl_function_table ft3 = {fb1}\n'
          'dcl_interface fp0[1][1] = {ft0}\ndcl_interface_dynamicindexed fp2[4][1] = {ft3, ft0}\ndcl_output o0.xyzw\ndcl_temps 1\nmov r0.xyzw, l(0, 0, 0, 0)\nfcall fp0[0][0]\n'
          'fcall fp2[r0.z + 1][0]\nfcall fp2[r0.z + 0][0]\nmov o0.xyzw, r0.xyzw\nret\nlabel fb0\niadd r0.x, r0.x, l(1000)\nret\nlabel fb1\nishl r0.x, r0.x, l(1)\nret\n')
RANGES = ('cs_5_1\ndcl_constantbuffer CB0[5:5][1], immediateIndexed, space=0\ndcl_constantbuffer CB1[1:3][2], dynamicIndexed, space=1\ndcl_sampler S0[2:4], mode_default, space=6\n'
          'dcl_resource_texture2d (float,float,float,float) T0[0:*], space=3\ndcl_resource_raw T1[7:7], space=0\ndcl_uav_raw U0[2:5], space=2\ndcl_uav_typed_texture2d (uint,uint,uint,uint) U1[9:9], space=2\n'
          'dcl_input vThreadID.xyz\ndcl_thread_group 8, 4, 2\nret\n')
STAGES = ('vs_5_0\n.input\n.param POSITION.xyzw, v0.xy, float\n.param SV_InstanceID.x, v3.x, uint, INSTID\n.output\n.param SV_Position.xyzw, o0.xyzw, float, POS\n.param COLOR7.yz, o2.z, float\n.text\n'
          'dcl_input v0.xy\ndcl_input_sgv v3.x, instance_id\ndcl_output_siv o0.xyzw, position\ndcl_output o2.yz\nmov o0.xyzw, v0.xyxy\nmov o2.yz, v3.xxxx\nret\n',
          'ps_5_0\n.output\n.param SV_Depth.x, oDepth, float, DEPTH\n.text\ndcl_output oDepth\nmov oDepth, l(0.25)\nret\n',
          'hs_5_0\nhs_decls\ndcl_input_control_point_count 3\ndcl_output_control_point_count 3\ndcl_tessellator_domain domain_tri\ndcl_tessellator_partitioning partitioning_integer\n'
          'dcl_tessellator_output_primitive output_triangle_cw\nhs_control_point_phase\ndcl_input v[3][0].xyzw\ndcl_output o0.xyzw\nmov o0.xyzw, v[0][0].xyzw\nret\n'
          'hs_fork_phase\ndcl_output_siv o4.x, finalTriUeq0EdgeTessFactor\nmov o4.x, l(1.0)\nret\n')
KINDS = ('cbuffer', 'tbuffer', 'texture', 'sampler', 'rw_typed', 'structured', 'rw_structured', 'byteaddress', 'rw_byteaddress', 'append', 'consume', 'rw_structured_counter', 'unknown')


def bindings():
    """RDEF as Microsoft's headers describe it: eight words a binding; nothing else is in it."""
    findings = []
    for count in (0, 1, 2, len(KINDS)):
        head, names = 60, b''.join(f'name "{n}"'.encode() + b'\0' for n in range(count))
        rows = [(head + 32 * count + names.index(f'name "{n}"'.encode()), n, n % 5 + 1, n + 2, 0, 3 * n + 7, n + 9, 0) for n in range(count)]
        body = struct.pack('<7I', 0, head, count, head, 0xffff0500, 0, 0) + b'RD11' + struct.pack('<7I', 60, 24, 32, 40, 36, 12, 0) + b''.join(struct.pack('<8I', *row) for row in rows) + names
        path = c.write('bound.dxbc', with_chunks((b'RDEF', body)))
        said, more = told(path)
        wanted = [{'slot': 3 * n + 7, 'count': n + 9, 'space': 0, 'dimension': n + 2, 'return_type': n % 5 + 1, 'name': f'name "{n}"', 'kind': KINDS[n]} for n in range(count)]
        findings += more + ([] if said['bindings'] == wanted else [f'{said["bindings"]}, not {wanted}'])
    return findings


def texts_and_json():
    """The same is said of each as text and as JSON; and what is known of it."""
    findings = []
    def check(path, wanted, *tags, spaces=False):
        said, more = told(path, *tags, spaces=spaces)
        findings.extend(more + [f'{name}: {said[name]}, not {value}' for name, value in wanted.items() if said[name] != value])
    def element(name, index, register, mask, used, kind, system_value):
        return {'index': index, 'register': register, 'mask': mask, 'used': used, 'stream': 0, 'min_precision': 0, 'name': name, 'type': kind, 'system_value': system_value}
    check(c.write('linked.asm', LINKED), {'profile': 'ps_5_0', 'interfaces': [{'slot': 0, 'count': 1, 'call_sites': 1, 'dynamicindexed': False, 'tables': [0]},
                                                                           {'slot': 2, 'count': 4, 'call_sites': 1, 'dynamicindexed': True, 'tables': [3, 0]}], 'nested': []})
    check(c.write('ranges.asm', RANGES), {'stage': 'compute', 'block': [8, 4, 2], 'profile': 'cs_5_1'}, spaces=True)
    for n, text in enumerate(STAGES):
        check(c.write(f'stage{n}.asm', text), {})
        c.run('asm', c.path(f'stage{n}.asm'), '-o', c.path('stage.dxbc'))
        check(c.path('stage.dxbc'), ({'stage': 'vertex', 'input_signature': [element('POSITION', 0, 0, 15, 3, 'float', ''), element('SV_InstanceID', 0, 3, 1, 1, 'uint', 'INSTID')]},
                                     {'output_signature': [element('SV_Depth', 0, None, 1, 0, 'float', 'DEPTH')]}, {'stage': 'tess_ctrl', 'profile': 'hs_5_0'})[n])
    inner = c.read(c.path('stage.dxbc')).hex()
    c.run('asm', c.write('effect.asm', f'container\n.chunk FX10 {{ 01020304 05 {inner} 44584243 {inner[:60]} {inner} }}\n'), '-o', c.path('effect.dxbc'))
    check(c.path('effect.dxbc'), {'stage': 'none', 'profile': 'none'}, 'FX10', 'FX10')
    return findings


tap.run([('bindings', bindings), ('texts and JSON', texts_and_json), ('checksums', checksums), ('features', features), ('statistics', statistics)])
