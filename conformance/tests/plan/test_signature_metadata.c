// SPDX-License-Identifier: Apache-2.0
// What modules say of their functions: as generators write it, and as nobody should.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plan/signature_metadata.h"
#include "unit/unit.h"

static Kernel kernel;
static char error[256];

// Reads the bytes into a new kernel.
static bool read_bytes(const char *text, size_t size)
{
  memset(&kernel, 0, sizeof kernel);
  snprintf(kernel.name, sizeof kernel.name, "add");
  kernel.has_metadata = true;
  memset(error, 'x', sizeof error);
  return signature_metadata_read(text, size, &kernel, error, sizeof error);
}

static bool read_text(const char *text)
{
  return read_bytes(text, strlen(text));
}

// Metadata with this schema, written as a string of JSON.
static char *with_schema(const char *schema)
{
  char *text = malloc(2 * strlen(schema) + 32), *to = stpcpy(text, "{\"type_schema\": \"");
  for (; *schema; ++schema) {
    if (*schema == '"' || *schema == '\\') *to++ = '\\';
    *to++ = *schema;
  }
  strcpy(to, "\"}");
  return text;
}

static bool read_schema(const char *schema)
{
  char *text = with_schema(schema);
  bool good = read_text(text);
  free(text);
  return good;
}

#define FUNCTION(lists) "{\"type\": \"ffi.Function\", " lists "}"
#define RETURNS(type) FUNCTION("\"args\": [" type "]")

// --- What is read --------------------------------------------------------------------------------

static void expect_int_of_float_and_tensor(void)
{
  ck_assert_int_eq(kernel.source, KERNEL_FROM_METADATA);
  ck_assert_int_eq(kernel.result.kind, KERNEL_INT);
  ck_assert_uint_eq(kernel.parameter_count, 2);
  ck_assert_uint_eq(kernel.expected_of, 2);
  ck_assert_int_eq(kernel.parameters[0].kind, KERNEL_FLOAT);
  ck_assert_double_eq(kernel.parameters[0].number, 1);
  ck_assert_int_eq(kernel.parameters[1].kind, KERNEL_TENSOR);
  ck_assert(!kernel.parameters[1].typed);
  ck_assert_uint_eq(kernel.parameters[1].alignment, 1);
  ck_assert_str_eq(kernel.name, "add");
  ck_assert(kernel.has_metadata);
}

TEST(one_list_begins_with_the_result)
{
  ck_assert_msg(read_schema(FUNCTION("\"args\": [{\"type\": \"int\"}, {\"type\": \"float\"}, "
                                     "{\"type\": \"DLTensor*\"}]")),
                "%s", error);
  ck_assert_str_eq(error, "");
  expect_int_of_float_and_tensor();
}

TEST(two_lists_have_names)
{
  ck_assert_msg(
      read_schema(FUNCTION("\"named_args\": {\"return\": [{\"type\": \"int\"}], \"params\": "
                           "[{\"type\": \"float\"}, {\"type\": \"ffi.Tensor\"}]}")),
      "%s", error);
  expect_int_of_float_and_tensor();
}

static const struct {
  const char *type;
  KernelKind kind;
  const char *type_key;
} types[] = {
    {"None", KERNEL_NONE, ""},
    {"int", KERNEL_INT, ""},
    {"bool", KERNEL_BOOL, ""},
    {"float", KERNEL_FLOAT, ""},
    {"void*", KERNEL_POINTER, ""},
    {"DataType", KERNEL_DTYPE, ""},
    {"dtype", KERNEL_DTYPE, ""},
    {"Device", KERNEL_DEVICE, ""},
    {"DLTensor*", KERNEL_TENSOR, ""},
    {"ffi.Tensor", KERNEL_TENSOR, ""},
    {"ffi.String", KERNEL_STRING, ""},
    {"std::string", KERNEL_STRING, ""},
    {"const char*", KERNEL_STRING, ""},
    {"str", KERNEL_STRING, ""},
    {"TVMFFIByteArray*", KERNEL_BYTES, ""},
    {"ffi.Bytes", KERNEL_BYTES, ""},
    {"bytes", KERNEL_BYTES, ""},
    {"ffi.Shape", KERNEL_SHAPE, ""},
    {"ffi.Function", KERNEL_FUNCTION, ""},
    {"Any", KERNEL_ANY, ""},
    {"Variant", KERNEL_ANY, ""},
    {"Tuple", KERNEL_ANY, ""},
    {"", KERNEL_ANY, ""},
    {"ffi.Array", KERNEL_OBJECT, "ffi.Array"},
    {"ffi.Module", KERNEL_OBJECT, "ffi.Module"},
    {"my.Thing", KERNEL_OBJECT, "my.Thing"},
    {"my.thing.whose.name.is.longer.than.47.letters.and.is.cut", KERNEL_OBJECT,
     "my.thing.whose.name.is.longer.than.47.letters.a"},
};

