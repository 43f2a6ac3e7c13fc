#!/usr/bin/env python3
"""debug --dap: whole sessions of vertex, fragment and compute shaders by a client of the protocol (dap.py), on standard
input and output, a port and a socket; and what is no such protocol. What shaders compute is worked out by hand."""
import base64
import json
import os
import random
import socket
import struct

import command as c
import dap
import dap_schema
import tap
from debugger import alone, has, is_equal

SUMS = '''VERT
DCL IN[0]
DCL OUT[0], POSITION
DCL TEMP[0..1]
IMM[0] UINT32 {1, 0, 2, 0}
BGNLOOP
USEQ TEMP[1].x, TEMP[0].y, IN[0].x
UIF TEMP[1].xxxx
BRK
ENDIF
UADD TEMP[0].y, TEMP[0].y, IMM[0].x
CAL :10
ENDLOOP
MOV OUT[0].x, TEMP[0].xxxx
RET
BGNSUB
UADD TEMP[0].x, TEMP[0].x, TEMP[0].y
RET
ENDSUB
END
'''
# Threads of a work group write 3 * their number to shared memory; behind the barrier each reads its neighbour's.
SHARED = '''COMP
PROPERTY CS_FIXED_BLOCK_WIDTH 64
PROPERTY CS_FIXED_BLOCK_HEIGHT 1
PROPERTY CS_FIXED_BLOCK_DEPTH 1
DCL SV[0], THREAD_ID
DCL MEMORY[0], SHARED
DCL BUFFER[0]
DCL TEMP[0..1]
IMM[0] UINT32 {3, 4, 252, 0}
UMUL TEMP[0].x, SV[0].xxxx, IMM[0].yyyy
UMUL TEMP[0].y, SV[0].xxxx, IMM[0].xxxx
STORE MEMORY[0].x, TEMP[0].xxxx, TEMP[0].yyyy
BARRIER
UADD TEMP[0].z, TEMP[0].xxxx, IMM[0].yyyy
AND TEMP[0].z, TEMP[0].zzzz, IMM[0].zzzz
LOAD TEMP[1].x, MEMORY[0], TEMP[0].zzzz
STORE BUFFER[0].x, TEMP[0].xxxx, TEMP[1].xxxx
END
'''
ENDLESS = 'FRAG\nDCL OUT[0], COLOR\nDCL TEMP[0]\nIMM[0] UINT32 {1, 0, 0, 0}\nBGNLOOP\nUADD TEMP[0].x, TEMP[0].x, IMM[0].x\nENDLOOP\nEND\n'
SWIRL = os.path.join(c.EXAMPLES, 'shaders', 'swirl.tgsi')


# ---- sessions


