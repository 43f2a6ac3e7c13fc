#!/usr/bin/env python3
"""Scripts of shader tests: what they draw, copy and probe; their errors; damaged scripts; the shared scripts, whose
skips must be on the list below."""
import itertools
import json
import os
import random
import re

import command as c
import tap
from scripting import COLOR, D3D, FLOATS, gives, pixel, run

SCRIPTS = os.path.join(c.EXAMPLES, 'scripts')

def examples():
    findings = []
    for name in sorted(os.listdir(SCRIPTS)):
        for options in (['--width', '4'], ['--width', '8', '--threads', '2'], ['--width', '16']):
            done = c.run('run', *options, os.path.join(SCRIPTS, name))
            if done.returncode or not re.fullmatch(rb'[1-9]\d* passed, 0 failed, 0 skipped\n', done.stdout):
                findings.append(f'{name} {options}: {done.returncode} {done.stdout.decode()} {done.stderr.decode()}')
    return findings


def probes():
    """Types, units in the last place, both zeros, rectangles, wrong places."""
    one = COLOR + '[test]\nuniform 0 float4 1.0 -0.0 -3.5 nan\ndraw quad\n'
    findings = gives(one + 'probe (3, 4) rgba(1.00000012, 0.0, -3.5, nan) 1\n', c.YES, '1 passed, 0 failed, 0 skipped')
    findings += gives(one + 'probe (3, 4) rgba(1.00000024, 0, -3.5) 1\n', c.NO,
                      '10: failed: (3, 4) is (1, -0, -3.5), not (1.00000024, 0, -3.5)', '0 passed, 1 failed, 0 skipped')
    findings += gives(one + 'probe (3, 4) u32 0x3f800000\nprobe (3, 4) i32(1065353217) 1\nprobe (3, 4) u32(0x3f800002) 1\n',
                      c.NO, '12: failed: (3, 4) is (0x3f800000), not (0x3f800002)', '2 passed, 1 failed, 0 skipped')
    findings += gives(one + 'probe (640, 0) f32(1)\nprobe rtv 1 (0, 0) f32(1)\nprobe uav 0 (0) u32(1)\n', c.NO,
                      '10: failed: the resource has no (640, 0) with 1 components',
                      '11: failed: there is no such resource', '12: failed: there is no such resource',
                      '0 passed, 3 failed, 0 skipped')
    findings += gives(one + 'probe (638, 478, 640, 480) f32(1)\nprobe (638, 478, 641, 480) f32(1)\n', c.NO,
                      '11: failed: the resource has no (640, 478) with 1 components', '1 passed, 1 failed, 0 skipped')
    wide = '[uav 0]\nformat r32-typeless\nsize (raw_buffer, 4)\n0x54442d18 0x400921fb 0xfffffffe 0xffffffff\n[test]\n'
    findings += gives(wide + 'probe uav 0 (0) f64(3.141592653589793)\nprobe uav 0 (1) i64(-2)\n'
                      'probe uav 0 (1) u64(0xfffffffffffffffe)\nprobe uav 0 (0) f64(3.1415926535897936) 1\n'
                      'probe uav 0 (2) i64(0)\n', c.NO,
                      '10: failed: the resource has no (2, 0) with 1 components', '4 passed, 1 failed, 0 skipped')
    return findings


def uniforms():
    """Types and offsets; what was never set is 0x7f7f7f7f; what is behind the last register is 0."""
    shader = COLOR.replace('DCL CONST[0]', 'DCL CONST[0..2]').replace('CONST[0]\n', 'CONST[1]\n')
    far = COLOR.replace('DCL CONST[0]', 'DCL CONST[0..2]').replace('MOV OUT[0], CONST[0]', 'MOV OUT[0], CONST[2]')
    findings = gives(shader + '[test]\nuniform 5 int2 -1 0x10\ndraw quad\nprobe (0, 0) u32(0x7f7f7f7f, 0xffffffff, 16, 0x7f7f7f7f)\n',
                     c.YES, '1 passed, 0 failed, 0 skipped')
    findings += gives(shader + '[test]\nuniform 4 double 1.5\nuniform 6 int64_t -2\ndraw quad\n'
                      'probe (0, 0) u32(0, 0x3ff80000, 0xfffffffe, 0xffffffff)\n', c.YES, '1 passed, 0 failed, 0 skipped')
    findings += gives(far + '[test]\nuniform 4 uint4 1 2 3 4\ndraw quad\nprobe (0, 0) u32(0, 0, 0, 0)\n', c.YES,
                      '1 passed, 0 failed, 0 skipped')
    return findings


def counters():
    """A view of structures has a counter that begins at 0, lasts, and begins anew with a new section."""
    view = '[uav 1]\nstride 4\nsize (buffer, 4)\n9 9 9 9\n'
    text = view + """[compute shader d3d-asm]
cs_5_0
dcl_globalFlags refactoringAllowed
dcl_uav_structured_opc u1, 4
dcl_temps 1
dcl_thread_group 1, 1, 1
imm_atomic_alloc r0.x, u1
store_structured u1.x, r0.x, l(0), r0.x
ret
"""
    def words(*values):
        return ''.join(f'probe uav 1 ({i}) u32({value})\n' for i, value in enumerate(values))
    text += '[test]\ndispatch 2 1 1\n' + words(0, 1, 9, 9) + 'dispatch 1 1 1\n' + words(0, 1, 2, 9)
    text += view + '[test]\ndispatch 1 1 1\n' + words(0, 9, 9, 9)
    return gives(text, c.YES, '12 passed, 0 failed, 0 skipped')


