// SPDX-License-Identifier: Apache-2.0
// Mutants of the built-in types.
#include "mutants/byte_text.h"
#include "mutants/mutant.h"

static TVMFFIFieldInfo changed;

MUTANT_WITHOUT(TYPE_1, no_columns, GetTypeAttrColumn, "columns of attributes can not be looked up");

MUTANT(TYPE_2, no_python_objects, TypeKeyToIndex, "objects of Python have no type key")
{
  if (text_is(type_key, "ffi.OpaquePyObject")) return fail("InternalError", "refused");
  return REFERENCE(TypeKeyToIndex)(type_key, out_tindex);
}

MUTANT(TYPE_3, borrowed_tensor_forgotten, TypeKeyToIndex, "borrowed tensors have no type key")
{
  if (text_is(type_key, "DLTensor*")) return fail("InternalError", "refused");
  return REFERENCE(TypeKeyToIndex)(type_key, out_tindex);
}

MUTANT(TYPE_4, dict_is_a_map, TypeKeyToIndex, "the key of the mutable map leads to the other one")
{
  int status = REFERENCE(TypeKeyToIndex)(type_key, out_tindex);
  if (text_is(type_key, "ffi.Dict")) *out_tindex = kTVMFFIMap;
  return status;
}

MUTANT(TYPE_5, interrupt_forgotten, TypeKeyToIndex, "the visit interrupt has no type key")
{
  if (text_is(type_key, "ffi.VisitInterrupt")) return fail("InternalError", "refused");
  return REFERENCE(TypeKeyToIndex)(type_key, out_tindex);
}

MUTANT(TYPE_6, big_integer_is_an_integer, TypeKeyToIndex,
       "the key of the big integer leads to the plain one")
{
  int status = REFERENCE(TypeKeyToIndex)(type_key, out_tindex);
  if (text_is(type_key, "ffi.BigInt")) *out_tindex = kTVMFFIInt;
  return status;
}

MUTANT(TYPE_7, marker_forgotten, TypeKeyToIndex,
       "the marker of structural mutation has no type key")
{
  if (text_is(type_key, "ffi.Unchanged")) return fail("InternalError", "refused");
  return REFERENCE(TypeKeyToIndex)(type_key, out_tindex);
}

MUTANT(TYPE_8, error_is_a_root, GetTypeInfo, "errors are not objects")
{
  TVMFFITypeInfo *info = (TVMFFITypeInfo *)REFERENCE(GetTypeInfo)(type_index);
  if (type_index == kTVMFFIError) info->type_depth = 0;
  return info;
}

static TVMFFITypeMetadata changed_metadata;

MUTANT(TYPE_9, size_unknown, GetTypeInfo, "the size of an object without body is not told")
{
  TVMFFITypeInfo *info = (TVMFFITypeInfo *)REFERENCE(GetTypeInfo)(type_index);
  if (type_index != kTVMFFIObject) return info;
  changed_metadata = *info->metadata;
  changed_metadata.total_size = 0;
  info->metadata = &changed_metadata;
  return info;
}

MUTANT(TYPE_61, field_can_be_written, GetTypeInfo, "the imports of a module can be written")
{
  TVMFFITypeInfo *info = (TVMFFITypeInfo *)REFERENCE(GetTypeInfo)(type_index);
  if (type_index != kTVMFFIModule) return info;
  changed = *info->fields;
  changed.flags |= kTVMFFIFieldFlagBitMaskWritable;
  info->fields = &changed;
  return info;
}

MUTANT(TYPE_10, no_field, GetTypeInfo, "modules have no field")
{
  TVMFFITypeInfo *info = (TVMFFITypeInfo *)REFERENCE(GetTypeInfo)(type_index);
  if (type_index == kTVMFFIModule) info->num_fields = 0;
  return info;
}

MUTANT(TYPE_11, no_getter, GetTypeInfo, "the value of a visit interrupt cannot be read")
{
  TVMFFITypeInfo *info = (TVMFFITypeInfo *)REFERENCE(GetTypeInfo)(type_index);
  if (type_index != kTVMFFIVisitInterrupt) return info;
  changed = *info->fields;
  changed.getter = NULL;
  info->fields = &changed;
  return info;
}

static int set_nothing(void *field, const TVMFFIAny *value)
{
  (void)field, (void)value;
  return 0;
}

static TVMFFITypeInfo *with_setter(TVMFFITypeInfo *info, TVMFFIFieldSetter setter)
{
  changed = *info->fields;
  memcpy(&changed.setter, &setter, sizeof setter);
  info->fields = &changed;
  return info;
}

MUTANT(TYPE_65, no_setter, GetTypeInfo, "the imports of a module have no setter")
{
  TVMFFITypeInfo *info = (TVMFFITypeInfo *)REFERENCE(GetTypeInfo)(type_index);
  return type_index == kTVMFFIModule ? with_setter(info, NULL) : info;
}

MUTANT(TYPE_65, set_without_effect, GetTypeInfo,
       "the setter of a visit interrupt returns 0 and stores nothing")
{
  TVMFFITypeInfo *info = (TVMFFITypeInfo *)REFERENCE(GetTypeInfo)(type_index);
  return type_index == kTVMFFIVisitInterrupt ? with_setter(info, set_nothing) : info;
}

MUTANT(TYPE_61, value_is_an_object, GetTypeInfo, "the value of a visit interrupt is an object")
{
  TVMFFITypeInfo *info = (TVMFFITypeInfo *)REFERENCE(GetTypeInfo)(type_index);
  if (type_index != kTVMFFIVisitInterrupt) return info;
  changed = *info->fields;
  changed.field_static_type_index = kTVMFFIObject;
  info->fields = &changed;
  return info;
}
