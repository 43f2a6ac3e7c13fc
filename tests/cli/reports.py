#!/usr/bin/env python3
"""How the command says things: the part of a line that is shown, colours of a terminal, bytes that would move its cursor,
the worst of several exit codes, options that bind what is missing, all of info."""
import json
import os
import pty
import resource
import signal
import struct
import subprocess

import command as c
import tap

GOOD = 'FRAG\nDCL IN[0], COLOR, LINEAR\nDCL OUT[0], COLOR\n  0: MOV OUT[0], IN[0]\n  1: END\n'
INVALID = 'FRAG\nDCL OUT[0], COLOR\n  0: MOV OUT[0], TEMP[3]\n  1: END\n'


def parts_of_lines():
    """At most 160 columns of the line, with the place in the middle where both ends are cut."""
    shader, findings = c.write('good.tgsi', GOOD.replace('IN[0], COLOR, LINEAR', 'IN[0..1], COLOR, LINEAR')), []
    for before in (0, 8, 67, 72, 73, 74, 75, 80, 88, 200):
        for behind in (1, 78, 79, 80, 81, 159, 160, 161, 300):
            # Fields of 8 to 100 bytes that are long enough together.
            line, at = '', before
            for index in range(before // 101 + bool(before)):
                length = min(before - len(line), 100)
                line += f'IN[{index}]=0\t' if length == 8 else f'IN[{index}]=0.{"0" * (length - 9)}\t'
            line += 'x' * behind
            shown = line.replace('\t', ' ')
            begin = max(0, min(at - 80, len(shown) - 160))
            text = shown[begin:begin + 160]
            report = 'a field is IN[n]=, IN[v][n]=, CONST[n]=, CONST[b][n]=, SV[n]=, PLANE[n][k]=, CENTROID[0]= or PIXEL[0]='
            for first, last in (('', ''), ('IN[0]=0\n', '\nIN[0]=0\n')):
                wanted = f'<stdin>:{1 + bool(first)}:{at + 1}: error 1240: {report}\n    {text}\n    {" " * (at - begin)}^\n'
                findings += c.says(c.NO, '', wanted, 'eval', shader, '--vectors', '-', stdin=first + line + last)
    # Bytes that are no letters: control bytes are blanks, what is no UTF-8 is a question mark.
    wanted = b"<stdin>:1:1: error 1240: a field is IN[n]=, IN[v][n]=, CONST[n]=, CONST[b][n]=, SV[n]=, PLANE[n][k]=, CENTROID[0]= or PIXEL[0]=\n    x    ~ ??!\n    ^\nsee: scheelite explain 1240\n"
    done = c.run('eval', shader, '--vectors', '-', stdin=b'x\x1f \x01 ~\x7f\x80\xff!\n')
    return findings + ([] if done.stderr == wanted else [f'{done.stderr}, not {wanted}'])


def on_a_terminal(arguments, **env):
    """What a terminal is sent as errors."""
    master, slave = pty.openpty()
    kept = {k: v for k, v in os.environ.items() if k not in ('TERM', 'NO_COLOR')}
    done = subprocess.run([c.COMMAND, *arguments], stderr=slave, stdout=subprocess.PIPE, env={**kept, **env}, timeout=60, check=False)
    os.close(slave)
    text = b''
    while True:
        try:
            part = os.read(master, 65536)
        except OSError:
            break
        if not part: break
        text += part
    os.close(master)
    return done.returncode, text.decode().replace('\r\n', '\n')


def colours():
    """Bold places, red errors, magenta warnings and a green caret, on terminals that have colours, unless NO_COLOR says otherwise."""
    invalid, shader = c.write('invalid.tgsi', INVALID), c.write('plain.tgsi', GOOD)
    lines = c.write('lines.tsv', 'x\n')
    warned = c.write('warned.tgsi', 'FRAG\nDCL OUT[0], COLOR\nDCL CONST[0]\n  0: MOV OUT[0], CONST[0]\n  1: END\n')
    one = c.write('one.tsv', '\n')
    bold, red, magenta, green, end = '\x1b[1m', '\x1b[1;31m', '\x1b[1;35m', '\x1b[1;32m', '\x1b[0m'
    findings = []
    for call, head, number, kind, rest in ((('check', invalid), f'{invalid}:3:', 'error', red, None), (('eval', shader, '--vectors', lines), f'{lines}:1:1:', 'error', red, None),
                                           (('eval', warned, '--vectors', one), f'{warned}:4:', 'warning', magenta, None)):
        plain = c.run(*call).stderr.decode()
        for env, coloured in (({}, True), ({'TERM': 'xterm'}, True), ({'TERM': 'dumb'}, False), ({'NO_COLOR': '1'}, False), ({'NO_COLOR': ''}, True),
                              ({'NO_COLOR': '1', 'TERM': 'xterm'}, False), ({'NO_COLOR': '', 'TERM': 'dumb'}, False), ({'TERM': ''}, True)):
            code, text = on_a_terminal(call, **env)
            wanted = plain
            if coloured:
                out = []
                for line in plain.splitlines():
                    if line.startswith(head):
                        place, said = line.split(f': {number}', 1)
                        said, message = said.split(':', 1)
                        line = f'{bold}{place}:{end} {kind}{number}{said}:{end}{message}'
                    elif line.strip() == '^':
                        line = line.replace('^', f'{green}^{end}')
                    out.append(line)
                wanted = '\n'.join(out) + '\n'
            if text != wanted or not plain:
                findings.append(f'{call[0]} {env}: {text!r}, not {wanted!r}')
    return findings


def clean_names():
    """Names and words with bytes of control are shown with question marks."""
    findings = []
    for name, shown in (('a\x1fb', 'a?b'), ('a b', 'a b'), ('a\x7fb', 'a?b'), ('a\x01\x1b[2Jb', 'a??[2Jb'), ('a~\u00e9', 'a~\u00e9'), ('\n', '?')):
        findings += c.says(c.IO, '', f'scheelite: cannot open {shown}: No such file or directory\n', 'dis', name)
        findings += c.says(c.NO, '', f'scheelite: nothing is called {shown}; `scheelite list` shows the names\n', 'explain', name)
    # Names of files before a place.
    bad = c.write('b\x1fa\x7fd', INVALID)
    text = c.run('check', bad).stderr.decode()
    return findings + ([] if text.startswith(bad.replace('\x1f', '?').replace('\x7f', '?') + ':3:') else [text])


def worst_of_several():
    """check ends with the worst: invalid, unsupported, too large, not to be read."""
    good, invalid, absent = c.write('good.tgsi', GOOD), c.write('invalid.tgsi', INVALID), c.path('absent')
    alien = c.write('alien.bin', '[require]')
    large = c.write('large.tgsi', GOOD + '#' * 1024)
    files = ((c.YES, good), (c.NO, invalid), (c.UNSUPPORTED, alien), (c.LIMIT, large), (c.IO, absent))
    findings = []
    for first, one in enumerate(files):
        for second, two in enumerate(files):
            done = c.run('check', '--limit', 'source_bytes=1K', one[1], two[1])
            if done.returncode != files[max(first, second)][0]:
                findings.append(f'{one} {two}: exit {done.returncode}: {done.stderr.decode()[:200]}')
    return findings


def foreign_files():
    """What begins as an object file or a script is named as such; a byte less is not."""
    findings = []
    script = ('a shader_test script', '`scheelite run` runs it')
    hlsl = ('HLSL', '-x hlsl calls a compiler (see --hlsl-compiler), or compile it for shader model 4 or 5 (fxc, or vkd3d-compiler 1.3 or later: -b dxbc-tpf -p ps_5_0), and read that')
    glsl = ('GLSL', "let Mesa compile it: ST_DEBUG=tgsi prints the TGSI of a program's shaders")
    d3d9 = ('Direct3D 9 code (shader models 1 to 3)', 'compile its source for shader model 4 or later')
    words = ('words in hexadecimal', 'of Maxwell code: dis -x maxwell --hex; of TGSI tokens: dis -x tgsi-bin --words')
    spirv = ('SPIR-V', 'make HLSL of it (spirv-cross --hlsl), and compile that for shader model 5')
    dxil = ('DXIL (shader model 6)', 'compile its source for shader model 5.1 or earlier')
    nir = ('NIR', 'let Mesa translate it: ST_DEBUG=tgsi prints TGSI where a driver takes it')
    group = struct.pack('<4Q', 0x001fc400fe2007f6, 0xda50007000b70904, 0xda50007000b70904, 0xda50007000b70904)
    tokens = struct.pack('<8I', 0x602, 0, 1, 2, 3, 4, 5, 6)
    # A kind's own mark comes before a guess: a container of tokens, tokens and a recording of as many bytes as groups have.
    marked = [b'SCHTGSI\n' + group[8:], struct.pack('<8I', 0x602, 1, *range(0x80, 0x86))]

    def container(*chunks):
        """A container whose chunks are empty; all that is asked for is their names."""
        first = 32 + 4 * len(chunks)
        return b'DXBC' + bytes(16) + struct.pack('<3I', 1, first + 8 * len(chunks), len(chunks)) + b''.join(struct.pack('<I', first + 8 * n) for n in range(len(chunks))) + b''.join(name + bytes(4) for name in chunks)

    listing = ('a listing of nvdisasm or cuobjdump', '-x maxwell reads one that shows the words (nvdisasm -hex, cuobjdump -sass); the object file is read as it is: -x cubin')
    cases = [(marked[0], None), (marked[1], None), (b'SCHVIRGL' + group[8:], ('a recording of OpenGL commands', '`scheelite replay` plays it')),
             (struct.pack('<I', 0xffff0300) + group[4:28] + b'\xff\xff\0\0', d3d9), (b'\0\3\xff\xff' + group[4:], ('perhaps raw Maxwell code', '-x maxwell reads it as such')),
             (b'// x\n/* y */\n.version 7.0\n.target sm_50\n', ('PTX', 'ptxas makes an object file of it, which is read: -x cubin')), (b'\t.headerflags\t@"EF_CUDA_SM50"\n', listing), (b'\nFatbin elf code:\n', listing),
             (b'/* no end .version 7', None), (b'P6\n1 1\n255\nabc', ('a PNM picture', 'info, convert and the options for textures read it')), (b'[require]', script), (b'[require]\nx', script), (b'[require', None), (b'[requirf]', None), (b'\x7fEL', None), (b'\x7fELG', None),
             (b'float4 main() : SV_Target { return 1; }', hlsl), (b'cbuffer c { float4 a; };', hlsl), (b'#version 450\nvoid main() {}', glsl), (b'void main() { gl_FragColor = vec4(1); }', glsl),
             (b'ps_3_0\nmov oC0, c0', d3d9), (b'vs_2_0\n', d3d9), (b'ps_4_0\nret\n', None), (b'\0\3\xff\xff\1\0\0\0', d3d9), (b'\0\3\xfe\xff\1\0\0\0', d3d9), (b'\0\4\xff\xff\1\0\0\0', None),
             (b'\x03\x02\x23\x07\0\0\1\0', spirv), (b'\x07\x23\x02\x03\0\1\0\0', spirv), (b'BC\xc0\xde1234', dxil), (container(b'DXIL'), dxil), (container(b'DXIL', b'SHEX'), None), (container(b'RTS0') + b'DXIL', None), (b'DXBC' + bytes(40) + b'DXIL', None),
             (b'shader: MESA_SHADER_FRAGMENT\ndecl_function main', nir), (b'shader: MESA_SHADER_FRAGMENT\ndecl_function main\nFRAG\nDCL TEMP[0]\n  0: END\nimpl main {\n', None), (b'da50007000b70904\n', words), (b'0x00000602 0x00000000', words), (b'da50007000b7090', None),
             (group, ('perhaps raw Maxwell code', '-x maxwell reads it as such')), (group * 2, ('perhaps raw Maxwell code', '-x maxwell reads it as such')), (group[:24], None), (tokens, None),
             (b'FRAG\nDCL OUT[0], COLOR\nEND\n# void main() and SV_Target\n', None)]
    for data, what in cases:
        kind, advice = what or (None, None)
        name = c.write('foreign', data)
        if kind:
            findings += c.says(c.UNSUPPORTED, '', f'scheelite: {name} is {kind}, which is not read as a shader; {advice}\n', 'translate', '--to', 'tgsi', name)
        elif b'not read as a shader' in c.run('translate', '--to', 'tgsi', name).stderr:
            findings.append(f'{data}')
    for data in (b'\x7fELF', b'\x7fELF\x02'):
        name = c.write('foreign', data)
        findings += c.says(c.UNSUPPORTED, '', f'scheelite: {name} is an object file (cubin), which is not read as a shader; check, dis, asm, info and eval read it: -x cubin\n', 'translate', '--to', 'tgsi', name)
    return findings


def large_inputs():
    """Inputs as large as the blocks that are read, and a byte more and less, from files and pipes."""
    findings = []
    for size in (65535, 65536, 65537, 131071, 131072, 131073, 262144, 262145):
        text = GOOD[:-len('  1: END\n')] + '#' * (size - len(GOOD) - 1) + '\n  1: END\n'
        for name, stdin in ((c.write('sized.tgsi', text), ''), ('-', text)):
            findings += c.says(c.YES, GOOD, '', 'dis', name, stdin=stdin)
        if len(text) != size: findings.append(f'{len(text)} bytes, not {size}')
    return findings


def options_that_bind():
    """What a run reads and nothing binds, and the options for it; eight are named."""
    findings = []
    table = (('DCL CONST[0..3]\n', 'MOV OUT[0], CONST[3]\n', ['--const 0:3=X,Y,Z,W']), ('DCL CONST[2][0..3]\n', 'MOV OUT[0], CONST[2][1]\n', ['--const 2:1=X,Y,Z,W']),
             ('DCL SAMP[3]\nDCL SVIEW[3], 2D, FLOAT\n', 'TEX OUT[0], IN[0], SAMP[3], 2D\n', ['--tex 3=FILE']),
             ('DCL BUFFER[4]\n', 'LOAD OUT[0].x, BUFFER[4], IN[0].xxxx\n', ['--buffer 4=FILE']),
             ('DCL IMAGE[5], 2D, PIPE_FORMAT_R32_UINT, WR\n', 'LOAD OUT[0], IMAGE[5], IN[0], 2D, PIPE_FORMAT_R32_UINT\n', ['--image 5=FILE']),
             ('DCL MEMORY[0], GLOBAL\n', 'LOAD OUT[0].x, MEMORY[0], IN[0].xxxx\n', ['--global FILE']), ('DCL MEMORY[0], INPUT\n', 'LOAD OUT[0].x, MEMORY[0], IN[0].xxxx\n', ['--input FILE']),
             ('', 'FBFETCH OUT[0], OUT[0]\n', ['--fb 0=FILE']))
    for declared, body, options in table:
        text = f'FRAG\nDCL IN[0], COLOR, LINEAR\n{declared}DCL OUT[0], COLOR\n{body}END\n'
        done = c.run('eval', c.write('unbound.tgsi', text), '--vectors', '-', stdin='\n')
        wanted = 'scheelite: to bind what is missing: ' + ' '.join(options)
        if done.returncode != c.YES or done.stderr.decode().splitlines()[-1] != wanted:
            findings.append(f'{body}: {done.stderr.decode()}, not {wanted}')
    for count in (1, 2, 7, 8, 9, 12):
        text = 'FRAG\nDCL TEMP[0]\nDCL OUT[0], COLOR\n' + ''.join(f'DCL CONST[{i}][0]\n' for i in range(count)) + \
            ''.join(f'UADD TEMP[0], TEMP[0], CONST[{i}][0]\n' for i in range(count)) + 'MOV OUT[0], TEMP[0]\nEND\n'
        done = c.run('eval', c.write('unbound.tgsi', text), '--vectors', '-', stdin='\n')
        wanted = 'scheelite: to bind what is missing:' + ''.join(f' --const {i}:0=X,Y,Z,W' for i in range(min(count, 8))) + (' ...' if count > 8 else '')
        if done.stderr.decode().splitlines()[-1] != wanted or done.stderr.decode().count('warning') != count:
            findings.append(f'{count}: {done.stderr.decode()}, not {wanted}')
    return findings


def the_guilty():
    """Which pixel or line used up the budget: of pictures, heat pictures, lines of eval and draws of scripts."""
    findings = []
    width, height = 7, 5
    body = ('FRAG\nDCL IN[0], POSITION, LINEAR\nDCL OUT[0], COLOR\nDCL TEMP[0]\nIMM[0] FLT32 {{{x}, {y}, 0.0, 0.0}}\nSEQ TEMP[0].xy, IN[0].xyyy, IMM[0].xyyy\n'
            'IF TEMP[0].xxxx\nIF TEMP[0].yyyy\nBGNLOOP\nENDLOOP\nENDIF\nENDIF\nMOV OUT[0], IMM[0]\nEND\n')
    for x, y in ((0, 0), (1, 0), (0, 1), (1, 1), (2, 0), (6, 0), (5, 3), (0, 4), (6, 4), (3, 2)):
        shader = c.write('guilty.tgsi', body.format(x=x + 0.5, y=y + 0.5))
        for more in ((), ('--heat', 'texels'), ('--heat', 'lod'), ('--width', '4')):
            done = c.run('run', shader, '-o', c.path('guilty.png'), '--size', f'{width}x{height}', '--budget', '100', *more)
            if done.returncode != c.LIMIT or f', in pixel {x},{y}\n' not in done.stderr.decode():
                findings.append(f'{x},{y} {more}: {done.stderr.decode()}')
        script = c.write('guilty.shader_test', f'[pixel shader tgsi]\n{c.read(shader).decode()}[rtv 0]\nsize (2d, {width}, {height})\n[test]\ndraw quad\nprobe (0, 0, {width}, {height}) f32(1)\n')
        said = c.run('run', script, '--budget', '100').stdout.decode()
        if ': failed: the budget ran out at line 11 of the pixel shader\n' not in said:
            findings.append(f'{x},{y}: {said}')
    shader = c.write('guilty.tgsi', 'FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nUIF IN[0].xxxx\nBGNLOOP\nENDLOOP\nENDIF\nMOV OUT[0], IN[0]\nEND\n')
    for line in (1, 2, 3, 4, 33, 40):
        lines = '#\n' + '\n' * (line - 1) + 'IN[0]=0x1\n' + '\n' * 3
        for more in ((), ('--quads',), ('--width', '4')):
            done = c.run('eval', shader, '--vectors', '-', '--budget', '100', *more, stdin=lines)
            if done.returncode != c.LIMIT or done.stdout or f', in the invocation of line {line + 1}\n' not in done.stderr.decode():
                findings.append(f'line {line} {more}: {done}')
    return findings


EVERYTHING = '''FRAG
PROPERTY FS_COLOR0_WRITES_ALL_CBUFS 1
DCL IN[0], COLOR, LINEAR
DCL IN[2], GENERIC[3], PERSPECTIVE
DCL OUT[0], COLOR
DCL OUT[3], GENERIC[1]
DCL SV[0], FACE
DCL SAMP[0..4]
DCL SVIEW[0..5], 2D, FLOAT
DCL CONST[0..3]
DCL CONST[2][0..7]
DCL TEMP[0..6]
DCL BUFFER[0..7]
DCL IMAGE[1], 2D, PIPE_FORMAT_R32_UINT, WR
IMM[0] FLT32 {1.0, 2.0, 3.0, 4.0}
IMM[1] UINT32 {1, 2, 3, 4}
MOV OUT[0], IN[0]
END
'''
COUNTS = (('instructions', 2), ('declarations', 12), ('immediates', 2), ('properties', 1), ('inputs', 3), ('outputs', 4), ('system_values', 1), ('temporaries', 7), ('samplers', 5),
          ('sampler_views', 6), ('images', 2), ('buffers', 8), ('constant_buffers', 3))
BLOCK = 'COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 8\nPROPERTY CS_FIXED_BLOCK_HEIGHT 4\nPROPERTY CS_FIXED_BLOCK_DEPTH 2\nDCL SV[1], THREAD_ID\nEND\n'
POINTS = ('GEOM\nPROPERTY GS_INPUT_PRIMITIVE LINES\nPROPERTY GS_OUTPUT_PRIMITIVE POINTS\nPROPERTY GS_MAX_OUTPUT_VERTICES 2\nDCL IN[][0], GENERIC[4]\nDCL OUT[0], POSITION\nEND\n')


def described(name, stage, counts, registers, block=None):
    """The text and the JSON of info."""
    said = json.loads(c.run('info', '--json', name).stdout)
    digits = said['hash']
    lines = [f'stage\t{stage}', f'hash\t{digits}', *(f'{n}\t{v}' for n, v in counts)] + ([f'block\t{block[0]}x{block[1]}x{block[2]}'] if block else [])
    for word, semantic, index, numbered, arrays in registers:
        lines.append(f'{word}{"[]" if arrays else ""}[{index}]' + (f'\t{semantic}\t{numbered}' if semantic else ''))
    findings = c.says(c.YES, '\n'.join(lines) + '\n', '', 'info', name)
    wanted = {'schema': 'scheelite-info/1', 'file': name, 'kind': 'tgsi', 'stage': stage, 'hash': digits, **dict(counts), 'block': list(block or (0, 0, 0))}
    for word, key in (('IN', 'input'), ('OUT', 'output'), ('SV', 'system_value')):
        wanted[key + '_registers'] = [{'index': index, 'semantic': semantic, 'semantic_index': numbered, 'per_vertex': arrays}
                                      for w, semantic, index, numbered, arrays in registers if w == word]
    if said != wanted or list(said) != list(wanted) or len(digits) != 16:
        findings.append(f'{said}, not {wanted}')
    return findings


def info():
    few = [(name, 0) for name, _ in COUNTS]
    def with_counts(**counts):
        return [(name, counts.get(name, 0)) for name, _ in few]
    return (described(c.write('everything.tgsi', EVERYTHING), 'fragment', COUNTS,
                      (('IN', 'COLOR', 0, 0, False), ('IN', 'GENERIC', 2, 3, False), ('OUT', 'COLOR', 0, 0, False), ('OUT', 'GENERIC', 3, 1, False), ('SV', 'FACE', 0, 0, False))) +
            described(c.write('block.tgsi', BLOCK), 'compute', with_counts(instructions=1, declarations=1, properties=3, system_values=2), (('SV', 'THREAD_ID', 1, 0, False),), (8, 4, 2)) +
            described(c.write('points.tgsi', POINTS), 'geometry', with_counts(instructions=1, declarations=2, properties=3, inputs=1, outputs=1),
                      (('IN', 'GENERIC', 0, 4, True), ('OUT', 'POSITION', 0, 0, False))) +
            described(c.write('bare.tgsi', 'VERT\nDCL IN[1]\nDCL OUT[0], POSITION\nEND\n'), 'vertex', with_counts(instructions=1, declarations=2, inputs=2, outputs=1),
                      (('IN', None, 1, 0, False), ('OUT', 'POSITION', 0, 0, False))))


def json_of(name):
    """A JSON string of bytes: what is UTF-8 (Python's strict reading of a character) stays, each other byte is U+FFFD."""
    out, at = '"', 0
    while at < len(name):
        for length in (1, 2, 3, 4):
            try:
                letter = name[at:at + length].decode()
                break
            except UnicodeDecodeError:
                letter, length = None, 1
        code = name[at]
        at += len(letter.encode()) if letter else 1
        if letter is None: out += '\\ufffd'
        elif letter in '"\\': out += '\\' + letter
        elif letter == '\n': out += '\\n'
        elif code < 32 or code == 127: out += f'\\u{code:04x}'
        else: out += letter
    return out + '"'


def json_strings():
    """Names of files: control bytes, quotes, and what is UTF-8 and what just is not, whole and cut off."""
    edges, names = (0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0), [bytes(range(1, 128)).replace(b'/', b''), b'"', b'a\\"\n\t\x1f \x7f~']
    names += [bytes((first, second)) + end for first in (0x80, 0xbf, 0xc1, 0xc2, 0xdf) for second in edges for end in (b'', b'z', b'\x80')]
    for first in (0xe0, 0xe1, 0xec, 0xed, 0xee, 0xef, 0xf0, 0xf1, 0xf3, 0xf4, 0xf5, 0xff):
        for second in edges:
            names += [bytes((first, second)), bytes((first, second)) + b'z', bytes((first, second)) + b'\x80\x80', bytes((first, second)) + b'\x80z']
        names += [bytes((first, 0xa0 if first < 0xed else 0x90 if first < 0xf4 else 0x80, third)) + more for third in edges for more in (b'', b'z', b'\x80', b'\xbf\xbf', b'\x7f', b'\xc0')]
        names += [bytes((first, 0xa0 if first == 0xe0 else 0x90 if first == 0xf0 else 0x80, 0x80, fourth)) + b'z' for fourth in edges]
    absent = ', "valid": false, "exit": 3, "errors": 0, "warnings": 0, "diagnostics": []}'
    rows = ',\n'.join(f'    {{"file": {json_of(name)}{absent}' for name in names)
    done = c.run('check', '--json', '--', *names)
    wanted = f'{{\n  "schema": "scheelite-check/1",\n  "files": [\n{rows}\n  ],\n  "exit": 3\n}}\n'.encode()
    if done.stdout == wanted and done.returncode == c.IO:
        return []
    return [f'{have}, not {good}' for have, good in zip(done.stdout.split(b'\n'), wanted.split(b'\n')) if have != good][:9] or [f'exit {done.returncode}']


def names_behind_dashes():
    """After -- everything is a name, also what looks like an option; - alone is standard input."""
    findings = []
    for name in ('--words', '-x', '--', '-Werror', '-q', '--limit=x'):
        c.write(name, GOOD)
        findings += c.says(c.YES, GOOD, '', 'dis', '--', name, cwd=c.FOLDER.name) + c.says(c.YES, GOOD, '', 'dis', '--floats', 'dec', '--', name, cwd=c.FOLDER.name)
    return findings + c.says(c.YES, GOOD, '', 'dis', '--', '-', stdin=GOOD) + c.says(c.YES, GOOD, '', 'dis', '-', stdin=GOOD) + c.says(c.IO, '', None, 'dis', '--', '--nowhere', cwd=c.FOLDER.name)


def files_that_may_not_grow():
    def no_room():
        resource.setrlimit(resource.RLIMIT_FSIZE, (16, 16))
    good, out = c.write('good.tgsi', GOOD), c.path('grown')
    return c.says(c.IO, '', f'scheelite: cannot write {out}: File too large\n', 'asm', good, '-o', out, before=no_room)


def readers_that_went_away():
    reader, writer = os.pipe()
    os.close(reader)
    done = c.run('list', 'files', stdout=writer)
    os.close(writer)
    return [] if (done.returncode, done.stderr) == (-signal.SIGPIPE, b'') else [f'{done}']


def reports_that_are_not_shown():
    """As many as the limit; how many more there are, without warnings where those are only counted."""
    findings = []
    text = c.write('many.tgsi', 'FRAG\nDCL OUT[0], COLOR\nDCL IN[0], COLOR, LINEAR\n' + 'MOV NULL[0], IN[0]\n' * 2 + ''.join(f'MOV OUT[0], TEMP[{n}]\n' for n in range(3)) + 'END\n')
    for more, all_of_them in (((), 5), (('-q',), 3), (('-Wpedantic',), 5)):
        for limit in (1, 2, 3, 4, 5, 6):
            done = c.run('check', text, '--limit', f'diagnostics={limit}', *more)
            said = done.stderr.decode().splitlines()
            shown, rest = sum(': error ' in line or ': warning ' in line for line in said), [line for line in said if line.startswith('scheelite: ')]
            wanted = [f'scheelite: {all_of_them - limit} more reports are not shown'] if limit < all_of_them else []
            if done.returncode != c.NO or shown != min(limit, all_of_them) or rest != wanted:
                findings.append(f'{more} {limit}: {done.returncode} {said}')
    return findings


def numbers_of_shaders():
    two = c.write('two.txt', GOOD + GOOD)
    return c.says(c.USAGE, '', f'scheelite: {two}: there is no shader number 3, but 2 of them\n', 'dis', '--nth', '3', two) + c.says(c.YES, GOOD, '', 'dis', '--nth', '2', two)


def several():
    """What dis and info say of several shaders is what they say of each; check says it of each, too."""
    findings, bad = [], GOOD.replace('IN[0]\n', 'IN[0\n')
    for parts in ((GOOD, GOOD.replace('MOV', 'FRC')), (GOOD, bad), (bad, GOOD), (bad, GOOD, GOOD), (GOOD, bad, GOOD, bad), (bad, bad)):
        log, count = c.write('several.txt', 'kernel: hello\n'.join(parts)), len(parts)
        wrong = bad in parts
        ones = [{verb: c.run(*verb, '--nth', str(n + 1), log) for verb in (('dis',), ('info',), ('info', '--json'))} for n in range(count)]
        places = [n for n in range(count) if parts[n] != bad]
        lines = [1 + sum(p.count('\n') + 1 for p in parts[:n]) for n in range(count)]
        reports = ''.join(one['dis',].stderr.decode() for one in ones)
        exit_code = c.NO if wrong else c.YES
        listed = '\n'.join(f'# shader {n + 1}, line {lines[n]}\n' + ones[n]['dis',].stdout.decode() for n in range(count))
        findings += c.says(exit_code, listed, reports, 'dis', log)
        findings += c.says(exit_code, '\n'.join(ones[n]['info',].stdout.decode() for n in places), reports, 'info', log)
        described = ',\n'.join(ones[n]['info', '--json'].stdout.decode() for n in places)
        findings += c.says(exit_code, f'[\n{described}]\n', reports, 'info', '--json', log)
        findings += c.says(exit_code, ''.join(f'{log}:{lines[n]}: shader {n + 1}: {"valid" if n in places else "not valid"}\n' for n in range(count)), reports, 'check', log)
        more = ' and so on' if count > 2 else ''
        findings += c.says(c.USAGE, '', f'scheelite: {log} holds {count} shaders, on lines {lines[0]}, {lines[1]}{more}: --nth N says which\n', 'translate', '--to', 'tgsi', log)
        findings += c.says(c.USAGE, '', f'scheelite: {log}: there is no shader number {count + 1}, but {count} of them\n', 'translate', '--to', 'tgsi', '--nth', str(count + 1), log)
        for n in places:
            alone = c.write('alone.tgsi', parts[n])
            findings += c.says(c.YES, c.run('translate', '--to', 'tgsi', alone).stdout.decode(), '', 'translate', '--to', 'tgsi', '--nth', str(n + 1), log)
    return findings


tap.run([('names behind dashes', names_behind_dashes), ('files that may not grow', files_that_may_not_grow), ('readers that went away', readers_that_went_away),
         ('reports that are not shown', reports_that_are_not_shown), ('numbers of shaders', numbers_of_shaders), ('several shaders, whole', several), ('parts of lines', parts_of_lines), ('JSON of bytes', json_strings), ('colours', colours), ('clean names', clean_names), ('the worst of several', worst_of_several), ('foreign files', foreign_files),
         ('large inputs', large_inputs), ('options that bind', options_that_bind), ('the guilty', the_guilty), ('info, whole', info)])
