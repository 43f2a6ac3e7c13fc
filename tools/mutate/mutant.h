/* What every file of the tree with mutants includes first: which mutant is switched on, and which were reached. The
 * memory stands in a file that SCH_MUTANTS names, so that processes of a test share it: a 32-bit number, the mutant
 * that is on (0: none), and a byte for each mutant, set when it is reached while none is on. Without the variable none
 * is on. This is the one place of the project where ops have a global; no other build includes it. */
#ifndef SCH_MUTANT_H
#define SCH_MUTANT_H

extern volatile unsigned char *sch_mutant_reached __attribute__((visibility("hidden")));
extern int sch_mutant_on __attribute__((visibility("hidden")));

/* Whether mutant `number`, from 1, is on. */
static inline int sch_mutant_is(int number)
{
    if (sch_mutant_reached) sch_mutant_reached[number] = 1;
    return sch_mutant_on == number;
}

#endif
