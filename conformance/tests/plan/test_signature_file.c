// SPDX-License-Identifier: Apache-2.0
// Signature files: what is read, and what is refused in which words, with the line and the member.
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "expression/npy.h"
#include "plan/kernel_choice.h"
#include "signature_text.h"
#include "unit/unit.h"

static const KernelParameter *only_parameter(const char *parameter)
{
  char text[1024];
  snprintf(text, sizeof text, "{\"functions\": {\"add\": {\"parameters\": [%s]}}}", parameter);
  KernelList *list = signature_read(text);
  ck_assert_msg(list != NULL, "%s: %s", parameter, signature_error);
  ck_assert_uint_eq(list->items[0].parameter_count, 1);
  return &list->items[0].parameters[0];
}

static unsigned files_read;

static bool count_files(const char *path, NpyArray *array, char problem[NPY_PROBLEM_MAX])
{
  ++files_read;
  *array = (NpyArray){.kind = NPY_BOOL};
  snprintf(problem, NPY_PROBLEM_MAX, "%.100s cannot be read", path);
  return false;
}

static bool read_three(const char *path, NpyArray *array, char problem[NPY_PROBLEM_MAX])
{
  (void)path, (void)problem;
  ++files_read;
  *array = (NpyArray){.kind = NPY_FLOAT, .size = 4, .rank = 1, .shape = {3}, .count = 3};
  array->bytes = calloc(3, 4);
  return array->bytes != NULL;
}

// --- What is read --------------------------------------------------------------------------------

// Of methods nothing is known: floats may be as far off as those of the function with the sequence.
TEST(steps_are_as_close_as_the_function_says)
{
  KernelList *list = signature_read(
      "{\"functions\": {\"add\": {\"parameters\": [], \"tolerance\": 1e-3, \"sequences\": [{\"steps\": ["
      "{\"call\": \"add\", \"arguments\": {}, \"keep\": \"p\"}, "
      "{\"call\": \"p.mean\", \"arguments\": [], \"expected\": {\"result\": \"0.1\"}}]}]}}}");
  ck_assert_msg(list != NULL, "%s", signature_error);
  const Signature *signature = kernel_list_signature(list, 0);
  ck_assert_uint_eq(signature->steps.count, 2);
  const SignatureStep *step = signature_step(signature, 1);
  ck_assert_uint_eq(step->tolerances.count, 1);
  ck_assert_double_eq(signature_tolerance(signature, step->tolerances.first)->relative, 1e-3);
}

TEST(steps_align_tensors_as_their_types_say)
{
  KernelList *list = signature_read(
      "{\"functions\": {\"add\": {\"parameters\": ["
      "{\"name\": \"x\", \"kind\": \"tensor\", \"dtype\": \"int8\", \"shape\": \"1\", \"alignment\": 64}, "
      "{\"name\": \"v\", \"kind\": \"variant\", \"any_of\": [{\"kind\": \"int\"}, "
      "{\"kind\": \"tensor\", \"dtype\": \"int8\", \"shape\": \"1\", \"alignment\": 128}]}, "
      "{\"name\": \"parts\", \"kind\": \"array\", \"element\": "
      "{\"kind\": \"tensor\", \"dtype\": \"int8\", \"shape\": \"1\", \"alignment\": 32}}], "
      "\"sequences\": [{\"steps\": [{\"call\": \"add\", \"arguments\": {"
      "\"x\": {\"elements\": [1]}, \"v\": {\"elements\": [1], \"dtype\": \"int8\"}, "
      "\"parts\": [{\"elements\": [1]}]}}]}]}}}");
  ck_assert_msg(list != NULL, "%s", signature_error);
  const Signature *signature = kernel_list_signature(list, 0);
  static Kernel kernel;
  char problem[KERNEL_PROBLEM_MAX] = "";
  ck_assert_msg(kernel_of_step(signature, signature_step(signature, 0), &kernel, problem), "%s",
                problem);
  ck_assert_uint_eq(kernel.parameters[0].alignment, 64);
  ck_assert_uint_eq(kernel.parameters[1].alignment, 128);
  ck_assert_uint_eq(kernel.elements[kernel.parameters[2].first_element].alignment, 32);
}

// The first alternative that the value may be says what it is, also for what is in it.
TEST(steps_take_the_alternative_that_a_value_may_be)
{
#define BYTES "{\"kind\": \"tensor\", \"dtype\": \"int8\", \"shape\": \"n\"}"
  KernelList *list = signature_read(
      "{\"functions\": {\"add\": {\"parameters\": [{\"name\": \"v\", \"kind\": \"variant\", "
      "\"any_of\": [{\"kind\": \"map\", \"key\": {\"kind\": \"string\"}, \"element\": " BYTES
      "}, " BYTES ", {\"kind\": \"array\", \"element\": " BYTES
      "}]}], \"sequences\": [{\"steps\": ["
      "{\"call\": \"add\", \"arguments\": {\"v\": {\"elements\": [1, 2]}}}, "
      "{\"call\": \"add\", \"arguments\": {\"v\": [{\"elements\": [1, 2]}]}}, "
      "{\"call\": \"add\", \"arguments\": {\"v\": {\"w\": {\"elements\": [1, 2]}}}}]}]}}}");
  ck_assert_msg(list != NULL, "%s", signature_error);
  const Signature *signature = kernel_list_signature(list, 0);
  static const KernelKind kinds[] = {KERNEL_TENSOR, KERNEL_ARRAY, KERNEL_MAP};
  static Kernel kernel;
  char problem[KERNEL_PROBLEM_MAX] = "";
  for (uint32_t i = 0; i < 3; ++i) {
    ck_assert_msg(kernel_of_step(signature, signature_step(signature, i), &kernel, problem), "%s",
                  problem);
    const KernelParameter *given = &kernel.parameters[0];
    ck_assert_int_eq(given->kind, kinds[i]);
    const KernelParameter *tensor =
        i == 0 ? given : &kernel.elements[given->first_element + given->element_count - 1];
    ck_assert_int_eq(tensor->kind, KERNEL_TENSOR);
    ck_assert_uint_eq(tensor->dtype.bits, 8);
    ck_assert_int_eq(tensor->shape[0].size, 2);
  }
}

