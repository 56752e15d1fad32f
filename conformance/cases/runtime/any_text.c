// SPDX-License-Identifier: Apache-2.0
// Borrowed text and bytes becoming owned ones.
#include "cases/runtime/any_conversion.h"
#include "cases/runtime/container_calling.h"
#include "cases/runtime/string_value.h"

CHAPTER(any);

// A C string of `size` bytes whose NUL is the last byte before an unmapped page; read-only.
static const char *raw_text(size_t size)
{
  char *text = fenced_buffer("the C string", size + 1);
  fill_text(text, size);
  text[size] = '\0';
  fence_lock(text);
  return text;
}

// Bytes that begin, end and are sprinkled with NULs, the last before an unmapped page; read-only.
static const char *raw_bytes(size_t size)
{
  char *bytes = fenced_buffer("the bytes", size);
  fill_text(bytes, size);
  for (size_t i = 0; i < size; i += 13) bytes[i] = '\0';
  if (size) bytes[size - 1] = '\0';
  fence_lock(bytes);
  return bytes;
}

// A read-only byte array over `data`, as a view.
static TVMFFIAny array_view(const char *data, size_t size)
{
  TVMFFIByteArray array = {data, size};
  return view_of_byte_array(fenced_copy("the byte array", &array, sizeof array));
}

// --- Length decides the shape --------------------------------------------------------------------

typedef struct Length {
  const char *name;
  size_t size;
} Length;

static const Length short_lengths[] = {
    {"length-0", 0}, {"length-1", 1}, {"length-2", 2}, {"length-3", 3},
    {"length-4", 4}, {"length-5", 5}, {"length-6", 6}, {"length-7", 7},
};

static const Length long_lengths[] = {
    {"length-8", 8},     {"length-9", 9},       {"length-15", 15},     {"length-16", 16},
    {"length-17", 17},   {"length-63", 63},     {"length-64", 64},     {"length-65", 65},
    {"length-255", 255}, {"length-4095", 4095}, {"length-4096", 4096}, {"length-1-mib", 1 << 20},
};

CASE_ROWS(own_short_raw_string_is_small, short_lengths, .clauses = {ANY_7},
          .title = "a raw string of up to 7 bytes becomes a small string")
{
  const char *text = raw_text(row->size);
  const TVMFFIAny *owned = own(iut, view_of_raw_string(text));
  expect_small_string(owned, text, row->size);
}

CASE_ROWS(own_long_raw_string_is_an_object, long_lengths, .clauses = {ANY_8},
          .title = "a raw string of 8 bytes or more becomes a string object")
{
  const char *text = raw_text(row->size);
  TVMFFIAny *owned = own(iut, view_of_raw_string(text));
  require(expect_heap_string(iut, owned, text, row->size));
  release_any(iut, owned);
}

CASE_ROWS(own_short_byte_array_is_small, short_lengths, .clauses = {ANY_9},
          .title = "a byte array of up to 7 bytes becomes small bytes")
{
  const char *bytes = raw_bytes(row->size);
  const TVMFFIAny *owned = own(iut, array_view(bytes, row->size));
  expect_small_bytes(owned, bytes, row->size);
}

// Source: tvm-ffi#413: an empty container of many languages has no data.
CASE(own_byte_array_without_data_is_empty, .clauses = {ANY_34}, .wrong_call = true,
     .title = "a byte array of NULL and size 0 becomes empty small bytes")
{
  const TVMFFIAny *owned = own(iut, array_view(NULL, 0));
  expect_small_bytes(owned, "", 0);
}

CASE_ROWS(own_long_byte_array_is_an_object, long_lengths, .clauses = {ANY_10},
          .title = "a byte array of 8 bytes or more becomes a bytes object with every byte")
{
  const char *bytes = raw_bytes(row->size);
  TVMFFIAny *owned = own(iut, array_view(bytes, row->size));
  require(expect_heap_bytes(iut, owned, bytes, row->size));
  release_any(iut, owned);
}

