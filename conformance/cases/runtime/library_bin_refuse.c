// SPDX-License-Identifier: Apache-2.0
// Payloads that break one rule of the format, in one field.
#include <dlfcn.h>
#include <stdio.h>

#include "battery/faults.h"
#include "cases/runtime/library_bin_large.h"

CHAPTER(library_bin);

typedef enum Field { NBYTES, ROW_COUNT, ROW, CHILD_COUNT, CHILD, KIND, VALUE } Field;

static size_t place_of(const Payload *payload, Field field, size_t index)
{
  switch (field) {
    case ROW_COUNT:
      return AT_ROW_COUNT;
    case ROW:
      return at_row(index);
    case CHILD_COUNT:
      return at_child_count(payload);
    case CHILD:
      return at_child(payload, index);
    case KIND:
      return at_kind(payload, index);
    case VALUE:
      return at_value(payload, index);
    default:
      return AT_NBYTES;
  }
}

static int load_any_value(void *self, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  (void)args, (void)num_args;
  *result = view_of_object(self, load_node(self, 1));
  return 0;
}

// Enters a loader that makes a module of whatever value it is given: that of serve_nodes would
// itself refuse a value that a runtime has filled up with zeros, or cut off.
static void serve_any_value(Iut *iut)
{
  enter_function(iut, "ffi.Module.load_from_bytes.conform_node", iut, load_any_value);
}

// The payload loads.
static void expect_accepted(Iut *iut, const Carrier *carrier, Payload payload)
{
  TVMFFIObjectHandle module = NULL;
  note("the payload as it should be");
  carrier_place(carrier, payload.bytes, payload.size);
  require(expect_ok(iut, try_to_load(iut, carrier->path, &module)));
  release_object(iut, module);
}

// The payload does not load.
static void expect_refused_payload(Iut *iut, const Carrier *carrier, Payload payload)
{
  TVMFFIObjectHandle module = NULL;
  carrier_place(carrier, payload.bytes, payload.size);
  expect_error(iut, try_to_load(iut, carrier->path, &module), NULL);
}

// --- One number that is wrong --------------------------------------------------------------------

typedef struct Break {
  const char *name, *tree;
  Field field;
  size_t index;
  uint64_t number;
} Break;

static Payload broken_payload(const Break *row)
{
  Payload payload = payload_of(row->tree);
  return with_number(payload, place_of(&payload, row->field, row->index), row->number);
}

// The payload is refused: where no other was before, when it is loaded again, and in the place of the
// sound one, which a loader may know by its address and size.
static void expect_refused_again(Iut *iut, const Carrier *carrier, Payload sound, Payload broken)
{
  TVMFFIObjectHandle module = NULL;
  expect_refused_payload(iut, carrier, broken);
  note("once more");
  expect_error(iut, try_to_load(iut, carrier->path, &module), NULL);
  expect_accepted(iut, carrier, sound);
  note("in the place of the payload as it should be");
  replace_payload(carrier, &sound, &broken);
  expect_error(iut, try_to_load(iut, carrier->path, &module), NULL);
}

static void expect_break_refused(Iut *iut, const Break *row)
{
  serve_any_value(iut);
  Payload payload = payload_of(row->tree);
  Carrier carrier = carrier_open(payload.bytes, payload.size);
  expect_accepted(iut, &carrier, payload);
  note("with %" PRIu64 " at byte %zu", row->number, place_of(&payload, row->field, row->index));
  expect_refused_again(iut, &carrier, payload, broken_payload(row));
  carrier_close(&carrier);
}

