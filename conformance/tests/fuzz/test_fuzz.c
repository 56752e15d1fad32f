// SPDX-License-Identifier: Apache-2.0
// What the fuzzer is made of, without a library: how inputs are made, changed, judged, made small
// and written down.
#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "finding_folder.h"
#include "fuzz/fuzz_engine.h"
#include "fuzz/fuzz_folder.h"
#include "fuzz/fuzz_library_bin.h"
#include "fuzz/fuzz_place.h"
#include "fuzz/fuzz_tree.h"
#include "library_bin.h"
#include "unit/unit.h"

enum { MANY = 20000 };

static uint8_t bytes[FUZZ_INPUT_MAX], others[FUZZ_INPUT_MAX];
static FuzzInput input = {bytes, 0, sizeof bytes}, other = {others, 0, sizeof others};

static const FuzzSurface *const surface = &fuzz_library_bin;

// --- Making inputs -------------------------------------------------------------------------------

TEST_GROUP(fuzz, .timeout = 60);

TEST(what_is_generated_is_sound)
{
  unsigned modules_of[FUZZ_TREE_MODULES + 1] = {0}, with_library = 0, without = 0;
  for (unsigned i = 0; i < MANY; ++i) {
    FuzzRandom random = fuzz_random(1, 2, i);
    LibraryBin tree;
    LibraryBinProblem problem;
    surface->generate(&random, &input);
    if (input.size == 0) continue;  // there was no room for it
    ck_assert(library_bin_read(bytes, input.size, &tree, &problem));
    ++modules_of[tree.num_modules];
    bool library = false;
    for (size_t k = 0; k < tree.num_modules; ++k) library |= tree.entries[k].is_library;
    library ? ++with_library : ++without;
    library_bin_free(&tree);
    ck_assert_int_eq(surface->aspects[surface->aspect(&input)].due, FUZZ_DUE_ACCEPT);
  }
  ck_assert_uint_gt(with_library, MANY / 2);
  ck_assert_uint_gt(without, MANY / 100);
  for (unsigned size = 1; size < 20; ++size) ck_assert_uint_gt(modules_of[size], 10);
  unsigned large = 0;
  for (unsigned size = 100; size <= FUZZ_TREE_MODULES; ++size) large += modules_of[size];
  ck_assert_uint_gt(large, 10);
}

// Every rule is broken, and every sound aspect met, by one mutation of a sound tree.
TEST(mutations_reach_every_aspect)
{
  unsigned seen[FUZZ_BIN_ASPECTS] = {0};
  for (unsigned i = 0; i < 10 * MANY; ++i) {
    FuzzRandom random = fuzz_random(3, 0, i);
    surface->generate(&random, &input);
    surface->mutate(&random, &input);
    if (surface->repair(&input)) ++seen[surface->aspect(&input)];
  }
  for (unsigned i = 0; i < FUZZ_BIN_OF_PAYLOADS; ++i)
    ck_assert_msg(seen[i] > 0, "no input is about: %s", surface->aspects[i].what);
}

// The library is never told more bytes than there are.
TEST(nbytes_is_always_right)
{
  for (unsigned i = 0; i < MANY; ++i) {
    FuzzRandom random = fuzz_random(4, 0, i);
    uint64_t follow;
    surface->generate(&random, &input);
    fuzz_havoc(&random, &input);
    ck_assert_uint_le(input.size, input.room);
    if (!surface->repair(&input)) continue;
    memcpy(&follow, bytes, sizeof follow);
    ck_assert_uint_eq(follow, input.size - 8);
  }
  input.size = 7;
  ck_assert(!surface->repair(&input));
}

TEST(what_is_taken_apart_is_put_together)
{
  static FuzzTree tree;
  for (unsigned i = 0; i < MANY; ++i) {
    FuzzRandom random = fuzz_random(5, 0, i);
    surface->generate(&random, &input);
    if (i % 2) surface->mutate(&random, &input);
    if (i % 3 == 0) fuzz_havoc(&random, &input);
    if (!surface->repair(&input)) continue;
    ck_assert(fuzz_tree_take_apart(&input, &tree));
    ck_assert(fuzz_tree_put_together(&tree, &other));
    ck_assert_uint_eq(other.size, input.size);
    ck_assert_mem_eq(others, bytes, input.size);
  }
}

