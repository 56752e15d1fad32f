// SPDX-License-Identifier: Apache-2.0
// Which calls are outside of a signature, and by which of its statements.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "plan/kernel_choice.h"
#include "plan/kernel_condition.h"
#include "plan/kernel_outside.h"
#include "signature_text.h"
#include "unit/unit.h"

#define TENSOR(name, shape) \
  "{\"name\": \"" name "\", \"kind\": \"tensor\", \"dtype\": \"T\", \"shape\": \"" shape "\"}"

static Kernel example;
static const Signature *signature;

// add(x: T[n, 2*d], y: T[n], k), as the file states it, and its example. Of k it says `of_k`, too.
static void read_of_k(const char *of_k, const char *more)
{
  static char text[2048], problem[KERNEL_PROBLEM_MAX];
  snprintf(text, sizeof text,
           "{\"functions\": {\"add\": {\"parameters\": [" TENSOR("x", "n 2*d") ", " TENSOR(
               "y", "n d") ", {\"name\": \"k\", \"kind\": \"int\", \"value\": 2%s}], "
                           "\"sizes\": {\"n\": 4, \"d\": 3}, "
                           "\"dtypes\": {\"T\": [\"float32\", \"float64\"]}%s}}}",
           of_k, more);
  KernelList *list = signature_read(text);
  ck_assert_msg(list != NULL, "%s", signature_error);
  signature = kernel_list_signature(list, 0);
  ck_assert_ptr_nonnull(signature);
  ck_assert_msg(kernel_example(signature, &example, problem), "%s", problem);
}

static void read_with(const char *more)
{
  read_of_k("", more);
}

// f(k), an int of which the file says `more`.
static void read_number(const char *more)
{
  static char text[256], problem[KERNEL_PROBLEM_MAX];
  snprintf(text, sizeof text,
           "{\"functions\": {\"add\": {\"parameters\": [{\"name\": \"k\", \"kind\": \"int\", "
           "%s}]}}}",
           more);
  KernelList *list = signature_read(text);
  ck_assert_msg(list != NULL, "%s", signature_error);
  signature = kernel_list_signature(list, 0);
  ck_assert_msg(kernel_example(signature, &example, problem), "%s", problem);
}

// The example, changed by `change`.
#define OUTSIDE(...)                                                  \
  __extension__({                                                     \
    Kernel call = example;                                            \
    KernelParameter *x = &call.parameters[0], *y = x + 1, *k = x + 2; \
    (void)x, (void)y, (void)k;                                        \
    __VA_ARGS__;                                                      \
    kernel_outside(signature, &call, NULL);                           \
  })

// join(parts: array of T[_, n], as many as p, counts: array of p ints, options, y: T[n]).
static void read_containers(void)
{
  static char problem[KERNEL_PROBLEM_MAX];
  KernelList *list = signature_read(
      "{\"functions\": {\"add\": {\"parameters\": ["
      "{\"name\": \"parts\", \"kind\": \"array\", \"length\": \"p\", \"element\": "
      "{\"kind\": \"tensor\", \"dtype\": \"float32\", \"shape\": \"_ n\"}}, "
      "{\"name\": \"counts\", \"kind\": \"array\", \"length\": \"p\", \"element\": {\"kind\": \"int\"}}, "
      "{\"name\": \"options\", \"kind\": \"map\", \"entries\": {\"a\": {\"kind\": \"float\"}, "
      "\"b\": {\"kind\": \"string\", \"optional\": true}}}, "
      "{\"name\": \"y\", \"kind\": \"tensor\", \"dtype\": \"float32\", \"shape\": \"n\"}], "
      "\"sizes\": {\"n\": 4, \"p\": 3}}}}");
  ck_assert_msg(list != NULL, "%s", signature_error);
  signature = kernel_list_signature(list, 0);
  ck_assert_msg(kernel_example(signature, &example, problem), "%s", problem);
}

