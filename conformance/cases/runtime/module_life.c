// SPDX-License-Identifier: Apache-2.0
// What keeps a library, what does not, and threads that load at the same time.
#include "cases/runtime/library_bin_tree.h"

CHAPTER(module);

CASE(function_keeps_its_library, .clauses = {MOD_72},
     .title = "a function can be called after its module was released")
{
  TVMFFIObjectHandle module = load_node(iut, 7),
                     function = find_function(iut, module, "self", false);
  require(expect_not_null("the function", function));
  release_object(iut, module);
  expect_that(library_is_mapped("node_7.so"), "the library is mapped", "it is not");
  expect_int("self", integer_of(iut, function), 7);
  release_object(iut, function);
}

CASE(function_of_an_import_keeps_its_library, .clauses = {MOD_72},
     .title = "a function found through imports can be called after every module was released")
{
  serve_nodes(iut);
  TVMFFIObjectHandle module = load_payload(iut, payload_of("7:1 8"));
  TVMFFIObjectHandle function = find_function(iut, module, "only_8", true);
  require(expect_not_null("the function", function));
  release_object(iut, module);
  expect_that(library_is_mapped("node_8.so"), "the library is mapped", "it is not");
  expect_int("only_8", integer_of(iut, function), 8);
  release_object(iut, function);
}

CASE(function_of_a_tree_keeps_its_library, .clauses = {MOD_72},
     .title = "a function of an embedded library can be called after the tree was released")
{
  serve_nodes(iut);
  TVMFFIObjectHandle root = load_payload(iut, payload_of("5:1 L"));
  TVMFFIObjectHandle function = find_function(iut, root, "of_carrier", true);
  require(expect_not_null("the function", function));
  release_object(iut, root);
  expect_int("of_carrier", integer_of(iut, function), 1000);
  release_object(iut, function);
}

static const struct {
  const char *name;
  bool function, twice;
} uses[] = {{"module", false, false},
            {"module_and_function", true, false},
            {"loaded_twice", false, true},
            {"loaded_twice_and_function", true, true}};

CASE_ROWS(library_that_nobody_uses_is_closed, uses, .clauses = {MOD_73},
          .title = "a library is mapped until its modules and functions are released")
{
  TVMFFIObjectHandle module = load_node(iut, 7), second = row->twice ? load_node(iut, 7) : NULL;
  TVMFFIObjectHandle function = row->function ? find_function(iut, module, "self", false) : NULL;
  if (function) expect_int("self", integer_of(iut, function), 7);
  expect_that(library_is_mapped("node_7.so"), "the library is mapped", "it is not");
  if (second) release_object(iut, second);
  expect_that(library_is_mapped("node_7.so"), "the library is mapped", "it is not");
  release_object(iut, module);
  if (function) release_object(iut, function);
  note("after all was released");
  expect_unmapped("node_7.so");
}

static unsigned objects_deleted;

static void count_deletion(void)
{
  ++objects_deleted;
}

// tvm-ffi#264: a tensor outlived the library in which its deleter is.
CASE(what_was_returned_outlives_its_module, .clauses = {MOD_74},
     .title = "an object whose deleter lies in a library can be released after its module")
{
  Carrier carrier = carrier_open(NULL, 0);
  void (**deleted)(void) = carrier_symbol(&carrier, "conform_deleted");
  *deleted = count_deletion;
  TVMFFIObjectHandle module = load_path(iut, carrier.path);
  TVMFFIObjectHandle function = find_function(iut, module, "make_object", false);
  TVMFFIAny made = any_none();
  require(expect_not_null("the function", function));
  require(expect_ok(iut, iut->FunctionCall(function, NULL, 0, &made)));
  expect_counts(iut, made.v_obj, .strong = 1, .weak = 1);
  carrier_close(&carrier);
  release_object(iut, function);
  release_object(iut, module);
  note("after module and function were released");
  release_any(iut, &made);
  expect_int("calls of the deleter", objects_deleted, 1);
}

// --- Memory --------------------------------------------------------------------------------------

enum { CHAIN = 10 };

// What the operations below work with: paths that are asked for once, a chain of modules, and names
// that are views.
typedef struct Life {
  const char *path, *other_path;
  TVMFFIObjectHandle chain[CHAIN];
  TVMFFIAny known, unknown;
} Life;

static TVMFFIObjectHandle load_again(Iut *iut, const char *path)
{
  TVMFFIObjectHandle module = NULL;
  require(expect_ok(iut, try_to_load(iut, path, &module)));
  require(expect_not_null("the module", module));
  return module;
}

static void load_and_call(Iut *iut, void *context)
{
  const Life *life = context;
  TVMFFIObjectHandle module = load_again(iut, life->path);
  TVMFFIObjectHandle function = find_in(iut, module, life->known, false);
  integer_of(iut, function);
  release_object(iut, function);
  expect_no_function(iut, module, life->unknown, false);
  release_object(iut, module);
}

