/* See session.h. */
#include "session.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../debug/debug.h"
#include "../support/text.h"
#include "common/listing.h"
#include "recording.h"
#include "shade/invoke.h"
#include "shade/picture.h"

enum { DEFAULT_SIDE = 256 };

void sch_cli_session_init(struct sch_cli_session *session)
{
    *session = (struct sch_cli_session){.asked.size = {DEFAULT_SIDE, DEFAULT_SIDE}, .samples = 1};
    sch_cli_setup_init(&session->setup);
    session->setup.program.engine = SCH_ENGINE_INTERPRETER;
}

/* The command allocates the text of Maxwell code, the library that of other shaders. */
static void free_text(struct sch_cli_session *session)
{
    if (session->shader.shader && sch_shader_language(session->shader.shader) == SCH_LANGUAGE_MAXWELL)
        free(session->text);
    else if (session->shader.context)
        sch_free(session->shader.context, session->text);
}

void sch_cli_session_release(struct sch_cli_session *session)
{
    sch_debug_destroy(session->debug);
    sch_cli_scene_session_close(session->scene);
    sch_cli_replay_session_close(session->replay);
    sch_program_destroy(session->program);
    sch_cli_registers_destroy(session->registers);
    sch_cli_vectors_release(&session->reader);
    sch_cli_batch_release(&session->batch);
    sch_cli_input_release(&session->table);
    sch_cli_snapshot_release(&session->snapshot);
    sch_cli_setup_release(&session->setup);
    sch_cli_launch_release(session->launch);
    free(session->memories);
    free_text(session);
    free(session->lines);
    sch_shader_destroy(session->source);
    sch_cli_shader_release(&session->shader);
}

/* ---- options ---- */

static struct sch_cli_launch *launch_of(const struct sch_cli_verb *verb, struct sch_cli_session *session)
{
    if (!session->launch) session->launch = calloc(1, sizeof *session->launch);
    if (session->launch) session->launch->verb = verb;
    return session->launch;
}

enum sch_cli_exit sch_cli_session_option(void *user, const struct sch_cli_verb *verb, int option, const char *value)
{
    struct sch_cli_session *session = user;
    if (option != SCH_OPTION_LAUNCH_PARAM) return sch_cli_setup_option(&session->setup, verb, option, value);
    struct sch_cli_launch *launch = launch_of(verb, session);
    return launch ? sch_cli_launch_option(launch, option, value) : sch_cli_no_memory();
}

/* A kernel is launched over a grid unless something is bound otherwise. */
static enum sch_cli_exit take_launch(const struct sch_cli_verb *verb, struct sch_cli_session *session,
                                     const struct sch_cli_values *values)
{
    const bool binds = values->textures.any || values->bindings.any || values->machine.any;
    session->launched = values->of_session.has_grid && (values->parameters.any || !binds);
    if (!session->launched) return SCH_CLI_YES;
    struct sch_cli_launch *launch = launch_of(verb, session);
    if (!launch) return sch_cli_no_memory();
    launch->options = values->parameters;
    memcpy(launch->grid, values->of_session.grid, sizeof launch->grid);
    memcpy(launch->block, values->of_session.block, sizeof launch->block);
    return SCH_CLI_YES;
}

static void take_numbers(struct sch_cli_session *session)
{
    const struct sch_cli_options_of_session *asked = &session->asked;
    const struct {
        bool given;
        enum sch_place_part part;
    } parts[] = {{asked->has_vertex, SCH_PLACE_VERTEX},
                 {asked->has_instance, SCH_PLACE_INSTANCE},
                 {asked->has_primitive, SCH_PLACE_PRIMITIVE},
                 {asked->has_invocation, SCH_PLACE_INVOCATION}};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (parts[i].given) session->wanted.parts |= parts[i].part;
    session->wanted.vertex = asked->vertex;
    session->wanted.instance = asked->instance;
    session->wanted.primitive = asked->primitive;
    session->wanted.invocation = asked->invocation;
}

