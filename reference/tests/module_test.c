// SPDX-License-Identifier: Apache-2.0
// Libraries that are loaded: their functions, their context, and how long they stay.
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tvm/ffi/extra/c_env_api.h>
#include <unistd.h>

#include "call.h"
#include "module_node.h"
#include "probe.h"
#include "unit/unit.h"

static void *context_of(TVMFFIObject *module)
{
  TVMFFIObject *function = function_of(module, "context");
  TVMFFIAny result = call_function(function, NO_ARGS);
  TVMFFIObjectDecRef(function);
  return result.v_ptr;
}

static void import(TVMFFIObject *module, TVMFFIObject *other)
{
  (void)call("ffi.ModuleImportModule", ARGS(view_object(module), view_object(other)));
}

// Imports a node with this function, and lets it go.
static void import_node(TVMFFIObject *module, const char *name)
{
  TVMFFIObject *node = node_new(name, strlen(name));
  import(module, node);
  TVMFFIObjectDecRef(node);
}

//--------------------------------------------------------------------------------------------------
// Functions
//--------------------------------------------------------------------------------------------------

TEST_GROUP(all, .timeout = 120, .setup = load_start);

TEST(a_function_is_found_and_called)
{
  TVMFFIObject *module = load("plain");
  ck_assert_int_eq(module->type_index, kTVMFFIModule);
  expect_counts(module, 1, 1);
  ck_assert_int_eq(call_one(module, "add_one", view_int(41)), 42);
  TVMFFIObject *function = function_of(module, "_underscore");
  expect_counts(module, 2, 1);
  ck_assert_int_eq(call_function(function, NO_ARGS).v_int64, 5);
  TVMFFIObjectDecRef(function);
  ck_assert(call_bool("ffi.ModuleImplementsFunction",
                      ARGS(view_object(module), view_str("add_one"), view_bool(0))));
  TVMFFIObjectDecRef(module);
  ck_assert(!is_mapped("plain") || !linker_unmaps());
}

TEST(names_that_are_none_find_nothing)
{
  static const TVMFFIByteArray names[] = {
      {"absent", 6},
      {"bare", 4},
      {"", 0},
      {"__tvm_ffi_add_one", 17},
      {"add_one\0x", 9},
      {"add_one\0", 8},
      {"_library_ctx", 12},
      {"_library_bin", 12},
      {"_metadata_add_one", 17},
      {"_doc_add_one", 12},
      {"_cubin_x", 8},
  };
  TVMFFIObject *module = load("tree");
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    for (int query = 0; query < 2; ++query) {
      TVMFFIAny args[] = {view_object(module), view_bytes(&names[i]), view_bool(query)};
      TVMFFIAny owned;
      ck_assert_int_eq(TVMFFIStringFromByteArray((TVMFFIByteArray *)&names[i], &args[1]), 0);
      owned = args[1];
      ck_assert_int_eq(call("ffi.ModuleGetFunction", args, 3).type_index, kTVMFFINone);
      ck_assert(!call_bool("ffi.ModuleImplementsFunction", args, 3));
      drop(owned);
    }
  }
  TVMFFIObjectDecRef(module);
}

TEST(a_long_name_is_looked_for)
{
  TVMFFIObject *module = load("plain");
  char *name = malloc(5000);
  memset(name, 'x', 4999);
  name[4999] = '\0';
  ck_assert_ptr_null(function_of(module, name));
  free(name);
  TVMFFIObjectDecRef(module);
}

