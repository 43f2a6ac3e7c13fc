/* Work groups, through the public API: known algorithms with barriers, atomics and shared memory; barriers that not all
 * reach; the order of groups, and threads. Every program runs at every width (but see sanitized.h). Single
 * instructions are test_memory.c, random programs test_compute_random.c. */
#include "../support/compute_support.h"
#include "../support/sanitized.h"

#include <stdio.h>
#include <stdlib.h>

#define EACH_WIDTH(w) for (uint32_t w = first_width(); w <= 16; w *= 2)

/* Opens a program with up to three buffers. */
static void open_with(struct compute *compute, const char *text, uint32_t width,
                      const struct sch_storage_buffer *buffers, uint32_t count)
{
    compute_open(compute, text, width);
    compute->bindings.buffers = buffers;
    compute->bindings.buffer_count = count;
}

#define BLOCK(x, y, z)                                                                                                 \
    "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH " #x "\nPROPERTY CS_FIXED_BLOCK_HEIGHT " #y                                   \
    "\nPROPERTY CS_FIXED_BLOCK_DEPTH " #z "\n"

/* ---- known answers ---- */

/* Inclusive prefix sum of 256 words by doubling distances: a loop with two barriers. */
static void prefix_sum(void **state)
{
    (void)state;
    enum { N = 256 };
    static const char text[] =
        BLOCK(256, 1, 1) "DCL SV[0], THREAD_ID\nDCL BUFFER[0..1]\nDCL MEMORY[0], SHARED\nDCL TEMP[0..3]\n"
                         "IMM[0] UINT32 {2, 1, 256, 0}\n"
                         "SHL TEMP[0].x, SV[0].xxxx, IMM[0].xxxx\n" /* own place */
                         "LOAD TEMP[1].x, BUFFER[0], TEMP[0].xxxx\n"
                         "MOV TEMP[0].y, IMM[0].yyyy\n" /* distance */
                         "BGNLOOP\n"
                         "USGE TEMP[2].x, TEMP[0].yyyy, IMM[0].zzzz\nUIF TEMP[2].xxxx\nBRK\nENDIF\n"
                         "STORE MEMORY[0].x, TEMP[0].xxxx, TEMP[1].xxxx\n"
                         "BARRIER\n"
                         "USGE TEMP[2].x, SV[0].xxxx, TEMP[0].yyyy\nUIF TEMP[2].xxxx\n"
                         "UADD TEMP[3].x, SV[0].xxxx, -TEMP[0].yyyy\nSHL TEMP[3].x, TEMP[3].xxxx, IMM[0].xxxx\n"
                         "LOAD TEMP[3].x, MEMORY[0], TEMP[3].xxxx\nUADD TEMP[1].x, TEMP[1].xxxx, TEMP[3].xxxx\nENDIF\n"
                         "BARRIER\n"
                         "SHL TEMP[0].y, TEMP[0].yyyy, IMM[0].yyyy\n"
                         "ENDLOOP\n"
                         "STORE BUFFER[1].x, TEMP[0].xxxx, TEMP[1].xxxx\nEND\n";
    uint32_t from[N], to[N];
    uint64_t seed = 1;
    for (unsigned i = 0; i < N; i++) from[i] = (uint32_t)random_number(&seed);
    EACH_WIDTH(width)
    {
        struct sch_storage_buffer buffers[] = {{from, sizeof from}, {to, sizeof to}};
        struct compute compute;
        open_with(&compute, text, width, buffers, 2);
        memset(to, 0, sizeof to);
        assert_int_equal(compute_run(&compute), SCH_OK);
        uint32_t sum = 0;
        for (unsigned i = 0; i < N; i++) assert_int_equal(to[i], sum += from[i]);
        compute_close(&compute);
    }
}

