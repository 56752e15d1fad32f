// SPDX-License-Identifier: Apache-2.0
// The types that exist from the start, and what is known of them.
#include "core/any.h"
#include "core/interrupt.h"
#include "core/raise.h"
#include "type/type.h"

//--------------------------------------------------------------------------------------------------
// Fields of objects
//--------------------------------------------------------------------------------------------------

static int type_builtin_check(const char *function, const void *field, const void *value)
{
  if (field == NULL) return raise_null(function, "field");
  if (value == NULL) return raise_null(function, "value");
  return 0;
}

static int type_builtin_get_any(void *field, TVMFFIAny *result)
{
  if (type_builtin_check("getter", field, result) != 0) return -1;
  return TVMFFIAnyViewToOwnedAny(field, result);
}

static int type_builtin_set_any(void *field, const TVMFFIAny *value)
{
  TVMFFIAny owned;
  if (type_builtin_check("setter", field, value) != 0) return -1;
  if (TVMFFIAnyViewToOwnedAny(value, &owned) != 0) return -1;
  TVMFFIAny *place = field, old = *place;
  *place = owned;
  any_release(&old);
  return 0;
}

// The imports of a module that has never imported anything. It lasts as long as the process.
static struct {
  TVMFFIObject header;
  TVMFFISeqCell cell;
} no_imports = {{OBJECT_NEW_COUNTS, .type_index = kTVMFFIArray, .deleter = object_keep},
                {.data = &no_imports + 1}};

static int type_builtin_get_array(void *field, TVMFFIAny *result)
{
  if (type_builtin_check("getter", field, result) != 0) return -1;
  TVMFFIObject *array = *(TVMFFIObject **)field;
  if (array == NULL) array = &no_imports.header;
  object_retain(array);
  *result = any_object(array);
  return 0;
}

static int type_builtin_set_array(void *field, const TVMFFIAny *value)
{
  if (type_builtin_check("setter", field, value) != 0) return -1;
  if (value->type_index != kTVMFFIArray) {
    return raise_wrong_type("setter", "value", "an Array", value->type_index);
  }
  if (value->v_obj == NULL) return raise_null("setter", "value");
  TVMFFIObject **place = field, *old = *place;
  object_retain(value->v_obj);
  *place = value->v_obj;
  if (old != NULL) object_release(old);
  return 0;
}

//--------------------------------------------------------------------------------------------------
// Descriptions
//--------------------------------------------------------------------------------------------------

#define TEXT(literal)              \
  {                                \
    (literal), sizeof(literal) - 1 \
  }

static const TVMFFIFieldInfo module_fields[] = {{
    .name = TEXT("imports_"),  // TYPE-10
    .metadata = TEXT("{\"type_schema\":\"{\\\"type\\\":\\\"ffi.Array\\\","
                     "\\\"args\\\":[{\\\"type\\\":\\\"Any\\\"}]}\"}"),
    .size = sizeof(TVMFFIObjectHandle),
    .alignment = _Alignof(TVMFFIObjectHandle),
    .offset = sizeof(TVMFFIObject),
    .getter = type_builtin_get_array,
    .setter = __extension__(void *) type_builtin_set_array,
    .field_static_type_index = kTVMFFIArray,
}};

static const TVMFFIFieldInfo visit_interrupt_fields[] = {{
    .name = TEXT("value"),  // TYPE-11
    .metadata = TEXT("{\"type_schema\":\"{\\\"type\\\":\\\"Any\\\"}\"}"),
    .flags = kTVMFFIFieldFlagBitMaskHasDefault,
    .size = sizeof(TVMFFIAny),
    .alignment = _Alignof(TVMFFIAny),
    .offset = offsetof(InterruptObject, value),
    .getter = type_builtin_get_any,
    .setter = __extension__(void *) type_builtin_set_any,
    .default_value_or_factory = {.type_index = kTVMFFINone},
    .field_static_type_index = kTVMFFIAny,
}};

static const TVMFFITypeMetadata object_metadata = {.total_size = sizeof(TVMFFIObject)};  // TYPE-9
static const TVMFFITypeMetadata visit_interrupt_metadata = {
    .creator = interrupt_create,
    .total_size = sizeof(InterruptObject),
};
// A table of functions stands in front of the header; imports, and what was found for generated code,
// behind it.
static const TVMFFITypeMetadata module_metadata = {
    .total_size = sizeof(TVMFFIObject) + 3 * sizeof(void *),
};
// A count of words stands behind the header, and the words behind that.
static const TVMFFITypeMetadata big_int_metadata = {
    .total_size = sizeof(TVMFFIObject) + sizeof(size_t),
};

