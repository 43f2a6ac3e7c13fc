/* The variable of form_compiler.c by its name: the form of what is compiled next. */
#ifndef FORM_COMPILER_H
#define FORM_COMPILER_H

#include "protocol/compiler.h"

#define FORM_VARIABLE "sch_test_form"

#endif
