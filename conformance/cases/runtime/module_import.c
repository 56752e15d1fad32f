// SPDX-License-Identifier: Apache-2.0
// Modules that import others: where look-ups go, and what keeps what.
#include <pthread.h>
#include <time.h>

#include "cases/runtime/library_bin_tree.h"

CHAPTER(module);

// Own: modules of the nodes 1 to `count`, in places of these numbers.
static void load_nodes(Iut *iut, TVMFFIObjectHandle modules[], int count)
{
  for (int i = 1; i <= count; ++i) modules[i] = load_node(iut, i);
}

static void release_nodes(Iut *iut, TVMFFIObjectHandle modules[], int count)
{
  for (int i = 1; i <= count; ++i) release_object(iut, modules[i]);
}

CASE(import_is_looked_up, .clauses = {MOD_33},
     .title = "a function of an import is found if imports are requested")
{
  TVMFFIObjectHandle modules[4];
  load_nodes(iut, modules, 3);
  expect_no_function(iut, modules[1], view_of_raw_string("only_2"), true);
  import_module(iut, modules[1], modules[2]);
  expect_function(iut, modules[1], "only_2", true, 2);
  expect_no_function(iut, modules[1], view_of_raw_string("only_3"), true);
  note("below the import");
  import_module(iut, modules[2], modules[3]);
  expect_function(iut, modules[1], "only_3", true, 3);
  release_nodes(iut, modules, 3);
}

// Own: the root of a tree of nodes, which a library without functions of interest carries.
static TVMFFIObjectHandle load_tree(Iut *iut, const char *tree)
{
  serve_nodes(iut);
  return load_payload(iut, payload_of(tree));
}

CASE(import_is_not_looked_up_unasked, .clauses = {MOD_34},
     .title = "a function of an import is not found if imports are not requested")
{
  TVMFFIObjectHandle root = load_tree(iut, "1:1 2");
  expect_no_function(iut, root, view_of_raw_string("only_2"), false);
  expect_function(iut, root, "only_1", false, 1);
  expect_function(iut, root, "only_2", true, 2);
  release_object(iut, root);
}

CASE(own_functions_come_first, .clauses = {MOD_35},
     .title = "a function that module and import have is that of the module")
{
  TVMFFIObjectHandle root = load_tree(iut, "2:12 1 3");
  expect_function(iut, root, "shared", true, 2);
  expect_function(iut, root, "shared", false, 2);
  release_object(iut, root);
}

// Module 8, the root, has no `odd`; its first import that has one, or finds one, is asked.
static const struct {
  const char *name, *tree;
  int64_t odd;
} searches[] = {{"first_import", "8:12 1 3", 1},
                {"order_of_importing", "8:12 3 1", 3},
                {"below_before_beside", "8:123 2:45 4 1 3 5", 3},
                {"deep_before_beside", "8:1234 2:2 4:56 5 1 6:6 7", 7},
                {"second_when_first_has_none", "8:1234 2 6 4 3", 3},
                {"first_import_itself_before_below", "8:1231 5:2 3 1", 5}};

CASE_ROWS(imports_are_asked_in_their_order, searches, .clauses = {MOD_36},
          .title = "imports are searched in their order, each with its own imports before the next")
{
  TVMFFIObjectHandle root = load_tree(iut, row->tree);
  expect_function(iut, root, "odd", true, row->odd);
  release_object(iut, root);
}

static int give_nothing(void *self, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  (void)self, (void)args, (void)num_args, (void)result;
  return 0;
}

CASE(global_functions_are_in_no_module, .clauses = {MOD_37},
     .title = "the name of a global function is not found in a module")
{
  TVMFFIObjectHandle root = load_tree(iut, "1:1 2");
  enter_function(iut, "conform.global", NULL, give_nothing);
  for (int imports = 0; imports < 2; ++imports) {
    expect_no_function(iut, root, view_of_raw_string("conform.global"), imports);
    expect_no_function(iut, root, view_of_raw_string(so_loader), imports);
  }
  expect_function(iut, root, "only_2", true, 2);
  release_object(iut, root);
}

