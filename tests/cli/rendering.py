"""Rendering scenes that say themselves what they expect, for the tests of scenes. Holds no check."""
import command as c


def holds(text, name='', *options):
    """Findings: all that the scene expects holds, nothing is said beside, and it expects something."""
    done = c.run('render', '-', '--check', '--threads', '2', '-Wno-6520', *options, stdin=text)
    count = text.count('\nexpect ')
    if count and (done.returncode, done.stderr, done.stdout.decode()) == (c.YES, b'', f'{count} passed, 0 failed\n'):
        return []
    return [f'{name or text[-400:]}: {done.returncode} {done.stdout.decode()[:300]} {done.stderr.decode()[:300]}']


def refuses(text, *words):
    """Findings: the scene is refused with these words."""
    done = c.run('render', '-', '--check', stdin=text)
    err = done.stderr.decode()
    return [] if done.returncode > c.YES and all(word in err for word in words) else [f'{done.returncode} {err[:300]}, not {words}']