enum sch_cli_exit sch_cli_session_parse(struct sch_cli_session *session, struct sch_cli_arguments *arguments,
                                        sch_cli_own_fn *take, void *user)
{
    const struct sch_cli_values *values = &arguments->values;
    enum sch_cli_exit exit_code =
        sch_cli_setup_parse(&session->setup, arguments, take ? take : sch_cli_session_option, take ? user : session);
    if (exit_code == SCH_CLI_YES) exit_code = take_launch(arguments->verb, session, values);
    if (exit_code != SCH_CLI_YES) return exit_code;
    session->asked = values->of_session;
    session->file = arguments->file_count ? arguments->files[0] : NULL;
    session->vectors = values->of_eval.vectors;
    session->quads = values->of_eval.quads;
    session->samples = values->samples.samples;
    if (session->asked.engine && strcmp(session->asked.engine, "maxwell") == 0)
        session->setup.program.engine = SCH_ENGINE_MAXWELL;
    take_numbers(session);
    return SCH_CLI_YES;
}

/* For a scene or a recording. */
static enum sch_cli_exit check_draw_options(const struct sch_cli_verb *verb, const struct sch_cli_session *session)
{
    if (session->vectors || session->asked.has_grid || session->asked.has_size || session->asked.has_line ||
        session->quads || session->asked.has_block || session->asked.has_work_group || session->asked.has_thread)
        return sch_cli_usage_error(verb, "--vectors, --size and --grid are for shaders; of scenes and recordings "
                                         "--pixel or --draw say what is looked at");
    if (session->setup.lookup_code)
        return sch_cli_usage_error(verb, "--lookup-code is for shaders by themselves, not for scenes and recordings");
    if (!session->asked.has_pixel && !session->asked.draw)
        return sch_cli_usage_error(verb, "which invocation? --pixel X,Y, or --draw N with --stage");
    if (session->asked.has_pixel && session->asked.draw && sch_text_ends(session->file, ".scene"))
        return sch_cli_usage_error(verb, "--pixel finds the draw itself; --event N chooses among those of the pixel");
    if (session->asked.has_pixel && session->asked.draw &&
        (session->asked.has_frame || session->asked.event ||
         (session->asked.has_stage && session->asked.stage != (uint32_t)SCH_STAGE_FRAGMENT)))
        return sch_cli_usage_error(verb, "--draw with --pixel is a fragment of that draw, where it drew: without "
                                         "--frame, --event and other stages");
    if (!session->asked.has_pixel && (session->asked.event || session->asked.target))
        return sch_cli_usage_error(verb, "--event and --target go with --pixel");
    return SCH_CLI_YES;
}

/* One of three ways to run, and options of that alone. */
static enum sch_cli_exit check_options(const struct sch_cli_verb *verb, const struct sch_cli_session *session)
{
    const bool table = session->vectors, picture = session->asked.has_pixel, grid = session->asked.has_grid;
    if (session->asked.target || session->asked.has_stage || session->asked.event || session->asked.draw ||
        session->asked.has_frame || session->wanted.parts)
        return sch_cli_usage_error(verb, "--target, --stage, --frame, --event, --draw and numbers of invocations in "
                                         "draws are for scenes (FILE.scene) and recordings");
    if (table + picture + grid != 1)
        return sch_cli_usage_error(verb, "which invocation? One of --vectors TSV, --pixel X,Y and --grid X,Y,Z");
    if (!table && (session->asked.has_line || session->quads))
        return sch_cli_usage_error(verb, "--line and --quads go with --vectors");
    if (!picture && session->asked.has_size) return sch_cli_usage_error(verb, "--size goes with --pixel");
    if (!grid && (session->asked.has_block || session->asked.has_work_group || session->asked.has_thread))
        return sch_cli_usage_error(verb, "--block, --work-group and --thread go with --grid");
    if (picture &&
        (session->asked.pixel[0] >= session->asked.size[0] || session->asked.pixel[1] >= session->asked.size[1]))
        return sch_cli_usage_error(
            verb, "--pixel %" PRIu32 ",%" PRIu32 " is outside of the picture of %" PRIu32 "x%" PRIu32 " (--size)",
            session->asked.pixel[0], session->asked.pixel[1], session->asked.size[0], session->asked.size[1]);
    return SCH_CLI_YES;
}

