// SPDX-License-Identifier: Apache-2.0
// What the search for a call takes from messages, and from words of the library: texts, keys, lengths.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plan/kernel_choice.h"
#include "plan/signature_found.h"
#include "plan/signature_refusal.h"
#include "pretended.h"
#include "signature/signature_write.h"
#include "unit/unit.h"

// --- Functions -----------------------------------------------------------------------------------

// A map with a text at "mode" and nothing that is not known, and a format.
static const char *convert(const Kernel *call)
{
  static char words[96];
  const KernelParameter *options = &call->parameters[0], *mode = NULL;
  if (call->parameters[1].number <= 0) return "ValueError: weights: must be in [0.001, 1000]";
  for (uint32_t i = 0; i < options->element_count; ++i) {
    const KernelParameter *entry = &call->elements[options->first_element + i];
    snprintf(words, sizeof words, "ValueError: options: unknown key %s", entry->name);
    if (strcmp(entry->name, "mode") != 0) return words;
    mode = entry;
  }
  if (!mode) return "ValueError: options: no mode";
  if (mode->kind != KERNEL_STRING) return "TypeError: options: mode must be a string";
  if (strcmp(call->parameters[2].text, "cxcywh") != 0)
    return "ValueError: format: expected xyxz or cxcywh";
  return NULL;
}

// As many numbers in two arrays as images have channels.
static const char *normalize_images(const Kernel *call)
{
  const KernelParameter *images = &call->parameters[0];
  for (uint32_t i = 0; i < images->element_count; ++i)
    if (call->elements[images->first_element + i].rank != 3)
      return "ValueError: images must have 3 dimensions";
  for (int i = 1; i < 3; ++i)
    if (call->parameters[i].element_count != 3)
      return "ValueError: a mean and a std for each channel";
  return NULL;
}

// Ranks are asked for in another order than that of the parameters, by what was got; the offsets are
// of integers of 32 bits, one more than there are groups, and the result is of 8 bits.
static const char *group(const Kernel *call)
{
  static char words[96];
  static const struct {
    const char *name;
    int place, rank;
  } asked[] = {{"x", 0, 2}, {"weight", 1, 3}, {"out", 3, 2}, {"offsets", 2, 1}};
  const KernelParameter *of = call->parameters;
  for (size_t i = 0; i < 4; ++i) {
    snprintf(words, sizeof words, "ValueError: %s must be %dD, got %dD", asked[i].name,
             asked[i].rank, of[asked[i].place].rank);
    if (of[asked[i].place].rank != asked[i].rank) return words;
  }
  if (of[2].dtype.code != kDLInt || of[2].dtype.bits != 32)
    return "TypeError: offsets has an unsupported dtype";
  if (of[3].dtype.code != kDLFloat8_e4m3fn) return "TypeError: out has an unsupported dtype";
  if (of[2].shape[0].size != of[1].shape[0].size + 1)
    return "ValueError: the extent of offsets is wrong";
  return of[2].value_count == 1 && of[2].values[0] == 0 ? NULL
                                                        : "IndexError: group 3 does not exist";
}

// Its refusal does not say which words are taken, nor that "block" is a key.
static const char *order(const Kernel *call)
{
  const KernelParameter *map = &call->parameters[1];
  if (strcmp(call->parameters[0].text, "low_first") != 0) return "ValueError: order: not known";
  for (uint32_t i = 0; i < map->element_count; ++i) {
    const KernelParameter *at = &call->elements[map->first_element + i];
    if (strcmp(at->name, "block") == 0 && at->kind != KERNEL_INT) return "TypeError: not an int";
  }
  return NULL;
}

// The extents that the message names one after the other, by one form of words.
static const char *window(const Kernel *call)
{
  static char words[96];
  const KernelParameter *x = &call->parameters[0];
  static const int64_t asked[] = {5, 7};
  if (x->rank != 2) return "ValueError: x must have 2 dimensions";
  for (int k = 0; k < 2; ++k)
    if (x->shape[k].size != asked[k]) {
      snprintf(words, sizeof words, "ValueError: x: expected extent %d in dimension %d, got %d",
               (int)asked[k], k, (int)x->shape[k].size);
      return words;
    }
  return NULL;
}

