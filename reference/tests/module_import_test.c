// SPDX-License-Identifier: Apache-2.0
// Modules of kinds written in C, what they import, and look-ups through many of them.
#include <stdlib.h>
#include <string.h>
#include <tvm/ffi/extra/c_module.h>

#include "call.h"
#include "module_node.h"
#include "probe.h"
#include "unit/unit.h"

static void import(TVMFFIObject *module, TVMFFIObject *other)
{
  (void)call("ffi.ModuleImportModule", ARGS(view_object(module), view_object(other)));
}

static TVMFFIObject *node(const char *name)
{
  return node_new(name, strlen(name));
}

static int64_t num_imports(TVMFFIObject *module)
{
  TVMFFIObject *imports =
      ((TVMFFIObject **)(module + 1))[0];  // the field, where it is documented to be
  return imports == NULL ? 0 : call_int("ffi.ArraySize", ARGS(view_object(imports)));
}

TEST_GROUP(all, .timeout = 120, .setup = nodes_start);

TEST(imports_are_asked_in_order)
{
  TVMFFIObject *top = node("top"), *left = node("left"), *right = node("f"), *below = node("f");
  import(top, left);
  import(top, right);
  import(left, below);
  ck_assert_int_eq(call_in(top, "f"), 3);  // what `left` imports, before `right`
  ck_assert_int_eq(call_in(top, "top"), 0);
  ck_assert_int_eq(call_in(right, "f"), 2);
  ck_assert_ptr_null(function_of(top, "f"));
  ck_assert_int_eq(call_in(top, "absent"), -1);
  import(top, left);
  ck_assert_int_eq(num_imports(top), 3);
  TVMFFIObjectDecRef(left);
  TVMFFIObjectDecRef(right);
  TVMFFIObjectDecRef(below);
  ck_assert_int_eq(nodes_living, 4);
  (void)call("ffi.ModuleClearImports", ARGS(view_object(top)));
  ck_assert_int_eq(nodes_living, 1);
  ck_assert_int_eq(call_in(top, "f"), -1);
  TVMFFIObjectDecRef(top);
  ck_assert_int_eq(nodes_living, 0);
}

TEST(nothing_imports_itself)
{
  TVMFFIObject *one = node("one"), *two = node("two"), *three = node("three");
  import(one, two);
  import(two, three);
  TVMFFIObject *const from[] = {one, two, three, three};
  TVMFFIObject *const to[] = {one, one, one, two};
  for (int i = 0; i < 4; ++i) {
    expect_refused("ffi.ModuleImportModule", ARGS(view_object(from[i]), view_object(to[i])),
                   "RuntimeError", "Cyclic");
  }
  ck_assert_int_eq(num_imports(one), 1);
  ck_assert_int_eq(num_imports(three), 0);
  TVMFFIObjectDecRef(three);
  TVMFFIObjectDecRef(two);
  TVMFFIObjectDecRef(one);
  ck_assert_int_eq(nodes_living, 0);
}

TEST(imports_that_somebody_reads_do_not_change)
{
  TVMFFIObject *top = node("top"), *below = node("below");
  import(top, below);
  TVMFFIObject *imports = ((TVMFFIObject **)(top + 1))[0];
  TVMFFIObjectIncRef(imports);
  import(top, below);
  ck_assert_int_eq(call_int("ffi.ArraySize", ARGS(view_object(imports))), 1);
  ck_assert_int_eq(num_imports(top), 2);
  TVMFFIObjectDecRef(imports);
  TVMFFIObjectDecRef(below);
  TVMFFIObjectDecRef(top);
}

TEST(imports_that_are_no_modules_are_an_error)
{
  TVMFFIObject *top = node("top"), *array = call_object("ffi.Array", ARGS(view_int(1)));
  const TVMFFIFieldInfo *field = &TVMFFIGetTypeInfo(kTVMFFIModule)->fields[0];
  TVMFFIAny value = view_object(array);
  int (*setter)(void *, const TVMFFIAny *) =
      __extension__(int (*)(void *, const TVMFFIAny *)) field->setter;
  ck_assert_int_eq(setter((char *)top + field->offset, &value), 0);
  expect_refused("ffi.ModuleGetFunction", ARGS(view_object(top), view_str("f"), view_bool(1)),
                 "TypeError", "imports_");
  TVMFFIObjectDecRef(array);
  TVMFFIObjectDecRef(top);
}

