// SPDX-License-Identifier: Apache-2.0
// Strings and bytes: which shape a length has, and that every byte arrives. What is read, shared
// and freed is in string_memory.c.
#include "cases/runtime/string_value.h"

CHAPTER(string);

// A byte array of `size` such bytes; array and bytes are read-only and end at an unmapped page.
static const TVMFFIByteArray *text_of(size_t size)
{
  char *bytes = fenced_buffer("the bytes", size);
  fill_text(bytes, size);
  fence_lock(bytes);
  TVMFFIByteArray array = {bytes, size};
  return fenced_copy("the byte array", &array, sizeof array);
}

static TVMFFIAny *make_string(Iut *iut, const TVMFFIByteArray *input)
{
  TVMFFIAny *made = fenced_result();
  require(expect_ok(iut, iut->StringFromByteArray(input, made)));
  return made;
}

static TVMFFIAny *make_bytes(Iut *iut, const TVMFFIByteArray *input)
{
  TVMFFIAny *made = fenced_result();
  require(expect_ok(iut, iut->BytesFromByteArray(input, made)));
  return made;
}

// The value is a string of these bytes, in the shape that their number asks for.
static void expect_string(Iut *iut, const TVMFFIAny *made, const void *bytes, size_t size)
{
  if (size <= 7)
    expect_small_string(made, bytes, size);
  else
    expect_heap_string(iut, made, bytes, size);
}

static void expect_bytes(Iut *iut, const TVMFFIAny *made, const void *bytes, size_t size)
{
  if (size <= 7)
    expect_small_bytes(made, bytes, size);
  else
    expect_heap_bytes(iut, made, bytes, size);
}

CASE(exports_string_from_byte_array, .clauses = {STR_1},
     .title = "the runtime exports TVMFFIStringFromByteArray")
{
  expect_that(iut_has(iut, FN_StringFromByteArray),
              "the symbol TVMFFIStringFromByteArray is exported", "no such symbol");
}