// Three extents, and memory enough for them.
static const char *plan(const Kernel *call)
{
  const KernelParameter *limits = &call->parameters[1];
  if (call->parameters[0].rank != 3) return "ValueError: problem: expected (m, n, k)";
  for (uint32_t i = 0; i < limits->element_count; ++i) {
    const KernelParameter *entry = &call->elements[limits->first_element + i];
    if (strcmp(entry->name, "memory") == 0)
      return entry->integer >= 1000 ? NULL : "ValueError: limits: memory is too small";
  }
  return "KeyError: limits: memory is missing";
}

// A base of one letter, and two keys at once, which alone are quoted; it knows no others.
static const char *merge(const Kernel *call)
{
  static char words[128];
  const KernelParameter *base = &call->parameters[0], *options = base + 1;
  bool patch = false, size = false;
  snprintf(words, sizeof words, "ValueError: base: expected \"e\" or \"2\", got \"%.40s\"",
           base->text);
  if (strcmp(base->text, "e") != 0 && strcmp(base->text, "2") != 0) return words;
  for (uint32_t i = 0; i < options->element_count; ++i) {
    const char *key = call->elements[options->first_element + i].name;
    patch |= strcmp(key, "patch") == 0;
    size |= strcmp(key, "merge") == 0;
    if (strcmp(key, "patch") != 0 && strcmp(key, "merge") != 0)
      return "ValueError: options: there is an unknown key";
  }
  return patch && size ? NULL : "KeyError: options: \"patch\" and \"merge\" are needed";
}

// As many points as the message lists, three means and deviations each, and a mode that it names back.
static const char *normalize_points(const Kernel *call)
{
  static char words[96];
  const KernelParameter *points = &call->parameters[0], *means = points + 1, *scales = points + 2,
                        *mode = points + 3, *size = points + 4;
  snprintf(words, sizeof words, "ValueError: unknown mode %.40s", mode->text);
  if (strcmp(mode->text, "unit_ball") != 0) return words;
  if (size->rank != 2) return "ValueError: size must have two extents";
  if (means->element_count != 3 || scales->element_count != 3)
    return "ValueError: means and scales: 3 numbers each are needed";
  return points->rank == 3 && points->shape[0].size == 5 && points->shape[1].size == 3 &&
                 points->shape[2].size == 2
             ? NULL
             : "ValueError: points must have the shape (5, 3, 2)";
}

// Places for rows of features, which count together.
static const char *put_rows(const Kernel *call)
{
  static char words[96];
  const KernelParameter *places = &call->parameters[0], *features = places + 1;
  int64_t rows = 0, count = 0;
  for (uint32_t i = 0; i < features->element_count; ++i) {
    const KernelParameter *at = &call->elements[features->first_element + i];
    if (at->rank != 2) return "ValueError: features: expected 2 dimensions";
    rows += at->shape[0].size;
  }
  if (places->dtype.code != kDLInt) return "TypeError: places: unsupported data type";
  for (int64_t i = 0; places->rank > 0 && i < places->shape[0].size; ++i)
    count += kernel_element_of(places, (size_t)i) == 1;
  snprintf(words, sizeof words, "ValueError: features: %d rows for %d places", (int)rows,
           (int)count);
  return rows == count && rows > 0 ? NULL : words;
}

// --- Searching -----------------------------------------------------------------------------------

TEST(quoted_words_are_texts_and_keys)
{
  static PretendedSearch found;
  pretended_search(&found, "`f(0: str, 1: Map<str, int>) -> None`", merge, PRETENDED_MOST, NULL);
  ck_assert(found.kernel.found);
  ck_assert_str_eq(found.kernel.parameters[0].text, "e");
  ck_assert_uint_eq(found.kernel.parameters[1].element_count, 2);
  free(found.known);
}

TEST(lists_and_lengths_in_messages_are_taken)
{
  static const InspectWords words = {{{"unit_ball"}, 1}, {{""}, 0}};
  static PretendedSearch found;
  pretended_search(&found,
                   "`f(0: Tensor, 1: Array<float>, 2: Array<float>, 3: str, 4: ffi.Shape) -> None`",
                   normalize_points, 250, &words);
  ck_assert(found.kernel.found);
  ck_assert_ptr_null(normalize_points(&found.kernel));
  free(found.known);
}

TEST(numbers_of_many_digits_are_no_extents)
{
  int64_t extents[4];
  ck_assert_int_eq(refusal_list("ValueError: expected shape [3, 4]", 0, extents, 4), 2);
  ck_assert(extents[0] == 3 && extents[1] == 4);
  ck_assert_int_eq(refusal_list("ValueError: expected shape [1048576, 4]", 0, extents, 4), -1);
}

