// SPDX-License-Identifier: Apache-2.0
// Which calls are made of a signature.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plan/kernel_choice.h"
#include "signature/signature_build.h"
#include "unit/unit.h"

static SignatureText text_of(SignatureBuild *build, const char *text)
{
  return signature_add_text(build, text, strlen(text));
}

static SignatureType type_of(KernelKind kind)
{
  return (SignatureType){.kind = kind, .example = SIGNATURE_NONE, .returns = SIGNATURE_NONE};
}

static SignatureRange words(SignatureBuild *build, const char *const *texts, size_t count)
{
  SignatureValue values[8] = {0};
  for (size_t i = 0; i < count; ++i)
    values[i] = (SignatureValue){.kind = KERNEL_STRING,
                                 .text = text_of(build, texts[i]),
                                 .text_size = (uint32_t)strlen(texts[i])};
  return signature_add_values(build, values, count);
}

static SignatureRange shape(SignatureBuild *build, const char *const *texts, size_t count)
{
  SignatureExtent extents[8] = {0};
  for (size_t i = 0; i < count; ++i)
    extents[i] =
        (SignatureExtent){.form = SIGNATURE_EXTENT_EXPRESSION, .text = text_of(build, texts[i])};
  return signature_add_extents(build, extents, count);
}

// f(x: T[n, 2*d], mask: float32[n] or None, k, mode: "relu" or "gelu") with 1 <= k <= d, where T is
// float32 or float64, and n is 3 or 400.
static Signature *example_that_refuses(const char *condition, const char *when)
{
  static const char *const both[] = {"float32", "float64"}, *const modes[] = {"relu", "gelu"};
  static const char *const extents[] = {"n", "2*d"};
  SignatureBuild *build = signature_build_begin(SIGNATURE_FROM_FILE, false);
  SignatureType parameters[4];
  SignatureValue sizes[] = {{.kind = KERNEL_INT, .integer = 3},
                            {.kind = KERNEL_INT, .integer = 400}};
  const SignatureRange dtypes = words(build, both, 2);
  parameters[0] = type_of(KERNEL_TENSOR);
  parameters[0].name = text_of(build, "x");
  parameters[0].tensor_origin = SIGNATURE_FROM_FILE;
  parameters[0].dtype_variable = text_of(build, "T");
  parameters[0].has_shape = true;
  parameters[0].shape = shape(build, extents, 2);
  parameters[1] = type_of(KERNEL_TENSOR);
  parameters[1].name = text_of(build, "mask");
  parameters[1].tensor_origin = SIGNATURE_FROM_FILE;
  parameters[1].optional = true;
  parameters[1].dtypes = (SignatureRange){dtypes.first, 1};
  parameters[1].has_shape = true;
  parameters[1].shape = shape(build, extents, 1);
  parameters[2] = type_of(KERNEL_INT);
  parameters[2].name = text_of(build, "k");
  parameters[3] = type_of(KERNEL_STRING);
  parameters[3].name = text_of(build, "mode");
  parameters[3].values = words(build, modes, 2);
  const SignatureVariable size = {text_of(build, "n"), signature_add_values(build, sizes, 2)};
  const SignatureVariable variable = {text_of(build, "T"), dtypes};
  const SignatureText where = text_of(build, condition);
  const SignatureRefusal refusal = {.when = text_of(build, when)};
  const SignatureForm form = {.parameters = signature_add_types(build, parameters, 4),
                              .rest = SIGNATURE_NONE,
                              .result = SIGNATURE_NONE,
                              .refusals = signature_add_refusals(build, &refusal, *when ? 1 : 0),
                              .sizes = signature_add_variables(build, &size, 1),
                              .dtypes = signature_add_variables(build, &variable, 1),
                              .where = signature_add_conditions(build, &where, 1),
                              .checks = SIGNATURE_CHECKS_ALL};
  signature_add_form(build, &form);
  Signature *signature = signature_build_end(build);
  ck_assert_ptr_nonnull(signature);
  return signature;
}

static Signature *example(const char *condition)
{
  return example_that_refuses(condition, "");
}

static KernelChoice choices[KERNEL_CHOICES_MAX];
static Kernel kernel;
static char problem[KERNEL_PROBLEM_MAX];

static bool has(size_t count, KernelStanding standing, const char *text)
{
  for (size_t i = 0; i < count; ++i)
    if (choices[i].standing == standing && strcmp(choices[i].words, text) == 0) return true;
  return false;
}

