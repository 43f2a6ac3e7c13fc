/* A compiler of machine code as src/native sees one, without LLVM: whatever it is asked for, it answers with the
 * interpreter's loop as an object (native_piece.c), or with a line that says what was asked for. It takes programs of
 * up to 100 instructions; built with SPAN_PIECE also spans and lookups. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "protocol/compiler.h"
#include "read_piece.h"

__attribute__((visibility("default"))) extern const struct sch_native_compiler sch_native_compiler_1;

static bool fits(const struct sch_native_program_request *request)
{
    return request->program->instruction_count <= 100;
}

/* What takes spans and lookups has an object for them. */
static struct sch_native_object piece, span_piece;

__attribute__((constructor)) static void read_pieces(void)
{
    piece = read_piece(PIECE);
#if defined(SPAN_PIECE)
    span_piece = read_piece(SPAN_PIECE);
#endif
}

__attribute__((destructor)) static void free_pieces(void)
{
    free(piece.bytes);
    free(span_piece.bytes);
}

static enum sch_result say(const struct sch_native_program_request *request, char **text)
{
    *text = malloc(80);
    if (!*text) return SCH_ERROR_MEMORY;
    snprintf(*text, 80, "%s of %u instructions%s%s\n", request->want_ir ? "IR" : "assembly",
             (unsigned)request->program->instruction_count, request->full ? ", full" : "",
             request->quads ? ", quads" : "");
    return SCH_OK;
}

/* Takes its time, so that programs are destroyed and run meanwhile. */
static enum sch_result compile_program(const struct sch_native_program_request *request,
                                       struct sch_native_object *object, struct sch_native_cost *cost, char **text)
{
    *cost = (struct sch_native_cost){.built = request->program->instruction_count, .too_large = !fits(request)};
    if (cost->too_large || (request->span && !span_piece.size)) return SCH_ERROR_UNSUPPORTED;
    if (request->want_ir || request->want_assembly) return say(request, text);
    nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
    return give_piece(object, request->span ? &span_piece : &piece);
}

static enum sch_result compile_lookup(const struct sch_native_lookup_form *form, const char *level,
                                      struct sch_native_object *object, struct sch_native_cost *cost, char **text)
{
    (void)form, (void)level, (void)cost, (void)text;
    return span_piece.size ? give_piece(object, &span_piece) : SCH_ERROR_UNSUPPORTED;
}

static void release(struct sch_native_object *object) { free(object->bytes); }
static void release_text(char *text) { free(text); }

const struct sch_native_compiler sch_native_compiler_1 = {.version = SCH_NATIVE_VERSION,
                                                          .build = sch_native_build,
                                                          .identity = "fake",
                                                          .fits = fits,
                                                          .compile_program = compile_program,
                                                          .compile_lookup = compile_lookup,
                                                          .release = release,
                                                          .release_text = release_text};