def targets():
    """Clears, copies, several render targets and their formats; what a skipped draw leaves is not known."""
    two = ('[rtv 0]\nformat r32-sint\nsize (2d, 3, 3)\n[rtv 2]\nformat r32g32-float\nsize (2d, 3, 3)\n[pixel shader tgsi]\nFRAG\n'
           'DCL OUT[0], COLOR\nDCL OUT[1], COLOR[2]\nDCL CONST[0]\nMOV OUT[0], CONST[0]\nMOV OUT[1], CONST[0].wzyx\nEND\n')
    findings = gives(two + '[test]\nclear rtv 0 -7.9 0 0 0\nprobe (2, 2) i32(-7)\nuniform 0 uint4 1 2 0x3f800000 0x40000000\n'
                     'draw quad\nprobe (2, 2) i32(1)\nprobe rtv 2 (2, 2) f32(2.0, 1.0)\n', c.YES, '3 passed, 0 failed, 0 skipped')
    # rgba and f32 are words as floats, of integers, too; the report says what is there.
    findings += gives(two + '[test]\nclear rtv 0 7 0 0 0\nprobe (2, 2) rgba(7)\nprobe (2, 2) f32(8)\nprobe (2, 2) f32(0x7p-149)\nprobe (2, 2) u32(8)\n', c.NO,
                      '17: failed: (2, 2) is (9.80908925e-45), not (7); the integers there are (7): probe i32', '18: failed: (2, 2) is (9.80908925e-45), not (8); the integers there are (7): probe i32',
                      '20: failed: (2, 2) is (0x7), not (0x8)', '1 passed, 3 failed, 0 skipped')
    codes = '[rtv 0]\nformat r8g8b8a8-uint\nsize (2d, 3, 3)\n[test]\nclear rtv 0 1 2 3 255\nprobe (2, 2) rgba(1, 2, 3, 255)\n'
    findings += gives(codes, c.NO, '6: failed: (2, 2) is (1.40129846e-45, 2.80259693e-45, 4.20389539e-45, 3.57331108e-43), not (1, 2, 3, 255); the integers there are (1, 2, 3, 255): probe u32', '0 passed, 1 failed, 0 skipped')
    copy = (COLOR + '[srv 1]\nsize (2d, 640, 480)\n[test]\nuniform 0 float4 5 6 7 8\ndraw quad\ncopy rtv 0 srv 1\n'
            '[pixel shader tgsi]\nFRAG\nDCL OUT[0], COLOR\nDCL CONST[0]\nDCL SAMP[1]\nDCL SVIEW[1], 2D, FLOAT\n'
            'TXF OUT[0], CONST[0], SAMP[1], 2D\nEND\n[test]\nuniform 0 int4 639 479 0 0\ndraw quad\nprobe (1, 1) rgba(5, 6, 7, 8)\n')
    findings += gives(copy, c.YES, '1 passed, 0 failed, 0 skipped')
    findings += gives(COLOR + '[test]\nuniform 0 float4 0 0 0 0\ndraw 3 control point patch list 3\nprobe (0, 0) rgba(1, 0, 0, 0)\n'
                      'draw quad\nprobe (0, 0) rgba(0, 0, 0, 0)\nfog exp ortho 2.0\ndraw quad\nprobe (0, 0) f32(1)\n'
                      'clear rtv 0 1 1 1 1\nprobe (0, 0) f32(1)\n', c.YES,
                      '10: skipped: patches have no domain shader',
                      '15: skipped: state that is not executed: fog exp ortho 2.0', '2 passed, 0 failed, 2 skipped')
    samples = COLOR + '[rtv 0]\nsize (2dms, 4, 6, 6)\n[test]\nuniform 0 float4 8 16 1 2\nclear rtv 0 0 0 0 4\nsample mask 0x16\ndraw quad\n'
    findings += gives(samples + 'probe (5, 5) rgba(4, 8, 0.5, 3)\n[test]\nuniform 0 float4 8 16 1 3\ndraw quad\n'
                      'probe (0, 0) rgba(8, 16, 1, 3)\n', c.YES, '2 passed, 0 failed, 0 skipped')
    depth = ('[dsv]\nsize (2d, 9, 9)\n[rtv 0]\nsize (2d, 9, 9)\n[pixel shader tgsi]\nFRAG\nEARLYDCL OUT[0], COLOR\n'
             'DCL OUT[1], POSITION\nDCL CONST[0]\nMOV OUT[0], CONST[0]\nMOV OUT[1].z, CONST[0].xxxx\nEND\n[test]\nclear dsv 0.5\n'
             'clear rtv 0 9 9 9 9\nuniform 0 float4 0.25 0 0 0\nFUNCTIONdraw quad\n')
    for function, color, value in (('greater', 9, 0.5), ('less', 0.25, 0.25), ('equal', 9, 0.5), ('not equal', 0.25, 0.25),
                                   ('less equal', 0.25, 0.25), ('greater equal', 9, 0.5), ('never', 9, 0.5), ('always', 0.25, 0.25)):
        text = depth.replace('EARLY', '').replace('FUNCTION', f'depth {function}\n')
        findings += gives(text + f'probe (8, 8) f32({color})\nprobe dsv (8, 8) f32({value})\n', c.YES, '2 passed, 0 failed, 0 skipped')
    early = depth.replace('EARLY', 'PROPERTY FS_EARLY_DEPTH_STENCIL 1\n').replace('FUNCTION', 'depth less\n')
    findings += gives(early + 'probe (8, 8) f32(0.25)\nprobe dsv (8, 8) f32(0)\ndraw quad\n'
                      'uniform 0 float 3\ndraw quad\nprobe (8, 8) f32(0.25)\n', c.YES, '3 passed, 0 failed, 0 skipped')
    findings += gives(depth.replace('EARLY', '').replace('FUNCTION', '') + 'probe (8, 8) f32(0.25)\n', c.YES,
                      '1 passed, 0 failed, 0 skipped')
    sample = ('[rtv 0]\nformat r32-float\nsize (2dms, 8, 2, 2)\n[pixel shader tgsi]\nFRAG\nDCL SV[0], SAMPLEID\nDCL OUT[0], COLOR\n'
              'U2F OUT[0], SV[0].xxxx\nEND\n[test]\ndraw quad\nprobe (1, 1) f32(3.5)\n')
    findings += gives(sample, c.YES, '1 passed, 0 failed, 0 skipped')
    return findings


def centroids():
    """Programs that run for each sample: Direct3D's centroids are of all that is covered of a pixel (D3D 3.5.5), whichever
    sample asks; TGSI's inputs, and what INTERP_CENTROID gives, are at the sample."""
    head = ('[rtv 0]\nformat r32g32b32a32-float\nsize (2dms, 4, 8, 6)\n[vertex shader tgsi]\nVERT\nDCL SV[0], VERTEXID\n'
            'DCL OUT[0], POSITION\nDCL OUT[1], GENERIC[1]\nDCL TEMP[0]\nIMM[0] FLT32 { -0.9375, 3.0, 1.0, -3.0 }\n'
            'IMM[1] UINT32 { 1, 2, 0, 0 }\nIMM[2] FLT32 { 4.0, 4.0, 0.0, 1.0 }\n'
            'USEQ TEMP[0].x, SV[0].xxxx, IMM[1].xxxx\nUCMP TEMP[0].x, TEMP[0].xxxx, IMM[0].yyyy, IMM[0].xxxx\n'
            'USEQ TEMP[0].y, SV[0].xxxx, IMM[1].yyyy\nUCMP TEMP[0].y, TEMP[0].yyyy, IMM[0].wwww, IMM[0].zzzz\n'
            'MOV OUT[0], IMM[2].zzzw\nMOV OUT[0].xy, TEMP[0].xyyy\nMAD OUT[1], TEMP[0].xxxx, IMM[2].xxxx, IMM[2].xxxx\nEND\n')
    d3d = ('[pixel shader d3d-asm]\nps_5_0\ndcl_globalFlags refactoringAllowed\n'
           'dcl_input_ps_siv linear noperspective centroid v0.xy, position\ndcl_input_ps linear noperspective centroid v1.xy\n'
           'dcl_input_ps_sgv constant v2.x, sampleIndex\ndcl_output o0.xyzw\ndcl_temps 1\nutof r0.x, v2.x\n'
           'mul r0.x, r0.x, l(0.0)\nadd o0.xy, v0.xyxx, r0.xxxx\nmov o0.z, v1.x\neval_centroid r0.x, v1.x\nmov o0.w, r0.x\nret\n')
    tgsi = ('[pixel shader tgsi]\nFRAG\nDCL IN[0], GENERIC[1], LINEAR, CENTROID\nDCL SV[0], SAMPLEID\nDCL OUT[0], COLOR\n'
            'DCL TEMP[0..1]\nU2F TEMP[0].x, SV[0].xxxx\nMUL TEMP[0].x, TEMP[0].xxxx, IMM[0].xxxx\nIMM[0] FLT32 { 0.0, 0.0, 0.0, 0.0 }\n'
            'INTERP_CENTROID TEMP[1].x, IN[0]\nADD OUT[0].xz, IN[0].xxxx, TEMP[0].xxxx\nMOV OUT[0].y, IN[0].yyyy\n'
            'MOV OUT[0].w, TEMP[1].xxxx\nEND\n')
    draw = '[test]\nclear rtv 0 0 0 0 0\ndraw triangle list 3\n'
    # Of the first column's samples the third (-6/16, 2/16) is left of the edge at 1/4 pixel; the first is (-2/16, -6/16).
    findings = gives(head + d3d + draw + 'probe (0, 0) rgba(0.28125, 0.09375, 0.28125, 0.28125)\n'
                     'probe (0, 5) rgba(0.28125, 3.84375, 0.28125, 0.28125)\nprobe (1, 0) rgba(1.5, 0.5, 1.5, 1.5) 1\n'
                     'probe (7, 5) rgba(7.5, 5.5, 7.5, 7.5) 1\n', c.YES, '4 passed, 0 failed, 0 skipped')
    return findings + gives(head + tgsi + draw + 'probe (0, 0) rgba(0.46875, 0.46875, 0.46875, 0.46875)\nprobe (7, 5) f32(7.5) 1\n',
                            c.YES, '2 passed, 0 failed, 0 skipped')