// g(options, k) with a map of "axis" (an int) and "eps" (a float or None), and 0 <= k; two calls are
// refused: that with these options, and that with k = -1 and a text for "axis".
static Signature *refusing(const SignatureValue *options, size_t count)
{
  SignatureBuild *build = signature_build_begin(SIGNATURE_FROM_FILE, false);
  SignatureType parameters[2], entries[2];
  SignatureValue values[8], keyed[3];
  entries[0] = type_of(KERNEL_INT);
  entries[0].name = text_of(build, "axis");
  entries[1] = type_of(KERNEL_FLOAT);
  entries[1].name = text_of(build, "eps");
  entries[1].optional = true;
  parameters[0] = type_of(KERNEL_MAP);
  parameters[0].name = text_of(build, "options");
  parameters[0].has_entries = true;
  parameters[0].children = signature_add_types(build, entries, 2);
  parameters[1] = type_of(KERNEL_INT);
  parameters[1].name = text_of(build, "k");
  parameters[1].least = text_of(build, "0");
  memcpy(values, options, count * sizeof *options);
  static const char *const keys[] = {"axis", "eps", "more"};
  for (size_t i = 0; i < count; i += 2) values[i].text = text_of(build, keys[values[i].integer]);
  keyed[0] =
      (SignatureValue){.kind = KERNEL_MAP, .items = signature_add_values(build, values, count)};
  keyed[1] = (SignatureValue){.kind = KERNEL_INT, .integer = -1};
  keyed[2] = (SignatureValue){.kind = KERNEL_STRING, .text = text_of(build, "x"), .text_size = 1};
  const uint32_t first = signature_add_values(build, keyed, 3).first;
  const SignatureSetting settings[] = {
      {.name = text_of(build, "options"), .value = first},
      {.name = text_of(build, "k"), .value = first + 1},
      {.name = text_of(build, "options.axis"), .value = first + 2}};
  const SignatureCall call = {.arguments = signature_add_settings(build, settings, 1),
                              .refused = true,
                              .kind = text_of(build, "KeyError")};
  const SignatureRefusal refusal = {.with = signature_add_settings(build, settings + 1, 2)};
  const SignatureForm form = {.parameters = signature_add_types(build, parameters, 2),
                              .rest = SIGNATURE_NONE,
                              .result = SIGNATURE_NONE,
                              .calls = signature_add_calls(build, &call, 1),
                              .refusals = signature_add_refusals(build, &refusal, 1),
                              .checks = SIGNATURE_CHECKS_ALL};
  signature_add_form(build, &form);
  Signature *signature = signature_build_end(build);
  ck_assert_ptr_nonnull(signature);
  return signature;
}

TEST(refused_calls_are_made_as_they_are_listed)
{
  // {"eps": 2, "more": 7}
  const SignatureValue options[] = {{.kind = KERNEL_STRING, .integer = 1},
                                    {.kind = KERNEL_INT, .integer = 2},
                                    {.kind = KERNEL_STRING, .integer = 2},
                                    {.kind = KERNEL_INT, .integer = 7}};
  KernelRefused refused[4];
  Signature *signature = refusing(options, 4);
  ck_assert_uint_eq(kernel_refusals(signature, refused, 4), 2);
  ck_assert_str_eq(refused[0].choice.words, "refuses[0]");
  ck_assert_str_eq(refused[1].choice.words, "calls[0]");
  ck_assert_str_eq(signature_text(signature, refused[1].kind), "KeyError");

  ck_assert(kernel_of_choice(signature, &refused[0].choice, &kernel, problem));
  ck_assert_int_eq(kernel.parameters[1].integer, -1);
  ck_assert_int_eq(kernel.elements[0].kind, KERNEL_STRING);
  ck_assert_str_eq(kernel.elements[0].text, "x");

  ck_assert(kernel_of_choice(signature, &refused[1].choice, &kernel, problem));
  ck_assert_uint_eq(kernel.parameters[0].element_count, 3);
  ck_assert_int_eq(kernel.elements[0].kind, KERNEL_NONE);
  ck_assert_int_eq(kernel.elements[1].kind, KERNEL_FLOAT);
  ck_assert(kernel.elements[1].number == 2);
  ck_assert_str_eq(kernel.elements[2].name, "more");
  ck_assert_int_eq(kernel.elements[2].integer, 7);
  ck_assert_uint_eq(kernel_choices(signature, choices, KERNEL_CHOICES_MAX) > 0, true);
  free(signature);
}

TEST(the_example_comes_first)
{
  Signature *signature = example("1 <= k <= d");
  ck_assert(kernel_example(signature, &kernel, problem));
  ck_assert_uint_eq(kernel.parameter_count, 4);
  ck_assert_str_eq(kernel.parameters[0].name, "x");
  ck_assert_str_eq(kernel.parameters[0].text, "float32");
  ck_assert_int_eq(kernel.parameters[0].rank, 2);
  ck_assert_int_eq(kernel.parameters[0].shape[0].size, 3);
  ck_assert_str_eq(kernel.parameters[0].shape[0].symbol, "n");
  int64_t d = 0;
  ck_assert(kernel_size_of(&kernel, "d", &d));
  ck_assert_int_eq(kernel.parameters[0].shape[1].size, 2 * d);
  ck_assert_int_eq(kernel.parameters[1].kind, KERNEL_TENSOR);
  ck_assert_str_eq(kernel.parameters[3].text, "relu");
  free(signature);
}

