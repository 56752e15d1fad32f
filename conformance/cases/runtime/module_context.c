// SPDX-License-Identifier: Apache-2.0
// What generated code is given when its library is loaded: the context, by which it finds functions
// of other modules, and the variables that are registered.
#include <dlfcn.h>
#include <pthread.h>
#include <time.h>

#include "cases/runtime/library_bin_tree.h"

CHAPTER(module);

// The carrier, as a module and as its own code sees it.
typedef struct Generated {
  Carrier carrier;
  TVMFFIObjectHandle module;
  void **context;  // its variable
} Generated;

static Generated load_generated(Iut *iut)
{
  Generated code = {.carrier = carrier_open(NULL, 0)};
  code.context = carrier_symbol(&code.carrier, "__tvm_ffi__library_ctx");
  code.module = load_path(iut, code.carrier.path);
  return code;
}

// The same with a payload, whose first entry is the library.
static Generated load_generated_tree(Iut *iut, Payload payload)
{
  Generated code = {.carrier = carrier_open(payload.bytes, payload.size)};
  code.context = carrier_symbol(&code.carrier, "__tvm_ffi__library_ctx");
  code.module = load_path(iut, code.carrier.path);
  return code;
}

// The same with nodes as imports.
static Generated load_importing(Iut *iut, const char *tree)
{
  serve_nodes(iut);
  return load_generated_tree(iut, payload_of(tree));
}

static void release_generated(Iut *iut, Generated *code)
{
  release_object(iut, code->module);
  carrier_close(&code->carrier);
}

static void import_node(Iut *iut, TVMFFIObjectHandle importer, int number)
{
  TVMFFIObjectHandle node = load_node(iut, number);
  import_module(iut, importer, node);
  release_object(iut, node);
}

// Borrow: what generated code finds.
#define looked_up(...) looked_up_(EXPECT_HERE_, __VA_ARGS__)
static TVMFFIObjectHandle looked_up_(const char *at, Iut *iut, void *context, const char *name)
{
  TVMFFIObjectHandle function = NULL;
  require(
      expect_ok_(at, iut, iut->EnvModLookupFromImports(context, fenced_string(name), &function)));
  require(expect_not_null_(at, name, function));
  return function;
}

// Generated code finds nothing.
#define expect_not_looked_up(...) expect_not_looked_up_(EXPECT_HERE_, __VA_ARGS__)
static void expect_not_looked_up_(const char *at, Iut *iut, void *context, const char *name)
{
  TVMFFIObjectHandle function = NULL;
  expect_error_(at, iut, iut->EnvModLookupFromImports(context, name, &function), NULL);
}

CASE(loaded_library_knows_its_context, .clauses = {MOD_44},
     .title = "a library's context is not NULL when the load returns")
{
  Generated code = load_generated(iut);
  expect_not_null("the context", *code.context);
  release_generated(iut, &code);
}

static const struct {
  const char *name, *function;
  int64_t gives;
} finds[] = {{"first_import", "only_1", 1},
             {"second_import", "only_2", 2},
             {"below_an_import", "only_3", 3}};

CASE_ROWS(generated_code_finds_imports, finds, .clauses = {MOD_45},
          .title =
              "generated code finds the functions of its module's imports, and of what these "
              "import")
{
  Generated code = load_importing(iut, "L:12 1:3 2 3");
  expect_int(row->function, integer_of(iut, looked_up(iut, *code.context, row->function)),
             row->gives);
  release_generated(iut, &code);
}

static const struct {
  const char *name, *function;
  int64_t gives;
} ordered[] = {{"of_all_the_first", "shared", 1}, {"below_before_beside", "odd", 1}};

CASE_ROWS(generated_code_finds_imports_in_their_order, ordered, .clauses = {MOD_36},
          .title = "generated code finds what the first of its module's imports has")
{
  Generated code = load_importing(iut, "L:12 1:3 2 3");
  expect_int(row->function, integer_of(iut, looked_up(iut, *code.context, row->function)),
             row->gives);
  release_generated(iut, &code);
}

CASE(imports_below_come_before_the_next, .clauses = {MOD_36},
     .title = "generated code finds what is below an import before what the next import has")
{
  Generated code = load_importing(iut, "L:12 2:3 1 5");
  expect_int("odd", integer_of(iut, looked_up(iut, *code.context, "odd")), 5);
  expect_int("shared", integer_of(iut, looked_up(iut, *code.context, "shared")), 2);
  release_generated(iut, &code);
}

static int give_77(void *self, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  (void)self, (void)args, (void)num_args;
  *result = view_of_int(77);
  return 0;
}

