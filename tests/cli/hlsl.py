#!/usr/bin/env python3
"""Files of HLSL in every verb: which are some, what compilers are called with, what is said where there is none. The
compilers are scripts that note their arguments and copy a prepared program."""
import json
import os

import command as c
import tap

LISTING = 'ps_5_0\ndcl_input_ps linear v0.xyzw\ndcl_output o0.xyzw\nadd o0.xyzw, v0.xyzw, v0.xyzw\nret\n'
TEXT = 'float4 main(float4 a : TEXCOORD) : SV_Target { return a + a; }\n'


def prepared():
    path = c.path('prepared.dxbc')
    if not os.path.exists(path):
        c.run('asm', c.write('prepared.asm', LISTING), '-o', path)
    return path


def compiler(body='cp "$PREPARED" "$3"'):
    """A compiler that notes its arguments and the text that it was given."""
    return c.write('compiler.sh', f'PREPARED={prepared()}\nprintf "%s|" "$1" "$4" > {c.path("log")}\ncat "$2" >> {c.path("log")}\n{body}\n')


def log():
    path = c.path('log')
    if not os.path.exists(path):
        return None
    text = c.read(path).decode()
    os.unlink(path)
    return text


def every_verb():
    findings, effect = [], c.write('effect.hlsl', TEXT)
    with_it = ('--hlsl-compiler', f'sh {compiler()}')
    first = c.says(c.YES, '', '', 'check', effect, *with_it)
    findings += [] if not first else [f'check: {first}']
    if log() != 'ps_5_0|main|' + TEXT:
        findings.append('check: other arguments')
    calls = [(('dis', effect), 'add o0.xyzw, v0.xyzw, v0.xyzw', None), (('info', '--json', effect), '"profile": "ps_5_0"', None), (('asm', effect, '--words'), '00000050', None),
             (('translate', '--to', 'tgsi', effect), 'ADD OUT[0], IN[0], IN[0]', None), (('eval', effect, '--vectors', '-', '--floats', 'dec'), 'OUT[0]=3.0,', 'IN[0]=1.5\n'),
             (('run', effect, '--pixel', '1,0', '--size', '2x1', '--floats', 'dec'), '  1.5,1.0,', None)]
    if c.compiles():
        calls.append((('jit', '--stats', effect), 'code_bytes', None))
    for call, out, stdin in calls:
        findings += c.exit_is(c.YES, *call, *with_it, stdin=stdin, out=out)
        if log() != 'ps_5_0|main|' + TEXT:
            findings.append(f'{call}: the compiler was not called')
    picture = c.path('effect.png')
    findings += c.says(c.YES, '', '', 'run', effect, '--size', '2x1', '-o', picture, '--hlsl-compiler=sh ' + compiler())
    # Reports name the file of HLSL.
    findings += c.exit_is(c.NO, 'eval', effect, '--vectors', '-', *with_it, stdin='IN[1]=1.0\n', err='error 1241')
    return findings


def which_files():
    """By the ending, in any case, or all by -x hlsl; other files are what they were."""
    findings, with_it = [], ('--hlsl-compiler', f'sh {compiler()}')
    log()
    for name, more, called in (('a.hlsl', (), True), ('a.HLSL', (), True), ('a.fx', (), True), ('a.b.Fx', (), True), ('a.txt', ('-x', 'hlsl'), True), ('-', ('-x', 'hlsl'), True),
                               ('a.hlsl', ('-x', 'hlsl'), True), ('b.asm', (), False), ('fx', (), False), ('a.fxx', (), False), ('c.fx', ('-x', 'd3d-asm'), False)):
        path = name if name == '-' else c.write(name, TEXT if called else LISTING)
        findings += c.exit_is(c.YES, 'dis', path, *more, *with_it, stdin=TEXT, out='ps_5_0')
        if (log() is not None) != called:
            findings.append(f'{name} {more}: called is not {called}')
    # What looks like HLSL otherwise is refused, and -x hlsl is named.
    for name in ('a.hlsli', 'looks.txt'):
        findings += c.exit_is(c.UNSUPPORTED, 'dis', c.write(name, TEXT), *with_it, out='', err='is HLSL, which is not read as a shader; -x hlsl calls a compiler')
    if log() is not None:
        findings.append('what was refused was compiled')
    vectors = c.write('vectors.hlsl', 'IN[0]=1.0\n')  # only what is to be a shader is compiled
    findings += c.exit_is(c.YES, 'eval', c.write('b.asm', LISTING), '--vectors', vectors, *with_it, out='OUT[0]=0x40000000')
    if log() is not None:
        findings.append('vectors were compiled')
    two = c.run('check', '--json', c.write('a.hlsl', TEXT), c.write('c.fx', TEXT), *with_it)
    if [file['valid'] for file in json.loads(two.stdout)['files']] != [True, True]:
        findings.append(f'two: {two}')
    return findings


