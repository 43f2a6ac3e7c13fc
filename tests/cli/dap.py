"""A client of the Debug Adapter Protocol for tests, which holds every message, sent and received, against the protocol's own
schema where there is one (dap_schema.py), and the server's against shapes. Holds no test. The shapes are written by hand, of
the messages that the server sends and with the members that it gives them."""
import json
import os
import re
import select
import socket
import subprocess
import time

import command as c
import dap_schema

# ---- shapes: a type, a set of texts, [shape of elements], {member: shape}; a member whose name ends in ? may be missing

SOURCE = {'name': str, 'path?': str, 'sourceReference?': int}
BREAKPOINT = {'id': int, 'verified': bool, 'message?': str, 'line?': int, 'instructionReference?': str}
CAPABILITIES = {name: bool for name in (
    'supportsConfigurationDoneRequest', 'supportsFunctionBreakpoints', 'supportsConditionalBreakpoints', 'supportsHitConditionalBreakpoints',
    'supportsEvaluateForHovers', 'supportsStepBack', 'supportsSetVariable', 'supportsExceptionInfoRequest', 'supportsValueFormattingOptions',
    'supportsTerminateRequest', 'supportsDataBreakpoints', 'supportsReadMemoryRequest', 'supportsDisassembleRequest', 'supportsSteppingGranularity',
    'supportsInstructionBreakpoints')}
CAPABILITIES['exceptionBreakpointFilters'] = [{'filter': str, 'label': str, 'description': str, 'default': bool}]
VARIABLE = {'name': str, 'value': str, 'type?': str, 'evaluateName?': str, 'variablesReference': int, 'indexedVariables?': int, 'memoryReference?': str,
            'presentationHint': {'attributes': [{'readOnly'}]}}
FRAME = {'id': int, 'name': str, 'source': SOURCE, 'line': int, 'column': int, 'instructionPointerReference': str, 'presentationHint?': {'label', 'subtle', 'normal'}}
RESPONSES = {  # None: a response without a body
    'initialize': CAPABILITIES, 'launch': None, 'configurationDone': None, 'pause': None, 'next': None, 'stepIn': None, 'stepOut': None, 'stepBack': None,
    'reverseContinue': None, 'terminate': None, 'disconnect': None, 'setExceptionBreakpoints': None,
    'continue': {'allThreadsContinued': bool},
    'setBreakpoints': {'breakpoints': [BREAKPOINT]}, 'setInstructionBreakpoints': {'breakpoints': [BREAKPOINT]}, 'setDataBreakpoints': {'breakpoints': [BREAKPOINT]},
    'dataBreakpointInfo': {'dataId': (str, type(None)), 'description': str, 'accessTypes?': [{'write'}], 'canPersist': bool},
    'threads': {'threads': [{'id': int, 'name': str}]},
    'stackTrace': {'stackFrames': [FRAME], 'totalFrames': int},
    'scopes': {'scopes': [{'name': str, 'variablesReference': int, 'namedVariables?': int, 'presentationHint?': {'registers'}, 'expensive': bool}]},
    'variables': {'variables': [VARIABLE]},
    'evaluate': {'result': str, 'type?': str, 'variablesReference': int},
    'source': {'content': str},
    'disassemble': {'instructions': [{'address': str, 'instruction': str, 'location?': SOURCE, 'line?': int, 'presentationHint?': {'invalid'}}]},
    'readMemory': {'address': str, 'data': str, 'unreadableBytes?': int},
    'exceptionInfo': {'exceptionId': str, 'description': str, 'breakMode': {'always'}}}
EVENTS = {
    'initialized': None, 'terminated': None, 'exited': {'exitCode': int},
    'output': {'category': {'console', 'stderr', 'stdout'}, 'output': str},
    'stopped': {'reason': {'entry', 'step', 'breakpoint', 'instruction breakpoint', 'data breakpoint', 'exception', 'pause'}, 'description': str, 'text?': str,
                'threadId': int, 'allThreadsStopped': bool, 'hitBreakpointIds?': [int]}}
OF_THREADS = {'stackTrace', 'next', 'stepIn', 'stepOut', 'stepBack', 'continue', 'reverseContinue', 'pause', 'exceptionInfo'}
PROBLEM = {'error': {'id': int, 'format': str, 'variables?': {'text': str}, 'showUser': bool}}


