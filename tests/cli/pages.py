#!/usr/bin/env python3
"""The table of verbs and options, and what is made of it: help, manual pages, completions. What the table says that an
option takes, the command takes."""
import os
import pty
import re
import select
import shutil
import subprocess
import sys
import time

import command as c
import tap

DOCS = os.path.join(tap.BUILD, 'docs')
PAGES = [sys.executable, os.path.join(tap.SOURCE, 'tools', 'gen-pages'), os.path.join(tap.BUILD, 'src', 'cli', 'scheelite-tables')]
ROWS = [line.split('\t') for line in subprocess.run([*PAGES, 'options'], stdout=subprocess.PIPE, check=True, text=True).stdout.splitlines()]
VERBS = list(dict.fromkeys(row[0] for row in ROWS))


def words_of(values):
    """The words of a closed set; those in capitals stand for others."""
    return [word for word in values.split('|') if word and not re.search('[A-Z]{4}', word.replace('SHADOW', '').replace('ARRAY', '').replace('CUBE', '').replace('MSAA', '').replace('BUFFER', '').replace('RECT', ''))]


def closed_sets():
    """Each word of a set is taken, so that what is wrong is the option behind it; another word is not."""
    findings, seen = [], {}
    for verb, option, value, values in ROWS:
        if values:
            seen.setdefault((verb, option), (value, []))[1].extend(words_of(values))
    for (verb, option), (value, words) in seen.items():
        for word in words:
            given = [option + word] if option == '-W' else [option, word]
            done = c.run(verb, *given, '--nothing')
            if done.returncode != c.USAGE or b'there is no option --nothing' not in done.stderr:
                findings.append(f'{verb} {option} does not take {word}: {done.stderr.decode()}')
        done = c.run(verb, *([option + 'quux'] if option == '-W' else [option, 'quux']), '--nothing')
        if done.returncode != c.USAGE or b'quux' not in done.stderr and value not in ('0-12',) and b'--nothing' in done.stderr:
            findings.append(f'{verb} {option} takes quux: {done.stderr.decode()}')
    return findings + ([] if len(seen) > 60 else [f'{len(seen)} sets'])


def helps():
    """Each option, with the word of its value, is in its verb's help."""
    findings = []
    for verb in VERBS:
        text = c.run(verb, '--help-all').stdout.decode()
        for row in ROWS:
            if row[0] == verb and not re.search(rf'^  {re.escape(row[1])}{" " if row[1] != "-W" and row[2][:2] != "[=" else ""}{re.escape(row[2])}( |$)', text, re.MULTILINE):
                findings.append(f'{verb} --help-all lacks {row[1]} {row[2]}')
    return findings


def examples():
    """The examples of --help that are about files of the repository run."""
    findings, count = [], 0
    for verb in VERBS:
        if verb in ('gl', 'serve', 'jit', 'debug'):
            continue
        for line in c.run('help', verb).stdout.decode().split('\nExamples:\n')[1].split('\n\n')[0].splitlines():
            words = line.split()
            if words[:1] != ['scheelite'] or '-r' in words and not os.path.exists(os.path.join(tap.SOURCE, words[words.index('-r') + 1])) or any(not os.path.exists(os.path.join(tap.SOURCE, word.split('=')[-1].split(',')[0])) for word in words if re.search(r'\.(tgsi|scene|dxbc|png|exr|bin|txt|rec|tsv)\b', word) and words[words.index(word) - 1] != '-o'):
                continue
            if '-o' in words:
                words[words.index('-o') + 1] = c.path(words[words.index('-o') + 1])
            findings += c.exit_is(c.YES, *words[1:], cwd=tap.SOURCE)
            count += 1
    return findings + ([] if count >= 8 else [f'{count} examples'])


def manual_pages():
    """A page for each verb with all of its options, and one for the command with all verbs."""
    findings = []
    made = sorted(name[len('scheelite-'):-len('.1.scd')] for name in os.listdir(DOCS) if name.startswith('scheelite-') and name.endswith('.1.scd'))
    if made != sorted(VERBS):
        findings.append(f'pages of {made}, verbs {sorted(VERBS)}')
    for verb in VERBS:
        text = c.read(os.path.join(DOCS, f'scheelite-{verb}.1.scd')).decode()
        for row in ROWS:
            if row[0] == verb and f'\n*{row[1]}*' not in text.split('\n# OPTIONS\n')[1]:
                findings.append(f'scheelite-{verb}.1 lacks {row[1]}')
        for section in ('NAME', 'SYNOPSIS', 'DESCRIPTION', 'OPTIONS', 'EXAMPLES', 'SEE ALSO'):
            if text.count(f'\n# {section}\n') != 1:
                findings.append(f'scheelite-{verb}.1: sections {section}')
    text = c.read(os.path.join(DOCS, 'scheelite.1.scd')).decode()
    return findings + [f'scheelite.1 lacks {verb}' for verb in VERBS if f'*scheelite-{verb}*(1)' not in text]


