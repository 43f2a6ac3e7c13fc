/* Fuzz target: launches of kernels. The input says the sizes of grid and block, up to four arguments and a surface,
 * then comes the code: a cubin, a text, or raw code. Whatever it says, it ends within its work, takes bounded memory,
 * and has the same result, report and memory at two widths and with checks; nothing is held afterwards. */
#include <string.h>

#include <scheelite/scheelite.h>

#include "fuzz.h"

enum { HEAD = 12, ARGUMENTS = 4, VALUE = 8, ENTRY = 32, CODE = HEAD + ARGUMENTS * VALUE + ENTRY, MOST = 1 << 14 };
enum { WORDS = 64, LIMIT = 32 << 20, BUDGET = 256, WORK = 8192, SURFACE = 0x100000 };

/* Of HEAD: what its bytes are. */
enum { GRID = 0, BLOCK = 3, KIND = 6, COUNT, FORMS, SHARED, LOCAL, OTHERS };

/* What a launch leaves. */
struct left {
    enum sch_result result;
    struct sch_dispatch_report report;
    uint32_t memory[ARGUMENTS + 1][WORDS];
};

static struct sch_context *make_context(void)
{
    const struct sch_limit_options limits = {.size = sizeof limits, .memory = LIMIT, .context_memory = 2 * LIMIT};
    const struct sch_context_options options = {.size = sizeof options, .limits = &limits};
    struct sch_context *context;
    return sch_context_create(&options, &context) == SCH_OK ? context : NULL;
}

/* An argument is a value of 1 to 8 bytes, or memory that a kernel may write or not; of bytes of its own choice. */
static void fill_arguments(const uint8_t *data, struct left *left, struct sch_launch_argument arguments[ARGUMENTS])
{
    for (unsigned a = 0; a < ARGUMENTS; a++) {
        const uint8_t *value = data + HEAD + (size_t)VALUE * a;
        const unsigned form = data[FORMS] >> 2 * a & 3;
        arguments[a] = (struct sch_launch_argument){.value = value, .bytes = 1 + value[0] % VALUE};
        if (!form) continue;
        for (unsigned i = 0; i < WORDS; i++) left->memory[a][i] = value[i % VALUE] * (i + 1);
        arguments[a] = (struct sch_launch_argument){.memory = left->memory[a],
                                                    .bytes = sizeof left->memory[a] - (form == 3 ? value[1] : 0),
                                                    .read_only = form == 2};
    }
}

static void launch(const uint8_t *data, const struct sch_shader *shader, struct sch_context *context, uint32_t width,
                   uint32_t checks, struct left *left)
{
    struct sch_launch_argument arguments[ARGUMENTS];
    const struct sch_program_options options = {.size = sizeof options, .width = width};
    const struct sch_maxwell_range surface = {
        .address = SURFACE, .data = left->memory[ARGUMENTS], .bytes = sizeof left->memory[ARGUMENTS], .writable = true};
    const struct sch_maxwell_bindings maxwell = {.size = sizeof maxwell,
                                                 .headers = data + CODE - ENTRY,
                                                 .header_bytes = ENTRY,
                                                 .samplers = data + CODE - ENTRY,
                                                 .sampler_bytes = ENTRY,
                                                 .ranges = &surface,
                                                 .range_count = 1};
    const struct sch_bindings bindings = {.size = sizeof bindings, .maxwell = &maxwell};
    struct sch_launch is = {.size = sizeof is,
                            .arguments = arguments,
                            .argument_count = data[COUNT] % (ARGUMENTS + 1),
                            .shared_bytes = data[SHARED] * 8u,
                            .local_bytes = data[LOCAL] * 16u,
                            .bindings = data[OTHERS] & 1 ? &bindings : NULL};
    const struct sch_dispatch_options dispatch = {
        .size = sizeof dispatch, .budget = BUDGET, .work = WORK, .checks = checks, .threads = width > 4 ? 2 : 1};
    struct sch_program *program;
    memset(left, 0, sizeof *left);
    left->report.size = sizeof left->report;
    fill_arguments(data, left, arguments);
    for (unsigned d = 0; d < 3; d++) {
        is.grid[d] = data[GRID + d] % 4;
        is.block[d] = data[BLOCK + d] % (d ? 4 : 97);
    }
    left->result = sch_program_create(context, shader, &options, NULL, &program);
    if (left->result == SCH_OK) left->result = sch_launch_kernel(program, shader, &is, &dispatch, &left->report);
    left->report.findings = 0;
    sch_program_destroy(program);
}

static const char *compare(const struct left *one, const struct left *other)
{
    if (one->result != other->result) return "another result";
    if (memcmp(&one->report, &other->report, sizeof one->report) != 0) return "another report";
    return memcmp(one->memory, other->memory, sizeof one->memory) != 0 ? "other memory" : NULL;
}

const char *sch_fuzz_check(const uint8_t *data, size_t bytes)
{
    static const enum sch_kind kinds[] = {SCH_KIND_AUTO, SCH_KIND_MAXWELL, SCH_KIND_MAXWELL_TEXT, SCH_KIND_CUBIN};
    static struct left one, other;
    const char *finding = NULL;
    if (bytes < CODE || bytes > MOST) return NULL;
    struct sch_context *context = make_context();
    struct sch_shader *shader = NULL;
    const struct sch_read_options options = {
        .size = sizeof options, .kind = kinds[data[KIND] % 4], .kernel = data[KIND] & 4 ? "1" : NULL};
    if (context && sch_shader_read(context, data + CODE, bytes - CODE, &options, NULL, &shader) == SCH_OK) {
        launch(data, shader, context, 4, 0, &one);
        launch(data, shader, context, 16, 0, &other);
        finding = compare(&one, &other);
        if (!finding) {
            launch(data, shader, context, 8, SCH_CHECK_RACES | SCH_CHECK_UNWRITTEN, &other);
            finding = compare(&one, &other);
        }
    }
    sch_shader_destroy(shader);
    sch_context_destroy(context);
    return finding;
}

SCH_FUZZ_TARGET
