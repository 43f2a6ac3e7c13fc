#!/usr/bin/env python3
"""The lines that eval reads: every word of a report, numbers at their limits, what a line leaves behind (nothing), and
where batches end. Expected words are packed by Python."""
import struct

import command as c
import tap


def text(inputs=1, more='', body='', stage='FRAG', kind=', GENERIC[{}], PERSPECTIVE'):
    declared = ''.join(f'DCL IN[{i}]{kind.format(i)}\n' for i in range(inputs))
    return f'{stage}\n{declared}{more}DCL OUT[0], GENERIC[0]\n{body}END\n' if stage != 'FRAG' else \
        f'{stage}\n{declared}{more}DCL OUT[0], COLOR\n{body}END\n'


PLAIN = text(2, 'DCL CONST[0..1]\nDCL SV[0], FACE\n', 'MOV OUT[0], IN[0]\n')
PER_VERTEX = ('GEOM\nPROPERTY GS_INPUT_PRIMITIVE TRIANGLES\nPROPERTY GS_OUTPUT_PRIMITIVE POINTS\n'
              'PROPERTY GS_MAX_OUTPUT_VERTICES 1\nDCL IN[][0], GENERIC[0]\nDCL OUT[0], GENERIC[0]\n'
              'MOV OUT[0], IN[2][0]\nEND\n')
