// SPDX-License-Identifier: Apache-2.0
// Sound payloads of many shapes, and payloads in which one thing is wrong.
#include <ctype.h>
#include <string.h>

#include "fuzz/fuzz_tree.h"
#include "library_bin.h"

// --- Sound trees ---------------------------------------------------------------------------------

// A tree that is being made, for the reference's writer.
typedef struct Draft {
  LibraryBinEntry entries[FUZZ_TREE_MODULES];
  uint64_t rows[FUZZ_TREE_MODULES + 1], children[FUZZ_TREE_CHILDREN];
  size_t modules, children_count;
} Draft;

static void import(Draft *draft, size_t module)
{
  if (draft->children_count < FUZZ_TREE_CHILDREN) draft->children[draft->children_count++] = module;
}

static void import_some(Draft *draft, FuzzRandom *random, size_t module)
{
  if (module + 1 >= draft->modules) return;
  for (size_t left = fuzz_below(random, 4); left; --left)
    import(draft, module + 1 + fuzz_below(random, draft->modules - module - 1));
}

// Each shape adds the imports of one module, all of which come behind it.

static void add_alone(Draft *draft, FuzzRandom *random, size_t module)
{
  (void)draft, (void)random, (void)module;
}

static void add_chain(Draft *draft, FuzzRandom *random, size_t module)
{
  (void)random;
  if (module + 1 < draft->modules) import(draft, module + 1);
}

static void add_star(Draft *draft, FuzzRandom *random, size_t module)
{
  (void)random;
  for (size_t i = 1; module == 0 && i < draft->modules; ++i) import(draft, i);
}

// Every other module, and the two behind it, make a diamond with the next.
static void add_diamond(Draft *draft, FuzzRandom *random, size_t module)
{
  (void)random;
  size_t place = module % 3, next = module - place + 3;
  if (place == 0) {
    if (module + 1 < draft->modules) import(draft, module + 1);
    if (module + 2 < draft->modules) import(draft, module + 2);
  } else if (next < draft->modules) {
    import(draft, next);
  }
}

// One module twice: two paths a step.
static void add_double(Draft *draft, FuzzRandom *random, size_t module)
{
  add_chain(draft, random, module);
  add_chain(draft, random, module);
}

static void add_binary(Draft *draft, FuzzRandom *random, size_t module)
{
  (void)random;
  for (size_t child = 2 * module + 1; child <= 2 * module + 2 && child < draft->modules; ++child)
    import(draft, child);
}

// What a loader is given, of any size: bytes that texts are cut or changed at, then each byte once,
// then NULs.
enum { CONTENTS = 5120, EACH_BYTE = 64, NULS = EACH_BYTE + 256, NULS_END = NULS + 512 };

static const uint8_t *contents(FuzzRandom *random, size_t size)
{
  static uint8_t bytes[CONTENTS] =
      "\0\1\xff_lib\0\4\xef\xbb\xbftext\r\nline \t\n \x80\xc3\xa9%s%n\x1a\\n\0\0\"";
  for (size_t i = EACH_BYTE; bytes[CONTENTS - 1] == 0 && i < CONTENTS; ++i)
    bytes[i] = i < NULS || i >= NULS_END ? (uint8_t)((i - EACH_BYTE) % 255 + (i >= NULS_END)) : 0;
  return bytes + fuzz_below(random, fuzz_one_in(random, 2) ? EACH_BYTE : CONTENTS - size);
}

static LibraryBinBytes draw_value(FuzzRandom *random)
{
  static const size_t sizes[] = {1, 1, 2, 3, 7, 8, 9, 15, 16, 64, 500};
  static const size_t limits[] = {0,   4,   31,  32,  33,  63,   65,   127,  128,  129,
                                  255, 256, 257, 511, 512, 1000, 1024, 4095, 4096, 4097};
  size_t size = fuzz_one_in(random, 32)
                    ? limits[fuzz_below(random, sizeof limits / sizeof limits[0])]
                    : sizes[fuzz_below(random, sizeof sizes / sizeof sizes[0])];
  return (LibraryBinBytes){(const char *)contents(random, size), size};
}

static LibraryBinBytes draw_kind(FuzzRandom *random)
{
  if (fuzz_one_in(random, 4)) return (LibraryBinBytes){fuzz_kind_long, strlen(fuzz_kind_long)};
  if (fuzz_one_in(random, 256)) return (LibraryBinBytes){fuzz_kind_keeps, 5};
  return (LibraryBinBytes){fuzz_kind_short, strlen(fuzz_kind_short)};
}

