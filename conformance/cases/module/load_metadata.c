// SPDX-License-Identifier: Apache-2.0
// What a module says of its functions.
#include <stdlib.h>

#include "kernel/kernel_battery.h"
#include "kernel/kernel_json.h"

CHAPTER(load);

// The text of the function's metadata. Ends the case as not applicable where there is none.
static TVMFFIByteArray metadata_of(Iut *iut, const Kernel *kernel, TVMFFIAny *result)
{
  TVMFFISafeCallType function = NULL;
  void *address = kernel_host_symbol("__tvm_ffi__metadata_", kernel->name);
  if (!address) case_not_applicable("the module has no metadata of it");
  memcpy(&function, &address, sizeof function);
  *result = any_none();
  require(expect_ok(iut, function(NULL, NULL, 0, result)));
  if (result->type_index == kTVMFFISmallStr && result->small_str_len < 8)
    return (TVMFFIByteArray){result->v_bytes, result->small_str_len};
  if (result->type_index != kTVMFFIStr) case_not_applicable("its metadata is not a string");
  return *(const TVMFFIByteArray *)object_body(iut, result->v_obj);
}

KERNEL_CASE(metadata_is_json, .clauses = {LOAD_12}, .needs = KERNEL_NEEDS_METADATA,
            .title = "metadata is empty or a JSON object whose type_schema is JSON in a string")
{
  TVMFFIAny result;
  TVMFFIByteArray text = metadata_of(iut, kernel, &result);
  char *schema = malloc(text.size + 1), *type = malloc(text.size + 1);
  size_t size = 0, type_size = 0;
  if (!schema || !type) case_inconclusive("no memory for the metadata");
  bool is_document = text.size == 0 || kernel_json_is_document(text.data, text.size);
  expect_that(is_document, "JSON", "\"%.*s\"", (int)(text.size < 160 ? text.size : 160), text.data);
  if (text.size == 0 || !is_document) return;
  const char *first = text.data;
  while (memchr(" \t\r\n", *first, 4)) ++first;
  expect_that(*first == '{', "a JSON object", "another value");
  KernelJsonMember member = kernel_json_member(text.data, text.size, "type_schema", schema, &size);
  if (member == KERNEL_JSON_ABSENT) return;
  require(
      expect_that(member == KERNEL_JSON_STRING, "type_schema is a string", "it is something else"));
  expect_that(kernel_json_is_document(schema, size), "a type_schema that is JSON", "\"%.*s\"",
              (int)(size < 160 ? size : 160), schema);
  bool is_function =
      kernel_json_member(schema, size, "type", type, &type_size) == KERNEL_JSON_STRING &&
      type_size == 12 && memcmp(type, "ffi.Function", 12) == 0;
  expect_that(is_function, "a type_schema of type ffi.Function", "\"%.*s\"",
              (int)(size < 160 ? size : 160), schema);
}
