#!/usr/bin/env python3
"""Shader tests with hull, domain and geometry shaders: which pixels they reach, what is refused, what reports name."""
import command as c
import tap

VERTEX = '[vertex shader tgsi]\nVERT\nDCL IN[0]\nDCL OUT[0], POSITION\nMOV OUT[0], IN[0]\nEND\n'
# Level 1 for all edges, and CONST[0].x inside.
HULL = ('[hull shader tgsi]\nTESS_CTRL\nPROPERTY TCS_VERTICES_OUT 3\nDCL IN[][0], POSITION\nDCL SV[0], INVOCATIONID\nDCL OUT[][0], POSITION\n'
        'DCL OUT[1], TESSOUTER\nDCL OUT[2], TESSINNER\nDCL OUT[3], PATCH[0]\nDCL CONST[0..1]\nDCL ADDR[0]\nDCL TEMP[0]\nIMM[0] FLT32 {1.0, 1.0, 1.0, 1.0}\n'
        'UARL ADDR[0].x, SV[0].xxxx\nMOV OUT[ADDR[0].x][0], IN[ADDR[0].x][0]\nMOV OUT[1], IMM[0]\nMOV OUT[2], CONST[0].xxxx\nMOV OUT[3], CONST[1]\nEND\n')
DOMAIN = ('[domain shader tgsi]\nTESS_EVAL\nPROPERTY TES_PRIM_MODE 4\nPROPERTY TES_SPACING 2\nDCL IN[][0], POSITION\nDCL IN[1], PATCH[0]\nDCL SV[0], TESSCOORD\n'
          'DCL OUT[0], POSITION\nDCL OUT[1], GENERIC[0]\nDCL TEMP[0]\nMUL TEMP[0], SV[0].xxxx, IN[0][0]\nMAD TEMP[0], SV[0].yyyy, IN[1][0], TEMP[0]\n'
          'MAD OUT[0], SV[0].zzzz, IN[2][0], TEMP[0]\nMOV OUT[1], IN[1]\nEND\n')
# The corners of each triangle as points.
GEOMETRY = ('[geometry shader tgsi]\nGEOM\nPROPERTY GS_INPUT_PRIMITIVE TRIANGLES\nPROPERTY GS_OUTPUT_PRIMITIVE POINTS\nPROPERTY GS_MAX_OUTPUT_VERTICES 3\n'
            'DCL IN[][0], POSITION\nDCL OUT[0], POSITION\nDCL OUT[1], GENERIC[0]\nIMM[0] UINT32 {0, 0, 0, 0}\nIMM[1] FLT32 {5.0, 6.0, 7.0, 8.0}\n' +
            ''.join(f'MOV OUT[0], IN[{v}][0]\nMOV OUT[1], IMM[1]\nEMIT IMM[0].xxxx\n' for v in range(3)) + 'END\n')
PIXEL = '[pixel shader tgsi]\nFRAG\nDCL IN[0], GENERIC[0], LINEAR\nDCL OUT[0], COLOR\nMOV OUT[0], IN[0]\nEND\n'
# A triangle over the lower left half of 8 x 8 pixels, its corners on centres.
LAYOUT = ('[rtv 0]\nformat r32g32b32a32-float\nsize (2d, 8, 8)\n[input layout]\n0 r32g32b32a32-float POSITION\n[vb 0]\n'
          '-0.875 0.875 0.0 1.0\n-0.875 -0.875 0.0 1.0\n0.875 -0.875 0.0 1.0\n')
TEST = '[test]\nclear rtv 0 0 0 0 0\nuniform 0 float4 3 0 0 0\nuniform 4 float4 1 2 3 4\n'
DRAW = 'draw 3 control point patch list 3\n'


def gives(script, code, *lines, options=()):
    done = c.run('run', c.write('stages.shader_test', script), *options)
    have = [line.split(':', 1)[1] if line.startswith(c.FOLDER.name) else line for line in done.stdout.decode().splitlines()]
    return [] if (done.returncode, have) == (code, list(lines)) else [f'{script[-200:]!r} gives {done.returncode} {have} {done.stderr.decode()[:200]}']


def tessellation():
    whole = VERTEX + HULL + DOMAIN + PIXEL + LAYOUT + TEST
    inside = 'probe (1, 5) rgba(1, 2, 3, 4)\nprobe (0, 6) rgba(1, 2, 3, 4)\nprobe (5, 1) rgba(0, 0, 0, 0)\n'
    findings = gives(whole + DRAW + inside, c.YES, '3 passed, 0 failed, 0 skipped')
    # A hull shader alone does not do: the levels are the default ones without it.
    return findings + gives(whole.replace(HULL, '') + DRAW + inside.replace('1, 2, 3, 4', '0, 0, 0, 1'), c.YES, '3 passed, 0 failed, 0 skipped')


def geometry():
    points = 'probe (0, 0) rgba(5, 6, 7, 8)\nprobe (0, 7) rgba(5, 6, 7, 8)\nprobe (7, 7) rgba(5, 6, 7, 8)\nprobe (1, 5) rgba(0, 0, 0, 0)\n'
    findings = gives(VERTEX + GEOMETRY + PIXEL + LAYOUT + TEST + 'draw triangle list 3\n' + points, c.YES, '4 passed, 0 failed, 0 skipped')
    return findings + gives(VERTEX + HULL + DOMAIN + GEOMETRY + PIXEL + LAYOUT + TEST.replace('float4 3', 'float4 1') + DRAW + points, c.YES, '4 passed, 0 failed, 0 skipped')


def refusals():
    probe = 'probe (0, 0) rgba(0, 0, 0, 0)\n'

    def skipped(sections, draw, why):
        script = sections + LAYOUT + TEST + draw + probe
        return gives(script, c.YES, f'{script.count(chr(10))}: skipped: {why}', '0 passed, 0 failed, 1 skipped')
    return skipped(VERTEX + PIXEL, DRAW, 'patches have no domain shader') + \
        skipped(VERTEX + HULL + DOMAIN + PIXEL, 'draw triangle list 3\n', 'a domain shader takes patches alone') + \
        skipped(VERTEX + HULL + PIXEL, 'draw triangle list 3\n', 'cannot be drawn: error 6310: a tessellation control shader without an evaluation shader') + \
        ([] if all(c.run('run', c.write('patches.shader_test', LAYOUT + TEST + f'draw {number} control point patch list 3\n')).returncode == c.NO
                   for number in ('0', '33')) else ['patches of 0 or 33 vertices'])


def reports():
    findings = []
    for stage, section in (('hull', HULL), ('domain', DOMAIN)):
        looping = section.replace('END\n', 'BGNLOOP\nADD TEMP[0], TEMP[0], TEMP[0]\nENDLOOP\nEND\n')
        script = (VERTEX + HULL + DOMAIN).replace(section, looping) + PIXEL + LAYOUT + TEST + DRAW + 'probe (0, 0) rgba(0, 0, 0, 0)\n'
        done = c.run('run', c.write('loop.shader_test', script), '--budget', '1000')
        if done.returncode != c.NO or f'of the {stage} shader' not in done.stdout.decode():
            findings.append(f'{stage}: {done.returncode} {done.stdout.decode()[:300]}')
    return findings


tap.run([('tessellation', tessellation), ('geometry', geometry), ('refusals', refusals), ('reports', reports)])
