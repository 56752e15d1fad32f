// SPDX-License-Identifier: Apache-2.0
// What came of a load: the modules and their imports, against the rows of the payload.
#include <string.h>

#include "digest.h"
#include "fuzz/fuzz_library_state.h"

FuzzBinKnown fuzz_bin_known;

// Own: the array of what a module imports, or NULL.
TVMFFIObjectHandle fuzz_bin_imports(TVMFFIObjectHandle module)
{
  TVMFFIAny imports = any_none();
  if (fuzz_bin.imports->getter((char *)module + fuzz_bin.imports->offset, &imports) != 0) {
    release_object(fuzz_bin.iut, take_error(fuzz_bin.iut));
    return NULL;
  }
  if (imports.type_index == kTVMFFIArray) return imports.v_obj;
  fuzz_bin_load.odd_imports |= imports.type_index != kTVMFFINone;
  release_any(fuzz_bin.iut, &imports);
  return NULL;
}

static size_t place_of(TVMFFIObjectHandle handle)
{
  size_t place = 0;
  while (place < fuzz_bin_known.count && fuzz_bin_known.handles[place] != handle) ++place;
  return place;
}

// Walks from the root through all imports, each module once.
void fuzz_bin_meet_all(TVMFFIObjectHandle root, FuzzRun *run)
{
  uint64_t edges = 0;
  fuzz_bin_known.handles[0] = root;
  fuzz_bin_known.count = 1;
  for (size_t i = 0; i < fuzz_bin_known.count; ++i) {
    TVMFFIObjectHandle array = fuzz_bin_imports(fuzz_bin_known.handles[i]);
    if (!array) continue;
    const TVMFFISeqCell *cell = object_body(fuzz_bin.iut, array);
    const TVMFFIAny *elements = cell->data;
    for (int64_t k = 0; k < cell->size; ++k, ++edges)
      if (elements[k].type_index == kTVMFFIModule && fuzz_bin_known.count < FUZZ_BIN_KNOWN_MAX &&
          place_of(elements[k].v_obj) == fuzz_bin_known.count)
        fuzz_bin_known.handles[fuzz_bin_known.count++] = elements[k].v_obj;
    fuzz_bin.iut->ObjectDecRef(array);
  }
  uint8_t shape[2] = {(uint8_t)(64 - __builtin_clzll(fuzz_bin_known.count)),
                      (uint8_t)(edges ? 64 - __builtin_clzll(edges) : 0)};
  fuzz_behave(run, shape, sizeof shape);
}

static bool is_node(TVMFFIObjectHandle module)
{
  size_t i = 0;
  while (i < fuzz_bin_load.calls && i < fuzz_bin.node_count && fuzz_bin.nodes[i] != module) ++i;
  return i < fuzz_bin_load.calls && i < fuzz_bin.node_count;
}

// How often the module of an entry imports this one.
static uint64_t times_imported(TVMFFIObjectHandle importer, TVMFFIObjectHandle module)
{
  uint64_t times = 0;
  TVMFFIObjectHandle array = fuzz_bin_imports(importer);
  if (!array) return 0;
  const TVMFFISeqCell *cell = object_body(fuzz_bin.iut, array);
  for (int64_t k = 0; k < cell->size; ++k)
    times += ((const TVMFFIAny *)cell->data)[k].v_obj == module;
  fuzz_bin.iut->ObjectDecRef(array);
  return times;
}

// How many references modules of ours have to the root that import it. Nothing leads from the root to
// them, but they live on.
static uint64_t references_of_importers(TVMFFIObjectHandle root)
{
  const BinOracle *tree = fuzz_bin_load.tree;
  uint64_t references = 0;
  bool imported = false;
  for (size_t i = 0; tree && i < tree->num_modules; ++i)
    for (size_t k = 0; k < tree->modules[i].num_imports; ++k)
      imported |= tree->modules[i].imports[k] == 0;
  for (size_t i = 0; imported && i < fuzz_bin_load.calls && i < fuzz_bin.node_count; ++i)
    if (fuzz_bin.nodes[i] != root) references += times_imported(fuzz_bin.nodes[i], root);
  return references;
}