def clean_pages():
    """What reads manual pages has no complaints."""
    pages = sorted(name for name in os.listdir(DOCS) if name.endswith('.1'))
    tools = [(shutil.which('groff'), ['-man', '-t', '-ww', '-W', 'break', '-z', '-Tutf8']), (shutil.which('mandoc'), ['-T', 'lint', '-W', 'error'])]
    tools = [(tool, options) for tool, options in tools if tool]
    if not pages or not tools:
        raise tap.Skip('no scdoc, or neither groff nor mandoc')
    farms = 'scheelite-mpi.1' in pages  # where MPI is there
    findings = [] if len(pages) == len(VERBS) + 1 + farms else [f'{pages}']
    for tool, options in tools:
        done = subprocess.run([tool, *options, *[os.path.join(DOCS, page) for page in pages]], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.stdout.strip() or done.returncode:
            findings.append(f'{os.path.basename(tool)}: {done.stdout[:600]}')
    return findings


COMPLETED = [  # the words behind scheelite, what is offered for the last one; empty: files
    (['ch'], ['check']), (['re'], ['reduce', 'render', 'replay']), (['help', 'di'], ['dis', 'diff']), (['check', '--js'], ['--json']), (['run', '--engine', ''], ['auto', 'interp', 'jit', 'both', 'maxwell']),
    (['run', '--engine', '=', 'j'], ['jit']), (['run', '--engine', '='], ['auto', 'interp', 'jit', 'both', 'maxwell']), (['check', '-x', 'd'], ['dxbc', 'd3d-asm']),
    (['eval', '-x', 'm'], ['maxwell']), (['list', 'dec'], ['decisions']), (['check', '-We'], ['-Werror']), (['check', ''], []), (['run', '-o', ''], []), (['run', 'shader.tgsi', '--he'], ['--heat', '--headers', '--help', '--help-all']),
    (['sample', '--compare', 'n'], ['never', 'notequal']), (['translate', '--to', ''], ['tgsi', 'maxwell', 'd3d-asm', 'dxbc']), (['nothing', '-'], []),
    (['gl', 'mkfif'], ['mkfifo']), (['gl', 'cat', 'mkfif'], []), (['gl', '--rec'], ['--record'])]
TYPED = [  # keys, and what a terminal then has in its line
    ('scheelite ru\t', 'scheelite run '), ('scheelite run --engine int\t', 'scheelite run --engine interp '), ('scheelite run --engine=j\t', 'scheelite run --engine=jit '),
    ('scheelite list dec\t', 'scheelite list decisions '), ('scheelite check -We\t', 'scheelite check -Werror '), ('scheelite run shader.tg\t', 'scheelite run shader.tgsi ')]


def completion_of_bash():
    bash = shutil.which('bash')
    if not bash:
        raise tap.Skip('no bash')
    script = ['source "$1"', 'complete -p scheelite | grep -q "F _scheelite" || echo not registered']
    for words, _ in COMPLETED:
        quoted = ' '.join(f"'{word}'" for word in ['scheelite', *words])
        script += [f'COMP_WORDS=({quoted}); COMP_CWORD={len(words)}; _scheelite; echo "${{COMPREPLY[*]}}"']
    done = subprocess.run([bash, '--norc', '-c', '\n'.join(script), 'bash', os.path.join(DOCS, 'scheelite')], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    said = done.stdout.split('\n')
    findings = [f'{words}: {have!r}, not {wanted}' for (words, wanted), have in zip(COMPLETED, said) if have.split() != wanted]
    return findings + ([] if len(said) == len(COMPLETED) + 1 else [done.stdout])


def keys_in_bash():
    """What the tabulator makes of a line that is typed in a terminal."""
    bash, findings = shutil.which('bash'), []
    if not bash:
        raise tap.Skip('no bash')
    c.write('shader.tgsi', '')
    child, terminal = pty.fork()
    if not child:
        os.chdir(c.path(''))
        os.execve(bash, [bash, '--norc', '--noprofile', '-i'], {'PATH': os.environ['PATH'], 'TERM': 'dumb', 'PS1': '> ', 'INPUTRC': '/dev/null'})

    def until(*words):
        """Reads to one of the words, or for ten seconds."""
        said, end = '', time.monotonic() + 10
        while not any(word in said for word in words) and time.monotonic() < end:
            if select.select([terminal], [], [], 0.2)[0]:
                said += os.read(terminal, 4096).decode()
        return said

    os.write(terminal, f"source '{os.path.join(DOCS, 'scheelite')}'; echo rea''dy\n".encode())
    until('ready\r\n> ')
    for keys, line in TYPED:
        os.write(terminal, keys.encode())
        said = until(line)
        if line not in said:
            findings.append(f'{keys!r}: {said!r}, not {line!r}')
        os.write(terminal, b'\x01#\r')  # as a comment: it is not run
        until('\r\n> ')
    os.close(terminal)
    os.waitpid(child, 0)
    return findings


def completions_of_others():
    """zsh and fish read theirs; all know every verb and option."""
    findings = []
    for name, shell, check in (('_scheelite', 'zsh', ['-n']), ('scheelite.fish', 'fish', ['--no-execute']), ('scheelite', 'bash', ['-n'])):
        path = os.path.join(DOCS, name)
        text = c.read(path).decode()
        for verb, option, _, _ in ROWS:
            bare = option.lstrip('-') if shell == 'fish' and option != '-W' else option
            if verb not in text or bare not in text:
                findings.append(f'{name} lacks {verb} {option}')
        if shutil.which(shell):
            done = subprocess.run([shell, *check, path], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            if done.returncode or done.stdout:
                findings.append(f'{shell}: {done.stdout[:300]}')
    if shutil.which('fish'):
        done = subprocess.run(['fish', '--no-config', '-c', f'source {os.path.join(DOCS, "scheelite.fish")}; complete -C "scheelite run --engine "; complete -C "scheelite che"; complete -C "scheelite gl mkfif"'], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        have = [line.split('\t')[0] for line in done.stdout.splitlines()]
        if sorted(have) != sorted(['auto', 'interp', 'jit', 'both', 'maxwell', 'check', 'mkfifo']):
            findings.append(f'fish: {done.stdout[:300]}')
    return findings


if __name__ == '__main__':
    tap.run([('closed sets', closed_sets), ('helps', helps), ('examples', examples), ('manual pages', manual_pages), ('clean pages', clean_pages),
             ('completion of bash', completion_of_bash), ('keys in bash', keys_in_bash), ('completions of others', completions_of_others)])
