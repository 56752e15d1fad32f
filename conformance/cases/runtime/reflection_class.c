// SPDX-License-Identifier: Apache-2.0
// What language packages build classes of: getters, setters, constructors; and values as texts.
#include "cases/runtime/json_text.h"
#include "cases/runtime/type_registering.h"

CHAPTER(reflection);

static const char make_getter[] = "ffi.MakeFieldGetter", make_setter[] = "ffi.MakeFieldSetter";

// --- Fields --------------------------------------------------------------------------------------

static TVMFFIAny view_of_address(const void *address)
{
  return view_of_int((int64_t)(intptr_t)address);
}

static TVMFFIFieldGetter new_getter(Iut *iut, int32_t type_index)
{
  TVMFFIAny address = value_of(iut, make_getter, VALUES(view_of_int(type_index)));
  TVMFFIFieldGetter getter = NULL;
  require(expect_int("type index of the result", address.type_index, kTVMFFIInt));
  require(expect_that(address.v_int64 != 0, "the address of a getter", "0"));
  memcpy(&getter, &address.v_int64, sizeof getter);
  return getter;
}

// Converters count their calls, and fail if they are told to.
typedef struct {
  Iut *iut;
  int calls;
  bool fails;
} Converter;

static int convert(void *handle, const TVMFFIAny *value, TVMFFIAny *result)
{
  Converter *converter = handle;
  ++converter->calls;
  if (converter->fails) {
    converter->iut->ErrorSetRaisedFromCStr("TypeError", "not to be converted");
    return -1;
  }
  *result = *value;
  if (value->type_index >= kTVMFFIStaticObjectBegin) converter->iut->ObjectIncRef(value->v_obj);
  return 0;
}

// Own: a setter of this converter.
static TVMFFIObjectHandle new_setter(Iut *iut, int32_t type_index, Converter *converter)
{
  int (*function)(void *, const TVMFFIAny *, TVMFFIAny *) = convert;
  intptr_t address = 0;
  memcpy(&address, &function, sizeof address);
  TVMFFIAny setter =
      value_of(iut, make_setter,
               VALUES(view_of_int(type_index), view_of_address(converter), view_of_int(address)));
  require(expect_int("type index of the setter", setter.type_index, kTVMFFIFunction));
  return setter.v_obj;
}

static int call_setter(Iut *iut, TVMFFIObjectHandle setter, void *place, TVMFFIAny value)
{
  TVMFFIAny args[] = {view_of_bits(kTVMFFIOpaquePtr, (uint64_t)(uintptr_t)place), value};
  TVMFFIAny result = any_none();
  return iut->FunctionCall(setter, args, 2, &result);
}

CASE(getter_gives_a_number, .clauses = {REFL_16},
     .title = "getters give the int, the bool and the float that stand at an address")
{
  int64_t number = INT64_C(-5000000000);
  bool truth = true;
  double fraction = 0.1;
  TVMFFIAny seen = any_none();
  require(expect_ok(iut, new_getter(iut, kTVMFFIInt)(&number, &seen)));
  expect_int("type index of the int", seen.type_index, kTVMFFIInt);
  expect_int("the int", seen.v_int64, number);
  require(expect_ok(iut, new_getter(iut, kTVMFFIBool)(&truth, &seen)));
  expect_int("type index of the bool", seen.type_index, kTVMFFIBool);
  expect_int("the bool", seen.v_int64, 1);
  require(expect_ok(iut, new_getter(iut, kTVMFFIFloat)(&fraction, &seen)));
  expect_int("type index of the float", seen.type_index, kTVMFFIFloat);
  expect_that(seen.v_float64 == fraction, "0.1", "%g", seen.v_float64);
}

