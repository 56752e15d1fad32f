// SPDX-License-Identifier: Apache-2.0
// The texts of an error: kind and message go in through four functions and come out byte for byte.
#include <stdio.h>

#include "error_making.h"

CHAPTER(error);

// --- Errors from C strings -----------------------------------------------------------------------

static const struct {
  const char *name, *kind, *message;
} usual[] = {
    {"value-error", "ValueError", "the value is wrong"},
    {"type-error", "TypeError", "expected `int` but got `str`"},
    {"own-kind", "MyPackage.MyError", "of a kind that nobody has seen"},
};

CASE_ROWS(
    c_strings_become_a_raised_error, usual, .clauses = {ERR_14},
    .title = "a kind and a message become a new error in the slot, which has its only reference")
{
  iut->ErrorSetRaisedFromCStr(row->kind, row->message);
  TVMFFIObjectHandle error = take_raised_error(iut);
  expect_int("type index", object_type_index(iut, error), kTVMFFIError);
  expect_counts(iut, error, .strong = 1, .weak = 1);
  expect_kind_and_message(iut, error, row->kind, row->message);
  release_object(iut, error);
}

CASE(c_strings_make_a_new_error_each_time, .clauses = {ERR_14, ERR_7},
     .title = "raising the same texts twice makes two errors")
{
  iut->ErrorSetRaisedFromCStr("ValueError", "twice");
  TVMFFIObjectHandle one = take_raised_error(iut);
  iut->ErrorSetRaisedFromCStr("ValueError", "twice");
  TVMFFIObjectHandle other = take_raised_error(iut);
  expect_that(one != other, "two errors", "one handle twice");
  expect_counts(iut, one, .strong = 1, .weak = 1);
  release_object(iut, one);
  expect_kind_and_message(iut, other, "ValueError", "twice");
  release_object(iut, other);
}

// --- Odd bytes -----------------------------------------------------------------------------------

static const struct {
  const char *name, *kind, *message;
} odd[] = {
    {"nothing-at-all", "", ""},
    {"empty-kind", "", "a message without a kind"},
    {"empty-message", "ValueError", ""},
    {"kind-of-spaces", "   ", " \t "},
    {"kind-with-line-feeds", "Value\nError\n", "one\ntwo\r\n\nthree\n"},
    {"percent-signs", "%s%n", "100 %, %s %d %n %%"},
    {"braces", "{}", "{0} {name} {{"},
    {"utf-8", "F\xc3\xa9hler", "\xe4\xb8\xad\xe6\x96\x87 \xf0\x9f\x90\x8d"},
    {"ill-formed-utf-8", "\xff\xfe", "\xc3(\x80 \xed\xa0\x80 \xf8\x88\x80\x80\x80"},
    {"control-characters", "\x01\x02", "\x1b[31mred\x7f\x08"},
    {"quotes-and-colons", "a: b", "\"it's\": \\n"},
};

CASE_ROWS(c_strings_are_kept, odd, .clauses = {ERR_15, ERR_14, ERR_16},
          .title = "kind and message given as C strings come out byte for byte")
{
  iut->ErrorSetRaisedFromCStr(fenced_string(row->kind), fenced_string(row->message));
  TVMFFIObjectHandle error = take_raised_error(iut);
  expect_kind_and_message(iut, error, row->kind, row->message);
  release_object(iut, error);
}

CASE_ROWS(parts_are_kept, odd, .clauses = {ERR_15, ERR_16},
          .title = "kind and message given in parts come out byte for byte")
{
  const char *parts[] = {fenced_string(row->message), fenced_string(row->message)};
  char twice[256];
  snprintf(twice, sizeof twice, "%s%s", row->message, row->message);
  iut->ErrorSetRaisedFromCStrParts(fenced_string(row->kind), parts, 2);
  TVMFFIObjectHandle error = take_raised_error(iut);
  expect_kind_and_message(iut, error, row->kind, twice);
  release_object(iut, error);
}

CASE_ROWS(byte_arrays_are_kept, odd, .clauses = {ERR_15, ERR_16, ERR_21},
          .title = "kind, message and backtrace given as byte arrays come out byte for byte")
{
  TVMFFIObjectHandle error = NULL;
  require(
      expect_ok(iut, iut->ErrorCreate(fenced_bytes(row->kind, strlen(row->kind)),
                                      fenced_bytes(row->message, strlen(row->message)),
                                      fenced_bytes(row->message, strlen(row->message)), &error)));
  expect_kind_and_message(iut, error, row->kind, row->message);
  expect_text("backtrace", error_cell(iut, error)->backtrace, row->message);
  release_object(iut, error);
}

// --- Long texts ----------------------------------------------------------------------------------

static const struct {
  const char *name;
  size_t size;
} sizes[] = {
    {"1", 1}, {"7", 7}, {"8", 8}, {"63", 63}, {"64", 64}, {"4096", 4096}, {"1-mebibyte", 1 << 20}};

