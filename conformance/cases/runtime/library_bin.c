// SPDX-License-Identifier: Apache-2.0
// Trees that load: which modules they become, and who imports whom.
#include <inttypes.h>
#include <stdint.h>
#include <stdlib.h>

#include "cases/runtime/library_bin_tree.h"

CHAPTER(library_bin);

typedef struct TreeRow {
  const char *name, *tree;
} TreeRow;

// Loads the tree, and wants it to be what the text says. Returns how many modules the loader gave.
static unsigned expect_loaded_tree(Iut *iut, const char *tree)
{
  NodeLoads *loads = serve_nodes(iut);
  TVMFFIObjectHandle root = load_payload(iut, payload_of(tree));
  expect_tree(iut, root, tree);
  unsigned calls = loads->calls;
  forget_loads(iut, loads);
  release_object(iut, root);
  return calls;
}

// The entries of nodes in a tree.
static unsigned nodes_in(const char *tree)
{
  const TreeText text = tree_text(tree);
  unsigned nodes = 0;
  for (size_t i = 0; i < text.modules; ++i) nodes += *text.entries[i] != 'L';
  return nodes;
}

static const TreeRow roots[] = {{"library", "L:1 1"},
                                {"custom", "5:1 L"},
                                {"custom_alone", "9"},
                                {"imported_by_another", "L 1:0"},
                                {"custom_imported_by_the_library", "7 L:0"}};

CASE_ROWS(first_entry_is_loaded, roots, .clauses = {BIN_1},
          .title = "a load gives the module of the first entry, whatever it is")
{
  expect_loaded_tree(iut, row->tree);
}

static const TreeRow libraries[] = {{"alone", "L"}, {"root", "L:12 1 2"}};

CASE_ROWS(library_entry_is_the_library, libraries, .clauses = {BIN_2},
          .title = "the module of `_lib` has the functions of the file")
{
  serve_nodes(iut);
  TVMFFIObjectHandle root = load_payload(iut, payload_of(row->tree));
  expect_function(iut, root, "self", false, CARRIER_SELF);
  expect_function(iut, root, "of_carrier", false, 1000);
  expect_function(iut, root, "main", false, 4711);
  release_object(iut, root);
}

static const TreeRow places[] = {{"first", "L:12 1 2"},          {"in_the_middle", "1:12 L 2"},
                                 {"last", "1:12 2 L"},           {"last_of_two", "1:1 L"},
                                 {"missing", "1:12 2 3"},        {"missing_alone", "4"},
                                 {"below_two", "1:12 2:3 3:3 L"}};

CASE_ROWS(library_stands_anywhere, places, .clauses = {BIN_3},
          .title = "a tree loads wherever the library is in it, and without one")
{
  expect_loaded_tree(iut, row->tree);
}

static const TreeRow shapes[] = {
    {"nothing_but_the_library", "L"},
    {"chain", "L:1 1:2 2:3 3:4 4"},
    {"long_chain", "L:1 1:2 2:3 3:4 4:5 5:6 6:7 7:8 8:9 9:a a:b b:c c:d d:e e:f f"},
    {"star", "L:123456789abcdef 1 2 3 4 5 6 7 8 9 a b c d e f"},
    {"star_in_reverse", "L:54321 1 2 3 4 5"},
    {"binary_tree", "L:12 1:34 2:56 3 4 5 6"},
    {"some_import_nothing", "L:14 1:23 2 3 4:56 5 6"},
    {"custom_root_over_the_library", "3:1 L:23 1 2"},
    {"last_one_imports_all", "1:4 2 3 L 4:123"},
    {"without_the_library", "1:12 2 3"},
    {"two_layers", "L:1234 1:56 2:65 3:55 4:66 5 6"}};

CASE_ROWS(rows_say_who_imports_whom, shapes, .clauses = {BIN_9},
          .title = "each module imports its children, and what these import is found through it")
{
  expect_loaded_tree(iut, row->tree);
}

// Loads the tree, and wants the fields of its modules to be what the text says.
static void expect_tree_of_fields(Iut *iut, const char *tree)
{
  const TreeText text = tree_text(tree);
  TVMFFIObjectHandle seen[TREE_MODULES] = {NULL};
  serve_nodes(iut);
  TVMFFIObjectHandle root = load_payload(iut, payload_of(tree));
  expect_imports(EXPECT_HERE_, iut, &text, seen, 0, root);
  release_object(iut, root);
}