TEST(one_of_a_thing_is_named_by_several)
{
  ck_assert(refusal_names("IndexError: face 1: no vertex 4", "faces"));
  ck_assert(refusal_names("ValueError: all rows must be sorted", "row"));
  ck_assert(!refusal_names("ValueError: the surface is open", "faces"));
  ck_assert(!refusal_names("ValueError: no as", "a"));
  ck_assert(refusal_same_word("face", "faces") && refusal_same_word("x", "x"));
  ck_assert(!refusal_same_word("face", "facet") && !refusal_same_word("a", "as"));
}

TEST(keys_that_are_not_known_are_dropped)
{
  static PretendedSearch found;
  pretended_search(&found, "`f(0: Map<str, Any>, 1: float, 2: str) -> None`", convert, 150, NULL);
  ck_assert(found.kernel.found);
  ck_assert_ptr_null(convert(&found.kernel));
  free(found.known);
}

TEST(arrays_of_numbers_get_one_length)
{
  static PretendedSearch found;
  pretended_search(&found, "`f(0: Array<ffi.Tensor>, 1: Array<float>, 2: Array<float>) -> None`",
                   normalize_images, 150, NULL);
  ck_assert(found.kernel.found);
  ck_assert_ptr_null(normalize_images(&found.kernel));
  free(found.known);
}

TEST(numbers_that_come_nearer_are_a_step)
{
  static PretendedSearch found;
  pretended_search(&found, "`f(0: Tensor, 1: Array<ffi.Tensor>) -> None`", put_rows, PRETENDED_MOST,
                   NULL);
  ck_assert(found.kernel.found);
  ck_assert_ptr_null(put_rows(&found.kernel));
  free(found.known);
}

TEST(words_of_the_library_are_texts_and_keys)
{
  static const InspectWords words = {{{"int", "low_first"}, 2}, {{"block", "heads"}, 2}};
  static PretendedSearch found;
  const char *types = "`f(0: str, 1: Map<str, Any>) -> None`";
  pretended_search(&found, types, order, PRETENDED_MOST, NULL);
  ck_assert(!found.kernel.found);
  free(found.known);
  pretended_search(&found, types, order, PRETENDED_MOST, &words);
  const Kernel *kernel = &found.kernel;
  ck_assert(kernel->found);
  ck_assert_str_eq(kernel->parameters[0].text, "low_first");
  ck_assert_uint_eq(kernel->parameters[1].element_count, 1);
  const KernelParameter *block = &kernel->elements[kernel->parameters[1].first_element];
  ck_assert_str_eq(block->name, "block");
  ck_assert_int_eq(block->kind, KERNEL_INT);
  free(found.known);
}

TEST(the_word_for_a_parameter_is_found_out)
{
  static PretendedSearch found;
  pretended_search(&found, "`f(0: Tensor, 1: Tensor, 2: Tensor, 3: Tensor) -> None`", group, 400,
                   NULL);
  const KernelParameter *of = found.kernel.parameters;
  ck_assert(found.kernel.found);
  ck_assert_int_eq(of[1].rank, 3);
  ck_assert_int_eq(of[2].rank, 1);
  ck_assert_int_eq(of[3].dtype.code, kDLFloat8_e4m3fn);
  ck_assert_uint_eq(of[2].value_count, 1);
  Signature *made = signature_with_found(found.known, &found.kernel, false);
  json_t *written = signature_write_function(made);
  json_t *offsets = json_array_get(json_object_get(written, "parameters"), 2);
  ck_assert_uint_eq(json_array_size(json_object_get(offsets, "values")), 1);
  json_decref(written);
  free(made);
  free(found.known);
}

TEST(extents_and_entries_are_found_by_their_names)
{
  static PretendedSearch found;
  pretended_search(&found, "`f(0: Tensor) -> None`", window, PRETENDED_MOST, NULL);
  ck_assert(found.kernel.found);
  free(found.known);
  pretended_search(&found, "`f(0: ffi.Shape, 1: Map<ffi.String, int>) -> None`", plan,
                   PRETENDED_MOST, NULL);
  ck_assert(found.kernel.found);
  ck_assert_int_eq(found.kernel.parameters[0].rank, 3);
  ck_assert_uint_eq(found.kernel.parameters[1].element_count, 1);
  free(found.known);
}
