// SPDX-License-Identifier: Apache-2.0
// Signature files as blocks of memory: what the language says is in them.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/signature/read_text.h"

static const char *const files[] = {SIGNATURE_FILES};

TEST(every_file_of_the_project_is_read_and_written, .rows = ROWS(files))
{
  Signature *signature = read_path(files[_i]);
  ck_assert_msg(signature != NULL, "%s", read_error);
  expect_written();
  free(signature);
}

// --- What is in them -----------------------------------------------------------------------------

static const char *word_of(const Signature *signature, SignatureRange range, uint32_t index)
{
  ck_assert_uint_lt(index, range.count);
  return text_of(signature, signature_value(signature, range.first + index)->text);
}

typedef struct ShapeRow {
  const char *json;
  unsigned count;
  struct {
    SignatureExtentForm form;
    const char *text;
    int64_t number;
  } extents[4];
} ShapeRow;

static const ShapeRow shapes[] = {
    {"\"\"", 0, {{0}}},
    {"[]", 0, {{0}}},
    {"\"n  2*n 7\"",
     3,
     {{SIGNATURE_EXTENT_EXPRESSION, "n", 0},
      {SIGNATURE_EXTENT_EXPRESSION, "2*n", 0},
      {SIGNATURE_EXTENT_NUMBER, "", 7}}},
    {"[\"n\", 3, \"(n+3)//4\"]",
     3,
     {{SIGNATURE_EXTENT_EXPRESSION, "n", 0},
      {SIGNATURE_EXTENT_NUMBER, "", 3},
      {SIGNATURE_EXTENT_EXPRESSION, "(n+3)//4", 0}}},
    {"\"... m\"", 2, {{SIGNATURE_EXTENT_ANY_RANK, "", 0}, {SIGNATURE_EXTENT_EXPRESSION, "m", 0}}},
    {"\"*batch _\"", 2, {{SIGNATURE_EXTENT_NAMED_RANK, "batch", 0}, {SIGNATURE_EXTENT_ANY, "", 0}}},
    {"\"#n b=4 k\"",
     3,
     {{SIGNATURE_EXTENT_BROADCAST, "n", 0},
      {SIGNATURE_EXTENT_NUMBER, "b", 4},
      {SIGNATURE_EXTENT_EXPRESSION, "k", 0}}},
};

TEST(shapes_are_read, .rows = ROWS(shapes))
{
  const ShapeRow *row = &shapes[_i];
  char text[400];
  snprintf(text, sizeof text,
           FUNCTION("\"parameters\": [{\"kind\": \"tensor\", \"dtype\": \"int8\", \"shape\": %s},"
                    "{\"name\": \"k\", \"kind\": \"int\"}]"),
           row->json);
  Signature *signature = good(text);
  const SignatureType *x = parameter(signature, 0);
  ck_assert(x->has_shape);
  ck_assert_uint_eq(x->shape.count, row->count);
  for (uint32_t i = 0; i < row->count; ++i) {
    const SignatureExtent *extent = signature_extent(signature, x->shape.first + i);
    ck_assert_int_eq(extent->form, row->extents[i].form);
    ck_assert_str_eq(text_of(signature, extent->text), row->extents[i].text);
    ck_assert_int_eq(extent->number, row->extents[i].number);
  }
  free(signature);
}

TEST(tensors_of_several_types)
{
  Signature *signature = good(FUNCTION(
      "\"dtypes\": {\"T\": [\"float16\", \"float32\"]}, \"devices\": {\"D\": [\"cpu\", \"cuda\"]},"
      "\"parameters\": [{\"kind\": \"tensor\", \"dtype\": \"T\", \"shape\": \"n\", \"device\": \"D\"},"
      "{\"kind\": \"tensor\", \"dtype\": [\"int8\", \"bool\"], \"shape\": \"n\", \"device\": [\"cpu\"],"
      " \"layout\": \"rows\", \"min\": -1, \"max\": \"n - 1\", \"values\": [0, 2], \"role\": \"inout\","
      " \"alignment\": 16, \"alias\": [\"x\"]},"
      "{\"name\": \"x\", \"kind\": \"tensor\"}]"));
  const SignatureForm *form = signature_form(signature, 0);
  const SignatureVariable *t = signature_variable(signature, form->dtypes.first);
  ck_assert_str_eq(text_of(signature, t->name), "T");
  ck_assert_str_eq(word_of(signature, t->values, 1), "float32");
  ck_assert_uint_eq(form->devices.count, 1);
  const SignatureType *x = parameter(signature, 0), *y = parameter(signature, 1);
  ck_assert_str_eq(text_of(signature, x->dtype_variable), "T");
  ck_assert_str_eq(text_of(signature, x->device_variable), "D");
  ck_assert_uint_eq(x->dtypes.count, 0);
  ck_assert_str_eq(word_of(signature, y->dtypes, 1), "bool");
  ck_assert_str_eq(word_of(signature, y->devices, 0), "cpu");
  ck_assert_int_eq(y->layout, SIGNATURE_ROWS);
  ck_assert_int_eq(y->role, KERNEL_INOUT);
  ck_assert_uint_eq(y->alignment, 16);
  ck_assert_str_eq(text_of(signature, y->least), "-1");
  ck_assert_str_eq(text_of(signature, y->most), "n - 1");
  ck_assert_uint_eq(y->values.count, 2);
  ck_assert_str_eq(word_of(signature, y->aliases, 0), "x");
  free(signature);
}