def violations(value, shape, at):
    """What of a value is not as the shape says."""
    if isinstance(shape, set):
        return [] if value in shape else [f'{at}: {value!r} is none of {sorted(shape)}']
    if isinstance(shape, list):
        if not isinstance(value, list):
            return [f'{at}: {value!r} is no list']
        return [text for i, one in enumerate(value) for text in violations(one, shape[0], f'{at}[{i}]')]
    if not isinstance(shape, dict):
        fits = isinstance(value, shape) and (shape is bool or not isinstance(value, bool))
        return [] if fits else [f'{at}: {value!r} is no {shape}']
    if not isinstance(value, dict):
        return [f'{at}: {value!r} is no object']
    named = {name.rstrip('?'): inner for name, inner in shape.items()}
    found = [f'{at}: {name} is missing' for name in shape if not name.endswith('?') and name not in value]
    for name, inner in value.items():
        found += violations(inner, named[name], f'{at}.{name}') if name in named else [f'{at}: nobody knows {name}']
    return found


def body_violations(message, shape, at):
    if shape is None:
        return [f'{at}: it has a body'] if 'body' in message else []
    return violations(message.get('body'), shape, at)


DONE = set()  # what was asked for and done, over all sessions: see parts


def parts(name, value):
    """The names of all that is in a request: setBreakpoints, setBreakpoints.source.path, evaluate.context=hover."""
    found = {name}
    if isinstance(value, dict):
        found = found.union(*(parts(f'{name}.{key}', one) for key, one in value.items()))
    if isinstance(value, list):
        found = found.union(*(parts(name, one) for one in value))
    return found | {f'{name}={value}'} if isinstance(value, str) else found


def reason(error):
    """Why a request failed: a format, whose braces stand for variables."""
    return re.sub(r'\{(\w*)\}', lambda match: error['variables'][match[1]], error['format'])


class Client:
    """Speaks with a server; what is wrong with its messages is in `findings`."""

    claims = {}  # the server's capabilities

    def __init__(self, read, write):
        self.read, self.write = read, write
        self.held, self.events, self.findings = b'', [], []
        self.sent, self.received, self.waiting = 0, 0, {}
        self.asked = {}  # requests, with what is wrong with them by the schema: such ones have to be refused
        self.thread = 1  # the one that stopped last

    # ---- bytes

    def send_bytes(self, data):
        view = memoryview(data)
        while view:
            view = view[os.write(self.write, view):]

    def message(self, timeout=60):
        """The next message; None: the server has left."""
        end = time.monotonic() + timeout
        while True:
            head, found, rest = self.held.partition(b'\r\n\r\n')
            if found:
                name, _, length = head.partition(b': ')
                if name != b'Content-Length' or not length.isdigit():
                    raise ValueError(f'header {head!r}')
                if len(rest) >= int(length):
                    self.held = rest[int(length):]
                    return self.seen(json.loads(rest[:int(length)].decode('utf-8')))
            if not select.select([self.read], [], [], max(0, end - time.monotonic()))[0]:
                raise TimeoutError('no message')
            piece = os.read(self.read, 1 << 16)
            if not piece:
                return None
            self.held += piece

    # ---- messages

    def seen(self, message):
        kind, at = message.get('type'), f'{message.get("command") or message.get("event")}'
        self.received += 1
        self.findings += self.of_schema(message, at)
        if message.get('seq') != self.received:
            self.findings.append(f'{at}: seq {message.get("seq")}, not {self.received}')
        if kind == 'event':
            self.findings += violations(message, {'type': str, 'seq': int, 'event': set(EVENTS), **({'body': dict} if EVENTS.get(message.get('event')) else {})}, at)
            self.findings += body_violations(message, EVENTS.get(message['event']), at)
            if message['event'] == 'stopped':
                self.thread = message['body']['threadId']
                self.findings += [] if self.thread in range(1, 33) else [f'{at}: thread {self.thread}']
        elif kind == 'response':
            outer = {'type': str, 'seq': int, 'request_seq': int, 'success': bool, 'command': str, 'message?': str, 'body?': dict}
            self.findings += violations(message, outer, at)
            if message['success']:
                if self.waiting.pop(message['request_seq'], None) != message['command']:
                    self.findings.append(f'{at}: answers no request')
                self.findings += body_violations(message, RESPONSES.get(message['command'], dict), at)
            else:
                self.waiting.pop(message['request_seq'], None)
                self.findings += [] if message.get('message') else [f'{at}: a failure without a message']
                self.findings += body_violations(message, PROBLEM, at)
        else:
            self.findings.append(f'a message of type {kind}')
        return message

    def of_schema(self, message, at):
        """What is wrong with a message of the server by the schema, and with the request that it lets pass."""
        if not dap_schema.PROTOCOL:
            return []
        found = dap_schema.PROTOCOL.violations(message)
        if message.get('type') == 'response':
            request, wrong = self.asked.pop(message['request_seq'], (None, []))
            if message['success'] and request:
                found += [f'{at} was done, though: {text}' for text in wrong]
                DONE.update(parts(request['command'], request.get('arguments', {})))
        return found

    def send(self, command, **arguments):
        """Sends a request; those of a thread are of the one that stopped last, where they name none."""
        if command in OF_THREADS:
            arguments = {'threadId': self.thread, **arguments}
        self.sent += 1
        self.waiting[self.sent] = command
        request = {'seq': self.sent, 'type': 'request', 'command': command, **({'arguments': arguments} if arguments else {})}
        if dap_schema.PROTOCOL:
            self.asked[self.sent] = request, dap_schema.PROTOCOL.violations(request)
        text = json.dumps(request).encode()
        self.send_bytes(b'Content-Length: %d\r\n\r\n' % len(text) + text)
        return self.sent

    def response(self, number):
        while True:
            message = self.message()
            if message is None:
                raise EOFError('the server has left')
            if message['type'] == 'response' and message['request_seq'] == number:
                return message
            self.events.append(message)

    def ask(self, command, **arguments):
        """The body of the response, or the text of the failure."""
        message = self.response(self.send(command, **arguments))
        return message.get('body', {}) if message['success'] else reason(message['body']['error'])

    def event(self, name):
        """The next event of the name; those before it are dropped."""
        while True:
            message = self.events.pop(0) if self.events else self.message()
            if message is None:
                raise EOFError(f'the server has left before {name}')
            if message['type'] == 'event' and message['event'] == name:
                return message.get('body', {})

    def go(self, command, **arguments):
        """A movement, and where it stops."""
        answer = self.ask(command, **arguments)
        return self.event('stopped') if isinstance(answer, dict) else answer

    # ---- sessions

    def launch(self, prepare=None, **arguments):
        """From initialize to the first stop."""
        Client.claims = self.ask('initialize', adapterID='scheelite', clientID='tests', linesStartAt1=True, columnsStartAt1=True, pathFormat='path')
        answer = self.ask('launch', **arguments)
        if not isinstance(answer, dict):
            return answer
        self.event('initialized')
        if prepare:
            prepare(self)
        self.ask('configurationDone')
        return self.event('stopped')

    def where(self, thread=1):
        frame = self.ask('stackTrace', threadId=thread)['stackFrames'][0]
        return frame['line'], int(frame['instructionPointerReference'], 16) - 0x10000000

    def value(self, expression, thread=1, **more):
        frames = self.ask('stackTrace', threadId=thread)
        answer = self.ask('evaluate', expression=expression, frameId=frames['stackFrames'][0]['id'], context='watch', **more)
        return answer['result'] if isinstance(answer, dict) else answer

    def scope(self, name, thread=1):
        frame = self.ask('stackTrace', threadId=thread)['stackFrames'][0]['id']
        scopes = {scope['name'].split(' (')[0]: scope for scope in self.ask('scopes', frameId=frame)['scopes']}
        return self.ask('variables', variablesReference=scopes[name]['variablesReference'])['variables'] if name in scopes else None

    def end(self):
        self.ask('disconnect')
        return self.message() is None


