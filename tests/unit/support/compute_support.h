/* Running shaders that use memory, through the public API. A text that does not become a program fails the test. */
#ifndef TESTS_COMPUTE_SUPPORT_H
#define TESTS_COMPUTE_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <scheelite/scheelite.h>

#include "random_number.h"

struct compute {
    struct sch_context *context;
    struct sch_program *program;
    struct sch_bindings bindings;
    struct sch_dispatch_options options;
    struct sch_dispatch_report report;
    uint32_t grid[3], block[3];
};

/* A program of `text` at a width (4, 8, 16), with nothing bound. */
void compute_open(struct compute *compute, const char *text, uint32_t width);
/* The same on an engine whatever SCH_TEST_ENGINE says. */
void compute_open_on(struct compute *compute, const char *text, enum sch_engine engine, uint32_t width);
void compute_close(struct compute *compute);

/* Runs the grid. */
enum sch_result compute_run(struct compute *compute);

/* Runs `count` invocations of any stage with `registers` inputs and outputs each; `helpers` may be NULL. */
enum sch_result compute_invoke(struct compute *compute, uint32_t count, uint32_t registers, const uint32_t *inputs,
                               const uint8_t *helpers, uint32_t *outputs);

#endif
