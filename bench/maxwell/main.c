/* Maxwell kernels as machine code, and the same loops as C on this processor, one thread each, alternately: thread
 * instructions a second of processor time, and how many times as long the C takes. The least time of several runs
 * counts. Results are compared. Options: --engine interp, --runs N, names of kernels. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <scheelite/scheelite.h>

#include "host.h"

enum { LANES = SCH_MAXWELL_GROUP_LANES, PARAMETER = 0x140 / 4, CONSTANT_WORDS = 96, MOST_BUFFERS = 3, RUNS = 5 };

struct kernel {
    const char *name, *text;
    uint32_t grid, block;
    size_t n;
    size_t words[MOST_BUFFERS]; /* of each buffer */
    bool floats;                /* what the buffers hold at first */
};

/* R0: the thread of the grid. */
#define ENTER "S2R R0, SR_TID.X; S2R R1, SR_CTAID.X;\nIMAD R0, R1, c[0x0][0x8], R0;\n"

static const struct kernel kernels[] = {
    {"saxpy",
     ENTER "MOV R6, c[0x0][0x8]; IMUL R6, R6, c[0x0][0x14]; SHL R7, R6, 0x2;\n"
           "ISETP.GE.AND P0, PT, R0, c[0x0][0x158], PT; @P0 EXIT;\n"
           "ISCADD R2.CC, R0, c[0x0][0x140], 0x2; IADD.X R3, RZ, c[0x0][0x144];\n"
           "ISCADD R4.CC, R0, c[0x0][0x148], 0x2; IADD.X R5, RZ, c[0x0][0x14c];\n"
           "loop: LDG.E R8, [R2]; LDG.E R9, [R4];\n"
           "FFMA R9, R8, c[0x0][0x15c], R9;\n"
           "STG.E [R4], R9;\n"
           "IADD R0, R0, R6; IADD R2.CC, R2, R7; IADD.X R3, R3, RZ; IADD R4.CC, R4, R7; IADD.X R5, R5, RZ;\n"
           "ISETP.LT.AND P0, PT, R0, c[0x0][0x158], PT;\n"
           "@P0 BRA loop;\nEXIT;\n",
     64,
     256,
     (size_t)1 << 22,
     {(size_t)1 << 22, (size_t)1 << 22},
     true},
    /* A thread for each element: rows of A are the same for a warp, those of B are side by side. */
    {"matrix product",
     "S2R R0, SR_TID.X; S2R R1, SR_CTAID.X;\n"
     "MOV R6, c[0x0][0x158]; SHL R7, R6, 0x2;\n"
     "IMUL R8, R1, R7;\n"
     "IADD R2.CC, R8, c[0x0][0x140]; IADD.X R3, RZ, c[0x0][0x144];\n"
     "ISCADD R4.CC, R0, c[0x0][0x148], 0x2; IADD.X R5, RZ, c[0x0][0x14c];\n"
     "ISCADD R9, R0, R8, 0x2; IADD R10.CC, R9, c[0x0][0x150]; IADD.X R11, RZ, c[0x0][0x154];\n"
     "MOV R12, RZ;\n"
     "loop: LDG.E.128 R16, [R2];\n"
     "LDG.E R20, [R4]; IADD R4.CC, R4, R7; IADD.X R5, R5, RZ;\n"
     "LDG.E R21, [R4]; IADD R4.CC, R4, R7; IADD.X R5, R5, RZ;\n"
     "LDG.E R22, [R4]; IADD R4.CC, R4, R7; IADD.X R5, R5, RZ;\n"
     "LDG.E R23, [R4]; IADD R4.CC, R4, R7; IADD.X R5, R5, RZ;\n"
     "FFMA R12, R16, R20, R12; FFMA R12, R17, R21, R12; FFMA R12, R18, R22, R12; FFMA R12, R19, R23, R12;\n"
     "IADD R2.CC, R2, 0x10; IADD.X R3, R3, RZ;\n"
     "IADD32I R6, R6, -0x4; ISETP.GT.AND P0, PT, R6, RZ, PT;\n"
     "@P0 BRA loop;\n"
     "STG.E [R10], R12;\nEXIT;\n",
     256,
     256,
     256,
     {256 * 256, 256 * 256, 256 * 256},
     true},
    {"n-body",
     ENTER "SHL R1, R0, 0x4;\n"
           "IADD R2.CC, R1, c[0x0][0x140]; IADD.X R3, RZ, c[0x0][0x144];\n"
           "LDG.E.128 R4, [R2];\n"
           "MOV R2, c[0x0][0x140]; MOV R3, c[0x0][0x144]; MOV R7, c[0x0][0x158];\n"
           "MOV R20, RZ; MOV R21, RZ; MOV R22, RZ;\n"
           "loop: LDG.E.128 R8, [R2];\n"
           "FADD R8, R8, -R4; FADD R9, R9, -R5; FADD R10, R10, -R6;\n"
           "FMUL R12, R8, R8; FFMA R12, R9, R9, R12; FFMA R12, R10, R10, R12; FADD R12, R12, 0.010009765625;\n"
           "MUFU.RSQ R13, R12;\n"
           "FMUL R14, R13, R13; FMUL R14, R14, R13; FMUL R14, R14, R11;\n"
           "FFMA R20, R8, R14, R20; FFMA R21, R9, R14, R21; FFMA R22, R10, R14, R22;\n"
           "IADD R2.CC, R2, 0x10; IADD.X R3, R3, RZ;\n"
           "IADD32I R7, R7, -0x1; ISETP.GT.AND P0, PT, R7, RZ, PT;\n"
           "@P0 BRA loop;\n"
           "IMUL R1, R0, 0xc; IADD R2.CC, R1, c[0x0][0x148]; IADD.X R3, RZ, c[0x0][0x14c];\n"
           "STG.E [R2], R20; STG.E [R2+0x4], R21; STG.E [R2+0x8], R22;\nEXIT;\n",
     8,
     256,
     2048,
     {4 * 2048, 3 * 2048},
     true},
    /* Bins in shared memory, then added to those of all blocks. */
    {"histogram",
     ENTER "S2R R9, SR_TID.X; SHL R9, R9, 0x2; STS [R9], RZ; BAR.SYNC 0x0;\n"
           "MOV R6, c[0x0][0x8]; IMUL R6, R6, c[0x0][0x14]; SHL R7, R6, 0x2;\n"
           "ISCADD R2.CC, R0, c[0x0][0x140], 0x2; IADD.X R3, RZ, c[0x0][0x144];\n"
           "MOV32I R10, 0x1;\n"
           "loop: LDG.E R8, [R2]; LOP32I.AND R8, R8, 0xff; SHL R8, R8, 0x2; ATOMS.ADD RZ, [R8], R10;\n"
           "IADD R0, R0, R6; IADD R2.CC, R2, R7; IADD.X R3, R3, RZ;\n"
           "ISETP.LT.AND P0, PT, R0, c[0x0][0x158], PT;\n"
           "@P0 BRA loop;\n"
           "BAR.SYNC 0x0; LDS R8, [R9];\n"
           "IADD R4.CC, R9, c[0x0][0x148]; IADD.X R5, RZ, c[0x0][0x14c]; RED.E.ADD [R4], R8;\nEXIT;\n",
     16,
     256,
     (size_t)1 << 20,
     {(size_t)1 << 20, 256},
     false},
    /* Sums of threads, then of warps by shuffles, then of all. */
    {"reduction",
     ENTER
     "S2R R9, SR_LANEID; MOV R6, c[0x0][0x8]; IMUL R6, R6, c[0x0][0x14]; SHL R7, R6, 0x2; MOV R10, RZ;\n"
     "ISCADD R2.CC, R0, c[0x0][0x140], 0x2; IADD.X R3, RZ, c[0x0][0x144];\n"
     "loop: LDG.E R8, [R2]; IADD R10, R10, R8;\n"
     "IADD R0, R0, R6; IADD R2.CC, R2, R7; IADD.X R3, R3, RZ;\n"
     "ISETP.LT.AND P0, PT, R0, c[0x0][0x158], PT;\n"
     "@P0 BRA loop;\n"
     "SHFL.DOWN PT, R8, R10, 0x10, 0x1f; IADD R10, R10, R8; SHFL.DOWN PT, R8, R10, 0x8, 0x1f; IADD R10, R10, R8;\n"
     "SHFL.DOWN PT, R8, R10, 0x4, 0x1f; IADD R10, R10, R8; SHFL.DOWN PT, R8, R10, 0x2, 0x1f; IADD R10, R10, R8;\n"
     "SHFL.DOWN PT, R8, R10, 0x1, 0x1f; IADD R10, R10, R8;\n"
     "ISETP.EQ.AND P0, PT, R9, RZ, PT;\n"
     "MOV R4, c[0x0][0x148]; MOV R5, c[0x0][0x14c]; @P0 RED.E.ADD [R4], R10;\nEXIT;\n",
     16,
     256,
     (size_t)1 << 22,
     {(size_t)1 << 22, 1},
     false}};
