// SPDX-License-Identifier: Apache-2.0
// System libraries, and trees of modules that libraries embed.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tvm/ffi/extra/c_env_api.h>

#include "call.h"
#include "library_bin.h"
#include "module_node.h"
#include "probe.h"
#include "unit/unit.h"

static void register_symbol(const char *prefix, const char *name, const void *symbol)
{
  char whole[128];
  snprintf(whole, sizeof whole, "%s%s", prefix, name);
  ck_assert_int_eq(TVMFFIEnvModRegisterSystemLibSymbol(whole, (void *)symbol), 0);
}

static TVMFFIObject *system_lib(const char *prefix)
{
  return call_object("ffi.SystemLib", ARGS(view_str(prefix)));
}

static int give_one(void *handle, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  ck_assert_ptr_null(handle);
  (void)args, (void)num_args;
  *result = view_int(1);
  return 0;
}

static int give_two(void *handle, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  int code = give_one(handle, args, num_args, result);
  result->v_int64 = 2;
  return code;
}

static int give_doc(void *handle, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  (void)handle, (void)args, (void)num_args;
  *result = view_str("a text");
  return 0;
}

#define FUNCTION(name) __extension__(const void *) name

//--------------------------------------------------------------------------------------------------
// System libraries
//--------------------------------------------------------------------------------------------------

TEST_GROUP(all, .timeout = 120, .setup = nodes_start);

TEST(registered_symbols_are_functions)
{
  TVMFFIObject *module = system_lib("sys.");
  ck_assert_int_eq(call_in(module, "sys_f"), -1);
  register_symbol("__tvm_ffi_", "sys_f", FUNCTION(give_one));
  ck_assert_int_eq(call_in(module, "sys_f"), 1);
  register_symbol("__tvm_ffi_sys.", "sys_f", FUNCTION(give_two));
  ck_assert_int_eq(call_in(module, "sys_f"), 2);
  register_symbol("__tvm_ffi_sys.", "sys_f", FUNCTION(give_one));
  ck_assert_int_eq(call_in(module, "sys_f"), 1);
  register_symbol("sys.", "__tvm_ffi__doc_sys_f", FUNCTION(give_doc));
  TVMFFIAny text =
      call("ffi.ModuleGetFunctionDoc", ARGS(view_object(module), view_str("sys_f"), view_bool(0)));
  expect_string(&text, "a text");
  TVMFFIAny kind = call("ffi.ModuleGetKind", ARGS(view_object(module)));
  expect_string(&kind, "library");
  TVMFFIObjectDecRef(module);
}

TEST(each_prefix_has_one_module)
{
  TVMFFIObject *none = call_object("ffi.SystemLib", NO_ARGS), *empty = system_lib("");
  TVMFFIObject *one = system_lib("one.");
  ck_assert_ptr_eq(none, empty);
  ck_assert_ptr_ne(none, one);
  TVMFFIObjectDecRef(one);
  TVMFFIObject *again = system_lib("one.");
  ck_assert_ptr_eq(one, again);
  expect_counts(again, 2, 1);
  TVMFFIObjectDecRef(again);
  TVMFFIObjectDecRef(none);
  TVMFFIObjectDecRef(empty);
}

TEST(a_system_library_has_a_context)
{
  static void *plain, *prefixed, *symbol;
  register_symbol("", "__tvm_ffi__library_ctx", &plain);
  TVMFFIObject *first = system_lib("ctx1.");
  ck_assert_ptr_eq(plain, (char *)first - sizeof(void *));
  register_symbol("ctx2.", "__tvm_ffi__library_ctx", &prefixed);
  register_symbol("ctx2.", "__some_symbol", &symbol);
  ck_assert_int_eq(TVMFFIEnvModRegisterContextSymbol("__some_symbol", &plain), 0);
  TVMFFIObject *second = system_lib("ctx2.");
  ck_assert_ptr_eq(plain, (char *)first - sizeof(void *));
  ck_assert_ptr_eq(prefixed, (char *)second - sizeof(void *));
  ck_assert_ptr_eq(symbol, &plain);
  TVMFFIObjectDecRef(first);
  TVMFFIObjectDecRef(second);
}

//--------------------------------------------------------------------------------------------------
// Trees. Each test has prefixes of its own, because a system library is made once.
//--------------------------------------------------------------------------------------------------

