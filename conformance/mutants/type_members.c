// SPDX-License-Identifier: Apache-2.0
// Mutants of fields, methods and metadata.
#include "mutants/type_table.h"

// The field that was registered last.
static TVMFFIFieldInfo *last_field(int32_t type_index)
{
  const TVMFFITypeInfo *type = TVMFFIGetTypeInfo(type_index);
  return (TVMFFIFieldInfo *)type->fields + type->num_fields - 1;
}

MUTANT(ANY_35, any_without_default, TypeRegisterField,
       "the default of a field of any type that has none is of type index -1")
{
  int status = REFERENCE(TypeRegisterField)(type_index, info);
  if (status != 0 || info->field_static_type_index != kTVMFFIAny) return status;
  TVMFFIAny *value = &last_field(type_index)->default_value_or_factory;
  if (!(info->flags & kTVMFFIFieldFlagBitMaskHasDefault)) value->type_index = kTVMFFIAny;
  return 0;
}

MUTANT(TYPE_32, flags_of_16_bits, TypeRegisterField, "the flags of a field are kept in 16 bits")
{
  TVMFFIFieldInfo field = *info;
  field.flags &= 0xFFFF;
  return REFERENCE(TypeRegisterField)(type_index, &field);
}

MUTANT(TYPE_32, flags_of_today, TypeRegisterField,
       "a field keeps those of its flags that the runtime uses, and no higher one")
{
  TVMFFIFieldInfo field = *info;
  if (field.flags < 0x2000) field.flags &= 0xFFF;
  return REFERENCE(TypeRegisterField)(type_index, &field);
}

MUTANT(TYPE_32, setter_dropped, TypeRegisterField, "a field that is not writable loses its setter")
{
  TVMFFIFieldInfo field = *info;
  if (!(info->flags & kTVMFFIFieldFlagBitMaskWritable)) field.setter = NULL;
  return REFERENCE(TypeRegisterField)(type_index, &field);
}

MUTANT(TYPE_32, no_place_in_front, TypeRegisterField, "a field in front of the header is refused")
{
  if (info->offset < 0) return fail("ValueError", "refused");
  return REFERENCE(TypeRegisterField)(type_index, info);
}

MUTANT(TYPE_33, fields_last_first, TypeRegisterField, "a new field comes before the others")
{
  int status = REFERENCE(TypeRegisterField)(type_index, info);
  if (status != 0) return status;
  const TVMFFITypeInfo *type = TVMFFIGetTypeInfo(type_index);
  TVMFFIFieldInfo *fields = (TVMFFIFieldInfo *)type->fields, last = fields[type->num_fields - 1];
  memmove(fields + 1, fields, (size_t)(type->num_fields - 1) * sizeof last);
  fields[0] = last;
  return 0;
}

MUTANT(TYPE_63, methods_last_first, TypeRegisterMethod, "a new method comes before the others")
{
  int status = REFERENCE(TypeRegisterMethod)(type_index, info);
  if (status != 0) return status;
  const TVMFFITypeInfo *type = TVMFFIGetTypeInfo(type_index);
  TVMFFIMethodInfo *methods = (TVMFFIMethodInfo *)type->methods;
  TVMFFIMethodInfo last = methods[type->num_methods - 1];
  memmove(methods + 1, methods, (size_t)(type->num_methods - 1) * sizeof last);
  methods[0] = last;
  return 0;
}

MUTANT(TYPE_34, doc_borrowed, TypeRegisterField, "the doc of a field is that of the caller")
{
  int status = REFERENCE(TypeRegisterField)(type_index, info);
  if (status == 0) last_field(type_index)->doc = info->doc;
  return status;
}

MUTANT(TYPE_34, doc_demanded, TypeRegisterMethod, "a method without doc is refused")
{
  if (info->doc.data) return REFERENCE(TypeRegisterMethod)(type_index, info);
  return fail("ValueError", "a method needs a doc");
}

