#!/usr/bin/env python3
"""`scheelite list maxwell`, line by line: what the rows of src/isa/maxwell.def say, put into words here a second time. The
syntax of each form and the restrictions of each operation are written down by hand from the instruction pages."""
import os
import re

import command as c
import tap

PHASES = '{.NODEP}{.T|.P}'
INDEX, MASK = '#tsPtrIdxU13', '{, #wmskU04}'
VECTOR = f'{{Rb,}} {INDEX}, #paramA{MASK}'
SYNTAX = {
    'TMML': f'TMML.LOD{{.NDV}}{PHASES} Rd, Ra, {{RZ,}} {INDEX}, #paramA{MASK}',
    'TMML.B': f'TMML.B.LOD{{.NDV}}{PHASES} Rd, Ra, {VECTOR}',
    'TXQ': f'TXQ{PHASES} Rd, Ra, #query, {INDEX}{MASK}',
    'TXQ.B': f'TXQ.B{PHASES} Rd, Ra, #query, {INDEX}{MASK}',
    'TXA': f'TXA{{.NDV}}{PHASES} Rd, Ra, {INDEX}{MASK}',
    'TEX': f'TEX{{.LZ|.LB|.LL|.LBA|.LLA}}{{.LC}}{{.AOFFI}}{{.DC}}{{.NDV}}{PHASES} {{Pd,}} Rd, Ra, {VECTOR}',
    'TEX.B': f'TEX.B{{.LZ|.LB|.LL|.LBA|.LLA}}{{.LC}}{{.AOFFI}}{{.DC}}{{.NDV}}{PHASES} {{Pd,}} Rd, Ra, {VECTOR}',
    'TLD': f'TLD.LZ|.LL{{.AOFFI}}{{.MS}}{{.CL}}{PHASES} {{Pd,}} Rd, Ra, {VECTOR}',
    'TLD.B': f'TLD.B.LZ|.LL{{.AOFFI}}{{.MS}}{{.CL}}{PHASES} {{Pd,}} Rd, Ra, {VECTOR}',
    'TLD4': f'TLD4.R|.G|.B|.A{{.AOFFI|.PTP}}{{.DC}}{{.NDV}}{PHASES} {{Pd,}} Rd, Ra, {VECTOR}',
    'TLD4.B': f'TLD4.R|.G|.B|.A.B{{.AOFFI|.PTP}}{{.DC}}{{.NDV}}{PHASES} {{Pd,}} Rd, Ra, {VECTOR}',
    'TXD': f'TXD{{.LC}}{{.AOFFI}}{PHASES} {{Pd,}} Rd, Ra, Rb, {INDEX}, #paramA{MASK}',
    'TXD.B': f'TXD.B{{.LC}}{{.AOFFI}}{PHASES} {{Pd,}} Rd, Ra, Rb, {INDEX}, #paramA{MASK}',
    'TEXS': f'TEXS{{.F16}}{{.LZ|.LL}}{{.DC}}{PHASES} Rd1, Rd, Ra, {{Rb,}} {INDEX}, #paramA{{, #wmsk}}',
    'TLDS': f'TLDS{{.F16}}.LZ|.LL{{.AOFFI}}{{.MS}}{PHASES} Rd1, Rd, Ra, {{Rb,}} {INDEX}, #paramA{{, #wmsk}}',
    'TLD4S': f'TLD4S{{.F16}}.R|.G|.B|.A{{.AOFFI}}{{.DC}}{PHASES} Rd1, Rd, Ra, Rb, {INDEX}',
}
# Numbers of MAXWELL_ rules from 2300 on. Rd of all; Ra of all; Rb, paramA, .MS, codes and the others where they are.
RESTRICTIONS = {
    'TMML': '0 2 3 4 5 6 7 8 13', 'TXQ': '0 2 4 7 13 15', 'TXA': '0 2 4 7 13', 'TEX': '0 2 3 4 5 6 7 8 11 13 17 18',
    'TLD': '0 2 3 4 5 6 7 8 9 10 13 18', 'TLD4': '0 2 3 4 5 6 7 8 12 13 18', 'TXD': '0 2 3 4 5 6 7 8 13 17 18',
    'TEXS': '0 1 2 3 4 5 6 7 8 13 14 16 19 20 21', 'TLDS': '0 1 2 3 4 5 6 7 8 9 10 13 14 16 19 20 21',
    'TLD4S': '0 1 2 3 4 5 6 7 13 16',
}
VALUES = {word: number for words in (
    '1D ARRAY_1D 2D ARRAY_2D 3D ARRAY_3D CUBE ARRAY_CUBE', 'LOD_NONE LZ LB LL LOD_4 LOD_5 LBA LLA',
    'OFFSET_NONE AOFFI PTP OFFSET_3') for number, word in enumerate(words.split())}