def pixel():
    """A fragment shader: lines, conditions, a lookup as an exception, values of all kinds, forward and back."""
    s = dap.Stdio()
    source = {'path': SWIRL}

    def prepare(client):
        told = client.ask('setBreakpoints', source=source, breakpoints=[{'line': 11}, {'line': 9, 'condition': 'TEMP[0].x > 5.0'}, {'line': 10, 'hitCondition': '3'}, {'line': 4000},
                                                                        {'line': 9, 'condition': 'nonsense'}, {'line': 1}])['breakpoints']
        client.findings += is_equal([(b['verified'], b['line']) for b in told], [(True, 11), (True, 9), (False, 10), (False, 4000), (False, 9), (True, 8)], 'breakpoints')
        client.findings += has(told[2]['message'], 'hits are not counted', 'hits') + has(told[4]['message'], 'REGISTER', 'condition')
        client.findings += is_equal(client.ask('setBreakpoints', source={'path': c.PHOTO}, breakpoints=[{'line': 1}])['breakpoints'][0]['verified'], False, 'another file')
        client.ask('setExceptionBreakpoints', filters=['lookup'])
        client.first, client.second = told[0]['id'], told[5]['id']

    stop = s.launch(prepare, program=SWIRL, pixel='100,37', textures=[f'0={c.PHOTO},filter=linear'], stopOnEntry=True)
    f = s.findings
    f += is_equal(stop['reason'], 'entry', 'begin')
    lane = stop['threadId']
    f += has([t['name'] for t in s.ask('threads')['threads'] if t['id'] == lane][0], 'pixel 100,37', 'thread')
    f += is_equal(len(s.ask('threads')['threads']), 32, 'threads')
    stop = s.go('continue', threadId=lane)
    f += is_equal((stop['reason'], stop.get('hitBreakpointIds'), s.where(lane)), ('breakpoint', [s.first], (11, 3)), 'line 11')
    # (100.5, 37.5) / 256 - 0.5
    f += is_equal(s.value('TEMP[0].xy', lane), '-0.107421875, -0.35351562', 'values')
    f += is_equal(s.value('TEMP[0].x,h', lane), '0xbddc0000', 'hexadecimal')
    f += is_equal(s.value('TEMP[0].x', lane, format={'hex': True}), '0xbddc0000', 'hexadecimal by the format')
    frame = s.ask('stackTrace', threadId=lane)['stackFrames'][0]['id']
    f += is_equal(s.ask('evaluate', expression='TEMP[0].y', frameId=frame, context='hover')['result'], '-0.35351562', 'under the mouse')
    f += is_equal(s.value('TEMP[0].x,d', lane), str(struct.unpack('<i', bytes.fromhex('0000dcbd'))[0]), 'integer')
    shown = [s.response(s.send(name, **arguments))['body']['error']['showUser'] for name, arguments in (('evaluate', {'expression': 'TEMP[3]'}), ('next', {'threadId': 0}))]
    f += is_equal(shown, [False, True], 'what comes up')
    f += has(s.value('TEMP[3]', lane), 'is not a register', 'no register') + has(s.value('TEMP[0].xyzwx', lane), 'is not a register', 'no channels')
    registers = {v['name']: v for v in s.scope('Temporaries', lane)}
    parts = s.ask('variables', variablesReference=registers['TEMP[0]']['variablesReference'])['variables']
    f += is_equal([(v['name'], v['type'], v['evaluateName']) for v in parts][:2], [('x', 'float', 'TEMP[0].x'), ('y', 'float', 'TEMP[0].y')], 'components')
    forms = s.ask('variables', variablesReference=parts[0]['variablesReference'])['variables']
    f += is_equal({v['name']: v['value'] for v in forms if v['name'] != 'double'}, {'float': '-0.107421875', 'int': '-1109655552', 'uint': '3185311744', 'hex': '0xbddc0000'}, 'forms')
    double = struct.unpack('<d', struct.pack('<ff', -0.107421875, -0.353515625))[0]
    f += is_equal([float(v['value']) for v in forms if v['name'] == 'double'], [double], 'double')
    as_bits = s.ask('variables', variablesReference=registers['TEMP[0]']['variablesReference'], format={'hex': True})['variables']
    f += is_equal(as_bits[0]['value'], '0xbddc0000', 'hexadecimal components')
    f += is_equal(s.ask('variables', variablesReference=registers['TEMP[0]']['variablesReference'], start=1, count=2)['variables'], parts[1:3], 'some of them')
    stop = s.go('continue', threadId=lane)
    f += is_equal((stop['reason'], s.where(lane)[1]), ('exception', 13), 'lookup')
    f += is_equal(s.ask('exceptionInfo', threadId=lane)['exceptionId'], 'lookup', 'exception')
    coordinate = [float(x) for x in s.value('TEMP[2].xy', lane).split(', ')]
    s.go('next', threadId=lane)
    f += has(s.value('lookup', lane), 'level of detail', 'lookup') + is_equal(len(s.value('lookup', lane).splitlines()), 5, 'texels of a bilinear lookup')
    changed = {v['name']: v['value'] for v in s.scope('Changes', lane)}
    answer = c.run('sample', '--tex', c.PHOTO, '--at', ','.join(map(repr, coordinate)), '--filter', 'linear', '--op', 'sample_l', '--lod', '0').stdout.decode().strip().split(',')
    f += is_equal([s.value(f'OUT[0].{x},h', lane) for x in 'xyzw'], [word.strip() for word in answer], 'the texel')
    f += is_equal(sorted(changed), [f'OUT[0].{x}' for x in 'wxyz'], 'changes') + has(changed['OUT[0].x'], ', was 0.0', 'change')
    f += has(s.ask('exceptionInfo', threadId=lane), 'did not stop at an exception', 'no exception')
    stop = s.go('stepBack', threadId=lane)
    f += is_equal((stop['reason'], s.where(lane)[1], s.value('OUT[0].x', lane)), ('exception', 13, '0.0'), 'back')
    s.ask('setExceptionBreakpoints', filters=[])
    f += is_equal((s.go('reverseContinue', threadId=lane).get('hitBreakpointIds'), s.where(lane)), ([s.first], (11, 3)), 'back to line 11')
    f += is_equal((s.go('reverseContinue', threadId=lane)['reason'] in ('entry', 'breakpoint'), s.where(lane)), (True, (8, 0)), 'back to the beginning')
    f += has(s.ask('setExceptionBreakpoints', filters=['gremlins']), 'no such filter: gremlins', 'filter')
    f += is_equal(s.ask('evaluate', expression='seek 5', context='repl')['result'], '', 'seek')
    s.event('stopped')
    f += is_equal((s.where(lane)[1], s.value('time', lane)), (5, '5'), 'moment 5')
    with open(SWIRL, encoding='utf-8') as file:
        f += is_equal(s.ask('source', source=source, sourceReference=0)['content'], file.read(), 'source')
    listing = s.ask('disassemble', memoryReference='0x10000000', instructionOffset=-1, instructionCount=17)['instructions']
    f += is_equal([i['instruction'].split(' ')[0] for i in listing], ['', 'ADD', 'DP2', 'SQRT', 'MAD_SAT', 'MUL', 'MUL', 'SIN', 'COS', 'MUL', 'MAD', 'MUL', 'MAD', 'ADD', 'TEX', 'END', ''], 'disassembly')
    f += is_equal((listing[1]['line'], listing[14]['line'], listing[1]['location']['path']), (8, 21, SWIRL), 'lines of it')
    s.ask('setBreakpoints', source=source, breakpoints=[])
    s.ask('evaluate', expression='seek 1', context='repl')
    s.event('stopped')
    f += is_equal(s.go('continue', threadId=lane)['description'], 'The group ends: its registers are final.', 'end of the group')
    s.ask('continue', threadId=lane)
    f += is_equal(s.event('exited'), {'exitCode': 0}, 'end')
    s.event('terminated')
    f += has(s.ask('next', threadId=lane), 'the run has ended', 'behind the end') + is_equal(s.ask('threads')['threads'], [], 'no threads')
    if not s.end():
        f.append('it does not leave')
    return s.close()


