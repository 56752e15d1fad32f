// SPDX-License-Identifier: Apache-2.0
// How long arrays are in the calls that are made of a signature file.
#include <stdio.h>
#include <string.h>

#include "plan/kernel_choice.h"
#include "plan/signature_example.h"
#include "signature_text.h"
#include "unit/unit.h"

static const Signature *signature;
static Kernel kernel;
static char problem[KERNEL_PROBLEM_MAX];

static void read_function(const char *members)
{
  static char text[2048];
  snprintf(text, sizeof text, "{\"functions\": {\"add\": {%s}}}", members);
  KernelList *list = signature_read(text);
  ck_assert_msg(list != NULL, "%s", signature_error);
  signature = kernel_list_signature(list, 0);
  ck_assert_ptr_nonnull(signature);
}

// The length of the first parameter, an array of ints, in the example and in the other calls, in order.
static void lengths_of(const char *listed, unsigned *lengths, size_t *count, size_t most)
{
  static KernelChoice choices[KERNEL_CHOICES_MAX];
  char members[256];
  snprintf(members, sizeof members,
           "\"parameters\": [{\"name\": \"a\", \"kind\": \"array\", \"element\": "
           "{\"kind\": \"int\", \"values\": [1]}, \"length\": %s}]",
           listed);
  read_function(members);
  *count = 0;
  const size_t made = kernel_choices(signature, choices, KERNEL_CHOICES_MAX);
  for (size_t i = 0; i < made; ++i) {
    if (choices[i].standing != KERNEL_PROMISED) continue;
    ck_assert_msg(kernel_of_choice(signature, &choices[i], &kernel, problem), "%s", problem);
    if (*count < most) lengths[(*count)++] = kernel.parameters[0].element_count;
  }
}

TEST(the_first_length_that_is_not_0_is_that_of_the_example)
{
  static const struct {
    const char *listed;
    unsigned lengths[3];
  } known[] = {{"[2, 1, 3]", {2, 1, 3}}, {"[0, 3, 1]", {3, 0, 1}}, {"[5, 0, 1]", {5, 0, 1}}};
  for (size_t i = 0; i < sizeof known / sizeof *known; ++i) {
    unsigned lengths[3];
    size_t count;
    lengths_of(known[i].listed, lengths, &count, 3);
    ck_assert_uint_eq(count, 3);
    for (size_t k = 0; k < 3; ++k)
      ck_assert_msg(lengths[k] == known[i].lengths[k], "%s: %u", known[i].listed, lengths[k]);
  }
}

// What holds something that holds something itself is left as it is.
TEST(an_array_of_tuples_may_have_other_lengths)
{
  Kernel call = {.parameter_count = 1, .element_count = 3};
  call.parameters[0] = (KernelParameter){.kind = KERNEL_ARRAY, .element_count = 1};
  call.elements[0] =
      (KernelParameter){.kind = KERNEL_TUPLE, .first_element = 1, .element_count = 2};
  call.elements[1] = (KernelParameter){.kind = KERNEL_INT, .integer = 5};
  call.elements[2] = (KernelParameter){.kind = KERNEL_INT, .integer = 7};
  ck_assert(signature_set_length(&call, 0, 3));
  ck_assert_uint_eq(call.parameters[0].element_count, 3);
  for (uint32_t i = 0; i < 3; ++i) {
    const KernelParameter *tuple = &call.elements[call.parameters[0].first_element + i];
    ck_assert_uint_eq(tuple->element_count, 2);
    ck_assert_int_eq(call.elements[tuple->first_element].integer, 5);
    ck_assert_int_eq(call.elements[tuple->first_element + 1].integer, 7);
  }
  ck_assert(signature_set_length(&call, 0, 0));
  call.parameters[0] = (KernelParameter){.kind = KERNEL_ARRAY, .element_count = 1};
  call.elements[1] =
      (KernelParameter){.kind = KERNEL_ARRAY, .first_element = 2, .element_count = 1};
  static Kernel before;
  before = call;
  ck_assert(!signature_set_length(&call, 0, 3));
  ck_assert(!signature_set_length(&call, 0, KERNEL_ELEMENTS_MAX));
  ck_assert_mem_eq(&before, &call, sizeof call);
}