bool fuzz_bin_is_lent(TVMFFIObjectHandle root)
{
  return is_node(root) &&
         object_strong(fuzz_bin.iut, root) <= fuzz_bin.node_base + references_of_importers(root);
}

// Whether an entry imports the modules that it has to, in whatever order.
static bool has_same_imports(const BinOracle *tree, size_t entry, TVMFFIObjectHandle *handles,
                             const TVMFFISeqCell *cell)
{
  const BinOracleModule *module = &tree->modules[entry];
  uint64_t due = 0, seen = 0;
  for (size_t k = 0; k < module->num_imports; ++k) {
    const TVMFFIAny *import = (const TVMFFIAny *)cell->data + k;
    if (import->type_index != kTVMFFIModule) return false;
    // The library may not be known yet, and is none of ours.
    TVMFFIObjectHandle child = handles[module->imports[k]], one = import->v_obj;
    if (tree->modules[module->imports[k]].is_library) child = NULL;
    if (!is_node(one)) one = NULL;
    due += digest_bytes(DIGEST_START, &child, sizeof child);
    seen += digest_bytes(DIGEST_START, &one, sizeof one);
  }
  return due == seen;
}

// What is wrong about an import that is not the child: the order, another library, or the import.
static unsigned aspect_of_import(const BinOracle *tree, size_t entry, TVMFFIObjectHandle *handles,
                                 const TVMFFISeqCell *cell, size_t child, const TVMFFIAny *import)
{
  if (has_same_imports(tree, entry, handles, cell)) return FUZZ_BIN_ORDER;
  bool is_library = import->type_index == kTVMFFIModule && !is_node(import->v_obj);
  return is_library && tree->modules[child].is_library ? FUZZ_BIN_MADE_AGAIN : FUZZ_BIN_IMPORTS;
}

// Whether nothing is missing of the imports of an entry but some of those that stand there again.
static bool lacks_repeated_ones(const BinOracle *tree, size_t entry, TVMFFIObjectHandle *handles,
                                const TVMFFISeqCell *cell)
{
  const BinOracleModule *module = &tree->modules[entry];
  int64_t met = 0;
  for (size_t k = 0; k < module->num_imports; ++k) {
    const size_t child = (size_t)module->imports[k];
    bool again = false, is_next = false;
    for (size_t i = 0; i < k; ++i) again |= module->imports[i] == child;
    if (met < cell->size) {
      const TVMFFIAny *import = (const TVMFFIAny *)cell->data + met;
      is_next = tree->modules[child].is_library ? !is_node(import->v_obj)
                                                : import->v_obj == handles[child];
    }
    if (!is_next && !again) return false;
    met += is_next;
  }
  return met == cell->size;
}

// Checks the imports of one entry against its rows. `handles` are those of the entries, NULL where
// not yet known: the library's.
static bool check_entry(const BinOracle *tree, size_t entry, TVMFFIObjectHandle *handles,
                        FuzzRun *run)
{
  const uint64_t *imports = tree->modules[entry].imports;
  uint64_t count = tree->modules[entry].num_imports;
  TVMFFIObjectHandle array = fuzz_bin_imports(handles[entry]);
  const TVMFFISeqCell *cell = array ? object_body(fuzz_bin.iut, array) : NULL;
  bool right = (cell ? (uint64_t)cell->size : 0) == count;
  if (!right && fuzz_bin_load.odd_imports)
    fuzz_see_of(run, FUZZ_DIFFERENT, FUZZ_BIN_IMPORTS_KIND,
                "the imports of module %zu are not an array", entry);
  else if (!right)
    fuzz_see_of(run, FUZZ_DIFFERENT,
                cell && lacks_repeated_ones(tree, entry, handles, cell) ? FUZZ_BIN_REPEATED
                                                                        : FUZZ_BIN_IMPORTS,
                "module %zu imports %lld modules, its rows say %llu", entry,
                cell ? (long long)cell->size : 0, (unsigned long long)count);
  for (uint64_t k = 0; right && k < count; ++k) {
    const TVMFFIAny *import = (const TVMFFIAny *)cell->data + k;
    size_t child = (size_t)imports[k];
    right = import->type_index == kTVMFFIModule;
    if (right && !handles[child] && !is_node(import->v_obj)) handles[child] = import->v_obj;
    right = right && handles[child] == import->v_obj;
    if (!right)
      fuzz_see_of(run, FUZZ_DIFFERENT, aspect_of_import(tree, entry, handles, cell, child, import),
                  "import %llu of module %zu is not module %zu", (unsigned long long)k, entry,
                  child);
  }
  if (array) fuzz_bin.iut->ObjectDecRef(array);
  return right;
}

