// SPDX-License-Identifier: Apache-2.0
// Where the bytes of values and of object headers are. Offsets stand here as numbers: this chapter
// judges what the accessors of the other chapters rely on. Cells are in layout_cells.c.
#include <stdio.h>

#include "battery/battery.h"

CHAPTER(layout);

static uint64_t word_at(const void *object, size_t offset)
{
  uint64_t word;
  memcpy(&word, (const char *)object + offset, sizeof word);
  return word;
}

static uint32_t half_word_at(const void *object, size_t offset)
{
  uint32_t half;
  memcpy(&half, (const char *)object + offset, sizeof half);
  return half;
}

// --- Values --------------------------------------------------------------------------------------

static int give_small_string(Iut *iut, TVMFFIAny *out)
{
  TVMFFIByteArray text = bytes_of("abc");
  return iut->StringFromByteArray(&text, out);
}

static int give_small_bytes(Iut *iut, TVMFFIAny *out)
{
  TVMFFIByteArray bytes = bytes_of("abcdefg");
  return iut->BytesFromByteArray(&bytes, out);
}

static int give_int(Iut *iut, TVMFFIAny *out)
{
  TVMFFIAny view = view_of_int(INT64_C(0x1122334455667788));
  return iut->AnyViewToOwnedAny(&view, out);
}

static int give_float(Iut *iut, TVMFFIAny *out)
{
  TVMFFIAny view = {.type_index = kTVMFFIFloat, .v_uint64 = UINT64_C(0x4009000000000000)};
  return iut->AnyViewToOwnedAny(&view, out);
}

static int give_raw_string(Iut *iut, TVMFFIAny *out)
{
  TVMFFIAny view = view_of_raw_string("abcde");
  return iut->AnyViewToOwnedAny(&view, out);
}

static const struct {
  const char *name;
  int (*give)(Iut *iut, TVMFFIAny *out);
  unsigned char bytes[16];  // on a little-endian machine
} values[] = {
    {"small-string", give_small_string, {11, 0, 0, 0, 3, 0, 0, 0, 'a', 'b', 'c'}},
    {"small-bytes", give_small_bytes, {12, 0, 0, 0, 7, 0, 0, 0, 'a', 'b', 'c', 'd', 'e', 'f', 'g'}},
    {"int", give_int, {1, 0, 0, 0, 0, 0, 0, 0, 0x88, 0x77, 0x66, 0x55, 0x44, 0x33, 0x22, 0x11}},
    {"float", give_float, {3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x09, 0x40}},
    {"raw-string", give_raw_string, {11, 0, 0, 0, 5, 0, 0, 0, 'a', 'b', 'c', 'd', 'e'}},
};

// A little-endian number becomes one of this machine.
static void to_this_machine(unsigned char *number, size_t size)
{
  const uint16_t one = 1;
  if (*(const unsigned char *)&one) return;
  for (size_t i = 0; i < size / 2; ++i) {
    unsigned char other = number[size - 1 - i];
    number[size - 1 - i] = number[i];
    number[i] = other;
  }
}

CASE_ROWS(
    value_is_sixteen_bytes, values, .clauses = {LAY_1},
    .title =
        "a value has its type index at 0, padding or length at 4, payload at 8, and ends at 16")
{
  TVMFFIAny *out = fenced_result();
  require(expect_ok(iut, row->give(iut, out)));
  unsigned char bytes[16];
  memcpy(bytes, row->bytes, sizeof bytes);
  to_this_machine(bytes, 4);
  to_this_machine(bytes + 4, 4);
  if (out->type_index == kTVMFFIInt || out->type_index == kTVMFFIFloat)
    to_this_machine(bytes + 8, 8);
  expect_memory("the bytes of the value", out, 16, bytes, 16);
}

CASE(value_of_object_holds_its_handle, .clauses = {LAY_1},
     .title = "a value that holds an object has the handle at offset 8")
{
  TVMFFIObjectHandle probe = new_probe_object(iut);
  TVMFFIAny view = view_of_object(iut, probe), *out = fenced_result();
  require(expect_ok(iut, iut->AnyViewToOwnedAny(&view, out)));
  expect_int("bytes 0 to 3, the type index", half_word_at(out, 0), PROBE_TYPE_INDEX);
  expect_int("bytes 4 to 7, the padding", half_word_at(out, 4), 0);
  expect_hex("bytes 8 to 15, the handle", word_at(out, 8), (uintptr_t)probe);
}

// --- Objects that the runtime makes --------------------------------------------------------------

