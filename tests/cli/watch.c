/* What tests of the command load in front of it (LD_PRELOAD): every block of memory that the command or the library
 * takes is followed until it is given back. At its end the command has none left, has written behind none, and has no
 * file open; else it says so and ends with 99. With SCH_FAIL_AT=N the command's Nth request finds no memory, with
 * SCH_FAIL_IN set the library's Nth, and the number of such requests goes to the file that SCH_REQUESTS names. For
 * glibc; not for builds with sanitizers, which have their own. Blocks are filled as MALLOC_PERTURB_ would do, at their
 * ends only: to touch every page of a picture's memory costs more than to draw it. */
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t bytes);
void *__libc_realloc(void *block, size_t bytes);
void __libc_free(void *block);

enum { ROOM = 1 << 17, BEHIND = 16, MARK = 0xa7, FRESH = 0xaa, FREED = 0x55, FILLED = 2048, PARTS = 8, LEAKED = 99 };

/* Where code of the command and the library stands. */
static struct part {
    uintptr_t begin, end;
    bool command;
} parts[PARTS];
static unsigned part_count;

static struct block {
    unsigned char *begin;
    size_t bytes;
} blocks[ROOM];
static unsigned used;
static atomic_flag lock = ATOMIC_FLAG_INIT;
static bool watching, spoiled, in_library;
static unsigned long requests, fail_at;

static int note_part(struct dl_phdr_info *info, size_t bytes, void *user)
{
    (void)bytes;
    bool command = user && !*(bool *)user;
    if (user) *(bool *)user = true; /* the first is the program */
    if (!command && !strstr(info->dlpi_name, "libscheelite.so") && !strstr(info->dlpi_name, "libscheelite-files.so"))
        return 0;
    for (unsigned i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_X) || part_count == PARTS) continue;
        uintptr_t begin = info->dlpi_addr + segment->p_vaddr;
        parts[part_count++] = (struct part){begin, begin + segment->p_memsz, command};
    }
    return 0;
}

/* Called by served.c in the child that becomes a call. */
void watch_begin(void);
void watch_begin(void)
{
    bool seen = false;
    dl_iterate_phdr(note_part, &seen);
    const char *number = getenv("SCH_FAIL_AT");
    if (number) fail_at = strtoul(number, NULL, 10);
    in_library = getenv("SCH_FAIL_IN") != NULL;
    watching = true;
}

__attribute__((constructor)) static void begin(void)
{
    const char *slash = strrchr(program_invocation_name, '/');
    if (strcmp(slash ? slash + 1 : program_invocation_name, "scheelite") == 0) watch_begin();
}

static const struct part *part_of(const void *caller)
{
    for (unsigned i = 0; i < part_count; i++)
        if ((uintptr_t)caller >= parts[i].begin && (uintptr_t)caller < parts[i].end) return &parts[i];
    return NULL;
}

static void enter(void)
{
    while (atomic_flag_test_and_set_explicit(&lock, memory_order_acquire)) continue;
}

static void leave(void) { atomic_flag_clear_explicit(&lock, memory_order_release); }

/* Neighbours stand beside each other, so that few pages of the table are touched. */
static unsigned place_of(const void *block) { return (unsigned)((uintptr_t)block >> 4) % ROOM; }

/* What nobody has written yet, or may read any more. */
static void fill(void *block, size_t bytes, int value)
{
    size_t part = bytes < FILLED ? bytes : FILLED;
    memset(block, value, part);
    memset((unsigned char *)block + bytes - part, value, part);
}

static void *fresh(void *block, size_t bytes)
{
    if (block) fill(block, bytes, FRESH);
    return block;
}

/* The block, with marks behind it; a full table follows no more of them. */
static void *put(void *block, size_t bytes)
{
    if (!block) return NULL;
    enter();
    if (used < ROOM / 2) {
        unsigned i = place_of(block);
        while (blocks[i].begin) i = (i + 1) % ROOM;
        blocks[i] = (struct block){block, bytes};
        used++;
        memset((unsigned char *)block + bytes, MARK, BEHIND);
    }
    leave();
    return block;
}

