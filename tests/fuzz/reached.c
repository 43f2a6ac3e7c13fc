/* See reached.h. */
#include "reached.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <ucontext.h>
#include <unistd.h>

#ifdef __x86_64__

enum { BREAKPOINT = 0xcc };

/* A line of the list. */
struct function {
    char *folder, *file, *name;
    bool here; /* this program has it */
};

struct breakpoint {
    uint8_t *at, byte;
    size_t function;
};

static struct function *functions;
static struct breakpoint *breakpoints;
static uint8_t *reached; /* by function; processes share it */
static size_t function_count, breakpoint_count, breakpoint_room;

static int compare_functions(const void *a, const void *b)
{
    return strcmp(((const struct function *)a)->name, ((const struct function *)b)->name);
}

static int compare_breakpoints(const void *a, const void *b)
{
    const uint8_t *one = ((const struct breakpoint *)a)->at, *other = ((const struct breakpoint *)b)->at;
    return one < other ? -1 : one > other;
}

/* ---- the list ---- */

static bool read_list(const char *path)
{
    char line[512], folder[64], file[128], name[256];
    FILE *list = fopen(path, "r");
    size_t room = 0;
    while (list && fgets(line, sizeof line, list)) {
        if (sscanf(line, "%63s %127s %255s", folder, file, name) != 3) continue;
        if (function_count == room) functions = realloc(functions, (room = room ? 2 * room : 1024) * sizeof *functions);
        if (!functions) break;
        functions[function_count++] = (struct function){strdup(folder), strdup(file), strdup(name), false};
    }
    if (list) fclose(list);
    if (function_count) qsort(functions, function_count, sizeof *functions, compare_functions);
    return function_count != 0;
}

/* The function of a symbol. Names that begin with sch_ are one function's, wherever the linker has put the symbol. */
static size_t find(const char *file, const char *name)
{
    size_t low = 0, high = function_count;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (strcmp(functions[middle].name, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < function_count && strcmp(functions[low].name, name) == 0; low++)
        if (strncmp(name, "sch_", 4) == 0 || strcmp(functions[low].file, file) == 0) return low;
    return function_count;
}

/* ---- breakpoints ---- */

static void add(uint8_t *at, size_t function)
{
    if (breakpoint_count == breakpoint_room) {
        breakpoint_room = breakpoint_room ? 2 * breakpoint_room : 1024;
        breakpoints = realloc(breakpoints, breakpoint_room * sizeof *breakpoints);
        if (!breakpoints) abort();
    }
    breakpoints[breakpoint_count++] = (struct breakpoint){at, *at, function};
    functions[function].here = true;
}

static void add_symbols(const uint8_t *elf, uintptr_t base)
{
    const ElfW(Ehdr) *header = (const void *)elf;
    const ElfW(Shdr) *sections = (const void *)(elf + header->e_shoff);
    for (unsigned s = 0; s < header->e_shnum; s++) {
        if (sections[s].sh_type != SHT_SYMTAB) continue;
        const ElfW(Sym) *symbols = (const void *)(elf + sections[s].sh_offset);
        const char *names = (const char *)elf + sections[sections[s].sh_link].sh_offset, *file = "";
        for (size_t n = 0; n < sections[s].sh_size / sizeof *symbols; n++) {
            const char *name = names + symbols[n].st_name;
            if (ELF64_ST_TYPE(symbols[n].st_info) == STT_FILE)
                file = strrchr(name, '/') ? strrchr(name, '/') + 1 : name;
            if (ELF64_ST_TYPE(symbols[n].st_info) != STT_FUNC || !symbols[n].st_shndx || !symbols[n].st_size) continue;
            const size_t function = find(file, name);
            if (function < function_count) add((uint8_t *)(base + symbols[n].st_value), function);
        }
    }
}

/* The program, and what was built with it: the others have no symbols of ours. */
static int look_at(struct dl_phdr_info *info, size_t bytes, void *user)
{
    struct stat status;
    const char *path = info->dlpi_name[0] ? info->dlpi_name : "/proc/self/exe";
    const int file = info->dlpi_name[0] && !strstr(path, "scheelite") ? -1 : open(path, O_RDONLY | O_CLOEXEC);
    (void)bytes;
    (void)user;
    if (file < 0) return 0;
    void *elf =
        fstat(file, &status) == 0 ? mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, file, 0) : MAP_FAILED;
    close(file);
    if (elf == MAP_FAILED) return 0;
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    bool writable = true;
    for (unsigned n = 0; n < info->dlpi_phnum; n++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[n];
        const uintptr_t begin = (info->dlpi_addr + part->p_vaddr) & ~(page - 1);
        if (part->p_type == PT_LOAD && part->p_flags & PF_X)
            writable &= mprotect((void *)begin, info->dlpi_addr + part->p_vaddr + part->p_memsz - begin,
                                 PROT_READ | PROT_WRITE | PROT_EXEC) == 0;
    }
    if (writable) add_symbols(elf, info->dlpi_addr);
    munmap(elf, (size_t)status.st_size);
    return 0;
}