TEST(containers_hold_types)
{
  Signature *signature = good(FUNCTION(
      "\"parameters\": ["
      "{\"kind\": \"array\", \"element\": {\"kind\": \"tensor\", \"dtype\": \"int8\", \"shape\": \"n\"},"
      " \"length\": [0, 3]},"
      "{\"kind\": \"tuple\", \"elements\": [{\"kind\": \"int\"}, {\"kind\": \"string\"}]},"
      "{\"kind\": \"map\", \"entries\": {\"eps\": {\"kind\": \"float\", \"optional\": true}}},"
      "{\"kind\": \"map\", \"key\": {\"kind\": \"int\"}, \"element\": {\"kind\": \"bool\"}, \"length\": \"n\"},"
      "{\"kind\": \"variant\", \"any_of\": [{\"kind\": \"int\"}, {\"kind\": \"array\"}]},"
      "{\"kind\": \"function\", \"parameters\": [{\"name\": \"a\", \"kind\": \"int\"}],"
      " \"result\": {\"kind\": \"int\"}, \"does\": \"2 * a\"},"
      "{\"kind\": \"shape\", \"extents\": \"n 2\"}],"
      "\"rest\": {\"name\": \"more\", \"kind\": \"int\", \"counts\": [0, 2]}"));
  const SignatureType *array = parameter(signature, 0), *tuple = parameter(signature, 1);
  const SignatureType *named = parameter(signature, 2), *map = parameter(signature, 3);
  const SignatureType *variant = parameter(signature, 4), *function = parameter(signature, 5);
  ck_assert_int_eq(signature_type(signature, array->children.first)->kind, KERNEL_TENSOR);
  ck_assert_uint_eq(array->lengths.count, 2);
  ck_assert_int_eq(signature_type(signature, tuple->children.first + 1)->kind, KERNEL_STRING);
  ck_assert(named->has_entries);
  const SignatureType *eps = signature_type(signature, named->children.first);
  ck_assert_str_eq(text_of(signature, eps->name), "eps");
  ck_assert(eps->optional);
  ck_assert(!map->has_entries);
  ck_assert_int_eq(signature_type(signature, map->children.first + 1)->kind, KERNEL_BOOL);
  ck_assert_str_eq(text_of(signature, map->length), "n");
  ck_assert_uint_eq(variant->children.count, 2);
  ck_assert_str_eq(text_of(signature, function->does), "2 * a");
  ck_assert_int_eq(signature_type(signature, function->returns)->kind, KERNEL_INT);
  ck_assert_uint_eq(parameter(signature, 6)->shape.count, 2);
  const SignatureType *rest = signature_type(signature, signature_form(signature, 0)->rest);
  ck_assert_uint_eq(rest->lengths.count, 2);
  free(signature);
}

TEST(promises_are_read)
{
  Signature *signature = good(FUNCTION(
      "\"parameters\": [{\"name\": \"x\", \"kind\": \"tensor\", \"dtype\": \"float32\","
      " \"shape\": \"n\", \"role\": \"inout\"}, {\"name\": \"k\", \"kind\": \"int\", \"min\": 0},"
      " {\"name\": \"a\", \"kind\": \"map\"}],"
      "\"sizes\": {\"n\": [4, 400]}, \"where\": [\"k <= n\"], \"checks\": [\"arity\", \"value\"],"
      "\"tolerance\": {\"float32\": 0.5}, \"expected\": {\"x\": \"x + k\", \"result[0].a\": \"k\"},"
      "\"refuses\": [{\"when\": \"k > n\", \"kind\": \"ValueError\", \"message\": \"k must\"},"
      " {\"with\": {\"k\": 9, \"n\": 5, \"x\": null}}],"
      "\"calls\": [{\"arguments\": {\"k\": 3, \"a\": {\"eps\": 0.5}}, \"expected\": {\"x\": \"x\"}},"
      " {\"arguments\": {\"k\": -1}, \"refused\": {\"kind\": \"ValueError\"}}]"));
  const SignatureForm *form = signature_form(signature, 0);
  ck_assert_uint_eq(signature_variable(signature, form->sizes.first)->values.count, 2);
  ck_assert_str_eq(signature_condition(signature, form->where.first), "k <= n");
  ck_assert_uint_eq(form->checks, SIGNATURE_CHECKS_ARITY | SIGNATURE_CHECKS_VALUE);
  ck_assert_double_eq(signature_tolerance(signature, form->tolerances.first)->relative, 0.5);
  ck_assert_uint_eq(form->expected.count, 2);
  ck_assert_str_eq(text_of(signature, signature_expected(signature, form->expected.first + 1)->of),
                   "result[0].a");
  const SignatureRefusal *when = signature_refusal(signature, form->refusals.first);
  ck_assert_str_eq(text_of(signature, when->when), "k > n");
  ck_assert_str_eq(text_of(signature, when->message), "k must");
  const SignatureRefusal *with = signature_refusal(signature, form->refusals.first + 1);
  ck_assert_uint_eq(with->with.count, 3);
  const SignatureSetting *null = signature_setting(signature, with->with.first + 2);
  ck_assert_int_eq(signature_value(signature, null->value)->kind, KERNEL_NONE);
  const SignatureCall *call = signature_call(signature, form->calls.first);
  const SignatureSetting *a = signature_setting(signature, call->arguments.first + 1);
  const SignatureValue *map = signature_value(signature, a->value);
  ck_assert_int_eq(map->kind, KERNEL_MAP);
  ck_assert_str_eq(word_of(signature, map->items, 0), "eps");
  ck_assert_double_eq(signature_value(signature, map->items.first + 1)->number, 0.5);
  ck_assert(!call->refused && signature_call(signature, form->calls.first + 1)->refused);
  free(signature);
}

