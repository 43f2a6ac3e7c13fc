/* What a KTX 2 file says about its texels: VkFormat, swizzle, data format descriptor. Holds no layout of files
 * (ktx2.c). */
#ifndef SCH_FILES_KTX2_FORMAT_H
#define SCH_FILES_KTX2_FORMAT_H

#include "files/codec.h"

/* How a format is named: a VkFormat, and where red, green, blue and alpha come from if that is not all of it. */
struct sch_ktx2_words {
    uint32_t number, type_size;
    char swizzle[SCH_FILES_CHANNELS + 1]; /* KTXswizzle; empty: none */
};

/* NONE: no format here has such texels. */
enum sch_format sch_ktx2_of_number(uint32_t number);
/* The format of the same texels whose colours come from others: "rrr1" of R8_UNORM is L8_UNORM. NONE: there is none, or
 * the four characters are not of rgba01. */
enum sch_format sch_ktx2_swizzled(enum sch_format format, const char *swizzle);
/* False: the kind has no words for the format. */
bool sch_ktx2_words(enum sch_format format, struct sch_ktx2_words *words);
/* The format of VkFormat `number` itself, which words with a swizzle are about. */
enum sch_format sch_ktx2_base(const struct sch_ktx2_words *words);

/* The data format descriptor of a texture whose VkFormat has the format `base` (ktx2_dfd.c). */
void sch_ktx2_write_dfd(struct sch_bytes *file, const struct sch_file_texture *texture, enum sch_format base);

/* Reads what a texture takes from the descriptor: curve, premultiplied alpha. Reports a damaged one (INVALID), and one
 * of universal texels, which need transcoding (UNSUPPORTED). `format` NONE: the VkFormat is not known. */
enum sch_result sch_ktx2_read_dfd(const struct sch_files_reader *reader, const uint8_t *dfd, size_t bytes,
                                  enum sch_format format, struct sch_file_texture *texture);

#endif