VALUES.update(HEADER_DIMENSION=1, HEADER_TEXTURE_TYPE=2, HEADER_SAMPLER_POS=5, SAMPLER_FILTER=16, SAMPLER_LOD=18,
              SAMPLER_WRAP=20, SAMPLER_BORDER_COLOR=22)


def definitions():
    """{list: rows of its arguments as text}"""
    with open(os.path.join(os.environ['SCH_SOURCE'], 'src', 'isa', 'maxwell.def'), encoding='utf-8') as file:
        text = file.read()
    rows = {}
    for found in re.finditer(r'^MAXWELL_(\w+)\(((?:[^()"]|"[^"]*"|\((?:[^()]|\([^()]*\))*\))*)\)$', text, re.M):
        cells = re.findall(r'(?:"[^"]*"|\((?:[^()]|\([^()]*\))*\)|[^,("])+', found.group(2))
        rows.setdefault(found.group(1), []).append([cell.strip().strip('"') for cell in cells])
    return rows


def number(text):
    text = text.replace('SCH_MAXWELL_', '')
    return VALUES[text] if text in VALUES else int(text, 0)


def bits(text):
    """TOP(0xdf58), BIT40(0xfff8)"""
    name, value = re.fullmatch(r'(\w+)\((\w+)\)', text).groups()
    return int(value, 16) << 48 | (1 << 40 if name == 'BIT40' else 0)


def field_words(rows, field, width, coding, since):
    """The names of a field's codes."""
    words = []
    for owner, value, text in rows['NAME']:
        value = number(value) if owner == field else None
        if value is None or coding == 'SCALAR':
            continue
        code = {'INVERTED': 1 - value, 'FETCH_LOD': {1: 0, 3: 1}.get(value)}.get(coding, value)
        if code is not None and 0 <= code < 1 << width:
            words.append(f'{code} {text}')
    if coding == 'QUERY':
        words.append('any other even code but 0 and 4 is written as a number, code / 2')
    if coding == 'SCALAR':
        words.append('see the encodings')
    if since > 50:
        words.append('from sm_52 on')
    return ', '.join(words)


def scalar_words(rows, cells):
    """An encoding of TEXS or TLDS."""
    parameter, lod, offset, samples, compares, *registers = cells
    roles = dict(rows['ROLE'])
    words = [parameter] + [f'.{word}' for word in (lod, offset) if not word.endswith('_NONE')]
    words += ['.MS'] * int(samples) + ['.DC'] * int(compares)
    text = ' '.join(words)
    for name, cell in zip(('Ra', 'Rb'), registers):
        held = [roles[role.strip()] for role in re.findall(r'\((.*)\)', cell + '()')[0].strip('()').split(',') if role]
        text += f'; {name}: ' + (', '.join(held) if held else 'must be RZ')
    return text


def mask_words(wide, text, mask):
    letters = [letter for i, letter in enumerate('RGBA') if int(mask, 0) >> i & 1]
    words = f'{text} with {"Rd1" if wide == "true" else "RZ for Rd1"}'
    words += f'; Rd: {", ".join(letters[:2])}' if letters else ''
    return words + (f'; Rd1: {", ".join(letters[2:])}' if letters[2:] else '')