static enum sch_cli_exit check_stage(const struct sch_cli_verb *verb, const struct sch_cli_session *session)
{
    struct sch_shader_info info = {.size = sizeof info};
    if (sch_shader_get_info(session->shader.shader, &info) != SCH_OK) return SCH_CLI_INTERNAL;
    if (session->asked.has_pixel && info.stage != SCH_STAGE_FRAGMENT)
        return sch_cli_usage_error(verb, "--pixel is for fragment shaders; others take --vectors or --grid");
    if (session->asked.has_grid && info.stage != SCH_STAGE_COMPUTE)
        return sch_cli_usage_error(verb, "--grid is for compute shaders; others take --vectors or --pixel");
    return SCH_CLI_YES;
}

bool sch_cli_session_cancelled(const struct sch_cli_session *session)
{
    const uint32_t *cancel = session->setup.dispatch.cancel;
    return cancel && __atomic_load_n(cancel, __ATOMIC_RELAXED);
}

/* ---- the text ---- */

static bool is_code(const struct sch_cli_session *session)
{
    return sch_shader_language(session->shader.shader) == SCH_LANGUAGE_MAXWELL;
}

/* Instructions of Maxwell code without the NOPs that fill the last bundle, which do not run. */
static uint32_t count_code(const struct sch_cli_session *session)
{
    struct sch_maxwell_instruction_info info = {.size = sizeof info};
    uint32_t count = 0;
    for (uint32_t n = 0; sch_maxwell_instruction(session->shader.shader, n, &info); n++)
        if (!info.is_nop) count = n + 1;
    return count;
}

/* A numbered line for each instruction of Maxwell code, and END. */
static enum sch_cli_exit list_code(struct sch_cli_session *session)
{
    struct sch_maxwell_instruction_info info = {.size = sizeof info};
    const uint32_t count = count_code(session);
    size_t bytes;
    FILE *to = open_memstream(&session->text, &bytes);
    session->lines = calloc(count + (size_t)1, sizeof *session->lines);
    for (uint32_t n = 0; to && n < count && sch_maxwell_instruction(session->shader.shader, n, &info); n++)
        fprintf(to, "%3" PRIu32 ": %s%s%s\n", n, info.text, session->listed && *info.slot_text ? " " : "",
                session->listed ? info.slot_text : "");
    if (to) fprintf(to, "%3" PRIu32 ": END\n", count);
    if (!to || fclose(to) != 0 || !session->lines) return sch_cli_no_memory();
    session->instruction_count = count + 1;
    const char *at = session->text;
    for (uint32_t n = 0; n <= count; n++, at += strcspn(at, "\n")) session->lines[n] = at = strchr(at, ':') + 2;
    if (count) return SCH_CLI_YES;
    return sch_cli_fail(SCH_CLI_NO, "%s: it has no instruction", session->shader.input.name);
}

static enum sch_cli_exit list_instructions(struct sch_cli_session *session)
{
    struct sch_shader_info info = {.size = sizeof info};
    if (is_code(session)) return list_code(session);
    enum sch_result result = sch_shader_get_info(session->shader.shader, &info);
    struct sch_print_options options = {.size = sizeof options, .start_capacity = info.instructions};
    options.starts = calloc(info.instructions + (size_t)1, sizeof *options.starts);
    session->lines = calloc(info.instructions + (size_t)1, sizeof *session->lines);
    if (!options.starts || !session->lines) result = SCH_ERROR_MEMORY;
    if (result == SCH_OK) result = sch_shader_print(session->shader.shader, &options, &session->text, NULL);
    session->instruction_count = result == SCH_OK ? info.instructions : 0;
    for (uint32_t n = 0; n < session->instruction_count; n++) session->lines[n] = session->text + options.starts[n];
    free(options.starts);
    return result == SCH_OK ? SCH_CLI_YES : sch_cli_fail(sch_cli_exit_of(result), "%s", sch_result_text(result));
}

const char *sch_cli_session_instruction(const struct sch_cli_session *session, uint32_t number, uint32_t *length)
{
    const char *line = number < session->instruction_count ? session->lines[number] : "END";
    *length = (uint32_t)strcspn(line, "\n");
    return line;
}

enum sch_value_type sch_cli_session_makes(const struct sch_cli_session *session, uint32_t number)
{
    struct sch_operand_info operand = {.size = sizeof operand};
    const bool is = sch_shader_operand(session->shader.shader, number, 0, &operand);
    return is && operand.kind == SCH_OPERAND_DESTINATION ? sch_cli_word_type(operand.type) : SCH_VALUE_UNKNOWN;
}

