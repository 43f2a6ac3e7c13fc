/* See frames.h. */
#include "frames.h"

#include <scheelite/files.h>

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

/* ---- pictures ---- */

/* The texels in the picture's format. */
static enum sch_result convert(struct sch_resource *from, struct sch_resource *to, const struct sch_virgl_frame *frame,
                               uint8_t *texels)
{
    const struct sch_box all = {0, 0, 0, (int32_t)frame->width, (int32_t)frame->height, 1};
    const struct sch_blit blit = {.size = sizeof blit, .box = all, .source = all};
    const struct sch_transfer transfer = {.size = sizeof transfer, .box = all};
    const size_t bytes = (size_t)frame->width * frame->height * 4;
    enum sch_result result = sch_resource_write(from, &transfer, frame->texels, frame->bytes, NULL);
    if (result == SCH_OK) result = sch_resource_blit(to, from, &blit, NULL);
    if (result == SCH_OK) result = sch_resource_read(to, &transfer, texels, bytes, NULL);
    for (size_t n = 3; n < bytes; n += 4) texels[n] = 255;
    return result;
}

enum sch_cli_exit sch_cli_frame_picture(struct sch_context *context, const struct sch_virgl_frame *frame,
                                        struct sch_cli_render_target *picture)
{
    struct sch_resource_options options = {.size = sizeof options,
                                           .target = SCH_TARGET_2D,
                                           .format = frame->format,
                                           .width = frame->width,
                                           .height = frame->height};
    struct sch_resource *from = NULL, *to = NULL;
    enum sch_cli_exit exit =
        sch_cli_render_target_create(picture, frame->width, frame->height, (struct sch_cli_color){0, 0, 0});
    if (exit != SCH_CLI_YES) return exit;
    enum sch_result result = sch_resource_create(context, &options, NULL, &from);
    options.format = SCH_FORMAT_R8G8B8A8_UNORM;
    if (result == SCH_OK) result = sch_resource_create(context, &options, NULL, &to);
    if (result == SCH_OK) result = convert(from, to, frame, picture->texels);
    sch_resource_destroy(from);
    sch_resource_destroy(to);
    if (result == SCH_OK) return SCH_CLI_YES;
    return sch_cli_fail(sch_cli_exit_of(result), "frame %" PRIu64 ": %s", frame->number, sch_result_text(result));
}

/* ---- sums ---- */

enum sch_cli_exit sch_cli_frames_open(const char *path, int standard, int *file)
{
    const bool is_standard = strcmp(path, "-") == 0;
    /* Several processes write to it. */
    *file = is_standard ? standard : open(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC | O_NOCTTY, 0666);
    return *file >= 0 ? SCH_CLI_YES : sch_cli_fail(SCH_CLI_IO, "cannot write %s: %s", path, strerror(errno));
}

bool sch_cli_frames_write(int file, const void *data, size_t bytes)
{
    for (size_t done = 0; done < bytes;) {
        const ssize_t some = write(file, (const char *)data + done, bytes - done);
        if (some < 0 && errno == EINTR) continue;
        if (some <= 0) return false;
        done += (size_t)some;
    }
    return true;
}

enum sch_cli_exit sch_cli_frame_write_sum(int file, uint64_t number, const struct sch_cli_render_target *target)
{
    const struct sch_picture picture = {.size = sizeof picture,
                                        .width = target->width,
                                        .height = target->height,
                                        .texels = target->texels,
                                        .bytes = (size_t)target->width * target->height * 4};
    uint8_t digest[SCH_PICTURE_SHA256_BYTES];
    char line[64 + 2 * sizeof digest];
    if (sch_picture_sha256(&picture, digest) != SCH_OK) return SCH_CLI_INTERNAL;
    int at =
        snprintf(line, sizeof line, "%" PRIu64 "\t%" PRIu32 "x%" PRIu32 "\t", number, target->width, target->height);
    for (size_t n = 0; n < sizeof digest; n++) at += snprintf(line + at, sizeof line - (size_t)at, "%02x", digest[n]);
    line[at++] = '\n';
    if (sch_cli_frames_write(file, line, (size_t)at)) return SCH_CLI_YES;
    return sch_cli_fail(SCH_CLI_IO, "the sums of frames cannot be written: %s", strerror(errno));
}
