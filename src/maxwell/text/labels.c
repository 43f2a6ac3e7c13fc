/* Labels and what names them. */
#include "maxwell/text/labels.h"

#include <string.h>

#include "isa/errors.h"
#include "maxwell/text/template.h"

enum { FIRST_PLACES = 64, SHOWN = 40 };

static bool is_name_character(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || (c && strchr("._$@", c));
}

size_t sch_maxwell_label_before(const char *text, size_t bytes)
{
    size_t at = 0;
    while (at < bytes && is_name_character(text[at])) at++;
    if (at == 0 || at == bytes || text[at] != ':' || (text[0] >= '0' && text[0] <= '9') || text[0] == '@') return 0;
    at++;
    return at < bytes && text[at] == ':' ? 0 : at;
}

static size_t hash(const char *name, size_t bytes)
{
    uint64_t value = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < bytes; i++) value = (value ^ (unsigned char)name[i]) * UINT64_C(0x100000001b3);
    return (size_t)(value ^ value >> 29);
}

/* The place of a name, or the empty one where it would go. */
static uint32_t *place_of(struct sch_maxwell_labels *labels, const char *name, size_t bytes)
{
    for (size_t at = hash(name, bytes);; at++) {
        uint32_t *place = &labels->table[at & (labels->places - 1)];
        if (!*place) return place;
        const struct sch_maxwell_label_entry *entry = &labels->entries[*place - 1];
        if (entry->bytes == bytes && memcmp(entry->name, name, bytes) == 0) return place;
    }
}

/* Room for one more; false: no memory. */
static bool reserve(struct sch_maxwell_labels *labels)
{
    if (!SCH_ARENA_GROW(labels->arena, labels->entries, labels->capacity, labels->count)) return false;
    if (labels->count < labels->places / 2) return true;
    labels->places = labels->places ? 2 * labels->places : FIRST_PLACES;
    labels->table = SCH_ARENA_ARRAY(labels->arena, uint32_t, labels->places);
    if (!labels->table) {
        labels->places = 0;
        return false;
    }
    for (size_t i = 0; i < labels->count; i++)
        *place_of(labels, labels->entries[i].name, labels->entries[i].bytes) = (uint32_t)i + 1;
    return true;
}

enum sch_result sch_maxwell_labels_add(struct sch_maxwell_labels *labels, const char *name, size_t bytes,
                                       uint32_t address)
{
    if (!reserve(labels)) return SCH_ERROR_MEMORY;
    uint32_t *place = place_of(labels, name, bytes);
    if (*place) return SCH_ERROR_INVALID;
    const char *copy = sch_arena_string(labels->arena, name, bytes);
    if (!copy) return SCH_ERROR_MEMORY;
    labels->entries[labels->count++] = (struct sch_maxwell_label_entry){copy, bytes, address};
    *place = (uint32_t)labels->count;
    return SCH_OK;
}

bool sch_maxwell_labels_use(struct sch_maxwell_labels *labels, const struct sch_maxwell_label *label, size_t item,
                            struct sch_position position)
{
    const char *copy = sch_arena_string(labels->arena, label->name, label->bytes);
    if (!copy || !SCH_ARENA_GROW(labels->arena, labels->uses, labels->use_capacity, labels->use_count)) return false;
    struct sch_maxwell_label_use *use = &labels->uses[labels->use_count++];
    *use = (struct sch_maxwell_label_use){.label = *label, .item = item, .position = position};
    use->label.name = copy;
    return true;
}

/* Whether the field holds the way to the label; puts it there. */
static bool put(const struct sch_maxwell_label *label, uint32_t address, struct sch_maxwell_item *item)
{
    enum { NEXT = 8 };
    const struct sch_maxwell_bits bits = sch_maxwell_range(label->high, label->low);
    const int64_t value = label->relative ? (int64_t)address - item->address - NEXT : (int64_t)address;
    const int64_t half = (int64_t)1 << (bits.width - 1);
    if (value >= half || value < -half) return false;
    item->word = (item->word & ~sch_maxwell_bits_mask(&bits)) | sch_maxwell_bits_put(&bits, (uint64_t)value);
    return true;
}

unsigned sch_maxwell_labels_resolve(struct sch_maxwell_labels *labels, struct sch_maxwell_section *section,
                                    struct sch_diagnostics *diagnostics)
{
    unsigned reports = 0;
    for (size_t i = 0; i < labels->use_count; i++) {
        const struct sch_maxwell_label_use *use = &labels->uses[i];
        const uint32_t place = labels->places ? *place_of(labels, use->label.name, use->label.bytes) : 0;
        if (place && put(&use->label, labels->entries[place - 1].address, &section->items[use->item])) continue;
        reports++;
        const int shown = use->label.bytes < SHOWN ? (int)use->label.bytes : SHOWN;
        sch_diagnostics_add(diagnostics, SCH_SEVERITY_ERROR, place ? SCH_D_MAXWELL_NUMBER_RANGE : SCH_D_MAXWELL_LABEL,
                            use->position, place ? "%.*s is too far away" : "there is no label %.*s in this section",
                            shown, use->label.name);
    }
    labels->count = labels->use_count = 0;
    if (labels->places) memset(labels->table, 0, labels->places * sizeof *labels->table);
    return reports;
}