static void import_and_clear(Iut *iut, void *context)
{
  const Life *life = context;
  TVMFFIObjectHandle module = load_again(iut, life->path);
  TVMFFIObjectHandle import = load_again(iut, life->other_path);
  import_module(iut, module, import);
  import_module(iut, module, import);
  release_object(iut, import);
  require(expect_that(number_of_imports(iut, module) > 0, "imports", "none"));
  value_of(iut, "ffi.ModuleClearImports", VALUES(view_of_object(iut, module)));
  require(expect_int("number of imports", number_of_imports(iut, module), 0));
  release_object(iut, module);
}

static void ask_a_chain(Iut *iut, void *context)
{
  const Life *life = context;
  expect_no_function(iut, life->chain[0], life->unknown, true);
}

static void describe(Iut *iut, void *context)
{
  static const char *const questions[] = {
      "ffi.ModuleImplementsFunction", "ffi.ModuleGetFunctionMetadata", "ffi.ModuleGetFunctionDoc"};
  const Life *life = context;
  for (int i = 0; i < 3; ++i) {
    TVMFFIAny answer = ask_module(iut, questions[i], life->chain[0], life->known, true);
    release_any(iut, &answer);
  }
}

static void fail_to_load(Iut *iut, void *context)
{
  (void)context;
  TVMFFIObjectHandle module = NULL;
  expect_error(iut, try_to_load(iut, "/conform/no/such/folder/a_library.so", &module), NULL);
}

static const struct {
  const char *name;
  void (*operation)(Iut *iut, void *context);
} lives[] = {{"imported", import_and_clear}, {"asked", ask_a_chain}, {"described", describe}};

CASE(loaded_modules_leave_no_memory_behind, .clauses = {MOD_92}, .patience = 2,
     .title = "loading, searching and releasing modules does not leak")
{
  Life life = {.path = library_path_of("node_7.so"),
               .known = view_of_raw_string("self"),
               .unknown = view_of_raw_string("no_such_function")};
  expect_no_heap_growth(iut, 100, load_and_call, &life);
}

CASE_ROWS(modules_leave_no_memory_behind, lives, .clauses = {MOD_103}, .patience = 2,
          .title = "importing modules and asking about names does not leak")
{
  Life life = {.path = library_path_of("node_7.so"),
               .other_path = library_path_of("node_8.so"),
               .known = view_of_raw_string("self"),
               .unknown = view_of_raw_string("no_such_function")};
  for (int i = 0; i < CHAIN; ++i) life.chain[i] = load_node(iut, i);
  for (int i = 1; i < CHAIN; ++i) import_module(iut, life.chain[i - 1], life.chain[i]);
  expect_no_heap_growth(iut, 100, row->operation, &life);
  for (int i = 0; i < CHAIN; ++i) release_object(iut, life.chain[i]);
}

// Makes of any value a module that the context names.
static int load_the_same(void *self, const TVMFFIAny *args, int32_t count, TVMFFIAny *result)
{
  (void)args, (void)count;
  const NodeLoads *loads = self;
  if (loads->calls) {
    loads->iut->ErrorSetRaisedFromCStr("conform.LoaderError", "asked to fail");
    return -1;
  }
  *result = view_of_object(loads->iut, load_again(loads->iut, *loads->context));
  return 0;
}

static void load_tree(Iut *iut, void *context)
{
  const Carrier *carrier = context;
  release_object(iut, load_again(iut, carrier->path));
}

static void fail_to_load_tree(Iut *iut, void *context)
{
  const Carrier *carrier = context;
  TVMFFIObjectHandle module = NULL;
  expect_error(iut, try_to_load(iut, carrier->path, &module), "conform.LoaderError");
}

// What the loader of the nodes, for the operations above, goes by.
static NodeLoads the_node;

static NodeLoads *serve_one_node(Iut *iut)
{
  static void *path;
  const char *child = library_path_of("node_7.so");
  memcpy(&path, &child, sizeof path);
  the_node.iut = iut;
  the_node.context = &path;
  enter_function(iut, "ffi.Module.load_from_bytes.conform_node", &the_node, load_the_same);
  return &the_node;
}

static const struct {
  const char *name, *tree;
} trees[] = {{"library-imports-two", "L:12 1 2"},
             {"library-below", "1:12 2 L"},
             {"library-imports-five", "L:12345 1 2 3 4 5"},
             {"library-imports-one-twice", "L:11 1"}};