TEST(a_function_may_have_several_signatures)
{
  Signature *signature =
      good(FUNCTION("\"signatures\": [{\"parameters\": []}, {\"parameters\": [{\"kind\": \"int\"}],"
                    " \"checks\": false}]"));
  ck_assert_uint_eq(signature->forms.count, 2);
  ck_assert_uint_eq(signature_form(signature, 0)->checks, SIGNATURE_CHECKS_ALL);
  ck_assert_uint_eq(signature_form(signature, 1)->checks, 0);
  ck_assert_uint_eq(signature_form(signature, 1)->parameters.count, 1);
  ck_assert(!signature->tentative);
  free(signature);
}

TEST(calls_may_have_numbers_that_are_none)
{
  Signature *signature = good(FUNCTION(
      "\"parameters\": [{\"name\": \"p\", \"kind\": \"float\"}], \"combinations\": \"calls\", "
      "\"calls\": [{\"arguments\": {\"p\": \"nan\"}}, {\"arguments\": {\"p\": \"-inf\"}}]"));
  const SignatureForm *form = signature_form(signature, 0);
  const SignatureCall *calls = signature_call(signature, form->calls.first);
  double found[2];
  for (int i = 0; i < 2; ++i)
    found[i] =
        signature_value(signature, signature_setting(signature, calls[i].arguments.first)->value)
            ->number;
  ck_assert(isnan(found[0]) && isinf(found[1]) && found[1] < 0);
  ck_assert(form->only_calls);
  free(signature);
}

// What is written as a tensor is one where the file says that there is one, in containers too.
TEST(tensors_in_containers_need_no_type_of_their_own)
{
  static const char elements[] = "{\"elements\": [1, 2]}";
  char text[1024];
  static const char *const types[] = {
      "\"kind\": \"array\", \"element\": {%s}",
      "\"kind\": \"tuple\", \"elements\": [{%s}]",
      "\"kind\": \"map\", \"entries\": {\"k\": {%s}}",
      "\"kind\": \"variant\", \"any_of\": [{\"kind\": \"int\"}, {%s}]",
  };
  static const char *const values[] = {"[%s]", "[%s]", "{\"k\": %s}", "%s"};
  for (size_t i = 0; i < sizeof types / sizeof types[0]; ++i) {
    char type[256], value[64];
    snprintf(type, sizeof type, types[i],
             "\"kind\": \"tensor\", \"dtype\": \"int8\", \"shape\": \"_\"");
    snprintf(value, sizeof value, values[i], elements);
    snprintf(text, sizeof text,
             "{\"functions\": {\"f\": {\"parameters\": [{\"name\": \"p\", %s}], \"calls\": "
             "[{\"arguments\": {\"p\": %s}}]}}}",
             type, value);
    Signature *signature = good(text);
    const SignatureCall *call =
        signature_call(signature, signature_form(signature, 0)->calls.first);
    const SignatureValue *given =
        signature_value(signature, signature_setting(signature, call->arguments.first)->value);
    if (given->kind != KERNEL_TENSOR)
      given = signature_value(signature, given->items.first + given->items.count - 1);
    ck_assert_int_eq(given->kind, KERNEL_TENSOR);
    free(signature);
  }
}

// Others may be taken besides examples: the value is one more of them.
TEST(a_value_may_stand_beside_examples)
{
  Signature *signature =
      good(FUNCTION("\"parameters\": [{\"name\": \"p\", \"kind\": \"int\", \"value\": 2, "
                    "\"examples\": [1, 9223372036854775807]}, {\"name\": \"q\", \"kind\": "
                    "\"int\", \"value\": 1, \"examples\": [1, 3]}]"));
  const SignatureForm *form = signature_form(signature, 0);
  const SignatureType *types = signature_type(signature, form->parameters.first);
  ck_assert_uint_eq(types[0].values.count, 3);
  ck_assert_int_eq(signature_value(signature, types[0].values.first + 2)->integer, 2);
  ck_assert_int_eq(signature_value(signature, types[0].example)->integer, 2);
  ck_assert_uint_eq(types[1].values.count, 2);
  free(signature);
}

TEST(a_length_may_depend_on_any_parameter)
{
  Signature *signature = good(FUNCTION(
      "\"parameters\": [{\"name\": \"parts\", \"kind\": \"variant\", \"any_of\": [{\"kind\": \"int\"}, "
      "{\"kind\": \"array\", \"element\": {\"kind\": \"int\"}}]}], \"result\": {\"kind\": \"array\", "
      "\"element\": {\"kind\": \"int\"}, \"length\": \"parts if ndim(parts) == 0 else len(parts)\"}"));
  const SignatureForm *form = signature_form(signature, 0);
  ck_assert_str_eq(text_of(signature, signature_type(signature, form->result)->length),
                   "parts if ndim(parts) == 0 else len(parts)");
  ck_assert(!form->only_calls);
  free(signature);
}

TEST(an_int_in_sizes_has_its_example)
{
  Signature *signature =
      good(FUNCTION("\"parameters\": [{\"name\": \"n\", \"kind\": \"int\"}, {\"kind\": \"tensor\","
                    " \"dtype\": \"int8\", \"shape\": \"n\"}], \"sizes\": {\"n\": 9}"));
  ck_assert_uint_eq(signature_form(signature, 0)->sizes.count, 0);
  ck_assert_int_eq(signature_value(signature, parameter(signature, 0)->example)->integer, 9);
  free(signature);
}

// --- What is refused -----------------------------------------------------------------------------