CASE_ROWS(imports_have_the_order_of_the_children, shapes, .clauses = {BIN_45},
          .title = "the field of each module holds its children, in their order")
{
  expect_tree_of_fields(iut, row->tree);
}

static const TreeRow shared[] = {{"diamond", "L:12 1:3 2:3 3"},
                                 {"twice_in_a_row", "L:11 1"},
                                 {"twice_with_another_between", "L:121 1 2"},
                                 {"by_three", "L:123 1:4 2:4 3:4 4"},
                                 {"by_root_and_leaf", "L:13 1:2 2:3 3"},
                                 {"library", "1:23 L 2:1 3:1"},
                                 {"diamonds_in_a_chain", "L:12 1:3 2:3 3:45 4:6 5:6 6"}};

CASE_ROWS(module_of_two_importers_is_one, shared, .clauses = {BIN_10},
          .title = "a module that stands in several places of the rows is made once")
{
  expect_int("calls of the loader", expect_loaded_tree(iut, row->tree), nodes_in(row->tree));
}

CASE_ROWS(module_of_two_importers_is_one_object, shared, .clauses = {BIN_45},
          .title = "a module that stands in several places of the rows is one object in all fields")
{
  expect_tree_of_fields(iut, row->tree);
}

static const TreeRow orders[] = {{"child_before_its_parent", "L:2 1 2:1"},
                                 {"chain_upwards", "L:3 1 2:1 3:2"},
                                 {"library_before_its_importer", "1:2 L 2:1"},
                                 {"to_and_fro", "L:4 1:3 2 3:2 4:1"}};

CASE_ROWS(modules_stand_in_any_order, orders, .clauses = {BIN_11},
          .title = "a module may stand before or behind those that it imports")
{
  expect_loaded_tree(iut, row->tree);
}

CASE(importer_keeps_a_module_that_others_import, .clauses = {MOD_41},
     .title = "a module that two import stays alive with one of them when the other one ends")
{
  static const struct {
    unsigned kept;  // of the calls of the loader
  } importers[] = {{0}, {1}};
  for (size_t i = 0; i < sizeof importers / sizeof importers[0]; ++i) {
    NodeLoads *loads = serve_nodes(iut);
    TVMFFIObjectHandle root = load_payload(iut, payload_of("L:12 1:3 2:3 3"));
    require(expect_int("calls of the loader", loads->calls, 3));
    TVMFFIObjectHandle kept = loads->modules[importers[i].kept];
    iut->ObjectIncRef(kept);
    note("when module %u alone is kept", importers[i].kept + 1);
    release_object(iut, root);
    require(expect_that(object_strong(iut, loads->modules[2]) > 0, "module 3 that is kept",
                        "nobody keeps it"));
    expect_function(iut, kept, "only_3", true, 3);
    release_object(iut, kept);
    expect_loads_released(iut, loads);
  }
}

// --- Look-ups through the imports of a tree ------------------------------------------------------

// Where `shared`, which all nodes have, and `odd`, which every other one has, are found.
static const struct {
  const char *name, *tree;
  int64_t shared, odd;
} searches[] = {{"first_child", "L:12 1 2", 1, 1},
                {"second_child", "L:21 1 2", 2, 1},
                {"below_before_beside", "L:12 4:3 6 5", 4, 5},
                {"beside_when_not_below", "L:12 4:3 7 6", 4, 7},
                {"root_first", "8:1 9", 8, 9},
                {"library_has_neither", "2:12 L:3 6 1", 2, 1},
                {"order_of_the_row_counts", "L:321 1 3 5", 5, 5}};

CASE_ROWS(
    look_ups_go_through_the_children, searches, .clauses = {MOD_36},
    .title = "a look-up searches the children in the order of the row, each with its own imports")
{
  serve_nodes(iut);
  TVMFFIObjectHandle root = load_payload(iut, payload_of(row->tree));
  expect_function(iut, root, "shared", true, row->shared);
  expect_function(iut, root, "odd", true, row->odd);
  release_object(iut, root);
}

// --- Modules that nobody imports -----------------------------------------------------------------

