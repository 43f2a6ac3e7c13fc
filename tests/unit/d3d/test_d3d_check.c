/* The rules of shader models 4 and 5 (src/d3d/check/check.h): every rule is broken and kept (d3d_check_cases.def),
 * every rule has a case, the restrictions of Microsoft's page of sample are quoted, real programs are accepted, and
 * hostile programs cost bounded time. */
#include "d3d_support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../support/counting.h"
#include "../support/list_sum.h"
#include "d3d/check/check.h"
#include "d3d/text/text.h"
#include "isa/errors.h"

#define TEST(name) cmocka_unit_test(name)

enum { FIRST = 2400, END = 2500, FIRST_WARNING = 2600, END_WARNINGS = 2640, TEXT = 8192 }; /* from 2640: raising */

enum preamble {
    P,
    P40,
    P41,
    P_BARE,
    P40_BARE,
    P_SIGNED,
    INTERFACES,
    V,
    V40,
    V_BARE,
    V40_BARE,
    G5,
    G5_BARE,
    H,
    H_BARE,
    D_BARE,
    C,
    C_BARE,
    C40_BARE,
    C51,
    K51
};

#define SIMPLE                                                                                                         \
    "dcl_constantbuffer CB0[4], immediateIndexed\ndcl_sampler s0, mode_default\n"                                      \
    "dcl_resource_texture2d (float,float,float,float) t0\ndcl_resource_texture2dms(4) (float,float,float,float) t4\n"

static const char *const preambles[] = {
    [P] = "ps_5_0\ndcl_globalFlags refactoringAllowed | enableDoublePrecisionFloatOps\n"
          "dcl_constantbuffer CB0[4], dynamicIndexed\ndcl_sampler s0, mode_default\ndcl_sampler s1, mode_comparison\n"
          "dcl_resource_texture2d (float,float,float,float) t0\ndcl_resource_texturecube (float,float,float,float) t1\n"
          "dcl_resource_buffer (float,float,float,float) t2\ndcl_resource_texture3d (float,float,float,float) t3\n"
          "dcl_resource_texture2dms(4) (float,float,float,float) t4\n"
          "dcl_resource_texture1d (float,float,float,float) t5\ndcl_resource_raw t6\ndcl_resource_structured t7, 16\n"
          "dcl_resource_texture2d (uint,uint,uint,uint) t8\ndcl_uav_typed_texture2d (uint,uint,uint,uint) u0\n"
          "dcl_uav_structured u1, 16\ndcl_uav_raw u2\ndcl_uav_typed_texture2d (float,float,float,float) u3\n"
          "dcl_input_ps linear v0.xyzw\ndcl_input_ps linear v1.xy\ndcl_output o0.xyzw\ndcl_temps 4\n"
          "dcl_indexableTemp x0[4], 4\n",
    [P40] = "ps_4_0\n" SIMPLE "dcl_input_ps linear v0.xyzw\ndcl_output o0.xyzw\ndcl_temps 2\n",
    [P41] = "ps_4_1\n" SIMPLE "dcl_input_ps linear v0.xyzw\ndcl_output o0.xyzw\ndcl_temps 2\n",
    [P_BARE] = "ps_5_0\n",
    [P40_BARE] = "ps_4_0\n",
    [P_SIGNED] = "ps_5_0\n.input\n.param SV_Position.xyzw, v0.xyzw, float, POS\n.param TEXCOORD.xy, v1.xy, float\n"
                 ".param FLAGS.x, v2.x, uint\n.output\n.param SV_Target.xyzw, o0.xyzw, float, TARGET\n.text\n",
    [INTERFACES] = "ps_5_0\ndcl_temps 1\ndcl_function_body fb0\ndcl_function_table ft0 = {fb0}\n"
                   "dcl_interface fp0[2][1] = {ft0}\n",
    [V] = "vs_5_0\n" SIMPLE "dcl_input v0.xyzw\ndcl_output o0.xyzw\ndcl_temps 2\n",
    [V40] = "vs_4_0\n" SIMPLE "dcl_input v0.xyzw\ndcl_output o0.xyzw\ndcl_temps 2\n",
    [V_BARE] = "vs_5_0\n",
    [V40_BARE] = "vs_4_0\n",
    [G5] = "gs_5_0\ndcl_input v[3][0].xyzw\ndcl_input v[3][1].xyzw\ndcl_temps 1\ndcl_inputprimitive triangle\n"
           "dcl_stream m0\ndcl_outputtopology pointlist\ndcl_output o0.xyzw\ndcl_maxout 4\n",
    [G5_BARE] = "gs_5_0\n",
    [H] = "hs_5_0\nhs_decls\ndcl_input_control_point_count 3\ndcl_output_control_point_count 3\n"
          "dcl_tessellator_domain domain_tri\ndcl_tessellator_partitioning partitioning_integer\n"
          "dcl_tessellator_output_primitive output_triangle_cw\n",
    [H_BARE] = "hs_5_0\n",
    [D_BARE] = "ds_5_0\n",
    [C] = "cs_5_0\ndcl_input vThreadID.xyz\ndcl_temps 2\ndcl_tgsm_raw g0, 64\ndcl_tgsm_structured g1, 16, 4\n"
          "dcl_thread_group 8, 8, 1\n",
    [C_BARE] = "cs_5_0\n",
    [C40_BARE] = "cs_4_0\n",
    [C51] = "cs_5_1\ndcl_thread_group 1, 1, 1\n",
    [K51] =
        "cs_5_1\ndcl_constantbuffer CB0[0:3][2], dynamicIndexed, space=0\n"
        "dcl_resource_texture2d (float,float,float,float) T0[0:7], space=1\ndcl_temps 1\ndcl_thread_group 1, 1, 1\n",
};

