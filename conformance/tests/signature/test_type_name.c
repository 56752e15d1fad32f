// SPDX-License-Identifier: Apache-2.0
// Names of types as headers and compilers write them, and as nobody should.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "signature/type_name.h"
#include "unit/unit.h"

static Signature *signature;

static Signature *read_message(const char *message)
{
  free(signature);
  signature = type_name_signature(message);
  if (signature) ck_assert(signature_is_sound(signature, signature->size));
  return signature;
}

static const SignatureForm *form(void)
{
  return signature_form(signature, 0);
}

static const SignatureType *parameter(uint32_t index)
{
  return signature_type(signature, form()->parameters.first + index);
}

static const SignatureType *child(const SignatureType *type, uint32_t index)
{
  ck_assert_uint_lt(index, type->children.count);
  return signature_type(signature, type->children.first + index);
}

#define ARITY "TypeError: Mismatched number of arguments when calling: `"

TEST(headers_list_parameters_and_result)
{
  ck_assert(read_message(ARITY "f(0: DLTensor*, 1: Optional<int>, 2: Map<str, Array<int>>, "
                               "3: float, 4: str) -> void`. Expected 5 but got 0 arguments"));
  ck_assert_uint_eq(form()->parameters.count, 5);
  ck_assert_int_eq(signature->origin, SIGNATURE_FROM_ARITY_ERROR);
  ck_assert_uint_eq(form()->checks, 0);
  ck_assert_int_eq(parameter(0)->kind, KERNEL_TENSOR);
  ck_assert(!parameter(0)->has_shape);
  ck_assert_int_eq(parameter(1)->kind, KERNEL_INT);
  ck_assert(parameter(1)->optional && !parameter(0)->optional);
  ck_assert_int_eq(parameter(2)->kind, KERNEL_MAP);
  ck_assert_int_eq(child(parameter(2), 0)->kind, KERNEL_STRING);
  ck_assert_int_eq(child(child(parameter(2), 1), 0)->kind, KERNEL_INT);
  ck_assert_int_eq(parameter(3)->kind, KERNEL_FLOAT);
  ck_assert_int_eq(signature_type(signature, form()->result)->kind, KERNEL_NONE);
}

TEST(containers_hold_types)
{
  ck_assert(
      read_message("`concat(0: Array<ffi.Tensor>, 1: Variant<float, ffi.Tensor>, 2: "
                   "Tuple<int, std::vector<str>>, 3: std::array<float, 3>) -> ffi.Tensor`"));
  ck_assert_int_eq(parameter(0)->kind, KERNEL_ARRAY);
  ck_assert_uint_eq(child(parameter(0), 0)->spellings, KERNEL_SPELLED_OBJECT);
  ck_assert_int_eq(parameter(1)->kind, KERNEL_VARIANT);
  ck_assert_int_eq(child(parameter(1), 0)->kind, KERNEL_FLOAT);
  ck_assert_int_eq(child(parameter(1), 1)->kind, KERNEL_TENSOR);
  ck_assert_int_eq(parameter(2)->kind, KERNEL_TUPLE);
  ck_assert_int_eq(child(child(parameter(2), 1), 0)->kind, KERNEL_STRING);
  ck_assert_uint_eq(parameter(3)->children.count, 1);
  ck_assert_int_eq(signature_type(signature, form()->result)->kind, KERNEL_TENSOR);
}

TEST(functions_have_types_of_their_own)
{
  ck_assert(
      read_message("`f(0: (0: float, 1: my.Thing) -> Optional<int>, 1: "
                   "std::function<float(int, str)>, 2: RValueRef<my.Thing>) -> Any`"));
  ck_assert_int_eq(parameter(0)->kind, KERNEL_FUNCTION);
  ck_assert_int_eq(child(parameter(0), 0)->kind, KERNEL_FLOAT);
  ck_assert_str_eq(signature_text(signature, child(parameter(0), 1)->type_key), "my.Thing");
  ck_assert_int_eq(signature_type(signature, parameter(0)->returns)->kind, KERNEL_INT);
  ck_assert_int_eq(parameter(1)->kind, KERNEL_FUNCTION);
  ck_assert_uint_eq(parameter(1)->children.count, 0);
  ck_assert_int_eq(parameter(2)->kind, KERNEL_OBJECT);
}