static size_t draw_modules(FuzzRandom *random)
{
  size_t choice = fuzz_below(random, 128);
  if (choice == 0) return 1 + fuzz_below(random, fuzz_one_in(random, 8) ? 900 : 250);
  if (choice < 16) return 1 + fuzz_below(random, 96);
  return 1 + fuzz_below(random, 8);
}

static void write_draft(const Draft *draft, FuzzInput *out)
{
  LibraryBin tree = {draft->modules, draft->children_count, draft->rows, draft->children,
                     draft->entries};
  size_t size = library_bin_size(&tree);
  out->size = 0;
  if (size == 0 || size > out->room) return;
  library_bin_write(&tree, out->bytes);
  out->size = size;
}

// Gives module i the number `places[i]`, so that imports lead forward and back.
static void shuffle(Draft *draft, FuzzRandom *random)
{
  static Draft before;
  static size_t places[FUZZ_TREE_MODULES], modules[FUZZ_TREE_MODULES];
  before = *draft;
  for (size_t i = 0; i < draft->modules; ++i) modules[i] = i;
  for (size_t i = draft->modules; i > 1; --i) {
    size_t j = fuzz_below(random, i), kept = modules[i - 1];
    modules[i - 1] = modules[j];
    modules[j] = kept;
  }
  for (size_t i = 0; i < draft->modules; ++i) places[modules[i]] = i;
  draft->children_count = 0;
  for (size_t i = 0; i < draft->modules; ++i) {
    size_t from = modules[i];
    draft->entries[i] = before.entries[from];
    draft->rows[i] = draft->children_count;
    for (uint64_t at = before.rows[from]; at < before.rows[from + 1]; ++at)
      import(draft, places[before.children[at]]);
  }
  draft->rows[draft->modules] = draft->children_count;
}

void fuzz_tree_generate(FuzzRandom *random, FuzzInput *out)
{
  static void (*const shapes[])(Draft *, FuzzRandom *, size_t) = {
      add_alone,  add_chain,  add_star,    add_diamond,
      add_double, add_binary, import_some, import_some};
  static Draft draft;
  draft.modules = draw_modules(random);
  draft.children_count = 0;
  void (*add)(Draft *, FuzzRandom *, size_t) =
      shapes[fuzz_below(random, sizeof shapes / sizeof shapes[0])];
  size_t library = fuzz_one_in(random, 3) ? fuzz_below(random, draft.modules + 1) : 0;
  for (size_t i = 0; i < draft.modules; ++i) {
    draft.rows[i] = draft.children_count;
    add(&draft, random, i);
    draft.entries[i] = (LibraryBinEntry){
        .is_library = i == library, .kind = draw_kind(random), .value = draw_value(random)};
  }
  draft.rows[draft.modules] = draft.children_count;
  if (fuzz_one_in(random, 4)) shuffle(&draft, random);
  write_draft(&draft, out);
}

void fuzz_tree_sample(FuzzInput *out)
{
  static Draft draft = {
      .rows = {0, 2, 3, 4, 4}, .children = {1, 2, 3, 3}, .modules = 4, .children_count = 4};
  for (size_t i = 0; i < draft.modules; ++i)
    draft.entries[i] =
        (LibraryBinEntry){.is_library = i == 0, .kind = {fuzz_kind_short, 1}, .value = {"x", 1}};
  write_draft(&draft, out);
}

void fuzz_tree_nth(uint64_t index, FuzzInput *out)
{
  static const char *const kinds[FUZZ_TREE_EARLY] = {
      fuzz_kind_short,       fuzz_kind_stranger, fuzz_kind_fails,     fuzz_kind_none,
      fuzz_kind_thing,       fuzz_kind_number,   fuzz_kind_fails_1,   fuzz_kind_keeps,
      fuzz_kind_keeps_fails, fuzz_kind_loads,    fuzz_kind_threads,   fuzz_kind_long,
      fuzz_kind_private,     fuzz_kind_odd,      fuzz_kind_library_x, fuzz_kind_capital,
      fuzz_kind_laps,        fuzz_kind_strangest};
  static Draft draft = {
      .rows = {0, 2, 2, 2}, .children = {1, 2}, .modules = 3, .children_count = 2};
  const char *kind = kinds[index % FUZZ_TREE_EARLY];
  const bool laps = kind == fuzz_kind_laps;  // the library and another come behind it
  const size_t library = laps ? 2 : 0, with_kind = laps ? 0 : 2;
  draft.entries[library] = (LibraryBinEntry){.is_library = true};
  draft.entries[1] = (LibraryBinEntry){.kind = {fuzz_kind_short, 1}, .value = {"a", 1}};
  draft.entries[with_kind] = (LibraryBinEntry){.kind = {kind, strlen(kind)}, .value = {"b", 1}};
  write_draft(&draft, out);
}