/* Histogram of 4096 words over 16 bins, atomically: the same with any number of threads, and unordered. */
static void histogram(void **state)
{
    (void)state;
    enum { N = 4096 };
    static const char text[] = BLOCK(
        64, 1,
        1) "DCL SV[0], THREAD_ID\nDCL SV[1], BLOCK_ID\nDCL BUFFER[0..1]\nDCL TEMP[0..2]\n"
           "IMM[0] UINT32 {2, 1, 64, 15}\n"
           "UMAD TEMP[0].x, SV[1].xxxx, IMM[0].zzzz, SV[0].xxxx\nSHL TEMP[0].x, TEMP[0].xxxx, IMM[0].xxxx\n"
           "LOAD TEMP[1].x, BUFFER[0], TEMP[0].xxxx\nAND TEMP[1].x, TEMP[1].xxxx, IMM[0].wwww\n"
           "SHL TEMP[1].x, TEMP[1].xxxx, IMM[0].xxxx\nATOMUADD TEMP[2].x, BUFFER[1], TEMP[1].xxxx, IMM[0].yyyy\nEND\n";
    static uint32_t from[N];
    uint32_t wanted[16] = {0}, to[16];
    uint64_t seed = 2;
    for (unsigned i = 0; i < N; i++) wanted[(from[i] = (uint32_t)random_number(&seed)) & 15]++;
    EACH_WIDTH(width)
    for (unsigned threads = 1; threads <= 6; threads++) {
        struct sch_storage_buffer buffers[] = {{from, sizeof from}, {to, sizeof to}};
        struct compute compute;
        open_with(&compute, text, width, buffers, 2);
        memset(to, 0, sizeof to);
        compute.grid[0] = N / 64;
        compute.options.threads = (threads + 1) / 2;
        compute.options.unordered = threads & 1;
        assert_int_equal(compute_run(&compute), SCH_OK);
        assert_memory_equal(to, wanted, sizeof to);
        compute_close(&compute);
    }
}

/* Bitonic sort of 128 words; compare and exchange stands in a subroutine with a barrier. */
static void bitonic_sort(void **state)
{
    (void)state;
    enum { N = 128 };
    static const char text[] = BLOCK(
        128, 1,
        1) "DCL SV[0], THREAD_ID\nDCL BUFFER[0]\nDCL MEMORY[0], SHARED\nDCL TEMP[0..5]\n"
           "IMM[0] UINT32 {2, 1, 128, 0}\n"
           "SHL TEMP[0].x, SV[0].xxxx, IMM[0].xxxx\nLOAD TEMP[1].x, BUFFER[0], TEMP[0].xxxx\n"
           "STORE MEMORY[0].x, TEMP[0].xxxx, TEMP[1].xxxx\nBARRIER\n"
           "MOV TEMP[2].x, IMM[0].xxxx\n" /* size of sorted runs: 2, 4, ... 128 */
           "BGNLOOP\n"
           "USLT TEMP[3].x, IMM[0].zzzz, TEMP[2].xxxx\nUIF TEMP[3].xxxx\nBRK\nENDIF\n"
           "USHR TEMP[2].y, TEMP[2].xxxx, IMM[0].yyyy\n" /* distance */
           "BGNLOOP\n"
           "USEQ TEMP[3].x, TEMP[2].yyyy, IMM[0].wwww\nUIF TEMP[3].xxxx\nBRK\nENDIF\n"
           "CAL :24\n"
           "USHR TEMP[2].y, TEMP[2].yyyy, IMM[0].yyyy\n"
           "ENDLOOP\n"
           "SHL TEMP[2].x, TEMP[2].xxxx, IMM[0].yyyy\n"
           "ENDLOOP\n"
           "LOAD TEMP[1].x, MEMORY[0], TEMP[0].xxxx\nSTORE BUFFER[0].x, TEMP[0].xxxx, TEMP[1].xxxx\nEND\n"
           "BGNSUB\n"
           "XOR TEMP[4].x, SV[0].xxxx, TEMP[2].yyyy\n" /* partner */
           "SHL TEMP[4].y, TEMP[4].xxxx, IMM[0].xxxx\n"
           "LOAD TEMP[4].z, MEMORY[0].xxxx, TEMP[0].xxxx\nLOAD TEMP[4].w, MEMORY[0].xxxx, TEMP[4].yyyy\n"
           "BARRIER\n"
           "AND TEMP[5].x, SV[0].xxxx, TEMP[2].xxxx\nUSEQ TEMP[5].x, TEMP[5].xxxx, IMM[0].wwww\n" /* ascending run */
           "USLT TEMP[5].y, SV[0].xxxx, TEMP[4].xxxx\n"                                           /* lower of the two */
           "USEQ TEMP[5].x, TEMP[5].xxxx, TEMP[5].yyyy\n" /* keeps the smaller */
           "UMIN TEMP[5].z, TEMP[4].zzzz, TEMP[4].wwww\nUMAX TEMP[5].w, TEMP[4].zzzz, TEMP[4].wwww\n"
           "UCMP TEMP[5].x, TEMP[5].xxxx, TEMP[5].zzzz, TEMP[5].wwww\n"
           "STORE MEMORY[0].x, TEMP[0].xxxx, TEMP[5].xxxx\nBARRIER\n"
           "ENDSUB\n";
    uint32_t words[N];
    EACH_WIDTH(width)
    {
        uint64_t seed = width;
        struct sch_storage_buffer buffer = {words, sizeof words};
        struct compute compute;
        open_with(&compute, text, width, &buffer, 1);
        uint32_t sum = 0;
        for (unsigned i = 0; i < N; i++) sum += words[i] = (uint32_t)random_number(&seed);
        assert_int_equal(compute_run(&compute), SCH_OK);
        for (unsigned i = 0; i < N; i++) {
            if (i) assert_true(words[i - 1] <= words[i]);
            sum -= words[i];
        }
        assert_int_equal(sum, 0);
        compute_close(&compute);
    }
}

