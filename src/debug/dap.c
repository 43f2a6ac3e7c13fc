/* The server of the Debug Adapter Protocol: takes messages in turn, calls what answers them, and writes responses and
 * events. Which request may come when is in its table. */
#include "dap.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool sch_debugger_has_dap(void) { return true; }

/* ---- the end ---- */

static void close_session(struct sch_dap *dap)
{
    sch_dap_halt(dap);
    if (dap->subject) dap->host->close(dap->host->user);
    dap->subject = NULL;
    json_object_put(dap->words);
    dap->words = NULL;
    sch_debugger_lines_release(&dap->lines);
}

static bool terminate(struct sch_dap *dap, struct json_object *arguments, struct json_object *body)
{
    (void)arguments;
    (void)body;
    dap->then = SCH_DAP_END;
    return true;
}

static bool disconnect(struct sch_dap *dap, struct json_object *arguments, struct json_object *body)
{
    (void)arguments;
    (void)body;
    dap->leaving = true;
    return true;
}

static bool refuse(struct sch_dap *dap, struct json_object *arguments, struct json_object *body)
{
    (void)arguments;
    (void)body;
    return sch_dap_wrong(dap, "values cannot be set, and functions are not places to stop: the capabilities say so");
}

/* ---- requests ---- */

enum {
    LAUNCHED = SCH_DAP_OPEN | SCH_DAP_STOPPED | SCH_DAP_RUNNING,
    LOOKING = SCH_DAP_STOPPED,
    ANY = SCH_DAP_NEW | SCH_DAP_READY | LAUNCHED | SCH_DAP_ENDED | SCH_DAP_CLOSED
};

static const struct request {
    const char *name;
    sch_dap_handler *handle;
    uint32_t states; /* when it may come */
    bool holds;      /* what runs stops for it */
} requests[] = {{"initialize", sch_dap_initialize, SCH_DAP_NEW, false},
                {"launch", sch_dap_launch, SCH_DAP_READY, false},
                {"configurationDone", sch_dap_configuration_done, SCH_DAP_OPEN, false},
                {"setBreakpoints", sch_dap_set_breakpoints, LAUNCHED, true},
                {"setInstructionBreakpoints", sch_dap_set_instruction_breakpoints, LAUNCHED, true},
                {"setDataBreakpoints", sch_dap_set_data_breakpoints, LAUNCHED, true},
                {"dataBreakpointInfo", sch_dap_data_breakpoint_info, LOOKING | SCH_DAP_OPEN, false},
                {"setExceptionBreakpoints", sch_dap_set_exceptions, LAUNCHED, true},
                {"setFunctionBreakpoints", refuse, ANY, false},
                {"setVariable", refuse, ANY, false},
                {"setExpression", refuse, ANY, false},
                {"threads", sch_dap_threads, LAUNCHED | SCH_DAP_ENDED, false},
                {"stackTrace", sch_dap_stack_trace, LOOKING, false},
                {"scopes", sch_dap_scopes, LOOKING, false},
                {"variables", sch_dap_variables, LOOKING, false},
                {"evaluate", sch_dap_evaluate, LOOKING, false},
                {"source", sch_dap_source, LAUNCHED | SCH_DAP_ENDED, false},
                {"disassemble", sch_dap_disassemble, LAUNCHED, false},
                {"readMemory", sch_dap_read_memory, LOOKING, false},
                {"exceptionInfo", sch_dap_exception_info, LOOKING, false},
                {"next", sch_dap_next, LOOKING, false},
                {"stepIn", sch_dap_step_in, LOOKING, false},
                {"stepOut", sch_dap_step_out, LOOKING, false},
                {"stepBack", sch_dap_step_back, LOOKING, false},
                {"continue", sch_dap_continue, LOOKING, false},
                {"reverseContinue", sch_dap_reverse_continue, LOOKING, false},
                {"pause", sch_dap_pause, LAUNCHED, false},
                {"terminate", terminate, ANY, false},
                {"disconnect", disconnect, ANY, false}};

