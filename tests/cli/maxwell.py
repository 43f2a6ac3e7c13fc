#!/usr/bin/env python3
"""Maxwell programs through the command: words and texts line by line, control words, kernels against nvdisasm's
listings, raw code, cubins, check, info, exit codes. Lists and a kernel of our own (tests/corpus/maxwell); those beside the
repository are read when present."""
import glob
import json
import os
import random
import re
import resource
import struct
import subprocess

import command as c
import tap

OPERATIONS = ('TMML', 'TXQ', 'TXA', 'TEX', 'TEXS', 'TLD', 'TLDS', 'TLD4', 'TLD4S', 'TXD')
SHARED = os.path.join(os.environ.get('SCH_SHARED', ''), 'corpus', 'maxwell')
OWN = os.path.join(tap.SOURCE, 'tests', 'corpus', 'maxwell')
TLDS = 'TLDS.LZ R0, R4, R9, R11, 0x7, 2D, RGBA;'
TLDS_WORD = 0xda50007000b70904
NOP = 0x50b0000000070f00


def blanks(text):
    return ' '.join(text.split())


def lines(*arguments, stdin):
    done = c.run(*arguments, stdin=stdin)
    return done.stdout.decode().splitlines(), done


def bundle(control, *words):
    return struct.pack('<4Q', control, *words)


def control_of(*slots):
    return sum(slot << 21 * i for i, slot in enumerate(slots))


# ---- line by line ----

def one_line_for_each():
    words = [f'{TLDS_WORD:016x}', '0xDF48000780470600', 'zz', '', '50b0000000070f00', '1' + '0' * 16, f'{TLDS_WORD:x} 1']
    out, done = lines('dis', '-x', 'maxwell', '--hex', '-', stdin='\n'.join(words) + '\n')
    wanted = [TLDS, 'TXQ R0, R6, TEX_HEADER_DIMENSION, 0x0, 0xf;', '?', '?', 'NOP;', '?', '?']
    findings = [] if out == wanted else [f'dis: {out}']
    errors = done.stderr.decode()
    findings += [f'dis: stderr lacks {place}' for place in ('<stdin>:3: error', '<stdin>:4: error', '<stdin>:6: error',
                                                             '<stdin>:7: error') if place not in errors]
    if '<stdin>:5' in errors or done.returncode != c.NO:
        findings.append(f'dis: exit {done.returncode}: {errors}')
    texts = [TLDS, 'TLDS.LZ R0', '', f'{{ {TLDS[:-1]} }}', TLDS + TLDS, f'/* a */ {TLDS[:-1]} {{&wr1}} {{?stall3}} ; // b']
    out, done = lines('asm', '-x', 'maxwell', '--hex', '-', stdin='\n'.join(texts))
    if out != [f'0x{TLDS_WORD:016x}', '?', '?', f'0x{TLDS_WORD:016x}', '?', f'0x{TLDS_WORD:016x}']:
        findings.append(f'asm: {out}')
    errors = done.stderr.decode()
    findings += [f'asm: stderr lacks {line}' for line in ('<stdin>:2:', '<stdin>:3:1: error 1152', '<stdin>:5:')
                 if line not in errors]
    return findings + ([] if done.returncode == c.NO else [f'asm: exit {done.returncode}'])


def answers_come_before_more_is_awaited():
    for call, question, answer in (('dis', f'{TLDS_WORD:x}', TLDS), ('asm', TLDS, f'0x{TLDS_WORD:016x}')):
        with subprocess.Popen([c.COMMAND, call, '-x', 'maxwell', '--hex', '-'], stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE, text=True) as process:
            for _ in range(3):
                process.stdin.write(question + '\n')
                process.stdin.flush()
                line = process.stdout.readline()
                if line != answer + '\n':
                    return [f'{call}: {line!r}']
            process.stdin.close()
            if process.wait(60):
                return [f'{call}: exit {process.returncode}']
    return []


def architectures():
    half = 'd220009100c70804'
    findings = []
    for arch, wanted in (('sm_50', '?'), ('sm_52', 'TLDS'), ('sm_53', 'TLDS')):
        out, _ = lines('dis', '-x', 'maxwell', '--hex', '--arch', arch, '-', stdin=half + '\n')
        if not out[0].startswith(wanted):
            findings.append(f'{arch}: {out}')
        text = 'TLDS.F16.LL R16, R4, R8, R12, 0x9, 1D, RGB;\n'
        out, done = lines('asm', '-x', 'maxwell', '--hex', f'--arch={arch}', '-', stdin=text)
        if (out == ['?']) != (arch == 'sm_50') or done.returncode != (c.NO if arch == 'sm_50' else c.YES):
            findings.append(f'asm {arch}: {out} {done.returncode}')
    return findings