TEST(the_same_seed_makes_the_same_inputs)
{
  static FuzzArena arena;
  unsigned different = 0;
  arena.seed = 7;
  for (uint64_t i = 0; i < 2000; ++i) {
    bool made = fuzz_make_input(&arena, surface, i, &input);
    ck_assert(made == fuzz_make_input(&arena, surface, i, &other));
    ck_assert_uint_eq(input.size, other.size);
    ck_assert_mem_eq(bytes, others, input.size);
    arena.slot = 1;
    fuzz_make_input(&arena, surface, i, &other);
    arena.slot = 0;
    different += other.size != input.size || memcmp(bytes, others, input.size) != 0;
  }
  ck_assert_uint_gt(different, 1800);
}

TEST(the_corpus_is_used)
{
  static FuzzArena arena;
  static const char mark[] = "this is in the corpus alone";
  FuzzTree *tree = calloc(1, sizeof *tree);
  fuzz_tree_sample(&input);
  ck_assert(fuzz_tree_take_apart(&input, tree));
  tree->entries[1].value = (FuzzString){(const uint8_t *)mark, sizeof mark, sizeof mark};
  ck_assert(fuzz_tree_put_together(tree, &other));
  memcpy(arena.corpus[0].bytes, others, other.size);
  arena.corpus[0].size = (uint32_t)other.size;
  arena.corpus_count = 1;
  unsigned with_mark = 0;
  for (uint64_t i = 0; i < 1000; ++i)
    if (fuzz_make_input(&arena, surface, i, &input))
      with_mark += memmem(bytes, input.size, mark, sizeof mark) != NULL;
  ck_assert_uint_gt(with_mark, 100);
  free(tree);
}

// What is kept of an input of so many bytes.
static uint32_t keep(FuzzArena *arena, size_t size, uint64_t behaviour, bool is_new)
{
  memset(bytes, (int)size, size);
  return fuzz_keep(arena, &(FuzzInput){bytes, size, sizeof bytes}, behaviour, is_new);
}

TEST(the_corpus_has_the_smallest_of_each_behaviour)
{
  static FuzzArena arena;
  ck_assert_uint_eq(keep(&arena, 10, 5, true), 0);
  ck_assert_uint_eq(keep(&arena, 30, 6, true), 1);
  ck_assert_uint_eq(keep(&arena, 12, 5, false), FUZZ_CORPUS_MAX);
  ck_assert_uint_eq(keep(&arena, 8, 5, false), 0);
  ck_assert_uint_eq(keep(&arena, 9, 7, false), FUZZ_CORPUS_MAX);  // nobody has it any more
  ck_assert_uint_eq(keep(&arena, FUZZ_CORPUS_BYTES + 1, 8, true), FUZZ_CORPUS_MAX);
  ck_assert_uint_eq(arena.corpus_count, 2);
  ck_assert_uint_eq(arena.corpus[0].size, 8);
  ck_assert_uint_eq(arena.corpus[0].bytes[7], 8);
  ck_assert_uint_eq(arena.corpus[1].size, 30);
  for (uint64_t i = 2; i < FUZZ_CORPUS_MAX; ++i)
    ck_assert_uint_eq(keep(&arena, 1, 10 + i, true), i);
  ck_assert_uint_eq(keep(&arena, 3, 7 * FUZZ_CORPUS_MAX + 1, true), 1);
  ck_assert_uint_eq(arena.corpus_count, FUZZ_CORPUS_MAX);
  ck_assert_uint_eq(arena.corpus[1].size, 3);
}

// --- Judging -------------------------------------------------------------------------------------

// The aspect of the sample with its entry 2 given this kind.
static const char *aspect_with_kind(const char *kind, size_t size)
{
  static FuzzTree tree;
  fuzz_tree_sample(&input);
  ck_assert(fuzz_tree_take_apart(&input, &tree));
  fuzz_tree_set_kind(&tree, 2, kind, size);
  ck_assert(fuzz_tree_put_together(&tree, &other));
  return surface->aspects[surface->aspect(&other)].name;
}