struct run {
    struct sch_diagnostics list;
    struct sch_d3d_shader *shader;
    enum sch_result status;
};

static void assemble(struct run *run, const char *text)
{
    *run = (struct run){0};
    struct sch_limits limits = SCH_LIMITS_DEFAULT;
    sch_diagnostics_init(&run->list, &sch_allocator_libc, 0);
    sch_diagnostics_source(&run->list, "case", text, strlen(text));
    run->status = sch_d3d_assemble(&sch_allocator_libc, &limits, text, strlen(text), &run->list, &run->shader);
}

static void check(struct run *run)
{
    run->status = sch_d3d_check(run->shader->program, run->shader->signatures, &run->list);
}

static void finish(struct run *run)
{
    sch_d3d_shader_destroy(run->shader);
    sch_diagnostics_release(&run->list);
}

static uint32_t lines_of(const char *text)
{
    uint32_t lines = 0;
    for (; *text; text++) lines += *text == '\n';
    return lines;
}

static void run_case(struct run *run, enum preamble preamble, const char *body)
{
    char text[TEXT];
    int bytes = snprintf(text, sizeof text, "%s%s", preambles[preamble], body);
    assert_true(bytes > 0 && (size_t)bytes < sizeof text);
    assemble(run, text);
    if (run->status != SCH_OK) {
        d3d_print_reports("assembling", &run->list);
        fail_msg("not assembled: %s", body);
    }
    sch_diagnostics_source(&run->list, "case", NULL, 0); /* the text goes with this function */
    check(run);
}

static bool is_broken(const struct run *run, unsigned code, uint32_t line)
{
    enum sch_result expected = code >= FIRST_WARNING ? SCH_OK : SCH_ERROR_INVALID;
    return count_reports(&run->list, code) == 1 && line_of_report(&run->list, code) == line &&
           !count_other_errors(&run->list, code) && run->status == expected;
}

static void complain(const struct run *run, unsigned code, uint32_t line, const char *what)
{
    print_message("# %u at line %u, status %d: %s\n", code, line, (int)run->status, what);
    d3d_print_reports("reports", &run->list);
}

/* --- the table --- */

static const struct {
    unsigned code;
    enum preamble preamble;
    uint32_t line;
    const char *broken, *legal;
} cases[] = {
#define CASE(code, preamble, line, broken, legal) {code, preamble, line, broken, legal},
#define EDIT(code, function)
#include "d3d_check_cases.def"
#undef CASE
#undef EDIT
};

enum { CASE_COUNT = sizeof cases / sizeof *cases };

static void test_rules_are_broken(void **state)
{
    (void)state;
    unsigned failures = 0;
    for (size_t i = 0; i < CASE_COUNT; i++) {
        struct run run;
        run_case(&run, cases[i].preamble, cases[i].broken);
        uint32_t line = lines_of(preambles[cases[i].preamble]) + cases[i].line;
        if (cases[i].code == SCH_D_D3D_STAGE_MISSING) line = lines_of(preambles[cases[i].preamble]) + 1;
        if (!is_broken(&run, cases[i].code, line)) {
            complain(&run, cases[i].code, line, cases[i].broken);
            failures++;
        }
        finish(&run);
    }
    assert_int_equal(failures, 0);
}

static void test_neighbours_are_legal(void **state)
{
    (void)state;
    unsigned failures = 0;
    for (size_t i = 0; i < CASE_COUNT; i++) {
        struct run run;
        run_case(&run, cases[i].preamble, cases[i].legal);
        if (run.status != SCH_OK || count_reports(&run.list, cases[i].code)) {
            complain(&run, cases[i].code, 0, cases[i].legal);
            failures++;
        }
        finish(&run);
    }
    assert_int_equal(failures, 0);
}