/* C = A * B, 16x16 floats in 8x8 work groups: tiles in shared memory, a z dimension of two products. */
static void matrix_product(void **state)
{
    (void)state;
    enum { N = 16, Z = 2 };
    static const char text[] = BLOCK(
        8, 8, 1) "DCL SV[0], THREAD_ID\nDCL SV[1], BLOCK_ID\nDCL BUFFER[0..2]\n"
                 "DCL MEMORY[0], SHARED\nDCL TEMP[0..7]\n"
                 "IMM[0] UINT32 {2, 8, 16, 256}\nIMM[1] UINT32 {0, 1, 32, 4}\n"
                 "UMAD TEMP[0].xy, SV[1].xyyy, IMM[0].yyyy, SV[0].xyyy\n" /* column, row */
                 "UMUL TEMP[0].z, SV[1].zzzz, IMM[0].wwww\n"              /* matrix */
                 "UMAD TEMP[0].w, SV[0].yyyy, IMM[0].yyyy, SV[0].xxxx\nSHL TEMP[0].w, TEMP[0].wwww, IMM[0].xxxx\n"
                 "MOV TEMP[1], IMM[1].xxxx\n" /* x tile, y sum */
                 "BGNLOOP\n"
                 "USGE TEMP[2].x, TEMP[1].xxxx, IMM[0].zzzz\nUIF TEMP[2].xxxx\nBRK\nENDIF\n"
                 "UADD TEMP[3].x, TEMP[1].xxxx, SV[0].xxxx\nUMAD TEMP[3].x, TEMP[0].yyyy, IMM[0].zzzz, TEMP[3].xxxx\n"
                 "UADD TEMP[3].x, TEMP[3].xxxx, TEMP[0].zzzz\nSHL TEMP[3].x, TEMP[3].xxxx, IMM[0].xxxx\n"
                 "LOAD TEMP[4].x, BUFFER[0], TEMP[3].xxxx\n"
                 "UADD TEMP[3].x, TEMP[1].xxxx, SV[0].yyyy\nUMAD TEMP[3].x, TEMP[3].xxxx, IMM[0].zzzz, TEMP[0].xxxx\n"
                 "UADD TEMP[3].x, TEMP[3].xxxx, TEMP[0].zzzz\nSHL TEMP[3].x, TEMP[3].xxxx, IMM[0].xxxx\n"
                 "LOAD TEMP[5].x, BUFFER[1], TEMP[3].xxxx\n"
                 "STORE MEMORY[0].x, TEMP[0].wwww, TEMP[4].xxxx\n"
                 "UADD TEMP[3].x, TEMP[0].wwww, IMM[0].wwww\nSTORE MEMORY[0].x, TEMP[3].xxxx, TEMP[5].xxxx\n"
                 "BARRIER\n"
                 "MOV TEMP[1].z, IMM[1].xxxx\n"
                 "BGNLOOP\n"
                 "USGE TEMP[2].x, TEMP[1].zzzz, IMM[0].yyyy\nUIF TEMP[2].xxxx\nBRK\nENDIF\n"
                 "UMAD TEMP[6].x, SV[0].yyyy, IMM[0].yyyy, TEMP[1].zzzz\nSHL TEMP[6].x, TEMP[6].xxxx, IMM[0].xxxx\n"
                 "UMAD TEMP[6].y, TEMP[1].zzzz, IMM[0].yyyy, SV[0].xxxx\nSHL TEMP[6].y, TEMP[6].yyyy, IMM[0].xxxx\n"
                 "UADD TEMP[6].y, TEMP[6].yyyy, IMM[0].wwww\n"
                 "LOAD TEMP[7].x, MEMORY[0], TEMP[6].xxxx\nLOAD TEMP[7].y, MEMORY[0].xxxx, TEMP[6].yyyy\n"
                 "MAD TEMP[1].y, TEMP[7].xxxx, TEMP[7].yyyy, TEMP[1].yyyy\n"
                 "UADD TEMP[1].z, TEMP[1].zzzz, IMM[1].yyyy\nENDLOOP\n"
                 "BARRIER\n"
                 "UADD TEMP[1].x, TEMP[1].xxxx, IMM[0].yyyy\nENDLOOP\n"
                 "UMAD TEMP[3].x, TEMP[0].yyyy, IMM[0].zzzz, TEMP[0].xxxx\nUADD TEMP[3].x, TEMP[3].xxxx, TEMP[0].zzzz\n"
                 "SHL TEMP[3].x, TEMP[3].xxxx, IMM[0].xxxx\nSTORE BUFFER[2].x, TEMP[3].xxxx, TEMP[1].yyyy\nEND\n";
    static float a[Z][N][N], b[Z][N][N], c[Z][N][N];
    uint64_t seed = 4;
    /* Small integers: the sums are exact, however they are rounded. */
    for (unsigned i = 0; i < Z * N * N; i++) {
        (&a[0][0][0])[i] = (float)(random_number(&seed) % 100);
        (&b[0][0][0])[i] = (float)(random_number(&seed) % 100) - 50;
    }
    EACH_WIDTH(width)
    for (unsigned threads = 1; threads < 4; threads++) {
        struct sch_storage_buffer buffers[] = {{a, sizeof a}, {b, sizeof b}, {c, sizeof c}};
        struct compute compute;
        open_with(&compute, text, width, buffers, 3);
        memset(c, 0, sizeof c);
        compute.grid[0] = compute.grid[1] = N / 8;
        compute.grid[2] = Z;
        compute.options.threads = threads;
        compute.options.unordered = true; /* no work group reads what another writes */
        assert_int_equal(compute_run(&compute), SCH_OK);
        for (unsigned z = 0; z < Z; z++)
            for (unsigned i = 0; i < N; i++)
                for (unsigned j = 0; j < N; j++) {
                    float sum = 0;
                    for (unsigned k = 0; k < N; k++) sum += a[z][i][k] * b[z][k][j];
                    assert_true(c[z][i][j] == sum);
                }
        compute_close(&compute);
    }
}