/* The function begins again, without the breakpoint. Another thread may have met it, too. */
static void meet(int number, siginfo_t *info, void *context)
{
    ucontext_t *state = context;
    greg_t *next = &state->uc_mcontext.gregs[REG_RIP];
    const struct breakpoint key = {.at = (uint8_t *)(uintptr_t)(*next - 1)};
    const struct breakpoint *met =
        bsearch(&key, breakpoints, breakpoint_count, sizeof *breakpoints, compare_breakpoints);
    (void)info;
    if (!met) {
        signal(number, SIG_DFL);
        return;
    }
    *met->at = met->byte;
    reached[met->function] = 1;
    *next -= 1;
}

/* Two names of one place are one breakpoint. */
static void set_all(void)
{
    size_t kept = 0;
    if (!breakpoint_count) return;
    qsort(breakpoints, breakpoint_count, sizeof *breakpoints, compare_breakpoints);
    for (size_t n = 0; n < breakpoint_count; n++)
        if (!kept || breakpoints[kept - 1].at != breakpoints[n].at) breakpoints[kept++] = breakpoints[n];
    breakpoint_count = kept;
    for (size_t n = 0; n < breakpoint_count; n++) *breakpoints[n].at = BREAKPOINT;
}

bool sch_reached_begin(const char *list)
{
    struct sigaction action = {.sa_sigaction = meet, .sa_flags = SA_SIGINFO | SA_RESTART};
    if (!read_list(list)) {
        fprintf(stderr, "%s: no list of functions\n", list);
        exit(1);
    }
    reached = mmap(NULL, function_count, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (reached == MAP_FAILED || sigaction(SIGTRAP, &action, NULL) != 0) return false;
    dl_iterate_phdr(look_at, NULL);
    set_all();
    return breakpoint_count != 0;
}

size_t sch_reached_count(const char *folder, size_t *all)
{
    size_t count = 0;
    *all = 0;
    for (size_t n = 0; n < function_count; n++) {
        if (!functions[n].here || strcmp(functions[n].folder, folder) != 0) continue;
        ++*all;
        count += reached[n];
    }
    return count;
}

void sch_reached_print(const char *folder)
{
    for (size_t n = 0; n < function_count; n++)
        if (functions[n].here && strcmp(functions[n].folder, folder) == 0)
            printf("# %s %s %s %s\n", reached[n] ? "reached" : "missed", functions[n].folder, functions[n].file,
                   functions[n].name);
}

#else

bool sch_reached_begin(const char *list)
{
    (void)list;
    return false;
}

size_t sch_reached_count(const char *folder, size_t *all)
{
    (void)folder;
    return *all = 0;
}

void sch_reached_print(const char *folder) { (void)folder; }

#endif