CASE(module_is_imported_again, .clauses = {MOD_38},
     .title = "importing an imported module again succeeds")
{
  TVMFFIObjectHandle modules[4];
  load_nodes(iut, modules, 3);
  import_module(iut, modules[1], modules[2]);
  import_module(iut, modules[1], modules[3]);
  import_module(iut, modules[1], modules[2]);
  expect_function(iut, modules[1], "only_2", true, 2);
  expect_function(iut, modules[1], "only_3", true, 3);
  note("along another way");
  import_module(iut, modules[3], modules[2]);
  expect_function(iut, modules[3], "only_2", true, 2);
  release_nodes(iut, modules, 3);
}

// Edges that are there, and one that would close a circle.
static const struct {
  const char *name, *edges, *last;
} circles[] = {{"itself", "", "11"},
               {"two", "12", "21"},
               {"three", "1223", "31"},
               {"one_of_several_ways", "12132434", "41"},
               {"below_the_first", "122334", "42"},
               {"itself_with_imports", "1223", "22"}};

CASE_ROWS(nothing_imports_itself, circles, .clauses = {MOD_39}, .wrong_call = true,
          .title = "an import that closes a cycle raises a RuntimeError and changes nothing")
{
  TVMFFIObjectHandle modules[5];
  load_nodes(iut, modules, 4);
  for (const char *edge = row->edges; *edge; edge += 2)
    import_module(iut, modules[edge[0] - '0'], modules[edge[1] - '0']);
  TVMFFIObjectHandle importer = modules[row->last[0] - '0'], imported = modules[row->last[1] - '0'];
  int64_t before = number_of_imports(iut, importer);
  expect_refused(iut, "RuntimeError", "ffi.ModuleImportModule",
                 VALUES(view_of_object(iut, importer), view_of_object(iut, imported)));
  expect_int("imports of the importer", number_of_imports(iut, importer), before);
  release_nodes(iut, modules, 4);
}

CASE(imports_are_cleared, .clauses = {MOD_40},
     .title = "clearing the imports releases them, and their functions are not found any more")
{
  TVMFFIObjectHandle modules[4];
  load_nodes(iut, modules, 3);
  import_module(iut, modules[1], modules[2]);
  import_module(iut, modules[1], modules[3]);
  uint64_t second = object_strong(iut, modules[2]), third = object_strong(iut, modules[3]);
  TVMFFIAny nothing =
      value_of(iut, "ffi.ModuleClearImports", VALUES(view_of_object(iut, modules[1])));
  release_any(iut, &nothing);
  expect_int("references to the second", (int64_t)object_strong(iut, modules[2]),
             (int64_t)second - 1);
  expect_int("references to the third", (int64_t)object_strong(iut, modules[3]),
             (int64_t)third - 1);
  expect_no_function(iut, modules[1], view_of_raw_string("only_2"), true);
  expect_function(iut, modules[1], "only_1", true, 1);
  note("imported again");
  import_module(iut, modules[1], modules[2]);
  expect_function(iut, modules[1], "only_2", true, 2);
  release_nodes(iut, modules, 3);
}

CASE(module_keeps_what_it_imports, .clauses = {MOD_41},
     .title = "an import lives as long as its importer")
{
  TVMFFIObjectHandle modules[4];
  load_nodes(iut, modules, 3);
  import_module(iut, modules[1], modules[2]);
  import_module(iut, modules[2], modules[3]);
  object_take_weak(iut, modules[3]);
  release_object(iut, modules[2]);
  release_object(iut, modules[3]);
  expect_that(object_strong(iut, modules[3]) >= 1, "a reference of the importer", "none");
  expect_function(iut, modules[1], "only_2", true, 2);
  expect_function(iut, modules[1], "only_3", true, 3);
  object_release_weak(iut, modules[3]);
  release_object(iut, modules[1]);
}

// --- Large graphs --------------------------------------------------------------------------------

