// SPDX-License-Identifier: Apache-2.0
#include "fuzz/fuzz_program.h"

#include <string.h>

#include "fuzz/fuzz_arena.h"
#include "fuzz/fuzz_repro.h"

// So often an input that was settled is run, at least.
enum { SETTLED_TIMES = 15, BEFORE_MAX = 4096 };

void fuzz_program_text(FILE *out, const void *bytes, size_t size)
{
  fputc('"', out);
  for (size_t i = 0; i < size; ++i) {
    unsigned char letter = ((const unsigned char *)bytes)[i];
    if (i && i % 64 == 0) fprintf(out, "\"\n      \"");
    if (letter >= ' ' && letter <= '~' && letter != '"' && letter != '\\' && letter != '?')
      fputc(letter, out);
    else
      fprintf(out, "\\%03o", letter);
  }
  fputc('"', out);
}

void fuzz_program_memory(FILE *out, const FuzzReport *report, size_t input_size, bool refuses)
{
  const bool counts = report->class == FUZZ_MEMORY;
  fprintf(out, "#define MEMORY %zu\n", counts ? fuzz_memory_limit(input_size) : 0);
  if (!counts && !refuses) return;
  fwrite(fuzz_repro_memory, 1, fuzz_repro_memory_size, out);
  fprintf(out, "\n");
}

// A function for each input that runs before, and one that calls them all in turn.
static void write_before(const FuzzSurface *surface, const FuzzReport *report, FILE *out)
{
  const uint8_t *bytes;
  static unsigned times[BEFORE_MAX];
  size_t at = 0, size, count = 0;
  while (count < BEFORE_MAX &&
         fuzz_record_next(report->before, report->before_size, &at, &bytes, &size)) {
    static uint8_t copy[FUZZ_INPUT_MAX];
    uint32_t number;
    memcpy(&number, bytes - sizeof number, sizeof number);
    memcpy(copy, bytes, size);
    FuzzInput input = {copy, size, sizeof copy};
    times[count] = number & FUZZ_HISTORY_SETTLED ? SETTLED_TIMES : 1;
    fprintf(out, "\nstatic void before_%zu(void)\n{\n", ++count);
    surface->program_body(&input, surface->aspect(&input), out);
    fprintf(out, "}\n");
  }
  fprintf(out, "\nstatic void before(void)\n{\n");
  for (size_t i = 0; i < count; ++i)
    if (times[i] == 1)
      fprintf(out, "  before_%zu();\n", i + 1);
    else
      fprintf(out, "  for (int i = 0; i < %u; ++i) before_%zu();\n", times[i], i + 1);
  fprintf(out, "}\n");
}

void fuzz_program_write(const FuzzSurface *surface, const FuzzInput *input,
                        const FuzzReport *report, FILE *out)
{
  fprintf(out,
          "// %s: %s.\n//\n"
          "//   gcc -rdynamic -I HEADERS repro.c -o repro -ldl && ./repro RUNTIME.so\n//\n"
          "// HEADERS has tvm/ffi/c_api.h and dlpack/dlpack.h. Exit status 1, or a signal: it "
          "shows.\n#define _GNU_SOURCE\n#define REPEAT %d\n",
          fuzz_class_sentence(report->class), surface->aspects[report->aspect].what,
          report->class == FUZZ_LEAK);
  fuzz_program_memory(out, report, input->size, false);
  fwrite(fuzz_repro_call, 1, fuzz_repro_call_size, out);
  if (surface->program_before) surface->program_before(input, report->aspect, out);
  write_before(surface, report, out);
  fprintf(out, "\nstatic void check(void)\n{\n");
  surface->program_body(input, report->aspect, out);
  fprintf(out, "}\n");
}