FORM = 'a field is IN[n]=, IN[v][n]=, CONST[n]=, CONST[b][n]=, SV[n]=, PLANE[n][k]=, CENTROID[0]= or PIXEL[0]='
VALUE, NUMBER = 'expected a value: 1.5, -3.0, inf, nan, 3i, 3u, or a word in hexadecimal: 0x40400000', 'expected a register number below 1000000'
DECLARED = 'the shader declares no such register: it has '
EIGHT = 'a word has at most eight hexadecimal digits; a float has a point or an exponent'
INTEGER = 'expected an integer of 32 bits: -2147483648i to 2147483647i, 0u to 4294967295u'
LARGE = 'this number is larger than the largest float; infinity is written inf'
TWICE = 'the line gives this register a value already'
WRONG = [  # line, column, report
    ('IN[0]=', 7, VALUE), ('IN[0]=g', 7, VALUE), ('IN[0]=0x', 7, VALUE),
    ('IN[0]=0xg', 7, VALUE), ('IN[0]=:', 7, VALUE), ('IN[0]=/', 7, VALUE), ('IN[0]=@', 7, VALUE), ('IN[0]=`', 7, VALUE),
    ('IN[0]=G', 7, VALUE), ('IN[0]=123456789', 7, EIGHT), ('IN[0]=0x123456789', 7, EIGHT), ('IN[0]=0,', 9, VALUE),
    ('IN[0]=0,,0', 9, VALUE), ('IN[0]=0 ', 8, "expected ',' or a tab"), ('IN[0]=0;2', 8, "expected ',' or a tab"),
    ('IN[0]=0,0,0,0,0', 14, 'a register has four components'), ('IN[0]=0,0,0,0,', 14, 'a register has four components'),
    ('IN[0]=0,0,0,4x', 13, VALUE),
    ('IN[]=0', 4, NUMBER), ('IN[x]=0', 4, NUMBER), ('IN[-1]=0', 4, NUMBER), ('IN[:]=0', 4, NUMBER), ('IN[/]=0', 4, NUMBER), ('IN[1000000]=0', 10, NUMBER),
    ('IN[0000000]=0', 10, NUMBER), ('IN[0', 5, "expected ']'"), ('IN[0=1', 5, "expected ']'"), ('IN[0 ]=0', 5, "expected ']'"),
    ('CONST[0][]=0', 10, NUMBER), ('CONST[0][0][0]=0', 12, "expected '='"), ('IN[0]', 6, "expected '='"), ('IN[0]:1', 6, "expected '='"),
    ('FOO[0]=1', 1, FORM), ('IN', 1, FORM), ('IN=1', 1, FORM), ('INN[0]=1', 1, FORM), ('I[0]=1', 1, FORM), (' IN[0]=0', 1, FORM), ('in[0]=1', 1, FORM),
    ('=', 1, FORM), ('IN[0]=0\t\tIN[0]=0', 9, FORM), ('IN[0]=0\tFOO', 9, FORM), ('\t', 1, FORM), ('SV', 1, FORM), ('SV[', 4, NUMBER), ('PIXEL', 1, FORM), ('CONST', 1, FORM),
    ('IN[0][0]=0', 1, 'the inputs of this shader have no vertex dimension'), ('IN[31][0]=0', 1, 'the inputs of this shader have no vertex dimension'),
    ('CONST[32][0]=0', 1, 'constant buffers are 0 to 31'), ('CONST[0][65536]=0', 1, 'constant registers are 0 to 65535'),
    ('CONST[65536]=0', 1, 'constant registers are 0 to 65535'), ('SV[0][0]=0', 1, 'SV has one bracket'), ('SV[0][1]=0', 1, 'SV has one bracket'),
    ('PLANE[0][4]=0', 1, 'PLANE[n][k]: k is 0 to 3'), ('PLANE[9][4]=0', 1, 'PLANE[n][k]: k is 0 to 3'),
    ('CENTROID[1]=0', 1, 'CENTROID has one bracket, which is [0]'), ('CENTROID[0][0]=0', 1, 'CENTROID has one bracket, which is [0]'),
    ('PIXEL[1]=0', 1, 'PIXEL has one bracket, which is [0]'), ('PIXEL[0][0]=0', 1, 'PIXEL has one bracket, which is [0]'),
    ('IN[0]=0\tPIXEL[1]=0', 9, 'PIXEL has one bracket, which is [0]'),
    # values
    ('IN[0]=1.5x', 7, VALUE), ('IN[0]=1.5.5', 7, VALUE), ('IN[0]=.', 7, VALUE), ('IN[0]=-', 7, VALUE), ('IN[0]=+', 7, VALUE), ('IN[0]=1.0e', 7, VALUE),
    ('IN[0]=1-', 7, VALUE), ('IN[0]=--1', 7, VALUE), ('IN[0]=-0x1', 7, VALUE), ('IN[0]=1.5f0', 7, VALUE), ('IN[0]=0,i', 9, VALUE), ('IN[0]=infinit', 7, VALUE),
    ('IN[0]=na', 7, VALUE), ('IN[0]=nan()', 7, VALUE), ('IN[0]=nan(1)', 7, VALUE), ('IN[0]=nan(0x)', 7, VALUE), ('IN[0]=nan(0x0)', 7, VALUE), ('IN[0]=nan(0x800000)', 7, VALUE),
    ('IN[0]=nan(0x1', 7, VALUE), ('IN[0]=nan(0x1)0', 7, VALUE), ('IN[0]=nan(0x123456789)', 7, VALUE), ('IN[0]=1.' + 200 * '0', 7, VALUE),
    ('IN[0]=1e+39', 7, LARGE), ('IN[0]=-3.5e38', 7, LARGE), ('IN[0]=0,340282356779733661637539395458142568448.', 9, LARGE),
    ('IN[0]=2147483648i', 7, INTEGER), ('IN[0]=-2147483649i', 7, INTEGER), ('IN[0]=4294967296u', 7, INTEGER), ('IN[0]=-1u', 7, INTEGER), ('IN[0]=-0u', 7, INTEGER),
    ('IN[0]=99999999999999999999i', 7, INTEGER),
    # registers
    ('IN[2]=0', 1, DECLARED + 'IN[0], IN[1]'), ('IN[999999]=0', 1, DECLARED + 'IN[0], IN[1]'), ('PLANE[2][3]=0', 1, DECLARED + 'IN[0], IN[1]'),
    ('IN[0]=0\tSV[1]=0', 9, DECLARED + 'SV[0]'), ('SV[999999]=0', 1, DECLARED + 'SV[0]'), ('CONST[2]=0', 1, DECLARED + 'CONST[0..1]'),
    ('CONST[31][65535]=0', 1, DECLARED + 'CONST[0..1]'), ('CONST[1][0]=0', 1, DECLARED + 'CONST[0..1]'),
    ('IN[0]=0\tIN[0]=0', 9, TWICE), ('IN[0]=0\tIN[000]=0', 9, TWICE), ('CONST[1]=0\tIN[1]=0\tCONST[0][1]=0', 20, TWICE), ('SV[0]=0\tSV[0]=0', 9, TWICE),
    ('PLANE[1]=0\tPLANE[1][0]=0', 12, TWICE), ('PLANE[1][3]=0\tPLANE[0][3]=0\tPLANE[1][3]=0', 29, TWICE), ('CENTROID[0]=0\tCENTROID[0]=0', 15, TWICE), ('PIXEL[0]=0\tPIXEL[0]=0', 12, TWICE)]


