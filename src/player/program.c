/* Programs from texts and containers, and other objects. */
#include <stdlib.h>
#include <string.h>

#include "player.h"

char *sch_player_text_at(uint32_t line, const char *text, size_t bytes, size_t *made_bytes)
{
    const size_t lines = line ? line - 1 : 0;
    char *made = malloc(lines + bytes + 1);
    *made_bytes = lines + bytes;
    if (!made) return NULL;
    memset(made, '\n', lines);
    memcpy(made + lines, text, bytes);
    made[*made_bytes] = 0;
    return made;
}

/* Reading TGSI takes the first line as an option; lines of Direct3D assembly are counted from the text's beginning. */
enum sch_result sch_player_shader_read(struct sch_context *context, const struct sch_player_source *source,
                                       struct sch_diagnostics_list *list, struct sch_shader **shader)
{
    const bool tgsi = source->kind == SCH_KIND_TGSI;
    const struct sch_read_options options = {
        .size = sizeof options, .kind = source->kind, .name = source->name, .line = tgsi ? source->line : 0};
    size_t bytes;
    char *text =
        sch_player_text_at(source->kind == SCH_KIND_D3D_ASM ? source->line : 0, source->data, source->bytes, &bytes);
    const enum sch_result result =
        text ? sch_shader_read(context, text, bytes, &options, list, shader) : SCH_ERROR_MEMORY;
    free(text);
    return result;
}

enum sch_result sch_player_program_make(struct sch_context *context, const struct sch_player_source *source,
                                        const struct sch_program_options *options, struct sch_diagnostics_list *list,
                                        struct sch_player_program *made)
{
    enum sch_result result = sch_player_shader_read(context, source, list, &made->shader);
    made->info = (struct sch_shader_info){.size = sizeof made->info};
    if (result == SCH_OK) result = sch_shader_get_info(made->shader, &made->info);
    made->other_stage = result == SCH_OK && made->info.stage != source->stage;
    if (result != SCH_OK || made->other_stage) return result;
    return sch_program_create(context, made->shader, options, list, &made->program);
}

void sch_player_program_release(struct sch_player_program *program)
{
    sch_program_destroy(program->program);
    sch_shader_destroy(program->shader);
    *program = (struct sch_player_program){0};
}

void sch_player_object_release(struct sch_player_object *object)
{
    sch_query_destroy(object->query);
    sch_vertex_elements_destroy(object->elements);
    sch_rasterizer_destroy(object->rasterizer);
    sch_depth_stencil_alpha_destroy(object->depth_stencil_alpha);
    sch_blend_destroy(object->blend);
    sch_stream_output_destroy(object->stream_output);
    sch_stream_target_destroy(object->stream_target);
    sch_sampler_destroy(object->sampler);
    sch_image_destroy(object->image);
    sch_view_destroy(object->view);
    sch_resource_destroy(object->resource);
    sch_player_program_release(&object->program);
    *object = (struct sch_player_object){0};
}