TEST(types_and_their_kinds, .rows = ROWS(types))
{
  char schema[400];
  snprintf(schema, sizeof schema,
           "{\"type\": \"ffi.Function\", \"args\": [{\"type\": \"%s\"}, {\"type\": \"Optional\", "
           "\"args\": [{\"type\": \"%s\"}]}]}",
           types[_i].type, types[_i].type);
  ck_assert_msg(read_schema(schema), "%s", error);
  ck_assert_int_eq(kernel.result.kind, types[_i].kind);
  ck_assert(!kernel.result.optional);
  ck_assert_str_eq(kernel.result.type_key, types[_i].type_key);
  ck_assert_int_eq(kernel.parameters[0].kind, types[_i].kind);
  ck_assert(kernel.parameters[0].optional);
  ck_assert_str_eq(kernel.parameters[0].type_key, types[_i].type_key);
}

static unsigned spellings_of(const char *type)
{
  char schema[160];
  snprintf(schema, sizeof schema, RETURNS("{\"type\": \"None\"}, {\"type\": \"%s\"}"), type);
  ck_assert_msg(read_schema(schema), "%s", error);
  return kernel.parameters[0].spellings;
}

TEST(types_that_take_one_spelling)
{
  ck_assert_uint_eq(spellings_of("ffi.Tensor"), KERNEL_SPELLED_OBJECT);
  ck_assert_uint_eq(spellings_of("DLTensor*"), 0);
  ck_assert_uint_eq(spellings_of("const char*"), KERNEL_SPELLED_RAW);
  ck_assert_uint_eq(spellings_of("TVMFFIByteArray*"), KERNEL_SPELLED_BYTE_ARRAY);
  ck_assert_uint_eq(spellings_of("ffi.Bytes"), 0);
  ck_assert_uint_eq(spellings_of("ffi.String"), KERNEL_SPELLED_AS_STRING);
  ck_assert_uint_eq(spellings_of("std::string"), 0);
}

TEST(odd_types_are_anything)
{
  ck_assert(
      read_schema(RETURNS("3, null, [], {}, {\"type\": 3}, {\"type\": \"Optional\"}, "
                          "{\"type\": \"Optional\", \"args\": [{\"type\": \"Optional\", \"args\": "
                          "[{\"type\": \"int\"}]}]}")));
  ck_assert_uint_eq(kernel.parameter_count, 6);
  for (uint32_t i = 0; i < 5; ++i) ck_assert_int_eq(kernel.parameters[i].kind, KERNEL_ANY);
  ck_assert_int_eq(kernel.parameters[5].kind, KERNEL_INT);
  ck_assert(kernel.parameters[5].optional);
}

TEST(other_members_make_no_difference)
{
  ck_assert(
      read_text("{\"a\": [1, {}], \"type_schema\": "
                "\"{\\\"type\\\":\\\"ffi.Function\\\",\\\"args\\\":[{\\\"type\\\":\\\"None\\\"}]"
                ",\\\"x\\\":1}\", \"z\": null}"));
  ck_assert_uint_eq(kernel.parameter_count, 0);
}

// --- What is refused -----------------------------------------------------------------------------

