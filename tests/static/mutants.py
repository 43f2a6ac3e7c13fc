#!/usr/bin/env python3
"""The mutation run itself: the mutants of a small program are found, stand in it together, and each one changes what it
prints when it is switched on; reached are those that its run comes to. And the list of those that mean the same."""
import os
import re
import subprocess
import sys
import tempfile

import tap

TOOL = os.path.join(tap.SOURCE, 'tools', 'mutate')
PROGRAM = '''#include <stdio.h>
enum { SIZE = 3 };
#define CUT(n) (n) > 5 ? 5 : (n), (n) / 2
static int sum;
static void add(int n) { sum += n; }
static int f(int a)
{
    static const int table[SIZE] = {1, 2, 3};
    int last[2] = {a, 5};
    if (a > 2 && a < 7) return a - table[1];
    for (int i = 0; i < 3; i++) add(i + a);
    switch (a) {
    case 1:
        return 9;
    default:
        return !a ? 1 : last[1] - last[0];
    }
}
static int rows(int a)
{
    switch (a) {
#include "rows.def"
    default:
        return 0;
    }
}
static int never(int a) { return a * 2; }
int main(int argc, char **argv)
{
    (void)argv;
    if (argc > 5) return never(argc);
    for (int a = 0; a < 9; a++) printf("%d %d %d\\n", f(a), rows(a), sum);
    printf("%d %d\\n", CUT(sum));
    return 0;
}
'''
# Rows that a function includes; their offsets lie within the program's.
ROWS = '\n' * 400 + 'case 1: if (a > 0) return 7; return 8;\n'
# The line of `argc` decides about what no run comes to. A `for` can only become shorter; SIZE, table and `case` stay.
SILENT = 'if (argc'
LEAST = 40


def built(folder):
    sys.path.insert(0, TOOL)
    try:
        import libclang
    except SystemExit as reason:
        raise tap.Skip(str(reason))
    import operators
    import tree
    source = os.path.join(folder, 'small.c')
    with open(source, 'w', encoding='utf-8') as file:
        file.write(PROGRAM)
    with open(os.path.join(folder, 'rows.def'), 'w', encoding='utf-8') as file:
        file.write(ROWS)
    index = libclang.clang.Index.create()
    found, errors = operators.mutants_of_unit(index, source, ['-resource-dir', tree.resource_folder()],
                                              lambda name: 'small.c' if name == source else None, lambda path: PROGRAM)
    mutants = dict(enumerate(found['small.c'], 1))
    with open(source, 'wb') as file:
        file.write(operators.with_mutants(PROGRAM.encode(), mutants))
    program = os.path.join(folder, 'small')
    subprocess.run(['gcc', '-w', '-include', os.path.join(TOOL, 'mutant.h'), os.path.join(TOOL, 'mutant.c'),
                    source, '-o', program], check=True)
    return program, mutants, errors


def original(folder):
    source, program = os.path.join(folder, 'original.c'), os.path.join(folder, 'original')
    with open(source, 'w', encoding='utf-8') as file:
        file.write(PROGRAM)
    subprocess.run(['gcc', '-w', source, '-o', program], check=True)
    return subprocess.run([program], stdout=subprocess.PIPE, check=True).stdout


def printed(program, state, number):
    with open(state, 'r+b') as file:
        file.write(number.to_bytes(4, 'little'))
    try:
        done = subprocess.run([program], env=dict(os.environ, SCH_MUTANTS=state), capture_output=True, timeout=20)
    except subprocess.TimeoutExpired:
        return None
    return done.returncode, done.stdout


def every_mutant_shows():
    with tempfile.TemporaryDirectory() as folder:
        program, mutants, errors = built(folder)
        state = os.path.join(folder, 'state')
        with open(state, 'wb') as file:
            file.write(bytes(4 + len(mutants) + 1))
        right, findings = printed(program, state, 0), list(errors)
        if right != (0, original(folder)):
            findings.append('without a mutant the program is another')
        with open(state, 'rb') as file:
            reached = {n for n, mark in enumerate(file.read()[4:]) if mark}
        for number, mutant in mutants.items():
            silent = mutant.function == 'never' or mutant.source.startswith(SILENT)
            if (number in reached) == (mutant.function == 'never'):
                findings.append(f'{mutant.line}: {mutant.what}: reached: {number in reached}')
            if not silent and printed(program, state, number) == right:
                findings.append(f'{mutant.line}: {mutant.what} in {mutant.function} changes nothing')
        if len(mutants) < LEAST:
            findings.append(f'only {len(mutants)} mutants')
        if any(m.function == 'rows' and m.source != 'return 0;' for m in mutants.values()):
            findings.append('a row is taken for a place of the program')
        if any(m.text for m in mutants.values() if m.source.startswith(('enum', 'static const', 'case'))):
            findings.append('a constant that must be constant is wronged')
        return findings


def equivalents_are_there():
    """What is listed stands in its file and function: a line that moved would be tried again and have no reason."""
    findings, texts = [], {}
    with open(os.path.join(TOOL, 'equivalents.txt'), encoding='utf-8') as file:
        rows = [re.split(r' \|\|(?= )', line.strip()) for line in file if line.strip() and not line.startswith('#')]
    for path, function, *between, _ in rows:
        function = function.strip()
        if path not in texts:
            with open(os.path.join(tap.SOURCE, path), encoding='utf-8') as file:
                texts[path] = ' '.join(file.read().split())
        name = re.sub(r'^(ops_body_|sch_ops_(?=.*_w4$))|(?<=.)_w4$', '', function)  # that a macro makes
        # C's own || stand in what was done and in lines
        stands = any(' ||'.join(between[n:]).strip() in texts[path] for n in range(1, len(between)))
        if not stands or not re.search(rf'\b{name}\b', texts[path]):
            findings.append(f'{path}: {function}: {" ||".join(between[1:])}')
    return findings


tap.run([('every mutant shows', every_mutant_shows), ('equivalents are there', equivalents_are_there)])
