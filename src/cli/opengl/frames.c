/* See frames.h. */
#include "frames.h"

#include <scheelite/files.h>

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../support/system.h"

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
    enum sch_cli_exit exit_code =
        sch_cli_render_target_create(picture, frame->width, frame->height, (struct sch_cli_color){0, 0, 0});
    if (exit_code != SCH_CLI_YES) return exit_code;
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

void sch_cli_sums_init(struct sch_cli_sums *sums)
{
    *sums = (struct sch_cli_sums){.frames_file = -1, .reads_file = -1};
}

enum sch_cli_exit sch_cli_sums_option(const struct sch_cli_verb *verb, struct sch_cli_sums *sums, const char *value)
{
    static const char reads[] = "reads=";
    const bool of_reads = strncmp(value, reads, sizeof reads - 1) == 0;
    const char **given = of_reads ? &sums->reads : &sums->frames, *path = of_reads ? value + sizeof reads - 1 : value;
    if (!*path) return sch_cli_usage_error(verb, "--frames-sha is FILE or reads=FILE, not %s", value);
    if (*given) return sch_cli_usage_error(verb, "--frames-sha %sFILE is there twice", of_reads ? reads : "");
    *given = path;
    return SCH_CLI_YES;
}

static enum sch_cli_exit open_sums(const char *path, int standard, int *file)
{
    if (!path) return SCH_CLI_YES;
    const bool is_standard = strcmp(path, "-") == 0;
    /* Several processes write to it. */
    *file = is_standard ? standard : open(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC | O_NOCTTY, 0666);
    return *file >= 0 ? SCH_CLI_YES : sch_cli_fail(SCH_CLI_IO, "cannot write %s: %s", path, strerror(errno));
}

enum sch_cli_exit sch_cli_sums_open(struct sch_cli_sums *sums, int standard)
{
    const enum sch_cli_exit exit_code = open_sums(sums->frames, standard, &sums->frames_file);
    return exit_code == SCH_CLI_YES ? open_sums(sums->reads, standard, &sums->reads_file) : exit_code;
}

enum sch_cli_exit sch_cli_sums_check(const struct sch_cli_sums *sums, const char *who, uint64_t frames, uint64_t reads)
{
    enum sch_cli_exit exit_code = SCH_CLI_YES;
    if (sums->frames && !frames)
        exit_code =
            sch_cli_fail(SCH_CLI_NO,
                         "%s shows no frame, so --frames-sha has nothing to write: what is drawn without a window is "
                         "in --frames-sha reads=FILE as soon as it is read back",
                         who);
    if (sums->reads && !reads)
        exit_code =
            sch_cli_fail(SCH_CLI_NO, "%s reads no texture back, so --frames-sha reads=FILE has nothing to write", who);
    return exit_code;
}

void sch_cli_sums_close(struct sch_cli_sums *sums)
{
    if (sums->frames_file > STDERR_FILENO) close(sums->frames_file);
    if (sums->reads_file > STDERR_FILENO) close(sums->reads_file);
    sch_cli_sums_init(sums);
}

/* "NUMBER\tSIZE\tSHA-256" of a picture whose texels are four bytes each. */
static enum sch_cli_exit write_sum(int file, uint64_t number, const char *size, const struct sch_picture *picture)
{
    uint8_t digest[SCH_PICTURE_SHA256_BYTES];
    char line[96 + 2 * sizeof digest];
    if (sch_picture_sha256(picture, digest) != SCH_OK) return SCH_CLI_INTERNAL;
    int at = snprintf(line, sizeof line, "%" PRIu64 "\t%.60s\t", number, size);
    for (size_t n = 0; n < sizeof digest; n++) at += snprintf(line + at, sizeof line - (size_t)at, "%02x", digest[n]);
    line[at++] = '\n';
    if (sch_write_all(file, line, (size_t)at)) return SCH_CLI_YES;
    return sch_cli_fail(SCH_CLI_IO, "the sums of frames cannot be written: %s", strerror(errno));
}

enum sch_cli_exit sch_cli_frame_write_sum(int file, uint64_t number, const struct sch_cli_render_target *target)
{
    const struct sch_picture picture = {.size = sizeof picture,
                                        .width = target->width,
                                        .height = target->height,
                                        .texels = target->texels,
                                        .bytes = (size_t)target->width * target->height * 4};
    char size[32];
    snprintf(size, sizeof size, "%" PRIu32 "x%" PRIu32, target->width, target->height);
    return write_sum(file, number, size, &picture);
}

static uint32_t blocks_of(uint32_t texels, uint32_t block) { return texels / block + (texels % block != 0); }

enum sch_cli_exit sch_cli_read_write_sum(int file, uint64_t number, const struct sch_virgl_read *read)
{
    enum { WORD = 4 };
    struct sch_format_info facts = {.size = sizeof facts};
    char size[48];
    if (sch_format_get_info(read->format, &facts) != SCH_OK || !facts.block_bytes) return SCH_CLI_INTERNAL;
    const size_t bytes = (size_t)blocks_of(read->width, facts.block_width) * facts.block_bytes;
    const uint32_t rows = blocks_of(read->height, facts.block_height);
    const size_t words = bytes / WORD + (bytes % WORD != 0);
    const size_t lines = (size_t)rows * read->depth;
    uint8_t *texels = calloc(lines, words * WORD);
    if (!texels) return sch_cli_no_memory();
    for (uint32_t z = 0; z < read->depth; z++)
        for (uint32_t y = 0; y < rows; y++)
            memcpy(texels + ((size_t)z * rows + y) * words * WORD,
                   (const uint8_t *)read->texels + z * read->slice_bytes + y * read->row_bytes, bytes);
    const struct sch_picture picture = {.size = sizeof picture,
                                        .width = (uint32_t)words,
                                        .height = (uint32_t)lines,
                                        .texels = texels,
                                        .bytes = lines * words * WORD};
    const int used = snprintf(size, sizeof size, "%" PRIu32 "x%" PRIu32, read->width, read->height);
    if (read->depth > 1) snprintf(size + used, sizeof size - (size_t)used, "x%" PRIu32, read->depth);
    const enum sch_cli_exit exit_code = write_sum(file, number, size, &picture);
    free(texels);
    return exit_code;
}
