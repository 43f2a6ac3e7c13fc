/* Liveness, uniformity and steps of prepared programs (src/ir/analysis.h): which writes need no mask, what lives across
 * a BARRIER, what is the same in all lanes, what differs by a known step. Programs are written in short: T0 is TEMP[0],
 * C CONST, I IN, S SV, O OUT, A ADDR, K IMM; inputs differ from lane to lane, constants do not. Expectations are by
 * hand: where lanes that do not execute wait, and what they can read there. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../support/counting.h"
#include "../support/words.h"
#include "ir/analysis.h"
#include "tgsi/tgsi.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

enum { ROOM = 1 << 21 };
static struct words new_words(void)
{
    char *text = malloc(ROOM);
    assert_non_null(text);
    return words_in(text, ROOM);
}

/* ---- programs ---- */

static const char *file_of(char letter)
{
    switch (letter) {
    case 'T':
        return "TEMP";
    case 'C':
        return "CONST";
    case 'I':
        return "IN";
    case 'S':
        return "SV";
    case 'O':
        return "OUT";
    case 'A':
        return "ADDR";
    case 'K':
        return "IMM";
    default:
        return NULL;
    }
}

static void put_body(struct words *w, const char *body)
{
    for (const char *at = body; *at; at++) {
        const bool begins = at > body && strchr(" [", at[-1]) && at[1] >= '0' && at[1] <= '9';
        const char *file = begins ? file_of(*at) : NULL;
        if (!file) {
            put(w, "%c", *at == ';' ? '\n' : *at);
            continue;
        }
        put(w, "%s[", file);
        while (at[1] >= '0' && at[1] <= '9') put(w, "%c", *++at);
        put(w, "]");
    }
}

struct run {
    struct sch_prepared program;
    struct sch_arena arena;
    struct sch_ir_liveness liveness;
    struct sch_ir_uniformity uniformity;
    struct sch_ir_steps steps;
};

static void prepare(struct run *run, const char *head, const char *body)
{
    struct words w = new_words();
    struct sch_diagnostics list;
    struct sch_limits limits = SCH_LIMITS_DEFAULT;
    struct sch_ir_shader *shader = NULL;
    put(&w, "%s", head);
    put_body(&w, body);
    put(&w, "\n");
    sch_diagnostics_init(&list, &sch_allocator_libc, 8);
    enum sch_result status = sch_tgsi_parse(&sch_allocator_libc, &limits, w.text, w.used, &list, &shader);
    if (status == SCH_OK) status = sch_prepare(shader, &sch_allocator_libc, &list, &run->program);
    if (status != SCH_OK) fail_msg("%s%d %s", w.text, status, list.count ? list.items[0].message : "");
    sch_diagnostics_release(&list);
    sch_ir_destroy(shader);
    free(w.text);
    sch_arena_init(&run->arena, &sch_allocator_libc, 0);
    assert_int_equal(sch_ir_find_liveness(&run->program, &run->arena, &run->liveness), SCH_OK);
}

static void finish(struct run *run)
{
    sch_arena_release(&run->arena);
    sch_prepared_release(&run->program);
}

#define FRAGMENT                                                                                                       \
    "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL TEMP[0..7]\nDCL ADDR[0]\nDCL CONST[0..3]\n"      \
    "DCL SAMP[0]\nIMM[0] UINT32 {0, 1, 2, 3}\n"
#define COMPUTE                                                                                                        \
    "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 32\nPROPERTY CS_FIXED_BLOCK_HEIGHT 1\nPROPERTY CS_FIXED_BLOCK_DEPTH 1\n"      \
    "DCL SV[0], THREAD_ID\nDCL TEMP[0..7]\nDCL CONST[0..3]\nDCL MEMORY[0], SHARED\nIMM[0] UINT32 {0, 1, 2, 3}\n"

/* ---- which writes need no mask ---- */

/* Of each instruction the components of its destination that need none, a second one's behind a slash; "-": none. */
static void put_unmasked(struct words *w, const struct run *run)
{
    for (uint32_t n = 0; n < run->program.instruction_count; n++) {
        const unsigned bits = run->liveness.unmasked[n];
        if (n) put(w, " ");
        for (unsigned c = 0; c < 8; c++) {
            if (c == 4 && bits >> 4) put(w, "/");
            if (bits >> c & 1) put(w, "%c", "xyzw"[c % 4]);
        }
        if (!bits) put(w, "-");
    }
}