static const struct request *find_request(const char *name)
{
    for (size_t i = 0; name && i < sizeof requests / sizeof *requests; i++)
        if (strcmp(requests[i].name, name) == 0) return &requests[i];
    return NULL;
}

static bool out_of_order(struct sch_dap *dap, const char *name)
{
    static const struct {
        enum sch_dap_state state;
        const char *text;
    } states[] = {{SCH_DAP_NEW, "initialize comes first"},
                  {SCH_DAP_READY, "launch comes first"},
                  {SCH_DAP_OPEN, "configurationDone comes first"},
                  {SCH_DAP_STOPPED, "it has stopped"},
                  {SCH_DAP_RUNNING, "it runs"},
                  {SCH_DAP_ENDED, "the run has ended"},
                  {SCH_DAP_CLOSED, "the session was terminated"}};
    for (size_t i = 0; i < sizeof states / sizeof *states; i++)
        if (states[i].state == dap->state) return sch_dap_wrong(dap, "%s cannot be done now: %s", name, states[i].text);
    return false;
}

/* ---- responses ---- */

enum { ID_MALFORMED = 1, ID_UNKNOWN = 2, ID_REFUSED = 3 };

/* Braces of a format stand for variables: a text with some is one. Others are the format, since not every editor puts
 * variables in. What cannot be evaluated is where it was asked for: nothing else is to come up for that. */
static void put_problem(const struct sch_dap *dap, struct json_object *response, const char *command, int id)
{
    struct json_object *body = sch_dap_put_object(response, "body"), *error = sch_dap_put_object(body, "error");
    sch_dap_put_bytes(response, "message", dap->problem, strcspn(dap->problem, "\n"));
    sch_dap_put_number(error, "id", id);
    const bool has_braces = strpbrk(dap->problem, "{}") != NULL;
    sch_dap_put_text(error, "format", has_braces ? "{text}" : dap->problem);
    if (has_braces) sch_dap_put_text(sch_dap_put_object(error, "variables"), "text", dap->problem);
    sch_dap_put_bool(error, "showUser", strcmp(command, "evaluate") != 0);
}

static void respond(struct sch_dap *dap, int64_t request, const char *command, struct json_object *body, int id)
{
    struct json_object *response = json_object_new_object();
    sch_dap_put_text(response, "type", "response");
    sch_dap_put_number(response, "request_seq", request);
    sch_dap_put_bool(response, "success", !id);
    sch_dap_put_text(response, "command", command);
    if (id)
        put_problem(dap, response, command, id);
    else if (json_object_object_length(body))
        json_object_object_add(response, "body", json_object_get(body));
    sch_debugger_wire_write(&dap->wire, response);
}

/* ---- after responses ---- */

static void say_opened(struct sch_dap *dap)
{
    if (*dap->remarks) {
        struct json_object *output = json_object_new_object();
        sch_dap_put_text(output, "category", "console");
        sch_dap_put_text(output, "output", dap->remarks);
        sch_dap_send_event(dap, "output", output);
    }
    sch_dap_send_event(dap, "initialized", NULL);
}

static void begin(struct sch_dap *dap)
{
    dap->plan = (struct sch_dap_plan){.step = SCH_DEBUG_RUN, .lane = UINT32_MAX};
    if (dap->stop_on_entry && !dap->no_debug)
        sch_dap_tell_stop(dap);
    else
        sch_dap_move(dap);
}

static void do_then(struct sch_dap *dap)
{
    switch (dap->then) {
    case SCH_DAP_SAY_OPENED:
        say_opened(dap);
        return;
    case SCH_DAP_BEGIN:
        begin(dap);
        return;
    case SCH_DAP_MOVE:
        sch_dap_move(dap);
        return;
    case SCH_DAP_END:
        close_session(dap);
        if (dap->state != SCH_DAP_ENDED && dap->state != SCH_DAP_CLOSED) sch_dap_send_event(dap, "terminated", NULL);
        dap->state = SCH_DAP_CLOSED;
        return;
    default:
        return;
    }
}