def lines_and_cubes():
    """1-D textures, arrays of them, arrays of cubes: number after number, layer by layer, each with its levels."""
    shader = pixel(f'dcl_sampler s0, mode_default\ndcl_resource_texture1d {FLOATS} t0\ndcl_resource_texture1darray {FLOATS} t1\n'
                   f'dcl_resource_texturecubearray {FLOATS} t2\n',
                   'ld o0.x, l(2, 0, 0, 0), t0.xyzw\nld o0.y, l(1, 0, 0, 1), t0.xxxx\nld o0.z, l(1, 1, 0, 0), t1.xxxx\n'
                   'sample_l o0.w, l(0, 0, 1.0, 1.0), t2.xxxx, s0, l(0.0)\n')
    textures = ('[srv 0]\nformat r32-float\nsize (1d, 4)\nlevels 2\n10 11 12 13 20 21\n'
                '[srv 1]\nformat r32-float\nsize (1darray, 2, 2)\nlevels 2\n30 31 32 40 41 42\n'
                '[srv 2]\nformat r32-float\nsize (cubearray, 1, 2)\n0 1 2 3 4 5 6 7 8 9 10 11\n[sampler 0]\nfilter point point point\n')
    store = ('[compute shader d3d-asm]\ncs_5_0\ndcl_uav_typed_texture1darray (uint,uint,uint,uint) u0\ndcl_thread_group 1, 1, 1\n'
             'store_uav_typed u0.xyzw, l(1, 2, 0, 0), l(7, 7, 7, 7)\nret\n[uav 0]\nformat r32-uint\nsize (1darray, 2, 3)\n'
             '1 2 3 4 5 6\n[test]\ndispatch 1 1 1\nprobe uav 0 (1, 0, 2) u32(7)\nprobe uav 0 (0, 0, 2) u32(5)\nprobe uav 0 (1, 0, 1) u32(4)\n')
    return (gives(shader + textures + '[test]\ndraw quad\nprobe (3, 4) rgba(12, 21, 41, 10)\n', c.YES,
                  '1 passed, 0 failed, 0 skipped') + gives(store, c.YES, '3 passed, 0 failed, 0 skipped'))


def levels_of_samplers():
    """lod bias and lod clamp; the level of a lookup without them is 0."""
    shader = pixel(f'dcl_sampler s0, mode_default\ndcl_resource_texture1d {FLOATS} t0\n'
                   'dcl_input_ps_siv linear noperspective v0.xy, position\n',
                   'mul r0.x, v0.x, l(0.25)\nsample o0.xyzw, r0.xxxx, t0.xxxx, s0\n')
    texture = '[srv 0]\nformat r32-float\nsize (1d, 4)\nlevels 3\n100 100 100 100 200 200 300\n'
    findings = []
    for lines, level in (('', 100), ('lod bias 1.0\n', 200), ('lod clamp 2 2\n', 300), ('lod bias 1\nlod clamp 0 0\n', 100),
                         ('lod bias -3\nlod clamp 1.0 5\n', 200), ('lod bias 9\n', 300), ('lod bias 9\nlod clamp -1 1\n', 200)):
        text = shader + texture + '[sampler 0]\nfilter point point point\naddress wrap wrap wrap\n' + lines
        findings += gives(text + f'[test]\ndraw quad\nprobe (4, 4, 8, 8) f32({level})\n', c.YES, '1 passed, 0 failed, 0 skipped')
    return findings