TEST(kinds_decide_what_is_due)
{
  ck_assert_str_eq(aspect_with_kind("k", 1), "whole");
  ck_assert_str_eq(aspect_with_kind(fuzz_kind_long, strlen(fuzz_kind_long)), "whole");
  ck_assert_str_eq(aspect_with_kind("stranger", 8), "unknown-kind");
  ck_assert_str_eq(aspect_with_kind("k", 2), "near-kind");  // a NUL behind it
  ck_assert_str_eq(aspect_with_kind("_Lib", 4), "near-kind");
  ck_assert_str_eq(aspect_with_kind("x.k", 3), "near-kind");
  ck_assert_str_eq(aspect_with_kind("conform-module", 14), "near-kind");
  ck_assert_str_eq(aspect_with_kind("", 0), "empty-kind");
  ck_assert_str_eq(aspect_with_kind("fails", 5), "loader-fails");
  ck_assert_str_eq(aspect_with_kind("none", 4), "loader-gives-none");
  ck_assert_str_eq(aspect_with_kind("_lib", 4), "library-twice");
}

// Whether the sample, with its entries 2 and 3 given these kinds, may fail for either.
static bool fails_in_two_ways(const char *one, const char *two)
{
  static FuzzTree tree;
  fuzz_tree_sample(&input);
  ck_assert(fuzz_tree_take_apart(&input, &tree));
  fuzz_tree_set_kind(&tree, 2, one, strlen(one));
  fuzz_tree_set_kind(&tree, 3, two, strlen(two));
  ck_assert(fuzz_tree_put_together(&tree, &other));
  return fuzz_bin_fails_otherwise(fuzz_bin_judge(&other), surface->aspect(&other));
}

TEST(errors_are_judged_where_one_thing_fails)
{
  ck_assert(!fails_in_two_ways("k", "stranger"));
  ck_assert(!fails_in_two_ways("fails", "fail1"));
  ck_assert(fails_in_two_ways("stranger", "fails"));
  ck_assert(fails_in_two_ways("none", "stranger"));
}

TEST(library_alone_is_about_the_first_entry)
{
  static FuzzTree tree;
  fuzz_tree_sample(&input);
  ck_assert(fuzz_tree_take_apart(&input, &tree));
  ck_assert(fuzz_tree_remove_modules(&tree, 1, 3));
  ck_assert(fuzz_tree_put_together(&tree, &other));
  ck_assert_uint_eq(surface->aspect(&other), FUZZ_BIN_SINGLE);
  fuzz_tree_set_kind(&tree, 0, "k", 1);
  ck_assert(fuzz_tree_put_together(&tree, &other));
  ck_assert_uint_eq(surface->aspect(&other), FUZZ_BIN_NO_LIBRARY);
}

// A small tree with each kind stands at its place behind the first inputs, and is sound.
TEST(each_kind_comes_early)
{
  static FuzzArena arena;
  for (uint64_t i = 0; i < surface->early; ++i) {
    ck_assert(fuzz_make_input(&arena, surface, FUZZ_EARLY + i, &other));
    surface->nth(i, &input);
    ck_assert_uint_eq(input.size, other.size);
    ck_assert_mem_eq(input.bytes, other.bytes, other.size);
    ck_assert(bin_oracle_is_tree(fuzz_bin_judge(&input)));
  }
}

// What is accepted behind others whatever it says: an input of the same size breaks another rule.
TEST(other_fault_is_another_rule_at_once)
{
  fuzz_tree_sample(&input);
  ck_assert(fuzz_bin_other_fault(&input, &other));
  ck_assert_uint_eq(other.size, input.size);
  ck_assert_uint_eq(surface->aspect(&other), FUZZ_BIN_COUNT_TOO_LARGE);
  memcpy(input.bytes, other.bytes, input.size = other.size);
  ck_assert(fuzz_bin_other_fault(&input, &other));
  ck_assert_uint_eq(surface->aspect(&other), FUZZ_BIN_NO_ROWS);
}

// Each step imports the next module twice.
static unsigned aspect_of_doubles(unsigned steps)
{
  uint64_t rows[64], children[64];
  LibraryBinEntry entries[32];
  for (unsigned i = 0; i <= steps; ++i) {
    rows[i] = i < steps ? 2 * i : 2 * steps;
    entries[i] = (LibraryBinEntry){.is_library = i == 0, .kind = {"k", 1}, .value = {"v", 1}};
    children[2 * i] = children[2 * i + 1] = i + 1;
  }
  rows[steps + 1] = 2 * steps;
  LibraryBin tree = {steps + 1, 2 * steps, rows, children, entries};
  input.size = library_bin_size(&tree);
  library_bin_write(&tree, bytes);
  return surface->aspect(&input);
}

