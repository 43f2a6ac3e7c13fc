#!/usr/bin/env python3
"""debug of Direct3D shaders: containers and assembly are stepped in their own listing and registers, for editors (dap.py)
and in the terminal (screen.py). What shaders compute is worked out by hand."""
import os
import re

import command as c
import dap
import debugger
import tap
from debugger import alone, has, is_equal

# Line 13 is lowered to an instruction; 14 to a lookup and a move behind it; 17 to five instructions.
PIXEL = '''ps_5_0
dcl_constantbuffer CB0[8], immediateIndexed
dcl_sampler s0, mode_default
dcl_resource_texture2d (float,float,float,float) t0
dcl_input_ps_siv linear noperspective v0.xy, position
dcl_output o0.xyzw
dcl_output oDepth
dcl_temps 2
dcl_indexableTemp x0[2], 4
mul r0.xy, v0.xyxx, cb0[1].xyxx
mov r0.z, l(1)
sample r1.xyzw, r0.xyxx, t0.wzyx, s0
sample oDepth, r0.xyxx, t0.xyzw, s0
mov x0[1].xyzw, l(0.5, 0.25, 0.125, 1.0)
mad o0.xyzw, r1.xyzw, cb0[2].xxxx, x0[r0.z + 0].xyzw
ret
'''
# The listing of its container, which has a line more.
MUL, LOOKUP, DEPTH, ARRAY, MAD, RET = 11, 13, 14, 15, 16, 17
HULL = os.path.join(tap.SOURCE, 'tests', 'corpus', 'd3d', 'hs-tri-triangle_cw.asm')


def assembled(name, text):
    """The container, and its listing."""
    listing, container = c.write(name + '.asm', text), c.path(name + '.dxbc')
    c.run('asm', listing, '-o', container)
    return container, c.run('dis', container).stdout.decode()


def pixel():
    """A container with lookups: its listing is the source; breakpoints, steps, values, and steps back."""
    container, listing = assembled('pixel', PIXEL)
    lines = listing.splitlines()
    s = dap.Stdio()

    def prepare(client):
        told = client.ask('setBreakpoints', source={'sourceReference': 2}, breakpoints=[{'line': LOOKUP}, {'line': MAD, 'condition': 'r0.x > 0.5'}, {'line': 2}, {'line': 40}, {'line': MUL, 'condition': 'r7.x > 1'}])['breakpoints']
        client.findings += is_equal([(b['verified'], b['line']) for b in told], [(True, LOOKUP), (True, MAD), (True, MUL), (False, 40), (False, MUL)], 'breakpoints')
        client.findings += is_equal(client.ask('setBreakpoints', source={'path': container}, breakpoints=[{'line': 1}])['breakpoints'][0]['verified'], False, 'the container is no text')

    stop = s.launch(prepare, program=container, pixel=[100, 37], textures=[f'0={c.PHOTO},filter=linear'], constants=['0:1=0.00341796875,0.0029296875,0,0', '0:2=0.5,0,0,0', '0:5=7,8,9,10'], stopOnEntry=True)
    f = s.findings
    lane = stop['threadId']
    f += is_equal((stop['reason'], s.where(lane)[0]), ('entry', MUL), 'begin')
    frame = s.ask('stackTrace', threadId=lane)['stackFrames'][0]
    f += is_equal((frame['name'], frame['source']), (lines[MUL - 1], {'name': 'pixel.dxbc', 'sourceReference': 2}), 'the frame')
    f += is_equal(s.ask('source', source=frame['source'], sourceReference=2)['content'], listing, 'the listing')
    stop = s.go('continue', threadId=lane)
    f += is_equal((stop['reason'], s.where(lane)[0]), ('breakpoint', LOOKUP), 'the lookup')
    f += is_equal((s.value('r0.xy', lane), s.value('v0.x', lane), s.value('cb0[1].x', lane), s.value('cb0[5]', lane)), ('0.34350586, 0.10986328', '100.5', '0.0034179688', '7.0, 8.0, 9.0, 10.0'), 'values')
    f += is_equal(s.value('r0.z,h', lane), '0x00000001', 'an integer') + has(s.value('r2', lane), 'is not a register', 'no register') + has(s.value('cb0[5', lane), 'is not a register', 'no end')
    f += is_equal(sorted(v['name'] for v in s.scope('Temporaries', lane)), ['r0', 'r1', 'x0[0]', 'x0[1]'], 'its registers')
    f += is_equal([v['name'] for v in s.scope('Outputs', lane)], ['o0', 'oDepth'], 'its outputs') + is_equal('TEMP[4]' in [v['name'] for v in s.scope('Lowered', lane)], True, 'the others')
    f += is_equal(s.go('next', threadId=lane)['reason'], 'step', 'a step') + is_equal(s.where(lane)[0], DEPTH, 'a step')
    texel = s.value('r1', lane).split(', ')
    f += has(s.value('lookup', lane), 'level of detail', 'the lookup') + is_equal(len(s.value('lookup', lane).splitlines()), 5, 'its texels')
    s.go('next', threadId=lane)
    f += is_equal((s.where(lane)[0], s.value('oDepth.z,f', lane)), (ARRAY, texel[3]), 'a lookup and what follows it are a step')
    f += has(s.value('lookup', lane), 'level of detail', 'a lookup that was not the last of what it became')
    f += is_equal([v['name'] for v in s.scope('Changes', lane)], ['oDepth.z'], 'its changes')
    s.go('next', threadId=lane)
    f += has(s.value('lookup', lane), 'was not a texture lookup', 'no lookup') + is_equal([v['value'] for v in s.scope('Changes', lane)], ['0.5, was 0.0', '0.25, was 0.0', '0.125, was 0.0', '1.0, was 0.0'], 'an array')
    s.go('stepIn', threadId=lane)
    out = [f'{0.5 * float(x) + y:.5f}' for x, y in zip(texel, (0.5, 0.25, 0.125, 1))]
    f += is_equal([f'{float(x):.5f}' for x in s.value('o0', lane).split(', ')], out, 'the output')
    f += is_equal([v['name'] for v in s.scope('Changes', lane)], ['o0.x', 'o0.y', 'o0.z', 'o0.w'], 'of five instructions')
    at = [(s.go('stepBack', threadId=lane), s.where(lane)[0])[1] for _ in range(4)]
    f += is_equal((at, s.value('oDepth.z,f', lane)), ([MAD, ARRAY, DEPTH, LOOKUP], '0.0'), 'back')
    at = [(s.go('next', threadId=lane, granularity='instruction'), s.where(lane))[1] for _ in range(3)]
    f += is_equal([line for line, _ in at], [DEPTH, DEPTH, ARRAY], 'by what it was lowered to') + is_equal(at[1][1], at[0][1] + 1, 'by what it was lowered to')
    told = s.ask('setDataBreakpoints', breakpoints=[{'dataId': 'o0.x', 'condition': 'o0.x > 0.5'}, {'dataId': 'r1'}, {'dataId': 'v0'}])['breakpoints']
    f += is_equal([b['verified'] for b in told], [True, True, False], 'data')
    f += is_equal(s.go('continue', threadId=lane)['reason'], 'data breakpoint', 'o0 is written')
    s.go('reverseContinue', threadId=lane)
    f += is_equal(s.value('r1', lane), ', '.join(texel), 'r1 was written')
    f += is_equal([(s.go('stepBack', threadId=lane)['reason'], s.where(lane)[0])[1] for _ in range(4)][2:], [MUL, MUL], 'no farther than the beginning')
    s.end()
    return s.close()


