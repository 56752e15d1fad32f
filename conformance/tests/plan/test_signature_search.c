// SPDX-License-Identifier: Apache-2.0
// The search for a call that is served, in pretended functions: what their words lead to, and what
// is found of the call that they serve.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plan/kernel_choice.h"
#include "plan/signature_found.h"
#include "plan/signature_kinds.h"
#include "plan/signature_needs.h"
#include "plan/signature_packed.h"
#include "plan/signature_refusal.h"
#include "pretended.h"
#include "signature/signature_write.h"
#include "signature/type_name.h"
#include "unit/unit.h"

enum { MOST = 600 };

// --- Functions -----------------------------------------------------------------------------------

// y = x @ w in float32 or float64.
static const char *matmul(const Kernel *call)
{
  const KernelParameter *x = &call->parameters[0], *w = &call->parameters[1],
                        *y = &call->parameters[2];
  if (x->rank != 2) return "ValueError: x must have 2 dimensions";
  if (w->rank != 2) return "ValueError: w must have 2 dimensions";
  if (y->rank != 2) return "ValueError: y must have 2 dimensions";
  if (!pretended_is_float(x, 32) && !pretended_is_float(x, 64))
    return "TypeError: x must be float32 or float64";
  if (memcmp(&x->dtype, &w->dtype, sizeof x->dtype) != 0) return "TypeError: w has another type";
  if (memcmp(&x->dtype, &y->dtype, sizeof x->dtype) != 0) return "TypeError: y has another type";
  if (x->shape[1].size != w->shape[0].size) return "ValueError: the shapes of x and w differ";
  if (y->shape[0].size != x->shape[0].size) return "ValueError: the shape of y is wrong: rows";
  if (y->shape[1].size != w->shape[1].size) return "ValueError: the shape of y is wrong: columns";
  return NULL;
}

// All parts of one type, with as many columns, and an option.
static const char *join(const Kernel *call)
{
  const KernelParameter *parts = &call->parameters[0], *options = &call->parameters[1];
  if (parts->kind != KERNEL_ARRAY || parts->element_count == 0) return "ValueError: no parts";
  for (uint32_t i = 0; i < parts->element_count; ++i) {
    const KernelParameter *part = &call->elements[parts->first_element + i];
    if (part->rank != 2) return "ValueError: a part must have 2 dimensions";
    if (part->dtype.code != kDLInt) return "TypeError: parts must be of signed integers";
    if (part->shape[1].size != call->elements[parts->first_element].shape[1].size)
      return "ValueError: parts must have as many columns";
  }
  for (uint32_t i = 0; i < options->element_count; ++i)
    if (strcmp(call->elements[options->first_element + i].name, "axis") == 0) return NULL;
  return "KeyError: the options lack axis";
}

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

// A number, or a tensor of a rank that the first alternative can't show.
static const char *choose(const Kernel *call)
{
  const KernelParameter *value = &call->parameters[0];
  if (value->kind == KERNEL_FLOAT) return "TypeError: numbers are not supported yet";
  return value->rank == 1 ? NULL : "ValueError: one dimension is expected";
}

