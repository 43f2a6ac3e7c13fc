/* Texels that move without a shader: boxes between memory and resources, copies of bits, clears, blits, mip chains and
 * pictures of video. The structs are the public ones; docs/resources.md says what each does. ARGUMENT, with a report
 * (6300), for levels and boxes that a resource has not; INVALID and UNSUPPORTED (6005) for formats that are not
 * converted so. Then nothing has moved. DEADLINE and CANCELLED: some of it has (texture/moving.h; `moving` NULL:
 * never). */
#ifndef SCH_TEXTURE_TRANSFERS_H
#define SCH_TEXTURE_TRANSFERS_H

#include "texture/moving.h"
#include "texture/surface.h"

/* Bytes of memory that a transfer needs; 0: there is no such one. */
size_t sch_texture_transfer_bytes(const struct sch_texture_resource *resource, const struct sch_transfer *transfer);
enum sch_result sch_texture_write(struct sch_texture_resource *resource, const struct sch_transfer *transfer,
                                  const void *data, size_t bytes, const struct sch_moving *moving,
                                  struct sch_diagnostics *diagnostics);
enum sch_result sch_texture_read(const struct sch_texture_resource *resource, const struct sch_transfer *transfer,
                                 void *data, size_t bytes, const struct sch_moving *moving,
                                 struct sch_diagnostics *diagnostics);

enum sch_result sch_texture_copy(struct sch_texture_resource *to, const struct sch_texture_resource *from,
                                 const struct sch_copy *copy, const struct sch_moving *moving,
                                 struct sch_diagnostics *diagnostics);

enum sch_result sch_texture_clear(struct sch_texture_resource *resource, const struct sch_clear *clear,
                                  const struct sch_moving *moving, struct sch_diagnostics *diagnostics);

/* MEMORY also where a copy of the source is needed; it is at most as large as the resource. */
enum sch_result sch_texture_blit(struct sch_texture_resource *to, const struct sch_texture_resource *from,
                                 const struct sch_blit *blit, const struct sch_allocator *allocator,
                                 const struct sch_moving *moving, struct sch_diagnostics *diagnostics);

enum sch_result sch_texture_make_mips(struct sch_texture_resource *resource, const struct sch_mips *mips,
                                      const struct sch_moving *moving, struct sch_diagnostics *diagnostics);

enum sch_result sch_texture_write_video(struct sch_texture_resource *resource, const struct sch_video *video,
                                        struct sch_diagnostics *diagnostics);

/* Writes, reads and copies of surfaces. */
enum sch_result sch_surface_write(const struct sch_texture_surface *surface, const struct sch_transfer *transfer,
                                  const void *data, size_t bytes, const struct sch_moving *moving,
                                  struct sch_diagnostics *diagnostics);
enum sch_result sch_surface_read(const struct sch_texture_surface *surface, const struct sch_transfer *transfer,
                                 void *data, size_t bytes, const struct sch_moving *moving,
                                 struct sch_diagnostics *diagnostics);
enum sch_result sch_surface_copy(const struct sch_texture_surface *to, const struct sch_texture_surface *from,
                                 const struct sch_copy *copy, const struct sch_moving *moving,
                                 struct sch_diagnostics *diagnostics);

#endif