#define LIST_OF(kind) "{\"kind\": \"array\", \"element\": {\"kind\": \"" kind "\"}}"

TEST(steps_read_values_by_the_alternative_that_they_fit)
{
  static const struct {
    const char *given;
    KernelKind kind;  // of the value, or of what is in it
  } rows[] = {{"[1, 2]", KERNEL_INT},
              {"[1.5, 2]", KERNEL_FLOAT},
              {"[\"nan\", 2]", KERNEL_FLOAT},
              {"[\"a\", \"b\"]", KERNEL_STRING},
              {"{\"k\": \"a\"}", KERNEL_STRING},
              {"{\"k\": 3}", KERNEL_INT}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
    static Kernel kernel;
    char text[1024], problem[KERNEL_PROBLEM_MAX] = "";
    snprintf(text, sizeof text,
             "{\"functions\": {\"add\": {\"parameters\": [{\"name\": \"v\", \"kind\": \"variant\", "
             "\"any_of\": [" LIST_OF("int") ", " LIST_OF("float") ", " LIST_OF(
                 "string") ", {\"kind\": \"map\", \"entries\": {\"k\": {\"kind\": \"string\"}}}, "
                           "{\"kind\": \"map\", \"entries\": {\"k\": {\"kind\": \"int\"}}}]}], "
                           "\"sequences\": [{\"steps\": [{\"call\": \"add\", \"arguments\": {\"v\": %s}}]}]}}}",
             rows[i].given);
    KernelList *list = signature_read(text);
    ck_assert_msg(list != NULL, "%s: %s", rows[i].given, signature_error);
    const Signature *signature = kernel_list_signature(list, 0);
    ck_assert(kernel_of_step(signature, signature_step(signature, 0), &kernel, problem));
    const KernelParameter *given = &kernel.parameters[0];
    const uint32_t at = given->first_element + (given->kind == KERNEL_MAP ? 1 : 0);
    ck_assert_msg(kernel.elements[at].kind == rows[i].kind, "%s: %s", rows[i].given,
                  kernel_kind_names[kernel.elements[at].kind]);
  }
}

TEST(nan_is_a_float_in_steps_that_are_refused)
{
  KernelList *list = signature_read(
      "{\"functions\": {\"add\": {\"parameters\": [{\"name\": \"w\", \"kind\": \"float\"}], "
      "\"sequences\": [{\"steps\": [{\"call\": \"add\", \"arguments\": {\"w\": \"nan\"}, "
      "\"refused\": true}, {\"call\": \"add\", \"arguments\": {\"w\": \"x\"}, "
      "\"refused\": true}]}]}}}");
  ck_assert_msg(list != NULL, "%s", signature_error);
  const Signature *signature = kernel_list_signature(list, 0);
  static Kernel kernel;
  char problem[KERNEL_PROBLEM_MAX] = "";
  ck_assert(kernel_of_step(signature, signature_step(signature, 0), &kernel, problem));
  ck_assert_int_eq(kernel.parameters[0].kind, KERNEL_FLOAT);
  ck_assert_double_nan(kernel.parameters[0].number);
  ck_assert(kernel_of_step(signature, signature_step(signature, 1), &kernel, problem));
  ck_assert_int_eq(kernel.parameters[0].kind, KERNEL_STRING);
}

// Each try reads the file of the listed call once. No try can meet the condition.
TEST(large_calls_are_tried_less_often)
{
  static const struct {
    int size;
    unsigned least, most;
  } rows[] = {{3, 2000, 2100}, {1 << 12, 2000, 2100}, {1 << 19, 40, 100}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
    char path[] = "/tmp/signatures-XXXXXX", text[512];
    const int file = mkstemp(path);
    ck_assert_int_ge(file, 0);
    close(file);
    snprintf(
        text, sizeof text,
        "{\"functions\": {\"add\": {\"parameters\": [{\"name\": \"x\", \"kind\": \"tensor\", "
        "\"dtype\": \"float32\", \"shape\": \"m\"}, {\"name\": \"y\", \"kind\": \"tensor\", "
        "\"dtype\": \"float32\", \"shape\": \"n\"}], \"sizes\": {\"n\": %d}, \"example\": \"calls\", "
        "\"where\": [\"sum(y) < sum(y)\"], \"calls\": [{\"arguments\": {\"x\": {\"npy\": \"%s\"}}}]}}}",
        rows[i].size, path);
    files_read = 0;
    npy_read_files_by(read_three);
    ck_assert_ptr_null(signature_read(text));
    npy_read_files_by(NULL);
    unlink(path);
    ck_assert_msg(files_read >= rows[i].least && files_read <= rows[i].most, "%d: %u", rows[i].size,
                  files_read);
  }
}