TEST(an_array_that_a_call_gives_says_what_a_size_is)
{
  static KernelChoice choices[KERNEL_CHOICES_MAX];
  read_function(
      "\"parameters\": [{\"name\": \"a\", \"kind\": \"array\", \"element\": {\"kind\": \"int\"}, "
      "\"length\": \"p\"}, {\"name\": \"b\", \"kind\": \"array\", \"element\": {\"kind\": \"int\"}, "
      "\"length\": \"2*q\"}], \"sizes\": {\"p\": 2, \"q\": 1}, "
      "\"result\": {\"kind\": \"tensor\", \"dtype\": \"int64\", \"shape\": \"p q\"}, "
      "\"calls\": [{\"arguments\": {\"a\": [1, 2, 3, 4, 5], \"b\": [1, 2, 3, 4, 5, 6]}}]");
  const size_t made = kernel_choices(signature, choices, KERNEL_CHOICES_MAX);
  for (size_t i = 0; i < made; ++i) {
    if (choices[i].call != 1) continue;
    ck_assert_msg(kernel_of_choice(signature, &choices[i], &kernel, problem), "%s", problem);
    ck_assert_int_eq(kernel.result.shape[0].size, 5);
    ck_assert_int_eq(kernel.result.shape[1].size, 3);
    return;
  }
  ck_abort_msg("the listed call is not made");
}

TEST(sizes_of_another_call_do_not_follow_from_an_array)
{
  static Kernel example;
  read_function(
      "\"parameters\": [{\"name\": \"x\", \"kind\": \"tensor\", \"dtype\": \"float32\", "
      "\"shape\": \"n\"}, {\"name\": \"w\", \"kind\": \"array\", \"element\": {\"kind\": "
      "\"float\"}, \"length\": \"n\"}, {\"name\": \"m\", \"kind\": \"map\", \"key\": {\"kind\": "
      "\"int\"}, \"element\": {\"kind\": \"int\"}, \"length\": \"len(w)\"}], \"sizes\": {\"n\": 4}, "
      "\"refuses\": [{\"with\": {\"w\": [1, 2, 3]}}]");
  ck_assert_msg(kernel_example(signature, &example, problem), "%s", problem);
  KernelRefused refused[1];
  ck_assert_uint_eq(kernel_refusals(signature, refused, 1), 1);
  ck_assert(kernel_of_choice(signature, &refused[0].choice, &kernel, problem));
  ck_assert_int_eq(kernel.parameters[0].shape[0].size, 3);
  refused[0].choice.lengths = &example;
  ck_assert(kernel_of_choice(signature, &refused[0].choice, &kernel, problem));
  ck_assert_int_eq(kernel.parameters[0].shape[0].size, 4);
  ck_assert_uint_eq(kernel.parameters[1].element_count, 3);
  ck_assert_uint_eq(kernel.parameters[2].element_count, example.parameters[2].element_count);
}

#define FLOATS "{\"kind\": \"tensor\", \"dtype\": \"float32\", \"shape\": \"n\""

