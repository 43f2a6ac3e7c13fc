/* Texels that move without a shader, on src/texture. */
#include "texture/transfers.h"

#include "api/api.h"

enum sch_result sch_resource_write(struct sch_resource *resource, const struct sch_transfer *transfer, const void *data,
                                   size_t bytes, struct sch_diagnostics_list *diagnostics)
{
    struct sch_transfer wanted;
    if (!resource || !data || !sch_sized_read(&wanted, sizeof wanted, sizeof wanted, transfer))
        return SCH_ERROR_ARGUMENT;
    struct sch_diagnostics *list = sch_api_list(diagnostics);
    sch_diagnostics_name(list, "");
    enum sch_result result = sch_texture_write(resource->texture, &wanted, data, bytes, list);
    return sch_api_reported(resource->context, diagnostics, result);
}

enum sch_result sch_resource_read(const struct sch_resource *resource, const struct sch_transfer *transfer, void *data,
                                  size_t bytes, struct sch_diagnostics_list *diagnostics)
{
    struct sch_transfer wanted;
    if (!resource || !data || !sch_sized_read(&wanted, sizeof wanted, sizeof wanted, transfer))
        return SCH_ERROR_ARGUMENT;
    struct sch_diagnostics *list = sch_api_list(diagnostics);
    sch_diagnostics_name(list, "");
    enum sch_result result = sch_texture_read(resource->texture, &wanted, data, bytes, list);
    return sch_api_reported(resource->context, diagnostics, result);
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
    struct sch_copy wanted;
    if (!to || !from || !sch_sized_read(&wanted, sizeof wanted, sizeof wanted, copy)) return SCH_ERROR_ARGUMENT;
    struct sch_diagnostics *list = sch_api_list(diagnostics);
    sch_diagnostics_name(list, "");
    enum sch_result result = sch_texture_copy(to->texture, from->texture, &wanted, list);
    return sch_api_reported(to->context, diagnostics, result);
}

enum sch_result sch_resource_clear(struct sch_resource *resource, const struct sch_clear *clear,
                                   struct sch_diagnostics_list *diagnostics)
{
    struct sch_clear wanted;
    if (!resource || !sch_sized_read(&wanted, sizeof wanted, sizeof wanted, clear)) return SCH_ERROR_ARGUMENT;
    struct sch_diagnostics *list = sch_api_list(diagnostics);
    sch_diagnostics_name(list, "");
    enum sch_result result = sch_texture_clear(resource->texture, &wanted, list);
    return sch_api_reported(resource->context, diagnostics, result);
}

enum sch_result sch_resource_blit(struct sch_resource *to, const struct sch_resource *from, const struct sch_blit *blit,
                                  struct sch_diagnostics_list *diagnostics)
{
    struct sch_blit wanted;
    if (!to || !from || !sch_sized_read(&wanted, sizeof wanted, sizeof wanted, blit)) return SCH_ERROR_ARGUMENT;
    struct sch_diagnostics *list = sch_api_list(diagnostics);
    sch_diagnostics_name(list, "");
    enum sch_result result = sch_texture_blit(to->texture, from->texture, &wanted, &to->context->allocator, list);
    return sch_api_reported(to->context, diagnostics, result);
}

enum sch_result sch_resource_make_mips(struct sch_resource *resource, const struct sch_mips *mips,
                                       struct sch_diagnostics_list *diagnostics)
{
    struct sch_mips wanted;
    if (!resource || !sch_sized_read(&wanted, sizeof wanted, sizeof wanted, mips)) return SCH_ERROR_ARGUMENT;
    struct sch_diagnostics *list = sch_api_list(diagnostics);
    sch_diagnostics_name(list, "");
    enum sch_result result = sch_texture_make_mips(resource->texture, &wanted, list);
    return sch_api_reported(resource->context, diagnostics, result);
}

enum sch_result sch_resource_write_video(struct sch_resource *resource, const struct sch_video *video,
                                         struct sch_diagnostics_list *diagnostics)
{
    struct sch_video wanted;
    if (!resource || !video || !sch_sized_read(&wanted, sizeof wanted, sizeof wanted, video)) return SCH_ERROR_ARGUMENT;
    struct sch_diagnostics *list = sch_api_list(diagnostics);
    sch_diagnostics_name(list, "");
    enum sch_result result = sch_texture_write_video(resource->texture, &wanted, list);
    return sch_api_reported(resource->context, diagnostics, result);
}