TEST(ways_are_counted)
{
  ck_assert_uint_eq(aspect_of_doubles(3), FUZZ_BIN_WHOLE);
  ck_assert_uint_eq(aspect_of_doubles(10), FUZZ_BIN_MANY);
  ck_assert_uint_eq(aspect_of_doubles(12), FUZZ_BIN_PATHS);
  ck_assert_uint_eq(aspect_of_doubles(30), FUZZ_BIN_PATHS);
}

TEST(a_class_counts_once_a_run)
{
  FuzzRun run = {.aspect = 3};
  fuzz_see(&run, FUZZ_LEAK, "the %s", "first");
  fuzz_see(&run, FUZZ_LEAK, "the second");
  fuzz_see(&run, FUZZ_ERROR, "another");
  fuzz_see_of(&run, FUZZ_LEAK, 5, "of %s", "another clause");
  fuzz_see_of(&run, FUZZ_LEAK, 3, "the third");
  ck_assert_uint_eq(run.count, 3);
  ck_assert_str_eq(run.seen[0].text, "the first");
  ck_assert_uint_eq(run.seen[0].aspect, 3);
  ck_assert_uint_eq(run.seen[2].aspect, 5);
  for (unsigned i = 0; i < FUZZ_CLASSES; ++i)
    ck_assert_uint_eq(fuzz_class_find(fuzz_class_name((FuzzClass)i)), i);
  ck_assert_uint_eq(fuzz_class_find("no class"), FUZZ_CLASSES);
}

static uint64_t behaviour_of(const char *text)
{
  FuzzRun run = {.behaviour = 1};
  fuzz_behave_text(&run, text, strlen(text));
  return run.behaviour;
}

TEST(numbers_make_no_new_behaviour)
{
  uint64_t one = behaviour_of("byte 12 at 0x7f12ab");
  ck_assert_uint_eq(one, behaviour_of("byte 4711 at 0x1"));
  ck_assert_uint_ne(one, behaviour_of("bytes 12 at 0x7f12ab"));
}

// --- Making small --------------------------------------------------------------------------------

// Shrinks an input as a campaign does, for as long as its aspect stays the same.
static void make_small(unsigned aspect)
{
  for (bool progress = true; progress;) {
    progress = false;
    for (size_t step = 0; surface->shrink(&input, step, &other); ++step) {
      // (The first ones can be larger: empty kinds and values are filled.)
      ck_assert(other.size <= input.size || step < FUZZ_TREE_SIMPLER);
      ck_assert_uint_lt(step, 200000);
      if (other.size >= input.size || !surface->repair(&other)) continue;
      if (surface->aspect(&other) != aspect) continue;
      memcpy(bytes, others, other.size);
      input.size = other.size;
      progress = true;
    }
  }
}

TEST(every_aspect_can_be_made_small)
{
  size_t smallest[FUZZ_BIN_ASPECTS] = {0};
  for (unsigned i = 0, left = FUZZ_BIN_OF_PAYLOADS; left && i < 10 * MANY; ++i) {
    FuzzRandom random = fuzz_random(6, 0, i);
    surface->generate(&random, &input);
    surface->mutate(&random, &input);
    if (!surface->repair(&input)) continue;
    unsigned aspect = surface->aspect(&input);
    if (smallest[aspect] || input.size > (aspect == FUZZ_BIN_PATHS ? 6000 : 600)) continue;
    make_small(aspect);
    smallest[aspect] = input.size;
    --left;
  }
  for (unsigned i = 0; i < FUZZ_BIN_OF_PAYLOADS; ++i) {
    ck_assert_msg(smallest[i] > 0, "%s was not met", surface->aspects[i].name);
    size_t most = i == FUZZ_BIN_PATHS ? 1500 : i == FUZZ_BIN_ODD_KIND ? 400 : 300;
    ck_assert_msg(smallest[i] <= most, "%s stays at %zu bytes", surface->aspects[i].name,
                  smallest[i]);
  }
}

// --- Places --------------------------------------------------------------------------------------

enum { LOADED_AT = 0x7000 };

static const struct {
  const char *label;
  uint64_t frames[4];
  const char *at, *below;
} places[] = {
    {"in-a-named-function", {0x7114, 0x7204}, "f+0x14", ""},
    {"below-one", {0x7404, 0x7120, 0x7204}, "libx.so+0x404", "f+0x20"},
    {"called-by-the-last-byte", {0x9000, 0x7120, 0x7204}, "f+0x20", ""},
    {"in-another-library", {0x9000, 0x7404}, "libx.so+0x404", ""},
    {"elsewhere", {0x9000, 0x1000}, "", ""},
};