// All bytes but NUL, over and over; own, ends with a NUL.
static char *long_text(size_t size)
{
  char *text = malloc(size + 1);
  if (!text) case_inconclusive("no memory for a text of %zu bytes", size);
  for (size_t i = 0; i < size; ++i) text[i] = (char)(i % 255 + 1);
  text[size] = '\0';
  return text;
}

static void expect_long_message(Iut *iut, TVMFFIObjectHandle error, const char *text, size_t size)
{
  TVMFFIByteArray message = error_cell(iut, error)->message;
  expect_memory("message", message.data, message.size, text, size);
}

CASE_ROWS(message_of_any_length, sizes, .clauses = {ERR_15, ERR_14},
          .title = "a message is kept whatever its length, as C string, as parts and as byte array")
{
  char *text = long_text(row->size);
  const char *part = text;
  TVMFFIByteArray kind = bytes_of("ValueError"), message = {text, row->size}, none = {NULL, 0};
  TVMFFIObjectHandle error = NULL;

  note("from a C string");
  iut->ErrorSetRaisedFromCStr("ValueError", text);
  error = take_raised_error(iut);
  expect_long_message(iut, error, text, row->size);
  release_object(iut, error);

  note("from one part");
  iut->ErrorSetRaisedFromCStrParts("ValueError", &part, 1);
  error = take_raised_error(iut);
  expect_long_message(iut, error, text, row->size);
  release_object(iut, error);

  note("from a byte array");
  error = NULL;
  require(expect_ok(iut, iut->ErrorCreate(&kind, &message, &none, &error)));
  require(expect_not_null("the error that was made", error));
  expect_long_message(iut, error, text, row->size);
  release_object(iut, error);
  free(text);
}

// --- Copies --------------------------------------------------------------------------------------

CASE(c_strings_are_copied, .clauses = {ERR_16},
     .title = "overwriting the C strings does not change the error that was raised")
{
  char kind[] = "ValueError", message[] = "as it was", part[] = "as it was";
  const char *parts[] = {part};

  iut->ErrorSetRaisedFromCStr(kind, message);
  memset(kind, '#', sizeof kind - 1);
  memset(message, '#', sizeof message - 1);
  TVMFFIObjectHandle error = take_raised_error(iut);
  expect_kind_and_message(iut, error, "ValueError", "as it was");
  release_object(iut, error);

  note("raised from parts");
  memcpy(kind, "ValueError", sizeof kind);
  iut->ErrorSetRaisedFromCStrParts(kind, parts, 1);
  memset(kind, '#', sizeof kind - 1);
  memset(part, '#', sizeof part - 1);
  error = take_raised_error(iut);
  expect_kind_and_message(iut, error, "ValueError", "as it was");
  release_object(iut, error);
}

CASE(byte_arrays_are_copied, .clauses = {ERR_16},
     .title = "overwriting the bytes and the byte arrays does not change the error that was made")
{
  char kind[] = "ValueError", message[] = "as it was", backtrace[] = "  File ...\n";
  TVMFFIByteArray arrays[] = {
      {kind, sizeof kind - 1}, {message, sizeof message - 1}, {backtrace, sizeof backtrace - 1}};
  TVMFFIObjectHandle error = NULL;
  require(expect_ok(iut, iut->ErrorCreate(&arrays[0], &arrays[1], &arrays[2], &error)));
  memset(arrays, 0, sizeof arrays);
  memset(kind, '#', sizeof kind);
  memset(message, '#', sizeof message);
  memset(backtrace, '#', sizeof backtrace);
  expect_kind_and_message(iut, error, "ValueError", "as it was");
  expect_text("backtrace", error_cell(iut, error)->backtrace, "  File ...\n");
  release_object(iut, error);
}

// --- The NUL behind ------------------------------------------------------------------------------

static TVMFFIObjectHandle from_parts(Iut *iut)
{
  const char *parts[] = {"mess", NULL, "age"};
  iut->ErrorSetRaisedFromCStrParts("ValueError", parts, 3);
  return take_raised_error(iut);
}

static TVMFFIObjectHandle from_no_parts(Iut *iut)
{
  iut->ErrorSetRaisedFromCStrParts("", NULL, 0);
  return take_raised_error(iut);
}

static TVMFFIObjectHandle from_unterminated_bytes(Iut *iut)
{
  TVMFFIObjectHandle error = NULL;
  require(
      expect_ok(iut, iut->ErrorCreate(fenced_bytes("ValueError", 10), fenced_bytes("message", 7),
                                      fenced_bytes("frame", 5), &error)));
  return error;
}

static TVMFFIObjectHandle from_no_bytes(Iut *iut)
{
  TVMFFIByteArray none = {NULL, 0};
  TVMFFIObjectHandle error = NULL;
  require(expect_ok(iut, iut->ErrorCreate(&none, &none, &none, &error)));
  return error;
}

static const struct {
  const char *name;
  TVMFFIObjectHandle (*make)(Iut *iut);
} makers[] = {
    {"c-string", from_c_string}, {"parts", from_parts},
    {"no-parts", from_no_parts}, {"unterminated-bytes", from_unterminated_bytes},
    {"no-bytes", from_no_bytes}, {"failing-call", from_failing_call},
};