/* Forgets a block; SIZE_MAX: it is none of those that are followed. */
static size_t take(const void *block)
{
    size_t bytes = SIZE_MAX;
    enter();
    unsigned i = place_of(block);
    while (blocks[i].begin && blocks[i].begin != block) i = (i + 1) % ROOM;
    if (blocks[i].begin) {
        bytes = blocks[i].bytes;
        for (unsigned b = 0; b < BEHIND; b++) spoiled |= blocks[i].begin[bytes + b] != MARK;
        used--;
        for (unsigned next = i;;) { /* those that stand behind it because of it move up */
            blocks[i].begin = NULL;
            do {
                next = (next + 1) % ROOM;
                if (!blocks[next].begin) goto done;
            } while ((next + ROOM - place_of(blocks[next].begin)) % ROOM < (next + ROOM - i) % ROOM);
            blocks[i] = blocks[next];
            i = next;
        }
    }
done:
    leave();
    return bytes;
}

/* Whether the request of this caller is followed; `refused`: it finds no memory. */
static bool is_followed(const void *caller, bool *refused)
{
    const struct part *part = watching ? part_of(caller) : NULL;
    *refused = part && part->command != in_library && __atomic_add_fetch(&requests, 1, __ATOMIC_RELAXED) == fail_at;
    if (*refused) errno = ENOMEM;
    return part && !*refused;
}

void *malloc(size_t bytes)
{
    bool refused, followed = is_followed(__builtin_return_address(0), &refused);
    if (refused) return NULL;
    if (!followed || bytes >= SIZE_MAX - BEHIND) return __libc_malloc(bytes);
    return put(fresh(__libc_malloc(bytes + BEHIND), bytes), bytes);
}

void *calloc(size_t count, size_t bytes)
{
    size_t all;
    bool refused, followed = is_followed(__builtin_return_address(0), &refused);
    if (refused) return NULL;
    if (!followed || __builtin_mul_overflow(count, bytes, &all) || all > SIZE_MAX - BEHIND)
        return __libc_calloc(count, bytes);
    return put(__libc_calloc(1, all + BEHIND), all);
}

void *realloc(void *block, size_t bytes)
{
    bool refused, followed = is_followed(__builtin_return_address(0), &refused);
    if (refused) return NULL;
    size_t before = block ? take(block) : SIZE_MAX;
    unsigned char *larger = __libc_realloc(block, followed ? bytes + BEHIND : bytes);
    if (!larger && before != SIZE_MAX) return put(block, before), NULL;
    const size_t kept = !block ? 0 : before; /* of a block that is not followed nobody knows how much */
    if (larger && followed && kept < bytes) fill(larger + kept, bytes - kept, FRESH);
    return followed ? put(larger, bytes) : larger;
}

void free(void *block)
{
    size_t bytes = block && watching ? take(block) : SIZE_MAX;
    if (bytes != SIZE_MAX) fill(block, bytes, FREED);
    __libc_free(block);
}

static char *copy(const char *text, size_t bytes, const void *caller)
{
    bool refused, followed = is_followed(caller, &refused);
    char *made = refused ? NULL : __libc_malloc(bytes + 1 + BEHIND);
    if (!made) return NULL;
    memcpy(made, text, bytes);
    made[bytes] = 0;
    return followed ? put(made, bytes + 1) : made;
}

char *strdup(const char *text) { return copy(text, strlen(text), __builtin_return_address(0)); }

char *strndup(const char *text, size_t most) { return copy(text, strnlen(text, most), __builtin_return_address(0)); }

/* Files that are open beside the standard ones; what the compiler's process is spoken with is none. */
static unsigned open_files(void)
{
    unsigned count = 0;
    for (int file = 3; file < 64; file++) {
        struct stat facts;
        count += fstat(file, &facts) == 0 && S_ISREG(facts.st_mode);
    }
    return count;
}

static void say(const char *what, unsigned long count)
{
    char line[128];
    int bytes = snprintf(line, sizeof line, "\nwatch: %lu %s\n", count, what);
    if (write(STDERR_FILENO, line, (size_t)bytes) < 0) return;
}

__attribute__((destructor)) static void end(void)
{
    if (!watching) return;
    watching = false;
    const char *name = getenv("SCH_REQUESTS");
    FILE *file = name ? fopen(name, "w") : NULL;
    if (file) fprintf(file, "%lu\n", requests), fclose(file);
    unsigned left = used, files = open_files();
    for (unsigned i = 0; left && i < ROOM; i++) /* the table is large, and mostly nothing is in it */
        for (unsigned b = 0; blocks[i].begin && b < BEHIND; b++)
            spoiled |= blocks[i].begin[blocks[i].bytes + b] != MARK;
    if (left) say("blocks of memory are not given back", left);
    if (files) say("files are open", files);
    if (spoiled) say("block of memory at least is written behind", 1);
    if (left || files || spoiled) _exit(LEAKED);
}