TEST(places_are_named_by_symbols_or_by_the_library, .rows = ROWS(places))
{
  InspectSymbol symbols[] = {{0x100, 0x20, "f"}};
  InspectReport library = {
      .path = "a/libx.so", .mapped_size = 0x1000, .symbols = symbols, .symbol_count = 1};
  static Evidence evidence;
  evidence.load_address = LOADED_AT;
  while (evidence.crash.frame_count < 4 && places[_i].frames[evidence.crash.frame_count]) {
    evidence.crash.frames[evidence.crash.frame_count] =
        places[_i].frames[evidence.crash.frame_count];
    ++evidence.crash.frame_count;
  }
  FuzzPlace place = fuzz_place_of(&evidence, &library);
  ck_assert_str_eq(place.at, places[_i].at);
  ck_assert_str_eq(place.below, places[_i].below);
}

// Wherever in two functions that call one another the stack ends.
TEST(a_recursion_has_one_place, .rows = 3)
{
  InspectReport library = {.path = "libx.so", .mapped_size = 0x1000};
  static Evidence evidence;
  evidence.load_address = LOADED_AT;
  evidence.crash.frame_count = EVIDENCE_FRAMES_MAX;
  evidence.crash.frames[0] = 0x7010 + (uint64_t)_i;
  for (int i = 1; i < EVIDENCE_FRAMES_MAX; ++i)
    evidence.crash.frames[i] = (i + _i) % 2 ? 0x7500 : 0x7300;
  ck_assert_str_eq(fuzz_place_of(&evidence, &library).at, "libx.so+0x300");
}

// --- Folders -------------------------------------------------------------------------------------

// Writes the sample as a finding.
static void write_sample(FuzzClass class, unsigned aspect, const char *name)
{
  static InspectReport library = {.build_id = "00", .sha256 = "11"};
  char error[512] = "";
  fuzz_tree_sample(&input);
  FuzzFinding finding = {.class = class,
                         .aspect = aspect,
                         .where = "f+0x1",
                         .seen = "it \"went\"",
                         .bytes = bytes,
                         .size = input.size};
  FuzzShelf shelf = {finding_folder, &library, FUZZ_LIBRARIES};
  ck_assert_msg(fuzz_folder_write(&shelf, surface, &finding, name, error, sizeof error), "%s",
                error);
}

TEST_GROUP(folders, .timeout = 60);

TEST(what_is_written_is_read_again)
{
  size_t count = 0;
  char error[512];
  finding_folder_make();
  write_sample(FUZZ_CRASH, FUZZ_BIN_CYCLE, "b");
  write_sample(FUZZ_LEAK, FUZZ_BIN_TRAILING, "a");
  FuzzKept *kept = fuzz_folder_read(finding_folder, &count, error, sizeof error);
  ck_assert_msg(kept != NULL, "%s", error);
  ck_assert_uint_eq(count, 2);
  ck_assert_str_eq(kept[0].name, "a");
  ck_assert_int_eq(kept[0].finding.class, FUZZ_LEAK);
  ck_assert_int_eq(kept[1].finding.class, FUZZ_CRASH);
  ck_assert_uint_eq(kept[1].finding.aspect, FUZZ_BIN_CYCLE);
  ck_assert_ptr_eq(kept[1].surface, surface);
  ck_assert_str_eq(kept[1].finding.seen, "it \"went\"");
  ck_assert_uint_eq(kept[1].finding.size, input.size);
  ck_assert_mem_eq(kept[1].finding.bytes, bytes, input.size);
  fuzz_kept_free(kept, count);
  finding_folder_remove();
}

static void put_file(const char *name, const char *text, size_t size)
{
  char path[FINDING_PATH_SIZE];
  snprintf(path, sizeof path, "%s/a/%s", finding_folder, name);
  FILE *out = fopen(path, "wb");
  ck_assert_ptr_nonnull(out);
  ck_assert_uint_eq(fwrite(text, 1, size, out), size);
  fclose(out);
}