def place(line, number, column, report):
    shown = ''.join(' ' if letter == '\t' else letter for letter in line)
    code = 1241 if report.startswith(DECLARED) else 1242 if report == TWICE else 1243 if 'same constants' in report else 1240
    return f'<stdin>:{number}:{column}: error {code}: {report}\n    {shown[:160]}\n    {" " * (column - 1)}^\n'


def wrong_lines():
    """Each report with its place, whatever ends the line; nothing is printed of the lines before, which wait."""
    plain, findings = c.write('plain.tgsi', PLAIN), []
    for line, column, report in WRONG:
        findings += c.says(c.NO, '', place(line, 3, column, report), 'eval', plain, '--vectors', '-', stdin=f'IN[0]=0x1\n# {line}\n{line}\nIN[0]=0x2\n')
    for end in ('', '\n', '\r\n', '\r'):
        findings += c.says(c.NO, '', place('IN[0]=x' + ('\r' if '\r' in end else ''), 1, 7, VALUE).replace('\r', ' '), 'eval', plain,
                           '--vectors', '-', stdin=f'IN[0]=x{end}')
    edges = c.write('edges.tgsi', PER_VERTEX)
    for line, report in (('IN[32][0]=0x1', 'there are 32 vertices at most'), ('IN[999999][0]=0x1', 'there are 32 vertices at most'),
                         ('PLANE[0]=0x1', 'the inputs of this shader have no planes')):
        findings += c.says(c.NO, '', place(line, 1, 1, report), 'eval', edges, '--vectors', '-', stdin=line)
    return findings


def word(value):
    return struct.unpack('<I', struct.pack('<f', value))[0]


def out(*words, index=0):
    return f'OUT[{index}]=' + ','.join(f'0x{w:08x}' for w in (list(words) + [0] * 4)[:4]) + '\n'


def right_lines():
    """What fields say, in all their forms."""
    plain, findings = c.write('plain.tgsi', PLAIN), []
    for line, wanted in (('', ()), ('IN[0]=0', ()), ('IN[0]=0xa', (10,)), ('IN[0]=0XaF,0xFa', (175, 250)), ('IN[0]=ffffffff,FFFFFFFF,0,0xb', (0xffffffff, 0xffffffff, 0, 11)),
                         ('IN[0]=0x00000001,0x12345678,89abcdef,0xCDEF', (1, 0x12345678, 0x89abcdef, 0xcdef)), ('IN[000000]=0x7', (7,)), ('IN[0]=0x0000000012345678,0x000000000', (0x12345678,)), ('IN[0]=40400000', (word(3.0),)),
                         ('IN[1]=0x5', ()), ('IN[0]=0x1\t', (1,)), ('CENTROID[0]=0x1,0x2,0x3,0x4', ()), ('PIXEL[0]=0x1,0x2,0x3,0x4', ()), ('IN[0]=0x1,0X2', (1, 2))):
        for end in ('', '\n', '\r\n'):
            if line or end:
                findings += c.says(c.YES, out(*wanted), '', 'eval', plain, '--vectors', '-', stdin=line + end)
    findings += c.says(c.YES, '', '', 'eval', plain, '--vectors', '-', stdin='')
    findings += c.says(c.YES, out(1) + out() + out(2), '', 'eval', plain, '--vectors', '-', stdin='#\nIN[0]=0x1\n#IN[0]=x\n\n# \r\nIN[0]=0x2')
    edges = c.write('edges.tgsi', PER_VERTEX)
    for line, wanted in (('IN[2][0]=0x1,0x2', (1, 2)), ('IN[31][0]=0x1', ()), ('IN[0]=0x5', ()), ('IN[3][0]=0x5', ()), ('IN[2][0]=0x1\tIN[1][0]=0x3', (1,))):
        done = c.run('eval', edges, '--vectors', '-', stdin=line)
        if (done.returncode, done.stdout.decode(), done.stderr) != (c.YES, out(*wanted), b''):
            findings.append(f'{line}: {done}, not {wanted}')
    return findings


