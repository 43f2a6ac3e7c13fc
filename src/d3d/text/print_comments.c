/* Signatures as the tables of comments that come before Microsoft's listings; asm_comments.c reads them. */
#include "d3d/text/internal.h"

#include <stdio.h>

/* Four places, a blank for each component that is not there. */
static const char *mask_text(unsigned mask, char text[5])
{
    for (unsigned i = 0; i < 4; i++) text[i] = mask >> i & 1 ? "xyzw"[i] : ' ';
    text[4] = 0;
    return text;
}

static const char *format_text(const struct sch_d3d_signature_element *element)
{
    static const char *const plain[] = {"unknown", "uint", "int", "float"};
    static const char *const precise[] = {"", "min16f", "min2_8f", "", "min16i", "min16u"};
    if (element->min_precision >= 1 && element->min_precision <= 5 && *precise[element->min_precision])
        return precise[element->min_precision];
    return plain[element->component_type < 4 ? element->component_type : 0];
}

/* Registers without a number: by what they are. */
static const char *register_text(const struct sch_d3d_signature_element *element, uint32_t value, char text[16])
{
    const struct sch_d3d_word *word = sch_d3d_word_by_number(SCH_D3D_WORDS_UNPLACED, value);
    if (element->reg == UINT32_MAX) return word ? *word->other ? word->other : word->word : "special";
    snprintf(text, 16, "%u", element->reg);
    return text;
}

static void print_row(struct sch_bytes *out, const struct sch_d3d_shader *shader, enum sch_signature_kind kind,
                      const struct sch_d3d_signature_element *element)
{
    uint8_t stage = shader->program->stage;
    char mask[5], used_mask[5], number[16], stream[8] = "";
    uint32_t value = sch_d3d_system_value(element, stage, kind);
    const struct sch_d3d_word *word = sch_d3d_word_by_number(SCH_D3D_WORDS_SIGNATURE, value);
    unsigned used = sch_d3d_is_written(stage, kind) ? 0xfu & ~element->used : element->used;
    bool letters = element->reg != UINT32_MAX || (element->mask & 0xf) != 1 || used & 0xe;
    if (element->stream) snprintf(stream, sizeof stream, "m%u:", element->stream % 4);
    sch_bytes_format(out, "// %s%-*s %5u %6s %8s %8s %7s %6s\n", stream, element->stream ? 17 : 20, element->name,
                     element->index, letters ? mask_text(element->mask, mask) : "N/A",
                     register_text(element, value, number), word ? word->word : "NONE", format_text(element),
                     letters       ? mask_text(used, used_mask)
                     : (used & 1u) ? "YES"
                                   : "NO");
}

static void print_table(struct sch_bytes *out, const struct sch_d3d_shader *shader, enum sch_signature_kind kind)
{
    static const char *const titles[] = {"Input", "Output", "Patch Constant"};
    const struct sch_d3d_signature *signature = &shader->signatures[kind];
    if (!signature->tag) return;
    sch_bytes_format(out, "//\n//\n// %s signature:\n//\n", titles[kind]);
    sch_bytes_text(out, "// Name                 Index   Mask Register SysValue  Format   Used\n"
                        "// -------------------- ----- ------ -------- -------- ------- ------\n");
    for (size_t i = 0; i < signature->count; i++) print_row(out, shader, kind, &signature->elements[i]);
    if (!signature->count) sch_bytes_format(out, "// no %s\n", titles[kind]);
}

void sch_d3d_print_comments(struct sch_bytes *out, const struct sch_d3d_shader *shader)
{
    print_table(out, shader, SCH_SIGNATURE_PATCH_CONSTANT);
    print_table(out, shader, SCH_SIGNATURE_INPUT);
    print_table(out, shader, SCH_SIGNATURE_OUTPUT);
    sch_bytes_text(out, "//\n");
}