// f(dims: a shape of `extents`) gives a shape of m; the call has these dims.
static bool call_with_dims(const char *const *extents, const int64_t *given, size_t count)
{
  static const char *const size[] = {"m"};
  SignatureBuild *build = signature_build_begin(SIGNATURE_FROM_FILE, false);
  SignatureType types[2] = {type_of(KERNEL_SHAPE), type_of(KERNEL_SHAPE)};
  SignatureValue numbers[4] = {{.kind = KERNEL_INT}}, dims = {.kind = KERNEL_ARRAY};
  types[0].name = text_of(build, "dims");
  types[0].has_shape = types[1].has_shape = true;
  types[0].shape = shape(build, extents, count);
  types[1].shape = shape(build, size, 1);
  for (size_t i = 0; i < count; ++i)
    numbers[i] = (SignatureValue){.kind = KERNEL_INT, .integer = given[i]};
  dims.items = signature_add_values(build, numbers, count);
  const SignatureSetting setting = {.name = types[0].name,
                                    .value = signature_add_values(build, &dims, 1).first};
  const SignatureCall call = {.arguments = signature_add_settings(build, &setting, 1)};
  const SignatureForm form = {.parameters = signature_add_types(build, types, 1),
                              .rest = SIGNATURE_NONE,
                              .result = signature_add_types(build, types + 1, 1).first,
                              .calls = signature_add_calls(build, &call, 1),
                              .checks = SIGNATURE_CHECKS_ALL};
  signature_add_form(build, &form);
  Signature *signature = signature_build_end(build);
  ck_assert_ptr_nonnull(signature);
  const size_t made = kernel_choices(signature, choices, KERNEL_CHOICES_MAX);
  bool found = false;
  for (size_t i = 0; i < made && !found; ++i)
    found = strcmp(choices[i].words, "calls[0]") == 0 &&
            kernel_of_choice(signature, &choices[i], &kernel, problem);
  free(signature);
  return found;
}

TEST(a_size_that_stands_in_an_expression_is_what_the_call_gives)
{
  static const struct {
    const char *extents[2];
    int64_t given[2], m;  // the result's extent
  } rows[] = {
      {{"m+1", "3"}, {6, 3}, 5}, {{"2*m - 1", "m+2"}, {9, 7}, 5}, {{"n+m", "n"}, {9, 2}, 7}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
    ck_assert_msg(call_with_dims(rows[i].extents, rows[i].given, 2), "%zu: %s", i, problem);
    ck_assert_int_eq(kernel.result.shape[0].size, rows[i].m);
  }
}

// f(names) with a map of integers to texts; the call has {"7": "x"}.
TEST(keys_that_are_integers_are_read_as_such)
{
  SignatureBuild *build = signature_build_begin(SIGNATURE_FROM_FILE, false);
  SignatureType inside[2] = {type_of(KERNEL_INT), type_of(KERNEL_STRING)};
  SignatureType names = type_of(KERNEL_MAP);
  names.name = text_of(build, "names");
  names.children = signature_add_types(build, inside, 2);
  static const char *const pair[] = {"7", "x"};
  const SignatureValue map = {.kind = KERNEL_MAP, .items = words(build, pair, 2)};
  const SignatureSetting setting = {.name = names.name,
                                    .value = signature_add_values(build, &map, 1).first};
  const SignatureCall call = {.arguments = signature_add_settings(build, &setting, 1)};
  const SignatureForm form = {.parameters = signature_add_types(build, &names, 1),
                              .rest = SIGNATURE_NONE,
                              .result = SIGNATURE_NONE,
                              .calls = signature_add_calls(build, &call, 1),
                              .checks = SIGNATURE_CHECKS_ALL};
  signature_add_form(build, &form);
  Signature *signature = signature_build_end(build);
  ck_assert_ptr_nonnull(signature);
  const size_t count = kernel_choices(signature, choices, KERNEL_CHOICES_MAX);
  ck_assert(has(count, KERNEL_PROMISED, "calls[0]"));
  for (size_t i = 0; i < count; ++i)
    if (strcmp(choices[i].words, "calls[0]") == 0)
      ck_assert(kernel_of_choice(signature, &choices[i], &kernel, problem));
  ck_assert_int_eq(kernel.elements[0].kind, KERNEL_INT);
  ck_assert_int_eq(kernel.elements[0].integer, 7);
  ck_assert_str_eq(kernel.elements[1].text, "x");
  free(signature);
}