// What a refusal gives within an array, a tuple or a map is of the type that stands there, and the other tensors have its
// size; not where they stay as in the example.
TEST(sizes_follow_from_what_a_call_gives_within_containers)
{
  static Kernel example;
#define GIVEN "{\"elements\": [1, -2, 3]}"
  static const char *const given[] = {"\"xs[1]\": " GIVEN,   "\"pair[0]\": " GIVEN,
                                      "\"m.w\": " GIVEN,     "\"m\": {\"w\": " GIVEN "}",
                                      "\"rest[0]\": " GIVEN, "\"rest\": [" GIVEN "]"};
  for (size_t i = 0; i < sizeof given / sizeof *given; ++i) {
    char members[1024];
    snprintf(
        members, sizeof members,
        "\"parameters\": [{\"name\": \"xs\", \"kind\": \"array\", \"length\": 2, \"element\": " FLOATS
        "}}, {\"name\": \"pair\", \"kind\": \"tuple\", \"elements\": [" FLOATS
        "}, {\"kind\": \"int\"}]}, {\"name\": \"m\", \"kind\": \"map\", \"entries\": {\"w\": " FLOATS
        "}}}], \"rest\": " FLOATS
        ", \"name\": \"rest\", \"counts\": [1]}, \"sizes\": {\"n\": 4}, "
        "\"refuses\": [{\"with\": {%s}}]",
        given[i]);
    read_function(members);
    ck_assert_msg(kernel_example(signature, &example, problem), "%s", problem);
    KernelRefused refused[1];
    ck_assert_uint_eq(kernel_refusals(signature, refused, 1), 1);
    for (int apart = 0; apart < 2; ++apart) {
      refused[0].choice.lengths = apart ? &example : NULL;
      ck_assert_msg(kernel_of_choice(signature, &refused[0].choice, &kernel, problem), "%s: %s",
                    given[i], problem);
      unsigned tensors = 0, of_three = 0;
      for (uint32_t k = 0; k < kernel_place_count(&kernel); ++k) {
        const KernelParameter *at = kernel_place_of(&kernel, k);
        tensors += at->kind == KERNEL_TENSOR;
        of_three += at->kind == KERNEL_TENSOR && at->shape[0].size == 3;
      }
      ck_assert_msg(tensors == 5, "%s: %u", given[i], tensors);
      ck_assert_msg(of_three == (apart ? 1 : 5), "%s: %u of 3", given[i], of_three);
    }
  }
}

// Sizes of elements are those at their place in the outermost array; lengths follow from arrays in maps.
TEST(sizes_of_elements_follow_from_what_a_call_gives_within_maps)
{
  static const struct {
    const char *given;
    int64_t second, count;  // the size of ys[1], and how many names there are
  } rows[] = {{"\"m.xs[1]\": {\"elements\": [1, 2, 3]}", 3, 2},
              {"\"m.names\": [\"a\", \"b\", \"c\"]", 4, 3}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
    static Kernel example;
    char members[1024];
    snprintf(
        members, sizeof members,
        "\"parameters\": [{\"name\": \"m\", \"kind\": \"map\", \"entries\": {\"xs\": {\"kind\": "
        "\"array\", \"length\": 2, \"element\": {\"kind\": \"tensor\", \"dtype\": \"float32\", "
        "\"shape\": \"?n\"}}, \"names\": {\"kind\": \"array\", \"length\": \"p\", \"element\": "
        "{\"kind\": \"string\", \"values\": [\"a\"]}}}}, {\"name\": \"ys\", \"kind\": \"array\", "
        "\"length\": 2, \"element\": {\"kind\": \"tensor\", \"dtype\": \"float32\", \"shape\": "
        "\"?n p\"}}], \"sizes\": {\"n\": 4, \"p\": 2}, \"refuses\": [{\"with\": {%s}}]",
        rows[i].given);
    read_function(members);
    ck_assert_msg(kernel_example(signature, &example, problem), "%s", problem);
    KernelRefused refused[1];
    ck_assert_uint_eq(kernel_refusals(signature, refused, 1), 1);
    ck_assert_msg(kernel_of_choice(signature, &refused[0].choice, &kernel, problem), "%s: %s",
                  rows[i].given, problem);
    const KernelParameter *ys = &kernel.elements[kernel.parameters[1].first_element];
    ck_assert_int_eq(ys[1].shape[0].size, rows[i].second);
    ck_assert_int_eq(ys[1].shape[1].size, rows[i].count);
  }
}

