/* See frame_output.h. The pictures come back in a file without a name: of each the head below, then its texels. */
#include "frame_output.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../support/system.h"
#include "picture/texture_file.h"

enum { FIRST_KEPT = 10, CHANNELS = 4 };

struct head {
    uint64_t number;
    uint32_t width, height;
};

void sch_cli_frame_output_init(struct sch_cli_frame_output *shown)
{
    *shown = (struct sch_cli_frame_output){.pictures = -1};
    sch_cli_sums_init(&shown->sums);
}

enum sch_cli_exit sch_cli_frame_output_add(const struct sch_cli_verb *verb, struct sch_cli_frame_output *shown,
                                           const char *value)
{
    const char *equals = strchr(value, '=');
    const size_t digits = equals ? (size_t)(equals - value) : 0;
    struct sch_cli_screenshot *made = &shown->screenshots[shown->count];
    char number[24];
    if (shown->count == SCH_CLI_SCREENSHOTS)
        return sch_cli_usage_error(verb, "--screenshot can be given %d times", SCH_CLI_SCREENSHOTS);
    snprintf(number, sizeof number, "%.*s", (int)(digits < sizeof number ? digits : 0), value);
    if (!sch_cli_number(number, 0, UINT32_MAX, &made->number) || !equals[1])
        return sch_cli_usage_error(verb, "--screenshot is a frame's number from 0, = and a file, not %s", value);
    const enum sch_cli_exit exit_code = sch_cli_picture_output(equals + 1, &made->path);
    if (exit_code == SCH_CLI_YES) shown->count++;
    return exit_code;
}

/* ---- in the clients' processes ---- */

static bool keep_screenshot(const struct sch_cli_frame_output *shown, uint64_t number,
                            const struct sch_cli_render_target *picture)
{
    const struct head head = {number, picture->width, picture->height};
    if (sch_write_all(shown->pictures, &head, sizeof head) &&
        sch_write_all(shown->pictures, picture->texels, (size_t)head.width * head.height * CHANNELS))
        return true;
    sch_cli_fail(SCH_CLI_IO, "frame %" PRIu64 " cannot be kept: %s", number, strerror(errno));
    return false;
}

/* The frames of all clients are counted together: a program may ask for its windows by another connection than the one
 * that it begins with. */
static bool show(void *user, struct sch_context *context, const struct sch_virgl_frame *frame)
{
    const struct sch_cli_frame_output *shown = user;
    const uint64_t number = __atomic_fetch_add(&shown->counts->frames, 1, __ATOMIC_SEQ_CST);
    if (shown->most && number >= shown->most) return true;
    bool wanted = false;
    for (uint32_t i = 0; i < shown->count; i++) wanted |= shown->screenshots[i].number == number;
    struct sch_cli_render_target picture = {0};
    if (!wanted && shown->sums.frames_file < 0) return true;
    bool good = sch_cli_frame_picture(context, frame, &picture) == SCH_CLI_YES;
    if (good && shown->sums.frames_file >= 0)
        good = sch_cli_frame_write_sum(shown->sums.frames_file, number, &picture) == SCH_CLI_YES;
    if (good && wanted) good = keep_screenshot(shown, number, &picture);
    sch_cli_render_target_release(&picture);
    return good;
}

static bool show_read(void *user, struct sch_context *context, const struct sch_virgl_read *read)
{
    (void)context;
    const struct sch_cli_frame_output *shown = user;
    const uint64_t number = __atomic_fetch_add(&shown->counts->reads, 1, __ATOMIC_SEQ_CST);
    return shown->sums.reads_file < 0 || sch_cli_read_write_sum(shown->sums.reads_file, number, read) == SCH_CLI_YES;
}

/* ---- before and after ---- */

/* The descriptor under a number that clients' processes can keep; -1: it has none, and is closed. */
static int raised(int file)
{
    if (file <= STDERR_FILENO) return file;
    const int made = fcntl(file, F_DUPFD_CLOEXEC, FIRST_KEPT);
    close(file);
    return made;
}

