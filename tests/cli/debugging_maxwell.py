#!/usr/bin/env python3
"""debug of Maxwell code: text, raw code and cubins are stepped instruction by instruction, for editors (dap.py) and in the
terminal (screen.py). What instructions give is what eval gives of the same; texels are worked out by hand."""
import re

import command as c
import dap
import debugger
import tap
from debugger import alone, has, is_equal

CODE = '''// a comment
TEXS.LZ R0, R2, R4, R5, 0x0, 2D, RGBA;
@!P0 TXQ R12, R14, TEX_HEADER_DIMENSION, 0x0, 0x3;
TLDS.LZ RZ, R16, R18, R19, 0x0, 2D, RG;
TLD4.R R20, R4, RZ, 0x0, 2D, 0x3;
'''
TEXTURE = 'random:R8G8B8A8_UNORM:8x4'
LANES = 'R[4]=0.4\tR[5]=0.55\tR[18]=3i\tR[19]=2i\nR[4]=0.9\tR[5]=0.1\tR[18]=7i\tP[0]=1\nR[4]=0.2\tKILL\nOFF\n'


def given():
    return c.write('code.sass', CODE), c.write('lanes.tsv', LANES)


def wanted(program, table):
    """What eval gives: of each lane its registers."""
    lines = c.run('eval', '-x', 'maxwell', program, '--vectors', table, '--tex', f'0={TEXTURE},filter=linear').stdout.decode().splitlines()
    return [dict(field.split('=') for field in line.split('\t') if '=' in field) for line in lines]


