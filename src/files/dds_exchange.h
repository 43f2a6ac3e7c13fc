/* DDS files whose code is RXGB: DXT5 with red in the place of alpha. Holds no layout of files (dds.c). */
#ifndef SCH_FILES_DDS_EXCHANGE_H
#define SCH_FILES_DDS_EXCHANGE_H

#include "files/codec.h"

/* Decodes the blocks that were read to R8G8B8A8_UNORM, with their alpha as red and an alpha of 1: no format of blocks
 * means that. Warns that it does. */
enum sch_result sch_dds_exchange(const struct sch_files_reader *reader, struct sch_file_texture *texture);

#endif
