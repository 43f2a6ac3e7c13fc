/* scheelite eval and trace of Maxwell code: texture instructions on groups of 32 lanes, a line of registers each. */
#include <stdlib.h>
#include <string.h>

#include "common/json.h"
#include "maxwell_input.h"

/* ---- results ---- */

struct results {
    uint32_t registers[8], predicates;
    enum sch_cli_floats floats;
    struct sch_cli_json *json; /* NULL: lines */
};

/* A lane as an object: a Maxwell program does not say what its registers hold. */
static void json_lane(const struct results *results, const struct sch_cli_warp *group, unsigned lane,
                      enum sch_cli_lane_state state)
{
    static const char *const states[] = {
        [SCH_CLI_LANE_ACTIVE] = "active", [SCH_CLI_LANE_KILLED] = "killed", [SCH_CLI_LANE_OFF] = "off"};
    struct sch_cli_json *json = results->json;
    sch_cli_json_object(json, NULL, true);
    sch_cli_json_text(json, "state", states[state]);
    sch_cli_json_list(json, "registers", true);
    for (unsigned r = 0; state == SCH_CLI_LANE_ACTIVE && r < SCH_MAXWELL_GROUP_REGISTERS; r++) {
        if (!(results->registers[r / 32] >> r % 32 & 1)) continue;
        float value;
        memcpy(&value, &group->registers[r][lane], sizeof value);
        sch_cli_json_object(json, NULL, true);
        sch_cli_json_number(json, "register", r);
        sch_cli_json_hex(json, "bits", group->registers[r][lane], 8);
        sch_cli_json_float(json, "value", value);
        sch_cli_json_close(json);
    }
    sch_cli_json_close(json);
    sch_cli_json_list(json, "predicates", true);
    for (unsigned p = 0; state == SCH_CLI_LANE_ACTIVE && p < SCH_MAXWELL_GROUP_PREDICATES; p++) {
        if (!(results->predicates >> p & 1)) continue;
        sch_cli_json_object(json, NULL, true);
        sch_cli_json_number(json, "predicate", p);
        sch_cli_json_bool(json, "value", group->predicates[p] >> lane & 1);
        sch_cli_json_close(json);
    }
    sch_cli_json_close(json);
    sch_cli_json_close(json);
}

static void print_lane(const struct results *results, const struct sch_cli_warp *group, unsigned lane)
{
    const char *gap = "";
    for (unsigned r = 0; r < SCH_MAXWELL_GROUP_REGISTERS; r++) {
        if (!(results->registers[r / 32] >> r % 32 & 1)) continue;
        char text[SCH_CLI_VALUE_BYTES];
        sch_cli_value_print(group->registers[r][lane], SCH_VALUE_UNKNOWN, results->floats, text);
        printf("%sR[%u]=%s", gap, r, text);
        gap = "\t";
    }
    for (unsigned p = 0; p < SCH_MAXWELL_GROUP_PREDICATES; p++) {
        if (!(results->predicates >> p & 1)) continue;
        printf("%sP[%u]=%u", gap, p, group->predicates[p] >> lane & 1);
        gap = "\t";
    }
    putchar('\n');
}

static enum sch_cli_exit fail(const struct sch_cli_maxwell_input *input, enum sch_result result)
{
    sch_cli_print_diagnostics(input->maxwell.list, &input->maxwell.input);
    return sch_cli_result(result, input->maxwell.list, input->maxwell.input.name);
}

/* Groups that run in one dispatch. */
enum { MOST_GROUPS = 64 };
struct groups {
    struct sch_cli_warp warps[MOST_GROUPS];
    enum sch_cli_lane_state states[MOST_GROUPS][SCH_MAXWELL_GROUP_LANES];
    unsigned lanes[MOST_GROUPS]; /* of each */
    uint32_t count;
};

static enum sch_cli_exit read_groups(struct sch_cli_lane_reader *reader, struct groups *groups)
{
    for (groups->count = 0; groups->count < MOST_GROUPS; groups->count++) {
        const uint32_t n = groups->count;
        const enum sch_cli_exit exit =
            sch_cli_lanes_read(reader, &groups->warps[n], groups->states[n], &groups->lanes[n]);
        if (exit != SCH_CLI_YES || !groups->lanes[n]) return exit;
    }
    return SCH_CLI_YES;
}

