// SPDX-License-Identifier: Apache-2.0
// The surface library_scale: large sound trees, kinds and values, of which there is a fixed list. An
// input says which one in a few bytes; the payload is made of it in the worker.
//
// Modules are made before, so that what a load takes is the runtime's own.
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "battery/access.h"
#include "battery/carrier.h"
#include "battery/faults.h"
#include "battery/work.h"
#include "fuzz/fuzz_library_at_once.h"
#include "fuzz/fuzz_library_scale.h"
#include "fuzz/fuzz_program.h"
#include "fuzz/fuzz_repro.h"
#include "library_bin.h"

enum { LONG = 65600 };
enum { ROOM_AT_ONCE = 16 << 20 };  // what loads that are many lose is found by others
enum { STACK = 1 << 20, STACK_MORE = 16 << 10 };  // of which the frames between are a part

// X(constant, name, clause, due, sized, what)
#define SCALE_ASPECT_LIST(X)                                                                  \
  X(TREE, "large-tree", BIN_9, ACCEPT, "a sound tree of many modules or imports")             \
  X(KIND, "long-kind", BIN_7, ACCEPT, "a sound tree with a long kind")                        \
  X(VALUE, "large-value", BIN_5, ACCEPT, "a sound tree with a large value")                   \
  X(GROWS, "growing-work", BIN_48, ACCEPT, "two sound trees, one 16 times as large")          \
  X(AT_ONCE, "two-threads", MOD_77, ACCEPT, "two threads load a sound tree at the same time") \
  X(TOO_LARGE, "too-large", BIN_47, EITHER, "a large tree, kind or value is refused")         \
  X(STACK, "stack", BIN_47, EITHER, "a large tree, kind or value brings the process down")    \
  X(BEYOND, "beyond", BIN_21, EITHER, "memory behind a large payload is read")

typedef enum ScaleAspect {
#define X(constant, name, clause, due, what) SCALE_##constant,
  SCALE_ASPECT_LIST(X)
#undef X
      SCALE_ASPECTS
} ScaleAspect;

static const FuzzAspect aspects[SCALE_ASPECTS] = {
#define X(constant, name, clause, due, what) {name, clause, FUZZ_DUE_##due, what, false},
    SCALE_ASPECT_LIST(X)
#undef X
};

enum { LOADING, LOADING_AT_ONCE, PHASES };
static const char *const phases[PHASES] = {"loading, looking up and releasing it",
                                           "loading it in two threads"};
static const unsigned phase_aspects[PHASES] = {
    [LOADING] = SCALE_STACK, [LOADING_AT_ONCE] = SCALE_AT_ONCE};

// --- Inputs --------------------------------------------------------------------------------------

// `count` of modules or imports, or octets of the kind or value.
static const FuzzScale list[] = {
    {FUZZ_SCALE_VALUE, false, 300},      {FUZZ_SCALE_VALUE, false, 5120},
    {FUZZ_SCALE_KIND, false, 5120},      {FUZZ_SCALE_VALUE, false, 65600},
    {FUZZ_SCALE_KIND, false, 65600},     {FUZZ_SCALE_AT_ONCE, false, 65600},
    {FUZZ_SCALE_AT_ONCE, false, 100},    {FUZZ_SCALE_CHAIN, true, 500},
    {FUZZ_SCALE_STAR, true, 500},        {FUZZ_SCALE_APART, true, 1500},
    {FUZZ_SCALE_REPEAT, true, 1000},     {FUZZ_SCALE_VALUE, true, 65536},
    {FUZZ_SCALE_VALUE, false, 16 << 20}, {FUZZ_SCALE_CHAIN, false, 100000},
    {FUZZ_SCALE_STAR, false, 70000},     {FUZZ_SCALE_APART, false, 100000},
    {FUZZ_SCALE_REPEAT, false, 100000},  {FUZZ_SCALE_CHAIN, true, 3000},
    {FUZZ_SCALE_STAR, true, 3000},       {FUZZ_SCALE_APART, true, 6250},
    {FUZZ_SCALE_REPEAT, true, 3000},     {FUZZ_SCALE_VALUE, true, 1 << 20},
};
enum { LISTED = sizeof list / sizeof list[0] };