static uint64_t sum_of(const char *kind, size_t size, uint64_t value, bool with_values)
{
  uint64_t digest = digest_bytes(DIGEST_START, kind, size);
  return with_values ? digest * 3 + value : digest;
}

// The kinds, and perhaps the values, of the first entries with loaders, in whatever order.
static uint64_t sum_of_entries(const BinOracle *tree, size_t count, bool with_values)
{
  uint64_t sum = 0;
  for (size_t i = 0; i < tree->num_modules && count; ++i) {
    const BinOracleModule *entry = &tree->modules[i];
    if (entry->is_library) continue;
    --count;
    sum += sum_of((const char *)entry->kind.data, entry->kind.size,
                  digest_bytes(DIGEST_START, entry->value.data, entry->value.size), with_values);
  }
  return sum;
}

// The same of what loaders were called with: up to the first that was wrong, that is their entries.
static uint64_t sum_of_calls(const BinOracle *tree, bool with_values)
{
  uint64_t sum = sum_of_entries(tree, fuzz_bin_load.first_wrong, with_values);
  for (size_t i = fuzz_bin_load.first_wrong; i < fuzz_bin_load.calls && i < FUZZ_BIN_NODES_MAX; ++i)
    sum += sum_of(fuzz_bin_load.called[i].kind->name, strlen(fuzz_bin_load.called[i].kind->name),
                  fuzz_bin_load.called[i].value, with_values);
  return sum;
}

// What is wrong with the calls of loaders: their order, their values, or which there are.
static unsigned aspect_of_calls(const BinOracle *tree, unsigned aspect)
{
  unsigned calls = aspect == FUZZ_BIN_ODD_KIND ? FUZZ_BIN_KIND_CALLS : FUZZ_BIN_CALLS;
  const size_t all = tree->num_modules;
  if (fuzz_bin_load.odd_call) return FUZZ_BIN_CALLS;
  if (fuzz_bin_load.odd_value) return FUZZ_BIN_VALUES;
  if (sum_of_calls(tree, true) == sum_of_entries(tree, all, true)) return FUZZ_BIN_LOADERS;
  bool same_kinds = sum_of_calls(tree, false) == sum_of_entries(tree, all, false);
  return same_kinds ? FUZZ_BIN_VALUES : calls;
}

// Checks what was loaded against the tree, entry by entry, from the root on.
void fuzz_bin_check_tree(const BinOracle *tree, TVMFFIObjectHandle root, FuzzRun *run)
{
  static TVMFFIObjectHandle handles[FUZZ_TREE_MODULES];
  static size_t queue[FUZZ_TREE_MODULES];
  static bool queued[FUZZ_TREE_MODULES];
  size_t loaders = 0, end = 0;
  if (tree->num_modules > FUZZ_TREE_MODULES) return;
  for (size_t i = 0; i < tree->num_modules; ++i) {
    queued[i] = false;
    handles[i] = tree->modules[i].is_library ? NULL : fuzz_bin.nodes[fuzz_bin_load.node_of[i]];
    loaders += !tree->modules[i].is_library;
  }
  if (fuzz_bin_load.wrong) {
    fuzz_see_of(run, FUZZ_DIFFERENT, aspect_of_calls(tree, run->aspect), "%s", fuzz_bin_load.text);
    return;
  }
  if (loaders != fuzz_bin_load.calls) {
    fuzz_see_of(run, FUZZ_DIFFERENT, FUZZ_BIN_CALLS,
                "loaders were called %zu times for %zu entries", fuzz_bin_load.calls, loaders);
    return;
  }
  if (handles[0] ? handles[0] != root : is_node(root)) {
    fuzz_see_of(run, FUZZ_DIFFERENT, FUZZ_BIN_ROOT,
                "what is loaded is not the module of the first entry");
    return;
  }
  handles[0] = root;
  queue[end++] = 0;
  queued[0] = true;
  for (size_t i = 0; i < end; ++i) {
    size_t entry = queue[i];
    if (!check_entry(tree, entry, handles, run)) return;
    for (size_t k = 0; k < tree->modules[entry].num_imports; ++k) {
      size_t child = (size_t)tree->modules[entry].imports[k];
      if (!queued[child]) queue[end++] = child;
      queued[child] = true;
    }
  }
}

