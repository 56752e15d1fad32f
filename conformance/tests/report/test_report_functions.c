// SPDX-License-Identifier: Apache-2.0
// What reports say of functions: facts, combinations that were tried, lines that would tell more.
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "report/functions.h"
#include "test_report_sample.h"
#include "unit/unit.h"

enum { FUNCTIONS = 3 };

static Kernel kernels[FUNCTIONS];
static const KernelList list = {.items = kernels, .count = FUNCTIONS};

// "add" with a signature, "make" of which kinds are known, and "what" of which nothing is.
static void describe_functions(void)
{
  memset(kernels, 0, sizeof kernels);
  strcpy(kernels[0].name, "add");
  kernels[0].source = KERNEL_FROM_FILE;
  kernels[0].parameter_count = 2;
  kernels[0].result.kind = KERNEL_NONE;
  for (int i = 0; i < 2; ++i) {
    KernelParameter *tensor = &kernels[0].parameters[i];
    tensor->kind = KERNEL_TENSOR;
    kernel_stand_in(tensor);
    tensor->role = i ? KERNEL_OUT : KERNEL_IN;
    strcpy(tensor->name, i ? "y" : "x");
    strcpy(tensor->shape[0].symbol, "n");
  }
  strcpy(kernels[1].name, "make");
  kernels[1].source = KERNEL_PROBED;
  kernels[1].parameter_count = 2;
  kernels[1].parameters[0].kind = KERNEL_INT;
  kernels[1].parameters[1].kind = KERNEL_TENSOR;
  strcpy(kernels[2].name, "what");
}

// A case about the function; `needs` is what it has to know of it.
static CaseResult *add_about(Sample *sample, int function, const char *name, unsigned needs,
                             const char *skip)
{
  CaseResult *result = skip ? sample_add_skipped(sample, "kernel", name, skip)
                            : sample_add(sample, "kernel", name, CLAUSE_MUST);
  size_t place = (size_t)(result - sample->report.results);
  CaseInstance *instance = &sample->instances[place];
  instance->kernel = &kernels[function];
  snprintf(instance->id, sizeof instance->id, "kernel.%s@%s", name, kernels[function].name);
  sample->tests[place].needs = needs;
  return result;
}

static void try_as(CaseResult *result, size_t count, const EvidenceTried *tried)
{
  result->outcome.tried = calloc(count, sizeof *tried);
  memcpy(result->outcome.tried, tried, count * sizeof *tried);
  result->outcome.tried_count = count;
}

static void begin(Sample *sample)
{
  static const EvidenceTried first[] = {
      {"x: float32[4]", "", TRIED_PROMISED, TRIED_RIGHT, 2},
      {"x: float64[4]", "", TRIED_PROMISED, TRIED_REFUSED, 1},
      {"k: -1", "\"where\": [\"k >= 0\"]", TRIED_EXPLORED, TRIED_REFUSED, 3},
      {"k: 99", "", TRIED_EXCLUDED, TRIED_REFUSED, 1},
      {"refuses[0]: k > n", "\"calls\": [...]", TRIED_EXCLUDED, TRIED_OPEN, 1},
  };
  static const EvidenceTried second[] = {{"x: float32[4]", "", TRIED_PROMISED, TRIED_RIGHT, 5}};
  describe_functions();
  sample_begin(sample);
  sample->library.profile = INSPECT_PROFILE_MODULE;
  sample->report.profile = "module";
  sample->report.kernels = &list;
  try_as(add_about(sample, 0, "one", 0, NULL), 5, first);
  try_as(add_about(sample, 0, "two", 0, NULL), 1, second);
  add_about(sample, 0, "three", KERNEL_NEEDS_EXPECTED, "no expected result is given");
  add_about(sample, 1, "three", KERNEL_NEEDS_EXAMPLE, "no example of a valid call");
  add_about(sample, 1, "four", KERNEL_NEEDS_EXAMPLE, "no example of a valid call");
  add_about(sample, 2, "three", KERNEL_NEEDS_ARITY, "its signature is unknown");
  sample_judge(sample);
}

TEST_GROUP(functions);

TEST(combinations_of_all_cases_are_joined)
{
  Sample sample;
  begin(&sample);
  FunctionFacts *functions = functions_of(&sample.report);
  ck_assert_uint_eq(functions[0].tried_count, 4);
  ck_assert_uint_eq(functions[0].tried[0].times, 7);
  static const FunctionTriedMark marks[] = {TRIED_IS_GOOD, TRIED_IS_BAD, TRIED_IS_OPEN,
                                            TRIED_IS_GOOD};
  for (int i = 0; i < 4; ++i) ck_assert_int_eq(functions_mark(&functions[0].tried[i]), marks[i]);
  ck_assert_uint_eq(functions[1].tried_count, 0);
  ck_assert_uint_eq(functions[0].passed, 2);
  functions_free(functions, &sample.report);
  sample_end(&sample);
}