typedef struct Mistake {
  const char *text, *complaint;
} Mistake;

#define SHAPE(shape) TYPE("\"kind\": \"tensor\", \"dtype\": \"int8\", \"shape\": " shape)
#define TENSOR(members) TYPE("\"kind\": \"tensor\", " members)
#define WITH_X(members) \
  FUNCTION("\"parameters\": [{\"name\": \"x\", \"kind\": \"int\"}],\n" members)
#define STEPS(steps) WITH_X("\"sequences\": [{\"steps\": [" steps "]}]")
#define LETTERS_64 "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijkl"
#define LONG_KEY LETTERS_64 LETTERS_64 LETTERS_64 LETTERS_64 LETTERS_64 LETTERS_64
#define STEP0 "functions.f.sequences[0].steps[0]"
#define KEEP_A "{\"call\": \"f\", \"arguments\": {\"x\": 1}, \"keep\": \"a\"}"
#define TENSOR_CALL(value)                                                                        \
  FUNCTION(                                                                                       \
      "\"parameters\": [{\"name\": \"x\", \"kind\": \"tensor\", \"dtype\": \"int8\", \"shape\": " \
      "\"n\"}], \"calls\": [{\"arguments\": {\"x\": " value "}}]")
#define X "functions.f.parameters[0]"
#define LET(members) WITH_X("\"let\": {" members "}")
#define LET_P(members) WITH_X("\"let\": {\"p\": \"x + 1\"},\n" members)
#define LET_IN_TYPE(members) \
  FUNCTION("\"parameters\": [{\"name\": \"x\", " members "}], \"let\": {\"p\": \"2\"}")
#define ONLY_FORMULAS \
  "\"p\" is a name of \"let\", which only formulas of \"expected\", \"where\" and \"when\" know"