CASE(global_functions_are_found, .clauses = {MOD_46},
     .title = "generated code finds a global function that no import has")
{
  enter_function(iut, "conform.global", NULL, give_77);
  Generated code = load_importing(iut, "L:1 1");
  expect_int("what is found", integer_of(iut, looked_up(iut, *code.context, "conform.global")), 77);
  release_generated(iut, &code);
}

CASE(global_functions_come_behind_imports, .clauses = {MOD_98},
     .title = "generated code finds what an import has before a global function")
{
  enter_function(iut, "only_1", NULL, give_77);
  Generated code = load_importing(iut, "L:1 1");
  expect_int("only_1", integer_of(iut, looked_up(iut, *code.context, "only_1")), 1);
  release_generated(iut, &code);
}

CASE(own_functions_are_not_looked_for, .clauses = {MOD_47}, .wrong_call = true,
     .title = "generated code does not find a function that only its own library has")
{
  Generated code = load_importing(iut, "L:1 1");
  expect_not_looked_up(iut, *code.context, "of_carrier");
  expect_int("only_1", integer_of(iut, looked_up(iut, *code.context, "only_1")), 1);
  release_generated(iut, &code);
}

CASE(function_that_is_nowhere_is_an_error, .clauses = {MOD_48},
     .title = "a name that no import and no global function has raises an error")
{
  Generated code = load_importing(iut, "L:1 1");
  expect_not_looked_up(iut, *code.context, fenced_string("no_such_function"));
  expect_not_looked_up(iut, *code.context, fenced_string("only_2"));
  looked_up(iut, *code.context, "only_1");
  release_generated(iut, &code);
}

CASE(function_that_is_nowhere_is_a_runtime_error, .clauses = {MOD_96}, .wrong_call = true,
     .title = "the error about a function that is found nowhere is a RuntimeError")
{
  Generated code = load_importing(iut, "L:1 1");
  TVMFFIObjectHandle function = NULL;
  looked_up(iut, *code.context, "only_1");
  expect_error(iut, iut->EnvModLookupFromImports(*code.context, "only_2", &function),
               "RuntimeError");
  release_generated(iut, &code);
}

CASE(look_up_that_fails_leaves_its_output, .clauses = {MOD_97}, .wrong_call = true,
     .title = "a look-up of a function that is found nowhere does not write its output")
{
  int mark;
  Generated code = load_importing(iut, "L:1 1");
  TVMFFIObjectHandle function = &mark;
  looked_up(iut, *code.context, "only_1");
  int code_returned = iut->EnvModLookupFromImports(*code.context, "only_2", &function);
  require(expect_that(code_returned != 0, "a code other than 0", "%d", code_returned));
  expect_pointer("the output", function, &mark);
  release_object(iut, take_error(iut));
  release_generated(iut, &code);
}

CASE(found_function_is_borrowed, .clauses = {MOD_49},
     .title = "looking a function up again and again gives out no references")
{
  static CallLog log;
  TVMFFIObjectHandle function = NULL;
  TVMFFIByteArray name = bytes_of("conform.borrowed");
  require(expect_ok(iut, iut->FunctionCreate(&log, call_log_callee, NULL, &function)));
  require(expect_ok(iut, iut->FunctionSetGlobal(&name, function, 1)));
  Generated code = load_generated(iut);
  require(
      expect_pointer("the function", looked_up(iut, *code.context, "conform.borrowed"), function));
  uint64_t strong = object_strong(iut, function);
  for (int i = 0; i < 50; ++i) looked_up(iut, *code.context, "conform.borrowed");
  expect_int("references", (int64_t)object_strong(iut, function), (int64_t)strong);
  release_generated(iut, &code);
}

CASE(found_function_lives_with_its_module, .clauses = {MOD_49},
     .title = "a function that was found can be called as long as the module lives")
{
  Generated code = load_importing(iut, "L:1 1");
  TVMFFIObjectHandle function = looked_up(iut, *code.context, "only_1");
  for (int i = 0; i < 10; ++i) {
    TVMFFIObjectHandle again = looked_up(iut, *code.context, "only_1");
    expect_int("found again", integer_of(iut, again), 1);
  }
  expect_int("found at first", integer_of(iut, function), 1);
  release_generated(iut, &code);
}

CASE(what_was_not_found_is_looked_for_again, .clauses = {MOD_50},
     .title = "a function is found that was imported after the name was not found")
{
  Generated code = load_generated(iut);
  expect_not_looked_up(iut, *code.context, "only_2");
  import_node(iut, code.module, 2);
  expect_int("only_2", integer_of(iut, looked_up(iut, *code.context, "only_2")), 2);
  release_generated(iut, &code);
}

