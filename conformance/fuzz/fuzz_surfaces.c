// SPDX-License-Identifier: Apache-2.0
// The table of surfaces, and the words that all of them share.
#include <stdarg.h>
#include <stdatomic.h>
#include <string.h>

#include "digest.h"
#include "fuzz/fuzz.h"

// The first one is the default.
const FuzzSurface *const fuzz_surfaces[] = {&fuzz_library_bin, &fuzz_library_scale, &fuzz_dtype,
                                            &fuzz_strings,     &fuzz_error,         &fuzz_any,
                                            &fuzz_dlpack,      &fuzz_api_sequence};
const size_t fuzz_surface_count = sizeof fuzz_surfaces / sizeof fuzz_surfaces[0];

const FuzzSurface *fuzz_surface_find(const char *name)
{
  for (size_t i = 0; i < fuzz_surface_count; ++i)
    if (strcmp(fuzz_surfaces[i]->name, name) == 0) return fuzz_surfaces[i];
  return NULL;
}

size_t fuzz_memory_limit(size_t input_size)
{
  return ((size_t)1 << 20) + 64 * input_size;
}

size_t fuzz_weight(const FuzzSurface *surface, const FuzzInput *input)
{
  return surface->weight ? surface->weight(input) : input->size;
}

static const struct {
  const char *name, *sentence;
} classes[FUZZ_CLASSES] = {
#define X(constant, name, sentence) {name, sentence},
    FUZZ_CLASS_LIST(X)
#undef X
};

const char *fuzz_class_name(FuzzClass which)
{
  return (unsigned)which < FUZZ_CLASSES ? classes[which].name : "nothing";
}

const char *fuzz_class_sentence(FuzzClass which)
{
  return (unsigned)which < FUZZ_CLASSES ? classes[which].sentence : "nothing was found";
}

FuzzClass fuzz_class_find(const char *name)
{
  unsigned which = 0;
  while (which < FUZZ_CLASSES && strcmp(classes[which].name, name) != 0) ++which;
  return (FuzzClass)which;
}

__attribute__((format(printf, 4, 0))) static void see(FuzzRun *run, FuzzClass which,
                                                      unsigned aspect, const char *format,
                                                      va_list arguments)
{
  for (uint32_t i = 0; i < run->count; ++i)
    if (run->seen[i].class == (uint32_t)which && run->seen[i].aspect == aspect) return;
  if (run->count == FUZZ_SEEN_MAX) return;
  FuzzSeen *seen = &run->seen[run->count++];
  seen->class = (uint32_t)which;
  seen->aspect = aspect;
  vsnprintf(seen->text, sizeof seen->text, format, arguments);
}

void fuzz_see(FuzzRun *run, FuzzClass which, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  see(run, which, run->aspect, format, arguments);
  va_end(arguments);
}

void fuzz_see_of(FuzzRun *run, FuzzClass which, unsigned aspect, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  see(run, which, aspect, format, arguments);
  va_end(arguments);
}

void fuzz_behave(FuzzRun *run, const void *bytes, size_t size)
{
  run->behaviour = digest_bytes(run->behaviour, bytes, size);
}

// A number counts as one 0, whatever it is, hexadecimal ones included.
void fuzz_behave_text(FuzzRun *run, const char *text, size_t size)
{
  enum { SHAPE_MAX = 96 };
  char shape[SHAPE_MAX];
  size_t used = 0;
  bool in_number = false;
  for (size_t i = 0; i < size && used < SHAPE_MAX; ++i) {
    char letter = text[i];
    bool digit = letter >= '0' && letter <= '9';
    bool goes_on = in_number && ((letter >= 'a' && letter <= 'f') || letter == 'x');
    if (digit && !in_number) shape[used++] = '0';
    in_number = digit || goes_on;
    if (!in_number) shape[used++] = letter;
  }
  fuzz_behave(run, shape, used);
}

void fuzz_enter(FuzzRun *run, unsigned phase)
{
  atomic_store_explicit(run->phase, phase + 1, memory_order_relaxed);
}

void fuzz_fence(FuzzRun *run, const void *end)
{
  atomic_store_explicit(run->fence, (uintptr_t)end, memory_order_relaxed);
}

uint64_t fuzz_odd_number(FuzzRandom *random, uint64_t usual)
{
  static const uint64_t odd[] = {0,
                                 1,
                                 2,
                                 8,
                                 UINT64_C(0x7fffffff),
                                 UINT64_C(0x80000000),
                                 UINT64_C(0xffffffff),
                                 UINT64_C(0x100000000),
                                 UINT64_C(0x100000001),
                                 UINT64_C(1) << 24,
                                 UINT64_C(1) << 28,
                                 UINT64_C(1) << 60,
                                 UINT64_C(1) << 61,
                                 (UINT64_C(1) << 61) + 1,
                                 INT64_MAX,
                                 UINT64_C(1) << 63,
                                 UINT64_MAX - 7,
                                 UINT64_MAX};
  switch (fuzz_below(random, 4)) {
    case 0:
      return usual + 1 + fuzz_below(random, 8);
    case 1:
      return usual - 1 - fuzz_below(random, 8);
    default:
      return odd[fuzz_below(random, sizeof odd / sizeof odd[0])];
  }
}