/* The words of each report, from a file of one line a case: they name the registers and numbers that are wrong. */
static void test_words_of_reports(void **state)
{
    (void)state;
    char path[4096], *words, *at;
    size_t bytes;
    unsigned failures = 0;
    snprintf(path, sizeof path, "%s/tests/golden/d3d/check.txt", getenv("SCH_SOURCE"));
    assert_non_null(words = at = load_file(path, &bytes));
    for (size_t i = 0; i < CASE_COUNT; i++) {
        struct run run;
        const char *message = "?";
        run_case(&run, cases[i].preamble, cases[i].broken);
        for (size_t k = run.list.count; k-- > 0;)
            if (run.list.items[k].code == cases[i].code) message = run.list.items[k].message;
        size_t length = strcspn(at, "\n");
        if (length != strlen(message) || strncmp(at, message, length)) {
            print_message("# %s\n# %s\n# wanted: %.*s\n", cases[i].broken, message, (int)length, at);
            failures++;
        }
        at += length + (at[length] == '\n');
        finish(&run);
    }
    assert_int_equal(failures, 0);
    assert_int_equal(*at, 0);
    free(words);
}

/* --- what text cannot say, or not shortly --- */

static const char mov_text[] = "ps_5_0\ndcl_temps 2\nmov r0.x, r1.x\nret";

static struct sch_d3d_operand *first_mov(struct run *run, const char *text, unsigned operand)
{
    assemble(run, text);
    assert_int_equal(run->status, SCH_OK);
    struct sch_d3d_program *program = run->shader->program;
    for (size_t i = 0; i < program->count; i++)
        if (program->instructions[i].opcode == SCH_D3D_OP_MOV) return &program->instructions[i].operands[operand];
    fail();
    return NULL;
}

static uint32_t clear_mask(struct run *run)
{
    first_mov(run, mov_text, 0)->select = 0;
    return 3;
}

static uint32_t swizzle_destination(struct run *run)
{
    first_mov(run, mov_text, 0)->form = SCH_D3D_FORM_SWIZZLE;
    return 3;
}

static uint32_t mask_source(struct run *run)
{
    first_mov(run, mov_text, 1)->form = SCH_D3D_FORM_MASK;
    return 3;
}

static uint32_t negate_index(struct run *run)
{
    struct sch_d3d_operand *source =
        first_mov(run, "ps_5_0\ndcl_temps 2\ndcl_indexableTemp x0[4], 4\nmov r0.x, x0[r1.x].x\nret", 1);
    source->index[1].relative->modifier = SCH_D3D_NEGATE;
    return 4;
}

static uint32_t sync_nothing(struct run *run)
{
    assemble(run, "cs_5_0\ndcl_thread_group 1, 1, 1\nsync_g\nret");
    assert_int_equal(run->status, SCH_OK);
    run->shader->program->instructions[1].controls = 0;
    return 3;
}

/* A text that repeats a line; what stands behind the depth that is allowed is the line of the report. */
static void append(char *text, const char *more) { strncat(text, more, TEXT - strlen(text) - 1); }

static uint32_t nest_deep(struct run *run)
{
    char text[TEXT] = "ps_5_0\n";
    for (unsigned i = 0; i < 65; i++) append(text, "if_nz l(1)\n");
    for (unsigned i = 0; i < 65; i++) append(text, "endif\n");
    append(text, "ret");
    assemble(run, text);
    sch_diagnostics_source(&run->list, "case", NULL, 0);
    assert_int_equal(run->status, SCH_OK);
    return 66; /* the 65th */
}

/* The main program calls l0, which calls l1 and so on: `depth` calls. */
static void make_calls(struct run *run, unsigned depth)
{
    char text[TEXT] = "ps_5_0\ncall l0\nret\n", line[64];
    for (unsigned i = 0; i < depth; i++) {
        snprintf(line, sizeof line, "label l%u\n", i);
        append(text, line);
        snprintf(line, sizeof line, "call l%u\n", i + 1);
        if (i + 1 < depth) append(text, line);
        append(text, "ret\n");
    }
    assemble(run, text);
    sch_diagnostics_source(&run->list, "case", NULL, 0);
    assert_int_equal(run->status, SCH_OK);
}

static uint32_t call_deep(struct run *run)
{
    make_calls(run, 33);
    return 2; /* the main program's call is where the depth is too much */
}

static const struct {
    unsigned code;
    uint32_t (*edit)(struct run *run);
} edits[] = {
#define CASE(code, preamble, line, broken, legal)
#define EDIT(code, function) {code, function},
#include "d3d_check_cases.def"
#undef CASE
#undef EDIT
};

enum { EDIT_COUNT = sizeof edits / sizeof *edits };

static void test_edited_programs(void **state)
{
    (void)state;
    unsigned failures = 0;
    for (size_t i = 0; i < EDIT_COUNT; i++) {
        struct run run;
        uint32_t line = edits[i].edit(&run);
        sch_diagnostics_source(&run.list, "edit", NULL, 0);
        check(&run);
        if (!is_broken(&run, edits[i].code, line)) {
            complain(&run, edits[i].code, line, "edit");
            failures++;
        }
        finish(&run);
    }
    assert_int_equal(failures, 0);
}