def operand_words(rows, operation, place):
    roles, conditions = dict(rows['ROLE']), {row[0]: row[1] for row in rows['CONDITION']}
    words = []
    for owner, at, role, condition in rows['OPERAND']:
        if (owner, at) == (operation, place):
            words.append(roles[role] + (f' ({conditions[condition]})' if conditions[condition] else ''))
    return ', '.join(words)


def facts():
    rows = definitions()
    names = {row[0]: row[3] for row in rows['MEMBER']}
    for operation, title, *_ in rows['OPERATION']:
        yield operation, operation, 'operation', operation, '', title
        for form, owner, bindless, base50, mask50, base52, mask52, _ in rows['FORM']:
            if owner != operation:
                continue
            name = operation + ('.B' if bindless == 'true' else '')
            yield operation, name, 'syntax', 'bindless' if bindless == 'true' else 'bound', '', SYNTAX[name]
            for arch, base, mask in (('sm_50', base50, mask50), ('sm_52, sm_53', base52, mask52)):
                yield operation, name, 'word', arch, '', f'{bits(base):016x} in the bits {bits(mask):016x}'
            for place, field, low, width, coding, since in rows['FIELD']:
                if place == form:
                    high, low = (int(low) + int(width) - 1) % 64, int(low) % 64
                    yield (operation, name, 'field', names[field], f'{high}:{low}' if width != '1' else f'{low}',
                           field_words(rows, field, int(width), coding, int(since)))
        scalars = [row[1:] for row in rows['SCALAR'] if row[0] == operation]
        for code, *cells in scalars:
            yield operation, operation, 'encoding', code, '', scalar_words(rows, cells)
        for wide, code, text, mask in rows['MASK'] if scalars else []:
            yield operation, operation, 'mask', code, '', mask_words(wide, text, mask)
        for place in 'AB':
            words = operand_words(rows, operation, place)
            if words:
                yield operation, operation, 'operand', 'R' + place.lower(), '', words
        for owner, name, text in rows['RESULT']:
            if owner == operation:
                yield operation, operation, 'result', name, '', text
        texts = re.findall(r'MAXWELL_RULE\((?:\w+, ){3}"([^"]*)"', open_rules())
        for rule in RESTRICTIONS[operation].split():
            yield operation, operation, 'restriction', f'{2300 + int(rule)}', '', texts[int(rule)]


def open_rules():
    with open(os.path.join(os.environ['SCH_SOURCE'], 'src', 'isa', 'maxwell.def'), encoding='utf-8') as file:
        return file.read()


def facts_follow_the_rows():
    wanted = list(facts())
    return [f'{a}, not {b}' for a, b in zip(printed(), wanted) if a != b][:5]


def printed():
    return [tuple(line.split('\t')) for line in c.run('list', 'maxwell').stdout.decode().splitlines()]


# Of other instructions, written down by hand from nvdisasm's texts.
OTHERS = {
    ('MOV', 'R'): 'MOV Rd, Rb{.reuse}{, #}',
    ('IADD', 'I'): 'IADD{.PO}{.SAT}{.X} Rd{.CC}, {-}Ra{.reuse}, #20{.NEG}',
    ('FADD', 'C'): 'FADD{.FTZ}{.RM|.RP|.RZ}{.SAT} Rd{.CC}, {-}{|}Ra{|}{.reuse}, {-}{|}c[#][#]{|}',
    ('XMAD', 'RC'): 'XMAD{.S16.U16|.U16.S16|.S16.S16}{.CLO|.CHI|.CSFU|.CBCC}{.X} Rd{.CC}, Ra{.part}{.reuse}, Rc{.part}{.reuse}, c[#][#]',
    ('ISETP', 'R'): 'ISETP(.F|.LT|.EQ|.LE|.GT|...){.U32}{.X}(.AND|.OR|.XOR) P, P, Ra{.reuse}, Rb{.reuse}, {!}P',
    ('LDG', '-'): 'LDG{.E}{.CG|.CI|.CV}{.U8|.S8|.U16|.S16|.64|...} Rd, [Ra+#]',
    ('BRA', '-'): 'BRA{.U}{.LMT} {CC.test,} target',
    ('BAR', 'SYNC'): 'BAR.SYNC R|#{, R|#}',
    ('DEPBAR', 'LE'): 'DEPBAR.LE (SB0|SB1|SB2|SB3|SB4|...), #{ {#,...}}',
    ('VADD', '-'): 'VADD{.UD}{.typeA.typeB}{.PO}{.SAT}{.MRG_16H|.MRG_16L|.MRG_8B0|.MRG_8B2|.ACC|...} Rd{.CC}, {-}Ra{.part}{.reuse}, {-}Rb{.part}|#{.reuse}, Rc{.reuse}',
}


