// SPDX-License-Identifier: Apache-2.0
// The surface library_bin: whole loads of what stands behind `__tvm_ffi__library_bin`, with loaders
// of ours for the kinds of embedded modules, through the functions that a runtime registers.
//
// The modules that our loaders give are there before: system libraries of prefixes of their own,
// whose reference counts tell afterwards whether anybody still holds them.
#include <ctype.h>
#include <dlfcn.h>
#include <malloc.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "battery/faults_fence.h"
#include "battery/utf8.h"
#include "fuzz/fuzz_library_state.h"

enum { OF_CARRIER = 1000 };
enum { FILLING = 0xdb };  // no character of a text

static const char *const phases[FUZZ_BIN_PHASES] = {
    "loading the payload",
    "reading the imports",
    "looking up a name that no module has",
    "releasing the modules",
    "using the library, which nobody else has open",
    "looking a name up by the context of the library",
    "reading the error, when the library is closed",
    "using a value that a loader kept, when the library is closed",
    "loading the payload while one request for memory is refused"};
static const unsigned phase_aspects[FUZZ_BIN_PHASES] = {
    [FUZZ_BIN_USING] = FUZZ_BIN_CLOSED,
    [FUZZ_BIN_SEARCHING] = FUZZ_BIN_CONTEXT_OTHER,
    [FUZZ_BIN_TELLING] = FUZZ_BIN_TOLD,
    [FUZZ_BIN_KEEPING] = FUZZ_BIN_CHANGED,
    [FUZZ_BIN_WITHOUT_MEMORY] = FUZZ_BIN_SHORT};

static const char context_symbol[] = "__conform_first";

static const FuzzClassClause class_clauses[] = {{FUZZ_MEMORY, FUZZ_DUE_REFUSE, BIN_24},
                                                {FUZZ_LEAK, FUZZ_DUE_ACCEPT, MOD_92}};

// What may show of inputs that have less that is special.
static const unsigned general[FUZZ_BIN_ASPECTS] = {[FUZZ_BIN_NEAR_KIND] = FUZZ_BIN_STRANGER,
                                                   [FUZZ_BIN_KIND_CALLS] = FUZZ_BIN_CALLS,
                                                   [FUZZ_BIN_NEAR_ERROR] = FUZZ_BIN_ERROR_KIND};

// Who holds the library, or a module, keeps the context of the library, too.
static const FuzzFollows follows[] = {{FUZZ_BIN_CONTEXT, FUZZ_BIN_LEFT_OPEN},
                                      {FUZZ_BIN_CONTEXT, FUZZ_BIN_LEFT_MODULES},
                                      {FUZZ_BIN_CONTEXT, FUZZ_BIN_BROKEN_OPEN}};

static const FuzzBinKind late_kind = {.name = fuzz_kind_stranger, .gives_module = true};

// --- Preparing -----------------------------------------------------------------------------------

static bool look_up(const char *name, TVMFFIObjectHandle *function, char *why, size_t size)
{
  TVMFFIByteArray bytes = bytes_of(name);
  if (fuzz_bin.iut->FunctionGetGlobal(&bytes, function) == 0 && *function) return true;
  snprintf(why, size, "it has no registered function %s", name);
  return false;
}

static bool is_entered_again(const FuzzBinKind *kind)
{
  return (kind >= fuzz_bin.again && kind < fuzz_bin.again + FUZZ_BIN_AGAIN) ||
         (kind >= fuzz_bin_kinds && kind < fuzz_bin_kinds + FUZZ_BIN_AGAIN);
}

static void end_loader(void *self)
{
  fuzz_bin.loaders -= is_entered_again(self);
}

// Registers the loader of a kind, which is at this place of fuzz_bin_kinds; FUZZ_BIN_KINDS: at none.
static bool enter_kind(const FuzzBinKind *kind, size_t place)
{
  char name[640];
  TVMFFIObjectHandle function = NULL;
  snprintf(name, sizeof name, "ffi.Module.load_from_bytes.%s", kind->name);
  TVMFFIByteArray bytes = bytes_of(name);
  FuzzBinKind *self;
  memcpy(&self, &kind, sizeof self);
  if (fuzz_bin.iut->FunctionCreate(self, fuzz_bin_call, end_loader, &function) != 0) return false;
  fuzz_bin.loaders += is_entered_again(kind);
  bool entered = fuzz_bin.iut->FunctionSetGlobal(&bytes, function, 1) == 0;
  if (place == FUZZ_BIN_KINDS) {
    fuzz_bin.iut->ObjectDecRef(function);
    return entered;
  }
  // Ours are many, so that one that is released too often is still there to tell.
  for (int i = 0; i < FUZZ_BIN_SPARE; ++i) {
    if (fuzz_bin.functions[place]) fuzz_bin.iut->ObjectDecRef(fuzz_bin.functions[place]);
    if (i) fuzz_bin.iut->ObjectIncRef(function);
  }
  fuzz_bin.functions[place] = function;
  return entered;
}

