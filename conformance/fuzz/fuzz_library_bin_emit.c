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
  if (aspect == FUZZ_BIN_STRANGER || aspect == FUZZ_BIN_NEAR_KIND) return "RuntimeError";
  if (aspect == FUZZ_BIN_FAILS) return "FuzzError";
  return aspect == FUZZ_BIN_NO_MODULE ? "TypeError" : "";
}

// Whether the error may be about either of two entries.
static bool fails_in_two_ways(const FuzzInput *input)
{
  const BinOracle *tree = fuzz_bin_judge(input);
  return tree && bin_oracle_is_tree(tree) && fuzz_bin_fails_otherwise(tree, fuzz_bin_aspect(input));
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

// The number of the module of ours that a look-up among the imports of an entry finds first, of those
// that have a function; -1 if none has.
static int first_of(const BinOracle *tree, size_t entry, bool *seen)
{
  enum { WITH_FUNCTION = 4 };
  for (size_t k = 0; k < tree->modules[entry].num_imports; ++k) {
    size_t child = (size_t)tree->modules[entry].imports[k];
    if (seen[child]) continue;
    seen[child] = true;
    int number = 0;
    for (size_t i = 0; i < child; ++i) number += !tree->modules[i].is_library;
    if (!tree->modules[child].is_library && number < WITH_FUNCTION) return number;
    if ((number = first_of(tree, child, seen)) >= 0) return number;
  }
  return -1;
}

static void write_entry(const BinOracleModule *entry, bool is_apart, FILE *out)
{
  unsigned long long digest = entry->value.size;
  for (size_t i = 0; i < entry->value.size; ++i) digest = digest * 31 + entry->value.data[i];
  fprintf(out, "    {\"");
  for (size_t i = 0; i < entry->kind.size; ++i) fprintf(out, "\\%03o", entry->kind.data[i]);
  fprintf(out, "\", %zu, 0x%llxu, %zu, %d, %d},\n", entry->kind.size,
          entry->is_library ? 0 : digest, entry->num_imports, entry->is_library, is_apart);
}

// The entry of the library, if the root leads to it; else -1.
static int find_library(const BinOracle *tree)
{
  static bool met[FUZZ_TREE_MODULES];
  memset(met, 0, sizeof met);
  bool more = met[0] = tree->num_modules > 0;
  while (more) {
    more = false;
    for (size_t i = 0; i < tree->num_modules; ++i)
      for (size_t k = 0; met[i] && k < tree->modules[i].num_imports; ++k) {
        more |= !met[tree->modules[i].imports[k]];
        met[tree->modules[i].imports[k]] = true;
      }
  }
  for (size_t i = 0; i < tree->num_modules; ++i)
    if (tree->modules[i].is_library) return met[i] ? (int)i : -1;
  return -1;
}

// What has to come of a sound tree; of others no entries.
static void write_tree(const FuzzInput *input, bool is_due, FILE *out)
{
  static bool imported[FUZZ_TREE_MODULES], seen[FUZZ_TREE_MODULES];
  BinOracle tree = {.num_modules = 0};
  bool judged = is_due && bin_oracle_judge(input->bytes, input->size, &tree);
  size_t count = judged && tree.num_modules <= FUZZ_TREE_MODULES ? tree.num_modules : 0;
  int library = count ? find_library(&tree) : -1;
  memset(imported, 0, sizeof imported);
  memset(seen, 0, sizeof seen);
  fprintf(out,
          "#define ENTRIES %zu\nstatic const struct {\n  const char *kind;\n  size_t size;\n"
          "  unsigned long long value;\n  int imports, is_library, is_apart;\n} entries[] = {\n",
          count);
  for (size_t i = 0; i < count; ++i)
    for (size_t k = 0; k < tree.modules[i].num_imports; ++k)
      imported[tree.modules[i].imports[k]] = true;
  for (size_t i = 0; i < count; ++i) write_entry(&tree.modules[i], i && !imported[i], out);
  fprintf(out, "    {NULL, 0, 0, 0, 0, 0}};\nstatic const int children[] = {");
  for (size_t i = 0; i < count; ++i)
    for (size_t k = 0; k < tree.modules[i].num_imports; ++k)
      fprintf(out, "%zu, ", (size_t)tree.modules[i].imports[k]);
  fprintf(out, "-1};\n#define LIBRARY %d\n#define FIRST %d\n", library,
          library < 0 ? -1 : first_of(&tree, (size_t)library, seen));
  if (judged) bin_oracle_free(&tree);
}

enum { BEFORE_MAX = 4096, SETTLED_TIMES = 15 };

static void write_bytes(FILE *out, const uint8_t *bytes, size_t size)
{
  for (size_t i = 0; i < size; ++i)
    fprintf(out, "%s0x%02x,%s", i % 16 ? " " : "    ", bytes[i],
            i % 16 == 15 || i + 1 == size ? "\n" : "");
  fprintf(out, "};\n\n");
}

// What is loaded before, and a last one of no size. What comes behind itself was loaded before.
static void write_before(const FuzzReport *report, FILE *out)
{
  const bool itself = report->aspect == FUZZ_BIN_STATEFUL && report->before_size == 0;
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
  if (itself) fprintf(out, "    {bytes_of_payload, sizeof bytes_of_payload, 1},\n");
  fprintf(out, "    {NULL, 0, 0}};\n\n");
}

static bool is_short(unsigned aspect)
{
  return aspect >= FUZZ_BIN_SHORT && aspect <= FUZZ_BIN_SHORT_LEFT;
}

// Bytes that the C library may keep of threads that have ended.
enum { THREADS_SPARE = 2048 };

// What the program looks at.
static void write_checks(const FuzzInput *input, const FuzzReport *report, FILE *out)
{
  const unsigned about = fuzz_bin_aspect(input), which = report->aspect;
  const FuzzDue due = fuzz_bin_aspects[about].due;
  fprintf(out, "#define DUE_LOAD %d\n#define DUE_EITHER %d\n#define DUE_MODULES %zu\n",
          due == FUZZ_DUE_ACCEPT, due == FUZZ_DUE_EITHER, count_embedded(input));
  const char *kind = fails_in_two_ways(input) ? "" : due_kind(about);
  fprintf(out, "#define DUE_KIND \"%s\"\n#define REPEAT %d\n#define SHORT %d\n#define SPARE %d\n",
          which == FUZZ_BIN_SHORT_KIND ? "InternalError" : kind, report->class == FUZZ_LEAK,
          is_short(which), about == FUZZ_BIN_THREADS ? THREADS_SPARE : 0);
  write_named(input, report, out);
  fprintf(out, "#define COUNTS %d\n", report->class == FUZZ_RELEASED || report->class == FUZZ_LEAK);
  fprintf(out, "#define CLOSED %d\n#define KEPT %d\n#define TOLD %d\n", which == FUZZ_BIN_CLOSED,
          which == FUZZ_BIN_CHANGED, which == FUZZ_BIN_TOLD);
  fprintf(out, "#define ROOMY %d\n#define SLOT %d\n", which == FUZZ_BIN_ROOMY,
          which == FUZZ_BIN_SLOT || which == FUZZ_BIN_SLOT_LOST);
  fprintf(out, "#define REPLACED %d\n#define LATER %d\n", which == FUZZ_BIN_REPLACED,
          which == FUZZ_BIN_LATER);
  fprintf(out, "#define HELD %d\n#define APART %d\n",
          which == FUZZ_BIN_LOADER_HELD || which == FUZZ_BIN_LOADER_LEFT,
          which == FUZZ_BIN_UNREACHED_HELD);
  fprintf(out, "#define IN_PART %d\n#define CONTEXT %d\n#define OPEN %d\n",
          which == FUZZ_BIN_IN_PART, which == FUZZ_BIN_CONTEXT,
          which >= FUZZ_BIN_LEFT_OPEN && which <= FUZZ_BIN_KEPT_OPEN);
}

void fuzz_bin_program(const FuzzSurface *surface, const FuzzInput *input, const FuzzReport *report,
                      FILE *out)
{
  (void)surface;
  fprintf(
      out,
      "// %s: %s.\n//\n"
      "//   gcc -rdynamic -I HEADERS repro.c -o repro -ldl && ./repro RUNTIME.so ./payload.so\n//\n"
      "// HEADERS has tvm/ffi/c_api.h and dlpack/dlpack.h. Exit status 1, or a signal: it shows."
      "\n// Where payload.so is not at hand, this file is one, too:\n//\n"
      "//   gcc -DPAYLOAD -shared -fPIC repro.c -o payload.so\n",
      fuzz_class_sentence(report->class), fuzz_bin_aspects[report->aspect].what);
  fprintf(out, "#define _GNU_SOURCE\n");
  write_checks(input, report, out);
  fprintf(out,
          "\n#ifdef PAYLOAD\nvoid *__tvm_ffi__library_ctx;\n"
          "const unsigned char __tvm_ffi__library_bin[] = {\n#else\n"
          "static const unsigned char bytes_of_payload[] = {\n#endif\n");
  write_bytes(out, input->bytes, input->size);
  fprintf(out, "#ifndef PAYLOAD\n");
  write_before(report, out);
  write_tree(input, fuzz_bin_aspects[fuzz_bin_aspect(input)].due == FUZZ_DUE_ACCEPT, out);
  fuzz_program_memory(out, report, input->size, is_short(report->aspect));
  fprintf(out, "#endif\n\n");
  fwrite(fuzz_repro_library_tree, 1, fuzz_repro_library_tree_size, out);
  fwrite(fuzz_repro_library_bin, 1, fuzz_repro_library_bin_size, out);
}