def vertices():
    """A vertex shader by vectors: a loop, a subroutine, lanes that diverge; steps in, over and out in the lane's own way."""
    shader, table = c.write('sums.tgsi', SUMS), c.write('sums.tsv', ''.join(f'IN[0]={n}u\n' for n in (2, 3, 0, 1)))
    s = dap.Stdio(shader)  # the file from the command line, the rest from the editor
    stop = s.launch(vectors=table, line=2, stopOnEntry=True, name='mine', request='launch')
    f = s.findings
    f += is_equal((stop['reason'], stop['threadId'], s.where(2)), ('entry', 2, (6, 0)), 'begin')
    f += is_equal([t['name'] for t in s.ask('threads')['threads']], [f'invocation {n}' for n in range(4)], 'threads')
    f += is_equal(s.value('IN[0].x', 2), '3', 'an unsigned input')
    at = [s.where(2)[1] for _ in range(6) if s.go('next', threadId=2, granularity='instruction')['threadId'] == 2]
    f += is_equal(at, [1, 2, 5, 6, 7, 1], 'over the CAL, past the BRK of another lane')
    f += is_equal(s.value('TEMP[0].xy', 2), '1, 1', 'sum')
    at = [(s.go('stepIn', threadId=2), s.where(2)[1])[1] for _ in range(4)]
    f += is_equal(at, [2, 5, 6, 11], 'into the subroutine')
    frames = s.ask('stackTrace', threadId=2)['stackFrames']
    f += is_equal([(x['line'], x.get('presentationHint')) for x in frames], [(17, None), (12, None), (6, 'label')], 'frames')
    f += is_equal(s.ask('stackTrace', threadId=2, startFrame=1, levels=1), {'stackFrames': frames[1:2], 'totalFrames': 3}, 'one frame')
    f += has(s.ask('stackTrace', threadId=3)['stackFrames'][0]['name'], 'waits', 'a lane that has left')
    masks = {v['name']: v['value'] for v in s.scope('Masks', 2)}
    f += has(masks['present'], '0x0000000f (4 lanes)', 'masks') + has(masks['0 LOOP'], 'after it 0x0000000f', 'loop')
    f += is_equal(frames[0]['name'].split(' ')[0], 'UADD', 'the instruction')
    f += is_equal([(x['line'], x.get('presentationHint')) for x in s.ask('stackTrace', threadId=1)['stackFrames']][1:], [(12, None), (6, 'label')], 'frames of another lane')
    s.go('stepOut', threadId=2)
    f += is_equal(s.where(2), (13, 7), 'out of the subroutine')
    s.go('stepOut', threadId=2)
    f += is_equal((s.where(2), s.value('TEMP[0].x', 2)), ((14, 8), '6'), 'out of the loop')
    s.go('stepBack', threadId=2, granularity='instruction')
    s.ask('setBreakpoints', source={'path': shader}, breakpoints=[{'line': 9}])
    s.go('reverseContinue', threadId=2)
    f += is_equal([x['line'] for x in s.ask('stackTrace')['stackFrames']], [9, 8, 6], 'an IF in a loop')
    s.ask('setBreakpoints', source={'path': shader}, breakpoints=[])
    s.go('stepOut', threadId=2)
    s.go('stepOut', threadId=2)
    # A data breakpoint where the sum becomes 3, and one on an instruction with a condition of any lane.
    info = s.ask('dataBreakpointInfo', name='TEMP[0].x')
    f += is_equal((info['dataId'], info['accessTypes']), ('TEMP[0].x', ['write']), 'data')
    register = [v for v in s.scope('Temporaries', 2) if v['name'] == 'TEMP[0]'][0]['variablesReference']
    f += is_equal(s.ask('dataBreakpointInfo', name='x', variablesReference=register)['dataId'], 'TEMP[0].x', 'data of a variable')
    f += is_equal(s.ask('dataBreakpointInfo', name='IN[0].x')['dataId'], None, 'an input is not written')
    told = s.ask('setDataBreakpoints', breakpoints=[{'dataId': 'TEMP[0].x', 'accessType': 'write', 'condition': 'TEMP[0].x == 3'}, {'dataId': 'IN[0]'}, {'dataId': 'TEMP[0]', 'accessType': 'read'}])['breakpoints']
    f += is_equal([b['verified'] for b in told], [True, False, False], 'data breakpoints')
    stop = s.go('reverseContinue', threadId=2)
    f += is_equal((stop['reason'], stop.get('hitBreakpointIds'), s.value('TEMP[0].x', 2)), ('data breakpoint', [told[0]['id']], '3'), 'where it became 3')
    s.ask('setDataBreakpoints', breakpoints=[])
    told = s.ask('setInstructionBreakpoints', breakpoints=[{'instructionReference': '0x10000005', 'offset': 1, 'condition': 'any uint(TEMP[0].y) >= 3'}, {'instructionReference': '0x1'},
                                                           {'instructionReference': '0x10000000', 'offset': 99}])['breakpoints']
    f += is_equal([b['verified'] for b in told], [True, False, False], 'instruction breakpoints')
    stop = s.go('continue', threadId=2)
    f += is_equal((stop['reason'], s.where(2), s.value('TEMP[0].y', 2)), ('instruction breakpoint', (12, 6), '3'), 'instruction 6')
    for question, answer in ((('setVariable', {'variablesReference': register, 'name': 'x', 'value': '1'}), 'values cannot be set'), (('setFunctionBreakpoints', {'breakpoints': []}), 'the capabilities say so'),
                             (('stackTrace', {'threadId': 9}), 'no such lane'), (('stackTrace', {'threadId': 0}), 'threadId is a number of 1 to 32'), (('next', {'threadId': 2, 'granularity': 'year'}), 'granularity is'),
                             (('variables', {'variablesReference': 2 ** 31 - 1}), 'no such variablesReference'), (('scopes', {}), 'no such frame'), (('launch', {}), 'cannot be done now'),
                             (('evaluate', {}), 'expression is missing'), (('disassemble', {'memoryReference': 'x'}), 'not an address'), (('readMemory', {'memoryReference': 'shared', 'count': 1}), 'no such memory'),
                             (('fly', {}), 'there is no request fly'), (('setBreakpoints', {'source': {'path': shader}}), 'breakpoints is a list'), (('setBreakpoints', {'source': {'path': shader}, 'breakpoints': [1]}), 'a list of objects'),
                             (('setBreakpoints', {'source': {'path': shader}, 'breakpoints': [{}]}), 'needs a line'), (('setDataBreakpoints', {'breakpoints': [{}]}), 'needs a dataId')):
        f += has(s.ask(question[0], **question[1]), answer, question[0])
    s.ask('terminate')
    s.event('terminated')
    f += closed(s)
    s.end()
    return s.close()