// A process that reads a file of somebody may open no other, and each try would take a process more.
TEST(files_with_arrays_are_left_to_who_can_read_them)
{
  char path[] = "/tmp/signatures-XXXXXX", error[sizeof signature_error] = "", text[512];
  const int file = mkstemp(path);
  ck_assert_int_ge(file, 0);
  close(file);
  const int size = snprintf(
      text, sizeof text,
      "{\"functions\": {\"add\": {\"parameters\": [{\"name\": \"x\", \"kind\": \"tensor\", "
      "\"dtype\": \"float32\", \"shape\": \"n\"}], \"example\": \"calls\", \"calls\": "
      "[{\"arguments\": {\"x\": {\"npy\": \"%s\"}}}]}}}",
      path);
  KernelList *list = signature_module();
  npy_read_files_by(count_files);
  ck_assert_msg(signature_file_read_text("a.json", text, (size_t)size, list, error, sizeof error),
                "%s", error);
  ck_assert_uint_eq(files_read, 0);
  ck_assert_ptr_nonnull(kernel_list_signature(list, 0));
  signature_read(text);
  npy_read_files_by(NULL);
  ck_assert_uint_gt(files_read, 0);
  unlink(path);
}

TEST(every_member_of_a_function_is_read)
{
  KernelList *list = signature_read(
      "{\"$schema\": \"x\", \"functions\": {\"add\": {\"text\": \"words\", \"launches\": true,\n"
      " \"parameters\": [{\"name\": \"x\", \"kind\": \"tensor\", \"dtype\": \"bfloat16x2\",\n"
      "   \"shape\": [\"n\", 3, \"m\"], \"device\": \"cuda:2\", \"role\": \"inout\",\n"
      "   \"alignment\": 64, \"value\": 2.5},\n"
      "  {\"name\": \"k\", \"kind\": \"int\", \"optional\": true, \"value\": -7}],\n"
      " \"result\": {\"kind\": \"object\", \"type_key\": \"my.Thing\", \"optional\": true},\n"
      " \"sizes\": {\"n\": 9}, \"expected\": {\"x\": \"x + k\"}, \"tolerance\": 1e-3}}}");
  ck_assert_msg(list != NULL, "%s", signature_error);
  const Kernel *add = &list->items[0];
  const KernelParameter *x = &add->parameters[0], *k = &add->parameters[1];
  ck_assert_int_eq(add->source, KERNEL_FROM_FILE);
  ck_assert(add->launches);
  ck_assert_uint_eq(add->parameter_count, 2);
  ck_assert_str_eq(x->name, "x");
  ck_assert_int_eq(x->kind, KERNEL_TENSOR);
  ck_assert(x->typed && !x->optional);
  ck_assert_int_eq(x->dtype.code, kDLBfloat);
  ck_assert_int_eq(x->dtype.bits, 16);
  ck_assert_int_eq(x->dtype.lanes, 2);
  ck_assert_int_eq(x->rank, 3);
  ck_assert_str_eq(x->shape[0].symbol, "n");
  ck_assert_int_eq(x->shape[0].size, 9);
  ck_assert_str_eq(x->shape[1].symbol, "");
  ck_assert_int_eq(x->shape[1].size, 3);
  ck_assert_int_eq(x->shape[2].size, 4);
  ck_assert_int_eq(x->device.device_type, kDLCUDA);
  ck_assert_int_eq(x->device.device_id, 2);
  ck_assert_int_eq(x->role, KERNEL_INOUT);
  ck_assert_uint_eq(x->alignment, 64);
  ck_assert_double_eq(x->number, 2.5);
  ck_assert(k->optional);
  ck_assert_int_eq(k->integer, -7);
  ck_assert_int_eq(add->result.kind, KERNEL_OBJECT);
  ck_assert_str_eq(add->result.type_key, "my.Thing");
  ck_assert(add->result.optional);
  ck_assert_str_eq(add->expected, "x + k");
  ck_assert_uint_eq(add->expected_of, 0);
  ck_assert_double_eq(add->tolerance, 1e-3);
}

TEST(what_is_left_out_is_the_usual)
{
  const KernelParameter *x =
      only_parameter("{\"kind\": \"tensor\", \"dtype\": \"int8\", \"shape\": []}");
  ck_assert_str_eq(x->name, "");
  ck_assert_int_eq(x->role, KERNEL_IN);
  ck_assert_int_eq(x->device.device_type, kDLCPU);
  ck_assert_uint_eq(x->alignment, 1);
  ck_assert_double_eq(x->number, 1);
  ck_assert_int_eq(x->rank, 0);
  ck_assert(x->typed);
  ck_assert_int_eq(only_parameter("{}")->kind, KERNEL_ANY);
  ck_assert(!only_parameter("{\"kind\": \"tensor\"}")->typed);
  ck_assert_int_eq(only_parameter("{\"kind\": \"int\"}")->integer, 1);
  ck_assert_double_eq(only_parameter("{\"kind\": \"float\"}")->number, 1);
  KernelList *list = signature_read("{\"functions\": {\"add\": {\"parameters\": []}}}");
  ck_assert_int_eq(list->items[0].result.kind, KERNEL_ANY);
  ck_assert_uint_eq(list->items[0].expected_of, 0);
  ck_assert_str_eq(list->items[0].expected, "");
}