// What is read of `place`, a folder in the test's own, is refused with these words.
static void expect_refusal(const char *place, const char *words)
{
  char error[512] = "", path[4200];
  size_t count;
  snprintf(path, sizeof path, "%s%s", finding_folder, place);
  ck_assert_ptr_null(fuzz_folder_read(path, &count, error, sizeof error));
  ck_assert_msg(strstr(error, words) != NULL, "'%s' is not in '%s'", words, error);
}

#define NO_FINDING "finding.json does not describe a finding"

static const struct {
  const char *text, *words;
} no_findings[] = {
    {"", "finding.json: is empty"},
    {"{", "finding.json:1:1: the file is truncated"},
    {"{\"a\":1,\"a\":2}", "not JSON: duplicate object key"},
    {"[]", NO_FINDING},
    {"{\"surface\":\"library_bin\",\"class\":\"crash\"}", NO_FINDING},
    {"{\"surface\":\"no\",\"class\":\"crash\",\"aspect\":\"cycle\"}", NO_FINDING},
    {"{\"surface\":\"library_bin\",\"class\":\"no\",\"aspect\":\"cycle\"}", NO_FINDING},
    {"{\"surface\":\"library_bin\",\"class\":\"crash\",\"aspect\":7}", NO_FINDING},
    {"{\"surface\":\"library_bin\",\"class\":\"crash\",\"aspect\":\"no\"}", NO_FINDING},
};

TEST(folders_that_are_no_findings_are_refused, .rows = ROWS(no_findings))
{
  finding_folder_make();
  expect_refusal("", "contains no findings");
  write_sample(FUZZ_CRASH, FUZZ_BIN_CYCLE, "a");
  put_file("finding.json", no_findings[_i].text, strlen(no_findings[_i].text));
  expect_refusal("", no_findings[_i].words);
  expect_refusal("/a", no_findings[_i].words);
  expect_refusal("/nowhere", "No such file or directory");
  expect_refusal("/a/input.bin", "Not a directory");
  finding_folder_remove();
}

// Each in turn is too long, missing, a folder, or a pipe to which nobody writes.
TEST(files_that_are_no_files_are_refused, .rows = 8)
{
  static const char *const names[] = {"input.bin", "finding.json"};
  static const char *const words[] = {"is larger than 64 KiB", "No such file or directory",
                                      "Is a directory", "the pipe has no writer"};
  char path[FINDING_PATH_SIZE];
  static char large[FUZZ_INPUT_MAX + 1];
  finding_folder_make();
  write_sample(FUZZ_CRASH, FUZZ_BIN_CYCLE, "a");
  snprintf(path, sizeof path, "%s/a/%s", finding_folder, names[_i & 1]);
  if (_i < 2) put_file(names[_i], large, sizeof large);
  if (_i >= 2) ck_assert_int_eq(unlink(path), 0);
  if (_i / 2 == 2) ck_assert_int_eq(mkdir(path, 0700), 0);
  if (_i / 2 == 3) ck_assert_int_eq(mkfifo(path, 0600), 0);
  expect_refusal("", words[_i / 2]);
  finding_folder_remove();
}

// A surface may take less than what is kept.
TEST(inputs_that_the_surface_does_not_take_are_refused)
{
  static const char text[] = "{\"surface\":\"%s\",\"class\":\"crash\",\"aspect\":\"%s\"}";
  static char large[FUZZ_INPUT_MAX];
  char error[512], json[512];
  size_t count = 0;
  unsigned tried = 0;
  for (unsigned i = 0; i < fuzz_surface_count; ++i) {
    const FuzzSurface *its = fuzz_surfaces[i];
    int size = snprintf(json, sizeof json, text, its->name, its->aspects[0].name);
    if (its->input_max >= FUZZ_INPUT_MAX) continue;
    finding_folder_make();
    write_sample(FUZZ_CRASH, FUZZ_BIN_CYCLE, "a");
    put_file("finding.json", json, (size_t)size);
    memset(large, 0, sizeof large);
    if (its->count) its->sample(&(FuzzInput){(uint8_t *)large, 0, sizeof large});
    put_file("input.bin", large, its->input_max);
    FuzzKept *kept = fuzz_folder_read(finding_folder, &count, error, sizeof error);
    ck_assert_msg(kept != NULL, "%s", error);
    ck_assert_ptr_eq(kept->surface, its);
    fuzz_kept_free(kept, count);
    put_file("input.bin", large, its->input_max + 1);
    expect_refusal("", NO_FINDING);
    finding_folder_remove();
    ++tried;
  }
  ck_assert_uint_gt(tried, 0);
}

