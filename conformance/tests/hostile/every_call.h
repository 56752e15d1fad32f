// SPDX-License-Identifier: Apache-2.0
// A hostile library whose every function does its misdeed before it does what it is there for. Such files are named
// every_*.c:
//
//   ON_EVERY_CALL { while (!zero) continue; }
#ifndef TVMFFI_CONFORMANCE_TESTS_HOSTILE_EVERY_CALL_H_
#define TVMFFI_CONFORMANCE_TESTS_HOSTILE_EVERY_CALL_H_

#include "hostile.h"

// Arguments are pointers and integers, at most six, and are handed on as they came.
#define SIX_WORDS uintptr_t a, uintptr_t b, uintptr_t c, uintptr_t d, uintptr_t e, uintptr_t f

static void misdeed(void);

#define ABI_FUNCTION(chapter, since, result, name, parameters)                                     \
  extern uintptr_t theirs_##name(SIX_WORDS) __asm__("reference_TVMFFI" #name);                     \
  __attribute__((visibility("default"))) uintptr_t ours_##name(SIX_WORDS) __asm__("TVMFFI" #name); \
  uintptr_t ours_##name(SIX_WORDS)                                                                 \
  {                                                                                                \
    misdeed();                                                                                     \
    return theirs_##name(a, b, c, d, e, f);                                                        \
  }
#include "abi/functions.def"

#define ON_EVERY_CALL static void misdeed(void)

#endif  // TVMFFI_CONFORMANCE_TESTS_HOSTILE_EVERY_CALL_H_
