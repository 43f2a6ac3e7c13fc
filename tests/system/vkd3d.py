#!/usr/bin/env python3
"""The installed vkd3d-compiler: it is asked what it reads; where that is HLSL a shader is compiled and run, else the
message names the version."""
import os
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, 'cli'))
import command as c  # noqa: E402
import tap  # noqa: E402


def installed():
    program = shutil.which('vkd3d-compiler')
    if not program:
        raise tap.Skip('no vkd3d-compiler')
    types = subprocess.run([program, '--print-source-types'], stdout=subprocess.PIPE, check=True, timeout=60).stdout.decode()
    effect = c.write('effect.hlsl', 'float4 main(float4 a : TEXCOORD) : SV_Target { return a + a; }\n')
    call = ('eval', effect, '--vectors', '-', '--floats', 'dec')
    if any(line.split()[:1] == ['hlsl'] for line in types.splitlines()):
        return c.exit_is(c.YES, *call, stdin='IN[0]=1.5,0.25,-1.0,0.0\n', out='OUT[0]=3.0,0.5,-2.0,0.0')
    return c.exit_is(c.UNSUPPORTED, *call, stdin='\n', out='', err=f'{effect} is HLSL: the vkd3d-compiler that is installed does not read that, version 1.3 or later does')


tap.run([('the installed compiler', installed)])