MUTANT(TYPE_35, default_borrowed, TypeRegisterField,
       "the default of a field is kept as the view that was given")
{
  int status = REFERENCE(TypeRegisterField)(type_index, info);
  if (status == 0 && info->default_value_or_factory.type_index == kTVMFFIRawStr)
    last_field(type_index)->default_value_or_factory = info->default_value_or_factory;
  return status;
}

MUTANT(TYPE_35, two_references, TypeRegisterField, "an object as default gains two references")
{
  int status = REFERENCE(TypeRegisterField)(type_index, info);
  const TVMFFIAny *value = &info->default_value_or_factory;
  if (status == 0 && info->flags & kTVMFFIFieldFlagBitMaskHasDefault &&
      value->type_index >= kTVMFFIStaticObjectBegin)
    TVMFFIObjectIncRef(value->v_obj);
  return status;
}

MUTANT(TYPE_36, default_without_flag, TypeRegisterField,
       "what stands in the place of the default is kept without the flag")
{
  TVMFFIFieldInfo field = *info;
  field.flags |= kTVMFFIFieldFlagBitMaskHasDefault;
  int status = REFERENCE(TypeRegisterField)(type_index, &field);
  if (status == 0) last_field(type_index)->flags = info->flags;
  return status;
}

MUTANT(TYPE_37, setter_borrowed, TypeRegisterField, "a setter that is a function is not retained")
{
  int status = REFERENCE(TypeRegisterField)(type_index, info);
  if (status == 0 && info->flags & kTVMFFIFieldFlagBitSetterIsFunctionObj)
    TVMFFIObjectDecRef(info->setter);
  return status;
}

MUTANT(TYPE_37, setter_retained_twice, TypeRegisterField,
       "a setter that is a function gains two references")
{
  int status = REFERENCE(TypeRegisterField)(type_index, info);
  if (status == 0 && info->flags & kTVMFFIFieldFlagBitSetterIsFunctionObj)
    TVMFFIObjectIncRef(info->setter);
  return status;
}

MUTANT(TYPE_38, later_field_wins, TypeRegisterField,
       "a second field of the same name takes the place of the first")
{
  TVMFFIFieldInfo *field = field_of(type_index, &info->name);
  if (!field) return REFERENCE(TypeRegisterField)(type_index, info);
  field->offset = info->offset;
  field->size = info->size;
  return 0;
}

MUTANT(TYPE_38, passed_over, TypeRegisterField,
       "a second field of the same name is ignored without an error")
{
  if (field_of(type_index, &info->name)) return 0;
  return REFERENCE(TypeRegisterField)(type_index, info);
}

MUTANT(TYPE_39, flags_lost, TypeRegisterMethod, "the flags of a method are lost")
{
  TVMFFIMethodInfo method = *info;
  method.flags = 0;
  return REFERENCE(TypeRegisterMethod)(type_index, &method);
}

MUTANT(TYPE_39, two_references, TypeRegisterMethod, "a method gains two references")
{
  int status = REFERENCE(TypeRegisterMethod)(type_index, info);
  if (status == 0 && info->method.type_index == kTVMFFIFunction)
    TVMFFIObjectIncRef(info->method.v_obj);
  return status;
}

MUTANT(TYPE_40, empty_metadata, GetTypeInfo, "a type without metadata has empty ones")
{
  static const TVMFFITypeMetadata empty;
  static TVMFFITypeInfo filled[8];
  static int count;
  const TVMFFITypeInfo *info = REFERENCE(GetTypeInfo)(type_index);
  if (!info || info->metadata || count == 8) return info;
  filled[count] = *info;
  filled[count].metadata = &empty;
  return &filled[count++];
}

MUTANT(TYPE_40, kind_lost, TypeRegisterMetadata, "the kind of structural equality is lost")
{
  TVMFFITypeMetadata stored = *metadata;
  stored.structural_eq_hash_kind = kTVMFFISEqHashKindUnsupported;
  return REFERENCE(TypeRegisterMetadata)(type_index, &stored);
}