def profiles():
    findings, with_it = [], ('--hlsl-compiler', f'sh {compiler()}')
    for text, profile in ((TEXT, 'ps_5_0'), ('[numthreads(1, 1, 1)] void main() {}', 'cs_5_0'), ('float4 main() : SV_POSITION {}', 'vs_5_0'), ('float4 main(uint i : SV_VertexID) : SV_Position {}', 'vs_5_0'),
                          ('float4 main(float4 p : SV_Position) : sv_target {}', 'ps_5_0'), ('[maxvertexcount(3)] void main(point V v[1] : SV_Position)', 'gs_5_0'),
                          ('[domain("tri")] [patchconstantfunc("f")]', 'hs_5_0'), ('[domain("tri")] V main(float3 u : SV_DomainLocation) : SV_Position', 'ds_5_0'), ('float4 main() : COLOR {}', 'ps_5_0'), ('', 'ps_5_0')):
        path = c.write('guess.hlsl', text)
        c.run('dis', path, *with_it)
        have = log()
        if have != f'{profile}|main|{text}':
            findings.append(f'{text}: {have}, not {profile}')
    path = c.write('effect.hlsl', TEXT)
    for more, wanted in ((('--profile', 'vs_4_1'), 'vs_4_1|main|'), (('--entry=shade',), 'ps_5_0|shade|'), (('--profile=ps_4_0', '--entry', 'other'), 'ps_4_0|other|')):
        c.run('dis', path, *with_it, *more)
        have = log()
        if have != wanted + TEXT:
            findings.append(f'{more}: {have}')
    for option in ('--hlsl-compiler', '--profile', '--entry'):
        findings += c.exit_is(c.USAGE, 'dis', path, option, err=f'{option} needs a value')
        for verb in (*(['render'] if option != '--hlsl-compiler' else []), 'headers', 'sample', 'convert', 'diff', 'gl', 'serve', 'replay', 'list', 'explain', 'doctor'):
            findings += c.exit_is(c.USAGE, verb, f'{option}=x', err=f'{verb} takes no {option}')
    return findings


SCENE = '''texture picture {{ size 4 4; format R8G8B8A8_UNORM }}
mesh covering {{
  position float2
  vertices {{ -1 -1   3 -1   -1 3 }}
}}
{shaders}
pass {{
  color 0 picture
  clear color 0 0 0 1
  use passed white
  draw triangles mesh covering
}}
'''
VERTEX = 'vs_5_0\ndcl_input v0.xyzw\ndcl_output_siv o0.xyzw, position\nmov o0.xyzw, v0.xyzw\nret\n'
PIXEL = 'ps_5_0\ndcl_output o0.xyzw\nmov o0.xyzw, l(1.0, 0.5, 0.25, 1.0)\nret\n'