TEST(elements_of_containers_are_looked_at)
{
  read_containers();
  const Kernel *at = &example;
  const uint32_t part = at->parameters[0].first_element, count = at->parameters[1].first_element;
  const uint32_t option = at->parameters[2].first_element;
  const DLDataType wide = {kDLFloat, 64, 1};
  ck_assert_uint_eq(OUTSIDE((void)0).by, 0);
  ck_assert_uint_eq(OUTSIDE(++call.elements[part + 1].shape[0].size).by, 0);
  ck_assert_uint_eq(OUTSIDE(++call.elements[part + 1].shape[1].size).by, SIGNATURE_CHECKS_SHAPE);
  ck_assert_uint_eq(OUTSIDE(call.elements[part + 2].dtype = wide).by, SIGNATURE_CHECKS_DTYPE);
  ck_assert_uint_eq(OUTSIDE(--call.elements[part].rank).by, SIGNATURE_CHECKS_RANK);
  ck_assert_uint_eq(OUTSIDE(call.elements[part].kind = KERNEL_NONE).by, SIGNATURE_CHECKS_KIND);
  ck_assert_uint_eq(OUTSIDE(call.elements[count].kind = KERNEL_FLOAT).by, SIGNATURE_CHECKS_KIND);
  ck_assert_uint_eq(OUTSIDE(--call.parameters[1].element_count).by, SIGNATURE_CHECKS_SHAPE);
  ck_assert_uint_eq(OUTSIDE(call.elements[option].kind = KERNEL_NONE).by, SIGNATURE_CHECKS_KIND);
  ck_assert_uint_eq(OUTSIDE(call.elements[option + 1].kind = KERNEL_NONE).by, 0);
}

// pairs(xs, ys: arrays of p float32[?n, d]), the second with its result, where `sizes` are listed.
static void read_pairs(const char *sizes)
{
  static char text[1024], problem[KERNEL_PROBLEM_MAX];
#define MATRICES(name)                                        \
  "{\"name\": \"" name                                        \
  "\", \"kind\": \"array\", \"length\": \"p\", \"element\": " \
  "{\"kind\": \"tensor\", \"dtype\": \"float32\", \"shape\": \"?n d\"}}"
  snprintf(text, sizeof text,
           "{\"functions\": {\"add\": {\"parameters\": [" MATRICES("xs") ", " MATRICES(
               "ys") "], \"result\": " MATRICES("") ", \"sizes\": {\"p\": 3, \"d\": 2%s}}}}",
           sizes);
#undef MATRICES
  KernelList *list = signature_read(text);
  ck_assert_msg(list != NULL, "%s", signature_error);
  signature = kernel_list_signature(list, 0);
  ck_assert_msg(kernel_example(signature, &example, problem), "%s", problem);
}

static int64_t rows(const KernelParameter *array, uint32_t i)
{
  return example.elements[array->first_element + i].shape[0].size;
}

TEST(sizes_of_elements_are_the_same_at_the_same_place)
{
  read_pairs("");
  const KernelParameter *xs = &example.parameters[0], *ys = xs + 1;
  for (uint32_t i = 0; i < 3; ++i) {
    ck_assert_int_eq(rows(xs, i), rows(ys, i));
    ck_assert_int_eq(rows(xs, i), rows(&example.result, i));
  }
  ck_assert_int_ne(rows(xs, 0), rows(xs, 1));
  ck_assert_int_ne(rows(xs, 1), rows(xs, 2));
  ck_assert_uint_eq(OUTSIDE((void)0).by, 0);
  ck_assert_uint_eq(OUTSIDE(++call.elements[ys->first_element + 1].shape[0].size).by,
                    SIGNATURE_CHECKS_SHAPE);
  ck_assert_uint_eq(OUTSIDE(++call.elements[ys->first_element + 1].shape[0].size;
                            ++call.elements[xs->first_element + 1].shape[0].size)
                        .by,
                    0);
  ck_assert_uint_eq(OUTSIDE(++call.elements[ys->first_element].shape[1].size).by,
                    SIGNATURE_CHECKS_SHAPE);
  read_pairs(", \"n\": [5, 0]");
  ck_assert_int_eq(rows(xs, 0), 5);
  ck_assert_int_eq(rows(xs, 1), 0);
  ck_assert_int_eq(rows(xs, 2), 5);
  read_pairs(", \"n\": 5");
  ck_assert_int_eq(rows(xs, 1), 5);
}

// The same where the extents need a parameter behind them, and the result has one element more.
TEST(sizes_of_elements_are_found_whatever_the_order)
{
  static char problem[KERNEL_PROBLEM_MAX];
#define MATRICES(name, length)                                          \
  "{\"name\": \"" name "\", \"kind\": \"array\", \"length\": \"" length \
  "\", \"element\": "                                                   \
  "{\"kind\": \"tensor\", \"dtype\": \"float32\", \"shape\": \"?n sum(parts)\"}}"
  KernelList *list =
      signature_read("{\"functions\": {\"add\": {\"parameters\": [" MATRICES("xs", "p") ", " MATRICES(
          "ys",
          "p") ", {\"name\": \"parts\", \"kind\": \"array\", \"element\": {\"kind\": \"int\"}, "
               "\"value\": [1, 2]}], \"result\": " MATRICES("",
                                                            "p + 1") ", \"sizes\": {\"p\": 2}}}}");
#undef MATRICES
  ck_assert_msg(list != NULL, "%s", signature_error);
  signature = kernel_list_signature(list, 0);
  ck_assert_msg(kernel_example(signature, &example, problem), "%s", problem);
  const KernelParameter *xs = &example.parameters[0], *ys = xs + 1;
  ck_assert_int_ne(rows(xs, 0), rows(xs, 1));
  const KernelParameter *results = &example.elements[example.result.first_element];
  ck_assert_uint_eq(example.result.element_count, 3);
  for (uint32_t i = 0; i < 2; ++i) {
    ck_assert_int_eq(rows(xs, i), rows(ys, i));
    ck_assert_int_eq(rows(xs, i), results[i].shape[0].size);
    ck_assert(!results[i].shape[0].any);
  }
  ck_assert(results[2].shape[0].any);
  ck_assert(!results[2].shape[1].any);
}