TEST(arrays_that_follow_from_others_may_be_as_long_as_in_another_call)
{
  static Kernel example;
  read_function(
      "\"parameters\": [{\"name\": \"a\", \"kind\": \"array\", \"element\": {\"kind\": \"int\"}, "
      "\"value\": [1, 2]}, {\"name\": \"b\", \"kind\": \"array\", \"element\": {\"kind\": \"int\"}, "
      "\"length\": \"len(a)\"}], \"refuses\": [{\"with\": {\"a\": [1]}}]");
  ck_assert_msg(kernel_example(signature, &example, problem), "%s", problem);
  KernelRefused refused[1];
  ck_assert_uint_eq(kernel_refusals(signature, refused, 1), 1);
  ck_assert(kernel_of_choice(signature, &refused[0].choice, &kernel, problem));
  ck_assert_uint_eq(kernel.parameters[1].element_count, 1);
  refused[0].choice.lengths = &example;
  ck_assert(kernel_of_choice(signature, &refused[0].choice, &kernel, problem));
  ck_assert_uint_eq(kernel.parameters[0].element_count, 1);
  ck_assert_uint_eq(kernel.parameters[1].element_count, 2);
}

// The example has elements where a condition gives an array its length, and where integers have to stay below their
// place.
TEST(conditions_leave_an_example_that_has_elements)
{
  static const struct {
    const char *where;
    unsigned length;
  } rows[] = {{"\"len(w) == n\", \"at < arange(n)\"", 4},
              {"\"w is None or len(w) == 2*n - 1\", \"at < arange(n)\"", 7}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
    char members[600];
    snprintf(members, sizeof members,
             "\"parameters\": [{\"name\": \"at\", \"kind\": \"tensor\", \"dtype\": \"int64\", "
             "\"shape\": \"n\", \"min\": -1}, {\"name\": \"w\", \"kind\": \"array\", \"element\": "
             "{\"kind\": \"string\", \"values\": [\"a\"]}}], \"sizes\": {\"n\": [4, 1, 0]}, "
             "\"where\": [%s]",
             rows[i].where);
    read_function(members);
    ck_assert_msg(kernel_example(signature, &kernel, problem), "%s", problem);
    ck_assert_msg(kernel.parameters[1].element_count == rows[i].length, "%s: %u", rows[i].where,
                  kernel.parameters[1].element_count);
  }
}

// The sizes of the first tensor, a matrix, in the choice of these words; 0 if there is none.
static bool sizes_of_choice(const char *words, KernelStanding standing, int64_t sizes[2])
{
  static KernelChoice choices[KERNEL_CHOICES_MAX];
  const size_t made = kernel_choices(signature, choices, KERNEL_CHOICES_MAX);
  for (size_t i = 0; i < made; ++i) {
    if (choices[i].standing != standing || strcmp(choices[i].words, words) != 0) continue;
    ck_assert_msg(kernel_of_choice(signature, &choices[i], &kernel, problem), "%s", problem);
    for (int k = 0; k < 2; ++k) sizes[k] = kernel.parameters[0].shape[k].size;
    return true;
  }
  return false;
}

#define MATRIX                                                                                   \
  "\"parameters\": [{\"name\": \"x\", \"kind\": \"tensor\", \"dtype\": \"float32\", \"shape\": " \
  "\"m n\"}], \"sizes\": "

// More values than there are pairs that are tried.
#define VALUES                                                                                 \
  "{\"name\": \"a\", \"kind\": \"int\", \"examples\": [1, 2, 3, 4, 5, 6]}, {\"name\": \"b\", " \
  "\"kind\": \"int\", \"examples\": [1, 2, 3, 4, 5, 6]}"
#define MATRIX_BEHIND                                                                            \
  "\"parameters\": [{\"name\": \"x\", \"kind\": \"tensor\", \"dtype\": \"float32\", \"shape\": " \
  "\"m n\"}, " VALUES "], \"sizes\": "

TEST(the_largest_sizes_come_together)
{
  int64_t sizes[2];
  read_function(MATRIX_BEHIND "{\"m\": [3, 2, 1, 4, 5], \"n\": [7, 5, 3, 2, 1, 50257]}");
  ck_assert(sizes_of_choice("the largest sizes", KERNEL_PROMISED, sizes));
  ck_assert(sizes[0] == 5 && sizes[1] == 50257);
  // (With that many elements they do not.)
  read_function(MATRIX_BEHIND "{\"m\": [3, 2, 1, 4, 3001], \"n\": [7, 5, 3, 2, 1, 3001]}");
  ck_assert(!sizes_of_choice("the largest sizes", KERNEL_PROMISED, sizes));
  read_function(MATRIX
                "{\"m\": [3, 5], \"n\": [70, 90]}, \"combinations\": \"calls\", \"calls\": "
                "[{\"arguments\": {\"x\": {\"elements\": [[1]]}}}]");
  ck_assert(!sizes_of_choice("the largest sizes", KERNEL_PROMISED, sizes));
}