char *sch_cli_session_text(const struct sch_cli_session *session, const struct sch_debug_stop *stop)
{
    uint32_t length;
    char *text = NULL;
    if (!session->source) {
        const char *line = sch_cli_session_instruction(session, stop->instruction, &length);
        return strndup(line, length);
    }
    if (!stop->line && !stop->offset) return strdup("");
    if (sch_debug_print_at(session->source, stop->line, stop->column, stop->offset, &text) != SCH_OK) return NULL;
    char *copy = strdup(text);
    sch_free(session->shader.context, text);
    return copy;
}

bool sch_cli_register_name(const struct sch_cli_session *session, const struct sch_debug_register *which,
                           char name[SCH_DEBUG_NAME_BYTES])
{
    if (session->source || is_code(session)) return sch_debug_register_name(session->shader.shader, which, name);
    sch_debugger_register_name(which, sch_cli_any_per_vertex(session->shader.shader), name);
    return true;
}

void sch_cli_session_types(const struct sch_cli_session *session, const struct sch_debug_register *which,
                           enum sch_value_type types[4])
{
    const uint32_t buffer = which->file == SCH_FILE_CONSTANT ? which->dimension : 0;
    sch_cli_types_of(session->registers, which->file, buffer, which->index, types);
    for (unsigned c = 0; c < 4 && is_code(session); c++) types[c] = SCH_VALUE_UNKNOWN; /* it does not say */
    for (unsigned c = 0; c < 4 && which->file == SCH_FILE_ADDRESS; c++) types[c] = SCH_VALUE_INT;
}

/* ---- the run ---- */

/* Keeps the reason of a refusal, which is known to the thread that the launch was refused in. */
static enum sch_result run_launch(struct sch_cli_session *session, const struct sch_dispatch_options *options)
{
    struct sch_wrong_call call = {.size = sizeof call};
    struct sch_bindings bindings;
    struct sch_launch launch;
    struct sch_launch_argument *arguments = calloc(SCH_CLI_LAUNCH_PARAMETERS, sizeof *arguments);
    if (!arguments) return SCH_ERROR_MEMORY;
    sch_cli_launch_make(session->launch, arguments, &bindings, &launch);
    const enum sch_result result = sch_launch_kernel(session->program, session->shader.shader, &launch, options, NULL);
    if (result == SCH_ERROR_ARGUMENT && sch_context_get_wrong_call(session->shader.context, &call))
        snprintf(session->refused, sizeof session->refused, "%s", call.reason);
    free(arguments);
    return result;
}

static enum sch_result run_grid(const struct sch_cli_session *session, const struct sch_dispatch_options *options)
{
    struct sch_cli_bindings bound;
    sch_cli_bind(&session->setup, &session->setup.constants, &bound);
    return sch_dispatch_grid(session->program, &bound.bindings, session->asked.grid, session->asked.block, options,
                             NULL);
}

struct drawing {
    const struct sch_cli_session *session;
    const struct sch_dispatch_options *options;
    enum sch_result result;
};

static enum sch_cli_exit draw_session_picture(void *user, const struct sch_rectangle *rectangle,
                                              const struct sch_bindings *bindings)
{
    struct drawing *drawing = user;
    drawing->result = sch_dispatch_rectangle(drawing->session->program, bindings, rectangle, drawing->options, NULL);
    return SCH_CLI_YES;
}

/* The rows around the pixel are all that is needed, where others write no memory that it could read. */
static enum sch_result run_picture(const struct sch_cli_session *session, const struct sch_dispatch_options *options)
{
    struct drawing drawing = {session, options, SCH_ERROR_MEMORY};
    struct sch_cli_shading shading = {.width = session->asked.size[0], .height = session->asked.size[1]};
    if (!sch_program_writes_memory(session->program))
        shading.rows = (struct sch_cli_rows){.first = session->asked.pixel[1], .count = 1};
    sch_cli_with_rectangle(&session->setup, &session->shader, &shading, draw_session_picture, &drawing);
    return drawing.result;
}