TEST(each_listed_value_is_promised)
{
  Signature *signature = example("1 <= k <= d");
  const size_t count = kernel_choices(signature, choices, KERNEL_CHOICES_MAX);
  ck_assert_uint_gt(count, 8);
  ck_assert_str_eq(choices[0].words, "");
  ck_assert(has(count, KERNEL_PROMISED, "T: float64"));
  ck_assert(has(count, KERNEL_PROMISED, "n = 400"));
  ck_assert(has(count, KERNEL_PROMISED, "mask: None"));
  ck_assert(has(count, KERNEL_PROMISED, "mode: \"gelu\""));
  ck_assert(has(count, KERNEL_EXPLORED, "n = 1"));
  ck_assert(has(count, KERNEL_EXPLORED, "large sizes"));
  ck_assert(has(count, KERNEL_EXPLORED, "NaN and infinities"));
  // What the conditions rule out is not tried.
  ck_assert(!has(count, KERNEL_EXPLORED, "k: -1"));
  ck_assert(!has(count, KERNEL_EXPLORED, "k: 0"));
  for (size_t i = 0; i < count; ++i)
    ck_assert_msg(kernel_of_choice(signature, &choices[i], &kernel, problem), "%s: %s",
                  choices[i].words, problem);
  free(signature);
}

TEST(what_is_refused_under_a_condition_is_no_choice)
{
  Signature *signature =
      example_that_refuses("1 <= k <= d", "mode == \"gelu\" and x.dtype == \"float64\"");
  const size_t count = kernel_choices(signature, choices, KERNEL_CHOICES_MAX);
  size_t gelu = 0, wide = 0;
  ck_assert(has(count, KERNEL_PROMISED, "T: float64"));
  ck_assert(has(count, KERNEL_PROMISED, "mode: \"gelu\""));
  for (size_t i = 0; i < count; ++i) {
    ck_assert_msg(kernel_of_choice(signature, &choices[i], &kernel, problem), "%s: %s",
                  choices[i].words, problem);
    const bool is_gelu = strcmp(kernel.parameters[3].text, "gelu") == 0;
    const bool is_wide = kernel.parameters[0].dtype.bits == 64;
    ck_assert_msg(!(is_gelu && is_wide), "%s", choices[i].words);
    gelu += is_gelu;
    wide += is_wide;
  }
  ck_assert(gelu > 2 && wide > 2);
  free(signature);
}

// f(k, mode) with two values for k and no word for mode, and the call f(k=5, mode="low\0x"); `only`:
// no other combinations are promised. 5 alone meets the condition.
static Signature *with_a_call(const char *condition, bool only)
{
  SignatureBuild *build = signature_build_begin(SIGNATURE_FROM_FILE, false);
  const SignatureValue listed[] = {{.kind = KERNEL_INT, .integer = 2},
                                   {.kind = KERNEL_INT, .integer = 3}};
  const SignatureValue given[] = {
      {.kind = KERNEL_INT, .integer = 5},
      {.kind = KERNEL_STRING, .text = signature_add_text(build, "low\0x", 5), .text_size = 5}};
  SignatureType parameters[] = {type_of(KERNEL_INT), type_of(KERNEL_STRING)};
  parameters[0].name = text_of(build, "k");
  parameters[0].values = signature_add_values(build, listed, 2);
  parameters[0].takes_others = true;
  parameters[1].name = text_of(build, "mode");
  const uint32_t first = signature_add_values(build, given, 2).first;
  const SignatureSetting settings[] = {{.name = parameters[0].name, .value = first},
                                       {.name = parameters[1].name, .value = first + 1}};
  const SignatureText where = text_of(build, condition);
  const SignatureCall call = {.arguments = signature_add_settings(build, settings, 2)};
  const SignatureForm form = {.parameters = signature_add_types(build, parameters, 2),
                              .rest = SIGNATURE_NONE,
                              .result = SIGNATURE_NONE,
                              .where = signature_add_conditions(build, &where, *condition ? 1 : 0),
                              .calls = signature_add_calls(build, &call, 1),
                              .only_calls = only,
                              .checks = SIGNATURE_CHECKS_ALL};
  signature_add_form(build, &form);
  Signature *signature = signature_build_end(build);
  ck_assert_ptr_nonnull(signature);
  return signature;
}

TEST(where_a_text_is_not_known_a_listed_call_is_the_example)
{
  Signature *signature = with_a_call("", false);
  ck_assert(kernel_example(signature, &kernel, problem));
  ck_assert_int_eq(kernel.parameters[0].integer, 5);
  ck_assert_uint_eq(kernel_text_length(&kernel.parameters[1]), 5);
  ck_assert_mem_eq(kernel.parameters[1].text, "low\0x", 5);
  // What the call gives is not varied: there is no other choice than itself.
  const size_t count = kernel_choices(signature, choices, KERNEL_CHOICES_MAX);
  for (size_t i = 0; i < count; ++i) {
    ck_assert(kernel_of_choice(signature, &choices[i], &kernel, problem));
    ck_assert_int_eq(kernel.parameters[0].integer, 5);
  }
  ck_assert(has(count, KERNEL_PROMISED, "calls[0]"));
  ck_assert_uint_eq(count, 2);
  free(signature);
}