static const Break counts[] = {
    {"one_row_more_than_there_is", "L:1 1", ROW_COUNT, 0, 11},
    {"rows_of_more_bytes_than_64_bits_hold", "L:1 1", ROW_COUNT, 0, UINT64_C(1) << 61},
    {"rows_whose_bytes_wrap_to_what_is_there", "L:1 1", ROW_COUNT, 0, (UINT64_C(1) << 61) + 3},
    {"rows_in_half_of_all_memory", "L:1 1", ROW_COUNT, 0, UINT64_C(1) << 63},
    {"as_many_rows_as_can_be_said", "L:1 1", ROW_COUNT, 0, UINT64_MAX},
    {"one_child_more_than_there_is", "L:1 1", CHILD_COUNT, 0, 7},
    {"children_of_more_bytes_than_64_bits_hold", "L:1 1", CHILD_COUNT, 0, UINT64_C(1) << 61},
    {"children_whose_bytes_wrap_to_what_is_there", "L:1 1", CHILD_COUNT, 0,
     (UINT64_C(1) << 61) + 1},
    {"children_in_half_of_all_memory", "L:1 1", CHILD_COUNT, 0, UINT64_C(1) << 63},
    {"as_many_children_as_can_be_said", "L:1 1", CHILD_COUNT, 0, UINT64_MAX},
};

CASE_ROWS(count_beyond_the_end_is_refused, counts, .clauses = {BIN_23},
          .title = "a number of rows or children that exceeds the remaining bytes is refused")
{
  expect_break_refused(iut, row);
}

static const struct {
  const char *name;
  uint64_t children;
} agreeing[] = {{"bytes_wrap_to_one", (UINT64_C(1) << 61) + 1},
                {"bytes_wrap_to_one_from_half_of_all", (UINT64_C(1) << 63) + 1},
                {"bytes_wrap_to_none", UINT64_C(1) << 62},
                {"far_more", 100000}};

// Ten entries in which every eight bytes are the number of a module, so that all of the payload may
// be children.
CASE_ROWS(
    count_that_the_rows_agree_with_is_refused, agreeing, .clauses = {BIN_23},
    .title = "more children than there are bytes for are refused, though the last row says so")
{
  enum { COUNT = 10 };
  static const char prefix[] = "ffi.Module.load_from_bytes.", zeros[8];
  char name[sizeof prefix - 1 + sizeof zeros] = "ffi.Module.load_from_bytes.";
  const uint64_t rows[COUNT + 1] = {0}, imports[] = {1};
  LibraryBinEntry entries[COUNT];
  for (size_t i = 0; i < COUNT; ++i)
    entries[i] = (LibraryBinEntry){.kind = {zeros, sizeof zeros}, .value = {zeros, sizeof zeros}};
  TVMFFIObjectHandle loader = new_function(iut, iut, load_any_value, NULL);
  TVMFFIByteArray bytes = {name, sizeof name};
  require(expect_ok(iut, iut->FunctionSetGlobal(&bytes, loader, 1)));
  Payload payload = payload_of_tree(&(LibraryBin){COUNT, 0, rows, imports, entries});
  Carrier carrier = carrier_open(payload.bytes, payload.size);
  expect_accepted(iut, &carrier, payload);
  note("with %" PRIu64 " children", row->children);
  Payload broken = with_number(payload, at_child_count(&payload), row->children);
  put_number(&broken, at_row(payload.modules), row->children);
  expect_refused_again(iut, &carrier, payload, broken);
  release_object(iut, loader);
  carrier_close(&carrier);
}

static const Break first_rows[] = {{"one", "L:1 1", ROW, 0, 1},
                                   {"all", "L:12 1 2", ROW, 0, 2},
                                   {"huge", "L:1 1", ROW, 0, UINT64_MAX}};

CASE_ROWS(first_row_is_0, first_rows, .clauses = {BIN_26},
          .title = "a first row other than 0 is refused")
{
  expect_break_refused(iut, row);
}

