/* Recordings of clients: what is in the file, and who writes it. All numbers are 32-bit words, low byte first.
 *
 * A header (struct sch_virgl_record_header), then records: a kind, the bytes of its content, and the content, filled up
 * to whole words. What the client's memory held is in MEMORY records, each before the record that reads it. */
#ifndef SCH_VIRGL_RECORD_H
#define SCH_VIRGL_RECORD_H

#include "client.h"

struct sch_virgl_record_header {
    char name[8]; /* "SCHVIRGL" */
    uint32_t version, reserved;
};

enum sch_virgl_record_kind {
    SCH_VIRGL_RECORD_CREATE = 1,  /* handle, then struct sch_virgl_resource_options */
    SCH_VIRGL_RECORD_ATTACH = 2,  /* handle, bytes */
    SCH_VIRGL_RECORD_DESTROY = 3, /* handle */
    SCH_VIRGL_RECORD_MEMORY = 4,  /* handle, offset, the bytes */
    SCH_VIRGL_RECORD_PUT = 5,     /* struct sch_virgl_record_transfer */
    SCH_VIRGL_RECORD_GET = 6,     /* the same */
    SCH_VIRGL_RECORD_SUBMIT = 7   /* the words */
};

/* A transfer's words, in this order. */
struct sch_virgl_record_transfer {
    uint32_t resource, level;
    struct sch_virgl_box box;
    uint32_t row_bytes, layer_bytes, offset;
};

/* Each does nothing if nothing is recorded. */
void sch_virgl_record_create(struct sch_virgl *virgl, uint32_t handle,
                             const struct sch_virgl_resource_options *options);
void sch_virgl_record_attach(struct sch_virgl *virgl, uint32_t handle, size_t bytes);
void sch_virgl_record_destroy(struct sch_virgl *virgl, uint32_t handle);
void sch_virgl_record_transfer(struct sch_virgl *virgl, enum sch_virgl_record_kind kind,
                               const struct sch_virgl_transfer *transfer);
void sch_virgl_record_submit(struct sch_virgl *virgl, const uint32_t *words, size_t count);

#endif
