// SPDX-License-Identifier: Apache-2.0
// What is known of functions is written, and read again as it was.
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "signature_text.h"
#include "unit/unit.h"

// Two parameters, or results, of which the same is known.
static void expect_same_parameter(const KernelParameter *seen, const KernelParameter *expected)
{
  ck_assert_str_eq(seen->name, expected->name);
  ck_assert_int_eq(seen->kind, expected->kind);
  ck_assert_int_eq(seen->optional, expected->optional);
  ck_assert_str_eq(seen->type_key, expected->type_key);
  ck_assert_uint_eq(seen->spellings, expected->spellings);
  ck_assert_int_eq(seen->typed, expected->typed);
  ck_assert_int_eq(seen->role, expected->role);
  ck_assert_mem_eq(&seen->dtype, &expected->dtype, sizeof seen->dtype);
  ck_assert_int_eq(seen->rank, expected->rank);
  for (int32_t i = 0; i < expected->rank; ++i) {
    ck_assert_str_eq(seen->shape[i].symbol, expected->shape[i].symbol);
    ck_assert_int_eq(seen->shape[i].size, expected->shape[i].size);
  }
  ck_assert_int_eq(seen->device.device_type, expected->device.device_type);
  ck_assert_int_eq(seen->device.device_id, expected->device.device_id);
  ck_assert_uint_eq(seen->alignment, expected->alignment);
  ck_assert_int_eq(seen->integer, expected->integer);
  ck_assert_double_eq(seen->number, expected->number);
  ck_assert_str_eq(seen->text, expected->text);
}

static void expect_same_kernel(const Kernel *seen, const Kernel *expected)
{
  ck_assert_int_eq(seen->launches, expected->launches);
  ck_assert_str_eq(seen->expected, expected->expected);
  ck_assert_uint_eq(seen->expected_of, expected->expected_of);
  ck_assert_double_eq(seen->tolerance, expected->tolerance);
  ck_assert_uint_eq(seen->parameter_count, expected->parameter_count);
  for (uint32_t i = 0; i < expected->parameter_count; ++i)
    expect_same_parameter(&seen->parameters[i], &expected->parameters[i]);
  expect_same_parameter(&seen->result, &expected->result);
}

// Every member that a file may have, with values that are not the usual ones.
static const char *const texts[] = {
    "{\"functions\": {\"add\": {\"parameters\": ["
    "{\"name\": \"x\", \"kind\": \"tensor\", \"dtype\": \"bfloat16x2\", \"shape\": [\"n\", 3],"
    " \"device\": \"cuda:2\", \"role\": \"inout\", \"alignment\": 64, \"value\": 2.5,"
    " \"spellings\": [\"object\"]},"
    "{\"name\": \"y\", \"kind\": \"tensor\", \"dtype\": \"bool\", \"shape\": [], \"role\": \"out\","
    " \"optional\": true, \"alias\": [\"x\"]}],"
    "\"result\": {\"kind\": \"tensor\", \"dtype\": \"int4\", \"shape\": [\"m\"], \"device\": "
    "\"rocm\"},"
    "\"sizes\": {\"n\": 9, \"m\": 0}, \"launches\": true,"
    "\"expected\": {\"x\": \"x * 2\"}, \"tolerance\": 0.001}}}",
    "{\"functions\": {\"scale\": {\"parameters\": ["
    "{\"name\": \"n\", \"kind\": \"int\", \"value\": -9223372036854775808},"
    "{\"name\": \"b\", \"kind\": \"bool\", \"value\": false, \"optional\": true},"
    "{\"name\": \"f\", \"kind\": \"float\", \"value\": 0.1},"
    "{\"name\": \"s\", \"kind\": \"string\", \"value\": \"\\\"\\u00e4\\n\"},"
    "{\"name\": \"o\", \"kind\": \"bytes\", \"value\": \"octets\", \"spellings\": "
    "[\"byte_array\", \"small\"]},"
    "{\"name\": \"d\", \"kind\": \"dtype\", \"value\": \"float8_e4m3fn\"},"
    "{\"name\": \"k\", \"kind\": \"object\", \"type_key\": \"my.Thing\"},"
    "{\"name\": \"a\"}, {\"name\": \"i\", \"kind\": \"none\"}, {\"name\": \"p\", \"kind\": "
    "\"pointer\"},"
    "{\"name\": \"v\", \"kind\": \"device\"}, {\"name\": \"h\", \"kind\": \"shape\"},"
    "{\"name\": \"c\", \"kind\": \"function\"}],"
    "\"result\": {\"kind\": \"object\", \"type_key\": \"my.Other\", \"optional\": true},"
    "\"expected\": {\"result\": \"n\"}}}}",
};

