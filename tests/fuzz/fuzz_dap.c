/* Fuzz target: sessions of an editor with the server of the Debug Adapter Protocol. The input's bytes choose requests
 * and the values of their arguments; if its first byte is 255, the rest is what comes over the wire, as it is. What is
 * checked: each request has one response, in its turn; after a movement it stands somewhere; the server ends with its
 * client. */
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <pthread.h>
#include <stdarg.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "debug_subjects.h"
#include "fuzz.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

enum {
    RAW = 255, /* the first byte of inputs that are sent as they are */
    REQUESTS = 48,
    MESSAGE = 1 << 13,
    HEARD = 1 << 20,
    PATIENCE = 20000 /* milliseconds that a response may take on a busy machine */
};

struct client {
    const uint8_t *at, *end;
    int socket;
    uint32_t sequence;
    char message[MESSAGE];
    size_t used;
    char heard[HEARD + 1]; /* what came and was not read yet */
    size_t held;
    const char *finding;
};

static uint8_t take(struct client *client) { return client->at < client->end ? *client->at++ : 0; }

/* ---- the server ---- */

struct server {
    struct sch_fuzz_opened *opened;
    int socket;
};

/* The last word names the program; it has one digit. */
static const struct sch_debugger_subject *open_subject(void *user, const char *const *words, uint32_t count, char *said,
                                                       size_t bytes)
{
    struct server *server = user;
    const char *name = count ? words[count - 1] : "";
    snprintf(said, bytes, "there is no program %.40s", name);
    if (*name < '0' || *name >= '0' + SCH_FUZZ_SUBJECTS || name[1]) return NULL;
    said[0] = 0;
    server->opened = sch_fuzz_open_subject((unsigned)(*name - '0'));
    return server->opened ? sch_fuzz_subject(server->opened) : NULL;
}

static void close_subject(void *user)
{
    struct server *server = user;
    sch_fuzz_close_subject(server->opened);
    server->opened = NULL;
}

static int exit_of(enum sch_result result) { return result; }

static void *serve(void *user)
{
    struct server *server = user;
    const struct sch_debugger_host host = {server, open_subject, close_subject, exit_of};
    sch_debugger_dap(&host, server->socket, server->socket);
    shutdown(server->socket, SHUT_RDWR);
    return NULL;
}

/* ---- requests ---- */

static void __attribute__((format(printf, 2, 3))) add(struct client *client, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int more = vsnprintf(client->message + client->used, MESSAGE - client->used, format, arguments);
    va_end(arguments);
    client->used += more > 0 && (size_t)more < MESSAGE - client->used ? (size_t)more : 0;
}

static void add_any(struct client *client)
{
    static const char *const odd[] = {"null",
                                      "true",
                                      "-1",
                                      "0",
                                      "1",
                                      "2147483648",
                                      "-9223372036854775808",
                                      "1e300",
                                      "1.5",
                                      "\"\"",
                                      "\"x\"",
                                      "\"-1\"",
                                      "[]",
                                      "{}",
                                      "[\"a\"]",
                                      "[1,2,3]",
                                      "[[]]",
                                      "{\"a\":1}",
                                      "\"\\u0000\"",
                                      "\"99999999999999999999\"",
                                      "4294967295",
                                      "18446744073709551615"};
    add(client, "%s", odd[take(client) % COUNT(odd)]);
}

