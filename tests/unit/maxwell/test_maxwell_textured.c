/* Compiled kernels that look up textures, with textures of every type, samplers and memory bound: they run, and give
 * the same bits at each width and on each engine. The kernels are beside the repository, and read when present; what
 * their parameters are says the PTX that they are made of. What lookups give is tested elsewhere. */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <scheelite/scheelite.h>

#include "../support/by_code.h"
#include "../support/random_number.h"
#include "../support/sanitized.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

enum { ARGUMENTS = 16, BYTES = 1 << 16, MEMORY = 1 << 20, SAMPLERS = 64, NAMES = 512, NAME = 64, TEXT = 1 << 16 };
static const uint64_t texels_at = UINT64_C(0x600000000);

static uint64_t random_state = 1;
static uint32_t random_word(void) { return (uint32_t)(random_number(&random_state) >> 32); }

/* ---- pools ---- */

/* Geometries by their names in PTX. */
static const struct geometry {
    const char *name, *type;
    unsigned depth;
    bool levels, samples;
} geometries[] = {{".1d.", "ONE_D", 1, true, false},
                  {".2d.", "TWO_D", 1, true, false},
                  {".3d.", "THREE_D", 5, true, false},
                  {".cube.", "CUBEMAP", 1, true, false},
                  {".a1d.", "ONE_D_ARRAY", 6, true, false},
                  {".a2d.", "TWO_D_ARRAY", 6, true, false},
                  {".acube.", "CUBEMAP_ARRAY", 2, true, false},
                  {".2dms.", "TWO_D", 1, false, true},
                  {".a2dms.", "TWO_D_ARRAY", 3, false, true}};
static const char *const layouts[][2] = {{"A8B8G8R8", "UNORM"},
                                         {"R32G32B32A32", "FLOAT"},
                                         {"R16G16B16A16", "FLOAT"},
                                         {"R32G32B32A32", "SINT"},
                                         {"DXT45", "UNORM"}};
enum { LAYOUTS = COUNT(layouts) };

static char *pool_text(void)
{
    const size_t bytes = COUNT(geometries) * LAYOUTS * 400 + (size_t)SAMPLERS * 200;
    char *text = calloc(1, bytes);
    assert_non_null(text);
    size_t used = 0;
    for (unsigned g = 0; g < COUNT(geometries); g++)
        for (unsigned l = 0; l < LAYOUTS; l++) {
            const struct geometry *is = &geometries[g];
            /* Compressed blocks are refused of one axis and of samples. */
            const unsigned layout = l == LAYOUTS - 1 && (is->samples || strstr(is->type, "ONE_D")) ? 0 : l;
            const char *type = layouts[layout][1];
            used += (size_t)snprintf(
                text + used, bytes - used,
                "header %u BLOCKLINEAR { COMPONENTS = %s; R_DATA_TYPE = %s; G_DATA_TYPE = %s; B_DATA_TYPE = %s\n"
                "A_DATA_TYPE = %s; TEXTURE_TYPE = %s; WIDTH = 16; HEIGHT = 16; DEPTH = %u; ADDRESS = 0x%llx\n"
                "BORDER_SIZE = SAMPLER_COLOR; MAX_MIP_LEVEL = %u; RES_VIEW_MAX_MIP_LEVEL = %u; %s }\n",
                g * LAYOUTS + l, layouts[layout][0], type, type, type, type, is->type, is->depth,
                (unsigned long long)texels_at, is->levels ? 3 : 0, is->levels ? 3 : 0,
                is->samples ? "MULTI_SAMPLE_COUNT = MODE_2X2" : "");
        }
    return text;
}