// A name that nobody has is asked for: all modules are passed once.
void fuzz_bin_check_look_up(TVMFFIObjectHandle root, FuzzRun *run)
{
  TVMFFIAny args[] = {view_of_object(fuzz_bin.iut, root),
                      view_of_raw_string("conform_absent"),
                      {.type_index = kTVMFFIBool}};
  TVMFFIAny found = any_none();
  args[2].v_int64 = 1;
  int code = fuzz_bin.iut->FunctionCall(fuzz_bin.find, args, 3, &found);
  if (code != 0) release_object(fuzz_bin.iut, take_error(fuzz_bin.iut));
  if (code != 0 || found.type_index != kTVMFFINone)
    fuzz_see(run, FUZZ_DIFFERENT, "looking up a name that no module has gives %s",
             code ? "an error" : "a function");
  release_any(fuzz_bin.iut, &found);
}

// The number of the module whose function a look-up among the imports of an entry finds first;
// FUZZ_BIN_NAMED if none has one.
static size_t first_named(const BinOracle *tree, size_t entry, bool *seen)
{
  for (size_t k = 0; k < tree->modules[entry].num_imports; ++k) {
    size_t child = (size_t)tree->modules[entry].imports[k];
    if (seen[child]) continue;
    seen[child] = true;
    if (!tree->modules[child].is_library && fuzz_bin_load.node_of[child] < FUZZ_BIN_NAMED)
      return fuzz_bin_load.node_of[child];
    size_t found = first_named(tree, child, seen);
    if (found < FUZZ_BIN_NAMED) return found;
  }
  return FUZZ_BIN_NAMED;
}

void fuzz_bin_check_context(FuzzRun *run)
{
  static bool seen[FUZZ_TREE_MODULES];
  const BinOracle *tree = fuzz_bin_load.tree;
  size_t library = 0;
  if (!fuzz_bin.named || !tree || run->count || fuzz_bin_known.count != tree->num_modules) return;
  while (library < tree->num_modules && !tree->modules[library].is_library) ++library;
  fuzz_enter(run, FUZZ_BIN_SEARCHING);
  if (library == tree->num_modules || !*fuzz_bin.context) return;
  memset(seen, 0, sizeof seen);
  size_t due = first_named(tree, library, seen);
  TVMFFIObjectHandle function = NULL;  // borrowed
  TVMFFIAny result = any_none();
  int code = fuzz_bin.iut->EnvModLookupFromImports(*fuzz_bin.context, "mine", &function);
  bool found = code == 0 && function;
  if (found) code = fuzz_bin.iut->FunctionCall(function, NULL, 0, &result);
  if (code != 0) release_object(fuzz_bin.iut, take_error(fuzz_bin.iut));
  if (found == (due < FUZZ_BIN_NAMED) && (!found || result.v_int64 == (int64_t)due)) return;
  fuzz_see_of(run, FUZZ_DIFFERENT, FUZZ_BIN_CONTEXT_OTHER,
              "a look-up by __tvm_ffi__library_ctx finds %s of the imports of the library",
              !found                 ? "no function, and one"
              : due < FUZZ_BIN_NAMED ? "another function than that"
                                     : "a function, and none");
}