CASE(exports_bytes_from_byte_array, .clauses = {STR_1},
     .title = "the runtime exports TVMFFIBytesFromByteArray")
{
  expect_that(iut_has(iut, FN_BytesFromByteArray),
              "the symbol TVMFFIBytesFromByteArray is exported", "no such symbol");
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

CASE_ROWS(short_text_is_small, short_lengths, .clauses = {STR_2},
          .title = "up to 7 bytes of text become a small string")
{
  const TVMFFIByteArray *input = text_of(row->size);
  const TVMFFIAny *made = make_string(iut, input);
  expect_small_string(made, input->data, row->size);
}

CASE_ROWS(short_bytes_are_small, short_lengths, .clauses = {STR_4},
          .title = "up to 7 bytes become small bytes")
{
  const TVMFFIByteArray *input = text_of(row->size);
  const TVMFFIAny *made = make_bytes(iut, input);
  expect_small_bytes(made, input->data, row->size);
}

static const Length first_long_lengths[] = {{"length-8", 8}, {"length-9", 9}, {"length-64", 64}};

CASE_ROWS(long_text_is_an_object, first_long_lengths, .clauses = {STR_3},
          .title = "8 bytes of text or more become a string object, with zero padding in the value")
{
  const TVMFFIAny *made = make_string(iut, text_of(row->size));
  require(expect_type_index(made, kTVMFFIStr));
  expect_hex("bytes 4 to 7 of the value", made->zero_padding, 0);
  require(expect_not_null("the object of the value", made->v_obj));
  expect_int("type index in the header", object_type_index(iut, made->v_obj), kTVMFFIStr);
}

CASE_ROWS(long_bytes_are_an_object, first_long_lengths, .clauses = {STR_5},
          .title = "8 bytes or more become a bytes object, with zero padding in the value")
{
  const TVMFFIAny *made = make_bytes(iut, text_of(row->size));
  require(expect_type_index(made, kTVMFFIBytes));
  expect_hex("bytes 4 to 7 of the value", made->zero_padding, 0);
  require(expect_not_null("the object of the value", made->v_obj));
  expect_int("type index in the header", object_type_index(iut, made->v_obj), kTVMFFIBytes);
}

// --- Every byte ----------------------------------------------------------------------------------

static const Length lengths[] = {
    {"length-8", 8},         {"length-9", 9},           {"length-15", 15},
    {"length-16", 16},       {"length-17", 17},         {"length-63", 63},
    {"length-64", 64},       {"length-65", 65},         {"length-255", 255},
    {"length-256", 256},     {"length-4095", 4095},     {"length-4096", 4096},
    {"length-65536", 65536}, {"length-1-mib", 1 << 20},
};

CASE_ROWS(string_object_holds_every_byte, lengths, .clauses = {STR_6},
          .title = "a string object has the size and the bytes that were given")
{
  const TVMFFIByteArray *input = text_of(row->size);
  const TVMFFIAny *made = make_string(iut, input);
  expect_heap_string(iut, made, input->data, row->size);
}

CASE_ROWS(bytes_object_holds_every_byte, lengths, .clauses = {STR_6},
          .title = "a bytes object has the size and the bytes that were given")
{
  const TVMFFIByteArray *input = text_of(row->size);
  const TVMFFIAny *made = make_bytes(iut, input);
  expect_heap_bytes(iut, made, input->data, row->size);
}

// Leaves freed blocks of all sizes up to `largest` full of garbage, so that no NUL is there by
// luck.
static void dirty_heap(size_t largest)
{
  void *(*volatile dirty)(void *, int, size_t) = memset;
  for (size_t size = 24; size <= largest + 128; size += 16) {
    void *block = malloc(size);
    if (block) dirty(block, 0xA5, size);
    free(block);
  }
}

static void expect_nul_behind(Iut *iut, const TVMFFIAny *made, size_t size)
{
  const TVMFFIByteArray *cell = object_body(iut, made->v_obj);
  require(expect_int("size of the object", (int64_t)cell->size, (int64_t)size));
  note("reading the byte behind %zu bytes", size);
  expect_int("the byte behind the data", cell->data[size], 0);
}

static void expect_nul_behind_all_lengths(Iut *iut, TextMaker *make, int32_t type_index)
{
  char text[81];
  memset(text, 'x', sizeof text);
  dirty_heap(80);
  for (size_t size = 8; size <= 80; ++size) {
    TVMFFIByteArray input = {text, size};
    TVMFFIAny made = garbage_but_none();
    require(expect_ok(iut, make(iut, &input, &made)));
    require(expect_type_index(&made, type_index));
    expect_nul_behind(iut, &made, size);
  }
}

CASE(string_object_ends_with_a_nul, .clauses = {STR_7},
     .title = "a NUL that is not counted follows the data of a string, whatever its length")
{
  expect_nul_behind_all_lengths(iut, string_from, kTVMFFIStr);
}

CASE(bytes_object_ends_with_a_nul, .clauses = {STR_19},
     .title = "a NUL that is not counted follows the data of bytes, whatever their length")
{
  expect_nul_behind_all_lengths(iut, bytes_from, kTVMFFIBytes);
}

CASE(page_long_string_ends_with_a_nul, .clauses = {STR_7},
     .title = "a NUL follows the data of a string that fills whole pages")
{
  expect_nul_behind(iut, make_string(iut, text_of(4096)), 4096);
}

CASE(page_long_bytes_end_with_a_nul, .clauses = {STR_19},
     .title = "a NUL follows the data of bytes that fill whole pages")
{
  expect_nul_behind(iut, make_bytes(iut, text_of(8192)), 8192);
}

// --- Which bytes they are ------------------------------------------------------------------------

typedef struct Content {
  const char *name;
  const char *bytes;
  size_t size;
} Content;

static const Content with_nuls[] = {
    {"one-nul", "", 1},
    {"seven-nuls", "\0\0\0\0\0\0", 7},
    {"eight-nuls", "\0\0\0\0\0\0\0", 8},
    {"first-of-small", "\0abc", 4},
    {"inside-small", "ab\0cd", 5},
    {"last-of-small", "abcdef\0", 7},
    {"first-of-long", "\0longer than seven", 18},
    {"inside-long", "longer\0than\0seven", 17},
    {"last-of-long", "longer than seven\0", 18},
    {"all-but-last", "\0\0\0\0\0\0\0\0\0\0\0x", 12},
};

CASE_ROWS(string_keeps_nuls, with_nuls, .clauses = {STR_8},
          .title = "NULs in a string are kept and counted")
{
  expect_string(iut, make_string(iut, fenced_bytes(row->bytes, row->size)), row->bytes, row->size);
}

CASE_ROWS(bytes_keep_nuls, with_nuls, .clauses = {STR_8},
          .title = "NULs in bytes are kept and counted")
{
  expect_bytes(iut, make_bytes(iut, fenced_bytes(row->bytes, row->size)), row->bytes, row->size);
}

static const Content ill_formed[] = {
    {"lone-continuation", "\x80", 1},
    {"cut-short", "abc\xe2\x82", 5},
    {"overlong-slash", "\xc0\xaf", 2},
    {"overlong-nul", "\xc0\x80", 2},
    {"surrogate", "\xed\xa0\x80", 3},
    {"beyond-unicode", "\xf4\x90\x80\x80", 4},
    {"five-byte-form", "\xf8\x88\x80\x80\x80", 5},
    {"utf-16-mark",
     "\xff\xfe"
     "a\0",
     4},
    {"long-latin-1", "caf\xe9 au lait, s'il vous pla\xeet", 28},
    {"long-cut-short", "a text that ends too early \xf0\x9f\x98", 30},
};

CASE_ROWS(string_of_ill_formed_text_is_kept, ill_formed, .clauses = {STR_9},
          .title = "text that is not valid UTF-8 is accepted and kept")
{
  expect_string(iut, make_string(iut, fenced_bytes(row->bytes, row->size)), row->bytes, row->size);
}

CASE(string_of_every_byte_is_kept, .clauses = {STR_9},
     .title = "a string may hold each of the 256 bytes")
{
  char all[256];
  for (int i = 0; i < 256; ++i) all[i] = (char)i;
  const TVMFFIAny *whole = make_string(iut, fenced_bytes(all, sizeof all));
  expect_heap_string(iut, whole, all, sizeof all);
  for (int i = 0; i < 256; ++i) {
    TVMFFIByteArray input = {all + i, 1};
    TVMFFIAny made = garbage_but_none();
    require(expect_ok(iut, iut->StringFromByteArray(&input, &made)));
    if (!expect_small_string(&made, all + i, 1)) return;
  }
}

// Source: tvm-ffi#413 and #419: an empty container of many languages has no data.
CASE(empty_string_may_have_no_data, .clauses = {STR_10}, .wrong_call = true,
     .title = "NULL and size 0 give the empty string")
{
  TVMFFIByteArray none = {NULL, 0};
  const TVMFFIAny *empty = make_string(iut, text_of(0));
  const TVMFFIAny *made = make_string(iut, fenced_copy("the byte array", &none, sizeof none));
  expect_same_bytes(made, empty);
  expect_small_string(made, "", 0);
}

CASE(empty_bytes_may_have_no_data, .clauses = {STR_10}, .wrong_call = true,
     .title = "NULL and size 0 give empty bytes")
{
  TVMFFIByteArray none = {NULL, 0};
  const TVMFFIAny *empty = make_bytes(iut, text_of(0));
  const TVMFFIAny *made = make_bytes(iut, fenced_copy("the byte array", &none, sizeof none));
  expect_same_bytes(made, empty);
  expect_small_bytes(made, "", 0);
}

// --- The result ----------------------------------------------------------------------------------

// What a result that holds no object may hold; the payload is no address that anybody could follow.
static const struct {
  const char *name;
  int32_t type_index;
} results[] = {
    {"none", kTVMFFINone},
    {"int", kTVMFFIInt},
    {"raw-string", kTVMFFIRawStr},
    {"byte-array", kTVMFFIByteArrayPtr},
    {"rvalue-reference", kTVMFFIObjectRValueRef},
    {"small-string", kTVMFFISmallStr},
    {"small-bytes", kTVMFFISmallBytes},
    {"negative", -1},
};

// Two kinds of garbage with no byte in common; whatever is left of one shows.
static void expect_whole_result(Iut *iut, int32_t type_index, unsigned char garbage, size_t size)
{
  TVMFFIByteArray input = {"longer than seven", size};
  TVMFFIAny string, bytes;
  memset(&string, garbage, sizeof string);
  memset(&bytes, garbage, sizeof bytes);
  string.type_index = bytes.type_index = type_index;
  require(expect_ok(iut, iut->StringFromByteArray(&input, &string)));
  expect_string(iut, &string, input.data, size);
  require(expect_ok(iut, iut->BytesFromByteArray(&input, &bytes)));
  expect_bytes(iut, &bytes, input.data, size);
}

CASE_ROWS(result_is_overwritten, results, .clauses = {STR_13},
          .title = "all 16 bytes of the result are written, whatever it held")
{
  static const size_t sizes[] = {0, 1, 3, 7, 17};
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; ++i) {
    note("making a string and bytes of size %zu", sizes[i]);
    expect_whole_result(iut, row->type_index, 0xA5, sizes[i]);
    expect_whole_result(iut, row->type_index, 0x5A, sizes[i]);
  }
}
