// SPDX-License-Identifier: Apache-2.0
// The surface library_bin: whole loads of what stands behind `__tvm_ffi__library_bin`, with loaders
// of ours for the kinds of embedded modules, through the functions that a runtime registers.
//
// The modules that our loaders give are there before: system libraries of prefixes of their own,
// whose reference counts tell afterwards whether anybody still holds them.
#include <ctype.h>
#include <dlfcn.h>
#include <link.h>
#include <malloc.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "battery/access.h"
#include "battery/carrier.h"
#include "battery/faults_fence.h"
#include "battery/utf8.h"
#include "digest.h"
#include "fuzz/fuzz_library_bin.h"
#include "fuzz/fuzz_tree.h"

enum { NODES_MAX = FUZZ_TREE_MODULES, KNOWN_MAX = 2 * FUZZ_TREE_MODULES };
// Each module of ours is retained so many times, so that one that is released too often is still
// there to tell.
enum { SPARE = 64 };
// So many modules stay from input to input. More of them slow down runtimes that look through all
// modules when one ends.
enum { NODES_KEPT = 256 };
enum { KEPT_MAX = 16, TOLD_MAX = 512, OF_CARRIER = 1000 };
enum { FILLING = 0xdb };  // no character of a text

static const char *const phases[FUZZ_BIN_PHASES] = {
    "loading the payload",
    "reading the imports",
    "looking up a name that no module has",
    "releasing the modules",
    "using the library, which nobody else has open",
    "reading the error, when the library is closed",
    "using a value that a loader kept, when the library is closed"};
static const unsigned phase_aspects[FUZZ_BIN_PHASES] = {[FUZZ_BIN_USING] = FUZZ_BIN_CLOSED,
                                                        [FUZZ_BIN_TELLING] = FUZZ_BIN_TOLD,
                                                        [FUZZ_BIN_KEEPING] = FUZZ_BIN_CHANGED};

// What a loader of ours does, by its kind.
typedef struct Kind {
  const char *name;
  int returns;
  bool gives_module, gives_thing, keeps, loads, in_thread;
} Kind;

static const Kind kinds[] = {
    {.name = fuzz_kind_short, .gives_module = true},
    {.name = fuzz_kind_long, .gives_module = true},
    {.name = fuzz_kind_library_x, .gives_module = true},
    {.name = fuzz_kind_longer, .gives_module = true},
    {.name = fuzz_kind_odd, .gives_module = true},
    {.name = fuzz_kind_fails, .returns = -1},
    {.name = fuzz_kind_fails_1, .returns = 1},
    {.name = fuzz_kind_none},
    {.name = fuzz_kind_thing, .gives_thing = true},
    {.name = fuzz_kind_keeps, .gives_module = true, .keeps = true},
    {.name = fuzz_kind_keeps_fails, .returns = -1, .keeps = true},
    {.name = fuzz_kind_loads, .gives_module = true, .loads = true},
    {.name = fuzz_kind_threads, .gives_module = true, .loads = true, .in_thread = true}};
enum { KINDS = sizeof kinds / sizeof kinds[0] };
enum { REPLACED = 2 };  // the first so many are registered again and again

static const Kind late_kind = {.name = fuzz_kind_stranger, .gives_module = true};

static struct {
  Iut *iut;
  TVMFFIObjectHandle load, clear, find, system;
  TVMFFIObjectHandle load_file;  // the loader of shared libraries; NULL: `load` has to find it
  TVMFFIObjectHandle remove;     // own; NULL: no name can be taken away
  TVMFFIObjectHandle extra;      // own: what errors of loaders have with them; NULL: nothing
  Kind again[REPLACED];          // the same kinds, for functions that take the place of others
  bool is_again;                 // they are the ones that are registered
  const TVMFFIFieldInfo *imports;
  Carrier carrier;
  ElfW(Sym) * entry;
  void **context;  // its __tvm_ffi__library_ctx
  uintptr_t base;
  bool closes;       // a library that nobody has open is not mapped any more
  bool may_be_held;  // by a tree that should not have been made: nobody says what that holds
  uint8_t *window;   // where payloads are written; `shown` is the same memory, for the library
  const uint8_t *shown;
  TVMFFIObjectHandle nodes[NODES_MAX];  // own
  size_t node_count;
  uint64_t node_base;        // strong references to a node that nobody imports
  TVMFFIObjectHandle thing;  // own: no module
  uint64_t thing_base;
  // The library that a loader loads: its payload, what is loaded of it, and its modules.
  const char *inner_path;
  BinOracle inner;
  TVMFFIObjectHandle inner_nodes[2];  // own
  bool closes_carrier;  // as soon as a loader is called, so that the runtime alone has it open
} at;

// A call of a loader: of which kind, and with what.
typedef struct Call {
  const Kind *kind;
  uint64_t value;  // a digest
} Call;

// What a loader kept, and what it has to be.
typedef struct Kept {
  TVMFFIAny value;      // own
  TVMFFIByteArray due;  // in the input
} Kept;