static const Mistake mistakes[] = {
    {SHAPE("\"n ... *b\""), X ".shape: \"*b\": a shape has \"...\" or \"*name\" once"},
    {WITH_X("\"combinations\": \"calls\""), "functions.f.combinations: there are no \"calls\""},
    {WITH_X("\"example\": \"calls\""), "functions.f.example: there are no \"calls\""},
    {WITH_X("\"example\": \"first\""),
     "functions.f.example: unknown example \"first\" (known: made, calls)"},
    {FUNCTION("\"parameters\": [{\"name\": \"a\", \"kind\": \"array\", \"element\": {\"kind\": "
              "\"tensor\", \"dtype\": \"int8\", \"shape\": \"_\"}}], \"calls\": [{\"arguments\": "
              "{\"a\": [{\"elements\": [1]}, {\"elements\": [\"x\"]}]}}]"),
     "functions.f.calls[0].arguments.a[1].elements[0]: expected a number, true, false, \"nan\", "
     "\"inf\" or \"-inf\""},
    {FUNCTION(
         "\"parameters\": [{\"name\": \"p\", \"kind\": \"float\"}], \"calls\": [{\"arguments\": "
         "{\"p\": \"NaN\"}}]"),
     "functions.f.calls[0].arguments.p: expected a number, \"nan\", \"inf\" or \"-inf\""},
    {SHAPE("\"n 2*\""), X ".shape: \"2*\": character 3: a value expected"},
    {SHAPE("\"n 2*d\""), X ".shape: \"d\" is neither a size nor a parameter (known here: n)"},
    {SHAPE("\"n x\""), X ".shape: \"x\" is no size, and no parameter that is always an int (known "
                         "here: n)"},
    {SHAPE("[\"n\", \"2 * n\"]"), X ".shape[1]: \"2 * n\": an extent is written without spaces"},
    {SHAPE("\"n=m\""), X ".shape: \"n=m\": expected NAME=NUMBER"},
    {SHAPE("\"*2\""), X ".shape: \"*2\": expected a name of up to 15 letters behind *"},
    {TYPE("\"kind\": \"int\", \"min\": []"), X ".min: expected a number or an expression"},
    {TYPE("\"kind\": \"int\", \"max\": \"m\""),
     X ".max: \"m\" is neither a size nor a parameter (known here: x)"},
    {TYPE("\"kind\": \"int\", \"value\": 3, \"values\": [1, 2]"),
     X ".value: is not among \"values\""},
    {TYPE("\"kind\": \"int\", \"values\": [1], \"examples\": [2]"),
     X ".examples: \"values\" says that no others are taken"},
    {TYPE("\"kind\": \"int\", \"values\": [1, 1]"), X ".values[1]: is listed twice"},
    {TYPE("\"kind\": \"bool\", \"value\": 2"), X ".value: expected true or false"},
    {TYPE("\"kind\": \"device\", \"value\": \"gpu\""),
     X ".value: expected \"cpu\", \"cuda\", \"cuda:1\", ..."},
    {TYPE("\"kind\": \"shape\", \"value\": [1, \"n\"]"), X ".value: expected an array of integers"},
    {TYPE("\"kind\": \"tensor\", \"dtype\": [\"int8\", \"int\"], \"shape\": \"n\""),
     X ".dtype[1]: expected a data type such as \"float32\""},
    {TYPE("\"kind\": \"tensor\", \"dtype\": \"T\", \"shape\": \"n\""),
     X ".dtype: expected a data type such as \"float32\""},
    {TYPE("\"kind\": \"tensor\", \"layout\": \"dense\""),
     X ".layout: unknown layout \"dense\" (known: contiguous, strided, rows)"},
    {TYPE("\"kind\": \"array\", \"elements\": []"), X
     ".elements: unknown member (known here: name, kind, optional, retained, text, element, length, value)"},
    {TYPE("\"kind\": \"array\", \"value\": [1]"), X ".value: say what its elements are, too"},
    {TYPE("\"kind\": \"array\", \"element\": {\"kind\": \"int\"}, \"value\": {}"),
     X ".value: expected an array"},
    {TYPE("\"kind\": \"map\", \"entries\": {}, \"value\": {}"),
     X ".value: each of \"entries\" has a value of its own"},
    {TENSOR("\"alias\": \"y\""), X ".alias: is of an output (\"out\", \"inout\") or of the result"},
    {TENSOR("\"role\": \"out\", \"alias\": \"y\""),
     X ".alias: \"y\" is not a parameter that is a tensor"},
    {TENSOR("\"role\": \"out\", \"alias\": \"x\""), X ".alias: \"x\" is this tensor"},
    {TENSOR("\"role\": \"out\", \"alias\": []"),
     X ".alias: expected a name, or an array of 1 to 8"},
    {TENSOR("\"role\": \"out\", \"alias\": [1]"), X ".alias: expected the name of a parameter"},
    {WITH_X("\"result\": {\"kind\": \"tensor\", \"alias\": [\"x\"]}"),
     "functions.f.result.alias: expected the name of the parameter that is returned"},
    {FUNCTION("\"parameters\": [{\"name\": \"x\", \"kind\": \"tensor\"}],\n"
              "\"result\": {\"kind\": \"tensor\", \"alias\": \"x\"}, \"promises\": [\"fresh\"]"),
     "functions.f.promises: \"fresh\" says that the result is not an argument, \"alias\" that it is one"},
    {TYPE("\"kind\": \"array\", \"element\": {\"kind\": \"string\", \"spellings\": [\"raw\"]}"),
     X ".element.spellings: only parameters have spellings"},
    {TYPE("\"kind\": \"array\", \"element\": {\"kind\": \"string\", \"retained\": true}"),
     X ".element.retained: only parameters are retained"},
    {TYPE("\"kind\": \"array\", \"length\": -1"),
     X ".length: expected a number, a list of numbers, or an expression"},
    {TYPE("\"kind\": \"tuple\""), X ".elements: expected an array"},
    {TYPE("\"kind\": \"variant\", \"any_of\": []"),
     X ".any_of: expected a non-empty array of types"},
    {TYPE("\"kind\": \"map\", \"key\": {\"kind\": \"string\"}"),
     X ": a map has both \"key\" and \"element\", or \"entries\""},
    {TYPE("\"kind\": \"map\", \"entries\": {}, \"length\": 1"),
     X ".entries: stands alone, without key, element and length"},
    {TYPE("\"kind\": \"function\", \"parameters\": [{\"name\": \"a\"}], \"does\": \"b\""),
     X ".does: \"b\" is neither a size nor a parameter (known here: a)"},
    {WITH_X("\"rest\": {\"kind\": \"int\", \"counts\": [-1]}"),
     "functions.f.rest.counts: a length must not be negative"},
    {WITH_X("\"result\": {\"kind\": \"tensor\", \"dtype\": \"int8\", \"shape\": \"m\"}"),
     "functions.f.result.shape: \"m\" is in no parameter's shape (write \"_\" for an extent that "
     "only the function knows)"},
    {WITH_X("\"result\": {\"kind\": \"tensor\", \"role\": \"out\"}"),
     "functions.f.result.role: only parameters have roles"},
    {WITH_X("\"where\": \"x > 0\""),
     "functions.f.where: expected an array of up to 128 conditions"},
    {WITH_X("\"where\": [\"y > 0\"]"),
     "functions.f.where[0]: \"y\" is neither a size nor a parameter (known here: x)"},
    {WITH_X("\"where\": [\"exponent(x)\"]"), "functions.f.where[0]: "},
    {WITH_X("\"checks\": [\"all\"]"),
     "functions.f.checks[0]: unknown check \"all\" (known: arity, kind, dtype, rank, shape, device, "
     "layout, value)"},
    {WITH_X("\"tolerance\": {\"half\": 1}"),
     "functions.f.tolerance.half: expected a data type such as \"float32\""},
    {WITH_X("\"expected\": {\"x\": \"1\"}"), "functions.f.expected.x: \"x\" is not a tensor"},
    {WITH_X("\"expected\": {\"result[a]\": \"1\"}"),
     "functions.f.expected: \"result[a]\" is neither a parameter nor \"result\""},
    {WITH_X("\"expected\": {\"result\": {\"npy\": \"none.npy\"}}"),
     "functions.f.expected.result.npy: /tmp/none.npy can't be read"},
    {FUNCTION("\"parameters\": [{\"name\": \"x\", \"kind\": \"tensor\"}], \"expected\": {\"x\": "
              "\"1\"}"),
     "functions.f.expected.x: \"x\" is not written: its role is \"in\" (say \"out\" or \"inout\")"},
    {WITH_X("\"refuses\": [{\"kind\": \"ValueError\"}]"),
     "functions.f.refuses[0]: expected either \"when\" or \"with\""},
    {WITH_X("\"refuses\": [{\"with\": {\"y\": 1}}]"),
     "functions.f.refuses[0].with: \"y\" is not a parameter or a size"},
    {WITH_X("\"calls\": [{\"arguments\": {\"y\": 1}}]"),
     "functions.f.calls[0].arguments: \"y\" is not a parameter"},
    {WITH_X("\"calls\": [{\"arguments\": {\"x\": \"1\"}}]"),
     "functions.f.calls[0].arguments.x: expected an integer"},
    {WITH_X("\"calls\": [{\"arguments\": {\"x\": 1}, \"refused\": true, \"expected\": "
            "{\"result\": \"1\"}}]"),
     "functions.f.calls[0].refused: a refused call has no \"expected\""},
    {STEPS("7"), STEP0 ": expected an object"},
    {STEPS("{}"),
     STEP0 ".call: expected a function of the module, or a method such as \"pool.add\""},
    {STEPS("{\"call\": \"g\"}"),
     STEP0 ".call: \"g\" is neither in \"functions\" nor kept by an earlier step"},
    {STEPS("{\"call\": \"f\", \"arguments\": [1]}"),
     STEP0 ".arguments: expected an object of arguments by name"},
    {STEPS("{\"call\": \"f\", \"arguments\": {\"y\": 1}}"),
     STEP0 ".arguments.y: unknown member (known here: x)"},
    {STEPS("{\"call\": \"f\"}"), STEP0 ".arguments: expected an object of arguments by name"},
    {STEPS("{\"call\": \"f\", \"arguments\": {\"x\": \"1\"}}"),
     STEP0 ".arguments.x: expected an integer"},
    {STEPS("{\"call\": \"f\", \"arguments\": {\"x\": {\"kept\": \"a\"}}}"),
     STEP0 ".arguments.x.kept: no earlier step has \"keep\": \"a\""},
    {STEPS("{\"call\": \"f\", \"arguments\": {\"x\": 1}, \"keep\": \"f\"}"),
     STEP0 ".keep: \"f\" is a function of the module"},
    {STEPS("{\"call\": \"f\", \"arguments\": {\"x\": 1}, \"keep\": \"a b\"}"),
     STEP0 ".keep: expected a name"},
    {STEPS("{\"call\": \"f\", \"arguments\": {\"x\": 1}, \"keep\": \"a\", \"refused\": true}"),
     STEP0 ".keep: a refused call returns nothing to keep"},
    {STEPS("{\"call\": \"f\", \"arguments\": {\"x\": 1}, \"expected\": {\"result\": \"y\"}}"),
     STEP0 ".expected.result: \"y\" is neither a size nor a parameter (known here: x)"},
    {STEPS(KEEP_A ", {\"call\": \"a.\"}"),
     "functions.f.sequences[0].steps[1].call: expected the "
     "name of a method behind the dot"},
    {STEPS(KEEP_A ", " KEEP_A), "functions.f.sequences[0].steps[1].keep: \"a\" is kept already"},
    {STEPS(KEEP_A ", {\"call\": \"a.m\", \"arguments\": [{\"" LONG_KEY "\": 1}]}"),
     "functions.f.sequences[0].steps[1].arguments[0]: a key is longer than 383 bytes"},
    {FUNCTION("\"parameters\": [{\"name\": \"m\", \"kind\": \"map\"}], "
              "\"calls\": [{\"arguments\": {\"m\": {\"" LONG_KEY "\": 1}}}]"),
     "functions.f.calls[0].arguments.m: a key is longer than 383 bytes"},
    {STEPS(KEEP_A ", {\"call\": \"a.m\", \"arguments\": [{\"elements\": [[1], [2, 3]], \"dtype\": "
                  "\"int8\"}]}"),
     "functions.f.sequences[0].steps[1].arguments[0].elements[1]: expected 1 elements, as before"},
    {STEPS(KEEP_A ", {\"call\": \"a.m\", \"arguments\": [{\"elements\": [1, [2]], \"dtype\": "
                  "\"int8\"}]}"),
     "functions.f.sequences[0].steps[1].arguments[0].elements[1]: expected a number, as before"},
    {STEPS(KEEP_A ", {\"call\": \"a.m\", \"arguments\": [{\"shape\": [1048576, 1048576], "
                  "\"dtype\": \"int8\"}]}"),
     "functions.f.sequences[0].steps[1].arguments[0].shape: expected integers, 0 or more, of up to "
     "1048576 elements"},
    {STEPS(KEEP_A ", {\"call\": \"a.m\", \"arguments\": [{\"shape\": [-1], \"dtype\": \"int8\"}]}"),
     "functions.f.sequences[0].steps[1].arguments[0].shape: expected integers, 0 or more"},
    {TENSOR_CALL("{\"elements\": [\"many\"]}"),
     "functions.f.calls[0].arguments.x.elements[0]: expected a number, true, false, \"nan\", "},
    {TENSOR_CALL("{\"shape\": [1]}"),
     "functions.f.calls[0].arguments.x.shape: is an input: give its \"elements\""},
    {TENSOR_CALL("{\"elements\": [1], \"dtype\": \"single\"}"),
     "functions.f.calls[0].arguments.x.dtype: expected a data type such as \"float32\""},
    {TENSOR_CALL("7"), "functions.f.calls[0].arguments.x: a tensor is {\"npy\": FILE}, "},
    {WITH_X("\"needs\": []"), "functions.f.needs: expected an array of 1 to 64 steps"},
    {WITH_X("\"sequences\": [{\"steps\": []}]"),
     "functions.f.sequences[0].steps: expected an array of 1 to 64 steps"},
    {WITH_X("\"dtypes\": {\"int8\": [\"int8\"]}"),
     "functions.f.dtypes: \"int8\" is the name of a data type or a device"},
    {WITH_X("\"dtypes\": {\"T\": \"int8\"}"),
     "functions.f.dtypes.T: expected a non-empty array of values"},
    {WITH_X("\"sizes\": {\"x\": [1, 2]}"), X ".name: \"x\" is in \"sizes\", too: give \"value\" or "
                                             "\"values\" here"},
    {WITH_X("\"sizes\": {\"n\": []}"),
     "functions.f.sizes: the size of \"n\" must be an integer, 0 or more"},
    {FUNCTION("\"parameters\": [{\"name\": \"x\"}, {\"name\": \"x\"}]"),
     "functions.f.parameters[1].name: another parameter is called \"x\", too"},
    {WITH_X("\"let\": [\"x\"]"), "functions.f.let: expected an object of formulas by name"},
    {LET("\"a b\": \"x\""), "functions.f.let.a b: expected a name of up to 15 letters"},
    {LET("\"and\": \"x\""), "functions.f.let.and: expected a name of up to 15 letters"},
    {LET("\"abcdefghijklmnop\": \"x\""),
     "functions.f.let.abcdefghijklmnop: expected a name of up to 15 letters"},
    {LET("\"x\": \"1\""), "functions.f.let.x: \"x\" is a parameter"},
    {LET("\"n\": \"1\"}, \"sizes\": {\"n\": 3"), "functions.f.let.n: \"n\" is a size"},
    {LET("\"sum\": \"x\""), "functions.f.let.sum: \"sum\" is a function of expressions"},
    {LET("\"p\": 1"), "functions.f.let.p: expected a formula"},
    {LET("\"value\": \"x\\u0000\""), "functions.f.let.value: expected a formula"},
    {LET("\"p\": \"\""), "functions.f.let.p: \"\": character 1: a value expected"},
    {LET("\"p\": \"x) + (x\""), "functions.f.let.p: \"x) + (x\": character 2: "},
    {LET("\"p\": \"axis=x\""), "functions.f.let.p: \"axis=x\": character 5: "},
    {LET("\"p\": \"y\""),
     "functions.f.let.p: \"y\" is neither a size nor a parameter (known here: x)"},
    {LET("\"p\": \"p\""),
     "functions.f.let.p: \"p\" is neither a size nor a parameter (known here: x)"},
    {LET("\"p\": \"q\", \"q\": \"x\""),
     "functions.f.let.p: \"q\" is neither a size nor a parameter (known here: x)"},
    {LET_P("\"where\": [\"p(x) > 0\"]"), "functions.f.where[0]: \"(x + 1)(x) > 0\": character 8: "},
    {LET_P("\"where\": [\"max(x, p=1)\"]"), "functions.f.where[0]: \"max(x, p=1)\": character 8: "},
    {LET_P("\"where\": [\"p > $\"]"), "functions.f.where[0]: \"(x + 1) > $\": character 11: "},
    {LET_P("\"where\": [\"x.p\"]"), "functions.f.where[0]: \"x.p\": "},
    {LET_IN_TYPE("\"kind\": \"int\", \"max\": \"p\""), X ".max: " ONLY_FORMULAS},
    {LET_IN_TYPE("\"kind\": \"array\", \"length\": \"p + 1\""), X ".length: " ONLY_FORMULAS},
    {LET_IN_TYPE("\"kind\": \"tensor\", \"dtype\": \"int8\", \"shape\": \"2*p\""),
     X ".shape: " ONLY_FORMULAS},
    {LET_IN_TYPE("\"kind\": \"tensor\", \"dtype\": \"int8\", \"shape\": \"p\""),
     "functions.f.let.p: \"p\" is a size"},
    {LET_IN_TYPE("\"kind\": \"function\", \"does\": \"p\""), X ".does: " ONLY_FORMULAS},
    {LET_P("\"sequences\": [{\"steps\": [{\"call\": \"f\", \"arguments\": {\"x\": 1}, "
           "\"expected\": {\"result\": \"p\"}}]}]"),
     STEP0 ".expected.result: \"p\" is neither a size nor a parameter (known here: x)"},
    {FUNCTION("\"signatures\": [{\"parameters\": [], \"let\": {\"p\": \"1\"}}, "
              "{\"parameters\": [], \"where\": [\"p > 0\"]}]"),
     "functions.f.signatures[1].where[0]: \"p\" is neither a size nor a parameter"},
    {FUNCTION("\"signatures\": [{\"parameters\": []}], \"let\": {\"p\": \"1\"}"),
     "functions.f.let: unknown member"},
    {FUNCTION("\"signatures\": []"),
     "functions.f.signatures: expected an array of 1 to 16 signatures"},
    {FUNCTION("\"signatures\": [{\"parameters\": [], \"tentative\": true}]"),
     "functions.f.signatures[0].tentative: unknown member"},
};