static void test_depths_that_are_allowed(void **state)
{
    (void)state;
    struct run run;
    make_calls(&run, 32);
    check(&run);
    assert_int_equal(run.status, SCH_OK);
    finish(&run);
}

/* --- every instruction on every kind of resource --- */

static const struct {
    char letter;
    const char *typed; /* dimension of a typed declaration, or NULL */
} kinds[] = {{'b', "buffer"},
             {'1', "texture1d"},
             {'2', "texture2d"},
             {'3', "texture3d"},
             {'c', "texturecube"},
             {'a', "texture1darray"},
             {'A', "texture2darray"},
             {'C', "texturecubearray"},
             {'m', "texture2dms(4)"},
             {'M', "texture2dmsarray(4)"},
             {'r', NULL},
             {'s', NULL}};

static const struct access_case {
    bool view;
    const char *mnemonic, *operands, *kinds;
    bool offset;
} access_cases[] = {
#define ACCESS(mnemonic, operands, kinds, offset) {false, mnemonic, operands, kinds, offset},
#define VIEW_ACCESS(mnemonic, operands, kinds)    {true, mnemonic, operands, kinds, false},
#include "d3d_access_cases.def"
#undef ACCESS
#undef VIEW_ACCESS
};

/* A pixel shader with the one instruction, `suffix` behind its mnemonic, and the one resource. */
static void run_access(struct run *run, const struct access_case *row, size_t kind, const char *suffix)
{
    const char *file = row->view ? "u0" : "t0", *type = row->view ? "uint,uint,uint,uint" : "float,float,float,float";
    char text[TEXT], declaration[256], operands[256];
    if (kinds[kind].typed)
        snprintf(declaration, sizeof declaration, "dcl_%s_%s (%s) %s", row->view ? "uav_typed" : "resource",
                 kinds[kind].typed, type, file);
    else if (kinds[kind].letter == 'r')
        snprintf(declaration, sizeof declaration, "dcl_%s_raw %s", row->view ? "uav" : "resource", file);
    else
        snprintf(declaration, sizeof declaration, "dcl_%s_structured %s, 16", row->view ? "uav" : "resource", file);
    snprintf(operands, sizeof operands, row->operands, file);
    snprintf(text, sizeof text,
             "ps_5_0\ndcl_sampler s0, mode_default\ndcl_sampler s1, mode_comparison\n%s\ndcl_temps 2\n%s%s %s\nret",
             declaration, row->mnemonic, suffix, operands);
    assemble(run, text);
    sch_diagnostics_source(&run->list, "access", NULL, 0);
    if (run->status != SCH_OK) {
        d3d_print_reports("assembling", &run->list);
        fail_msg("not assembled: %s", text);
    }
    check(run);
}

static bool is_cube(char kind) { return kind == 'c' || kind == 'C'; }

static void test_instructions_on_every_resource(void **state)
{
    (void)state;
    unsigned failures = 0;
    for (size_t i = 0; i < sizeof access_cases / sizeof *access_cases; i++)
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
            const struct access_case *row = &access_cases[i];
            char kind = kinds[k].letter;
            if (row->view && strchr("cCmM", kind)) continue; /* no such views */
            struct run run;
            run_access(&run, row, k, "");
            bool legal = strchr(row->kinds, kind) != NULL;
            bool sampled = strstr(row->operands, ", s0") || strstr(row->operands, ", s1");
            unsigned code = sampled && strchr("brs", kind) ? SCH_D_D3D_SAMPLE_BUFFER : SCH_D_D3D_DIMENSION;
            if (legal ? run.list.count != 0 : count_reports(&run.list, code) != 1 || run.list.count != 1) {
                complain(&run, legal ? 0 : code, 6, row->mnemonic);
                failures++;
            }
            finish(&run);
        }
    assert_int_equal(failures, 0);
}

/* "Esse modificador é definido para todos os recursos, incluindo Texture1D/2D Arrays e Texture3D, mas é indefinido para
 * TextureCube." */
static void test_offsets_on_every_resource(void **state)
{
    (void)state;
    unsigned failures = 0;
    for (size_t i = 0; i < sizeof access_cases / sizeof *access_cases; i++)
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
            const struct access_case *row = &access_cases[i];
            char kind = kinds[k].letter;
            if (row->view || !strchr(row->kinds, kind)) continue;
            struct run run;
            run_access(&run, row, k, "_aoffimmi(1,0,0)");
            unsigned code = !row->offset || kind == 'b' ? SCH_D_D3D_OFFSET_PLACE
                            : is_cube(kind)             ? SCH_D_D3D_OFFSET_CUBE
                                                        : 0;
            if (code ? count_reports(&run.list, code) != 1 || run.list.count != 1 : run.list.count != 0) {
                complain(&run, code, 6, row->mnemonic);
                failures++;
            }
            finish(&run);
        }
    assert_int_equal(failures, 0);
}

