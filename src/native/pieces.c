/* The code of programs that live, by the key that a cache has it under. Programs of one text share it: a desktop of
 * many windows makes a program for each, and no cache may be there. Lookups are shared by their forms
 * (native/lookups.c). Holds no way to code (native/make.c). */
#include "native/internal.h"

#include <string.h>

static struct sch_native_piece **chain_of(struct sch_native *native, const uint8_t key[SCH_SHA256_BYTES])
{
    return &native->pieces[key[0] % SCH_NATIVE_PIECE_CHAINS];
}

/* The lock is held. */
static struct sch_native_piece *find(struct sch_native *native, const uint8_t key[SCH_SHA256_BYTES])
{
    struct sch_native_piece *piece = *chain_of(native, key);
    while (piece && memcmp(piece->key, key, SCH_SHA256_BYTES) != 0) piece = piece->next;
    return piece;
}

/* Likewise. The cache's signs are the business of whoever had the code made. */
static void use(struct sch_native_piece *piece, struct sch_native_result *result)
{
    piece->users++;
    *result = piece->result;
    result->piece = piece;
    result->kept = false;
}

bool sch_native_share_piece(struct sch_native *native, const uint8_t key[SCH_SHA256_BYTES],
                            struct sch_native_result *result)
{
    pthread_mutex_lock(&native->piece_lock);
    struct sch_native_piece *piece = find(native, key);
    if (piece) use(piece, result);
    pthread_mutex_unlock(&native->piece_lock);
    return piece != NULL;
}

/* Likewise. Without memory for it the code is not shared. */
static void add(struct sch_native *native, const uint8_t key[SCH_SHA256_BYTES], struct sch_native_result *result)
{
    struct sch_native_piece **chain = chain_of(native, key),
                            *piece = native->allocator.alloc(native->allocator.user, sizeof *piece);
    if (!piece) return;
    *piece = (struct sch_native_piece){.next = *chain, .users = 1, .result = *result};
    memcpy(piece->key, key, sizeof piece->key);
    result->piece = *chain = piece;
    atomic_fetch_add(&native->pieces_made, 1u);
}

void sch_native_add_piece(struct sch_native *native, const uint8_t key[SCH_SHA256_BYTES],
                          struct sch_native_result *result)
{
    struct sch_native_code twice = {0};
    if (result->status != SCH_OK) return;
    pthread_mutex_lock(&native->piece_lock);
    struct sch_native_piece *piece = find(native, key);
    if (piece) { /* two threads made it */
        const bool kept = result->kept;
        twice = result->code;
        use(piece, result);
        result->kept = kept;
    } else {
        add(native, key, result);
    }
    pthread_mutex_unlock(&native->piece_lock);
    sch_native_unload(&twice);
}

void sch_native_release_piece(struct sch_native *native, struct sch_native_result *result)
{
    struct sch_native_piece *piece = result->piece;
    if (piece) {
        pthread_mutex_lock(&native->piece_lock);
        const bool last = --piece->users == 0;
        struct sch_native_piece **at = chain_of(native, piece->key);
        while (last && *at != piece) at = &(*at)->next;
        if (last) *at = piece->next;
        pthread_mutex_unlock(&native->piece_lock);
        if (!last) return;
        native->allocator.free(native->allocator.user, piece);
    }
    sch_native_unload(&result->code);
}
