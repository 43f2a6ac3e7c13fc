/* See words.h. */
#include "words.h"

#include <string.h>

const char *const sch_kind_words[] = SCH_WORDS_ARRAY(SCH_WORDS_KIND);
const char *const sch_dialect_words[] = SCH_WORDS_ARRAY(SCH_WORDS_DIALECT);
const char *const sch_engine_words[] = SCH_WORDS_ARRAY(SCH_WORDS_ENGINE);
const char *const sch_stage_words[] = SCH_WORDS_ARRAY(SCH_WORDS_STAGE);
const char *const sch_drawing_stage_words[] = SCH_WORDS_ARRAY(SCH_WORDS_DRAWING_STAGE);
const char *const sch_target_words[] = SCH_WORDS_ARRAY(SCH_WORDS_TARGET);
const char *const sch_wrap_words[] = SCH_WORDS_ARRAY(SCH_WORDS_WRAP);
const char *const sch_filter_words[] = SCH_WORDS_ARRAY(SCH_WORDS_FILTER);
const char *const sch_mip_filter_words[] = SCH_WORDS_ARRAY(SCH_WORDS_MIP_FILTER);
const char *const sch_compare_words[] = SCH_WORDS_ARRAY(SCH_WORDS_COMPARE);
const char *const sch_reduction_words[] = SCH_WORDS_ARRAY(SCH_WORDS_REDUCTION);
const char *const sch_rules_words[] = SCH_WORDS_ARRAY(SCH_WORDS_RULES);
const char *const sch_primitive_words[] = SCH_WORDS_ARRAY(SCH_WORDS_PRIMITIVE);
const char *const sch_fill_words[] = SCH_WORDS_ARRAY(SCH_WORDS_FILL);
const char *const sch_sprite_origin_words[] = SCH_WORDS_ARRAY(SCH_WORDS_SPRITE_ORIGIN);
const char *const sch_conservative_words[] = SCH_WORDS_ARRAY(SCH_WORDS_CONSERVATIVE);
const char *const sch_stencil_operation_words[] = SCH_WORDS_ARRAY(SCH_WORDS_STENCIL_OPERATION);
const char *const sch_blend_equation_words[] = SCH_WORDS_ARRAY(SCH_WORDS_BLEND_EQUATION);
const char *const sch_blend_factor_words[] = SCH_WORDS_ARRAY(SCH_WORDS_BLEND_FACTOR);
const char *const sch_logic_operation_words[] = SCH_WORDS_ARRAY(SCH_WORDS_LOGIC_OPERATION);
const char *const sch_advanced_blend_words[] = SCH_WORDS_ARRAY(SCH_WORDS_ADVANCED_BLEND);
const char *const sch_query_kind_words[] = SCH_WORDS_ARRAY(SCH_WORDS_QUERY_KIND);

bool sch_words_find(const char *const *words, const char *text, size_t bytes, uint32_t *place)
{
    for (*place = 0; words[*place]; ++*place)
        if (strlen(words[*place]) == bytes && memcmp(words[*place], text, bytes) == 0) return bytes > 0;
    return false;
}
