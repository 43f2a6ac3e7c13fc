/* Scripts and scenes as subjects of `reduce`: lines, with the shaders among them. Comments and empty lines go at
 * once. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "../script/script.h"
#include "../support/text.h"
#include "../support/words.h"
#include "scenes/scene_files.h"
#include "subject.h"

/* ---- taking apart ---- */

struct splitting {
    const struct sch_cli_subject *subject;
    struct sch_cli_pieces *pieces;
    enum sch_cli_language language; /* of the lines that come */
    uint32_t of;                    /* which shader they are; 0: none */
    const char *shader;             /* where it begins */
};

static bool is_shader(enum sch_cli_language language)
{
    return language == SCH_CLI_IN_TGSI || language == SCH_CLI_IN_D3D;
}

/* A copy without the lines that are comments of scripts; NULL: memory. */
static char *without_comments(const char *text, size_t bytes)
{
    char *copy = malloc(bytes + 1), *to = copy;
    for (const char *at = text, *end = text + bytes; at < end && copy;) {
        const char *stop = memchr(at, '\n', (size_t)(end - at)), *next = stop ? stop + 1 : end;
        if (*at != '%') to = mempcpy(to, at, (size_t)(next - at));
        at = next;
    }
    if (copy) *to = 0;
    return copy;
}

/* What the library reads of a shader, printed; the lines as they are where it reads none. */
static bool add_read_shader(const struct splitting *at, const char *text, size_t bytes)
{
    struct sch_context *context = at->subject->context;
    const bool d3d = at->language == SCH_CLI_IN_D3D;
    const struct sch_read_options options = {.size = sizeof options, .kind = d3d ? SCH_KIND_D3D_ASM : SCH_KIND_TGSI};
    struct sch_shader *shader = NULL;
    char *printed = NULL;
    size_t length = 0;
    const bool read = sch_shader_read(context, text, bytes, &options, NULL, &shader) == SCH_OK &&
                      sch_shader_print(shader, NULL, &printed, &length) == SCH_OK;
    const bool good =
        sch_cli_subject_add_lines(at->pieces, at->language, at->of, read ? printed : text, read ? length : bytes);
    sch_free(context, printed);
    sch_shader_destroy(shader);
    return good;
}

static bool add_shader(const struct splitting *at, const char *text, size_t bytes)
{
    char *plain = without_comments(text, bytes);
    const bool good = plain && add_read_shader(at, plain, strlen(plain));
    free(plain);
    return good;
}

static bool end_shader(struct splitting *at, const char *end)
{
    const bool good = !at->shader || add_shader(at, at->shader, (size_t)(end - at->shader));
    at->shader = NULL;
    return good;
}

static void begin_shader(struct splitting *at, enum sch_cli_language language, const char *text)
{
    at->language = language;
    at->of++;
    at->shader = is_shader(language) ? text : NULL;
}

/* Adds a line without its comment and the blanks around it. The signs that begin comments may be in a string. */
static bool add_line(const struct splitting *at, const char *line, size_t bytes, const char *comments)
{
    bool quoted = false;
    size_t end = 0;
    for (; end < bytes && (quoted || !strchr(comments, line[end]) || !line[end]); end++) quoted ^= line[end] == '"';
    while (end && isspace((unsigned char)line[end - 1])) end--;
    return !end || sch_cli_pieces_add(at->pieces, at->language, 0, line, end);
}

/* [vertex shader tgsi] */
static enum sch_cli_language section_language(const char *line, size_t bytes)
{
    const bool shader = memmem(line, bytes, "shader", 6) || memmem(line, bytes, "effect", 6);
    if (!shader) return SCH_CLI_IN_SCRIPT;
    if (memmem(line, bytes, " tgsi", 5)) return SCH_CLI_IN_TGSI;
    return memmem(line, bytes, " d3d-asm", 8) ? SCH_CLI_IN_D3D : SCH_CLI_IN_OTHER;
}

