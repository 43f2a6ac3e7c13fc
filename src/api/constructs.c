/* The constructs of a shader, as its flow has them. */
#include "api/api.h"

#include <string.h>

#include "ir/flow.h"

enum sch_result sch_shader_constructs(const struct sch_shader *shader, struct sch_construct_info *list, size_t stride,
                                      size_t capacity, size_t *count)
{
    if (!count) return SCH_ERROR_ARGUMENT;
    *count = 0;
    if (!shader || !shader->ir || (capacity && (!list || stride < sizeof *list))) return SCH_ERROR_ARGUMENT;
    struct sch_arena arena;
    struct sch_ir_flow flow;
    sch_arena_init(&arena, &shader->context->allocator, shader->context->limits.memory);
    const enum sch_result status = sch_ir_flow_build(shader->ir, &arena, &flow, NULL, NULL);
    *count = flow.construct_count;
    for (size_t c = 0; c < *count && c < capacity; c++) {
        const struct sch_ir_construct *from = &flow.constructs[c];
        const struct sch_construct_info info = {
            .kind = (enum sch_construct)from->kind, .opener = from->opener, .end = from->end, .outer = from->outer};
        memcpy((char *)list + c * stride, &info, sizeof info);
    }
    sch_arena_release(&arena);
    return status;
}