TEST(every_kind_has_a_name)
{
  for (int i = 0; i < KERNEL_ARRAY; ++i) {
    char parameter[64];
    snprintf(parameter, sizeof parameter, "{\"kind\": \"%s\"}", kernel_kind_names[i]);
    ck_assert_int_eq(only_parameter(parameter)->kind, i);
  }
}

TEST(example_values_are_read_by_kind)
{
  ck_assert_int_eq(only_parameter("{\"kind\": \"int\", \"value\": true}")->integer, 1);
  ck_assert_int_eq(only_parameter("{\"kind\": \"bool\", \"value\": false}")->integer, 0);
  ck_assert_int_eq(only_parameter("{\"kind\": \"int\", \"value\": -9223372036854775808}")->integer,
                   INT64_MIN);
  ck_assert_double_eq(only_parameter("{\"kind\": \"float\", \"value\": 3}")->number, 3);
  ck_assert_str_eq(only_parameter("{\"kind\": \"string\", \"value\": \"a\\u00e4\"}")->text,
                   "a\xc3\xa4");
  ck_assert_str_eq(only_parameter("{\"kind\": \"bytes\", \"value\": \"\"}")->text, "");
  ck_assert_str_eq(only_parameter("{\"kind\": \"dtype\", \"value\": \"int4x8\"}")->text, "int4x8");
  ck_assert_str_eq(only_parameter("{\"kind\": \"dtype\", \"value\": \"handle\"}")->text, "handle");
}

TEST(the_first_of_some_examples_is_the_example)
{
  ck_assert_int_eq(only_parameter("{\"kind\": \"int\", \"examples\": [7, 9]}")->integer, 7);
  ck_assert_double_eq(
      only_parameter("{\"kind\": \"float\", \"examples\": [7, 9], \"value\": 9}")->number, 9);
}

static unsigned spellings_of(const char *kind, const char *names)
{
  char parameter[160];
  snprintf(parameter, sizeof parameter, "{\"kind\": \"%s\", \"spellings\": [%s]}", kind, names);
  return only_parameter(parameter)->spellings;
}

TEST(spellings_are_read_by_kind)
{
  ck_assert_uint_eq(only_parameter("{\"kind\": \"string\"}")->spellings, 0);
  ck_assert_uint_eq(spellings_of("string", "\"raw\", \"small\", \"object\""),
                    KERNEL_SPELLED_AS_STRING);
  ck_assert_uint_eq(spellings_of("bytes", "\"byte_array\""), KERNEL_SPELLED_BYTE_ARRAY);
  ck_assert_uint_eq(spellings_of("tensor", "\"borrowed\""), KERNEL_SPELLED_BORROWED);
  const KernelParameter *object =
      only_parameter("{\"kind\": \"tensor\", \"spellings\": [\"object\"]}");
  ck_assert(kernel_takes_spelling(object, kTVMFFITensor));
  ck_assert(!kernel_takes_spelling(object, kTVMFFIDLTensorPtr));
  ck_assert(!kernel_takes_spelling(object, kTVMFFIStr));
  const KernelParameter *any = only_parameter("{\"kind\": \"bytes\"}");
  ck_assert(kernel_takes_spelling(any, kTVMFFIByteArrayPtr));
  ck_assert(kernel_takes_spelling(any, kTVMFFISmallBytes));
  ck_assert(!kernel_takes_spelling(any, kTVMFFISmallStr));
}

TEST(a_tentative_signature_is_one_that_was_probed)
{
  KernelList *list = signature_read(
      "{\"functions\": {\"add\": {\"tentative\": true, \"parameters\": [{\"kind\": \"int\"}]},\n"
      " \"scale\": {\"tentative\": false, \"parameters\": [{\"kind\": \"int\"}]}}}");
  ck_assert_msg(list != NULL, "%s", signature_error);
  ck_assert_int_eq(list->items[0].source, KERNEL_PROBED);
  ck_assert_int_eq(list->items[2].source, KERNEL_FROM_FILE);
}

TEST(others_than_the_listed_functions_stay_as_they_were)
{
  KernelList *list = signature_read("{\"functions\": {\"scale\": {\"parameters\": [{}, {}]}}}");
  ck_assert_int_eq(list->items[0].source, KERNEL_UNKNOWN);
  ck_assert_int_eq(list->items[1].source, KERNEL_UNKNOWN);
  ck_assert_int_eq(list->items[2].source, KERNEL_FROM_FILE);
  ck_assert(list->items[2].has_metadata);
  ck_assert_str_eq(list->items[2].name, "scale");
  list = signature_read("{\"functions\": {}}");
  for (size_t i = 0; i < list->count; ++i) ck_assert_int_eq(list->items[i].source, KERNEL_UNKNOWN);
}