TEST(where_conditions_cannot_be_met_a_listed_call_is_the_example)
{
  Signature *signature = with_a_call("k == 5 and len(mode) > 4", false);
  ck_assert_msg(kernel_example(signature, &kernel, problem), "%s", problem);
  ck_assert_int_eq(kernel.parameters[0].integer, 5);
  free(signature);
  signature = with_a_call("k == 6", false);
  ck_assert(!kernel_example(signature, &kernel, problem));
  ck_assert_msg(strstr(problem, "or a call in \"calls\"") != NULL, "%s", problem);
  free(signature);
}

// f(k) where k is 2 or 3, and the call f(k=3): the example where the file says so.
TEST(a_listed_call_may_be_the_example)
{
  for (int of_calls = 0; of_calls < 2; ++of_calls) {
    SignatureBuild *build = signature_build_begin(SIGNATURE_FROM_FILE, false);
    const SignatureValue listed[] = {{.kind = KERNEL_INT, .integer = 2},
                                     {.kind = KERNEL_INT, .integer = 3}};
    SignatureType parameter = type_of(KERNEL_INT);
    parameter.name = text_of(build, "k");
    parameter.values = signature_add_values(build, listed, 2);
    const SignatureSetting setting = {.name = parameter.name, .value = parameter.values.first + 1};
    const SignatureCall call = {.arguments = signature_add_settings(build, &setting, 1)};
    const SignatureForm form = {.parameters = signature_add_types(build, &parameter, 1),
                                .rest = SIGNATURE_NONE,
                                .result = SIGNATURE_NONE,
                                .calls = signature_add_calls(build, &call, 1),
                                .example_of_calls = of_calls == 1};
    signature_add_form(build, &form);
    Signature *signature = signature_build_end(build);
    ck_assert_msg(kernel_example(signature, &kernel, problem), "%s", problem);
    ck_assert_int_eq(kernel.parameters[0].integer, of_calls ? 3 : 2);
    free(signature);
  }
}

TEST(combinations_beside_the_calls_need_not_be_promised)
{
  for (int only = 0; only < 2; ++only) {
    SignatureBuild *build = signature_build_begin(SIGNATURE_FROM_FILE, false);
    const SignatureValue listed[] = {{.kind = KERNEL_INT, .integer = 2},
                                     {.kind = KERNEL_INT, .integer = 3}};
    SignatureType parameters[] = {type_of(KERNEL_INT), type_of(KERNEL_INT)};
    for (int i = 0; i < 2; ++i) {
      parameters[i].name = text_of(build, i ? "m" : "k");
      parameters[i].values = signature_add_values(build, listed, 2);
    }
    const SignatureSetting setting = {.name = parameters[0].name,
                                      .value = signature_add_values(build, listed, 1).first};
    const SignatureCall call = {.arguments = signature_add_settings(build, &setting, 1)};
    const SignatureForm form = {.parameters = signature_add_types(build, parameters, 2),
                                .rest = SIGNATURE_NONE,
                                .result = SIGNATURE_NONE,
                                .calls = signature_add_calls(build, &call, 1),
                                .only_calls = only == 1};
    signature_add_form(build, &form);
    Signature *signature = signature_build_end(build);
    const size_t count = kernel_choices(signature, choices, KERNEL_CHOICES_MAX);
    ck_assert(has(count, KERNEL_PROMISED, ""));
    ck_assert(has(count, KERNEL_PROMISED, "calls[0]"));
    ck_assert(has(count, only ? KERNEL_EXPLORED : KERNEL_PROMISED, "k: 3"));
    ck_assert_int_eq(has(count, KERNEL_PROMISED, "m: 3, k: 3"), !only);
    free(signature);
  }
}

// f(k) with k <= 9, and 2 and 3 as examples.
TEST(beside_examples_other_values_are_tried)
{
  SignatureBuild *build = signature_build_begin(SIGNATURE_FROM_FILE, false);
  const SignatureValue values[] = {{.kind = KERNEL_INT, .integer = 2},
                                   {.kind = KERNEL_INT, .integer = 3}};
  SignatureType k = type_of(KERNEL_INT);
  k.name = text_of(build, "k");
  k.values = signature_add_values(build, values, 2);
  k.takes_others = true;
  k.most = text_of(build, "9");
  const SignatureForm form = {.parameters = signature_add_types(build, &k, 1),
                              .rest = SIGNATURE_NONE,
                              .result = SIGNATURE_NONE};
  signature_add_form(build, &form);
  Signature *signature = signature_build_end(build);
  const size_t count = kernel_choices(signature, choices, KERNEL_CHOICES_MAX);
  ck_assert(has(count, KERNEL_PROMISED, "k: 3"));
  ck_assert(has(count, KERNEL_PROMISED, "k: 9"));
  ck_assert(has(count, KERNEL_EXPLORED, "k: -1"));
  ck_assert(!has(count, KERNEL_PROMISED, "k: -1"));
  for (size_t i = 0; i < count; ++i)
    ck_assert_msg(kernel_of_choice(signature, &choices[i], &kernel, problem), "%s: %s",
                  choices[i].words, problem);
  free(signature);
}

