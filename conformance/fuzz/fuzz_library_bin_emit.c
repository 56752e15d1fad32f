// SPDX-License-Identifier: Apache-2.0
// How findings on library_bin are told: which field is concerned, and what shows it again.
#include <inttypes.h>
#include <string.h>

#include "fuzz/fuzz_library_bin.h"
#include "fuzz/fuzz_program.h"
#include "fuzz/fuzz_repro.h"
#include "fuzz/fuzz_tree.h"
#include "library_bin.h"

// --- In words ------------------------------------------------------------------------------------

static void describe_sound(const LibraryBin *tree, const FuzzInput *input, unsigned aspect,
                           FILE *out)
{
  fprintf(out, "The payload is sound: %zu module%s, %zu import%s.", tree->num_modules,
          tree->num_modules == 1 ? "" : "s", tree->num_children,
          tree->num_children == 1 ? "" : "s");
  for (size_t i = 0; i < tree->num_modules; ++i) {
    const LibraryBinEntry *entry = &tree->entries[i];
    size_t at = (size_t)((const uint8_t *)entry->value.data - input->bytes);
    if (aspect == FUZZ_BIN_EMPTY_VALUE && !entry->is_library && entry->value.size == 0) {
      fprintf(out, " Byte %zu: the value of entry %zu has length 0.", at - 8, i);
      break;
    }
  }
}

void fuzz_bin_describe(const FuzzInput *input, unsigned aspect, FILE *out)
{
  LibraryBin tree;
  LibraryBinProblem problem;
  char sentence[320];
  unsigned about = fuzz_bin_aspect(input);
  if (library_bin_read(input->bytes, input->size, &tree, &problem)) {
    describe_sound(&tree, input, about, out);
    fprintf(out, " It is about %s.", fuzz_bin_aspects[about].what);
    library_bin_free(&tree);
  } else {
    library_bin_explain(&problem, sentence, sizeof sentence);
    fprintf(out, "In the payload of %zu bytes, %s: %s.", input->size, sentence,
            fuzz_bin_aspects[about].what);
  }
  if (aspect >= FUZZ_BIN_OF_PAYLOADS)
    fprintf(out, " What shows: %s.", fuzz_bin_aspects[aspect].what);
}

// --- The program ---------------------------------------------------------------------------------

static const char *due_kind(unsigned aspect)
{
  if (aspect == FUZZ_BIN_STRANGER) return "RuntimeError";
  if (aspect == FUZZ_BIN_FAILS) return "FuzzError";
  return aspect == FUZZ_BIN_NO_MODULE ? "TypeError" : "";
}

static size_t count_embedded(const FuzzInput *input)
{
  BinOracle tree;
  size_t count = 0;
  if (!bin_oracle_judge(input->bytes, input->size, &tree)) return 0;
  for (size_t i = 0; bin_oracle_is_tree(&tree) && i < tree.num_modules; ++i)
    count += !tree.modules[i].is_library;
  bin_oracle_free(&tree);
  return count;
}

void fuzz_bin_program(const FuzzSurface *surface, const FuzzInput *input, const FuzzReport *report,
                      FILE *out)
{
  (void)surface;
  unsigned about = fuzz_bin_aspect(input);
  const FuzzAspect *aspect = &fuzz_bin_aspects[about];
  fprintf(
      out,
      "// %s: %s.\n//\n"
      "//   gcc -rdynamic -I HEADERS repro.c -o repro -ldl && ./repro RUNTIME.so ./payload.so\n//\n"
      "// HEADERS has tvm/ffi/c_api.h and dlpack/dlpack.h. Exit status 1, or a signal: it shows."
      "\n// Where payload.so is not at hand, this file is one, too:\n//\n"
      "//   gcc -DPAYLOAD -shared -fPIC repro.c -o payload.so\n",
      fuzz_class_sentence(report->class), fuzz_bin_aspects[report->aspect].what);
  fprintf(out, "#define _GNU_SOURCE\n");
  fprintf(out, "#define DUE_LOAD %d\n#define DUE_EITHER %d\n#define DUE_MODULES %zu\n",
          aspect->due == FUZZ_DUE_ACCEPT, aspect->due == FUZZ_DUE_EITHER, count_embedded(input));
  fprintf(out, "#define DUE_KIND \"%s\"\n#define REPEAT %d\n", due_kind(about),
          report->class == FUZZ_LEAK);
  fprintf(out, "#define IN_PART %d\n#define CONTEXT %d\n#define OPEN %d\n",
          report->aspect == FUZZ_BIN_IN_PART, report->aspect == FUZZ_BIN_CONTEXT,
          report->aspect >= FUZZ_BIN_LEFT_OPEN && report->aspect <= FUZZ_BIN_KEPT_OPEN);
  fprintf(out,
          "\n#ifdef PAYLOAD\nvoid *__tvm_ffi__library_ctx;\n"
          "const unsigned char __tvm_ffi__library_bin[] = {\n#else\n"
          "static const unsigned char bytes_of_payload[] = {\n#endif\n");
  for (size_t i = 0; i < input->size; ++i)
    fprintf(out, "%s0x%02x,%s", i % 16 ? " " : "    ", input->bytes[i],
            i % 16 == 15 || i + 1 == input->size ? "\n" : "");
  fprintf(out, "};\n\n#ifndef PAYLOAD\n");
  fuzz_program_memory(out, report, input->size);
  fprintf(out, "#endif\n\n");
  fwrite(fuzz_repro_library_bin, 1, fuzz_repro_library_bin_size, out);
}