/* --- every instruction in every stage and model --- */

/* Whether a column of stages of the shared list ("all", "PS,CS (11.1: all)") has a stage in a model. */
static bool list_has_stage(const char *column, const char *stage, unsigned model)
{
    if (!strncmp(column, "all (SM4: PS)", 13)) return model >= 50 || !strcmp(stage, "PS");
    if (!strncmp(column, "all", 3)) return true;
    if (model >= 50 && (strstr(column, "11.1: all") || strstr(column, "SM5: all"))) return true;
    if (strstr(column, "graphics:")) return true;
    return strstr(column, stage) != NULL;
}

static const struct {
    uint32_t version;
    const char *stage;
    unsigned model;
} versions[] = {{0x00040, "PS", 40}, {0x10040, "VS", 40}, {0x20040, "GS", 40}, {0x00041, "PS", 41},
                {0x10041, "VS", 41}, {0x20041, "GS", 41}, {0x00050, "PS", 50}, {0x10050, "VS", 50},
                {0x20050, "GS", 50}, {0x30050, "HS", 50}, {0x40050, "DS", 50}, {0x50050, "CS", 50}};

/* One instruction of an opcode as a program; what it uses is not declared, but here only two numbers count. */
static void run_opcode(struct run *run, const struct sch_d3d_op_info *info, uint32_t version)
{
    uint32_t words[2 + 64] = {version};
    size_t count = 2 + d3d_make_instruction(info, words + 2);
    struct sch_limits limits = SCH_LIMITS_DEFAULT;
    struct sch_d3d_program *program;
    words[1] = (uint32_t)count;
    *run = (struct run){0};
    sch_diagnostics_init(&run->list, &sch_allocator_libc, 0);
    assert_int_equal(sch_d3d_decode(&sch_allocator_libc, &limits, words, count, 0, "SHEX", &run->list, &program),
                     SCH_OK);
    run->status = sch_d3d_check(program, NULL, &run->list);
    sch_d3d_program_destroy(program);
}

/* What the specification's list says of all instructions in all versions sums up to this. */
#define STAGES_SUM "c0678c0a7df749f0"

/* Of an instruction: per version whether it is of the stage, and whether of the model. */
static void say_versions(struct list_sum *sum, unsigned number, const char verdicts[], size_t count)
{
    list_sum_say(sum, number, "%.*s", (int)count, verdicts);
}

static bool is_instruction(unsigned number)
{
    const struct sch_d3d_op_info *info = sch_d3d_op_info(number);
    return info && !(info->flags & (SCH_D3D_F_DECLARATION | SCH_D3D_F_CUSTOM));
}

enum { VERSIONS = sizeof versions / sizeof *versions, NUMBERS = 256 };

static void say_checked(struct list_sum *sum, unsigned number)
{
    char verdicts[2 * VERSIONS];
    for (size_t i = 0; i < VERSIONS; i++) {
        struct run run;
        run_opcode(&run, sch_d3d_op_info(number), versions[i].version);
        size_t stages = count_reports(&run.list, SCH_D_D3D_STAGE), models = count_reports(&run.list, SCH_D_D3D_MODEL);
        assert_true(stages <= 1 && models <= 1);
        verdicts[2 * i] = stages ? 's' : '-';
        verdicts[2 * i + 1] = models ? 'm' : '-';
        finish(&run);
    }
    say_versions(sum, number, verdicts, sizeof verdicts);
}

static void say_listed(struct list_sum *sum, unsigned number, const char *model, const char *stages)
{
    char verdicts[2 * VERSIONS];
    unsigned least = (unsigned)(model[0] - '0') * 10 + (unsigned)(model[2] - '0');
    for (size_t i = 0; i < VERSIONS; i++) {
        verdicts[2 * i] = list_has_stage(stages, versions[i].stage, versions[i].model) ? '-' : 's';
        verdicts[2 * i + 1] = versions[i].model < least ? 'm' : '-';
    }
    say_versions(sum, number, verdicts, sizeof verdicts);
}

static void check_list(char *list)
{
    struct list_sum *sum = list_sum_begin();
    unsigned rows = 0;
    for (char *line = strtok(list, "\n"); line; line = strtok(NULL, "\n")) {
        char model[64], stages[64];
        unsigned number;
        if (sscanf(line, "0x%*x\t%u\t%*[^\t]\t%63[^\t]\t%63[^\t]", &number, model, stages) != 3) continue;
        rows++;
        if (is_instruction(number)) say_listed(sum, number, model, stages);
    }
    assert_int_equal(rows, 235);
    assert_string_equal(list_sum_end(sum), STAGES_SUM);
}