def hull():
    """A hull shader's container by vectors: its phases follow each other in one text, forward and back."""
    with open(HULL, encoding='utf-8') as file:
        container, listing = assembled('hull', file.read())
    table = c.write('hull.tsv', 'IN[0][0]=1.,2.,3.,4.\tIN[1][0]=2.,3.,4.,5.\tIN[2][0]=3.,4.,5.,6.\n' * 3)
    lines = listing.splitlines()
    phases = [n for n, line in enumerate(lines, 1) if line.endswith('_phase')]
    steps = [n for n, line in enumerate(lines, 1) if re.match('mov|utof|add|ret', line)]
    s = dap.Stdio()
    stop = s.launch(program=container, vectors=table, line=1, stopOnEntry=True)
    f = s.findings
    f += is_equal((stop['reason'], s.where()[0], len(phases)), ('entry', steps[0], 3), 'begin')
    f += is_equal([t['name'] for t in s.ask('threads')['threads']], ['invocation 0', 'invocation 1', 'invocation 2'], 'control points')
    at = [s.where()[0]]
    while at[-1] < steps[-2]:
        s.go('next', threadId=1)
        at.append(s.where()[0])
        if len(at) > 40:
            break
    f += is_equal(at, steps[:-1], 'through its phases')
    f += is_equal([frame['line'] for frame in s.ask('stackTrace')['stackFrames']], [steps[-2]], 'phases are no subroutines')
    # vocp[0][0] + vicp[1][0].wzyx
    f += is_equal(s.value('r0'), ', '.join(str(a + b) for a, b in zip((1., 2., 3., 0.), (5., 4., 3., 2.))), 'the join phase')
    f += is_equal([s.value(name) for name in ('v[2][0].y', 'vOutputControlPointID.x,u', 'OUT[33].x')], ['4.0', '0', '2.5'], 'values')
    back = []
    while len(back) < 40 and (not back or back[-1] > steps[0]):
        s.go('stepBack', threadId=1)
        back.append(s.where()[0])
    f += is_equal(back, steps[-3::-1], 'and back')
    f += is_equal(s.go('stepBack', threadId=1)['reason'], 'entry', 'the beginning')
    s.ask('setBreakpoints', source={'sourceReference': 2}, breakpoints=[{'line': phases[1]}])
    f += is_equal((s.go('continue')['reason'], s.where()[0]), ('breakpoint', [n for n in steps if n > phases[1]][0]), 'the fork phase')
    s.go('stepOut')
    f += is_equal(s.where()[0], [n for n in steps if n > phases[2]][0], 'out of it')
    for moment, line in ((0, steps[0]), (8, [n for n in steps if n > phases[1]][0])):  # what the lowering adds
        s.ask('evaluate', expression=f'seek {moment}', context='repl')
        s.event('stopped')
        f += is_equal(s.where()[0], line, f'moment {moment}')
    s.ask('setBreakpoints', source={'sourceReference': 2}, breakpoints=[])
    f += is_equal((s.go('continue')['description'], s.where()[0]), ('The group ends: its registers are final.', steps[-1]), 'the end')
    s.end()
    return s.close()