static char *sampler_text(void)
{
    static const char *const kinds[] = {
        "MAG_FILTER = MAG_LINEAR; MIN_FILTER = MIN_LINEAR; MIP_FILTER = MIP_LINEAR; MAX_LOD_CLAMP = 15",
        "MAG_FILTER = MAG_POINT; MIN_FILTER = MIN_POINT; ADDRESS_U = MIRROR; ADDRESS_V = CLAMP_TO_EDGE",
        "MAG_FILTER = MAG_LINEAR; MIN_FILTER = MIN_LINEAR; DEPTH_COMPARE = TRUE; DEPTH_COMPARE_FUNC = ZC_LESS",
        ("MAG_FILTER = MAG_LINEAR; MIN_FILTER = MIN_ANISO; MIP_FILTER = MIP_POINT; MAX_ANISOTROPY = ANISO_4_TO_1\n"
         "ADDRESS_U = BORDER; ADDRESS_V = BORDER; BORDER_COLOR_R = 0.5; MAX_LOD_CLAMP = 15")};
    const size_t bytes = (size_t)SAMPLERS * 256;
    char *text = calloc(1, bytes);
    assert_non_null(text);
    size_t used = 0;
    for (unsigned i = 0; i < SAMPLERS; i++)
        used += (size_t)snprintf(text + used, bytes - used, "sampler %u { %s }\n", i, kinds[i % COUNT(kinds)]);
    return text;
}

static struct sch_context *context;
static struct sch_diagnostics_list *list;
static struct sch_maxwell_bindings machine = {.size = sizeof machine};
static uint8_t *texels;

static const char *said(void)
{
    static struct sch_diagnostic_info info = {.size = sizeof info};
    return sch_diagnostics_get(list, 0, &info) ? info.message : "nothing was said";
}

static void *assemble(char *text, size_t *bytes)
{
    void *pool = NULL;
    if (sch_maxwell_pool_assemble(context, text, strlen(text), NULL, list, &pool, bytes) != SCH_OK)
        fail_msg("%s", said());
    free(text);
    return pool;
}

static void *pools[2];

static int make(void **state)
{
    (void)state;
    if (sch_context_create(NULL, &context) != SCH_OK || sch_diagnostics_create(context, &list) != SCH_OK) return 1;
    texels = malloc(MEMORY);
    assert_non_null(texels);
    for (size_t i = 0; i < MEMORY; i++) texels[i] = (uint8_t)random_word();
    pools[0] = assemble(pool_text(), &machine.header_bytes);
    pools[1] = assemble(sampler_text(), &machine.sampler_bytes);
    machine.headers = pools[0];
    machine.samplers = pools[1];
    machine.memory = texels;
    machine.memory_bytes = MEMORY;
    machine.memory_address = texels_at;
    /* The driver's table of what textures and samplers are: c[0x0][0xb0] and 0xb8 are 0, and so is its address. */
    static struct sch_maxwell_range table;
    table = (struct sch_maxwell_range){.data = texels, .bytes = MEMORY};
    machine.ranges = &table;
    machine.range_count = 1;
    return 0;
}

static int release(void **state)
{
    (void)state;
    sch_free(context, pools[0]);
    sch_free(context, pools[1]);
    free(texels);
    sch_diagnostics_destroy(list);
    sch_context_destroy(context);
    return 0;
}

/* ---- what a kernel is given ---- */

enum parameter { POINTER, HANDLE, INTEGER, FLOAT };
struct kernel {
    char name[NAME];
    enum parameter parameter[ARGUMENTS];
    unsigned parameters, geometry;
    bool is_program; /* it reads what it is given, and random data may lead it outside of memory */
};

/* The register that a parameter is loaded into is made an address; others of 64 bits are handles. */
static bool is_pointer(const char *ptx, const char *name)
{
    char wanted[NAME + 4], use[NAME];
    snprintf(wanted, sizeof wanted, "[%s]", name);
    const char *load = strstr(ptx, wanted), *end = load;
    if (!load) return true;
    while (load > ptx && *load != '%') load--;
    while (end > load && *end != ',') end--;
    snprintf(use, sizeof use, "%.*s;", (int)(end - load), load);
    for (const char *at = ptx; (at = strstr(at, "cvta.to.global.u64")); at++) {
        const char *stop = strchr(at, ';'), *found = strstr(at, use);
        if (stop && found && found < stop) return true;
    }
    return false;
}

static void read_parameters(const char *ptx, struct kernel *kernel)
{
    const char *entry = strstr(ptx, ".entry"), *end = entry ? strchr(entry, '{') : NULL;
    if (!end) fail_msg("%s: no entry", kernel->name);
    for (const char *at = entry; (at = strstr(at, ".param ")) && at < end; at++) {
        char type[8], name[NAME];
        if (sscanf(at, ".param .%7s %63[A-Za-z0-9_$]", type, name) != 2 || kernel->parameters == ARGUMENTS)
            fail_msg("%s: a parameter", kernel->name);
        kernel->parameter[kernel->parameters++] = strcmp(type, "f32") == 0   ? FLOAT
                                                  : strcmp(type, "u64") != 0 ? INTEGER
                                                  : is_pointer(ptx, name)    ? POINTER
                                                                             : HANDLE;
    }
    kernel->geometry = 1;
    for (unsigned g = 0; g < COUNT(geometries); g++)
        if (strstr(end, geometries[g].name)) kernel->geometry = g;
}

