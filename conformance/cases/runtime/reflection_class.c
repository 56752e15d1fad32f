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

// What is due of a field: its declared type decides how it is read and written.
static void enter_field_as(Iut *iut, int32_t type_index, TVMFFIFieldInfo field,
                           Converter *converter)
{
  int32_t declared = field.field_static_type_index;
  field.flags |= kTVMFFIFieldFlagBitMaskWritable | kTVMFFIFieldFlagBitSetterIsFunctionObj;
  field.size = field.alignment = 8;
  field.getter = new_getter(iut, declared);
  field.setter = new_setter(iut, declared, converter);
  require(expect_ok(iut, iut->TypeRegisterField(type_index, &field)));
  release_object(iut, field.setter);
}

static void enter_field(Iut *iut, int32_t type_index, const char *name, int32_t declared,
                        int64_t offset, Converter *converter)
{
  TVMFFIFieldInfo field = {
      .name = bytes_of(name), .offset = offset, .field_static_type_index = declared};
  enter_field_as(iut, type_index, field, converter);
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

// --- Constructors --------------------------------------------------------------------------------

// The creator of a type is called without anything: it makes objects of this type.
static Iut *creating_iut;
static int32_t created_type;

static int create_object(TVMFFIObjectHandle *result)
{
  *result = new_probe_object_of(creating_iut, created_type);
  memset((char *)*result + 24, 0, 24);
  return 0;
}

// Registers a type with the fields `number`, `held` and `level`, whose default is 7, and gives it a
// constructor, which is borrowed.
static TVMFFIObjectHandle new_constructor(Iut *iut, const char *key, Converter *converter)
{
  TVMFFITypeMetadata metadata = {.creator = create_object, .total_size = 88};
  creating_iut = iut;
  created_type = new_type(iut, key, (TypePlan){.overflow = true});
  enter_field(iut, created_type, "number", kTVMFFIInt, 24, converter);
  enter_field(iut, created_type, "held", kTVMFFIObject, 32, converter);
  TVMFFIFieldInfo level = {.name = bytes_of("level"),
                           .offset = 40,
                           .field_static_type_index = kTVMFFIInt,
                           .flags = kTVMFFIFieldFlagBitMaskHasDefault,
                           .default_value_or_factory = view_of_int(7)};
  enter_field_as(iut, created_type, level, converter);
  require(expect_ok(iut, iut->TypeRegisterMetadata(created_type, &metadata)));
  value_of(iut, "ffi._RegisterFFIInit", VALUES(view_of_int(created_type)));
  return function_attribute(iut, "__ffi_init__", created_type);
}

// Expects an object with these fields, and lets it go.
static void expect_constructed(Iut *iut, int code, TVMFFIAny made, TVMFFIObjectHandle held,
                               int64_t level)
{
  TVMFFIObjectHandle object = made.v_obj;
  int64_t seen;
  require(expect_ok(iut, code));
  require(expect_int("type index of the object", made.type_index, created_type));
  expect_fields(iut, made, 42, held);
  memcpy(&seen, (const char *)object + 40, sizeof seen);
  expect_int("the third field", seen, level);
  release_any(iut, &made);
  expect_that(probe_deleter_calls(object) == 1, "1 call of the deleter", "%u",
              probe_deleter_calls(object));
}

CASE(constructor_sets_the_fields, .clauses = {REFL_22, REFL_24},
     .title = "a constructor has an object made, and sets its fields to the arguments or defaults")
{
  Converter converter = {.iut = iut};
  TVMFFIObjectHandle init = new_constructor(iut, "conform.Constructed", &converter);
  TVMFFIObjectHandle held = new_probe_object(iut);
  TVMFFIAny args[] = {view_of_int(42), view_of_object(iut, held), view_of_int(5)};
  TVMFFIAny made = any_none();
  int code = iut->FunctionCall(init, args, 3, &made);
  expect_constructed(iut, code, made, held, 5);
  made = any_none();
  code = iut->FunctionCall(init, args, 2, &made);
  expect_constructed(iut, code, made, held, 7);
  release_object(iut, held);
}

CASE(constructor_takes_names, .clauses = {REFL_23, REFL_24},
     .title = "values behind the object for names are those of the fields that are named")
{
  Converter converter = {.iut = iut};
  TVMFFIObjectHandle init = new_constructor(iut, "conform.Named", &converter);
  TVMFFIObjectHandle held = new_probe_object(iut);
  TVMFFIAny names = value_of(iut, "ffi.GetKwargsObject", VALUES()), made = any_none();
  TVMFFIAny object = view_of_object(iut, held), level = view_of_raw_string("level");
  TVMFFIAny of_object = view_of_raw_string("held"), of_number = view_of_raw_string("number");
  TVMFFIAny all[] = {names, level, view_of_int(5), of_object, object, of_number, view_of_int(42)};
  int code = iut->FunctionCall(init, all, 7, &made);
  expect_constructed(iut, code, made, held, 5);
  TVMFFIAny some[] = {view_of_int(42), names, of_object, object};
  made = any_none();
  code = iut->FunctionCall(init, some, 4, &made);
  expect_constructed(iut, code, made, held, 7);
  release_any(iut, &names);
  release_object(iut, held);
}

CASE(constructor_refuses_what_does_not_fit, .clauses = {REFL_30}, .wrong_call = true,
     .title = "too many values, unknown names, values that are given twice and missing ones")
{
  Converter converter = {.iut = iut};
  TVMFFIObjectHandle init = new_constructor(iut, "conform.Refusing", &converter);
  TVMFFIAny names = value_of(iut, "ffi.GetKwargsObject", VALUES()), made = any_none();
  TVMFFIAny one = view_of_int(1), object = view_of_object(iut, new_probe_object(iut));
  TVMFFIAny right[] = {one, object};
  require(expect_ok(iut, iut->FunctionCall(init, right, 2, &made)));  // positive control
  release_any(iut, &made);
  TVMFFIAny too_many[] = {one, object, one, one};
  expect_error(iut, iut->FunctionCall(init, too_many, 4, &made), NULL);
  TVMFFIAny unknown[] = {one, object, names, view_of_raw_string("depth"), one};
  expect_error(iut, iut->FunctionCall(init, unknown, 5, &made), NULL);
  TVMFFIAny twice[] = {one, object, names, view_of_raw_string("number"), one};
  expect_error(iut, iut->FunctionCall(init, twice, 5, &made), NULL);
  expect_error(iut, iut->FunctionCall(init, &one, 1, &made), NULL);
  release_any(iut, &names);
  release_any(iut, &object);
}

// --- Conversions ---------------------------------------------------------------------------------

static TVMFFIAny make_text(Iut *iut)
{
  return json_string(iut, "a text of more than seven bytes", 31);
}

static TVMFFIAny make_bytes(Iut *iut)
{
  TVMFFIByteArray bytes = bytes_of("bytes, more than seven");
  TVMFFIAny made = any_none();
  require(expect_ok(iut, iut->BytesFromByteArray(&bytes, &made)));
  return made;
}

static TVMFFIAny make_function(Iut *iut)
{
  return view_of_object(iut, new_function_object(iut));
}

static TVMFFIAny make_array(Iut *iut)
{
  return value_of(iut, "ffi.Array", VALUES(view_of_int(1)));
}

static TVMFFIAny make_map(Iut *iut)
{
  return value_of(iut, "ffi.Map", VALUES(view_of_int(1), view_of_int(2)));
}

static TVMFFIAny make_list(Iut *iut)
{
  return value_of(iut, "ffi.List", VALUES(view_of_int(1)));
}

static TVMFFIAny make_dict(Iut *iut)
{
  return value_of(iut, "ffi.Dict", VALUES(view_of_int(1), view_of_int(2)));
}

static const struct {
  const char *name;
  int32_t type_index;
  TVMFFIAny (*make)(Iut *iut);
} conversions[] = {
    {"string", kTVMFFIStr, make_text},
    {"bytes", kTVMFFIBytes, make_bytes},
    {"function", kTVMFFIFunction, make_function},
    {"array", kTVMFFIArray, make_array},
    {"map", kTVMFFIMap, make_map},
    {"list", kTVMFFIList, make_list},
    {"dict", kTVMFFIDict, make_dict},
};

CASE_ROWS(conversion_gives_what_is_of_the_type, conversions, .clauses = {REFL_31},
          .title = "a value of the type is given as it is, an int is refused")
{
  TVMFFIObjectHandle convert_to = function_attribute(iut, "__ffi_convert__", row->type_index);
  TVMFFIAny value = row->make(iut), given = any_none(), number = view_of_int(5);
  require(expect_ok(iut, iut->FunctionCall(convert_to, &value, 1, &given)));
  expect_same_bytes(&given, &value);
  release_any(iut, &given);
  expect_error(iut, iut->FunctionCall(convert_to, &number, 1, &given), NULL);
  release_any(iut, &value);
}

// --- Enumerations --------------------------------------------------------------------------------

static int32_t type_of_key(Iut *iut, const char *key)
{
  TVMFFIByteArray text = bytes_of(key);
  return index_of(iut, &text);
}

CASE(enumerations_have_their_state, .clauses = {REFL_32},
     .title = "a new state of an enumeration has a List and two Dicts, which are empty")
{
  static const struct {
    const char *name;
    int32_t type_index;
    const char *size;
  } due[] = {{"entries", kTVMFFIList, "ffi.ListSize"},
             {"indexes", kTVMFFIDict, "ffi.DictSize"},
             {"attrs", kTVMFFIDict, "ffi.DictSize"}};
  TVMFFIObjectHandle state = NULL;
  const TVMFFITypeInfo *info = info_of(iut, type_of_key(iut, "ffi.EnumState"));
  require(expect_not_null("metadata of the type", info->metadata));
  require(expect_not_null("its creator", (void *)(uintptr_t)info->metadata->creator));
  require(expect_ok(iut, info->metadata->creator(&state)));
  require(expect_int("fields", info->num_fields, 3));
  for (int i = 0; i < 3; ++i) {
    TVMFFIAny held = any_none();
    expect_text("name of the field", info->fields[i].name, due[i].name);
    const int offset = 24 + i * (int)sizeof(void *);
    require(expect_int("its offset", info->fields[i].offset, offset));
    require(expect_ok(iut, info->fields[i].getter((char *)state + offset, &held)));
    require(expect_int("type index of what it holds", held.type_index, due[i].type_index));
    expect_gives(iut, view_of_int(0), due[i].size, VALUES(held));
    release_any(iut, &held);
  }
  release_object(iut, state);
  const char *const children[] = {"ffi.IntEnum", "ffi.StrEnum"};
  int32_t parent = type_of_key(iut, "ffi.Enum");
  for (int i = 0; i < 2; ++i) {
    const TVMFFITypeInfo *child = info_of(iut, type_of_key(iut, children[i]));
    require(expect_that(child->type_depth >= 1, "a parent", "none"));
    expect_int("type index of the parent", child->type_ancestors[child->type_depth - 1]->type_index,
               parent);
  }
}

// --- Access paths --------------------------------------------------------------------------------

// Own: what a method of access paths gives.
static TVMFFIAny path_of(Iut *iut, const char *method, TVMFFIAny *args, size_t count)
{
  const TVMFFITypeInfo *info = info_of(iut, type_of_key(iut, "ffi.reflection.AccessPath"));
  TVMFFIAny result = any_none();
  for (int32_t i = 0; i < info->num_methods; ++i) {
    const TVMFFIMethodInfo *found = &info->methods[i];
    if (found->name.size != strlen(method) || memcmp(found->name.data, method, found->name.size)) {
      continue;
    }
    require(expect_int("type index of the method", found->method.type_index, kTVMFFIFunction));
    require(expect_ok(iut, iut->FunctionCall(found->method.v_obj, args, (int32_t)count, &result)));
    return result;
  }
  require(expect_that(false, method, "no such method"));
  return result;
}

static void expect_truth(Iut *iut, const char *method, TVMFFIAny one, TVMFFIAny other, bool due)
{
  TVMFFIAny truth = path_of(iut, method, VALUES(one, other));
  expect_int("type index of the result", truth.type_index, kTVMFFIBool);
  expect_that((truth.v_int64 != 0) == due, due ? "true" : "false", due ? "false" : "true");
}

CASE(paths_are_made_of_steps, .clauses = {REFL_33},
     .title = "paths of the same steps are equal, and begin with those of fewer")
{
  TVMFFIAny name = view_of_raw_string("body"), key = view_of_raw_string("k");
  TVMFFIAny root = path_of(iut, "_root", VALUES());
  TVMFFIAny body = path_of(iut, "_attr", VALUES(root, name));
  TVMFFIAny item = path_of(iut, "_array_item", VALUES(body, view_of_int(3)));
  TVMFFIAny again = path_of(iut, "_attr", VALUES(root, name));
  TVMFFIAny same = path_of(iut, "_array_item", VALUES(again, view_of_int(3)));
  TVMFFIAny other = path_of(iut, "_array_item", VALUES(body, view_of_int(4)));
  TVMFFIAny entry = path_of(iut, "_map_item", VALUES(body, key));
  expect_truth(iut, "_path_equal", item, same, true);
  expect_truth(iut, "_path_equal", item, other, false);
  expect_truth(iut, "_path_equal", item, entry, false);
  expect_truth(iut, "_path_equal", item, body, false);
  expect_truth(iut, "_is_prefix_of", root, item, true);
  expect_truth(iut, "_is_prefix_of", again, item, true);
  expect_truth(iut, "_is_prefix_of", item, body, false);
  expect_truth(iut, "_is_prefix_of", other, item, false);
  TVMFFIAny *owned[] = {&entry, &other, &same, &again, &item, &body, &root};
  for (int i = 0; i < 7; ++i) release_any(iut, owned[i]);
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