CALLS = '''vs_5_0
dcl_input v0.x
dcl_output_siv o0.xyzw, position
dcl_temps 1
mov r0.x, v0.x
loop
uge r0.y, r0.x, l(5)
breakc_nz r0.y
call l0
endloop
mov o0.xyzw, r0.xxxx
ret
label l0
iadd r0.x, r0.x, l(2)
ret
'''


def assembly():
    """Assembly is its file: loops and subroutines of it, over, in and out."""
    path, table = c.write('calls.asm', CALLS), c.write('calls.tsv', 'IN[0]=1i\nIN[0]=3i\n')
    s = dap.Stdio()
    s.launch(lambda client: client.ask('setBreakpoints', source={'path': path}, breakpoints=[{'line': 9}]), program=path, vectors=table)
    f = s.findings
    f += is_equal((s.where()[0], s.ask('stackTrace')['stackFrames'][0]['source'].get('path')), (9, path), 'the call')
    s.go('next')
    f += is_equal((s.value('r0.x'), s.where()[0] in (7, 10)), ('3', True), 'over it')
    s.go('continue')
    s.go('stepIn')
    frames = s.ask('stackTrace')['stackFrames']
    f += is_equal([x['line'] for x in frames][:2], [14, 9], 'in it') + is_equal(frames[0]['name'], 'iadd r0.x, r0.x, l(2)', 'its text')
    s.go('stepOut')
    f += is_equal(s.value('r0.x'), '5', 'out of it')
    s.ask('setBreakpoints', source={'path': path}, breakpoints=[{'line': 11}])
    f += is_equal((s.go('continue')['reason'], s.where()[0]), ('breakpoint', 11), 'behind the loop')
    s.end()
    f = s.close()
    s = dap.Stdio(path, '--lowered')
    s.launch(vectors=table, stopOnEntry=True)
    s.findings += is_equal([v['name'] for v in s.scope('Temporaries')][:1], ['TEMP[0]'], '--lowered')
    s.end()
    return f + s.close() + c.exit_is(c.USAGE, 'debug', path, '--pixel', '1,1', err='--pixel is for fragment shaders') + c.exit_is(c.NO, 'debug', c.write('bad.dxbc', b'DXBC' + b'\0' * 40), '--pixel', '1,1', err='bad.dxbc')


def scene():
    """Assembly in a scene is stepped on the scene's lines."""
    path = os.path.join(c.EXAMPLES, 'scenes', 'languages.scene')
    with open(path, encoding='utf-8') as file:
        lines = file.read().splitlines()
    first = lines.index('vs_5_0') + 6
    s = dap.Stdio()
    s.launch(program=path, draw=2, stage='vertex', vertex=1, stopOnEntry=True)
    f = s.findings
    frame = s.ask('stackTrace')['stackFrames'][0]
    f += is_equal((frame['line'], frame['source'].get('path'), frame['name']), (first, path, lines[first - 1]), 'begin')
    at = [(s.go('next'), s.where()[0])[1] for _ in range(2)]
    lane = 1 + [t['name'].endswith('vertex 1') for t in s.ask('threads')['threads']].index(True)
    f += is_equal((at, s.value('o0', lane)), ([first + 1, first + 2], '1.0, -1.0, 0.0, 1.0'), 'its position')
    s.end()
    return s.close()


VERTICES = '''vs_5_0
dcl_input v0.xy
dcl_output_siv o0.xyzw, position
mov o0.xy, v0.xyxx
mov o0.zw, l(0, 0, 0.5, 1.0)
ret
'''
CONTAINERS = '''texture t { size 64 64 }
mesh square { position float2; vertices { -1 -1  1 -1  -1 1  1 1 } }
shader vertices vertex "vertices.dxbc"
shader pixels fragment "pixels.dxbc"
pass {
  color 0 t
  use vertices pixels
  draw triangle_strip mesh square
}
output t
'''