// f(offsets: array of n+1 ints, by_rank: a map of len(offsets) entries, three: 3 ints, x: float32[n], alone: m*2 ints).
static void read_lengths(void)
{
  static char problem[KERNEL_PROBLEM_MAX];
#define INTS(name, length)                                            \
  "{\"name\": \"" name "\", \"kind\": \"array\", \"length\": " length \
  ", \"element\": {\"kind\": \"int\"}}, "
  KernelList *list = signature_read("{\"functions\": {\"add\": {\"parameters\": [" INTS(
      "offsets",
      "\"n+1\"") "{\"name\": \"by_rank\", \"kind\": \"map\", \"key\": {\"kind\": \"int\"}, "
                 "\"element\": {\"kind\": \"float\"}, \"length\": \"len(offsets)\"}, " INTS("three", "3") INTS(
                     "four",
                     "\"2*2\"") "{\"name\": \"x\", \"kind\": \"tensor\", \"dtype\": \"float32\", \"shape\": \"n\"}, "
                                "{\"name\": \"alone\", \"kind\": \"array\", \"length\": \"m*2\", \"element\": {\"kind\": \"int\"}}], "
                                "\"sizes\": {\"n\": 4, \"m\": 2}}}}");
#undef INTS
  ck_assert_msg(list != NULL, "%s", signature_error);
  signature = kernel_list_signature(list, 0);
  ck_assert_msg(kernel_example(signature, &example, problem), "%s", problem);
}

// What nothing else says, and a number, rules no length out.
TEST(lengths_follow_from_the_rest_of_the_call)
{
  read_lengths();
  ck_assert_uint_eq(OUTSIDE((void)0).by, 0);
  ck_assert_uint_eq(OUTSIDE(--call.parameters[0].element_count).by, SIGNATURE_CHECKS_SHAPE);
  ck_assert_uint_eq(OUTSIDE(ck_assert(kernel_add_element(&call, &call.parameters[0]))).by,
                    SIGNATURE_CHECKS_SHAPE);
  ck_assert_uint_eq(OUTSIDE(call.parameters[1].element_count -= 2).by, SIGNATURE_CHECKS_SHAPE);
  ck_assert_uint_eq(OUTSIDE(ck_assert(kernel_add_element(&call, &call.parameters[1]))).by,
                    SIGNATURE_CHECKS_SHAPE);
  ck_assert_uint_eq(OUTSIDE(--call.parameters[2].element_count).by, 0);
  ck_assert_uint_eq(OUTSIDE(--call.parameters[3].element_count).by, 0);
  ck_assert_uint_eq(OUTSIDE(++call.parameters[4].shape[0].size).by, SIGNATURE_CHECKS_SHAPE);
  ck_assert_uint_eq(OUTSIDE(--call.parameters[5].element_count).by, 0);
}

TEST(an_added_element_is_like_the_last)
{
  read_lengths();
  Kernel call = example;
  KernelParameter *map = &call.parameters[1];
  ck_assert(kernel_add_element(&call, map));
  ck_assert_uint_eq(map->element_count, 12);
  const KernelParameter *last = &call.elements[map->first_element + 8], *added = last + 2;
  ck_assert_int_eq(added->integer, last->integer + 1);
  ck_assert_uint_eq(added[1].kind, KERNEL_FLOAT);
  while (kernel_add_element(&call, &call.parameters[0])) continue;
  ck_assert_uint_le(call.element_count, KERNEL_ELEMENTS_MAX);
  call.parameters[2].element_count = 0;
  ck_assert(!kernel_add_element(&call, &call.parameters[2]));
}

TEST(one_refusal_that_holds_is_named)
{
  read_with(", \"refuses\": [{\"when\": \"k > n\"}, {\"when\": \"k > 100\"}]");
  ck_assert_uint_eq(OUTSIDE(k->integer = 3).refusal, 0);
  ck_assert_uint_eq(OUTSIDE(k->integer = 5).refusal, 1);
  ck_assert_uint_eq(OUTSIDE(k->integer = 101).refusal, 0);
}