static bool find_imports_field(char *why, size_t size)
{
  const TVMFFITypeInfo *info = fuzz_bin.iut->GetTypeInfo(kTVMFFIModule);
  for (int32_t i = 0; info && i < info->num_fields; ++i) {
    TVMFFIByteArray name = info->fields[i].name;
    if (name.size == 8 && memcmp(name.data, "imports_", 8) == 0)
      fuzz_bin.imports = &info->fields[i];
  }
  if (fuzz_bin.imports) return true;
  snprintf(why, size, "ffi.Module has no field imports_");
  return false;
}

// The functions of the first modules, each of which gives its number.
#define NAMED_LIST(X) X(0) X(1) X(2) X(3)
#define X(number)                                                                                  \
  static int mine_##number(void *self, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result) \
  {                                                                                                \
    (void)self, (void)args, (void)num_args;                                                        \
    *result = (TVMFFIAny){.type_index = kTVMFFIInt, .v_int64 = number};                            \
    return 0;                                                                                      \
  }
NAMED_LIST(X)
#undef X

// Whether each of them is found in its module.
static bool name_modules(Iut *iut)
{
  static const TVMFFISafeCallType mine[FUZZ_BIN_NAMED] = {
#define X(number) mine_##number,
      NAMED_LIST(X)
#undef X
  };
  for (size_t i = 0; i < FUZZ_BIN_NAMED; ++i) {
    char name[64];
    void *address;
    memcpy(&address, &mine[i], sizeof address);
    snprintf(name, sizeof name, "__tvm_ffi_conform_fuzz_%zu_mine", i);
    if (iut->EnvModRegisterSystemLibSymbol(name, address) != 0) {
      release_object(iut, take_error(iut));
      return false;
    }
    TVMFFIAny args[] = {view_of_object(iut, fuzz_bin.nodes[i]),
                        view_of_raw_string("mine"),
                        {.type_index = kTVMFFIBool}};
    TVMFFIAny found = any_none();
    if (iut->FunctionCall(fuzz_bin.find, args, 3, &found) != 0)
      release_object(iut, take_error(iut));
    bool is_function = found.type_index == kTVMFFIFunction;
    release_any(iut, &found);
    if (!is_function) return false;
  }
  return true;
}