/* The sum of 32 lanes: halves read from the lane at a distance, then agreed upon. */
static void reduction_by_lanes(void **state)
{
    (void)state;
    static const char text[] = BLOCK(
        32, 1, 1) "DCL SV[0], SUBGROUP_INVOCATION\nDCL BUFFER[0..1]\nDCL TEMP[0..3]\n"
                  "IMM[0] UINT32 {2, 1, 16, 0}\n"
                  "SHL TEMP[0].x, SV[0].xxxx, IMM[0].xxxx\nLOAD TEMP[1].x, BUFFER[0], TEMP[0].xxxx\nMOV TEMP[0].y, "
                  "IMM[0].zzzz\n"
                  "BGNLOOP\nUSEQ TEMP[2].x, TEMP[0].yyyy, IMM[0].wwww\nUIF TEMP[2].xxxx\nBRK\nENDIF\n"
                  "XOR TEMP[2].y, SV[0].xxxx, TEMP[0].yyyy\nREAD_INVOC TEMP[3].x, TEMP[1].xxxx, TEMP[2].yyyy\n"
                  "UADD TEMP[1].x, TEMP[1].xxxx, TEMP[3].xxxx\nUSHR TEMP[0].y, TEMP[0].yyyy, IMM[0].yyyy\nENDLOOP\n"
                  "VOTE_EQ TEMP[1].y, TEMP[1].xxxx\n"
                  "SHL TEMP[0].x, TEMP[0].xxxx, IMM[0].yyyy\nSTORE BUFFER[1].xy, TEMP[0].xxxx, TEMP[1]\nEND\n";
    uint32_t from[32], to[32][2], sum = 0;
    uint64_t seed = 5;
    for (unsigned i = 0; i < 32; i++) sum += from[i] = (uint32_t)random_number(&seed);
    EACH_WIDTH(width)
    {
        struct sch_storage_buffer buffers[] = {{from, sizeof from}, {to, sizeof to}};
        struct compute compute;
        open_with(&compute, text, width, buffers, 2);
        assert_int_equal(compute_run(&compute), SCH_OK);
        for (unsigned i = 0; i < 32; i++) {
            assert_int_equal(to[i][0], sum);
            assert_int_equal(to[i][1], 0xffffffff);
        }
        compute_close(&compute);
    }
}