static enum sch_result run_shader_session(void *user, const struct sch_dispatch_options *options)
{
    struct sch_cli_session *session = user;
    if (!sch_cli_snapshot_restore(&session->setup, &session->snapshot)) return SCH_ERROR_MEMORY;
    if (session->vectors) {
        const struct sch_cli_invocations how = {&session->setup, session->quads, session->samples};
        return sch_cli_dispatch_batch(&how, &session->batch, session->program, options);
    }
    if (session->launched) return run_launch(session, options);
    return session->asked.has_grid ? run_grid(session, options) : run_picture(session, options);
}

/* ---- opening ---- */

static enum sch_cli_exit read_table(struct sch_cli_session *session)
{
    if (!session->table_text) return sch_cli_read(session->vectors, &session->table);
    session->table.name = session->vectors;
    session->table.bytes = strlen(session->table_text);
    session->table.data = strdup(session->table_text);
    return session->table.data ? SCH_CLI_YES : sch_cli_no_memory();
}

/* Reads on to the batch with the line. */
static enum sch_cli_exit read_vectors(struct sch_cli_session *session, struct sch_invocation_place *place)
{
    enum sch_cli_exit exit_code = read_table(session);
    if (exit_code != SCH_CLI_YES) return exit_code;
    session->reader = (struct sch_cli_vectors){.input = &session->table,
                                               .shader = session->shader.shader,
                                               .setup = &session->setup,
                                               .registers = session->registers};
    if (!sch_cli_vectors_init(&session->reader, &session->batch, session->quads)) return sch_cli_no_memory();
    do {
        exit_code = sch_cli_vectors_next(&session->reader, &session->batch);
        if (exit_code != SCH_CLI_YES) return exit_code;
        place->invocation = UINT32_MAX; /* the line's, or the first one where none was named */
        for (uint32_t i = 0; i < session->batch.count && place->invocation == UINT32_MAX; i++)
            if (!session->asked.has_line || session->batch.lines[i] == session->asked.line) place->invocation = i;
    } while (session->batch.count && place->invocation == UINT32_MAX);
    if (!session->batch.count && session->asked.has_line)
        return sch_cli_fail(SCH_CLI_NO, "%s: line %" PRIu32 " is not an invocation", session->vectors,
                            session->asked.line);
    if (!session->batch.count) return sch_cli_fail(SCH_CLI_NO, "%s has no invocation", session->vectors);
    if (session->batch.helpers[place->invocation] == SCH_INVOCATION_OFF)
        return sch_cli_fail(SCH_CLI_NO, "%s: the lane of line %" PRIu32 " is OFF", session->vectors,
                            session->batch.lines[place->invocation]);
    place->parts = SCH_PLACE_INVOCATION;
    snprintf(session->what, sizeof session->what, "line %" PRIu32, session->batch.lines[place->invocation]);
    return SCH_CLI_YES;
}

static enum sch_cli_exit find_place(struct sch_cli_session *session, struct sch_invocation_place *place)
{
    *place = (struct sch_invocation_place){.size = sizeof *place};
    if (session->vectors) return read_vectors(session, place);
    if (session->asked.has_pixel) {
        place->parts = SCH_PLACE_PIXEL;
        place->x = session->asked.pixel[0];
        place->y = session->asked.pixel[1];
        snprintf(session->what, sizeof session->what, "pixel %" PRIu32 ",%" PRIu32 " of %" PRIu32 "x%" PRIu32, place->x,
                 place->y, session->asked.size[0], session->asked.size[1]);
        return SCH_CLI_YES;
    }
    place->parts = SCH_PLACE_WORK_GROUP | SCH_PLACE_THREAD;
    memcpy(place->work_group, session->asked.work_group, sizeof place->work_group);
    memcpy(place->thread, session->asked.thread, sizeof place->thread);
    snprintf(session->what, sizeof session->what,
             "thread %" PRIu32 ",%" PRIu32 ",%" PRIu32 " of work group %" PRIu32 ",%" PRIu32 ",%" PRIu32,
             place->thread[0], place->thread[1], place->thread[2], place->work_group[0], place->work_group[1],
             place->work_group[2]);
    return SCH_CLI_YES;
}

