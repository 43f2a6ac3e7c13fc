/* JPEG in, by libjpeg-turbo: grey and colours of 8 bits. libjpeg reports errors by longjmp: each setjmp here is in a
 * function that keeps everything in the job. Nothing is printed. The orientation that cameras note (Exif) has no
 * effect. JPEGs are not written: they lose. Holds no other kind. */
#include <limits.h>
#include <setjmp.h>
#include <stdio.h> /* jpeglib.h needs it */
#include <string.h>

#include <jerror.h>
#include <jpeglib.h>

#include "files/kinds.h"
#include "files/pixels.h"

/* Progressive files have about ten scans; each costs the time of a picture, whatever its bytes. */
enum { SCANS = 100 };

struct job {
    const struct sch_files_reader *reader;
    struct sch_file_texture *texture;
    enum sch_result result; /* of a job that was broken off */
    bool cut;               /* the file has ended early, and what is there is wanted */
    struct jpeg_decompress_struct jpeg;
    struct jpeg_error_mgr errors;
    struct jpeg_progress_mgr progress;
    jmp_buf end;
};

static _Noreturn void fail(struct job *job, enum sch_result result)
{
    job->result = result;
    longjmp(job->end, 1);
}

/* libjpeg found an error, whose number and parameters are in its manager. */
static void job_error(j_common_ptr jpeg)
{
    struct job *job = jpeg->client_data;
    char words[JMSG_LENGTH_MAX];
    struct sch_file_error *error = job->reader->error;
    switch (job->errors.msg_code) {
    case JERR_OUT_OF_MEMORY:
        fail(job, SCH_ERROR_MEMORY);
    case JERR_NO_BACKING_STORE: /* what it needs is more than it may have */
        sch_files_report(error, SCH_D_PICTURE_TOO_LARGE, "the JPEG needs more memory than allowed");
        fail(job, SCH_ERROR_LIMIT);
    default:
        break;
    }
    job->errors.format_message(jpeg, words);
    const bool form = job->errors.msg_code == JERR_BAD_PRECISION || job->errors.msg_code == JERR_SOF_UNSUPPORTED ||
                      job->errors.msg_code == JERR_ARITH_NOTIMPL;
    sch_files_report(error, form ? SCH_D_FILE_FORM : SCH_D_PICTURE_DAMAGED, "%s JPEG: %.120s",
                     form ? "this kind of" : "damaged", words);
    fail(job, form ? SCH_ERROR_UNSUPPORTED : SCH_ERROR_INVALID);
}

/* Below 0: a warning. What is odd in its markers leaves the texels as they are; the others are damage, such as texels
 * that are made up because the file ends early. */
static void job_message(j_common_ptr jpeg, int level)
{
    struct job *job = jpeg->client_data;
    const int code = job->errors.msg_code;
    if (level < 0 && code == JWRN_JPEG_EOF && job->reader->lenient && job->texture->texels) job->cut = true;
    if (job->cut) {
        /* If there are several scans, each has all of the picture, which is drawn from those that are there. */
        if (code == JWRN_HIT_MARKER && !jpeg_has_multiple_scans(&job->jpeg)) longjmp(job->end, 1);
        return;
    }
    if (level < 0 && code != JWRN_JFIF_MAJOR && code != JWRN_ADOBE_XFORM && code != JWRN_EXTRANEOUS_DATA)
        job_error(jpeg);
}

static void job_output(j_common_ptr jpeg) { (void)jpeg; }

static void job_progress(j_common_ptr jpeg)
{
    struct job *job = jpeg->client_data;
    if (job->jpeg.input_scan_number <= SCANS) return;
    sch_files_report(job->reader->error, SCH_D_PICTURE_TOO_LARGE, "the JPEG has more than %d scans", (int)SCANS);
    fail(job, SCH_ERROR_LIMIT);
}

/* The shape, the kind of colour, and what libjpeg shall make of it. */
static void describe(struct job *job)
{
    struct jpeg_decompress_struct *jpeg = &job->jpeg;
    const bool grey = jpeg->jpeg_color_space == JCS_GRAYSCALE;
    if (!grey && jpeg->jpeg_color_space != JCS_YCbCr && jpeg->jpeg_color_space != JCS_RGB) {
        const bool inks = jpeg->jpeg_color_space == JCS_CMYK || jpeg->jpeg_color_space == JCS_YCCK;
        sch_files_report(job->reader->error, SCH_D_FILE_FORM, "the JPEG has %s: grey, YCbCr and RGB are read",
                         inks ? "four inks (CMYK)" : "an unknown kind of colour");
        fail(job, SCH_ERROR_UNSUPPORTED);
    }
    jpeg->out_color_space = grey ? JCS_GRAYSCALE : JCS_EXT_RGBA; /* whose alpha is 255 */
    jpeg->dct_method = JDCT_ISLOW;                               /* the same texels on every processor */
    jpeg->do_block_smoothing = FALSE;
    sch_files_describe_picture(job->texture, grey ? SCH_FORMAT_L8_UNORM : SCH_FORMAT_R8G8B8A8_UNORM, jpeg->image_width,
                               jpeg->image_height);
}

static void read_texels(struct job *job)
{
    struct jpeg_decompress_struct *jpeg = &job->jpeg;
    jpeg_start_decompress(jpeg);
    const size_t row = job->texture->bytes / job->texture->height;
    while (jpeg->output_scanline < jpeg->output_height) {
        JSAMPROW to = job->texture->texels + jpeg->output_scanline * row;
        jpeg_read_scanlines(jpeg, &to, 1);
    }
    jpeg_finish_decompress(jpeg);
}

/* Files of several scans are kept as coefficients of 16 bits, up to 8 bytes a pixel. */
static long memory_limit(const struct sch_files_reader *reader)
{
    enum { MORE = 1 << 24 };
    const size_t limit = reader->limits.max_bytes;
    return limit < (LONG_MAX - MORE) / 2 ? (long)(2 * limit + MORE) : LONG_MAX;
}

static void read_all(struct job *job)
{
    if (setjmp(job->end)) return;
    jpeg_create_decompress(&job->jpeg);
    job->jpeg.mem->max_memory_to_use = memory_limit(job->reader);
    job->jpeg.progress = &job->progress;
    jpeg_mem_src(&job->jpeg, job->reader->data, (unsigned long)job->reader->bytes);
    jpeg_read_header(&job->jpeg, TRUE);
    describe(job);
    const enum sch_result result = sch_files_allocate(job->reader, job->texture);
    if (result != SCH_OK) fail(job, result);
    if (job->reader->lenient) memset(job->texture->texels, 0, job->texture->bytes);
    read_texels(job);
}

enum sch_result sch_files_jpeg_read(const struct sch_files_reader *reader, struct sch_file_texture *texture)
{
    struct job job = {.reader = reader, .texture = texture};
    job.jpeg.err = jpeg_std_error(&job.errors);
    job.jpeg.client_data = &job;
    job.errors.error_exit = job_error;
    job.errors.emit_message = job_message;
    job.errors.output_message = job_output;
    job.progress.progress_monitor = job_progress;
    read_all(&job);
    if (job.cut && job.result == SCH_OK)
        sch_files_warn(reader, SCH_D_FILE_CUT, "cut off: %u of %u rows are read%s", (unsigned)job.jpeg.output_scanline,
                       (unsigned)texture->height, jpeg_has_multiple_scans(&job.jpeg) ? ", not all of them sharp" : "");
    jpeg_destroy_decompress(&job.jpeg);
    return job.result;
}