MUTANT(TYPE_40, constants_are_trees, TypeRegisterMetadata,
       "constant trees are compared like other trees")
{
  TVMFFITypeMetadata kept = *metadata;
  if (kept.structural_eq_hash_kind == kTVMFFISEqHashKindConstTreeNode)
    kept.structural_eq_hash_kind = kTVMFFISEqHashKindTreeNode;
  return REFERENCE(TypeRegisterMetadata)(type_index, &kept);
}

MUTANT(TYPE_41, ends_the_process, TypeRegisterMetadata,
       "the process ends when a type is given metadata again")
{
  int status = REFERENCE(TypeRegisterMetadata)(type_index, metadata);
  if (status != 0 && TVMFFIGetTypeInfo(type_index)) abort();
  return status;
}

MUTANT(TYPE_41, replaced, TypeRegisterMetadata, "second metadata take the place of the first")
{
  const TVMFFITypeInfo *info = TVMFFIGetTypeInfo(type_index);
  if (!info || !info->metadata) return REFERENCE(TypeRegisterMetadata)(type_index, metadata);
  TVMFFITypeMetadata *stored = (TVMFFITypeMetadata *)info->metadata;
  stored->creator = metadata->creator;
  stored->total_size = metadata->total_size;
  return 0;
}

MUTANT(TYPE_60, value_error, TypeRegisterMetadata, "second metadata raise a ValueError")
{
  int status = REFERENCE(TypeRegisterMetadata)(type_index, metadata);
  if (status != 0 && TVMFFIGetTypeInfo(type_index))
    TVMFFIErrorSetRaisedFromCStr("ValueError", "metadata exist");
  return status;
}

MUTANT(TYPE_42, default_retained, TypeRegisterField,
       "the default of a field that is refused keeps its reference")
{
  int status = REFERENCE(TypeRegisterField)(type_index, info);
  if (status != 0 && !TVMFFIGetTypeInfo(type_index) &&
      info->default_value_or_factory.type_index >= kTVMFFIStaticObjectBegin)
    TVMFFIObjectIncRef(info->default_value_or_factory.v_obj);
  return status;
}

MUTANT(TYPE_60, index_error, TypeRegisterMetadata,
       "metadata of a type that does not exist raise an IndexError")
{
  int status = REFERENCE(TypeRegisterMetadata)(type_index, metadata);
  if (status != 0 && !TVMFFIGetTypeInfo(type_index))
    TVMFFIErrorSetRaisedFromCStr("IndexError", "no such type");
  return status;
}

MUTANT(TYPE_42, method_passed_over, TypeRegisterMethod,
       "a method of a type that does not exist is ignored without an error")
{
  int status = REFERENCE(TypeRegisterMethod)(type_index, info);
  if (status == 0 || TVMFFIGetTypeInfo(type_index)) return status;
  TVMFFIErrorSetRaised(NULL);
  return 0;
}

MUTANT(TYPE_66, padding_kept, TypeRegisterField,
       "the default of a field without one is None with what the description held beside it")
{
  int status = REFERENCE(TypeRegisterField)(type_index, info);
  if (status != 0 || info->flags & kTVMFFIFieldFlagBitMaskHasDefault) return status;
  last_field(type_index)->default_value_or_factory.zero_padding =
      info->default_value_or_factory.zero_padding;
  return 0;
}

MUTANT(TYPE_66, end_of_text_kept, TypeRegisterField,
       "a short text as default ends with what was in the memory before")
{
  int status = REFERENCE(TypeRegisterField)(type_index, info);
  if (status != 0) return status;
  TVMFFIAny *stored = &last_field(type_index)->default_value_or_factory;
  if (stored->type_index == kTVMFFISmallStr && stored->small_str_len < 7) stored->v_bytes[7] = 'x';
  return 0;
}
