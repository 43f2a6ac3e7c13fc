/* Shaders and programs of texts inside the library, for tests of what runs them. A text that is wrong is a wrong
 * test. */
#ifndef TESTS_EXEC_PROGRAM_H
#define TESTS_EXEC_PROGRAM_H

#include "exec/exec.h"

/* The caller's. Not checked: what the checks refuse has its place in tests, too. */
struct sch_ir_shader *parsed_shader(const char *text);
struct sch_ir_shader *checked_shader(const char *text);

/* Of a shader that is not checked; `options` may be NULL. */
struct sch_exec_program *exec_program(const char *text, const struct sch_exec_options *options);

#endif