TEST(compilers_state_shapes)
{
  ck_assert(
      read_message("ValueError: Mismatched Y.strides on argument #1 when calling:\n  "
                   "`scale(X: Tensor([m, 8], float32), Y: Tensor([m + 1, n], float16), "
                   "k: int32)`,\n  expected to be compact array"));
  ck_assert_uint_eq(form()->parameters.count, 3);
  ck_assert_uint_eq(form()->result, SIGNATURE_NONE);
  ck_assert_str_eq(signature_text(signature, parameter(0)->name), "X");
  ck_assert_int_eq(parameter(0)->tensor_origin, SIGNATURE_FROM_MESSAGE);
  const SignatureExtent *extent = signature_extent(signature, parameter(0)->shape.first);
  ck_assert_int_eq(extent[0].form, SIGNATURE_EXTENT_EXPRESSION);
  ck_assert_str_eq(signature_text(signature, extent[0].text), "m");
  ck_assert_int_eq(extent[1].form, SIGNATURE_EXTENT_NUMBER);
  ck_assert_int_eq(extent[1].number, 8);
  extent = signature_extent(signature, parameter(1)->shape.first);
  ck_assert_int_eq(extent[0].form, SIGNATURE_EXTENT_ANY);
  const SignatureValue *dtype = signature_value(signature, parameter(1)->dtypes.first);
  ck_assert_str_eq(signature_text(signature, dtype->text), "float16");
  ck_assert_int_eq(parameter(2)->kind, KERNEL_INT);
}

TEST(no_parameters_are_a_signature)
{
  ck_assert(read_message("`reset() -> void`"));
  ck_assert_uint_eq(form()->parameters.count, 0);
}

static const char *const others[] = {
    "",
    "f()",
    "f(0: int",
    "f(0: int)",
    "f(0: int) ->",
    "f(0: Map<<<<<<",
    "f(0: Map<int) -> void",
    "f(0: Tensor([m, float32)) -> void",
    "f(0: Tensor([m], )",
    "(0: int) -> void",
    "the shape (4: wrong) of x",
    "f(0: int, 1:) -> void",
};

TEST(other_messages_hold_none, .rows = ROWS(others))
{
  ck_assert_msg(!read_message(others[_i]), "%s", others[_i]);
}

static char *nested(unsigned depth)
{
  char *text = malloc(7 * (size_t)depth + 64), *to = stpcpy(text, "`f(0: ");
  for (unsigned i = 0; i < depth; ++i) to = stpcpy(to, "Array<");
  to = stpcpy(to, "int");
  memset(to, '>', depth);
  strcpy(to + depth, ", 1: int) -> void`");
  return text;
}

TEST(what_is_too_deep_is_anything)
{
  for (unsigned depth = 1; depth < 100000; depth = depth * 3 + 1) {
    char *text = nested(depth);
    ck_assert_msg(read_message(text), "%u", depth);
    ck_assert_uint_eq(form()->parameters.count, 2);
    ck_assert_int_eq(parameter(0)->kind, KERNEL_ARRAY);
    ck_assert_int_eq(parameter(1)->kind, KERNEL_INT);
    unsigned levels = 0;
    const SignatureType *type = parameter(0);
    for (; type->children.count; type = child(type, 0)) ++levels;
    ck_assert_uint_le(levels, SIGNATURE_DEPTH_MAX);
    if (depth == levels) ck_assert_int_eq(type->kind, KERNEL_INT);
    free(text);
  }
}

TEST(too_many_are_none)
{
  char text[1024], *to = stpcpy(text, "`f(0: int");
  for (int i = 1; i <= TYPE_NAME_ARGUMENTS_MAX; ++i) to += sprintf(to, ", %d: int", i);
  strcpy(to, ") -> void`");
  ck_assert(!read_message(text));
  to = stpcpy(text, "`f(0: Tuple<int");
  for (int i = 0; i < TYPE_NAME_ARGUMENTS_MAX; ++i) to = stpcpy(to, ", int");
  strcpy(to, ">) -> void`");
  ck_assert(read_message(text));
  ck_assert_int_eq(parameter(0)->kind, KERNEL_ANY);
}