TEST(steps_are_read)
{
  Signature *signature = good(FUNCTION(
      "\"parameters\": [{\"name\": \"o\", \"kind\": \"object\", \"value\": {\"kept\": \"a\"}}, "
      "{\"name\": \"x\", \"kind\": \"tensor\", \"dtype\": \"int8\", \"shape\": \"n\"}], "
      "\"needs\": [{\"call\": \"f\", \"arguments\": {\"o\": null, \"x\": {\"elements\": [1, 2.5, "
      "\"-inf\"]}}, \"keep\": \"a\"}], "
      "\"sequences\": [{\"repeatable\": true, \"text\": \"twice\", \"steps\": ["
      "{\"call\": \"f\", \"arguments\": {\"o\": null, \"x\": {\"elements\": []}}, \"keep\": \"b\"}, "
      "{\"call\": \"b.m\", \"arguments\": [[1, {\"k\": \"a\\u0000b\"}], {\"shape\": [2, 0], \"dtype\": "
      "\"int8\"}], \"refused\": {\"kind\": \"ValueError\"}}]}]"));
  const SignatureForm *form = signature_form(signature, 0);
  const SignatureSequence *sequence = signature_sequence(signature, form->sequences.first);
  const SignatureStep *need = signature_step(signature, form->needs.first);
  const SignatureStep *method = signature_step(signature, sequence->steps.first + 1);
  ck_assert_uint_eq(form->needs.count, 1);
  ck_assert_str_eq(text_of(signature, need->function), "f");
  ck_assert_str_eq(text_of(signature, need->keep), "a");
  ck_assert(sequence->repeatable);
  ck_assert_uint_eq(sequence->steps.count, 2);
  ck_assert_str_eq(text_of(signature, method->object), "b");
  ck_assert_str_eq(text_of(signature, method->function), "m");
  ck_assert(method->call.refused);
  ck_assert_uint_eq(method->call.arguments.count, 2);
  free(signature);
}