TEST(choices_are_the_same_each_time)
{
  static KernelChoice again[KERNEL_CHOICES_MAX];
  Signature *signature = example("1 <= k <= d");
  const size_t count = kernel_choices(signature, choices, KERNEL_CHOICES_MAX);
  ck_assert_uint_eq(kernel_choices(signature, again, KERNEL_CHOICES_MAX), count);
  ck_assert_mem_eq(choices, again, count * sizeof *choices);
  ck_assert_uint_eq(kernel_choices(signature, again, 3), 3);
  free(signature);
}

TEST(values_are_looked_for_that_satisfy_the_conditions)
{
  Signature *signature = example("d % 16 == 0 and k == d // 16");
  ck_assert_msg(kernel_example(signature, &kernel, problem), "%s", problem);
  int64_t d = 0;
  ck_assert(kernel_size_of(&kernel, "d", &d));
  ck_assert_int_eq(d % 16, 0);
  ck_assert_int_eq(kernel.parameters[2].integer, d / 16);
  free(signature);
}

// f(x: float32[n], at: int32[m], other: int64[m]) with this condition; n is 8, m is 4.
static Signature *counting(const char *condition)
{
  static const char *const types[] = {"float32", "int32", "int64"};
  static const char *const names[] = {"x", "at", "other"}, *const extents[] = {"n", "m", "m"};
  SignatureBuild *build = signature_build_begin(SIGNATURE_FROM_FILE, false);
  SignatureType parameters[3];
  SignatureVariable sizes[2];
  for (int i = 0; i < 3; ++i) {
    parameters[i] = type_of(KERNEL_TENSOR);
    parameters[i].name = text_of(build, names[i]);
    parameters[i].tensor_origin = SIGNATURE_FROM_FILE;
    parameters[i].dtypes = words(build, &types[i], 1);
    parameters[i].has_shape = true;
    parameters[i].shape = shape(build, &extents[i], 1);
  }
  for (int i = 0; i < 2; ++i) {
    const SignatureValue size = {.kind = KERNEL_INT, .integer = i ? 4 : 8};
    sizes[i] =
        (SignatureVariable){text_of(build, i ? "m" : "n"), signature_add_values(build, &size, 1)};
  }
  const SignatureText where = text_of(build, condition);
  const SignatureForm form = {.parameters = signature_add_types(build, parameters, 3),
                              .rest = SIGNATURE_NONE,
                              .result = SIGNATURE_NONE,
                              .sizes = signature_add_variables(build, sizes, 2),
                              .where = signature_add_conditions(build, &where, 1),
                              .checks = SIGNATURE_CHECKS_ALL};
  signature_add_form(build, &form);
  return signature_build_end(build);
}

// Offsets, and parts, that conditions say to count something: the listed sizes are those of the example.
TEST(integers_that_count_satisfy_their_conditions)
{
  static const struct {
    const char *condition;
    KernelContents contents;
    double elements[4];
  } rows[] = {
      {"at[0] == 0 and at[-1] == n", KERNEL_OFFSETS, {0, 2, 5, 8}},
      {"2*n - 4 == at[-1] and at[0] == 0", KERNEL_OFFSETS, {0, 4, 8, 12}},
      {"at[-1] <= n and at[0] == 0 and other[0] == 0", KERNEL_OFFSETS, {0, 2, 5, 8}},
      {"sum(at) == n and min(at) > 1", KERNEL_PARTS, {2, 2, 2, 2}},
      {"n >= sum(at) and min(at) > 1", KERNEL_PARTS, {2, 2, 2, 2}},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
    Signature *signature = counting(rows[i].condition);
    ck_assert_msg(kernel_example(signature, &kernel, problem), "%s: %s", rows[i].condition,
                  problem);
    ck_assert_int_eq(kernel.parameters[0].shape[0].size, 8);
    ck_assert_int_eq(kernel.parameters[1].shape[0].size, 4);
    ck_assert_uint_eq(kernel.parameters[1].contents, rows[i].contents);
    for (size_t k = 0; k < 4; ++k)
      ck_assert_double_eq((double)kernel_element_of(&kernel.parameters[1], k), rows[i].elements[k]);
    free(signature);
  }
  // What may be another way, or is not known, is not taken for it.
  Signature *signature = counting("at[-1] == n or at[0] == 1");
  ck_assert(kernel_example(signature, &kernel, problem));
  ck_assert_uint_ne(kernel.parameters[1].contents, KERNEL_OFFSETS);
  free(signature);
}