def other_formats():
    """Formats of the tables: numbers are words of the bytes; probes and clears mean what they hold."""
    shader = pixel(f'dcl_resource_texture2d {FLOATS} t0\ndcl_resource_texture2d {FLOATS} t1\ndcl_resource_buffer (uint,uint,uint,uint) t2\n'
                   f'dcl_resource_texture2darray {FLOATS} t3\n',
                   'ld r0.xyzw, l(1, 0, 0, 0), t0.xyzw\nld r1.x, l(3, 0, 0, 0), t1.xyzw\nld r1.y, l(1, 0, 0, 0), t2.yyyy\n'
                   'ld r1.z, l(0, 0, 1, 1), t3.xxxx\nutof r1.y, r1.y\nmov o0.x, r0.x\nmov o0.yzw, r1.xxyz\n')
    textures = ('[srv 0]\nformat r8g8b8a8-unorm\nsize (2d, 2, 1)\n0xffffffff 0x00000033\n'
                '[srv 1]\nformat r8g8-b8g8-unorm\nsize (2d, 4, 1)\n0 0x000000ff\n'
                '[srv 2]\nformat R8G8_UINT\nsize (buffer, 3)\noffset 1\n0x04030201 0x00000605\n'
                '[srv 3]\nformat r8-unorm\nsize (2darray, 2, 1, 2)\nlevels 2\n0x66000000 0x0000ff00\n')
    wanted = '0.2, 1.0, 6.0, 1.0'  # 51 / 255; the second pair is red; elements 1 and 2 are 3, 4 and 5, 6; layer 1, level 1: byte 5
    target = '[rtv 0]\nformat r8g8b8a8-unorm\nsize (2d, 4, 4)\n0x04030201\n'
    findings = gives(shader + textures + f'[test]\ndraw quad\nprobe (1, 1) rgba({wanted}) 1\n', c.YES,
                     '1 passed, 0 failed, 0 skipped')
    findings += gives(COLOR + target + '[test]\nprobe rtv 0 (0, 0) rgba(0.003921569, 0.007843138, 0.011764706, 0.015686275) 1\n'
                      'uniform 0 float4 0.2 2.0 -1.0 0.5\ndraw quad\nprobe (1, 1, 3, 3) rgba(0.2, 1.0, 0.0, 0.5019608) 1\n'
                      'clear rtv 0 1.0 0.0 0.4 0.6\nprobe (3, 3) rgba(1.0, 0.0, 0.4, 0.6) 1\nprobe (4, 0) rgba(0, 0, 0, 0)\n', c.NO,
                      '18: failed: the resource has no (4, 0) with 4 components', '3 passed, 1 failed, 0 skipped')
    # A target with samples, and depth of 24 bits.
    samples = (COLOR + '[rtv 0]\nformat r16-unorm\nsize (2dms, 4, 2, 2)\n[dsv]\nformat z24-unorm-s8-uint\nsize (2dms, 4, 2, 2)\n'
               '[test]\nclear dsv 0.5\nclear rtv 0 1 0 0 0\nuniform 0 float 0.2\nsample mask 3\ndepth always\ndraw quad\nprobe (0, 0) f32(0.6)\n'
               'probe dsv (1, 1) f32(0.25) 4\n')
    findings += gives(samples, c.YES, '2 passed, 0 failed, 0 skipped')
    integers = ('[compute shader d3d-asm]\ncs_5_0\ndcl_uav_typed_texture2d (sint,sint,sint,sint) u0\ndcl_thread_group 1, 1, 1\n'
                'store_uav_typed u0.xyzw, l(1, 0, 0, 0), l(-5, 300, 0, 0)\nret\n[uav 0]\nformat r16g16-sint\nsize (2d, 2, 1)\n'
                '0xffff0001 0\n[rtv 1]\nformat r8-sint\nsize (2d, 1, 1)\n[test]\ndispatch 1 1 1\nprobe uav 0 (1, 0) i32(-5, 300)\n'
                'probe uav 0 (0, 0) i32(1, -1, 0, 1)\nclear rtv 1 -3.5 0 0 0\nprobe rtv 1 (0, 0) i32(-3)\nprobe uav 0 (0, 0) f64(1)\n')
    findings += gives(integers, c.NO, '20: failed: the resource has no (0, 0) with 1 components', '3 passed, 1 failed, 0 skipped')
    # What could not be made is not read back after draws.
    unmade = COLOR + '[rtv 0]\nformat r8g8b8a8-unorm\nsize (2d, 1, 1)\n1 2\n[test]\ndraw quad\nprobe (0, 0) rgba(0, 0, 0, 0)\n'
    findings += gives(unmade, c.NO, '7: failed: the resource cannot be made: more numbers follow than the resource holds',
                      '13: skipped: cannot be drawn: error 6300: resource is NULL', '0 passed, 1 failed, 1 skipped')
    many = '[srv 0]\nformat r8-unorm\nsize (2d, 5, 1)\n1 2 3\n[rtv 0]\nformat dxt1-rgb\nsize (2d, 4, 4)\n'
    return findings + gives(many, c.NO, '1: failed: the resource cannot be made: more numbers follow than the resource holds',
                            '5: failed: the resource cannot be made: ' + UNSUPPORTED, '0 passed, 2 failed, 0 skipped')


UNSUPPORTED = 'not supported'