/* An operand, and sometimes what it is compared with. */
static void add_expression(struct client *client)
{
    static const char *const operands[] = {"TEMP[0].x",
                                           "TEMP[1]",
                                           "IN[0].xyzw",
                                           "OUT[0].w",
                                           "CONST[0][1].x",
                                           "IMM[0]",
                                           "SV[0].x",
                                           "ADDR[0].x",
                                           "r0.x",
                                           "r1",
                                           "v0.y",
                                           "cb0[1].x",
                                           "x0[1]",
                                           "o0",
                                           "R4",
                                           "P0",
                                           "RZ",
                                           "time",
                                           "active",
                                           "present",
                                           "helpers",
                                           "lookup",
                                           "shared[4]",
                                           "private[0]",
                                           "shared[999999999]",
                                           "seek 3",
                                           "seek 0",
                                           "seek 99999999999",
                                           "TEMP[4294967296]",
                                           "TEMP[0",
                                           "any TEMP[0].x",
                                           "int(TEMP[0].y)",
                                           "float(R4)",
                                           "TEMP[0].xxxxx",
                                           "uint(",
                                           ""};
    static const char *const rests[] = {
        "",   "",   "",         " > 1.5", " == 0x3f800000", " != -3",      " <= nan", ",h",
        ",d", ",f", " == r1.y", " >",     " < 1e400",       " == 1 and 2", "]",       " && time > 3"};
    add(client, "\"%s%s", operands[take(client) % COUNT(operands)], rests[take(client) % COUNT(rests)]);
    for (unsigned n = take(client) < 224 ? 0 : take(client) % 8; n; n--) {
        const char letter = (char)(' ' + take(client) % 95);
        add(client, "%c", letter == '"' || letter == '\\' ? '.' : letter);
    }
    add(client, "\"");
}

/* Each letter of a row's arguments is a member. */
static const struct argument {
    char letter;
    const char *name;
} names[] = {{'t', "threadId"},
             {'f', "frameId"},
             {'v', "variablesReference"},
             {'e', "expression"},
             {'n', "name"},
             {'o', "offset"},
             {'c', "count"},
             {'s', "start"},
             {'l', "levels"},
             {'F', "startFrame"},
             {'m', "memoryReference"},
             {'i', "instructionCount"},
             {'I', "instructionOffset"},
             {'r', "sourceReference"},
             {'S', "source"},
             {'b', "breakpoints"},
             {'B', "breakpoints"},
             {'D', "breakpoints"},
             {'x', "filters"},
             {'g', "granularity"},
             {'C', "context"},
             {'h', "format"},
             {'p', "program"},
             {'E', "stopOnEntry"},
             {'N', "noDebug"},
             {'L', "linesStartAt1"},
             {'P', "pathFormat"},
             {'w', "size"},
             {'T', "textures"}};

static const struct request {
    const char *command, *arguments;
    bool moves;
} requests[] = {
    {"variables", "vscfh", false},
    {"evaluate", "efCh", false},
    {"next", "tg", true},
    {"stepIn", "tg", true},
    {"stepBack", "tg", true},
    {"stackTrace", "tFl", false},
    {"scopes", "f", false},
    {"setBreakpoints", "Sb", false},
    {"setInstructionBreakpoints", "B", false},
    {"setDataBreakpoints", "D", false},
    {"dataBreakpointInfo", "vnf", false},
    {"setExceptionBreakpoints", "x", false},
    {"continue", "t", true},
    {"reverseContinue", "t", true},
    {"stepOut", "tg", true},
    {"readMemory", "moc", false},
    {"disassemble", "moiI", false},
    {"source", "rS", false},
    {"exceptionInfo", "t", false},
    {"threads", "", false},
    {"pause", "t", false},
    {"evaluate", "efCh", false},
    {"variables", "vsc", false},
    {"initialize", "LP", false},
    {"launch", "pENwT", false},
    {"configurationDone", "", true},
    {"setVariable", "", false},
    {"setFunctionBreakpoints", "b", false},
    {"terminate", "", false},
    {"loadedSources", "", false},
};

static void add_breakpoints(struct client *client, char kind)
{
    add(client, "[");
    for (unsigned n = take(client) % 4, i = 0; i < n; i++) {
        add(client, "%s{", i ? "," : "");
        if (kind == 'b') add(client, "\"line\":%u", take(client) % 32u);
        if (kind == 'B')
            add(client, "\"instructionReference\":\"0x%x\",\"offset\":%d", 0x10000000u + take(client) % 24u,
                take(client) % 5 - 2);
        if (kind == 'D') {
            add(client, "\"accessType\":\"write\",\"dataId\":");
            add_expression(client);
        }
        if (take(client) % 3 == 1) {
            add(client, ",\"condition\":");
            add_expression(client);
        }
        add(client, "}");
    }
    add(client, "]");
}