/* ---- launches ---- */

struct outcome {
    enum sch_result result;
    unsigned code;
    _Alignas(16) uint8_t memory[ARGUMENTS][BYTES]; /* kernels store four words at once */
};

/* Programs have small integers, which are indices and counts to some. */
static void fill_argument(uint8_t *memory, bool floats)
{
    for (size_t i = 0; i < BYTES; i += sizeof(uint32_t)) {
        const float f = (float)(random_word() % 64) / 16;
        uint32_t word = random_word() % 16;
        if (floats && random_word() % 2) memcpy(&word, &f, sizeof word);
        memcpy(memory + i, &word, sizeof word);
    }
}

static void launch(const struct kernel *kernel, const struct sch_shader *shader, enum sch_engine engine, unsigned width,
                   unsigned layout, struct outcome *made)
{
    sch_diagnostics_destroy(list);
    assert_int_equal(sch_diagnostics_create(context, &list), SCH_OK);
    static const uint32_t number = 16;
    static const float fraction = 0.75f;
    struct sch_launch_argument arguments[ARGUMENTS] = {{0}};
    const uint64_t handle = (uint64_t)(layout * 7 % SAMPLERS) << 20 | (kernel->geometry * LAYOUTS + layout);
    for (unsigned p = 0; p < kernel->parameters; p++) switch (kernel->parameter[p]) {
        case POINTER:
            arguments[p] = (struct sch_launch_argument){.memory = made->memory[p], .bytes = BYTES};
            break;
        case HANDLE:
            arguments[p] = (struct sch_launch_argument){.value = &handle, .bytes = sizeof handle};
            break;
        case INTEGER:
            arguments[p] = (struct sch_launch_argument){.value = &number, .bytes = sizeof number};
            break;
        default:
            arguments[p] = (struct sch_launch_argument){.value = &fraction, .bytes = sizeof fraction};
            break;
        }
    const struct sch_bindings bindings = {.size = sizeof bindings, .maxwell = &machine};
    const struct sch_launch what = {.size = sizeof what,
                                    .grid = {2, 1, 1},
                                    .block = {16, 4, 1},
                                    .arguments = arguments,
                                    .argument_count = kernel->parameters,
                                    .bindings = &bindings};
    const struct sch_program_options options = {.size = sizeof options, .engine = engine, .width = width};
    const struct sch_dispatch_options how = {.size = sizeof how, .threads = 1, .diagnostics = list};
    struct sch_diagnostic_info info = {.size = sizeof info};
    struct sch_program *program = NULL;
    if (sch_program_create(context, shader, &options, list, &program) != SCH_OK)
        fail_msg("%s: %s", kernel->name, said());
    made->result = sch_launch_kernel(program, shader, &what, &how, NULL);
    made->code = made->result != SCH_OK && sch_diagnostics_get(list, 0, &info) ? info.code : 0;
    sch_program_destroy(program);
}

/* The kernel ran, or went outside of memory. */
static void check_outcome(const struct kernel *kernel, const struct outcome *made)
{
    enum { OUTSIDE = 4328, MISALIGNED = 4329 };
    if (made->result == SCH_OK) return;
    if (!kernel->is_program || made->result != SCH_ERROR_ABORTED || (made->code != OUTSIDE && made->code != MISALIGNED))
        fail_msg("%s: %s: %s", kernel->name, sch_result_text(made->result), said());
}

static unsigned ended, outside, wrote;