def closed(s):
    """After terminate nothing is left to look at, whatever an editor asks."""
    findings = []
    for request, arguments in (('source', {'sourceReference': 1}), ('threads', {}), ('stackTrace', {'threadId': 2}), ('disassemble', {'memoryReference': '0x10000000', 'instructionCount': 1}),
                               ('continue', {'threadId': 2}), ('pause', {'threadId': 2}), ('evaluate', {'expression': 'TEMP[0]'}), ('launch', {}), ('setBreakpoints', {'source': {}, 'breakpoints': []})):
        findings += has(s.ask(request, **arguments), 'cannot be done now: the session was terminated', request)
    s.ask('terminate')
    return findings


def terminated_at_once():
    """An editor that gives up before it has launched anything."""
    s = dap.Stdio()
    s.ask('terminate')
    s.event('terminated')
    s.findings += closed(s)
    s.end()
    return s.close()


def work_group():
    """A compute shader by grid: a thread of the second group of lanes, shared memory, barriers, memory that is written."""
    shader = c.write('shared.tgsi', SHARED)
    s = dap.Stdio()

    def prepare(client):
        client.ask('setExceptionBreakpoints', filters=['barrier', 'memory'])

    stop = s.launch(prepare, program=shader, grid=[2, 1, 1], workGroup='1,0,0', thread=[40, 0, 0], buffers=['0=zero:512'])
    f = s.findings
    f += is_equal(stop['reason'], 'exception', 'the first store')
    s.ask('setExceptionBreakpoints', filters=[])
    told = s.ask('setDataBreakpoints', breakpoints=[{'dataId': 'shared 160 4'}, {'dataId': 'shared 99999 4'}])['breakpoints']
    f += is_equal([b['verified'] for b in told], [True, False], 'shared memory')
    stop = s.go('continue')
    f += is_equal(stop['reason'], 'data breakpoint', 'a thread wrote its word')
    names = {t['id']: t['name'] for t in s.ask('threads')['threads']}
    f += has(names[9], 'work group 1,0,0, thread 40,0,0', 'thread')
    memory = base64.b64decode(s.ask('readMemory', memoryReference='shared', offset=128, count=128)['data'])
    f += is_equal(struct.unpack('<32I', memory), tuple(3 * n for n in range(32, 64)), 'shared memory')
    part = s.ask('readMemory', memoryReference='shared', offset=0, count=10 ** 6)
    f += is_equal(len(base64.b64decode(part['data'])) + part['unreadableBytes'], 10 ** 6, 'bytes beyond the end')
    held = s.scope('Memory', 9)
    f += is_equal((held[0]['name'], held[0]['memoryReference']), ('shared', 'shared'), 'memory')
    words = s.ask('variables', variablesReference=held[0]['variablesReference'], filter='indexed', start=40, count=2)['variables']
    f += is_equal([(w['name'], w['value']) for w in words], [('[160]', '120'), ('[164]', '123')], 'words')
    f += is_equal(s.ask('dataBreakpointInfo', name='[160]', variablesReference=held[0]['variablesReference'])['dataId'], 'shared 160 4', 'a word')
    f += is_equal(s.value('shared[160]', 9), '0x00000078', 'a word') + is_equal(s.ask('variables', variablesReference=held[0]['variablesReference'], filter='named')['variables'], [], 'no named ones')
    s.ask('setDataBreakpoints', breakpoints=[])
    s.go('continue')
    f += is_equal(s.value('TEMP[1].x', 9), '123', 'the neighbour')
    s.go('stepBack', threadId=9)
    s.ask('continue')
    s.ask('pause')  # wherever it is: one stop or another follows
    s.event('stopped')
    s.end()
    return s.close()


# x is a float, y an integer; each lane has its number in memory of its own.
MIXED = '''VERT
DCL IN[0]
DCL OUT[0], POSITION
DCL MEMORY[0], PRIVATE
DCL TEMP[0]
IMM[0] UINT32 {1, 0, 0, 0}
ADD TEMP[0].x, IN[0].xxxx, IN[0].xxxx
UADD TEMP[0].y, IN[0].yyyy, IMM[0].xxxx
STORE MEMORY[0].x, IMM[0].yyyy, TEMP[0].yyyy
UADD TEMP[0].y, TEMP[0].yyyy, IMM[0].xxxx
MOV OUT[0], TEMP[0].xxxx
END
'''


def kinds():
    """A condition's number is of its component's type; each lane has private memory."""
    shader, table = c.write('mixed.tgsi', MIXED), c.write('mixed.tsv', 'IN[0]=1.5,1i\nIN[0]=2.5,6i\n')
    s = dap.Stdio()

    def prepare(client):
        conditions = ('TEMP[0].y == 3.5', 'uint(TEMP[0].y) == -1', 'TEMP[0].y == 4294967296', 'float(TEMP[0].y', 'TEMP[0].y ~ 3', 'TEMP[0] == 3', 'TEMP[1].x == 3', 'TEMP[0].y == 3 x', 'TEMP[0].x == 1e400', 'TEMP[0].x == 3i', 'TEMP[0].y == -0x1',
                      'uint(TEMP[0].y) == 3u', 'TEMP[0].y == -3i', 'TEMP[0].x == 1.5f', 'TEMP[0].x == 0x1.8p0', 'TEMP[0].x > -INF', '')
        told = client.ask('setInstructionBreakpoints', breakpoints=[{'instructionReference': '0x10000004', 'condition': one} for one in conditions])['breakpoints']
        client.findings += is_equal([b['verified'] for b in told], [False] * 11 + [True] * 6, 'conditions')
        client.ask('setInstructionBreakpoints', breakpoints=[])
        client.ask('setDataBreakpoints', breakpoints=[{'dataId': 'TEMP[0].y', 'condition': 'any TEMP[0].y == 008'}])  # not octal

    stop = s.launch(prepare, program=shader, vectors=table, line=1)
    f = s.findings
    f += is_equal((stop['reason'], s.where(), s.value('TEMP[0].xy'), s.value('TEMP[0].y', 2)), ('data breakpoint', (11, 4), '3.0, 3', '8'), 'any lane')
    s.ask('setDataBreakpoints', breakpoints=[{'dataId': 'TEMP[0]', 'condition': 'TEMP[0].x >= 3'}])
    f += is_equal((s.go('reverseContinue')['reason'], s.where()), ('data breakpoint', (9, 2)), 'a float')
    s.go('next')
    f += is_equal([s.value('private[0]', lane) for lane in (1, 2)], ['0x00000002', '0x00000007'], 'private memory')
    f += is_equal([base64.b64decode(s.ask('readMemory', memoryReference=f'private {lane}', count=4)['data']) for lane in (0, 1)], [b'\2\0\0\0', b'\7\0\0\0'], 'its bytes')
    f += is_equal([v['name'] for v in s.scope('Memory', 2)], ['private'], 'memory') + has(s.ask('readMemory', memoryReference='private 2', count=4), 'no such memory', 'another lane')
    s.end()
    return s.close()