static const struct {
    const char *body, *unmasked;
} writes[] = {
    /* Outside of constructs nobody waits; outputs are read when lanes have ended. */
    {"MOV T0.x, I0; MOV O0, T0.xxxx; END", "x - -"},
    /* Lanes wait at ENDIF, and read T0 behind it. */
    {"MOV T0.x, C0; UIF I0.xxxx; MOV T0.x, C1; MOV T1.x, T0; ENDIF; MOV O0, T0.xxxx; END", "x - - x - - -"},
    /* For the ELSE, which reads T1 and writes T2 first; in it lanes wait behind its end. */
    {"UIF I0.xxxx; MOV T0.x, C0; MOV T1.x, C0; MOV T2.x, C0; ELSE; MOV T2.x, T1; MOV T0.x, T2; ENDIF; MOV O0, T0.xxxx; "
     "END",
     "- - - x - x - - - -"},
    /* The IF of an ELSE: lanes wait behind both. */
    {"UIF I0.xxxx; ELSE; UIF I0.yyyy; MOV T0.x, C0; MOV T1.x, C0; ENDIF; MOV T1.x, T0; ENDIF; MOV O0, T1.xxxx; END",
     "- - - - - - - - - -"},
    {"UIF I0.xxxx; ELSE; UIF I0.yyyy; MOV T0.x, C0; MOV O0, T0.xxxx; ENDIF; MOV T0.x, C1; ENDIF; END",
     "- - - x - - x - -"},
    /* A loop that is left by BRK under IF: who has left reads T1, who waits for the ENDIF reads T3. */
    {"MOV T0.x, C0; BGNLOOP; UIF I0.xxxx; MOV T1.x, C0; MOV T2.x, C0; MOV T3.x, T2; BRK; ENDIF; ADD T0.x, T0, T3; "
     "ENDLOOP; MOV O0, T1.xxxx; END",
     "x - - - x - - - x - - -"},
    /* Of a loop in a loop: who has left the inner one reads T0 behind it, and the inner one's T1 in the outer's next
     * turn. */
    {"BGNLOOP; BGNLOOP; MOV O0.x, T1; MOV T0.x, C0; MOV T2.x, C0; MOV T1.x, C1; UIF I0.xxxx; BRK; ENDIF; ENDLOOP; "
     "MOV O0, T0.xxxx; UIF I0.yyyy; BRK; ENDIF; ENDLOOP; END",
     "- - - - x - - - - - - - - - - -"},
    /* Lanes that join at CONT begin the next turn, and read T0 there; T2 is read behind all CONTs. */
    {"BGNLOOP; MOV T1.x, T0; UIF I0.xxxx; CONT; ENDIF; MOV T0.x, T1; MOV T2.x, T1; UIF T2.xxxx; BRK; ENDIF; ENDLOOP; "
     "END",
     "- x - - - - x - - - - -"},
    /* The same loop without. */
    {"BGNLOOP; MOV T1.x, T0; UIF I0.xxxx; NOP; ENDIF; MOV T0.x, T1; MOV T2.x, T1; UIF T2.xxxx; BRK; ENDIF; ENDLOOP; "
     "END",
     "- x - - - x x - - - - -"},
    /* CONT inside of a SWITCH continues the loop around it; a BRK there leaves the SWITCH alone. */
    {"BGNLOOP; MOV T1.x, T0; SWITCH I0.xxxx; CASE K0.xxxx; CONT; ENDSWITCH; MOV T0.x, T1; BRK; ENDLOOP; END",
     "- x - - - - - - - -"},
    {"BGNLOOP; MOV T1.x, T0; SWITCH I0.xxxx; CASE K0.xxxx; BRK; ENDSWITCH; MOV T0.x, T1; BRK; ENDLOOP; END",
     "- x - - - - x - - -"},
    /* Lanes enter at later labels, and fall from one to the next. */
    {"SWITCH I0.xxxx; CASE K0.xxxx; MOV T0.x, C0; CASE K0.yyyy; MOV T1.x, T0; DEFAULT; MOV T2.x, T1; MOV T3.x, C0; "
     "BRK; "
     "ENDSWITCH; MOV O0, T3.xxxx; END",
     "- - - - - - x - - - - -"},
    {"SWITCH I0.xxxx; DEFAULT; MOV T0.x, C0; CASE K0.yyyy; MOV T1.x, C0; MOV T0.x, T1; MOV O0, T0.xxxx; ENDSWITCH; END",
     "- - x - x x - - -"},
    /* Other lanes see what derivatives, lookups and lanes' own opcodes read. */
    {"MOV T0.xy, I0; DDX T1.x, T0; END", "y x -"},
    {"MOV T0, I0; TEX T1.x, T0.xyyy, SAMP[0], 2D; END", "zw x -"},
    {"MOV T0.xy, I0; BALLOT T1.x, T0.yyyy; END", "x x -"},
    {"MOV T0.xy, I0; READ_INVOC T1.x, T0.xxxx, K0.xxxx; END", "y x -"},
    /* The channels that an operation reads are those of its shape. */
    {"MOV T0, I0; UIF I0.xxxx; MOV T0, C0; ELSE; RCP T1.x, T0.yzwx; ENDIF; MOV O0, T1.xxxx; END",
     "xyzw - xzw - - - - -"},
    {"UIF I0.xxxx; MOV T0, C0; ELSE; DP2 O0.x, T0.wzyx, C0; ENDIF; END", "- xy - - - -"},
    {"UIF I0.xxxx; MOV T0, C0; ELSE; DP3 O0.x, T0.wzyx, C0; ENDIF; END", "- x - - - -"},
    {"UIF I0.xxxx; MOV T0, C0; ELSE; ADD O0.yw, T0.wzyx, C0; ENDIF; END", "- yw - - - -"},
    /* A pair is written whole, and what compares pairs leaves out y and w. */
    {"UIF I0.xxxx; MOV T0.xyz, C0; ELSE; DADD T0.xy, I0, I0; MOV O0, T0.yyyy; ENDIF; END", "- xyz - xy - - -"},
    {"UIF I0.xxxx; MOV T0.xyz, C0; ELSE; DSEQ T0.xy, I0, I0; MOV O0, T0.yyyy; ENDIF; END", "- xz - xy - - -"},
    {"UIF I0.xxxx; MOV T0.xyz, C0; ELSE; D2F T0.xyz, I0; MOV O0, T0.zzzz; ENDIF; END", "- xy - xyz - - -"},
    {"DFRACEXP T0.xy, T1.z, I0; END", "xy/z -"},
    /* A register that chooses others is read; what it chooses from is known to nobody. */
    {"UIF I0.xxxx; UARL A0.x, C0; ELSE; MOV O0, CONST[ADDR[0].x]; ENDIF; END", "- - - - - -"},
    {"UIF I0.xxxx; UARL A0.xy, C0; ELSE; MOV O0, CONST[ADDR[0].y]; ENDIF; END", "- x - - - -"},
    {"UARL A0.x, C0; MOV T0.x, I0; MOV O0, TEMP[ADDR[0].x]; END", "x - - -"},
    {"UARL A0.x, C0; MOV T0.x, I0; MOV TEMP[ADDR[0].x], C0; END", "x - - -"},
    /* Lanes that are killed wait nowhere. */
    {"KILL_IF I0; MOV T0.x, I0; MOV O0, T0.xxxx; END", "- x - -"},
    /* With subroutines nothing is known. */
    {"MOV T0.x, I0; CAL :3; END; BGNSUB; MOV T1.x, I0; ENDSUB", "- - - - - -"},
};