static const Break falling[] = {
    {"in_the_middle", "L:12 1:3 2:3 3", ROW, 2, 1},
    {"to_0", "L:12 1:3 2:3 3", ROW, 3, 0},
    {"behind_one_that_is_huge", "L:1 1:2 2", ROW, 1, UINT64_MAX},
    {"to_the_last", "L:1 1:2 2", ROW, 2, 3},
    {"behind_one_beyond_the_children", "L:1 1:2 2", ROW, 1, 3},
    {"behind_one_of_33_bits", "L:1 1:2 2", ROW, 1, (UINT64_C(1) << 32) + 1},
    // Nothing else is wrong with these: whatever a loader makes of the module whose row falls, no
    // row is more than there are children, and nothing imports itself.
    {"of_a_module_that_is_not_imported", "L:23 1 2 3", ROW, 2, 1},
    {"back_to_0", "L:1 1 2", ROW, 2, 0},
    {"of_a_module_that_is_imported", "L:1 1:2 2 3", ROW, 3, 1},
    {"by_two", "L:345 1 2 3 4 5", ROW, 3, 1},
    {"of_one_of_many_children", "L:345 1:5 2 3 4 5", ROW, 3, 3}};

CASE_ROWS(rows_never_fall, falling, .clauses = {BIN_27},
          .title = "a row that is less than the one before it is refused")
{
  expect_break_refused(iut, row);
}

static const Break last_rows[] = {{"one_less", "L:12 1 2", ROW, 3, 1},
                                  {"one_more", "L:12 1 2", ROW, 3, 3},
                                  {"none_of_one", "L 1", ROW, 2, 1},
                                  {"one_less_of_the_last_one", "L 1 2:11", ROW, 3, 1},
                                  {"none_of_the_last_one", "1 2:0", ROW, 2, 0},
                                  {"far_more", "L:12 1 2", ROW, 3, 100000},
                                  {"huge", "L:12 1 2", ROW, 3, UINT64_MAX},
                                  {"of_33_bits", "L:12 1 2", ROW, 3, (UINT64_C(1) << 32) + 2}};

CASE_ROWS(last_row_is_the_number_of_children, last_rows, .clauses = {BIN_28},
          .title = "a last row that is less or more than the number of children is refused")
{
  expect_break_refused(iut, row);
}

static const Break children[] = {{"first_number_behind", "L:1 1", CHILD, 0, 2},
                                 {"second_child", "L:12 1 2", CHILD, 1, 3},
                                 {"of_the_last_module", "L:1 1:2 2", CHILD, 1, 3},
                                 {"of_33_bits", "L:1 1", CHILD, 0, (UINT64_C(1) << 32) + 1},
                                 {"bytes_that_wrap", "L:1 1", CHILD, 0, (UINT64_C(1) << 61) + 1},
                                 {"half_of_all", "L:1 1", CHILD, 0, UINT64_C(1) << 63},
                                 {"last_number", "L:1 1", CHILD, 0, UINT64_MAX}};

CASE_ROWS(child_is_one_of_the_modules, children, .clauses = {BIN_29},
          .title = "a child that is not a module of the tree is refused")
{
  expect_break_refused(iut, row);
}

// tvm-ffi's reader wires cycles, whose look-ups do not end and which are never released.
static const Break cycles[] = {{"root_imports_itself", "L:1 1", CHILD, 0, 0},
                               {"child_imports_itself", "L:1 1:2 2", CHILD, 1, 1},
                               {"two", "L:1 1:2 2", CHILD, 1, 0},
                               {"three", "L:1 1:2 2:3 3", CHILD, 2, 0},
                               {"below_the_root", "L:1 1:2 2:3 3:4 4", CHILD, 3, 1},
                               {"one_of_two_children", "L:12 1:3 2:4 3 4", CHILD, 3, 0},
                               {"not_reached_from_the_root", "L 1:2 2:3 3", CHILD, 1, 1},
                               {"imports_itself_unreached", "L 1:2 2", CHILD, 0, 1}};

CASE_ROWS(nothing_imports_itself, cycles, .clauses = {BIN_30},
          .title = "a tree with a cycle of imports is refused")
{
  expect_break_refused(iut, row);
}