TEST(mistakes_are_told, .rows = ROWS(mistakes))
{
  const Mistake *mistake = &mistakes[_i];
  Signature *signature = read_text(mistake->text);
  ck_assert_msg(!signature, "taken: %s", mistake->text);
  const char *place = strstr(read_error, "functions.");
  ck_assert_msg(place != NULL, "%s", read_error);
  ck_assert_msg(strncmp(place, mistake->complaint, strlen(mistake->complaint)) == 0, "%s\nnot %s",
                place, mistake->complaint);
}

TEST(types_within_types_have_an_end)
{
  char text[2000] = FUNCTION("\"parameters\": [") "";
  text[strlen(text) - 3] = '\0';
  for (int i = 0; i < SIGNATURE_DEPTH_MAX; ++i) strcat(text, "{\"kind\": \"array\", \"element\": ");
  strcat(text, "{\"kind\": \"int\"}");
  for (int i = 0; i < SIGNATURE_DEPTH_MAX; ++i) strcat(text, "}");
  strcat(text, "]}}}");
  ck_assert_ptr_null(read_text(text));
  ck_assert_msg(strstr(read_error, "more than 8 types within each other"), "%s", read_error);
}

// --- The page ------------------------------------------------------------------------------------

enum { PAGE_MAX = 1 << 17 };

