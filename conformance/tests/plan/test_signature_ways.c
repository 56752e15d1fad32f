// SPDX-License-Identifier: Apache-2.0
// Other ways to call a function: with any number of arguments, with a text, with another alternative.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plan/signature_example.h"
#include "plan/signature_found.h"
#include "plan/signature_packed.h"
#include "pretended.h"
#include "signature/type_name.h"
#include "unit/unit.h"

// --- Functions -----------------------------------------------------------------------------------

// A number, or a tensor with one dimension, and no text.
static const char *scale(const Kernel *call)
{
  const KernelParameter *by = &call->parameters[0];
  if (by->kind == KERNEL_FLOAT) return NULL;
  if (by->kind != KERNEL_TENSOR) return "TypeError: texts are not supported yet";
  return by->rank == 1 ? NULL : "ValueError: one dimension is expected";
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

// --- Searching -----------------------------------------------------------------------------------

TEST(any_number_of_tensors_is_found)
{
  static Kernel kernel;
  Asked asked = {add_all, 0, NULL};
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
  Asked asked = {stack_all, 0, NULL};
  kernel = (Kernel){.name = "f"};
  ck_assert(signature_search_packed(&kernel, 400, pretended_call, &asked));
  ck_assert(kernel.found && kernel.variadic);
  ck_assert_int_eq(kernel.parameters[0].kind, KERNEL_INT);
  ck_assert_int_eq(kernel.parameters[1].kind, KERNEL_TENSOR);
}

TEST(each_text_is_a_way)
{
  static PretendedSearch found;
  static Kernel way;
  pretended_search(&found, "`f(0: ffi.Tensor, 1: str, 2: Optional<float>) -> None`", pad_with,
                   PRETENDED_MOST, NULL);
  ck_assert(found.kernel.found);
  ck_assert_str_eq(found.kernel.parameters[1].text, "constant");
  way = found.kernel;
  ck_assert(signature_search_text_way(&way, found.known, NULL, 1, "edge", PRETENDED_MOST,
                                      pretended_call, &found.asked));
  ck_assert_str_eq(way.parameters[1].text, "edge");
  ck_assert_int_ne(way.parameters[2].kind, KERNEL_FLOAT);
  way = found.kernel;
  ck_assert(!signature_search_text_way(&way, found.known, NULL, 1, "none", PRETENDED_MOST,
                                       pretended_call, &found.asked));
  ck_assert(!way.found);
  free(found.known);
}

TEST(a_function_of_a_text_is_found)
{
  static Kernel kernel;
  Asked asked = {write_text, 0, NULL};
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
  pretended_search(&found, "`f(0: Variant<float, ffi.Tensor, ffi.String>) -> None`", scale,
                   PRETENDED_MOST, NULL);
  ck_assert(found.kernel.found);
  ck_assert_int_eq(found.kernel.parameters[0].kind, KERNEL_FLOAT);
  way = found.kernel;
  ck_assert(signature_search_way(&way, found.known, NULL, 0, 1, PRETENDED_MOST, pretended_call,
                                 &found.asked));
  ck_assert(way.found);
  ck_assert_int_eq(way.parameters[0].kind, KERNEL_TENSOR);
  ck_assert_int_eq(way.parameters[0].rank, 1);
  ck_assert(way.parameters[0].checked);
  way = found.kernel;
  ck_assert(!signature_search_way(&way, found.known, NULL, 0, 2, PRETENDED_MOST, pretended_call,
                                  &found.asked));
  ck_assert(!way.found);
  way = found.kernel;
  ck_assert(!signature_search_way(&way, found.known, NULL, 0, 3, PRETENDED_MOST, pretended_call,
                                  &found.asked));
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

// --- All functions of a module -------------------------------------------------------------------

static KernelList list_of(const char *const *names, size_t count)
{
  KernelList list = {.items = calloc(count, sizeof *list.items), .count = count};
  ck_assert_ptr_nonnull(list.items);
  for (size_t i = 0; i < count; ++i)
    snprintf(list.items[i].name, sizeof list.items[i].name, "%s", names[i]);
  return list;
}

TEST(the_functions_next_to_one_come_first)
{
  static const char *const names[] = {"a", "b", "c", "d", "e", "f", "g", "h",
                                      "i", "j", "k", "l", "m", "n", "o", "p"};
  const Kernel *beside[KERNELS_BESIDE_MAX];
  KernelList list = list_of(names, ROWS(names));
  ck_assert_uint_eq(kernel_list_beside(&list, &list.items[2], beside), KERNELS_BESIDE_MAX);
  const char *const expected[] = {"b", "d", "a", "e", "f", "g"};
  for (int i = 0; i < ROWS(expected); ++i) ck_assert_str_eq(beside[i]->name, expected[i]);
  list.count = 2;
  ck_assert_uint_eq(kernel_list_beside(&list, &list.items[1], beside), 1);
  ck_assert_ptr_eq(beside[0], &list.items[0]);
  ck_assert_uint_eq(kernel_list_beside(NULL, &list.items[1], beside), 0);
  // Another way to call one is none of the functions beside it.
  static Kernel way = {.name = "b", .way = 1};
  ck_assert(kernel_list_add(&list, &way, NULL));
  ck_assert_uint_eq(kernel_list_beside(&list, &list.items[2], beside), 1);
  ck_assert_str_eq(beside[0]->name, "a");
  kernel_list_free(&list);
}

TEST(drafts_stand_for_the_functions)
{
  static const char *const names[] = {"a", "b"};
  const Kernel *beside[KERNELS_BESIDE_MAX], other = {.name = "b"};
  KernelList list = list_of(names, 2);
  list.drafts = calloc(2, sizeof *list.drafts);
  list.lost_calls = calloc(2, sizeof *list.lost_calls);
  ck_assert(list.drafts && list.lost_calls);
  ck_assert_uint_eq(kernel_list_index(&list, &list.items[1]), 1);
  ck_assert_uint_eq(kernel_list_index(&list, &list.drafts[1]), 1);
  ck_assert_uint_eq(kernel_list_index(&list, &list.lost_calls[0]), 0);
  ck_assert_uint_eq(kernel_list_index(&list, &other), 2);
  ck_assert_uint_eq(kernel_list_beside(&list, &list.items[1], beside), 1);
  ck_assert_ptr_eq(beside[0], &list.drafts[0]);
  kernel_list_free(&list);
  ck_assert_ptr_null(list.drafts);
}

// Of types alone: a call of which nobody knows whether it is served.
TEST(a_draft_has_values_of_the_types)
{
  Signature *known = type_name_signature(
      "`f(0: kernels.Box, 1: Array<ffi.Tensor>, 2: int, 3: ffi.Tensor) -> bool`");
  static Kernel call;
  ck_assert_ptr_nonnull(known);
  call.parameter_count = 4;
  signature_draft(known, &call);
  const KernelParameter *p = call.parameters;
  ck_assert_int_eq(p[0].kind, KERNEL_OBJECT);
  ck_assert_str_eq(p[0].type_key, "kernels.Box");
  ck_assert_int_eq(p[1].kind, KERNEL_ARRAY);
  ck_assert_uint_gt(p[1].element_count, 0);
  ck_assert_int_eq(call.elements[p[1].first_element].kind, KERNEL_TENSOR);
  ck_assert_int_eq(call.elements[p[1].first_element].role, KERNEL_INOUT);
  ck_assert_int_eq(p[2].kind, KERNEL_INT);
  ck_assert_int_eq(p[3].kind, KERNEL_TENSOR);
  ck_assert(p[3].typed && p[3].role == KERNEL_INOUT);
  free(known);
}