static const struct {
  const char *name;
  size_t modules;
} long_cycles[] = {{"of_70", 70}, {"of_300", 300}, {"of_1000", 1000}};

CASE_ROWS(long_cycle_is_refused, long_cycles, .clauses = {BIN_30},
          .title = "a chain of imports that ends where it begins is refused, however long it is")
{
  serve_any_value(iut);
  Payload chain = payload_of_large(CHAIN, row->modules + 1);
  Carrier carrier = carrier_open(chain.bytes, chain.size);
  expect_accepted(iut, &carrier, chain);
  note("with an import of module 1 by the one before the last");
  expect_refused_payload(iut, &carrier, with_number(chain, at_child(&chain, row->modules - 1), 1));
  carrier_close(&carrier);
}

static const struct {
  const char *name, *tree;
} alone[] = {{"library", "L:0"}, {"custom", "1:0"}, {"library_twice", "L:00"}};

CASE_ROWS(only_module_does_not_import_itself, alone, .clauses = {BIN_30},
          .title = "a tree of one module that imports itself is refused")
{
  serve_any_value(iut);
  Payload payload = payload_of(row->tree), whole = payload_of("L");
  Carrier carrier = carrier_open(whole.bytes, whole.size);
  expect_accepted(iut, &carrier, whole);
  note("with an import of itself");
  expect_refused_payload(iut, &carrier, payload);
  carrier_close(&carrier);
}

static const Break kinds[] = {{"one_more_than_remains", "L:1 1", KIND, 1, 22},
                              {"of_the_library", "1:1 L", KIND, 1, 5},
                              {"first_of_two", "L:1 1", KIND, 0, 38},
                              {"of_32_bits", "L:1 1", KIND, 1, UINT64_C(1) << 32},
                              {"of_33_bits", "L:1 1", KIND, 1, (UINT64_C(1) << 32) + 12},
                              {"ends_before_it_begins", "L:1 1", KIND, 1, UINT64_MAX - 7},
                              {"last_number", "L:1 1", KIND, 1, UINT64_MAX}};

CASE_ROWS(kind_ends_with_the_payload, kinds, .clauses = {BIN_31},
          .title = "a kind that is longer than the remaining bytes is refused")
{
  expect_break_refused(iut, row);
}

static const Break values[] = {{"one_more_than_remains", "L:1 1", VALUE, 1, 2},
                               {"before_others", "1:1 L", VALUE, 0, 14},
                               {"of_32_bits", "L:1 1", VALUE, 1, (UINT64_C(1) << 32) + 1},
                               {"ends_before_it_begins", "L:1 1", VALUE, 1, UINT64_MAX - 7},
                               {"last_number", "L:1 1", VALUE, 1, UINT64_MAX}};

CASE_ROWS(value_ends_with_the_payload, values, .clauses = {BIN_32},
          .title = "a value that is longer than the remaining bytes is refused")
{
  expect_break_refused(iut, row);
}

// --- Payloads that are cut short -----------------------------------------------------------------

// Every payload that ends before byte `index` to `index` + bytes - 1 of the field.
typedef struct Cut {
  const char *name, *tree;
  Field field;
  size_t index, first, bytes;
} Cut;

// The payload as far as byte `end`, which is what its size says.
static Payload cut_at(Payload payload, size_t end)
{
  payload.size = end;
  return with_number(payload, AT_NBYTES, end - 8);
}

static void expect_cuts_refused(Iut *iut, const Cut *row)
{
  serve_any_value(iut);
  Payload payload = payload_of(row->tree);
  Carrier carrier = carrier_open(payload.bytes, payload.size);
  expect_accepted(iut, &carrier, payload);
  size_t start = place_of(&payload, row->field, row->index) + row->first;
  for (size_t end = start; end < start + row->bytes; ++end) {
    note("cut before byte %zu of %zu", end, payload.size);
    expect_refused_payload(iut, &carrier, cut_at(payload, end));
  }
  carrier_close(&carrier);
}

