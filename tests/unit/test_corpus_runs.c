/* The captured shaders of every stage with random inputs, 64 invocations each: the same bits at every width and with
 * every number of threads, and no refusal but of texture lookups, IMAGE access and FBFETCH. Skips where the shared
 * folder is missing. */
#include "tgsi_support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api_program.h"

enum {
    COUNT = 64,
    VERTICES = 8,
    REGISTERS = 64,
    VALUES = 16,
    EVENTS = 24,
    OUTPUTS = 24,
    CONSTANTS = 512,
    BUFFERS = 16,
    BUFFER_WORDS = 512,
    OPCODES = 256
};

struct data {
    uint32_t inputs[COUNT][VERTICES][REGISTERS][4], values[COUNT][VALUES][4], planes[COUNT][8][4][4];
    uint32_t centroids[COUNT][2], constants[4][CONSTANTS][4];
    struct sch_constant_buffer buffers[4];
    uint32_t memory[BUFFERS][BUFFER_WORDS];
};

struct results {
    enum sch_result result;
    struct sch_dispatch_report report;
    uint32_t outputs[COUNT][OUTPUTS][4], events[COUNT][EVENTS], event_counts[COUNT];
    uint32_t event_outputs[COUNT][EVENTS][OUTPUTS][4];
    uint8_t killed[COUNT];
    uint32_t memory[BUFFERS][BUFFER_WORDS];
};

struct tally {
    unsigned programs, refused, executed, budgets;
    unsigned long vertices, ends, lanes, finished;
    unsigned opcodes[OPCODES]; /* executed programs that have them, by the row in the table of opcodes */
};

static uint64_t seed;

/* splitmix64; small integers, floats near one and any bits. */
static uint32_t random_word(void)
{
    uint64_t z = seed += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    z ^= z >> 31;
    if (z % 4 == 0) return (uint32_t)(z >> 40) % 8;
    if (z % 4 == 1) return (uint32_t)(z >> 32);
    return api_bits((float)(int32_t)(z >> 32 & 0xffff) / 4096.0f - 4.0f);
}

static void fill(void *data, size_t words)
{
    for (size_t i = 0; i < words; i++) ((uint32_t *)data)[i] = random_word();
}

static void fill_data(struct data *data)
{
    fill(data->inputs, sizeof data->inputs / 4);
    fill(data->values, sizeof data->values / 4);
    fill(data->planes, sizeof data->planes / 4);
    fill(data->centroids, sizeof data->centroids / 4);
    fill(data->constants, sizeof data->constants / 4);
    fill(data->memory, sizeof data->memory / 4);
    for (unsigned b = 0; b < 4; b++)
        data->buffers[b] = (struct sch_constant_buffer){data->constants[b], sizeof data->constants[b]};
}

static void run(const struct sch_program *program, const struct sch_shader_info *info, const struct data *data,
                unsigned threads, struct results *results)
{
    static const uint8_t given[VALUES] = {0, 1, 1, 1}; /* SV[0] is mostly INVOCATIONID */
    struct sch_storage_buffer buffers[BUFFERS];
    memset(results, 0, sizeof *results);
    memcpy(results->memory, data->memory, sizeof results->memory);
    for (unsigned b = 0; b < BUFFERS; b++)
        buffers[b] = (struct sch_storage_buffer){results->memory[b], sizeof results->memory[b]};
    const struct sch_bindings bindings = {.size = sizeof bindings,
                                          .constants = data->buffers,
                                          .constant_count = 4,
                                          .buffers = buffers,
                                          .buffer_count = BUFFERS / 2,
                                          .hw_atomics = buffers + BUFFERS / 2,
                                          .hw_atomic_count = BUFFERS / 2};
    const struct sch_invocations work = {.size = sizeof work,
                                         .count = COUNT,
                                         .quads = info->stage == SCH_SHADER_FRAGMENT,
                                         .inputs = data->inputs[0][0][0],
                                         .input_registers = REGISTERS,
                                         .input_vertices = VERTICES,
                                         .system_values = data->values[0][0],
                                         .system_value_registers = VALUES,
                                         .system_value_given = given,
                                         .planes = data->planes[0][0][0],
                                         .plane_registers = 8,
                                         .centroids = data->centroids[0],
                                         .samples = 4,
                                         .outputs = results->outputs[0][0],
                                         .output_registers = OUTPUTS,
                                         .killed = results->killed,
                                         .event_capacity = EVENTS,
                                         .event_registers = OUTPUTS,
                                         .events = results->events[0],
                                         .event_counts = results->event_counts,
                                         .event_outputs = results->event_outputs[0][0][0]};
    const struct sch_dispatch_options options = {.size = sizeof options, .threads = threads, .budget = 5000};
    results->report.size = sizeof results->report;
    if (info->stage != SCH_SHADER_COMPUTE) {
        results->result = sch_dispatch(program, &bindings, &work, &options, &results->report);
        return;
    }
    uint32_t block = 1, grid[3] = {1, 1, 1};
    for (unsigned d = 0; d < 3; d++) block *= info->block[d] ? info->block[d] : 1;
    if (block < COUNT) grid[0] = COUNT / block;
    results->result = sch_dispatch_grid(program, &bindings, grid, NULL, &options, &results->report);
}

/* What a run that fails leaves behind is not promised, only that it fails, and where. */
static bool same(const struct results *a, const struct results *b)
{
    if (a->result != b->result) return false;
    if (a->result != SCH_OK)
        return a->report.invocation == b->report.invocation && a->report.instruction == b->report.instruction;
    return memcmp(a, b, sizeof *a) == 0;
}