/* ---- locks and budgets ---- */

/* A lock that is taken and given back in one turn of a loop: a counter that is not atomic counts right. */
static void a_spinning_lock_locks(void **state)
{
    (void)state;
    static const char text[] =
        BLOCK(40, 1, 1) "DCL BUFFER[0]\nDCL TEMP[0..1]\nIMM[0] UINT32 {0, 1, 4, 0}\n"
                        "BGNLOOP\nATOMCAS TEMP[0].x, BUFFER[0], IMM[0].xxxx, IMM[0].xxxx, IMM[0].yyyy\n"
                        "UIF TEMP[0].xxxx\nCONT\nENDIF\n"
                        "LOAD TEMP[1].x, BUFFER[0], IMM[0].zzzz\nUADD TEMP[1].x, TEMP[1].xxxx, IMM[0].yyyy\n"
                        "STORE BUFFER[0].x, IMM[0].zzzz, TEMP[1].xxxx\nMEMBAR IMM[0].yyyy\n"
                        "ATOMXCHG TEMP[0].x, BUFFER[0], IMM[0].xxxx, IMM[0].xxxx\nBRK\nENDLOOP\nEND\n";
    EACH_WIDTH(width)
    for (unsigned threads = 1; threads < 4; threads++) {
        uint32_t words[2] = {0, 0};
        struct sch_storage_buffer buffer = {words, sizeof words};
        struct compute compute;
        open_with(&compute, text, width, &buffer, 1);
        compute.grid[0] = 25;
        compute.options.threads = threads;
        compute.options.unordered = threads > 1;
        compute.options.budget = UINT64_MAX; /* how long others hold the lock is up to the system */
        assert_int_equal(compute_run(&compute), SCH_OK);
        assert_int_equal(words[1], 1000);
        compute_close(&compute);
    }
}

/* A lock that its holder cannot give back while the others of its group spin: the budget ends it. */
static void a_lock_that_waits_for_its_own_group_ends(void **state)
{
    (void)state;
    static const char text[] =
        BLOCK(32, 1, 1) "DCL BUFFER[0]\nDCL TEMP[0]\nIMM[0] UINT32 {0, 1, 4, 0}\n"
                        "BGNLOOP\nATOMCAS TEMP[0].x, BUFFER[0], IMM[0].xxxx, IMM[0].xxxx, IMM[0].yyyy\n"
                        "USEQ TEMP[0].x, TEMP[0].xxxx, IMM[0].xxxx\nUIF TEMP[0].xxxx\nBRK\nENDIF\nENDLOOP\n"
                        "ATOMXCHG TEMP[0].x, BUFFER[0], IMM[0].xxxx, IMM[0].xxxx\nEND\n";
    EACH_WIDTH(width)
    {
        uint32_t words[2] = {0, 0};
        struct sch_storage_buffer buffer = {words, sizeof words};
        struct compute compute;
        open_with(&compute, text, width, &buffer, 1);
        compute.options.budget = 1000;
        assert_int_equal(compute_run(&compute), SCH_ERROR_BUDGET);
        assert_int_equal(compute.report.invocation, 1); /* lane 0 holds it */
        assert_int_equal(compute.report.instruction, 6);
        compute_close(&compute);
    }
}