void fuzz_tree_sample_inner(FuzzInput *out)
{
  static Draft draft = {.rows = {0, 1, 1}, .children = {1}, .modules = 2, .children_count = 1};
  draft.entries[0] =
      (LibraryBinEntry){.kind = {fuzz_kind_short, 1}, .value = {"the outer of two", 16}};
  draft.entries[1] =
      (LibraryBinEntry){.kind = {fuzz_kind_short, 1}, .value = {"the inner of two", 16}};
  write_draft(&draft, out);
}

// --- One thing wrong -----------------------------------------------------------------------------

typedef void Mutation(FuzzRandom *random, FuzzTree *tree);

static void change_row_count(FuzzRandom *random, FuzzTree *tree)
{
  tree->rows_announced = fuzz_odd_number(random, tree->row_count);
}

static void change_child_count(FuzzRandom *random, FuzzTree *tree)
{
  tree->children_announced = fuzz_odd_number(random, tree->child_count);
}

// One row, or none, with or without what would follow.
static void leave_few_rows(FuzzRandom *random, FuzzTree *tree)
{
  size_t rows = fuzz_below(random, 2);
  if (tree->row_count <= rows) return;
  tree->row_count = rows;
  tree->rows_announced = rows;
  if (fuzz_one_in(random, 2)) tree->children_announced = tree->child_count = 0;
  if (!fuzz_one_in(random, 3)) tree->entry_count = 0;
}

static void change_first_row(FuzzRandom *random, FuzzTree *tree)
{
  if (tree->row_count) tree->rows[0] = 1 + fuzz_below(random, tree->child_count + 2);
}

// A row in the middle that is more than those behind it.
static void let_rows_fall(FuzzRandom *random, FuzzTree *tree)
{
  if (tree->row_count < 3) return;
  size_t row = 1 + fuzz_below(random, tree->row_count - 2);
  tree->rows[row] = tree->rows[row + 1] + 1 + fuzz_below(random, 4);
}

// Two rows change places: they fall, and none is more than there are children.
static void swap_rows(FuzzRandom *random, FuzzTree *tree)
{
  if (tree->row_count < 4) return;
  size_t row = 1 + fuzz_below(random, tree->row_count - 3);
  uint64_t kept = tree->rows[row];
  tree->rows[row] = tree->rows[row + 1];
  tree->rows[row + 1] = kept;
}

static void change_last_row(FuzzRandom *random, FuzzTree *tree)
{
  if (tree->row_count) tree->rows[tree->row_count - 1] = fuzz_odd_number(random, tree->child_count);
}

static void change_any_row(FuzzRandom *random, FuzzTree *tree)
{
  if (tree->row_count == 0) return;
  size_t row = fuzz_below(random, tree->row_count);
  tree->rows[row] = fuzz_odd_number(random, tree->rows[row]);
}

static void change_child(FuzzRandom *random, FuzzTree *tree)
{
  if (tree->child_count == 0) return;
  uint64_t *child = &tree->children[fuzz_below(random, tree->child_count)];
  *child = fuzz_one_in(random, 2) ? fuzz_odd_number(random, tree->entry_count)
                                  : fuzz_below(random, tree->entry_count + 1);
}

// A child becomes the module that imports it, or one that stands before it.
static void lead_back(FuzzRandom *random, FuzzTree *tree)
{
  if (tree->child_count == 0 || tree->row_count < 2) return;
  size_t child = fuzz_below(random, tree->child_count), module = 0;
  while (module + 2 < tree->row_count && tree->rows[module + 1] <= child) ++module;
  tree->children[child] = fuzz_one_in(random, 2) ? module : fuzz_below(random, module + 1);
}

// One child more than the rows speak of, or less.
static void change_children(FuzzRandom *random, FuzzTree *tree)
{
  if (tree->entry_count == 0 || tree->child_count == FUZZ_TREE_CHILDREN) return;
  if (tree->child_count && fuzz_one_in(random, 2))
    --tree->child_count;
  else
    tree->children[tree->child_count++] = fuzz_below(random, tree->entry_count);
  tree->children_announced = tree->child_count;
}