/* Whether a text names what is not executed yet: textures, images, the framebuffer. */
static bool may_be_refused(const char *text)
{
    return strstr(text, "DCL SAMP") || strstr(text, "DCL SVIEW") || strstr(text, "DCL IMAGE") ||
           strstr(text, "FBFETCH");
}

/* Counts a program for each opcode that it has. Captured texts have one instruction a line behind "n: ". */
static void count_opcodes(const char *text, struct tally *tally)
{
    static struct sch_opcode_view rows[OPCODES];
    static size_t count;
    bool seen[OPCODES] = {0};
    while (count < OPCODES && sch_table_opcode(count, &rows[count])) count++;
    for (const char *line = strstr(text, ": "); line; line = strstr(line, ": ")) {
        line += 2 + strspn(line + 2, " ");
        size_t length = strspn(line, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
        for (size_t i = 0; i < count; i++) {
            size_t name = strlen(rows[i].name);
            bool suffix = length > name && (line[name] == '_') &&
                          (!strncmp(line + name, "_SAT", 4) || !strncmp(line + name, "_PRECISE", 8));
            if (!strncmp(line, rows[i].name, name) && (length == name || suffix)) seen[i] = true;
        }
    }
    for (size_t i = 0; i < count; i++) tally->opcodes[i] += seen[i];
}

static void print_opcodes(const struct tally *tally)
{
    struct sch_opcode_view row;
    printf("#   opcodes (executed programs that have them):");
    for (size_t i = 0; i < OPCODES && sch_table_opcode(i, &row); i++)
        if (tally->opcodes[i]) printf(" %s %u", row.name, tally->opcodes[i]);
    puts("");
}

static void check_program(struct sch_context *context, const char *path, const char *text, size_t bytes,
                          const struct data *data, struct results results[2], struct tally *tally)
{
    bool first = true;
    struct sch_shader *shader = NULL;
    struct sch_shader_info info = {.size = sizeof info};
    assert_int_equal(sch_shader_read(context, text, bytes, NULL, NULL, &shader), SCH_OK);
    assert_int_equal(sch_shader_get_info(shader, &info), SCH_OK);
    sch_shader_destroy(shader);
    tally->programs++;
    for (unsigned width = 4; width <= 16; width *= 2) {
        enum sch_result why;
        struct sch_program *program = api_program_try(context, text, bytes, width, &why);
        if (!program) {
            if (why != SCH_ERROR_UNSUPPORTED || !may_be_refused(text)) fail_msg("%s: %s", path, sch_result_text(why));
            tally->refused++;
            return;
        }
        for (unsigned threads = 1; threads <= 3; threads++, first = false) {
            run(program, &info, data, threads, &results[!first]);
            if (!first && !same(&results[0], &results[1])) fail_msg("%s: width %u, %u threads", path, width, threads);
        }
        sch_program_destroy(program);
    }
    tally->executed++;
    tally->budgets += results[0].result == SCH_ERROR_BUDGET;
    tally->lanes += COUNT;
    count_opcodes(text, tally);
    if (results[0].result != SCH_OK) return;
    tally->finished += COUNT;
    for (unsigned i = 0; i < COUNT; i++) tally->finished -= results[0].killed[i];
    for (unsigned i = 0; i < COUNT; i++)
        for (unsigned n = 0; n < results[0].event_counts[i] && n < EVENTS; n++)
            *(results[0].events[i][n] & SCH_EMITTED_PRIMITIVE_END ? &tally->ends : &tally->vertices) += 1;
}

static void run_part(const char *wanted)
{
    size_t count;
    char **paths = captured_texts(&count);
    if (!count) {
        free_texts(paths, count);
        skip();
    }
    struct sch_context *context = NULL;
    assert_int_equal(sch_context_create(NULL, &context), SCH_OK);
    struct data *data = malloc(sizeof *data);
    struct results *results = malloc(2 * sizeof *results);
    assert_true(data && results);
    struct tally tally = {0};
    seed = 1;
    fill_data(data);
    for (size_t i = 0; i < count; i++) {
        size_t bytes;
        char *text = load_file(paths[i], &bytes);
        assert_non_null(text);
        if (strstr(paths[i], wanted)) check_program(context, paths[i], text, bytes, data, results, &tally);
        free(text);
    }
    printf("# %s: %u programs, %u refused, %u executed (%u out of budget), %.2f %% of %lu lanes reach END alive, %lu "
           "vertices, %lu ends\n",
           wanted, tally.programs, tally.refused, tally.executed, tally.budgets, 100.0 * tally.finished / tally.lanes,
           tally.lanes, tally.vertices, tally.ends);
    print_opcodes(&tally);
    assert_true(tally.executed > 0);
    free(results);
    free(data);
    sch_context_destroy(context);
    free_texts(paths, count);
}

static void vertex(void **state) { (void)state, run_part("/vs/"); }
static void tessellation_control(void **state) { (void)state, run_part("/tcs/"); }
static void tessellation_evaluation(void **state) { (void)state, run_part("/tes/"); }
static void geometry(void **state) { (void)state, run_part("/gs/"); }
static void fragment(void **state) { (void)state, run_part("/fs/"); }
static void compute(void **state) { (void)state, run_part("/cs/"); }

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vertex),
        cmocka_unit_test(tessellation_control),
        cmocka_unit_test(tessellation_evaluation),
        cmocka_unit_test(geometry),
        cmocka_unit_test(fragment),
        cmocka_unit_test(compute),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