# Of two lanes one has zero in x: its reciprocal is infinite, and it alone takes the branch.
APART = '''VERT
DCL IN[0]
DCL OUT[0], POSITION
DCL TEMP[0]
RCP TEMP[0].x, IN[0].xxxx
FSEQ TEMP[0].y, IN[0].xxxx, IN[0].yyyy
UIF TEMP[0].yyyy
MOV TEMP[0].x, IN[0].yyyy
ENDIF
MOV OUT[0], TEMP[0].xxxx
END
'''


def exceptions():
    """Each event that editors offer as an exception: an infinity, and lanes that go apart; all at once are taken, too."""
    shader, table = c.write('apart.tgsi', APART), c.write('apart.tsv', 'IN[0]=0.,0.\nIN[0]=2.,0.\n')
    s = dap.Stdio()
    s.launch(program=shader, vectors=table, line=1, stopOnEntry=True)
    f, names = s.findings, [one['filter'] for one in s.claims['exceptionBreakpointFilters']]
    for name, line in (('not-finite', 6), ('divergence', 8)):
        s.ask('setExceptionBreakpoints', filters=[name])
        f += is_equal((s.go('continue')['reason'], s.where()[0], s.ask('exceptionInfo')['exceptionId']), ('exception', line, name), name)
    f += is_equal((s.ask('setExceptionBreakpoints', filters=names), s.go('reverseContinue')['reason'], s.where()[0]), ({}, 'exception', 6), 'all of them, back')
    f += is_equal(s.value('TEMP[0].x', 1), 'inf', 'an infinity')
    s.end()
    return s.close()


def languages():
    """Direct3D: a listing stops on its own lines (debugging_d3d.py has the rest); a scene's shader on those of the scene."""
    text = 'ps_5_0\ndcl_input_ps linear v0.xyzw\ndcl_output o0.xyzw\ndcl_temps 1\nadd r0.xyzw, v0.xyzw, v0.xyzw\nmul o0.xyzw, r0.xyzw, r0.xyzw\nret\n'
    listing, table = c.write('twice.asm', text), c.write('twice.tsv', 'IN[0]=1.5,2.,3.,4.\n')
    s = dap.Stdio()
    s.launch(lambda client: client.ask('setBreakpoints', source={'path': listing}, breakpoints=[{'line': 6}]), program=listing, vectors=table)
    f = s.findings
    f += is_equal((s.where(1)[0], s.value('TEMP[0].x'), s.value('r0.x'), s.value('v0.yx')), (6, '3.0', '3.0', '2.0, 1.5'), 'line 6')
    f += is_equal([v['name'] for v in s.scope('Temporaries')][:1], ['r0'], 'its own registers')
    f += is_equal(s.ask('setDataBreakpoints', breakpoints=[{'dataId': 'o0.x', 'condition': 'r0.x == 3'}])['breakpoints'][0]['verified'], True, 'its own data')
    f += is_equal((s.go('continue')['reason'], s.value('o0.x')), ('data breakpoint', '9.0'), 'its own data') + has(s.value('r9'), 'is not a register', 'no register')
    s.end()
    f = s.close()
    s, scene = dap.Stdio(), os.path.join(c.EXAMPLES, 'scenes', 'cube.scene')
    s.launch(program=scene, pixel=[200, 150], target='picture', stopOnEntry=True)
    frame = s.ask('stackTrace')['stackFrames'][0]
    with open(scene, encoding='utf-8') as file:
        s.findings += is_equal(frame['source'].get('path'), scene, 'the scene') + has(file.read().splitlines()[frame['line'] - 1], frame['name'].split(',')[0], 'its line')
    s.end()
    return f + s.close()