static void compare(const struct kernel *kernel, const struct sch_shader *shader, unsigned layout)
{
    static struct outcome start, first, other;
    static const struct {
        enum sch_engine engine;
        unsigned width;
    } ways[] = {{SCH_ENGINE_INTERPRETER, 8}, {SCH_ENGINE_INTERPRETER, 16}, {SCH_ENGINE_AUTO, 4}, {SCH_ENGINE_AUTO, 8}};
    for (unsigned p = 0; p < kernel->parameters; p++) fill_argument(start.memory[p], !kernel->is_program);
    first = start;
    launch(kernel, shader, SCH_ENGINE_INTERPRETER, 4, layout, &first);
    check_outcome(kernel, &first);
    ended += first.result == SCH_OK;
    outside += first.result != SCH_OK;
    wrote += memcmp(start.memory, first.memory, sizeof first.memory) != 0;
    for (unsigned w = 0; w < COUNT(ways); w++) {
        other = start;
        launch(kernel, shader, ways[w].engine, ways[w].width, layout, &other);
        if (other.result != first.result || other.code != first.code)
            fail_msg("%s, engine %d, width %u: %s, not %s", kernel->name, (int)ways[w].engine, ways[w].width,
                     sch_result_text(other.result), sch_result_text(first.result));
        if (first.result != SCH_OK) continue; /* memory is undefined then */
        for (unsigned p = 0; p < kernel->parameters; p++)
            for (size_t i = 0; i < BYTES; i++)
                if (other.memory[p][i] != first.memory[p][i])
                    fail_msg("%s of %s, engine %d, width %u: byte %zu of parameter %u is %02x, not %02x", kernel->name,
                             layouts[layout][0], (int)ways[w].engine, ways[w].width, i, p, other.memory[p][i],
                             first.memory[p][i]);
    }
}

/* ---- files ---- */

static char *read_file(const char *folder, const char *name, const char *ending, size_t *bytes)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s%s", folder, name, ending);
    FILE *file = fopen(path, "rb");
    if (!file) return NULL;
    char *text = malloc(TEXT + 1);
    assert_non_null(text);
    *bytes = fread(text, 1, TEXT, file);
    text[*bytes] = 0;
    fclose(file);
    return text;
}

static int by_name(const void *a, const void *b) { return strcmp(a, b); }

static void kernels_with_textures(void **state)
{
    (void)state;
    static char names[NAMES][NAME];
    static const char ending[] = ".cubin";
    const char *shared = getenv("SCH_SHARED");
    char folder[2048];
    unsigned count = 0;
    snprintf(folder, sizeof folder, "%s/corpus/maxwell/kernels", shared ? shared : "../shared");
    DIR *files = opendir(folder);
    if (!files) skip();
    for (const struct dirent *file; (file = readdir(files)) && count < NAMES;) {
        const size_t bytes = strlen(file->d_name);
        if (bytes < sizeof ending || bytes >= NAME || strcmp(file->d_name + bytes - (sizeof ending - 1), ending) != 0)
            continue;
        memcpy(names[count], file->d_name, bytes + 1);
        names[count++][bytes - (sizeof ending - 1)] = 0;
    }
    closedir(files);
    qsort(names, count, NAME, by_name);
    assert_true(count > 100);
    const unsigned layouts_tried = by_code_share(sanitized_share(LAYOUTS, LAYOUTS), LAYOUTS);
    for (unsigned n = 0; n < count; n++) {
        if (by_code_skips(12)) continue;
        struct kernel kernel = {.is_program = strncmp(names[n], "app_", 4) == 0};
        size_t bytes, ptx_bytes;
        snprintf(kernel.name, sizeof kernel.name, "%.*s", (int)strcspn(names[n], "."), names[n]);
        char *cubin = read_file(folder, names[n], ending, &bytes);
        char *ptx = read_file(folder, kernel.name, ".ptx", &ptx_bytes);
        assert_true(cubin && ptx);
        read_parameters(ptx, &kernel);
        const struct sch_read_options options = {.size = sizeof options, .kind = SCH_KIND_CUBIN, .kernel = kernel.name};
        struct sch_shader *shader;
        if (sch_shader_read(context, cubin, bytes, &options, list, &shader) != SCH_OK)
            fail_msg("%s: %s", kernel.name, said());
        for (unsigned l = 0; l < layouts_tried; l++) compare(&kernel, shader, (l + n) % LAYOUTS);
        sch_shader_destroy(shader);
        free(cubin);
        free(ptx);
    }
    print_message("# %u launches ended, %u left memory; %u wrote something\n", ended, outside, wrote);
    assert_true(ended > 6 * outside);
    assert_true(wrote > ended / 10 * 9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(kernels_with_textures)};
    return cmocka_run_group_tests(tests, make, release);
}