// The error of a number beyond its own limits may be about that alone, but for what the limits are about.
TEST(a_refusal_that_reads_more_than_what_is_beyond_its_limits_is_not_named)
{
  static const struct {
    const char *when;
    unsigned refusal;
  } rows[] = {{"k < 1", 1}, {"k < n - 5", 0}, {"not (k >= 1)", 1}, {"k < 1 or d > 5", 0}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
    char more[128];
    snprintf(more, sizeof more, ", \"refuses\": [{\"when\": \"%s\"}]", rows[i].when);
    read_of_k(", \"min\": 1", more);
    const KernelOutside outside = OUTSIDE(k->integer = -3);
    ck_assert_uint_eq(outside.by, SIGNATURE_CHECKS_VALUE);
    ck_assert_msg(outside.refusal == rows[i].refusal, "%s", rows[i].when);
  }
  read_of_k(", \"max\": \"n\"", ", \"refuses\": [{\"when\": \"k > n\"}]");
  ck_assert_uint_eq(OUTSIDE(k->integer = 5).refusal, 1);
  read_of_k(", \"max\": \"n\"", ", \"refuses\": [{\"when\": \"k > n + d\"}]");
  ck_assert_uint_eq(OUTSIDE(k->integer = 9).refusal, 0);
}

TEST(the_example_is_inside)
{
  read_with(", \"where\": [\"1 <= k <= n\"]");
  ck_assert_uint_eq(OUTSIDE((void)0).by, 0);
}

TEST(a_variable_is_one_data_type_in_all_places)
{
  const DLDataType wide = {kDLFloat, 64, 1}, other = {kDLInt, 32, 1};
  read_with("");
  ck_assert_uint_eq(OUTSIDE(x->dtype = wide).by, SIGNATURE_CHECKS_DTYPE);
  ck_assert_uint_eq(OUTSIDE(x->dtype = y->dtype = wide).by, 0);
  ck_assert_uint_eq(OUTSIDE(x->dtype = y->dtype = other).by, SIGNATURE_CHECKS_DTYPE);
}

TEST(extents_agree_with_each_other_and_with_expressions)
{
  read_with("");
  ck_assert_uint_eq(OUTSIDE(x->shape[0].size = 5).by, SIGNATURE_CHECKS_SHAPE);
  ck_assert_uint_eq(OUTSIDE(x->shape[0].size = y->shape[0].size = 5).by, 0);
  ck_assert_uint_eq(OUTSIDE(x->shape[1].size = 7).by, SIGNATURE_CHECKS_SHAPE);
  ck_assert_uint_eq(OUTSIDE(x->shape[1].size = 8; y->shape[1].size = 4).by, 0);
  ck_assert_uint_eq(OUTSIDE(x->rank = 1).by, SIGNATURE_CHECKS_RANK);
}

// A size that stands in expressions alone is what the first of them says.
TEST(extents_say_what_the_size_in_them_is)
{
  static char problem[KERNEL_PROBLEM_MAX];
  KernelList *list = signature_read(
      "{\"functions\": {\"add\": {\"parameters\": ["
      "{\"name\": \"ends\", \"kind\": \"tensor\", \"dtype\": \"int32\", \"shape\": \"n+1\"}, "
      "{\"name\": \"bits\", \"kind\": \"tensor\", \"dtype\": \"uint8\", \"shape\": \"(n+7)//8\"}, "
      "{\"name\": \"k\", \"kind\": \"int\", \"max\": \"n-1\"}], \"sizes\": {\"n\": 9}}}}");
  ck_assert_msg(list != NULL, "%s", signature_error);
  signature = kernel_list_signature(list, 0);
  ck_assert_msg(kernel_example(signature, &example, problem), "%s", problem);
  ck_assert_uint_eq(OUTSIDE((void)0).by, 0);
  ck_assert_uint_eq(OUTSIDE(y->shape[0].size = 1).by, SIGNATURE_CHECKS_SHAPE);
  ck_assert_uint_eq(OUTSIDE(x->shape[0].size = 17).by, 0);
  ck_assert_uint_eq(OUTSIDE(x->shape[0].size = 18).by, SIGNATURE_CHECKS_SHAPE);
  ck_assert_uint_eq(OUTSIDE(k->integer = 8).by, 0);
  ck_assert_uint_eq(OUTSIDE(k->integer = 9).by, SIGNATURE_CHECKS_VALUE);
}

