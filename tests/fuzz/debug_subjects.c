/* Programs that are debugged, and all that they run with: see debug_subjects.h. */
#include "debug_subjects.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

enum { LOOP, GROUPS, DIRECT3D, MAXWELL };
enum { MOST = 128, INVOCATIONS = 40, BUDGET = 64, WORK = 20000, SIDE = 4, GROUP_SIDE = 40, CONSTANTS = 8 };

static const char *const texts[SCH_FUZZ_SUBJECTS] = {
    [LOOP] = "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL SAMP[0]\nDCL SVIEW[0], 2D, FLOAT\n"
             "DCL CONST[0][0..1]\nDCL ADDR[0]\nDCL TEMP[0..2]\nIMM[0] UINT32 {1, 0, 3, 0}\n"
             "BGNLOOP\nUSGE TEMP[1].x, TEMP[0].yyyy, IMM[0].zzzz\nUIF TEMP[1].xxxx\nBRK\nENDIF\n"
             "UADD TEMP[0].y, TEMP[0].yyyy, IMM[0].xxxx\nCAL :21\nENDLOOP\nRCP TEMP[2].x, TEMP[2].xxxx\n"
             "TEX TEMP[1], IN[0], SAMP[0], 2D\nARL ADDR[0].x, IN[0].xxxx\nMAD OUT[0], TEMP[1], CONST[0][1], TEMP[2]\n"
             "END\nBGNSUB\nADD TEMP[2], TEMP[2], IN[0]\nKILL_IF IN[0].xxxx\nRET\nENDSUB\n",
    [GROUPS] = "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 40\nPROPERTY CS_FIXED_BLOCK_HEIGHT 1\n"
               "PROPERTY CS_FIXED_BLOCK_DEPTH 1\nDCL SV[0], THREAD_ID\nDCL MEMORY[0], SHARED\nDCL BUFFER[0]\n"
               "DCL TEMP[0..1]\nIMM[0] UINT32 {4, 1, 39, 0}\nUMUL TEMP[0].x, SV[0].xxxx, IMM[0].xxxx\n"
               "STORE MEMORY[0].x, TEMP[0].xxxx, SV[0].xxxx\nBARRIER\nUADD TEMP[1].x, SV[0].xxxx, IMM[0].yyyy\n"
               "UMIN TEMP[1].x, TEMP[1].xxxx, IMM[0].zzzz\nUMUL TEMP[1].x, TEMP[1].xxxx, IMM[0].xxxx\n"
               "LOAD TEMP[1].x, MEMORY[0], TEMP[1].xxxx\nSTORE BUFFER[0].x, TEMP[0].xxxx, TEMP[1].xxxx\nEND\n",
    [DIRECT3D] = "ps_5_0\ndcl_constantbuffer cb0[2], immediateIndexed\ndcl_sampler s0, mode_default\n"
                 "dcl_resource_texture2d (float,float,float,float) t0\ndcl_input_ps linear v0.xyzw\n"
                 "dcl_output o0.xyzw\ndcl_temps 2\ndcl_indexableTemp x0[2], 4\nmov x0[0].xyzw, v0.xyzw\n"
                 "mov x0[1].xyzw, cb0[1].xyzw\nsample r0.xyzw, v0.xyxx, t0.xyzw, s0\nlt r1.x, v0.x, l(0.5)\n"
                 "if_nz r1.x\nadd r0.xyzw, r0.xyzw, x0[r1.y + 0].xyzw\nendif\nsincos r1.x, r1.y, r0.x\n"
                 "mad_sat o0.xyzw, r0.xyzw, cb0[0].xyzw, r1.xxyy\nret\n",
    [MAXWELL] = "TXQ R4, R8, TEX_HEADER_DIMENSION, 0x0, 0xf;\nTEX.LZ R0, R8, 0x0, 2D, 0xf;\n",
};

struct sch_fuzz_opened {
    struct sch_debugger_subject subject;
    struct sch_context *context;
    struct sch_shader *shader, *lowered;
    struct sch_program *program;
    struct sch_resource *resource;
    struct sch_view *view;
    struct sch_sampler *sampler;
    struct sch_debug *debug;
    struct sch_maxwell_bindings machine; /* of Maxwell code */
    bool is_grid;
    uint32_t inputs[INVOCATIONS][4], constants[CONSTANTS], buffer[2 * GROUP_SIDE];
    uint8_t header[32], sampler_entry[32], memory[256];
    char *text; /* the program's, of the context; of Maxwell code the text above */
    const char *instructions[MOST];
};

/* ---- what runs ---- */