/* A barrier in an endless loop: the budget counts across it. */
static void barriers_do_not_refill_the_budget(void **state)
{
    (void)state;
    static const char text[] = BLOCK(64, 1, 1) "DCL TEMP[0]\nBGNLOOP\nBARRIER\nENDLOOP\nEND\n";
    EACH_WIDTH(width)
    {
        struct compute compute;
        open_with(&compute, text, width, NULL, 0);
        compute.options.budget = 100;
        assert_int_equal(compute_run(&compute), SCH_ERROR_BUDGET);
        assert_int_equal(compute.report.invocation, 0);
        assert_int_equal(compute.report.instruction, 2);
        /* BGNLOOP, then BARRIER and ENDLOOP in turn: the first group comes to its 101st ENDLOOP, the second to the
         * BARRIER before. */
        assert_int_equal(compute.report.instructions, 1 + 101 * 2 + 1 + 101 + 100);
        compute_close(&compute);
    }
}

/* ---- barriers that not all reach ---- */

static void barriers_wait_for_all(void **state)
{
    (void)state;
    static const struct {
        const char *body;
        uint32_t block, invocation, instruction, line;
    } cases[] = {
        {"UIF SV[0].xxxx\nBARRIER\nENDIF\n", 32, 0, 1, 6}, /* one lane is elsewhere */
        {"USGE TEMP[0].x, SV[0].xxxx, IMM[0].xxxx\nUIF TEMP[0].xxxx\nRET\nENDIF\nBARRIER\n", 96, 40, 4, 9}, /* ended */
        {"USGE TEMP[0].x, SV[0].xxxx, IMM[0].yyyy\nUIF TEMP[0].xxxx\nRET\nENDIF\nBARRIER\n", 96, 64, 4,
         9}, /* a group */
        {"USLT TEMP[0].x, SV[0].xxxx, IMM[0].zzzz\nUIF TEMP[0].xxxx\nRET\nENDIF\nBARRIER\n", 96, 0, 4,
         9}, /* the first */
        {"USLT TEMP[0].x, SV[0].xxxx, IMM[0].zzzz\nUIF TEMP[0].xxxx\nBARRIER\nELSE\nBARRIER\nENDIF\n", 64, 32, 2, 7},
    };
    EACH_WIDTH(width)
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        char text[512];
        snprintf(text, sizeof text, "COMP\nDCL SV[0], THREAD_ID\nDCL TEMP[0]\nIMM[0] UINT32 {40, 64, 32, 0}\n%sEND\n",
                 cases[n].body);
        struct compute compute;
        open_with(&compute, text, width, NULL, 0);
        compute.block[0] = cases[n].block;
        compute.grid[0] = 3;
        for (unsigned threads = 1; threads < 4; threads++) {
            compute.options.threads = threads;
            assert_int_equal(compute_run(&compute), SCH_ERROR_BARRIER);
            assert_int_equal(compute.report.invocation, cases[n].invocation);
            assert_int_equal(compute.report.instruction, cases[n].instruction);
            assert_int_equal(compute.report.line, cases[n].line);
        }
        compute_close(&compute);
    }
}