static const Cut cut_numbers[] = {{"number_of_rows", "L:1 1", ROW_COUNT, 0, 0, 8},
                                  {"number_of_children", "L:1 1", CHILD_COUNT, 0, 0, 8},
                                  {"length_of_the_first_kind", "L:1 1", KIND, 0, 0, 8},
                                  {"length_of_the_last_kind", "L:1 1", KIND, 1, 0, 8},
                                  {"length_of_the_kind_of_the_library", "1:1 L", KIND, 1, 0, 8},
                                  {"length_of_a_value", "1:1 L", VALUE, 0, 0, 8},
                                  {"length_of_the_last_value", "L:1 1", VALUE, 1, 0, 8}};

CASE_ROWS(number_cut_short_is_refused, cut_numbers, .clauses = {BIN_22},
          .title = "a payload that ends before or within a number is refused, at each byte")
{
  expect_cuts_refused(iut, row);
}

// What is made of it as if zeros stood behind it is the same as of the whole.
CASE(length_of_nothing_cut_short_is_refused, .clauses = {BIN_22},
     .title = "a payload that ends within the length of an empty value is refused, at each byte")
{
  const uint64_t rows[] = {0, 1, 1}, imports[] = {1};
  const LibraryBinEntry entries[] = {{.is_library = true},
                                     {.kind = {node_kind, sizeof node_kind - 1}}};
  TVMFFIObjectHandle module = NULL;
  serve_any_value(iut);
  Payload payload = payload_of_tree(&(LibraryBin){2, 1, rows, imports, entries});
  Carrier carrier = carrier_open(payload.bytes, payload.size);
  if (try_to_load(iut, carrier.path, &module) != 0)
    case_not_applicable("an empty value is refused as a whole (BIN-6)");
  release_object(iut, module);
  for (size_t missing = 1; missing <= 8; ++missing) {
    note("%zu of 8 bytes of the length are missing", missing);
    expect_refused_payload(iut, &carrier, cut_at(payload, payload.size - missing));
  }
  carrier_close(&carrier);
}

static const Cut cut_vectors[] = {{"first_row", "L:1 1", ROW, 0, 0, 8},
                                  {"last_row", "L:1 1", ROW, 2, 0, 8},
                                  {"first_child", "L:12 1 2", CHILD, 0, 0, 8},
                                  {"last_child", "L:12 1 2", CHILD, 1, 0, 8}};

CASE_ROWS(vector_cut_short_is_refused, cut_vectors, .clauses = {BIN_23},
          .title = "a payload that ends within its rows or children is refused, at each byte")
{
  expect_cuts_refused(iut, row);
}

static const Cut cut_kinds[] = {{"of_the_library", "L:1 1", KIND, 0, 8, 4},
                                {"of_the_library_at_the_end", "1:1 L", KIND, 1, 8, 4},
                                {"of_another", "L:1 1", KIND, 1, 8, 12}};

CASE_ROWS(kind_cut_short_is_refused, cut_kinds, .clauses = {BIN_31},
          .title = "a payload that ends within a kind is refused, at each byte")
{
  expect_cuts_refused(iut, row);
}

static const struct {
  const char *name;
  size_t size;
} cut_values[] = {{"small", 7},           {"of_two_words", 16},   {"large", 100},
                  {"of_256_octets", 256}, {"of_300_octets", 300}, {"of_64_kib", 65536}};