def scenes():
    """HLSL in scenes and beside them: compiled for the stage, with the lines of the scene, and drawn as what comes out."""
    findings, log_path = [], c.path('log')
    for stage, listing in (('vs', VERTEX), ('ps', PIXEL)):
        c.run('asm', c.write(f'{stage}.asm', listing), '-o', c.path(f'{stage}.dxbc'))
    script = c.write('stages.sh', f'printf "%s|%s|" "$1" "$4" >> {log_path}\ncat "$2" >> {log_path}\ncp {c.path("")}/${{1%_5_0}}.dxbc "$3"\n')
    with_it = ('--hlsl-compiler', f'sh {script}')
    c.write('effect.FX', 'vertex text\n')
    c.write('other.txt', 'pixel text\n')
    plain = SCENE.format(shaders=f'shader passed vertex d3d {{\n{VERTEX}}}\nshader white fragment d3d {{\n{PIXEL}}}')
    wanted = c.path('wanted.png')
    findings += c.says(c.YES, '', '', 'render', c.write('plain.scene', plain), '-o', wanted)
    log()
    for shaders, called in (('shader passed vertex "effect.FX"\nshader white fragment hlsl entry shade "other.txt"', 'vs_5_0|main|vertex text\nps_5_0|shade|pixel text\n'),
                            ('shader passed vertex entry _v2 hlsl {\n  float4 x;\n}\nshader white fragment d3d hlsl { # here\nfloat4 y;\n}', 'vs_5_0|_v2|' + '\n' * 6 + '  float4 x;\nps_5_0|main|' + '\n' * 9 + 'float4 y;\n')):
        scene, out = c.write('hlsl.scene', SCENE.format(shaders=shaders)), c.path('scene.png')
        findings += c.says(c.YES, '', '', 'render', scene, '-o', out, *with_it)
        have = log()
        if have != called or c.read(out) != c.read(wanted) or c.picture(out)[2][:4] != bytes((255, 128, 64, 255)):
            findings.append(f'{shaders}: called with {have!r}, not {called!r}')
    scene = c.write('hlsl.scene', SCENE.format(shaders='shader passed vertex "effect.FX"\nshader white fragment "effect.FX"'))
    none = {'PATH': c.path('none')}
    os.makedirs(none['PATH'], exist_ok=True)
    findings += c.exit_is(c.UNSUPPORTED, 'render', scene, env=none, out='', err='hlsl.scene:6:8: error 1229: passed is HLSL, which needs a compiler: install vkd3d-compiler 1.3 or later, or name one by --hlsl-compiler CMD')
    findings += c.exit_is(c.NO, 'render', scene, '--hlsl-compiler', 'false', out='', err='hlsl.scene:7:8: error 1229: white: the HLSL compiler refuses it as ps_5_0 with the entry main\n')
    findings += c.exit_is(c.NO, 'render', scene, '--hlsl-compiler', f'cp {c.path("vs.dxbc")} "$3"; true', out='', err='white is a shader of another stage')
    findings += c.exit_is(c.NO, 'render', scene, '--hlsl-compiler', 'echo no program > "$3"; true', out='', err='error')
    log()
    for shader, said in (('shader a vertex entry main { \nVERT\nEND\n}', '6:8: error 1228: a is not HLSL, so it has no entry'), ('shader a vertex tgsi entry main "effect.FX"', 'error 1228'),
                         ('shader a vertex hlsl entry 9 "effect.FX"', '6:28: error 1223: expected the name of a function of HLSL'), ('shader a vertex hlsl entry -x "effect.FX"', 'error 1223'),
                         ('shader a vertex hlsl entry "effect.FX"', 'error 1223'), ('shader a vertex hlsl "absent.hlsl"', 'error 1226'),
                         ('shader a vertex glsl {\n}', 'error 1221')):
        findings += c.exit_is(c.IO if 'absent' in shader else c.NO, 'render', c.write('wrong.scene', SCENE.format(shaders=shader)), *with_it, err=said)
    if log() is not None:
        findings.append('what is wrong was compiled')
    return findings + c.exit_is(c.USAGE, 'render', scene, '--hlsl-compiler', err='--hlsl-compiler needs a value')