TEST(what_is_expected_of_the_result_is_behind_the_parameters)
{
  KernelList *list = signature_read(
      "{\"functions\": {\"add\": {\"parameters\": [{\"name\": \"a\", \"kind\": \"int\"}],"
      " \"expected\": {\"result\": \"2 * a\"}}}}");
  ck_assert_uint_eq(list->items[0].expected_of, 1);
  ck_assert_str_eq(list->items[0].expected, "2 * a");
}

TEST(the_largest_that_is_read)
{
  char text[4096] = "{\"functions\": {\"add\": {\"parameters\": [";
  for (int i = 0; i < KERNEL_PARAMETERS_MAX; ++i)
    strcat(text, i ? ", {\"kind\": \"int\"}" : "{\"kind\": \"int\"}");
  strcat(text, "]}}}");
  KernelList *list = signature_read(text);
  ck_assert_msg(list != NULL, "%s", signature_error);
  ck_assert_uint_eq(list->items[0].parameter_count, KERNEL_PARAMETERS_MAX);
  ck_assert_int_eq(only_parameter("{\"kind\": \"tensor\", \"dtype\": \"int8\", \"shape\": "
                                  "[1, 2, 3, 4, 5, 6, 7, \"fifteen_letters\"]}")
                       ->rank,
                   KERNEL_RANK_MAX);
  ck_assert_int_eq(only_parameter("{\"kind\": \"tensor\", \"dtype\": \"int8\", \"shape\": "
                                  "[0, 9223372036854775807]}")
                       ->shape[1]
                       .size,
                   INT64_MAX);
  only_parameter("{\"kind\": \"tensor\", \"dtype\": \"int8\", \"shape\": [4096, 4096]}");
}

// --- What is refused -----------------------------------------------------------------------------

typedef struct Mistake {
  const char *text, *complaint;
} Mistake;

#define LONG_48 "123456789012345678901234567890123456789012345678"
#define LONG_160 LONG_48 LONG_48 LONG_48 "1234567890123456"
#define ADD(members) "{\"functions\": {\n \"add\": {\n" members "}}}"
#define PARAMETER(members) ADD("\"parameters\": [{},\n {\"name\": \"y\",\n" members "}]")
#define TENSOR(members) PARAMETER("\"kind\": \"tensor\", \"dtype\": \"int8\",\n" members)
#define EACH(shape)                                                                                    \
  "{\"kind\": \"array\", \"element\": {\"kind\": \"tensor\", \"dtype\": \"int8\", \"shape\": \"" shape \
  "\"}}"
#define AT_Y "functions.add.parameters[1]"

