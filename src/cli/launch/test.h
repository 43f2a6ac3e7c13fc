/* Tests of kernels: what is launched, and the words that come out (docs/maxwell.md, "Tests of kernels"). */
#ifndef SCH_CLI_TEST_H
#define SCH_CLI_TEST_H

#include "bind/pools.h"

/* ---- test_file.c: tests as files ---- */

/* How words are compared with those that the file has. */
enum sch_cli_test_how {
    SCH_CLI_TEST_EXACT,
    SCH_CLI_TEST_F32,  /* floats: |got - want| <= absolute + relative |want| */
    SCH_CLI_TEST_F64,  /* the same of pairs of words, the low one first */
    SCH_CLI_TEST_U32,  /* integers: their distance is at most `absolute` */
    SCH_CLI_TEST_U8X4, /* the same of each byte */
    SCH_CLI_TEST_HOWS
};
struct sch_cli_test_rule {
    enum sch_cli_test_how how;
    double absolute, relative;
    double outliers; /* the share of words that may differ by more, from 0 to 1 */
};

/* Memory that a test names: a buffer, texture or surface. */
struct sch_cli_test_memory {
    enum sch_cli_test_kind {
        SCH_CLI_TEST_BUFFER, /* words that are read */
        SCH_CLI_TEST_RESULT, /* zeros first, and then as the words are */
        SCH_CLI_TEST_TEXTURE,
        SCH_CLI_TEST_SURFACE,       /* read */
        SCH_CLI_TEST_SURFACE_RESULT /* as a result */
    } kind;
    uint32_t line;
    char name[64];   /* as the file has it; a handle of textures and surfaces */
    uint32_t handle; /* of these: sampler[31:20], header[19:0] */
    const struct sch_cli_test_shape {
        const char *word, *type; /* of the file; TEXTURE_TYPE of the header */
        enum sch_target target;
        bool array, cube, volume;
    } * shape;
    uint32_t width, height, depth, levels; /* depth: slices, or layers */
    uint32_t texel_bytes;
    bool integers; /* texels are signed integers, not floats */
    uint32_t *words;
    size_t count; /* of words */
    struct sch_cli_test_rule rule;
};

/* A value in c[0x0]. */
struct sch_cli_test_parameter {
    uint32_t offset;
    int32_t memory; /* the buffer or result whose address it is; -1: `value` */
    uint32_t bytes;
    uint64_t value;
};

enum { SCH_CLI_TEST_MEMORIES = 256, SCH_CLI_TEST_PARAMETERS = 1024 };
struct sch_cli_test {
    const struct sch_cli_input *input;
    char kernel[256];
    uint32_t kernel_line;
    uint32_t grid[3], block[3];
    struct sch_cli_test_parameter parameters[SCH_CLI_TEST_PARAMETERS];
    uint32_t parameter_count;
    struct sch_cli_test_memory memories[SCH_CLI_TEST_MEMORIES];
    uint32_t memory_count;
};

/* Whether an input is such a file: its first line says `kernel`. */
bool sch_cli_test_is(const struct sch_cli_input *input);

/* Reads one; NO: it is wrong, which was reported. `*test` is all zero before, refers to the input, and is to be
 * released whatever the result was. */
enum sch_cli_exit sch_cli_test_read(const struct sch_cli_input *input, struct sch_cli_test *test);
void sch_cli_test_release(struct sch_cli_test *test);

/* ---- test_compare.c: the words of a result and those that a test expects ---- */

struct sch_cli_test_difference {
    size_t word; /* its place in the result */
    uint32_t got, want;
};
struct sch_cli_test_verdict {
    const char *what;                 /* "words", or "doubles" */
    size_t count, differing, allowed; /* how many there are, differ, and may differ */
    size_t shown;                     /* differences that were filled in */
    bool passed;
};

/* Fills in the first `room` differences at most. `got` has as many words as the memory. */
void sch_cli_test_compare(const struct sch_cli_test_memory *memory, const uint32_t *got,
                          struct sch_cli_test_difference *differences, size_t room,
                          struct sch_cli_test_verdict *verdict);

/* ---- test_textures.c: textures and surfaces as kernels find them: headers, samplers, texels in memory ---- */

struct sch_cli_test_textures {
    struct sch_context *context;
    void *pools[SCH_CLI_POOLS];
    size_t pool_bytes[SCH_CLI_POOLS];
    unsigned char *memory; /* texels of the textures, from SCH_CLI_POOL_TEXELS on */
    size_t memory_bytes;
};

/* Surfaces are rows of texels, from an address on that the test's place in the list of memories says. */
uint32_t sch_cli_test_pitch(const struct sch_cli_test_memory *surface);
uint64_t sch_cli_test_surface_address(const struct sch_cli_test *test, uint32_t memory);

/* Makes what the test has. Release it whatever the result was. */
enum sch_cli_exit sch_cli_test_textures_make(const struct sch_cli_test *test, struct sch_context *context,
                                             struct sch_cli_test_textures *made);
void sch_cli_test_textures_release(struct sch_cli_test_textures *made);

/* ---- test_run.c: launches a test, and compares what came out ---- */

struct sch_cli_test_wanted {
    const struct sch_cli_setup *setup; /* and how the code is read */
    const char *code;                  /* --code: the file of the kernel; NULL: the one beside the test */
    bool json;
};

/* Takes the input over. NO: words differ, or the file is wrong. */
enum sch_cli_exit sch_cli_test_run(const struct sch_cli_test_wanted *wanted, struct sch_cli_input *input);

#endif