void fuzz_bin_clear_imports(TVMFFIObjectHandle module)
{
  TVMFFIAny argument = view_of_object(fuzz_bin.iut, module), result = any_none();
  if (fuzz_bin.iut->FunctionCall(fuzz_bin.clear, &argument, 1, &result) != 0)
    release_object(fuzz_bin.iut, take_error(fuzz_bin.iut));
  release_any(fuzz_bin.iut, &result);
}

// Takes apart what the loads tied together: the nodes live on, and their imports with them.
void fuzz_bin_release_tree(TVMFFIObjectHandle root, FuzzRun *run)
{
  fuzz_enter(run, FUZZ_BIN_RELEASING);
  // (That is told where a load is judged first.)
  if (root && fuzz_bin_is_lent(root)) fuzz_bin.iut->ObjectIncRef(root);
  for (size_t i = 0; i < fuzz_bin_known.count; ++i)
    fuzz_bin.iut->ObjectIncRef(fuzz_bin_known.handles[i]);
  for (size_t i = 0; i < fuzz_bin_known.count; ++i)
    fuzz_bin_clear_imports(fuzz_bin_known.handles[i]);
  for (size_t i = 0; i < fuzz_bin_known.count; ++i)
    fuzz_bin.iut->ObjectDecRef(fuzz_bin_known.handles[i]);
  if (root) fuzz_bin.iut->ObjectDecRef(root);
}

size_t fuzz_bin_count_held(size_t *released)
{
  size_t held = 0;
  *released = 0;
  for (size_t i = 0; i < fuzz_bin_load.calls && i < fuzz_bin.node_count; ++i) {
    uint64_t strong = object_strong(fuzz_bin.iut, fuzz_bin.nodes[i]);
    held += strong > fuzz_bin.node_base;
    *released += strong < fuzz_bin.node_base;
  }
  return held;
}

// Whether what is held when nobody imports it (which was told) is given back by the next load.
static bool is_given_back_later(const FuzzRun *run, size_t held)
{
  bool told = false;
  size_t released;
  for (uint32_t i = 0; i < run->count; ++i) told |= run->seen[i].aspect == FUZZ_BIN_UNREACHED_HELD;
  return held && told && fuzz_bin_load_small() && fuzz_bin_count_held(&released) == 0;
}

// Something else that a loader gave as a module.
static void check_thing(FuzzRun *run)
{
  uint64_t things = object_strong(fuzz_bin.iut, fuzz_bin.thing);
  bool held = things > fuzz_bin.thing_base;
  if (things == fuzz_bin.thing_base) return;
  run->unusable = true;
  if (!run->refused) return;
  fuzz_see_of(run, held ? FUZZ_LEAK : FUZZ_RELEASED, held ? FUZZ_BIN_LEFT_MEMORY : run->aspect,
              "an object that a loader gave in place of a module %s",
              held ? "is still held" : "was released more often than given");
}

// Whether a payload is refused for its own sake, whatever its loaders do.
bool fuzz_bin_is_broken(unsigned aspect)
{
  return aspect >= FUZZ_BIN_COUNT_CUT && aspect <= FUZZ_BIN_TRAILING && aspect != FUZZ_BIN_TWICE;
}

// Those that the root does not lead to were not met, and live on with their imports.
void fuzz_bin_clear_unmet(void)
{
  bool met_all_nodes =
      fuzz_bin_load.tree && fuzz_bin_known.count == fuzz_bin_load.tree->num_modules;
  for (size_t i = 0; !met_all_nodes && i < fuzz_bin_load.calls && i < fuzz_bin.node_count; ++i)
    fuzz_bin_clear_imports(fuzz_bin.nodes[i]);
}