CASE_ROWS(message_ends_with_a_nul, makers, .clauses = {ERR_17},
          .title = "the message of an error that the runtime made is followed by a NUL")
{
  TVMFFIObjectHandle error = row->make(iut);
  expect_nul_behind("the byte behind the message", error_cell(iut, error)->message);
  release_object(iut, error);
}

CASE_ROWS(texts_end_with_a_nul, makers, .clauses = {ERR_43},
          .title = "kind and backtrace of an error that the runtime made are followed by a NUL")
{
  TVMFFIObjectHandle error = row->make(iut);
  const TVMFFIErrorCell *cell = error_cell(iut, error);
  expect_nul_behind("the byte behind the kind", cell->kind);
  expect_nul_behind("the byte behind the backtrace", cell->backtrace);
  release_object(iut, error);
}

// --- Parts ---------------------------------------------------------------------------------------

enum { PARTS_MAX = 8 };

typedef struct PartsRow {
  const char *name;
  const char *parts[PARTS_MAX];
  int32_t count;
  const char *message;
} PartsRow;

// Raises from parts, each of them and their array ending at an unmapped page.
static void expect_parts_make(Iut *iut, const PartsRow *row)
{
  const char *parts[PARTS_MAX];
  for (int32_t i = 0; i < row->count; ++i)
    parts[i] = row->parts[i] ? fenced_string(row->parts[i]) : NULL;
  const void *fenced = fenced_copy("the parts", parts, (size_t)row->count * sizeof *parts);
  const char **argument;
  memcpy(&argument, &fenced, sizeof argument);
  iut->ErrorSetRaisedFromCStrParts("ValueError", argument, row->count);
  TVMFFIObjectHandle error = take_raised_error(iut);
  expect_counts(iut, error, .strong = 1, .weak = 1);
  expect_kind_and_message(iut, error, "ValueError", row->message);
  release_object(iut, error);
}

static const PartsRow joined[] = {
    {"one", {"alone"}, 1, "alone"},
    {"two", {"one,", " two"}, 2, "one, two"},
    {"letters", {"a", "b", "c", "d", "e", "f", "g", "h"}, 8, "abcdefgh"},
    {"spaces-and-line-feeds", {" a ", "\n", "b\n", " "}, 4, " a \nb\n "},
    {"fewer-than-there-are", {"one", "two", "three"}, 2, "onetwo"},
    {"equal", {"ab", "ab", "ab"}, 3, "ababab"},
};

CASE_ROWS(parts_are_joined_in_order, joined, .clauses = {ERR_18},
          .title = "the parts of a message are joined in order, with nothing between them")
{
  expect_parts_make(iut, row);
}

static const PartsRow missing[] = {
    {"first", {NULL, "one", "two"}, 3, "onetwo"},
    {"middle", {"one", NULL, "two"}, 3, "onetwo"},
    {"last", {"one", "two", NULL}, 3, "onetwo"},
    {"every-other", {NULL, "a", NULL, "b", NULL, "c", NULL}, 7, "abc"},
    {"several-in-a-row", {"a", NULL, NULL, NULL, "b"}, 5, "ab"},
    {"all", {NULL, NULL, NULL}, 3, ""},
    {"empty-first", {"", "one"}, 2, "one"},
    {"empty-between", {"one", "", "two", ""}, 4, "onetwo"},
    {"empty-and-null", {"", NULL, ""}, 3, ""},
};

CASE_ROWS(missing_parts_are_skipped, missing, .clauses = {ERR_19, ERR_18},
          .title = "parts that are NULL or empty add nothing to the message")
{
  expect_parts_make(iut, row);
}

CASE(very_many_parts_are_joined, .clauses = {ERR_18},
     .title = "a thousand parts are joined in order")
{
  enum { COUNT = 1000 };
  static char texts[COUNT][4], message[3 * COUNT + 1];
  const char *parts[COUNT];
  for (unsigned i = 0; i < COUNT; ++i) {
    snprintf(texts[i], sizeof texts[i], "%03u", i);
    memcpy(message + (size_t)3 * i, texts[i], 4);
    parts[i] = texts[i];
  }
  iut->ErrorSetRaisedFromCStrParts("ValueError", parts, COUNT);
  TVMFFIObjectHandle error = take_raised_error(iut);
  expect_kind_and_message(iut, error, "ValueError", message);
  release_object(iut, error);
}

static const struct {
  const char *name;
  bool null;
} no_parts[] = {{"null-array", true}, {"array-that-can-not-be-read", false}};

CASE_ROWS(no_parts_make_an_empty_message, no_parts, .clauses = {ERR_20},
          .title = "0 parts raise an error with an empty message, and their array is not read")
{
  const char **parts = row->null ? NULL : fenced_buffer("the parts", 0);
  iut->ErrorSetRaisedFromCStrParts("ValueError", parts, 0);
  TVMFFIObjectHandle error = take_raised_error(iut);
  expect_int("type index", object_type_index(iut, error), kTVMFFIError);
  expect_kind_and_message(iut, error, "ValueError", "");
  release_object(iut, error);
}