static const char *load_page(void)
{
  static char page[PAGE_MAX];
  FILE *file = fopen(SIGNATURE_PAGE, "r");
  ck_assert_ptr_nonnull(file);
  size_t size = fread(page, 1, sizeof page - 1, file);
  fclose(file);
  ck_assert_uint_lt(size, sizeof page - 1);
  page[size] = '\0';
  return page;
}

// What the comment on the line before the block says that the reader complains of, or NULL.
static char *complaint_before(const char *page, const char *block)
{
  static const char mark[] = "<!-- refused: ";
  const char *end = block - strlen(" -->\n");
  const char *start = end;
  if (end <= page || strncmp(end, " -->\n", 5) != 0) return NULL;
  while (start > page && start[-1] != '\n') --start;
  if (strncmp(start, mark, strlen(mark)) != 0) return NULL;
  start += strlen(mark);
  return strndup(start, (size_t)(end - start));
}

// A block is a file, or the value of one function.
static void try_block(const char *block, size_t size, char *complaint)
{
  char text[8192];
  const bool whole =
      strstr(block, "\"functions\"") && strstr(block, "\"functions\"") < block + size;
  snprintf(text, sizeof text, "%s%.*s%s", whole ? "" : "{\"functions\": {\"f\": ", (int)size, block,
           whole ? "" : "}}");
  Signature *signature = read_text(text);
  if (complaint) {
    ck_assert_msg(!signature, "taken: %s", text);
    ck_assert_msg(strstr(read_error, complaint) != NULL, "%s\nnot %s", read_error, complaint);
  } else {
    ck_assert_msg(signature != NULL, "%s\n%s", read_error, text);
    expect_written();
  }
  free(signature);
  free(complaint);
}

TEST(every_block_of_the_page_is_what_it_says)
{
  static const char mark[] = "```json\n";
  const char *page = load_page();
  unsigned count = 0;
  for (const char *at = strstr(page, mark); at; at = strstr(at, mark), ++count) {
    char *complaint = complaint_before(page, at);
    at += strlen(mark);
    const char *end = strstr(at, "\n```");
    ck_assert_ptr_nonnull(end);
    try_block(at, (size_t)(end - at), complaint);
    at = end;
  }
  ck_assert_uint_gt(count, 15);
}

TEST(scratch_memory_numbers_and_types_by_name_are_read)
{
  Signature *signature = good(FUNCTION(
      "\"parameters\": [{\"name\": \"t\", \"kind\": \"dtype\", \"values\": [\"int32\"]}, "
      "{\"name\": \"w\", \"kind\": \"tensor\", \"dtype\": \"uint8\", \"shape\": \"n\", "
      "\"role\": \"scratch\"}, {\"name\": \"s\", \"kind\": \"string\", \"value\": \"a\\u0000b\"}], "
      "\"result\": {\"kind\": \"tensor\", \"dtype\": \"t\", \"shape\": \"n\"}, "
      "\"expected\": {\"result\": 7}"));
  const SignatureForm *form = signature_form(signature, 0);
  ck_assert_int_eq(parameter(signature, 1)->role, KERNEL_SCRATCH);
  ck_assert_str_eq(text_of(signature, signature_type(signature, form->result)->dtype_variable),
                   "t");
  ck_assert_str_eq(text_of(signature, signature_expected(signature, form->expected.first)->formula),
                   "7");
  ck_assert_uint_eq(signature_value(signature, parameter(signature, 2)->example)->text_size, 3);
  free(signature);
}
