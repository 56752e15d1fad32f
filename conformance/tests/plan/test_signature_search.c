// SPDX-License-Identifier: Apache-2.0
// The search for a call that is served, in pretended functions: how the arguments of the
// call that they serve belong together, and what else is found of it.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plan/kernel_choice.h"
#include "plan/signature_found.h"
#include "plan/signature_kinds.h"
#include "plan/signature_needs.h"
#include "pretended.h"
#include "signature/signature_write.h"
#include "signature/type_name.h"
#include "unit/unit.h"

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

// A number, or a tensor of a rank that the first alternative can't show.
static const char *choose(const Kernel *call)
{
  const KernelParameter *value = &call->parameters[0];
  if (value->kind == KERNEL_FLOAT) return "TypeError: numbers are not supported yet";
  return value->rank == 1 ? NULL : "ValueError: one dimension is expected";
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
  search(&found, "`f(0: Tensor, 1: Tensor, 2: Tensor) -> None`", matmul, PRETENDED_MOST);
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
         PRETENDED_MOST);
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
  search(&found, "`f(0: Tensor) -> None`", turn, PRETENDED_MOST);
  ck_assert(found.kernel.found && found.kernel.parameters[0].checked);
  free(found.known);
}

TEST(texts_in_containers_are_told_apart)
{
  static PretendedSearch found;
  search(&found, "`f(0: Tensor, 1: Array<str>) -> None`", turn, PRETENDED_MOST);
  ck_assert(found.kernel.found);
  const KernelParameter *texts = &found.kernel.elements[found.kernel.parameters[1].first_element];
  ck_assert_uint_ge(found.kernel.parameters[1].element_count, 2);
  ck_assert_str_ne(texts[0].text, texts[1].text);
  free(found.known);
}

TEST(what_is_optional_may_be_left_out)
{
  static PretendedSearch found;
  search(&found, "`f(0: Tensor, 1: Optional<ffi.Tensor>) -> None`", add_without, PRETENDED_MOST);
  ck_assert(found.kernel.found);
  ck_assert_int_ne(found.kernel.parameters[1].kind, KERNEL_TENSOR);
  free(found.known);
}

TEST(what_is_found_is_written)
{
  static PretendedSearch found;
  search(&found, "`f(0: Tensor, 1: Tensor, 2: Tensor) -> None`", matmul, PRETENDED_MOST);
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
  search(&found, "`f(0: Array<ffi.Tensor>, 1: Map<ffi.String, int>) -> ffi.Tensor`", join,
         PRETENDED_MOST);
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
  search(&found, "`f(0: Variant<float, ffi.Tensor>) -> None`", choose, PRETENDED_MOST);
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
  search(&found, "`f(0: Tensor) -> None`", trust, PRETENDED_MOST);
  ck_assert(found.kernel.found);
  ck_assert(!found.kernel.parameters[0].checked);
  ck_assert(!kernel_has_example(&found.kernel));
  free(found.known);
}

TEST(offsets_end_with_an_extent)
{
  static PretendedSearch found;
  search(&found, "`f(0: Tensor, 1: Tensor) -> None`", segments, PRETENDED_MOST);
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

TEST(each_tensor_has_its_device)
{
  static PretendedSearch found;
  search(&found, "`f(0: Tensor, 1: Tensor) -> None`", copy_on_device, PRETENDED_MOST);
  ck_assert(found.kernel.found);
  ck_assert_int_eq(found.kernel.parameters[0].device.device_type, kDLCUDA);
  ck_assert_int_eq(found.kernel.parameters[1].device.device_type, kDLCPU);
  free(found.known);
}

TEST(sums_and_products_of_extents_are_found)
{
  static PretendedSearch found;
  search(&found, "`f(0: Tensor, 1: Tensor, 2: Tensor, 3: Tensor, 4: int) -> None`", verify,
         PRETENDED_MOST);
  ck_assert(found.kernel.found);
  ck_assert_int_eq(found.kernel.parameters[1].shape[1].size,
                   found.kernel.parameters[0].shape[1].size + 1);
  ck_assert_str_ne(found.kernel.parameters[0].shape[0].symbol, "");
  for (int i = 1; i < 4; ++i)
    ck_assert_str_eq(found.kernel.parameters[i].shape[0].symbol,
                     found.kernel.parameters[0].shape[0].symbol);
  free(found.known);
  search(&found, "`f(0: Tensor, 1: Tensor, 2: int, 3: Tensor, 4: Tensor) -> None`", spread,
         PRETENDED_MOST);
  ck_assert(found.kernel.found);
  // One group would show little.
  ck_assert_int_eq(found.kernel.parameters[2].integer, 3);
  ck_assert_int_eq(found.kernel.parameters[4].shape[0].size, 4);
  free(found.known);
}

TEST(what_a_callback_has_to_return_is_found)
{
  static PretendedSearch found;
  search(&found, "`f(0: Tensor, 1: ffi.Function) -> None`", sort_by, PRETENDED_MOST);
  ck_assert_str_eq(found.kernel.parameters[1].text, "bool");
  Signature *made = signature_with_found(found.known, &found.kernel, false);
  const SignatureType *callback =
      signature_type(made, signature_form(made, 0)->parameters.first + 1);
  ck_assert_uint_ne(callback->returns, SIGNATURE_NONE);
  ck_assert_int_eq(signature_type(made, callback->returns)->kind, KERNEL_BOOL);
  free(made);
  free(found.known);
  search(&found, "`f(0: Tensor, 1: ffi.Function) -> None`", map_rows, PRETENDED_MOST);
  ck_assert_str_eq(found.kernel.parameters[1].text, "tensor");
  free(found.known);
}

TEST(none_of_a_thing_is_minus_one)
{
  static PretendedSearch found;
  search(&found, "`f(0: ffi.Tensor) -> None`", climb, PRETENDED_MOST);
  ck_assert(found.kernel.found);
  // Not all of them are without a parent.
  ck_assert_float_eq((float)kernel_element_of(&found.kernel.parameters[0], 0), -1);
  ck_assert_float_eq((float)kernel_element_of(&found.kernel.parameters[0], 1), 0);
  free(found.known);
}

TEST(a_call_that_does_nothing_is_woken)
{
  static PretendedSearch found;
  search(&found, "`f(0: int, 1: ffi.Tensor) -> None`", step, PRETENDED_MOST);
  ck_assert(found.kernel.found);
  ck_assert_int_eq(found.kernel.parameters[1].shape[0].size, 1);
  ck_assert_float_eq((float)kernel_element_of(&found.kernel.parameters[1], 0), 0);
  ck_assert_uint_lt(found.asked.calls, 100);
  free(found.known);
}
