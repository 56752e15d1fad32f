// SPDX-License-Identifier: Apache-2.0
// The surface library_bin: whole loads of what stands behind `__tvm_ffi__library_bin`, with loaders
// of ours for the kinds of embedded modules, through the functions that a runtime registers.
//
// The modules that our loaders give are there before: system libraries of prefixes of their own,
// whose reference counts tell afterwards whether anybody still holds them.
#include <dlfcn.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "battery/access.h"
#include "battery/carrier.h"
#include "fuzz/fuzz_library_bin.h"
#include "fuzz/fuzz_tree.h"

enum { NODES_MAX = FUZZ_TREE_MODULES, KNOWN_MAX = 2 * FUZZ_TREE_MODULES };

static const char *const phases[FUZZ_BIN_PHASES] = {"loading the payload", "reading the imports",
                                                    "looking up a name that no module has",
                                                    "releasing the modules"};

// What a loader of ours does, by its kind.
typedef struct Kind {
  const char *name;
  int returns;
  bool gives_module;
} Kind;

static const Kind kinds[] = {{fuzz_kind_short, 0, true},
                             {fuzz_kind_long, 0, true},
                             {fuzz_kind_fails, -1, false},
                             {fuzz_kind_none, 0, false}};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

static struct {
  Iut *iut;
  TVMFFIObjectHandle load, clear, find, system;
  const TVMFFIFieldInfo *imports;
  Carrier carrier;
  ElfW(Sym) * entry;
  void **context;  // its __tvm_ffi__library_ctx
  uintptr_t base;
  bool closes;      // a library that nobody has open is not mapped any more
  uint8_t *window;  // where payloads are written; `shown` is the same memory, for the library
  const uint8_t *shown;
  TVMFFIObjectHandle nodes[NODES_MAX];  // own
  size_t node_count;
  uint64_t node_base;  // strong references to a node that nobody imports
} at;

// The load that is under way.
static struct {
  const BinOracle *tree;  // NULL: the payload is no tree
  size_t calls, next;     // loaders that were called; the entry whose turn it is
  size_t node_of[FUZZ_TREE_MODULES];
  bool wrong;  // a loader was called for another entry than the next one
  char text[160];
} load;

// --- What is there before ------------------------------------------------------------------------

// Own: the module of a prefix that nothing else has; NULL if it is not available.
static TVMFFIObjectHandle new_node(size_t number)
{
  char prefix[32];
  snprintf(prefix, sizeof prefix, "conform_fuzz_%zu_", number);
  TVMFFIAny argument = view_of_raw_string(prefix), result = any_none();
  if (at.iut->FunctionCall(at.system, &argument, 1, &result) != 0) return NULL;
  return result.type_index == kTVMFFIModule ? result.v_obj : NULL;
}

// Makes sure that there are this many nodes.
static bool have_nodes(size_t count)
{
  for (; at.node_count < count && at.node_count < NODES_MAX; ++at.node_count) {
    TVMFFIObjectHandle node = new_node(at.node_count);
    if (!node) return false;
    at.nodes[at.node_count] = node;
  }
  return true;
}

// What the argument of a loader says.
static TVMFFIByteArray content_of(const TVMFFIAny *value)
{
  if (value->type_index == kTVMFFISmallBytes || value->type_index == kTVMFFISmallStr)
    return (TVMFFIByteArray){value->v_bytes, value->small_str_len};
  if (value->type_index == kTVMFFIBytes || value->type_index == kTVMFFIStr)
    return *(const TVMFFIByteArray *)object_body(at.iut, value->v_obj);
  if (value->type_index == kTVMFFIByteArrayPtr) return *(const TVMFFIByteArray *)value->v_ptr;
  return (TVMFFIByteArray){NULL, 0};
}

static void note_wrong(const char *what, size_t entry)
{
  if (load.wrong) return;
  load.wrong = true;
  snprintf(load.text, sizeof load.text, "entry %zu: %s", entry, what);
}