CASE(getter_gives_an_object, .clauses = {REFL_16},
     .title = "a getter of objects gives a reference of its own, or None")
{
  TVMFFIFieldGetter getter = new_getter(iut, kTVMFFIObject);
  TVMFFIObjectHandle object = new_probe_object(iut), none = NULL;
  TVMFFIAny seen = any_none();
  require(expect_ok(iut, getter(&object, &seen)));
  expect_int("type index", seen.type_index, object_type_index(iut, object));
  expect_pointer("the object", seen.v_obj, object);
  expect_counts(iut, object, .strong = 2, .weak = 1);
  release_any(iut, &seen);
  require(expect_ok(iut, getter(&none, &seen)));
  expect_int("type index for NULL", seen.type_index, kTVMFFINone);
  release_object(iut, object);
}

CASE(setter_stores_a_number, .clauses = {REFL_17},
     .title = "setters put what was converted at an address, and nothing where that fails")
{
  Converter converter = {.iut = iut};
  TVMFFIObjectHandle set_int = new_setter(iut, kTVMFFIInt, &converter);
  TVMFFIObjectHandle set_float = new_setter(iut, kTVMFFIFloat, &converter);
  int64_t number = 1;
  double fraction = 1;
  require(expect_ok(iut, call_setter(iut, set_int, &number, view_of_int(7))));
  expect_int("the int", number, 7);
  require(expect_ok(iut, call_setter(iut, set_float, &fraction, view_of_float(0.5))));
  expect_that(fraction == 0.5, "0.5", "%g", fraction);
  expect_int("calls of the converter", converter.calls, 2);
  converter.fails = true;
  expect_error(iut, call_setter(iut, set_int, &number, view_of_int(8)), "TypeError");
  expect_int("the int after a failure", number, 7);
  release_object(iut, set_int);
  release_object(iut, set_float);
}

CASE(setter_stores_an_object, .clauses = {REFL_17},
     .title = "a setter of objects takes a reference to the new one and gives back that to the old")
{
  Converter converter = {.iut = iut};
  TVMFFIObjectHandle setter = new_setter(iut, kTVMFFIObject, &converter);
  TVMFFIObjectHandle one = new_probe_object(iut), other = new_probe_object(iut), place = NULL;
  require(expect_ok(iut, call_setter(iut, setter, &place, view_of_object(iut, one))));
  expect_pointer("the object", place, one);
  expect_counts(iut, one, .strong = 2, .weak = 1);
  require(expect_ok(iut, call_setter(iut, setter, &place, view_of_object(iut, other))));
  expect_pointer("the object", place, other);
  expect_counts(iut, one, .strong = 1, .weak = 1);
  expect_counts(iut, other, .strong = 2, .weak = 1);
  converter.fails = true;
  expect_error(iut, call_setter(iut, setter, &place, view_of_object(iut, one)), "TypeError");
  expect_pointer("the object after a failure", place, other);
  release_object(iut, other);
  release_object(iut, other);
  release_object(iut, one);
  release_object(iut, setter);
}

// --- Classes -------------------------------------------------------------------------------------

// Own: an attribute of a type, which must be a Function. Borrowed by the column.
static TVMFFIObjectHandle function_attribute(Iut *iut, const char *name, int32_t type_index)
{
  TVMFFIByteArray text = bytes_of(name);
  const TVMFFITypeAttrColumn *column = iut->GetTypeAttrColumn(&text);
  require(expect_not_null("the column", column));
  TVMFFITypeAttrColumn seen = column_seen(iut, column);
  int64_t place = (int64_t)type_index - seen.begin_index;
  require(expect_that(place >= 0 && place < seen.size, "a column that covers the type", "not"));
  require(expect_int("type index of the attribute", seen.data[place].type_index, kTVMFFIFunction));
  return seen.data[place].v_obj;
}

static void enter_field(Iut *iut, int32_t type_index, const char *name, int32_t declared,
                        int64_t offset, Converter *converter)
{
  TVMFFIFieldInfo field = {
      .name = bytes_of(name),
      .flags = kTVMFFIFieldFlagBitMaskWritable | kTVMFFIFieldFlagBitSetterIsFunctionObj,
      .size = 8,
      .alignment = 8,
      .offset = offset,
      .getter = new_getter(iut, declared),
      .setter = new_setter(iut, declared, converter),
      .field_static_type_index = declared};
  require(expect_ok(iut, iut->TypeRegisterField(type_index, &field)));
  release_object(iut, field.setter);
}

