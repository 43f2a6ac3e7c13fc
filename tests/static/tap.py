"""TAP for the checks of this folder: a check is a name and the list of what is wrong; an empty list passes.
Holds no check."""
import os
import subprocess
import sys

SOURCE = os.environ.get('SCH_SOURCE') or os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.environ.get('SCH_BUILD') or os.path.join(SOURCE, 'build')


class Skip(Exception):
    """Raised by a check that cannot be made here."""


def run(checks):
    """Runs (name, function) pairs; a function returns the list of findings. Exit status 1 if any has findings. The
    environment's SCH_TEST names the only one that is wanted."""
    only = os.environ.get('SCH_TEST')
    checks = [check for check in checks if only in (None, check[0])]
    print(f'1..{len(checks)}')
    failed = False
    for number, (name, check) in enumerate(checks, 1):
        try:
            findings = check()
        except Skip as reason:
            print(f'ok {number} - {name} # SKIP {reason}')
            continue
        except (OSError, subprocess.SubprocessError) as error:
            findings = [f'{type(error).__name__}: {error}']
        for finding in findings[:100]:
            print(f'# {finding}')
        if len(findings) > 100:
            print(f'# and {len(findings) - 100} more')
        failed = failed or bool(findings)
        print(f'{"not " if findings else ""}ok {number} - {name}', flush=True)
    sys.exit(1 if failed else 0)