static const struct {
  const char *name;
  bool context, function;
} nulls[] = {{"no_context", false, true}, {"no_name", true, false}, {"neither", false, false}};

CASE_ROWS(look_up_without_context_or_name_is_an_error, nulls, .clauses = {MOD_51},
          .title = "a look-up without a context or without a name fails with an error")
{
  Generated code = load_importing(iut, "L:1 1");
  int mark;
  TVMFFIObjectHandle function = &mark;
  looked_up(iut, *code.context, "only_1");
  note("with NULL");
  expect_error(iut,
               iut->EnvModLookupFromImports(row->context ? *code.context : NULL,
                                            row->function ? "only_1" : NULL, &function),
               NULL);
  expect_pointer("the output", function, &mark);
  release_generated(iut, &code);
}

// Takes what was freed, and fills it with bytes that are no pointers.
static void overwrite_freed_memory(void)
{
  for (size_t size = 16; size <= 512; size += 16)
    for (int i = 0; i < 16; ++i) {
      char *block = malloc(size);
      if (block) memset(block, 0xA5, size);
    }
}

CASE(loading_again_leaves_the_first_module, .clauses = {MOD_52}, .wrong_call = true,
     .title =
         "generated code finds the imports of the first module after a second was loaded and "
         "released")
{
  Generated code = load_importing(iut, "L:1 1");
  Payload other = payload_of("L:1 2");
  carrier_place(&code.carrier, other.bytes, other.size);
  release_object(iut, load_path(iut, code.carrier.path));
  overwrite_freed_memory();
  note("after the second module was released");
  expect_int("only_1", integer_of(iut, looked_up(iut, *code.context, "only_1")), 1);
  expect_not_looked_up(iut, *code.context, "only_2");
  release_generated(iut, &code);
}

// --- Look-ups inside look-ups --------------------------------------------------------------------

static Iut *resolving_iut;
static void *resolving_context;
static int resolving_code = 1;
static TVMFFIObjectHandle resolving_found;

static void look_up_while_looking_up(void)
{
  resolving_code =
      resolving_iut->EnvModLookupFromImports(resolving_context, "only_1", &resolving_found);
}

typedef struct OuterLookUp {
  int code;
  TVMFFIObjectHandle found;
} OuterLookUp;

static void *look_up_indirect(void *argument)
{
  OuterLookUp *outer = argument;
  outer->code =
      resolving_iut->EnvModLookupFromImports(resolving_context, "indirect", &outer->found);
  return NULL;
}

static int load_indirect(void *self, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  (void)args, (void)num_args;
  *result = view_of_object(self, load_library((Iut *)self, "indirect.so"));
  return 0;
}

// The library imports node 1 and the library with the indirect function.
static Payload payload_with_indirect(Iut *iut)
{
  const uint64_t rows[] = {0, 2, 2, 2}, children[] = {1, 2};
  const LibraryBinEntry entries[] = {{.is_library = true},
                                     {.kind = {node_kind, sizeof node_kind - 1}, .value = {"1", 1}},
                                     {.kind = {"conform_indirect", 16}, .value = {"v", 1}}};
  serve_nodes(iut);
  return payload_of_tree(&(LibraryBin){3, 2, rows, children, entries});
}

CASE(look_ups_happen_inside_look_ups, .clauses = {MOD_53},
     .title = "a look-up whose code looks up in turn terminates")
{
  static OuterLookUp outer;
  void *handle = dlopen(library_path_of("indirect.so"), RTLD_NOW | RTLD_LOCAL);
  if (!handle) case_inconclusive("cannot open indirect.so");
  enter_function(iut, "ffi.Module.load_from_bytes.conform_indirect", iut, load_indirect);
  Generated code = load_generated_tree(iut, payload_with_indirect(iut));
  resolving_iut = iut;
  resolving_context = *code.context;
  *(void (**)(void))dlsym(handle, "conform_resolving") = look_up_while_looking_up;
  pthread_t thread;
  struct timespec until;
  if (pthread_create(&thread, NULL, look_up_indirect, &outer) != 0)
    case_inconclusive("cannot start a thread");
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_sec += 1;
  require(expect_int("waiting a second for the look-up", pthread_timedjoin_np(thread, NULL, &until),
                     0));
  if (resolving_code == 1) case_not_applicable("indirect functions are not supported here");
  expect_int("code of the inner look-up", resolving_code, 0);
  expect_int("what it found", integer_of(iut, resolving_found), 1);
  expect_int("code of the outer look-up", outer.code, 0);
  expect_int("what it found", integer_of(iut, outer.found), 300);
}