// A number, or a tensor with one dimension, and no text.
static const char *scale(const Kernel *call)
{
  const KernelParameter *by = &call->parameters[0];
  if (by->kind == KERNEL_FLOAT) return NULL;
  if (by->kind != KERNEL_TENSOR) return "TypeError: texts are not supported yet";
  return by->rank == 1 ? NULL : "ValueError: one dimension is expected";
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

// Drafts are compared with targets, which have a column more; each of four tensors has as many rows.
static const char *verify(const Kernel *call)
{
  const KernelParameter *draft = &call->parameters[0], *target = draft + 1, *lengths = draft + 2,
                        *next = draft + 3, *most = draft + 4;
  if (draft->rank != 2) return "ValueError: draft must have 2 dimensions";
  if (target->rank != 2) return "ValueError: target must have 2 dimensions";
  if (target->shape[0].size != draft->shape[0].size)
    return "ValueError: target must have as many rows as draft";
  if (lengths->rank != 1 || lengths->shape[0].size != draft->shape[0].size)
    return "ValueError: lengths must have as many rows as draft";
  if (next->rank != 1 || next->shape[0].size != draft->shape[0].size)
    return "ValueError: next must have as many rows as draft";
  if (target->shape[1].size != draft->shape[1].size + 1)
    return "ValueError: target must have one more column than draft";
  return most->integer < 5 ? "ValueError: lengths[0] would be more than max_length" : NULL;
}

// Copies of rows side by side: k of each, and where each of the `count` groups begins.
static const char *spread(const Kernel *call)
{
  const KernelParameter *rows = &call->parameters[0], *groups = rows + 1, *count = rows + 2,
                        *out = rows + 3, *offsets = rows + 4;
  if (rows->rank != 2 || groups->rank != 2) return "ValueError: rows and groups must have 2 dims";
  if (out->rank != 2) return "ValueError: out must have 2 dimensions";
  if (count->integer < 1) return "ValueError: count must be in [1, 65536]";
  if (groups->shape[0].size != rows->shape[0].size)
    return "ValueError: groups must have as many rows as rows";
  if (out->shape[0].size != groups->shape[0].size * groups->shape[1].size ||
      out->shape[1].size != rows->shape[1].size)
    return "ValueError: out must be [n*k, d]";
  return offsets->shape[0].size == count->integer + 1
             ? NULL
             : "ValueError: offsets must have count + 1 elements";
}

// A comparator that gives no bool is of no use.
static const char *sort_by(const Kernel *call)
{
  if (strcmp(call->parameters[1].text, "bool") == 0) return NULL;
  return "TypeError: Cannot convert from type `float` to `bool`";
}

// A text, and what stands in its places, which has none.
static const char *write_text(const Kernel *call)
{
  if (call->parameter_count == 0) return "TypeError: the text is missing";
  if (call->parameters[0].kind != KERNEL_STRING) return "TypeError: the text must be a string";
  return call->parameter_count == 1 ? NULL : "ValueError: the text has fewer places";
}

static const char *take_all(const Kernel *call)
{
  return call->parameter_count == 0 ? "TypeError: an argument is missing" : NULL;
}

// Any number of tensors of one extent, two at least.
static const char *add_all(const Kernel *call)
{
  if (call->parameter_count < 2) return "TypeError: too few";
  for (uint32_t i = 0; i < call->parameter_count; ++i) {
    const KernelParameter *tensor = &call->parameters[i];
    if (tensor->kind != KERNEL_TENSOR) return "TypeError: a tensor is expected";
    if (tensor->rank != 1 || tensor->shape[0].size != call->parameters[0].shape[0].size)
      return "ValueError: shapes differ";
  }
  return NULL;
}

// The same behind an axis.
static const char *stack_all(const Kernel *call)
{
  if (call->parameter_count < 2) return "TypeError: too few";
  if (call->parameters[0].kind != KERNEL_INT) return "TypeError: axis: an int is expected";
  if (call->parameters[0].integer > 1) return "ValueError: axis is out of range";
  for (uint32_t i = 1; i < call->parameter_count; ++i)
    if (call->parameters[i].kind != KERNEL_TENSOR) return "TypeError: a tensor is expected";
  return NULL;
}

// Each node is behind its parent, or has none.
static const char *climb(const Kernel *call)
{
  const KernelParameter *parents = &call->parameters[0];
  if (parents->dtype.code != kDLInt) return "TypeError: parents must be of integers";
  for (size_t i = 0; i < (size_t)parents->shape[0].size; ++i)
    if (kernel_element_of(parents, i) >= (long double)i || kernel_element_of(parents, i) < -1)
      return "ValueError: the parent of node 0 must be in front of it, or -1";
  return NULL;
}

// One flag beside a number of steps, of which each value leads to other words. Nothing is done if it is set.
static const char *step(const Kernel *call)
{
  const KernelParameter *flag = &call->parameters[1];
  if (call->parameters[0].integer < 1) return "ValueError: step must be at least 1";
  if (flag->shape[0].size != 1) return "ValueError: flag: extent 0 must be 1, is another";
  return kernel_element_of(flag, 0) != 0 ? SIGNATURE_PROBE_IDLE : NULL;
}

// One of two modes, the second of them without a value.
static const char *pad_with(const Kernel *call)
{
  const KernelParameter *mode = &call->parameters[1], *value = &call->parameters[2];
  const bool edge = strcmp(mode->text, "edge") == 0;
  if (!edge && strcmp(mode->text, "constant") != 0)
    return "ValueError: mode must be constant or edge";
  return edge && value->kind == KERNEL_FLOAT ? "ValueError: value is for constant" : NULL;
}

// Two tensors, and whatever comes behind them is not looked at.
static const char *add_two(const Kernel *call)
{
  return call->parameter_count < 2 ? "TypeError: two tensors are needed" : NULL;
}

// Rows with a weight, a bias, a residual and a result, all as long.
static const char *normalize(const Kernel *call)
{
  const KernelParameter *x = &call->parameters[0];
  if (x->rank != 2) return "ValueError: x must have 2 dimensions";
  for (uint32_t i = 1; i < 3; ++i) {
    if (call->parameters[i].rank != 1) return "ValueError: scale must have 1 dimension";
    if (call->parameters[i].shape[0].size != x->shape[1].size) return "ValueError: scale is wrong";
  }
  for (uint32_t i = 3; i < 5; ++i) {
    if (call->parameters[i].rank != 2) return "ValueError: rest must have 2 dimensions";
    for (int k = 0; k < 2; ++k)
      if (call->parameters[i].shape[k].size != x->shape[k].size) return "ValueError: rest is wrong";
  }
  return NULL;
}

// Anything with two dimensions or more.
static const char *turn(const Kernel *call)
{
  return call->parameters[0].rank >= 2 ? NULL : "ValueError: x must have two dimensions";
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

static const char *copy_on_device(const Kernel *call)
{
  if (call->parameters[0].device.device_type != kDLCUDA) return "ValueError: x must be on CUDA";
  if (call->parameters[1].device.device_type != kDLCPU)
    return "ValueError: rows must be on the CPU";
  return NULL;
}

static const char *element_words(const KernelParameter *offsets, int64_t end)
{
  const size_t count = (size_t)offsets->shape[0].size;
  if (kernel_element_of(offsets, 0) != 0) return "ValueError: offsets must begin with 0";
  if (kernel_element_of(offsets, count - 1) != end)
    return "ValueError: offsets must end with the number of rows";
  return NULL;
}

// Offsets into the rows of x, as headers write refusals: behind the condition.
static const char *segments(const Kernel *call)
{
  static char words[160];
  const KernelParameter *x = &call->parameters[0], *offsets = &call->parameters[1];
  if (x->rank != 2) return "ValueError: Check failed: (x.ndim() == 2) is false: x: two dimensions";
  if (offsets->rank != 1) {
    snprintf(words, sizeof words,
             "ValueError: Check failed: (t.ndim() == n) is false: offsets: expected 1 dimension, "
             "got %d",
             offsets->rank);
    return words;
  }
  if (offsets->dtype.code != kDLInt)
    return "TypeError: Check failed: (right) is false: offsets: dtype";
  if (offsets->shape[0].size != 4) return "ValueError: offsets: expected extent 4";
  return element_words(offsets, x->shape[0].size);
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

static const char *refuse_all(const Kernel *call)
{
  static char words[64];
  static unsigned turn;
  (void)call;
  // Another word each time, for ever.
  snprintf(words, sizeof words, "ValueError: x%c%c%c is wrong", 'a' + turn / 676 % 26,
           'a' + turn / 26 % 26, 'a' + turn % 26);
  ++turn;
  return words;
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

// Its optional tensor is never right.
static const char *add_without(const Kernel *call)
{
  return call->parameters[1].kind == KERNEL_TENSOR ? "ValueError: bias: no kernel was built for it"
                                                   : NULL;
}

// Its callback has to return a tensor.
static const char *map_rows(const Kernel *call)
{
  return strcmp(call->parameters[1].text, "tensor") == 0 ? NULL
                                                         : "TypeError: f must return a tensor";
}

static const char *trust(const Kernel *call)
{
  (void)call;
  return NULL;
}

// --- Searching -----------------------------------------------------------------------------------

static void search(PretendedSearch *found, const char *types, Pretended *function, unsigned most)
{
  pretended_search(found, types, function, most, NULL);
}

static bool has_dtype(const KernelParameter *tensor, const char *name)
{
  for (int i = 0; i < KERNEL_DTYPES_TRIED; ++i)
    if (strcmp(kernel_dtypes_tried[i].name, name) == 0) return tensor->other_dtypes & (1u << i);
  return false;
}

TEST(relations_of_extents_and_types_are_found)
{
  static PretendedSearch found;
  search(&found, "`f(0: Tensor, 1: Tensor, 2: Tensor) -> None`", matmul, MOST);
  const KernelParameter *x = &found.kernel.parameters[0], *w = x + 1, *y = x + 2;
  ck_assert(found.kernel.found);
  for (int i = 0; i < 3; ++i) ck_assert(x[i].checked);
  ck_assert_str_eq(x->shape[0].symbol, y->shape[0].symbol);
  ck_assert_str_eq(x->shape[1].symbol, w->shape[0].symbol);
  ck_assert_str_eq(w->shape[1].symbol, y->shape[1].symbol);
  ck_assert_str_ne(x->shape[0].symbol, x->shape[1].symbol);
  ck_assert_int_ne(x->shape[0].size, x->shape[1].size);
  ck_assert(has_dtype(x, "float64") && !has_dtype(x, "float16") && !has_dtype(x, "float32"));
  ck_assert_uint_eq(x->other_ranks, 0);
  free(found.known);
}

// More than three dimensions of one size, where the others are.
TEST(large_groups_of_extents_are_found)
{
  static PretendedSearch found;
  search(&found, "`f(0: Tensor, 1: Tensor, 2: Tensor, 3: Tensor, 4: Tensor) -> None`", normalize,
         MOST);
  const KernelParameter *of = found.kernel.parameters;
  ck_assert(found.kernel.found);
  ck_assert_str_ne(of[0].shape[0].symbol, "");
  ck_assert_str_ne(of[0].shape[1].symbol, "");
  ck_assert_str_ne(of[0].shape[0].symbol, of[0].shape[1].symbol);
  for (int i = 1; i < 3; ++i) ck_assert_str_eq(of[i].shape[0].symbol, of[0].shape[1].symbol);
  for (int i = 3; i < 5; ++i)
    for (int k = 0; k < 2; ++k) ck_assert_str_eq(of[i].shape[k].symbol, of[0].shape[k].symbol);
  free(found.known);
}

TEST(a_tensor_of_fewer_dimensions_is_refused)
{
  static PretendedSearch found;
  search(&found, "`f(0: Tensor) -> None`", turn, MOST);
  ck_assert(found.kernel.found && found.kernel.parameters[0].checked);
  free(found.known);
}

TEST(texts_in_containers_are_told_apart)
{
  static PretendedSearch found;
  search(&found, "`f(0: Tensor, 1: Array<str>) -> None`", turn, MOST);
  ck_assert(found.kernel.found);
  const KernelParameter *texts = &found.kernel.elements[found.kernel.parameters[1].first_element];
  ck_assert_uint_ge(found.kernel.parameters[1].element_count, 2);
  ck_assert_str_ne(texts[0].text, texts[1].text);
  free(found.known);
}

TEST(quoted_words_are_texts_and_keys)
{
  static PretendedSearch found;
  search(&found, "`f(0: str, 1: Map<str, int>) -> None`", merge, MOST);
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
  search(&found, "`f(0: Map<str, Any>, 1: float, 2: str) -> None`", convert, 150);
  ck_assert(found.kernel.found);
  ck_assert_ptr_null(convert(&found.kernel));
  free(found.known);
}

TEST(arrays_of_numbers_get_one_length)
{
  static PretendedSearch found;
  search(&found, "`f(0: Array<ffi.Tensor>, 1: Array<float>, 2: Array<float>) -> None`",
         normalize_images, 150);
  ck_assert(found.kernel.found);
  ck_assert_ptr_null(normalize_images(&found.kernel));
  free(found.known);
}

TEST(numbers_that_come_nearer_are_a_step)
{
  static PretendedSearch found;
  search(&found, "`f(0: Tensor, 1: Array<ffi.Tensor>) -> None`", put_rows, MOST);
  ck_assert(found.kernel.found);
  ck_assert_ptr_null(put_rows(&found.kernel));
  free(found.known);
}

TEST(what_is_optional_may_be_left_out)
{
  static PretendedSearch found;
  search(&found, "`f(0: Tensor, 1: Optional<ffi.Tensor>) -> None`", add_without, MOST);
  ck_assert(found.kernel.found);
  ck_assert_int_ne(found.kernel.parameters[1].kind, KERNEL_TENSOR);
  free(found.known);
}

TEST(words_of_the_library_are_texts_and_keys)
{
  static const InspectWords words = {{{"int", "low_first"}, 2}, {{"block", "heads"}, 2}};
  static PretendedSearch found;
  const char *types = "`f(0: str, 1: Map<str, Any>) -> None`";
  search(&found, types, order, MOST);
  ck_assert(!found.kernel.found);
  free(found.known);
  pretended_search(&found, types, order, MOST, &words);
  const Kernel *kernel = &found.kernel;
  ck_assert(kernel->found);
  ck_assert_str_eq(kernel->parameters[0].text, "low_first");
  ck_assert_uint_eq(kernel->parameters[1].element_count, 1);
  const KernelParameter *block = &kernel->elements[kernel->parameters[1].first_element];
  ck_assert_str_eq(block->name, "block");
  ck_assert_int_eq(block->kind, KERNEL_INT);
  free(found.known);
}

TEST(what_is_found_is_written)
{
  static PretendedSearch found;
  search(&found, "`f(0: Tensor, 1: Tensor, 2: Tensor) -> None`", matmul, MOST);
  Signature *made = signature_with_found(found.known, &found.kernel, false);
  json_t *written = signature_write_function(made);
  json_t *types = json_object_get(json_object_get(written, "dtypes"), "T");
  ck_assert_uint_eq(json_array_size(types), 2);
  ck_assert_str_eq(json_string_value(json_array_get(types, 0)), "float32");
  ck_assert_str_eq(json_string_value(json_array_get(types, 1)), "float64");
  for (size_t i = 0; i < 3; ++i) {
    json_t *parameter = json_array_get(json_object_get(written, "parameters"), i);
    ck_assert_str_eq(json_string_value(json_object_get(parameter, "dtype")), "T");
  }
  ck_assert(json_is_true(json_object_get(written, "tentative")));
  json_decref(written);
  free(made);
  free(found.known);
}

// A text, a tensor, an array and a map of them, as an earlier call has them.
static void make_call(Kernel *call)
{
  *call = (Kernel){.name = "make", .parameter_count = 4, .element_count = 2, .found = true};
  for (uint32_t i = 0; i < 4; ++i) call->parameters[i] = (KernelParameter){.alignment = 1};
  call->parameters[0].kind = KERNEL_STRING;
  strcpy(call->parameters[0].text, "name");
  call->parameters[1].kind = KERNEL_TENSOR;
  kernel_stand_in(&call->parameters[1]);
  call->parameters[1].contents = KERNEL_RISING;
  call->parameters[2].kind = KERNEL_ARRAY;
  call->parameters[2].element_count = 1;
  call->parameters[3].kind = KERNEL_MAP;
  call->parameters[3].keyed = true;
  call->parameters[3].first_element = call->parameters[3].element_count = 1;
  for (uint32_t i = 0; i < 2; ++i)
    call->elements[i] = (KernelParameter){.kind = KERNEL_INT, .name = "k", .integer = 7 + i};
}

TEST(calls_that_make_objects_are_written)
{
  static Kernel call, kernel;
  make_call(&call);
  Signature *known = type_name_signature("`f(0: some.Object, 1: int) -> int`");
  const SignatureNeed need = {&call, "made0"};
  Signature *with = signature_with_needs(known, &need, 1);
  ck_assert(with && signature_is_sound(with, with->size));
  signature_take_kinds(with, &kernel);
  strcpy(kernel.parameters[0].text, "made0");
  kernel.found = true;
  Signature *made = signature_with_found(with, &kernel, false);
  ck_assert(made && signature_is_sound(made, made->size));
  json_t *written = signature_write_function(made);
  json_t *step = json_array_get(json_object_get(written, "needs"), 0);
  char *text = json_dumps(json_object_get(step, "arguments"), JSON_SORT_KEYS);
  ck_assert_str_eq(text,
                   "{\"p0\": \"name\", \"p1\": {\"dtype\": \"float32\", \"elements\": "
                   "[0.0, 1.0, 2.0, 3.0]}, \"p2\": [7], \"p3\": {\"k\": 8}}");
  ck_assert_str_eq(json_string_value(json_object_get(step, "keep")), "made0");
  free(text);
  json_decref(written);
  free(made);
  free(with);
  // A function that is handed over can't be written.
  call.parameters[0].kind = KERNEL_FUNCTION;
  ck_assert_ptr_null(signature_with_needs(known, &need, 1));
  free(known);
}

TEST(containers_are_filled)
{
  static PretendedSearch found;
  search(&found, "`f(0: Array<ffi.Tensor>, 1: Map<ffi.String, int>) -> ffi.Tensor`", join, MOST);
  const Kernel *kernel = &found.kernel;
  ck_assert(kernel->found);
  ck_assert_int_eq(kernel->parameters[0].kind, KERNEL_ARRAY);
  const KernelParameter *parts = &kernel->elements[kernel->parameters[0].first_element];
  ck_assert_uint_eq(kernel->parameters[0].element_count, 2);
  ck_assert_int_eq(parts[0].dtype.code, kDLInt);
  ck_assert(parts[0].checked && parts[1].checked);
  ck_assert_str_eq(parts[0].shape[1].symbol, parts[1].shape[1].symbol);
  const KernelParameter *axis = &kernel->elements[kernel->parameters[1].first_element];
  ck_assert_uint_eq(kernel->parameters[1].element_count, 1);
  ck_assert_str_eq(axis->name, "axis");
  ck_assert_int_eq(axis->kind, KERNEL_INT);
  Signature *made = signature_with_found(found.known, kernel, false);
  json_t *written = signature_write_function(made);
  json_t *parameters = json_object_get(written, "parameters");
  json_t *element = json_object_get(json_array_get(parameters, 0), "element");
  ck_assert_uint_eq(json_array_size(json_object_get(element, "dtype")), 4);
  ck_assert_ptr_nonnull(
      json_object_get(json_object_get(json_array_get(parameters, 1), "entries"), "axis"));
  json_decref(written);
  free(made);
  free(found.known);
}

TEST(another_alternative_is_taken)
{
  static PretendedSearch found;
  search(&found, "`f(0: Variant<float, ffi.Tensor>) -> None`", choose, MOST);
  ck_assert(found.kernel.found);
  ck_assert_int_eq(found.kernel.parameters[0].kind, KERNEL_TENSOR);
  ck_assert(kernel_takes_anything(&found.kernel.parameters[0]));
  free(found.known);
}

TEST(a_search_ends)
{
  static PretendedSearch found;
  search(&found, "`f(0: Tensor, 1: int, 2: ffi.String) -> None`", refuse_all, 200);
  ck_assert(!found.kernel.found);
  free(found.known);
  search(&found, "`f(0: Tensor, 1: some.Object) -> None`", trust, 200);
  ck_assert(!found.kernel.found);
  ck_assert_uint_eq(found.asked.calls, 0);
  free(found.known);
}

TEST(what_trusts_its_callers_has_no_example)
{
  static PretendedSearch found;
  search(&found, "`f(0: Tensor) -> None`", trust, MOST);
  ck_assert(found.kernel.found);
  ck_assert(!found.kernel.parameters[0].checked);
  ck_assert(!kernel_has_example(&found.kernel));
  free(found.known);
}

TEST(the_word_for_a_parameter_is_found_out)
{
  static PretendedSearch found;
  search(&found, "`f(0: Tensor, 1: Tensor, 2: Tensor, 3: Tensor) -> None`", group, 400);
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

TEST(offsets_end_with_an_extent)
{
  static PretendedSearch found;
  search(&found, "`f(0: Tensor, 1: Tensor) -> None`", segments, MOST);
  ck_assert(found.kernel.found);
  const KernelParameter *x = &found.kernel.parameters[0], *offsets = x + 1;
  ck_assert(kernel_counts(offsets));
  ck_assert_ptr_null(segments(&found.kernel));
  // Where the rows are more, so are the offsets.
  Kernel larger = found.kernel;
  larger.parameters[0].shape[0].size = 9;
  kernel_count_extents(&larger);
  ck_assert_ptr_null(segments(&larger));
  free(found.known);
}

TEST(extents_and_entries_are_found_by_their_names)
{
  static PretendedSearch found;
  search(&found, "`f(0: Tensor) -> None`", window, MOST);
  ck_assert(found.kernel.found);
  free(found.known);
  search(&found, "`f(0: ffi.Shape, 1: Map<ffi.String, int>) -> None`", plan, MOST);
  ck_assert(found.kernel.found);
  ck_assert_int_eq(found.kernel.parameters[0].rank, 3);
  ck_assert_uint_eq(found.kernel.parameters[1].element_count, 1);
  free(found.known);
}

TEST(each_tensor_has_its_device)
{
  static PretendedSearch found;
  search(&found, "`f(0: Tensor, 1: Tensor) -> None`", copy_on_device, MOST);
  ck_assert(found.kernel.found);
  ck_assert_int_eq(found.kernel.parameters[0].device.device_type, kDLCUDA);
  ck_assert_int_eq(found.kernel.parameters[1].device.device_type, kDLCPU);
  free(found.known);
}

TEST(sums_and_products_of_extents_are_found)
{
  static PretendedSearch found;
  search(&found, "`f(0: Tensor, 1: Tensor, 2: Tensor, 3: Tensor, 4: int) -> None`", verify, MOST);
  ck_assert(found.kernel.found);
  ck_assert_int_eq(found.kernel.parameters[1].shape[1].size,
                   found.kernel.parameters[0].shape[1].size + 1);
  ck_assert_str_ne(found.kernel.parameters[0].shape[0].symbol, "");
  for (int i = 1; i < 4; ++i)
    ck_assert_str_eq(found.kernel.parameters[i].shape[0].symbol,
                     found.kernel.parameters[0].shape[0].symbol);
  free(found.known);
  search(&found, "`f(0: Tensor, 1: Tensor, 2: int, 3: Tensor, 4: Tensor) -> None`", spread, MOST);
  ck_assert(found.kernel.found);
  // One group would show little.
  ck_assert_int_eq(found.kernel.parameters[2].integer, 3);
  ck_assert_int_eq(found.kernel.parameters[4].shape[0].size, 4);
  free(found.known);
}

TEST(what_a_callback_has_to_return_is_found)
{
  static PretendedSearch found;
  search(&found, "`f(0: Tensor, 1: ffi.Function) -> None`", sort_by, MOST);
  ck_assert_str_eq(found.kernel.parameters[1].text, "bool");
  Signature *made = signature_with_found(found.known, &found.kernel, false);
  const SignatureType *callback =
      signature_type(made, signature_form(made, 0)->parameters.first + 1);
  ck_assert_uint_ne(callback->returns, SIGNATURE_NONE);
  ck_assert_int_eq(signature_type(made, callback->returns)->kind, KERNEL_BOOL);
  free(made);
  free(found.known);
  search(&found, "`f(0: Tensor, 1: ffi.Function) -> None`", map_rows, MOST);
  ck_assert_str_eq(found.kernel.parameters[1].text, "tensor");
  free(found.known);
}

TEST(any_number_of_tensors_is_found)
{
  static Kernel kernel;
  Asked asked = {add_all, 0};
  kernel = (Kernel){.name = "f"};
  ck_assert(signature_search_packed(&kernel, 400, pretended_call, &asked));
  ck_assert(kernel.found && kernel.variadic && kernel_has_example(&kernel));
  ck_assert_int_eq(kernel.source, KERNEL_PROBED);
  Signature *made = signature_with_found(NULL, &kernel, false);
  ck_assert_uint_ne(signature_form(made, 0)->rest, SIGNATURE_NONE);
  free(made);
  asked.function = add_two;
  kernel = (Kernel){.name = "f"};
  ck_assert(!signature_search_packed(&kernel, 400, pretended_call, &asked));
  ck_assert_int_eq(kernel.source, KERNEL_UNKNOWN);
}

TEST(an_int_leads_any_number_of_tensors)
{
  static Kernel kernel;
  Asked asked = {stack_all, 0};
  kernel = (Kernel){.name = "f"};
  ck_assert(signature_search_packed(&kernel, 400, pretended_call, &asked));
  ck_assert(kernel.found && kernel.variadic);
  ck_assert_int_eq(kernel.parameters[0].kind, KERNEL_INT);
  ck_assert_int_eq(kernel.parameters[1].kind, KERNEL_TENSOR);
}

TEST(none_of_a_thing_is_minus_one)
{
  static PretendedSearch found;
  search(&found, "`f(0: ffi.Tensor) -> None`", climb, MOST);
  ck_assert(found.kernel.found);
  // Not all of them are without a parent.
  ck_assert_float_eq((float)kernel_element_of(&found.kernel.parameters[0], 0), -1);
  ck_assert_float_eq((float)kernel_element_of(&found.kernel.parameters[0], 1), 0);
  free(found.known);
}

TEST(a_call_that_does_nothing_is_woken)
{
  static PretendedSearch found;
  search(&found, "`f(0: int, 1: ffi.Tensor) -> None`", step, MOST);
  ck_assert(found.kernel.found);
  ck_assert_int_eq(found.kernel.parameters[1].shape[0].size, 1);
  ck_assert_float_eq((float)kernel_element_of(&found.kernel.parameters[1], 0), 0);
  ck_assert_uint_lt(found.asked.calls, 100);
  free(found.known);
}

TEST(each_text_is_a_way)
{
  static PretendedSearch found;
  static Kernel way;
  search(&found, "`f(0: ffi.Tensor, 1: str, 2: Optional<float>) -> None`", pad_with, MOST);
  ck_assert(found.kernel.found);
  ck_assert_str_eq(found.kernel.parameters[1].text, "constant");
  way = found.kernel;
  ck_assert(signature_search_text_way(&way, found.known, NULL, 1, "edge", MOST, pretended_call,
                                      &found.asked));
  ck_assert_str_eq(way.parameters[1].text, "edge");
  ck_assert_int_ne(way.parameters[2].kind, KERNEL_FLOAT);
  way = found.kernel;
  ck_assert(!signature_search_text_way(&way, found.known, NULL, 1, "none", MOST, pretended_call,
                                       &found.asked));
  ck_assert(!way.found);
  free(found.known);
}

TEST(a_function_of_a_text_is_found)
{
  static Kernel kernel;
  Asked asked = {write_text, 0};
  kernel = (Kernel){.name = "f"};
  ck_assert(signature_search_text(&kernel, pretended_call, &asked));
  ck_assert(kernel.found && kernel.parameter_count == 1);
  ck_assert_int_eq(kernel.parameters[0].kind, KERNEL_STRING);
  asked.function = take_all;
  kernel = (Kernel){.name = "f"};
  ck_assert(!signature_search_text(&kernel, pretended_call, &asked));
  ck_assert_int_eq(kernel.source, KERNEL_UNKNOWN);
}

TEST(each_alternative_is_a_way)
{
  static PretendedSearch found;
  static Kernel way;
  search(&found, "`f(0: Variant<float, ffi.Tensor, ffi.String>) -> None`", scale, MOST);
  ck_assert(found.kernel.found);
  ck_assert_int_eq(found.kernel.parameters[0].kind, KERNEL_FLOAT);
  way = found.kernel;
  ck_assert(
      signature_search_way(&way, found.known, NULL, 0, 1, MOST, pretended_call, &found.asked));
  ck_assert(way.found);
  ck_assert_int_eq(way.parameters[0].kind, KERNEL_TENSOR);
  ck_assert_int_eq(way.parameters[0].rank, 1);
  ck_assert(way.parameters[0].checked);
  way = found.kernel;
  ck_assert(
      !signature_search_way(&way, found.known, NULL, 0, 2, MOST, pretended_call, &found.asked));
  ck_assert(!way.found);
  way = found.kernel;
  ck_assert(
      !signature_search_way(&way, found.known, NULL, 0, 3, MOST, pretended_call, &found.asked));
  free(found.known);
}

TEST(a_way_stands_behind_the_functions)
{
  KernelList list = {.items = calloc(2, sizeof *list.items), .count = 2};
  static Kernel way;
  ck_assert_ptr_nonnull(list.items);
  snprintf(list.items[0].name, sizeof list.items[0].name, "a");
  snprintf(list.items[1].name, sizeof list.items[1].name, "f");
  list.lost_calls = calloc(2, sizeof *list.lost_calls);
  ck_assert_ptr_nonnull(list.lost_calls);
  snprintf(way.name, sizeof way.name, "f");
  way.way = 1;
  Signature *known = type_name_signature("`f(0: Tensor) -> None`");
  ck_assert(kernel_list_add(&list, &way, known));
  ck_assert_uint_eq(list.count, 3);
  ck_assert_uint_eq(list.ways, 1);
  ck_assert_ptr_eq(kernel_find(&list, "f"), &list.items[1]);
  ck_assert_ptr_eq(kernel_find(&list, "f#2"), &list.items[2]);
  ck_assert_ptr_null(kernel_find(&list, "f#3"));
  ck_assert_ptr_null(kernel_list_signature(&list, 1));
  ck_assert_ptr_eq(kernel_list_signature(&list, 2), known);
  ck_assert_str_eq(list.lost_calls[2].name, "");
  way.way = 2;
  ck_assert(kernel_list_add(&list, &way, NULL));
  ck_assert_ptr_eq(kernel_find(&list, "f#3"), &list.items[3]);
  ck_assert_ptr_eq(kernel_list_signature(&list, 2), known);
  kernel_list_free(&list);
  ck_assert_ptr_null(list.items);
}