//--------------------------------------------------------------------------------------------------
// The types. None has child slots; where children are possible, they have indices elsewhere.
//--------------------------------------------------------------------------------------------------

enum { OBJECT_ROW = 14, ENUM_ROW = 36 };

static const TVMFFITypeInfo *below_object[] = {&type_builtins[OBJECT_ROW].info};
static const TVMFFITypeInfo *below_enum[] = {&type_builtins[OBJECT_ROW].info,
                                             &type_builtins[ENUM_ROW].info};
#define BELOW_ENUM .info.type_depth = 2, .info.type_ancestors = below_enum

#define ROW(index, key)                                                             \
  .info.type_index = (index), .info.type_key = TEXT(key), .next_slot = (index) + 1, \
  .end_slot = (index) + 1
#define CHILD(index, key) ROW(index, key), .info.type_depth = 1, .info.type_ancestors = below_object
#define FIELDS(array) .info.fields = (array), .info.num_fields = sizeof(array) / sizeof *(array)

Type type_builtins[] = {
    // TYPE-8: plain values
    {ROW(kTVMFFINone, "None")},
    {ROW(kTVMFFIInt, "int")},
    {ROW(kTVMFFIBool, "bool")},
    {ROW(kTVMFFIFloat, "float")},
    {ROW(kTVMFFIOpaquePtr, "void*")},
    {ROW(kTVMFFIDataType, "DataType")},
    {ROW(kTVMFFIDevice, "Device")},
    {ROW(kTVMFFIDLTensorPtr, "DLTensor*")},
    {ROW(kTVMFFIRawStr, "const char*")},
    {ROW(kTVMFFIByteArrayPtr, "TVMFFIByteArray*")},
    {ROW(kTVMFFIObjectRValueRef, "ObjectRValueRef")},
    {ROW(kTVMFFISmallStr, "ffi.SmallStr")},
    {ROW(kTVMFFISmallBytes, "ffi.SmallBytes")},
    {ROW(kTVMFFIUnchanged, "ffi.Unchanged")},
    // TYPE-8: objects
    [OBJECT_ROW] = {ROW(kTVMFFIObject, "ffi.Object"), .info.metadata = &object_metadata,
                    .overflow = true},
    {CHILD(kTVMFFIStr, "ffi.String")},
    {CHILD(kTVMFFIBytes, "ffi.Bytes")},
    {CHILD(kTVMFFIError, "ffi.Error")},
    {CHILD(kTVMFFIFunction, "ffi.Function")},
    {CHILD(kTVMFFIShape, "ffi.Shape")},
    {CHILD(kTVMFFITensor, "ffi.Tensor")},
    {CHILD(kTVMFFIArray, "ffi.Array")},
    {CHILD(kTVMFFIMap, "ffi.Map")},
    {CHILD(kTVMFFIModule, "ffi.Module"), FIELDS(module_fields), .info.metadata = &module_metadata},
    {CHILD(kTVMFFIOpaquePyObject, "ffi.OpaquePyObject")},
    {CHILD(kTVMFFIList, "ffi.List")},
    {CHILD(kTVMFFIDict, "ffi.Dict")},
    {CHILD(kTVMFFIVisitInterrupt, "ffi.VisitInterrupt"), FIELDS(visit_interrupt_fields),
     .info.metadata = &visit_interrupt_metadata, .overflow = true},
    {CHILD(kTVMFFIBigInt, "ffi.BigInt"), .info.metadata = &big_int_metadata},
    // Bindings look up their keys when they start. The room above tells of their fields.
    {CHILD(TYPE_ACCESS_STEP, "ffi.reflection.AccessStep"), .overflow = true},
    {CHILD(TYPE_ACCESS_PATH, "ffi.reflection.AccessPath"), .overflow = true},
    {CHILD(TYPE_STRUCTURAL_KEY, "ffi.StructuralKey"), .overflow = true},
    {CHILD(TYPE_STRUCTURAL_VISITOR, "ffi.StructuralVisitor"), .overflow = true},
    {CHILD(TYPE_STRUCTURAL_MUTATOR, "ffi.StructuralMutator"), .overflow = true},
    {CHILD(TYPE_VISIT_ERROR_CONTEXT, "ffi.VisitErrorContext"), .overflow = true},
    {CHILD(TYPE_ENUM_STATE, "ffi.EnumState")},
    [ENUM_ROW] = {CHILD(TYPE_ENUM, "ffi.Enum"), .overflow = true},
    {ROW(TYPE_INT_ENUM, "ffi.IntEnum"), BELOW_ENUM, .overflow = true},
    {ROW(TYPE_STR_ENUM, "ffi.StrEnum"), BELOW_ENUM, .overflow = true},
};
const size_t type_builtin_count = sizeof type_builtins / sizeof *type_builtins;
