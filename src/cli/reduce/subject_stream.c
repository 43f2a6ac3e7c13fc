/* Recorded streams as subjects of `reduce`: their pieces are records, and commands of those that have some. A candidate
 * is valid when it plays to its end without more refusals than the recording had. It is played by a process of its own,
 * so that one that crashes the library, or hangs in it, can be reduced, too. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../support/system.h"
#include "../virgl/virgl.h"
#include "subject.h"
#include "trace/recording.h"

enum { SECONDS = 60, DRAW_MS = 10000 };

/* ---- pieces ---- */

/* What comes before the bytes of a piece. */
struct place {
    uint32_t record, kind;
};

static bool take_piece(void *user, const struct sch_virgl_piece *piece)
{
    struct sch_cli_pieces *pieces = user;
    const struct place place = {piece->record, piece->kind};
    char *bytes = malloc(sizeof place + piece->bytes);
    if (!bytes) return false;
    memcpy(bytes, &place, sizeof place);
    if (piece->bytes) memcpy(bytes + sizeof place, piece->data, piece->bytes);
    const bool good = sch_cli_pieces_add(pieces, SCH_CLI_IN_BYTES, piece->record, bytes, sizeof place + piece->bytes);
    free(bytes);
    return good;
}

static bool split(void *user, const void *data, size_t bytes, struct sch_cli_pieces *pieces)
{
    const struct sch_virgl_cutter cutter = {take_piece, pieces};
    (void)user;
    return sch_virgl_cut(data, bytes, &cutter);
}

static bool append_stream(void *user, const void *data, size_t bytes)
{
    sch_cli_text_put(user, data, bytes);
    return true;
}

static bool join(const struct sch_cli_pieces *pieces, struct sch_cli_text *text)
{
    struct sch_virgl_piece *list = calloc(pieces->count + 1, sizeof *list);
    const struct sch_virgl_sink sink = {append_stream, text};
    for (size_t i = 0; i < pieces->count && list; i++) {
        struct place place;
        const struct sch_cli_piece *piece = &pieces->list[i];
        memcpy(&place, piece->text, sizeof place);
        list[i] =
            (struct sch_virgl_piece){piece->text + sizeof place, piece->bytes - sizeof place, place.record, place.kind};
    }
    const bool good = list && sch_virgl_join(list, pieces->count, &sink);
    free(list);
    return good && !text->failed;
}

/* ---- playing ---- */

/* In the child: commands that are refused, through the pipe; its exit code is 0 only if it played to the end. */
static _Noreturn void play(const void *data, size_t bytes, int pipe)
{
    struct sch_virgl_options options = {.engine = SCH_ENGINE_INTERPRETER, .deadline_ms = DRAW_MS};
    struct sch_virgl *virgl = NULL;
    signal(SIGINT, SIG_IGN);
    alarm(SECONDS);
    if (sch_cli_plain_context_create(&options.context) != SCH_OK || sch_virgl_create(&options, &virgl) != SCH_OK ||
        sch_virgl_play(virgl, data, bytes) != SCH_OK)
        _exit(1);
    const uint64_t refused = sch_virgl_get_counts(virgl).refused;
    _exit(write(pipe, &refused, sizeof refused) == (ssize_t)sizeof refused ? 0 : 1);
}

/* How many commands are refused; false: it does not play to its end. */
static bool count_refused(const void *data, size_t bytes, uint64_t *refused)
{
    int ends[2];
    if (pipe(ends) != 0) return false;
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) play(data, bytes, ends[1]);
    close(ends[1]);
    const bool good = sch_child_succeeds(child) && read(ends[0], refused, sizeof *refused) == (ssize_t)sizeof *refused;
    close(ends[0]);
    return good;
}

static bool make(void *user, const struct sch_cli_pieces *pieces, char **data, size_t *bytes)
{
    const struct sch_cli_subject *subject = user;
    struct sch_cli_text text = {0};
    uint64_t refused;
    const bool good =
        join(pieces, &text) &&
        (subject->lenient || (count_refused(text.data, text.bytes, &refused) && refused <= subject->refused));
    *data = good ? text.data : NULL;
    *bytes = text.bytes;
    if (!good) free(text.data);
    return good;
}

enum sch_cli_exit sch_cli_subject_stream(struct sch_cli_subject *subject)
{
    struct sch_cli_pieces pieces = {0};
    const enum sch_cli_exit exit_code = sch_cli_check_recording(&subject->input);
    if (exit_code != SCH_CLI_YES) return exit_code;
    subject->form.split = split;
    subject->form.make = make;
    const bool is_one = split(subject, subject->input.data, subject->input.bytes, &pieces);
    sch_cli_pieces_release(&pieces);
    if (!is_one) return sch_cli_fail(SCH_CLI_NO, "%s: the recording is cut off", subject->path);
    subject->lenient = !count_refused(subject->input.data, subject->input.bytes, &subject->refused);
    return SCH_CLI_YES;
}