static bool read_scale(const FuzzInput *input, FuzzScale *scale)
{
  if (input->size != FUZZ_SCALE_BYTES) return false;
  memcpy(&scale->count, input->bytes + 2, sizeof scale->count);
  scale->shape = input->bytes[0];
  scale->grows = input->bytes[1] != 0;
  bool octets = scale->shape >= FUZZ_SCALE_KIND;
  return scale->shape < FUZZ_SCALE_SHAPES && scale->count >= 2 &&
         scale->count <= (octets ? 16u << 20 : 100000u);
}

static void nth(uint64_t index, FuzzInput *out)
{
  const FuzzScale *scale = &list[index % LISTED];
  out->bytes[0] = (uint8_t)scale->shape;
  out->bytes[1] = scale->grows;
  memcpy(out->bytes + 2, &scale->count, sizeof scale->count);
  out->size = FUZZ_SCALE_BYTES;
}

static void sample(FuzzInput *out)
{
  nth(0, out);
}

static void generate(FuzzRandom *random, FuzzInput *out)
{
  nth(fuzz_below(random, LISTED), out);
}

static void mutate(FuzzRandom *random, FuzzInput *input)
{
  generate(random, input);
}

static bool repair(FuzzInput *input)
{
  FuzzScale scale;
  return read_scale(input, &scale);
}

static unsigned aspect(const FuzzInput *input)
{
  FuzzScale scale;
  if (!read_scale(input, &scale)) return SCALE_TREE;
  if (scale.shape == FUZZ_SCALE_AT_ONCE) return SCALE_AT_ONCE;
  if (scale.grows) return SCALE_GROWS;
  if (scale.shape == FUZZ_SCALE_KIND) return SCALE_KIND;
  return scale.shape == FUZZ_SCALE_VALUE ? SCALE_VALUE : SCALE_TREE;
}

static bool shrink(const FuzzInput *input, size_t step, FuzzInput *out)
{
  (void)input, (void)step, (void)out;
  return false;
}

// What is loaded of it at most.
static size_t weight(const FuzzInput *input)
{
  FuzzScale scale;
  if (!read_scale(input, &scale)) return input->size;
  if (scale.shape == FUZZ_SCALE_AT_ONCE) return ROOM_AT_ONCE;
  size_t count = scale.count * (scale.grows ? FUZZ_SCALE_FACTOR : 1);
  return scale.shape >= FUZZ_SCALE_KIND ? count + 64 : 42 * count;
}

// --- The payload ---------------------------------------------------------------------------------

static struct {
  Iut *iut;
  TVMFFIObjectHandle load, find, system;
  const TVMFFIFieldInfo *imports;  // NULL: it has no such field
  Carrier carrier;
  ElfW(Sym) * entry;
  uintptr_t base;
  TVMFFIObjectHandle *modules;  // own, from `next` on
  size_t count, next, made;
  const char *end;    // of the payload
  size_t value_size;  // of what the loader is given
  bool right;         // all that it was given is what it has to be
  bool at_once;       // two threads load
} at;

static char letter_at(size_t place)
{
  return (char)('a' + place % 23);
}

static char *many_letters(size_t size)
{
  char *letters = malloc(size + 1);
  for (size_t i = 0; letters && i < size; ++i) letters[i] = letter_at(i);
  if (letters) letters[size] = '\0';
  return letters;
}

static const char kind_name[] = "conform_scale";

