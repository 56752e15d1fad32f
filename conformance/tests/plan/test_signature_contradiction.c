// SPDX-License-Identifier: Apache-2.0
// What a signature file and a module say of the same function.
#include <stdlib.h>
#include <string.h>

#include "plan/signature_contradiction.h"
#include "signature/type_name.h"
#include "tests/plan/signature_text.h"
#include "unit/unit.h"

// What the two contradict each other in, "" if they do not. Stays valid until the next call.
static const char *between(const char *file, const char *module)
{
  static char said[320];
  char text[1024];
  snprintf(text, sizeof text, "{\"functions\": {\"add\": %s}}", file);
  KernelList *list = signature_read(text);
  ck_assert_msg(list != NULL, "%s", signature_error);
  Signature *signature = type_name_signature(module);
  ck_assert_msg(signature != NULL, "%s", module);
  const size_t index = (size_t)(kernel_find(list, "add") - list->items);
  said[0] = '\0';
  if (!signature_contradicts(kernel_list_signature(list, index), signature, said, sizeof said))
    ck_assert_str_eq(said, "");
  free(signature);
  return said;
}

#define FILE_OF(parameters) "{\"parameters\": [" parameters "]}"
#define INT "{\"name\": \"k\", \"kind\": \"int\"}"
#define FLOAT "{\"name\": \"f\", \"kind\": \"float\"}"
#define TENSOR "{\"name\": \"x\", \"kind\": \"tensor\", \"dtype\": \"float32\", \"shape\": \"n\"}"

TEST_GROUP(signature_contradiction);

TEST(counts_kinds_and_results_are_compared)
{
  static const struct {
    const char *file, *module, *words;
  } rows[] = {
      {FILE_OF(INT), "f(0: int, 1: int) -> None",
       "has 1 parameter, the module's error for no arguments 2"},
      {FILE_OF(INT ", " FLOAT), "f(0: int) -> None", "has 2 parameters, "},
      {FILE_OF(FLOAT), "f(0: int) -> None", "parameter 0 (f): the signature file has float, "},
      {FILE_OF(TENSOR), "f(0: Array<ffi.Tensor>) -> None",
       "has tensor, the module's error for no arguments array"},
      {FILE_OF("{\"kind\": \"array\", \"element\": " FLOAT "}"), "f(0: Array<int>) -> None",
       "has float, "},
      {FILE_OF("{\"kind\": \"map\", \"entries\": {\"a\": " FLOAT "}}"),
       "f(0: Map<ffi.String, int>) -> None", "has float, "},
      {FILE_OF("{\"kind\": \"int\", \"optional\": true}"), "f(0: int) -> None", "has None, too, "},
      {FILE_OF("{\"kind\": \"variant\", \"any_of\": [" INT ", {\"kind\": \"string\"}]}"),
       "f(0: int) -> None", "has string, "},
      {FILE_OF(FLOAT), "f(0: Union<int, ffi.String>) -> None", "none of its alternatives"},
      {FILE_OF("{\"kind\": \"int\", \"optional\": true}"), "f(0: Union<int, ffi.String>) -> None",
       "none of its alternatives"},
      {"{\"parameters\": [" INT "], \"result\": {\"kind\": \"float\"}}", "f(0: int) -> ffi.Tensor",
       "the result: the signature file has float, the module's error for no arguments tensor"},
      {FILE_OF(TENSOR), "f(x: Tensor([m, n], float32))", "a tensor of 1 dimensions, "},
      {FILE_OF(TENSOR), "f(x: Tensor([n], float16))",
       "a tensor of float32, the module's error for no arguments one of float16"},
      {"{\"signatures\": [" FILE_OF(INT) ", " FILE_OF(FLOAT) "]}", "f(0: int) -> None",
       "parameter 0 (f)"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
    const char *said = between(rows[i].file, rows[i].module);
    ck_assert_msg(strstr(said, rows[i].words), "%s: \"%s\"", rows[i].module, said);
  }
}

// What one side leaves open, and what the headers convert.
TEST(what_may_be_meant_is_no_contradiction)
{
  static const char *const rows[][2] = {
      {FILE_OF(INT), "f(0: int) -> None"},
      {FILE_OF(INT), "f(0: float) -> None"},
      {FILE_OF(INT), "f(0: Any) -> None"},
      {FILE_OF(INT), "f(0: my.Key) -> None"},
      {FILE_OF("{\"kind\": \"bool\"}"), "f(0: int) -> None"},
      {FILE_OF("{\"kind\": \"any\"}"), "f(0: int) -> None"},
      {FILE_OF("{\"kind\": \"int\", \"optional\": true}"), "f(0: Optional<int>) -> None"},
      {FILE_OF("{\"kind\": \"string\", \"value\": \"cpu\"}"), "f(0: Device) -> None"},
      {FILE_OF(
           "{\"kind\": \"map\", \"entries\": {\"a\": {\"kind\": \"int\", \"optional\": true}}}"),
       "f(0: Map<ffi.String, int>) -> None"},
      {FILE_OF("{\"kind\": \"shape\", \"value\": [1]}"), "f(0: Array<int>) -> None"},
      {FILE_OF("{\"kind\": \"tensor\", \"dtype\": \"int8\", \"shape\": \"n\", \"optional\": true}"),
       "f(0: ffi.Tensor) -> None"},
      {FILE_OF("{\"kind\": \"tensor\", \"dtype\": [\"int8\", \"float16\"], \"shape\": \"... n\"}"),
       "f(x: Tensor([m, n], float16))"},
      {FILE_OF("{\"kind\": \"variant\", \"any_of\": [" INT ", {\"kind\": \"string\"}]}"),
       "f(0: Union<int, ffi.String>) -> None"},
      {FILE_OF("{\"kind\": \"float\", \"optional\": true}"),
       "f(0: Optional<Variant<float, ffi.String>>) -> None"},
      {FILE_OF("{\"kind\": \"none\"}"), "f(0: Optional<Variant<int, float>>) -> None"},
      {"{\"parameters\": [" INT "], \"result\": {\"kind\": \"shape\"}}", "f(0: int) -> Array<int>"},
      {"{\"parameters\": [], \"rest\": " INT "}", "f(0: int, 1: int) -> None"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
    ck_assert_msg(!*between(rows[i][0], rows[i][1]), "%s: \"%s\"", rows[i][1],
                  between(rows[i][0], rows[i][1]));
}