TEST(values_are_held_against_conditions)
{
  read_with(", \"where\": [\"1 <= k <= n\", \"k != 3\"]");
  const KernelOutside low = OUTSIDE(k->integer = 0), excluded = OUTSIDE(k->integer = 3);
  ck_assert_uint_eq(low.by, SIGNATURE_CHECKS_VALUE);
  ck_assert_uint_eq(low.promised, SIGNATURE_CHECKS_VALUE);
  ck_assert_uint_eq(low.count, 1);
  ck_assert_uint_eq(excluded.by, SIGNATURE_CHECKS_VALUE);
  ck_assert_uint_eq(OUTSIDE(k->integer = 5).by, SIGNATURE_CHECKS_VALUE);
  ck_assert_uint_eq(OUTSIDE(k->integer = 4).by, 0);
}

// Writes an array of a type of NumPy to a new file, whose path is put in the place of the Xs.
static void write_npy(char *path, const char *type, const void *elements, size_t count,
                      size_t size_of_one)
{
  enum { HEADER = 118 };
  static const char magic[] = {'\x93', 'N', 'U', 'M', 'P', 'Y', 1, 0, HEADER, 0};
  char header[HEADER + 1];
  snprintf(header, sizeof header, "{'descr': '%s', 'fortran_order': False, 'shape': (%zu,), }",
           type, count);
  const size_t size = strlen(header);
  memset(header + size, ' ', HEADER - size);
  header[HEADER - 1] = '\n';
  const int file = mkstemp(path);
  ck_assert_int_ge(file, 0);
  ck_assert_int_eq(write(file, magic, sizeof magic), sizeof magic);
  ck_assert_int_eq(write(file, header, HEADER), HEADER);
  const ssize_t bytes = (ssize_t)(count * size_of_one);
  ck_assert_int_eq(write(file, elements, (size_t)bytes), bytes);
  close(file);
}

// An array of the file has the first elements where there are fewer, and these again where there are more.
TEST(arrays_of_files_have_the_size_of_the_call)
{
  static const int32_t parents[] = {-1, 0, 0, 1};
  char path[] = "/tmp/tvmffi-outside-XXXXXX";
  static char text[512], problem[KERNEL_PROBLEM_MAX];
  write_npy(path, "<i4", parents, sizeof parents / sizeof *parents, sizeof *parents);
  snprintf(
      text, sizeof text,
      "{\"functions\": {\"add\": {\"parameters\": [{\"name\": \"x\", \"kind\": \"tensor\", "
      "\"dtype\": \"int32\", \"shape\": \"n\"}], \"where\": [\"x < arange(n)\", \"x[0] == -1\", "
      "\"n < 5 or x[4] == -1\"], \"sizes\": {\"n\": 4}, \"calls\": [{\"arguments\": {\"x\": "
      "{\"npy\": \"%s\"}}}]}}}",
      path);
  KernelList *list = signature_read(text);
  ck_assert_msg(list != NULL, "%s", signature_error);
  signature = kernel_list_signature(list, 0);
  ck_assert_msg(kernel_example(signature, &example, problem), "%s", problem);
  ck_assert_int_eq(example.parameters[0].contents, KERNEL_FROM_NPY);
  for (int64_t n = 1; n <= 5; ++n) {
    Kernel call = example;
    ck_assert(kernel_resize(signature, &call, "n", n));
    ck_assert_msg(kernel_outside(signature, &call, NULL).by == 0, "with n = %d", (int)n);
  }
  unlink(path);
}

// NumPy writes those that it has as such.
TEST(bytes_without_a_meaning_are_of_the_type_that_numpy_lacks)
{
  char path[] = "/tmp/tvmffi-outside-XXXXXX";
  static char text[512], problem[KERNEL_PROBLEM_MAX];
  write_npy(path, "|V1", "abc", 3, 1);
  snprintf(text, sizeof text,
           "{\"functions\": {\"add\": {\"parameters\": [{\"name\": \"x\", \"kind\": \"tensor\", "
           "\"dtype\": [\"int8\", \"float8_e4m3fn\"], \"shape\": \"n\"}], \"example\": \"calls\", "
           "\"calls\": [{\"arguments\": {\"x\": {\"npy\": \"%s\"}}}]}}}",
           path);
  KernelList *list = signature_read(text);
  ck_assert_msg(list != NULL, "%s", signature_error);
  ck_assert_msg(kernel_example(kernel_list_signature(list, 0), &example, problem), "%s", problem);
  ck_assert_int_eq(example.parameters[0].dtype.code, kDLFloat8_e4m3fn);
  ck_assert_str_eq(example.parameters[0].text, "float8_e4m3fn");
  // Of several such types nobody can tell.
  snprintf(text, sizeof text,
           "{\"functions\": {\"add\": {\"parameters\": [{\"name\": \"x\", \"kind\": \"tensor\", "
           "\"dtype\": [\"int8\", \"float8_e4m3fn\", \"float8_e5m2\"], \"shape\": \"n\"}], "
           "\"where\": [\"n == 3\"], \"calls\": [{\"arguments\": {\"x\": {\"npy\": \"%s\"}}}]}}}",
           path);
  list = signature_read(text);
  ck_assert_msg(list != NULL, "%s", signature_error);
  signature = kernel_list_signature(list, 0);
  const KernelChoice listed = {.settings = signature_call(signature, 0)->arguments};
  ck_assert(!kernel_of_choice(signature, &listed, &example, problem));
  ck_assert_msg(strstr(problem, "several types that NumPy lacks") != NULL, "%s", problem);
  unlink(path);
}