static const Mistake mistakes[] = {
    // Of the file
    {"", " is empty"},
    {"{\"functions\":\n\n nonsense}", "3:9: not JSON: invalid token near 'nonsense'"},
    {"{\"functions\": {}}\n rest", "2:5: not JSON: end of file expected near 'rest'"},
    {"{\"functions\": {},\n \"functions\": {}}",
     "2:12: not JSON: duplicate object key near '\"functions\"'"},
    {"[]", "1: expected an object"},
    {"{}", "1: functions: expected an object"},
    {"{\n\"functions\": 3}", "2: functions: expected an object"},
    {"{\"functions\": {},\n \"function\": {}}",
     "2: function: unknown member (known here: functions, $schema)"},
    // Of a function
    {"{\"functions\": {\"add\": {\"parameters\": []},\n \"subtract\": {}}}",
     "2: functions.subtract: the module does not export __tvm_ffi_subtract"},
    {"{\"functions\": {\"__tvm_ffi_add\": {\"parameters\": []}}}",
     "1: functions.__tvm_ffi_add: the module does not export __tvm_ffi___tvm_ffi_add"},
    {"{\"functions\": {\n \"add\": 3}}", "2: functions.add: expected an object"},
    {ADD("\"arguments\": []"),
     "3: functions.add.arguments: unknown member (known here: parameters, rest, result, sizes, dtypes, "
     "devices, let, where, refuses, checks, expected, tolerance, calls, combinations, example, needs, sequences, promises, launches, text, tentative)"},
    {ADD("\"launches\": true"), "2: functions.add.parameters: expected an array"},
    {ADD("\"parameters\": {}"), "3: functions.add.parameters: expected an array"},
    {ADD("\"parameters\": [],\n\"launches\": 1"),
     "4: functions.add.launches: expected true or false"},
    {ADD("\"parameters\": [],\n\"tolerance\": \"1\""),
     "4: functions.add.tolerance: expected a number"},
    {ADD("\"parameters\": [],\n\"tolerance\": -1"),
     "4: functions.add.tolerance: expected a number, 0 or more"},
    {ADD("\"parameters\": [],\n\"sizes\": []"), "4: functions.add.sizes: expected an object"},
    {ADD("\"parameters\": [],\n\"sizes\": {\"n\": -1}"),
     "4: functions.add.sizes: the size of \"n\" must be an integer, 0 or more"},
    {ADD("\"parameters\": [],\n\"sizes\": {\"n\": 1.5}"),
     "4: functions.add.sizes: the size of \"n\" must be an integer, 0 or more"},
    {ADD("\"parameters\": [],\n\"expected\": \"x\""),
     "4: functions.add.expected: expected an object such as {\"y\": \"x + 1\"}"},
    {ADD("\"parameters\": [],\n\"expected\": {}"),
     "4: functions.add.expected: expected an object such as {\"y\": \"x + 1\"}"},
    {ADD("\"parameters\": [],\n\"expected\": {\"y\": \"1\"}"),
     "4: functions.add.expected: \"y\" is neither a parameter nor \"result\""},
    {ADD("\"parameters\": [],\n\"expected\": {\n\"result\": []}"),
     "5: functions.add.expected.result: expected a formula, a number or {\"npy\": FILE}"},
    {ADD("\"parameters\": [],\n\"expected\": {\n\"result\": \"1\\u0000\"}"),
     "5: functions.add.expected.result: only values may have a NUL"},
    {ADD("\"parameters\": [{\"name\": \"a\\u0000b\", \"kind\": \"int\"}]"),
     "3: functions.add.parameters[0].name: only values may have a NUL"},
    {ADD("\"parameters\": [],\n\"expected\": {\n\"result\": \"2 +\"}"),
     "5: functions.add.expected.result: \"2 +\": character 4: a value expected"},
    {ADD("\"parameters\": [],\n\"refuses\": {}"),
     "4: functions.add.refuses: expected an array of up to 128 refusals"},
    {ADD("\"parameters\": [],\n\"refuses\": [3]"),
     "4: functions.add.refuses[0]: expected an object"},
    {ADD("\"parameters\": [],\n\"refuses\": [{\"when\": 3}]"),
     "4: functions.add.refuses[0].when: expected a condition such as \"k > n\""},
    {ADD("\"parameters\": [],\n\"calls\": [3]"), "4: functions.add.calls[0]: expected an object"},
    {ADD("\"parameters\": [],\n\"calls\": [{\"refused\": 3}]"),
     "4: functions.add.calls[0].refused: expected true, or an object with \"kind\" and \"message\""},
    {ADD("\"parameters\": [],\n\"promises\": []"),
     "4: functions.add.promises: expected a non-empty array of promises"},
    {ADD("\"parameters\": [],\n\"promises\": [\"pure\"]"),
     "4: functions.add.promises[0]: unknown promise \"pure\" (known: atomic, repeatable, fresh, shared)"},
    {ADD("\"parameters\": [],\n\"promises\": [3]"),
     "4: functions.add.promises[0]: unknown promise \"\" (known: atomic, repeatable, fresh, shared)"},
    {ADD("\"parameters\": [{\"name\": \"o\", \"kind\": \"object\"}],\n\"promises\": [\"shared\"]"),
     "4: functions.add.promises: \"shared\" is about a parameter of kind \"object\" that other calls "
     "make (\"needs\")"},
    {ADD("\"parameters\": [], \"needs\": [{\"call\": \"add_one\", \"arguments\": {}}],\n\"promises\": "
         "[\"shared\"]"),
     "4: functions.add.promises: \"shared\" is about a parameter of kind \"object\" that other calls "
     "make (\"needs\")"},
    {ADD("\"parameters\": [\n{\"kind\": \"tensor\", \"dtype\": \"int8\", \"shape\": \"?n\"}]"),
     "4: functions.add.parameters[0].shape: \"?n\" is a size of each element: it stands in tensors of "
     "an array, and not of arrays in arrays"},
    {ADD("\"parameters\": [{\"kind\": \"array\", \"element\": {\"kind\": \"shape\", \"extents\": "
         "\"?n\"}}]"),
     "3: functions.add.parameters[0].element.extents: \"?n\" is a size of each element: it stands in "
     "tensors of an array, and not of arrays in arrays"},
    {ADD("\"parameters\": [{\"kind\": \"array\", \"element\": " EACH("?n") "}]"),
     "3: functions.add.parameters[0].element.element.shape: \"?n\" is a size of each element: it stands "
     "in tensors of an array, and not of arrays in arrays"},
    {ADD("\"parameters\": [" EACH("?_") "]"),
     "3: functions.add.parameters[0].element.shape: \"?_\": expected a name of up to 15 letters behind "
     "?"},
    {ADD("\"parameters\": [" EACH("?a ?b ?c ?d ?e") "]"),
     "3: functions.add.parameters[0].element.shape: more than 4 sizes of elements"},
    {ADD("\"parameters\": [" EACH("?n n") "]"),
     "3: functions.add.parameters[0].element.shape: \"n\" is a size of each element (\"?n\"), which no "
     "expression knows"},
    {ADD("\"parameters\": [" EACH("n ?n") "]"),
     "3: functions.add.parameters[0].element.shape: \"n\" cannot be both a size of each "
     "element (\"?n\") and one of the call"},
    {ADD("\"parameters\": [" EACH("?2*n") "]"),
     "3: functions.add.parameters[0].element.shape: \"?2*n\": expected a name of up to 15 letters "
     "behind ?"},
    {ADD("\"parameters\": [" EACH("?n") "], \"result\": " EACH("?m")),
     "3: functions.add.result.element.shape: \"?m\" is in no parameter's shape"},
    {ADD("\"parameters\": [" EACH("?n") "],\n\"refuses\": [{\"with\": {\"n\": 3}}]"),
     "4: functions.add.refuses[0].with: \"n\" is not a parameter or a size"},
    {ADD("\"parameters\": [" EACH("?n") "],\n\"where\": [\"n > 1\"]"),
     "4: functions.add.where[0]: \"n\" is a size of each element (\"?n\"), which no expression knows"},
    {ADD("\"parameters\": [],\n\"result\": 3"), "4: functions.add.result: expected an object"},
    {ADD("\"parameters\": [],\n\"result\": {\n\"kind\": 3}"),
     "5: functions.add.result.kind: expected a string"},
    {ADD("\"parameters\": [],\n\"result\": {\"kind\": \"tensor\",\n\"spellings\": [\"object\"]}"),
     "5: functions.add.result.spellings: only parameters have spellings"},
    // Of a parameter
    {ADD("\"parameters\": [{},\n 3]"), "4: " AT_Y ": expected an object"},
    {PARAMETER("\"kinds\": 3"),
     "5: " AT_Y ".kinds: unknown member (known here: name, kind, optional, retained, text)"},
    {PARAMETER("\"kind\": \"double\""),
     "5: " AT_Y
     ".kind: unknown kind \"double\" (known: any, none, int, bool, float, pointer, dtype, device, "
     "string, bytes, shape, tensor, function, object, array, tuple, map, variant)"},
    {PARAMETER("\"kind\": \"a kind of many letters\""),
     "5: " AT_Y
     ".kind: unknown kind \"a kind of many letters\" (known: any, none, int, bool, float, pointer, dtype, device, "
     "string, bytes, shape, tensor, function, object, array, tuple, map, variant)"},
    {PARAMETER("\"optional\": null"), "5: " AT_Y ".optional: expected true or false"},
    {PARAMETER("\"kind\": \"object\",\n\"type_key\": 3"),
     "6: " AT_Y ".type_key: expected a string"},
    {PARAMETER("\"kind\": \"object\",\n\"type_key\": \"" LONG_48 "\""),
     "6: " AT_Y ".type_key: longer than 47 bytes"},
    {ADD("\"parameters\": [{},\n {\n\"name\": \"" LONG_48 "\"}]"),
     "5: " AT_Y ".name: longer than 47 bytes"},
    {PARAMETER("\"kind\": \"int\",\n\"value\": 1.5"), "6: " AT_Y ".value: expected an integer"},
    {PARAMETER("\"kind\": \"bool\",\n\"value\": \"1\""), "6: " AT_Y ".value: expected an integer"},
    {PARAMETER("\"kind\": \"int\",\n\"value\": 9223372036854775808"),
     "6:28: not JSON: too big integer near '9223372036854775808'"},
    {PARAMETER("\"kind\": \"float\",\n\"value\": \"1\""), "6: " AT_Y ".value: expected a number"},
    {PARAMETER("\"kind\": \"string\",\n\"value\": 1"), "6: " AT_Y ".value: expected a string"},
    {PARAMETER("\"kind\": \"bytes\",\n\"value\": \"" LONG_48 LONG_48 LONG_48 LONG_48 LONG_48 LONG_48
                   LONG_48 LONG_48 "\""),
     "6: " AT_Y ".value: longer than 383 bytes"},
    {PARAMETER("\"kind\": \"dtype\",\n\"value\": \"float33x\""),
     "6: " AT_Y ".value: expected a data type such as \"float32\""},
    {PARAMETER("\"kind\": \"string\",\n\"spellings\": \"raw\""),
     "6: " AT_Y ".spellings: expected a non-empty array of spellings"},
    {PARAMETER("\"kind\": \"string\",\n\"spellings\": []"),
     "6: " AT_Y ".spellings: expected a non-empty array of spellings"},
    {PARAMETER("\"kind\": \"string\",\n\"spellings\": [\"raw\", 8]"),
     "6: " AT_Y ".spellings: kind \"string\" has no spelling \"\""},
    {PARAMETER("\"kind\": \"string\",\n\"spellings\": [\"byte_array\"]"),
     "6: " AT_Y ".spellings: kind \"string\" has no spelling \"byte_array\""},
    {PARAMETER("\"kind\": \"int\",\n\"spellings\": [\"object\"]"),
     "6: " AT_Y
     ".spellings: unknown member (known here: name, kind, optional, retained, text, value, values, examples, min, max)"},
    {PARAMETER("\"kind\": \"bytes\", \"spellings\": [\"small\"],\n\"value\": \"8 octets\""),
     "6: " AT_Y ".value: a small string has at most 7 bytes"},
    // Of a tensor
    {TENSOR("\"role\": \"in\""),
     "4: " AT_Y ".shape: expected a shape such as \"n 2*d\" or [\"n\", 4]"},
    {TENSOR("\"shape\": 3"), "6: " AT_Y ".shape: expected a shape such as \"n 2*d\" or [\"n\", 4]"},
    {TENSOR("\"shape\": [1,1,1,1,1,1,1,1,1]"), "6: " AT_Y ".shape: a shape has at most 8 extents"},
    {TENSOR("\"shape\": [1,\n -1]"), "7: " AT_Y ".shape[1]: an extent must not be negative"},
    {TENSOR("\"shape\": [1,\n 1.5]"), "7: " AT_Y ".shape[1]: expected a number or a symbol"},
    {TENSOR("\"shape\": [1,\n \"\"]"), "7: " AT_Y ".shape[1]: a symbol has 1 to 15 letters"},
    {TENSOR("\"shape\": [\n \"sixteen_letters_\"]"),
     "7: " AT_Y ".shape[0]: a symbol has 1 to 15 letters"},
    {TENSOR("\"shape\": [4096, 4097]"), "6: " AT_Y ".shape: more than 2^24 elements"},
    {TENSOR("\"shape\": [],\n\"device\": \"gpu\""),
     "7: " AT_Y ".device: expected \"cpu\", \"cuda\", \"cuda:1\", ..."},
    {TENSOR("\"shape\": [],\n\"role\": \"output\""),
     "7: " AT_Y ".role: unknown role \"output\" (known: in, out, inout, scratch)"},
    {TENSOR("\"shape\": [],\n\"role\": \"in and out\""),
     "7: " AT_Y ".role: unknown role \"in and out\" (known: in, out, inout, scratch)"},
    {TENSOR("\"shape\": [],\n\"alignment\": 3"),
     "7: " AT_Y ".alignment: expected a power of 2 up to 4096"},
    {TENSOR("\"shape\": [],\n\"alignment\": 2.5"),
     "7: " AT_Y ".alignment: expected a power of 2 up to 4096"},
    {TENSOR("\"shape\": [],\n\"alignment\": 8192"),
     "7: " AT_Y ".alignment: expected a power of 2 up to 4096"},
    {TENSOR("\"shape\": [],\n\"alignment\": -8"),
     "7: " AT_Y ".alignment: expected a power of 2 up to 4096"},
    {TENSOR("\"shape\": [],\n\"value\": []"), "7: " AT_Y ".value: expected a number"},
    {PARAMETER("\"kind\": \"tensor\",\n\"shape\": [1]"),
     "4: " AT_Y ".dtype: expected a data type such as \"float32\""},
    {PARAMETER("\"kind\": \"tensor\", \"shape\": [1],\n\"dtype\": \"half\""),
     "6: " AT_Y ".dtype: expected a data type such as \"float32\""},
};