FILES = ('FRAG\nDCL IN[0..1], GENERIC[0], PERSPECTIVE\nDCL SV[0], SAMPLEID\nDCL CONST[0..20]\nDCL CONST[31][0..2]\nDCL OUT[0], COLOR\n'
         'DCL OUT[1], COLOR[1]\nDCL OUT[2], COLOR[2]\nDCL OUT[3], COLOR[3]\nDCL OUT[4], COLOR[4]\nDCL OUT[5], COLOR[5]\nDCL OUT[6], COLOR[6]\n'
         'MOV OUT[0], IN[0]\nMOV OUT[1], IN[1]\nMOV OUT[2], SV[0]\nMOV OUT[3], CONST[0]\nMOV OUT[4], CONST[20]\nMOV OUT[5], CONST[31][2]\n'
         'INTERP_CENTROID OUT[6], IN[1]\nEND\n')


def line_of(fields):
    return '\t'.join(f'{name}=' + ','.join(f'0x{w:x}' for w in words) for name, words in fields.items())


def lines_leave_nothing():
    """A line is what it says alone and the command line's constants, after any line and before any."""
    path, findings = c.write('files.tgsi', FILES), []
    full = {'IN[0]': (1, 2, 3, 4), 'IN[1]': (5, 6, 7, 8), 'SV[0]': (3, 9, 9, 9), 'CONST[0]': (11, 12, 13, 14), 'CONST[20]': (15, 16, 17, 18), 'CONST[31][2]': (19, 20, 21, 22),
            'PLANE[1]': (word(8.0), word(4.0), 0, 0), 'PLANE[1][1]': (word(2.0),), 'PLANE[1][2]': (0, word(16.0)), 'CENTROID[0]': (word(0.5), word(0.25))}
    names = ['IN[0]', 'IN[1]', 'SV[0]', 'CONST[0]', 'CONST[20]', 'CONST[31][2]']

    def wanted(fields, given):
        values = {**given, **fields}
        rows = [(tuple(values.get(name, ())) + (0,) * 4)[:4] for name in names]
        if any(name.startswith('PLANE') for name in fields):  # the plane's value at the centroid, c + a x + b y
            x, y = (struct.unpack('<f', struct.pack('<I', w))[0] for w in fields.get('CENTROID[0]', (0, 0)))
            slope = (2.0 if 'PLANE[1][1]' in fields else 0, 16.0 if 'PLANE[1][2]' in fields else 0)
            base = (8.0, 4.0) if 'PLANE[1]' in fields else (0, 0)
            last = (word(base[0] + slope[0] * x), word(base[1] + slope[1] * y), 0, 0)
        else:
            last = rows[1]
        return '\t'.join(out(*row, index=i)[:-1] for i, row in enumerate([*rows, last])) + '\n'
    given = {'CONST[20]': (word(1.5), word(-2.0), 0, 0), 'CONST[31][2]': (1,)}
    options = ('--const', '0:20=1.5,-2', '--const', '31:2=0x00000001')
    lines = [full, {}, full]
    for name in full:
        lines += [{name: full[name]}, {}, {k: v for k, v in full.items() if k != name}, full]
    # SAMPLEID is what a line says only where some line of the batch says it; here all are apart by constants, or not.
    stdin = '\n'.join(map(line_of, lines)) + '\n'
    for more, defaults in (((), {}), (options, given)):
        findings += c.says(c.YES, ''.join(wanted(fields, defaults) for fields in lines), None, 'eval', path, '--vectors', '-', *more, stdin=stdin)
    return findings


