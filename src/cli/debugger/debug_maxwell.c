/* See debug_maxwell.h. */
#include "debug_maxwell.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void sch_cli_maxwell_debugging_init(struct sch_cli_maxwell_debugging *debugging)
{
    *debugging = (struct sch_cli_maxwell_debugging){.debuggee = NULL};
    sch_cli_maxwell_input_init(&debugging->input, &sch_cli_debug_maxwell);
    debugging->input.listed = true;
}

void sch_cli_maxwell_debugging_release(struct sch_cli_maxwell_debugging *debugging)
{
    sch_debuggee_destroy(debugging->debuggee);
    sch_debug_destroy(debugging->session.debug);
    sch_cli_maxwell_input_release(&debugging->input);
    free(debugging->path);
    free(debugging->program);
    free(debugging->lines);
    free(debugging->lengths);
}

/* ---- the program ---- */

/* Line `number`, from 1, without the blanks before it. */
static const char *find_line(const char *text, uint32_t number, uint32_t *length)
{
    while (number > 1 && *text) {
        text += strcspn(text, "\n");
        text += *text == '\n';
        number--;
    }
    text += strspn(text, " \t");
    *length = (uint32_t)strcspn(text, "\r\n");
    return text;
}

/* A numbered line for each instruction; words that are none are as the source has them. */
static void write_program(const struct sch_cli_maxwell_debugging *debugging, FILE *to)
{
    for (uint32_t n = 0; n < debugging->input.count; n++) {
        struct sch_maxwell_instruction_info info = {.size = sizeof info};
        uint32_t length;
        struct sch_instruction_info in = {.size = sizeof in};
        sch_maxwell_instruction(debugging->input.maxwell.program, n, &info);
        sch_shader_instruction(debugging->input.maxwell.program, n, &in);
        if (*info.text) {
            fprintf(to, "%3" PRIu32 ": %s\n", n, info.text);
            continue;
        }
        const char *line = find_line(debugging->subject.source, in.line, &length);
        fprintf(to, "%3" PRIu32 ": %.*s\n", n, (int)length, line);
    }
    fprintf(to, "%3" PRIu32 ": END\n", debugging->input.count);
}

static enum sch_cli_exit list_program(struct sch_cli_maxwell_debugging *debugging)
{
    const uint32_t count = debugging->input.count + 1;
    size_t bytes;
    FILE *to = open_memstream(&debugging->program, &bytes);
    if (to) write_program(debugging, to);
    debugging->lines = calloc(count, sizeof *debugging->lines);
    debugging->lengths = calloc(count, sizeof *debugging->lengths);
    if (!to || fclose(to) != 0 || !debugging->lines || !debugging->lengths)
        return sch_cli_fail(SCH_CLI_LIMIT, "out of memory");
    const char *at = debugging->program;
    for (uint32_t n = 0; n < count; n++) {
        debugging->lines[n] = strchr(at, ':') + 2;
        debugging->lengths[n] = (uint32_t)strcspn(debugging->lines[n], "\n");
        at = debugging->lines[n] + debugging->lengths[n];
    }
    debugging->subject.program = debugging->program;
    debugging->subject.instructions = debugging->lines;
    debugging->subject.lengths = debugging->lengths;
    debugging->subject.instruction_count = count;
    return SCH_CLI_YES;
}

/* ---- what is debugged ---- */

/* The code does not say what registers hold; predicates are 0 or 1. */
static void types_of(void *user, const struct sch_debug_register *which, enum sch_debugger_type types[4])
{
    (void)user;
    for (unsigned c = 0; c < 4; c++)
        types[c] = which->file == SCH_FILE_ADDRESS ? SCH_DEBUGGER_UINT : SCH_DEBUGGER_UNKNOWN;
}

static enum sch_cli_exit make(struct sch_cli_maxwell_debugging *debugging)
{
    static struct sch_cli_warp group;
    const struct sch_cli_maxwell_input *input = &debugging->input;
    struct sch_cli_lane_reader reader;
    enum sch_cli_lane_state states[SCH_MAXWELL_GROUP_LANES];
    unsigned lane = 0;
    const enum sch_cli_exit exit = sch_cli_lanes_find(input, &reader, &group, states, &lane);
    if (exit != SCH_CLI_YES) return exit;
    if (states[lane] == SCH_CLI_LANE_OFF)
        return sch_cli_fail(SCH_CLI_NO, "%s: the lane of line %" PRIu32 " is OFF", input->table.name,
                            reader.lines[lane]);
    debugging->session = (struct sch_cli_warp_session){input->program, &input->machine, &group, NULL};
    snprintf(debugging->what, sizeof debugging->what, "line %" PRIu32, reader.lines[lane]);
    const enum sch_result result = sch_cli_warp_debug(input->maxwell.context, &debugging->session, lane);
    if (result != SCH_OK) return sch_cli_result(result, NULL, input->maxwell.input.name);
    debugging->debuggee = sch_debuggee_of_session(debugging->session.debug, input->maxwell.program, false);
    return debugging->debuggee ? SCH_CLI_YES : sch_cli_fail(SCH_CLI_LIMIT, "out of memory");
}

enum sch_cli_exit sch_cli_maxwell_debugging_open(struct sch_cli_maxwell_debugging *debugging)
{
    const struct sch_cli_maxwell_input *input = &debugging->input;
    enum sch_cli_exit exit = sch_cli_maxwell_input_open(&debugging->input);
    if (exit == SCH_CLI_YES && !input->count)
        exit = sch_cli_fail(SCH_CLI_NO, "%s: it has no instruction", input->maxwell.input.name);
    if (exit == SCH_CLI_YES) exit = make(debugging);
    if (exit != SCH_CLI_YES) return exit;
    if (!input->listing) debugging->path = realpath(input->file, NULL);
    debugging->subject =
        (struct sch_debugger_subject){.debuggee = debugging->debuggee,
                                      .name = input->maxwell.input.name,
                                      .what = debugging->what,
                                      .path = debugging->path,
                                      .source = input->listing ? input->listing : input->maxwell.input.data,
                                      .user = debugging,
                                      .types = types_of,
                                      .print_float = sch_cli_value_decimal,
                                      .read_value = sch_cli_read_compared};
    return list_program(debugging);
}