CASE_ROWS(trees_leave_no_memory_behind, trees, .clauses = {MOD_92}, .patience = 2,
          .title = "loading and releasing libraries with embedded modules does not leak")
{
  Payload payload = payload_of(row->tree);
  Carrier carrier = carrier_open(payload.bytes, payload.size);
  serve_one_node(iut);
  expect_no_heap_growth(iut, 60, load_tree, &carrier);
  carrier_close(&carrier);
}

CASE(values_leave_no_memory_behind, .clauses = {MOD_92}, .patience = 2,
     .title = "loading a library whose embedded module has a value of 100 octets does not leak")
{
  static const char octets[100] = "a value that has memory of its own";
  const uint64_t rows[] = {0, 1, 1}, children[] = {1};
  const LibraryBinEntry entries[] = {
      {.is_library = true},
      {.kind = {node_kind, sizeof node_kind - 1}, .value = {octets, sizeof octets}}};
  const Payload payload = payload_of_tree(&(LibraryBin){2, 1, rows, children, entries});
  Carrier carrier = carrier_open(payload.bytes, payload.size);
  serve_one_node(iut);
  expect_no_heap_growth(iut, 60, load_tree, &carrier);
  carrier_close(&carrier);
}

// Loads a tree, of which modules that the first one imports have a function.
static void load_and_find(Iut *iut, void *context)
{
  const Carrier *carrier = context;
  TVMFFIObjectHandle root = load_again(iut, carrier->path);
  TVMFFIObjectHandle function = find_in(iut, root, view_of_raw_string("only_7"), true);
  integer_of(iut, function);
  release_object(iut, function);
  release_object(iut, root);
}

CASE_ROWS(searched_trees_leave_no_memory_behind, trees, .clauses = {MOD_92}, .patience = 2,
          .title = "finding a function in an imported module, and releasing both, does not leak")
{
  Payload payload = payload_of(row->tree);
  Carrier carrier = carrier_open(payload.bytes, payload.size);
  serve_one_node(iut);
  expect_no_heap_growth(iut, 60, load_and_find, &carrier);
  carrier_close(&carrier);
}

// Has a new function take the place of the loader, and loads with it.
static void load_tree_anew(Iut *iut, void *context)
{
  TVMFFIByteArray name = bytes_of("ffi.Module.load_from_bytes.conform_node");
  TVMFFIObjectHandle loader = NULL;
  require(expect_ok(iut, iut->FunctionCreate(&the_node, load_the_same, NULL, &loader)));
  require(expect_ok(iut, iut->FunctionSetGlobal(&name, loader, 1)));
  release_object(iut, loader);
  load_tree(iut, context);
}

CASE(replaced_loaders_leave_no_memory_behind, .clauses = {MOD_92}, .patience = 2,
     .title = "a loader of embedded modules that another takes the place of is not kept")
{
  Payload payload = payload_of("L:1 1");
  Carrier carrier = carrier_open(payload.bytes, payload.size);
  serve_one_node(iut);
  expect_no_heap_growth(iut, 60, load_tree_anew, &carrier);
  carrier_close(&carrier);
}

CASE(missing_files_leave_no_memory_behind, .clauses = {MOD_93}, .patience = 2,
     .title = "trying to load a missing file does not leak")
{
  expect_no_heap_growth(iut, 100, fail_to_load, NULL);
}

CASE_ROWS(refused_trees_leave_no_memory_behind, trees, .clauses = {MOD_93}, .patience = 2,
          .title = "loading libraries whose embedded modules cannot be made does not leak")
{
  Payload payload = payload_of(row->tree);
  Carrier carrier = carrier_open(payload.bytes, payload.size);
  NodeLoads *loads = serve_one_node(iut);
  load_tree(iut, &carrier);
  loads->calls = 1;
  expect_no_heap_growth(iut, 60, fail_to_load_tree, &carrier);
  carrier_close(&carrier);
}

// --- Modules that the runtime keeps --------------------------------------------------------------

static void call_keeper(Iut *iut, const char *keeper, TVMFFIObjectHandle module)
{
  TVMFFIAny nothing = value_of(iut, keeper, VALUES(view_of_object(iut, module)));
  release_any(iut, &nothing);
}

CASE(module_is_kept, .clauses = {MOD_75},
     .title = "a kept module lives after every other reference was released")
{
  TVMFFIObjectHandle module = load_node(iut, 7);
  object_take_weak(iut, module);
  call_keeper(iut, "ffi.ModuleGlobalsAdd", module);
  release_object(iut, module);
  expect_that(object_strong(iut, module) >= 1, "a reference of the runtime", "none");
  expect_function(iut, module, "self", false, 7);
  expect_that(library_is_mapped("node_7.so"), "the library is mapped", "it is not");
}

static const struct {
  const char *name;
  unsigned added;
} kept[] = {{"once", 1}, {"twice", 2}, {"never", 0}};

