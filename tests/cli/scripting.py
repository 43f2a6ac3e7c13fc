"""Running scripts of shader tests: what they print, and pieces of scripts. Holds no check."""
import re

import command as c

COLOR = '''[pixel shader tgsi]
FRAG
DCL OUT[0], COLOR
DCL CONST[0]
  0: MOV OUT[0], CONST[0]
  1: END
'''
D3D = '''ps_5_0
.output
.param SV_Target.xyzw, o0.xyzw, float, TARGET
.text
dcl_output o0.xyzw
mov o0.xyzw, l(1.0, 2.0, 3.0, 4.0)
ret
'''


def run(text, *options):
    """Exit code, lines of the output, text of stderr."""
    done = c.run('run', *options, c.write('script.shader_test', text))
    lines = [re.sub(r'^\S*script\.shader_test:', '', line) for line in done.stdout.decode().splitlines()]
    return done.returncode, lines, done.stderr.decode()


def gives(text, code, *lines, options=()):
    """Findings: the exit code, and all lines of the output."""
    have = run(text, *options)
    return [] if (have[0], have[1]) == (code, list(lines)) else [f'{text[-160:]!r} gives {have}, not {code} {lines}']


def pixel(declarations, body, model='ps_5_0'):
    """A pixel shader with one output, o0."""
    return (f'[pixel shader d3d-asm]\n{model}\n.output\n.param SV_Target.xyzw, o0.xyzw, float, TARGET\n.text\n{declarations}'
            f'dcl_output o0.xyzw\ndcl_temps 3\n{body}ret\n')


FLOATS = '(float,float,float,float)'