/* What stands for things of a lane: src/debug/dap_values.c. */
static unsigned reference(struct client *client)
{
    const unsigned lane = take(client) % 32u, kind = take(client) % 11u, channel = take(client) % 4u,
                   item = take(client) % 24u;
    return ((item << 2 | channel) << 4 | kind) << 5 | lane;
}

static void add_text(struct client *client, const char *const *texts, size_t count)
{
    add(client, "\"%s\"", texts[take(client) % count]);
}
#define ADD_TEXT(client, ...)                                                                                          \
    add_text((client), (const char *const[]){__VA_ARGS__}, COUNT(((const char *const[]){__VA_ARGS__})))

static void add_value(struct client *client, char letter)
{
    if (take(client) >= 240) {
        add_any(client);
        return;
    }
    switch (letter) {
    case 't':
        add(client, "%u", 1 + take(client) % 33u);
        break;
    case 'f':
        add(client, "%u", take(client) % 64u);
        break;
    case 'v':
        add(client, "%u", reference(client));
        break;
    case 'e':
    case 'n':
        add_expression(client);
        break;
    case 'm':
        ADD_TEXT(client, "shared", "private 1", "0x10000000", "0x10000003", "0", "private", "0xffffffff", "private 33");
        break;
    case 'r':
        add(client, "%u", take(client) % 4u);
        break;
    case 'S':
        add(client, "{\"path\":\"/program\",\"sourceReference\":%u}", take(client) % 3u);
        break;
    case 'b':
    case 'B':
    case 'D':
        add_breakpoints(client, letter);
        break;
    case 'x':
        ADD_TEXT(client, "\",\"filters\":[\"lookup\",\"memory\"],\"a\":\"", "\",\"filters\":[\"not-finite\"],\"a\":\"",
                 "\",\"filters\":[\"divergence\",\"barrier\"],\"a\":\"", "\",\"filters\":[],\"a\":\"", "lookup");
        break;
    case 'g':
        ADD_TEXT(client, "instruction", "statement", "line", "word");
        break;
    case 'C':
        ADD_TEXT(client, "repl", "watch", "hover");
        break;
    case 'h':
        add(client, "{\"hex\":%s}", take(client) % 2 ? "true" : "false");
        break;
    case 'p':
        ADD_TEXT(client, "0", "1", "2", "3", "4", "");
        break;
    case 'E':
    case 'N':
    case 'L':
        add(client, take(client) % 4 == (letter == 'N') ? "true" : "false");
        break;
    case 'P':
        ADD_TEXT(client, "path", "path", "path", "uri");
        break;
    case 'w':
        ADD_TEXT(client, "4x4", "", "-1x2");
        break;
    case 'T':
        add(client, "[\"0=a\",\"1=b\"]");
        break;
    default:
        add(client, "%d", take(client) % 24 - 4);
        break;
    }
}

static void make_request(struct client *client, const struct request *request)
{
    client->used = 0;
    add(client, "{\"seq\":%" PRIu32 ",\"type\":\"request\",\"command\":\"%s\",\"arguments\":{", ++client->sequence,
        request->command);
    bool more = false;
    for (const char *at = request->arguments; *at; at++) {
        if (take(client) >= 208) continue;
        size_t n = 0;
        while (names[n].letter != *at) n++;
        add(client, "%s\"%s\":", more ? "," : "", names[n].name);
        add_value(client, *at);
        more = true;
    }
    add(client, "}}");
}

/* ---- the client ---- */

static void send_bytes(const struct client *client, const void *data, size_t bytes)
{
    const char *at = data;
    while (bytes) {
        const ssize_t sent = send(client->socket, at, bytes, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) continue;
        if (sent <= 0) return;
        at += sent;
        bytes -= (size_t)sent;
    }
}

/* More of what the server says. False: no more comes. */
static bool hear(struct client *client)
{
    struct pollfd end = {.fd = client->socket, .events = POLLIN};
    if (client->held == HEARD) client->held = 0;
    int ready;
    do ready = poll(&end, 1, PATIENCE);
    while (ready < 0 && errno == EINTR); /* by the alarm of libFuzzer */
    if (ready <= 0) {
        client->finding = "the server does not answer";
        return false;
    }
    ssize_t got;
    do got = recv(client->socket, client->heard + client->held, HEARD - client->held, 0);
    while (got < 0 && errno == EINTR);
    if (got <= 0) return false;
    client->held += (size_t)got;
    client->heard[client->held] = 0;
    return true;
}

