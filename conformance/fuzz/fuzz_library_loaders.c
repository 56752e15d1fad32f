// SPDX-License-Identifier: Apache-2.0
// Loaders of ours for the kinds of embedded modules, and what they were called with.
#include <string.h>

#include "digest.h"
#include "fuzz/fuzz_library_state.h"

// So many modules stay from input to input. More of them slow down runtimes that look through all
// modules when one ends.
enum { NODES_KEPT = 256, VALUE_SPARE = 3 };

const FuzzBinKind fuzz_bin_kinds[FUZZ_BIN_KINDS] = {
    {.name = fuzz_kind_short, .gives_module = true},
    {.name = fuzz_kind_long, .gives_module = true},
    {.name = fuzz_kind_fails, .returns = -1},
    {.name = fuzz_kind_library_x, .gives_module = true},
    {.name = fuzz_kind_longer, .gives_module = true},
    {.name = fuzz_kind_odd, .gives_module = true},
    {.name = fuzz_kind_capital, .gives_module = true},
    {.name = fuzz_kind_private, .gives_module = true},
    {.name = fuzz_kind_fails_1, .returns = 1},
    {.name = fuzz_kind_none},
    {.name = fuzz_kind_thing, .gives_thing = true},
    {.name = fuzz_kind_number, .gives_number = true},
    {.name = fuzz_kind_keeps, .gives_module = true, .keeps = true},
    {.name = fuzz_kind_keeps_fails, .returns = -1, .keeps = true},
    {.name = fuzz_kind_loads, .gives_module = true, .loads = true},
    {.name = fuzz_kind_threads, .gives_module = true, .loads = true, .in_thread = true},
    {.name = fuzz_kind_laps, .gives_module = true, .loads = true, .in_thread = true, .laps = true}};

FuzzBin fuzz_bin;
FuzzBinLoad fuzz_bin_load;

// --- What is there before ------------------------------------------------------------------------

// Own: the module of a prefix that nothing else has; NULL if it is not available.
TVMFFIObjectHandle fuzz_bin_new_node(size_t number)
{
  char prefix[32];
  snprintf(prefix, sizeof prefix, "conform_fuzz_%zu_", number);
  TVMFFIAny argument = view_of_raw_string(prefix), result = any_none();
  if (fuzz_bin.iut->FunctionCall(fuzz_bin.system, &argument, 1, &result) != 0) return NULL;
  if (result.type_index != kTVMFFIModule) return NULL;
  for (int i = 0; i < FUZZ_BIN_SPARE; ++i) fuzz_bin.iut->ObjectIncRef(result.v_obj);
  return result.v_obj;
}

// Makes sure that there are this many nodes.
bool fuzz_bin_have_nodes(size_t count)
{
  for (; fuzz_bin.node_count < count && fuzz_bin.node_count < FUZZ_BIN_NODES_MAX;
       ++fuzz_bin.node_count) {
    TVMFFIObjectHandle node = fuzz_bin_new_node(fuzz_bin.node_count);
    if (!node) return false;
    fuzz_bin.nodes[fuzz_bin.node_count] = node;
  }
  return true;
}

// Lets go of nodes that few inputs need.
void fuzz_bin_let_nodes_go(void)
{
  while (fuzz_bin.node_count > NODES_KEPT) {
    TVMFFIObjectHandle node = fuzz_bin.nodes[--fuzz_bin.node_count];
    for (int i = 0; i <= FUZZ_BIN_SPARE; ++i) fuzz_bin.iut->ObjectDecRef(node);
  }
}

// What the argument of a loader says.
TVMFFIByteArray fuzz_bin_content(const TVMFFIAny *value)
{
  if (value->type_index == kTVMFFISmallBytes || value->type_index == kTVMFFISmallStr)
    return (TVMFFIByteArray){value->v_bytes, value->small_str_len};
  if (value->type_index == kTVMFFIBytes || value->type_index == kTVMFFIStr)
    return *(const TVMFFIByteArray *)object_body(fuzz_bin.iut, value->v_obj);
  if (value->type_index == kTVMFFIByteArrayPtr) return *(const TVMFFIByteArray *)value->v_ptr;
  return (TVMFFIByteArray){NULL, 0};
}

static bool is_bytes(const TVMFFIAny *value)
{
  return value->type_index == kTVMFFISmallBytes || value->type_index == kTVMFFIBytes ||
         value->type_index == kTVMFFIByteArrayPtr;
}

static void note_wrong(const char *what, size_t entry)
{
  if (fuzz_bin_load.wrong) return;
  fuzz_bin_load.wrong = true;
  snprintf(fuzz_bin_load.text, sizeof fuzz_bin_load.text, "entry %zu: %s", entry, what);
}

// Whether an entry of the library stands before the one that comes next.
static bool is_behind_library(const BinOracle *tree)
{
  for (size_t i = 0; i < fuzz_bin_load.next; ++i)
    if (tree->modules[i].is_library) return true;
  return false;
}