static const struct {
  const char *name, *tree;
  unsigned reachable;  // of the modules that loaders make
} forgotten[] = {{"one", "L:1 1 2", 1},
                 {"all_others", "L 1 2 3", 0},
                 {"that_imports_the_root", "1 L 2:0", 1},
                 {"tree", "L:1 1 2:34 3 4", 1}};

CASE_ROWS(modules_without_importer_do_no_harm, forgotten, .clauses = {BIN_12},
          .title = "a tree loads with modules that nothing imports")
{
  expect_loaded_tree(iut, row->tree);
}

CASE_ROWS(modules_without_importer_are_released, forgotten, .clauses = {BIN_42}, .wrong_call = true,
          .title = "modules that nothing imports are made, and released before the load returns")
{
  NodeLoads *loads = serve_nodes(iut);
  unsigned kept = 0;
  TVMFFIObjectHandle root = load_payload(iut, payload_of(row->tree));
  expect_int("calls of the loader", loads->calls, nodes_in(row->tree));
  for (unsigned i = 0; i < loads->calls; ++i) kept += object_strong(iut, loads->modules[i]) > 0;
  expect_int("modules that are kept", kept, row->reachable);
  release_object(iut, root);
  expect_loads_released(iut, loads);
}

// --- Many modules --------------------------------------------------------------------------------

// The payload of the library that imports all of `count` nodes, or the first of a chain of them.
static Payload payload_of_many(size_t count, bool chain)
{
  uint64_t *rows = calloc(count + 2, sizeof *rows), *children = calloc(count, sizeof *children);
  LibraryBinEntry *entries = calloc(count + 1, sizeof *entries);
  if (!rows || !children || !entries) case_inconclusive("no memory for a tree");
  entries[0].is_library = true;
  for (size_t i = 0; i < count; ++i) {
    children[i] = i + 1;
    rows[i + 1] = chain ? i + 1 : count;
    entries[i + 1].kind = (LibraryBinBytes){node_kind, sizeof node_kind - 1};
    entries[i + 1].value = (LibraryBinBytes){i % 2 ? "1" : "2", 1};
  }
  rows[count + 1] = count;
  return payload_of_tree(&(LibraryBin){count + 1, count, rows, children, entries});
}

static const struct {
  const char *name;
  bool chain;
} many[] = {{"beside_each_other", false}, {"behind_each_other", true}};

CASE_ROWS(many_modules_load, many, .clauses = {BIN_45},
          .title = "a tree of 120 modules loads, with every module in its place")
{
  enum { COUNT = 120 };
  NodeLoads *loads = serve_nodes(iut);
  TVMFFIObjectHandle root = load_payload(iut, payload_of_many(COUNT, row->chain)), at = root;
  expect_int("calls of the loader", loads->calls, COUNT);
  for (int i = 0; i < COUNT; ++i) {
    TVMFFIObjectHandle import = import_at(iut, at, row->chain ? 0 : i);
    expect_function(iut, import, "self", false, i % 2 ? 1 : 2);
    if (row->chain) at = import;
  }
  expect_int("imports of the last one", number_of_imports(iut, at), row->chain ? 0 : COUNT);
  release_object(iut, root);
}

// --- A library that brings its loader ------------------------------------------------------------

static Iut *constructing_iut;

// What the constructor of the library calls.
static void register_own_loader(void)
{
  serve_nodes(constructing_iut);
}

CASE(library_brings_its_loader, .clauses = {BIN_44},
     .title = "a tree loads with a kind whose loader a constructor of the library registers")
{
  static const char path[] = "constructing.so";
  void (*call)(void) = register_own_loader;
  uintptr_t address;
  char text[32];
  memcpy(&address, &call, sizeof address);
  snprintf(text, sizeof text, "%" PRIuPTR, address);
  constructing_iut = iut;
  require(expect_that(!is_registered(iut, "ffi.Module.load_from_bytes.conform_node"), "no loader",
                      "there is one"));
  if (setenv("TVMFFI_CONFORM_CONSTRUCTOR", text, 1) != 0)
    case_inconclusive("cannot tell the library what to call");
  TVMFFIObjectHandle root = load_library(iut, path);
  expect_int("calls of the loader", node_loads()->calls, 1);
  expect_function(iut, root, "self", false, 400);
  expect_function(iut, root, "only_7", true, 7);
  release_object(iut, root);
}
