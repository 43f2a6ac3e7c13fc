/* What tests of large shaders run them on: a context that compiles, a small texture, inputs. */
#ifndef TESTS_JIT_SUPPORT_H
#define TESTS_JIT_SUPPORT_H

#include <scheelite/scheelite.h>

/* `inside`: code is made in this process. */
struct sch_context *jit_context(bool inside);

/* 2 x 2 texels, each of its own. */
struct sch_resource *jit_texture(struct sch_context *context);

/* Numbers from 0 to 2, of each lane its own. */
void jit_inputs(uint32_t (*inputs)[4], unsigned count);

#endif
