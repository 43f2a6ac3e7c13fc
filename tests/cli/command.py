"""Running the command in tests: its output and exit code, temporary files, pictures. Holds no check."""
import atexit
import ctypes
import functools
import hashlib
import itertools
import os
import re
import selectors
import socket
import struct
import subprocess
import sys
import tempfile
import zlib

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, 'static'))
import tap  # noqa: E402

COMMAND = os.path.join(tap.BUILD, 'src', 'cli', 'scheelite')
EXAMPLES = os.path.join(tap.SOURCE, 'examples')
SHADERS = sorted(os.path.join(EXAMPLES, 'shaders', name) for name in os.listdir(os.path.join(EXAMPLES, 'shaders'))
                 if name.endswith('.tgsi'))
PHOTO = os.path.join(EXAMPLES, 'pictures', 'photo.png')
FOLDER = tempfile.TemporaryDirectory(prefix='scheelite-test-')

SERVED = os.environ.get('SCH_SERVED')  # the command as a server of itself, which forks for each call (served.c)
WATCH = os.environ.get('SCH_WATCH')  # follows memory: what is not given back makes exit code 99 (watch.c)
WATCHED = {'LD_PRELOAD': WATCH, 'MALLOC_PERTURB_': '0'}  # watch.c fills blocks itself
SANITIZED = not WATCH
LONG = bool(os.environ.get('SCH_LONG'))
PART = not LONG or bool(os.environ.get('SCH_PART'))  # a part of a corpus is enough then (tests/meson.build)
YES, NO, USAGE, IO, UNSUPPORTED, LIMIT, INTERNAL, LEAKED = 0, 1, 2, 3, 4, 5, 70, 99
TEMPORARY = os.path.join(os.path.abspath(os.sep), 'tmp')  # where the fixed name of a server's socket is
NO_NAME_SPACE = 77


class Server:
    """The command, begun once: each call is a fork of it."""

    def __init__(self):
        self.socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        # A search for leaks takes longer than most calls; in the plain build watch.c finds those of every call.
        more = {'ASAN_OPTIONS': os.environ.get('ASAN_OPTIONS', '') + ':detect_leaks=0', 'SCH_SERVE': str(theirs.fileno())}
        if WATCH:
            more |= WATCHED
        self.process = subprocess.Popen([SERVED], pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL, env={**os.environ, **more})
        theirs.close()
        self.socket.settimeout(120)
        atexit.register(self.end)

    def end(self):
        self.socket.close()
        self.process.wait()

    def call(self, arguments, stdin, env, cwd):
        words = [cwd or os.getcwd(), str(1 + len(arguments)), COMMAND, *arguments]
        words = [os.fsencode(word) for word in words + [f'{name}={value}' for name, value in env.items()]]
        given, taken, told = os.pipe(), os.pipe(), os.pipe()
        socket.send_fds(self.socket, [b'\0'.join(words) + b'\0'], [given[0], taken[1], told[1]])
        for end in (given[0], taken[1], told[1]):
            os.close(end)
        output, errors = talk(given[1], stdin, taken[0], told[0])
        answer = self.socket.recv(4)
        if len(answer) != 4:
            raise subprocess.SubprocessError(f'{arguments}: the server of the command ended')
        return subprocess.CompletedProcess(arguments, int.from_bytes(answer, 'little', signed=True), output, errors)


def talk(to, text, *ends):
    """What comes from the ends of two pipes while the text goes into one; closes all."""
    came = {end: [] for end in ends}
    text = memoryview(text)
    with selectors.DefaultSelector() as ready:
        for end in ends:
            ready.register(end, selectors.EVENT_READ)
        if text:
            os.set_blocking(to, False)
            ready.register(to, selectors.EVENT_WRITE)
        else:
            os.close(to)
        while ready.get_map():
            events = ready.select(120)
            if not events:
                raise subprocess.SubprocessError('nothing in two minutes')
            for key, _ in events:
                if key.fd == to:
                    try:
                        text = text[os.write(to, text):]
                    except BrokenPipeError:
                        text = text[:0]
                    done = not text
                else:
                    piece = os.read(key.fd, 1 << 16)
                    came[key.fd].append(piece)
                    done = not piece
                if done:
                    ready.unregister(key.fd)
                    os.close(key.fd)
    return [b''.join(came[end]) for end in ends]


server = None


def watched(arguments, done):
    if done.returncode == LEAKED:
        raise subprocess.SubprocessError(f'{arguments}: {done.stderr.decode(errors="replace")[-300:]}')
    return done