/* The next message; its bytes are those up to the returned end. NULL: none comes any more. */
static char *next_message(struct client *client, char **begin)
{
    for (;;) {
        char *body = strstr(client->heard, "\r\n\r\n");
        const size_t header = body ? (size_t)(body + 4 - client->heard) : 0;
        const size_t length = body ? strtoul(client->heard + strlen("Content-Length: "), NULL, 10) : 0;
        if (body && client->held - header >= length) {
            *begin = body + 4;
            return *begin + length;
        }
        if (!hear(client)) return NULL;
    }
}

static void drop_message(struct client *client, const char *end)
{
    const size_t bytes = (size_t)(end - client->heard);
    client->held -= bytes;
    memmove(client->heard, end, client->held + 1);
}

static bool has(const char *begin, const char *end, const char *text)
{
    return memmem(begin, (size_t)(end - begin), text, strlen(text));
}

enum heard { LOST, REFUSED, DONE };

/* Waits for the response to the last request. */
static enum heard await_response(struct client *client)
{
    char number[48], *begin, *end;
    snprintf(number, sizeof number, "\"request_seq\":%" PRIu32 ",", client->sequence);
    while ((end = next_message(client, &begin))) {
        const bool response = has(begin, end, "\"type\":\"response\""), mine = has(begin, end, number);
        const bool done = has(begin, end, "\"success\":true");
        drop_message(client, end);
        if (response && !mine) client->finding = "a response to another request";
        if (response) return mine ? done ? DONE : REFUSED : LOST;
    }
    return LOST;
}

static bool await_stop(struct client *client)
{
    char *begin, *end;
    while ((end = next_message(client, &begin))) {
        const bool stands = has(begin, end, "\"event\":\"stopped\"") || has(begin, end, "\"event\":\"terminated\"");
        drop_message(client, end);
        if (stands) return true;
    }
    if (!client->finding) client->finding = "a movement that ends nowhere";
    return false;
}

/* False: the session is over. */
static bool ask(struct client *client, const struct request *request)
{
    char header[48];
    make_request(client, request);
    const int length = snprintf(header, sizeof header, "Content-Length: %zu\r\n\r\n", client->used);
    send_bytes(client, header, (size_t)length);
    send_bytes(client, client->message, client->used);
    const enum heard heard = await_response(client);
    if (heard == LOST && !client->finding) client->finding = "a request without a response";
    if (heard == LOST) return false;
    return heard == REFUSED || !request->moves || take(client) >= 224 || await_stop(client);
}

static const struct request *request_named(const char *command)
{
    size_t n = 0;
    while (strcmp(requests[n].command, command) != 0) n++;
    return &requests[n];
}

static void converse(struct client *client)
{
    bool on = ask(client, request_named("initialize")) && ask(client, request_named("launch")) &&
              ask(client, request_named("configurationDone"));
    for (unsigned n = 0; on && n < REQUESTS && client->at < client->end; n++)
        on = ask(client, &requests[take(client) % COUNT(requests)]);
}

const char *sch_fuzz_check(const uint8_t *data, size_t bytes)
{
    int ends[2];
    pthread_t thread;
    struct client *client = calloc(1, sizeof *client);
    const char *finding = NULL;
    if (!client || socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) {
        free(client);
        return NULL;
    }
    struct server server = {.socket = ends[1]};
    client->socket = ends[0];
    client->at = data;
    client->end = data + bytes;
    if (pthread_create(&thread, NULL, serve, &server) == 0) {
        if (bytes && data[0] == RAW)
            send_bytes(client, data + 1, bytes - 1);
        else
            converse(client);
        finding = client->finding;
        shutdown(client->socket, SHUT_WR);
        while (!finding && hear(client)) client->held = 0;
        if (!finding) finding = client->finding;
        pthread_join(thread, NULL);
    }
    close(ends[0]);
    close(ends[1]);
    free(client);
    return finding;
}

SCH_FUZZ_TARGET
