// SPDX-License-Identifier: Apache-2.0
// What cases take for JSON is what the reader of signatures takes for it.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/kernel_json.h"
#include "plan/signature_metadata.h"
#include "unit/unit.h"

typedef struct Text {
  const char *bytes;
  bool is_json;
} Text;

static const Text texts[] = {
    {"{}", true},
    {" [1, -2.5e+3, true, null, \"a\"] \n", true},
    {"", false},
    {"{", false},
    {"{} {}", false},
    {"[1,]", false},
    {"[01]", false},
    {"[.5]", false},
    {"[+1]", false},
    {"{\"a\" 1}", false},
    {"{1: 1}", false},
    {"[tru]", false},
    {"\xef\xbb\xbf[]", false},
    {"[\"\t\"]", false},
    {"[\"\x7f\"]", true},
    {"[\"\\q\"]", false},
    {"[\"\\u12g4\"]", false},
    {"[\"\\u00e4\\\"\\\\\\/\\b\"]", true},
    // Bytes that are no UTF-8, in values and names
    {"[\"\xc3\xa4 \xe2\x82\xac \xf0\x9f\x98\x80\"]", true},
    {"[\"\xff\"]", false},
    {"[\"\xc3\"]", false},
    {"[\"\xc0\x80\"]", false},
    {"[\"\xed\xa0\x80\"]", false},
    {"[\"\xf4\x90\x80\x80\"]", false},
    {"{\"\xff\": 1}", false},
    {"{\"\xc3\xa4\": 1}", true},
    // Halves of surrogate pairs
    {"[\"\\ud83d\\ude00\"]", true},
    {"[\"\\ud83d\"]", false},
    {"[\"\\ud83d\\u0041\"]", false},
    {"[\"\\ude00\"]", false},
    {"[\"\\ud83d\\", false},
    // What some readers do without
    {"{\"a\": 1, \"a\": 2}", true},
    {"{\"a\": 1, \"\\u0061\": 2}", true},
    {"[\"\\u0000\"]", true},
    {"{\"\\u0000\": 1}", true},
    {"[1e999, -1e999, 1e-999]", true},
    {"[9223372036854775808, -99999999999999999999999999]", true},
};

static bool is_json_for_the_reader(const char *bytes, size_t size)
{
  static Kernel kernel;
  char error[256] = "";
  if (signature_metadata_read(bytes, size, &kernel, error, sizeof error)) return true;
  return size > 0 && strncmp(error, "metadata is not JSON:", 21) != 0;
}

TEST(both_say_the_same, .rows = ROWS(texts))
{
  const Text *text = &texts[_i];
  size_t size = strlen(text->bytes);
  ck_assert_msg(is_json_for_the_reader(text->bytes, size) == text->is_json, "%s", text->bytes);
  ck_assert_msg(kernel_json_is_document(text->bytes, size) == text->is_json, "%s", text->bytes);
}

// Each byte of a text replaced by each other byte.
TEST(both_say_the_same_of_damaged_ones)
{
  static const char whole[] = "{\"\xc3\xa4\": [\"\\ud83d\\ude00\", -1.5e2, true]}";
  char text[sizeof whole];
  for (size_t i = 0; i < sizeof whole - 1; ++i)
    for (int byte = 0; byte < 256; ++byte) {
      memcpy(text, whole, sizeof text);
      text[i] = (char)byte;
      ck_assert_msg(kernel_json_is_document(text, sizeof whole - 1) ==
                        is_json_for_the_reader(text, sizeof whole - 1),
                    "byte %zu as %#x: %s", i, (unsigned)byte, text);
    }
}

typedef struct Twice {
  const char *text, *expected;  // NULL: what counts is no string
} Twice;

static const Twice twice[] = {
    {"{\"type\": \"a\", \"type\": \"b\"}", "b"},
    {"{\"type\": 1, \"x\": {\"type\": 2}, \"\\u0074ype\": \"c\", \"y\": \"d\"}", "c"},
    {"{\"type\": \"a\", \"type\": [\"b\"]}", NULL},
};

TEST(of_several_members_the_last_counts, .rows = ROWS(twice))
{
  static Kernel kernel;
  const Twice *row = &twice[_i];
  char text[256] = "", error[256], expected[300];
  size_t size = strlen(row->text), length = 0;
  KernelJsonMember found = kernel_json_member(row->text, size, "type", text, &length);
  ck_assert_int_eq(found, row->expected ? KERNEL_JSON_STRING : KERNEL_JSON_OTHER);
  if (row->expected) ck_assert_uint_eq(length, strlen(row->expected));
  if (row->expected) ck_assert_mem_eq(text, row->expected, length);
  // As the reader of signatures has it.
  size_t used = (size_t)snprintf(text, sizeof text, "{\"type_schema\": \"\", \"type_schema\": \"");
  for (const char *c = row->text; *c; ++c) {
    if (*c == '"' || *c == '\\') text[used++] = '\\';
    text[used++] = *c;
  }
  memcpy(text + used, "\"}", 3);
  ck_assert(!signature_metadata_read(text, used + 2, &kernel, error, sizeof error));
  snprintf(expected, sizeof expected, "type_schema has type \"%s\", not \"ffi.Function\"",
           row->expected ? row->expected : "");
  ck_assert_str_eq(error, expected);
}

