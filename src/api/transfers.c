/* Texels that move without a shader, on src/texture. */
#include "texture/transfers.h"

#include "api/api.h"
#include "base/clock.h"
#include "base/pool.h"

bool sch_api_take_moving(struct sch_api_call *call, const struct sch_moving_options *given, struct sch_moving *moving)
{
    struct sch_moving_options wanted;
    if (!sch_api_read_inner(call->list, ".moving", &wanted, sizeof wanted, sizeof wanted, given)) return false;
    if (!sch_api_takes(call->list, ".moving.threads", wanted.threads, 0, SCH_POOL_THREADS)) return false;
    *moving = (struct sch_moving){
        .pool = call->context ? call->context->pool : NULL, .threads = wanted.threads, .cancel = wanted.cancel};
    if (wanted.deadline_ms) moving->deadline = sch_clock_after_ms(sch_clock_ns(), wanted.deadline_ms);
    return true;
}

enum sch_result sch_resource_write(struct sch_resource *resource, const struct sch_transfer *transfer, const void *data,
                                   size_t bytes, struct sch_diagnostics_list *diagnostics)
{
    struct sch_api_call call;
    struct sch_transfer wanted;
    struct sch_moving moving;
    sch_api_begin(&call, SCH_API_CONTEXT_OF(resource), diagnostics, __func__, "transfer");
    if (!sch_api_given(&call, resource, "resource") || !sch_api_given(&call, data, "data") ||
        !sch_api_read(&call, "transfer", &wanted, sizeof wanted, sizeof wanted, transfer) ||
        !sch_api_take_moving(&call, wanted.moving, &moving))
        return sch_api_refused(&call);
    enum sch_result result = sch_texture_write(resource->texture, &wanted, data, bytes, &moving, call.list);
    return sch_api_end(&call, result);
}

enum sch_result sch_resource_read(const struct sch_resource *resource, const struct sch_transfer *transfer, void *data,
                                  size_t bytes, struct sch_diagnostics_list *diagnostics)
{
    struct sch_api_call call;
    struct sch_transfer wanted;
    struct sch_moving moving;
    sch_api_begin(&call, SCH_API_CONTEXT_OF(resource), diagnostics, __func__, "transfer");
    if (!sch_api_given(&call, resource, "resource") || !sch_api_given(&call, data, "data") ||
        !sch_api_read(&call, "transfer", &wanted, sizeof wanted, sizeof wanted, transfer) ||
        !sch_api_take_moving(&call, wanted.moving, &moving))
        return sch_api_refused(&call);
    enum sch_result result = sch_texture_read(resource->texture, &wanted, data, bytes, &moving, call.list);
    return sch_api_end(&call, result);
}

size_t sch_transfer_bytes(const struct sch_resource *resource, const struct sch_transfer *transfer)
{
    struct sch_transfer wanted;
    if (!resource || !sch_sized_read(&wanted, sizeof wanted, sizeof wanted, transfer)) return 0;
    return sch_texture_transfer_bytes(resource->texture, &wanted);
}

enum sch_result sch_resource_copy(struct sch_resource *to, const struct sch_resource *from, const struct sch_copy *copy,
                                  struct sch_diagnostics_list *diagnostics)
{
    struct sch_api_call call;
    struct sch_copy wanted;
    struct sch_moving moving;
    sch_api_begin(&call, SCH_API_CONTEXT_OF(to), diagnostics, __func__, "copy");
    if (!sch_api_given(&call, to, "to") || !sch_api_given(&call, from, "from") ||
        !sch_api_read(&call, "copy", &wanted, sizeof wanted, sizeof wanted, copy) ||
        !sch_api_take_moving(&call, wanted.moving, &moving))
        return sch_api_refused(&call);
    enum sch_result result = sch_texture_copy(to->texture, from->texture, &wanted, &moving, call.list);
    return sch_api_end(&call, result);
}

enum sch_result sch_resource_clear(struct sch_resource *resource, const struct sch_clear *clear,
                                   struct sch_diagnostics_list *diagnostics)
{
    struct sch_api_call call;
    struct sch_clear wanted;
    struct sch_moving moving;
    sch_api_begin(&call, SCH_API_CONTEXT_OF(resource), diagnostics, __func__, "clear");
    if (!sch_api_given(&call, resource, "resource") ||
        !sch_api_read(&call, "clear", &wanted, sizeof wanted, sizeof wanted, clear) ||
        !sch_api_take_moving(&call, wanted.moving, &moving))
        return sch_api_refused(&call);
    enum sch_result result = sch_texture_clear(resource->texture, &wanted, &moving, call.list);
    return sch_api_end(&call, result);
}

enum sch_result sch_resource_blit(struct sch_resource *to, const struct sch_resource *from, const struct sch_blit *blit,
                                  struct sch_diagnostics_list *diagnostics)
{
    struct sch_api_call call;
    struct sch_blit wanted;
    struct sch_moving moving;
    sch_api_begin(&call, SCH_API_CONTEXT_OF(to), diagnostics, __func__, "blit");
    if (!sch_api_given(&call, to, "to") || !sch_api_given(&call, from, "from") ||
        !sch_api_read(&call, "blit", &wanted, sizeof wanted, sizeof wanted, blit) ||
        !sch_api_take_moving(&call, wanted.moving, &moving))
        return sch_api_refused(&call);
    enum sch_result result =
        sch_texture_blit(to->texture, from->texture, &wanted, &to->context->allocator, &moving, call.list);
    return sch_api_end(&call, result);
}

enum sch_result sch_resource_make_mips(struct sch_resource *resource, const struct sch_mips *mips,
                                       struct sch_diagnostics_list *diagnostics)
{
    struct sch_api_call call;
    struct sch_mips wanted;
    struct sch_moving moving;
    sch_api_begin(&call, SCH_API_CONTEXT_OF(resource), diagnostics, __func__, "mips");
    if (!sch_api_given(&call, resource, "resource") ||
        !sch_api_read(&call, "mips", &wanted, sizeof wanted, sizeof wanted, mips) ||
        !sch_api_take_moving(&call, wanted.moving, &moving))
        return sch_api_refused(&call);
    enum sch_result result = sch_texture_make_mips(resource->texture, &wanted, &moving, call.list);
    return sch_api_end(&call, result);
}

enum sch_result sch_resource_write_video(struct sch_resource *resource, const struct sch_video *video,
                                         struct sch_diagnostics_list *diagnostics)
{
    struct sch_api_call call;
    struct sch_video wanted;
    sch_api_begin(&call, SCH_API_CONTEXT_OF(resource), diagnostics, __func__, "video");
    if (!sch_api_given(&call, resource, "resource") || !sch_api_given(&call, video, "video") ||
        !sch_api_read(&call, "video", &wanted, sizeof wanted, sizeof wanted, video))
        return sch_api_refused(&call);
    enum sch_result result = sch_texture_write_video(resource->texture, &wanted, call.list);
    return sch_api_end(&call, result);
}
