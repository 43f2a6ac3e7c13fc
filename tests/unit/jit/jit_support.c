/* See jit_support.h. */
#include "jit_support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "../support/by_code.h"

struct sch_context *jit_context(bool inside)
{
    const struct sch_machine_code_options code = {
        .size = sizeof code, .compiler = by_code_compiler(), .inside = inside};
    const struct sch_context_options options = {.size = sizeof options, .machine_code = &code};
    struct sch_context *context = NULL;
    assert_int_equal(sch_context_create(&options, &context), SCH_OK);
    return context;
}

struct sch_resource *jit_texture(struct sch_context *context)
{
    static const uint8_t texels[16] = {1, 20, 40, 60, 80, 100, 120, 140, 160, 180, 200, 210, 220, 230, 240, 250};
    const struct sch_resource_options shape = {.size = sizeof shape,
                                               .target = SCH_TARGET_2D,
                                               .format = sch_format_by_name("R8G8B8A8_UNORM"),
                                               .width = 2,
                                               .height = 2,
                                               .depth = 1,
                                               .layers = 1,
                                               .levels = 1};
    struct sch_resource *resource = NULL;
    assert_int_equal(sch_resource_create(context, &shape, NULL, &resource), SCH_OK);
    assert_int_equal(sch_resource_write_all(resource, texels, sizeof texels), SCH_OK);
    return resource;
}

void jit_inputs(uint32_t (*inputs)[4], unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        for (unsigned c = 0; c < 4; c++) {
            float value = (float)((i * 37 + c * 11) % 64) / 32.0f;
            memcpy(&inputs[i][c], &value, sizeof value);
        }
}