CASE_ROWS(value_cut_short_is_refused, cut_values, .clauses = {BIN_32},
          .title = "a payload that ends within a value is refused, at each byte")
{
  static char octets[65536];
  const uint64_t rows[] = {0, 1, 1}, imports[] = {1};
  memset(octets, '7', sizeof octets);
  const LibraryBinEntry entries[] = {
      {.is_library = true},
      {.kind = {node_kind, sizeof node_kind - 1}, .value = {octets, row->size}}};
  serve_any_value(iut);
  Payload payload = payload_of_tree(&(LibraryBin){2, 1, rows, imports, entries});
  Carrier carrier = carrier_open(payload.bytes, payload.size);
  expect_accepted(iut, &carrier, payload);
  // Of a large one, not each number of octets.
  for (size_t missing = 1; missing <= row->size; missing += 1 + missing / 16) {
    note("%zu of %zu octets of the value are missing", missing, row->size);
    expect_refused_payload(iut, &carrier, cut_at(payload, payload.size - missing));
  }
  carrier_close(&carrier);
}

// --- No modules, and too many bytes --------------------------------------------------------------

static const struct {
  const char *name;
  size_t rows;
  bool entry;  // whether there is one all the same
} empty_trees[] = {{"no_rows", 0, false},
                   {"one_row", 1, false},
                   {"no_rows_but_an_entry", 0, true},
                   {"one_row_and_an_entry", 1, true}};

CASE_ROWS(tree_has_a_module, empty_trees, .clauses = {BIN_25},
          .title = "a payload with no rows or one row only is refused")
{
  Payload whole = payload_of("L"), payload = whole;
  Carrier carrier = carrier_open(whole.bytes, whole.size);
  expect_accepted(iut, &carrier, whole);
  note("with %zu rows", row->rows);
  payload.bytes = calloc(1, whole.size);
  payload.size = AT_ROWS + 8 * row->rows + 8 + (row->entry ? 12 : 0);
  if (!payload.bytes) case_inconclusive("no memory for a payload");
  put_number(&payload, AT_NBYTES, payload.size - 8);
  put_number(&payload, AT_ROW_COUNT, row->rows);
  if (row->entry) memcpy(payload.bytes + payload.size - 12, whole.bytes + whole.size - 12, 12);
  expect_refused_payload(iut, &carrier, payload);
  carrier_close(&carrier);
}

static const struct {
  const char *name, *tree;
  size_t bytes;
  const char *more;
} trailing[] = {{"one_byte", "L:1 1", 1, "\0"},
                {"seven_bytes", "L", 7, "\0\0\0\0\0\0\0"},
                {"empty_value_of_the_library", "1:1 L", 8, "\0\0\0\0\0\0\0\0"},
                {"another_library", "1", 12, "\4\0\0\0\0\0\0\0_lib"},
                {"another_entry", "L", 29,
                 "\14\0\0\0\0\0\0\0conform_node\1\0\0\0\0\0\0\0"
                 "3"},
                {"page_of_zeros", "L:1 1", 0, NULL}};

CASE_ROWS(nothing_stands_behind_the_last_entry, trailing, .clauses = {BIN_33},
          .title = "a payload with bytes after its last entry is refused")
{
  serve_any_value(iut);
  Payload whole = payload_of(row->tree), payload = whole;
  Carrier carrier = carrier_open(whole.bytes, whole.size);
  expect_accepted(iut, &carrier, whole);
  size_t more = row->more ? row->bytes : 4096;
  note("with %zu bytes more", more);
  payload.bytes = calloc(1, whole.size + more);
  if (!payload.bytes) case_inconclusive("no memory for a payload");
  memcpy(payload.bytes, whole.bytes, whole.size);
  if (row->more) memcpy(payload.bytes + whole.size, row->more, more);
  payload.size += more;
  put_number(&payload, AT_NBYTES, payload.size - 8);
  expect_refused_payload(iut, &carrier, payload);
  carrier_close(&carrier);
}

static const struct {
  const char *name, *tree;
  size_t behind;  // bytes that nbytes does not speak of
} ends[] = {{"ends_with_a_value_and_a_page", "L:1 1", 0},
            {"ends_with_the_library_and_a_page", "1:1 L", 0},
            {"ends_with_a_value_and_rubbish", "L:1 1", 100},
            {"ends_with_the_library_and_rubbish", "1:1 L", 100},
            {"library_alone_and_a_page", "L", 0}};