def editor(program, table, listing=None):
    """A session: breakpoints, steps forward and back, registers, the lookup; with and without a file."""
    result = wanted(program, table)
    text = listing if listing else CODE
    lines = [n for n, line in enumerate(text.splitlines(), 1) if re.search(r'\b(TEXS|TXQ|TLDS|TLD4)\b', line)]
    source = {'sourceReference': 2} if listing else {'path': program}
    s = dap.Stdio()

    def prepare(client):
        told = client.ask('setBreakpoints', source=source, breakpoints=[{'line': 1}, {'line': lines[2], 'condition': 'R18 == 0x3'}, {'line': lines[3], 'condition': 'R18.x == 0x3'}, {'line': 90},
                                                                        {'line': lines[2], 'condition': 'R255 > 1'}, {'line': lines[2], 'condition': 'TEMP[0].x > 1'}])['breakpoints']
        client.findings += is_equal([(b['verified'], b['line']) for b in told], [(True, lines[0]), (True, lines[2]), (False, lines[3]), (False, 90), (False, lines[2]), (False, lines[2])], 'breakpoints')

    stop = s.launch(prepare, program=program, kind='maxwell', vectors=table, textures=[f'0={TEXTURE},filter=linear'], stopOnEntry=True)
    f = s.findings
    f += is_equal((stop['reason'], stop['threadId'], s.where()), ('entry', 1, (lines[0], 0)), 'begin')
    frame = s.ask('stackTrace')['stackFrames'][0]
    f += is_equal(frame['source'].get('sourceReference') if listing else frame['source'].get('path'), 2 if listing else program, 'the source') + is_equal(frame['name'].startswith('TEXS.LZ R0, R2'), True, 'the instruction')
    f += is_equal(s.ask('source', source=frame['source'], sourceReference=frame['source'].get('sourceReference', 0))['content'], text, 'its text')
    f += is_equal([t['name'] for t in s.ask('threads')['threads']], ['invocation 0', 'invocation 1', 'invocation 2 (helper)'], 'lanes') + has(s.ask('stackTrace', threadId=4), 'no such lane', 'a lane that is off')
    f += is_equal([v['name'] for v in s.scope('Registers')], [f'R{n}' for n in (0, 1, 2, 3, 4, 5, 12, 13, 14, 16, 17, 18, 19, 20, 21)], 'registers') + is_equal([v['name'] for v in s.scope('Predicates')], ['P0'], 'predicates')
    f += is_equal([s.value(name, lane) for name, lane in (('R4', 1), ('R4', 2), ('P0', 1), ('P0', 2), ('R18', 1), ('R200,h', 1))], ['0.4', '0.9', '0', '1', '3', '0x00000000'], 'values')
    for name in ('R255', 'P7', 'R4.x', 'R', 'RZ', 'TEMP[0]', 'r4', 'R4[0]'):
        f += has(s.value(name), 'is not a register', name)
    f += has(s.value('lookup'), 'was not a texture lookup', 'nothing has been looked up')
    f += is_equal((s.go('next')['reason'], s.where()), ('step', (lines[1], 1)), 'a step')
    for lane in (1, 2):
        f += is_equal([s.value(f'R{n},h', lane) for n in (0, 1, 2, 3)], [result[lane - 1][f'R[{n}]'] for n in (0, 1, 2, 3)], f'the texel of lane {lane}')
        at = (0.4, 0.55) if lane == 1 else (0.9, 0.1)
        texels = sorted((int(m[1]), int(m[2])) for m in re.finditer(r'level 0 texel (\d+),(\d+)', s.value('lookup', lane)))
        x, y = (int((v * size - 0.5) // 1) for v, size in zip(at, (8, 4)))
        f += is_equal(texels, sorted(((x + i) % 8, (y + j) % 4) for i in (0, 1) for j in (0, 1)), f'the four texels of lane {lane}')
    f += is_equal(sorted(v['name'] for v in s.scope('Changes')), ['R0', 'R1', 'R2', 'R3'], 'changes')
    part = [v for v in s.scope('Registers') if v['name'] == 'R0'][0]
    forms = {v['name']: v['value'] for v in s.ask('variables', variablesReference=part['variablesReference'])['variables']}
    f += is_equal((sorted(forms), forms['hex']), (['float', 'hex', 'int', 'uint'], result[0]['R[0]']), 'forms')
    s.go('next', threadId=1)
    f += is_equal((s.value('R12'), s.value('R13'), s.value('R12', 2)), ('8', '4', '0.0'), 'TXQ, whose guard lane 1 fails') + has(s.value('lookup'), 'was not a texture lookup', 'TXQ reads no texel')
    f += is_equal((s.go('stepBack', threadId=1)['reason'], s.where()[1], s.value('R12')), ('step', 1, '0.0'), 'back')
    f += is_equal(sorted(v['name'] for v in s.scope('Changes')), ['R0', 'R1', 'R2', 'R3'], 'the changes before') + has(s.value('lookup'), '4 texels', 'the lookup before')
    f += is_equal(s.ask('stackTrace', threadId=2)['stackFrames'][0]['name'].endswith('(the lane waits)'), True, 'a lane that does not execute')
    stop = s.go('continue')
    f += is_equal((stop['reason'], s.where()), ('breakpoint', (lines[2], 2)), 'a breakpoint')
    s.go('stepIn')
    f += is_equal([s.value(f'R{n},h') for n in (16, 17)], [result[0][f'R[{n}]'] for n in (16, 17)], 'TLDS') + has(s.value('lookup'), '1 texels\nlevel 0 texel 3,2,0 weight 1', 'TLDS')
    f += is_equal((s.go('continue')['description'], [s.value(f'R{n},h') for n in (20, 21)]), ('The group ends: its registers are final.', [result[0][f'R[{n}]'] for n in (20, 21)]), 'the end')
    f += is_equal(len(s.value('lookup').splitlines()), 5, 'TLD4')
    told = s.ask('setDataBreakpoints', breakpoints=[{'dataId': 'R12', 'condition': 'R13 == 0x4'}, {'dataId': 'R17', 'condition': 'any R17 > 1.5'}, {'dataId': 'IN[0]'}])['breakpoints']
    f += is_equal([b['verified'] for b in told], [True, True, False], 'data')
    f += is_equal(s.ask('dataBreakpointInfo', name='R16')['dataId'], 'R16', 'data')
    s.ask('setBreakpoints', source=source, breakpoints=[])
    f += is_equal((s.go('reverseContinue')['reason'], s.where()[1]), ('data breakpoint', 2), 'where R12 was written')
    f += is_equal((s.go('reverseContinue')['reason'], s.where()[1]), ('entry', 0), 'the beginning') + is_equal(s.go('stepBack')['reason'], 'entry', 'no farther')
    s.ask('setDataBreakpoints', breakpoints=[])
    s.ask('setExceptionBreakpoints', filters=['lookup'])
    f += is_equal((s.go('continue')['reason'], s.where()[1]), ('exception', 1), 'an event')
    s.ask('evaluate', expression='seek 3', context='repl')
    s.event('stopped')
    f += is_equal((s.where()[1], s.value('time')), (3, '3'), 'moment 3')
    listing = s.ask('disassemble', memoryReference='0x10000000', instructionCount=6)['instructions']
    f += is_equal([i['instruction'].split('.')[0].split(' ')[0] for i in listing], ['TEXS', '@!P0', 'TLDS', 'TLD4', 'END', ''], 'disassembly') + is_equal([i.get('line') for i in listing][:4], lines, 'its lines')
    f += is_equal(s.ask('setInstructionBreakpoints', breakpoints=[{'instructionReference': '0x10000001'}, {'instructionReference': '0x10000007'}])['breakpoints'][0]['verified'], True, 'an instruction')
    s.ask('setExceptionBreakpoints', filters=[])
    f += is_equal((s.go('reverseContinue')['reason'], s.where()[1]), ('instruction breakpoint', 1), 'an instruction')
    s.go('continue')
    s.ask('continue')
    f += is_equal(s.event('exited'), {'exitCode': 0}, 'the end')
    s.event('terminated')
    s.end()
    return s.close()


def text():
    return editor(*given())


def raw():
    """Raw code is shown as its listing, behind other bytes, too."""
    program, table = given()
    path = c.path('code.bin')
    c.run('asm', '-x', 'maxwell', program, '-o', path)
    return editor(path, table, c.run('dis', '-x', 'maxwell', path).stdout.decode())


def long():
    """A program of 1000 instructions: back to any of its moments."""
    program, table = c.write('long.sass', 'TLDS.LZ RZ, R16, R18, R19, 0x0, 2D, RG;\nTLDS.LZ RZ, R16, R19, R18, 0x0, 2D, RG;\n' * 500), c.write('one.tsv', 'R[18]=1i\tR[19]=2i\n')
    s = dap.Stdio('-x', 'maxwell', program, '--tex', f'0={TEXTURE}')
    s.launch(vectors=table, stopOnEntry=True)
    f = s.findings
    s.go('next')
    first = s.value('R16')
    s.go('next')
    second = s.value('R16')
    f += is_equal(first != second, True, 'two texels')
    s.go('continue')
    f += is_equal(s.value('time'), '1000', 'the end')
    for moment in (999, 511, 480, 17, 16, 15, 1, 640):
        s.ask('evaluate', expression=f'seek {moment}', context='repl')
        s.event('stopped')
        f += is_equal((s.where()[1], s.value('R16')), (moment, first if moment % 2 else second), f'moment {moment}')
        s.go('stepBack')
        f += is_equal((s.where()[1], s.value('R16')), (moment - 1, second if moment % 2 and moment > 1 else first if moment > 1 else '0.0'), f'before moment {moment}')
    s.ask('setBreakpoints', source={'path': program}, breakpoints=[{'line': 3}])
    f += is_equal((s.go('reverseContinue')['reason'], s.where()), ('breakpoint', (3, 2)), 'far back')
    s.end()
    return s.close()


def failures():
    """What cannot be executed stops there; what cannot be opened says why."""
    table, program = c.write('lanes.tsv', LANES), c.write('bad.sass', 'TLDS.LZ RZ, R16, R18, R19, 0x0, 2D, RG;\nTXQ R0, R4, TEX_HEADER_DIMENSION, 0x1, 0xf;\n')
    plain = 'BLOCKLINEAR { WIDTH = 16; HEIGHT = 16; TEXTURE_TYPE = TWO_D }\n'
    pool, bank = c.write('pool.txt', f'header 0 {plain}header 2 {plain}'), c.write('bank.bin', b'\0\0\0\0\1\0\0\0') # header 1 is zeros
    s = dap.Stdio()
    s.launch(program=program, kind='maxwell', vectors=table, headers=pool, constantBank=bank, stopOnEntry=True)
    f = s.findings
    stop = s.go('continue')
    f += is_equal((stop['reason'], s.where()), ('exception', (2, 1)), 'it fails there') + is_equal(s.ask('exceptionInfo', threadId=1)['exceptionId'], 'failed', 'it fails there')
    f += is_equal((s.go('stepBack')['reason'], s.where()), ('step', (1, 0)), 'back')
    s.go('continue')
    s.ask('continue')
    f += is_equal(s.event('exited'), {'exitCode': c.NO}, 'the end')
    s.end()
    f = s.close()
    program, table = given()
    s = dap.Stdio()
    s.ask('initialize', adapterID='scheelite')
    for arguments, said in (({}, 'which invocation? One of --vectors TSV'), ({'vectors': c.path('no.tsv')}, 'no.tsv'), ({'vectors': table, 'line': 4}, 'the lane of line 4 is OFF'), ({'vectors': table, 'line': 9}, 'line 9 is not an invocation'),
                            ({'vectors': table, 'headers': program, 'textures': ['0=x.png']}, '--tex makes headers'), ({'vectors': table, 'half': 'up'}, '--half is nearest or zero'), ({'vectors': table, 'pixel': '1,1'}, '--pixel'),
                            ({'vectors': table, 'arch': 'sm_90'}, '--arch is sm_50'), ({'vectors': table, 'engine': 'jit'}, '--engine is auto, interp or maxwell, not jit'), ({'vectors': table, 'memory': 'x@y'}, 'the address is hexadecimal'),
                            ({'vectors': table, 'program': '-'}, "standard input is the editor's"), ({'vectors': '-'}, "standard input is the editor's")):
        s.findings += has(s.ask('launch', **{'program': program, 'kind': 'maxwell', **arguments}), said, str(arguments))
    s.findings += is_equal(s.ask('launch', program=program, kind='maxwell', vectors=table, line=2, textures=[f'0={TEXTURE}'], stopOnEntry=True), {}, 'at last')
    s.ask('configurationDone')
    s.findings += is_equal(s.event('stopped')['threadId'], 2, 'the lane of line 2')
    s.end()
    f += s.close()
    many = c.write('many.sass', '.section .text.a\nTLD.LZ R0, R4, 0x0, 2D, 0x3;\n.section .text.b\nTLD.LZ R0, R4, 0x0, 2D, 0x3;\n')
    return f + c.exit_is(c.UNSUPPORTED, 'debug', '-x', 'maxwell', many, '--vectors', table, err='2 sections of code') + c.exit_is(c.USAGE, 'debug', '-x', 'maxwell', program, err='which invocation?') + \
        c.exit_is(c.NO, 'debug', '-x', 'maxwell', program, '--vectors', c.write('odd.tsv', 'R[4]=0.1\tQ[1]=2\n'), err='a field is') + c.exit_is(c.USAGE, 'debug', '--arch', 'sm_50', '--vectors', table, err='which shader?') + \
        c.exit_is(c.NO, 'debug', '-x', 'maxwell', program, '--vectors', c.write('none.tsv', ''), err='has no invocation') + c.exit_is(c.NO, 'debug', '-x', 'maxwell', c.write('nops.bin', b'\xe0\x07\x00\xfc\x00\x80\x1f\x00' + b'\x00\x0f\x07\x00\x00\x00\xb0\x50' * 3), '--vectors', table, err='it has no instruction') + \
        c.exit_is(c.USAGE, 'debug', '-x', 'maxwell', program, '--vectors', table, '--grid', '1,1,1', err='--grid') + c.exit_is(c.UNSUPPORTED, 'debug', '-x', 'maxwell', program, '--vectors', table, err='there is no terminal')


def terminal():
    """The terminal's panes: the text, registers of a lane, masks, and the texels of a lookup."""
    debugger.has_terminal()
    program, table = given()
    result = wanted(program, table)
    s = debugger.Session('-x', 'maxwell', program, '--vectors', table, '--tex', f'0={TEXTURE},filter=linear')
    s.shows(r'^ Source: .*code\.sass', r'^ > +2 TEXS\.LZ R0, R2, R4, R5', r'^invocation 0 .*moment 0$', r'^R4 +0\.4\b', r'active  00000007', r'helpers 00000004')
    s.press('s', r'^ > +3 @!P0 TXQ', r' Lookup: lod 0, 4 texels', r' 0: \d,\d,0 0\.\d+$', r'active  00000005')
    s.press('ffff', r'lane 0 \(hex\)', rf'^R0 +{result[0]["R[0]"]}')
    s.press(['right'], r'^invocation 1 ', rf'^R0 +{result[1]["R[0]"]}', r'active  00000005 waits')
    s.press(['left'], r'^invocation 0 ')
    s.press('fs', r'^ > +4 TLDS', r'^R12 +8\b', 'Memory: none')
    s.press('b', r'^ > +3 @!P0 TXQ', 'moment 1')
    s.press(['down', 'down', 'p'], r'^\* +5 TLD4', 'A breakpoint on line 5')
    s.press('r', r'^\*> +5 TLD4', 'A breakpoint was reached', r' Lookup: lod 0, 1 texels', r' 0: 3,2,0 1$')
    s.press('t', r'^ Program: ', r'^[* ]> +4 +3: TLD4')
    s.press('r', 'The group ends: its registers are final')
    s.press('R', 'moment 3')
    s.press('RR', 'The group begins', 'moment 0')
    s.press('rrr', 'The run has ended')
    return s.end()


KERNEL = '''.section .text.kernel
  S2R R0, SR_TID.X ;
  SHL R1, R0, 0x2 ;
  ISETP.LT.AND P0, PT, R0, 0x10, PT ;
  SSY `(.L_met) ;
  @P0 BRA `(.L_low) ;
  STS [R1], R0 ;
  SYNC ;
.L_low:
  STS [R1], R1 ;
  SYNC ;
.L_met:
  BAR.SYNC 0x0 ;
  LDS R4, [R1] ;
  ISCADD R2.CC, R0, c[0x0][0x140], 0x2 ;
  IADD.X R3, RZ, c[0x0][0x144] ;
  STG.E [R2], R4 ;
  EXIT ;
'''


def kernel():
    """A kernel that is launched: the stack of divergence, a word of shared memory, events, control slots."""
    path = c.write('kernel.maxwell', KERNEL)
    launch = {'grid': [1, 1, 1], 'block': [64, 1, 1], 'thread': [20, 0, 0], 'parameters': ['zero:256'], 'stopOnEntry': True}
    s = dap.Stdio()
    stop = s.launch(lambda client: client.ask('setBreakpoints', source={'path': path}, breakpoints=[{'line': 7}]), program=path, kernel='kernel', **launch)
    f = s.findings
    f += is_equal((stop['reason'], stop['threadId'], s.where()), ('entry', 21, (2, 0)), 'begin')
    f += is_equal((s.go('continue')['reason'], s.where()[0]), ('breakpoint', 7), 'a line of one side')
    masks = {v['name']: v['value'] for v in s.scope('Masks')}
    f += is_equal((masks.get('0 SSY'), masks.get('active')), ('0xffffffff continue at line 13', '0xffff0000 (16 lanes)'), 'the stack')
    f += is_equal([s.value(name, 21) for name in ('R0,u', 'P0', 'R1,u')], ['20', '0', '80'], 'registers')
    f += is_equal([b['verified'] for b in s.ask('setDataBreakpoints', breakpoints=[{'dataId': 'shared 12 4'}])['breakpoints']], [True], 'a word')
    s.ask('setExceptionBreakpoints', filters=['barrier'])
    f += is_equal([(s.go('continue')['reason'], s.where()[0]) for _ in range(2)], [('data breakpoint', 11), ('exception', 13)], 'a word that changes, and a barrier')
    s.end()
    f = s.close()
    raw = c.path('kernel.bin')
    f += c.exit_is(0, 'asm', '-x', 'maxwell', '--schedule', path, '-o', raw)
    s = dap.Stdio()
    s.launch(program=raw, kind='maxwell', **launch)
    listed = s.ask('disassemble', memoryReference=s.ask('stackTrace')['stackFrames'][0]['instructionPointerReference'], instructionOffset=0, instructionCount=2)['instructions']
    s.findings += is_equal(['{?stall15}' in one['instruction'] for one in listed], [True, True], f'control slots of {listed}')
    s.end()
    f += s.close()
    return f + c.exit_is(c.USAGE, 'trace', c.write('plain.tgsi', 'COMP\nEND\n'), '--grid', '1,1,1', '--param', '1.0', err='is not Maxwell code: only kernels have --param')


tap.run([(name, alone(check)) for name, check in (('kernel', kernel), ('text', text), ('raw code', raw), ('a long program', long), ('failures', failures), ('terminal', terminal))])