def run(*arguments, stdin=b'', stdout=None, env=None, cwd=None, before=None):
    """The finished process; text of stdout and stderr is decoded where it is asked for. `before`: called in the child."""
    stdin = stdin.encode() if isinstance(stdin, str) else stdin or b''
    if SERVED and stdout is None and before is None and (env is None or 'LD_PRELOAD' not in env):
        global server
        server = server or Server()
        return watched(arguments, server.call(arguments, stdin, os.environ if env is None else env, cwd))
    if WATCH:
        env = {**(os.environ if env is None else env), **WATCHED}
    done = subprocess.run([COMMAND, *arguments], input=stdin, stdout=stdout or subprocess.PIPE, stderr=subprocess.PIPE,
                          env=env, cwd=cwd, preexec_fn=before, timeout=120)
    return watched(arguments, done)


def exit_is(wanted, *arguments, stdin=b'', err=None, out=None, **more):
    """Findings of one call: its exit code, texts that stderr and stdout must have. `out` '' means nothing at all."""
    done = run(*arguments, stdin=stdin, **more)
    call = ' '.join(os.path.basename(a) if os.sep in a else a for a in arguments)
    findings = []
    if done.returncode != wanted:
        findings.append(f'{call}: exit {done.returncode}, not {wanted}: {done.stderr.decode(errors="replace")[:300]}')
    if err is not None and err not in done.stderr.decode(errors='replace'):
        findings.append(f'{call}: stderr lacks {err!r}: {done.stderr.decode(errors="replace")[:300]}')
    if out is not None and (out not in done.stdout.decode(errors='replace') or (out == '' and done.stdout)):
        findings.append(f'{call}: stdout lacks {out!r}: {done.stdout.decode(errors="replace")[:300]}')
    return findings


def explanations(names):
    """Each name, and what explain says of it, by one call: to read Maxwell's table takes it longest, and it does so once.
    Behind each name stands another one, whose text is known."""
    between = '9000'
    end = run('explain', between).stdout.decode()
    texts = run('explain', *[word for name in names for word in (name, between)]).stdout.decode().split(end)
    assert between not in names and len(texts) == len(names) + 1 and not texts[-1], 'explanations that cannot be told apart'
    return dict(zip(names, texts))


@functools.cache
def compiles():
    """Whether this build has its compiler of machine code."""
    text = write('compiles.tgsi', 'FRAG\nDCL IN[0], COLOR, LINEAR\nDCL OUT[0], COLOR\nMOV OUT[0], IN[0]\nEND\n')
    done = run('eval', text, '--vectors', write('compiles.tsv', 'IN[0]=0,0,0,0\n'), '--engine', 'jit')
    # Any other refusal would leave out, without a word, all that asks here.
    assert done.returncode == YES or b'machine code' in done.stderr, done.stderr
    return done.returncode == YES


def path(name):
    return os.path.join(FOLDER.name, name)


def example(name):
    return os.path.join(EXAMPLES, 'shaders', name + '.tgsi')


def write(name, content):
    with open(path(name), 'wb') as file:
        file.write(content.encode() if isinstance(content, str) else content)
    return path(name)


def hidden_temporary():
    """A folder for hide_temporary, where what a test starts does not live in the folder that is hidden."""
    if any(os.path.realpath(program).startswith(TEMPORARY + os.sep) for program in (COMMAND, sys.executable)):
        raise tap.Skip('the command is in the folder that is hidden')
    os.mkdir(path('temporary'), 0o1777)
    return path('temporary')


def hide_temporary(folder):
    """In a child, before it is another program: a name space of mounts in which the folder for temporary files is `folder`. The
    child ends with NO_NAME_SPACE where none can be made."""
    libc = ctypes.CDLL(None, use_errno=True)
    user, group = os.geteuid(), os.getegid()
    if libc.unshare(0x20000) != 0:
        if libc.unshare(0x20000 | 0x10000000) != 0:
            os._exit(NO_NAME_SPACE)
        for name, text in (('setgroups', 'deny'), ('uid_map', f'{user} {user} 1'), ('gid_map', f'{group} {group} 1')):
            with open(f'/proc/self/{name}', 'w', encoding='ascii') as file:
                file.write(text)
    if libc.mount(None, b'/', None, 0x4000 | 0x40000, None) != 0 or libc.mount(folder.encode(), TEMPORARY.encode(), None, 0x1000, None) != 0:
        os._exit(NO_NAME_SPACE)


def read(name):
    with open(name, 'rb') as file:
        return file.read()


def sums(first, second):
    """Byte by byte, modulo 256: seven bits of all at once, and the eighth by exclusive or."""
    low = int.from_bytes(b'\x7f' * len(first), 'little')
    a, b = int.from_bytes(first, 'little'), int.from_bytes(second, 'little')
    return ((a & low) + (b & low) ^ (a ^ b) & ~low).to_bytes(len(first), 'little')


def left_sums(line, channels):
    """Each byte and those of the same channel before it."""
    done = bytearray(len(line))
    for channel in range(channels):
        done[channel::channels] = bytes(itertools.accumulate(line[channel::channels], lambda a, b: (a + b) & 255))
    return bytes(done)


