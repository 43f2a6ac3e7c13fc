/* The functions that the rows of kinds.c name: what files begin with, readers, writers. Holds nothing else. */
#ifndef SCH_FILES_KINDS_H
#define SCH_FILES_KINDS_H

#include "files/codec.h"

bool sch_files_png_is(const uint8_t *data, size_t bytes);
enum sch_result sch_files_png_read(const struct sch_files_reader *reader, struct sch_file_texture *texture);
enum sch_result sch_files_png_write(const struct sch_files_writer *writer);

enum sch_result sch_files_jpeg_read(const struct sch_files_reader *reader, struct sch_file_texture *texture);

bool sch_files_pnm_is(const uint8_t *data, size_t bytes);
enum sch_result sch_files_pnm_read(const struct sch_files_reader *reader, struct sch_file_texture *texture);
enum sch_result sch_files_pnm_write(const struct sch_files_writer *writer);

bool sch_files_pfm_is(const uint8_t *data, size_t bytes);
enum sch_result sch_files_pfm_read(const struct sch_files_reader *reader, struct sch_file_texture *texture);
enum sch_result sch_files_pfm_write(const struct sch_files_writer *writer);

bool sch_files_hdr_is(const uint8_t *data, size_t bytes);
enum sch_result sch_files_hdr_read(const struct sch_files_reader *reader, struct sch_file_texture *texture);
enum sch_result sch_files_hdr_write(const struct sch_files_writer *writer);

enum sch_result sch_files_exr_read(const struct sch_files_reader *reader, struct sch_file_texture *texture);
enum sch_result sch_files_exr_write(const struct sch_files_writer *writer);

bool sch_files_dds_is(const uint8_t *data, size_t bytes);
enum sch_result sch_files_dds_read(const struct sch_files_reader *reader, struct sch_file_texture *texture);
enum sch_result sch_files_dds_write(const struct sch_files_writer *writer);

bool sch_files_ktx_is(const uint8_t *data, size_t bytes);
enum sch_result sch_files_ktx_read(const struct sch_files_reader *reader, struct sch_file_texture *texture);
enum sch_result sch_files_ktx_write(const struct sch_files_writer *writer);

bool sch_files_ktx2_is(const uint8_t *data, size_t bytes);
enum sch_result sch_files_ktx2_read(const struct sch_files_reader *reader, struct sch_file_texture *texture);
enum sch_result sch_files_ktx2_write(const struct sch_files_writer *writer);

#endif