def styles():
    control = f'{control_of(0x7e0, 0x107e0 | 1 << 17, 0x732):x}'
    findings = []
    for slot, style, wanted in ((0, 'isa', 'TLDS.LZ R0, R4, R9, R11, 0x7, 2D, RGBA;'), (1, 'isa', '{&req_0x20}'), (1, 'isa', 'TLDS.LZ.T '),
                                (2, 'isa', '{&wr1} {?stall2}'), (1, 'nvdisasm', 'TLDS.LZ.T R0, R4, R9, R11, 0x7, 2D, RGBA ;')):
        out, _ = lines('dis', '-x', 'maxwell', '--hex', '--control', f'--style={style}', '-',
                       stdin=f'{control}\t{slot}\t{TLDS_WORD:x}\n')
        if wanted not in out[0]:
            findings.append(f'{slot} {style}: {out}')
    return findings


def braces_of_control():
    """Stall 0 without yield opens a group, and what is behind it in the same control word closes it."""
    findings = []
    for slots, wanted in (((0x7f0, 0x7e0, 0x7e0), ('{ ;', ' }', ';')), ((0x7f0, 0x7f0, 0x7e0), ('{ ;', ' }', ';')),
                          ((0x7e0, 0x7f0, 0x7f1), (';', '{ ;', ' }')), ((0x7e1, 0x7e0, 0x7f0), (' ;', ';', '{ ;'))):
        control = f'0x{control_of(*slots):016x}'
        out, _ = lines('dis', '-x', 'maxwell', '--hex', '--control', '-',
                       stdin=''.join(f'{control} {i} {TLDS_WORD:x}\n' for i in range(3)))
        bare = TLDS[:-1]
        texts = [{'{ ;': f'{{ {bare} ;', ' }': f'{bare} }}', ' ;': f'{bare} ;', ';': f'{bare};'}[w] for w in wanted]
        if out != texts:
            findings.append(f'{control}: {out}')
    bad, done = lines('dis', '-x', 'maxwell', '--hex', '--control', '-', stdin=f'7e0 3 {TLDS_WORD:x}\n7e0 0\n')
    if bad != ['?', '?'] or done.returncode != c.NO:
        findings.append(f'slot 3: {bad} {done.returncode}')
    return findings


def fields_of_lines():
    """Blanks, prefixes and digits of words; what is wrong is a ? and a report of its line."""
    word, text = f'{TLDS_WORD:x}', TLDS[:-1]
    said = [f'expected {what}, of an even number of digits' for what in ('a word of 64 bits in hexadecimal', 'a control word, a slot (0 to 2) and a word in hexadecimal')]
    plain = [(word, 1), ('  ' + word, 1), ('\t' + word + ' \t', 1), ('0x' + word, 1), ('0X' + word.upper(), 1), ('', 0), ('  ', 0), ('0x', 0), ('0' + word, 0), ('0x0' + word, 0), (word + 'g', 0), (word[:-1] + ':', 0),
             (word + ' 1', 0), (word + ',', 0), ('0x0x' + word, 0), ('-1', 0), ('@' + word, 0), ('G', 0), ('`', 0), ('/', 0), (word + '\r', 1), (word + '\r\r', 0), ('\0', 0), (word + '\0', 0), (word[1:], 0), (word[:-1], 0), ('0x' + word[:-1], 0), ('1', 0)]
    control = [(f'7e0 {slot} {word}', 1) for slot in range(3)] + [(f'{"0" * 13}7e0 00 {word}', 1), (f'\t0x7e0\t0x1\t0x{word}\t', 1), (f'  7E0  2  {word}  ', 1), (f'7e0 3 {word}', 0), (f'7e0 {word}', 0), ('7e0', 0), ('7e0 0', 0), ('7e0 0 ', 0),
               ('', 0), (word, 0), (f'x 0 {word}', 0), (f'7e0 x {word}', 0), (f'7e0 0 {word} 0', 0), (f'7e0 0 {word}x', 0), (f'{"0" * 14}7e0 0 {word}', 0), (f'7e0 10 {word}', 0), (f'7e0g 0 {word}', 0), (f'7e0 0 {word[:-1]}', 0)]
    findings = []
    for rows, options in ((plain, ()), (control, ('--control',))):
        name = c.write('words.txt', '\n'.join(row for row, _ in rows) + '\n')
        for path, stdin in ((name, ''), ('-', c.read(name))):
            shown = '<stdin>' if path == '-' else path
            reports = ''.join(f'{shown}:{n}: error: {said[bool(options)]}\n' for n, (_, good) in enumerate(rows, 1) if not good)
            texts = [text + (';' if not options or not good or row.split()[1][-1] == '0' else ' ;') for row, good in rows]
            findings += c.says(c.NO, ''.join((text if good else '?') + '\n' for text, (_, good) in zip(texts, rows)), reports, 'dis', '-x', 'maxwell', '--hex', *options, path, stdin=stdin)
    return findings