TEST(a_failure_is_passed_on)
{
  TVMFFIObject *module = load("plain"), *fail = function_of(module, "fail");
  TVMFFIObject *silent = function_of(module, "fail_silently");
  TVMFFIAny result = view_none(), code = view_int(-1);
  ck_assert_int_eq(TVMFFIFunctionCall(fail, NULL, 0, &result), -1);
  expect_raised("ValueError", "as it was asked to");
  ck_assert_int_eq(TVMFFIFunctionCall(silent, &code, 1, &result), -1);
  expect_raised("InternalError", "without an error");
  code = view_int(7);
  ck_assert_int_eq(TVMFFIFunctionCall(silent, &code, 1, &result), -1);
  expect_raised("InternalError", "7");
  code = view_int(-2);
  ck_assert_int_eq(TVMFFIFunctionCall(silent, &code, 1, &result), -2);
  expect_nothing_raised();
  result = view_object(module);
  ck_assert_int_eq(TVMFFIFunctionCall(fail, NULL, 0, &result), -1);
  expect_raised("InternalError", "must hold no object");
  TVMFFIObjectDecRef(fail);
  TVMFFIObjectDecRef(silent);
  TVMFFIObjectDecRef(module);
}

TEST(what_is_known_of_a_function_is_told)
{
  TVMFFIObject *module = load("plain");
  TVMFFIAny add[] = {view_object(module), view_str("add_one"), view_bool(0)};
  TVMFFIAny text = call("ffi.ModuleGetFunctionMetadata", add, 3);
  expect_string(&text, "{\"type_schema\": \"a longer text\"}");
  drop(text);
  text = call("ffi.ModuleGetFunctionDoc", add, 3);
  expect_string(&text, "adds");
  add[1] = view_str("context");
  ck_assert_int_eq(call("ffi.ModuleGetFunctionMetadata", add, 3).type_index, kTVMFFINone);
  ck_assert_int_eq(call("ffi.ModuleGetFunctionDoc", add, 3).type_index, kTVMFFINone);
  add[1] = view_str("fail");
  expect_refused("ffi.ModuleGetFunctionMetadata", add, 3, "TypeError", "must give a string");
  expect_refused("ffi.ModuleGetFunctionDoc", add, 3, "InternalError", "without an error");
  TVMFFIObjectDecRef(module);
}

TEST(a_library_tells_about_itself)
{
  TVMFFIObject *module = load("plain");
  TVMFFIAny kind = call("ffi.ModuleGetKind", ARGS(view_object(module)));
  expect_string(&kind, "library");
  ck_assert_int_eq(call_int("ffi.ModuleGetPropertyMask", ARGS(view_object(module))), 2);
  TVMFFIAny source = call("ffi.ModuleInspectSource", ARGS(view_object(module), view_str("c")));
  expect_string(&source, "");
  TVMFFIObject *formats = call_object("ffi.ModuleGetWriteFormats", ARGS(view_object(module)));
  ck_assert_int_eq(call_int("ffi.ArraySize", ARGS(view_object(formats))), 0);
  TVMFFIObjectDecRef(formats);
  expect_refused("ffi.ModuleWriteToFile",
                 ARGS(view_object(module), view_str("/nowhere/x"), view_str("c")), "RuntimeError",
                 "library");
  TVMFFIObjectDecRef(module);
}

//--------------------------------------------------------------------------------------------------
// Lifetime
//--------------------------------------------------------------------------------------------------

TEST(a_function_keeps_its_library)
{
  TVMFFIObject *module = load("plain"), *function = function_of(module, "add_one");
  TVMFFIAny argument = view_int(1);
  TVMFFIObjectDecRef(module);
  ck_assert(is_mapped("plain"));
  ck_assert_int_eq(call_function(function, &argument, 1).v_int64, 2);
  TVMFFIObjectDecRef(function);
  ck_assert(!is_mapped("plain") || !linker_unmaps());
}

TEST(what_it_returned_outlives_a_library)
{
  TVMFFIObject *module = load("tree"), *function = function_of(module, "give_object");
  TVMFFIAny value = call_function(function, NO_ARGS);
  TVMFFIObjectDecRef(function);
  TVMFFIObjectDecRef(module);
  ck_assert(is_mapped("tree"));
  drop(value);
  ck_assert_int_eq(nodes_living, 0);
}

