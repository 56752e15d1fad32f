// SPDX-License-Identifier: Apache-2.0
// The attributes that built-in types have from the start, and that are of this room. They are
// entered when the library is loaded; without memory an attribute is missing.
#include "frontend/convert.h"
#include "native/native.h"
#include "native/rows.h"
#include "type/type.h"

typedef struct {
  int32_t type_index;
  TVMFFIByteArray name;
  TVMFFIAny value;  // unless it is a function
  NativeSpec spec;  // of the function
} AttributeRow;

#define NAME(literal)              \
  {                                \
    (literal), sizeof(literal) - 1 \
  }
#define FINAL(type, truth) \
  type, NAME("__ffi_type_final__"), .value.type_index = kTVMFFIBool, .value.v_int64 = (truth)

#define FROM_ANY(type, body) \
  type, NAME("__ffi_convert__"), .spec = {F1("__ffi_convert__", body, ANY, ANY)}

static const AttributeRow rows[] = {
    {FROM_ANY(kTVMFFIObject, convert_to_object)},
    {FROM_ANY(kTVMFFIStr, convert_to_string)},
    {FROM_ANY(kTVMFFIBytes, convert_to_bytes)},
    {FROM_ANY(kTVMFFIError, convert_to_error)},
    {FROM_ANY(kTVMFFIFunction, convert_to_function)},
    {FROM_ANY(kTVMFFIShape, convert_to_shape)},
    {FROM_ANY(kTVMFFITensor, convert_to_tensor)},
    {FROM_ANY(kTVMFFIArray, convert_to_array)},
    {FROM_ANY(kTVMFFIMap, convert_to_map)},
    {FROM_ANY(kTVMFFIList, convert_to_list)},
    {FROM_ANY(kTVMFFIDict, convert_to_dict)},
    {FROM_ANY(TYPE_INT_ENUM, convert_to_int_enum)},
    {FROM_ANY(TYPE_STR_ENUM, convert_to_str_enum)},
    // Whether classes in other languages must not derive from it.
    {FINAL(kTVMFFIModule, 1)},
    {FINAL(kTVMFFIVisitInterrupt, 1)},
    {FINAL(kTVMFFIBigInt, 1)},
    {FINAL(TYPE_ACCESS_STEP, 1)},
    {FINAL(TYPE_ACCESS_PATH, 1)},
    {FINAL(TYPE_STRUCTURAL_KEY, 1)},
    {FINAL(TYPE_STRUCTURAL_VISITOR, 0)},
    {FINAL(TYPE_STRUCTURAL_MUTATOR, 0)},
    {FINAL(TYPE_VISIT_ERROR_CONTEXT, 1)},
    {FINAL(TYPE_ENUM_STATE, 1)},
    {FINAL(TYPE_ENUM, 0)},
    {FINAL(TYPE_INT_ENUM, 0)},
    {FINAL(TYPE_STR_ENUM, 0)},
};
static NativeFunction functions[sizeof rows / sizeof *rows];

__attribute__((constructor(102))) static void attributes_start(void)
{
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
    TVMFFIAny value = rows[i].value;
    if (rows[i].spec.name != NULL) {
      native_init(&functions[i], &rows[i].spec);
      value = any_object(&functions[i].header);
    }
    TVMFFITypeRegisterAttr(rows[i].type_index, &rows[i].name, &value);
  }
}