TEST(mistakes_are_told_with_line_and_member, .rows = ROWS(mistakes))
{
  const Mistake *mistake = &mistakes[_i];
  ck_assert_msg(!signature_read(mistake->text), "taken: %s", mistake->text);
  ck_assert_str_eq(signature_error, mistake->complaint);
}

TEST(too_many_parameters_are_refused)
{
  char text[1024] = "{\"functions\": {\"add\": {\"parameters\": [";
  for (int i = 0; i <= KERNEL_PARAMETERS_MAX; ++i) strcat(text, i ? ", {}" : "{}");
  strcat(text, "]}}}");
  ck_assert(!signature_read(text));
  ck_assert_str_eq(signature_error, "1: functions.add.parameters: at most 24 are supported");
}

TEST(a_million_brackets_are_refused)
{
  enum { DEPTH = 1000 * 1000 };
  char *text = malloc(DEPTH);
  memset(text, '[', DEPTH);
  ck_assert(!signature_read_bytes(text, DEPTH));
  ck_assert_msg(strstr(signature_error, "depth"), "%s", signature_error);
  free(text);
}

// Bytes that a terminal would act on, and names that are not UTF-8.
TEST(complaints_are_printable)
{
  ck_assert(!signature_read("{\"functions\": {\"\\u001b[2J\": {}}}"));
  ck_assert_msg(!strchr(signature_error, 0x1b), "%s", signature_error);
  ck_assert(!signature_read("{\"functions\": {\"\xff\": {}}}"));
  ck_assert_msg(strncmp(signature_error, "1:", 2) == 0, "%s", signature_error);
  ck_assert(!signature_read_bytes("{\"functions\"\0: {}}", 18));
  ck_assert_msg(strncmp(signature_error, "1:", 2) == 0, "%s", signature_error);
}

// --- Files ---------------------------------------------------------------------------------------

static void refuse_file(const char *path, const char *complaint)
{
  char error[512], expected[512];
  ck_assert(!signature_file_read(path, signature_module(), error, sizeof error));
  snprintf(expected, sizeof expected, "%s: %s", path, complaint);
  ck_assert_str_eq(error, expected);
}

TEST(files_that_can_not_be_read_are_named)
{
  char folder[] = "/tmp/signatures-XXXXXX", fifo[64], large[64];
  ck_assert_ptr_nonnull(mkdtemp(folder));
  snprintf(fifo, sizeof fifo, "%s/fifo", folder);
  snprintf(large, sizeof large, "%s/large", folder);
  ck_assert_int_eq(mkfifo(fifo, 0600), 0);
  FILE *file = fopen(large, "w");
  ck_assert_int_eq(ftruncate(fileno(file), (4 << 20) + 1), 0);
  fclose(file);
  refuse_file("/tmp/no-such-folder/signatures.json", "No such file or directory");
  refuse_file(folder, "Is a directory");
  refuse_file(fifo, "the pipe has no writer");
  refuse_file(large, "is larger than 4 MiB (the limit)");
  unlink(fifo);
  unlink(large);
  rmdir(folder);
}