TEST(the_largest_sizes_come_without_what_may_be_left_out_too)
{
  static KernelChoice choices[KERNEL_CHOICES_MAX];
  unsigned given = 0, left_out = 0;
  read_function(
      "\"parameters\": [{\"name\": \"x\", \"kind\": \"tensor\", \"dtype\": \"float32\", \"shape\": \"m n\"}, " VALUES
      ", {\"name\": \"most\", \"kind\": \"int\", \"value\": 1, \"optional\": true}], "
      "\"sizes\": {\"m\": [3, 2, 1, 4, 5], \"n\": [7, 5, 3, 2, 1, 9]}");
  const size_t made = kernel_choices(signature, choices, KERNEL_CHOICES_MAX);
  for (size_t i = 0; i < made; ++i) {
    if (strncmp(choices[i].words, "the largest sizes", 17) != 0) continue;
    ck_assert_int_eq(choices[i].standing, KERNEL_PROMISED);
    ck_assert_msg(kernel_of_choice(signature, &choices[i], &kernel, problem), "%s", problem);
    ck_assert_int_eq(kernel.parameters[0].shape[1].size, 9);
    *(kernel.parameters[3].kind == KERNEL_NONE ? &left_out : &given) += 1;
  }
  ck_assert(given == 1 && left_out == 1);
}

// Both larger than in the example: what is drawn of the rest differs from pair to pair.
TEST(pairs_of_sizes_are_drawn_with_others)
{
  static KernelChoice choices[KERNEL_CHOICES_MAX];
  unsigned mixed = 0;
  read_function(MATRIX_BEHIND "{\"m\": [1, 2], \"n\": [4, 64]}");
  const size_t made = kernel_choices(signature, choices, KERNEL_CHOICES_MAX);
  for (size_t i = 0; i < made; ++i)
    mixed += choices[i].standing == KERNEL_PROMISED && strchr(choices[i].words, ',') != NULL &&
             kernel_of_choice(signature, &choices[i], &kernel, problem) &&
             kernel.parameters[0].shape[0].size == 2 && kernel.parameters[1].integer > 1;
  ck_assert_uint_gt(mixed, 0);
}

TEST(large_sizes_have_divisors_and_have_none)
{
  int64_t sizes[2];
  read_function(MATRIX "{\"m\": [3], \"n\": [70]}");
  ck_assert(sizes_of_choice("large sizes", KERNEL_EXPLORED, sizes));
  for (int k = 0; k < 2; ++k) ck_assert(sizes[k] > 256 && sizes[k] % 16 == 0);
  ck_assert(sizes_of_choice("large odd sizes", KERNEL_EXPLORED, sizes));
  for (int k = 0; k < 2; ++k)
    for (int64_t by = 2; by < 17; ++by) ck_assert(sizes[k] > 256 && sizes[k] % by != 0);
}

TEST(an_example_without_elements_gives_way_to_a_listed_call)
{
  static const char *const parameters =
      "\"parameters\": [{\"name\": \"ptr\", \"kind\": \"tensor\", \"dtype\": \"int32\", \"shape\": \"b\"}, "
      "{\"name\": \"x\", \"kind\": \"tensor\", \"dtype\": \"float32\", \"shape\": \"n\"}], "
      "\"sizes\": {\"n\": [0, 3]}, \"calls\": ["
      "{\"arguments\": {\"ptr\": {\"elements\": [1]}, \"x\": {\"elements\": []}}}, "
      "{\"arguments\": {\"ptr\": {\"elements\": [1, 3]}, \"x\": {\"elements\": [4, 5]}}}]";
  for (int only = 0; only < 2; ++only) {
    char members[1024];
    snprintf(members, sizeof members, "%s%s", parameters,
             only ? ", \"combinations\": \"calls\"" : "");
    read_function(members);
    ck_assert_msg(kernel_example(signature, &kernel, problem), "%s", problem);
    ck_assert_int_eq(kernel.parameters[1].shape[0].size, only ? 2 : 0);
  }
}