static enum sch_cli_exit begin_debugging(struct sch_cli_session *session, const struct sch_debug_options *options)
{
    struct sch_debug_stop stop = {.size = sizeof stop};
    struct sch_context *context = session->scene    ? sch_cli_scene_session_context(session->scene)
                                  : session->replay ? sch_cli_replay_session_context(session->replay)
                                                    : session->shader.context;
    enum sch_result result = sch_debug_create(context, options, &session->debug);
    if (result == SCH_OK) result = sch_debug_get_stop(session->debug, &stop);
    if (result != SCH_OK) return sch_cli_fail(sch_cli_exit_of(result), "%s", sch_result_text(result));
    if (!stop.ended) return SCH_CLI_YES;
    if (session->program) sch_cli_setup_warn(&session->setup, &session->shader);
    if (stop.result != SCH_OK && *session->refused)
        return sch_cli_fail(SCH_CLI_USAGE, "%s: %s", session->shader.input.name, session->refused);
    if (stop.result != SCH_OK)
        return sch_cli_fail(sch_cli_exit_of(stop.result), "%s: %s, before %s", session->shader.input.name,
                            sch_result_text(stop.result), session->what);
    return sch_cli_fail(SCH_CLI_NO, "%s: no invocation is %s", session->shader.input.name, session->what);
}

/* Keeps a Direct3D shader beside what it is lowered to. */
static enum sch_cli_exit load_shader(struct sch_cli_session *session)
{
    struct sch_cli_shader *shader = &session->shader;
    enum sch_cli_exit exit_code = sch_cli_reading_file(&session->setup.reading, session->file, shader);
    if (exit_code == SCH_CLI_YES && session->listed) exit_code = sch_cli_reading_list(shader);
    if (exit_code == SCH_CLI_YES && session->listed) return sch_cli_shader_lower_listed(shader);
    if (exit_code == SCH_CLI_YES) exit_code = sch_cli_session_lower(session);
    shader->reported = session->reported;
    return session->reported ? exit_code
                             : sch_cli_worse(exit_code, sch_cli_print_diagnostics(shader->list, &shader->input));
}

enum sch_cli_exit sch_cli_session_lower(struct sch_cli_session *session)
{
    struct sch_cli_shader *shader = &session->shader;
    if (sch_shader_language(shader->shader) != SCH_LANGUAGE_D3D) return SCH_CLI_YES;
    struct sch_shader *lowered;
    const enum sch_result result = sch_shader_lower(shader->shader, shader->list, &lowered);
    if (result != SCH_OK) return sch_cli_result(result, shader->list, shader->input.name);
    if (session->asked.lowered || session->listed)
        sch_shader_destroy(shader->shader);
    else
        session->source = shader->shader;
    shader->shader = lowered;
    shader->is_lowered = true;
    return SCH_CLI_YES;
}

/* What is launched, if it is Maxwell code; the memories of its parameters, which each run finds as they are now. */
static enum sch_cli_exit load_launch(const struct sch_cli_verb *verb, struct sch_cli_session *session)
{
    struct sch_cli_launch *launch = session->launch;
    session->launched = is_code(session);
    if (!session->launched && launch->count)
        return sch_cli_usage_error(verb, "%s is not Maxwell code: only kernels have --param", session->file);
    if (!session->launched) return SCH_CLI_YES;
    launch->machine = &session->setup.machine.bindings;
    const enum sch_cli_exit exit_code = sch_cli_launch_load(launch);
    if (exit_code != SCH_CLI_YES) return exit_code;
    session->memories = calloc(SCH_CLI_LAUNCH_PARAMETERS, sizeof *session->memories);
    if (!session->memories) return sch_cli_no_memory();
    for (uint32_t i = 0; i < launch->count; i++)
        if (launch->parameters[i].is_memory)
            session->memories[session->memory_count++] = (struct sch_storage_buffer){
                .data = launch->parameters[i].memory.data, .bytes = launch->parameters[i].memory.bytes};
    return SCH_CLI_YES;
}