/* In branches that all take, and in work groups that are not whole groups of 32. */
static void uniform_barriers_pass(void **state)
{
    (void)state;
    static const char text[] = "COMP\nDCL SV[0], BLOCK_ID\nDCL SV[1], THREAD_ID\nDCL MEMORY[0], SHARED\nDCL BUFFER[0]\n"
                               "DCL TEMP[0..1]\nIMM[0] UINT32 {0, 1, 2, 0}\n"
                               "ATOMUADD TEMP[0].x, MEMORY[0], IMM[0].xxxx, IMM[0].yyyy\n"
                               "UIF SV[0].xxxx\nBARRIER\nELSE\nBARRIER\nENDIF\n"
                               "LOAD TEMP[1].x, MEMORY[0], IMM[0].xxxx\nSHL TEMP[0].x, SV[0].xxxx, IMM[0].zzzz\n"
                               "USEQ TEMP[1].y, SV[1].xxxx, IMM[0].xxxx\nUIF TEMP[1].yyyy\n"
                               "STORE BUFFER[0].x, TEMP[0].xxxx, TEMP[1].xxxx\nENDIF\nEND\n";
    static const uint32_t blocks[] = {1, 31, 33, 100, 1024, 65536};
    EACH_WIDTH(width)
    for (size_t n = 0; n < sizeof blocks / sizeof *blocks; n++) {
        uint32_t words[3] = {0};
        struct sch_storage_buffer buffer = {words, sizeof words};
        struct compute compute;
        open_with(&compute, text, width, &buffer, 1);
        compute.block[0] = blocks[n];
        compute.grid[0] = 3;
        assert_int_equal(compute_run(&compute), SCH_OK);
        for (unsigned i = 0; i < 3; i++) assert_int_equal(words[i], blocks[n]);
        compute.block[1] = 65536 / blocks[n] + 1;
        assert_int_equal(compute_run(&compute), SCH_ERROR_LIMIT);
        compute_close(&compute);
    }
}

/* ---- order ---- */

/* A ticket from a counter, or from memory that all work groups see, and who took it: lanes, groups and work groups
 * ascend, whatever the number of threads. */
static void check_tickets(const char *declared, const char *taken, const char *noted, bool global)
{
    enum { GROUPS = 7, BLOCK_THREADS = 48 };
    char text[1024];
    snprintf(text, sizeof text,
             "COMP\nDCL SV[0], THREAD_ID\nDCL SV[1], BLOCK_ID\n%s\nDCL TEMP[0]\nIMM[0] UINT32 {0, 1, 48, 2}\n"
             "IMM[1] UINT32 {4, 0, 0, 0}\nATOMUADD TEMP[0].x, %s, IMM[0].xxxx, IMM[0].yyyy\n"
             "UMAD TEMP[0].y, SV[1].xxxx, IMM[0].zzzz, SV[0].xxxx\nSHL TEMP[0].y, TEMP[0].yyyy, IMM[0].wwww\n"
             "UADD TEMP[0].y, TEMP[0].yyyy, IMM[1].xxxx\nSTORE %s.x, TEMP[0].yyyy, TEMP[0].xxxx\nEND\n",
             declared, taken, noted);
    EACH_WIDTH(width)
    for (unsigned threads = 1; threads < 4; threads++) {
        uint32_t words[1 + GROUPS * BLOCK_THREADS] = {0}, counter = 0;
        struct sch_storage_buffer buffer = {words, sizeof words}, counters = {&counter, sizeof counter};
        struct compute compute;
        open_with(&compute, text, width, &buffer, 1);
        if (global) compute.bindings.global_memory = buffer;
        compute.bindings.hw_atomics = &counters;
        compute.bindings.hw_atomic_count = 1;
        compute.block[0] = BLOCK_THREADS;
        compute.grid[0] = GROUPS;
        compute.options.threads = threads;
        assert_int_equal(compute_run(&compute), SCH_OK);
        for (unsigned i = 0; i < GROUPS * BLOCK_THREADS; i++) assert_int_equal(words[1 + i], i);
        assert_int_equal(global ? words[0] : counter, GROUPS * BLOCK_THREADS);
        compute_close(&compute);
    }
}

static void tickets_ascend(void **state)
{
    (void)state;
    check_tickets("DCL BUFFER[0]\nDCL HWATOMIC[0][0]", "HWATOMIC[0][0]", "BUFFER[0]", false);
    check_tickets("DCL MEMORY[0], GLOBAL", "MEMORY[0]", "MEMORY[0]", true);
}