enum { KERNELS = sizeof kernels / sizeof *kernels };

static const float scale = 1.5f;

/* ---- memory ---- */

static uint32_t *buffers[2][MOST_BUFFERS]; /* those of machine code, those of C */

static _Noreturn void give_up(const char *what, const char *why)
{
    fprintf(stderr, "maxwell: %s: %s\n", what, why);
    exit(1);
}

static void fill(const struct kernel *kernel, uint32_t *words[MOST_BUFFERS])
{
    uint32_t state = 12345;
    for (unsigned b = 0; b < MOST_BUFFERS; b++)
        for (size_t i = 0; i < kernel->words[b]; i++) {
            state = state * 1664525 + 1013904223;
            const float number = (float)(state >> 8) * 0x1p-24f;
            words[b][i] = kernel->floats || b ? 0 : state >> 7;
            if (kernel->floats) memcpy(&words[b][i], &number, sizeof number);
        }
}

static void make(const struct kernel *kernel)
{
    for (unsigned side = 0; side < 2; side++) {
        for (unsigned b = 0; b < MOST_BUFFERS; b++) {
            buffers[side][b] = aligned_alloc(64, (kernel->words[b] * 4 + 127) / 64 * 64);
            if (!buffers[side][b]) give_up(kernel->name, "no memory");
        }
        fill(kernel, buffers[side]);
    }
}