TEST(values_are_all_that_is_taken_and_examples_are_not)
{
  Kernel call;
  read_number("\"values\": [2, 3], \"max\": 9");
  call = example;
  call.parameters[0].integer = 5;
  ck_assert_uint_eq(kernel_outside(signature, &call, NULL).by, SIGNATURE_CHECKS_VALUE);
  read_number("\"examples\": [2, 3], \"max\": 9");
  ck_assert_uint_eq(kernel_outside(signature, &call, NULL).by, 0);
  call.parameters[0].integer = 10;
  ck_assert_uint_eq(kernel_outside(signature, &call, NULL).by, SIGNATURE_CHECKS_VALUE);
}

TEST(what_the_file_does_not_check_is_outside_and_not_promised)
{
  read_with(", \"where\": [\"1 <= k\"], \"checks\": [\"arity\", \"kind\"]");
  const KernelOutside low = OUTSIDE(k->integer = 0);
  ck_assert_uint_eq(low.by, SIGNATURE_CHECKS_VALUE);
  ck_assert_uint_eq(low.promised, 0);
  ck_assert_uint_eq(OUTSIDE(k->kind = KERNEL_STRING).promised, SIGNATURE_CHECKS_KIND);
}

TEST(a_device_that_is_not_stated_may_be_any)
{
  read_with("");
  ck_assert_uint_eq(OUTSIDE(x->device = (DLDevice){kDLCUDA, 0}).by, 0);
}

TEST(one_element_may_be_outside)
{
  read_with(", \"where\": [\"x < 100\"]");
  const KernelElement large = {0, 5, 100}, small = {0, 5, 99};
  ck_assert_uint_eq(kernel_outside(signature, &example, &large).by, SIGNATURE_CHECKS_VALUE);
  ck_assert_uint_eq(kernel_outside(signature, &example, &small).by, 0);
}

// What stands in expressions alone is known of no call: "s+1" is any extent, and twice the same.
TEST(a_size_that_no_argument_has_alone_may_be_another)
{
  static char problem[KERNEL_PROBLEM_MAX];
  KernelList *list =
      signature_read("{\"functions\": {\"add\": {\"parameters\": [" TENSOR("x", "s+1") ", " TENSOR(
          "y",
          "s+1") ", {\"name\": \"k\", \"kind\": \"int\", \"min\": 0, \"max\": 3, \"value\": 2}], "
                 "\"sizes\": {\"s\": 3}, \"dtypes\": {\"T\": [\"float32\"]}}}}");
  ck_assert_msg(list != NULL, "%s", signature_error);
  signature = kernel_list_signature(list, 0);
  ck_assert_msg(kernel_example(signature, &example, problem), "%s", problem);
  ck_assert_uint_eq(OUTSIDE(++x->shape[0].size).by, SIGNATURE_CHECKS_SHAPE);
  ck_assert_uint_eq(OUTSIDE(++x->shape[0].size, ++y->shape[0].size).by, 0);
  ck_assert_uint_eq(OUTSIDE(k->integer = 4).by, SIGNATURE_CHECKS_VALUE);
}

// Elements of floats are what their limits say; those of integers are looked at.
TEST(limits_of_floats_are_a_domain)
{
  static const char *const dtypes[] = {"float32", "int32"};
  for (int i = 0; i < 2; ++i) {
    char text[256], problem[KERNEL_PROBLEM_MAX];
    const KernelElement element = {0, 1, 2};
    snprintf(text, sizeof text,
             "{\"functions\": {\"add\": {\"parameters\": [{\"name\": \"x\", \"kind\": \"tensor\", "
             "\"dtype\": \"%s\", \"shape\": \"n\", \"min\": 0, \"max\": 1}]}}}",
             dtypes[i]);
    KernelList *list = signature_read(text);
    ck_assert_msg(list != NULL, "%s", signature_error);
    signature = kernel_list_signature(list, 0);
    ck_assert_msg(kernel_example(signature, &example, problem), "%s", problem);
    ck_assert_uint_eq(kernel_outside(signature, &example, &element).by,
                      i == 0 ? 0 : SIGNATURE_CHECKS_VALUE);
  }
}