static int load_always_node_1(void *self, const TVMFFIAny *args, int32_t num_args,
                              TVMFFIAny *result)
{
  (void)args, (void)num_args;
  *result = view_of_object(self, load_node(self, 1));
  return 0;
}

// Own: the root of a graph of `layers` layers of `width` modules. All of a layer import all of the
// next. (The first has one module, the library.)
static TVMFFIObjectHandle load_layers(Iut *iut, size_t layers, size_t width)
{
  size_t modules = 1 + layers * width, edges = width + (layers - 1) * width * width;
  uint64_t *rows = calloc(modules + 1, sizeof *rows), *children = calloc(edges, sizeof *children);
  LibraryBinEntry *entries = calloc(modules, sizeof *entries);
  LibraryBin tree = {modules, 0, rows, children, entries};
  if (!rows || !children || !entries) case_inconclusive("no memory for a tree");
  for (size_t module = 0; module < modules; ++module) {
    size_t next = module == 0 ? 1 : module + width - (module - 1) % width;
    entries[module] = (LibraryBinEntry){.is_library = module == 0, .kind = {"conform_1", 9}};
    entries[module].value = (LibraryBinBytes){"v", 1};
    for (size_t i = 0; i < width && next + i < modules; ++i)
      children[tree.num_children++] = next + i;
    rows[module + 1] = tree.num_children;
  }
  enter_function(iut, "ffi.Module.load_from_bytes.conform_1", iut, load_always_node_1);
  TVMFFIObjectHandle root = load_payload(iut, payload_of_tree(&tree));
  free(rows), free(children), free(entries);
  return root;
}

// A look-up in a thread of its own.
typedef struct Search {
  Iut *iut;
  TVMFFIObjectHandle root;
  bool releases;  // and a release of the root afterwards
  int32_t found;  // type index
} Search;

static void *search_for_nothing(void *argument)
{
  Search *search = argument;
  Iut *iut = search->iut;
  TVMFFIByteArray name = bytes_of("ffi.ModuleGetFunction");
  TVMFFIObjectHandle function = NULL;
  TVMFFIAny args[] = {view_of_object(iut, search->root), view_of_raw_string("no_such_function"),
                      view_of_bool(true)};
  TVMFFIAny result = view_of_int(0);
  if (iut->FunctionGetGlobal(&name, &function) == 0 && function) {
    if (iut->FunctionCall(function, args, 3, &result) != 0) result.type_index = -1;
    search->found = result.type_index;
    release_object(iut, function);
  }
  if (search->releases) release_object(iut, search->root);
  return NULL;
}

// The look-up of 40 layers must end within a second.
CASE(look_up_visits_each_module_once, .clauses = {MOD_42}, .patience = 2,
     .title = "a look-up through 40 pairs of modules, each importing both of the next, terminates")
{
  static Search search;
  search = (Search){.iut = iut, .root = load_layers(iut, 40, 2), .found = -2};
  pthread_t thread;
  struct timespec until;
  if (pthread_create(&thread, NULL, search_for_nothing, &search) != 0)
    case_inconclusive("cannot start a thread");
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_sec += 1;
  require(expect_int("waiting a second for the look-up", pthread_timedjoin_np(thread, NULL, &until),
                     0));
  expect_int("type index of what it finds", search.found, kTVMFFINone);
}

// A chain that is a 50th of that of the clause, and a stack that is a 50th, too.
CASE(long_chain_needs_no_deep_stack, .clauses = {MOD_43},
     .title = "a chain of 2,000 modules is searched and released on 160 KiB of stack")
{
  static Search search;
  search = (Search){.iut = iut, .root = load_layers(iut, 2000, 1), .releases = true, .found = -2};
  pthread_attr_t attributes;
  pthread_t thread;
  pthread_attr_init(&attributes);
  if (pthread_attr_setstacksize(&attributes, 160 * 1024) != 0 ||
      pthread_create(&thread, &attributes, search_for_nothing, &search) != 0)
    case_inconclusive("cannot start a thread");
  pthread_join(thread, NULL);
  expect_int("type index of what it finds", search.found, kTVMFFINone);
}