static const struct {
  const char *name;
  TVMFFIObjectHandle (*make)(Iut *iut);
  int32_t type_index;
  bool is_single;  // nobody else has references to it (OBJ-2)
} makers[] = {
    {"string", new_string_object, kTVMFFIStr, false},
    {"bytes", new_bytes_object, kTVMFFIBytes, false},
    {"string-of-view", new_string_object_of_view, kTVMFFIStr, false},
    {"bytes-of-view", new_bytes_object_of_view, kTVMFFIBytes, false},
    {"error", new_error_object, kTVMFFIError, true},
    {"error-with-cause", new_error_object_with_cause, kTVMFFIError, true},
    {"raised-error", new_raised_error_object, kTVMFFIError, true},
    {"function", new_function_object, kTVMFFIFunction, false},
    {"closure", new_closure_object, kTVMFFIFunction, true},
    {"opaque", new_opaque_object, kTVMFFIOpaquePyObject, true},
};

// A new object has 1 of each; others may hold what can be shared, too.
static void expect_count(const char *what, uint64_t count, bool is_single)
{
  if (!is_single)
    expect_that(count >= 1, what, "%llu", (unsigned long long)count);
  else
    expect_int(what, (int64_t)count, 1);
}

// Source: apache/tvm#18259 and tvm-ffi#57: the header changed twice in the month before the first
// release.
CASE_ROWS(header_begins_with_the_combined_counter, makers, .clauses = {LAY_2},
          .title = "an object has its counters at 0, its type index at 8, its deleter at 16")
{
  TVMFFIObjectHandle object = row->make(iut);
  uint64_t counts = word_at(object, 0);
  expect_count("the strong count, the low half of bytes 0 to 7", counts & UINT32_MAX,
               row->is_single);
  expect_count("the weak count, the high half of bytes 0 to 7", counts >> 32, row->is_single);
  expect_int("bytes 8 to 11, the type index", half_word_at(object, 8), row->type_index);
  expect_not_null("the pointer at offset 16, the deleter", *(void **)((char *)object + 16));
}

CASE(deleter_stands_at_sixteen, .clauses = {LAY_2},
     .title = "the function at offset 16 destroys the object")
{
  static CallLog log;
  TVMFFIObjectHandle object = new_opaque(iut, &log, call_log_delete);
  void (*deleter)(void *self, int flags) = NULL;
  memcpy(&deleter, (char *)object + 16, sizeof deleter);
  require(
      expect_not_null("the pointer at offset 16, the deleter", *(void **)((char *)object + 16)));
  memcpy(object, &(uint64_t){UINT64_C(1) << 32}, 8);  // as bindings release the last reference
  note("calling the function at offset 16 of an opaque object with flags 3");
  deleter(object, kTVMFFIObjectDeleterFlagBitMaskBoth);
  expect_int("calls of the deleter that the object was created with", log.deleted, 1);
}

CASE_ROWS(
    header_of_2025_09_begins_with_the_type_index, makers, .clauses = {LAY_3},
    .title =
        "in generation 2025-09 the type index is at 0, the weak count at 4, the strong one at 8")
{
  TVMFFIObjectHandle object = row->make(iut);
  expect_int("bytes 0 to 3, the type index", half_word_at(object, 0), row->type_index);
  expect_count("bytes 4 to 7, the weak count", half_word_at(object, 4), row->type_index);
  expect_count("bytes 8 to 15, the strong count", word_at(object, 8), row->type_index);
  expect_not_null("the pointer at offset 16, the deleter", *(void **)((char *)object + 16));
}

// --- The two halves of the counter ---------------------------------------------------------------

CASE(strong_count_is_the_low_half, .clauses = {LAY_4},
     .title = "one strong reference more or less changes the combined counter by 1")
{
  TVMFFIObjectHandle probe = new_probe_object(iut);
  memcpy(probe, &(uint64_t){UINT64_C(5) << 32 | 7}, 8);
  iut->ObjectIncRef(probe);
  expect_hex("the combined counter after a retain", word_at(probe, 0), UINT64_C(5) << 32 | 8);
  iut->ObjectDecRef(probe);
  iut->ObjectDecRef(probe);
  expect_hex("the combined counter after two releases", word_at(probe, 0), UINT64_C(5) << 32 | 6);
}

CASE(weak_count_is_the_high_half, .clauses = {LAY_4},
     .title = "the weak reference that the strong ones held is 1 shifted left by 32")
{
  TVMFFIObjectHandle probe = new_probe_object(iut);
  memcpy(probe, &(uint64_t){UINT64_C(3) << 32 | 1}, 8);
  iut->ObjectDecRef(probe);
  expect_hex("the combined counter after the last strong release", word_at(probe, 0),
             UINT64_C(2) << 32);
}

CASE_ROWS(
    counter_of_made_object_counts_by_one, makers, .clauses = {LAY_4},
    .title = "retaining and releasing an object of the runtime changes its first eight bytes by 1")
{
  TVMFFIObjectHandle object = row->make(iut);
  uint64_t before = word_at(object, 0);
  iut->ObjectIncRef(object);
  expect_hex("the combined counter after a retain", word_at(object, 0), before + 1);
  iut->ObjectDecRef(object);
  expect_hex("the combined counter after a release", word_at(object, 0), before);
}