TEST(many_paths_are_one_walk)
{
  enum { LAYERS = 40 };
  TVMFFIObject *layers[LAYERS][2];
  for (int i = 0; i < LAYERS; ++i) {
    layers[i][0] = node("left");
    layers[i][1] = node(i + 1 == LAYERS ? "last" : "right");
    for (int j = 0; i > 0 && j < 4; ++j) import(layers[i - 1][j / 2], layers[i][j % 2]);
  }
  ck_assert_int_eq(call_in(layers[0][0], "absent"), -1);
  ck_assert_int_eq(call_in(layers[0][0], "last"), 2 * LAYERS - 1);
  expect_refused("ffi.ModuleImportModule",
                 ARGS(view_object(layers[LAYERS - 1][0]), view_object(layers[0][0])),
                 "RuntimeError", "Cyclic");
  for (int i = 0; i < LAYERS; ++i) {
    TVMFFIObjectDecRef(layers[i][0]);
    TVMFFIObjectDecRef(layers[i][1]);
  }
  ck_assert_int_eq(nodes_living, 0);
}

TEST(long_chains_are_looked_through_and_end)
{
  enum { DEPTH = 100000 };
  TVMFFIObject *top = node("deep");
  for (int i = 1; i < DEPTH; ++i) {
    TVMFFIObject *above = node("above");
    // Looking for a cycle would walk down each time, so the field is set.
    TVMFFIObject *imports = call_object("ffi.Array", ARGS(view_object(top)));
    ((TVMFFIObject **)(above + 1))[0] = imports;
    TVMFFIObjectDecRef(top);
    top = above;
  }
  ck_assert_int_eq(call_in(top, "deep"), 0);
  ck_assert_int_eq(call_in(top, "absent"), -1);
  ck_assert_int_eq(nodes_living, DEPTH);
  TVMFFIObjectDecRef(top);
  ck_assert_int_eq(nodes_living, 0);
}

TEST(a_weak_reference_keeps_the_memory_of_a_module)
{
  TVMFFIObject *module = node("f");
  module->combined_ref_count += (uint64_t)1 << 32;
  TVMFFIObjectDecRef(module);
  ck_assert_int_eq(nodes_living, 0);
  expect_counts(module, 0, 1);
  module->deleter(module, kTVMFFIObjectDeleterFlagBitMaskWeak);
}

TEST(look_ups_without_memory_fail_cleanly)
{
  TVMFFIObject *top = node("top"), *modules[40];
  for (int i = 0; i < 40; ++i) {
    modules[i] = node(i == 39 ? "last" : "other");
    import(i == 0 ? top : modules[i - 1], modules[i]);
    if (i > 0) TVMFFIObjectDecRef(modules[i - 1]);
  }
  TVMFFIObjectDecRef(modules[39]);
  drop(call_with_faults("ffi.ModuleGetFunction",
                        ARGS(view_object(top), view_str("last"), view_bool(1))));
  TVMFFIObject *other = node("new");
  drop(call_with_faults("ffi.ModuleImportModule", ARGS(view_object(other), view_object(top))));
  ck_assert_int_eq(num_imports(other), 1);
  TVMFFIObjectDecRef(other);
  TVMFFIObjectDecRef(top);
  ck_assert_int_eq(nodes_living, 0);
}

//--------------------------------------------------------------------------------------------------
// Kinds
//--------------------------------------------------------------------------------------------------

static TVMFFIObject *give;    // what `find` gives
static TVMFFIAny give_value;  // what the others give
static int give_code;

static int find(void *self, const TVMFFIByteArray *name, TVMFFIObjectHandle *out)
{
  (void)self, (void)name;
  if (give != NULL) TVMFFIObjectIncRef(give);
  *out = give;
  return give_code;
}

static int tell(void *self, const TVMFFIByteArray *name, TVMFFIAny *out)
{
  (void)self, (void)name;
  *out = give_value;
  return give_code;
}

static int save(void *self, TVMFFIAny *out)
{
  (void)self;
  *out = give_value;
  return give_code;
}

static const tvmffi_module_kind full_kind = {.size = sizeof full_kind,
                                             .name = "full",
                                             .property_mask = 5,
                                             .get_function = find,
                                             .get_function_metadata = tell,
                                             .get_function_doc = tell,
                                             .save_to_bytes = save,
                                             .inspect_source = tell};

static TVMFFIObject *create(const tvmffi_module_kind *kind)
{
  TVMFFIObjectHandle module = NULL;
  ck_assert_int_eq(tvmffi_module_create(kind, NULL, &module), 0);
  return module;
}