// Of a group of 0 elements "d//g" makes no extent.
TEST(a_refused_call_has_tensors_of_the_example_where_none_can_be_made)
{
  static Kernel call;
  char problem[KERNEL_PROBLEM_MAX];
  KernelRefused refused[2];
  KernelList *list =
      signature_read("{\"functions\": {\"add\": {\"parameters\": [" TENSOR("x", "d") ", " TENSOR(
          "s", "d//g") ", {\"name\": \"g\", \"kind\": \"int\", \"value\": 2}], "
                       "\"sizes\": {\"d\": 6}, \"dtypes\": {\"T\": [\"float32\"]}, "
                       "\"refuses\": [{\"with\": {\"g\": 0}}, {\"with\": {\"g\": 3}}]}}}");
  ck_assert_msg(list != NULL, "%s", signature_error);
  signature = kernel_list_signature(list, 0);
  ck_assert_uint_eq(kernel_refusals(signature, refused, 2), 2);
  for (int i = 0; i < 2; ++i) {
    ck_assert_msg(kernel_of_choice(signature, &refused[i].choice, &call, problem), "%s", problem);
    ck_assert_int_eq(call.parameters[2].integer, i == 0 ? 0 : 3);
    ck_assert_int_eq(call.parameters[1].shape[0].size, i == 0 ? 3 : 2);
  }
}

// Which alternative an array is of, its elements tell: ints are taken for floats.
TEST(elements_tell_the_alternative)
{
  KernelList *list = signature_read(
      "{\"functions\": {\"add\": {\"parameters\": [{\"name\": \"v\", \"kind\": \"variant\", \"any_of\": ["
      "{\"kind\": \"array\", \"length\": 2, \"element\": {\"kind\": \"int\"}}, "
      "{\"kind\": \"array\", \"length\": 2, \"element\": {\"kind\": \"float\"}}]}]}}}");
  ck_assert_msg(list != NULL, "%s", signature_error);
  const Signature *const file = kernel_list_signature(list, 0);
  static const struct {
    KernelKind first, second;
    unsigned by;
  } rows[] = {{KERNEL_INT, KERNEL_INT, 0},
              {KERNEL_FLOAT, KERNEL_INT, 0},
              {KERNEL_FLOAT, KERNEL_FLOAT, 0},
              {KERNEL_INT, KERNEL_STRING, SIGNATURE_CHECKS_KIND}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
    static Kernel call;
    kernel_copy(&call, &list->items[0]);
    ck_assert_uint_eq(call.parameters[0].element_count, 2);
    KernelParameter *elements = &call.elements[call.parameters[0].first_element];
    elements[0].kind = rows[i].first;
    elements[1].kind = rows[i].second;
    ck_assert_uint_eq(kernel_outside(file, &call, NULL).by, rows[i].by);
  }
}

// Of elements of arrays an infinity is beyond a limit, which says nothing of NaN.
TEST(infinite_elements_are_beyond_limits)
{
  KernelList *list = signature_read(
      "{\"functions\": {\"add\": {\"parameters\": [{\"name\": \"p\", \"kind\": \"array\", "
      "\"length\": 1, \"element\": {\"kind\": \"float\", \"max\": 1}}], "
      "\"refuses\": [{\"when\": \"not isfinite(p)\"}]}}}");
  ck_assert_msg(list != NULL, "%s", signature_error);
  const Signature *const file = kernel_list_signature(list, 0);
  static const struct {
    double number;
    unsigned count;
  } rows[] = {{0.5, 0}, {2, 1}, {NAN, 1}, {-INFINITY, 1}, {INFINITY, 2}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
    static Kernel call;
    kernel_copy(&call, &list->items[0]);
    ck_assert_uint_eq(call.parameters[0].element_count, 1);
    call.elements[call.parameters[0].first_element].number = rows[i].number;
    const unsigned count = kernel_outside(file, &call, NULL).count;
    ck_assert_msg(count == rows[i].count, "%g: %u", rows[i].number, count);
  }
}

