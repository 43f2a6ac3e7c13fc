/* See members.h. */
#include "members.h"

#include "../support/text.h"

static void read_integer(struct sch_scene_text *text, const struct sch_scene_member *member, const char *what, void *at)
{
    const uint32_t most = member->kind == SCH_SCENE_MEMBER_U8    ? UINT8_MAX
                          : member->kind == SCH_SCENE_MEMBER_U16 ? UINT16_MAX
                                                                 : UINT32_MAX;
    const uint32_t high = member->high ? member->high : most;
    uint32_t number = 0;
    if (member->kind == SCH_SCENE_MEMBER_SPAN)
        sch_scene_span(text, what, member->many, high, at, (uint32_t *)at + 1);
    else if (!sch_scene_u32(text, what, member->low, high, &number))
        return;
    else if (member->kind == SCH_SCENE_MEMBER_U8)
        *(uint8_t *)at = (uint8_t)number;
    else if (member->kind == SCH_SCENE_MEMBER_U16)
        *(uint16_t *)at = (uint16_t)number;
    else
        *(uint32_t *)at = number;
}

static void read_value(struct sch_scene_text *text, const struct sch_scene_member *member, void *state)
{
    void *at = (uint8_t *)state + member->offset;
    const char *what = member->what ? member->what : member->word;
    if (member->sets) *(bool *)((uint8_t *)state + member->sets) = true;
    if (member->kind == SCH_SCENE_MEMBER_OWN)
        member->read(text, state);
    else if (member->kind == SCH_SCENE_MEMBER_FLAG)
        *(bool *)at = true;
    else if (member->kind == SCH_SCENE_MEMBER_BOOL)
        sch_scene_bool(text, at);
    else if (member->kind == SCH_SCENE_MEMBER_FLOAT)
        sch_scene_floats(text, what, at, member->count ? member->count : 1);
    else if (member->kind == SCH_SCENE_MEMBER_WORD)
        sch_scene_choice(text, member->words, what, at);
    else if (member->kind == SCH_SCENE_MEMBER_FORMAT)
        sch_scene_format(text, at);
    else if (member->kind == SCH_SCENE_MEMBER_TARGET)
        sch_scene_target(text, at);
    else if (member->kind == SCH_SCENE_MEMBER_SCISSOR)
        sch_scene_scissor(text, at);
    else if (member->kind == SCH_SCENE_MEMBER_OBJECT)
        *(const struct sch_scene_object **)at = sch_scene_named(text, (enum sch_scene_kind)member->count);
    else
        read_integer(text, member, what, at);
}

bool sch_scene_member(struct sch_scene_text *text, const struct sch_scene_member *members, void *state)
{
    while (members->word && !sch_scene_word(text, members->word)) members++;
    if (members->word) read_value(text, members, state);
    return members->word;
}

void sch_scene_options(struct sch_scene_text *text, const struct sch_scene_member *members, void *state)
{
    char list[300] = "";
    while (!sch_scene_at_end(text)) {
        if (sch_scene_member(text, members, state)) continue;
        for (const struct sch_scene_member *at = members; at->word; at++)
            sch_text_add(list, sizeof list, "%s%s", at == members ? "" : at[1].word ? ", " : " and ", at->word);
        sch_scene_refuse(text, "SCENE_WORD", "%s are allowed here", list);
    }
}

void sch_scene_block(struct sch_scene_text *text, const struct sch_scene_member *members, void *state,
                     const char *refusal)
{
    if (!sch_scene_open(text)) return;
    while (!text->wrong && !sch_scene_sign(text, '}')) {
        if (!sch_scene_member(text, members, state)) sch_scene_refuse(text, "SCENE_WORD", "%s", refusal);
        sch_scene_end(text);
    }
}