TEST(cases_without_a_verdict_are_not_told_as_failed)
{
  Sample sample;
  begin(&sample);
  sample_let_end(add_about(&sample, 0, "untold", 0, NULL), ENDING_UNTOLD);
  sample_let_end(add_about(&sample, 0, "wrong", 0, NULL), ENDING_FAIL);
  sample_let_end(add_about(&sample, 0, "crashes", 0, NULL), ENDING_CRASH);
  sample_judge(&sample);
  FunctionFacts *functions = functions_of(&sample.report);
  ck_assert_uint_eq(functions[0].passed, 2);
  ck_assert_uint_eq(functions[0].failed, 2);
  ck_assert_uint_eq(functions[0].inconclusive, 1);
  ck_assert_uint_eq(functions[0].warned, 0);
  functions_free(functions, &sample.report);
  sample_end(&sample);
}

TEST(lines_that_would_tell_more_are_counted)
{
  Sample sample;
  begin(&sample);
  FunctionFacts *functions = functions_of(&sample.report);
  static const struct {
    int function;
    size_t at, count;
    const char *line;
  } due[] = {
      {0, 0, 3, "\"where\": [\"k >= 0\"]"},
      {0, 1, 1, "\"calls\": [...]"},
      {0, 2, 1, "\"expected\": {\"y\": \"...\"}"},
      {1, 0, 2, "\"parameters[1]\": {\"dtype\": \"float32\", \"shape\": \"n\"}"},
      {2, 0, 1, "\"what\": {\"parameters\": [...]}"},
  };
  for (size_t i = 0; i < sizeof due / sizeof due[0]; ++i) {
    const FunctionFacts *facts = &functions[due[i].function];
    ck_assert_uint_gt(facts->unjudged_count, due[i].at);
    ck_assert_str_eq(facts->unjudged[due[i].at].line, due[i].line);
    ck_assert_uint_eq(facts->unjudged[due[i].at].count, due[i].count);
  }
  functions_free(functions, &sample.report);
  sample_end(&sample);
}

TEST(facts_say_what_and_from_where)
{
  Sample sample;
  begin(&sample);
  FunctionFacts *functions = functions_of(&sample.report);
  char text[200];
  functions_signature(&functions[0], text, sizeof text);
  ck_assert_str_eq(text, "add(x: tensor float32[n], y: tensor float32[n], out) -> none");
  functions_signature(&functions[1], text, sizeof text);
  ck_assert_str_eq(text, "make(argument 0: int, argument 1: tensor)");
  functions_signature(&functions[2], text, sizeof text);
  ck_assert_str_eq(text, "what(?)");
  ck_assert_str_eq(functions_origin(&functions[0]), "file");
  ck_assert_str_eq(functions_origin(&functions[1]), "probing");
  ck_assert_str_eq(functions_origin(&functions[2]), "nobody");
  functions_free(functions, &sample.report);
  sample_end(&sample);
}

// What is in groups, and how the rest is told.
TEST(reports_count_and_tell)
{
  Sample sample;
  begin(&sample);
  size_t size;
  char *text = sample_file(&sample, report_json, "functions.json", &size);
  json_t *root = json_loads(text, 0, NULL);
  ck_assert_ptr_nonnull(root);
  ck_assert_str_eq(json_string_value(json_object_get(root, "format")), "tvmffi-conform-report/2");
  ck_assert_uint_eq(json_array_size(json_object_get(root, "cases")), 0);
  ck_assert_uint_eq(json_array_size(json_object_get(root, "groups")), 6);
  ck_assert_uint_eq(json_array_size(json_object_get(root, "functions")), FUNCTIONS);
  json_decref(root);
  free(text);
  text = sample_text(&sample, &(TextStyle){.utf8 = true, .columns = 100});
  ck_assert_ptr_nonnull(strstr(text, "signatures: 1 from the signature file, 1 from calls"));
  ck_assert_ptr_nonnull(strstr(text, "4 combinations: 2 as it must be · 1 not · 1 not judged"));
  ck_assert_ptr_nonnull(strstr(text, " more lines (-v)\n"));
  free(text);
  text = sample_text(&sample, &(TextStyle){.utf8 = true, .columns = 100, .verbosity = 1});
  ck_assert_ptr_nonnull(strstr(text, "\"calls\": [...]  (1: no call was judged"));
  free(text);
  text = sample_file(&sample, report_tap, "functions.tap", &size);
  ck_assert_ptr_nonnull(strstr(text, "1..6\n"));
  ck_assert_ptr_nonnull(
      strstr(text, " - kernel.four (1 function) # SKIP no example of a valid call\n"));
  free(text);
  sample_end(&sample);
}