def running():
    """While it runs: what can be asked, breakpoints that are set, pause, and leaving."""
    shader, table = c.write('endless.tgsi', ENDLESS), c.write('one.tsv', '\n')
    s = dap.Stdio()
    stop = s.launch(program=shader, vectors=table, stopOnEntry=True, budget=10 ** 15)
    f = s.findings
    s.ask('continue')
    f += has(s.ask('variables', variablesReference=1), 'cannot be done now: it runs', 'variables') + is_equal(len(s.ask('threads')['threads']), 1, 'threads')
    s.ask('pause')
    f += is_equal(s.event('stopped')['reason'], 'pause', 'pause')
    before = int(s.value('time'))
    s.ask('continue')
    s.ask('setBreakpoints', source={'path': shader}, breakpoints=[{'line': 6, 'condition': 'uint(TEMP[0].x) > 100000000'}])
    s.ask('pause')
    f += is_equal(s.event('stopped')['reason'], 'pause', 'a condition that does not hold yet')
    f += is_equal(int(s.value('time')) > before, True, 'time goes on')
    s.ask('setBreakpoints', source={'path': shader}, breakpoints=[{'line': 6}])
    f += is_equal((s.go('continue')['reason'], s.where()[0]), ('breakpoint', 6), 'a breakpoint')
    s.ask('setBreakpoints', source={'path': shader}, breakpoints=[])
    s.ask('evaluate', expression='seek 1000000000000', context='repl')
    s.ask('pause')
    f += is_equal(s.event('stopped')['reason'], 'pause', 'a moment far away')
    s.ask('continue')
    s.waiting.update({9001: 'pause', 9002: 'setBreakpoints'})
    asked = {'source': {'path': shader}, 'breakpoints': []}
    s.send_bytes(b''.join(framed(json.dumps({'seq': number, 'type': 'request', 'command': s.waiting[number], 'arguments': asked}).encode()) for number in (9001, 9002)))
    f += is_equal(s.event('stopped')['reason'], 'pause', 'what follows a pause at once')
    s.ask('continue')
    s.end()
    f = s.close()
    s = dap.Stdio()  # without debugging it runs to its end: here, to the end of its budget
    s.ask('initialize', adapterID='scheelite')
    s.ask('launch', program=shader, vectors=table, budget=1000, noDebug=True, stopOnEntry=True)
    s.ask('setBreakpoints', source={'path': shader}, breakpoints=[{'line': 6}])
    s.ask('configurationDone')
    s.findings += is_equal(s.event('exited'), {'exitCode': c.LIMIT}, 'without debugging')
    s.end()
    return f + s.close()


def others():
    """While groups run at which nobody looks: a breakpoint does not end the run, and pause comes back to the last stop."""
    shader = c.write('many.tgsi', SHARED.replace('BARRIER\n', ''))
    f = []
    for no_debug in (False, True):
        s = dap.Stdio()
        s.ask('initialize', adapterID='scheelite')
        s.ask('launch', program=shader, grid=[65535, 1000, 1], thread=[3, 0, 0], buffers=['0=zero:256'], stopOnEntry=True, noDebug=no_debug)
        s.ask('configurationDone')
        if not no_debug:
            s.event('stopped')
            s.go('continue')
            time = s.value('time', 4)
            s.ask('continue')
            s.ask('pause')
            f += is_equal(s.event('stopped')['reason'], 'pause', 'pause behind the group') + is_equal(s.value('time', 4), time, 'where it stood')
            s.ask('continue')
        told = s.ask('setBreakpoints', source={'path': shader}, breakpoints=[{'line': 11, 'condition': 'uint(TEMP[0].x) == 1'}])
        f += is_equal([b['verified'] for b in told['breakpoints']], [True], 'a breakpoint meanwhile')
        f += has(s.ask('variables', variablesReference=1), 'cannot be done now: it runs', f'it goes on, noDebug {no_debug}')
        s.end()
        f += s.close()
    return f


def refusals():
    """Launches that cannot be: the command's own words, and another try."""
    shader = c.write('sums.tgsi', SUMS)
    s = dap.Stdio()
    f = s.findings
    f += has(s.ask('launch', program=shader), 'initialize comes first', 'order')
    f += has(s.ask('initialize', adapterID='scheelite', pathFormat='uri'), 'pathFormat is path', 'paths')
    s.ask('initialize', adapterID='scheelite')
    for arguments, text in (({}, 'which shader?'), ({'program': shader}, 'which invocation?'), ({'program': c.path('no.tgsi'), 'vectors': c.path('no.tsv')}, 'no.tgsi'), ({'program': SWIRL, 'vectors': '-'}, "standard input is the editor's"), ({'program': shader, 'pixel': [1, 2]}, '--pixel is for fragment shaders'),
                            ({'program': SWIRL, 'pixel': [1, 2, 3]}, '--pixel is X,Y'), ({'program': SWIRL, 'pixel': [1.5, 2]}, 'pixel is a list of whole numbers'), ({'program': SWIRL, 'pixel': {}}, 'pixel is not a text'),
                            ({'program': SWIRL, 'vectors': [1]}, 'vectors is no such list'), ({'program': SWIRL, 'textures': [1]}, 'textures is a list of texts'), ({'program': '--help', 'pixel': '1,1'}, '--help'),
                            ({'program': SWIRL, 'pixel': '1,1', 'textures': ['0=x'] * 600}, 'too many options'), ({'program': '-', 'pixel': '1,1'}, "standard input is the editor's"), ({'program': ''}, 'not the name of a file'),
                            ({'program': SWIRL, 'pixel': '1,1', 'engine': 'warp'}, '--engine is auto, interp or maxwell, not warp')):
        f += has(s.ask('launch', **arguments), text, str(arguments)[:60])
    error = s.response(s.send('launch', program=c.path('no{text}.tgsi'), pixel='1,1'))['body']['error']
    f += is_equal(error['format'], '{text}', 'braces are no variables') + has(dap.reason(error), 'no{text}.tgsi', 'braces')
    error = s.response(s.send('configurationDone'))['body']['error']
    f += is_equal((error['format'], 'variables' in error), ('configurationDone cannot be done now: launch comes first', False), 'order')
    f += is_equal(s.launch_again(), 'entry', 'at last')
    s.end()
    return s.close() + c.exit_is(c.USAGE, 'debug', '--dap', '--pixel', 'x', err='--pixel is X,Y') + c.exit_is(c.NO, 'debug', '--dap', err='without a disconnect') + \
        c.exit_is(c.IO, 'debug', '--dap=' + os.path.join(c.FOLDER.name, 'no', 'socket'), err='No such file')


def launch_again(self):
    self.ask('launch', program=SWIRL, pixel='1,1', stopOnEntry=True)
    self.ask('configurationDone')
    return self.event('stopped')['reason']


dap.Client.launch_again = launch_again


# ---- sockets and nonsense


