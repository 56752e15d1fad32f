// SPDX-License-Identifier: Apache-2.0
// Libraries made of symbols that the program registers itself.
#include "cases/runtime/library_bin_tree.h"

CHAPTER(module);

#define GIVES(number)                                                                              \
  static int give_##number(void *self, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result) \
  {                                                                                                \
    (void)self, (void)args, (void)num_args;                                                        \
    *result = view_of_int(number);                                                                 \
    return 0;                                                                                      \
  }
GIVES(1)
GIVES(2)
GIVES(3)
GIVES(100)

// Registers code under a name; C has no pointer that both are.
static void register_code(Iut *iut, const char *name, TVMFFISafeCallType call)
{
  void *address;
  memcpy(&address, &call, sizeof address);
  require(expect_ok(iut, iut->EnvModRegisterSystemLibSymbol(fenced_string(name), address)));
}

static void register_data(Iut *iut, const char *name, const void *data)
{
  void *address;
  memcpy(&address, &data, sizeof address);
  require(expect_ok(iut, iut->EnvModRegisterSystemLibSymbol(fenced_string(name), address)));
}

// Own: the module of the prefix.
static TVMFFIObjectHandle system_library(Iut *iut, const char *prefix)
{
  return object_of(iut, "ffi.SystemLib", VALUES(view_of_raw_string(prefix)));
}

static const struct {
  const char *name, *prefix, *symbol, *function;
} symbols[] = {{"with_a_prefix", "conform_", "__tvm_ffi_conform_f", "f"},
               {"with_a_long_prefix", "conform_of_this_very_program_",
                "__tvm_ffi_conform_of_this_very_program_kernel", "kernel"},
               {"without_a_prefix", "", "__tvm_ffi_plain", "plain"},
               {"main", "conform_", "__tvm_ffi_conform_main", "main"}};

CASE_ROWS(registered_symbols_make_a_library, symbols, .clauses = {MOD_58},
          .title = "a name is found as the symbol of prefix and name")
{
  register_code(iut, row->symbol, give_1);
  TVMFFIObjectHandle module = system_library(iut, row->prefix);
  expect_function(iut, module, row->function, false, 1);
  expect_no_function(iut, module, view_of_raw_string("no_such_function"), false);
  release_object(iut, module);
}

CASE(system_library_is_called_without_handle, .clauses = {MOD_58},
     .title = "a function of a system library gets the arguments of its caller")
{
  call_log_without_self = (CallLog){.gives = true, .give = view_of_int(9)};
  register_code(iut, "__tvm_ffi_conform_logged", call_log_callee_without_self);
  TVMFFIObjectHandle module = system_library(iut, "conform_");
  TVMFFIObjectHandle function = find_function(iut, module, "logged", false);
  require(expect_not_null("the function", function));
  TVMFFIAny arg = view_of_int(5), *args = fenced_args(&arg, 1), *result = fenced_result();
  expect_ok(iut, iut->FunctionCall(function, args, 1, result));
  expect_pointer("its arguments", call_log_without_self.args, args);
  expect_int("their number", call_log_without_self.num_args, 1);
  expect_same_bytes(result, &call_log_without_self.give);
  release_object(iut, function);
  release_object(iut, module);
}

CASE(library_without_prefix, .clauses = {MOD_59},
     .title = "without arguments the module is that of the empty prefix")
{
  register_code(iut, "__tvm_ffi_conform_plain", give_2);
  TVMFFIObjectHandle empty = system_library(iut, ""),
                     none = object_of(iut, "ffi.SystemLib", VALUES());
  expect_pointer("the module without a prefix", none, empty);
  expect_function(iut, none, "conform_plain", false, 2);
  release_object(iut, none);
  release_object(iut, empty);
}

CASE(prefix_has_one_module, .clauses = {MOD_60},
     .title = "each prefix has a module of its own, the same at every call")
{
  TVMFFIObjectHandle a = system_library(iut, "conform_a_"),
                     again = system_library(iut, "conform_a_"),
                     b = system_library(iut, "conform_b_");
  expect_pointer("the module of the same prefix", again, a);
  expect_that(a != b, "another module for another prefix", "the same");
  release_object(iut, again);
  release_object(iut, b);
  object_take_weak(iut, a);
  release_object(iut, a);
  note("after every caller released it");
  uint64_t strong = object_strong(iut, a);
  expect_that(strong >= 1 && strong < 1000, "references of the runtime", "%" PRIu64, strong);
  again = system_library(iut, "conform_a_");
  expect_pointer("the module of the same prefix", again, a);
  object_release_weak(iut, a);
  release_object(iut, again);
}

// apache/tvm#18298: names were looked for in one of both forms only.
CASE(symbols_without_prefix_come_behind, .clauses = {MOD_61},
     .title = "a name is found with the prefix if there is such a symbol, else without")
{
  register_code(iut, "__tvm_ffi_conform_both", give_1);
  register_code(iut, "__tvm_ffi_both", give_2);
  register_code(iut, "__tvm_ffi_conform_only_without", give_3);
  TVMFFIObjectHandle module = system_library(iut, "conform_");
  expect_function(iut, module, "both", false, 1);
  expect_function(iut, module, "conform_only_without", false, 3);
  TVMFFIObjectHandle other = system_library(iut, "conform_other_");
  expect_function(iut, other, "both", false, 2);
  release_object(iut, other);
  release_object(iut, module);
}

