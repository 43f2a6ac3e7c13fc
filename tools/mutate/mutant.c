/* The state of the tree with mutants (mutant.h): linked into every program and library of that tree, each with a copy
 * of its own, as names of a library's header must not stand in what every file includes. */
#include "mutant.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

volatile unsigned char *sch_mutant_reached;
int sch_mutant_on;

extern void cmocka_set_test_filter(const char *pattern) __attribute__((weak));

__attribute__((constructor)) static void choose(void)
{
    const char *name = getenv("SCH_MUTANTS"), *test = getenv("SCH_TEST");
    if (test && cmocka_set_test_filter) cmocka_set_test_filter(test);
    if (!name) return;
    struct stat facts;
    int file = open(name, O_RDWR | O_CLOEXEC);
    if (file < 0 || fstat(file, &facts) != 0 || facts.st_size < 4) abort();
    void *memory = mmap(NULL, (size_t)facts.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (memory == MAP_FAILED) abort();
    close(file);
    sch_mutant_on = *(int *)memory;
    if (!sch_mutant_on) sch_mutant_reached = (unsigned char *)memory + 4;
}