def many_warnings():
    """Warnings about a hundred lines are shown, errors about all."""
    findings, warned = [], 'TLDS.LZ R1, R5, R9, R11, 0x7, 2D, RGBA;\n'
    one = c.run('asm', '-x', 'maxwell', '--hex', '-', stdin=warned)
    report = one.stderr.decode()
    if one.returncode != c.YES or not re.fullmatch(r'<stdin>:1:1: warning 23\d\d: [^\n]+\n(?s:.*)', report) or report.count('warning') < 1:
        return [f'{one}']
    for count in (99, 100, 101, 250):
        for wrong in (0, 2):
            wanted = ''.join(report.replace('<stdin>:1:', f'<stdin>:{n + 1}:') for n in range(min(count, 100)))
            done = c.run('asm', '-x', 'maxwell', '--hex', '-', stdin=warned * count + 'TEX R0, R2;\n' * wrong)
            said, more = re.sub(r'see: scheelite explain \d+\n', '', done.stderr.decode()), f'scheelite: warnings about {count - 100} more lines are not shown\n' if count > 100 else ''
            errors = [line for line in said.splitlines() if ': error ' in line]
            if not said.startswith(wanted) or not said.endswith(more) or said.count('warning') != wanted.count('warning') + bool(more) or len(errors) != wrong or \
                    done.stdout.decode() != one.stdout.decode() * count + '?\n' * wrong or done.returncode != (c.NO if wrong else c.YES):
                findings.append(f'{count} {wrong}: {done.returncode} {said[-400:]}')
    return findings


# ---- the lists, ours and those beside the repository ----

def rows(path):
    with open(path, encoding='utf-8') as file:
        return [line.rstrip('\n').split('\t') for line in file][1:]


TARGETS = re.compile(r'^(@!?P\w )?(BRA|CAL|PRET|PLONGJMP|SSY|PBK|PCNT|PEXIT)\b')  # the lists do not tell the addresses they count from


def is_supported(text):
    words = text.split()
    return (words[1] if words[0].startswith('@') else words[0]).split('.')[0] in OPERATIONS


def control_list():
    findings, count = [], 0
    table = [row for folder in (OWN, SHARED) if os.path.exists(os.path.join(folder, 'control.tsv')) for row in rows(os.path.join(folder, 'control.tsv'))]
    for arch in sorted({row[3] for row in table}):
        some = [row for row in table if row[3] == arch]
        option = arch.lower().replace('sm', 'sm_')
        out, _ = lines('dis', '-x', 'maxwell', '--hex', '--control', '--arch', option, '-',
                       stdin=''.join('\t'.join(row[:3]) + '\n' for row in some))
        if len(out) != len(some):
            return [f'{arch}: {len(out)} lines for {len(some)}']
        count += len(some)
        findings += [f'{row}: {text}' for row, text in zip(some, out) if text != row[4]]
        back, _ = lines('asm', '-x', 'maxwell', '--hex', '--arch', option, '-', stdin='\n'.join(out) + '\n')
        plain, _ = lines('dis', '-x', 'maxwell', '--hex', '--arch', option, '-', stdin='\n'.join(back) + '\n')
        first, _ = lines('dis', '-x', 'maxwell', '--hex', '--arch', option, '-',
                         stdin=''.join(row[2] + '\n' for row in some))
        findings += [f'{row}: {word} reads {text}' for row, word, text, was in zip(some, back, plain, first)
                     if text != was or text == '?']
    print(f'# {count} rows')
    return findings


