/* What every file of the tree with mutants includes first: which mutant is switched on, and which were reached. The
 * memory stands in a file that SCH_MUTANTS names, so that processes of a test share it: a 32-bit number, the mutant
 * that is on (0: none), and a byte for each mutant, set when it is reached while none is on. Without the variable none
 * is on. This is the one place of the project where ops have a global; no other build includes it. */
#ifndef SCH_MUTANT_H
#define SCH_MUTANT_H

#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define SCH_MUTANT_OWN __attribute__((weak, visibility("hidden")))

SCH_MUTANT_OWN volatile uint8_t *sch_mutant_reached;
SCH_MUTANT_OWN int sch_mutant_on;

extern void cmocka_set_test_filter(const char *pattern) __attribute__((weak));

SCH_MUTANT_OWN __attribute__((constructor)) void sch_mutant_choose(void)
{
    const char *name = getenv("SCH_MUTANTS"), *test = getenv("SCH_TEST");
    if (test && cmocka_set_test_filter) cmocka_set_test_filter(test);
    if (!name || sch_mutant_on || sch_mutant_reached) return;
    struct stat facts;
    int file = open(name, O_RDWR | O_CLOEXEC);
    if (file < 0 || fstat(file, &facts) != 0 || facts.st_size < 4) abort();
    void *memory = mmap(NULL, (size_t)facts.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (memory == MAP_FAILED) abort();
    close(file);
    sch_mutant_on = *(int *)memory;
    if (!sch_mutant_on) sch_mutant_reached = (uint8_t *)memory + 4;
}

/* Whether mutant `number`, from 1, is on. */
static inline int sch_mutant_is(int number)
{
    if (sch_mutant_reached) sch_mutant_reached[number] = 1;
    return sch_mutant_on == number;
}

#endif