CASE_ROWS(nothing_behind_the_payload_is_read, ends, .clauses = {BIN_21},
          .title = "bytes after the payload are not read and do not change the result")
{
  NodeLoads *loads = serve_nodes(iut);
  Payload whole = payload_of(row->tree), payload = whole;
  payload.size += row->behind;
  payload.bytes = malloc(payload.size);
  if (!payload.bytes) case_inconclusive("no memory for a payload");
  memset(payload.bytes, 0xff, payload.size);
  memcpy(payload.bytes, whole.bytes, whole.size);
  TVMFFIObjectHandle root = load_payload(iut, payload);
  expect_tree(iut, root, row->tree);
  forget_loads(iut, loads);
  release_object(iut, root);
}

// Whether a payload that is cut is refused is another matter (BIN-32): its end must not be crossed.
static const struct {
  const char *name;
  size_t size;     // of the value
  size_t missing;  // octets of it
} large_cuts[] = {{"one_of_256", 256, 1},       {"half_of_256", 256, 128},
                  {"all_of_256", 256, 256},     {"one_of_1000", 1000, 1},
                  {"most_of_1000", 1000, 900},  {"one_of_a_page", 4096, 1},
                  {"one_of_100000", 100000, 1}, {"most_of_100000", 100000, 99000}};

CASE_ROWS(
    nothing_behind_a_cut_value_is_read, large_cuts, .clauses = {BIN_21},
    .title = "nothing behind a payload of 256 bytes and more is read that ends within a value")
{
  const uint64_t rows[] = {0, 1, 1}, imports[] = {1};
  char *octets = malloc(row->size);
  if (!octets) case_inconclusive("no memory for a value");
  memset(octets, 'v', row->size);
  const LibraryBinEntry entries[] = {
      {.is_library = true},
      {.kind = {node_kind, sizeof node_kind - 1}, .value = {octets, row->size}}};
  serve_any_value(iut);
  Payload payload = payload_of_tree(&(LibraryBin){2, 1, rows, imports, entries});
  Carrier carrier = carrier_open(payload.bytes, payload.size);
  expect_accepted(iut, &carrier, payload);
  note("%zu of %zu octets of the value are missing", row->missing, row->size);
  Payload cut = cut_at(payload, payload.size - row->missing);
  TVMFFIObjectHandle module = NULL;
  carrier_place(&carrier, cut.bytes, cut.size);
  if (try_to_load(iut, carrier.path, &module) != 0)
    release_object(iut, take_error(iut));
  else
    release_object(iut, module);
  release_object(iut, load_payload(iut, payload_of("L")));
  carrier_close(&carrier);
  free(octets);
}

static const struct {
  const char *name;
  int behind;  // what each byte behind the payload is
} rooms[] = {{"of_zeros", 0}, {"of_garbage", 0xff}};

CASE_ROWS(
    symbol_may_have_more_room, rooms, .clauses = {BIN_21},
    .title = "a payload is loaded that takes a part of the bytes of its symbol in the library")
{
  enum { ROOM = 4096 };
  static const char tree[] = "L:1 1";
  NodeLoads *loads = serve_nodes(iut);
  Payload payload = payload_of(tree);
  Carrier library = {.path = library_path_of("fuzz_carrier_small.so")};
  library.handle = dlopen(library.path, RTLD_NOW | RTLD_LOCAL);
  if (!library.handle) case_inconclusive("cannot open %s: %s", library.path, dlerror());
  char *place = carrier_symbol(&library, "__tvm_ffi__library_bin");
  memset(place, row->behind, ROOM);
  memcpy(place, payload.bytes, payload.size);
  TVMFFIObjectHandle root = load_path(iut, library.path);
  expect_tree(iut, root, tree);
  forget_loads(iut, loads);
  release_object(iut, root);
  carrier_close(&library);
}