CASE(later_symbols_are_found, .clauses = {MOD_62},
     .title = "a symbol is found that was registered after the module was there")
{
  TVMFFIObjectHandle module = system_library(iut, "conform_");
  expect_no_function(iut, module, view_of_raw_string("later"), false);
  register_code(iut, "__tvm_ffi_conform_later", give_3);
  expect_function(iut, module, "later", false, 3);
  release_object(iut, module);
}

CASE(symbol_is_registered_again, .clauses = {MOD_63},
     .title = "a symbol that is registered again is found at the new address")
{
  register_code(iut, "__tvm_ffi_conform_again", give_1);
  TVMFFIObjectHandle module = system_library(iut, "conform_");
  expect_function(iut, module, "again", false, 1);
  register_code(iut, "__tvm_ffi_conform_again", give_2);
  expect_function(iut, module, "again", false, 2);
  release_object(iut, module);
}

static const struct {
  const char *name, *symbol;
} contexts[] = {{"with_the_prefix", "conform___tvm_ffi__library_ctx"},
                {"without", "__tvm_ffi__library_ctx"}};

CASE_ROWS(system_library_has_a_context, contexts, .clauses = {MOD_64},
          .title = "the context variable is filled in and gives access to the imports")
{
  static void *context;
  register_data(iut, row->symbol, &context);
  TVMFFIObjectHandle module = system_library(iut, "conform_"), node = load_node(iut, 6),
                     found = NULL;
  require(expect_not_null("the context", context));
  import_module(iut, module, node);
  require(expect_ok(iut, iut->EnvModLookupFromImports(context, "only_6", &found)));
  expect_int("only_6", integer_of(iut, found), 6);
  release_object(iut, node);
  release_object(iut, module);
}

CASE(variable_with_prefix_comes_first, .clauses = {MOD_64},
     .title = "if both variables are registered, the one with the prefix is filled in")
{
  static void *with, *without;
  register_data(iut, "conform___tvm_ffi__library_ctx", &with);
  register_data(iut, "__tvm_ffi__library_ctx", &without);
  release_object(iut, system_library(iut, "conform_"));
  expect_not_null("the context with the prefix", with);
  expect_pointer("the context without", without, NULL);
}

CASE(system_library_has_context_symbols, .clauses = {MOD_64},
     .title = "variables of context symbols are filled in, with prefix and without")
{
  static void *with, *without;
  static int first, second;
  require(expect_ok(iut, iut->EnvModRegisterContextSymbol("__conform_first", &first)));
  require(expect_ok(iut, iut->EnvModRegisterContextSymbol("__conform_second", &second)));
  register_data(iut, "conform___conform_first", &with);
  register_data(iut, "__conform_second", &without);
  release_object(iut, system_library(iut, "conform_"));
  expect_pointer("the variable with the prefix", with, &first);
  expect_pointer("the variable without", without, &second);
}

static const struct {
  const char *name, *tree;
  const char *only;  // a function of an import of the library alone
  int number;
} trees[] = {{"root", "L:12 1:3 2:3 3", "only_2", 2}, {"imported", "5:1 L:2 6", "only_6", 6}};

CASE_ROWS(system_library_has_embedded_modules, trees, .clauses = {MOD_65},
          .title = "the payload that is registered with the prefix becomes the tree")
{
  NodeLoads *loads = serve_nodes(iut);
  Payload payload = payload_of(row->tree);
  register_data(iut, "conform___tvm_ffi__library_bin",
                fenced_copy("the payload", payload.bytes, payload.size));
  register_code(iut, "__tvm_ffi_conform_self", give_100);
  TVMFFIObjectHandle module = system_library(iut, "conform_");
  expect_tree(iut, module, row->tree);
  unsigned calls = loads->calls;
  TVMFFIObjectHandle again = system_library(iut, "conform_");
  expect_pointer("the module of the same prefix", again, module);
  expect_int("calls of the loader", loads->calls, calls);
  release_object(iut, again);
  release_object(iut, module);
}

// The library's own module, whether or not it is the root.
CASE_ROWS(system_library_with_modules_has_a_context, trees, .clauses = {MOD_64, MOD_65, BIN_13},
          .title = "the context of a system library with embedded modules is that of its entry")
{
  static void *context;
  TVMFFIObjectHandle found = NULL;
  serve_nodes(iut);
  Payload payload = payload_of(row->tree);
  register_data(iut, "conform___tvm_ffi__library_bin",
                fenced_copy("the payload", payload.bytes, payload.size));
  register_data(iut, "conform___tvm_ffi__library_ctx", &context);
  TVMFFIObjectHandle module = system_library(iut, "conform_");
  require(expect_not_null("the context", context));
  require(expect_ok(iut, iut->EnvModLookupFromImports(context, row->only, &found)));
  expect_int(row->only, integer_of(iut, found), row->number);
  release_object(iut, module);
}