// The load that is under way.
static struct {
  const BinOracle *tree;  // NULL: the payload is no tree
  size_t calls, next;     // loaders that were called; the entry whose turn it is
  size_t node_of[FUZZ_TREE_MODULES];
  Call called[NODES_MAX];
  bool wrong;          // a loader was called for another entry than the next one
  size_t first_wrong;  // from that call on, they are noted
  bool is_inner, has_inner, inner_wrong, in_thread;
  bool failed, went_on;  // a loader failed; another was called all the same
  bool odd_call;         // not with one argument
  bool context_late;
  bool odd_argument, odd_result, replaced;
  Kept kept[KEPT_MAX];
  size_t kept_count;
  char text[160];
} load;

// What the last error said, and whether that has to be text.
static struct {
  bool is_there;
  size_t size;
  char text[TOLD_MAX];
} told;

// --- What is there before ------------------------------------------------------------------------

// Own: the module of a prefix that nothing else has; NULL if it is not available.
static TVMFFIObjectHandle new_node(size_t number)
{
  char prefix[32];
  snprintf(prefix, sizeof prefix, "conform_fuzz_%zu_", number);
  TVMFFIAny argument = view_of_raw_string(prefix), result = any_none();
  if (at.iut->FunctionCall(at.system, &argument, 1, &result) != 0) return NULL;
  if (result.type_index != kTVMFFIModule) return NULL;
  for (int i = 0; i < SPARE; ++i) at.iut->ObjectIncRef(result.v_obj);
  return result.v_obj;
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

// Lets go of nodes that few inputs need.
static void let_nodes_go(void)
{
  while (at.node_count > NODES_KEPT) {
    TVMFFIObjectHandle node = at.nodes[--at.node_count];
    for (int i = 0; i <= SPARE; ++i) at.iut->ObjectDecRef(node);
  }
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

// Whether an entry of the library stands before the one that comes next.
static bool is_behind_library(const BinOracle *tree)
{
  for (size_t i = 0; i < load.next; ++i)
    if (tree->modules[i].is_library) return true;
  return false;
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
  if (!load.is_inner && load.next < 16 && *at.context == NULL && is_behind_library(tree))
    load.context_late = true;
  load.node_of[load.next++] = load.calls;
}

// Keeps the value that it was given, as any callee may.
static void keep_value(const TVMFFIAny *value)
{
  const BinOracle *tree = load.tree;
  if (!tree || load.wrong || load.next == 0 || load.kept_count == KEPT_MAX) return;
  const BinOracleBytes *due = &tree->modules[load.next - 1].value;
  Kept *kept = &load.kept[load.kept_count];
  kept->due = (TVMFFIByteArray){(const char *)due->data, due->size};
  kept->value = any_none();
  if (at.iut->AnyViewToOwnedAny(value, &kept->value) == 0) ++load.kept_count;
}

// Loads a library by the loader of such, whose errors nobody comes between.
static int load_library(const char *path, TVMFFIAny *result)
{
  TVMFFIAny args[] = {view_of_raw_string(path), {.type_index = kTVMFFISmallStr}};
  *result = any_none();
  return at.load_file ? at.iut->FunctionCall(at.load_file, args, 2, result)
                      : at.iut->FunctionCall(at.load, args, 1, result);
}

static void load_inner(bool in_thread);

static int fail_in_loader(const char *message)
{
  TVMFFIByteArray kind = bytes_of("FuzzError"), text = bytes_of(message), none = {NULL, 0};
  TVMFFIObjectHandle error = NULL;
  if (at.extra && at.iut->ErrorCreateWithCauseAndExtraContext(&kind, &text, &none, NULL, at.extra,
                                                              &error) == 0) {
    at.iut->ErrorSetRaised(error);
    at.iut->ObjectDecRef(error);
  } else {
    at.iut->ErrorSetRaisedFromCStr("FuzzError", message);
  }
  return -1;
}

// Whether the function that is called stands under its name no more.
static bool is_replaced(const Kind *kind)
{
  bool is_again = kind >= at.again && kind < at.again + REPLACED;
  bool may_be = is_again || (kind >= kinds && kind < kinds + REPLACED);
  return may_be && is_again != at.is_again;
}

// Notes what every callee may rely on.
static void check_shape(const Kind *kind, const TVMFFIAny *argument, const TVMFFIAny *result)
{
  static const char zeros[8];
  size_t size = argument->small_str_len;
  load.replaced |= is_replaced(kind);
  load.odd_result |= result->type_index != kTVMFFINone;
  if (argument->type_index != kTVMFFISmallBytes)
    load.odd_argument |= argument->zero_padding != 0;
  else if (size < sizeof zeros)
    load.odd_argument |= memcmp(argument->v_bytes + size, zeros, sizeof zeros - size) != 0;
}

static int load_kind(void *self, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  const Kind *kind = self;
  if (num_args != 1) {
    note_wrong("its loader is not called with one argument", load.next);
    load.odd_call = true;
    if (num_args < 1) return fail_in_loader("the call has no argument");
  }
  check_shape(kind, &args[0], result);
  load.went_on |= load.failed;
  if (at.closes_carrier && !load.is_inner) carrier_close(&at.carrier);
  TVMFFIByteArray value = content_of(&args[0]);
  check_call(kind, value);
  size_t place = load.calls++;
  if (load.wrong && place < NODES_MAX) {
    load.called[place] = (Call){kind, digest_bytes(DIGEST_START, value.data, value.size)};
    if (load.first_wrong > place) load.first_wrong = place;
  }
  if (kind->keeps) keep_value(&args[0]);
  if (kind->loads && !load.is_inner) {
    uint64_t before = digest_bytes(DIGEST_START, value.data, value.size);
    load_inner(kind->in_thread);
    value = content_of(&args[0]);
    load.inner_wrong |= digest_bytes(DIGEST_START, value.data, value.size) != before;
  }
  load.failed |= kind->returns != 0;
  if (kind->returns != 0) {
    fail_in_loader("the loader had to fail");
    return kind->returns;
  }
  if (!kind->gives_module && !kind->gives_thing) return 0;
  TVMFFIObjectHandle gives = at.thing;
  if (kind->gives_module && load.is_inner)
    gives = place < 2 ? at.inner_nodes[place] : NULL;
  else if (kind->gives_module)
    gives = place < NODES_MAX && have_nodes(place + 1) ? at.nodes[place] : NULL;
  if (!gives) return fail_in_loader("there are no more modules");
  at.iut->ObjectIncRef(gives);
  *result = view_of_object(at.iut, gives);
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
  char name[640];
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

// A library of two modules, the first of which imports the other, for a loader to load.
static bool make_inner(void)
{
  static uint8_t bytes[256];
  FuzzInput input = {bytes, 0, sizeof bytes};
  fuzz_tree_sample_inner(&input);
  at.inner_path = library_path_of("fuzz_carrier_small.so");
  void *handle = dlopen(at.inner_path, RTLD_NOW | RTLD_LOCAL);
  void *place = handle ? dlsym(handle, "__tvm_ffi__library_bin") : NULL;
  if (!place || !bin_oracle_judge(bytes, input.size, &at.inner)) return false;
  memcpy(place, bytes, input.size);
  for (size_t i = 0; i < 2; ++i)
    if (!(at.inner_nodes[i] = new_node(NODES_MAX + i))) return false;
  return true;
}

// The kinds that are registered again take the place of those that are there.
static bool replace_loaders(void)
{
  bool entered = true;
  for (size_t i = 0; i < REPLACED; ++i) {
    at.again[i] = kinds[i];
    entered &= enter_kind(at.is_again ? &kinds[i] : &at.again[i]);
  }
  at.is_again = !at.is_again;
  return entered;
}

// An object that is no module.
static bool make_thing(void)
{
  if (at.iut->FunctionCreate(NULL, load_kind, NULL, &at.thing) != 0) return false;
  for (int i = 0; i < SPARE; ++i) at.iut->ObjectIncRef(at.thing);
  at.thing_base = object_strong(at.iut, at.thing);
  if (at.iut->ErrorCreateWithCauseAndExtraContext &&
      at.iut->FunctionCreate(NULL, load_kind, NULL, &at.extra) != 0)
    return false;
  return true;
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
#ifdef M_ARENA_MAX
  mallopt(M_ARENA_MAX, 1);  // others would not find room in the memory that there is
#endif
  char unused[80];
  if (!look_up("ffi.FunctionRemoveGlobal", &at.remove, unused, sizeof unused)) at.remove = NULL;
  if (!look_up("ffi.Module.load_from_file.so", &at.load_file, unused, sizeof unused))
    at.load_file = NULL;
  if (!make_window() || !have_nodes(16) || !make_inner() || !make_thing()) return false;
  at.node_base = object_strong(iut, at.nodes[0]);
  at.carrier = (Carrier){.path = library_path_of("carrier.so")};
  open_carrier();
  at.closes = !close_carrier();
  open_carrier();
  // Room for it is taken before memory is limited.
  if (faults_fence(FILLING)) faults_unfence();
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

// Whether an entry imports the modules that it has to, in whatever order.
static bool has_same_imports(const BinOracle *tree, size_t entry, TVMFFIObjectHandle *handles,
                             const TVMFFISeqCell *cell)
{
  const BinOracleModule *module = &tree->modules[entry];
  uint64_t due = 0, seen = 0;
  for (size_t k = 0; k < module->num_imports; ++k) {
    const TVMFFIAny *import = (const TVMFFIAny *)cell->data + k;
    if (import->type_index != kTVMFFIModule || !handles[module->imports[k]]) return false;
    due += digest_bytes(DIGEST_START, &handles[module->imports[k]], sizeof handles[0]);
    seen += digest_bytes(DIGEST_START, &import->v_obj, sizeof import->v_obj);
  }
  return due == seen;
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
      fuzz_see_of(run, FUZZ_DIFFERENT,
                  has_same_imports(tree, entry, handles, cell) ? FUZZ_BIN_ORDER : run->aspect,
                  "import %llu of module %zu is not module %zu", (unsigned long long)k, entry,
                  child);
  }
  if (array) at.iut->ObjectDecRef(array);
  return right;
}

static bool is_node(TVMFFIObjectHandle module)
{
  size_t i = 0;
  while (i < load.calls && i < at.node_count && at.nodes[i] != module) ++i;
  return i < load.calls && i < at.node_count;
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
  uint64_t sum = sum_of_entries(tree, load.first_wrong, with_values);
  for (size_t i = load.first_wrong; i < load.calls && i < NODES_MAX; ++i)
    sum += sum_of(load.called[i].kind->name, strlen(load.called[i].kind->name),
                  load.called[i].value, with_values);
  return sum;
}

// What is wrong with the calls of loaders: their order, their values, or which there are.
static unsigned aspect_of_calls(const BinOracle *tree)
{
  const size_t all = tree->num_modules;
  if (sum_of_calls(tree, true) == sum_of_entries(tree, all, true)) return FUZZ_BIN_LOADERS;
  bool same_kinds = sum_of_calls(tree, false) == sum_of_entries(tree, all, false);
  return same_kinds ? FUZZ_BIN_VALUES : FUZZ_BIN_CALLS;
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
    fuzz_see_of(run, FUZZ_DIFFERENT, aspect_of_calls(tree), "%s", load.text);
    return;
  }
  if (loaders != load.calls) {
    fuzz_see_of(run, FUZZ_DIFFERENT, FUZZ_BIN_CALLS,
                "loaders were called %zu times for %zu entries", load.calls, loaders);
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

// How many of the nodes that were given are not ours alone; and how many were released more often
// than they were given.
static size_t count_held(size_t *released)
{
  size_t held = 0;
  *released = 0;
  for (size_t i = 0; i < load.calls && i < at.node_count; ++i) {
    uint64_t strong = object_strong(at.iut, at.nodes[i]);
    held += strong > at.node_base;
    *released += strong < at.node_base;
  }
  uint64_t things = object_strong(at.iut, at.thing);
  held += things > at.thing_base;
  *released += things < at.thing_base;
  return held;
}

// Whether a payload is refused for its own sake, whatever its loaders do.
static bool is_broken(unsigned aspect)
{
  return aspect >= FUZZ_BIN_COUNT_CUT && aspect <= FUZZ_BIN_TRAILING && aspect != FUZZ_BIN_TWICE;
}

// Those that the root does not lead to were not met, and live on with their imports.
static void clear_unmet(void)
{
  bool met_all_nodes = load.tree && known.count == load.tree->num_modules;
  for (size_t i = 0; !met_all_nodes && i < load.calls && i < at.node_count; ++i)
    clear_imports(at.nodes[i]);
}

// Every node is ours alone again, and imports nothing.
static void check_nodes(FuzzRun *run)
{
  clear_unmet();
  size_t released, held = count_held(&released);
  if (!held && !released) return;
  run->unusable = true;
  // Nobody says what a tree holds that should not be there.
  if (!run->refused && fuzz_bin_aspects[run->aspect].due == FUZZ_DUE_REFUSE) return;
  unsigned aspect = !run->refused            ? run->aspect
                    : is_broken(run->aspect) ? FUZZ_BIN_BROKEN_OPEN
                                             : FUZZ_BIN_LEFT_MODULES;
  if (held)
    fuzz_see_of(run, FUZZ_LEAK, aspect, "%zu of the objects that %zu loaders gave are still held",
                held, load.calls);
  if (released)
    fuzz_see_of(run, FUZZ_RELEASED, run->refused ? FUZZ_BIN_OVER : run->aspect,
                "%zu of the objects that %zu loaders gave were released more often than given",
                released, load.calls);
}

// Modules that nobody imports are gone when the load returns. (What they import is held by them,
// since they live on here.)
static void check_unreached(FuzzRun *run)
{
  static bool imported[FUZZ_TREE_MODULES];
  const BinOracle *tree = load.tree;
  if (known.count == tree->num_modules || tree->num_modules > FUZZ_TREE_MODULES || load.wrong)
    return;
  memset(imported, 0, sizeof imported);
  for (size_t i = 0; i < tree->num_modules; ++i)
    for (size_t k = 0; k < tree->modules[i].num_imports; ++k)
      imported[tree->modules[i].imports[k]] = true;
  for (size_t i = 1; i < tree->num_modules; ++i) {
    size_t node = load.node_of[i];
    if (imported[i] || tree->modules[i].is_library || node >= at.node_count ||
        object_strong(at.iut, at.nodes[node]) <= at.node_base)
      continue;
    fuzz_see_of(run, FUZZ_LEAK, FUZZ_BIN_UNREACHED_HELD, "module %zu is held, which nobody imports",
                i);
    return;
  }
}

// --- What loaders kept ---------------------------------------------------------------------------

// Looks at what loaders kept.
static void check_kept(FuzzRun *run, const char *when)
{
  for (size_t i = 0; i < load.kept_count; ++i) {
    TVMFFIByteArray seen = content_of(&load.kept[i].value), due = load.kept[i].due;
    if (seen.size == due.size && (due.size == 0 || memcmp(seen.data, due.data, due.size) == 0))
      continue;
    fuzz_see_of(run, FUZZ_DIFFERENT, FUZZ_BIN_CHANGED,
                "a value that a loader kept is another one %s", when);
    return;
  }
}

static void release_kept(void)
{
  for (size_t i = 0; i < load.kept_count; ++i) release_any(at.iut, &load.kept[i].value);
  load.kept_count = 0;
}

// --- A load within a load ------------------------------------------------------------------------

static bool imports_just(TVMFFIObjectHandle module, TVMFFIObjectHandle import)
{
  TVMFFIObjectHandle array = imports_of(module);
  const TVMFFISeqCell *cell = array ? object_body(at.iut, array) : NULL;
  bool right = cell && cell->size == 1 && ((const TVMFFIAny *)cell->data)->v_obj == import;
  if (array) at.iut->ObjectDecRef(array);
  return right;
}

static void *load_inner_here(void *unused)
{
  (void)unused;
  TVMFFIAny path = view_of_raw_string(at.inner_path), result = any_none();
  int code = at.iut->FunctionCall(at.load, &path, 1, &result);
  load.inner_wrong = code != 0 || result.type_index != kTVMFFIModule || load.calls != 2 ||
                     load.wrong || result.v_obj != at.inner_nodes[0] ||
                     !imports_just(at.inner_nodes[0], at.inner_nodes[1]);
  if (code != 0) release_object(at.iut, take_error(at.iut));
  for (size_t i = 0; i < 2; ++i) clear_imports(at.inner_nodes[i]);
  release_any(at.iut, &result);
  return NULL;
}

// What a loader does that loads a library itself, in this thread or while it waits for another.
static void load_inner(bool in_thread)
{
  static __typeof__(load) outer;
  outer = load;
  memset(&load, 0, offsetof(__typeof__(load), node_of));
  load.tree = &at.inner;
  load.is_inner = true;
  load.wrong = load.inner_wrong = load.failed = false;
  load.kept_count = 0;
  pthread_t thread;
  pthread_attr_t small;
  pthread_attr_init(&small);
  pthread_attr_setstacksize(&small, 512 << 10);
  if (in_thread && pthread_create(&thread, &small, load_inner_here, NULL) == 0)
    pthread_join(thread, NULL);
  else
    load_inner_here(NULL);
  pthread_attr_destroy(&small);
  bool wrong = load.inner_wrong;
  load = outer;
  load.has_inner = true;
  load.inner_wrong |= wrong;
  load.in_thread |= in_thread;
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

// What a refusal must not leave behind, nor have done.
static void judge_remains(FuzzRun *run)
{
  if (load.went_on)
    fuzz_see_of(run, FUZZ_DIFFERENT, FUZZ_BIN_GOES_ON, "%zu calls of loaders, one of which failed",
                load.calls);
  if (*at.context)
    fuzz_see_of(run, FUZZ_LEAK, FUZZ_BIN_CONTEXT,
                "__tvm_ffi__library_ctx was NULL before the load that failed, and is not any more");
  if (load.calls && is_broken(run->aspect))
    fuzz_see_of(run, FUZZ_ACCEPTED, FUZZ_BIN_IN_PART, "%zu call%s of loaders, then it is refused",
                load.calls, load.calls == 1 ? "" : "s");
}

// Whether what a loader put into its error besides kind and message is lost.
static bool lost_extra(const FuzzRun *run, TVMFFIObjectHandle error)
{
  return at.extra && run->aspect == FUZZ_BIN_FAILS &&
         error_cell(at.iut, error)->extra_context != at.extra;
}

bool fuzz_bin_has_loader(const BinOracleModule *entry)
{
  bool has = entry->is_library;
  for (size_t i = 0; i < KINDS && !has; ++i)
    has = entry->kind.size == strlen(kinds[i].name) &&
          memcmp(entry->kind.data, kinds[i].name, entry->kind.size) == 0;
  return has;
}

// Whether the message has in it one of the kinds without a loader, if these are plain words.
static bool names_stranger(TVMFFIByteArray message)
{
  enum { LONG = 64 };
  for (size_t i = 0; load.tree && i < load.tree->num_modules; ++i) {
    const BinOracleModule *entry = &load.tree->modules[i];
    if (fuzz_bin_has_loader(entry)) continue;
    if (memmem(message.data, message.size, entry->kind.data, entry->kind.size)) return true;
    bool plain = entry->kind.size <= LONG;
    for (size_t k = 0; k < entry->kind.size && plain; ++k)
      plain = isalnum(entry->kind.data[k]) || entry->kind.data[k] == '_';
    if (!plain) return true;
  }
  return !load.tree;
}

static void judge_refusal(FuzzRun *run)
{
  TVMFFIObjectHandle error = take_error(at.iut);
  run->refused = true;
  if (load.odd_call) {
    release_object(at.iut, error);
    return;
  }
  judge_remains(run);
  fuzz_behave(run, &load.calls, load.calls < 3 ? sizeof load.calls : 0);
  if (!error) {
    fuzz_see(run, FUZZ_ERROR, "it is refused, and no error is raised");
    return;
  }
  const TVMFFIErrorCell *cell = error_cell(at.iut, error);
  const char *due = due_kind(run->aspect);
  int shown = cell->kind.size < 40 ? (int)cell->kind.size : 40;
  bool strange = run->aspect == FUZZ_BIN_STRANGER;
  if (cell->kind.size == 0 || cell->message.size == 0)
    fuzz_see_of(run, FUZZ_ERROR, run->aspect == FUZZ_BIN_FAILS ? FUZZ_BIN_FAILS : FUZZ_BIN_WORDLESS,
                "the error has no %s", cell->kind.size ? "message" : "kind");
  else if (due && !is_text(cell->kind, due))
    fuzz_see_of(run, FUZZ_ERROR, strange ? FUZZ_BIN_ERROR_KIND : run->aspect,
                "the error is of kind %.*s, not %s", shown, cell->kind.data, due);
  else if (strange && !names_stranger(cell->message))
    fuzz_see_of(run, FUZZ_ERROR, FUZZ_BIN_NAMELESS, "the message names no kind without a loader");
  else if (lost_extra(run, error))
    fuzz_see(run, FUZZ_ERROR, "the error has not the extra context that the loader gave it");
  if (fuzz_bin_aspects[run->aspect].due == FUZZ_DUE_ACCEPT)
    fuzz_see(run, FUZZ_REFUSED, "%.*s: %.*s", shown, cell->kind.data,
             cell->message.size < 200 ? (int)cell->message.size : 200, cell->message.data);
  fuzz_behave_text(run, cell->kind.data, cell->kind.size);
  fuzz_behave_text(run, cell->message.data, cell->message.size);
  told.is_there = true;
  told.size = cell->message.size;
  memcpy(told.text, cell->message.data, told.size < TOLD_MAX ? told.size : TOLD_MAX);
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
  at.may_be_held |= !due;
  if (due) check_tree(load.tree, root, run);
  if (due) check_unreached(run);
  if (load.context_late)
    fuzz_see_of(run, FUZZ_DIFFERENT, FUZZ_BIN_CONTEXT_LATE,
                "__tvm_ffi__library_ctx is NULL when a loader behind the library is called");
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

// Nothing was loaded yet.
static void start_load(const FuzzInput *input)
{
  const BinOracle *tree = fuzz_bin_judge(input);
  load.tree = tree && bin_oracle_is_tree(tree) ? tree : NULL;
  load.calls = load.next = load.kept_count = 0;
  load.first_wrong = NODES_MAX;
  load.has_inner = load.wrong = load.inner_wrong = load.in_thread = load.failed = load.went_on =
      false;
  load.context_late = load.odd_call = load.odd_argument = load.odd_result = load.replaced = false;
  known.count = 0;
}

// What loaders did besides, and what of it was wrong.
static void judge_loaders(FuzzRun *run)
{
  run->costly = load.has_inner;
  if (load.odd_call) fuzz_see_of(run, FUZZ_DIFFERENT, FUZZ_BIN_CALLS, "%s", load.text);
  if (load.odd_argument)
    fuzz_see_of(run, FUZZ_DIFFERENT, FUZZ_BIN_ARGUMENT,
                "bytes of the argument that nothing is in are not zero");
  if (load.odd_result)
    fuzz_see_of(run, FUZZ_DIFFERENT, FUZZ_BIN_RESULT, "a loader finds something in its result");
  if (load.inner_wrong)
    fuzz_see_of(run, FUZZ_DIFFERENT, load.in_thread ? FUZZ_BIN_THREADS : FUZZ_BIN_NESTS,
                "the load of another library that %s is not right",
                load.in_thread ? "another thread does meanwhile" : "a loader does");
  check_kept(run, "when the load is over");
}

static void run_input(Iut *iut, const FuzzInput *input, FuzzRun *run)
{
  TVMFFIAny result;
  (void)iut;
  start_load(input);
  told.is_there = false;
  place(input);
  fuzz_enter(run, FUZZ_BIN_LOADING);
  if (load_library(at.carrier.path, &result) == 0)
    judge_acceptance(&result, run);
  else
    judge_refusal(run);
  fuzz_enter(run, FUZZ_BIN_RELEASING);
  judge_loaders(run);
  release_kept();
  check_nodes(run);
  if (!run->unusable) let_nodes_go();
}

// --- Alone ---------------------------------------------------------------------------------------

// The function of the carrier that is found from the root, if the tree has the library.
static void use_library(TVMFFIObjectHandle root, FuzzRun *run)
{
  bool has_library = false;
  for (size_t i = 0; i < load.tree->num_modules; ++i)
    has_library |= load.tree->modules[i].is_library;
  if (!has_library || known.count < load.tree->num_modules) return;
  TVMFFIAny args[] = {
      view_of_object(at.iut, root), view_of_raw_string("of_carrier"), {.type_index = kTVMFFIBool}};
  TVMFFIAny found = any_none(), result = any_none();
  args[2].v_int64 = 1;
  fuzz_enter(run, FUZZ_BIN_USING);
  int code = at.iut->FunctionCall(at.find, args, 3, &found);
  if (code == 0 && found.type_index == kTVMFFIFunction)
    code = at.iut->FunctionCall(found.v_obj, NULL, 0, &result);
  if (code != 0) release_object(at.iut, take_error(at.iut));
  if (code != 0 || result.type_index != kTVMFFIInt || result.v_int64 != OF_CARRIER)
    fuzz_see_of(run, FUZZ_DIFFERENT, FUZZ_BIN_CLOSED,
                "a function of the library %s when the runtime alone has it open",
                found.type_index == kTVMFFIFunction ? "gives something else" : "is not found");
  release_any(at.iut, &result);
  release_any(at.iut, &found);
}

// Whether the kinds of the payload may be such that an error names them, and is no text. What is in
// a value that is whole is no part of a kind, however the rest is read.
static bool has_odd_letters(const FuzzInput *input)
{
  static FuzzTree tree;
  const uint8_t *end = input->bytes + input->size;
  bool apart = fuzz_tree_take_apart(input, &tree);
  size_t next = 0;
  for (const uint8_t *byte = input->bytes; byte < end; ++byte) {
    for (; apart && next < tree.entry_count; ++next) {
      const FuzzTreeEntry *entry = &tree.entries[next];
      bool whole = entry->has_value && entry->value.announced == entry->value.size;
      if (whole && entry->value.data == byte) byte += entry->value.size;
      if (whole && entry->value.data > byte) break;
    }
    if (byte < end && *byte >= 0x80) return true;
  }
  return false;
}

// Digits make no difference.
static bool says_something_else(const char *text, size_t size)
{
  size_t one = 0, other = 0, first = size < TOLD_MAX ? size : TOLD_MAX;
  size_t second = told.size < TOLD_MAX ? told.size : TOLD_MAX;
  for (;;) {
    while (one < first && isxdigit((unsigned char)text[one])) ++one;
    while (other < second && isxdigit((unsigned char)told.text[other])) ++other;
    if (one == first || other == second) return one != first || other != second;
    if (text[one++] != told.text[other++]) return true;
  }
}

static void check_message(const FuzzInput *input, TVMFFIObjectHandle error, FuzzRun *run)
{
  fuzz_enter(run, FUZZ_BIN_TELLING);
  // (Whether memory is to be had for what is announced may differ from time to time.)
  if (!error || fuzz_bin_aspects[run->aspect].sized) return;
  TVMFFIByteArray message = error_cell(at.iut, error)->message;
  if (!has_odd_letters(input) && !is_utf8(message.data, message.size))
    fuzz_see_of(run, FUZZ_ERROR, FUZZ_BIN_TOLD,
                "the message of an error is not UTF-8, and the payload is ASCII but for values");
  else if (told.is_there && says_something_else(message.data, message.size))
    fuzz_see_of(run, FUZZ_ERROR, FUZZ_BIN_TOLD, "the message was `%.*s`, and is then `%.*s`",
                told.size < 120 ? (int)told.size : 120, told.text,
                message.size < 120 ? (int)message.size : 120, message.data);
}

// Whether the library is still mapped when all is released that was loaded. What loaders kept may
// hold it, and must stay what it is.
static bool is_left_open(const FuzzInput *input, FuzzRun *run)
{
  bool open = library_is_mapped("carrier.so");
  if (!open) memset(at.window + FUZZ_INPUT_MAX - input->size, FILLING, input->size);
  fuzz_enter(run, FUZZ_BIN_KEEPING);
  check_kept(run, "when the library is closed");
  release_kept();
  fuzz_enter(run, FUZZ_BIN_RELEASING);
  return open && library_is_mapped("carrier.so");
}

// Loads it once more: nobody else has the library open from the first loader on, or when the load
// returns, and memory is such that it shows what is used after it was given back.
static void load_alone(Iut *iut, const FuzzInput *input, FuzzRun *run)
{
  TVMFFIAny result;
  place(input);
  fuzz_enter(run, FUZZ_BIN_LOADING);
  at.closes_carrier = true;
  bool fenced = faults_fence_overwriting(FILLING);
  int code = load_library(at.carrier.path, &result);
  at.closes_carrier = false;
  if (load.replaced)
    fuzz_see_of(run, FUZZ_DIFFERENT, FUZZ_BIN_REPLACED,
                "the function is called that stood under the name at the load before");
  carrier_close(&at.carrier);
  if (code == 0 && result.type_index == kTVMFFIModule) {
    meet_all(result.v_obj, run);
    if (load.tree) use_library(result.v_obj, run);
    release_tree(result.v_obj, run);
    clear_unmet();
  } else if (code != 0) {
    TVMFFIObjectHandle error = take_error(iut);
    check_message(input, error, run);
    fuzz_enter(run, FUZZ_BIN_RELEASING);
    release_object(iut, error);
  }
  if (fenced) faults_unfence();
}

// Whether all kinds that have no loader are the one that can be given one.
static bool may_load_later(const FuzzRun *run)
{
  if (!at.remove || !run->refused || run->aspect != FUZZ_BIN_STRANGER || !load.tree) return false;
  for (size_t i = 0; i < load.tree->num_modules; ++i) {
    const BinOracleModule *entry = &load.tree->modules[i];
    TVMFFIByteArray kind = {(const char *)entry->kind.data, entry->kind.size};
    if (!entry->is_library && !is_text(kind, fuzz_kind_short) && !is_text(kind, fuzz_kind_long) &&
        !is_text(kind, fuzz_kind_stranger))
      return false;
  }
  return true;
}

// Loads a payload that was refused for want of a loader, which is there now.
static void load_later(Iut *iut, const FuzzInput *input, FuzzRun *run)
{
  char name[64];
  TVMFFIAny path = view_of_raw_string(at.carrier.path), result = any_none(), gone = any_none();
  start_load(input);
  if (!may_load_later(run) || !enter_kind(&late_kind)) return;
  place(input);
  fuzz_enter(run, FUZZ_BIN_LOADING);
  if (iut->FunctionCall(at.load, &path, 1, &result) == 0) {
    meet_all(result.v_obj, run);
    release_tree(result.v_obj, run);
    clear_unmet();
  } else {
    release_object(iut, take_error(iut));
    fuzz_see_of(run, FUZZ_REFUSED, FUZZ_BIN_LATER, "it is refused again");
  }
  snprintf(name, sizeof name, "ffi.Module.load_from_bytes.%s", late_kind.name);
  TVMFFIAny argument = view_of_raw_string(name);
  if (iut->FunctionCall(at.remove, &argument, 1, &gone) != 0) release_object(iut, take_error(iut));
  release_any(iut, &gone);
  *at.context = NULL;
}

// We have the library open: whoever closed it has done so too often.
static void look(Iut *iut, FuzzRun *run)
{
  (void)iut;
  if (library_is_mapped("carrier.so")) return;
  run->unusable = true;
  fuzz_see_of(run, FUZZ_RELEASED, FUZZ_BIN_CLOSED,
              "the library is not mapped any more, though somebody else has it open");
}

// The library itself: closed by us, it is not mapped any more. Nobody says what holds a tree that
// should not be there, or of which the spec says nothing.
static void settle(Iut *iut, const FuzzInput *input, FuzzRun *run)
{
  bool accepted = !run->refused;
  unsigned left = is_broken(run->aspect) ? FUZZ_BIN_BROKEN_OPEN : FUZZ_BIN_LEFT_OPEN;
  if (!at.closes || (accepted && fuzz_bin_aspects[run->aspect].due != FUZZ_DUE_ACCEPT)) return;
  load_later(iut, input, run);
  if (!replace_loaders()) run->unusable = true;
  start_load(input);
  load_alone(iut, input, run);
  run->unusable = is_left_open(input, run);
  check_nodes(run);
  if (!run->unusable) let_nodes_go();
  if (run->unusable && !at.may_be_held)
    fuzz_see_of(run, FUZZ_LEAK, accepted ? FUZZ_BIN_KEPT_OPEN : left,
                "it is mapped when everybody else has closed it");
  if (!run->unusable) open_carrier();
}

const FuzzSurface fuzz_library_bin = {.name = "library_bin",
                                      .title = "loading what __tvm_ffi__library_bin holds",
                                      .input_max = FUZZ_INPUT_MAX,
                                      .aspects = fuzz_bin_aspects,
                                      .aspect_count = FUZZ_BIN_ASPECTS,
                                      .phases = phases,
                                      .phase_count = FUZZ_BIN_PHASES,
                                      .phase_aspects = phase_aspects,
                                      .of_inputs = FUZZ_BIN_OF_PAYLOADS,
                                      .stateful = FUZZ_BIN_STATEFUL,
                                      .left_behind = FUZZ_BIN_LEFT_MEMORY,
                                      .prepare = prepare,
                                      .sample = fuzz_tree_sample,
                                      .generate = fuzz_tree_generate,
                                      .mutate = fuzz_tree_mutate,
                                      .repair = fuzz_bin_repair,
                                      .aspect = fuzz_bin_aspect,
                                      .run = run_input,
                                      .look = look,
                                      .settle = settle,
                                      .shrink = fuzz_tree_shrink,
                                      .describe = fuzz_bin_describe,
                                      .in_library = true,
                                      .program = fuzz_bin_program};