static void expect_fields(Iut *iut, TVMFFIAny object, int64_t number, TVMFFIObjectHandle held)
{
  const char *memory = (const char *)object.v_obj;
  int64_t seen;
  TVMFFIObjectHandle place;
  memcpy(&seen, memory + 24, sizeof seen);
  memcpy(&place, memory + 32, sizeof place);
  (void)iut;
  expect_int("the first field", seen, number);
  expect_pointer("the second field", place, held);
}

CASE(class_is_made_of_its_fields, .clauses = {REFL_18},
     .title = "objects of a type that tells of its fields alone are made and copied")
{
  Converter converter = {.iut = iut};
  int32_t type_index = new_type(iut, "conform.Made", (TypePlan){.overflow = true});
  enter_field(iut, type_index, "number", kTVMFFIInt, 24, &converter);
  enter_field(iut, type_index, "held", kTVMFFIObject, 32, &converter);
  value_of(iut, "ffi._PyClassRegisterTypeAttrColumns",
           VALUES(view_of_int(type_index), view_of_int(40)));
  TVMFFIObjectHandle held = new_probe_object(iut);
  TVMFFIAny args[] = {view_of_int(42), view_of_object(iut, held)}, made = any_none();
  TVMFFIObjectHandle init = function_attribute(iut, "__ffi_init__", type_index);
  require(expect_ok(iut, iut->FunctionCall(init, args, 2, &made)));
  require(expect_int("type index of the object", made.type_index, type_index));
  expect_fields(iut, made, 42, held);
  expect_counts(iut, held, .strong = 2, .weak = 1);
  TVMFFIAny copy = any_none();
  TVMFFIObjectHandle shallow = function_attribute(iut, "__ffi_shallow_copy__", type_index);
  require(expect_ok(iut, iut->FunctionCall(shallow, &made, 1, &copy)));
  require(expect_int("type index of the copy", copy.type_index, type_index));
  expect_that(copy.v_obj != made.v_obj, "another object", "the same");
  expect_fields(iut, copy, 42, held);
  expect_counts(iut, held, .strong = 3, .weak = 1);
  release_any(iut, &copy);
  release_any(iut, &made);
  expect_counts(iut, held, .strong = 1, .weak = 1);
  release_object(iut, held);
}

// --- Paths ---------------------------------------------------------------------------------------

// Own: a context that notes these objects, the innermost first.
static TVMFFIAny context_of(Iut *iut, TVMFFIAny *noted, size_t count)
{
  TVMFFIByteArray key = bytes_of("ffi.VisitErrorContext");
  int32_t type_index = -1;
  TVMFFIObjectHandle context = NULL;
  require(expect_ok(iut, iut->TypeKeyToIndex(&key, &type_index)));
  const TVMFFITypeInfo *info = info_of(iut, type_index);
  require(expect_not_null("metadata of the context's type", info->metadata));
  require(expect_not_null("its creator", (void *)(uintptr_t)info->metadata->creator));
  require(expect_ok(iut, info->metadata->creator(&context)));
  TVMFFIAny list = value_of(iut, "ffi.List", noted, count);
  for (int32_t i = 0; i < info->num_fields; ++i) {
    const TVMFFIFieldInfo *field = &info->fields[i];
    TVMFFIFieldSetter setter = NULL;
    if (field->name.size != 21 || memcmp(field->name.data, "reverse_visit_pattern", 21) != 0) {
      continue;
    }
    memcpy(&setter, &field->setter, sizeof setter);
    require(expect_ok(iut, setter((char *)context + field->offset, &list)));
  }
  release_any(iut, &list);
  return view_of_object(iut, context);
}