static void writes_without_masks(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(writes); i++) {
        struct run run;
        struct words w = new_words();
        prepare(&run, FRAGMENT, writes[i].body);
        put_unmasked(&w, &run);
        if (strcmp(w.text, writes[i].unmasked) != 0)
            fail_msg("%s\nwithout a mask: %s, not %s", writes[i].body, w.text, writes[i].unmasked);
        assert_null(run.liveness.across);
        free(w.text);
        finish(&run);
    }
}

/* ---- what lives across a BARRIER ---- */

static void put_set(struct words *w, const struct run *run, const uint64_t *set)
{
    static const struct {
        uint8_t file;
        char letter;
    } files[] = {{SCH_FILE_TEMPORARY, 'T'}, {SCH_FILE_ADDRESS, 'A'}, {SCH_FILE_OUTPUT, 'O'}, {SCH_FILE_INPUT, 'I'}};
    for (size_t f = 0; f < COUNT(files); f++) {
        const struct sch_prepared_file *file = &run->program.files[files[f].file];
        for (uint32_t r = 0; r < file->count; r++) {
            char components[5] = "";
            size_t used = 0;
            for (unsigned c = 0; c < 4; c++)
                if (sch_ir_set_has(set, file->base + 4 * r + c)) components[used++] = "xyzw"[c];
            if (used) put(w, "%s%c%u.%s", w->used ? " " : "", files[f].letter, r, components);
        }
    }
}