CASE_ROWS(kept_module_is_let_go, kept, .clauses = {MOD_76},
          .title = "dropping a kept module releases one reference, however often it was kept")
{
  TVMFFIObjectHandle module = load_node(iut, 7), other = load_node(iut, 8);
  call_keeper(iut, "ffi.ModuleGlobalsAdd", other);
  for (unsigned i = 0; i < row->added; ++i) call_keeper(iut, "ffi.ModuleGlobalsAdd", module);
  expect_counts(iut, module, .strong = row->added ? 2 : 1, .weak = 1);
  call_keeper(iut, "ffi.ModuleGlobalsRemove", module);
  expect_counts(iut, module, .strong = 1, .weak = 1);
  note("let go once more");
  call_keeper(iut, "ffi.ModuleGlobalsRemove", module);
  expect_counts(iut, module, .strong = 1, .weak = 1);
  expect_counts(iut, other, .strong = 2, .weak = 1);
  expect_function(iut, module, "self", false, 7);
  release_object(iut, module);
}

// --- Threads -------------------------------------------------------------------------------------

enum { THREADS = 4, ROUNDS = 25 };

static TVMFFIAny call_in_thread(Iut *iut, const char *name, TVMFFIAny *args, int32_t count)
{
  TVMFFIByteArray text = bytes_of(name);
  TVMFFIObjectHandle function = NULL;
  TVMFFIAny result = any_none();
  if (expect_ok(iut, iut->FunctionGetGlobal(&text, &function)) && function) {
    expect_ok(iut, iut->FunctionCall(function, args, count, &result));
    release_object(iut, function);
  }
  return result;
}

// Looks a function up in a module, calls it, and wants this integer.
static void use_in_thread(Iut *iut, TVMFFIAny module, const char *name, int64_t expected)
{
  TVMFFIAny args[] = {module, view_of_raw_string(name), view_of_bool(true)};
  TVMFFIAny function = call_in_thread(iut, "ffi.ModuleGetFunction", args, 3), result = any_none();
  if (!expect_type_index(&function, kTVMFFIFunction)) return;
  expect_ok(iut, iut->FunctionCall(function.v_obj, NULL, 0, &result));
  expect_int(name, result.v_int64, expected);
  release_any(iut, &function);
}

typedef struct Files {
  const char *same, *own[THREADS];
} Files;

static void load_in_thread(Iut *iut, unsigned index, void *context)
{
  const Files *files = context;
  for (int i = 0; i < ROUNDS; ++i) {
    TVMFFIAny args[] = {view_of_raw_string(i % 2 ? files->same : files->own[index]),
                        view_of_small_string("")};
    TVMFFIAny module = call_in_thread(iut, so_loader, args, 2);
    if (!expect_type_index(&module, kTVMFFIModule)) return;
    use_in_thread(iut, module, "self", i % 2 ? 9 : index);
    release_any(iut, &module);
  }
}

CASE(threads_load_at_the_same_time, .clauses = {MOD_77},
     .title = "threads load the same and different files, and each gets its own functions")
{
  Files files = {library_path_of("node_9.so"),
                 {library_path_of("node_0.so"), library_path_of("node_1.so"),
                  library_path_of("node_2.so"), library_path_of("node_3.so")}};
  run_in_threads(iut, THREADS, load_in_thread, &files);
  expect_int("rounds", ROUNDS, 25);
}

typedef struct SharedModule {
  TVMFFIObjectHandle module;
  void *context;
} SharedModule;

static void look_up_in_thread(Iut *iut, unsigned index, void *context)
{
  static const char *const names[] = {"only_1", "only_2", "only_3"};
  const SharedModule *shared = context;
  for (unsigned i = 0; i < 4 * ROUNDS; ++i) {
    unsigned number = (i + index) % 3;
    TVMFFIObjectHandle function = NULL;
    TVMFFIAny result = any_none();
    if (!expect_ok(iut, iut->EnvModLookupFromImports(shared->context, names[number], &function)))
      return;
    expect_ok(iut, iut->FunctionCall(function, NULL, 0, &result));
    expect_int(names[number], result.v_int64, number + 1);
    use_in_thread(iut, view_of_object(iut, shared->module), names[number], number + 1);
  }
}

CASE(threads_look_up_at_the_same_time, .clauses = {MOD_77},
     .title = "threads look functions up in one module and by one context")
{
  serve_nodes(iut);
  Payload payload = payload_of("L:12 1:3 2:3 3");
  Carrier carrier = carrier_open(payload.bytes, payload.size);
  SharedModule shared = {load_path(iut, carrier.path), NULL};
  shared.context = *(void **)carrier_symbol(&carrier, "__tvm_ffi__library_ctx");
  run_in_threads(iut, THREADS, look_up_in_thread, &shared);
  release_object(iut, shared.module);
  carrier_close(&carrier);
}
