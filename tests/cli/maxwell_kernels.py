#!/usr/bin/env python3
"""Control slots, labels and notes of Maxwell programs through the command. Compiled kernels are beside the repository,
and read when present: their slots are right, so nothing is to be warned of, and much once a wait is taken away."""
import glob
import json
import os
import re
import struct

import command as c
import tap

CUBINS = sorted(glob.glob(os.path.join(os.environ.get('SCH_SHARED', ''), 'corpus', 'maxwell', '**', '*.cubin'), recursive=True))
STEP = 9 if c.SANITIZED else 1
LOAD = 'LDG.E R2, [R4] {&wr0} {?stall1} ;\n'


def listing(path, *options):
    return c.run('dis', '-x', 'cubin', path, *options).stdout.decode()


def words(text, *options):
    return c.run('asm', '-x', 'maxwell', '--words', '-', *options, stdin=text)


def warnings():
    early = LOAD + 'IADD R3, R2, R2 {?stall6} ;\n'
    findings = c.exit_is(c.YES, 'check', '-x', 'maxwell', '-', stdin=early, err='<stdin>:2:1: warning 2650: R2 is read before barrier 0')
    findings += c.exit_is(c.YES, 'asm', '-x', 'maxwell', '--words', '-', stdin=early, err='warning 2650')
    findings += c.exit_is(c.YES, 'check', '-x', 'maxwell', '-Wno-2650', '-', stdin=early, err='')
    findings += c.exit_is(c.NO, 'check', '-x', 'maxwell', '-Werror', '-', stdin=early, err='2650')
    findings += c.exit_is(c.YES, 'check', '-x', 'maxwell', '-', stdin=LOAD + 'MOV R2, R9 {?stall6} ;\n', err='warning 2651')
    done = words(early, '--schedule')
    return findings + ([] if done.returncode == 0 and not done.stderr else [f'--schedule: {done.stderr}'])


def options():
    findings = c.exit_is(c.USAGE, 'asm', '-x', 'maxwell', '--hex', '--schedule', '-', stdin='', err='--schedule')
    findings += c.exit_is(c.USAGE, 'dis', '-x', 'maxwell', '--hex', '--labels', '-', stdin='', err='--labels')
    shader = c.write('plain.tgsi', 'FRAG\nDCL OUT[0], COLOR\nEND\n')
    return findings + c.exit_is(c.USAGE, 'asm', '--schedule', '--words', shader, err='--schedule')


def addresses_of_lines():
    lines = '/*0048*/ 0xe24000000207000f\n0048: e24000000207000f\ne24000000207000f\n'
    out = c.run('dis', '-x', 'maxwell', '--hex', '-', stdin=lines).stdout.decode()
    findings = [] if out == 'BRA 0x70;\nBRA 0x70;\nBRA 0x28;\n' else [out]
    lines = '/*0048*/ BRA 0x70;\n0048: BRA 0x70\nBRA 0x28\n02:1:-:Y:4 BRA 0x28\n'
    out = c.run('asm', '-x', 'maxwell', '--hex', '-', stdin=lines).stdout.decode()
    return findings + ([] if out == '0xe24000000207000f\n' * 4 else [out])


def compiled_slots_are_right():
    findings = []
    for path in CUBINS[::STEP]:
        findings += c.exit_is(c.YES, 'check', '-x', 'cubin', path, err='')
    return findings


def waits_that_are_missing_are_seen():
    """Without its waits an instruction reads too early: most waits are needed where they stand."""
    taken = seen = 0
    for path in [path for path in CUBINS if '.O0.' not in path][::8]:  # without optimization many are not needed
        lines = listing(path, '--style=isa').splitlines(True)
        waiting = [i for i, line in enumerate(lines) if '{&req_' in line]
        for i in waiting[::3]:
            text = ''.join(lines[:i] + [re.sub(r' \{&req_0x..\}', '', lines[i])] + lines[i + 1:])
            taken += 1
            seen += b'warning 265' in words(text).stderr
    print(f'# {taken} waits taken away, {seen} seen')
    return [] if seen * 10 >= taken * 7 else [f'{seen} of {taken}']


def schedules_are_right():
    findings = []
    for path in CUBINS[::STEP]:
        bare = re.sub(r' \{[&?][^}]*\}|\.reuse|^\s*\.control.*\n', '', listing(path, '--style=isa'), flags=re.MULTILINE)
        code = c.path('scheduled.raw')
        done = c.run('asm', '-x', 'maxwell', '--schedule', '-o', code, '-', stdin=bare)
        if done.returncode or done.stderr:
            findings.append(f'{path}: {done.stderr}')
        findings += c.exit_is(c.YES, 'check', '-x', 'maxwell', code, err='')
    return findings


