// SPDX-License-Identifier: Apache-2.0
// How findings on library_bin are told: which field is concerned, and what shows it again.
#include <inttypes.h>
#include <string.h>

#include "fuzz/fuzz_arena.h"
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

// The first kind without a loader, if it is what the message has to name.
static void write_named(const FuzzInput *input, const FuzzReport *report, FILE *out)
{
  BinOracle tree;
  fprintf(out, "#define NAMED \"");
  if (report->aspect == FUZZ_BIN_NAMELESS && bin_oracle_judge(input->bytes, input->size, &tree)) {
    size_t i = 0;
    while (i < tree.num_modules && fuzz_bin_has_loader(&tree.modules[i])) ++i;
    if (bin_oracle_is_tree(&tree) && i < tree.num_modules)
      fprintf(out, "%.*s", (int)tree.modules[i].kind.size, (const char *)tree.modules[i].kind.data);
    bin_oracle_free(&tree);
  }
  fprintf(out, "\"\n");
}

enum { BEFORE_MAX = 4096, SETTLED_TIMES = 15 };

static void write_bytes(FILE *out, const uint8_t *bytes, size_t size)
{
  for (size_t i = 0; i < size; ++i)
    fprintf(out, "%s0x%02x,%s", i % 16 ? " " : "    ", bytes[i],
            i % 16 == 15 || i + 1 == size ? "\n" : "");
  fprintf(out, "};\n\n");
}

// What is loaded before, and a last one of no size.
static void write_before(const FuzzReport *report, FILE *out)
{
  const uint8_t *bytes;
  static unsigned times[BEFORE_MAX];
  size_t at = 0, size, count = 0;
  while (fuzz_record_next(report->before, report->before_size, &at, &bytes, &size)) {
    // One that was settled was loaded again and again.
    uint32_t number;
    memcpy(&number, bytes - sizeof number, sizeof number);
    if (count == BEFORE_MAX) break;
    times[count] = number & FUZZ_HISTORY_SETTLED ? SETTLED_TIMES : 1;
    fprintf(out, "static const unsigned char before_%zu[] = {\n", ++count);
    write_bytes(out, bytes, size);
  }
  fprintf(out,
          "#include <stddef.h>\nstatic const struct {\n  const unsigned char *bytes;\n"
          "  size_t size;\n  int times;\n} before[] = {\n");
  for (size_t i = 1; i <= count; ++i)
    fprintf(out, "    {before_%zu, sizeof before_%zu, %u},\n", i, i, times[i - 1]);
  fprintf(out, "    {NULL, 0, 0}};\n\n");
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
  write_named(input, report, out);
  fprintf(out, "#define COUNTS %d\n", report->class == FUZZ_RELEASED);
  fprintf(out, "#define CLOSED %d\n#define KEPT %d\n#define TOLD %d\n",
          report->aspect == FUZZ_BIN_CLOSED, report->aspect == FUZZ_BIN_CHANGED,
          report->aspect == FUZZ_BIN_TOLD);
  fprintf(out, "#define REPLACED %d\n#define LATER %d\n", report->aspect == FUZZ_BIN_REPLACED,
          report->aspect == FUZZ_BIN_LATER);
  fprintf(out, "#define IN_PART %d\n#define CONTEXT %d\n#define OPEN %d\n",
          report->aspect == FUZZ_BIN_IN_PART, report->aspect == FUZZ_BIN_CONTEXT,
          report->aspect >= FUZZ_BIN_LEFT_OPEN && report->aspect <= FUZZ_BIN_KEPT_OPEN);
  fprintf(out,
          "\n#ifdef PAYLOAD\nvoid *__tvm_ffi__library_ctx;\n"
          "const unsigned char __tvm_ffi__library_bin[] = {\n#else\n"
          "static const unsigned char bytes_of_payload[] = {\n#endif\n");
  write_bytes(out, input->bytes, input->size);
  fprintf(out, "#ifndef PAYLOAD\n");
  write_before(report, out);
  fuzz_program_memory(out, report, input->size);
  fprintf(out, "#endif\n\n");
  fwrite(fuzz_repro_library_bin, 1, fuzz_repro_library_bin_size, out);
}