// A payload that says of itself that it goes on behind its end, or that is none at all.
TEST(inputs_that_are_damaged_are_refused)
{
  char whole[256];
  finding_folder_make();
  write_sample(FUZZ_CRASH, FUZZ_BIN_CYCLE, "a");
  ck_assert_uint_le(input.size, sizeof whole);
  memcpy(whole, bytes, input.size);
  for (size_t size = 0; size < input.size; ++size) {
    put_file("input.bin", whole, size);
    expect_refusal("", "input.bin is damaged: it is not an input of the surface library_bin");
  }
  whole[0] ^= 1;
  put_file("input.bin", whole, input.size);
  expect_refusal("", "input.bin is damaged");
  finding_folder_remove();
}

// Describes the sample as a finding behind so many inputs, and puts its own bytes there so often.
static void write_before(int described, unsigned count)
{
  static char before[4 * FUZZ_INPUT_MAX];
  char json[256];
  size_t at = 0;
  int size = snprintf(json, sizeof json,
                      "{\"surface\":\"library_bin\",\"class\":\"crash\",\"aspect\":\"cycle\","
                      "\"before\":%d}",
                      described);
  uint32_t number = (uint32_t)input.size;
  for (unsigned i = 0; i < count; ++i, at += sizeof number + number) {
    memcpy(before + at, &number, sizeof number);
    memcpy(before + at + sizeof number, bytes, number);
  }
  put_file("finding.json", json, (size_t)size);
  put_file("before.bin", before, at);
}

TEST(what_ran_before_is_read_again)
{
  char error[512];
  size_t count = 0;
  finding_folder_make();
  write_sample(FUZZ_CRASH, FUZZ_BIN_CYCLE, "a");
  for (unsigned before = 1; before <= 3; ++before) {
    write_before((int)before, before);
    FuzzKept *kept = fuzz_folder_read(finding_folder, &count, error, sizeof error);
    ck_assert_msg(kept != NULL, "%s", error);
    ck_assert_uint_eq(fuzz_finding_before(&kept->finding), before);
    ck_assert_uint_eq(kept->finding.before_size, before * (sizeof(uint32_t) + input.size));
    ck_assert_mem_eq(kept->finding.before + sizeof(uint32_t), bytes, input.size);
    fuzz_kept_free(kept, count);
  }
  finding_folder_remove();
}

static const struct {
  int described;
  unsigned count;
} wrong_counts[] = {{1, 2}, {2, 1}, {-1, 1}, {INT_MAX, 1}};

TEST(another_number_of_inputs_before_is_refused, .rows = ROWS(wrong_counts))
{
  finding_folder_make();
  write_sample(FUZZ_CRASH, FUZZ_BIN_CYCLE, "a");
  write_before(wrong_counts[_i].described, wrong_counts[_i].count);
  expect_refusal("", "before.bin is damaged: it is not");
  finding_folder_remove();
}

// Cut anywhere, with a record that is no input or has no end, or too large for an input; or no file.
TEST(inputs_before_that_are_damaged_are_refused)
{
  static char record[4 + FUZZ_INPUT_MAX + 1];
  char path[FINDING_PATH_SIZE];
  finding_folder_make();
  write_sample(FUZZ_CRASH, FUZZ_BIN_CYCLE, "a");
  write_before(1, 1);
  uint32_t number = (uint32_t)input.size;
  memcpy(record, &number, sizeof number);
  memcpy(record + sizeof number, bytes, number);
  for (size_t size = 1; size < sizeof number + number; ++size) {
    put_file("before.bin", record, size);
    expect_refusal("", "before.bin is damaged: it is not 1 inputs");
  }
  put_file("before.bin", record, sizeof number + number + 1);
  expect_refusal("", "before.bin is damaged");
  record[sizeof number] ^= 1;  // the payload says of itself that it is longer, or shorter
  put_file("before.bin", record, sizeof number + number);
  expect_refusal("", "before.bin is damaged");
  number = FUZZ_INPUT_MAX + 1;
  memcpy(record, &number, sizeof number);
  put_file("before.bin", record, sizeof record);
  expect_refusal("", "before.bin is damaged");
  put_file("before.bin", record, 0);
  expect_refusal("", "before.bin is damaged");
  snprintf(path, sizeof path, "%s/a/before.bin", finding_folder);
  ck_assert_int_eq(unlink(path), 0);
  expect_refusal("", "No such file or directory");
  finding_folder_remove();
}