TEST(what_no_value_satisfies_is_told)
{
  Signature *signature = example("k == 12345");
  ck_assert(!kernel_example(signature, &kernel, problem));
  ck_assert_ptr_nonnull(strstr(problem, "where \"k == 12345\" does not hold"));
  ck_assert_ptr_nonnull(strstr(problem, "\"value\""));
  ck_assert_uint_eq(kernel_choices(signature, choices, KERNEL_CHOICES_MAX), 0);
  free(signature);
}

// The difference of two differences, which is 0 for numbers that rise in equal steps.
TEST(elements_lie_on_no_lines)
{
  for (uint32_t seed = 0; seed < 8; ++seed) {
    const KernelParameter x = {
        .contents = KERNEL_SPREAD, .number = 1, .seed = seed, .dtype = {kDLFloat, 64, 1}};
    unsigned bent = 0;
    for (size_t i = 0; i < 12; ++i)
      bent += kernel_element_of(&x, i + 2) - kernel_element_of(&x, i + 1) !=
              kernel_element_of(&x, i + 1) - kernel_element_of(&x, i);
    ck_assert_uint_ge(bent, 10);
  }
}

TEST(elements_tell_parameters_and_places_apart)
{
  KernelParameter x = {.contents = KERNEL_SPREAD,
                       .number = 1,
                       .seed = 1,
                       .dtype = {kDLFloat, 32, 1}},
                  y = x;
  y.seed = 2;
  unsigned alike = 0;
  for (size_t i = 0; i < 61; ++i) {
    alike += kernel_element_of(&x, i) == kernel_element_of(&y, i);
    ck_assert(kernel_element_of(&x, i) > 0);
    for (size_t k = 0; k < i; ++k) ck_assert(kernel_element_of(&x, i) != kernel_element_of(&x, k));
  }
  ck_assert_uint_lt(alike, 3);
}

TEST(rising_elements_begin_again_behind_their_limit)
{
  KernelParameter x = {.dtype = {kDLInt, 32, 1}, .number = 1, .has_most = true, .most = 3};
  static const double from_first[] = {1, 2, 3, 1, 2, 3, 1}, from_least[] = {1, 2, 3, 0, 1, 2, 3};
  for (size_t i = 0; i < 7; ++i) ck_assert_double_eq(kernel_element_of(&x, i), from_first[i]);
  x.has_least = true;
  x.least = -0.5;
  for (size_t i = 0; i < 7; ++i) ck_assert_double_eq(kernel_element_of(&x, i), from_least[i]);
  x.has_most = false;
  ck_assert_double_eq(kernel_element_of(&x, 6), 7);
}

TEST(elements_stay_within_their_limits)
{
  KernelParameter indices = {.contents = KERNEL_SPREAD,
                             .dtype = {kDLInt, 64, 1},
                             .has_least = true,
                             .has_most = true,
                             .least = 0,
                             .most = 4};
  bool seen[5] = {false};
  for (size_t i = 0; i < 61; ++i) {
    const double element = kernel_element_of(&indices, i);
    ck_assert(element >= 0 && element <= 4 && element == floor(element));
    seen[(int)element] = true;
  }
  for (int i = 0; i < 5; ++i) ck_assert(seen[i]);
  // Both ends are among them; of a wide range, those of the part of it that is next to 0.
  static const struct {
    double least, most, first, last;
  } rows[] = {{0, 6e4, 0, 6e4},
              {0, 1e6, 0, 65535},
              {5, 1e9, 5, 65540},
              {-1e9, -3, -65538, -3},
              {-1e9, 1e9, -32768, 32767}};
  for (size_t k = 0; k < sizeof rows / sizeof *rows; ++k) {
    double least = INFINITY, most = -INFINITY;
    indices.least = rows[k].least;
    indices.most = rows[k].most;
    for (size_t i = 0; i < 61; ++i) {
      least = fmin(least, kernel_element_of(&indices, i));
      most = fmax(most, kernel_element_of(&indices, i));
    }
    ck_assert_msg(least == rows[k].first && most == rows[k].last, "%zu: %g to %g", k, least, most);
  }
}