def refused():
    findings, path = [], c.write('effect.hlsl', TEXT)
    said = f'scheelite: {path}: the HLSL compiler refuses it as ps_5_0 with the entry main (--profile and --entry name others)\n'
    for body in ('exit 1', 'true', ': > "$3"', 'kill -2 $$'):
        findings += c.says(c.NO, '', said, 'dis', path, '--hlsl-compiler', f'sh {compiler(body)}')
    findings += c.exit_is(c.NO, 'dis', path, '--hlsl-compiler', f'sh {compiler("echo not a program > $3")}')
    findings += c.says(c.NO, '', 'in.hlsl:1:1: error\n' + said, 'dis', path, '--hlsl-compiler', f'sh {compiler("echo in.hlsl:1:1: error >&2; exit 1")}')
    findings += c.exit_is(c.IO, 'dis', c.path('absent.hlsl'), '--hlsl-compiler', 'true', err='cannot open')
    empty = c.path('none')
    os.makedirs(empty, exist_ok=True)
    return findings + c.exit_is(c.UNSUPPORTED, 'dis', path, env={'PATH': empty}, out='',
                                err=f'{path} is HLSL, which needs a compiler: install vkd3d-compiler 1.3 or later, or name one by --hlsl-compiler CMD, which is called as CMD PROFILE IN OUT ENTRY')


def apart():
    """What a compiler prints goes to standard error, what it leaves in its folder goes away with that, and however long
    its command is it is called."""
    path, folder = c.write('effect.hlsl', TEXT), c.path('tmp')
    os.makedirs(folder, exist_ok=True)
    env = {**os.environ, 'TMPDIR': folder}
    want = c.run('dis', path, '--hlsl-compiler', f'sh {compiler()}').stdout
    noisy = c.run('dis', path, '--hlsl-compiler', f'sh {compiler("echo said; touch $(dirname $3)/more $(dirname $3)/.pdb; cp $PREPARED $3")}', env=env)
    findings = [] if (noisy.returncode, noisy.stdout, noisy.stderr) == (c.YES, want, b'said\n') else [f'{noisy}']
    if os.listdir(folder):
        findings.append(f'left: {os.listdir(folder)}')
    long = c.run('dis', path, '--hlsl-compiler', f': {"x" * 9000}; sh {compiler()}', env=env)
    # A reader that went away ends the compiler, as it ends other programs.
    piped = c.run('dis', path, '--hlsl-compiler', f'kill -PIPE $$; sh {compiler()}', env=env)
    if (long.returncode, long.stdout) != (c.YES, want) or piped.returncode != c.NO:
        findings.append(f'{long} {piped}')
    return findings


def installed():
    """vkd3d-compiler is asked what it reads, and called with its options."""
    findings, path, folder = [], c.write('effect.hlsl', TEXT), c.path('bin')
    os.makedirs(folder, exist_ok=True)
    env = {'PATH': folder + ':/usr/bin:/bin'}

    def install(types, version='1.9'):
        program = os.path.join(folder, 'vkd3d-compiler')
        with open(program, 'w', encoding='utf-8') as file:
            file.write(f'#!/bin/sh\nif [ "$1" = --print-source-types ]; then printf "Supported source types:\\n{types}"; exit 0; fi\n'
                       f'echo "$*" | sed "s#/tmp[^ ]*/##g; s#{c.FOLDER.name}[^ ]*/##g" > {c.path("log")}\nwhile [ "$1" != -o ]; do shift; done\ncp {prepared()} "$2"\n')
        os.chmod(program, 0o755)
    install('  dxbc-tpf  A Tokenized Program\\n     that is no hlsl\\n')
    findings += c.exit_is(c.UNSUPPORTED, 'dis', path, env=env, out='',
                          err=f'{path} is HLSL: the vkd3d-compiler that is installed does not read that, version 1.3 or later does; --hlsl-compiler CMD names another compiler')
    install('  dxbc-tpf  A Tokenized Program\\n  hlsl     High level\\n')
    log()
    findings += c.exit_is(c.YES, 'dis', path, '--entry', 'shade', env=env, out='add o0.xyzw, v0.xyzw, v0.xyzw')
    have = log()
    if have != '-x hlsl -b dxbc-tpf -p ps_5_0 -e shade -o out.dxbc in.hlsl\n':
        findings.append(f'called with {have}')
    return findings


tap.run([('every verb', every_verb), ('which files', which_files), ('profiles', profiles), ('scenes', scenes), ('refused', refused), ('apart', apart), ('installed', installed)])