static void put_group(const struct results *results, const struct groups *groups, uint32_t n)
{
    for (unsigned i = 0; i < groups->lanes[n]; i++) {
        if (results->json)
            json_lane(results, &groups->warps[n], i, groups->states[n][i]);
        else if (groups->states[n][i] == SCH_CLI_LANE_ACTIVE)
            print_lane(results, &groups->warps[n], i);
        else
            puts(groups->states[n][i] == SCH_CLI_LANE_KILLED ? "KILL" : "OFF");
    }
}

/* All at once; if one of them fails, one by one up to that. */
static enum sch_cli_exit run_all(const struct sch_cli_maxwell_input *input, const struct results *results,
                                 struct groups *groups)
{
    struct sch_cli_machine silent = input->machine;
    silent.dispatch.diagnostics = NULL;
    const enum sch_result all = sch_cli_warps_run(input->program, &silent, groups->warps, groups->count);
    if (all == SCH_ERROR_MEMORY) return fail(input, all);
    for (uint32_t n = 0; n < groups->count; n++) {
        const enum sch_result result =
            all == SCH_OK ? all : sch_cli_warps_run(input->program, &input->machine, &groups->warps[n], 1);
        if (result != SCH_OK) return fail(input, result);
        put_group(results, groups, n);
    }
    return SCH_CLI_YES;
}

static enum sch_cli_exit run_groups(const struct sch_cli_maxwell_input *input, enum sch_cli_floats floats,
                                    struct sch_cli_json *json)
{
    static struct groups groups;
    struct sch_cli_lane_reader reader = {.input = &input->table};
    struct results results = {.floats = floats, .json = json};
    sch_cli_warp_results(input->maxwell.program, results.registers, &results.predicates);
    for (enum sch_cli_exit read = SCH_CLI_YES;;) {
        read = read_groups(&reader, &groups);
        const enum sch_cli_exit exit = groups.count ? run_all(input, &results, &groups) : SCH_CLI_YES;
        if (exit != SCH_CLI_YES || read != SCH_CLI_YES) return sch_cli_worse(exit, read);
        if (groups.count < MOST_GROUPS) return SCH_CLI_YES;
    }
}

/* ---- trace ---- */

void sch_cli_lanes_put_register(FILE *file, unsigned number, uint32_t word, enum sch_cli_floats floats)
{
    char text[SCH_CLI_VALUE_BYTES];
    sch_cli_value_print(word, SCH_VALUE_UNKNOWN, floats, text);
    fprintf(file, "  R%u = %s", number, text);
}

void sch_cli_lanes_put_predicate(FILE *file, unsigned number, bool value)
{
    fprintf(file, "  P%u = %u", number, value);
}

/* Registers that the last instruction changed in the lane; one that it wrote what was there already is not told. */
static void print_step(const struct sch_cli_maxwell_input *input, const struct sch_debug *debug, uint32_t number,
                       unsigned lane)
{
    struct sch_maxwell_instruction_info info = {.size = sizeof info};
    struct sch_instruction_info in = {.size = sizeof in};
    struct sch_debug_change change = {.size = sizeof change};
    uint32_t words[4][SCH_MAXWELL_GROUP_LANES];
    if (!sch_maxwell_instruction(input->maxwell.program, number, &info) || !info.is_texture) return;
    sch_shader_instruction(input->maxwell.program, number, &in);
    printf("%6u", number);
    if (in.line) printf("  line %-4u", in.line);
    printf("  %-44s", info.text);
    for (uint32_t n = 0; sch_debug_change_at(debug, n, &change); n++) {
        if (sch_debug_read(debug, &change.which, words) != SCH_OK || words[0][lane] == change.before[0][lane]) continue;
        if (change.which.file == SCH_FILE_TEMPORARY)
            sch_cli_lanes_put_register(stdout, change.which.index, words[0][lane], input->floats);
        else
            sch_cli_lanes_put_predicate(stdout, change.which.index, words[0][lane]);
    }
    putchar('\n');
}

static enum sch_cli_exit trace_steps(const struct sch_cli_maxwell_input *input, struct sch_debug *debug, unsigned lane)
{
    static const struct sch_debug_go next = {.size = sizeof next, .step = SCH_DEBUG_STEP_INSTRUCTION};
    struct sch_debug_stop stop = {.size = sizeof stop};
    for (uint32_t n = 0;; n++) {
        enum sch_result result = sch_debug_go(debug, &next);
        if (result == SCH_OK) result = sch_debug_get_stop(debug, &stop);
        if (result == SCH_OK && stop.reason == SCH_DEBUG_FAILED) {
            sch_debug_go(debug, &next); /* the run ends, and says why */
            result = stop.result;
        }
        if (result != SCH_OK) return fail(input, result);
        if (stop.ended) return SCH_CLI_YES;
        print_step(input, debug, n, lane);
    }
}