// Each beginning of a text, in memory that ends with it.
TEST(both_say_the_same_of_beginnings, .rows = 2)
{
  static const char *const whole[] = {"{\"a\": [\"\\u00e4\\ud83d\\ude00\", -10.25e-2, true]}",
                                      "[[false, null], {}, {\"\": 0, \"b\\\\\": 1E+9}]"};
  for (size_t length = 0, size = strlen(whole[_i]); length <= size; ++length) {
    char *text = malloc(length ? length : 1);
    ck_assert_ptr_nonnull(text);
    memcpy(text, whole[_i], length);
    bool good = kernel_json_is_document(text, length);
    ck_assert_msg(good == is_json_for_the_reader(text, length), "%.*s", (int)length, text);
    ck_assert_msg(good == (length == size), "%.*s", (int)length, text);
    free(text);
  }
}

typedef struct Member {
  const char *document, *text;  // the text of its member "wanted"
  KernelJsonMember what;
} Member;

static const Member members[] = {
    {"{\"wanted\": \"text\"}", "text", KERNEL_JSON_STRING},
    {" {\"first\": [1, {\"wanted\": \"x\"}], \"wanted\" : \"\" }", "", KERNEL_JSON_STRING},
    {"{\"wante\": 1, \"wanted.\": 2, \"wanteD\": \"x\", \"wanted\": \"y\"}", "y",
     KERNEL_JSON_STRING},
    {"{\"w\\u0061nted\": \"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u0041\"}", "\"\\/\b\f\n\r\tA",
     KERNEL_JSON_STRING},
    {"{\"wanted\": \"\\u00e4 \\u20ac \\uD83D\\uDE00\"}", "? ? ?", KERNEL_JSON_STRING},
    {"{\"wanted\": 1}", NULL, KERNEL_JSON_OTHER},
    {"{\"wanted\": {\"wanted\": \"x\"}}", NULL, KERNEL_JSON_OTHER},
    {"{\"wanted\": \"\\ud83d\"}", NULL, KERNEL_JSON_OTHER},
    {"{\"other\": \"wanted\"}", NULL, KERNEL_JSON_ABSENT},
    {"{}", NULL, KERNEL_JSON_ABSENT},
    {"[\"wanted\"]", NULL, KERNEL_JSON_ABSENT},
    {"\"wanted\"", NULL, KERNEL_JSON_ABSENT},
    {"", NULL, KERNEL_JSON_ABSENT},
    {"{\"other\" \"wanted\"}", NULL, KERNEL_JSON_ABSENT},
    {"{\"other\": tru, \"wanted\": \"x\"}", NULL, KERNEL_JSON_ABSENT},
    {"{\"other\": 1; \"wanted\": \"x\"}", NULL, KERNEL_JSON_ABSENT},
    {"{\"other\": 1, wanted: \"x\"}", NULL, KERNEL_JSON_ABSENT},
};

TEST(a_member_is_found, .rows = ROWS(members))
{
  const Member *member = &members[_i];
  size_t size = strlen(member->document), length = 0;
  // No more room than is promised.
  char *document = malloc(size ? size : 1), *text = malloc(size ? size : 1);
  ck_assert(document && text);
  memcpy(document, member->document, size);
  KernelJsonMember found = kernel_json_member(document, size, "wanted", text, &length);
  ck_assert_msg(found == member->what, "%d: %s", found, member->document);
  if (member->text) {
    ck_assert_uint_eq(length, strlen(member->text));
    ck_assert_mem_eq(text, member->text, length);
  }
  free(document);
  free(text);
}

TEST(both_go_as_deep)
{
  for (size_t depth = KERNEL_JSON_DEPTH_MAX - 2; depth < KERNEL_JSON_DEPTH_MAX + 2; ++depth)
    for (int filled = 0; filled < 2; ++filled) {
      char *text = malloc(2 * depth + 2);
      ck_assert_ptr_nonnull(text);
      memset(text, '[', depth);
      text[depth] = '1';
      memset(text + depth + filled, ']', depth);
      size_t size = 2 * depth + (size_t)filled;
      bool fits = depth + (size_t)filled <= KERNEL_JSON_DEPTH_MAX;
      ck_assert_msg(kernel_json_is_document(text, size) == fits, "%zu deep", depth);
      ck_assert_msg(is_json_for_the_reader(text, size) == fits, "%zu deep", depth);
      free(text);
    }
}