CASE(own_bytes_of_nuls_are_all_kept, .clauses = {ANY_10},
     .title = "a byte array of nothing but NULs keeps its size")
{
  static const char nuls[40];
  TVMFFIAny *owned = own(iut, array_view(nuls, sizeof nuls));
  require(expect_heap_bytes(iut, owned, nuls, sizeof nuls));
  release_any(iut, owned);
}

CASE(own_raw_string_ends_at_its_nul, .clauses = {ANY_8},
     .title = "a long raw string ends at its NUL")
{
  TVMFFIAny *owned = own(iut, view_of_raw_string("twelve bytes\0and more"));
  require(expect_heap_string(iut, owned, "twelve bytes", 12));
  release_any(iut, owned);
}

CASE(own_short_raw_string_ends_at_its_nul, .clauses = {ANY_7},
     .title = "a short raw string ends at its NUL")
{
  const TVMFFIAny *owned = own(iut, view_of_raw_string("six by\0and more"));
  expect_small_string(owned, "six by", 6);
}

CASE(own_raw_string_of_any_bytes, .clauses = {ANY_8},
     .title = "a raw string that is not valid UTF-8 is copied like any other")
{
  static const char bytes[] = "\x80\xc0\x80\xed\xa0\x80\xff\xfe\xf8";
  TVMFFIAny *owned = own(iut, view_of_raw_string(bytes));
  require(expect_heap_string(iut, owned, bytes, sizeof bytes - 1));
  release_any(iut, owned);
}

// --- The source ----------------------------------------------------------------------------------

static const struct {
  const char *name;
  bool is_text;
  size_t size;
} sources[] = {
    {"short-raw-string", true, 5},         {"long-raw-string", true, 40},
    {"short-byte-array", false, 5},        {"long-byte-array", false, 40},
    {"page-long-byte-array", false, 4096},
};

CASE_ROWS(own_text_survives_its_source, sources, .clauses = {ANY_11},
          .title = "overwriting and freeing the source does not change the owned text")
{
  char *source = malloc(row->size + 1), *kept = malloc(row->size + 1);
  if (!source || !kept) case_inconclusive("no memory");
  fill_text(source, row->size);
  source[row->size] = '\0';
  memcpy(kept, source, row->size + 1);
  TVMFFIByteArray array = {source, row->size};
  TVMFFIAny view = row->is_text ? view_of_raw_string(source) : view_of_byte_array(&array);
  TVMFFIAny *owned = fenced_result();
  require(expect_ok(iut, iut->AnyViewToOwnedAny(&view, owned)));
  memset(source, 'x', row->size + 1);
  array = (TVMFFIByteArray){NULL, SIZE_MAX};
  free(source);
  if (row->size <= 7 && row->is_text)
    expect_small_string(owned, kept, row->size);
  else if (row->size <= 7)
    expect_small_bytes(owned, kept, row->size);
  else if (row->is_text)
    expect_heap_string(iut, owned, kept, row->size);
  else
    expect_heap_bytes(iut, owned, kept, row->size);
}

static const Length read_lengths[] = {
    {"length-0", 0},       {"length-1", 1},       {"length-3", 3},   {"length-7", 7},
    {"length-8", 8},       {"length-15", 15},     {"length-16", 16}, {"length-31", 31},
    {"length-4095", 4095}, {"length-4096", 4096},
};

CASE_ROWS(raw_string_may_end_where_memory_ends, read_lengths, .clauses = {ANY_12},
          .title = "nothing after the NUL of a raw string is read")
{
  const char *text = raw_text(row->size);
  note("converting a raw string whose NUL is the last mapped byte");
  TVMFFIAny *owned = own(iut, view_of_raw_string(text));
  if (row->size <= 7)
    expect_small_string(owned, text, row->size);
  else
    expect_heap_string(iut, owned, text, row->size);
}