// One import more, right in every respect.
static void add_import(FuzzRandom *random, FuzzTree *tree)
{
  if (tree->row_count < 2 || tree->child_count == FUZZ_TREE_CHILDREN || tree->entry_count == 0)
    return;
  size_t module = fuzz_below(random, tree->row_count - 1);
  size_t at = (size_t)tree->rows[module + 1];
  if (at > tree->child_count) return;
  memmove(&tree->children[at + 1], &tree->children[at],
          (tree->child_count - at) * sizeof tree->children[0]);
  tree->children[at] = fuzz_below(random, tree->entry_count);
  tree->children_announced = ++tree->child_count;
  for (size_t i = module + 1; i < tree->row_count; ++i) ++tree->rows[i];
}

static FuzzTreeEntry *draw_entry(FuzzRandom *random, FuzzTree *tree)
{
  return tree->entry_count ? &tree->entries[fuzz_below(random, tree->entry_count)] : NULL;
}

static void change_kind_length(FuzzRandom *random, FuzzTree *tree)
{
  FuzzTreeEntry *entry = draw_entry(random, tree);
  if (entry) entry->kind.announced = fuzz_odd_number(random, entry->kind.size);
}

static void change_value_length(FuzzRandom *random, FuzzTree *tree)
{
  FuzzTreeEntry *entry = draw_entry(random, tree);
  if (entry && entry->has_value)
    entry->value.announced = fuzz_odd_number(random, entry->value.size);
}

// The payload ends within the last value, of which a byte or more is there.
static void cut_value(FuzzRandom *random, FuzzTree *tree)
{
  if (tree->entry_count == 0 || tree->rest.size) return;
  FuzzString *value = &tree->entries[tree->entry_count - 1].value;
  if (!tree->entries[tree->entry_count - 1].has_value || value->size < 2) return;
  value->size = 1 + fuzz_below(random, value->size - 1);
}

static void empty_value(FuzzRandom *random, FuzzTree *tree)
{
  FuzzTreeEntry *entry = draw_entry(random, tree);
  if (entry && entry->has_value) entry->value = (FuzzString){entry->value.data, 0, 0};
}

static void change_value(FuzzRandom *random, FuzzTree *tree)
{
  FuzzTreeEntry *entry = draw_entry(random, tree);
  if (!entry || !entry->has_value) return;
  size_t size = fuzz_below(random, 64);
  entry->value = (FuzzString){contents(random, size), size, size};
}

static void change_kind(FuzzRandom *random, FuzzTree *tree)
{
  static const struct {
    const char *kind;
    size_t size;
  } kinds[] = {{"_lib", 4},
               {fuzz_kind_stranger, 8},
               {fuzz_kind_fails, 5},
               {fuzz_kind_none, 4},
               {fuzz_kind_thing, 5},
               {fuzz_kind_keeps, 5},
               {fuzz_kind_keeps_fails, 5},
               {"k", 2},
               {"", 0},
               {fuzz_kind_library_x, 5},
               {fuzz_kind_longer, 300},
               {fuzz_kind_odd, 3},
               {fuzz_kind_capital, 4},
               {fuzz_kind_private, 2},
               {fuzz_kind_fails_1, 5},
               {fuzz_kind_number, 6},
               {"k ", 2},
               {" k", 2},
               {"_li", 3},
               {"K", 1},
               {"_lib", 5},
               {"_import_tree", 12}};
  if (tree->entry_count == 0) return;
  size_t i = fuzz_below(random, sizeof kinds / sizeof kinds[0]);
  fuzz_tree_set_kind(tree, fuzz_below(random, tree->entry_count), kinds[i].kind, kinds[i].size);
}

// A kind that is nearly another one.
static void come_near(FuzzRandom *random, FuzzTree *tree)
{
  static const char *const others[] = {"k", "_lib", fuzz_kind_long};
  static const char *const more[] = {"\0",   " ",  "\n", "\t", "x", "2", "_", ".x",
                                     ";v=1", " x", "/x", "-",  ":", "k", ".", "\r\n"};
  static char kind[64];
  if (tree->entry_count == 0) return;
  const char *other = others[fuzz_below(random, sizeof others / sizeof others[0])];
  const char *end = more[fuzz_below(random, sizeof more / sizeof more[0])];
  size_t size = strlen(other), extra = *end ? strlen(end) : 1, at = fuzz_below(random, size);
  memcpy(kind, other, size);
  switch (fuzz_below(random, 6)) {
    case 0:  // in front of it
      memmove(kind + extra, kind, size);
      memcpy(kind, end, extra);
      size += extra;
      break;
    case 1:  // in capitals, all of it or one
      for (size_t i = fuzz_one_in(random, 2) ? at : 0; i <= at; ++i)
        kind[i] = (char)toupper((unsigned char)kind[i]);
      break;
    case 2:  // with other separators
      for (size_t i = 0; i < size; ++i)
        if (kind[i] == '_') kind[i] = '-';
      break;
    case 3:  // less of it
      if (size > 1 && fuzz_one_in(random, 2)) memmove(kind, kind + 1, size);
      if (size > 1) --size;
      break;
    default:
      memcpy(kind + size, end, extra);
      size += extra;
  }
  fuzz_tree_set_kind(tree, fuzz_below(random, tree->entry_count), kind, size);
}