def sockets():
    """Clients one after the other on a port and on a socket, which goes with the server; two that stop a run, and leave while it
    runs; a browser's request is none."""
    f = []
    endless, table = c.write('endless.tgsi', ENDLESS), c.write('one.tsv', '\n')
    for place in ('0', c.path('dap.socket')):
        server = dap.Served(place)
        for _ in range(2):
            client = server.connect()
            stop = client.launch(program=SWIRL, pixel='3,4', stopOnEntry=True)
            f += is_equal(stop['reason'], 'entry', place)
            client.end()
            f += client.findings
            server.socket.close()
        for _ in range(2):
            client = server.connect()
            client.launch(program=endless, vectors=table, stopOnEntry=True, budget=10 ** 15)
            client.ask('continue')
            client.ask('pause')
            f += is_equal(client.event('stopped')['reason'], 'pause', place) + is_equal(client.go('stepBack')['reason'], 'step', place)
            client.ask('continue')
            client.end()
            f += client.findings
            server.socket.close()
        client = server.connect()
        inner = b'{"seq":1,"type":"request","command":"initialize"}'
        client.send_bytes(b'POST / HTTP/1.1\r\nContent-Length: %d\r\n\r\n' % len(inner) + inner)
        answer = client.message()
        f += has(answer.get('message'), 'no header Content-Length', 'HTTP') + is_equal(client.message(), None, 'HTTP')
        server.socket.close()
        f += is_equal(server.end(), c.YES, 'SIGTERM')
        if place != '0':
            f += is_equal(os.path.exists(place), False, 'the socket is gone')
    path = c.path('left.socket')
    with socket.socket(socket.AF_UNIX) as left:
        left.bind(path)  # of a process that was killed
    server = dap.Served(path)
    f += has(server.line, path, 'a socket that was left') + c.exit_is(c.IO, 'debug', f'--dap={path}', err='in use')
    server.end()
    return f


def framed(text):
    return b'Content-Length: %d\r\n\r\n' % len(text) + text


def malformed():
    """What is no message gets an error, and the session goes on; without a header it ends."""
    f = []
    good = json.dumps({'seq': 7, 'type': 'request', 'command': 'initialize'}).encode()
    bad = [b'', b'{', b'[]', b'7', b'null', b'"text"', b'{"seq":1}', b'{"type":"request"}', b'{"type":"event","event":"x"}', b'{"type":"request","seq":1,"command":7}', good + b'x', b'\xff\xfe', b'{"a":"\xff"}',
           b'[' * 10000 + b']' * 10000, b'{"type":"request","seq":"x","command":"y"}', b'{"type":"request","seq":99999999999999999999,"command":"y"}', b'{"type":"request","seq":-5,"command":"y"}', b'{"a":' * 50 + b'1' + b'}' * 50,
           b'{"type":"request","seq":1,"command":"' + b'y' * 100000 + b'"}']
    s = dap.Stdio()
    for text in bad:
        s.send_bytes(framed(text))
        answer = s.message()
        f += is_equal((answer['type'], answer['success']), ('response', False), repr(text[:40]))
    s.send_bytes(b'Content-Length: 3000000\r\n\r\n' + b' ' * 3000000 + framed(good))
    f += has(s.message()['message'], 'at most 262144 bytes', 'too long')
    f += is_equal(s.message().get('success'), True, 'behind what was too long')
    s.findings = [text for text in s.findings if 'answers no request' not in text]
    s.end()
    f += s.close()
    for head in (b'Content-Length: x\r\n\r\n', b'Content-Length: -1\r\n\r\n', b'Content-Length: 99999999999\r\n\r\n', b'content: 1\r\n\r\n', b'\r\n\r\n', b'Content-Length: 2\r\nX: y\r\n\r\n{}', b'Content-Length:' + b' ' * 2000, b'x' * 5000):
        s = dap.Stdio()
        s.send_bytes(head)
        answer = s.message()
        f += has(answer.get('message'), 'header', repr(head[:30])) + is_equal(s.message(), None, repr(head[:30]))
        f += s.close(c.NO)
    return f


def mutated(made, requests):
    """A request with something wrong, or bytes with some flipped."""
    request = json.loads(json.dumps(made.choice(requests)))
    request['seq'] = made.randrange(-2, 1000)
    arguments = request.get('arguments', {})
    values = [None, True, -1, 0, 1, 2 ** 31, 2 ** 63, 1e300, '', 'x' * 300, [], [{}], {}, {'path': SWIRL}, '0x10000003', 'TEMP[0].x', 'shared 0 4', [[]], 'TEMP[4294967295]', 'seek 3', '\0', 'é']
    for name in list(arguments):
        if made.random() < 0.3:
            arguments[name] = made.choice(values)
    if arguments and made.random() < 0.2:
        arguments.pop(made.choice(list(arguments)))
    if made.random() < 0.1:
        request['arguments'] = made.choice(values)
    text = bytearray(json.dumps(request).encode())
    if made.random() < 0.15:
        for _ in range(made.randrange(1, 4)):
            text[made.randrange(len(text))] = made.randrange(256)
    return framed(bytes(text))