static const struct {
    const char *body, *across;
} barriers[] = {
    {"MOV T0.x, C0; MOV T1.x, C0; BARRIER; STORE MEMORY[0].x, K0.xxxx, T0.xxxx; END", "T0.x"},
    {"MOV T0.x, C0; BARRIER; MOV T0.x, C1; STORE MEMORY[0].x, K0.xxxx, T0.xxxx; END", ""},
    {"BARRIER; END", ""},
    /* What CONT, BRK, ELSE and the end of a loop lead to. */
    {"BGNLOOP; STORE MEMORY[0].x, K0.xxxx, T0.xxxx; UIF C0.xxxx; BARRIER; CONT; ENDIF; BRK; ENDLOOP; END", "T0.x"},
    {"BGNLOOP; MOV T1.x, T0; UIF C0.xxxx; BARRIER; BRK; ENDIF; ENDLOOP; STORE MEMORY[0].x, K0.xxxx, T2.xxxx; END",
     "T2.x"},
    {"BGNLOOP; STORE MEMORY[0].x, K0.xxxx, T0.xxxx; UIF C0.xxxx; BRK; ENDIF; BARRIER; ENDLOOP; END", "T0.x"},
    {"UIF C0.xxxx; BARRIER; ELSE; STORE MEMORY[0].x, K0.xxxx, T0.xxxx; ENDIF; STORE MEMORY[0].x, K0.xxxx, T1.xxxx; END",
     "T1.x"},
    {"BARRIER; UIF C0.xxxx; STORE MEMORY[0].x, K0.xxxx, T0.xxxx; ELSE; STORE MEMORY[0].x, K0.xxxx, T1.xxxx; ENDIF; END",
     "T0.x T1.x"},
    {"BARRIER; UIF C0.xxxx; MOV T0.x, C0; ENDIF; STORE MEMORY[0].x, K0.xxxx, T0.xxxx; END", "T0.x"},
    {"BARRIER; SWITCH C0.xxxx; CASE K0.xxxx; MOV T3.x, C0; CASE K0.yyyy; STORE MEMORY[0].x, K0.xxxx, T0.xxxx; BRK; "
     "DEFAULT; "
     "STORE MEMORY[0].x, K0.xxxx, T1.xxxx; ENDSWITCH; STORE MEMORY[0].x, T2.yyyy, T3.xxxx; END",
     "T0.x T1.x T2.y T3.x"},
    {"BARRIER; RET; STORE MEMORY[0].x, K0.xxxx, T0.xxxx; END", ""},
    /* The words of a store are those of its mask, its address is one. */
    {"BARRIER; STORE MEMORY[0].xy, T0.wwww, T1; END", "T0.w T1.xyzw"},
    /* What other lanes see has the value that it had before. */
    {"MOV T0.x, C0; BALLOT T1.x, T0.xxxx; BARRIER; END", "T0.x"},
};

static void values_across_barriers(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(barriers); i++) {
        struct run run;
        struct words w = new_words();
        prepare(&run, COMPUTE, barriers[i].body);
        assert_non_null(run.liveness.across);
        put_set(&w, &run, run.liveness.across);
        if (strcmp(w.text, barriers[i].across) != 0)
            fail_msg("%s\nacross: %s, not %s", barriers[i].body, w.text, barriers[i].across);
        free(w.text);
        finish(&run);
    }
}

/* ---- what is the same in all lanes ---- */

/* Of the channels that instructions write: those that are uniform; then of each construct whether all lanes go the same
 * way (s), and execute in it wherever some do (w). */
static void put_uniform(struct words *w, const struct run *run)
{
    const uint32_t channels = sch_ir_channel_count(&run->program);
    uint64_t *set = calloc(sch_ir_set_words(channels), sizeof *set);
    assert_non_null(set);
    for (uint32_t n = 0; n < run->program.instruction_count; n++) {
        const struct sch_prepared_instruction *in = &run->program.instructions[n];
        for (unsigned d = 0; d < in->dst_count; d++)
            for (unsigned c = 0; c < 4; c++) {
                const uint32_t channel = in->dst[d].channel + c;
                const bool written = in->dst[d].access == SCH_ACCESS_PLAIN && in->dst[d].mask >> c & 1;
                if (written && sch_ir_is_uniform(&run->uniformity, channel)) sch_ir_set_add(set, channel);
            }
    }
    put_set(w, run, set);
    put(w, " |");
    for (uint32_t c = 0; c < run->program.flow.construct_count; c++)
        put(w, " %s%s", run->uniformity.same_way[c] ? "s" : "-", run->uniformity.whole[c] ? "w" : "-");
    free(set);
}