static void answer(struct sch_dap *dap, int64_t number, const char *command, struct json_object *message)
{
    const struct request *request = find_request(command);
    struct json_object *body = json_object_new_object();
    bool done = false, goes_on = false;
    dap->then = SCH_DAP_NOTHING;
    if (!request) {
        sch_dap_wrong(dap, "there is no request %.60s here", command);
    } else if (!(request->states & dap->state)) {
        out_of_order(dap, command);
    } else {
        if (request->holds && dap->state == SCH_DAP_RUNNING) goes_on = sch_dap_hold(dap);
        done = request->handle(dap, sch_dap_get_object(message, "arguments"), body);
    }
    respond(dap, number, command, body, done ? 0 : request ? ID_REFUSED : ID_UNKNOWN);
    json_object_put(body);
    if (goes_on) sch_dap_move(dap);
    if (done) do_then(dap);
}

static void take(struct sch_dap *dap, struct json_object *message)
{
    const char *type = sch_dap_get_text(message, "type"), *command = sch_dap_get_text(message, "command");
    int64_t number;
    if (!sch_dap_get_number(dap, message, "seq", 0, INT32_MAX, 0, &number)) number = 0;
    if (!type || strcmp(type, "request") != 0 || !command) {
        sch_dap_wrong(dap, "this is not a request: one has a type, a seq and a command");
        respond(dap, number, "", NULL, ID_MALFORMED);
        return;
    }
    answer(dap, number, command, message);
}

static void take_all(struct sch_dap *dap)
{
    while (!dap->leaving && !dap->wire.ended) {
        struct json_object *message;
        const char *problem;
        switch (sch_debugger_wire_take(&dap->wire, &message, &problem)) {
        case SCH_DEBUGGER_NOTHING:
            return;
        case SCH_DEBUGGER_MESSAGE:
            take(dap, message);
            json_object_put(message);
            break;
        case SCH_DEBUGGER_NO_HEADER:
            dap->wire.ended = true;
            /* fall through */
        case SCH_DEBUGGER_BAD:
            sch_dap_wrong(dap, "the message cannot be read: %s", problem);
            respond(dap, 0, "", NULL, ID_MALFORMED);
            break;
        }
    }
}

/* ---- the loop ---- */

/* Waits for the client and for what moves. */
static void wait(struct sch_dap *dap)
{
    struct pollfd ends[2] = {{.fd = dap->wire.in, .events = POLLIN}, {.fd = dap->done[0], .events = POLLIN}};
    if (poll(ends, 2, dap->pausing && dap->state == SCH_DAP_RUNNING ? SCH_DAP_PATIENCE_MS : -1) < 0) return;
    if (dap->state == SCH_DAP_RUNNING && ends[1].revents) sch_dap_moved(dap);
    if (ends[0].revents) {
        sch_debugger_wire_read(&dap->wire);
        take_all(dap);
    }
    if (dap->state == SCH_DAP_RUNNING && dap->pausing) sch_dap_interrupt(dap);
}

bool sch_debugger_dap(const struct sch_debugger_host *host, int in, int out)
{
    struct sch_dap *dap = calloc(1, sizeof *dap);
    if (!dap) return false;
    dap->host = host;
    dap->state = SCH_DAP_NEW;
    dap->lines_first = dap->columns_first = 1;
    bool served = false;
    if (pipe2(dap->done, O_CLOEXEC) == 0) {
        served = sch_debugger_wire_begin(&dap->wire, in, out);
        while (served && !dap->leaving && !dap->wire.ended) wait(dap);
        close_session(dap);
        sch_debugger_wire_release(&dap->wire);
        close(dap->done[0]);
        close(dap->done[1]);
    }
    served = served && dap->leaving;
    free(dap);
    return served;
}