// The registry has each of our loaders still, besides us.
static void check_functions(FuzzRun *run)
{
  for (size_t i = 0; i < FUZZ_BIN_KINDS; ++i) {
    if (object_strong(fuzz_bin.iut, fuzz_bin.functions[i]) > FUZZ_BIN_SPARE) continue;
    run->unusable = true;
    fuzz_see_of(run, FUZZ_RELEASED, run->refused ? FUZZ_BIN_LOADER_OVER : FUZZ_BIN_LOADER_EARLY,
                "the loader of the kind %s is released more often than taken",
                fuzz_bin_kinds[i].name);
    return;
  }
}

// Whether the module of the library is still there, which nobody imports, and what is held besides is
// what it imports.
static bool is_held_by_library(void)
{
  const BinOracle *tree = fuzz_bin_load.tree;
  size_t library = 1, due = 0, released;
  if (!tree || !fuzz_bin.closes) return false;
  while (library < tree->num_modules && !tree->modules[library].is_library) ++library;
  if (library >= tree->num_modules) return false;
  for (size_t i = 0; i < tree->num_modules; ++i)
    for (size_t k = 0; k < tree->modules[i].num_imports; ++k)
      if (tree->modules[i].imports[k] == library) return false;
  const BinOracleModule *module = &tree->modules[library];
  for (size_t k = 0; k < module->num_imports; ++k) {
    bool again = false;
    for (size_t i = 0; i < k; ++i) again |= module->imports[i] == module->imports[k];
    due += !again;
  }
  return fuzz_bin_count_held(&released) == due && fuzz_bin_is_open_elsewhere();
}

// Every node is ours alone again, and imports nothing.
void fuzz_bin_check_nodes(FuzzRun *run)
{
  fuzz_bin_clear_unmet();
  check_thing(run);
  check_functions(run);
  size_t released, held = fuzz_bin_count_held(&released);
  if (!held && !released) return;
  run->unusable = true;
  // Nobody says what a tree holds that should not be there.
  if (!run->refused && fuzz_bin_aspects[run->aspect].due == FUZZ_DUE_REFUSE) return;
  unsigned aspect = !run->refused                     ? run->aspect
                    : fuzz_bin_is_broken(run->aspect) ? FUZZ_BIN_BROKEN_OPEN
                                                      : FUZZ_BIN_LEFT_MODULES;
  if (held && !run->refused && is_held_by_library())
    fuzz_see_of(run, FUZZ_LEAK, FUZZ_BIN_UNREACHED_HELD,
                "the library is held, which nobody imports, and %zu modules with it", held);
  else if (held && !is_given_back_later(run, held))
    fuzz_see_of(run, FUZZ_LEAK, aspect, "%zu of the objects that %zu loaders gave are still held",
                held, fuzz_bin_load.calls);
  if (released)
    fuzz_see_of(run, FUZZ_RELEASED, run->refused ? FUZZ_BIN_OVER : FUZZ_BIN_EARLY,
                "%zu of the objects that %zu loaders gave were released more often than given",
                released, fuzz_bin_load.calls);
}

// Modules that nobody imports are gone when the load returns. (What they import is held by them,
// since they live on here.)
void fuzz_bin_check_unreached(FuzzRun *run)
{
  static bool imported[FUZZ_TREE_MODULES];
  const BinOracle *tree = fuzz_bin_load.tree;
  if (fuzz_bin_known.count == tree->num_modules || tree->num_modules > FUZZ_TREE_MODULES ||
      fuzz_bin_load.wrong)
    return;
  memset(imported, 0, sizeof imported);
  for (size_t i = 0; i < tree->num_modules; ++i)
    for (size_t k = 0; k < tree->modules[i].num_imports; ++k)
      imported[tree->modules[i].imports[k]] = true;
  for (size_t i = 1; i < tree->num_modules; ++i) {
    size_t node = fuzz_bin_load.node_of[i];
    if (imported[i] || tree->modules[i].is_library || node >= fuzz_bin.node_count ||
        object_strong(fuzz_bin.iut, fuzz_bin.nodes[node]) <= fuzz_bin.node_base)
      continue;
    fuzz_see_of(run, FUZZ_LEAK, FUZZ_BIN_UNREACHED_HELD, "module %zu is held, which nobody imports",
                i);
    return;
  }
}