TEST(what_is_written_is_read_as_it_was, .rows = ROWS(texts))
{
  Kernel before[SIGNATURE_KERNELS];
  KernelList *list = signature_read(texts[_i]);
  ck_assert_msg(list != NULL, "%s", signature_error);
  memcpy(before, list->items, sizeof before);
  char *text = signature_written(list);
  list = signature_read(text);
  ck_assert_msg(list != NULL, "%s in %s", signature_error, text);
  for (size_t i = 0; i < SIGNATURE_KERNELS; ++i)
    if (before[i].source != KERNEL_UNKNOWN) expect_same_kernel(&list->items[i], &before[i]);
  char *again = signature_written(list);
  ck_assert_msg(strncmp(again, "{\n", 2) == 0, "%s", again);
  list = signature_read(again);
  ck_assert_ptr_nonnull(list);
  free(text);
  free(again);
}

TEST(of_an_unknown_function_there_is_a_place_to_fill_in)
{
  char *text = signature_written(signature_module());
  ck_assert_ptr_nonnull(strstr(text, "\"add_one\": {\n      \"text\": \"no signature is known: "));
  KernelList *list = signature_read(text);
  ck_assert_msg(list != NULL, "%s", signature_error);
  for (size_t i = 0; i < list->count; ++i) ck_assert_uint_eq(list->items[i].parameter_count, 0);
  free(text);
}

// As metadata leave them: kinds, no names, no shapes.
TEST(what_metadata_leave_open_is_there_to_be_corrected)
{
  KernelList *list = signature_module();
  Kernel *add = &list->items[0];
  add->source = KERNEL_FROM_METADATA;
  add->parameter_count = 2;
  add->parameters[0] = (KernelParameter){.kind = KERNEL_TENSOR, .alignment = 1, .number = 1};
  add->parameters[1] = (KernelParameter){.kind = KERNEL_INT, .alignment = 1, .integer = 1};
  add->result.kind = KERNEL_TENSOR;
  char *text = signature_written(list);
  list = signature_read(text);
  ck_assert_msg(list != NULL, "%s", signature_error);
  const KernelParameter *x = &list->items[0].parameters[0];
  ck_assert_str_eq(x->name, "p0");
  ck_assert(x->typed);
  ck_assert_int_eq(x->dtype.code, kDLFloat);
  ck_assert_int_eq(x->rank, 1);
  ck_assert_str_eq(x->shape[0].symbol, "n");
  ck_assert_int_eq(x->shape[0].size, 4);
  ck_assert_str_eq(list->items[0].parameters[1].name, "p1");
  ck_assert_int_eq(list->items[0].result.kind, KERNEL_TENSOR);
  free(text);
}

// Two ways to call one function, of which the first has a tensor with extents that are known.
TEST(ways_to_call_a_function_are_written_together)
{
  KernelList *list = signature_module();
  ck_assert_uint_ge(list->count, 2);
  Kernel *first = &list->items[0], *second = &list->items[1];
  first->source = KERNEL_FROM_METADATA;
  first->parameter_count = 1;
  first->parameters[0] = (KernelParameter){.kind = KERNEL_TENSOR,
                                           .typed = true,
                                           .rank = 2,
                                           .shape = {{.symbol = "rows"}, {.size = 3}},
                                           .dtype = {kDLFloat, 16, 1},
                                           .device = {kDLCPU, 0},
                                           .alignment = 1,
                                           .number = 1};
  *second = *first;
  second->way = 1;
  second->parameters[0] = (KernelParameter){.kind = KERNEL_INT, .alignment = 1, .integer = 1};
  char *text = signature_written(list);
  json_t *root = json_loads(text, 0, NULL);
  const json_t *function = json_object_get(json_object_get(root, "functions"), first->name);
  const json_t *ways = json_object_get(function, "signatures");
  ck_assert_uint_eq(json_array_size(ways), 2);
  ck_assert_ptr_null(json_object_get(function, "parameters"));
  static const char *const kinds[] = {"tensor", "int"};
  for (size_t i = 0; i < 2; ++i) {
    const json_t *of = json_object_get(json_array_get(ways, i), "parameters");
    const json_t *kind = json_object_get(json_array_get(of, 0), "kind");
    ck_assert_msg(kind && strcmp(json_string_value(kind), kinds[i]) == 0, "%s", text);
  }
  ck_assert_ptr_nonnull(strstr(text, "rows"));
  ck_assert_ptr_nonnull(strstr(text, "float16"));
  json_decref(root);
  ck_assert_msg(signature_read(text) != NULL, "%s in %s", signature_error, text);
  free(text);
}

TEST(a_full_disk_is_noticed)
{
  FILE *full = fopen("/dev/full", "w");
  if (!full) return;
  ck_assert(!signature_file_write(full, signature_module()));
  fclose(full);
}