// Checks a call of a loader against the entry that comes next.
static void check_call(const FuzzBinKind *kind, TVMFFIByteArray value)
{
  const BinOracle *tree = fuzz_bin_load.tree;
  if (!tree) return;
  while (fuzz_bin_load.next < tree->num_modules && tree->modules[fuzz_bin_load.next].is_library)
    ++fuzz_bin_load.next;
  if (fuzz_bin_load.next == tree->num_modules) {
    note_wrong("a loader is called when every entry has been read", fuzz_bin_load.next);
    return;
  }
  const BinOracleModule *entry = &tree->modules[fuzz_bin_load.next];
  if (entry->kind.size != strlen(kind->name) ||
      memcmp(entry->kind.data, kind->name, entry->kind.size) != 0)
    note_wrong("the loader of another kind is called", fuzz_bin_load.next);
  else if (entry->value.size != value.size ||
           (value.size && memcmp(entry->value.data, value.data, value.size) != 0))
    note_wrong("its loader is given other bytes than its value", fuzz_bin_load.next);
  if (!fuzz_bin_load.is_inner && fuzz_bin_load.next < 16 && *fuzz_bin.context == NULL &&
      is_behind_library(tree))
    fuzz_bin_load.context_late = true;
  fuzz_bin_load.symbols_late |= !fuzz_bin_load.is_inner && *fuzz_bin.symbol == NULL;
  fuzz_bin_load.node_of[fuzz_bin_load.next++] = fuzz_bin_load.calls;
}

static bool is_object(const TVMFFIAny *value)
{
  return value->type_index == kTVMFFIBytes || value->type_index == kTVMFFIStr;
}

// Keeps the value that it was given, as any callee may. Of an object many references are ours, so that
// one that is released too often is still there to tell.
static void keep_value(const TVMFFIAny *value)
{
  const BinOracle *tree = fuzz_bin_load.tree;
  if (!tree || fuzz_bin_load.wrong || fuzz_bin_load.next == 0 ||
      fuzz_bin_load.kept_count == FUZZ_BIN_KEPT_MAX)
    return;
  const BinOracleBytes *due = &tree->modules[fuzz_bin_load.next - 1].value;
  FuzzBinKept *kept = &fuzz_bin_load.kept[fuzz_bin_load.kept_count];
  kept->due = (TVMFFIByteArray){(const char *)due->data, due->size};
  kept->value = any_none();
  if (fuzz_bin.iut->AnyViewToOwnedAny(value, &kept->value) != 0) return;
  for (int i = 0; is_object(&kept->value) && i < VALUE_SPARE; ++i)
    fuzz_bin.iut->ObjectIncRef(kept->value.v_obj);
  ++fuzz_bin_load.kept_count;
}

// Loads a library by the loader of such, whose errors nobody comes between.
int fuzz_bin_load_library(const char *path, TVMFFIAny *result)
{
  TVMFFIAny args[] = {view_of_raw_string(path), {.type_index = kTVMFFISmallStr}};
  *result = any_none();
  const int code = fuzz_bin.load_file
                       ? fuzz_bin.iut->FunctionCall(fuzz_bin.load_file, args, 2, result)
                       : fuzz_bin.iut->FunctionCall(fuzz_bin.load, args, 1, result);
  fuzz_bin_end_lap();
  return code;
}

static int fail_in_loader(const char *message)
{
  TVMFFIByteArray kind = bytes_of("FuzzError"), text = bytes_of(message), none = {NULL, 0};
  TVMFFIObjectHandle error = NULL;
  if (fuzz_bin.extra && fuzz_bin.iut->ErrorCreateWithCauseAndExtraContext(
                            &kind, &text, &none, NULL, fuzz_bin.extra, &error) == 0) {
    fuzz_bin.iut->ErrorSetRaised(error);
    fuzz_bin.iut->ObjectDecRef(error);
  } else {
    fuzz_bin.iut->ErrorSetRaisedFromCStr("FuzzError", message);
  }
  return -1;
}

// Whether the function that is called stands under its name no more.
static bool is_replaced(const FuzzBinKind *kind)
{
  bool is_again = kind >= fuzz_bin.again && kind < fuzz_bin.again + FUZZ_BIN_AGAIN;
  bool may_be = is_again || (kind >= fuzz_bin_kinds && kind < fuzz_bin_kinds + FUZZ_BIN_AGAIN);
  return may_be && is_again != fuzz_bin.is_again;
}

// Notes what every callee may rely on.
static void check_shape(const FuzzBinKind *kind, const TVMFFIAny *argument, const TVMFFIAny *result)
{
  static const char zeros[8];
  size_t size = argument->small_str_len;
  fuzz_bin_load.replaced |= is_replaced(kind);
  fuzz_bin_load.odd_result |= result->type_index != kTVMFFINone;
  if (argument->type_index != kTVMFFISmallBytes)
    fuzz_bin_load.odd_padding |= argument->zero_padding != 0;
  else if (size < sizeof zeros)
    fuzz_bin_load.odd_argument |= memcmp(argument->v_bytes + size, zeros, sizeof zeros - size) != 0;
}