def system_values():
    """What no line of a batch gives is what execution knows; where a line gives it, lines that do not have zero."""
    path, findings = c.write('lanes.tgsi', 'FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL SV[0], SUBGROUP_INVOCATION\nDCL SV[1], SUBGROUP_SIZE\n'
                             'DCL CONST[0]\nDCL OUT[0], COLOR\nDCL OUT[1], COLOR[1]\nMOV OUT[0], SV[0]\nMOV OUT[1], SV[1]\nEND\n'), []
    size = int(c.run('eval', path, '--vectors', '-', '--width', '8', stdin='\n').stdout.split(b'OUT[1]=0x')[1][:8], 16)
    for batched in ([['', '', '']], [['SV[0]=0x7', '', 'SV[0]=0x9,0x1,0x2,0x3']], [['', 'SV[1]=0x6,0x5', '']], [['', ''], ['SV[0]=0x3', ''], ['', ''], ['', 'SV[1]=0x1']],
                    [['', '', 'SV[1]=0x2\tSV[0]=0x5'], ['', ''], [''], ['SV[0]=0x1']]):
        lines, wanted = [], ''
        for number, batch in enumerate(batched):
            given = [any(f'SV[{i}]' in line for line in batch) for i in range(2)]
            for lane, line in enumerate(batch):
                lines.append(line + ('\t' if line else '') + f'CONST[0]=0x{number:x}')
                fields = dict(field.split('=') for field in line.split('\t') if field)
                values = [[int(w, 16) for w in fields.get(f'SV[{i}]', '0').split(',')] if given[i] else [(lane, size)[i]] for i in range(2)]
                wanted += out(*values[0])[:-1] + '\t' + out(*values[1], index=1)
        findings += c.says(c.YES, wanted, None, 'eval', path, '--vectors', '-', '--width', '8', stdin='\n'.join(lines) + '\n')
    return findings