def others_follow_their_rows():
    """A title for each operation; syntax and word for each form; fields with bits that are in the templates."""
    with open(os.path.join(os.environ['SCH_SOURCE'], 'src', 'isa', 'maxwell_forms.def'), encoding='utf-8') as file:
        text = file.read()
    titles = dict(re.findall(r'^MAXWELL_CODE_OPERATION\((\w+), "(.*)"\)$', text, re.M))
    forms = re.findall(r'^MAXWELL_CODE_FORM\((\w+), "(.*?)", 0x(\w+), 0x(\w+), "(...)", "(.*)"\)$', text, re.M)
    facts = [fact for fact in printed() if fact[0] in titles]
    findings = [] if len(titles) >= 135 and len(forms) > 262 else [f'{len(titles)} operations, {len(forms)} forms']
    findings += [f'{name}: not its title' for name, title in titles.items() if (name, name, 'operation', name, '', title) not in facts]
    for name, form, match, mask, flags, template in forms:
        words = f'{match} in the bits {mask}; {"fixed" if flags[1] == "F" else "variable"} latency' + ('' if flags[0] == 'G' else '; no guard') + ('; bit 20 of the slot is 0' if flags[2] == 'S' else '')
        findings += [] if (name, name, 'word', form, '', words) in facts else [f'{name} {form}: not {words}']
    for name, _, kind, form, bits, said in facts:
        if kind == 'syntax' and not said.startswith(name):
            findings.append(f'{name} {form}: {said}')
        if kind == 'field' and not any(row[0] == name and '{m:' + bits + ':' in row[5] for row in forms):
            findings.append(f'{name}: no field {bits}')
    found = {(name, form): said for name, _, kind, form, _, said in facts if kind == 'syntax'}
    findings += [f'{key}: {found.get(key)}, not {said}' for key, said in OTHERS.items() if found.get(key) != said]
    return findings[:5] + ([] if len(found) == len(forms) else [f'{len(found)} syntaxes'])


def open_questions():
    """Rows of decisions name operations that there are, and explain has them, each with what is not known."""
    with open(os.path.join(os.environ['SCH_SOURCE'], 'src', 'isa', 'decisions.def'), encoding='utf-8') as file:
        rows = re.findall(r'^DECISION\("([^"]*)", "([^"]*)", "([^"]*)"', file.read().split('/* Maxwell code */')[1], re.M)
    operations = {fact[0] for fact in printed()}
    findings = [f'{subject} is no operation' for subjects, *_ in rows for subject in subjects.split() if subject.isupper() and subject not in operations]
    for subjects, clause, choice in rows:
        for subject in [word for word in subjects.split() if word.isupper()][:1]:
            text = ' '.join(c.run('explain', subject).stdout.decode().split())  # lines are folded
            findings += [] if clause in text and choice in text else [f'explain {subject}: not {clause}']
    # The words of each form have their label, and long lists of bits a blank after them.
    text = c.run('explain', 'IMADSP').stdout.decode()
    labels = [line.split()[0] for line in text.splitlines() if re.search('in the bits', line)]
    findings += [] if set(labels) == {'word'} and re.search(r'\d SPA', text) else [text]
    return findings[:5] + ([] if len(rows) > 40 else [f'{len(rows)} rows'])


tap.run([('open questions', open_questions), ('facts follow the rows', facts_follow_the_rows), ('other instructions follow their rows', others_follow_their_rows)])