// What generated code has kept can be called after the module ended and the file was loaded again.
TEST(what_it_found_lives_as_long_as_its_code)
{
  TVMFFIObject *module = load("plain"), *function = function_of(module, "give_object");
  TVMFFIAny value = call_function(function, NO_ARGS);
  import_node(module, "f");
  ck_assert_int_eq(call_one(module, "call_import_kept", view_str("f")), 0);
  TVMFFIObjectDecRef(function);
  TVMFFIObjectDecRef(module);
  ck_assert_int_eq(nodes_living, 0);  // a node's function does not need it
  module = load("plain");
  ck_assert_int_eq(call_one(module, "call_import_kept", view_str("f")), 0);
  drop(value);
  TVMFFIObjectDecRef(module);
}

TEST(a_module_is_kept_until_it_is_let_go)
{
  TVMFFIObject *node = node_new("f", 1);
  for (int i = 0; i < 3; ++i) (void)call("ffi.ModuleGlobalsAdd", ARGS(view_object(node)));
  expect_counts(node, 2, 1);
  (void)call("ffi.ModuleGlobalsRemove", ARGS(view_object(node)));
  expect_counts(node, 1, 1);
  (void)call("ffi.ModuleGlobalsRemove", ARGS(view_object(node)));
  expect_counts(node, 1, 1);
  TVMFFIObjectDecRef(node);
  ck_assert_int_eq(nodes_living, 0);
}

//--------------------------------------------------------------------------------------------------
// The context
//--------------------------------------------------------------------------------------------------

TEST(generated_code_finds_what_its_module_imports)
{
  TVMFFIObject *module = load("plain");
  import_node(module, "f");
  ck_assert_int_eq(call_one(module, "call_import", view_str("f")), 0);
  void *context = context_of(module);
  TVMFFIObjectHandle found = NULL, again = NULL;
  ck_assert_int_eq(TVMFFIEnvModLookupFromImports(context, "f", &found), 0);
  ck_assert_int_eq(TVMFFIEnvModLookupFromImports(module, "f", &again), 0);  // the handle will do
  ck_assert_ptr_eq(found, again);
  expect_counts(found, 1, 1);
  ck_assert_int_eq(TVMFFIEnvModLookupFromImports(context, "add_one", &found), -1);  // its own
  expect_raised("RuntimeError", "add_one");
  ck_assert_ptr_eq(found, again);
  ck_assert_int_eq(TVMFFIEnvModLookupFromImports(context, "ffi.Array", &found), 0);
  import_node(module, "add_one");
  ck_assert_int_eq(TVMFFIEnvModLookupFromImports(context, "add_one", &found), 0);
  TVMFFIObjectDecRef(module);
  ck_assert_int_eq(nodes_living, 0);
}

TEST(a_look_up_without_context_is_refused)
{
  TVMFFIObject *module = load("plain"), *array = call_object("ffi.Array", NO_ARGS);
  TVMFFIObjectHandle found = NULL;
  ck_assert_int_eq(TVMFFIEnvModLookupFromImports(NULL, "f", &found), -1);
  expect_raised("ValueError", "library_ctx");
  ck_assert_int_eq(TVMFFIEnvModLookupFromImports(module, NULL, &found), -1);
  expect_raised("ValueError", "func_name");
  ck_assert_int_eq(TVMFFIEnvModLookupFromImports(module, "f", NULL), -1);
  expect_raised("ValueError", "out");
  ck_assert_int_eq(TVMFFIEnvModRegisterContextSymbol(NULL, module), -1);
  expect_raised("ValueError", "name");
  ck_assert_int_eq(TVMFFIEnvModRegisterSystemLibSymbol(NULL, module), -1);
  expect_raised("ValueError", "name");
  ck_assert_ptr_null(found);
  TVMFFIObjectDecRef(array);
  TVMFFIObjectDecRef(module);
}