// Checks a call of a loader against the entry that comes next.
static void check_call(const Kind *kind, TVMFFIByteArray value)
{
  const BinOracle *tree = load.tree;
  if (!tree) return;
  while (load.next < tree->num_modules && tree->modules[load.next].is_library) ++load.next;
  if (load.next == tree->num_modules) {
    note_wrong("a loader is called though there is no entry left for it", load.next);
    return;
  }
  const BinOracleModule *entry = &tree->modules[load.next];
  if (entry->kind.size != strlen(kind->name) ||
      memcmp(entry->kind.data, kind->name, entry->kind.size) != 0)
    note_wrong("the loader of another kind is called", load.next);
  else if (entry->value.size != value.size ||
           (value.size && memcmp(entry->value.data, value.data, value.size) != 0))
    note_wrong("its loader is given other bytes than its value", load.next);
  load.node_of[load.next++] = load.calls;
}

static int load_kind(void *self, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  const Kind *kind = self;
  if (num_args != 1) {
    note_wrong("its loader is not called with one argument", load.next);
    return -1;
  }
  check_call(kind, content_of(&args[0]));
  size_t place = load.calls++;
  if (kind->returns != 0) at.iut->ErrorSetRaisedFromCStr("FuzzError", "the loader had to fail");
  if (!kind->gives_module) return kind->returns;
  if (!have_nodes(place + 1) || place >= NODES_MAX) {
    at.iut->ErrorSetRaisedFromCStr("FuzzError", "there are no more modules");
    return -1;
  }
  at.iut->ObjectIncRef(at.nodes[place]);
  *result = view_of_object(at.iut, at.nodes[place]);
  return 0;
}

// --- Preparing -----------------------------------------------------------------------------------

static bool look_up(const char *name, TVMFFIObjectHandle *function, char *why, size_t size)
{
  TVMFFIByteArray bytes = bytes_of(name);
  if (at.iut->FunctionGetGlobal(&bytes, function) == 0 && *function) return true;
  snprintf(why, size, "it has no registered function %s", name);
  return false;
}

static bool enter_kind(const Kind *kind)
{
  char name[96];
  TVMFFIObjectHandle function = NULL;
  snprintf(name, sizeof name, "ffi.Module.load_from_bytes.%s", kind->name);
  TVMFFIByteArray bytes = bytes_of(name);
  Kind *self;
  memcpy(&self, &kind, sizeof self);
  if (at.iut->FunctionCreate(self, load_kind, NULL, &function) != 0) return false;
  bool entered = at.iut->FunctionSetGlobal(&bytes, function, 1) == 0;
  at.iut->ObjectDecRef(function);
  return entered;
}

static bool find_imports_field(char *why, size_t size)
{
  const TVMFFITypeInfo *info = at.iut->GetTypeInfo(kTVMFFIModule);
  for (int32_t i = 0; info && i < info->num_fields; ++i) {
    TVMFFIByteArray name = info->fields[i].name;
    if (name.size == 8 && memcmp(name.data, "imports_", 8) == 0) at.imports = &info->fields[i];
  }
  if (at.imports) return true;
  snprintf(why, size, "ffi.Module has no field imports_");
  return false;
}