def every_format():
    """A texture of each format of the tables; those that the library has no textures of are said."""
    names = [line.split()[0] for line in c.run('list', 'formats').stdout.decode().splitlines()]
    text = ''.join(f'[srv 0]\nformat {name.lower().replace("_", "-")}\nsize (2d, 24, 24)\n' for name in names if name != 'NONE')
    code, lines, err = run(text)
    failed = [names[1:][(int(line.split(':')[0]) - 1) // 3] for line in lines[:-1]]
    return [] if not err and len(names) > 300 and len(names) - len(failed) > 250 else [f'{len(names)} formats: {failed} {err[:300]}']


def cleared(swizzle):
    """What a texel holds after (1, 0, 1, 0): a channel belongs to the first component that reads it."""
    values = {'0': 0, '1': 1, '_': 0}
    for component, channel in zip((1, 0, 1, 0), swizzle):
        values.setdefault(channel, component)
    return [values[channel] for channel in swizzle]


def every_target():
    """Clears of each format that render targets and depth buffers have, with samples too; what others say."""
    findings = []
    for size in ('(2d, 3, 2)', '(2dms, 4, 3, 2)'):
        text, names = '', []
        for line in c.run('list', 'formats').stdout.decode().splitlines():
            name, _, _, swizzle, channels = line.split('\t')[:5]
            if re.match('NONE|S8_UINT$|S8X24|X24S8|X32_S8', name):
                continue
            names.append((name, re.findall(r'[a-z]+(?=\d)', channels), channels))
            values = ', '.join(map(str, cleared(swizzle)))
            wanted = f'i32({values})' if {'up', 'sp'} & set(names[-1][1]) else f'f32({values})'
            if re.match('Z|S8_|X8Z', name) and '_AS_' not in name:
                text += f'[dsv]\nformat {name}\nsize {size}\n[test]\nclear dsv 1\nprobe dsv (0, 0, 3, 2) f32(1)\n'
            else:
                text += f'[rtv 3]\nformat {name}\nsize {size}\n[test]\nclear rtv 3 1 0 1 0\nprobe rtv 3 (0, 0, 3, 2) {wanted}\n'
        code, lines, err = run(text)
        refused = set()
        for line in lines[:-1]:
            name, kinds, channels = names[(int(line.split(':')[0]) - 1) // 6]
            refused.add(name)
            if 'the resource cannot be made: not supported' not in line or not unrendered(name, kinds, channels):
                findings.append(f'{size} {name}: {line}')
        findings += [] if not err and len(names) - len(refused) == 250 else [f'{size}: {len(names)} formats, {len(refused)} refused: {err[:300]}']
    return findings


def unrendered(name, kinds, channels):
    """Blocks and planes, pairs of texels, scaled and fixed channels, 64 bits, a channel that is not stored."""
    return (set(kinds) <= {'x'} or set(kinds) & {'u', 's', 'h'} or '64' in channels or name == 'R8G8Bx_SNORM' or
            re.match(r'\w+_420_', name))


def constant_buffers():
    shader = pixel('dcl_constantbuffer CB0[1], immediateIndexed\ndcl_constantbuffer CB3[2], immediateIndexed\n'
                   'dcl_constantbuffer CB13[1], immediateIndexed\n',
                   'mov o0.x, cb0[0].y\nmov o0.y, cb3[1].x\nmov o0.z, cb13[0].w\nmov o0.w, cb3[0].x\n')
    lines = '[test]\nuniform 1 float 5.0\nuniform cb 3 4 float4 6 0 0 0\nuniform cb 13 3 int 7\ndraw quad\n'
    return gives(shader + lines + 'probe (0, 0) u32(0x40a00000, 0x40c00000, 7, 0x7f7f7f7f)\n', c.YES, '1 passed, 0 failed, 0 skipped')


def buffer_offsets():
    """What shaders see of a buffer begins with an element; probes count all of it."""
    shader = ('[compute shader d3d-asm]\ncs_5_0\ndcl_resource_raw t0\ndcl_resource_structured t1, 8\n'
              'dcl_resource_buffer (uint,uint,uint,uint) t2\ndcl_uav_raw u0\ndcl_uav_structured u1, 8\n'
              'dcl_uav_typed_buffer (uint,uint,uint,uint) u2\ndcl_temps 2\ndcl_thread_group 1, 1, 1\n'
              'ld_raw r0.x, l(4), t0.xxxx\nld_structured r0.y, l(1), l(4), t1.xxxx\nld r0.z, l(0, 0, 0, 0), t2.xxxx\n'
              'bufinfo r0.w, t1.xxxx\nstore_raw u0.xyzw, l(0), r0.xyzw\nstore_structured u1.x, l(0), l(0), r0.y\n'
              'store_uav_typed u2.xyzw, l(1, 0, 0, 0), r0.zzzz\nbufinfo r1.x, u2.xxxx\nstore_raw u0.x, l(16), r1.x\nret\n')
    memory = ('[srv 0]\nformat r32-typeless\nsize (raw_buffer, 4)\noffset 2\n1 2 3 4\n'
              '[srv 1]\nstride 8\nformat unknown\nsize (buffer, 3)\noffset 1\n10 11 12 13 14 15\n'
              '[srv 2]\nformat r32-uint\nsize (buffer, 3)\noffset 2\n20 21 22\n'
              '[uav 0]\nformat r32-typeless\nsize (raw_buffer, 8)\noffset 1\n9 9 9 9 9 9 9 9\n'
              '[uav 1]\nstride 8\nformat unknown\nsize (buffer, 2)\noffset 1\n1 2 3 4\n'
              '[uav 2]\nformat r32-uint\nsize (buffer, 5)\noffset 3\n1 2 3 4 5\n')
    probes_of = ('probe uav 0 (0) u32(9)\nprobe uav 0 (1) u32(4)\nprobe uav 0 (2) u32(15)\nprobe uav 0 (3) u32(22)\n'
                 'probe uav 0 (4) u32(2)\nprobe uav 0 (5) u32(2)\nprobe uav 0 (6) u32(9)\nprobe uav 1 (0) u32(1)\n'
                 'probe uav 1 (2) u32(15)\nprobe uav 1 (3) u32(4)\nprobe uav 2 (2) u32(3)\nprobe uav 2 (3) u32(4)\nprobe uav 2 (4) u32(22)\n')
    findings = []
    for options in ([], ['--width', '4'], ['--engine', 'both'] if c.compiles() else []):
        findings += gives(shader + memory + '[test]\ndispatch 1 1 1\n' + probes_of, c.YES, '13 passed, 0 failed, 0 skipped',
                          options=options)
    return findings


def what_is_not_understood():
    wrong = [('[sampler 0]\nlod 1 2\n', '1181', 'lod is followed by bias or clamp'),
             ('[sampler 0]\nlod bias nan\n', '1182', 'a number follows lod bias'),
             ('[sampler 0]\nlod clamp 1\n', '1182', 'the least and the greatest level'),
             ('[sampler 0]\nbias 1\n', '1181', 'expected filter, address, comparison or lod'),
             ('[srv 0]\nformat r9-unorm\nsize (2d, 1, 1)\n', '1184', 'no format that scripts have'),
             ('[srv 0]\nformat r32-float\nsize (1d, 2, 2)\n', '1181', ') ends a size'),
             ('[srv 0]\nformat r32-float\nsize (1darray, 2)\n', '1181', '2 numbers follow 1darray'),
             ('[srv 0]\nformat r32-float\nsize (2darray2, 2)\n', '1184', 'no shape that scripts have'),
             ('[srv 0]\nformat r32-float\nsize (2d, 2, 2)\noffset 1\n', '1184', 'offset is an element of a buffer'),
             ('[uav 0]\nformat r32-float\nsize (buffer, 2)\noffset 2\n', '1184', 'offset is an element of a buffer'),
             ('[uav 0]\nformat r32-float\nsize (buffer, 2)\noffset x\n', '1182', 'an element follows offset'),
             ('[uav 0]\nformat r8-uint\nsize (raw_buffer, 2)\n', '1184', 'have 32-bit formats'),
             ('[uav 0]\nformat r8-uint\nsize (buffer, 2)\nstride 8\n', '1184', 'have 32-bit formats'),
             ('[dsv]\nformat r16-unorm\nsize (2d, 2, 2)\n', '1184', 'a depth buffer is of r32-float or a format of depth'),
             ('[dsv]\nformat s8-uint\nsize (2d, 2, 2)\n', '1184', 'a depth buffer is of r32-float or a format of depth'),
             ('[test]\nuniform cb 14 0 float 1\n', '1182', 'constant buffers are 0 to 13'),
             ('[test]\nuniform cb x 0 float 1\n', '1182', 'constant buffers are 0 to 13')]
    findings = []
    for text, number, message in wrong:
        code, lines, err = run(text)
        if code != c.NO or lines or f'error {number}: ' not in err or message not in err:
            findings.append(f'{text!r}: {code} {lines} {err[:200]}')
    return findings


def conditions():
    """[require] chooses the shader model; if, todo and fail have conditions on it; a [require] that is not met skips."""
    one = COLOR + '[test]\nuniform 0 float4 1 2 3 4\ndraw quad\n'
    def holds(condition):
        return f'if({condition}) probe (0, 0) f32(1)\n'
    true = ['sm>=5', 'sm>=5.0 & sm<6', 'sm<4 | sm>=4', '!msl', '!(sm<5) & !mvk<1.2.3', 'sm==5.0', 'glsl | !(vulkan & sm<4)']
    false = ['sm<5', 'msl', 'sm>=5.1', 'sm>=5 & mvk', '!sm>=5', 'mvk<1.2', 'sm>5', 'sm!=5']
    findings = gives(one + ''.join(holds(x) for x in true), c.YES, f'{len(true)} passed, 0 failed, 0 skipped')
    findings += gives(one + ''.join(holds(x) for x in false), c.YES, '0 passed, 0 failed, 0 skipped')
    findings += gives(one + holds('sm<4') + 'if(sm>=4) todo(sm<4) probe (0, 0) f32(2)\n', c.NO,
                      '11: failed: (0, 0) is (1), not (2)', '0 passed, 1 failed, 0 skipped')
    findings += gives(one + 'todo(sm>=4) probe (0, 0) f32(2)\n', c.NO,
                      '10: failed: (0, 0) is (1), not (2) (the script marks it todo or bug)',
                      '0 passed, 1 failed, 0 skipped')
    for require, model in (('shader model < 5.0', '4.1'), ('shader model < 4.1', '4.0'), ('shader model >= 4.1', '5.0')):
        findings += gives(f'[require]\n{require}\n' + one + holds(f'sm=={model}') + holds(f'sm!={model}'), c.YES,
                          '1 passed, 0 failed, 0 skipped')
    findings += gives('[require]\nshader model < 4.0\n' + one + holds('sm>1') * 3 + '[pixel shader fail]\nx\n[require]\n' + one + holds('sm>4'),
                      c.YES, '1: skipped: requires a shader model below 4.0 (4 items)', '1 passed, 0 failed, 4 skipped')
    findings += gives('[require]\nwave-ops\n' + one + holds('sm>1'), c.YES, '1: skipped: requires wave-ops',
                      '0 passed, 0 failed, 1 skipped')
    findings += gives('[require]\nshader model >= 4.1\n' + one + holds('sm>1'), c.YES,
                      '1: skipped: requires shader model 4.1', '0 passed, 0 failed, 1 skipped', options=('--model', '4.0'))
    return findings


def sections():
    """Kinds of shader sections, those that must fail, and those that are no shaders of their stage."""
    probe = '[test]\ndraw quad\nprobe (0, 0) rgba(1, 2, 3, 4)\n'
    asm = '[pixel shader d3d-asm]\n' + D3D
    words = c.path('words.dxbc')
    c.run('asm', c.write('words.asm', D3D), '-o', words)
    data = c.read(words)
    hexadecimal = '[pixel shader dxbc-tpf-hex]\n% words\n' + '\n'.join(
        f'{int.from_bytes(data[i:i + 4], "little"):x} % word {i}' for i in range(0, len(data), 4)) + '\n'
    findings = gives(asm + probe, c.YES, '1 passed, 0 failed, 0 skipped')
    findings += gives(hexadecimal + probe, c.YES, '1 passed, 0 failed, 0 skipped')
    findings += gives('[pixel shader d3d-asm fail(sm>=5)]\nps_5_0\nadd o0\n[pixel shader tgsi fail]\nFRAG\nEND\n', c.NO,
                      '4: failed: the shader is marked fail, but is valid', '1 passed, 1 failed, 0 skipped')
    code, lines, _ = run(asm.replace('ret', 'retx') + probe)
    if code != c.NO or not re.match(r'1: failed: the shader is refused: line 8: error \d+: ', lines[0]) or \
            lines[1:] != ['11: skipped: its pixel shader failed', '0 passed, 1 failed, 1 skipped']:
        findings.append(f'a wrong shader gives {code} {lines}')
    findings += gives('[vertex shader d3d-asm]\n' + D3D, c.NO,
                      '1: failed: the shader is refused: the shader is of another stage than its section',
                      '0 passed, 1 failed, 0 skipped')
    findings += gives('[pixel shader dxbc-tpf-hex]\n123456789\n' + probe, c.NO,
                      '1: failed: the shader is refused: the section is not a list of words in hexadecimal',
                      '5: skipped: its pixel shader failed', '0 passed, 1 failed, 1 skipped')
    findings += gives('[pixel shader]\nfloat4 main()\n' + probe + '[effect]\ntechnique\n', c.YES,
                      '5: skipped: HLSL needs --hlsl-compiler or --compiled', '6: skipped: effects are not read',
                      '0 passed, 0 failed, 2 skipped')
    findings += gives('[geometry shader]\nx\n' + asm + probe, c.YES,
                      '13: skipped: HLSL needs --hlsl-compiler or --compiled', '0 passed, 0 failed, 1 skipped')
    findings += gives('[test]\ndraw quad\nprobe (0, 0) f32(1)\ndispatch 1 1 1\n', c.YES, '3: skipped: there is no pixel shader',
                      '0 passed, 0 failed, 1 skipped')
    return findings


def compilers():
    """HLSL through a command, through a folder, through a folder and a map."""
    program, other = c.path('program.dxbc'), c.path('program.41.dxbc')
    c.run('asm', c.write('program.asm', D3D), '-o', program)
    c.run('asm', c.write('program.asm', D3D.replace('ps_5_0', 'ps_4_1').replace('1.0', '9.0')), '-o', other)
    compiler = c.write('compiler.sh', f'grep -q bad "$2" && exit 1\necho "$@" >> {c.path("calls")}\ncp {program} "$3"\n')
    script = '[pixel shader]\ngood\n[test]\ndraw quad\nprobe (0, 0) rgba(1, 2, 3, 4)\n'
    command = ('--hlsl-compiler', f'sh {compiler}')
    findings = gives(script, c.YES, '1 passed, 0 failed, 0 skipped', options=command)
    calls = open(c.path('calls')).read().split()
    if calls[0] != 'ps_5_0' or len(calls) != 3 or os.path.exists(calls[1]):
        findings.append(f'the compiler was called with {calls}')
    findings += gives(script.replace('good', 'bad'), c.YES, '5: skipped: the HLSL compiler refuses the shader',
                      '0 passed, 0 failed, 1 skipped', options=command)
    findings += gives(script.replace('(1,', '(7,').replace('probe', 'todo probe'), c.YES,
                      '5: skipped: (0, 0) is (1, 2, 3, 4), not (7, 2, 3, 4) (the script marks it todo or bug)',
                      '0 passed, 0 failed, 1 skipped', options=command)
    findings += gives('[pixel shader fail]\nx\n', c.YES, '1: skipped: asks the HLSL compiler, not the engine',
                      '0 passed, 0 failed, 1 skipped', options=command)
    folder = c.path('compiled')
    os.makedirs(folder, exist_ok=True)
    for name, source in (('script.00.ps_5_0', program), ('script.01.ps_4_1', other), ('shared.07.ps_4_1', other)):
        with open(os.path.join(folder, name + '.dxbc'), 'wb') as file:
            file.write(c.read(source))
    nine = script.replace('(1,', '(9,')
    findings += gives(script + COLOR + nine, c.YES, '2 passed, 0 failed, 0 skipped', options=('--compiled', folder))
    findings += gives(script, c.YES, '5: skipped: the HLSL has no compiled program', '0 passed, 0 failed, 1 skipped',
                      options=('--compiled', folder, '--model', '4.1'))
    table = c.write('map.tsv', 'compiled\tsection\tfile_in_st\nps_4_1\tscript.00\tshared.07.ps_4_1\nrefused\tscript.01\t\n')
    findings += gives(nine + nine, c.YES, '10: skipped: the HLSL compiler refuses the shader',
                      '1 passed, 0 failed, 1 skipped', options=('--compiled', folder, '--compiled-map', table))
    findings += gives('[require]\noptions: row-major\n' + script, c.YES, '7: skipped: HLSL with the option row-major',
                      '0 passed, 0 failed, 1 skipped', options=('--compiled', folder))
    return findings


def errors():
    """Each wrong line has a number and a place, several in one run; options that do not go together."""
    wrong = [('[tset]\n', '1:2: error 1180'), ('[test\n', '1:6: error 1180'), ('[test] x\n', '1:8: error 1180'),
             ('[test]\nprobe (0 0) f32(1)\n', '2:10: error 1181'), ('[test]\nprobe (0, 0, 0, 0) f32(1)\n', '2:19: error 1182'),
             ('[test]\nprobe (0, 0) f32(x)\n', '2:18: error 1182'), ('[test]\nprobe (0, 0) f16(1)\n', '2:13: error 1181'),
             ('[test]\nprobe (0, 0) f32(1, 2, 3, 4, 5)\n', 'error 1181'), ('[test]\nprobe rtv 8 (0, 0) f32(1)\n', '2:11: error 1182'),
             ('[test]\nprobe (0, 0) u32(0x100000000)\n', 'error 1182'), ('[test]\nprobe (0, 0) i32(-2147483649)\n', 'error 1182'),
             ('[test]\nif(sm>) draw quad\n', '2:3: error 1183'), ('[test]\nif(' + '(' * 40 + 'sm>4' + ')' * 40 + ') draw quad\n', 'error 1183'),
             ('[test]\ntodo todo todo todo todo draw quad\n', 'error 1183'), ('[test]\ntodo( draw quad\n', 'error 1183'),
             ('[test]\ndraw circle\n', '2:6: error 1181'), ('[test]\ndispatch 1 1\n', 'error 1182'),
             ('[test]\ndispatch 65535 65535 65535\n', 'error 1182'), ('[test]\nuniform 16380 float 1\n', 'error 1182'),
             ('[test]\nuniform 0 half 1\n', 'error 1181'), ('[test]\nuniform 0 float\n', 'error 1182'), ('[test]\ncopy rtv 0\n', 'error 1181'),
             ('[test]\nclear uav 0 1 1 1 1\n', 'error 1181'), ('[test]\nfly\n', '2:1: error 1181'),
             ('[sampler 16]\n', 'error 1182'), ('[sampler 0]\nfilter cubic linear linear\n', 'error 1181'), ('[sampler 0]\naddress clamp\n', 'error 1181'),
             ('[sampler 0]\ncomparison maybe\n', 'error 1181'), ('[require]\nmagic\n', '2:1: error 1181'),
             ('[require]\nshader model 5\n', 'error 1181'), ('[srv 128]\n', 'error 1182'), ('[srv 0]\nformat r8\n', 'error 1184'),
             ('[srv 0]\nsize (2d, 0, 1)\n', 'error 1182'), ('[srv 0]\nsize (2d, 16385, 1)\n', 'error 1182'), ('[srv 0]\nsize (5d, 1)\n', 'error 1184'),
             ('[srv 0]\nsize (2d, 1)\n', 'error 1181'), ('[srv 0]\n1.0\n', '1:1: error 1184'), ('[srv 0]\nsize (2d, 1, 1)\n1 2 3 4 5\n', 'error 1184'),
             ('[srv 0]\nsize (2d, 16384, 16384)\n', 'error 1184'), ('[srv 0]\nsize (2darray, 16384, 16384, 16384)\nlevels 15\n', 'error 1184'),
             ('[srv 0]\nsize (2d, 2, 2)\nlevels 3\n', 'error 1184'), ('[srv 0]\nsize (2dms, 3, 2, 2)\n', 'error 1184'),
             ('[srv 0]\nstride 8\nsize (2d, 2, 2)\n', 'error 1184'), ('[rtv 0]\nsize (buffer, 2)\n', 'error 1184'),
             ('[srv 0]\nformat r32-uint\nsize (2d, 2, 2)\n1.5\n', 'error 1181')]
    findings = []
    for text, place in wrong:
        code, lines, err = run(text)
        if code != c.NO or lines or place not in err:
            findings.append(f'{text!r}: {code} {lines} {err[:200]!r}, not {place}')
    code, _, err = run('[test]\nfly\nrun\ndraw quad\n[sampler 0]\nx\n')
    if code != c.NO or [f':{n}:' in err for n in (2, 3, 4, 6)] != [True, True, False, True]:
        findings.append(f'several errors: {code} {err}')
    script = c.write('script.shader_test', COLOR)
    shader = c.example('gradient')
    large = ''.join(f'[srv {i}]\nsize (2d, 4096, 4096)\n' for i in range(5))
    findings += c.exit_is(c.LIMIT, 'run', c.write('large.shader_test', large), err='out of memory')
    many = COLOR.replace('DCL CONST', 'DCL IN[0..20000], GENERIC[0], CONSTANT\nDCL CONST') + '[test]\nuniform 0 float 1\ndraw quad\nprobe (0, 0) f32(1)\n'
    findings += gives(many, c.YES, '1 passed, 0 failed, 0 skipped')
    findings += c.exit_is(c.USAGE, 'run', script, '-o', c.path('x.png'), err='a script says itself')
    findings += c.exit_is(c.USAGE, 'run', script, '--const', '0:0=1', err='a script says itself')
    findings += c.exit_is(c.USAGE, 'run', script, '--compiled-map', 'x', err='--compiled')
    findings += c.exit_is(c.USAGE, 'run', script, '--model', '6.0', err='--model')
    findings += c.exit_is(c.USAGE, 'run', shader, '-o', c.path('x.png'), '--model', '5.0', err='for scripts')
    findings += c.exit_is(c.IO, 'run', script, '--compiled', 'x', '--compiled-map', c.path('absent'))
    return findings


def budgets():
    endless = '[pixel shader tgsi]\nFRAG\nDCL OUT[0], COLOR\nBGNLOOP\nENDLOOP\nEND\n[test]\ndraw quad\nprobe (7, 9) f32(0)\n'
    return gives(endless, c.NO, '8: failed: the budget ran out at line 5 of the pixel shader', '9: skipped: its draw failed',
                 '0 passed, 1 failed, 1 skipped', options=('--budget', '50'))


def reports():
    """The report as JSON."""
    text = COLOR + '[test]\nuniform 0 float4 1 2 3 4\ndraw quad\nprobe (0, 0) f32(1)\nprobe (0, 0) f32(2)\n[effect "]\n[effect]\nx\n'
    code, lines, _ = run(text.replace('[effect "]\n', ''), '--json')
    data = json.loads('\n'.join(lines))
    wanted = {'schema': 'scheelite-script/1', 'items': [{'line': 11, 'items': 1, 'result': 'failed', 'reason': '(0, 0) is (1), not (2)'},
                        {'line': 12, 'items': 1, 'result': 'skipped', 'reason': 'effects are not read'}],
              'passed': 1, 'failed': 1, 'skipped': 1}
    return [] if (code, data) == (c.NO, wanted) else [f'{code} {data}']


def damaged():
    """Prefixes and flipped bytes of the examples: an answer, never a crash."""
    findings, generator = [], random.Random(7)
    for name in sorted(os.listdir(SCRIPTS)):
        data = c.read(os.path.join(SCRIPTS, name))
        cases = [data[:generator.randrange(len(data))] for _ in range(20)]
        for _ in range(40):
            changed = bytearray(data)
            for _ in range(generator.choice((1, 1, 4))):
                changed[generator.randrange(len(changed))] = generator.randrange(256)
            cases.append(bytes(changed))
        for case in cases:
            done = c.run('run', '--budget', '1000', '-', stdin=case)
            if done.returncode not in (c.YES, c.NO, c.USAGE, c.UNSUPPORTED, c.LIMIT):
                findings.append(f'{name}: exit {done.returncode} for {case!r}')
    return findings


# Why items of the shared scripts are skipped: patterns, and how many at most.
SKIPS = [(r'requires a shader model below [234]\.0', 123),
         (r'requires shader model (5\.1|6\.[0-9])', 529),
         (r'requires fog', 32),
         (r'asks the HLSL compiler, not the engine', 620),
         (r'the HLSL compiler refuses the shader', 99),
         (r'a shader that must not compile', 17),
         (r'HLSL with the option row-major', 3),
         (r'.* \(the script marks it todo or bug\)', 8),
         (r'effects are not read', 74)]
# Probes of the shared scripts that the compiled programs cannot meet (`compiled_atomics` proves it): the lines get the
# format's own mark `bug` before the script runs. They do run, and must give what stands here.
BUGS = {'uav-atomics': {203: '(0, 0) is (-1), not (1)',  # atomic_umax of 1 and -1, where the script means atomic_imax
                        204: '(1, 0) is (1), not (-1)',  # atomic_umin, likewise
                        250: '(0, 0) is (0xfffffffd), not (0xffffffff)',  # three invocations add -1 to 0; -1 is what one gives
                        256: '(0, 0) is (-3), not (-1)'}}  # likewise
MARKED = ' (the script marks it todo or bug)'


OWN = os.path.join(tap.SOURCE, 'tests', 'corpus', 'scripts')


def shared_folder():
    """None: it is not there."""
    folder = os.path.join(os.environ.get('SCH_SHARED', ''), 'corpus', 'dxbc')
    return folder if os.path.isdir(os.path.join(folder, 'shader_test')) else None


def own_scripts():
    """Scripts of our own, whose programs are assembled: each probe holds."""
    findings, programs = [], c.path('own-programs')
    os.makedirs(programs, exist_ok=True)
    for name in sorted(n for n in os.listdir(OWN) if n.endswith('.asm')):
        findings += c.exit_is(c.YES, 'asm', os.path.join(OWN, name), '-o', os.path.join(programs, name[:-4] + '.dxbc'))
    for name, passed in (('numbers', 5), ('sums', 1)):
        done = c.run('run', os.path.join(OWN, name + '.shader_test'), '--compiled', programs)
        if done.returncode != c.YES or done.stdout.decode() != f'{passed} passed, 0 failed, 0 skipped\n':
            findings.append(f'{name}: exit {done.returncode}: {done.stdout.decode()}{done.stderr.decode()}')
    return findings


def script_of(folder, name):
    """The script, or a copy with the marks of BUGS."""
    path = os.path.join(folder, 'shader_test', name)
    marks = BUGS.get(name.replace('.shader_test', ''))
    if not marks:
        return path
    lines = c.read(path).decode().splitlines(True)
    for line in marks:
        lines[line - 1] = re.sub(r'^((?:if\([^)]*\) *)?)', r'\1bug ', lines[line - 1])
    return c.write(name, ''.join(lines))


def any_order(values, start, step):
    """What a word holds after `step` with each value, in whatever order."""
    results = set()
    for order in itertools.permutations(values):
        word = start
        for value in order:
            word = step(word, value) & 0xffffffff
        results.add(word)
    return results


def compiled_atomics():
    """Why the lines of BUGS cannot hold: what the compiled programs say, what that gives in every order of the three
    invocations, and that with the instructions the script means the script holds as it is."""
    def signed(word):
        return word - (word >> 31 << 32)
    orders = [(any_order([0xffffffff] * 3, 1, max), {0xffffffff}), (any_order([0xffffffff] * 3, 1, min), {1}),
              (any_order([0xffffffff] * 3, 0, lambda a, b: a + b), {0xfffffffd}),
              (any_order([0xffffffff] * 3, 1, lambda a, b: max(a, b, key=signed)), {1}),
              (any_order([0xffffffff] * 3, 1, lambda a, b: min(a, b, key=signed)), {0xffffffff})]
    findings, folder = [f'{have} in some order, not {want}' for have, want in orders if have != want], shared_folder()
    if not folder:
        return findings
    meant = {'uav-atomics.04.cs_5_0': [('atomic_umax u2,', 'atomic_imax u2,'), ('atomic_umin u2,', 'atomic_imin u2,')],
             'uav-atomics.05.cs_5_0': [('dcl_thread_group 3, 1, 1', 'dcl_thread_group 1, 1, 1'),
                                       ('atomic_iadd u1, l(0),', 'atomic_iadd u1, l(0),'),
                                       ('atomic_iadd u2, l(0),', 'atomic_iadd u2, l(0),')]}
    mended = c.path('mended')
    os.makedirs(mended, exist_ok=True)
    for number in range(6):
        name = f'uav-atomics.0{number}.cs_5_0'
        text = c.run('dis', os.path.join(folder, 'st', name + '.dxbc')).stdout.decode()
        for says, means in meant.get(name, []):
            findings += [] if text.count('\n' + says) == 1 else [f'{name}: not one {says}']
            text = text.replace('\n' + says, '\n' + means)
        c.run('asm', '-', '-o', os.path.join(mended, name + '.dxbc'), stdin=text)
    done = c.run('run', os.path.join(folder, 'shader_test', 'uav-atomics.shader_test'), '--compiled', mended)
    if done.returncode != c.YES or b' 0 failed' not in done.stdout:
        findings.append(f'with the meant instructions: {done.stdout.decode()[-400:]}')
    return findings


def shared_scripts():
    """Our own, then all of the shared folder with their compiled programs: none fails, each skip is on the list. Every fourth where a part is enough."""
    folder, findings = shared_folder(), own_scripts()
    if not folder:
        return findings
    counts, passed, met = [0] * len(SKIPS), 0, set()
    names = sorted(os.listdir(os.path.join(folder, 'shader_test')))[::4 if c.PART else 1]
    for name in names:
        done = c.run('run', '--json', script_of(folder, name), '--compiled', os.path.join(folder, 'st'),
                     '--compiled-map', os.path.join(folder, 'st_sections.tsv'))
        if done.returncode not in (c.YES, c.NO) or done.stderr:
            findings.append(f'{name}: exit {done.returncode}: {done.stderr.decode()[:200]}')
            continue
        report = json.loads(done.stdout)
        passed += report['passed']
        for item in report['items']:
            place = (name.replace('.shader_test', ''), item['line'])
            known = BUGS.get(place[0], {}).get(place[1])
            row = next((i for i, (pattern, _) in enumerate(SKIPS) if re.fullmatch(pattern, item['reason'])), None)
            if item['result'] == 'skipped' and known and item['reason'] == known + MARKED:
                met.add(place)
            elif item['result'] == 'failed' or row is None:
                findings.append(f'{name}:{item["line"]}: {item["result"]}: {item["reason"]}')
            else:
                counts[row] += item['items']
    findings += [f'{have} skips {pattern}, more than {most}' for have, (pattern, most) in zip(counts, SKIPS) if have > most]
    findings += [f'{name}:{line} gives something else now' for name, lines in BUGS.items() for line in lines
                 if (name, line) not in met and name + '.shader_test' in names]
    least = 250 if c.PART else 1614
    if passed < least:
        findings.append(f'{passed} pass, fewer than {least}')
    return findings


tap.run([('examples', examples), ('probes', probes), ('uniforms', uniforms), ('counters', counters), ('targets', targets), ('centroids', centroids),
         ('lines and cubes', lines_and_cubes), ('levels of samplers', levels_of_samplers), ('other formats', other_formats),
         ('every format', every_format), ('every target', every_target), ('constant buffers', constant_buffers), ('buffer offsets', buffer_offsets),
         ('what is not understood', what_is_not_understood),
         ('conditions', conditions), ('sections', sections), ('compilers', compilers), ('errors', errors),
         ('budgets', budgets), ('reports', reports), ('damaged scripts', damaged), ('compiled atomics', compiled_atomics), ('scripts of the corpora', shared_scripts)])