enum sch_cli_exit sch_cli_frame_output_open(struct sch_cli_frame_output *shown,
                                            struct sch_vtest_client_options *options)
{
    struct sch_cli_sums *sums = &shown->sums;
    if (!sums->frames && !sums->reads && !shown->count && !shown->most) return SCH_CLI_YES;
    void *counts = sch_vtest_share(sizeof *shown->counts);
    if (!counts) return sch_cli_no_memory();
    shown->counts = counts;
    const enum sch_cli_exit exit_code = sch_cli_sums_open(sums, STDERR_FILENO);
    if (exit_code != SCH_CLI_YES) return exit_code;
    sums->frames_file = raised(sums->frames_file);
    sums->reads_file = raised(sums->reads_file);
    if ((sums->frames && sums->frames_file < 0) || (sums->reads && sums->reads_file < 0) ||
        (shown->count && ((shown->pictures = raised(memfd_create("screenshots", MFD_CLOEXEC))) < 0 ||
                          fcntl(shown->pictures, F_SETFL, O_APPEND) != 0)))
        return sch_cli_fail(SCH_CLI_LIMIT, "frames cannot be kept: %s", strerror(errno));
    const int kept[] = {sums->frames_file, sums->reads_file, shown->pictures};
    options->show = sums->frames || shown->count || shown->most ? show : NULL;
    options->read = sums->reads ? show_read : NULL;
    options->user = shown;
    for (unsigned i = 0, n = 0; i < sizeof kept / sizeof *kept; i++)
        if (kept[i] > STDERR_FILENO) options->keeps[n++] = kept[i];
    return SCH_CLI_YES;
}

static uint64_t frames_of(const struct sch_cli_frame_output *shown)
{
    const uint64_t frames = shown->counts ? __atomic_load_n(&shown->counts->frames, __ATOMIC_SEQ_CST) : 0;
    return shown->most && frames > shown->most ? shown->most : frames;
}

bool sch_cli_frame_output_enough(const struct sch_cli_frame_output *shown)
{
    return shown->most && frames_of(shown) == shown->most;
}

static bool read_all(int file, void *to, size_t bytes, off_t at)
{
    for (size_t done = 0; done < bytes;) {
        const ssize_t some = pread(file, (char *)to + done, bytes - done, at + (off_t)done);
        if (some <= 0) return false;
        done += (size_t)some;
    }
    return true;
}

/* The texels at `at` of the file, if it has as many. */
static bool read_picture(int file, const struct head *head, off_t at, struct sch_cli_render_target *picture)
{
    struct stat status;
    uint64_t bytes;
    if (fstat(file, &status) != 0 || __builtin_mul_overflow((uint64_t)head->width * head->height, CHANNELS, &bytes) ||
        bytes > (uint64_t)(status.st_size - at))
        return false;
    *picture = (struct sch_cli_render_target){head->width, head->height, malloc((size_t)bytes)};
    return picture->texels && read_all(file, picture->texels, (size_t)bytes, at);
}

/* What came from a client's process is looked at as what the client said. */
static enum sch_cli_exit write_one(const struct sch_cli_frame_output *shown, const struct sch_cli_screenshot *wanted)
{
    struct head head;
    for (off_t at = 0; read_all(shown->pictures, &head, sizeof head, at);) {
        struct sch_cli_render_target picture = {0};
        at += (off_t)sizeof head;
        const bool there = read_picture(shown->pictures, &head, at, &picture);
        at += (off_t)((uint64_t)head.width * head.height * CHANNELS);
        const bool found = there && head.number == wanted->number;
        const enum sch_cli_exit exit_code = found ? sch_cli_render_target_write(&picture, wanted->path) : SCH_CLI_YES;
        sch_cli_render_target_release(&picture);
        if (found) return exit_code;
        if (!there) break;
    }
    const uint64_t frames = frames_of(shown);
    if (frames == 0)
        return sch_cli_fail(SCH_CLI_NO, "the program shows no frame %" PRIu64 ": it showed none", wanted->number);
    return sch_cli_fail(SCH_CLI_NO, "the program shows no frame %" PRIu64 ": the last is frame %" PRIu64,
                        wanted->number, frames - 1);
}

enum sch_cli_exit sch_cli_frame_output_write(const struct sch_cli_frame_output *shown)
{
    enum sch_cli_exit exit_code = SCH_CLI_YES;
    if (shown->counts)
        exit_code = sch_cli_sums_check(&shown->sums, "the program", frames_of(shown), shown->counts->reads);
    if (shown->most && !sch_cli_frame_output_enough(shown))
        exit_code = sch_cli_fail(SCH_CLI_NO, "the program showed %" PRIu64 " of %" PRIu64 " frames", frames_of(shown),
                                 shown->most);
    for (uint32_t i = 0; i < shown->count; i++)
        exit_code = sch_cli_worse(exit_code, write_one(shown, &shown->screenshots[i]));
    return exit_code;
}

void sch_cli_frame_output_release(struct sch_cli_frame_output *shown)
{
    sch_cli_sums_close(&shown->sums);
    if (shown->pictures >= 0) close(shown->pictures);
    if (shown->counts) munmap(shown->counts, sizeof *shown->counts);
}