#define NODE(name)           \
  {                          \
    false, {"node", 4},      \
    {                        \
      name, sizeof(name) - 1 \
    }                        \
  }
#define LIBRARY        \
  {                    \
    .is_library = true \
  }

static const char *fresh_prefix(void)
{
  static int number;
  static char prefix[32];
  snprintf(prefix, sizeof prefix, "tree%d.", number++);
  return prefix;
}

// Registers a tree under a new prefix. Returns borrow: the prefix, until the next call.
static const char *register_tree(size_t num_modules, const LibraryBinEntry *entries,
                                 const uint64_t *rows, const uint64_t *children)
{
  LibraryBin tree = {num_modules, rows[num_modules], rows, children, entries};
  const char *prefix = fresh_prefix();
  size_t size = library_bin_size(&tree);
  char *bytes = malloc(size);
  library_bin_write(&tree, bytes);
  register_symbol(prefix, "__tvm_ffi__library_bin", fenced(bytes, size));
  free(bytes);
  return prefix;
}

// A system library lasts, and so would what it imports.
static void let_go_of_imports(TVMFFIObject *root)
{
  (void)call("ffi.ModuleClearImports", ARGS(view_object(root)));
}

static void expect_no_tree(const char *prefix, const char *kind, const char *word)
{
  for (int i = 0; i < 2; ++i) expect_refused("ffi.SystemLib", ARGS(view_str(prefix)), kind, word);
  ck_assert_int_eq(nodes_living, 0);
}

TEST(a_tree_is_made)
{
  static const LibraryBinEntry entries[] = {NODE("root"), NODE("left"), LIBRARY, NODE("f"),
                                            NODE("unused")};
  static const uint64_t rows[] = {0, 3, 4, 5, 5, 5}, children[] = {2, 1, 1, 3, 3};
  const char *prefix = register_tree(5, entries, rows, children);
  static void *context;
  register_symbol(prefix, "__tvm_ffi__library_ctx", &context);
  register_symbol("__tvm_ffi_", "of_library", FUNCTION(give_two));
  TVMFFIObject *root = system_lib(prefix);
  TVMFFIAny kind = call("ffi.ModuleGetKind", ARGS(view_object(root)));
  expect_string(&kind, "node");
  ck_assert_int_eq(nodes_living, 3);
  ck_assert_int_eq(call_in(root, "root"), 0);
  ck_assert_int_eq(call_in(root, "of_library"), 2);
  ck_assert_int_eq(call_in(root, "f"), 2);
  ck_assert_int_eq(call_in(root, "unused"), -1);
  TVMFFIObjectHandle found = NULL;
  ck_assert_int_eq(TVMFFIEnvModLookupFromImports(context, "f", &found), 0);
  ck_assert_int_eq(TVMFFIEnvModLookupFromImports(context, "left", &found), -1);
  expect_raised("RuntimeError", "left");
  TVMFFIObjectDecRef(root);
  ck_assert_int_eq(nodes_living, 3);  // a system library stays
  let_go_of_imports(root);
}

TEST(loaders_that_fail_leave_nothing)
{
  static const char *const bad[][3] = {
      {"none", "TypeError", "must give a Module"},  {"error", "TypeError", "must give a Module"},
      {"raise", "ValueError", "the loader had to"}, {"silent", "InternalError", "without an error"},
      {"again", "RuntimeError", "Cyclic"},          {"twice", "RuntimeError", "Cyclic"},
  };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
    // 0 and 1 are nodes, 2 does what it does; 0 imports 1, 1 imports 2
    LibraryBinEntry entries[] = {LIBRARY, NODE("first"), NODE("")};
    entries[2].value = (LibraryBinBytes){bad[i][0], strlen(bad[i][0])};
    static void *context;
    const char *prefix = register_tree(3, entries, (uint64_t[]){0, 1, 2, 2}, (uint64_t[]){1, 2});
    register_symbol(prefix, "__tvm_ffi__library_ctx", &context);
    expect_no_tree(prefix, bad[i][1], bad[i][2]);
    ck_assert_ptr_null(context);
  }
}