static const struct {
    const char *body, *full, *any; /* where groups have all lanes, and where they have any */
} same[] = {
    /* Every operation by its operands: COMP channel by channel, the others by all that they read. */
    {"MOV T0.x, C0; MOV T0.y, I0; ADD T1.xy, T0, C0; RCP T2.x, T0.xxxx; RCP T2.y, T0.yyyy; DP2 T3.x, T0, C0; "
     "DP2 T3.y, T0.xxxx, C0; LIT T4.x, T0; LIT T4.y, C0; END",
     "T0.x T1.x T2.x T3.y T4.y |", "T0.x T1.x T2.x T3.y T4.y |"},
    /* What is not known when the program is prepared: neighbours, lanes, texels. */
    {"DDX T0.x, C0; BALLOT T1.x, C0.xxxx; TEX T2.x, C0, SAMP[0], 2D; UARL A0.x, C0; MOV T3.x, CONST[ADDR[0].x]; END",
     "A0.x |", "A0.x |"},
    /* Outputs keep their masks: all lanes must be there. */
    {"MOV O0.x, C0; MOV O0.y, I0; END", "O0.x |", " |"},
    /* In a construct that lanes enter one by one, only what needs no mask. */
    {"UIF I0.xxxx; MOV T0.x, C0; MOV T1.x, C0; ENDIF; MOV O0.x, T0; END", "T1.x | --", "T1.x | --"},
    /* All go the same way. */
    {"UIF C0.xxxx; MOV T0.x, C1; ELSE; MOV T0.x, C2; ENDIF; MOV O0.x, T0; END", "T0.x O0.x | sw", " | s-"},
    {"IF T0.xxxx; MOV T1.x, C0; ENDIF; MOV T0.x, C0; MOV O0.x, T1; END", "T0.x T1.x O0.x | sw", "T0.x | s-"},
    {"UIF T0.xxxx; MOV T1.x, C0; ENDIF; MOV T0.x, I0; MOV O0.x, T1; END", " | --", " | --"},
    /* An IF in one that lanes enter one by one. */
    {"UIF I0.xxxx; UIF C0.xxxx; MOV T0.x, C0; ENDIF; ENDIF; MOV O0.x, T0; END", " | -- s-", " | -- s-"},
    /* A loop that all leave at once, and one that is left by BRK under an IF of some. */
    {"MOV T0.x, C0; BGNLOOP; UADD T0.x, T0, K0.yyyy; USGE T1.x, T0, C0; UIF T1.xxxx; BRK; ENDIF; ENDLOOP; MOV O0.x, "
     "T0; END",
     "T0.x T1.x O0.x | -w sw", " | -- --"},
    {"MOV T0.x, C0; BGNLOOP; UADD T0.x, T0, K0.yyyy; MOV T1.x, T0; UIF I0.xxxx; BRK; ENDIF; ENDLOOP; MOV O0.x, T0; END",
     " | -- --", " | -- --"},
    {"BGNLOOP; MOV T0.x, C0; MOV T1.x, T0; UIF I0.xxxx; BRK; ENDIF; ENDLOOP; END", "T0.x T1.x | -- --",
     "T0.x T1.x | -- --"},
    /* Lanes that join at CONT have not counted. */
    {"MOV T0.x, C0; BGNLOOP; UIF I0.xxxx; CONT; ENDIF; UADD T0.x, T0, K0.yyyy; UIF T0.xxxx; BRK; ENDIF; ENDLOOP; END",
     " | -- -- --", " | -- -- --"},
    {"MOV T0.x, C0; BGNLOOP; UIF C0.xxxx; CONT; ENDIF; UADD T0.x, T0, K0.yyyy; UIF T0.xxxx; BRK; ENDIF; ENDLOOP; END",
     "T0.x | -w sw sw", " | -- s- --"},
    /* What leaves the inner loop leaves the outer one whole, and the other way round. */
    {"BGNLOOP; BGNLOOP; UIF I0.xxxx; BRK; ENDIF; ENDLOOP; UIF C0.xxxx; BRK; ENDIF; ENDLOOP; END", "| -w -- -- sw",
     "| -- -- -- s-"},
    {"BGNLOOP; UIF I0.xxxx; BRK; ENDIF; BGNLOOP; UIF C0.xxxx; BRK; ENDIF; ENDLOOP; ENDLOOP; END", "| -- -- -- s-",
     "| -- -- -- s-"},
    /* CONT inside of a SWITCH leaves it: nothing of the loop is whole. A SWITCH never is. */
    {"BGNLOOP; SWITCH I0.xxxx; CASE K0.xxxx; CONT; ENDSWITCH; BRK; ENDLOOP; END", "| -- --", "| -- --"},
    {"BGNLOOP; SWITCH C0.xxxx; CASE K0.xxxx; MOV T0.x, C0; BRK; ENDSWITCH; MOV O0.x, T0; BRK; ENDLOOP; END", " | -w --",
     " | -- --"},
    /* Where lanes end, those that go on are not all. */
    {"KILL_IF I0; UIF C0.xxxx; MOV T0.x, C0; ENDIF; MOV O0.x, T0; END", " | s-", " | s-"},
    /* A subroutine is entered by whoever calls it. */
    {"MOV T0.x, C0; CAL :3; END; BGNSUB; MOV T1.x, C0; UIF C0.xxxx; MOV T2.x, C0; ENDIF; ENDSUB", "T0.x | -- s-",
     " | -- s-"},
    /* Nobody knows what is written where a register chooses. */
    {"UARL A0.x, C0; MOV T0.x, C0; MOV TEMP[ADDR[0].x], I0; END", "A0.x |", "A0.x |"},
};