// Fills in the tree of these counts. False for want of memory.
static bool make_tree(const FuzzScale *scale, size_t count, LibraryBin *tree, char **text)
{
  bool is_tree = scale->shape < FUZZ_SCALE_KIND, at_once = scale->shape == FUZZ_SCALE_AT_ONCE;
  size_t modules = !is_tree ? (at_once ? 2u : 1u) : scale->shape == FUZZ_SCALE_REPEAT ? 2 : count;
  size_t children = !is_tree || scale->shape == FUZZ_SCALE_APART ? 0 : count - 1;
  uint64_t *rows = calloc(modules + 1, sizeof *rows), *imports = calloc(count, sizeof *imports);
  LibraryBinEntry *entries = calloc(modules, sizeof *entries);
  *tree = (LibraryBin){modules, children, rows, imports, entries};
  *text = is_tree ? NULL : many_letters(count);
  if (!rows || !imports || !entries || (!is_tree && !*text)) return false;
  for (size_t i = 0; i < children; ++i) imports[i] = scale->shape == FUZZ_SCALE_REPEAT ? 1 : i + 1;
  for (size_t i = 0; i < modules; ++i) {
    bool chain = scale->shape == FUZZ_SCALE_CHAIN;
    rows[i + 1] = chain && i < children ? i + 1 : children;
    entries[i].kind = (LibraryBinBytes){kind_name, sizeof kind_name - 1};
    entries[i].value = (LibraryBinBytes){"a", 1};
  }
  if (scale->shape == FUZZ_SCALE_KIND || at_once) entries[0].kind = (LibraryBinBytes){*text, count};
  if (scale->shape == FUZZ_SCALE_VALUE) entries[0].value = (LibraryBinBytes){*text, count};
  return true;
}

static void free_tree(LibraryBin *tree, char *text)
{
  free((void *)(uintptr_t)tree->rows);
  free((void *)(uintptr_t)tree->children);
  free((void *)(uintptr_t)tree->entries);
  free(text);
}