// A kind that is nearly that of the library, with a value such that who takes it for the library reads
// a tree, too: its value is a kind then, and the kind of the library behind it the value.
static void hide_library(FuzzRandom *random, FuzzTree *tree)
{
  static const char *const kinds[] = {"_lib\0", "_lib ", "_lib\n", "_lib_",
                                      "_lib2",  "_lib.", " _lib"};
  static const char *const short_kinds[] = {"_Lib", "-lib", "lib_"};
  size_t library = 0;
  while (library < tree->entry_count && tree->entries[library].has_value) ++library;
  if (library == tree->entry_count || tree->entry_count < 2) return;
  size_t entry = library ? library - 1 : 0;
  if (fuzz_one_in(random, 4))
    fuzz_tree_set_kind(tree, entry, short_kinds[fuzz_below(random, 3)], 4);
  else
    fuzz_tree_set_kind(tree, entry, kinds[fuzz_below(random, sizeof kinds / sizeof kinds[0])], 5);
  tree->entries[entry].has_value = true;
  tree->entries[entry].value = (FuzzString){(const uint8_t *)fuzz_kind_short, 1, 1};
  fuzz_tree_set_kind(tree, entry + 1, "_lib", 4);
}

// A loader of the tree loads a library itself, which takes its time.
static void load_within(FuzzRandom *random, FuzzTree *tree)
{
  if (tree->entry_count == 0 || !fuzz_one_in(random, 8)) return;
  const uint64_t which = fuzz_below(random, 8);
  const char *kind = which == 0 ? fuzz_kind_threads : which == 1 ? fuzz_kind_laps : fuzz_kind_loads;
  fuzz_tree_set_kind(tree, fuzz_below(random, tree->entry_count), kind, strlen(kind));
}

static void drop_entry(FuzzRandom *random, FuzzTree *tree)
{
  if (tree->entry_count == 0) return;
  size_t entry = fuzz_below(random, tree->entry_count--);
  memmove(&tree->entries[entry], &tree->entries[entry + 1],
          (tree->entry_count - entry) * sizeof tree->entries[0]);
}

static void double_entry(FuzzRandom *random, FuzzTree *tree)
{
  if (tree->entry_count == 0 || tree->entry_count == FUZZ_TREE_MODULES) return;
  size_t entry = fuzz_below(random, tree->entry_count);
  tree->entries[tree->entry_count++] = tree->entries[entry];
}

static void add_bytes(FuzzRandom *random, FuzzTree *tree)
{
  if (tree->rest.size) return;
  size_t size = 1 + fuzz_below(random, 24);
  tree->rest = (FuzzString){contents(random, size), size, 0};
}

static Mutation *const mutations[] = {
    change_row_count, change_child_count, leave_few_rows, change_first_row,    let_rows_fall,
    swap_rows,        change_last_row,    change_any_row, change_child,        lead_back,
    add_import,       change_kind_length, cut_value,      change_value_length, empty_value,
    change_value,     change_kind,        drop_entry,     double_entry,        add_bytes,
    load_within,      hide_library,       come_near,      change_children};
enum { MUTATIONS = sizeof mutations / sizeof mutations[0] };

// The payload ends at any byte behind nbytes.
static void cut(FuzzRandom *random, FuzzInput *input)
{
  if (input->size <= 8) return;
  input->size = 8 + fuzz_below(random, input->size - 8);
  uint64_t follow = input->size - 8;
  memcpy(input->bytes, &follow, sizeof follow);
}

void fuzz_tree_mutate(FuzzRandom *random, FuzzInput *input)
{
  static FuzzTree tree;
  static uint8_t before[FUZZ_INPUT_MAX];
  size_t choice = fuzz_below(random, MUTATIONS + 2);
  if (choice >= MUTATIONS) {
    cut(random, input);
    return;
  }
  memcpy(before, input->bytes, input->size);
  if (!fuzz_tree_take_apart(&(FuzzInput){before, input->size, input->size}, &tree)) return;
  mutations[choice](random, &tree);
  size_t size = input->size;
  if (fuzz_tree_put_together(&tree, input)) return;
  memcpy(input->bytes, before, size);
  input->size = size;
}