static void test_stages_and_models_of_the_list(void **state)
{
    (void)state;
    struct list_sum *sum = list_sum_begin();
    for (unsigned number = 0; number < NUMBERS; number++)
        if (is_instruction(number)) say_checked(sum, number);
    assert_string_equal(list_sum_end(sum), STAGES_SUM);
    const char *path = shared_path("spec/sm4_opcodes.tsv");
    if (!path) return;
    size_t bytes;
    char *list = load_file(path, &bytes);
    assert_non_null(list);
    check_list(list);
    free(list);
}

/* --- the table of numbers --- */

static bool has_case(unsigned code)
{
    for (size_t i = 0; i < CASE_COUNT; i++)
        if (cases[i].code == code) return true;
    for (size_t i = 0; i < EDIT_COUNT; i++)
        if (edits[i].code == code) return true;
    return false;
}

static void test_every_number_has_a_case(void **state)
{
    (void)state;
    size_t count, seen = 0;
    const struct sch_error_info *rows = sch_diagnostic_rows(&count);
    for (size_t i = 0; i < count; i++) {
        bool error = rows[i].number >= FIRST && rows[i].number < END;
        bool warning = rows[i].number >= FIRST_WARNING && rows[i].number < END_WARNINGS;
        if (!error && !warning) continue;
        seen++;
        assert_string_equal(rows[i].severity, warning ? "warning" : "error");
        if (!has_case(rows[i].number)) fail_msg("%u has no case", rows[i].number);
    }
    assert_true(seen > 60);
}

/* Whether `text` has all the words of `quote`, whatever the white space. */
static bool has_quote(const char *text, const char *quote, size_t bytes)
{
    for (; *text; text++)
        if (!strncmp(text, quote, bytes)) return true;
    return false;
}

/* The restrictions of the page and the numbers that quote them: the quotes sum up to this, and stand in the page. */
#define QUOTES_SUM "ba1977dfc8ff7ecc"

static void test_restrictions_are_quoted(void **state)
{
    (void)state;
    static const unsigned quoting[] = {2400, 2401, 2402, 2403, 2404, 2405, 2406, 2407};
    const char *path = shared_path("spec/d3d-sample.txt");
    size_t bytes, count;
    char *page = path ? load_file(path, &bytes) : NULL;
    const struct sch_error_info *rows = sch_diagnostic_rows(&count);
    struct list_sum *sum = list_sum_begin();
    for (size_t i = 0; i < sizeof quoting / sizeof *quoting; i++)
        for (size_t k = 0; k < count; k++) {
            if (rows[k].number != quoting[i]) continue;
            const char *begin = strchr(rows[k].explanation, '"');
            assert_non_null(begin);
            const char *end = strchr(begin + 1, '"');
            assert_non_null(end);
            list_sum_say(sum, (unsigned)i, "%.*s", (int)(end - begin - 1), begin + 1);
            if (page && !has_quote(page, begin + 1, (size_t)(end - begin) - 1))
                fail_msg("%u quotes what the page does not say", rows[k].number);
        }
    free(page);
    assert_string_equal(list_sum_end(sum), QUOTES_SUM);
}

/* "Os valores literais são um conjunto de números complementares de 4 bits 2, com intervalo inteiro [-8,7]": other
 * values have no bits; the assembler refuses them. */
static void test_offsets_are_from_minus_8_to_7(void **state)
{
    (void)state;
    static const struct {
        const char *offset;
        bool legal;
    } rows[] = {{"-8,7,0", true}, {"7,-8,0", true}, {"-9,0,0", false}, {"0,8,0", false}, {"0,0,8", false}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[TEXT];
        snprintf(text, sizeof text, "%ssample_aoffimmi(%s) r0.xyzw, v0.xyxx, t0.xyzw, s0\nret", preambles[P],
                 rows[i].offset);
        struct run run;
        assemble(&run, text);
        assert_int_equal(run.status, rows[i].legal ? SCH_OK : SCH_ERROR_INVALID);
        if (rows[i].legal) check(&run);
        assert_int_equal(run.status, rows[i].legal ? SCH_OK : SCH_ERROR_INVALID);
        finish(&run);
    }
}