int fuzz_bin_call(void *self, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  const FuzzBinKind *kind = self;
  if (num_args == 1 && !is_bytes(&args[0])) {
    note_wrong("its loader is given what is not bytes", fuzz_bin_load.next);
    fuzz_bin_load.odd_value = true;
  }
  if (num_args != 1) {
    note_wrong("its loader is not called with one argument", fuzz_bin_load.next);
    fuzz_bin_load.odd_call = true;
    if (num_args < 1) return fail_in_loader("the call has no argument");
  }
  check_shape(kind, &args[0], result);
  fuzz_bin_load.went_on |= fuzz_bin_load.failed;
  if (fuzz_bin.closes_carrier && !fuzz_bin_load.is_inner) carrier_close(&fuzz_bin.carrier);
  TVMFFIByteArray value = fuzz_bin_content(&args[0]);
  check_call(kind, value);
  size_t place = fuzz_bin_load.calls++;
  if (fuzz_bin_load.wrong && place < FUZZ_BIN_NODES_MAX) {
    fuzz_bin_load.called[place] =
        (FuzzBinLoaderCall){kind, digest_bytes(DIGEST_START, value.data, value.size)};
    if (fuzz_bin_load.first_wrong > place) fuzz_bin_load.first_wrong = place;
  }
  if (kind->keeps || kind->returns != 0) keep_value(&args[0]);
  if (fuzz_bin_load.is_inner || kind->loads) {
    const uint64_t before = digest_bytes(DIGEST_START, value.data, value.size);
    if (fuzz_bin_load.is_inner)
      fuzz_bin_be_within_inner();
    else
      fuzz_bin_load_inner(kind);
    value = fuzz_bin_content(&args[0]);
    fuzz_bin_load.inner_wrong |= digest_bytes(DIGEST_START, value.data, value.size) != before;
  }
  fuzz_bin_load.failed |= kind->returns != 0;
  if (kind->returns != 0) {
    fail_in_loader("the loader had to fail");
    return kind->returns;
  }
  if (kind->gives_number) *result = (TVMFFIAny){.type_index = kTVMFFIInt, .v_int64 = 73};
  if (!kind->gives_module && !kind->gives_thing) return 0;
  TVMFFIObjectHandle gives = fuzz_bin.thing;
  if (kind->gives_module && fuzz_bin_load.is_inner)
    gives = place < 2 ? fuzz_bin.inner_nodes[place] : NULL;
  else if (kind->gives_module)
    gives =
        place < FUZZ_BIN_NODES_MAX && fuzz_bin_have_nodes(place + 1) ? fuzz_bin.nodes[place] : NULL;
  if (!gives) return fail_in_loader("there are no more modules");
  fuzz_bin.iut->ObjectIncRef(gives);
  *result = view_of_object(fuzz_bin.iut, gives);
  return 0;
}

// --- What loaders kept ---------------------------------------------------------------------------

// How many references to what was kept are not there any more.
static uint64_t missing_references(const TVMFFIAny *value)
{
  const uint64_t ours = 1 + VALUE_SPARE;
  const uint64_t all = is_object(value) ? object_strong(fuzz_bin.iut, value->v_obj) : ours;
  return all < ours ? ours - all : 0;
}

// Looks at what loaders kept.
void fuzz_bin_check_kept(FuzzRun *run, const char *when)
{
  for (size_t i = 0; i < fuzz_bin_load.kept_count; ++i) {
    const uint64_t missing = missing_references(&fuzz_bin_load.kept[i].value);
    if (missing) {
      fuzz_see_of(run, FUZZ_RELEASED, FUZZ_BIN_CHANGED,
                  "a value that a loader kept has %llu references less than it took %s",
                  (unsigned long long)missing, when);
      return;
    }
    TVMFFIByteArray seen = fuzz_bin_content(&fuzz_bin_load.kept[i].value),
                    due = fuzz_bin_load.kept[i].due;
    if (seen.size == due.size && (due.size == 0 || memcmp(seen.data, due.data, due.size) == 0))
      continue;
    fuzz_see_of(run, FUZZ_DIFFERENT, FUZZ_BIN_CHANGED,
                "a value that a loader kept is another one %s", when);
    return;
  }
}

void fuzz_bin_release_kept(void)
{
  for (size_t i = 0; i < fuzz_bin_load.kept_count; ++i) {
    TVMFFIAny *value = &fuzz_bin_load.kept[i].value;
    const uint64_t missing = missing_references(value);
    for (uint64_t k = missing; is_object(value) && k < VALUE_SPARE; ++k)
      fuzz_bin.iut->ObjectDecRef(value->v_obj);
    if (missing <= VALUE_SPARE) release_any(fuzz_bin.iut, value);
  }
  fuzz_bin_load.kept_count = 0;
}