def word_lists():
    """Each row: the text or ?, and a word that reads the same."""
    findings, count = [], 0
    for name in [os.path.join(OWN, 'words.tsv')] + sorted(glob.glob(os.path.join(SHARED, 't*.tsv'))):
        table = rows(name)
        for arch in sorted({row[1] for row in table}):
            some = [row for row in table if row[1] == arch]
            option = arch.lower().replace('sm', 'sm_')
            out, _ = lines('dis', '-x', 'maxwell', '--hex', '--arch', option, '-',
                           stdin=''.join(row[0] + '\n' for row in some))
            wanted = ['?' if row[2].startswith('!error') else row[2] for row in some]
            findings += [f'{name} {row}: {text}' for row, text, want in zip(some, out, wanted) if text != want and not TARGETS.search(row[2]) and
                         (arch == 'SM50' or is_supported(row[2]) or text != '?')]  # the other instructions are those of sm_50
            texts = [text for text in out if text != '?']
            words, _ = lines('asm', '-x', 'maxwell', '--hex', '--arch', option, '-', stdin='\n'.join(texts) + '\n')
            again, _ = lines('dis', '-x', 'maxwell', '--hex', '--arch', option, '-', stdin='\n'.join(words) + '\n')
            if again != texts or len(out) != len(some):
                findings.append(f'{name} {arch}: asm does not give the words back')
            count += len(some)
    print(f'# {count} words')
    return findings


LISTED = re.compile(r'\s*/\*([0-9a-f]{4,})\*/\s+(.*?)\s*(?:/\* (0x[0-9a-f]{16}) \*/)?\s*$')


def listing(text):
    """{(kernel, address): (text, word or None)} of nvdisasm's listing, or of ours."""
    found, section, last = {}, '', None
    for line in text.splitlines():
        word = re.match(r'\s*/\* (0x[0-9a-f]{16}) \*/\s*$', line)  # behind a line that ends in }
        if word and last and found[last][0].endswith('}') and not found[last][1]:
            found[last] = (found[last][0], word[1])
        named = re.match(r'\s*\.section\s+\.text\.([^,"\s]+)', line)
        instruction = LISTED.match(line)
        if named:
            section = named[1]
        elif instruction:
            last = section, int(instruction[1], 16)
            found[last] = (blanks(instruction[2]), instruction[3])
    return found


def code_of(cubin):
    """(name, bytes) of each .text section: the ELF specification, not the library."""
    table, = struct.unpack_from('<Q', cubin, 40)
    count, names = struct.unpack_from('<HH', cubin, 60)
    headers = [struct.unpack_from('<IIQQQQIIQQ', cubin, table + 64 * i) for i in range(count)]
    for header in headers:
        begin = headers[names][4] + header[0]
        name = cubin[begin:cubin.index(b'\0', begin)].decode()
        if name.startswith('.text.'):
            yield name[6:], cubin[header[4]:header[4] + header[5]]


def arch_of(path):
    return re.search(r'sm_\d+', path)[0]


def own_kernel():
    """Two functions of what tests/corpus/maxwell/legal.sm_50.sass lists, as a cubin beside its listing."""
    said = list(listing(c.read(os.path.join(OWN, 'legal.sm_50.sass')).decode()).values())
    code, text, third = [], '', len(said) // 3 // 2 * 3
    for number, part in enumerate((said[:third], said[third:])):
        part += [('NOP ;', f'0x{NOP:016x}')] * (-len(part) % 3)
        code.append(b''.join(bundle(control_of(0x7e1, 0x7e1, 0x7e1), *(int(word, 16) for _, word in part[at:at + 3])) for at in range(0, len(part), 3)))
        text += f'\t.section\t.text.k{number},"ax",@progbits\n\t.sectioninfo\t@"SHI_REGISTERS=12"\n'
        text += ''.join(f'        /*{8 + 8 * (at + at // 3):04x}*/ {words} /* {word} */\n' for at, (words, word) in enumerate(part))
    path = c.write('own.sm_50.cubin', cubin_of(code))
    c.write('own.sm_50.sass', text)
    return path


def kernels_of_corpora(listed=True):
    """Those with a listing; else those that were compiled without optimization, too."""
    paths = [own_kernel()] + sorted(glob.glob(os.path.join(SHARED, '**', 'kernels', '*.cubin'), recursive=True))[::3 if c.PART else 1]
    return [path for path in paths if not listed or os.path.exists(path[:-6] + '.sass')]