// Memory that is mapped twice, with an unmapped page behind it where the library looks at it.
static bool make_window(void)
{
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  int fd = memfd_create("tvmffi-payload", MFD_CLOEXEC);
  if (fd < 0 || ftruncate(fd, FUZZ_INPUT_MAX) != 0) return false;
  at.window = mmap(NULL, FUZZ_INPUT_MAX, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  uint8_t *fenced =
      mmap(NULL, FUZZ_INPUT_MAX + page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (at.window == MAP_FAILED || fenced == MAP_FAILED) return false;
  at.shown = mmap(fenced, FUZZ_INPUT_MAX, PROT_READ, MAP_SHARED | MAP_FIXED, fd, 0);
  close(fd);
  return at.shown != MAP_FAILED;
}

// The symbol of the payload in the carrier, which `run` moves to each.
static void open_carrier(void)
{
  struct link_map *map = NULL;
  carrier_open_again(&at.carrier);
  at.entry = at.carrier.payload_entry;
  at.context = carrier_symbol(&at.carrier, "__tvm_ffi__library_ctx");
  if (dlinfo(at.carrier.handle, RTLD_DI_LINKMAP, &map) == 0 && map) at.base = map->l_addr;
}

// Gives up our share in the carrier. True if somebody else has one.
static bool close_carrier(void)
{
  carrier_close(&at.carrier);
  return library_is_mapped("carrier.so");
}

static bool prepare(Iut *iut, char *why, size_t size)
{
  at.iut = iut;
  if (!look_up("ffi.ModuleLoadFromFile", &at.load, why, size) ||
      !look_up("ffi.ModuleClearImports", &at.clear, why, size) ||
      !look_up("ffi.ModuleGetFunction", &at.find, why, size) ||
      !look_up("ffi.SystemLib", &at.system, why, size) || !find_imports_field(why, size))
    return false;
  snprintf(why, size, "cannot register loaders for embedded modules");
  for (size_t i = 0; i < KINDS; ++i)
    if (!enter_kind(&kinds[i])) return false;
  snprintf(why, size, "modules or memory are not available");
  if (!make_window() || !have_nodes(16)) return false;
  at.node_base = object_strong(iut, at.nodes[0]);
  at.carrier = (Carrier){.path = library_path_of("carrier.so")};
  open_carrier();
  at.closes = !close_carrier();
  open_carrier();
  return true;
}

// --- What came of it -----------------------------------------------------------------------------

// The modules that were met, the root first.
static struct {
  TVMFFIObjectHandle handles[KNOWN_MAX];  // borrowed from those that import them; the root is ours
  size_t count;
} known;

// Own: the array of what a module imports, or NULL.
static TVMFFIObjectHandle imports_of(TVMFFIObjectHandle module)
{
  TVMFFIAny imports = any_none();
  if (at.imports->getter((char *)module + at.imports->offset, &imports) != 0) {
    release_object(at.iut, take_error(at.iut));
    return NULL;
  }
  return imports.type_index == kTVMFFIArray ? imports.v_obj : NULL;
}

static size_t place_of(TVMFFIObjectHandle handle)
{
  size_t place = 0;
  while (place < known.count && known.handles[place] != handle) ++place;
  return place;
}

// Walks from the root through all imports, each module once.
static void meet_all(TVMFFIObjectHandle root, FuzzRun *run)
{
  uint64_t edges = 0;
  known.handles[0] = root;
  known.count = 1;
  for (size_t i = 0; i < known.count; ++i) {
    TVMFFIObjectHandle array = imports_of(known.handles[i]);
    if (!array) continue;
    const TVMFFISeqCell *cell = object_body(at.iut, array);
    const TVMFFIAny *elements = cell->data;
    for (int64_t k = 0; k < cell->size; ++k, ++edges)
      if (elements[k].type_index == kTVMFFIModule && known.count < KNOWN_MAX &&
          place_of(elements[k].v_obj) == known.count)
        known.handles[known.count++] = elements[k].v_obj;
    at.iut->ObjectDecRef(array);
  }
  uint8_t shape[2] = {(uint8_t)(64 - __builtin_clzll(known.count)),
                      (uint8_t)(edges ? 64 - __builtin_clzll(edges) : 0)};
  fuzz_behave(run, shape, sizeof shape);
}

// Checks the imports of one entry against its rows. `handles` are those of the entries, NULL where
// not yet known: the library's.
static bool check_entry(const BinOracle *tree, size_t entry, TVMFFIObjectHandle *handles,
                        FuzzRun *run)
{
  const uint64_t *imports = tree->modules[entry].imports;
  uint64_t count = tree->modules[entry].num_imports;
  TVMFFIObjectHandle array = imports_of(handles[entry]);
  const TVMFFISeqCell *cell = array ? object_body(at.iut, array) : NULL;
  bool right = (cell ? (uint64_t)cell->size : 0) == count;
  if (!right)
    fuzz_see(run, FUZZ_DIFFERENT, "module %zu imports %lld modules, its rows say %llu", entry,
             cell ? (long long)cell->size : 0, (unsigned long long)count);
  for (uint64_t k = 0; right && k < count; ++k) {
    const TVMFFIAny *import = (const TVMFFIAny *)cell->data + k;
    size_t child = (size_t)imports[k];
    right = import->type_index == kTVMFFIModule;
    if (right && !handles[child]) handles[child] = import->v_obj;
    right = right && handles[child] == import->v_obj;
    if (!right)
      fuzz_see(run, FUZZ_DIFFERENT, "import %llu of module %zu is not module %zu",
               (unsigned long long)k, entry, child);
  }
  if (array) at.iut->ObjectDecRef(array);
  return right;
}

// Checks what was loaded against the tree, entry by entry, from the root on.
static void check_tree(const BinOracle *tree, TVMFFIObjectHandle root, FuzzRun *run)
{
  static TVMFFIObjectHandle handles[FUZZ_TREE_MODULES];
  static size_t queue[FUZZ_TREE_MODULES];
  static bool queued[FUZZ_TREE_MODULES];
  size_t loaders = 0, end = 0;
  if (tree->num_modules > FUZZ_TREE_MODULES) return;
  for (size_t i = 0; i < tree->num_modules; ++i) {
    queued[i] = false;
    handles[i] = tree->modules[i].is_library ? NULL : at.nodes[load.node_of[i]];
    loaders += !tree->modules[i].is_library;
  }
  if (load.wrong) {
    fuzz_see(run, FUZZ_DIFFERENT, "%s", load.text);
    return;
  }
  if (loaders != load.calls) {
    fuzz_see(run, FUZZ_DIFFERENT, "loaders were called %zu times for %zu entries", load.calls,
             loaders);
    return;
  }
  if (handles[0] && handles[0] != root) {
    fuzz_see(run, FUZZ_DIFFERENT, "what is loaded is not the module of the first entry");
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
static void check_look_up(TVMFFIObjectHandle root, FuzzRun *run)
{
  TVMFFIAny args[] = {view_of_object(at.iut, root),
                      view_of_raw_string("conform_absent"),
                      {.type_index = kTVMFFIBool}};
  TVMFFIAny found = any_none();
  args[2].v_int64 = 1;
  int code = at.iut->FunctionCall(at.find, args, 3, &found);
  if (code != 0) release_object(at.iut, take_error(at.iut));
  if (code != 0 || found.type_index != kTVMFFINone)
    fuzz_see(run, FUZZ_DIFFERENT, "looking up a name that no module has gives %s",
             code ? "an error" : "a function");
  release_any(at.iut, &found);
}

static void clear_imports(TVMFFIObjectHandle module)
{
  TVMFFIAny argument = view_of_object(at.iut, module), result = any_none();
  if (at.iut->FunctionCall(at.clear, &argument, 1, &result) != 0)
    release_object(at.iut, take_error(at.iut));
  release_any(at.iut, &result);
}

// Takes apart what the loads tied together: the nodes live on, and their imports with them.
static void release_tree(TVMFFIObjectHandle root, FuzzRun *run)
{
  fuzz_enter(run, FUZZ_BIN_RELEASING);
  for (size_t i = 0; i < known.count; ++i) at.iut->ObjectIncRef(known.handles[i]);
  for (size_t i = 0; i < known.count; ++i) clear_imports(known.handles[i]);
  for (size_t i = 0; i < known.count; ++i) at.iut->ObjectDecRef(known.handles[i]);
  if (root) at.iut->ObjectDecRef(root);
}

// How many of the nodes that were given are not ours alone.
static size_t count_held(void)
{
  size_t held = 0;
  for (size_t i = 0; i < load.calls && i < at.node_count; ++i)
    held += object_strong(at.iut, at.nodes[i]) != at.node_base;
  return held;
}

// Every node is ours alone again, and imports nothing: those that the root does not lead to were
// not met.
static void check_nodes(FuzzRun *run)
{
  bool met_all_nodes = load.tree && known.count == load.tree->num_modules;
  for (size_t i = 0; !met_all_nodes && i < load.calls && i < at.node_count; ++i)
    clear_imports(at.nodes[i]);
  size_t held = count_held();
  if (!held) return;
  run->unusable = true;
  // Nobody says what a tree holds that should not be there.
  if (!run->refused && fuzz_bin_aspects[run->aspect].due == FUZZ_DUE_REFUSE) return;
  fuzz_see(run, FUZZ_LEAK, "%zu of %zu embedded modules are still held", held, load.calls);
}

// --- Verdicts ------------------------------------------------------------------------------------

static bool is_text(TVMFFIByteArray text, const char *expected)
{
  return text.size == strlen(expected) && memcmp(text.data, expected, text.size) == 0;
}

// The kinds of errors that the spec asks for.
static const char *due_kind(unsigned aspect)
{
  if (aspect == FUZZ_BIN_STRANGER) return "RuntimeError";
  if (aspect == FUZZ_BIN_FAILS) return "FuzzError";
  return aspect == FUZZ_BIN_NO_MODULE ? "TypeError" : NULL;
}

// Whether a payload is refused for its own sake, whatever its loaders do.
static bool is_broken(unsigned aspect)
{
  return aspect >= FUZZ_BIN_COUNT_CUT && aspect <= FUZZ_BIN_TRAILING && aspect != FUZZ_BIN_TWICE;
}

// What a refusal must not leave behind, nor have done.
static void judge_remains(FuzzRun *run)
{
  if (*at.context)
    fuzz_see_of(run, FUZZ_LEAK, FUZZ_BIN_CONTEXT,
                "__tvm_ffi__library_ctx was NULL before the load that failed, and is not any more");
  if (load.calls && is_broken(run->aspect))
    fuzz_see_of(run, FUZZ_ACCEPTED, FUZZ_BIN_IN_PART, "%zu call%s of loaders, then it is refused",
                load.calls, load.calls == 1 ? "" : "s");
}

static void judge_refusal(FuzzRun *run)
{
  TVMFFIObjectHandle error = take_error(at.iut);
  run->refused = true;
  judge_remains(run);
  fuzz_behave(run, &load.calls, load.calls < 3 ? sizeof load.calls : 0);
  if (!error) {
    fuzz_see(run, FUZZ_ERROR, "it is refused, and no error is raised");
    return;
  }
  const TVMFFIErrorCell *cell = error_cell(at.iut, error);
  const char *due = due_kind(run->aspect);
  int shown = cell->kind.size < 40 ? (int)cell->kind.size : 40;
  if (cell->kind.size == 0 || cell->message.size == 0)
    fuzz_see(run, FUZZ_ERROR, "the error has no %s", cell->kind.size ? "message" : "kind");
  else if (due && !is_text(cell->kind, due))
    fuzz_see(run, FUZZ_ERROR, "the error is of kind %.*s, not %s", shown, cell->kind.data, due);
  if (fuzz_bin_aspects[run->aspect].due == FUZZ_DUE_ACCEPT)
    fuzz_see(run, FUZZ_REFUSED, "%.*s: %.*s", shown, cell->kind.data,
             cell->message.size < 200 ? (int)cell->message.size : 200, cell->message.data);
  fuzz_behave_text(run, cell->kind.data, cell->kind.size);
  fuzz_behave_text(run, cell->message.data, cell->message.size);
  release_object(at.iut, error);
}

static void judge_acceptance(const TVMFFIAny *result, FuzzRun *run)
{
  if (fuzz_bin_aspects[run->aspect].due == FUZZ_DUE_REFUSE)
    fuzz_see(run, FUZZ_ACCEPTED, "it loads, with %zu call%s of loaders", load.calls,
             load.calls == 1 ? "" : "s");
  if (result->type_index != kTVMFFIModule) {
    fuzz_see(run, FUZZ_DIFFERENT, "the load gives a value of type index %d, not a module",
             result->type_index);
    run->unusable = true;
    return;
  }
  TVMFFIObjectHandle root = result->v_obj;
  fuzz_enter(run, FUZZ_BIN_READING);
  meet_all(root, run);
  bool due = fuzz_bin_aspects[run->aspect].due == FUZZ_DUE_ACCEPT;
  if (due) check_tree(load.tree, root, run);
  fuzz_enter(run, FUZZ_BIN_LOOKING_UP);
  if (due) check_look_up(root, run);
  release_tree(root, run);
}

// Puts the payload where the library finds it.
static void place(const FuzzInput *input)
{
  size_t offset = FUZZ_INPUT_MAX - input->size;
  memcpy(at.window + offset, input->bytes, input->size);
  at.entry->st_value = (uintptr_t)(at.shown + offset) - at.base;
  at.entry->st_size = input->size;
  *at.context = NULL;
}

static void run_input(Iut *iut, const FuzzInput *input, FuzzRun *run)
{
  BinOracle tree;
  TVMFFIAny path = view_of_raw_string(at.carrier.path), result = any_none();
  bool judged = bin_oracle_judge(input->bytes, input->size, &tree);
  load.tree = judged && bin_oracle_is_tree(&tree) ? &tree : NULL;
  load.calls = load.next = 0;
  load.wrong = false;
  known.count = 0;
  place(input);
  fuzz_enter(run, FUZZ_BIN_LOADING);
  if (iut->FunctionCall(at.load, &path, 1, &result) == 0)
    judge_acceptance(&result, run);
  else
    judge_refusal(run);
  fuzz_enter(run, FUZZ_BIN_RELEASING);
  check_nodes(run);
  if (judged) bin_oracle_free(&tree);
}

// The library itself: closed by us, it is not mapped any more. Nobody says what holds a tree that
// should not be there, or of which the spec says nothing.
static void settle(Iut *iut, const FuzzInput *input, FuzzRun *run)
{
  (void)iut, (void)input;
  bool accepted = !run->refused;
  unsigned left = is_broken(run->aspect) ? FUZZ_BIN_BROKEN_OPEN : FUZZ_BIN_LEFT_OPEN;
  if (!at.closes || (accepted && fuzz_bin_aspects[run->aspect].due != FUZZ_DUE_ACCEPT)) return;
  fuzz_enter(run, FUZZ_BIN_RELEASING);
  run->unusable = close_carrier();
  if (run->unusable)
    fuzz_see_of(run, FUZZ_LEAK, accepted ? FUZZ_BIN_KEPT_OPEN : left,
                "it is mapped when everybody else has closed it");
  else
    open_carrier();
}

const FuzzSurface fuzz_library_bin = {.name = "library_bin",
                                      .title = "loading what __tvm_ffi__library_bin holds",
                                      .input_max = FUZZ_INPUT_MAX,
                                      .aspects = fuzz_bin_aspects,
                                      .aspect_count = FUZZ_BIN_ASPECTS,
                                      .phases = phases,
                                      .phase_count = FUZZ_BIN_PHASES,
                                      .prepare = prepare,
                                      .sample = fuzz_tree_sample,
                                      .generate = fuzz_tree_generate,
                                      .mutate = fuzz_tree_mutate,
                                      .repair = fuzz_bin_repair,
                                      .aspect = fuzz_bin_aspect,
                                      .run = run_input,
                                      .settle = settle,
                                      .shrink = fuzz_tree_shrink,
                                      .describe = fuzz_bin_describe,
                                      .in_library = true,
                                      .program = fuzz_bin_program};