// Both have one variable; each call goes to the imports of its own module.
TEST(a_file_loaded_twice_is_two_modules)
{
  TVMFFIObject *first = load("plain"), *second = load("plain");
  ck_assert_ptr_ne(first, second);
  import_node(first, "f");
  import_node(second, "f");
  import_node(second, "only_here");
  for (int i = 0; i < 2; ++i) {
    ck_assert_int_eq(call_one(first, "call_import", view_str("f")), 0);
    ck_assert_int_eq(call_one(second, "call_import", view_str("f")), 1);
  }
  // The variable is the first one's now, and leads to both.
  ck_assert_int_eq(call_one(first, "call_import", view_str("only_here")), 2);
  void *context = context_of(second);
  TVMFFIObjectDecRef(second);
  void **variable = NULL;
  void *file = dlopen(path_of("plain"), RTLD_LAZY | RTLD_NOLOAD);
  variable = dlsym(file, "__tvm_ffi__library_ctx");
  ck_assert_ptr_ne(*variable, context);
  ck_assert_ptr_eq(*variable, (char *)first - sizeof(void *));
  ck_assert_int_eq(call_one(first, "call_import", view_str("f")), 0);
  TVMFFIObjectDecRef(first);
  ck_assert_ptr_null(*variable);
  dlclose(file);
  ck_assert_int_eq(nodes_living, 0);
}

TEST(symbols_registered_later_are_for_later_loads)
{
  TVMFFIObject *module = load("plain");
  void *file = dlopen(path_of("plain"), RTLD_LAZY | RTLD_NOLOAD);
  void **variable = dlsym(file, "__TVMFFIFunctionCall");
  void *before = *variable;
  ck_assert_ptr_eq(before, __extension__(void *) TVMFFIFunctionCall);
  ck_assert_int_eq(TVMFFIEnvModRegisterContextSymbol("__TVMFFIFunctionCall", &before), 0);
  ck_assert_ptr_eq(*variable, before);
  TVMFFIObject *again = load("plain");
  ck_assert_ptr_eq(*variable, &before);
  ck_assert_int_eq(TVMFFIEnvModRegisterContextSymbol("__TVMFFIFunctionCall", before), 0);
  TVMFFIObjectDecRef(load("plain"));
  ck_assert_ptr_eq(*variable, before);
  TVMFFIObjectDecRef(again);
  TVMFFIObjectDecRef(module);
  dlclose(file);
}

//--------------------------------------------------------------------------------------------------
// Threads
//--------------------------------------------------------------------------------------------------

enum { THREADS = 4, ROUNDS = 200 };

static TVMFFIObject *shared_module;

static void *use_modules(void *argument)
{
  (void)argument;
  void *context = (char *)shared_module - sizeof(void *);
  for (int i = 0; i < ROUNDS; ++i) {
    TVMFFIObjectHandle found = NULL;
    char name[16];
    snprintf(name, sizeof name, "f%d", i % 8);
    ck_assert_int_eq(TVMFFIEnvModLookupFromImports(context, name, &found), 0);
    ck_assert_int_eq(call_in(shared_module, name), i % 8);
    ck_assert_int_eq(call_one(shared_module, "call_import", view_str(name)), i % 8);
    TVMFFIObject *module = load(i % 2 == 0 ? "unresolved" : "tree");
    ck_assert_int_eq(call_one(module, "add_one", view_int(i)), i + 1);
    if (i % 2 == 1) ck_assert_int_ge(call_in(module, "embedded"), 8);
    TVMFFIObjectDecRef(module);
  }
  return NULL;
}

TEST(threads_load_and_look_up)
{
  pthread_t threads[THREADS];
  shared_module = load("plain");
  for (int i = 0; i < 8; ++i) import_node(shared_module, (char[]){'f', (char)('0' + i), '\0'});
  for (int i = 0; i < THREADS; ++i) pthread_create(&threads[i], NULL, use_modules, NULL);
  for (int i = 0; i < THREADS; ++i) pthread_join(threads[i], NULL);
  TVMFFIObjectDecRef(shared_module);
  ck_assert_int_eq(nodes_living, 0);
}