TEST(a_kind_answers_for_itself)
{
  TVMFFIObject *module = create(&full_kind);
  TVMFFIAny saved, kind = call("ffi.ModuleGetKind", ARGS(view_object(module)));
  TVMFFIAny named[] = {view_object(module), view_str("f"), view_bool(0)};
  expect_string(&kind, "full");
  ck_assert_int_eq(call_int("ffi.ModuleGetPropertyMask", ARGS(view_object(module))), 5);
  give_code = 0;
  give = NULL;
  give_value = (TVMFFIAny){.type_index = kTVMFFISmallStr, .small_str_len = 3, .v_bytes = "abc"};
  ck_assert_ptr_null(function_of(module, "f"));
  TVMFFIAny text = call("ffi.ModuleGetFunctionMetadata", named, 3);
  expect_string(&text, "abc");
  text = call("ffi.ModuleGetFunctionDoc", named, 3);
  expect_string(&text, "abc");
  text = call("ffi.ModuleInspectSource", named, 2);
  expect_string(&text, "abc");
  ck_assert_int_eq(tvmffi_module_save_to_bytes(module, &saved), -1);
  expect_raised("TypeError", "saved bytes");
  give_value.type_index = kTVMFFISmallBytes;
  ck_assert_int_eq(tvmffi_module_save_to_bytes(module, &saved), 0);
  expect_same_value(&saved, &give_value);
  expect_refused("ffi.ModuleGetFunctionDoc", named, 3, "TypeError", "full");
  give_code = -1;
  give_value = view_none();
  ck_assert_int_eq(tvmffi_module_save_to_bytes(module, &saved), -1);
  expect_raised("InternalError", "full");
  expect_refused("ffi.ModuleGetFunction", named, 3, "InternalError", "without an error");
  give_code = 0;
  give = call_object("ffi.Array", NO_ARGS);
  expect_refused("ffi.ModuleGetFunction", named, 3, "TypeError", "function");
  expect_counts(give, 1, 1);
  TVMFFIObjectDecRef(give);
  TVMFFIObjectDecRef(module);
}

TEST(a_kind_may_answer_nothing)
{
  static const tvmffi_module_kind bare_kind = {
      .size = offsetof(tvmffi_module_kind, get_function), .name = "bare", .get_function = find};
  TVMFFIObject *module = create(&bare_kind);
  TVMFFIAny named[] = {view_object(module), view_str("f"), view_bool(0)}, saved;
  ck_assert_ptr_null(function_of(module, "f"));
  ck_assert_int_eq(call("ffi.ModuleGetFunctionDoc", named, 3).type_index, kTVMFFINone);
  TVMFFIAny text = call("ffi.ModuleInspectSource", named, 2);
  expect_string(&text, "");
  ck_assert_int_eq(tvmffi_module_save_to_bytes(module, &saved), -1);
  expect_raised("RuntimeError", "bare");
  TVMFFIObjectDecRef(module);
}

TEST(kinds_that_are_incomplete_are_refused)
{
  tvmffi_module_kind kind = full_kind;
  TVMFFIObjectHandle module = NULL;
  TVMFFIAny saved;
  TVMFFIObject *array = call_object("ffi.Array", NO_ARGS);
  ck_assert_int_eq(tvmffi_module_create(NULL, NULL, &module), -1);
  expect_raised("ValueError", "kind");
  ck_assert_int_eq(tvmffi_module_create(&kind, NULL, NULL), -1);
  expect_raised("ValueError", "out");
  kind.name = NULL;
  ck_assert_int_eq(tvmffi_module_create(&kind, NULL, &module), -1);
  expect_raised("ValueError", "name");
  kind.size = sizeof(size_t);
  ck_assert_int_eq(tvmffi_module_create(&kind, NULL, &module), -1);
  expect_raised("ValueError", "size");
  ck_assert_int_eq(tvmffi_module_save_to_bytes(NULL, &saved), -1);
  expect_raised("ValueError", "module");
  ck_assert_int_eq(tvmffi_module_save_to_bytes(array, &saved), -1);
  expect_raised("TypeError", "module");
  ck_assert_int_eq(tvmffi_module_save_to_bytes(array, NULL), -1);
  expect_raised("ValueError", "out");
  ck_assert_ptr_null(module);
  TVMFFIObjectDecRef(array);
}
