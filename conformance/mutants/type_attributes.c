// SPDX-License-Identifier: Apache-2.0
// Mutants of type attributes.
#include "mutants/mutant.h"

MUTANT(TYPE_43, begins_at_1, GetTypeAttrColumn,
       "a column says that it begins with the type of index 1")
{
  TVMFFITypeAttrColumn *column = (TVMFFITypeAttrColumn *)REFERENCE(GetTypeAttrColumn)(attr_name);
  if (column && column->size > 0) column->begin_index = 1;
  return column;
}

MUTANT(TYPE_44, made_on_demand, GetTypeAttrColumn, "a column that is looked up is made")
{
  TVMFFIAny none = {.type_index = kTVMFFINone};
  if (!REFERENCE(GetTypeAttrColumn)(attr_name))
    TVMFFITypeRegisterAttr(kTVMFFINone, attr_name, &none);
  return REFERENCE(GetTypeAttrColumn)(attr_name);
}

MUTANT(TYPE_44, raises, GetTypeAttrColumn,
       "looking up a column that nobody registered raises an error")
{
  const TVMFFITypeAttrColumn *column = REFERENCE(GetTypeAttrColumn)(attr_name);
  if (!column) TVMFFIErrorSetRaisedFromCStr("KeyError", "no such column");
  return column;
}

MUTANT(TYPE_45, text_borrowed, TypeRegisterAttr, "a raw C string as attribute is kept as it is")
{
  int status = REFERENCE(TypeRegisterAttr)(type_index, attr_name, attr_value);
  if (status == 0 && attr_value->type_index == kTVMFFIRawStr)
    ((TVMFFIAny *)TVMFFIGetTypeAttrColumn(attr_name)->data)[type_index] = *attr_value;
  return status;
}

MUTANT(TYPE_45, two_references, TypeRegisterAttr, "an object as attribute gains two references")
{
  int status = REFERENCE(TypeRegisterAttr)(type_index, attr_name, attr_value);
  if (status == 0 && attr_value->type_index >= kTVMFFIStaticObjectBegin)
    TVMFFIObjectIncRef(attr_value->v_obj);
  return status;
}

MUTANT(TYPE_46, holes_not_cleared, GetTypeAttrColumn,
       "only the type index of a value that nobody registered is cleared")
{
  TVMFFITypeAttrColumn *column = (TVMFFITypeAttrColumn *)REFERENCE(GetTypeAttrColumn)(attr_name);
  for (int32_t i = 0; column && i < column->size; ++i)
    if (column->data[i].type_index == kTVMFFINone) ((TVMFFIAny *)column->data)[i].v_int64 = 0x5A5A;
  return column;
}

MUTANT(TYPE_46, inherited, GetTypeAttrColumn, "a type without an attribute has that of its parent")
{
  TVMFFITypeAttrColumn *column = (TVMFFITypeAttrColumn *)REFERENCE(GetTypeAttrColumn)(attr_name);
  for (int32_t i = 0; column && i < column->size; ++i) {
    const TVMFFITypeInfo *info = TVMFFIGetTypeInfo(i);
    TVMFFIAny *data = (TVMFFIAny *)column->data;
    if (!info || info->type_depth == 0 || data[i].type_index != kTVMFFINone) continue;
    const TVMFFIAny *parent = &data[info->type_ancestors[info->type_depth - 1]->type_index];
    if (parent->type_index != kTVMFFINone) data[i] = *parent;
  }
  return column;
}

MUTANT(TYPE_47, ends_the_process, TypeRegisterAttr,
       "the process ends when an attribute is registered again")
{
  int status = REFERENCE(TypeRegisterAttr)(type_index, attr_name, attr_value);
  if (status == 0) return 0;
  abort();
}

MUTANT(TYPE_47, passed_over, TypeRegisterAttr, "a second value is ignored without an error")
{
  int status = REFERENCE(TypeRegisterAttr)(type_index, attr_name, attr_value);
  if (status == 0) return 0;
  TVMFFIErrorSetRaised(NULL);
  return 0;
}

MUTANT(TYPE_47, refused_value_retained, TypeRegisterAttr,
       "an object that is refused as attribute keeps a reference")
{
  int status = REFERENCE(TypeRegisterAttr)(type_index, attr_name, attr_value);
  if (status == 0) return 0;
  if (attr_value->type_index >= kTVMFFIStaticObjectBegin) TVMFFIObjectIncRef(attr_value->v_obj);
  return status;
}

MUTANT(TYPE_47, replaced, TypeRegisterAttr, "a second value takes the place of the first")
{
  int status = REFERENCE(TypeRegisterAttr)(type_index, attr_name, attr_value);
  if (status == 0) return 0;
  TVMFFIErrorSetRaised(NULL);
  return TVMFFIAnyViewToOwnedAny(
      attr_value, (TVMFFIAny *)&TVMFFIGetTypeAttrColumn(attr_name)->data[type_index]);
}

static int32_t nones[256];

MUTANT(TYPE_48, none_is_a_value, TypeRegisterAttr, "None takes the place of an attribute")
{
  int32_t *none = &nones[type_index % 256];
  if (type_index > 0 && *none == type_index) return fail("RuntimeError", "the attribute exists");
  int status = REFERENCE(TypeRegisterAttr)(type_index, attr_name, attr_value);
  if (status == 0 && type_index > 0 && attr_value->type_index == kTVMFFINone) *none = type_index;
  return status;
}

MUTANT(TYPE_49, none_makes_nothing, TypeRegisterAttr, "None for the type None makes no column")
{
  if (type_index == kTVMFFINone) return 0;
  return REFERENCE(TypeRegisterAttr)(type_index, attr_name, attr_value);
}

MUTANT(TYPE_50, moves_when_it_grows, GetTypeAttrColumn,
       "a column that covers more than 200 types has moved")
{
  const TVMFFITypeAttrColumn *column = REFERENCE(GetTypeAttrColumn)(attr_name);
  if (!column || column->size <= 200) return column;
  TVMFFITypeAttrColumn *moved = malloc(sizeof *moved);
  if (!moved) return column;
  *moved = *column;
  return moved;
}

static int registered;

MUTANT(TYPE_59, made_with_the_first_value, GetTypeAttrColumn,
       "the columns of key equality are made when the first attribute is registered")
{
  const TVMFFITypeAttrColumn *column = REFERENCE(GetTypeAttrColumn)(attr_name);
  if (!column || registered || attr_name->size < 6) return column;
  return memcmp(attr_name->data, "__any_", 6) == 0 ? NULL : column;
}

ALSO(TYPE_59, made_with_the_first_value, TypeRegisterAttr)
{
  int status = REFERENCE(TypeRegisterAttr)(type_index, attr_name, attr_value);
  registered |= status == 0;
  return status;
}