TEST(an_integer_that_a_call_gives_helps_to_find_a_size)
{
  static KernelChoice choices[KERNEL_CHOICES_MAX];
  int64_t size = 0;
  read_function(
      "\"parameters\": [{\"name\": \"w\", \"kind\": \"tensor\", \"dtype\": \"float32\", \"shape\": "
      "\"groups*c\"}, {\"name\": \"groups\", \"kind\": \"int\", \"examples\": [1, 2]}], "
      "\"sizes\": {\"c\": [2]}, \"calls\": ["
      "{\"arguments\": {\"w\": {\"elements\": [1, 2, 3]}, \"groups\": 1}}, "
      "{\"arguments\": {\"w\": {\"elements\": [1, 2, 3, 4, 5, 6]}, \"groups\": 2}}]");
  const size_t made = kernel_choices(signature, choices, KERNEL_CHOICES_MAX);
  unsigned calls = 0;
  for (size_t i = 0; i < made; ++i) {
    if (choices[i].call == 0) continue;
    ck_assert_msg(kernel_of_choice(signature, &choices[i], &kernel, problem), "%s", problem);
    ck_assert(kernel_size_of(&kernel, "c", &size));
    ck_assert_int_eq(size, 3);
    ++calls;
  }
  ck_assert_uint_eq(calls, 2);
}

// With a = 2 no listed b meets the condition.
TEST(what_only_unlisted_values_meet_is_not_promised)
{
  static KernelChoice choices[KERNEL_CHOICES_MAX];
  unsigned promised = 0, explored = 0;
  read_function(
      "\"parameters\": [{\"name\": \"a\", \"kind\": \"int\", \"examples\": [1, 2]}, "
      "{\"name\": \"b\", \"kind\": \"float\", \"min\": 0, \"value\": 0.25}], \"where\": [\"a != 2 or b > 1\"]");
  const size_t made = kernel_choices(signature, choices, KERNEL_CHOICES_MAX);
  for (size_t i = 0; i < made; ++i) {
    ck_assert_msg(kernel_of_choice(signature, &choices[i], &kernel, problem), "%s", problem);
    if (kernel.parameters[0].integer != 2) continue;
    promised += choices[i].standing == KERNEL_PROMISED;
    explored += choices[i].standing == KERNEL_EXPLORED;
  }
  ck_assert_uint_eq(promised, 0);
  ck_assert_uint_gt(explored, 0);
}

// Another d has to be drawn for n to be no more than it; n and m stay those of the example.
TEST(what_listed_values_meet_is_met_by_them)
{
  static KernelChoice choices[KERNEL_CHOICES_MAX];
  unsigned pairs = 0;
  read_function(
      "\"parameters\": [{\"name\": \"x\", \"kind\": \"tensor\", \"dtype\": \"float32\", \"shape\": \"n m\"}, "
      "{\"name\": \"a\", \"kind\": \"int\", \"values\": [8, 4, 5]}, "
      "{\"name\": \"b\", \"kind\": \"int\", \"values\": [6, 2, 8]}, "
      "{\"name\": \"c\", \"kind\": \"int\", \"values\": [8, 3, 1]}, "
      "{\"name\": \"d\", \"kind\": \"int\", \"values\": [2, 8, 6, 3, 1]}], "
      "\"where\": [\"m % 2 == 1 or n > 4\", \"n <= d\", \"n % 2 == 0 or d > 8\"]");
  const size_t made = kernel_choices(signature, choices, KERNEL_CHOICES_MAX);
  for (size_t i = 0; i < made; ++i) {
    if (!strstr(choices[i].words, ", a: ")) continue;
    ck_assert_msg(choices[i].standing == KERNEL_PROMISED, "%s", choices[i].words);
    ++pairs;
  }
  ck_assert_uint_gt(pairs, 3);
}