CASE_ROWS(byte_array_may_end_where_memory_ends, read_lengths, .clauses = {ANY_12},
          .title = "nothing after the end of a byte array is read")
{
  const char *bytes = raw_bytes(row->size);
  note("converting a byte array whose last byte is the last mapped one");
  TVMFFIAny *owned = own(iut, array_view(bytes, row->size));
  if (row->size <= 7)
    expect_small_bytes(owned, bytes, row->size);
  else
    expect_heap_bytes(iut, owned, bytes, row->size);
}

CASE(text_may_begin_where_memory_begins, .clauses = {ANY_12},
     .title = "nothing before a raw string or a byte array is read")
{
  note("converting a raw string that begins behind an unmapped page");
  TVMFFIAny *text = own(iut, view_of_raw_string(fenced_front_copy("the C string", "abc", 4)));
  expect_small_string(text, "abc", 3);
  note("converting a byte array that begins behind an unmapped page");
  const char *bytes = fenced_front_copy("the bytes", "longer than seven", 17);
  TVMFFIAny *owned = own(iut, array_view(bytes, 17));
  expect_heap_bytes(iut, owned, "longer than seven", 17);
}

static const struct {
  const char *name;
  int32_t type_index;
  size_t size;
} read_only[] = {
    {"int", kTVMFFIInt, 0},
    {"small-string", kTVMFFISmallStr, 0},
    {"short-raw-string", kTVMFFIRawStr, 3},
    {"long-raw-string", kTVMFFIRawStr, 30},
    {"short-byte-array", kTVMFFIByteArrayPtr, 3},
    {"long-byte-array", kTVMFFIByteArrayPtr, 30},
    {"object", kTVMFFIStaticObjectBegin, 0},
    {"rvalue-reference", kTVMFFIObjectRValueRef, 0},
};

CASE_ROWS(view_may_lie_in_read_only_memory, read_only, .clauses = {ANY_19},
          .title = "neither the view nor the memory it points to is written")
{
  TVMFFIObjectHandle probe = new_probe_object(iut);
  TVMFFIAny view = view_of_int(7);
  if (row->type_index == kTVMFFISmallStr) view = view_of_small_string("small");
  if (row->type_index == kTVMFFIRawStr) view = view_of_raw_string(raw_text(row->size));
  if (row->type_index == kTVMFFIByteArrayPtr) view = array_view(raw_bytes(row->size), row->size);
  if (row->type_index == kTVMFFIStaticObjectBegin) view = view_of_object(iut, probe);
  if (row->type_index == kTVMFFIObjectRValueRef) view = view_of_rvalue(&probe);
  note("converting a view in read-only memory");
  TVMFFIObjectHandle object = probe;
  const TVMFFIAny *owned = own(iut, view);
  if (row->size)
    expect_int("size of the text that is owned", (int64_t)content_of(iut, owned).size,
               (int64_t)row->size);
  else if (row->type_index >= kTVMFFIStaticObjectBegin || row->type_index == kTVMFFIObjectRValueRef)
    expect_pointer("the object that is owned", owned->v_obj, object);
  else
    expect_same_bytes(owned, &view);
}

// --- Memory and threads --------------------------------------------------------------------------

CASE(own_text_and_release_does_not_leak, .clauses = {OBJ_19},
     .title = "converting and releasing long texts and bytes does not leak")
{
  TVMFFIAny text = view_of_raw_string(raw_text(100)), bytes = array_view(raw_bytes(100), 100);
  expect_no_heap_growth(iut, 256, convert_and_release, &text);
  expect_no_heap_growth(iut, 256, convert_and_release, &bytes);
}

CASE(own_short_text_takes_no_memory, .clauses = {ANY_7},
     .title = "a small string made of a raw string has nothing to release")
{
  TVMFFIAny view = view_of_raw_string(raw_text(7)), *owned = own(iut, view);
  expect_type_index(owned, kTVMFFISmallStr);
  expect_no_heap_growth(iut, 256, convert_and_release, &view);
}
