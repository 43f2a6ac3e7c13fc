/* For tests of machine code that a test brings with it: skipped on other processors. */
#ifndef TESTS_NEED_CODE_H
#define TESTS_NEED_CODE_H

#if defined(__x86_64__) || defined(__aarch64__)
#define NEED_CODE (void)state
#else
#define NEED_CODE                                                                                                      \
    (void)state;                                                                                                       \
    skip()
#endif

#endif