static void expect_ways(Iut *iut, TVMFFIAny root, TVMFFIAny *noted, size_t count, int64_t due)
{
  static const char find[] = "ffi.VisitErrorContext.FindAccessPaths";
  TVMFFIByteArray key = bytes_of("ffi.reflection.AccessPath");
  int32_t path = -1;
  TVMFFIAny context = context_of(iut, noted, count);
  TVMFFIAny found = value_of(iut, find, VALUES(root, context, view_of_bool(false)));
  require(expect_ok(iut, iut->TypeKeyToIndex(&key, &path)));
  require(expect_int("type index of the result", found.type_index, kTVMFFIArray));
  require(expect_int("ways", sequence_cell(iut, found.v_obj)->size, due));
  for (int64_t i = 0; i < due; ++i) {
    expect_int("type index of a way", sequence_elements(iut, found.v_obj)[i].type_index, path);
  }
  release_any(iut, &found);
  release_any(iut, &context);
}

CASE(ways_to_noted_objects_are_found, .clauses = {REFL_21},
     .title = "ways from an object to the innermost noted one lead through the other noted ones")
{
  Converter converter = {.iut = iut};
  TVMFFITypeMetadata metadata = {.total_size = 40};
  int32_t type_index = new_type(iut, "conform.Pair", (TypePlan){.overflow = true});
  enter_field(iut, type_index, "one", kTVMFFIObject, 24, &converter);
  enter_field(iut, type_index, "other", kTVMFFIObject, 32, &converter);
  value_of(iut, "ffi._PyClassRegisterTypeAttrColumns",
           VALUES(view_of_int(type_index), view_of_int(40)));
  require(expect_ok(iut, iut->TypeRegisterMetadata(type_index, &metadata)));
  TVMFFIObjectHandle init = function_attribute(iut, "__ffi_init__", type_index);
  TVMFFIAny empty = value_of(iut, "ffi.Array", VALUES(view_of_int(1)));
  TVMFFIAny leaf = any_none(), left = any_none(), right = any_none(), root = any_none();
  require(expect_ok(iut, iut->FunctionCall(init, VALUES(empty, empty), &leaf)));
  TVMFFIAny both = value_of(iut, "ffi.Array", VALUES(leaf, leaf));
  require(expect_ok(iut, iut->FunctionCall(init, VALUES(leaf, empty), &left)));
  require(expect_ok(iut, iut->FunctionCall(init, VALUES(both, empty), &right)));
  require(expect_ok(iut, iut->FunctionCall(init, VALUES(left, right), &root)));
  expect_ways(iut, root, VALUES(leaf, root), 3);
  expect_ways(iut, root, VALUES(leaf, left, root), 1);
  expect_ways(iut, root, VALUES(leaf, right, root), 2);
  expect_ways(iut, root, VALUES(left, leaf, root), 0);
  TVMFFIAny *owned[] = {&root, &right, &left, &both, &leaf, &empty};
  for (int i = 0; i < 6; ++i) release_any(iut, owned[i]);
}

// --- Texts ---------------------------------------------------------------------------------------

static const struct {
  const char *name, *value;
  const char *shows[4];  // in this order
  bool whole;            // nothing else
} shown[] = {
    {"int", "-1234567", {"-1234567"}, true},
    {"array", "[111,[222,333],444]", {"111", "222", "333", "444"}, false},
};

CASE_ROWS(text_shows_what_is_held, shown, .clauses = {REFL_20},
          .title = "the text of an int is its digits, that of an Array shows its elements in order")
{
  TVMFFIAny value = json_value(iut, row->value);
  TVMFFIAny text = value_of(iut, "ffi.ReprPrint", VALUES(value));
  TVMFFIByteArray bytes = content_of(iut, &text);
  char copy[200] = "";
  require(expect_that(bytes.size < sizeof copy, "a short text", "%zu bytes", bytes.size));
  memcpy(copy, bytes.data, bytes.size);
  const char *at = copy;
  for (int i = 0; i < 4 && row->shows[i]; ++i) {
    const char *found = strstr(at, row->shows[i]);
    require(expect_that(found != NULL, row->shows[i], "%s", copy));
    at = found + strlen(row->shows[i]);
  }
  if (row->whole) expect_that(strcmp(copy, row->shows[0]) == 0, row->shows[0], "%s", copy);
  release_any(iut, &text);
  release_any(iut, &value);
}