def batches():
    """Lines beyond one batch, at its ends and with constants that change; quads that do not close."""
    path, findings = c.write('batches.tgsi', text(1, 'DCL CONST[0]\n', 'UADD OUT[0], IN[0], CONST[0]\n')), []
    for count in (8191, 8192, 8193, 16385):
        findings += c.says(c.YES, ''.join(out(i, i + 1) for i in range(count)), None, 'eval', path, '--vectors', '-', stdin=''.join(f'IN[0]=0x{i:x},0x{i + 1:x}\n' for i in range(count)))
    lines = [f'IN[0]=0x{i:x}\tCONST[0]=0x{1000 * (i // 4):x}' for i in range(30)]
    wanted = ''.join(out(i + 1000 * (i // 4)) for i in range(30))
    for more in ((), ('--quads',), ('--quads', '--width', '4'), ('--width', '16', '--threads', '2')):
        findings += c.says(c.YES, wanted, '', 'eval', path, '--vectors', '-', *more, stdin='\n'.join(lines))
    said = 'the 4 invocations of a quad, patch or primitive must have the same constants'
    for at in range(1, 8):
        lines = ['IN[0]=0x1'] * 8
        lines[at:] = ['IN[0]=0x1\tCONST[0]=0x2'] * (8 - at)
        call = ('eval', path, '--vectors', '-', '--quads')
        if at == 4:
            findings += c.says(c.YES, out(1) * 4 + out(3) * 4, None, *call, stdin='\n'.join(lines))
        else:
            line = lines[at].replace('\t', ' ')
            findings += c.says(c.NO, '', f'<stdin>:{at + 1}:1: error 1243: {said}\n    {line}\n    ^\n', *call, stdin='\n'.join(lines))
    wider = c.write('wider.tgsi', text(1, 'DCL CONST[0..1]\nDCL CONST[1][0]\nDCL CONST[31][0]\n', 'UADD OUT[0], IN[0], CONST[0]\n'))
    for more in ('CONST[0]=0x1', 'CONST[0][1]=0', 'CONST[1][0]=0', 'CONST[0]=0\tCONST[31][0]=0'):  # other words, registers, buffers
        findings += c.says(c.NO, '', '<stdin>:2:1: error 1243: ' + said + f'\n    {more}\n    ^\n'.replace('\t', ' '), 'eval', wider, '--vectors', '-', '--quads', stdin=f'CONST[0]=0\n{more}\n')
    findings += c.says(c.YES, out() * 2, None, 'eval', path, '--vectors', '-', '--quads', stdin='CONST[0]=0\nCONST[0]=0\n')
    wide = c.write('wide.tgsi', 'FRAG\nDCL IN[0..299], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nUADD OUT[0], IN[299], IN[0]\nEND\n')
    count = 1500
    return findings + c.says(c.YES, ''.join(out(3 * i, i) for i in range(count)), '', 'eval', wide, '--vectors', '-',
                             stdin=''.join(f'IN[299]=0x{i:x}\tIN[0]=0x{2 * i:x},0x{i:x}\n' for i in range(count)))


def units():
    """Lines that stay together: a patch, the invocations of a primitive; their constants are the same."""
    findings = []
    patch = 'TESS_CTRL\n{}DCL IN[][0], GENERIC[0]\nDCL CONST[0]\nDCL OUT[][0], GENERIC[0]\nDCL SV[0], INVOCATIONID\nDCL ADDR[0]\nUARL ADDR[0].x, SV[0].xxxx\nADD OUT[ADDR[0].x][0], IN[0][0], CONST[0]\nEND\n'
    points = ('GEOM\nPROPERTY GS_INPUT_PRIMITIVE POINTS\nPROPERTY GS_OUTPUT_PRIMITIVE POINTS\nPROPERTY GS_MAX_OUTPUT_VERTICES 1\n{}DCL IN[][0], GENERIC[0]\nDCL CONST[0]\n'
              'DCL OUT[0], GENERIC[0]\nMOV OUT[0], CONST[0]\nEND\n')
    for text, name, counts in ((patch, 'TCS_VERTICES_OUT', (1, 2, 3, 31, 32, None)), (points, 'GS_INVOCATIONS', (1, 2, 5, 32, None))):
        for count in counts:
            unit = count or (32 if name[0] == 'T' else 1)
            path = c.write('unit.tgsi', text.format(f'PROPERTY {name} {count}\n' if count else ''))
            for at in sorted({1, unit - 1, unit, unit + 1, 2 * unit} - {0}):
                lines = ['IN[0][0]=0x1'] * at + ['IN[0][0]=0x1\tCONST[0]=0x1'] * (-at % unit or unit)
                if at % unit:
                    said = place(lines[at], at + 1, 1, f'the {unit} invocations of a quad, patch or primitive must have the same constants')
                    # A batch that is whole was run before.
                    done = c.run('eval', path, '--vectors', '-', stdin='\n'.join(lines))
                    if done.returncode != c.NO or not done.stderr.decode().endswith(said + 'see: scheelite explain 1243\n'):
                        findings.append(f'{name} {count} {at}: {done}')
                else:
                    done = c.run('eval', path, '--vectors', '-', stdin='\n'.join(lines))
                    if done.returncode != c.YES or len(done.stdout.splitlines()) != len(lines):
                        findings.append(f'{name} {count} {at}: {done}')
    return findings


def repeated():
    """An empty line behind the first of a patch or primitive is as the line before it; elsewhere it is nothing but zeros."""
    findings = []
    patch = ('TESS_CTRL\nPROPERTY TCS_VERTICES_OUT 3\nDCL IN[][0], GENERIC[0]\nDCL CONST[0]\nDCL OUT[][0], GENERIC[0]\nDCL SV[0], INVOCATIONID\nDCL SV[1], PRIM_ID\n'
             'DCL ADDR[0]\nDCL TEMP[0]\nUARL ADDR[0].x, SV[0].xxxx\nUADD TEMP[0], IN[ADDR[0].x][0], CONST[0]\nUADD OUT[ADDR[0].x][0], TEMP[0], SV[1]\nEND\n')
    primitive = ('GEOM\nPROPERTY GS_INPUT_PRIMITIVE POINTS\nPROPERTY GS_OUTPUT_PRIMITIVE POINTS\nPROPERTY GS_MAX_OUTPUT_VERTICES 1\nPROPERTY GS_INVOCATIONS %d\n'
                 'DCL IN[][0], GENERIC[0]\nDCL SV[0], INVOCATIONID\nDCL OUT[0], GENERIC[0]\nUADD OUT[0], IN[0][0], SV[0]\nEND\n')
    hull = ('hs_5_0\nhs_decls\ndcl_input_control_point_count 3\ndcl_output_control_point_count 3\ndcl_tessellator_domain domain_tri\n'
            'dcl_tessellator_partitioning partitioning_integer\ndcl_tessellator_output_primitive output_triangle_cw\nhs_control_point_phase\n'
            'dcl_input vOutputControlPointID\ndcl_input v[3][0].xyzw\ndcl_output o0.xyzw\ndcl_temps 1\nmov r0.x, vOutputControlPointID\n'
            'mov o0.xyzw, v[r0.x + 0][0].xyzw\nret\n')
    vertices = 'IN[0][0]=0x1,0x2,0x3,0x4\tIN[1][0]=0x5,0x6,0x7,0x8\tIN[2][0]=0x9,0xa,0xb,0xc'
    told = vertices + '\tSV[1]=0x30,0x30,0x30,0x30\tCONST[0]=0x100,0x100,0x100,0x100'
    for source, first, last in ((patch, told, vertices + '\tCONST[0]=0x200'), (hull, vertices, 'IN[0][0]=0xd'), (primitive % 3, 'IN[0][0]=0x1,0x2,0x3,0x4', 'IN[0][0]=0x5')):
        path = c.write('unit', source)
        for end in ('\n', '\r\n'):
            wanted = c.run('eval', path, '--vectors', '-', stdin=end.join([first] * 3 + [last] * 3))
            if wanted.returncode != c.YES or len(set(wanted.stdout.splitlines())) != 6:
                findings.append(f'{source[:4]}: {wanted}')
            findings += c.says(c.YES, wanted.stdout.decode(), '', 'eval', path, '--vectors', '-', stdin=end.join([first, '', '', last, '', '']) + end)
    plain = c.write('plain', primitive % 1)
    return findings + c.says(c.YES, out(1) + out(), '', 'eval', plain, '--vectors', '-', stdin='IN[0][0]=0x1\n\n')


def groups():
    """However large what a line says is, batches end at whole groups: lanes are line numbers modulo 32."""
    findings = []
    for inputs, count in ((1, 8260), (100, 2150), (1900, 300)):
        path = c.write('groups.tgsi', text(inputs, 'DCL SV[0], SUBGROUP_INVOCATION\n', f'MOV OUT[0], SV[0]\nMOV OUT[0].y, IN[{inputs - 1}].xxxx\n'))
        for more in ((), ('--quads',)):
            wanted = ''.join(out(i % 32, i) for i in range(count))
            findings += c.says(c.YES, wanted, '', 'eval', path, '--vectors', '-', *more, stdin=''.join(f'IN[{inputs - 1}]=0x{i:x}\n' for i in range(count)))
    return findings


def scattered():
    """What is declared is found in any order of the ranges, with gaps between them and where one lies in another."""
    ranges = ((0, 7, 7), (1, 0, 1), (0, 2, 3), (0, 10, 40), (0, 12, 13), (0, 12, 20), (3, 5, 5), (0, 50, 50))
    path = c.write('scattered.tgsi', 'VERT\n' + ''.join(f'DCL CONST[{b}][{first}..{last}]\n' for b, first, last in ranges) + 'DCL OUT[0], POSITION\nMOV OUT[0], CONST[0][7]\nEND\n')
    findings = []
    for buffer in range(5):
        for index in range(53):
            declared = any(b == buffer and first <= index <= last for b, first, last in ranges)
            done = c.run('eval', path, '--vectors', '-', stdin=f'CONST[{buffer}][{index}]=0x1\n')
            if done.returncode != (c.YES if declared else c.NO) or (b'error 1241' in done.stderr) == declared:
                findings.append(f'CONST[{buffer}][{index}]: {done}')
    return findings


tap.run([('wrong lines', wrong_lines), ('right lines', right_lines), ('lines leave nothing', lines_leave_nothing), ('system values', system_values),
         ('units', units), ('repeated', repeated), ('batches', batches), ('groups', groups), ('scattered', scattered)])
