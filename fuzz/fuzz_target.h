// SPDX-License-Identifier: Apache-2.0
// What fuzz targets share. A target is one file, fuzz_<surface>.c, that defines
// LLVMFuzzerTestOneInput; libFuzzer or replay.c calls it. It aborts where a promise is broken.
#ifndef TVMFFI_FUZZ_FUZZ_TARGET_H_
#define TVMFFI_FUZZ_FUZZ_TARGET_H_

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// Ends the program with the line and the promise that does not hold.
#define FUZZ_CHECK(promise) ((promise) ? (void)0 : fuzz_broken(__FILE__, __LINE__, #promise))

_Noreturn static inline void fuzz_broken(const char *file, int line, const char *promise)
{
  fprintf(stderr, "%s:%d: broken: %s\n", file, line, promise);
  abort();
}

// Makes a file of these bytes, in memory, in place of the one that it made before, and returns its
// path. Borrow: until the next call.
const char *fuzz_file(const uint8_t *data, size_t size);

// Writes the path by which this process can open the file behind a descriptor.
static inline void fuzz_path(int descriptor, char path[32])
{
  snprintf(path, 32, "/proc/self/fd/%d", descriptor);
}

// For loops over many bytes, of which no coverage is of interest.
#ifdef __clang__
#define FUZZ_NO_COVERAGE __attribute__((noinline, unused, no_sanitize("coverage")))
#else
#define FUZZ_NO_COVERAGE __attribute__((unused))
#endif

// Aborts unless the text is one line of printable ASCII, as everything has to be that a tool says
// about bytes it does not trust.
FUZZ_NO_COVERAGE static void fuzz_is_line(const char *text)
{
  for (; *text != '\0'; ++text) {
    FUZZ_CHECK(*text >= ' ' && *text <= '~');
  }
}

// The same for several lines of UTF-8: aborts at a control character that is no end of a line.
FUZZ_NO_COVERAGE static void fuzz_is_text(const char *text, size_t size)
{
  for (size_t i = 0; i < size; ++i) {
    unsigned char one = (unsigned char)text[i];
    FUZZ_CHECK((one >= ' ' || one == '\n') && one != 0x7f);
  }
}

#endif  // TVMFFI_FUZZ_FUZZ_TARGET_H_