// --- Nothing is made, nothing is spent -----------------------------------------------------------

static const Break late[] = {
    {"last_row", "1:1 L", ROW, 2, 0},        {"child", "1:1 L", CHILD, 0, 2},
    {"cycle", "1:1 L", CHILD, 0, 0},         {"kind_of_the_last_entry", "1:1 L", KIND, 1, 5},
    {"last_value", "1:1 2", VALUE, 1, 2},    {"last_value_of_all", "1:1 2", VALUE, 1, UINT64_MAX},
    {"bytes_are_left", "1:1 2", VALUE, 1, 0}};

CASE_ROWS(nothing_is_made_of_a_refused_payload, late, .clauses = {BIN_34},
          .title = "no loader is called for a refused payload, however late the defect comes")
{
  NodeLoads *loads = serve_nodes(iut);
  Payload payload = payload_of(row->tree);
  Carrier carrier = carrier_open(payload.bytes, payload.size);
  expect_accepted(iut, &carrier, payload);
  require(expect_that(loads->calls > 0, "calls of the loader", "none"));
  expect_loads_released(iut, loads);
  expect_refused_payload(iut, &carrier, broken_payload(row));
  expect_int("calls of the loader", loads->calls, 0);
  carrier_close(&carrier);
}

// The most address space that this process has had, in KiB.
static int64_t most_memory(void)
{
  char line[128];
  long long most = -1;
  FILE *status = fopen("/proc/self/status", "re");
  if (!status) case_inconclusive("cannot measure how much memory was used");
  while (fgets(line, sizeof line, status))
    if (sscanf(line, "VmPeak: %lld", &most) == 1) break;
  fclose(status);
  if (most < 0) case_inconclusive("cannot measure how much memory was used");
  return most;
}

// tvm-ffi's reader takes 2 GiB for a payload of 84 bytes.
static const Break greedy[] = {
    {"rows", "L:1 1", ROW_COUNT, 0, 5000000},
    {"children", "L:1 1", CHILD_COUNT, 0, 5000000},
    {"kind", "L:1 1", KIND, 1, 40000000},
    {"value", "L:1 1", VALUE, 1, 40000000},
    {"child_of_ten_modules", "L:123456789 1 2 3 4 5 6 7 8 9", CHILD, 8, 200}};

CASE_ROWS(memory_is_not_spent_on_what_is_not_there, greedy, .clauses = {BIN_24},
          .title = "refusing a short payload takes little memory, whatever sizes it states")
{
  serve_any_value(iut);
  Payload payload = payload_of(row->tree),
          small = with_number(payload, AT_ROW_COUNT, payload.modules + 9);
  Carrier carrier = carrier_open(payload.bytes, payload.size);
  TVMFFIObjectHandle module = NULL;
  expect_accepted(iut, &carrier, payload);
  carrier_place(&carrier, small.bytes, small.size);
  try_to_load(iut, carrier.path, &module);
  release_object(iut, take_error(iut));
  int64_t before = most_memory();
  if (!faults_unavailable()) faults_watch(0, FAULTS_ONCE);
  note("with %" PRIu64 " at byte %zu", row->number, place_of(&payload, row->field, row->index));
  expect_refused_payload(iut, &carrier, broken_payload(row));
  int64_t taken = most_memory() - before;
  expect_that(taken < 1024, "less than 1 MiB of memory was taken", "%" PRId64 " KiB", taken);
  // (What was taken before, and given back, is taken again without a trace in that number.)
  if (!faults_unavailable()) {
    size_t most = faults_unwatch().most;
    expect_that(most < 1 << 20, "less than 1 MiB of memory held together", "%zu KiB", most >> 10);
    faults_forget();
  }
  carrier_close(&carrier);
}
