// SPDX-License-Identifier: Apache-2.0
// Large trees, kinds and values: they load, on a small stack, and in time that grows with
// them and no faster.
#include "cases/runtime/library_bin_large.h"

#include <sys/resource.h>

#include "battery/work.h"

CHAPTER(library_bin);

enum { STACK = 1 << 20 };

// The stack of this thread grows no further than that of many threads.
static void bound_stack(void)
{
  struct rlimit limit;
  if (getrlimit(RLIMIT_STACK, &limit) != 0) case_inconclusive("the size of the stack is unknown");
  if (limit.rlim_cur <= STACK) return;
  limit.rlim_cur = STACK;
  if (setrlimit(RLIMIT_STACK, &limit) != 0) case_inconclusive("cannot bound the stack");
}

static const struct {
  const char *name;
  LargeShape shape;
  size_t count;
} large[] = {{"chain", CHAIN, 100000},
             {"star", STAR, 70000},
             {"repeated_import", REPEAT, 100000},
             {"modules_apart", APART, 100000}};

CASE_ROWS(stack_does_not_bound_trees, large, .clauses = {BIN_47}, .patience = 8,
          .title = "a tree of 70,000 modules and more loads, is looked up and released")
{
  bound_stack();
  ModulePool *pool = fill_pool(iut, node_kind, row->shape == REPEAT ? 2 : row->count);
  TVMFFIObjectHandle root = load_payload(iut, payload_of_large(row->shape, row->count));
  expect_int("calls of the loader", (int64_t)pool->next, (int64_t)pool->count);
  expect_pointer("the root", root, pool->modules[0]);
  int64_t imports = row->shape == APART ? 0 : row->shape == CHAIN ? 1 : (int64_t)row->count - 1;
  if (expect_int("imports of the root", number_of_imports(iut, root), imports) && imports) {
    size_t last = row->shape == STAR ? row->count - 1 : 1;
    TVMFFIObjectHandle import = import_at(iut, root, imports - 1);
    expect_pointer("its last import", import, pool->modules[last]);
  }
  expect_no_function(iut, root, view_of_raw_string("no_such_function"), true);
  release_object(iut, root);
}

static LibraryBinBytes many_letters(size_t size)
{
  char *letters = malloc(size + 1);
  if (!letters) case_inconclusive("no memory for a text");
  for (size_t i = 0; i < size; ++i) letters[i] = (char)('a' + i % 23);
  letters[size] = '\0';
  return (LibraryBinBytes){letters, size};
}

static Payload payload_with(LibraryBinBytes kind, LibraryBinBytes value)
{
  const uint64_t rows[] = {0, 0};
  const LibraryBinEntry entries[] = {{.kind = kind, .value = value}};
  return payload_of_tree(&(LibraryBin){1, 0, rows, NULL, entries});
}

static const struct {
  const char *name;
  size_t size;
} kind_sizes[] = {
    {"of_100_letters", 100}, {"of_300_letters", 300}, {"of_5_kib", 5120}, {"of_64_kib", 65600}};

CASE_ROWS(kind_may_be_long, kind_sizes, .clauses = {BIN_7, BIN_47},
          .title = "a kind of any length chooses its loader, and no other")
{
  bound_stack();
  LibraryBinBytes kind = many_letters(row->size);
  Payload payload = payload_with(kind, (LibraryBinBytes){"1", 1});
  ModulePool *pool = fill_pool(iut, kind.data, 1);
  Carrier carrier = carrier_open(payload.bytes, payload.size);
  TVMFFIObjectHandle module = NULL;
  require(expect_ok(iut, try_to_load(iut, carrier.path, &module)));
  expect_int("calls of the loader", (int64_t)pool->next, 1);
  release_object(iut, module);
  note("with another letter at its end");
  payload.bytes[at_value(&payload, 0) - 1] = 'A';
  carrier_place(&carrier, payload.bytes, payload.size);
  expect_error(iut, try_to_load(iut, carrier.path, &module), NULL);
  carrier_close(&carrier);
}

static const struct {
  const char *name;
  size_t size;
} value_sizes[] = {{"of_256_octets", 256}, {"of_300_octets", 300},      {"of_5_kib", 5120},
                   {"of_64_kib", 65600},   {"of_1_mib", (1 << 20) + 1}, {"of_16_mib", 16 << 20}};

// What the value has to be.
static LibraryBinBytes due_value;

static int load_due_value(void *self, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  Iut *iut = self;
  TVMFFIByteArray value = {NULL, 0};
  if (num_args == 1) value = bytes_in(iut, args);
  if (expect_int("octets of the value", (int64_t)value.size, (int64_t)due_value.size))
    expect_that(memcmp(value.data, due_value.data, value.size) == 0, "the octets of the value",
                "others");
  *result = view_of_object(iut, load_node(iut, 1));
  return 0;
}

CASE_ROWS(value_may_be_large, value_sizes, .clauses = {BIN_5, BIN_47},
          .title = "a loader is given all octets of a large value")
{
  bound_stack();
  due_value = many_letters(row->size);
  enter_function(iut, "ffi.Module.load_from_bytes.conform_node", iut, load_due_value);
  LibraryBinBytes kind = {node_kind, sizeof node_kind - 1};
  release_object(iut, load_payload(iut, payload_with(kind, due_value)));
}

// --- Time ----------------------------------------------------------------------------------------

enum { FACTOR = 16, BOUND = 80, ROUNDS = 3 };

// The work of a load and of the release of what was loaded.
static uint64_t work_of(Iut *iut, const Carrier *carrier, Payload payload, size_t modules)
{
  TVMFFIObjectHandle root = NULL;
  if (modules) fill_pool(iut, node_kind, modules);
  carrier_place(carrier, payload.bytes, payload.size);
  work_start();
  int code = try_to_load(iut, carrier->path, &root);
  if (code == 0) iut->ObjectDecRef(root);
  uint64_t work = work_stop();
  require(expect_ok(iut, code));
  return work;
}

static const struct {
  const char *name;
  LargeShape shape;
  size_t count;  // of the smaller one
} growing[] = {{"chain", CHAIN, 2000},
               {"star", STAR, 2000},
               {"repeated_import", REPEAT, 4000},
               {"modules_apart", APART, 2000}};

// Where instructions can't be counted it is the least of several times: what is too much has to be
// so each time.
CASE_ROWS(work_grows_with_the_tree, growing, .clauses = {BIN_48}, .patience = 8,
          .title = "a tree that is 16 times as large takes at most 80 times the work")
{
  Payload small = payload_of_large(row->shape, row->count);
  Payload large_one = payload_of_large(row->shape, FACTOR * row->count);
  Carrier carrier = carrier_open(small.bytes, small.size);
  size_t modules = row->shape == REPEAT ? 2 : row->count;
  size_t more = row->shape == REPEAT ? 2 : FACTOR * row->count;
  uint64_t least = UINT64_MAX, most = UINT64_MAX;
  for (int round = 0; round < ROUNDS; ++round) {
    uint64_t work = work_of(iut, &carrier, small, modules);
    if (work < least) least = work;
    work = work_of(iut, &carrier, large_one, more);
    if (work < most) most = work;
    if (most <= BOUND * least) break;
  }
  carrier_close(&carrier);
  expect_that(most <= BOUND * least, "at most 80 times the work",
              "%" PRIu64 " times: %" PRIu64 " and %" PRIu64 " %s", most / least, least, most,
              work_is_counted() ? "instructions" : "ns of a processor");
}
