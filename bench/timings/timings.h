/* What the measurements of `./dev bench` share: each prints a table, with tabs between its columns. Errors go to the
 * standard error. */
#ifndef BENCH_TIMINGS_H
#define BENCH_TIMINGS_H

#include <scheelite/scheelite.h>
#include <stdio.h>

enum { BENCH_SIDE = 256, BENCH_PIXELS = BENCH_SIDE * BENCH_SIDE };

/* What the options say. */
struct bench_setup {
    struct sch_context *context;
    struct sch_program_options program;
    struct sch_dispatch_options dispatch;
    const char *compiler; /* NULL: the one of this build */
    double seconds;       /* how long one measurement takes at least */
    char **paths;         /* files to measure in place of our own shaders */
    size_t path_count;
    double unit; /* seconds of processor time of a unit of `auto`: bench_compile's */
};

/* Each prints its table; false: something failed, and was said. */
typedef bool bench_table_fn(const struct bench_setup *setup);
bench_table_fn bench_shaders, bench_lookups, bench_compile, bench_d3d, bench_stop, bench_threads, bench_debug;

/* The shaders of shaders.def, in order; false past the last. */
struct bench_source {
    const char *name;
    const void *data;
    size_t bytes;
};
bool bench_own_shader(size_t index, struct bench_source *source);
void bench_print_reports(struct sch_context *context, const struct sch_diagnostics_list *list,
                         const struct bench_source *source);

/* Says what failed, unless it is OK or was said; whether it is OK. */
bool bench_good(const char *name, enum sch_result result);

double bench_now(void);       /* seconds */
double bench_processor(void); /* seconds of processor time of this process */
int bench_by_value(const void *a, const void *b);

/* A program of text; what refuses it is printed. */
enum sch_result bench_program(struct sch_context *context, const char *name, const char *text,
                              const struct sch_program_options *options, struct sch_program **program);

/* A file, which the caller frees; NULL: it cannot be read, which was said. */
void *bench_read_file(const char *path, size_t *bytes);

/* ---- shaders on the pixels of a picture ---- */

/* An input and an output register of each pixel. */
struct bench_pixels {
    uint32_t inputs[BENCH_PIXELS * 4];
    uint32_t outputs[BENCH_PIXELS * 4];
};

/* Pixels with (s, t, third, 1), in quads; the position in each pixel is (right, down). NULL: memory. */
struct bench_pixels *bench_pixels(float right, float down, float third);

struct bench_time {
    double seconds; /* of one invocation on one thread */
    struct sch_dispatch_report report;
};

/* Runs a program until the clock has moved enough. */
enum sch_result bench_run(const struct bench_setup *setup, const struct sch_bindings *bindings,
                          const struct sch_program *program, struct bench_pixels *pixels, struct bench_time *time);

/* Seconds of processor time that the interpreter takes for an instruction of 32 invocations: the geometric mean of the
 * shaders without lookups. Zero: something failed, and was said. */
double bench_interpreted(const struct bench_setup *setup);

/* ---- textures (texture.c) ---- */

/* Random texels, and how they are read. */
struct bench_texels {
    const char *format;
    enum sch_target target; /* 0: 2D */
    uint32_t side, levels;
    bool decoded;
    enum sch_filter filter;
    enum sch_mip_filter mip;
    enum sch_wrap wrap;
    uint32_t anisotropy;
    float lod_bias;
};

/* Bindings of one texture. A caller that also binds constants or a buffer fills those in and sets their count. */
struct bench_bindings {
    struct sch_view *view;
    struct sch_sampler *sampler;
    struct sch_constant_buffer constants;
    struct sch_storage_buffer buffer;
    struct sch_bindings bindings; /* points into this struct */
};

/* Zeros are good to release, after errors too. */
enum sch_result bench_bind(struct sch_context *context, const struct bench_texels *texels,
                           struct bench_bindings *bound);
void bench_release(struct bench_bindings *bound);

/* ---- compiling (compile.c, compile_lookups.c) ---- */

/* In milliseconds of wall time, but for those of the compiler, which are its thread's processor time. */
struct bench_compiling {
    enum sch_result result;
    bool told;                  /* why there is no result */
    double total;               /* from the process's first line to code that can be called */
    double parse;               /* reading the text */
    double prepare;             /* checking, decoding; in the first process loading the compiler, too */
    double build, passes, code; /* processor time */
    double load;                /* reading from the cache, checking, relocating, mapping */
    uint32_t instructions;
    uint64_t expected; /* units of `auto` */
};

/* Compiles a shader for groups, or for the spans that `spans` names. `spans` and `list` may be NULL. */
struct bench_compiling bench_compile_once(const struct bench_setup *setup, const struct bench_source *source,
                                          const struct sch_code_options *spans, struct sch_diagnostics_list *list);
/* `process`: what the process had done before. */
void bench_print_compiling(const struct bench_setup *setup, const char *name, const struct bench_compiling *times,
                           const char *process);

/* Rows to compare. Prints those with the median, with what 90 % do not exceed and with the greatest, of the costs, and
 * of the costs' ratios to what `auto` expected, whichever is greater. Sorts them. */
enum { BENCH_NAME = 80 };
struct bench_compiled {
    char name[BENCH_NAME];
    struct bench_compiling times;
};
void bench_print_places(const struct bench_setup *setup, const char *what, struct bench_compiled *rows, size_t count);

/* Lookups of all kinds of states, then their places. The setup's context has the compiler in this process. */
bool bench_compile_lookups(const struct bench_setup *setup);

#endif