def nonsense():
    """Requests with wrong members and bytes, in any order: each gets one response, and the server lives."""
    f, table = [], c.write('sums.tsv', ''.join(f'IN[0]={n}u\n' for n in (2, 3, 0, 1)))
    shader = c.write('sums.tgsi', SUMS)
    requests = [{'type': 'request', 'command': name, 'arguments': arguments} for name, arguments in (
        ('initialize', {'linesStartAt1': True, 'pathFormat': 'path'}), ('launch', {'program': shader, 'vectors': table, 'line': 2, 'stopOnEntry': True}), ('configurationDone', {}), ('threads', {}),
        ('setBreakpoints', {'source': {'path': shader}, 'breakpoints': [{'line': 7, 'condition': 'TEMP[0].x == 3'}]}), ('setInstructionBreakpoints', {'breakpoints': [{'instructionReference': '0x10000002', 'offset': 1}]}),
        ('setDataBreakpoints', {'breakpoints': [{'dataId': 'TEMP[0].x', 'condition': 'any TEMP[0].y > 1'}]}), ('dataBreakpointInfo', {'name': 'x', 'variablesReference': 4260}), ('setExceptionBreakpoints', {'filters': ['divergence']}),
        ('stackTrace', {'threadId': 2, 'startFrame': 0, 'levels': 3}), ('scopes', {'frameId': 1}), ('variables', {'variablesReference': 65, 'start': 0, 'count': 5, 'filter': 'named'}), ('evaluate', {'expression': 'TEMP[0].x', 'frameId': 1, 'context': 'repl'}),
        ('source', {'source': {'path': shader}, 'sourceReference': 1}), ('disassemble', {'memoryReference': '0x10000000', 'offset': 0, 'instructionOffset': 0, 'instructionCount': 10}), ('readMemory', {'memoryReference': 'shared', 'offset': 0, 'count': 9}),
        ('next', {'threadId': 2}), ('stepIn', {'threadId': 1, 'granularity': 'instruction'}), ('stepOut', {'threadId': 2}), ('stepBack', {'threadId': 3}), ('continue', {'threadId': 1}), ('reverseContinue', {'threadId': 1}), ('pause', {'threadId': 1}),
        ('exceptionInfo', {'threadId': 1}))]
    for seed in range(6):
        made = random.Random(seed)
        s = dap.Stdio()
        count = 400
        if seed % 2:
            s.send_bytes(b''.join(framed(json.dumps({'seq': 1, **request}).encode()) for request in requests[:3]))
        s.send_bytes(b''.join(mutated(made, requests) for _ in range(count)))
        s.send_bytes(framed(b'{"type":"request","seq":4711,"command":"disconnect"}'))
        responses = last = 0
        while (message := s.message()) is not None:
            responses += message['type'] == 'response'
            last = message.get('request_seq')
        f += is_equal((responses, last), (count + 1 + (3 if seed % 2 else 0), 4711), f'seed {seed}')
        s.findings = [text for text in s.findings if 'answers no request' not in text]
        f += s.close()
    return f


def granularity():
    """A line of Direct3D that became four instructions: steps of lines pass them, steps of instructions do not."""
    listing = c.write('both.asm', 'ps_5_0\ndcl_input_ps linear v0.xyzw\ndcl_output o0.xyzw\ndcl_temps 2\nsincos r0.x, r1.x, v0.x\nadd r0.y, r0.x, r1.x\nmov o0.xyzw, r0.xyxy\nret\n')
    s = dap.Stdio()
    s.launch(program=listing, vectors=c.write('both.tsv', 'IN[0]=1.5,2.,3.,4.\n'), stopOnEntry=True)
    for step, begin, instruction, line in (('next', 0, (5, 1), (6, 4)), ('stepIn', 0, (5, 1), (6, 4)), ('stepBack', 3, (5, 2), (5, 0))):
        for name, wanted in (('instruction', instruction), ('line', line), ('statement', line)):
            s.ask('evaluate', expression=f'seek {begin}', context='repl')
            s.event('stopped')
            s.go(step, granularity=name)
            s.findings += is_equal(s.where(), wanted, f'{step}, {name}')
    s.end()
    return s.close()


# What shows that a claim of the server holds: requests of the sessions above, and members of them (dap.parts).
SHOWN = {'supportsConfigurationDoneRequest': ['configurationDone'], 'supportsConditionalBreakpoints': ['setBreakpoints.breakpoints.condition', 'setInstructionBreakpoints.breakpoints.condition', 'setDataBreakpoints.breakpoints.condition'],
         'supportsEvaluateForHovers': ['evaluate.context=hover'], 'supportsStepBack': ['stepBack', 'reverseContinue'], 'supportsExceptionInfoRequest': ['exceptionInfo'],
         'supportsValueFormattingOptions': ['evaluate.format.hex', 'variables.format.hex'], 'supportsTerminateRequest': ['terminate'], 'supportsDataBreakpoints': ['dataBreakpointInfo', 'setDataBreakpoints'],
         'supportsReadMemoryRequest': ['readMemory'], 'supportsDisassembleRequest': ['disassemble'],
         'supportsSteppingGranularity': [f'{step}.granularity={one}' for step in ('next', 'stepIn', 'stepBack') for one in ('statement', 'line', 'instruction')], 'supportsInstructionBreakpoints': ['setInstructionBreakpoints']}


def protocol():
    """The sessions above were held against the protocol's own schema; they had every message that the server knows, and made
    use of all that it claims."""
    if os.environ.get('SCH_TEST'):
        raise tap.Skip('the sessions were not run')
    if not dap_schema.PROTOCOL:
        raise tap.Skip(dap_schema.MISSING)
    print(f'# by the schema: {", ".join(f"{count} {kind}s" for kind, count in dap_schema.PROTOCOL.counts.items())}')
    claimed = {name for name, value in dap.Client.claims.items() if value is True}
    f = is_equal(sorted(claimed), sorted(SHOWN), 'what it claims')
    wanted = [*dap.RESPONSES, *(part for parts in SHOWN.values() for part in parts), *(f'setExceptionBreakpoints.filters={one["filter"]}' for one in dap.Client.claims['exceptionBreakpointFilters'])]
    f += [f'no session has {part}' for part in wanted if part not in dap.DONE]
    return f + [f'no session has the event {name}' for name in dap.EVENTS if dap_schema.PROTOCOL.names['event', name] not in dap_schema.PROTOCOL.validators]


CHECKS = [('a pixel', pixel), ('vertices', vertices), ('a work group', work_group), ('kinds', kinds),
          ('exceptions', exceptions), ('languages', languages), ('granularity', granularity), ('running', running),
          ('others', others), ('refusals', refusals), ('sockets', sockets), ('malformed', malformed), ('terminated at once', terminated_at_once),
          ('nonsense', nonsense), ("the protocol's own schema", protocol)]
tap.run([(name, alone(check)) for name, check in CHECKS])