// A folder may be a finding itself. What is hidden is not looked at, nor what has no description.
TEST(one_finding_and_others_that_are_none)
{
  char path[FINDING_PATH_SIZE], error[512];
  size_t count = 0;
  finding_folder_make();
  write_sample(FUZZ_CRASH, FUZZ_BIN_CYCLE, "a");
  write_sample(FUZZ_HANG, FUZZ_BIN_CYCLE, ".hidden");
  snprintf(path, sizeof path, "%s/b", finding_folder);
  ck_assert_int_eq(mkdir(path, 0700), 0);
  for (int itself = 0; itself < 2; ++itself) {
    snprintf(path, sizeof path, itself ? "%s/a" : "%s", finding_folder);
    FuzzKept *kept = fuzz_folder_read(path, &count, error, sizeof error);
    ck_assert_msg(kept != NULL, "%s", error);
    ck_assert_uint_eq(count, 1);
    ck_assert_str_eq(kept->name, itself ? path : "a");
    ck_assert_int_eq(kept->finding.class, FUZZ_CRASH);
    fuzz_kept_free(kept, count);
  }
  finding_folder_remove();
}

// Who takes over what another process read has it checked again.
TEST(what_is_taken_over_has_to_be_sound)
{
  char error[512];
  size_t count = 0;
  finding_folder_make();
  write_sample(FUZZ_CRASH, FUZZ_BIN_CYCLE, "a");
  FuzzKept *kept = fuzz_folder_read(finding_folder, &count, error, sizeof error);
  ck_assert_msg(kept != NULL, "%s", error);
  FuzzFinding *finding = &kept->finding;
  ck_assert(fuzz_kept_is_sound(kept));
  finding->class = FUZZ_CLASSES;
  ck_assert(!fuzz_kept_is_sound(kept));
  finding->class = FUZZ_CRASH;
  finding->aspect = surface->aspect_count;
  ck_assert(!fuzz_kept_is_sound(kept));
  finding->aspect = FUZZ_BIN_CYCLE;
  finding->size = surface->input_max + 1;
  ck_assert(!fuzz_kept_is_sound(kept));
  finding->size = input.size;
  finding->before = calloc(1, 3);
  finding->before_size = 3;
  ck_assert(!fuzz_kept_is_sound(kept));
  kept->surface = NULL;
  ck_assert(!fuzz_kept_is_sound(kept));
  kept->surface = surface;
  fuzz_kept_free(kept, count);
  finding_folder_remove();
}

// As many as are read, and one more: none is left out without a word.
TEST(more_findings_than_are_read)
{
  enum { MOST = 4096 };
  char path[FINDING_PATH_SIZE], error[512];
  size_t count = 0;
  finding_folder_make();
  write_sample(FUZZ_CRASH, FUZZ_BIN_CYCLE, "a");
  for (int i = 1; i < MOST; ++i) {
    snprintf(path, sizeof path, "%s/b%04d", finding_folder, i);
    ck_assert_int_eq(symlink("a", path), 0);
  }
  FuzzKept *kept = fuzz_folder_read(finding_folder, &count, error, sizeof error);
  ck_assert_msg(kept != NULL, "%s", error);
  ck_assert_uint_eq(count, MOST);
  fuzz_kept_free(kept, count);
  snprintf(path, sizeof path, "%s/c", finding_folder);
  ck_assert_int_eq(symlink("a", path), 0);
  expect_refusal("", "holds more than 4096 findings");
  finding_folder_remove();
}

// The library of a finding holds the payload, at the end of a page, and loads.
TEST(the_library_holds_the_payload)
{
  char path[FINDING_PATH_SIZE];
  finding_folder_make();
  write_sample(FUZZ_CRASH, FUZZ_BIN_CYCLE, "a");
  snprintf(path, sizeof path, "%s/a/payload.so", finding_folder);
  void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  ck_assert_msg(handle != NULL, "%s", dlerror());
  const char *payload = dlsym(handle, "__tvm_ffi__library_bin");
  ck_assert_ptr_nonnull(payload);
  ck_assert_mem_eq(payload, bytes, input.size);
  ck_assert_uint_eq(((uintptr_t)payload + input.size) % (uintptr_t)sysconf(_SC_PAGESIZE), 0);
  dlclose(handle);
  finding_folder_remove();
}