static const struct {
  const char *text, *complaint;
} mistakes[] = {
    {"", ""},
    {"{}", ""},
    {"[]", "not a JSON object"},
    {"nonsense", "metadata is not JSON: line 1: "},
    {"{\"type_schema\": \"{}\"", "metadata is not JSON: line 1: "},
    {"{\"type_schema\":\n\n \"{}\", 3}", "metadata is not JSON: line 3: "},
    {"{\"type_schema\": \"{}\", \"type_schema\": \"[\"}", "type_schema is not JSON: line 1: "},
    {"{\"type_schema\": \"\xff\"}", "metadata is not JSON: line 1: "},
    {"{\"type_schema\": \"\\ud800\"}", "metadata is not JSON: line 1: "},
    {"{\"type_schema\": {\"type\": \"ffi.Function\"}}", "type_schema is not a string"},
    {"{\"type_schema\": null}", "type_schema is not a string"},
    {"{\"type_schema\": \"\"}", "type_schema is not JSON: line 1: "},
    {"{\"type_schema\": \"ffi.Function\"}", "type_schema is not JSON: line 1: "},
    {"{\"type_schema\": \"\\\"{}\\\"\"}", "type_schema is not JSON: line 1: "},
    {"{\"type_schema\": \"\\n\\n{\"}", "type_schema is not JSON: line 3: "},
    {"{\"type_schema\": \"[]\"}", "type_schema has type \"\", not \"ffi.Function\""},
    {"{\"type_schema\": \"{\\\"type\\\": 3}\"}", "type_schema has type \"\", not \"ffi.Function\""},
    {"{\"type_schema\": \"{\\\"type\\\": \\\"int\\\"}\"}",
     "type_schema has type \"int\", not \"ffi.Function\""},
    {"{\"type_schema\": \"{\\\"type\\\": \\\"\\\\u001b[2J\\\"}\"}",
     "type_schema has type \"?[2J\", not \"ffi.Function\""},
    {"{\"type_schema\": \"{\\\"type\\\": \\\"ffi.Function\\\"}\"}",
     "type_schema lacks the types of the result and the parameters"},
    {"{\"type_schema\": \"{\\\"type\\\": \\\"ffi.Function\\\", \\\"args\\\": []}\"}",
     "type_schema lacks the types of the result and the parameters"},
    {"{\"type_schema\": \"{\\\"type\\\": \\\"ffi.Function\\\", \\\"args\\\": {}}\"}",
     "type_schema lacks the types of the result and the parameters"},
    {"{\"type_schema\": \"{\\\"type\\\": \\\"ffi.Function\\\", \\\"named_args\\\": []}\"}",
     "type_schema lacks the types of the result and the parameters"},
    {"{\"type_schema\": \"{\\\"type\\\": \\\"ffi.Function\\\", \\\"named_args\\\": "
     "{\\\"return\\\": "
     "[{}]}}\"}",
     "type_schema lacks the types of the result and the parameters"},
};

static void expect_untouched(void)
{
  Kernel blank = {.has_metadata = true};
  snprintf(blank.name, sizeof blank.name, "add");
  ck_assert_mem_eq(&kernel, &blank, sizeof kernel);
}

TEST(mistakes_are_told_and_change_nothing, .rows = ROWS(mistakes))
{
  const char *complaint = mistakes[_i].complaint;
  ck_assert_msg(!read_text(mistakes[_i].text), "taken: %s", mistakes[_i].text);
  ck_assert_msg(strncmp(error, complaint, strlen(complaint)) == 0 && (*complaint || !*error),
                "\"%s\" instead of \"%s\"", error, complaint);
  expect_untouched();
}

TEST(a_nul_is_no_end)
{
  ck_assert(!read_bytes("{}\0", 3));
  ck_assert_msg(strncmp(error, "metadata is not JSON: ", 22) == 0, "%s", error);
}

// `count` times `unit`, with `begin` in front.
static char *repeated(const char *begin, const char *unit, size_t count)
{
  size_t length = strlen(unit);
  char *text = malloc(strlen(begin) + count * length + 64), *to = stpcpy(text, begin);
  for (size_t i = 0; i < count; ++i, to += length) memcpy(to, unit, length);
  *to = '\0';
  return text;
}

TEST(a_million_levels_are_refused)
{
  static const struct {
    const char *begin, *unit, *complaint;
  } deep[] = {
      {"", "[", "metadata is not JSON: "},
      {"", "{\"a\":", "metadata is not JSON: "},
      {"{\"type_schema\": \"", "[", "metadata is not JSON: "},  // without an end
  };
  for (size_t i = 0; i < sizeof deep / sizeof deep[0]; ++i) {
    char *text = repeated(deep[i].begin, deep[i].unit, 1000 * 1000);
    ck_assert(!read_text(text));
    ck_assert_msg(strncmp(error, deep[i].complaint, strlen(deep[i].complaint)) == 0, "%s", error);
    expect_untouched();
    free(text);
  }
  char *text = repeated("{\"type_schema\": \"", "[", 1000 * 1000);
  strcat(text, "\"}");
  ck_assert(!read_text(text));
  ck_assert_msg(strncmp(error, "type_schema is not JSON: ", 25) == 0, "%s", error);
  expect_untouched();
  free(text);
}

TEST(the_most_parameters)
{
  char *schema = repeated(RETURNS("{}"), "", 0);
  schema[strlen(schema) - 2] = '\0';
  for (uint32_t count = 1; count <= KERNEL_PARAMETERS_MAX + 1; ++count) {
    char *more = repeated(schema, ", {\"type\": \"int\"}", count);
    strcat(more, "]}");
    ck_assert_int_eq(read_schema(more), count <= KERNEL_PARAMETERS_MAX);
    if (count <= KERNEL_PARAMETERS_MAX)
      ck_assert_uint_eq(kernel.parameter_count, count);
    else
      ck_assert_str_eq(error, "more than 24 parameters");
    free(more);
  }
  expect_untouched();
  free(schema);
}