// What rules a call with these numbers out: conditions and refusals of the file, as bits, and what it asks if it is finite.
TEST(a_number_is_asked_to_be_finite)
{
  KernelList *list = signature_read(
      "{\"functions\": {\"add\": {\"parameters\": [{\"name\": \"w\", \"kind\": \"float\", \"min\": 0}, "
      "{\"name\": \"v\", \"kind\": \"float\"}], \"let\": {\"half\": \"v / 2\"}, "
      "\"where\": [\"isfinite( abs(w) )\", \"v > 0 and isfinite(w)\", \"not isinf(v) and v < 9\"], "
      "\"refuses\": [{\"when\": \"isnan(half)\"}], \"result\": {\"kind\": \"int\"}}}}");
  ck_assert_msg(list != NULL, "%s", signature_error);
  const Signature *const file = kernel_list_signature(list, 0);
  static const struct {
    double w, v;
    unsigned long long conditions, refusals;
    bool asks_w, asks_v;
  } rows[] = {{1, 1, 0, 0, false, false},       {NAN, 1, 3, 0, true, false},
              {INFINITY, 1, 3, 0, true, false}, {1, -1, 2, 0, true, false},
              {1, NAN, 6, 1, true, true},       {1, INFINITY, 4, 0, false, true},
              {1, -INFINITY, 6, 0, true, true}, {1, 10, 4, 0, false, true}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
    static Kernel call;
    kernel_copy(&call, &list->items[0]);
    call.parameters[0].number = rows[i].w;
    call.parameters[1].number = rows[i].v;
    const bool nan = isnan(rows[i].w) || isnan(rows[i].v);
    const KernelOutside outside = kernel_outside(file, &call, NULL);
    ck_assert_uint_eq(outside.conditions.words[0], rows[i].conditions);
    ck_assert_uint_eq(outside.refusals.words[0], rows[i].refusals);
    ck_assert(kernel_condition_asks_finite(file, &call, &outside, "w", nan) == rows[i].asks_w);
    ck_assert(kernel_condition_asks_finite(file, &call, &outside, "v", nan) == rows[i].asks_v);
    ck_assert(!kernel_condition_asks_finite(file, &call, &outside, "", nan));
  }
}

// `not isinf(w) and w < 9` does not hold for NaN, but does not ask for it either.
TEST(what_asks_for_infinities_does_not_ask_for_nan)
{
  KernelList *list = signature_read(
      "{\"functions\": {\"add\": {\"parameters\": [{\"name\": \"w\", \"kind\": \"float\"}], "
      "\"where\": [\"not isinf(w) and w < 9\"], \"result\": {\"kind\": \"int\"}}}}");
  ck_assert_msg(list != NULL, "%s", signature_error);
  const Signature *const file = kernel_list_signature(list, 0);
  static Kernel call;
  kernel_copy(&call, &list->items[0]);
  call.parameters[0].number = NAN;
  const KernelOutside outside = kernel_outside(file, &call, NULL);
  ck_assert_uint_eq(outside.conditions.words[0], 1);
  ck_assert(!kernel_condition_asks_finite(file, &call, &outside, "w", true));
  ck_assert(kernel_condition_asks_finite(file, &call, &outside, "w", false));
}

TEST(conditions_about_shapes_read_no_elements)
{
  static const struct {
    const char *condition;
    bool reads;
  } rows[] = {{"any(x < 0)", true},
              {"x.shape[0] > 6", false},
              {"x.size > 6 and n > 2", false},
              {"len(x) > 6", false},
              {"size(x) > 6", false},
              {"x.dtype == \"int8\"", false},
              {"x.ndim > 1", false},
              {"x.T[0, 0] > 1", true},
              {"len(x) > 6 and x[0] == 1", true},
              {"xx > 6 and n.x > 1", false},
              {"parts[0][0] > 1", true},
              {"k > 6", false},
              {"", false},
              {"max(x) > size(x)", true},
              {"n > 6", false}};
  static Kernel call = {.parameter_count = 3, .element_count = 1};
  call.parameters[0] = (KernelParameter){.kind = KERNEL_TENSOR, .name = "x"};
  call.parameters[1] = (KernelParameter){.kind = KERNEL_INT, .name = "k"};
  call.parameters[2] = (KernelParameter){.kind = KERNEL_ARRAY, .name = "parts", .element_count = 1};
  call.elements[0] = (KernelParameter){.kind = KERNEL_TENSOR};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
    ck_assert_msg(kernel_condition_reads_elements(&call, rows[i].condition) == rows[i].reads, "%s",
                  rows[i].condition);
  ck_assert(kernel_condition_is_of_values(&call, "k > 6 and n < 2"));
  ck_assert(kernel_condition_is_of_values(&call, "mode == \"x\" or k > 6"));
  ck_assert(!kernel_condition_is_of_values(&call, "k > 6 and x.ndim > 1"));
  ck_assert(!kernel_condition_is_of_values(&call, "len(parts) > k"));
}
