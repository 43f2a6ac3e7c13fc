/* Times reading and writing of picture and texture files: each kind with the texels of the pictures that are named, PNG
 * at some levels and numbers of threads, and libpng itself beside it. Rates are millions of bytes of texels a second of
 * the processor, all threads. tools/bench-files adds ImageMagick's. */
#include <png.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <scheelite/files.h>

enum { REPETITIONS = 5 };

struct bytes {
    uint8_t *data;
    size_t count, at;
};

static double seconds(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static bool read_all(const char *path, struct bytes *bytes)
{
    FILE *file = fopen(path, "rb");
    if (!file) return false;
    fseek(file, 0, SEEK_END);
    const long size = ftell(file);
    rewind(file);
    *bytes = (struct bytes){.data = malloc(size > 0 ? (size_t)size : 1)};
    if (bytes->data && size > 0) bytes->count = fread(bytes->data, 1, (size_t)size, file);
    fclose(file);
    return bytes->data && bytes->count == (size_t)size;
}

/* The fastest of some repetitions, of the processor and of the wall. */
struct best {
    double cpu, wall;
};

static void print_row(const char *name, const struct sch_file_texture *texture, size_t bytes, struct best wrote,
                      struct best read)
{
    const double size = (double)texture->bytes / 1e6;
    printf("  %-22s %10zu bytes", name, bytes);
    if (wrote.cpu > 0) printf("  written %7.0f MB/s (wall %7.0f)", size / wrote.cpu, size / wrote.wall);
    if (read.cpu > 0) printf("  read %7.0f MB/s", size / read.cpu);
    printf("\n");
}

static void note(struct best *best, double cpu, double wall)
{
    if (best->cpu == 0 || cpu < best->cpu) best->cpu = cpu;
    if (best->wall == 0 || wall < best->wall) best->wall = wall;
}

/* ---- ours ---- */

static void time_kind(enum sch_file_kind kind, const char *name, const struct sch_file_texture *texture,
                      const struct sch_file_write_options *options)
{
    struct best wrote = {0}, read = {0};
    size_t bytes = 0;
    for (unsigned i = 0; i < REPETITIONS; i++) {
        struct sch_file_bytes file;
        struct sch_file_texture again = {.size = sizeof again};
        double cpu = seconds(CLOCK_PROCESS_CPUTIME_ID), wall = seconds(CLOCK_MONOTONIC);
        if (sch_file_texture_write(options, kind, texture, &file, NULL) != SCH_OK) return;
        note(&wrote, seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu, seconds(CLOCK_MONOTONIC) - wall);
        bytes = file.bytes;
        cpu = seconds(CLOCK_PROCESS_CPUTIME_ID), wall = seconds(CLOCK_MONOTONIC);
        if (sch_file_texture_read(NULL, file.data, file.bytes, &again, NULL) == SCH_OK)
            note(&read, seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu, seconds(CLOCK_MONOTONIC) - wall);
        sch_file_texture_release(&again);
        sch_file_bytes_release(&file);
    }
    print_row(name, texture, bytes, wrote, read);
}

static void time_png(const struct sch_file_texture *texture)
{
    static const struct {
        const char *name;
        bool has_level;
        uint32_t level, threads;
    } cases[] = {{"PNG", false, 0, 1},         {"PNG, 2 threads", false, 0, 2}, {"PNG, level 0", true, 0, 1},
                 {"PNG, level 1", true, 1, 1}, {"PNG, level 6", true, 6, 1},    {"PNG, level 9", true, 9, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct sch_file_write_options options = {.size = sizeof options,
                                                       .has_compression = cases[i].has_level,
                                                       .compression = cases[i].level,
                                                       .threads = cases[i].threads};
        time_kind(SCH_FILE_KIND_PNG, cases[i].name, texture, &options);
    }
}

/* Red, green and blue as floats, for kinds of floats. */
static struct sch_file_texture as_floats(const struct sch_file_texture *texture)
{
    struct sch_file_texture floats = *texture;
    const size_t count = (size_t)texture->width * texture->height;
    floats.format = SCH_FORMAT_R32G32B32_FLOAT;
    floats.bytes = count * 3 * sizeof(float);
    floats.texels = malloc(floats.bytes);
    for (size_t i = 0; floats.texels && i < count * 3; i++) {
        const float value = (float)texture->texels[i / 3 * 4 + i % 3] / 255;
        memcpy(floats.texels + i * sizeof value, &value, sizeof value);
    }
    return floats;
}

/* ---- libpng ---- */

static void append(png_structp png, png_bytep from, size_t count)
{
    struct bytes *to = png_get_io_ptr(png);
    if (to->count + count > to->at) png_error(png, "no room");
    memcpy(to->data + to->count, from, count);
    to->count += count;
}

static void take(png_structp png, png_bytep to, size_t count)
{
    struct bytes *from = png_get_io_ptr(png);
    if (count > from->count - from->at) png_error(png, "the file ends");
    memcpy(to, from->data + from->at, count);
    from->at += count;
}

static void flush(png_structp png) { (void)png; }

static bool write_by_libpng(const struct sch_file_texture *texture, struct bytes *to)
{
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    if (!info || setjmp(png_jmpbuf(png))) return false;
    png_set_write_fn(png, to, append, flush);
    png_set_compression_level(png, 6);
    png_set_IHDR(png, info, texture->width, texture->height, 8, PNG_COLOR_TYPE_RGB_ALPHA, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_write_info(png, info);
    for (uint32_t y = 0; y < texture->height; y++) png_write_row(png, texture->texels + (size_t)y * texture->width * 4);
    png_write_end(png, NULL);
    png_destroy_write_struct(&png, &info);
    return true;
}

static bool read_by_libpng(const struct sch_file_texture *texture, struct bytes *from, uint8_t *row)
{
    png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    if (!info || setjmp(png_jmpbuf(png))) return false;
    png_set_read_fn(png, from, take);
    png_read_info(png, info);
    for (uint32_t y = 0; y < texture->height; y++) png_read_row(png, row, NULL);
    png_read_end(png, NULL);
    png_destroy_read_struct(&png, &info, NULL);
    return true;
}

static void time_libpng(const struct sch_file_texture *texture)
{
    struct best wrote = {0}, read = {0};
    struct bytes file = {.data = malloc(2 * texture->bytes + 4096)};
    uint8_t *row = malloc((size_t)texture->width * 4);
    for (unsigned i = 0; i < REPETITIONS && file.data && row; i++) {
        file.count = 0;
        file.at = 2 * texture->bytes + 4096; /* the room */
        double cpu = seconds(CLOCK_PROCESS_CPUTIME_ID), wall = seconds(CLOCK_MONOTONIC);
        if (!write_by_libpng(texture, &file)) break;
        note(&wrote, seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu, seconds(CLOCK_MONOTONIC) - wall);
        file.at = 0;
        cpu = seconds(CLOCK_PROCESS_CPUTIME_ID), wall = seconds(CLOCK_MONOTONIC);
        if (!read_by_libpng(texture, &file, row)) break;
        note(&read, seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu, seconds(CLOCK_MONOTONIC) - wall);
    }
    print_row("libpng, level 6", texture, file.count, wrote, read);
    free(row);
    free(file.data);
}

static int time_picture(const char *path)
{
    struct bytes bytes = {0};
    struct sch_file_texture texture = {.size = sizeof texture};
    struct sch_file_error error = {.size = sizeof error};
    if (!read_all(path, &bytes) || sch_file_texture_read(NULL, bytes.data, bytes.count, &texture, &error) != SCH_OK ||
        texture.format != SCH_FORMAT_R8G8B8A8_UNORM) {
        fprintf(stderr, "%s: no picture of 8-bit colours %s\n", path, error.message);
        free(bytes.data);
        sch_file_texture_release(&texture);
        return 1;
    }
    printf("%s, %u x %u\n", path, (unsigned)texture.width, (unsigned)texture.height);
    time_png(&texture);
    time_libpng(&texture);
    struct sch_file_texture floats = as_floats(&texture);
    for (int kind = SCH_FILE_KIND_JPEG; kind <= SCH_FILE_KIND_KTX2; kind++) {
        struct sch_file_kind_info info = {.size = sizeof info};
        if (sch_file_kind_get_info((enum sch_file_kind)kind, &info) != SCH_OK) continue;
        time_kind((enum sch_file_kind)kind, info.name, &texture, NULL);
        char name[32];
        snprintf(name, sizeof name, "%s of floats", info.name);
        if (floats.texels) time_kind((enum sch_file_kind)kind, name, &floats, NULL);
    }
    free(floats.texels);
    free(bytes.data);
    sch_file_texture_release(&texture);
    return 0;
}

int main(int argc, char **argv)
{
    int failed = argc < 2;
    if (failed) fprintf(stderr, "usage: files PICTURE.png...\n");
    for (int i = 1; i < argc; i++) failed |= time_picture(argv[i]);
    return failed;
}