static enum sch_result run(void *user, const struct sch_dispatch_options *options)
{
    struct sch_fuzz_opened *opened = user;
    const struct sch_constant_buffer constant = {.data = opened->constants, .bytes = sizeof opened->constants};
    const struct sch_storage_buffer buffer = {opened->buffer, sizeof opened->buffer};
    const struct sch_bindings bindings = {.size = sizeof bindings,
                                          .constants = &constant,
                                          .constant_count = 1,
                                          .views = &opened->view,
                                          .view_count = 1,
                                          .samplers = &opened->sampler,
                                          .sampler_count = 1,
                                          .buffers = &buffer,
                                          .buffer_count = 1};
    const uint32_t grid[3] = {2, 1, 1}, block[3] = {GROUP_SIDE, 1, 1};
    if (opened->is_grid) return sch_dispatch_grid(opened->program, &bindings, grid, block, options, NULL);
    const struct sch_invocations work = {.size = sizeof work,
                                         .count = INVOCATIONS,
                                         .inputs = opened->inputs[0],
                                         .input_registers = 1,
                                         .input_bytes = sizeof opened->inputs};
    return sch_dispatch(opened->program, &bindings, &work, options, NULL);
}

static bool make_texture(struct sch_fuzz_opened *opened)
{
    const struct sch_resource_options options = {.size = sizeof options,
                                                 .target = SCH_TARGET_2D,
                                                 .format = SCH_FORMAT_R8G8B8A8_UNORM,
                                                 .width = SIDE,
                                                 .height = SIDE};
    const struct sch_view_options of_view = {.size = sizeof of_view};
    const struct sch_sampler_options of_sampler = {.size = sizeof of_sampler};
    return sch_resource_create(opened->context, &options, NULL, &opened->resource) == SCH_OK &&
           sch_view_create(opened->resource, &of_view, &opened->view) == SCH_OK &&
           sch_sampler_create(opened->context, &of_sampler, NULL, &opened->sampler) == SCH_OK;
}

static void fill(struct sch_fuzz_opened *opened)
{
    for (uint32_t i = 0; i < INVOCATIONS; i++)
        for (uint32_t c = 0; c < 4; c++) {
            const float value = (float)(i * 5 % 7 + c) / 4;
            memcpy(&opened->inputs[i][c], &value, sizeof value);
        }
    for (uint32_t i = 0; i < CONSTANTS; i++) opened->constants[i] = 0x3f000000 + (i << 20);
}

/* Lines of instructions begin with their number and a colon. */
static void list_instructions(struct sch_fuzz_opened *opened)
{
    struct sch_debugger_subject *subject = &opened->subject;
    for (const char *line = opened->text; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        const char *colon = line + strspn(line, " 0123456789");
        if (*colon != ':' || subject->instruction_count == MOST) continue;
        const char *begin = colon + 1 + (colon[1] == ' ');
        opened->instructions[subject->instruction_count++] = begin;
    }
}

static bool open_session(struct sch_fuzz_opened *opened, const char *text)
{
    const struct sch_program_options options = {.size = sizeof options, .engine = SCH_ENGINE_INTERPRETER};
    static const struct sch_dispatch_options bounds = {.size = sizeof bounds, .budget = BUDGET, .work = WORK};
    const struct sch_storage_buffer memory = {opened->buffer, sizeof opened->buffer};
    const struct sch_invocation_place place = {
        .size = sizeof place, .parts = opened->is_grid ? 0 : SCH_PLACE_INVOCATION, .invocation = 33};
    const struct sch_debug_options session = {.size = sizeof session,
                                              .run = run,
                                              .user = opened,
                                              .options = &bounds,
                                              .place = &place,
                                              .memory = &memory,
                                              .memory_count = 1};
    if (sch_shader_read(opened->context, text, strlen(text), NULL, NULL, &opened->shader) != SCH_OK) return false;
    const bool lower = sch_shader_language(opened->shader) == SCH_LANGUAGE_D3D;
    if (lower && sch_shader_lower(opened->shader, NULL, &opened->lowered) != SCH_OK) return false;
    const struct sch_shader *runs = lower ? opened->lowered : opened->shader;
    if (!make_texture(opened) || sch_shader_print(runs, NULL, &opened->text, NULL) != SCH_OK ||
        sch_program_create(opened->context, runs, &options, NULL, &opened->program) != SCH_OK ||
        sch_debug_create(opened->context, &session, &opened->debug) != SCH_OK)
        return false;
    opened->subject.program = opened->text;
    opened->subject.target = sch_debugger_target_of_session(opened->debug, opened->lowered, true);
    list_instructions(opened);
    return opened->subject.target;
}