def averaged(left, above, corner):
    return (left + above) // 2


def paeth(left, above, corner):
    if above == corner:
        return left
    if left == corner:
        return above
    p = left + above - corner
    return min((abs(p - left), 0, left), (abs(p - above), 1, above), (abs(p - corner), 2, corner))[2]


def predicted(line, prior, predictor, channels):
    done = bytearray(len(line))
    for channel in range(channels):
        left, corner, values = 0, 0, []
        for value, above in zip(line[channel::channels], prior[channel::channels]):
            left = (value + predictor(left, above, corner)) & 255
            corner = above
            values.append(left)
        done[channel::channels] = bytes(values)
    return bytes(done)


def unfilter(raw, width, height, channels):
    """Pixels of a PNG of 8 bits (the specification's five filters)."""
    stride, out, prior = width * channels, [], bytes(width * channels)
    for start in range(0, height * (stride + 1), stride + 1):
        kind, line = raw[start], raw[start + 1:start + 1 + stride]
        prior = (line if kind == 0 else left_sums(line, channels) if kind == 1 else sums(line, prior) if kind == 2 else
                 predicted(line, prior, (averaged, paeth)[kind - 3], channels))
        out.append(prior)
    return b''.join(out)


def with_alpha(pixels):
    """RGB pixels as RGBA: a picture that is opaque everywhere is written without alpha."""
    texels = bytearray(b'\xff' * (len(pixels) // 3 * 4))
    for channel in range(3):
        texels[channel::4] = pixels[channel::3]
    return bytes(texels)


def chunks(data):
    at = 8
    while at < len(data):
        length, kind = struct.unpack('>I4s', data[at:at + 8])
        yield kind, data[at + 8:at + 8 + length]
        at += 12 + length


@functools.lru_cache(maxsize=8)
def texels_of(data):
    """(width, height, RGBA texels) of a PNG file's bytes; many calls of a test draw the same."""
    assert data[:8] == b'\x89PNG\r\n\x1a\n'
    parts = list(chunks(data))
    width, height, depth, kind = struct.unpack('>IIBB', dict(parts)[b'IHDR'][:10])
    assert depth == 8 and kind in (2, 6)
    raw = zlib.decompress(b''.join(body for name, body in parts if name == b'IDAT'))
    if kind == 2:
        return width, height, with_alpha(unfilter(raw, width, height, 3))
    return width, height, unfilter(raw, width, height, 4)


def picture(name):
    """(width, height, RGBA texels) of a PNG that the command wrote."""
    return texels_of(read(name))


def png(name, width, height, texels):
    """A file of 8-bit RGBA texels."""
    def chunk(kind, body):
        return struct.pack('>I', len(body)) + kind + body + struct.pack('>I', zlib.crc32(kind + body))
    rows = b''.join(b'\0' + texels[y * width * 4:(y + 1) * width * 4] for y in range(height))
    header = struct.pack('>IIBBBBB', width, height, 8, 6, 0, 0, 0)
    return write(name, b'\x89PNG\r\n\x1a\n' + chunk(b'IHDR', header) + chunk(b'IDAT', zlib.compress(rows)) + chunk(b'IEND', b''))


def picture_hash(name):
    return hashlib.sha256(picture(name)[2]).hexdigest()[:16]


def with_places(err, arguments):
    """A text for stderr, and behind it where the errors with numbers are explained: a line for each number, in their order."""
    err = re.sub(r'(?m)^see: scheelite explain \d+\n', '', err)  # of calls that it was put together of
    if '-q' in arguments:
        return err
    numbers = dict.fromkeys(re.findall(r'(?m)^(?!    ).*?: error (\d+): ', err))
    return err + ''.join(f'see: scheelite explain {number}\n' for number in numbers)


def says(code, out, err, *arguments, stdin=b'', **more):
    """Findings of one call of which all is known: exit code, whole stdout and stderr. None: any text."""
    done = run(*arguments, stdin=stdin, **more)
    have = (done.returncode, done.stdout.decode(errors='replace'), done.stderr.decode(errors='replace'))
    wanted = (code, have[1] if out is None else out, have[2] if err is None else with_places(err, arguments))
    call = ' '.join(os.path.basename(a) if os.sep in a else a for a in arguments)
    for what, has, wants in zip(('exit', 'stdout', 'stderr'), have, wanted):
        if has != wants and what == 'exit':
            return [f'{call}: exit {has}, not {wants}: {have[2][:300]}']
        if has != wants:
            same = len(os.path.commonprefix((has, wants)))
            return [f'{call}: {what} after {same} characters: {has[same:same + 300]!r}, not {wants[same:same + 300]!r}']
    return []