static bool split_script_line(struct splitting *at, const char *line, size_t bytes, const char *next)
{
    if (*line != '[') {
        if (at->shader) return true;
        return add_line(at, line, bytes, at->language == SCH_CLI_IN_OTHER ? "" : "%#");
    }
    if (!end_shader(at, line)) return false;
    at->language = SCH_CLI_IN_SCRIPT;
    const bool good = add_line(at, line, bytes, "%#");
    const enum sch_cli_language language = section_language(line, bytes);
    if (language != SCH_CLI_IN_SCRIPT) begin_shader(at, language, next);
    return good;
}

static bool closes(const char *line, size_t bytes)
{
    const size_t blanks = strspn(line, " \t");
    return blanks < bytes && line[blanks] == '}';
}

/* shader NAME STAGE { begins one, } alone ends it. */
static enum sch_cli_language scene_language(const char *line)
{
    const size_t length = strcspn(line, "#\n");
    if (strncmp(line, "shader ", 7) != 0 || !memchr(line, '{', length)) return SCH_CLI_IN_SCENE;
    return memmem(line, length, " d3d", 4) ? SCH_CLI_IN_D3D : SCH_CLI_IN_TGSI;
}

static bool split_scene_line(struct splitting *at, const char *line, size_t bytes, const char *next)
{
    if (at->shader && !closes(line, bytes)) return true;
    if (!end_shader(at, line)) return false;
    at->language = SCH_CLI_IN_SCENE;
    const enum sch_cli_language language = scene_language(line);
    if (!add_line(at, line, bytes, "#")) return false;
    if (is_shader(language)) begin_shader(at, language, next);
    return true;
}

static bool split_text(void *user, const void *data, size_t bytes, struct sch_cli_pieces *pieces)
{
    const struct sch_cli_subject *subject = user;
    struct splitting at = {subject, pieces, SCH_CLI_IN_SCRIPT, 0, NULL};
    const bool scene = subject->kind == SCH_CLI_SUBJECT_SCENE;
    const char *end = (const char *)data + bytes;
    if (scene) at.language = SCH_CLI_IN_SCENE;
    for (const char *line = data; line < end;) {
        const char *stop = memchr(line, '\n', (size_t)(end - line));
        const char *next = stop ? stop + 1 : end;
        const size_t length = (size_t)((stop ? stop : end) - line);
        if (!(scene ? split_scene_line : split_script_line)(&at, line, length, next)) return false;
        line = next;
    }
    return end_shader(&at, end);
}

/* ---- putting together ---- */

/* Whether a line that begins a shader is of its stage: [vertex shader tgsi], shader NAME vertex {. */
static bool is_of_stage(const char *line, const struct sch_shader *shader)
{
    static const char *const of_scripts[SCH_STAGE_COMPUTE + 1] = {
        [SCH_STAGE_FRAGMENT] = "pixel", [SCH_STAGE_TESS_CTRL] = "hull", [SCH_STAGE_TESS_EVAL] = "domain"};
    struct sch_shader_info info = {.size = sizeof info};
    struct sch_cursor at = sch_cursor_begin(line + (*line == '['), strlen(line + (*line == '[')));
    if (sch_shader_get_info(shader, &info) != SCH_OK) return false;
    const char *word = sch_stage_words[info.stage], *other = of_scripts[info.stage];
    while (sch_cursor_next(&at))
        if (sch_cursor_is(&at, word) || (other && sch_cursor_is(&at, other))) return true;
    return false;
}

static bool is_valid_shader(struct sch_context *context, enum sch_cli_language language, const char *line,
                            const struct sch_cli_text *text, size_t begin)
{
    const struct sch_read_options options = {.size = sizeof options,
                                             .kind = language == SCH_CLI_IN_D3D ? SCH_KIND_D3D_ASM : SCH_KIND_TGSI};
    struct sch_shader *shader = NULL;
    const bool valid =
        sch_shader_read(context, text->data + begin, text->bytes - begin, &options, NULL, &shader) == SCH_OK &&
        sch_shader_check(shader, NULL) == SCH_OK && is_of_stage(line, shader);
    sch_shader_destroy(shader);
    return valid;
}