// --- Context symbols -----------------------------------------------------------------------------

static int first_thing, second_thing;

// Borrow: the variable of the carrier.
static void **variable_of(const Generated *code, const char *name)
{
  return carrier_symbol(&code->carrier, name);
}

CASE(registered_symbol_is_filled_in, .clauses = {MOD_54},
     .title = "every load stores the registered address in the variable of the name")
{
  require(expect_ok(
      iut, iut->EnvModRegisterContextSymbol(fenced_string("__conform_first"), &first_thing)));
  require(expect_ok(iut, iut->EnvModRegisterContextSymbol("__conform_nobody", &second_thing)));
  Generated code = load_generated(iut);
  expect_pointer("the variable", *variable_of(&code, "__conform_first"), &first_thing);
  expect_pointer("another variable", *variable_of(&code, "__conform_second"), NULL);
  expect_not_null("the context", *code.context);
  *variable_of(&code, "__conform_first") = NULL;
  note("loaded again");
  release_object(iut, load_path(iut, code.carrier.path));
  expect_pointer("the variable", *variable_of(&code, "__conform_first"), &first_thing);
  release_generated(iut, &code);
}

CASE(symbol_of_a_tree_is_filled_in_again, .clauses = {MOD_54},
     .title =
         "a library with embedded modules that is loaded again has its variable filled in again")
{
  require(expect_ok(iut, iut->EnvModRegisterContextSymbol("__conform_first", &first_thing)));
  for (int times = 0; times < 2; ++times) {
    Generated code = load_importing(iut, "L:1 3");
    note(times ? "loaded again" : "loaded");
    expect_pointer("the variable", *variable_of(&code, "__conform_first"), &first_thing);
    *variable_of(&code, "__conform_first") = NULL;  // as when it is mapped anew
    release_generated(iut, &code);
  }
}

CASE(two_symbols_are_filled_in, .clauses = {MOD_54},
     .title = "a library with two registered variables has both filled in")
{
  require(expect_ok(iut, iut->EnvModRegisterContextSymbol("__conform_first", &first_thing)));
  require(expect_ok(iut, iut->EnvModRegisterContextSymbol("__conform_second", &second_thing)));
  Generated code = load_generated(iut);
  expect_pointer("the first variable", *variable_of(&code, "__conform_first"), &first_thing);
  expect_pointer("the second variable", *variable_of(&code, "__conform_second"), &second_thing);
  release_generated(iut, &code);
}

CASE(name_of_a_symbol_is_copied, .clauses = {MOD_104},
     .title = "the name of a context symbol may be freed once it is registered")
{
  char *name = fenced_buffer("the name", sizeof "__conform_first");
  strcpy(name, "__conform_first");
  require(expect_ok(iut, iut->EnvModRegisterContextSymbol(name, &first_thing)));
  memset(name, 'x', strlen(name));
  Generated code = load_generated(iut);
  expect_pointer("the variable", *variable_of(&code, "__conform_first"), &first_thing);
  release_generated(iut, &code);
}

CASE(symbols_are_there_before_embedded_modules, .clauses = {MOD_55},
     .title = "context symbols are filled in before a loader of an embedded module is called")
{
  require(expect_ok(iut, iut->EnvModRegisterContextSymbol("__conform_first", &first_thing)));
  NodeLoads *loads = serve_nodes(iut);
  Payload payload = payload_of("3:1 L");
  Carrier carrier = carrier_open(payload.bytes, payload.size);
  loads->context = carrier_symbol(&carrier, "__conform_first");
  TVMFFIObjectHandle root = load_path(iut, carrier.path);
  expect_int("calls of the loader", loads->calls, 1);
  expect_pointer("the variable when it was called", loads->contexts[0], &first_thing);
  release_object(iut, root);
  carrier_close(&carrier);
}

CASE(last_registration_counts, .clauses = {MOD_57},
     .title = "a name that is registered again gets the new address")
{
  require(expect_ok(iut, iut->EnvModRegisterContextSymbol("__conform_first", &first_thing)));
  require(expect_ok(iut, iut->EnvModRegisterContextSymbol("__conform_first", &second_thing)));
  Generated code = load_generated(iut);
  expect_pointer("the variable", *variable_of(&code, "__conform_first"), &second_thing);
  require(expect_ok(iut, iut->EnvModRegisterContextSymbol("__conform_first", &first_thing)));
  release_object(iut, load_path(iut, code.carrier.path));
  expect_pointer("the variable", *variable_of(&code, "__conform_first"), &first_thing);
  release_generated(iut, &code);
}