// --- The rest of the header ----------------------------------------------------------------------

CASE_ROWS(header_names_the_type_of_the_value, makers, .clauses = {LAY_6},
          .title = "the type index in the header is that of the value")
{
  TVMFFIObjectHandle object = row->make(iut);
  expect_int("type index in the header", object_type_index(iut, object), row->type_index);
}

// Of 8 bytes, but for i386: there of 4.
enum { HEADER_ALIGNMENT = _Alignof(TVMFFIObject) };

static void expect_aligned(const void *object)
{
  char what[32];
  require(expect_not_null("the handle", object));
  snprintf(what, sizeof what, "the handle modulo %d", HEADER_ALIGNMENT);
  expect_int(what, (int64_t)((uintptr_t)object % HEADER_ALIGNMENT), 0);
}

CASE_ROWS(object_lies_at_a_multiple_of_eight, makers, .clauses = {LAY_7},
          .title = "the handle of an object is a multiple of 8 (on i386, of 4)")
{
  for (int i = 0; i < 4; ++i) expect_aligned(row->make(iut));
}

CASE(string_of_any_length_lies_at_a_multiple_of_eight, .clauses = {LAY_7},
     .title = "the handle of a string is a multiple of 8 (on i386, of 4), whatever its length")
{
  static const char text[96];
  for (size_t size = 8; size < sizeof text; ++size) {
    TVMFFIByteArray input = {text, size};
    TVMFFIAny made = any_none();
    require(expect_ok(iut, iut->StringFromByteArray(&input, &made)));
    note("a string of %zu bytes", size);
    require(expect_type_index(&made, kTVMFFIStr));
    expect_aligned(made.v_obj);
  }
}

CASE_ROWS(made_object_has_a_deleter, makers, .clauses = {LAY_8},
          .title = "the deleter of an object that the runtime made is not NULL")
{
  TVMFFIObjectHandle object = row->make(iut);
  expect_that(word_at(object, iut->layout->deleter_offset) != 0, "a pointer to the deleter",
              "NULL");
}

// --- The deleter's flags -------------------------------------------------------------------------

CASE(deleter_flags_of_the_last_reference, .clauses = {LAY_9},
     .title = "the release of the last reference of all calls the deleter with 3")
{
  TVMFFIObjectHandle probe = new_probe_object(iut);
  release_object(iut, probe);
  expect_deleter_calls(probe, "3");
}

CASE(deleter_flags_of_the_last_strong_reference, .clauses = {LAY_9},
     .title =
         "the release of the last strong reference calls the deleter with 1 if a weak one is left")
{
  TVMFFIObjectHandle probe = new_probe_object(iut);
  object_take_weak(iut, probe);
  release_object(iut, probe);
  expect_deleter_calls(probe, "1");
}

static Iut *deleting_iut;
static int deleting_flags[4];
static unsigned deleting_calls;

// Drops a weak reference in the middle of being destroyed, as another thread might.
static void drop_weak_when_destroyed(void *self, int flags)
{
  if (deleting_calls < 4) deleting_flags[deleting_calls] = flags;
  if (deleting_calls++ == 0) object_release_weak(deleting_iut, self);
}

CASE(deleter_flags_of_the_last_weak_reference, .clauses = {LAY_9},
     .title = "the release that finds itself the last weak one calls the deleter with 2")
{
  TVMFFIObjectHandle probe = new_probe_object(iut);
  void (*deleter)(void *, int) = drop_weak_when_destroyed;
  memcpy((char *)probe + iut->layout->deleter_offset, &deleter, sizeof deleter);
  deleting_iut = iut;
  object_take_weak(iut, probe);
  release_object(iut, probe);
  require(expect_int("calls of the deleter", deleting_calls, 2));
  expect_int("flags of the first call", deleting_flags[0], 1);
  expect_int("flags of the second call", deleting_flags[1], 2);
}

CASE(deleter_flags_of_a_replaced_global, .clauses = {LAY_9},
     .title = "a function that is replaced in the global table is deleted with 3")
{
  TVMFFIObjectHandle probe = new_probe_object_of(iut, kTVMFFIFunction),
                     other = new_function_object(iut);
  TVMFFIByteArray name = bytes_of("conform.layout.replaced");
  require(expect_ok(iut, iut->FunctionSetGlobal(&name, probe, 0)));
  release_object(iut, probe);
  expect_deleter_calls(probe, "");
  require(expect_ok(iut, iut->FunctionSetGlobal(&name, other, 1)));
  expect_deleter_calls(probe, "3");
}