def containers():
    """Containers that a scene names are stepped in their listings, from a pixel too, and draw what they drew."""
    assembled('vertices', VERTICES)
    listing = assembled('pixels', 'ps_5_0\ndcl_input_ps_siv linear noperspective v0.xy, position\ndcl_output o0.xyzw\ndcl_temps 1\nadd r0.x, v0.x, v0.y\nmul o0.xyzw, r0.xxxx, l(0.0078125, 0.5, 0.25, 1.0)\nret\n')[1]
    path = c.write('containers.scene', CONTAINERS)
    lines = listing.splitlines()
    add = [line.split()[0] for line in lines].index('add') + 1
    s = dap.Stdio()
    stop = s.launch(lambda client: client.ask('setBreakpoints', source={'sourceReference': 2}, breakpoints=[{'line': add + 1}]), program=path, pixel=[20, 11], target='t', stopOnEntry=True)
    f, lane = s.findings, stop['threadId']
    frame = s.ask('stackTrace', threadId=lane)['stackFrames'][0]
    f += is_equal((frame['line'], frame['source'], frame['name']), (add, {'name': 'pixels.dxbc', 'sourceReference': 2}, lines[add - 1]), 'begin')
    f += is_equal(s.ask('source', source=frame['source'], sourceReference=2)['content'], listing, 'the listing')
    f += is_equal((s.go('continue', threadId=lane)['reason'], s.where(lane)[0], s.value('r0.x', lane)), ('breakpoint', add + 1, '32.0'), 'the sum')
    s.go('next', threadId=lane)
    f += is_equal(s.value('o0', lane), '0.25, 16.0, 8.0, 32.0', 'its colour')
    s.end()
    f += s.close()
    s = dap.Stdio()
    s.launch(program=path, draw=1, stage='vertex', vertex=3, stopOnEntry=True)
    f += is_equal(s.ask('stackTrace')['stackFrames'][0]['source'], {'name': 'vertices.dxbc', 'sourceReference': 2}, 'the vertex shader')
    lane = 1 + [t['name'].endswith('vertex 3') for t in s.ask('threads')['threads']].index(True)
    s.go('next')
    f += is_equal(s.value('o0.xy', lane), '1.0, 1.0', 'its position')
    s.end()
    return f + s.close()


def terminal():
    """The terminal's panes have the listing and its registers; t shows what it was lowered to."""
    debugger.has_terminal()
    container, listing = assembled('pixel', PIXEL)
    s = debugger.Session(container, '--pixel', '100,37', '--tex', f'0={c.PHOTO},filter=linear', '--const', '0:1=0.00341796875,0.0029296875,0,0', '--const', '0:2=0.5,0,0,0')
    s.shows(r'^ Source: .*pixel\.dxbc', rf'^ > +{MUL} mul r0\.xy, v0\.xyxx, cb0\[1\]\.xyxx', r'^r0 +0\.0', r'^x0\[1\]', 'moment 0')
    if 'TEMP' in s.screen.text():
        s.findings.append('a register of the lowered program')
    s.press('ss', rf'^ > +{LOOKUP} sample r1', r'^r0 +0\.34350586 0\.10986328')
    s.press('s', rf'^ > +{DEPTH} sample oDepth', r' Lookup: lod -?[0-9.e+-]+, 4 texels', r' 0: \d+,\d+,0 0\.\d+$')
    s.press('n', rf'^ > +{ARRAY} mov x0', r' Lookup: lod', 'moment 5')
    s.press('b', rf'^ > +{DEPTH} sample oDepth', 'moment 3')
    s.press('t', r'^ Program: ', r'^ > +\d+ +3: SAMPLE TEMP', r'^TEMP\[0\] ')
    s.press('s', r'^ > +\d+ +4: MOV OUT')
    s.press('t', rf'^ > +{DEPTH} ', r'^r0 ')
    s.press('s', rf'^ > +{ARRAY} ', 'moment 5')
    s.press('s', rf'^ > +{MAD} mad', 'Memory: none')
    s.press(['up', 'up', 'p'], rf'^\*  +{DEPTH} sample', f'A breakpoint on line {DEPTH}')
    s.press('R', rf'^\*> +{DEPTH} ', 'A breakpoint was reached', 'moment 3')
    s.press('rr', 'The run has ended')
    return s.end()


tap.run([(name, alone(check)) for name, check in (('a pixel', pixel), ('a hull shader', hull), ('assembly', assembly), ('a scene', scene), ('containers of a scene', containers), ('terminal', terminal))])