def labels_come_back():
    findings, count = [], 0
    for path in CUBINS[::STEP]:
        wanted = words(listing(path, '--style=isa')).stdout
        for style in ('isa', 'nvdisasm'):
            text = listing(path, '--labels', f'--style={style}')
            count += text.count('`(.L_')
            if words(text).stdout != wanted:
                findings.append(f'{path}: {style}')
    print(f'# {count} labels')
    return findings if count or not CUBINS else ['no label']


def listings_without_words():
    """nvdisasm's listings say all of the words but symbols; the slots are not in them."""
    findings = []
    for path in CUBINS[::STEP]:
        sass = path[:-len('.cubin')] + '.sass'
        if not os.path.exists(sass):
            continue
        with open(sass, encoding='utf-8') as file:
            text = re.sub(r'/\*.*?\*/', '', file.read())
        if 'DescSize' in text:
            continue
        bare = [[word for i, word in enumerate(words(t).stdout.split()) if i % 4] for t in (text, listing(path, '--style=isa'))]
        if bare[0] != bare[1]:
            findings.append(sass)
    return findings


# ---- notes ----

NOP = 0x50b0000000070f00


def cubin(extra, second=NOP):
    """One kernel k of three NOP, or another instruction in the middle, and sections of (name, type, info, link, bytes)."""
    names, strings = bytearray(b'\0'), b'\0k\0tx\0'
    code = struct.pack('<4Q', 0x7e0 | 0x7e0 << 21 | 0x7e0 << 42, NOP, second, NOP)
    symbols = bytes(24) + struct.pack('<IBBHQQ', 1, 0x12, 0x10, 1, 0, 32) + struct.pack('<IBBHQQ', 3, 0x1a, 0, 0, 0, 0)
    sections = [('.text.k', 1, 9 << 24 | 1, 0, code, 6 | 2 << 20), ('.symtab', 2, 0, 3, symbols, 0), ('.strtab', 3, 0, 0, strings, 0)]
    sections += [(*section, 0) for section in extra]
    data, rows = bytearray(64), [(0,) * 10]
    for name, kind, info, link, content, flags in sections:
        rows.append((len(names), kind, flags, 0, len(data), len(content), link, info, 1, 0))
        names += name.encode() + b'\0'
        data += content
    rows.append((len(names), 3, 0, 0, len(data), len(names) + 10, 0, 0, 1, 0))
    data += names + b'.shstrtab\0'
    table = len(data)
    for row in rows:
        data += struct.pack('<IIQQQQIIQQ', *row)
    data[:64] = b'\x7fELF\x02\x01\x01\x33\x07' + bytes(7) + struct.pack(
        '<HHIQQQIHHHHHH', 2, 190, 0x76, 0, 0, table, 0x320532, 64, 56, 0, 64, len(rows), len(rows) - 1)
    return bytes(data)


def line_program():
    """Two rows of k.cu: line 7 at 8, line 9 at 0x18."""
    header = bytes([1, 1, 0xfb, 14, 10, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0]) + b'k.cu\0\0\0\0\0'
    body = b'\0\x09\x02' + bytes(8) + b'\x03\x06\x02\x08\x01' + b'\x03\x02\x02\x10\x01' + b'\0\x01\x01'
    unit = struct.pack('<HI', 2, len(header)) + header + body
    return struct.pack('<I', len(unit)) + unit, 4 + 6 + len(header) + 3


