/* See script.h. */
#include "common/hlsl_file.h"
#include "script.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void cannot(struct sch_player_file *program, const char *reason)
{
    snprintf(program->problem, sizeof program->problem, "%s", reason);
}

struct field {
    const char *text;
    size_t bytes;
};

/* Column `name` of a line of the map, by the names of its first line. */
static bool map_field(const char *map, const char *line, const char *name, struct field *field)
{
    for (;;) {
        size_t head = strcspn(map, "\t\r\n"), bytes = strcspn(line, "\t\r\n");
        if (head == strlen(name) && memcmp(map, name, head) == 0) {
            *field = (struct field){line, bytes};
            return true;
        }
        if (map[head] != '\t' || line[bytes] != '\t') return false;
        map += head + 1;
        line += bytes + 1;
    }
}

/* The file that the map has for a section. */
static bool find_mapped(const struct sch_cli_hlsl *hlsl, const char *section, struct sch_player_file *program,
                        char *path, size_t room)
{
    struct field name, compiled, file;
    const char *map = hlsl->map.data;
    for (const char *line = map; line && *line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
        if (!map_field(map, line, "section", &name) || name.bytes != strlen(section) ||
            memcmp(name.text, section, name.bytes) != 0)
            continue;
        if (map_field(map, line, "compiled", &compiled) && compiled.bytes == 7 &&
            memcmp(compiled.text, "refused", 7) == 0) {
            cannot(program, "the HLSL compiler refuses the shader");
            return false;
        }
        if (!map_field(map, line, "file_in_st", &file) || !file.bytes || memchr(file.text, '/', file.bytes)) break;
        int bytes = snprintf(path, room, "%s/%.*s.dxbc", hlsl->folder, (int)file.bytes, file.text);
        if ((size_t)bytes < room) return true;
        break;
    }
    cannot(program, "the HLSL has no compiled program");
    return false;
}

static bool find_compiled(const struct sch_cli_hlsl *hlsl, const struct sch_player_hlsl *section,
                          struct sch_player_file *program, char *path, size_t room)
{
    static const unsigned models[] = {50, 41, 40};
    char name[256], profile[16];
    const int base = hlsl->base_bytes < 200 ? (int)hlsl->base_bytes : 200;
    snprintf(name, sizeof name, "%.*s.%02u", base, hlsl->base, section->number);
    if (hlsl->map.data) return find_mapped(hlsl, name, program, path, room);
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        if (models[i] > section->model) continue;
        sch_cli_hlsl_profile(section->stage, models[i], profile);
        int bytes = snprintf(path, room, "%s/%s.%s.dxbc", hlsl->folder, name, profile);
        if ((size_t)bytes < room && access(path, R_OK) == 0) return true;
    }
    cannot(program, "the HLSL has no compiled program");
    return false;
}

static bool compile(struct sch_cli_hlsl *hlsl, const struct sch_player_hlsl *section, struct sch_cli_input *input)
{
    char profile[16];
    sch_cli_hlsl_profile(section->stage, section->model, profile);
    const struct sch_cli_hlsl_source source = {
        .command = hlsl->compiler, .profile = profile, .text = section->text, .bytes = section->bytes};
    return sch_cli_hlsl_call(&source, input, &hlsl->exit_code);
}

void sch_cli_hlsl_compile(struct sch_cli_hlsl *hlsl, const struct sch_player_hlsl *section,
                          struct sch_player_file *program)
{
    char path[4096];
    struct sch_cli_input input = {0};
    if (hlsl->compiler) {
        if (!compile(hlsl, section, &input)) {
            cannot(program, "the HLSL compiler refuses the shader");
            sch_cli_input_release(&input);
        }
    } else if (!hlsl->folder) {
        cannot(program, "HLSL needs --hlsl-compiler or --compiled");
    } else if (find_compiled(hlsl, section, program, path, sizeof path)) {
        hlsl->exit_code = sch_cli_read(path, &input);
    }
    program->data = input.data;
    program->bytes = input.bytes;
    program->stop = hlsl->exit_code != SCH_CLI_YES;
}

enum sch_cli_exit sch_cli_hlsl_begin(struct sch_cli_hlsl *hlsl, const char *script)
{
    const char *slash = strrchr(script, '/'), *end;
    hlsl->base = slash ? slash + 1 : script;
    end = strstr(hlsl->base, ".shader_test");
    hlsl->base_bytes = end ? (size_t)(end - hlsl->base) : strlen(hlsl->base);
    return hlsl->map_path ? sch_cli_read(hlsl->map_path, &hlsl->map) : SCH_CLI_YES;
}

void sch_cli_hlsl_release(struct sch_cli_hlsl *hlsl) { sch_cli_input_release(&hlsl->map); }
