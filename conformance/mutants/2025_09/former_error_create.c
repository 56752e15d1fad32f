// SPDX-License-Identifier: Apache-2.0
// Part of each mutant of the generation of September 2025: the function that makes errors as that
// generation has it, around the one of 0.1 that mutants override and call. The reference's own has
// become former_TVMFFIErrorCreate there.
#include "mutants/mutant.h"
#undef TVMFFIErrorCreate

extern __typeof__(TVMFFIErrorCreate) former_TVMFFIErrorCreate;

int ref_today_TVMFFIErrorCreate(const TVMFFIByteArray *kind, const TVMFFIByteArray *message,
                                const TVMFFIByteArray *backtrace, TVMFFIObjectHandle *out)
{
  TVMFFIObjectHandle made = former_TVMFFIErrorCreate(kind, message, backtrace);
  if (made == NULL) return -1;
  *out = made;
  return 0;
}

// Unless the mutant has one of its own.
__attribute__((weak)) int today_TVMFFIErrorCreate(const TVMFFIByteArray *kind,
                                                  const TVMFFIByteArray *message,
                                                  const TVMFFIByteArray *backtrace,
                                                  TVMFFIObjectHandle *out)
{
  return ref_today_TVMFFIErrorCreate(kind, message, backtrace, out);
}

__attribute__((visibility("default"))) TVMFFIObjectHandle TVMFFIErrorCreate(
    const TVMFFIByteArray *kind, const TVMFFIByteArray *message, const TVMFFIByteArray *traceback)
{
  TVMFFIObjectHandle made = NULL;
  return today_TVMFFIErrorCreate(kind, message, traceback, &made) == 0 ? made : NULL;
}