def kernels():
    """Every instruction of the listings, as the cubin's text and as a line with its control word."""
    findings, textures, symbols, instructions, paths = [], 0, 0, 0, kernels_of_corpora()
    for path in paths:
        theirs = listing(c.read(path[:-6] + '.sass').decode())
        ours = listing(c.run('dis', path).stdout.decode())
        if theirs.keys() != ours.keys():
            findings.append(f'{path}: other addresses')
            continue
        instructions += len(theirs)
        code = dict(code_of(c.read(path)))
        alone = []  # (address, text, line for dis --control): one call reads all of them
        for (kernel, address), (text, their_word) in theirs.items():
            mine = ours[kernel, address][0]
            # Symbols of the file: `(.L_x_1), 32@lo(name); what it says of targets, in (* *).
            symbol, text = re.search(r'`\(|32@|fun@', text), blanks(re.sub(r'\(\*.*?\*\)', '', text))
            symbols += symbol is not None
            if mine != text if not symbol else not mine.startswith(re.split(r'`\(|32@|fun@', text)[0].rstrip()):
                findings.append(f'{path} {address:x}: {mine}, not {text}')
            if symbol:
                continue
            textures += is_supported(text.lstrip('{ '))
            control, = struct.unpack_from('<Q', code[kernel], address // 32 * 32)
            word, = struct.unpack_from('<Q', code[kernel], address)
            if {ours[kernel, address][1], their_word} != {f'0x{word:016x}'}:
                findings.append(f'{path} {address:x}: word {ours[kernel, address][1]}, {their_word}')
            alone.append((address, text, f'{control:x} {address // 8 % 4 - 1} {word:016x}\n'))
        out, _ = lines('dis', '-x', 'maxwell', '--hex', '--control', '--arch', arch_of(path), '-',
                       stdin=''.join(line for _, _, line in alone))
        if len(out) != len(alone):
            findings.append(f'{path}: --control: {len(out)} lines for {len(alone)}')
        for (address, text, _), line in zip(alone, out):
            # A group may have been opened in the bundle before, which one control word does not show.
            if blanks(line) != text and not (text.endswith('}') and address % 32 == 8):
                findings.append(f'{path} {address:x}: --control: {line}, not {text}')
    print(f'# {len(paths)} kernels, {instructions} instructions, {textures} texture instructions, {symbols} with symbols of the file')
    return findings + c.exit_is(c.YES, 'check', *paths, out='')  # what a compiler makes breaks no restriction


def kernels_come_back():
    """Cubin to text to raw code: the bytes of the .text sections; raw code to text and back, too; in both styles."""
    findings = []
    for number, path in enumerate(kernels_of_corpora(False)):
        code = b''.join(part for _, part in code_of(c.read(path)))
        raw, out = c.write('k.raw', code), c.path('k.out')
        style = '--style=isa' if number % 2 else '--style=nvdisasm'
        for call in (['dis', style, path], ['dis', '-x', 'maxwell', '--arch', arch_of(path), style, raw]):
            text = c.run(*call).stdout
            done = c.run('asm', '-x', 'maxwell', '-', '-o', out, stdin=text)
            if done.returncode or c.read(out) != code:
                findings.append(f'{" ".join(call[:3])} {path}: not the same code: {done.stderr[:200]}')
            plain = re.sub(rb' *// relocation: .*\n', b'', text)  # of the cubin, not of its code
            if c.run('dis', style, '-', stdin=text).stdout != plain:
                findings.append(f'{" ".join(call[:3])} {path}: dis is not idempotent')
        words = c.run('asm', path, '--words').stdout.split()
        if b''.join(int(word, 16).to_bytes(8, 'little') for word in words) != code:
            findings.append(f'{path}: --words')
    return findings


def listings_are_code():
    """nvdisasm's listings beside the cubins are read as the cubins' code."""
    findings, paths = [], kernels_of_corpora()
    for path in paths[1:]:  # our own one has no control words
        done = c.run('asm', '-x', 'maxwell', path[:-6] + '.sass', '--words')
        words = b''.join(int(word, 16).to_bytes(8, 'little') for word in done.stdout.split())
        if done.returncode or words != b''.join(part for _, part in code_of(c.read(path))):
            findings.append(f'{path}: {done.stderr[:300]}')
    print(f'# {len(paths) - 1} listings')
    return findings


def registers_of_kernels():
    """info against the listings: .sectioninfo @"SHI_REGISTERS=n", the kernels' names and sizes."""
    findings = []
    for path in kernels_of_corpora():
        report = json.loads(c.run('info', '--json', path).stdout)
        text = c.read(path[:-6] + '.sass').decode()
        names = re.findall(r'\.section\t\.text\.([^,]+),', text)
        registers = [int(n) for n in re.findall(r'SHI_REGISTERS=(\d+)', text)]
        theirs = listing(text)
        counts = [sum(1 for kernel, _ in theirs if kernel == name) for name in names]
        sections = report['sections']
        if (report['kind'], report['arch']) != ('cubin', arch_of(path)) or \
                sorted(zip(names, registers, counts)) != sorted((s['name'], s['registers'], s['instructions']) for s in sections):
            findings.append(f'{path}: {report}')
    return findings


# ---- files ----

def kinds():
    code = bundle(control_of(0x7e0, 0x7e0, 0x7e0), TLDS_WORD, NOP, NOP)
    raw, text = c.write('a.raw', code), c.write('a.sass', f'// x\n{TLDS}\n')
    out = c.path('b.raw')
    findings = (c.exit_is(c.YES, 'dis', '-x', 'maxwell', raw, out=TLDS) + c.exit_is(c.YES, 'dis', text, out=TLDS) +
                c.exit_is(c.YES, 'dis', '-x', 'maxwell', text, out=TLDS) + c.exit_is(c.YES, 'dis', '-', stdin=TLDS, out=TLDS) +
                c.exit_is(c.UNSUPPORTED, 'dis', raw, out='', err=f'{raw} is perhaps raw Maxwell code, which is not read as a shader; -x maxwell reads it as such') + c.exit_is(c.NO, 'dis', '-x', 'cubin', text, err='error 3310') +
                c.exit_is(c.NO, 'dis', '-x', 'maxwell', '-', stdin=code[:31], err='error 3300') +
                c.exit_is(c.YES, 'asm', text, '-o', out, out='') +
                c.exit_is(c.YES, 'asm', '-x', 'maxwell', raw, '--words', out=f'0x{TLDS_WORD:016x}\n') +
                c.exit_is(c.YES, 'asm', '--to', 'maxwell', text, '--words') +
                c.exit_is(c.USAGE, 'asm', '--to', 'tgsi-bin', text, '--words') +
                c.exit_is(c.USAGE, 'asm', '--to', 'maxwell', c.example('blur'), '--words') +
                c.exit_is(c.USAGE, 'asm', '-x', 'maxwell', text) + c.exit_is(c.USAGE, 'asm', '--hex', text) +
                c.exit_is(c.USAGE, 'asm', '-x', 'maxwell', '--hex', text, '--words') +
                c.exit_is(c.USAGE, 'dis', '--hex', text) + c.exit_is(c.USAGE, 'dis', '-x', 'cubin', '--hex', text) +
                c.exit_is(c.USAGE, 'dis', '-x', 'maxwell', '--control', text) +
                c.exit_is(c.USAGE, 'dis', '--arch', 'sm_70', text) + c.exit_is(c.USAGE, 'dis', '-x', 'sass', text) +
                c.exit_is(c.IO, 'dis', '-x', 'maxwell', '--hex', c.path('absent')) +
                c.exit_is(c.NO, 'asm', '-', '--words', stdin=f'{TLDS}\nTLDS.XX R0;\n', out='', err='<stdin>:2:') +
                c.exit_is(c.UNSUPPORTED, 'dis', '--style=nvdisasm', c.example('blur')))
    return findings + ([] if c.read(out) == code else ['asm: other bytes'])


def restrictions():
    """check refuses by the restriction's number; asm warns of the same one and assembles."""
    odd = 'TLDS.LZ R1, R5, R9, R11, 0x7, 2D, RGBA;'
    text = c.write('odd.sass', f'{TLDS}\n{odd}\n')
    done = c.run('check', text)
    number = re.search(r'odd\.sass:2:\d+: error (\d+)', done.stderr.decode())
    if done.returncode != c.NO or not number:
        return [f'check: {done.returncode} {done.stderr}']
    findings = c.exit_is(c.YES, 'asm', text, '-o', c.path('odd.raw'), err=f'warning {number[1]}', out='')
    findings += c.exit_is(c.NO, 'check', '-x', 'maxwell', c.path('odd.raw'), err=f'error {number[1]}')
    findings += c.exit_is(c.YES, 'check', '-x', 'maxwell', '-', stdin=TLDS, out='')
    findings += c.exit_is(c.YES, 'dis', c.path('odd.sass'), out=odd)
    report = json.loads(c.run('check', '--json', text).stdout)
    first = report['files'][0]['diagnostics'][0]
    if (report['exit'], first['code'], first['line']) != (c.NO, int(number[1]), 2) or report['files'][0]['valid']:
        findings.append(f'--json: {report}')
    return findings


def info():
    text = c.write('i.sass', f'.arch sm_52\n.section .text.k\n{TLDS}\n.section ".text.a\\x22b"\n.word 5\n')
    report = json.loads(c.run('info', '--json', text).stdout)
    wanted = {'schema': 'scheelite-info-maxwell/1', 'kind': 'maxwell text', 'arch': 'sm_52', 'instructions': 6, 'textures': 1, 'unknown': 1, 'offset': 0, 'header': None, 'notes': [],
              'sections': [{'name': 'k', 'instructions': 3, 'textures': 1, 'registers': 0},
                           {'name': 'a"b', 'instructions': 3, 'textures': 0, 'registers': 0}]}
    findings = [f'{key}: {report[key]}' for key in wanted if report[key] != wanted[key]]
    c.run('asm', text, '-o', c.path('i.raw'))
    raw = json.loads(c.run('info', '--json', '-x', 'maxwell', '--arch', 'sm_52', c.path('i.raw')).stdout)
    if raw['hash'] != report['hash'] or raw['kind'] != 'maxwell code':
        findings.append(f'raw: {raw}')
    # The text says what the JSON says; control bytes of names are question marks.
    names = ('k', 'a"b', 'a b', 'a~b', 'a\x1fb', '\x01', 'a\x7fb\x7e', 'x' * 200)
    quoted = [''.join(f'\\x{ord(letter):02x}' for letter in name) for name in names]
    many = c.write('names.sass', '.arch sm_53\n' + ''.join(f'.section ".text.{name}"\n' + f'{TLDS}\n' * (n + 1) for n, name in enumerate(quoted)))
    for path, options in ((text, ()), (many, ()), (c.path('i.raw'), ('-x', 'maxwell')), (c.path('i.raw'), ('-x', 'maxwell', '--arch', 'sm_53')), (c.write('none.cubin', cubin([])), ()), (c.write('two.cubin', cubin([1, 2])), ())):
        said = json.loads(c.run('info', '--json', *options, path).stdout)
        rows = [('kind', said['kind']), ('arch', said['arch']), ('hash', said['hash']), ('sections', len(said['sections'])), ('instructions', said['instructions']), ('textures', said['textures']), ('unknown', said['unknown'])]
        if said['offset'] or said['header']: findings.append(f'{said}')
        rows += [('section', re.sub('[\0-\x1f\x7f]', '?', s['name']), s['instructions'], s['textures'], s['registers']) for s in said['sections']]
        rows += [('callable', s['name'], f'registers {s["registers"]}', 'barriers 0', 'shared 0', 'local 0', 'stack 0', 'constants 0', 'parameters 0',
                  'of 0 bytes', f'textures {s["textures"]}') for s in said['sections'] if 'kernel' in s]
        findings += c.says(c.YES, ''.join('\t'.join(map(str, row)) + '\n' for row in rows), '', 'info', *options, path)
        if path == text and said != {'file': text, 'hash': report['hash'], **wanted}: findings.append(f'{said}')
        if options[2:] and said['arch'] != 'sm_53': findings.append(f'{said}')
    # What cannot be read is told once, as check tells it.
    bad = c.write('bad.sass', f'{TLDS}\nTLD.QQ R4;\n')
    told = c.run('check', bad).stderr.decode()
    for call in (('info',), ('info', '--json'), ('dis',), ('asm', '--words'), ('asm', '-o', c.path('bad.raw'))):
        findings += c.says(c.NO, '', told, *call, bad)
    return findings + c.exit_is(c.YES, 'info', text, out='section\tk\t3\t1\t0\n')


def damaged_files():
    """Cut and changed cubins and texts: an answer, never a signal or exit 70. Thousands are in the unit tests."""
    random.seed(8)
    sources = [c.read(path) for path in kernels_of_corpora()[:2]]
    sources.append(f'.section .text.a\n.control 0x7e0\n{TLDS}\n{{ {TLDS} {TLDS[:-1]} }}\n'.encode())
    findings = []
    for source in sources:
        for _ in range(20):
            cut = source[:random.randrange(len(source))]
            changed = bytearray(source)
            for _ in range(random.choice((1, 4))):
                changed[random.randrange(len(changed))] ^= 1 << random.randrange(8)
            for data in (cut, bytes(changed)):
                done = c.run('dis', '-x', random.choice(('maxwell', 'cubin')), '-', stdin=data)
                if done.returncode not in (c.YES, c.NO, c.LIMIT, c.UNSUPPORTED):
                    findings.append(f'exit {done.returncode}: {data[:40].hex()}...')
                elif done.returncode != c.YES and not done.stderr:
                    findings.append('refused without a word')
    return findings


def cubin(sections):
    """A cubin of code sections of so many bundles each; none: data alone."""
    code = bundle(0x001f8000fc0007e0, *[NOP] * 3)
    return cubin_of([code * count for count in sections])


def cubin_of(sections):
    """A cubin of these pieces of code, as functions of 12 registers."""
    names, places = b'\0.shstrtab\0', []
    for i in range(len(sections)):
        places.append(len(names))
        names += b'.text.k%d\0' % i
    data = bytearray(64) + names
    data += bytes(-len(data) % 32)
    offsets = []
    for code in sections:
        offsets.append(len(data))
        data += code
    table = len(data)

    def header(name, kind, flags, at, size):
        return struct.pack('<IIQQQQIIQQ', name, kind, flags, 0, at, size, 0, 0x0c000001, 32, 0)
    data += header(0, 0, 0, 0, 0) + header(1, 3, 0, 64, len(names))
    for name, at, code in zip(places, offsets, sections):
        data += header(name, 1, 6, at, len(code))
    data[:64] = b'\x7fELF\x02\x01\x01\x33\x07' + bytes(7) + struct.pack(
        '<HHIQQQIHHHHHH', 2, 190, 0x76, 0, 0, table, 0x320532, 64, 56, 0, 64, 2 + len(sections), 1)
    return bytes(data)


def large_cubins():
    """The limit of instructions is a function's; a library of 1,328,622 of them takes bounded memory and time."""
    large = c.write('large.cubin', cubin([73812] * 5 + [73814]))
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    findings = c.exit_is(c.YES, 'check', large, out='') + c.exit_is(c.YES, 'info', large, out='instructions\t1328622\n')
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    print(f'# 1,328,622 instructions: check and info take {seconds:.1f} s and at most {after.ru_maxrss >> 10} MiB')
    if seconds > 60:
        findings.append(f'{seconds} s')
    function = c.write('function.cubin', cubin([87382]))  # 262,146 instructions
    findings += c.exit_is(c.LIMIT, 'check', function, err='error 3302')
    findings += c.exit_is(c.YES, 'check', '--limit', 'instructions=300000', function)
    findings += c.exit_is(c.LIMIT, 'check', '--limit', 'memory=50M', large)
    return findings


def cubins_of_data():
    """No code is a valid program, whose text and code are empty."""
    data, out = c.write('data.cubin', cubin([])), c.path('data.raw')
    findings = c.exit_is(c.YES, 'check', data, out='') + c.exit_is(c.YES, 'info', data, out='sections\t0\ninstructions\t0\n')
    findings += c.exit_is(c.YES, 'dis', data, out='.arch sm_50') + c.exit_is(c.YES, 'asm', data, '-o', out)
    text = c.run('dis', data).stdout
    findings += c.exit_is(c.YES, 'check', '-x', 'maxwell', '-', stdin=text)
    if json.loads(c.run('check', '--json', data).stdout)['files'][0]['valid'] is not True or c.read(out):
        findings.append('not valid, or with code')
    return findings + c.exit_is(c.UNSUPPORTED, 'eval', '-x', 'cubin', data, '--vectors', '-', err='0 sections')


def comparing_derivatives():
    """TXD with comparison is TEX.LL; what that cannot do is said, and refused when it runs."""
    text = ('FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL SAMP[0]\nDCL SVIEW[0], SHADOW2D, FLOAT\n'
            'IMM[0] FLT32 {0.1, 0.2, 0.0, 0.0}\nTXD OUT[0], IN[0], IMM[0].xyzz, IMM[0].yxzz, SAMP[0], SHADOW2D\nEND\n')
    shader, vectors = c.write('compared.tgsi', text), c.write('compared.tsv', 'IN[0]=3f000000,3f000000,3f000000,0\n')
    cube = c.write('cube.tgsi', text.replace('SHADOW2D', 'CUBE'))
    picture = f'0={c.PHOTO},compare=less,aniso='
    return (c.exit_is(c.YES, 'translate', '--to', 'maxwell', shader, out='max_anisotropy is 1') +
            c.exit_is(c.YES, 'translate', '--to', 'maxwell', cube, out='.LL R') +
            c.exit_is(c.YES, 'eval', shader, '--vectors', vectors, '--engine', 'maxwell', '--tex', picture + '1', out='OUT[0]=') +
            c.exit_is(c.UNSUPPORTED, 'eval', shader, '--vectors', vectors, '--engine', 'maxwell', '--tex', picture + '4',
                      err='compared.tgsi:7:1: error 4351', out=''))


tap.run([('a line for each line', one_line_for_each), ('fields of lines', fields_of_lines), ('many warnings', many_warnings), ('answers come before more is awaited', answers_come_before_more_is_awaited),
         ('architectures', architectures), ('styles', styles), ('braces of a control word', braces_of_control),
         ('control.tsv', control_list), ('the word lists', word_lists), ('kernels against their listings', kernels),
         ('kernels come back', kernels_come_back), ('listings are code', listings_are_code), ('kernels: names and registers', registers_of_kernels),
         ('kinds and exit codes', kinds), ('large cubins', large_cubins), ('cubins of data alone', cubins_of_data), ('TXD with comparison', comparing_derivatives), ('check and asm: restrictions', restrictions), ('info', info),
         ('damaged files', damaged_files)])
