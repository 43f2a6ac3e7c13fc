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


def compiled(folder, name, text, *more):
    source, program = os.path.join(folder, f'{name}.c'), os.path.join(folder, name)
    with open(source, 'wb') as file:
        file.write(text)
    subprocess.run(['gcc', '-w', *more, source, '-o', program], check=True)
    return source, program


def printed(program, **settings):
    try:
        done = subprocess.run([program], env=dict(os.environ, **settings), capture_output=True, timeout=20)
    except subprocess.TimeoutExpired:
        return None
    return done.returncode, done.stdout


def mutants_of(source):
    sys.path.insert(0, TOOL)
    try:
        import libclang
    except SystemExit as reason:
        raise tap.Skip(str(reason))
    import operators
    import tree
    found, errors = operators.mutants_of_unit(libclang.clang.Index.create(), source, ['-resource-dir', tree.resource_folder()],
                                              lambda name: 'small.c' if name == source else None, lambda path: PROGRAM)
    mutants = dict(enumerate(found['small.c'], 1))
    return mutants, list(errors), operators.with_mutants(PROGRAM.encode(), mutants)


def every_mutant_shows():
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, 'rows.def'), 'w', encoding='utf-8') as file:
            file.write(ROWS)
        source, original = compiled(folder, 'small', PROGRAM.encode())
        mutants, findings, text = mutants_of(source)
        _, program = compiled(folder, 'mutated', text, '-include', os.path.join(TOOL, 'mutant.h'), os.path.join(TOOL, 'mutant.c'))
        state = os.path.join(folder, 'state')

        def with_mutant(number):
            with open(state, 'r+b') as file:
                file.write(number.to_bytes(4, 'little'))
            return printed(program, SCH_MUTANTS=state)

        with open(state, 'wb') as file:
            file.write(bytes(4 + len(mutants) + 1))
        right = with_mutant(0)
        if right != printed(original):
            findings.append('without a mutant the program is another')
        with open(state, 'rb') as file:
            reached = {n for n, mark in enumerate(file.read()[4:]) if mark}
        for number, mutant in mutants.items():
            silent = mutant.function == 'never' or mutant.source.startswith(SILENT)
            if (number in reached) == (mutant.function == 'never'):
                findings.append(f'{mutant.line}: {mutant.what}: reached: {number in reached}')
            if not silent and with_mutant(number) == right:
                findings.append(f'{mutant.line}: {mutant.what} in {mutant.function} changes nothing')
            if mutant.function == 'rows' and mutant.source != 'return 0;':
                findings.append(f'{mutant.line}: a row is taken for a place of the program')
            if mutant.text and mutant.source.startswith(('enum', 'static const', 'case')):
                findings.append(f'{mutant.line}: a constant that must be constant is wronged')
        return findings + ([] if len(mutants) >= LEAST else [f'only {len(mutants)} mutants'])


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