/* "Esta instrução se aplica aos seguintes estágios de sombreador": pixel shaders of models 4, 4.1 and 5. */
static void test_sample_in_stages_and_models(void **state)
{
    (void)state;
    static const struct {
        const char *profile;
        bool legal;
    } rows[] = {{"ps_4_0", true},  {"ps_4_1", true},  {"ps_5_0", true},  {"vs_4_0", false},
                {"vs_5_0", false}, {"gs_5_0", false}, {"ds_5_0", false}, {"cs_5_0", false}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[TEXT];
        snprintf(text, sizeof text, "%s\n%sdcl_temps 1\nsample r0.xyzw, r0.xyxx, t0.xyzw, s0\nret", rows[i].profile,
                 "dcl_sampler s0, mode_default\ndcl_resource_texture2d (float,float,float,float) t0\n");
        struct run run;
        assemble(&run, text);
        assert_int_equal(run.status, SCH_OK);
        check(&run);
        assert_int_equal(count_reports(&run.list, SCH_D_D3D_STAGE), rows[i].legal ? 0 : 1);
        assert_true((run.status == SCH_OK) == rows[i].legal);
        finish(&run);
    }
}

/* --- places, and several reports in one run --- */

static void test_reports_have_places(void **state)
{
    (void)state;
    struct run run;
    run_case(&run, P, "mov r9.x, r0.x\n  add o0.x, null, r0.x\nbreak\nret");
    assert_int_equal(run.list.errors, 3);
    uint32_t lines = lines_of(preambles[P]);
    for (unsigned i = 0; i < 3; i++) assert_int_equal(run.list.items[i].position.line, lines + 1 + i);
    assert_int_equal(run.list.items[1].position.column, 3);
    finish(&run);

    struct run text;
    assemble(&text, "ps_5_0\nbreak\nret");
    uint32_t *words;
    size_t count;
    assert_int_equal(sch_d3d_encode(text.shader->program, &sch_allocator_libc, NULL, &words, &count), SCH_OK);
    struct sch_limits limits = SCH_LIMITS_DEFAULT;
    struct sch_d3d_program *program;
    assert_int_equal(sch_d3d_decode(&sch_allocator_libc, &limits, words, count, 100, "SHEX", NULL, &program), SCH_OK);
    assert_int_equal(sch_d3d_check(program, NULL, &text.list), SCH_ERROR_INVALID);
    assert_int_equal(text.list.items[0].code, SCH_D_D3D_BREAK_OUTSIDE);
    assert_int_equal(text.list.items[0].position.line, 0);
    assert_int_equal(text.list.items[0].position.offset, 100 + 4 * 2);
    sch_d3d_program_destroy(program);
    free(words);
    finish(&text);
}

/* --- real programs --- */

/* The one that is there to be refused: a break outside of loops. */
static bool is_meant_to_be_wrong(const char *name) { return strstr(name, "invalid_shaders.ps_break_code") != NULL; }

static void test_real_programs_are_valid(void **state)
{
    (void)state;
    size_t count, wrong = 0, warnings = 0;
    struct d3d_file *files = d3d_corpus(&count);
    for (size_t i = 0; i < count; i++) {
        struct run run = {0};
        struct sch_limits limits = SCH_LIMITS_DEFAULT;
        sch_diagnostics_init(&run.list, &sch_allocator_libc, 0);
        assert_int_equal(sch_d3d_shader_read(&sch_allocator_libc, &limits, files[i].data, files[i].bytes, false,
                                             &run.list, &run.shader),
                         SCH_OK);
        check(&run);
        bool expected = !is_meant_to_be_wrong(files[i].name);
        if ((run.status == SCH_OK) != expected) {
            d3d_print_reports(files[i].name, &run.list);
            wrong++;
        }
        if (!expected) assert_int_equal(run.list.items[0].code, SCH_D_D3D_BREAK_OUTSIDE);
        warnings += run.list.warnings > 0;
        finish(&run);
    }
    print_message("# %zu programs, %zu with warnings\n", count, warnings);
    assert_int_equal(wrong, 0);
    d3d_corpus_free(files, count);
}

/* --- hostile programs --- */

/* Every byte of a program may be anything that decodes: the check answers, and says the same twice. */
static void test_changed_words(void **state)
{
    (void)state;
    uint32_t seed = 12345;
    for (unsigned p = 0; p < 3; p++) {
        static const char *const bodies[] = {
            "sample_aoffimmi(1,1,0) r0.xyzw, v0.xyxx, t0.xyzw, s0\nmov x0[r0.x + 1].xy, cb0[r0.x].xyxx\nret",
            ("if_nz r0.x\nloop\nswitch r0.x\ncase l(1)\nbreak\nendswitch\nbreak\nendloop\nelse\nendif\ncall l0\nret\n"
             "label l0\nret"),
            "imm_atomic_iadd r0.y, u2, l(0), l(1)\nld_structured r0.x, l(0), l(0), u1.x\ndmov r0.zw, r0.xyzw\nret"};
        struct run run;
        run_case(&run, P, bodies[p]);
        assert_int_equal(run.status, SCH_OK);
        uint32_t *words;
        size_t count, decoded = 0;
        assert_int_equal(sch_d3d_encode(run.shader->program, &sch_allocator_libc, NULL, &words, &count), SCH_OK);
        for (unsigned i = 0; i < 20000; i++) {
            seed = seed * 1664525 + 1013904223;
            size_t at = (seed >> 8) % count;
            uint32_t before = words[at];
            words[at] ^= 1u << (seed & 31);
            struct sch_limits limits = SCH_LIMITS_DEFAULT;
            struct sch_d3d_program *program;
            if (sch_d3d_decode(&sch_allocator_libc, &limits, words, count, 0, "SHEX", NULL, &program) == SCH_OK) {
                enum sch_result one = sch_d3d_check(program, NULL, NULL);
                assert_int_equal(sch_d3d_check(program, run.shader->signatures, NULL), one);
                assert_true(one == SCH_OK || one == SCH_ERROR_INVALID);
                sch_d3d_program_destroy(program);
                decoded++;
            }
            words[at] = before;
        }
        assert_true(decoded > 1000);
        free(words);
        finish(&run);
    }
}