/* Whether a line begins a shader of which nothing is left. */
static bool begins_nothing(const struct sch_cli_pieces *pieces, size_t i)
{
    const struct sch_cli_piece *piece = &pieces->list[i];
    enum sch_cli_language language = SCH_CLI_IN_OTHER;
    if (piece->language == SCH_CLI_IN_SCENE) language = scene_language(piece->text);
    if (piece->language == SCH_CLI_IN_SCRIPT && *piece->text == '[')
        language = section_language(piece->text, piece->bytes);
    return is_shader(language) && (i + 1 == pieces->count || pieces->list[i + 1].language != language);
}

/* Whether the lines of a script are still in a section of their kind: without their own they would be in the one
 * before. */
static bool are_in_place(const struct sch_cli_pieces *pieces)
{
    enum sch_cli_language section = SCH_CLI_IN_SCRIPT;
    for (size_t i = 0; i < pieces->count; i++) {
        const struct sch_cli_piece *piece = &pieces->list[i];
        const bool head = piece->language == SCH_CLI_IN_SCRIPT && *piece->text == '[';
        if (head)
            section = section_language(piece->text, piece->bytes);
        else if (piece->language != section)
            return false;
    }
    return true;
}

/* All pieces, a shader's at once; false: one of the shaders is not valid. */
static bool join(const struct sch_cli_subject *subject, const struct sch_cli_pieces *pieces, struct sch_cli_text *text)
{
    for (size_t i = 0, count; i < pieces->count; i += count) {
        const struct sch_cli_piece *piece = &pieces->list[i];
        const size_t begin = text->bytes;
        if (!subject->lenient && begins_nothing(pieces, i)) return false;
        for (count = 1; piece->of && i + count < pieces->count && pieces->list[i + count].of == piece->of; count++) {
        }
        if (*piece->text == '[' && i) sch_cli_text_put(text, "\n", 1);
        if (!sch_cli_subject_join(piece, count, text)) return false;
        if (is_shader(piece->language) && !subject->lenient &&
            (!i || !is_valid_shader(subject->context, piece->language, piece[-1].text, text, begin)))
            return false;
    }
    return !text->failed && text->bytes;
}

static void ignore_result(void *user, const struct sch_player_outcome *outcome) { (void)user, (void)outcome; }
static void ignore_report(void *user, const struct sch_diagnostic_info *report) { (void)user, (void)report; }

static bool is_script(const struct sch_cli_text *text)
{
    const struct sch_script_host host = {.error = ignore_report, .result = ignore_result};
    struct sch_script *script = NULL;
    const bool good = sch_script_read("", text->data, text->bytes, &host, &script) == SCH_OK;
    sch_script_destroy(script);
    return good;
}

static void read_file(void *user, const char *path, struct sch_player_file *file)
{
    const struct sch_cli_subject *subject = user;
    sch_cli_scene_read_file(subject->path, path, file);
}

static bool is_scene(const struct sch_cli_subject *subject, const struct sch_cli_text *text)
{
    const struct sch_scene_host host = {.user = (void *)subject, .report = ignore_report, .read = read_file};
    struct sch_scene *scene = NULL;
    const bool good = sch_scene_read("", text->data, text->bytes, &host, &scene) == SCH_OK;
    sch_scene_destroy(scene);
    return good;
}

static bool make_text(void *user, const struct sch_cli_pieces *pieces, char **data, size_t *bytes)
{
    const struct sch_cli_subject *subject = user;
    struct sch_cli_text text = {0};
    const bool scene = subject->kind == SCH_CLI_SUBJECT_SCENE;
    const bool good = (scene || are_in_place(pieces)) && join(subject, pieces, &text) &&
                      (subject->lenient || (scene ? is_scene(subject, &text) : is_script(&text)));
    *data = good ? text.data : NULL;
    *bytes = text.bytes;
    if (!good) free(text.data);
    return good;
}

enum sch_cli_exit sch_cli_subject_text(struct sch_cli_subject *subject)
{
    subject->form.split = split_text;
    subject->form.make = make_text;
    if (sch_maxwell_pool_is_text(subject->input.data, subject->input.bytes)) return SCH_CLI_YES;
    return sch_cli_fail(SCH_CLI_NO, "%s is not text", subject->path);
}
