/* Programs from texts through the public API, for tests that run whole shaders. */
#ifndef TESTS_API_PROGRAM_H
#define TESTS_API_PROGRAM_H

#include <scheelite/scheelite.h>

/* A program of a text; the test fails when there is none. The context is the caller's. */
struct sch_program *api_program(struct sch_context *context, const char *text, unsigned width);

/* With default options. */
struct sch_program *api_default_program(struct sch_context *context, const char *text);

/* The first for any input, and NULL with the result in `*why` when there is none. */
struct sch_program *api_program_try(struct sch_context *context, const void *data, size_t bytes, unsigned width,
                                    enum sch_result *why);
/* On an engine. */
struct sch_program *api_program_on(struct sch_context *context, const void *data, size_t bytes, enum sch_engine engine,
                                   unsigned width, enum sch_result *why);

/* Runs invocations of a text in a context of their own, which must go well. `options` may be NULL. */
void api_run(const char *text, unsigned width, const struct sch_invocations *work,
             const struct sch_dispatch_options *options);

/* A body that follows runs once for each width, after `run(setup, width)`. */
#define API_EACH_WIDTH(run, setup) for (unsigned width = 4; width <= 16 && (run(setup, width), true); width *= 2)

/* A context of default options, and a shader of a text. The test fails when there is none. */
struct sch_context *api_context(void);
struct sch_shader *api_shader(struct sch_context *context, const char *text);

uint32_t api_bits(float value);
float api_float(uint32_t word);

/* Small integers, floats near zero and any bits. */
uint32_t api_random_word(uint64_t *seed);
void api_fill(void *data, size_t words, uint64_t *seed);

#endif