/* A text of `count` times the line that `format` makes of a number, behind `head` and before `tail`. */
static void run_many(struct run *run, const char *head, const char *format, unsigned count, const char *tail)
{
    size_t most = (size_t)count * 64 + strlen(head) + strlen(tail) + 1, bytes;
    char *text = malloc(most);
    assert_non_null(text);
    bytes = (size_t)sprintf(text, "%s", head);
    for (unsigned i = 0; i < count; i++) bytes += (size_t)snprintf(text + bytes, most - bytes, format, i, i + 1);
    assert_true(strlen(tail) < most - bytes);
    strcpy(text + bytes, tail);
    assemble(run, text);
    sch_diagnostics_source(&run->list, "many", NULL, 0);
    free(text);
    assert_int_equal(run->status, SCH_OK);
    check(run);
}

/* Programs that would take long, or the stack, if something were asked of everything that is open, declared or
 * called. */
static void test_many_of_one_kind(void **state)
{
    (void)state;
    enum { MANY = 20000 };
    struct run run;
    run_many(&run, "ps_5_0\n", "loop\nbreakc_nz l(%u)\n", MANY, "ret");
    assert_int_equal(count_reports(&run.list, SCH_D_D3D_NESTING), 1);
    assert_int_equal(count_reports(&run.list, SCH_D_D3D_UNCLOSED), MANY);
    assert_int_equal(count_reports(&run.list, SCH_D_D3D_BREAK_OUTSIDE), 0);
    finish(&run);
    run_many(&run, "ps_5_0\nswitch l(0)\n", "case l(1)\ncase l(-%u)\n", MANY, "break\nendswitch\nret");
    assert_int_equal(count_reports(&run.list, SCH_D_D3D_CASE_TWICE), MANY - 1);
    finish(&run);
    run_many(&run, "ps_5_0\nret\n", "label l%u\ncall l%u\nret\n", MANY, "label l20000\nret");
    assert_int_equal(count_reports(&run.list, SCH_D_D3D_NESTING), 1);
    assert_int_equal(run.list.errors, 1);
    finish(&run);
    run_many(&run, "ps_5_1\n", "dcl_sampler S%u[%u:100000], mode_default, space=0\n", MANY, "ret");
    assert_int_equal(count_reports(&run.list, SCH_D_D3D_DECLARED_TWICE), MANY - 1);
    finish(&run);
}

/* --- no memory --- */

static void test_no_memory(void **state)
{
    (void)state;
    struct run run;
    run_many(&run, "ps_5_0\nswitch l(0)\n", "case l(%u)\n", 5000, "break\nendswitch\nret");
    assert_int_equal(run.status, SCH_OK);
    struct sch_d3d_program *program = run.shader->program;
    const struct sch_allocator before = program->arena.allocator;
    long refused = 0;
    for (enum sch_result status = SCH_ERROR_MEMORY; status != SCH_OK; refused++) {
        struct counting counting = {.fail_from = refused + 1};
        program->arena.allocator = counting_callbacks(&counting);
        status = sch_d3d_check(program, NULL, NULL);
        assert_true(status == SCH_OK || status == SCH_ERROR_MEMORY);
        assert_int_equal(counting.live, 0);
    }
    program->arena.allocator = before;
    assert_true(refused > 3);
    finish(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_rules_are_broken),
        TEST(test_neighbours_are_legal),
        TEST(test_words_of_reports),
        TEST(test_edited_programs),
        TEST(test_depths_that_are_allowed),
        TEST(test_instructions_on_every_resource),
        TEST(test_offsets_on_every_resource),
        TEST(test_stages_and_models_of_the_list),
        TEST(test_every_number_has_a_case),
        TEST(test_restrictions_are_quoted),
        TEST(test_offsets_are_from_minus_8_to_7),
        TEST(test_sample_in_stages_and_models),
        TEST(test_reports_have_places),
        TEST(test_real_programs_are_valid),
        TEST(test_changed_words),
        TEST(test_many_of_one_kind),
        TEST(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
