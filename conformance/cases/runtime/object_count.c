// SPDX-License-Identifier: Apache-2.0
// Counting: what retaining and releasing change, and what they leave alone.
#include "object_header.h"

CHAPTER(object);

static const struct {
  const char *name;
  AbiFunctionId function;
} functions[] = {
    {"inc-ref", FN_ObjectIncRef},
    {"dec-ref", FN_ObjectDecRef},
    {"create-opaque", FN_ObjectCreateOpaque},
};

CASE_ROWS(exports, functions, .clauses = {OBJ_1},
          .title = "the runtime exports the functions of the chapter on objects")
{
  expect_that(iut_has(iut, row->function), "an exported function", "no symbol %s",
              abi_functions[row->function].symbol);
}

// --- One step ------------------------------------------------------------------------------------

// A probe with these counts, and its header as it was.
static TVMFFIObjectHandle counted_probe(const Iut *iut, uint64_t strong, uint64_t weak,
                                        unsigned char header[OBJECT_HEADER_MAX])
{
  TVMFFIObjectHandle object = new_probe_object(iut);
  object_set_counts(iut, object, strong, weak);
  memcpy(header, object, iut->layout->header_size);
  return object;
}

// With the counts put back, the header is what it was.
static void expect_only_counts_changed(Iut *iut, TVMFFIObjectHandle object, uint64_t strong,
                                       uint64_t weak, const unsigned char header[OBJECT_HEADER_MAX])
{
  object_set_counts(iut, object, strong, weak);
  expect_memory("the header but for the strong count", object, iut->layout->header_size, header,
                iut->layout->header_size);
  expect_deleter_calls(object, "");
}

static const struct {
  const char *name;
  uint64_t strong, weak;
} before_retain[] = {
    {"fresh", 1, 1},
    {"shared", 2, 1},
    {"weakly-held", 1, 2},
    {"many-of-both", 1000, 77},
    {"past-signed-range", 0x7fffffff, 0x7fffffff},
    {"up-to-the-largest-count", 0xfffffffe, 3},
};

CASE_ROWS(retain_adds_one_strong_reference, before_retain, .clauses = {OBJ_3},
          .title = "retaining raises the strong count by one and changes nothing else")
{
  unsigned char header[OBJECT_HEADER_MAX];
  TVMFFIObjectHandle object = counted_probe(iut, row->strong, row->weak, header);
  expect_ok(iut, iut->ObjectIncRef(object));
  expect_counts(iut, object, .strong = row->strong + 1, .weak = row->weak);
  expect_only_counts_changed(iut, object, row->strong, row->weak, header);
}

static const struct {
  const char *name;
  uint64_t strong, weak;
} before_release[] = {
    {"shared", 2, 1},
    {"shared-and-weakly-held", 2, 2},
    {"many-of-both", 1000, 77},
    {"past-signed-range", 0x80000000, 0x80000000},
    {"from-the-largest-count", 0xffffffff, 3},
};

CASE_ROWS(
    release_takes_one_strong_reference, before_release, .clauses = {OBJ_4},
    .title = "releasing a shared object lowers the strong count by one and changes nothing else")
{
  unsigned char header[OBJECT_HEADER_MAX];
  TVMFFIObjectHandle object = counted_probe(iut, row->strong, row->weak, header);
  expect_ok(iut, iut->ObjectDecRef(object));
  expect_counts(iut, object, .strong = row->strong - 1, .weak = row->weak);
  expect_only_counts_changed(iut, object, row->strong, row->weak, header);
}

CASE(release_nothing, .clauses = {OBJ_24}, .title = "releasing NULL returns 0 and does nothing")
{
  TVMFFIObjectHandle object = new_probe_object(iut);
  require(expect_ok(iut, iut->ObjectIncRef(object)));
  require(expect_ok(iut, iut->ObjectDecRef(object)));
  note("releasing NULL");
  expect_ok(iut, iut->ObjectDecRef(NULL));
  expect_no_error(iut);
  expect_counts(iut, object, .strong = 1, .weak = 1);
}

// --- Objects of anybody --------------------------------------------------------------------------

// What the deleter of a foreign object saw.
static struct {
  void *self;
  int flags[4];
  unsigned calls;
} foreign_end;

static void note_foreign_end(void *self, int flags)
{
  foreign_end.self = self;
  if (foreign_end.calls < 4) foreign_end.flags[foreign_end.calls] = flags;
  ++foreign_end.calls;
}

static void expect_foreign_end(TVMFFIObjectHandle object, unsigned calls, int last_flags)
{
  if (!expect_int("calls of the deleter", foreign_end.calls, calls)) return;
  expect_int("flags of the last call", foreign_end.flags[calls - 1], last_flags);
  expect_pointer("self of the last call", foreign_end.self, object);
}