static enum sch_result run_maxwell(void *user, const struct sch_dispatch_options *options)
{
    struct sch_fuzz_opened *opened = user;
    const struct sch_constant_buffer constant = {.data = opened->constants, .bytes = sizeof opened->constants};
    const struct sch_bindings bindings = {
        .size = sizeof bindings, .constants = &constant, .constant_count = 1, .maxwell = &opened->machine};
    const struct sch_invocations invocations = {.size = sizeof invocations, .count = 8, .quads = true};
    return sch_dispatch(opened->program, &bindings, &invocations, options, NULL);
}

/* A texture header of zeros is of no format that there is: the lookups fail in one way or another. */
static bool open_maxwell(struct sch_fuzz_opened *opened, const char *text)
{
    const struct sch_invocation_place place = {.size = sizeof place, .parts = SCH_PLACE_INVOCATION, .invocation = 1};
    const struct sch_debug_options options = {
        .size = sizeof options, .run = run_maxwell, .user = opened, .place = &place};
    opened->machine = (struct sch_maxwell_bindings){.size = sizeof opened->machine,
                                                    .headers = opened->header,
                                                    .header_bytes = sizeof opened->header,
                                                    .samplers = opened->sampler_entry,
                                                    .sampler_bytes = sizeof opened->sampler_entry,
                                                    .memory = opened->memory,
                                                    .memory_bytes = sizeof opened->memory,
                                                    .via_header_binding = true};
    if (sch_shader_read(opened->context, text, strlen(text), NULL, NULL, &opened->shader) != SCH_OK ||
        sch_program_create(opened->context, opened->shader, NULL, NULL, &opened->program) != SCH_OK ||
        sch_debug_create(opened->context, &options, &opened->debug) != SCH_OK)
        return false;
    struct sch_debugger_subject *subject = &opened->subject;
    for (const char *line = text; subject->instruction_count < MOST && *line; line += strcspn(line, "\n") + 1)
        opened->instructions[subject->instruction_count++] = line;
    subject->program = text;
    subject->target = sch_debugger_target_of_session(opened->debug, opened->shader, false);
    return subject->target;
}

/* ---- for debuggers ---- */

static void types_of(void *user, const struct sch_debug_register *which, enum sch_debugger_type types[4])
{
    (void)user;
    /* HEX is how a value is shown, which no host says of a register. */
    for (unsigned c = 0; c < 4; c++) types[c] = (enum sch_debugger_type)((which->index + c) % SCH_DEBUGGER_HEX);
}

static void print_float(uint32_t bits, char text[SCH_DEBUGGER_VALUE_BYTES])
{
    float value;
    memcpy(&value, &bits, sizeof value);
    snprintf(text, SCH_DEBUGGER_VALUE_BYTES, "%g", (double)value);
}

/* Floats and words are enough: which text is a value is not looked for here. */
static bool read_value(const char *text, enum sch_debugger_type *type, uint32_t *bits)
{
    char *end;
    const float number = strtof(text, &end);
    memcpy(bits, &number, sizeof *bits);
    *type = strchr(text, 'x') ? SCH_DEBUGGER_HEX : SCH_DEBUGGER_FLOAT;
    return end > text && !*end;
}

struct sch_fuzz_opened *sch_fuzz_open_subject(unsigned number)
{
    struct sch_fuzz_opened *opened = calloc(1, sizeof *opened);
    if (!opened) return NULL;
    const char *text = texts[number % SCH_FUZZ_SUBJECTS];
    opened->is_grid = number % SCH_FUZZ_SUBJECTS == GROUPS;
    opened->subject = (struct sch_debugger_subject){.name = "program",
                                                    .what = "invocation 33",
                                                    .path = number % 2 ? "/program" : NULL,
                                                    .source = text,
                                                    .instructions = opened->instructions,
                                                    .user = opened,
                                                    .types = types_of,
                                                    .print_float = print_float,
                                                    .read_value = read_value};
    fill(opened);
    const bool maxwell = number % SCH_FUZZ_SUBJECTS == MAXWELL;
    if (sch_context_create(NULL, &opened->context) == SCH_OK &&
        (maxwell ? open_maxwell(opened, text) : open_session(opened, text)))
        return opened;
    sch_fuzz_close_subject(opened);
    return NULL;
}

void sch_fuzz_close_subject(struct sch_fuzz_opened *opened)
{
    if (!opened) return;
    sch_debugger_target_destroy(opened->subject.target);
    sch_debug_destroy(opened->debug);
    sch_program_destroy(opened->program);
    sch_sampler_destroy(opened->sampler);
    sch_view_destroy(opened->view);
    sch_resource_destroy(opened->resource);
    sch_free(opened->context, opened->text);
    sch_shader_destroy(opened->lowered);
    sch_shader_destroy(opened->shader);
    sch_context_destroy(opened->context);
    free(opened);
}

const struct sch_debugger_subject *sch_fuzz_subject(const struct sch_fuzz_opened *opened) { return &opened->subject; }