static void values_of_all_lanes(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(same); i++)
        for (unsigned full = 0; full < 2; full++) {
            struct run run;
            struct words w = new_words();
            const char *wanted = full ? same[i].full : same[i].any;
            prepare(&run, FRAGMENT, same[i].body);
            assert_int_equal(
                sch_ir_find_uniformity(&run.program, &run.liveness, full, NULL, &run.arena, &run.uniformity), SCH_OK);
            put_uniform(&w, &run);
            const char *found = w.text + (w.text[0] == ' ' && wanted[0] == '|');
            if (strcmp(found, wanted) != 0)
                fail_msg("%s\n%s: %s, not %s", same[i].body, full ? "full" : "any", found, wanted);
            assert_int_equal(sch_ir_is_whole(&run.uniformity, SCH_FLOW_NONE),
                             full && !run.program.flow.ends_invocations);
            free(w.text);
            finish(&run);
        }
}

/* ---- steps from lane to lane ---- */

/* The channels of TEMP that have a step and are not uniform, with it. */
static void put_steps(struct words *w, const struct run *run)
{
    const struct sch_prepared_file *file = &run->program.files[SCH_FILE_TEMPORARY];
    for (uint32_t c = 0; c < 4 * file->count; c++) {
        const uint32_t channel = file->base + c;
        if (!sch_ir_set_has(run->steps.known, channel) || sch_ir_is_uniform(&run->uniformity, channel)) continue;
        put(w, "%sT%u.%c:%d", w->used ? " " : "", c / 4, "xyzw"[c % 4], (int32_t)run -> steps.step[channel]);
    }
}

