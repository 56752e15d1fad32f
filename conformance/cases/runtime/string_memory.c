// SPDX-License-Identifier: Apache-2.0
// What the makers of strings and bytes read, what their results share, and how long it lasts.
#include "cases/runtime/string_value.h"

CHAPTER(string);

static const struct {
  const char *name;
  TextMaker *make;
  int32_t small_index, heap_index;
} kinds[] = {
    {"string", string_from, kTVMFFISmallStr, kTVMFFIStr},
    {"bytes", bytes_from, kTVMFFISmallBytes, kTVMFFIBytes},
};

static void fill(char *bytes, size_t size)
{
  for (size_t i = 0; i < size; ++i) bytes[i] = (char)('a' + i % 23);
}

// The contents of a value of either shape.
static TVMFFIByteArray contents(const Iut *iut, const TVMFFIAny *value)
{
  if (value->type_index < kTVMFFIStaticObjectBegin)
    return (TVMFFIByteArray){value->v_bytes, value->small_str_len};
  return *(const TVMFFIByteArray *)object_body(iut, value->v_obj);
}

// Makes an object of 17 bytes or ends the case.
static TVMFFIAny make_object(Iut *iut, TextMaker *make, int32_t type_index, const char *text)
{
  TVMFFIByteArray input = bytes_of(text);
  TVMFFIAny made = garbage_but_none();
  require(expect_ok(iut, make(iut, &input, &made)));
  require(expect_type_index(&made, type_index));
  require(expect_not_null("the object of the value", made.v_obj));
  return made;
}

// --- Reading -------------------------------------------------------------------------------------

typedef struct Length {
  const char *name;
  size_t size;
} Length;

static const Length read_lengths[] = {
    {"length-0", 0},   {"length-1", 1},   {"length-2", 2},       {"length-3", 3},
    {"length-4", 4},   {"length-5", 5},   {"length-6", 6},       {"length-7", 7},
    {"length-8", 8},   {"length-9", 9},   {"length-15", 15},     {"length-16", 16},
    {"length-31", 31}, {"length-33", 33}, {"length-4095", 4095}, {"length-4096", 4096},
};

static void read_to_the_edge(Iut *iut, TextMaker *make, size_t size)
{
  char bytes[4096];
  fill(bytes, size);
  const TVMFFIByteArray *input = fenced_bytes(bytes, size);
  TVMFFIAny *made = fenced_result();
  note("making it of %zu bytes that end at an unmapped page", size);
  require(expect_ok(iut, make(iut, input, made)));
  TVMFFIByteArray seen = contents(iut, made);
  expect_memory("the contents", seen.data, seen.size, bytes, size);
}

// Source: tvm-ffi#387, where a text that does not end in a NUL was read past its size.
CASE_ROWS(string_input_may_end_where_memory_ends, read_lengths, .clauses = {STR_11},
          .title = "nothing after the text is read, and no NUL is required")
{
  read_to_the_edge(iut, string_from, row->size);
}

CASE_ROWS(bytes_input_may_end_where_memory_ends, read_lengths, .clauses = {STR_11},
          .title = "nothing after the bytes is read, and no NUL is required")
{
  read_to_the_edge(iut, bytes_from, row->size);
}

CASE_ROWS(input_may_begin_where_memory_begins, kinds, .clauses = {STR_11},
          .title = "nothing before the bytes is read")
{
  static const char text[] = "bytes behind a gap";
  for (size_t size = 0; size <= 18; size += 6) {
    TVMFFIByteArray input = {fenced_front_copy("the bytes", text, size), size};
    TVMFFIAny *made = fenced_result();
    note("making it of %zu bytes that begin behind an unmapped page", size);
    require(expect_ok(iut, row->make(iut, &input, made)));
    TVMFFIByteArray seen = contents(iut, made);
    expect_memory("the contents", seen.data, seen.size, text, size);
  }
}

CASE_ROWS(input_is_copied, kinds, .clauses = {STR_12},
          .title = "overwriting and freeing the input does not change the result")
{
  static const char text[] = "longer than seven bytes";
  for (size_t size = 5; size < sizeof text; size += 9) {
    char *source = malloc(size);
    if (!source) case_inconclusive("no memory");
    memcpy(source, text, size);
    TVMFFIByteArray input = {source, size};
    TVMFFIAny *made = fenced_result();
    require(expect_ok(iut, row->make(iut, &input, made)));
    memset(source, 'x', size);
    input = (TVMFFIByteArray){NULL, SIZE_MAX};
    note("after %zu bytes of input were overwritten", size);
    TVMFFIByteArray seen = contents(iut, made);
    expect_memory("the contents", seen.data, seen.size, text, size);
    free(source);
    expect_memory("the contents", seen.data, seen.size, text, size);
  }
}

CASE_ROWS(input_may_be_read_only, kinds, .clauses = {STR_12},
          .title = "neither the byte array nor its bytes are written to")
{
  for (size_t size = 4; size <= 40; size *= 2) {
    const TVMFFIByteArray *input = fenced_bytes("forty bytes in memory that is read-only.", size);
    TVMFFIAny *made = fenced_result();
    note("making it of %zu bytes in read-only memory", size);
    require(expect_ok(iut, row->make(iut, input, made)));
    TVMFFIByteArray seen = contents(iut, made);
    expect_memory("the contents", seen.data, seen.size, input->data, size);
  }
}

// --- Sharing and lasting -------------------------------------------------------------------------