static enum sch_cli_exit trace(const struct sch_cli_maxwell_input *input)
{
    static struct sch_cli_warp group;
    struct sch_cli_warp_session session = {input->program, &input->machine, &group, NULL};
    struct sch_cli_lane_reader reader;
    enum sch_cli_lane_state states[SCH_MAXWELL_GROUP_LANES];
    unsigned lane = 0;
    enum sch_cli_exit exit = sch_cli_lanes_find(input, &reader, &group, states, &lane);
    if (exit != SCH_CLI_YES) return exit;
    printf("%s: lane %u of its group\n", input->maxwell.input.name, lane);
    const enum sch_result result = sch_cli_warp_debug(input->maxwell.context, &session, lane);
    exit = result == SCH_OK ? trace_steps(input, session.debug, lane) : fail(input, result);
    sch_debug_destroy(session.debug);
    return exit;
}

/* One document, whole whatever happens. */
static enum sch_cli_exit run_json(const struct sch_cli_maxwell_input *input)
{
    struct sch_cli_json json;
    sch_cli_json_begin(&json, stdout, "scheelite-eval-maxwell/1");
    sch_cli_json_text(&json, "file", input->maxwell.file);
    sch_cli_json_list(&json, "lanes", false);
    const enum sch_cli_exit exit = run_groups(input, SCH_CLI_FLOATS_HEX, &json);
    sch_cli_json_close(&json);
    sch_cli_json_bool(&json, "complete", exit == SCH_CLI_YES);
    sch_cli_json_end(&json);
    return exit;
}

static enum sch_cli_exit evaluate(const struct sch_cli_maxwell_input *input)
{
    if (input->verb == &sch_cli_trace_maxwell) return trace(input);
    return input->json ? run_json(input) : run_groups(input, input->floats, NULL);
}

static enum sch_cli_exit read_arguments(struct sch_cli_arguments *arguments, struct sch_cli_maxwell_input *input)
{
    for (int option; (option = sch_cli_next(arguments)) != SCH_CLI_END;) {
        if (option == SCH_CLI_STOP) return arguments->exit;
        const enum sch_cli_exit exit = sch_cli_maxwell_input_option(input, option, arguments->value);
        if (exit != SCH_CLI_YES) return exit;
    }
    return SCH_CLI_YES;
}

/* Whether the word is an option that the form has and its verb has not. */
static bool is_own(const struct sch_cli_verb *verb, const struct sch_cli_verb *form, const char *word)
{
    for (int id = 0; id < SCH_OPTION_COUNT; id++) {
        const size_t length = strlen(sch_cli_options[id].name);
        if (!sch_cli_verb_has(form, (enum sch_cli_option_id)id)) continue;
        if (strncmp(word, sch_cli_options[id].name, length) != 0 || (word[length] && word[length] != '=')) continue;
        bool shared = false;
        for (int other = 0; other < SCH_OPTION_COUNT && !shared; other++)
            shared = sch_cli_verb_has(verb, (enum sch_cli_option_id)other) &&
                     strcmp(sch_cli_options[other].name, sch_cli_options[id].name) == 0;
        if (!shared) return true;
    }
    return false;
}

bool sch_cli_maxwell_is_form(const struct sch_cli_verb *verb, const struct sch_cli_verb *form, int argc, char **argv)
{
    for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; i++) {
        if (is_own(verb, form, argv[i])) return true;
        if (strcmp(argv[i], "-x") != 0 || i + 1 >= argc) continue;
        if (strcmp(argv[i + 1], "maxwell") == 0 || strcmp(argv[i + 1], "cubin") == 0) return true;
    }
    return false;
}

enum sch_cli_exit sch_cli_maxwell_lanes(const struct sch_cli_verb *form, int argc, char **argv)
{
    struct sch_cli_arguments arguments = {.verb = form, .argc = argc, .argv = argv};
    struct sch_cli_maxwell_input input;
    sch_cli_maxwell_input_init(&input, form);
    if (form == &sch_cli_trace_maxwell) input.floats = SCH_CLI_FLOATS_BOTH;
    enum sch_cli_exit exit = read_arguments(&arguments, &input);
    if (exit == SCH_CLI_YES) exit = sch_cli_maxwell_input_open(&input);
    if (exit == SCH_CLI_YES) exit = evaluate(&input);
    sch_cli_maxwell_input_release(&input);
    return exit;
}