/* WORK_DIM: the last dimension in which there is more than one invocation, be it of the grid or of its blocks. */
static void dimensions_count_blocks(void **state)
{
    (void)state;
    static const struct {
        uint32_t grid[3], block[3], dimensions;
    } cases[] = {{{1, 1, 1}, {1, 1, 1}, 1}, {{3, 1, 1}, {1, 1, 1}, 1}, {{1, 1, 1}, {4, 2, 1}, 2},
                 {{1, 2, 1}, {4, 1, 1}, 2}, {{1, 1, 1}, {1, 1, 2}, 3}, {{1, 1, 3}, {2, 1, 1}, 3},
                 {{2, 1, 1}, {8, 2, 1}, 2}};
    static const char text[] = "COMP\nDCL SV[0], WORK_DIM\nDCL BUFFER[0]\nIMM[0] UINT32 {0, 0, 0, 0}\n"
                               "STORE BUFFER[0].x, IMM[0].xxxx, SV[0].xxxx\nEND\n";
    EACH_WIDTH(width)
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        uint32_t word = 0;
        struct sch_storage_buffer buffer = {&word, sizeof word};
        struct compute compute;
        open_with(&compute, text, width, &buffer, 1);
        memcpy(compute.grid, cases[n].grid, sizeof compute.grid);
        memcpy(compute.block, cases[n].block, sizeof compute.block);
        assert_int_equal(compute_run(&compute), SCH_OK);
        assert_int_equal(word, cases[n].dimensions);
        compute_close(&compute);
    }
}

/* Shared memory is as large as the caller says, and gone with its work group; so is private memory. */
static void sizes_are_the_callers(void **state)
{
    (void)state;
    static const char text[] =
        "COMP\nDCL SV[0], BLOCK_ID\nDCL MEMORY[0], SHARED\nDCL MEMORY[1], PRIVATE\nDCL BUFFER[0]\nDCL TEMP[0..1]\n"
        "IMM[0] UINT32 {256, 77, 4, 252}\n"
        "LOAD TEMP[0].x, MEMORY[0], IMM[0].wwww\nLOAD TEMP[0].y, MEMORY[1].xxxx, IMM[0].wwww\n"
        "STORE MEMORY[0].x, IMM[0].wwww, IMM[0].yyyy\nSTORE MEMORY[1].x, IMM[0].wwww, IMM[0].yyyy\n"
        "STORE MEMORY[0].x, IMM[0].xxxx, IMM[0].yyyy\nSTORE MEMORY[1].x, IMM[0].xxxx, IMM[0].yyyy\n"
        "LOAD TEMP[0].z, MEMORY[0].xxxx, IMM[0].xxxx\nLOAD TEMP[0].w, MEMORY[1].xxxx, IMM[0].xxxx\n"
        "SHL TEMP[1].x, SV[0].xxxx, IMM[0].zzzz\nSTORE BUFFER[0], TEMP[1].xxxx, TEMP[0]\nEND\n";
    EACH_WIDTH(width)
    for (unsigned large = 0; large < 2; large++) {
        uint32_t words[3][4];
        memset(words, 0xff, sizeof words);
        struct sch_storage_buffer buffer = {words, sizeof words};
        struct compute compute;
        open_with(&compute, text, width, &buffer, 1);
        compute.grid[0] = 3;
        compute.options.shared_bytes = large ? 0 : 256;
        compute.options.private_bytes = large ? 260 : 256;
        assert_int_equal(compute_run(&compute), SCH_OK);
        for (unsigned i = 0; i < 3; i++) {
            assert_int_equal(words[i][0] | words[i][1], 0);
            assert_int_equal(words[i][2], large ? 77 : 0);
            assert_int_equal(words[i][3], large ? 77 : 0);
        }
        compute.options.private_bytes = 1u << 30; /* of 32 invocations: more than limits.memory */
        assert_int_equal(compute_run(&compute), SCH_ERROR_LIMIT);
        compute.options.private_bytes++; /* more than may be asked for */
        assert_int_equal(compute_run(&compute), SCH_ERROR_LIMIT);
        compute_close(&compute);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(prefix_sum),
        cmocka_unit_test(histogram),
        cmocka_unit_test(bitonic_sort),
        cmocka_unit_test(matrix_product),
        cmocka_unit_test(reduction_by_lanes),
        cmocka_unit_test(a_spinning_lock_locks),
        cmocka_unit_test(a_lock_that_waits_for_its_own_group_ends),
        cmocka_unit_test(barriers_do_not_refill_the_budget),
        cmocka_unit_test(barriers_wait_for_all),
        cmocka_unit_test(uniform_barriers_pass),
        cmocka_unit_test(tickets_ascend),
        cmocka_unit_test(dimensions_count_blocks),
        cmocka_unit_test(sizes_are_the_callers),
    };
    return cmocka_run_group_tests_name("compute", tests, NULL, NULL);
}