/* A shader by itself: what runs it, and with what. */
static enum sch_cli_exit open_shader(const struct sch_cli_verb *verb, struct sch_cli_session *session)
{
    enum sch_cli_exit exit_code = load_shader(session);
    if (exit_code == SCH_CLI_YES) exit_code = check_stage(verb, session);
    if (exit_code == SCH_CLI_YES)
        exit_code = sch_cli_setup_program(&session->setup, &session->shader, &session->program);
    if (exit_code == SCH_CLI_YES) exit_code = sch_cli_setup_load(&session->setup, &session->shader);
    if (exit_code == SCH_CLI_YES && session->launched) exit_code = load_launch(verb, session);
    if (exit_code == SCH_CLI_YES && !sch_cli_snapshot_take(&session->setup, &session->snapshot))
        exit_code = sch_cli_no_memory();
    return exit_code;
}

/* A recording is recognized by its first bytes. YES with `*is` false: the file is not one. A missing file is reported
 * before options that do not fit it. */
static enum sch_cli_exit open_recording(const struct sch_cli_verb *verb, struct sch_cli_session *session,
                                        struct sch_debug_options *options, struct sch_invocation_place *place, bool *is)
{
    struct sch_cli_input input = {0};
    char first[8] = "";
    const bool is_stdin = strcmp(session->file, "-") == 0;
    FILE *file = is_stdin ? NULL : fopen(session->file, "rb");
    if (file) *is = fread(first, 1, sizeof first, file) == sizeof first;
    if (file) fclose(file);
    if (!file && !is_stdin && !sch_text_ends(session->file, ".scene") &&
        (session->asked.has_frame || session->asked.draw)) {
        const enum sch_cli_exit exit_code = sch_cli_read(session->file, &input);
        sch_cli_input_release(&input);
        return exit_code;
    }
    *is = *is && sch_cli_is_recording(&(struct sch_cli_input){.data = first, .bytes = sizeof first});
    if (!*is) return SCH_CLI_YES;
    enum sch_cli_exit exit_code = check_draw_options(verb, session);
    if (exit_code == SCH_CLI_YES && session->asked.target)
        exit_code = sch_cli_usage_error(verb, "--target is for scenes: of a recording --frame says what is meant");
    if (exit_code == SCH_CLI_YES) exit_code = sch_cli_read(session->file, &input);
    if (exit_code == SCH_CLI_YES) exit_code = sch_cli_replay_session_open(session, &input, options, place);
    sch_cli_input_release(&input);
    return exit_code;
}

static enum sch_cli_exit open_scene(const struct sch_cli_verb *verb, struct sch_cli_session *session,
                                    struct sch_debug_options *options, struct sch_invocation_place *place)
{
    const enum sch_cli_exit exit_code = check_draw_options(verb, session);
    if (exit_code == SCH_CLI_YES && session->asked.has_frame)
        return sch_cli_usage_error(verb, "--frame is for recordings");
    return exit_code == SCH_CLI_YES ? sch_cli_scene_session_open(session, options, place) : exit_code;
}

enum sch_cli_exit sch_cli_session_open(const struct sch_cli_verb *verb, struct sch_cli_session *session)
{
    struct sch_invocation_place place = {.size = sizeof place};
    struct sch_debug_options options = {.size = sizeof options,
                                        .run = run_shader_session,
                                        .user = session,
                                        .options = &session->setup.dispatch,
                                        .place = &place};
    if (!session->file) return sch_cli_usage_error(verb, "which shader?");
    bool draws = false;
    enum sch_cli_exit exit_code = open_recording(verb, session, &options, &place, &draws);
    if (exit_code == SCH_CLI_YES && !draws && sch_text_ends(session->file, ".scene")) {
        draws = true;
        exit_code = open_scene(verb, session, &options, &place);
    }
    if (exit_code == SCH_CLI_YES && !draws) exit_code = check_options(verb, session);
    if (exit_code == SCH_CLI_YES && !draws) exit_code = open_shader(verb, session);
    if (exit_code == SCH_CLI_YES) exit_code = sch_cli_registers_create(&session->shader, &session->registers);
    if (exit_code == SCH_CLI_YES) exit_code = list_instructions(session);
    if (exit_code == SCH_CLI_YES && !draws) exit_code = find_place(session, &place);
    options.diagnostics = session->setup.refused;
    options.memory = session->memories;
    options.memory_count = session->memory_count;
    return exit_code == SCH_CLI_YES ? begin_debugging(session, &options) : exit_code;
}
