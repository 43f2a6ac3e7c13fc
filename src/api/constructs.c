/* The constructs of a shader, as its flow has them. */
#include "api/api.h"

#include <string.h>

#include "ir/flow.h"

enum sch_result sch_shader_constructs(const struct sch_shader *shader, struct sch_construct_info *list, size_t stride,
                                      size_t capacity, size_t *count)
{
    struct sch_api_call call;
    sch_api_begin(&call, SCH_API_CONTEXT_OF(shader), NULL, __func__, NULL);
    if (count) *count = 0;
    if (!sch_api_given(&call, count, "count") || !sch_api_given(&call, shader, "shader") ||
        (capacity && !sch_api_given(&call, list, "list")))
        return sch_api_refused(&call);
    if (!shader->ir) return sch_api_wrong(&call, "shader", "only a TGSI shader has a list of constructs");
    if (capacity && stride < sizeof *list)
        return sch_api_wrong(&call, "stride", "elements of %zu bytes: they have %zu", stride, sizeof *list);
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
    return sch_api_end(&call, status);
}
