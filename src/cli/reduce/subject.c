/* See subject.h: which kind a file is, and what forms share. */
#include "subject.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "../script/script.h"
#include "../support/text.h"
#include "common/code.h"

/* ---- kinds ---- */

enum sch_cli_exit sch_cli_subject_kind(const struct sch_cli_verb *verb, const char *word,
                                       struct sch_cli_subject_options *options)
{
    static const struct {
        const char *word;
        enum sch_cli_subject_kind kind;
    } kinds[] = {
        {"script", SCH_CLI_SUBJECT_SCRIPT}, {"scene", SCH_CLI_SUBJECT_SCENE}, {"stream", SCH_CLI_SUBJECT_STREAM}};
    options->chosen = true;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        options->subject = kinds[i].kind;
        if (strcmp(word, kinds[i].word) == 0) return SCH_CLI_YES;
    }
    const enum sch_cli_exit exit_code = sch_cli_any_kind(verb, word, &options->kind, &options->maxwell);
    options->subject = options->maxwell.chosen ? SCH_CLI_SUBJECT_MAXWELL : SCH_CLI_SUBJECT_SHADER;
    return exit_code;
}

static enum sch_cli_subject_kind kind_of(const struct sch_cli_subject *subject,
                                         const struct sch_cli_subject_options *options)
{
    const struct sch_cli_input *input = &subject->input;
    if (options->chosen) return options->subject;
    if (input->bytes >= 8 && memcmp(input->data, "SCHVIRGL", 8) == 0) return SCH_CLI_SUBJECT_STREAM;
    if (sch_script_is(input->data, input->bytes)) return SCH_CLI_SUBJECT_SCRIPT;
    if (sch_text_ends(subject->path, ".scene")) return SCH_CLI_SUBJECT_SCENE;
    return sch_cli_is_maxwell(&options->maxwell, SCH_KIND_AUTO, input) ? SCH_CLI_SUBJECT_MAXWELL
                                                                       : SCH_CLI_SUBJECT_SHADER;
}

static enum sch_cli_exit find_form(struct sch_cli_subject *subject, const struct sch_cli_subject_options *options)
{
    subject->kind = kind_of(subject, options);
    subject->input.nth = options->nth;
    switch (subject->kind) {
    case SCH_CLI_SUBJECT_SHADER:
        return sch_cli_subject_shader(subject, options->kind);
    case SCH_CLI_SUBJECT_MAXWELL:
        return sch_cli_subject_maxwell(subject, &options->maxwell);
    case SCH_CLI_SUBJECT_STREAM:
        return sch_cli_subject_stream(subject);
    default:
        return sch_cli_subject_text(subject);
    }
}

/* Whether the form takes the file, as it is, for one that it can make. */
static bool make_anew(struct sch_cli_subject *subject)
{
    struct sch_cli_pieces pieces = {0};
    struct sch_cli_shrunk *anew = &subject->written_anew;
    const struct sch_cli_form *form = &subject->form;
    const bool made = form->split(form->user, subject->input.data, subject->input.bytes, &pieces) &&
                      form->make(form->user, &pieces, &anew->data, &anew->bytes);
    anew->pieces = pieces.count;
    sch_cli_pieces_release(&pieces);
    return made;
}

enum sch_cli_exit sch_cli_subject_open(const char *path, const struct sch_cli_subject_options *options,
                                       struct sch_cli_subject *subject)
{
    *subject = (struct sch_cli_subject){.path = path, .reading.size = sizeof subject->reading};
    enum sch_cli_exit exit_code = sch_cli_read(path, &subject->input);
    if (exit_code != SCH_CLI_YES) return exit_code;
    if (sch_cli_plain_context_create(&subject->context) != SCH_OK) return sch_cli_no_memory();
    subject->form.user = subject;
    exit_code = find_form(subject, options);
    if (exit_code != SCH_CLI_YES || make_anew(subject)) return exit_code;
    subject->lenient = true;
    if (make_anew(subject)) return SCH_CLI_YES;
    return sch_cli_fail(SCH_CLI_NO, "%s: what is read of it cannot be written again", path);
}