TEST(a_kind_needs_a_loader)
{
  LibraryBinEntry entries[] = {NODE("f"), {false, {"node\0", 5}, {"", 0}}};
  const char *prefix = register_tree(2, entries, (uint64_t[]){0, 1, 1}, (uint64_t[]){1});
  expect_no_tree(prefix, "RuntimeError", "entry 1");
  entries[1].kind = (LibraryBinBytes){"nobodys", 7};
  expect_no_tree(register_tree(2, entries, (uint64_t[]){0, 1, 1}, (uint64_t[]){1}), "RuntimeError",
                 "nobodys");
}

// A loader may give what it gave before; imports are only refused where they would be a cycle.
TEST(a_loader_may_give_a_module_twice)
{
  static const LibraryBinEntry entries[] = {LIBRARY, NODE("f"), NODE("again"), NODE("g")};
  static const uint64_t rows[] = {0, 2, 3, 4, 4}, children[] = {1, 2, 3, 3};
  TVMFFIObject *root = system_lib(register_tree(4, entries, rows, children));
  ck_assert_int_eq(nodes_living, 2);
  ck_assert_int_eq(call_in(root, "g"), 1);
  let_go_of_imports(root);
  TVMFFIObjectDecRef(root);
}

TEST(a_loader_that_loads_what_it_is_called_for_is_stopped)
{
  static const LibraryBinEntry entries[] = {NODE("loop")};
  LibraryBin tree = {1, 0, (uint64_t[]){0, 0}, NULL, entries};
  size_t size = library_bin_size(&tree);
  char *bytes = malloc(size);
  library_bin_write(&tree, bytes);
  register_symbol("loop", "__tvm_ffi__library_bin", fenced(bytes, size));
  free(bytes);
  expect_no_tree("loop", "RuntimeError", "loaders load through loaders");
  TVMFFIObject *module = load("plain");
  TVMFFIObjectDecRef(module);
}

TEST(a_broken_tree_is_refused_before_anything_is_done)
{
  static const LibraryBinEntry entries[] = {NODE("f"), NODE("g")};
  static const uint64_t cycle[] = {1, 0}, range[] = {1, 2};
  expect_no_tree(register_tree(2, entries, (uint64_t[]){0, 1, 2}, cycle), "RuntimeError",
                 "closes a cycle");
  expect_no_tree(register_tree(2, entries, (uint64_t[]){0, 1, 2}, range), "RuntimeError",
                 "byte 56: child_indices[1] is 2");
  expect_no_tree(register_tree(2, entries, (uint64_t[]){0, 2, 2}, cycle), "RuntimeError", "cycle");
}

TEST(large_trees_are_made_and_end)
{
  enum { MANY = 100000 };
  uint64_t *rows = calloc(MANY + 1, sizeof *rows), *children = calloc(MANY, sizeof *children);
  LibraryBinEntry *entries = calloc(MANY, sizeof *entries);
  for (size_t i = 0; i < MANY; ++i) {
    rows[i + 1] = i + 1 < MANY ? i + 1 : MANY - 1;
    children[i] = i + 1;
    entries[i] = (LibraryBinEntry){false, {"node", 4}, {"deep", i + 1 < MANY ? 0 : 4}};
  }
  entries[0].is_library = true;
  const char *prefix = register_tree(MANY, entries, rows, children);
  TVMFFIObject *root = system_lib(prefix);
  ck_assert_int_eq(nodes_living, MANY - 1);
  ck_assert_int_eq(call_in(root, "deep"), MANY - 2);
  (void)call("ffi.ModuleClearImports", ARGS(view_object(root)));
  ck_assert_int_eq(nodes_living, 0);
  TVMFFIObjectDecRef(root);
  free(rows);
  free(children);
  free(entries);
}

TEST(a_tree_without_memory_fails_cleanly)
{
  static const LibraryBinEntry entries[] = {LIBRARY, NODE("f"), NODE("g")};
  static const uint64_t rows[] = {0, 2, 2, 2}, children[] = {1, 2};
  const char *prefix = register_tree(3, entries, rows, children);
  TVMFFIAny root = call_with_faults("ffi.SystemLib", ARGS(view_str(prefix)));
  ck_assert_int_eq(nodes_living, 2);
  let_go_of_imports(root.v_obj);
  ck_assert_int_eq(nodes_living, 0);
  drop(root);
}