class Stdio(Client):
    """The command with --dap on its standard input and output."""

    def __init__(self, *arguments):
        env = {**os.environ, **({'LD_PRELOAD': c.WATCH} if c.WATCH else {})}  # follows memory: what is not given back ends in 99
        self.process = subprocess.Popen([c.COMMAND, 'debug', '--dap', *arguments], env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        super().__init__(self.process.stdout.fileno(), self.process.stdin.fileno())

    def close(self, wanted=c.YES):
        """Findings of the whole session."""
        self.process.stdin.close()
        errors = self.process.stderr.read().decode(errors='replace')
        self.process.stdout.close()
        self.process.stderr.close()
        code = self.process.wait(60)
        return self.findings + ([] if code == wanted else [f'exit {code}, not {wanted}: {errors[:2000]}'])


class Served:
    """The command with --dap=PLACE, until it is ended."""

    def __init__(self, place, *arguments):
        self.process = subprocess.Popen([c.COMMAND, 'debug', f'--dap={place}', *arguments], stderr=subprocess.PIPE, text=True)
        self.line = self.process.stderr.readline()

    def connect(self):
        place = self.line.split()[-1]
        if place.isdigit():
            self.socket = socket.create_connection(('127.0.0.1', int(place)), 60)
        else:
            self.socket = socket.socket(socket.AF_UNIX)
            self.socket.connect(place)
        self.socket.setblocking(True)
        return Client(self.socket.fileno(), self.socket.fileno())

    def end(self):
        self.process.terminate()
        self.process.communicate(timeout=60)
        return self.process.returncode