CASE_ROWS(data_and_size_stay, kinds, .clauses = {STR_15},
          .title = "data pointer, size and bytes stay while other objects come and go")
{
  TVMFFIAny held = make_object(iut, row->make, row->heap_index, "held for a long time");
  TVMFFIByteArray before = contents(iut, &held);
  for (int i = 0; i < 50; ++i) {
    TVMFFIAny other = make_object(iut, row->make, row->heap_index, "another text in passing");
    if (i % 2) release_any(iut, &other);
  }
  TVMFFIByteArray after = contents(iut, &held);
  expect_pointer("data of the object", after.data, before.data);
  expect_text("contents of the object", after, "held for a long time");
}

CASE_ROWS(data_and_size_stay_under_counting, kinds, .clauses = {STR_15},
          .title = "data pointer, size and bytes stay while the object is retained and released")
{
  TVMFFIAny held = make_object(iut, row->make, row->heap_index, "held for a long time");
  TVMFFIByteArray before = contents(iut, &held);
  uint64_t strong = object_strong(iut, held.v_obj), weak = object_weak(iut, held.v_obj);
  for (int i = 0; i < 10; ++i) iut->ObjectIncRef(held.v_obj);
  object_take_weak(iut, held.v_obj);
  TVMFFIAny shared = garbage_but_none();
  require(expect_ok(iut, iut->AnyViewToOwnedAny(&held, &shared)));
  for (int i = 0; i < 11; ++i) iut->ObjectDecRef(held.v_obj);
  TVMFFIByteArray after = contents(iut, &held);
  expect_pointer("data of the object", after.data, before.data);
  expect_text("contents of the object", after, "held for a long time");
  expect_counts(iut, held.v_obj, .strong = strong, .weak = weak + 1);
}

// --- Threads -------------------------------------------------------------------------------------

enum { THREADS = 4, ROUNDS = 400 };

typedef struct Crowd {
  TextMaker *make;
  unsigned failed[THREADS];
  unsigned wrong[THREADS];
} Crowd;

// Each thread makes texts that no other makes, of lengths on both sides of the limit, and reads
// them back.
static void make_texts(Iut *iut, unsigned index, void *context)
{
  Crowd *crowd = context;
  char text[40];
  for (unsigned round = 0; round < ROUNDS; ++round) {
    size_t size = round % sizeof text;
    memset(text, (int)('A' + index), sizeof text);
    TVMFFIByteArray input = {text, size};
    TVMFFIAny made = garbage_but_none();
    if (crowd->make(iut, &input, &made) != 0) {
      ++crowd->failed[index];
      continue;
    }
    TVMFFIByteArray seen = contents(iut, &made);
    crowd->wrong[index] += seen.size != size || memcmp(seen.data, text, size) != 0;
    release_any(iut, &made);
  }
}

CASE_ROWS(threads_make_at_the_same_time, kinds, .clauses = {STR_16}, .patience = 4,
          .title = "threads that make texts at the same time get the right ones")
{
  Crowd crowd = {.make = row->make};
  run_in_threads(iut, THREADS, make_texts, &crowd);
  for (unsigned i = 0; i < THREADS; ++i) {
    expect_int("calls that failed", crowd.failed[i], 0);
    expect_int("results with other contents", crowd.wrong[i], 0);
  }
}

// --- Too much, and over and over -----------------------------------------------------------------

// 2 to the 62; where that is no size, nearly what an object may have at most.
#define MUCH (sizeof(void *) == 8 ? SIZE_MAX / 4 + 1 : SIZE_MAX / 2 - 7)

static const struct {
  const char *name;
  TextMaker *make;
  size_t size;
} too_long[] = {
    {"string-of-2-to-the-62", string_from, MUCH},
    {"bytes-of-2-to-the-62", bytes_from, MUCH},
    {"string-of-2-to-the-63", string_from, SIZE_MAX / 2 + 1},
    {"bytes-of-2-to-the-63", bytes_from, SIZE_MAX / 2 + 1},
    // With the header of an object before them, the sum begins anew at 0.
    {"string-of-all-but-17", string_from, SIZE_MAX - 17},
    {"bytes-of-all-but-17", bytes_from, SIZE_MAX - 17},
};

CASE_ROWS(length_beyond_memory_is_an_error, too_long, .clauses = {STR_17},
          .title = "a size that cannot be allocated raises an error, and later calls succeed")
{
  TVMFFIByteArray input = {"longer than seven", row->size};
  TVMFFIAny out = garbage_but_none();
  note("asking for more memory than there is");
  int returned = row->make(iut, &input, &out);
  expect_that(returned != 0, "a code other than 0", "0");
  TVMFFIObjectHandle error = take_error(iut);
  if (expect_not_null("the raised error", error)) release_object(iut, error);
  input.size = 17;
  note("asking for 17 bytes afterwards");
  out = garbage_but_none();
  require(expect_ok(iut, row->make(iut, &input, &out)));
  expect_text("the contents", contents(iut, &out), "longer than seven");
}

typedef struct Repeated {
  TextMaker *make;
  TVMFFIByteArray input;
} Repeated;

static void make_and_release(Iut *iut, void *context)
{
  const Repeated *repeated = context;
  TVMFFIAny made = any_none();
  require(expect_ok(iut, repeated->make(iut, &repeated->input, &made)));
  require(expect_that(made.type_index != kTVMFFINone, "a text", "None"));
  release_any(iut, &made);
}

CASE_ROWS(making_and_releasing_does_not_leak, kinds, .clauses = {OBJ_19},
          .title = "making and releasing texts does not leak")
{
  char text[5000];
  fill(text, sizeof text);
  static const size_t sizes[] = {7, 8, 100, 5000};
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; ++i) {
    Repeated repeated = {row->make, {text, sizes[i]}};
    note("making and releasing %zu bytes over and over", sizes[i]);
    expect_no_heap_growth(iut, 200, make_and_release, &repeated);
  }
}