static void drop(void)
{
    for (unsigned side = 0; side < 2; side++)
        for (unsigned b = 0; b < MOST_BUFFERS; b++) free(buffers[side][b]);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* ---- both sides ---- */

static uint64_t run(const struct kernel *kernel, const struct sch_program *program)
{
    uint32_t constants[CONSTANT_WORDS] = {0x01000000, 0x03000000, kernel->block, 1, 1, kernel->grid, 1, 1};
    struct sch_maxwell_range ranges[MOST_BUFFERS];
    unsigned count = 0;
    for (unsigned b = 0; b < MOST_BUFFERS && kernel->words[b]; b++) {
        const uint64_t address = (b + 1) * UINT64_C(0x100000000);
        memcpy(&constants[PARAMETER + 2 * b], &address, sizeof address);
        ranges[count++] = (struct sch_maxwell_range){
            .address = address, .data = buffers[0][b], .bytes = kernel->words[b] * 4, .writable = true};
    }
    constants[0x158 / 4] = (uint32_t)kernel->n;
    memcpy(&constants[0x15c / 4], &scale, sizeof scale);
    const struct sch_constant_buffer bank = {constants, sizeof constants};
    const struct sch_maxwell_bindings machine = {.size = sizeof machine, .ranges = ranges, .range_count = count};
    const struct sch_bindings bindings = {
        .size = sizeof bindings, .constants = &bank, .constant_count = 1, .maxwell = &machine};
    const struct sch_dispatch_options options = {.size = sizeof options, .threads = 1, .shared_bytes = 4096};
    struct sch_dispatch_report report = {.size = sizeof report};
    const enum sch_result result = sch_dispatch_grid(program, &bindings, (uint32_t[3]){kernel->grid, 1, 1},
                                                     (uint32_t[3]){kernel->block, 1, 1}, &options, &report);
    if (result != SCH_OK) give_up(kernel->name, sch_result_text(result));
    return report.instructions;
}

static void run_host(unsigned number, const struct kernel *kernel)
{
    void *const *b = (void *const *)buffers[1];
    switch (number) {
    case 0:
        host_saxpy(b[0], b[1], scale, kernel->n);
        break;
    case 1:
        host_matmul(b[0], b[1], b[2], kernel->n);
        break;
    case 2:
        host_nbody(b[0], b[1], kernel->n);
        break;
    case 3:
        host_histogram(b[0], b[1], kernel->n);
        break;
    default:
        *(uint32_t *)b[1] += host_reduce(b[0], kernel->n);
        break;
    }
}

/* Sums of floats in another order, and fused: nearly the same. */
static bool is_same(const struct kernel *kernel, unsigned b)
{
    for (size_t i = 0; i < kernel->words[b]; i++) {
        float x, y;
        memcpy(&x, &buffers[0][b][i], sizeof x);
        memcpy(&y, &buffers[1][b][i], sizeof y);
        if (kernel->floats ? fabsf(x - y) > 1e-3f * (fabsf(x) + 1) : buffers[0][b][i] != buffers[1][b][i]) return false;
    }
    return true;
}

static void measure(unsigned number, struct sch_context *context, enum sch_engine engine, unsigned runs)
{
    const struct kernel *kernel = &kernels[number];
    const struct sch_read_options read = {.size = sizeof read, .kind = SCH_KIND_MAXWELL_TEXT};
    const struct sch_program_options options = {.size = sizeof options, .engine = engine};
    struct sch_shader *shader;
    struct sch_program *program;
    double ours = 1e9, theirs = 1e9;
    uint64_t instructions = 0;
    if (sch_shader_read(context, kernel->text, strlen(kernel->text), &read, NULL, &shader) != SCH_OK)
        give_up(kernel->name, "cannot be read");
    if (sch_program_create(context, shader, &options, NULL, &program) != SCH_OK)
        give_up(kernel->name, "cannot be prepared");
    make(kernel);
    for (unsigned r = 0; r < runs; r++) {
        double begin = now();
        instructions = run(kernel, program);
        const double middle = now();
        run_host(number, kernel);
        const double end = now();
        if (middle - begin < ours) ours = middle - begin;
        if (end - middle < theirs) theirs = end - middle;
    }
    bool same = true;
    for (unsigned b = 0; b < MOST_BUFFERS; b++) same = same && is_same(kernel, b);
    if (!same) give_up(kernel->name, "the results differ");
    printf("%-16s %10.1f %12.3f %12.3f %8.2f\n", kernel->name, (double)instructions * LANES / ours * 1e-6, ours * 1e3,
           theirs * 1e3, theirs / ours);
    drop();
    sch_program_destroy(program);
    sch_shader_destroy(shader);
}

int main(int argc, char **argv)
{
    enum sch_engine engine = SCH_ENGINE_JIT;
    unsigned runs = RUNS;
    bool chosen[KERNELS] = {false}, any = false;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--engine") == 0 && i + 1 < argc)
            engine = strcmp(argv[++i], "interp") == 0 ? SCH_ENGINE_INTERPRETER : SCH_ENGINE_JIT;
        else if (strcmp(argv[i], "--runs") == 0 && i + 1 < argc)
            runs = (unsigned)strtoul(argv[++i], NULL, 10);
        for (unsigned k = 0; k < KERNELS; k++)
            if (strcmp(argv[i], kernels[k].name) == 0) any = chosen[k] = true;
    }
    struct sch_context *context;
    if (sch_context_create(NULL, &context) != SCH_OK) return 1;
    printf("%-16s %10s %12s %12s %8s\n", "kernel", "Minstr/s", "ms", "C, ms", "ratio");
    for (unsigned k = 0; k < KERNELS; k++)
        if (!any || chosen[k]) measure(k, context, engine, runs ? runs : 1);
    sch_context_destroy(context);
    return 0;
}