def notes_are_told():
    info = struct.pack('<BBHIHHI', 4, 0x17, 12, 0, 0, 0, 8 << 18) + struct.pack('<BBH', 3, 0x19, 8) + struct.pack('<BBHI', 4, 0x1c, 4, 0x18)
    info += struct.pack('<BBH', 1, 0xee, 0)
    whole = struct.pack('<BBHII', 4, 0x11, 8, 1, 48) + struct.pack('<BBHII', 4, 0x12, 8, 1, 0xffffffff)
    program, place = line_program()
    extra = [('.nv.info.k', 0x70000000, 1, 2, info), ('.nv.info', 0x70000000, 0, 2, whole), ('.nv.shared.k', 8, 1, 0, b''),
             ('.nv.constant0.k', 1, 1, 0, bytes(0x148)), ('.rel.text.k', 9, 1, 2, struct.pack('<QQ', 0x10, 42 | 2 << 32)),
             ('.debug_line', 1, 0, 0, program), ('.rel.debug_line', 9, 9, 2, struct.pack('<QQ', place, 2 | 1 << 32))]
    path = c.write('notes.cubin', cubin(extra))
    wanted = ('kernel\tk\tregisters 9\tbarriers 2\tshared 0\tlocal 48\tstack unknown\tconstants 328\tparameters 1\tof 8 bytes\ttextures 0\n',
              'function\tk\t0x0\tk\t32 bytes\n', 'relocation\tk\t0x10\ttx\t.text.k, type 42\n', 'parameter\tk\t0x0\t0\t8 bytes\n',
              'constant\tk\t0x0\tc[0x0]\t328 bytes\n', 'attribute\tk\t0x19\tCBANK_PARAM_SIZE\t0x8\n',
              'attribute\tk\t0x1c\tEXIT_INSTR_OFFSETS\t0x18\n', 'attribute\tk\t0xee\t0xee\t\n', 'attribute\t-\t0x11\tFRAME_SIZE\tk, 0x30\n')
    out = c.run('info', path).stdout.decode()
    findings = [f'info lacks {line!r} in {out}' for line in wanted if line not in out]
    told = json.loads(c.run('info', '--json', path).stdout)
    if told['sections'][0]['kernel'] is not True or {'kind': 'line', 'section': 0, 'offset': 24, 'name': 'k.cu', 'text': '9'} not in told['notes']:
        findings.append(str(told))
    text = listing(path)
    for line in ('//## File "k.cu", line 7\n        /*0008*/', '// relocation: tx, .text.k, type 42\n        /*0010*/',
                 '//## File "k.cu", line 9\n        /*0018*/'):
        if line not in text:
            findings.append(f'dis lacks {line!r} in {text}')
    return findings + ([] if len(words(text).stdout.split()) == 4 else ['the text does not come back'])


def what_is_not_linked():
    """A branch whose target a relocation says is refused; other instructions run as they are, with a warning."""
    relocation = [('.rel.text.k', 9, 1, 2, struct.pack('<QQ', 0x10, 42 | 2 << 32))]
    findings = []
    for text, exit_code, error in (('MOV32I R0, 0x0', c.YES, 'warning 4511: a relocation changes MOV32I'), ('BRA 0x18', c.UNSUPPORTED, 'error 4324: BRA is not executed'),
                                   ('CAL 0x8', c.UNSUPPORTED, 'error 4324: CAL is not executed')):
        word = int(c.run('asm', '-x', 'maxwell', '--hex', '-', stdin=f'/*0010*/ {text} ;\n'.encode()).stdout, 16)
        findings += c.exit_is(exit_code, 'run', c.write('linked.cubin', cubin(relocation, word)), '--grid', '1', err=error)
    return findings


def damaged_notes_are_left_out():
    cut = struct.pack('<BBH', 4, 0x1c, 400)
    program = line_program()[0]
    findings = []
    for extra in ([('.nv.info.k', 0x70000000, 1, 2, cut)], [('.debug_line', 1, 0, 0, program[:-9])], [('.rel.text.k', 9, 99, 2, bytes(16))],
                  [('.rel.text.k', 9, 1, 2, struct.pack('<QQ', 8, 9 << 32))]):
        path = c.write('damaged.cubin', cubin(extra))
        findings += c.exit_is(c.YES, 'info', path, out='kernel\tk\t', err='warning 3519')
    return findings


def chips():
    """Words of sm_60 and sm_61 are read by the same rows; what they are not is refused one by one."""
    findings = []
    for chip in (60, 61):
        data = bytearray(cubin([]))
        data[48] = chip
        path = c.write('chip.cubin', bytes(data))
        findings += c.exit_is(c.YES, 'info', path, out=f'arch\tsm_{chip}') + c.exit_is(c.YES, 'dis', path, out=f'.arch sm_{chip}\n')
        findings += c.exit_is(c.YES, 'dis', '-x', 'maxwell', f'--arch=sm_{chip}', '-', stdin='.word 0xffffffffffffffff', out='no operation has these bits')
    data[48] = 70
    return findings + c.exit_is(c.UNSUPPORTED, 'info', c.write('volta.cubin', bytes(data)), err='error 3311')


tap.run([('warnings of slots', warnings), ('options', options), ('addresses of lines', addresses_of_lines),
         ('slots of compiled kernels are right', compiled_slots_are_right), ('waits that are missing', waits_that_are_missing_are_seen),
         ('schedules', schedules_are_right), ('labels', labels_come_back), ('listings without words', listings_without_words),
         ('notes', notes_are_told), ('what is not linked', what_is_not_linked), ('damaged notes', damaged_notes_are_left_out), ('chips', chips)])