void sch_cli_subject_release(struct sch_cli_subject *subject)
{
    free(subject->written_anew.data);
    sch_context_destroy(subject->context);
    sch_cli_input_release(&subject->input);
}

/* ---- what forms share ---- */

void sch_cli_text_put(struct sch_cli_text *text, const char *data, size_t bytes)
{
    if (text->failed) return;
    if (text->bytes + bytes + 1 > text->room) {
        const size_t room = 2 * text->room + bytes + 4096;
        char *larger = realloc(text->data, room);
        text->failed = !larger;
        if (!larger) return;
        text->data = larger;
        text->room = room;
    }
    memcpy(text->data + text->bytes, data, bytes);
    text->bytes += bytes;
    text->data[text->bytes] = 0;
}

/* The line without its number, its indentation and comments of the form that listings have. */
static size_t bare(const char *line, size_t bytes, char *to)
{
    size_t at = 0, length = 0;
    while (at < bytes && isspace((unsigned char)line[at])) at++;
    size_t digits = at;
    while (digits < bytes && isdigit((unsigned char)line[digits])) digits++;
    if (digits > at && digits < bytes && line[digits] == ':') at = digits + 1;
    while (at < bytes) {
        const bool comment = at + 1 < bytes && line[at] == '/' && line[at + 1] == '*';
        const char *end = comment ? memmem(line + at, bytes - at, "*/", 2) : NULL;
        if (comment && end)
            at = (size_t)(end - line) + 2;
        else if (!length && isspace((unsigned char)line[at]))
            at++;
        else
            to[length++] = line[at++];
    }
    while (length && isspace((unsigned char)to[length - 1])) length--;
    return length;
}

bool sch_cli_subject_add_lines(struct sch_cli_pieces *pieces, enum sch_cli_language language, uint32_t of,
                               const char *text, size_t bytes)
{
    bool good = true;
    char *line = malloc(bytes + 1);
    for (const char *at = text, *end = text + bytes; at < end && good && line;) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        const size_t length = bare(at, (size_t)((stop ? stop : end) - at), line);
        line[length] = 0;
        good = !length || sch_cli_pieces_add(pieces, language, of, line, length);
        at = stop ? stop + 1 : end;
    }
    good = good && line;
    free(line);
    return good;
}

enum { IMMEDIATE = 4 }; /* bytes of IMM[ */

/* The place of an immediate among those that are left; `count`: it is gone. */
static size_t place_of(const struct sch_cli_piece *pieces, size_t count, unsigned long number)
{
    size_t place = 0;
    for (size_t i = 0; i < count; i++) {
        if (pieces[i].language != SCH_CLI_IN_TGSI || strncmp(pieces[i].text, "IMM[", IMMEDIATE) != 0) continue;
        if (strtoul(pieces[i].text + IMMEDIATE, NULL, 10) == number) return place;
        place++;
    }
    return count;
}

static bool put_line(const struct sch_cli_piece *pieces, size_t count, const struct sch_cli_piece *piece,
                     struct sch_cli_text *text)
{
    const char *at = piece->text, *end = at + piece->bytes;
    for (const char *found; piece->language == SCH_CLI_IN_TGSI && (found = strstr(at, "IMM["));) {
        char *behind, number[24];
        found += IMMEDIATE;
        sch_cli_text_put(text, at, (size_t)(found - at));
        at = found;
        if (!isdigit((unsigned char)*found)) continue; /* by a register */
        const size_t place = place_of(pieces, count, strtoul(found, &behind, 10));
        if (place == count) return false;
        snprintf(number, sizeof number, "%zu", place);
        sch_cli_text_put(text, number, strlen(number));
        at = behind;
    }
    sch_cli_text_put(text, at, (size_t)(end - at));
    sch_cli_text_put(text, "\n", 1);
    return true;
}

bool sch_cli_subject_join(const struct sch_cli_piece *pieces, size_t count, struct sch_cli_text *text)
{
    for (size_t i = 0; i < count; i++)
        if (!put_line(pieces, count, &pieces[i], text)) return false;
    return !text->failed;
}
