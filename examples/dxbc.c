/* Reading DXBC: signatures, resources and listing of a Direct3D shader, and the same shader as TGSI. Without a file it
 * assembles a shader first, and reads the bytes that this gives.
 *
 *   cc dxbc.c $(pkg-config --cflags --libs scheelite) -o dxbc && ./dxbc [shader.dxbc] */
#include <scheelite/scheelite.h>

#include <stdio.h>

static const char assembly[] = "ps_5_0\n"
                               ".input\n"
                               ".param SV_Position.xyzw, v0, float, POS\n"
                               ".param TEXCOORD.xy, v1.xy, float\n"
                               ".output\n"
                               ".param SV_Target.xyzw, o0.xyzw, float, TARGET\n"
                               ".text\n"
                               "dcl_globalFlags refactoringAllowed\n"
                               "dcl_sampler s0, mode_default\n"
                               "dcl_resource_texture2d (float,float,float,float) t0\n"
                               "dcl_input_ps linear v1.xy\n"
                               "dcl_output o0.xyzw\n"
                               "sample o0.xyzw, v1.xyxx, t0.xyzw, s0\n"
                               "ret\n";

struct objects {
    struct sch_context *context;
    struct sch_diagnostics_list *reports;
    struct sch_shader *assembled, *shader;
    void *bytes; /* of the assembled shader's container */
    char *listing, *tgsi;
};

/* The container of `assembly`. */
static enum sch_result assemble(struct objects *o, const void **data, size_t *bytes)
{
    const struct sch_read_options options = {.size = sizeof options, .kind = SCH_KIND_D3D_ASM, .name = "assembly"};
    enum sch_result result =
        sch_shader_read(o->context, assembly, sizeof assembly - 1, &options, o->reports, &o->assembled);
    if (result == SCH_OK) result = sch_shader_serialize(o->assembled, o->reports, &o->bytes, bytes);
    *data = o->bytes;
    return result;
}

static void print_registers(const struct sch_shader *shader, enum sch_file file, const char *title)
{
    struct sch_register_info is = {.size = sizeof is};
    for (uint32_t i = 0; sch_shader_register(shader, file, i, &is); i++)
        printf("%s register %u: %s%u, system value %s\n", title, is.index, is.semantic_name, is.semantic_index,
               sch_system_value_name(is.system_value));
}

static enum sch_result print(struct objects *o)
{
    const struct sch_translate_options tgsi = {.size = sizeof tgsi, .to = SCH_TRANSLATE_TGSI};
    struct sch_d3d_info info = {.size = sizeof info};
    struct sch_range_info range = {.size = sizeof range};
    enum sch_result result = sch_shader_get_d3d_info(o->shader, &info);
    if (result == SCH_OK) result = sch_shader_check(o->shader, o->reports);
    if (result == SCH_OK) result = sch_shader_print(o->shader, NULL, &o->listing, NULL);
    if (result == SCH_OK) result = sch_shader_translate(o->shader, &tgsi, o->reports, &o->tgsi, NULL);
    if (result != SCH_OK) return result;
    printf("%s_%u_%u, checksum %s\n", info.stage, info.major, info.minor, info.checksum_right ? "right" : "wrong");
    print_registers(o->shader, SCH_FILE_INPUT, "input");
    print_registers(o->shader, SCH_FILE_OUTPUT, "output");
    for (uint32_t i = 0; sch_shader_range(o->shader, i, &range); i++)
        printf("%c%u is bound as entry %u\n", "btsu"[range.kind], range.first, range.unit);
    printf("\n%s\n%s", o->listing, o->tgsi);
    return SCH_OK;
}

int main(int argc, char **argv)
{
    static char file[1 << 20];
    struct objects o = {.context = NULL};
    const void *data = file;
    size_t bytes = 0;
    enum sch_result result = sch_context_create(NULL, &o.context);
    if (result == SCH_OK) result = sch_diagnostics_create(o.context, &o.reports);
    if (result == SCH_OK && argc > 1) {
        FILE *stream = fopen(argv[1], "rb");
        if (!stream) perror(argv[1]);
        if (stream) bytes = fread(file, 1, sizeof file, stream);
        if (stream) fclose(stream);
    } else if (result == SCH_OK) {
        result = assemble(&o, &data, &bytes);
    }
    const struct sch_read_options options = {
        .size = sizeof options, .kind = SCH_KIND_DXBC, .name = argc > 1 ? argv[1] : "bytes"};
    if (result == SCH_OK) result = sch_shader_read(o.context, data, bytes, &options, o.reports, &o.shader);
    if (result == SCH_OK) result = print(&o);

    char *text = NULL;
    if (o.reports && sch_diagnostics_print(o.reports, NULL, &text, NULL) == SCH_OK) fputs(text, stderr);
    if (result != SCH_OK) fprintf(stderr, "%s\n", sch_result_text(result));
    sch_free(o.context, text);
    sch_free(o.context, o.tgsi);
    sch_free(o.context, o.listing);
    sch_free(o.context, o.bytes);
    sch_shader_destroy(o.shader);
    sch_shader_destroy(o.assembled);
    sch_diagnostics_destroy(o.reports);
    sch_context_destroy(o.context);
    return result != SCH_OK;
}