static const struct {
    const char *body, *steps;
} steps[] = {
    /* Sums, and products by constants; y of THREAD_ID is uniform here. */
    {"MOV T0.xy, S0; SHL T1.x, T0, K0.zzzz; UADD T2.x, T1, C0; UADD T3.x, T1, T2; UMUL T4.x, K0.wwww, S0; "
     "UMAD T5.x, T1, K0.yyyy, T4; UMAD T6.x, C0, C1, T2; UMAD T7.x, T0, K0.xxxx, T0; END",
     "T0.x:1 T1.x:4 T2.x:4 T3.x:8 T4.x:3 T5.x:7 T6.x:4 T7.x:1"},
    /* A factor or distance that is not known, and operations that are not sums. */
    {"UMUL T0.x, S0, C0; SHL T1.x, S0, C0; SHL T2.x, K0.yyyy, S0; UMUL T3.x, S0, S0; AND T4.x, S0, K0.yyyy; "
     "USHR T5.x, S0, K0.yyyy; ADD T6.x, S0, K0.xxxx; END",
     ""},
    /* Shifts count modulo 32. Modifiers are no part of a sum. */
    {"SHL T0.x, S0, K1.xxxx; UADD T1.x, -SV[0], C0; UADD T2.x, S0, -CONST[0]; END", "T0.x:2 T2.x:1"},
    /* Two writes with one step, with two, and with one of them unknown. */
    {"MOV T0.x, S0; UADD T0.x, T0, C0; MOV T1.x, S0; UADD T1.x, T1, S0; MOV T2.x, S0; LOAD T2.x, MEMORY[0], S0; "
     "UADD T3.x, T2, C0; END",
     "T0.x:1"},
    /* Before it is written a register is zero in all lanes: without a way around the write, and with one. */
    {"UADD T1.x, T0, C0; MOV T0.x, S0; MOV T2.x, T1; END", ""},
    {"BGNLOOP; UADD T1.x, T0, C0; MOV T0.x, S0; BRK; ENDLOOP; MOV T2.x, T1; END", ""},
    {"UIF C0.xxxx; MOV T0.x, S0; ENDIF; MOV T1.x, T0; END", ""},
    {"UIF C0.xxxx; MOV T0.x, S0; ELSE; MOV T1.x, T0; ENDIF; MOV T2.x, T1; END", ""},
    {"UIF C0.xxxx; MOV T3.x, C1; ELSE; MOV T0.x, S0; MOV T1.x, T0; ENDIF; END", "T0.x:1 T1.x:1"},
    {"UIF C0.xxxx; MOV T0.x, S0; MOV T1.x, T0; ELSE; MOV T3.x, C1; ENDIF; END", "T0.x:1 T1.x:1"},
    {"SWITCH C0.xxxx; CASE K0.xxxx; MOV T0.x, S0; BRK; CASE K0.yyyy; MOV T1.x, T0; ENDSWITCH; END", ""},
    /* What goes round a loop: the same step each time, and another. */
    {"MOV T0.x, S0; BGNLOOP; UADD T0.x, T0, C0; UIF C1.xxxx; BRK; ENDIF; ENDLOOP; MOV T1.x, T0; END", "T0.x:1 T1.x:1"},
    {"MOV T0.x, S0; BGNLOOP; UADD T0.x, T0, S0; UIF C1.xxxx; BRK; ENDIF; ENDLOOP; MOV T1.x, T0; END", ""},
    /* In a loop that lanes leave one by one, what needs a mask has none; what does not, has. */
    {"MOV T0.x, S0; BGNLOOP; UADD T0.x, T0, C0; MOV T1.x, T0; UIF T1.xxxx; BRK; ENDIF; ENDLOOP; MOV T2.x, T0; END", ""},
    {"BGNLOOP; UADD T0.x, S0, C0; MOV T1.x, T0; UIF T1.xxxx; BRK; ENDIF; ENDLOOP; END", "T0.x:1 T1.x:1"},
    /* Under an IF of some lanes: needed there alone, and after it. */
    {"UIF S0.xxxx; SHL T0.x, S0, K0.yyyy; UADD T1.x, T0, C0; ENDIF; END", "T0.x:2 T1.x:2"},
    {"MOV T0.x, S0; UIF S0.xxxx; UADD T0.x, T0, C0; ENDIF; MOV T1.x, T0; END", ""},
    /* Subroutines are anywhere. */
    {"MOV T0.x, S0; CAL :3; END; BGNSUB; MOV T1.x, T0; ENDSUB", ""},
    /* Nobody knows what is written where a register chooses. */
    {"MOV T0.x, S0; MOV TEMP[CONST[0].x], S0; END", ""},
};

/* x of THREAD_ID counts lanes, y, z and w are the same. */
static void find_steps(struct run *run, struct sch_arena *arena, enum sch_result *status)
{
    const uint32_t first = run->program.files[SCH_FILE_SYSTEM_VALUE].base;
    uint64_t equal[64] = {0}, numbers[64] = {0};
    assert_true(sch_ir_set_words(sch_ir_channel_count(&run->program)) <= COUNT(equal));
    sch_ir_set_add(numbers, first);
    for (uint32_t c = 1; c < 4; c++) sch_ir_set_add(equal, first + c);
    *status = sch_ir_find_uniformity(&run->program, &run->liveness, true, equal, arena, &run->uniformity);
    if (*status == SCH_OK)
        *status = sch_ir_find_steps(&run->program, &run->liveness, &run->uniformity, numbers, arena, &run->steps);
}

static void steps_of_lanes(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(steps); i++) {
        struct run run;
        struct words w = new_words();
        enum sch_result status;
        prepare(&run, COMPUTE "IMM[1] UINT32 {33, 0, 0, 0}\n", steps[i].body);
        find_steps(&run, &run.arena, &status);
        assert_int_equal(status, SCH_OK);
        put_steps(&w, &run);
        if (strcmp(w.text, steps[i].steps) != 0) fail_msg("%s\n%s, not %s", steps[i].body, w.text, steps[i].steps);
        free(w.text);
        finish(&run);
    }
}

/* ---- limits ---- */

/* What goes round a loop is known a pass later. From the innermost of loops that are left at their begin it goes round
 * each of them. */