// Memory that is mapped twice, with an unmapped page behind it where the library looks at it.
static bool make_window(void)
{
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  int fd = memfd_create("tvmffi-payload", MFD_CLOEXEC);
  if (fd < 0 || ftruncate(fd, FUZZ_INPUT_MAX) != 0) return false;
  fuzz_bin.window = mmap(NULL, FUZZ_INPUT_MAX, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  uint8_t *fenced =
      mmap(NULL, FUZZ_INPUT_MAX + page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (fuzz_bin.window == MAP_FAILED || fenced == MAP_FAILED) return false;
  fuzz_bin.shown = mmap(fenced, FUZZ_INPUT_MAX, PROT_READ, MAP_SHARED | MAP_FIXED, fd, 0);
  close(fd);
  return fuzz_bin.shown != MAP_FAILED;
}

// Has a library, which stays open, hold a payload.
static bool put_payload(const char *path, const FuzzInput *input)
{
  void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  void *place = handle ? dlsym(handle, "__tvm_ffi__library_bin") : NULL;
  if (place) memcpy(place, input->bytes, input->size);
  return place != NULL;
}

// A library of two modules, the first of which imports the other, for a loader to fuzz_bin_load.
static bool make_inner(void)
{
  static uint8_t bytes[256];
  FuzzInput input = {bytes, 0, sizeof bytes};
  fuzz_tree_sample_inner(&input);
  fuzz_bin.inner_path = library_path_of("fuzz_carrier_small.so");
  if (!bin_oracle_judge(bytes, input.size, &fuzz_bin.inner) ||
      !put_payload(fuzz_bin.inner_path, &input))
    return false;
  for (int i = 0; i < FUZZ_BIN_NESTED; ++i) {
    static const char *const names[FUZZ_BIN_NESTED] = {"fuzz_carrier_2.so", "fuzz_carrier_3.so",
                                                       "fuzz_carrier_4.so"};
    fuzz_bin.nested_paths[i] = library_path_of(names[i]);
    if (!put_payload(fuzz_bin.nested_paths[i], &input)) return false;
  }
  fuzz_bin.inner_input = input;
  for (size_t i = 0; i < 2; ++i)
    if (!(fuzz_bin.inner_nodes[i] = fuzz_bin_new_node(FUZZ_BIN_NODES_MAX + i))) return false;
  return true;
}

// The kinds that are registered again take the place of those that are there.
static bool replace_loaders(void)
{
  bool entered = true;
  for (size_t i = 0; i < FUZZ_BIN_AGAIN; ++i) {
    fuzz_bin.again[i] = fuzz_bin_kinds[i];
    entered &= enter_kind(fuzz_bin.is_again ? &fuzz_bin_kinds[i] : &fuzz_bin.again[i], i);
  }
  fuzz_bin.is_again = !fuzz_bin.is_again;
  return entered;
}

// An object that is no module.
static bool make_thing(void)
{
  if (fuzz_bin.iut->FunctionCreate(NULL, fuzz_bin_call, NULL, &fuzz_bin.thing) != 0) return false;
  for (int i = 0; i < FUZZ_BIN_SPARE; ++i) fuzz_bin.iut->ObjectIncRef(fuzz_bin.thing);
  fuzz_bin.thing_base = object_strong(fuzz_bin.iut, fuzz_bin.thing);
  if (fuzz_bin.iut->ErrorCreateWithCauseAndExtraContext &&
      fuzz_bin.iut->FunctionCreate(NULL, fuzz_bin_call, NULL, &fuzz_bin.extra) != 0)
    return false;
  return true;
}

void fuzz_bin_open_carrier(void)
{
  struct link_map *map = NULL;
  carrier_open_again(&fuzz_bin.carrier);
  fuzz_bin.entry = fuzz_bin.carrier.payload_entry;
  fuzz_bin.context = carrier_symbol(&fuzz_bin.carrier, "__tvm_ffi__library_ctx");
  fuzz_bin.symbol = carrier_symbol(&fuzz_bin.carrier, context_symbol);
  if (dlinfo(fuzz_bin.carrier.handle, RTLD_DI_LINKMAP, &map) == 0 && map)
    fuzz_bin.base = map->l_addr;
}

bool fuzz_bin_close_carrier(void)
{
  carrier_close(&fuzz_bin.carrier);
  return library_is_mapped("carrier.so");
}

bool fuzz_bin_is_open_elsewhere(void)
{
  const bool open = fuzz_bin_close_carrier();
  fuzz_bin_open_carrier();
  return open;
}

static bool prepare(Iut *iut, char *why, size_t size)
{
  fuzz_bin.iut = iut;
  if (!look_up("ffi.ModuleLoadFromFile", &fuzz_bin.load, why, size) ||
      !look_up("ffi.ModuleClearImports", &fuzz_bin.clear, why, size) ||
      !look_up("ffi.ModuleGetFunction", &fuzz_bin.find, why, size) ||
      !look_up("ffi.SystemLib", &fuzz_bin.system, why, size) || !find_imports_field(why, size))
    return false;
  snprintf(why, size, "cannot register loaders for embedded modules");
  for (size_t i = 0; i < FUZZ_BIN_KINDS; ++i)
    if (!enter_kind(&fuzz_bin_kinds[i], i)) return false;
  if (iut->EnvModRegisterContextSymbol(context_symbol, &fuzz_bin) != 0) return false;
  snprintf(why, size, "modules or memory are not available");
#ifdef M_ARENA_MAX
  mallopt(M_ARENA_MAX, 1);  // others would not find room in the memory that there is
#endif
  char unused[80];
  if (!look_up("ffi.FunctionRemoveGlobal", &fuzz_bin.remove, unused, sizeof unused))
    fuzz_bin.remove = NULL;
  if (!look_up("ffi.Module.load_from_file.so", &fuzz_bin.load_file, unused, sizeof unused))
    fuzz_bin.load_file = NULL;
  if (!make_window() || !fuzz_bin_have_nodes(16) || !make_inner() || !make_thing()) return false;
  fuzz_bin.named = name_modules(iut);
  fuzz_bin.node_base = object_strong(iut, fuzz_bin.nodes[0]);
  fuzz_bin.carrier = (Carrier){.path = library_path_of("carrier.so")};
  fuzz_bin_open_carrier();
  fuzz_bin.closes = !fuzz_bin_close_carrier();
  fuzz_bin_open_carrier();
  // Room for it is taken before memory is limited.
  if (faults_fence(FILLING)) faults_unfence();
  return true;
}

void fuzz_bin_place(const FuzzInput *input)
{
  size_t offset = FUZZ_INPUT_MAX - input->size;
  memcpy(fuzz_bin.window + offset, input->bytes, input->size);
  fuzz_bin.entry->st_value = (uintptr_t)(fuzz_bin.shown + offset) - fuzz_bin.base;
  fuzz_bin.entry->st_size = input->size;
  *fuzz_bin.context = NULL;
  *fuzz_bin.symbol = NULL;
}

void fuzz_bin_start_load(const FuzzInput *input)
{
  const BinOracle *tree = fuzz_bin_judge(input);
  fuzz_bin_load.tree = tree && bin_oracle_is_tree(tree) ? tree : NULL;
  fuzz_bin_load.calls = fuzz_bin_load.next = fuzz_bin_load.kept_count = 0;
  fuzz_bin_load.first_wrong = FUZZ_BIN_NODES_MAX;
  fuzz_bin_load.has_inner = fuzz_bin_load.wrong = fuzz_bin_load.inner_wrong =
      fuzz_bin_load.in_thread = fuzz_bin_load.failed = fuzz_bin_load.went_on = false;
  fuzz_bin_load.context_late = fuzz_bin_load.symbols_late = fuzz_bin_load.odd_call =
      fuzz_bin_load.odd_value = fuzz_bin_load.odd_argument = fuzz_bin_load.odd_padding =
          fuzz_bin_load.odd_result = fuzz_bin_load.replaced = fuzz_bin_load.odd_imports = false;
  fuzz_bin_known.count = 0;
}

static void run_input(Iut *iut, const FuzzInput *input, FuzzRun *run)
{
  TVMFFIAny result;
  (void)iut;
  fuzz_bin_start_load(input);
  fuzz_bin_told.is_there = false;
  fuzz_bin_place(input);
  fuzz_fence(run, fuzz_bin.shown + FUZZ_INPUT_MAX);
  fuzz_enter(run, FUZZ_BIN_LOADING);
  int code = fuzz_bin_load_library(fuzz_bin.carrier.path, &result);
  if (code == 0)
    fuzz_bin_judge_acceptance(&result, run);
  else
    fuzz_bin_judge_refusal(code, &result, run);
  fuzz_enter(run, FUZZ_BIN_RELEASING);
  fuzz_bin_judge_loaders(run);
  fuzz_bin_release_kept();
  fuzz_bin_check_nodes(run);
  if (!run->unusable) fuzz_bin_let_nodes_go();
}

// --- Alone ---------------------------------------------------------------------------------------

// The function of the carrier that is found from the root, if the tree has the library.
static void use_library(TVMFFIObjectHandle root, FuzzRun *run)
{
  bool has_library = false;
  for (size_t i = 0; i < fuzz_bin_load.tree->num_modules; ++i)
    has_library |= fuzz_bin_load.tree->modules[i].is_library;
  if (!has_library || fuzz_bin_known.count < fuzz_bin_load.tree->num_modules) return;
  TVMFFIAny args[] = {view_of_object(fuzz_bin.iut, root),
                      view_of_raw_string("of_carrier"),
                      {.type_index = kTVMFFIBool}};
  TVMFFIAny found = any_none(), result = any_none();
  args[2].v_int64 = 1;
  fuzz_enter(run, FUZZ_BIN_USING);
  int code = fuzz_bin.iut->FunctionCall(fuzz_bin.find, args, 3, &found);
  if (code == 0 && found.type_index == kTVMFFIFunction)
    code = fuzz_bin.iut->FunctionCall(found.v_obj, NULL, 0, &result);
  if (code != 0) release_object(fuzz_bin.iut, take_error(fuzz_bin.iut));
  if (code != 0 || result.type_index != kTVMFFIInt || result.v_int64 != OF_CARRIER)
    fuzz_see_of(run, FUZZ_DIFFERENT, FUZZ_BIN_CLOSED,
                "a function of the library %s when the runtime alone has it open",
                found.type_index == kTVMFFIFunction ? "gives something else" : "is not found");
  release_any(fuzz_bin.iut, &result);
  release_any(fuzz_bin.iut, &found);
}

static bool has_odd_kinds(const BinOracle *tree)
{
  for (size_t i = 0; i < tree->num_modules; ++i)
    for (size_t k = 0; k < tree->modules[i].kind.size; ++k)
      if ((uint8_t)tree->modules[i].kind.data[k] >= 0x80) return true;
  return false;
}

// Whether the kinds of the payload may be such that an error names them, and is no text. What is in
// a value that is whole is no part of a kind, however the rest is read.
static bool has_odd_letters(const FuzzInput *input)
{
  static FuzzTree tree;
  const BinOracle *sound = fuzz_bin_judge(input);
  if (sound && bin_oracle_is_tree(sound)) return has_odd_kinds(sound);
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
  size_t one = 0, other = 0, first = size < FUZZ_BIN_TOLD_MAX ? size : FUZZ_BIN_TOLD_MAX;
  size_t second = fuzz_bin_told.size < FUZZ_BIN_TOLD_MAX ? fuzz_bin_told.size : FUZZ_BIN_TOLD_MAX;
  for (;;) {
    while (one < first && isxdigit((unsigned char)text[one])) ++one;
    while (other < second && isxdigit((unsigned char)fuzz_bin_told.text[other])) ++other;
    if (one == first || other == second) return one != first || other != second;
    if (text[one++] != fuzz_bin_told.text[other++]) return true;
  }
}

static void check_message(const FuzzInput *input, TVMFFIObjectHandle error, FuzzRun *run)
{
  fuzz_enter(run, FUZZ_BIN_TELLING);
  // (Whether memory is to be had for what is announced may differ from time to time.)
  if (!error || fuzz_bin_aspects[run->aspect].sized) return;
  TVMFFIByteArray message = error_cell(fuzz_bin.iut, error)->message;
  if (!has_odd_letters(input) && !is_utf8(message.data, message.size))
    fuzz_see_of(run, FUZZ_ERROR, FUZZ_BIN_TOLD,
                "the message of an error is not UTF-8, and the payload is ASCII but for values");
  else if (fuzz_bin_told.is_there && says_something_else(message.data, message.size))
    fuzz_see_of(run, FUZZ_ERROR, FUZZ_BIN_TOLD, "the message was `%.*s`, and is then `%.*s`",
                fuzz_bin_told.size < 120 ? (int)fuzz_bin_told.size : 120, fuzz_bin_told.text,
                message.size < 120 ? (int)message.size : 120, message.data);
}

// Whether the library is still mapped when all is released that was loaded. What loaders kept may
// hold it, and must stay what it is.
static bool is_left_open(const FuzzInput *input, FuzzRun *run)
{
  bool open = library_is_mapped("carrier.so");
  if (!open) memset(fuzz_bin.window + FUZZ_INPUT_MAX - input->size, FILLING, input->size);
  fuzz_enter(run, FUZZ_BIN_KEEPING);
  fuzz_bin_check_kept(run, "when the library is closed");
  fuzz_bin_release_kept();
  fuzz_enter(run, FUZZ_BIN_RELEASING);
  return open && library_is_mapped("carrier.so");
}

// Loads it once more: nobody else has the library open from the first loader on, or when the load
// returns, and memory is such that it shows what is used after it was given back.
static void load_alone(Iut *iut, const FuzzInput *input, FuzzRun *run)
{
  TVMFFIAny result;
  fuzz_bin_place(input);
  fuzz_enter(run, FUZZ_BIN_LOADING);
  fuzz_bin.closes_carrier = true;
  bool fenced = faults_fence_overwriting(FILLING);
  int code = fuzz_bin_load_library(fuzz_bin.carrier.path, &result);
  fuzz_bin.closes_carrier = false;
  if (fuzz_bin_load.replaced)
    fuzz_see_of(run, FUZZ_DIFFERENT, FUZZ_BIN_REPLACED,
                "the function is called that stood under the name at the load before");
  carrier_close(&fuzz_bin.carrier);
  if (code == 0 && result.type_index == kTVMFFIModule) {
    fuzz_bin_meet_all(result.v_obj, run);
    if (fuzz_bin_load.tree) use_library(result.v_obj, run);
    fuzz_bin_check_context(run);
    fuzz_bin_release_tree(result.v_obj, run);
    fuzz_bin_clear_unmet();
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
  if (!fuzz_bin.remove || !run->refused || run->aspect != FUZZ_BIN_STRANGER || !fuzz_bin_load.tree)
    return false;
  for (size_t i = 0; i < fuzz_bin_load.tree->num_modules; ++i) {
    const BinOracleModule *entry = &fuzz_bin_load.tree->modules[i];
    TVMFFIByteArray kind = {(const char *)entry->kind.data, entry->kind.size};
    if (!entry->is_library && !fuzz_bin_is_text(kind, fuzz_kind_short) &&
        !fuzz_bin_is_text(kind, fuzz_kind_long) && !fuzz_bin_is_text(kind, fuzz_kind_stranger))
      return false;
  }
  return true;
}

// Loads a sound payload while an error is in the slot, as a load that failed leaves one there.
static void load_with_error(Iut *iut, const FuzzInput *input, FuzzRun *run)
{
  TVMFFIAny result;
  if (run->refused || fuzz_bin_aspects[run->aspect].due != FUZZ_DUE_ACCEPT) return;
  fuzz_bin_start_load(input);
  fuzz_bin_place(input);
  fuzz_enter(run, FUZZ_BIN_LOADING);
  iut->ErrorSetRaisedFromCStr("FuzzError", "left by a load before");
  int code = fuzz_bin_load_library(fuzz_bin.carrier.path, &result);
  TVMFFIObjectHandle error = take_error(iut);
  if (code == 0 && result.type_index == kTVMFFIModule) {
    fuzz_bin_meet_all(result.v_obj, run);
    fuzz_bin_release_tree(result.v_obj, run);
    fuzz_bin_clear_unmet();
  }
  if (code != 0)
    fuzz_see_of(run, FUZZ_REFUSED, FUZZ_BIN_SLOT,
                "it is refused, and was loaded without the error");
  else if (!error)
    fuzz_see_of(run, FUZZ_DIFFERENT, FUZZ_BIN_SLOT_LOST, "the slot is empty when it was loaded");
  release_object(iut, error);
  fuzz_bin_release_kept();
}

// Loads a payload that was refused for want of a loader, which is there now.
static void load_later(Iut *iut, const FuzzInput *input, FuzzRun *run)
{
  char name[64];
  TVMFFIAny path = view_of_raw_string(fuzz_bin.carrier.path), result = any_none(),
            gone = any_none();
  fuzz_bin_start_load(input);
  if (!may_load_later(run) || !enter_kind(&late_kind, FUZZ_BIN_KINDS)) return;
  fuzz_bin_place(input);
  fuzz_enter(run, FUZZ_BIN_LOADING);
  const int code = iut->FunctionCall(fuzz_bin.load, &path, 1, &result);
  fuzz_bin_end_lap();
  if (code == 0) {
    fuzz_bin_meet_all(result.v_obj, run);
    fuzz_bin_release_tree(result.v_obj, run);
    fuzz_bin_clear_unmet();
  } else {
    release_object(iut, take_error(iut));
    fuzz_see_of(run, FUZZ_REFUSED, FUZZ_BIN_LATER, "it is refused again");
  }
  snprintf(name, sizeof name, "ffi.Module.load_from_bytes.%s", late_kind.name);
  TVMFFIAny argument = view_of_raw_string(name);
  if (iut->FunctionCall(fuzz_bin.remove, &argument, 1, &gone) != 0)
    release_object(iut, take_error(iut));
  release_any(iut, &gone);
  *fuzz_bin.context = NULL;
}

// A loader that another takes the place of ends, unless somebody holds it. One may be kept, to be
// found the sooner; more each time are a leak.
static void check_loaders(Iut *iut, const FuzzInput *input, FuzzRun *run)
{
  enum { ROUNDS = 6 };
  if (!replace_loaders()) return;
  int before = fuzz_bin.loaders;
  if (before <= FUZZ_BIN_AGAIN) return;
  for (int i = 0; i < ROUNDS; ++i) {
    TVMFFIAny result;
    fuzz_bin_start_load(input);
    fuzz_bin_place(input);
    if (fuzz_bin_load_library(fuzz_bin.carrier.path, &result) != 0) {
      release_object(iut, take_error(iut));
    } else if (result.type_index == kTVMFFIModule) {
      fuzz_bin_meet_all(result.v_obj, run);
      fuzz_bin_release_tree(result.v_obj, run);
      fuzz_bin_clear_unmet();
    }
    fuzz_bin_release_kept();
    if (!replace_loaders() || fuzz_bin.loaders <= before) return;
    before = fuzz_bin.loaders;
  }
  fuzz_see_of(run, FUZZ_LEAK, run->refused ? FUZZ_BIN_LOADER_LEFT : FUZZ_BIN_LOADER_HELD,
              "%d functions are held that others have taken the place of, and more each time",
              before - FUZZ_BIN_AGAIN);
}

// We have the library open: whoever closed it has done so too often.
static void look(Iut *iut, FuzzRun *run)
{
  (void)iut;
  if (library_is_mapped("carrier.so")) return;
  run->unusable = true;
  fuzz_see_of(run, FUZZ_RELEASED, run->refused ? FUZZ_BIN_CLOSED_OFTEN : FUZZ_BIN_CLOSED,
              "the library is not mapped any more, though somebody else has it open");
}

// The library itself: closed by us, it is not mapped any more. Nobody says what holds a tree that
// should not be there, or of which the spec says nothing.
static void settle(Iut *iut, const FuzzInput *input, FuzzRun *run)
{
  bool accepted = !run->refused;
  unsigned left = fuzz_bin_is_broken(run->aspect) ? FUZZ_BIN_BROKEN_OPEN : FUZZ_BIN_LEFT_OPEN;
  if (!fuzz_bin.closes || (accepted && fuzz_bin_aspects[run->aspect].due != FUZZ_DUE_ACCEPT))
    return;
  load_with_error(iut, input, run);
  load_later(iut, input, run);
  fuzz_bin_end_threads(input, run);
  if (!replace_loaders()) run->unusable = true;
  fuzz_bin_start_load(input);
  load_alone(iut, input, run);
  run->unusable = is_left_open(input, run);
  fuzz_bin_check_nodes(run);
  if (!run->unusable) fuzz_bin_let_nodes_go();
  if (run->unusable && !fuzz_bin.may_be_held)
    fuzz_see_of(run, FUZZ_LEAK, accepted ? FUZZ_BIN_KEPT_OPEN : left,
                "it is mapped when everybody else has closed it");
  if (run->unusable) return;
  fuzz_bin_open_carrier();
  check_loaders(iut, input, run);
}

// What a load leaves or says that is refused memory may as well be what any load does.
static void settle_late(Iut *iut, const FuzzInput *input, FuzzRun *run)
{
  (void)iut;
  if (!fuzz_bin.closes) return;
  fuzz_bin_start_load(input);
  fuzz_bin_load_without_memory(input, run);
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
                                      .equal = FUZZ_BIN_TOLD,
                                      .in_part = FUZZ_BIN_IN_PART,
                                      .left_behind = FUZZ_BIN_LEFT_MEMORY,
                                      .beyond = FUZZ_BIN_BEYOND,
                                      .general = general,
                                      .follows = follows,
                                      .follows_count = sizeof follows / sizeof follows[0],
                                      .is_malformed = fuzz_bin_is_broken,
                                      .is_at_once = fuzz_bin_is_at_once,
                                      .neighbour = fuzz_bin_neighbour,
                                      .plain = fuzz_bin_plain,
                                      .other_fault = fuzz_bin_other_fault,
                                      .class_clauses = class_clauses,
                                      .class_clause_count = 2,
                                      .prepare = prepare,
                                      .nth = fuzz_tree_nth,
                                      .early = FUZZ_TREE_EARLY,
                                      .sample = fuzz_tree_sample,
                                      .generate = fuzz_tree_generate,
                                      .mutate = fuzz_tree_mutate,
                                      .repair = fuzz_bin_repair,
                                      .aspect = fuzz_bin_aspect,
                                      .run = run_input,
                                      .look = look,
                                      .settle = settle,
                                      .settle_late = settle_late,
                                      .shrink = fuzz_tree_shrink,
                                      .describe = fuzz_bin_describe,
                                      .in_library = true,
                                      .program = fuzz_bin_program};
