"""The protocol's own schema, for the client of dap.py: Debian's python3-pydevd has it as generated Python, which is read
here, not run. Objects are closed: a member that the schema does not name is a finding. Holds no test."""
import ast
import glob

try:
    import jsonschema
except ImportError:
    jsonschema = None

PLACES = ['/usr/lib/python3/dist-packages/_pydevd_bundle/_debug_adapter/pydevd_schema.py',
          '/usr/lib/python3/dist-packages/debugpy/_vendored/pydevd/_pydevd_bundle/_debug_adapter/pydevd_schema.py']
OPEN = {'LaunchRequestArguments', 'AttachRequestArguments'}  # each adapter has members of its own there
# Members that came into the protocol later than Debian's schema: in 1.68 they are there.
LATER = {'DisassembledInstruction': {'presentationHint': {'type': 'string', 'enum': ['normal', 'invalid']}}}
TYPES = {'array', 'boolean', 'integer', 'null', 'number', 'object', 'string'}


def shape(schema, name=''):
    """A part of the schema as JSON Schema has it: classes are references, and objects closed. What texts are only proposed
    (_enum) is held against, too; not why a request failed, which has its own words."""
    kind = schema.get('type')
    if isinstance(kind, str) and kind not in TYPES:
        return {'$ref': f'#/definitions/{kind}'}
    made = {key: schema[key] for key in ('type', 'enum', '$ref', 'required', 'additionalProperties') if key in schema}
    if '_enum' in schema and name != 'message':
        made['enum'] = schema['_enum']
    if 'items' in schema:
        made['items'] = shape(schema['items'])
    if 'properties' in schema:
        made['properties'] = {key: shape(value, key) for key, value in schema['properties'].items()}
        made.setdefault('additionalProperties', False)
    return made


def definition(node):
    """A class of the generated Python: its members, of which those must be there that its constructor must be given, and
    those that it gives itself: type, command, event."""
    properties = next(ast.literal_eval(part.value) for part in node.body if isinstance(part, ast.Assign) and part.targets[0].id == '__props__')
    begin = next(part for part in node.body if isinstance(part, ast.FunctionDef) and part.name == '__init__').args
    given = [one.arg for one in begin.args[1:len(begin.args) - len(begin.defaults)]]
    fixed = [key for key, value in properties.items() if key == 'seq' or len(value.get('enum', [])) == 1]
    if not properties:
        return {}
    made = shape({'type': 'object', 'properties': {**LATER.get(node.name, {}), **properties}, 'additionalProperties': node.name in OPEN})
    return {**made, **({'required': given + fixed} if given + fixed else {})}


class Protocol:
    """What is wrong with messages, and how many were looked at."""

    def __init__(self, text):
        self.definitions = {node.name: definition(node) for node in ast.parse(text).body if isinstance(node, ast.ClassDef)}
        self.names = {}  # (request or event, its name): the definition's name
        for name, one in self.definitions.items():
            for kind, member in (('request', 'command'), ('event', 'event')):
                values = one.get('properties', {}).get(member, {}).get('enum', [])
                if name.endswith(kind.capitalize()) and len(values) == 1:
                    self.names[kind, values[0]] = name
        self.validators, self.counts = {}, {'request': 0, 'response': 0, 'event': 0}

    def name(self, message):
        if message['type'] == 'event':
            return self.names.get(('event', message['event']))
        request = self.names.get(('request', message['command']))
        if message['type'] == 'request':
            return request
        return request and request.removesuffix('Request') + 'Response' if message['success'] else 'ErrorResponse'

    def violations(self, message):
        """What of a message is not as the schema says. It has the members that tell which one it is."""
        name = self.name(message)
        self.counts[message['type']] += 1
        if not name:
            return [f'the protocol knows no {message["type"]} {message.get("command") or message.get("event")}']
        if name not in self.validators:
            self.validators[name] = jsonschema.Draft4Validator({'definitions': self.definitions, '$ref': f'#/definitions/{name}'})
        return [f'{name}: {"/".join(map(str, error.absolute_path))}: {error.message[:200]}' for error in self.validators[name].iter_errors(message)]


def load():
    """The protocol, or why there is none here."""
    found = [path for place in PLACES for path in glob.glob(place)]
    if not found:
        return None, 'no schema of the protocol (Debian package python3-pydevd)'
    if not jsonschema:
        return None, 'no jsonschema (Debian package python3-jsonschema)'
    with open(found[0], encoding='utf-8') as file:
        return Protocol(file.read()), ''


PROTOCOL, MISSING = load()