// Has the carrier show the payload at the end of a page. Its size, 0 for want of memory.
static size_t show(const LibraryBin *tree)
{
  static char *memory;
  static size_t mapped;
  size_t size = library_bin_size(tree), page = (size_t)sysconf(_SC_PAGESIZE);
  size_t room = (size + page - 1) / page * page;
  if (memory) munmap(memory, mapped);
  mapped = room + page;
  memory = mmap(NULL, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return memory = NULL, 0;
  library_bin_write(tree, memory + room - size);
  mprotect(memory, room, PROT_READ);
  mprotect(memory + room, page, PROT_NONE);
  at.end = memory + room;
  at.entry->st_value = (uintptr_t)(memory + room - size) - at.base;
  at.entry->st_size = size;
  return size;
}

// --- Loaders -------------------------------------------------------------------------------------

static char of_long_kind;

static int load_scale(void *self, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  if (at.at_once) {
    *result = view_of_object(at.iut, at.modules[self != &of_long_kind]);
    at.iut->ObjectIncRef(result->v_obj);
    return 0;
  }
  TVMFFIByteArray value = {NULL, 0};
  if (num_args == 1 && args[0].type_index == kTVMFFIByteArrayPtr)
    value = *(const TVMFFIByteArray *)args[0].v_ptr;
  else if (num_args == 1 && args[0].type_index == kTVMFFIBytes)
    value = *(const TVMFFIByteArray *)object_body(at.iut, args[0].v_obj);
  else if (num_args == 1)
    value = (TVMFFIByteArray){args[0].v_bytes, args[0].small_str_len};
  at.right &= value.size == at.value_size;
  for (size_t i = 0; at.right && i < value.size; ++i) at.right = value.data[i] == letter_at(i);
  if (at.next == at.count) {
    at.iut->ErrorSetRaisedFromCStr("FuzzError", "there are no more modules");
    return -1;
  }
  *result = view_of_object(at.iut, at.modules[at.next++]);
  return 0;
}

static bool enter_kind(const char *kind, void *self)
{
  static const char prefix[] = "ffi.Module.load_from_bytes.";
  size_t size = sizeof prefix - 1 + strlen(kind);
  char *name = malloc(size + 1);
  TVMFFIObjectHandle function = NULL;
  if (!name) return false;
  memcpy(name, prefix, sizeof prefix - 1);
  strcpy(name + sizeof prefix - 1, kind);
  TVMFFIByteArray text = {name, size};
  bool entered = at.iut->FunctionCreate(self, load_scale, NULL, &function) == 0 &&
                 at.iut->FunctionSetGlobal(&text, function, 1) == 0;
  if (function) at.iut->ObjectDecRef(function);
  free(name);
  return entered;
}

// Modules that nobody has but us.
static bool fill_pool(size_t count)
{
  char prefix[48];
  for (; at.next < at.count; ++at.next) at.iut->ObjectDecRef(at.modules[at.next]);
  free(at.modules);
  at.count = at.next = 0;
  at.modules = calloc(count, sizeof *at.modules);
  if (!at.modules) return false;
  for (; at.count < count; ++at.count) {
    snprintf(prefix, sizeof prefix, "conform_scale_%zu_", at.made++);
    TVMFFIAny argument = view_of_raw_string(prefix), result = any_none();
    if (at.iut->FunctionCall(at.system, &argument, 1, &result) != 0) return false;
    at.modules[at.count] = result.v_obj;
  }
  return true;
}

static bool look_up(const char *name, TVMFFIObjectHandle *function, char *why, size_t size)
{
  TVMFFIByteArray bytes = bytes_of(name);
  if (at.iut->FunctionGetGlobal(&bytes, function) == 0 && *function) return true;
  snprintf(why, size, "it has no registered function %s", name);
  return false;
}

// How much of the stack of the process is taken, with the arguments and variables at its top.
static size_t stack_in_use(void)
{
  uintptr_t top = (uintptr_t)getauxval(AT_EXECFN), here = (uintptr_t)__builtin_frame_address(0);
  return top > here ? top - here + STACK_MORE : 0;
}

// --- Loading -------------------------------------------------------------------------------------

// How many modules one imports. `right`: the first of them is the second module, and each of the others
// that, or the one that follows.
static uint64_t imports_of(TVMFFIObjectHandle module, bool follow, bool *right)
{
  TVMFFIAny imports = any_none();
  if (at.imports->getter((char *)module + at.imports->offset, &imports) != 0) {
    release_object(at.iut, take_error(at.iut));
    return 0;
  }
  bool is_array = imports.type_index == kTVMFFIArray;
  const TVMFFISeqCell *cell = is_array ? object_body(at.iut, imports.v_obj) : NULL;
  uint64_t count = cell ? (uint64_t)cell->size : 0;
  const TVMFFIAny *elements = cell ? cell->data : NULL;
  *right = true;
  for (size_t i = 0; i < count && *right; ++i) {
    size_t due = follow ? i + 1 : 1;
    *right = due < at.count && elements[i].v_obj == at.modules[due];
  }
  release_any(at.iut, &imports);
  return count;
}

static void check_root(const LibraryBin *tree, TVMFFIObjectHandle root, FuzzRun *run)
{
  TVMFFIAny args[] = {view_of_object(at.iut, root),
                      view_of_raw_string("conform_absent"),
                      {.type_index = kTVMFFIBool}};
  TVMFFIAny found = any_none();
  bool right = true;
  uint64_t imports = 0;
  args[2].v_int64 = 1;
  if (at.next != tree->num_modules || !at.right)
    fuzz_see(run, FUZZ_DIFFERENT, "loaders are called %zu times for %zu entries, %s", at.next,
             tree->num_modules, at.right ? "with their values" : "with other values than theirs");
  else if (root != at.modules[0])
    fuzz_see(run, FUZZ_DIFFERENT, "what is loaded is not the module of the first entry");
  else if (at.imports &&
           (imports = imports_of(root, tree->num_modules > 2, &right)) != tree->rows[1])
    fuzz_see(run, FUZZ_DIFFERENT, "the root imports %llu modules, its rows say %llu",
             (unsigned long long)imports, (unsigned long long)tree->rows[1]);
  else if (!right)
    fuzz_see(run, FUZZ_DIFFERENT, "the root imports other modules than its children");
  if (at.iut->FunctionCall(at.find, args, 3, &found) != 0 || found.type_index != kTVMFFINone)
    fuzz_see(run, FUZZ_DIFFERENT, "looking up a name that no module has does not give None");
  release_any(at.iut, &found);
}

// Loads what the input says, `count` large, and releases it. The work that this takes; 0 if it does
// not load.
static uint64_t load_once(const FuzzScale *scale, size_t count, FuzzRun *run, bool checks)
{
  LibraryBin tree;
  char *text = NULL;
  TVMFFIAny path = view_of_raw_string(at.carrier.path), result = any_none();
  bool ready = make_tree(scale, count, &tree, &text) && show(&tree) && fill_pool(tree.num_modules);
  at.value_size = scale->shape == FUZZ_SCALE_VALUE ? count : 1;
  at.right = true;
  uint64_t work = 0;
  if (ready) {
    fuzz_fence(run, at.end);
    fuzz_enter(run, LOADING);
    work_start();
    int code = at.iut->FunctionCall(at.load, &path, 1, &result);
    if (code == 0 && checks) check_root(&tree, result.v_obj, run);
    if (code == 0) at.iut->ObjectDecRef(result.v_obj);
    work = work_stop();
    if (code != 0) {
      TVMFFIObjectHandle error = take_error(at.iut);
      TVMFFIByteArray message = error ? error_cell(at.iut, error)->message : bytes_of("no error");
      // A kind or value that others might call long is about itself, and not about its size.
      bool long_one = scale->shape >= FUZZ_SCALE_KIND && count <= LONG;
      fuzz_see_of(run, FUZZ_REFUSED, long_one ? run->aspect : SCALE_TOO_LARGE, "%.*s",
                  message.size < 200 ? (int)message.size : 200, message.data);
      release_object(at.iut, error);
      run->refused = true;
      work = 0;
    }
  }
  free_tree(&tree, text);
  return work;
}

// The least of several times, since other programs may take part of a processor's time, which says
// little when it is short. What is too much has to be so each time.
static void compare_work(const FuzzScale *scale, FuzzRun *run)
{
  enum { ROUNDS = 3, PLAIN = 2, SHORT_NS = 500000 };
  uint64_t least = UINT64_MAX, most = UINT64_MAX;
  for (int i = 0; i < ROUNDS; ++i) {
    uint64_t work = load_once(scale, scale->count, run, false);
    uint64_t more = work ? load_once(scale, FUZZ_SCALE_FACTOR * scale->count, run, false) : 0;
    if (!work || !more) return;
    if (work < least) least = work;
    if (!work_is_counted() && least < SHORT_NS) least = SHORT_NS;
    if (more < most) most = more;
    if (most <= FUZZ_SCALE_BOUND * least) return;
    // No other program makes as much of a difference.
    if (most > PLAIN * FUZZ_SCALE_BOUND * least) break;
  }
  fuzz_see(run, FUZZ_SLOW, "it takes %llu times the work: %llu and %llu %s",
           (unsigned long long)(most / least), (unsigned long long)least, (unsigned long long)most,
           work_is_counted() ? "instructions" : "ns of a processor");
}

// A kind that is long takes its time: what both loads use is then used by the other one meanwhile. A short
// one is loaded more often.
static void load_at_once(const FuzzScale *scale, FuzzRun *run)
{
  enum { LETTERS_FEW = 1000, TIMES_LONG = 2000, TIMES_SHORT = 20000 };
  const unsigned times = scale->count < LETTERS_FEW ? TIMES_SHORT : TIMES_LONG;
  LibraryBin tree;
  char *text = NULL;
  if (make_tree(scale, scale->count, &tree, &text) && show(&tree) && fill_pool(tree.num_modules)) {
    // One that each load releases too often is another matter, and still there afterwards.
    for (size_t i = 0; i < 2; ++i)
      for (unsigned k = 0; k < 4 * times; ++k) at.iut->ObjectIncRef(at.modules[i]);
    fuzz_enter(run, LOADING_AT_ONCE);
    at.at_once = true;
    int wrong =
        fuzz_load_at_once(&(FuzzAtOnce){at.iut, at.load, at.carrier.path, at.modules[0], times});
    at.at_once = false;
    if (wrong)
      fuzz_see(run, FUZZ_DIFFERENT, "a load of two kinds is not right while another thread loads");
  }
  free_tree(&tree, text);
}

static void run_input(Iut *iut, const FuzzInput *input, FuzzRun *run)
{
  FuzzScale scale;
  (void)iut;
  if (!read_scale(input, &scale)) return;
  if (scale.shape == FUZZ_SCALE_AT_ONCE)
    load_at_once(&scale, run);
  else if (scale.grows)
    compare_work(&scale, run);
  else
    load_once(&scale, scale.count, run, true);
}

// --- Preparing -----------------------------------------------------------------------------------

// Small trees of the same shapes come first: what these show is not about size, and the surface
// library_bin looks for it.
static bool loads_small_trees(char *why, size_t size)
{
  static const FuzzScale small[] = {{FUZZ_SCALE_CHAIN, false, 3},
                                    {FUZZ_SCALE_STAR, false, 3},
                                    {FUZZ_SCALE_APART, false, 3},
                                    {FUZZ_SCALE_REPEAT, false, 3},
                                    {FUZZ_SCALE_VALUE, false, 2}};
  static _Atomic uint32_t phase;
  static _Atomic uint64_t fence;
  for (size_t i = 0; i < sizeof small / sizeof small[0]; ++i) {
    FuzzRun run = {.phase = &phase, .fence = &fence};
    size_t most = 0;
    if (!faults_unavailable()) faults_watch(0, FAULTS_ONCE);
    load_once(&small[i], small[i].count, &run, true);
    if (!faults_unavailable()) most = faults_unwatch().most;
    faults_forget();
    if (most > fuzz_memory_limit(FUZZ_SCALE_BYTES))
      fuzz_see(&run, FUZZ_MEMORY, "it takes %zu bytes", most);
    if (!library_is_mapped("carrier.so"))
      fuzz_see(&run, FUZZ_RELEASED, "its library is closed, which somebody else has open");
    if (run.count == 0) continue;
    snprintf(why, size, "a small tree is not loaded as it must be (%.*s), as library_bin shows",
             160, run.seen[0].text);
    return false;
  }
  return true;
}

static bool prepare(Iut *iut, char *why, size_t size)
{
  struct link_map *map = NULL;
  struct rlimit limit;
  at.iut = iut;
  if (!look_up("ffi.ModuleLoadFromFile", &at.load, why, size) ||
      !look_up("ffi.ModuleGetFunction", &at.find, why, size) ||
      !look_up("ffi.SystemLib", &at.system, why, size))
    return false;
  const TVMFFITypeInfo *info = iut->GetTypeInfo(kTVMFFIModule);
  for (int32_t i = 0; info && i < info->num_fields; ++i)
    if (info->fields[i].name.size == 8 && memcmp(info->fields[i].name.data, "imports_", 8) == 0)
      at.imports = &info->fields[i];
  snprintf(why, size, "cannot register loaders for embedded modules");
  if (!enter_kind(kind_name, NULL)) return false;
  for (size_t i = 0; i < LISTED; ++i) {
    const bool kinds = list[i].shape == FUZZ_SCALE_KIND || list[i].shape == FUZZ_SCALE_AT_ONCE;
    char *kind = kinds ? many_letters(list[i].count) : NULL;
    bool entered = !kind || enter_kind(kind, &of_long_kind);
    free(kind);
    if (!entered) return false;
  }
  at.carrier = carrier_open("", 1);
  at.entry = at.carrier.payload_entry;
  if (dlinfo(at.carrier.handle, RTLD_DI_LINKMAP, &map) == 0 && map) at.base = map->l_addr;
  // The stack grows no further than that of many threads (BIN-47), beyond what we have of it.
  rlim_t most = STACK + stack_in_use();
  if (getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur > most) {
    limit.rlim_cur = most;
    setrlimit(RLIMIT_STACK, &limit);
  }
  return loads_small_trees(why, size);
}

// --- For people ----------------------------------------------------------------------------------

static void describe(const FuzzInput *input, unsigned which, FILE *out)
{
  static const char *const shapes[] = {
      "A chain of %u modules, each of which imports the next one",
      "%u modules, the first of which imports all others",
      "%u modules that nobody imports",
      "Two modules, the first of which imports the other one %u times less one",
      "A module with a kind of %u octets",
      "A module with a value of %u octets",
      "A module with a kind of %u octets and one with a short kind, in two threads"};
  FuzzScale scale;
  (void)which;
  if (!read_scale(input, &scale)) return;
  fprintf(out, shapes[scale.shape], scale.count);  // NOLINT
  if (scale.grows) fprintf(out, ", and the same %d times as large", FUZZ_SCALE_FACTOR);
  fprintf(out, ".");
}

static void program(const FuzzSurface *surface, const FuzzInput *input, const FuzzReport *report,
                    FILE *out)
{
  FuzzScale scale = {0, false, 2};
  read_scale(input, &scale);
  fprintf(
      out,
      "// %s: %s.\n//\n"
      "//   gcc -rdynamic -I HEADERS repro.c -o repro -ldl -lpthread\n"
      "//   gcc -DPAYLOAD -shared -fPIC repro.c -o payload.so\n"
      "//   ./repro RUNTIME.so ./payload.so\n//\n"
      "// HEADERS has tvm/ffi/c_api.h and dlpack/dlpack.h. Exit status 1, or a signal: it shows.\n"
      "#define _GNU_SOURCE\n#define SHAPE %d\n#define COUNT %u\n#define FACTOR %d\n#define BOUND %d\n",
      fuzz_class_sentence(report->class), surface->aspects[report->aspect].what, scale.shape,
      scale.count, scale.grows ? FUZZ_SCALE_FACTOR : 1, FUZZ_SCALE_BOUND);
  fprintf(out,
          "\n#ifdef PAYLOAD\nvoid *__tvm_ffi__library_ctx;\n"
          "const unsigned char __tvm_ffi__library_bin[64] = {1};\n#endif\n\n");
  fwrite(fuzz_repro_library_scale, 1, fuzz_repro_library_scale_size, out);
}

const FuzzSurface fuzz_library_scale = {.name = "library_scale",
                                        .title = "loading large trees",
                                        .input_max = FUZZ_SCALE_BYTES,
                                        .aspects = aspects,
                                        .aspect_count = SCALE_ASPECTS,
                                        .of_inputs = SCALE_STACK,
                                        .slow = SCALE_GROWS,
                                        .memory = (size_t)2 << 30,
                                        .phases = phases,
                                        .phase_count = PHASES,
                                        .phase_aspects = phase_aspects,
                                        .beyond = SCALE_BEYOND,
                                        .count = LISTED,
                                        .nth = nth,
                                        .weight = weight,
                                        .prepare = prepare,
                                        .sample = sample,
                                        .generate = generate,
                                        .mutate = mutate,
                                        .repair = repair,
                                        .aspect = aspect,
                                        .run = run_input,
                                        .shrink = shrink,
                                        .describe = describe,
                                        .program = program};