static void loops_in_loops(void **state)
{
    (void)state;
    static const struct {
        unsigned loops;
        bool known;
    } rows[] = {{40, true}, {70, false}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct run run;
        struct words w = new_words();
        put(&w, "MOV T0.x, I0; ");
        for (unsigned n = 0; n < rows[i].loops; n++)
            put(&w, "BGNLOOP; %sUIF I0.xxxx; BRK; ENDIF; ", n ? "" : "MOV O0.x, T1; ");
        for (unsigned n = 0; n < rows[i].loops; n++) put(&w, "ENDLOOP; ");
        put(&w, "END");
        prepare(&run, FRAGMENT, w.text);
        assert_int_equal(run.liveness.unmasked[0], rows[i].known ? 1 : 0);
        free(w.text);
        finish(&run);
    }
}

/* A chain of copies, the last first: each pass finds one more that differs. */
static void long_chains(void **state)
{
    (void)state;
    static const struct {
        unsigned copies;
        bool known;
    } rows[] = {{50, true}, {70, false}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct run run;
        struct words w = new_words();
        for (unsigned n = rows[i].copies; n > 0; n--) put(&w, "MOV T%u.x, T%u; ", n, n - 1);
        put(&w, "MOV T0.x, I0; UIF C0.xxxx; MOV T100.x, C0; ENDIF; END");
        prepare(&run, "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL TEMP[0..100]\nDCL CONST[0]\n",
                w.text);
        assert_int_equal(sch_ir_find_uniformity(&run.program, &run.liveness, true, NULL, &run.arena, &run.uniformity),
                         SCH_OK);
        assert_int_equal(run.uniformity.channels != NULL, rows[i].known);
        assert_int_equal(sch_ir_is_uniform(&run.uniformity, run.program.files[SCH_FILE_TEMPORARY].base + 400),
                         rows[i].known);
        assert_int_equal(run.uniformity.same_way[0], rows[i].known);
        assert_int_equal(run.uniformity.whole[0], rows[i].known);
        free(w.text);
        finish(&run);
    }
}

/* Sets of many channels at many instructions are not made. */
static void large_sets(void **state)
{
    (void)state;
    enum { WORDS = 1 << 20 };
    for (unsigned large = 0; large < 2; large++) {
        struct run run;
        struct words w = new_words();
        /* 1024 registers and the input: 4104 channels and more, 65 words a set. */
        const unsigned count = WORDS / 65 - 3 + 2 * large;
        for (unsigned n = 0; n < count; n++) put(&w, "MOV T1023.x, I0\n");
        put(&w, "END");
        prepare(&run, "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL TEMP[0..1023]\n", w.text);
        assert_int_equal(sch_ir_channel_count(&run.program), 4 * 1024 + 4);
        assert_int_equal(run.liveness.unmasked[0], large ? 0 : 1);
        free(w.text);
        finish(&run);
    }
}

static void channels_are_counted(void **state)
{
    (void)state;
    struct run run;
    prepare(&run, FRAGMENT, "UARL A0.x, C0; MOV T1.x, I0; MOV O0, K0; END");
    assert_int_equal(sch_ir_channel_count(&run.program), 4 * (2 + 1 + 1 + 1)); /* TEMP, ADDR, OUT, IN */
    finish(&run);
}

/* ---- no memory ---- */

static void out_of_memory(void **state)
{
    (void)state;
    struct run run;
    bool done = false, refused = false;
    prepare(&run, COMPUTE, "BGNLOOP; MOV T0.x, C0; BARRIER; BRK; ENDLOOP; END");
    for (int from = 1; from <= 20 && !done; from++) {
        struct counting counting = {.fail_from = from};
        const struct sch_allocator allocator = counting_callbacks(&counting);
        struct sch_arena arena;
        sch_arena_init(&arena, &allocator, 0);
        enum sch_result status = sch_ir_find_liveness(&run.program, &arena, &run.liveness);
        if (status == SCH_OK) find_steps(&run, &arena, &status);
        done = status == SCH_OK;
        if (!done) assert_int_equal(status, SCH_ERROR_MEMORY);
        refused = refused || !done;
        sch_arena_release(&arena);
        assert_int_equal(counting.live, 0);
    }
    assert_true(done && refused);
    finish(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(writes_without_masks), cmocka_unit_test(values_across_barriers),
        cmocka_unit_test(values_of_all_lanes),  cmocka_unit_test(loops_in_loops),
        cmocka_unit_test(long_chains),          cmocka_unit_test(large_sets),
        cmocka_unit_test(channels_are_counted), cmocka_unit_test(out_of_memory),
        cmocka_unit_test(steps_of_lanes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