// Through the whole life of an object whose header lies at `memory`.
static void live_and_die(Iut *iut, void *memory, int32_t type_index)
{
  foreign_end.calls = 0;
  TVMFFIObjectHandle object = object_place(iut, memory, type_index, note_foreign_end);
  require(expect_ok(iut, iut->ObjectIncRef(object)));
  expect_counts(iut, object, .strong = 2, .weak = 1);
  expect_ok(iut, iut->ObjectDecRef(object));
  expect_counts(iut, object, .strong = 1, .weak = 1);
  expect_int("type index", object_type_index(iut, object), type_index);
  expect_int("calls of the deleter while references are left", foreign_end.calls, 0);
  expect_ok(iut, iut->ObjectDecRef(object));
  expect_foreign_end(object, 1, kTVMFFIObjectDeleterFlagBitMaskBoth);

  note("the same, and a weak reference outlives the strong one");
  foreign_end.calls = 0;
  object_place(iut, memory, type_index, note_foreign_end);
  object_take_weak(iut, object);
  expect_ok(iut, iut->ObjectDecRef(object));
  expect_foreign_end(object, 1, kTVMFFIObjectDeleterFlagBitMaskStrong);
  expect_counts(iut, object, .strong = 0, .weak = 1);
}

CASE(foreign_object_on_the_stack, .clauses = {OBJ_12},
     .title = "an object on the stack is counted like one of the runtime")
{
  _Alignas(16) unsigned char memory[OBJECT_HEADER_MAX];
  live_and_die(iut, memory, PROBE_TYPE_INDEX);
}

CASE(foreign_object_in_static_memory, .clauses = {OBJ_12},
     .title = "an object in static memory is counted like one of the runtime")
{
  static _Alignas(16) unsigned char memory[OBJECT_HEADER_MAX];
  live_and_die(iut, memory, PROBE_TYPE_INDEX);
}

CASE(foreign_object_that_is_all_header, .clauses = {OBJ_12},
     .title = "nothing after the header of an object is read or written")
{
  void *memory = fenced_buffer("the object", iut->layout->header_size);
  live_and_die(iut, memory, PROBE_TYPE_INDEX);
}

CASE(foreign_object_at_the_start_of_a_page, .clauses = {OBJ_12},
     .title = "an object with nothing before its header is counted like one of the runtime")
{
  void *memory = fenced_buffer("the page of the object", 4096);
  live_and_die(iut, memory, PROBE_TYPE_INDEX);
}

static const ObjectKind foreign_types[] = {
    OBJECT_KINDS,
    {.name = "negative", .type_index = -7},
    {.name = "unassigned", .type_index = 63},
    {.name = "dynamic", .type_index = 0x00ABCDE1},
    {.name = "largest", .type_index = INT32_MAX},
};

CASE_ROWS(foreign_object_of_any_type, foreign_types, .clauses = {OBJ_12},
          .title =
              "a foreign object is counted, and nothing after its header is accessed, whatever "
              "its type index")
{
  live_and_die(iut, fenced_buffer("the object", iut->layout->header_size), row->type_index);
}

// --- Threads -------------------------------------------------------------------------------------

enum { COUNTING_THREADS = 4, COUNTING_ROUNDS = 15, COUNTING_BATCH = 1000 };

// Retains many times before it releases, so that a count which another thread overwrites is not
// made up for.
static void count_up_and_down(Iut *iut, unsigned index, void *object)
{
  for (unsigned round = 0; round < COUNTING_ROUNDS; ++round) {
    for (unsigned i = 0; i < COUNTING_BATCH; ++i) {
      iut->ObjectIncRef(object);
      if (index % 2) object_take_weak(iut, object);
    }
    for (unsigned i = 0; i < COUNTING_BATCH; ++i) {
      iut->ObjectDecRef(object);
      if (index % 2) object_release_weak(iut, object);
    }
  }
}

CASE(counts_are_exact_under_threads, .clauses = {OBJ_13},
     .title = "threads that retain and release one object leave its counts as they were")
{
  TVMFFIObjectHandle object = new_probe_object(iut);
  run_in_threads(iut, COUNTING_THREADS, count_up_and_down, object);
  expect_counts(iut, object, .strong = 1, .weak = 1);
  expect_deleter_calls(object, "");
}

CASE(counts_of_a_string_are_exact_under_threads, .clauses = {OBJ_13},
     .title =
         "threads that retain and release an object of the runtime leave its counts as they were")
{
  TVMFFIAny string = garbage_but_none();
  TVMFFIByteArray text = bytes_of("counted by four threads");
  require(expect_ok(iut, iut->StringFromByteArray(&text, &string)));
  uint64_t strong = object_strong(iut, string.v_obj), weak = object_weak(iut, string.v_obj);
  run_in_threads(iut, COUNTING_THREADS, count_up_and_down, string.v_obj);
  expect_counts(iut, string.v_obj, .strong = strong, .weak = weak);
  expect_heap_string(iut, &string, text.data, text.size);
  release_any(iut, &string);
}