TEST(elements_with_one_limit_are_of_their_type)
{
  static const struct {
    DLDataType dtype;
    bool is_least;
    double limit, other;
  } rows[] = {{{kDLUInt, 8, 1}, true, 240, 255},
              {{kDLUInt, 8, 1}, false, 5, 0},
              {{kDLInt, 8, 1}, true, 100, 127},
              {{kDLInt, 8, 1}, false, -120, -128},
              {{kDLInt, 32, 1}, true, 7, 67}};
  static const KernelContents ways[] = {KERNEL_SPREAD, KERNEL_SORTED, KERNEL_RISING};
  for (size_t k = 0; k < sizeof rows / sizeof *rows; ++k)
    for (size_t way = 0; way < (rows[k].is_least ? 3 : 2); ++way) {
      KernelParameter x = {.contents = ways[way], .dtype = rows[k].dtype, .rank = 1};
      x.shape[0].size = 61;
      x.has_least = rows[k].is_least;
      x.has_most = !rows[k].is_least;
      x.least = x.most = x.number = rows[k].limit;
      for (size_t i = 0; i < 61; ++i) {
        const double element = kernel_element_of(&x, i);
        ck_assert_msg(element >= fmin(rows[k].limit, rows[k].other) &&
                          element <= fmax(rows[k].limit, rows[k].other),
                      "%zu, %zu: %g", k, way, element);
      }
    }
}

static KernelParameter filled(KernelContents contents, uint8_t code, uint8_t bits)
{
  return (KernelParameter){.contents = contents, .dtype = {code, bits, 1}, .seed = 1};
}

TEST(elements_need_all_digits_of_their_type)
{
  const KernelParameter floats = filled(KERNEL_FINE, kDLFloat, 64);
  const KernelParameter ints = filled(KERNEL_FINE, kDLInt, 32);
  const KernelParameter longs = filled(KERNEL_FINE, kDLInt, 64);
  long double sum = 0;
  for (size_t i = 0; i < 61; ++i) {
    const double element = (double)kernel_element_of(&floats, i);
    ck_assert((double)(float)element != element);
    const long double number = kernel_element_of(&ints, i), large = kernel_element_of(&longs, i);
    ck_assert((long double)(float)number != number && fabsl(number) < 0x1p31L);
    ck_assert((long double)(double)large != large && fabsl(large) < 0x1p63L);
    sum += number;
  }
  ck_assert(fabsl(sum) < 0x1p31L);
}

TEST(large_elements_overflow_in_exp_and_their_differences_do_not)
{
  static const struct {
    uint8_t bits;
    long double most, least;
  } rows[] = {{16, 65504, 0x1p-14L}, {32, 0x1.fffffep127L, 0x1p-126L}, {64, 0x1p1023L, 0x1p-1022L}};
  for (size_t k = 0; k < 3; ++k) {
    const KernelParameter x = filled(KERNEL_LARGE, kDLFloat, rows[k].bits);
    long double least = INFINITY, most = -INFINITY;
    for (size_t i = 0; i < 61; ++i) {
      least = fminl(least, kernel_element_of(&x, i));
      most = fmaxl(most, kernel_element_of(&x, i));
    }
    ck_assert(expl(most) > rows[k].most && expl(least - most) > rows[k].least);
  }
}

TEST(sorted_elements_rise_from_limit_to_limit_two_and_two_alike)
{
  KernelParameter offsets = filled(KERNEL_SORTED, kDLInt, 64);
  offsets.has_least = offsets.has_most = true;
  offsets.most = 9;
  offsets.rank = 1;
  offsets.shape[0].size = 5;
  static const int expected[] = {0, 4, 4, 9, 9};
  for (size_t i = 0; i < 5; ++i) ck_assert(kernel_element_of(&offsets, i) == expected[i]);
  offsets.shape[0].size = 1;
  ck_assert(kernel_element_of(&offsets, 0) == 0);
}

// Whoever fills a large tensor relies on it.
TEST(elements_with_a_period_are_like_those_before)
{
  static const uint8_t codes[] = {kDLInt, kDLUInt, kDLFloat, kDLBool};
  unsigned periodic = 0;
  for (int contents = KERNEL_RISING; contents <= KERNEL_FROM_NPY; ++contents)
    for (size_t k = 0; k < 8; ++k) {
      KernelParameter x = filled((KernelContents)contents, codes[k % 4], 32);
      x.seed = (uint32_t)k;
      x.number = 3;
      x.rank = 2;
      x.shape[0].size = x.shape[1].size = 40;
      x.has_least = x.has_most = k > 3;
      x.least = -9;
      x.most = 1000;
      const size_t period = kernel_element_period(&x);
      for (size_t i = period; period && i < 5 * period; ++i) {
        const long double one = kernel_element_of(&x, i),
                          before = kernel_element_of(&x, i % period);
        ck_assert_msg(one == before || (isnan(one) && isnan(before)), "contents %d, element %zu",
                      contents, i);
      }
      periodic += period != 0;
    }
  ck_assert_uint_gt(periodic, 8 * 10);
  KernelParameter listed = filled(KERNEL_RISING, kDLInt, 32);
  listed.value_count = 5;
  for (int i = 0; i < 5; ++i) listed.values[i] = i;
  const size_t period = kernel_element_period(&listed);
  ck_assert_uint_gt(period, 0);
  for (size_t i = 0; i < 3 * period; ++i)
    ck_assert(kernel_element_of(&listed, i) == kernel_element_of(&listed, i % period));
}
