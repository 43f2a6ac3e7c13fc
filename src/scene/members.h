/* Words of statements that a table says: each sets a member of a struct, or is read by a function of its own. */
#ifndef SCH_SCENE_MEMBERS_H
#define SCH_SCENE_MEMBERS_H

#include "text.h"

enum sch_scene_member_kind {
    SCH_SCENE_MEMBER_OWN,  /* `read` gets the struct */
    SCH_SCENE_MEMBER_FLAG, /* the word alone sets it */
    SCH_SCENE_MEMBER_BOOL,
    SCH_SCENE_MEMBER_FLOAT,
    SCH_SCENE_MEMBER_U8,
    SCH_SCENE_MEMBER_U16,
    SCH_SCENE_MEMBER_U32,
    SCH_SCENE_MEMBER_SPAN, /* two U32: FIRST [COUNT], the latter 1 if it is not given */
    SCH_SCENE_MEMBER_WORD, /* an enumeration, or bits, of 32 bits */
    SCH_SCENE_MEMBER_FORMAT,
    SCH_SCENE_MEMBER_TARGET,
    SCH_SCENE_MEMBER_SCISSOR,
    SCH_SCENE_MEMBER_OBJECT
};

struct sch_scene_member {
    const char *word; /* NULL ends a table */
    enum sch_scene_member_kind kind;
    size_t offset, sets;      /* `sets`: a bool that the word sets, too; 0: none */
    const char *what, *many;  /* in errors, `many` of a count; NULL: the word */
    uint32_t low, high;       /* of integers; high 0: all that the type has */
    const char *const *words; /* WORD */
    unsigned count;           /* FLOAT: so many; 0: one. OBJECT: enum sch_scene_kind */
    void (*read)(struct sch_scene_text *text, void *state);
};

/* Rows: of a word and a member, of a member whose word is its name, of what has a function; the end. */
/* clang-format off */
#define SCH_SCENE_ROW(word_, kind_, of, member, ...) \
    {.word = word_, .kind = SCH_SCENE_MEMBER_##kind_, .offset = offsetof(struct of, member), __VA_ARGS__}
#define SCH_SCENE_MEMBER(kind_, of, member, ...) SCH_SCENE_ROW(#member, kind_, of, member, __VA_ARGS__)
#define SCH_SCENE_OWN(word_, read_) {.word = word_, .read = read_}
#define SCH_SCENE_NO_MORE {.word = NULL}
/* clang-format on */

/* Reads the next token and what belongs to it, if the table has it. False: it does not, and the token stays. */
bool sch_scene_member(struct sch_scene_text *text, const struct sch_scene_member *members, void *state);
/* The same up to the statement's end; all else is refused with the words of the table. */
void sch_scene_options(struct sch_scene_text *text, const struct sch_scene_member *members, void *state);
/* { lines of members }; all else is refused so. */
void sch_scene_block(struct sch_scene_text *text, const struct sch_scene_member *members, void *state,
                     const char *refusal);

#endif
