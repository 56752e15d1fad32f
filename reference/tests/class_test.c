// SPDX-License-Identifier: Apache-2.0
// Classes that a frontend describes by their fields: getters, setters, constructors, copies, and
// functions of their own for comparing, hashing, showing and visiting.
#include <string.h>

#include "call.h"
#include "probe.h"
#include "unit/unit.h"

//--------------------------------------------------------------------------------------------------
// The class
//--------------------------------------------------------------------------------------------------

// A field of each kind that can be declared, one behind the other.
static const struct {
  const char *name;
  int32_t declared;
  int64_t size, flags;
} kinds[] = {
    {"number", kTVMFFIInt, 8, 0},
    {"truth", kTVMFFIBool, 8, kTVMFFIFieldFlagBitMaskHasDefault},
    {"ratio", kTVMFFIFloat, 8, kTVMFFIFieldFlagBitMaskKwOnly},
    {"pointer", kTVMFFIOpaquePtr, 8, kTVMFFIFieldFlagBitMaskHasDefault},
    {"dtype", kTVMFFIDataType, 8, kTVMFFIFieldFlagBitMaskInitOff},
    {"device", kTVMFFIDevice, 8, kTVMFFIFieldFlagBitMaskInitOff},
    {"held", kTVMFFIObject, 8, kTVMFFIFieldFlagBitMaskInitOff},
    {"value", kTVMFFIAny, 16, kTVMFFIFieldFlagBitMaskInitOff},
};
enum { KINDS = sizeof kinds / sizeof *kinds, SIZE = sizeof(TVMFFIObject) + 72 };

static int32_t class_type;

// Gives what it gets, but refuses strings.
static int convert(void *converter, const TVMFFIAny *value, TVMFFIAny *result)
{
  ck_assert_ptr_null(converter);
  if (value->type_index == kTVMFFIRawStr) {
    TVMFFIErrorSetRaisedFromCStr("ValueError", "no strings,\nplease");
    return -1;
  }
  return TVMFFIAnyViewToOwnedAny(value, result);
}

static int64_t address_of(int (*function)(void *, const TVMFFIAny *, TVMFFIAny *))
{
  intptr_t address;
  memcpy(&address, &function, sizeof address);
  return address;
}

static TVMFFIAny setter_of(int32_t declared)
{
  return call("ffi.MakeFieldSetter",
              ARGS(view_int(declared), view_int(0), view_int(address_of(convert))));
}

static void add_field(int32_t type_index, int kind, int64_t offset)
{
  intptr_t getter = (intptr_t)call_int("ffi.MakeFieldGetter", ARGS(view_int(kinds[kind].declared)));
  TVMFFIAny setter = setter_of(kinds[kind].declared);
  TVMFFIFieldInfo info = {
      .name = {kinds[kind].name, strlen(kinds[kind].name)},
      .flags = kinds[kind].flags | kTVMFFIFieldFlagBitMaskWritable |
               kTVMFFIFieldFlagBitSetterIsFunctionObj,
      .size = kinds[kind].size,
      .alignment = 8,
      .offset = offset,
      .default_value_or_factory = kinds[kind].declared == kTVMFFIBool ? view_bool(1) : view_none(),
      .setter = setter.v_obj,
      .field_static_type_index = kinds[kind].declared};
  memcpy(&info.getter, &getter, sizeof getter);
  ck_assert_int_eq(TVMFFITypeRegisterField(type_index, &info), 0);
  drop(setter);
}

static void prepare(void)
{
  if (class_type != 0) return;
  class_type = TVMFFITypeGetOrAllocIndex(BYTES("class_test.All"), -1, 1, 0, 1, kTVMFFIObject);
  int64_t offset = sizeof(TVMFFIObject);
  for (int i = 0; i < KINDS; offset += kinds[i++].size) add_field(class_type, i, offset);
  TVMFFITypeMetadata metadata = {.total_size = SIZE,
                                 .structural_eq_hash_kind = kTVMFFISEqHashKindTreeNode};
  ck_assert_int_eq(TVMFFITypeRegisterMetadata(class_type, &metadata), 0);
  drop(call("ffi._PyClassRegisterTypeAttrColumns", ARGS(view_int(class_type), view_int(SIZE))));
}

static TVMFFIObjectHandle attribute_of(int32_t type_index, const char *name)
{
  TVMFFIByteArray text = {name, strlen(name)};
  const TVMFFITypeAttrColumn *column = TVMFFIGetTypeAttrColumn(&text);
  ck_assert_ptr_nonnull(column);
  const TVMFFIAny *attribute = &column->data[type_index - column->begin_index];
  ck_assert_int_eq(attribute->type_index, kTVMFFIFunction);
  return attribute->v_obj;
}

static TVMFFIAny construct(const TVMFFIAny *args, int32_t num_args)
{
  return call_function(attribute_of(class_type, "__ffi_init__"), args, num_args);
}

static void expect_not_made(const TVMFFIAny *args, int32_t num_args, const char *kind,
                            const char *word)
{
  TVMFFIAny result = view_none(), own[8];
  for (int32_t i = 0; i < num_args; ++i) own[i] = args[i];
  TVMFFIObjectHandle init = attribute_of(class_type, "__ffi_init__");
  ck_assert_int_eq(TVMFFIFunctionCall(init, own, num_args, &result), -1);
  expect_raised(kind, word);
  ck_assert_int_eq(result.type_index, kTVMFFINone);
}

// Reads a field. Own.
static TVMFFIAny field_of(TVMFFIAny object, int kind)
{
  const TVMFFIFieldInfo *field = &TVMFFIGetTypeInfo(class_type)->fields[kind];
  TVMFFIAny value = rubbish();
  ck_assert_int_eq(field->getter((char *)object.v_obj + field->offset, &value), 0);
  return value;
}

// Calls the setter of a field. Returns its code.
static int set_field(TVMFFIAny object, int kind, TVMFFIAny value)
{
  const TVMFFIFieldInfo *field = &TVMFFIGetTypeInfo(class_type)->fields[kind];
  TVMFFIAny args[] = {view_pointer((char *)object.v_obj + field->offset), value};
  TVMFFIAny result = view_none();
  return TVMFFIFunctionCall(field->setter, args, 2, &result);
}

TEST_GROUP(all, .setup = prepare);

//--------------------------------------------------------------------------------------------------
// Constructors
//--------------------------------------------------------------------------------------------------

TEST(values_go_to_the_fields)
{
  TVMFFIAny names = call("ffi.GetKwargsObject", NO_ARGS);
  TVMFFIAny made =
      construct(ARGS(view_int(7), view_bool(0), names, view_str("ratio"), view_int(2)));
  expect_same_value(&(TVMFFIAny){.type_index = kTVMFFIInt, .v_int64 = 7},
                    &(TVMFFIAny){.type_index = kTVMFFIInt, .v_int64 = field_of(made, 0).v_int64});
  ck_assert_int_eq(field_of(made, 1).v_int64, 0);
  ck_assert_double_eq(field_of(made, 2).v_float64, 2.0);
  ck_assert_ptr_null(field_of(made, 3).v_ptr);
  ck_assert_int_eq(field_of(made, 6).type_index, kTVMFFINone);
  drop(made);
  made = construct(ARGS(view_int(7), names, view_str("ratio"), view_float(0.5)));
  ck_assert_int_eq(field_of(made, 1).v_int64, 1);
  drop(made);
  drop(names);
}

TEST(what_does_not_fit_is_refused)
{
  TVMFFIAny names = call("ffi.GetKwargsObject", NO_ARGS), one = view_int(1), half = view_float(0.5);
  TVMFFIAny ratio = view_str("ratio"), number = view_str("number");
  expect_not_made(NO_ARGS, "TypeError", "missing required argument 'number'");
  expect_not_made(ARGS(one), "TypeError", "missing required keyword-only argument 'ratio'");
  expect_not_made(ARGS(one, one, view_none(), one), "TypeError", "takes 3 positional arguments");
  expect_not_made(ARGS(one, names, ratio), "TypeError", "names each with a value");
  expect_not_made(ARGS(one, names, one, half), "TypeError", "names that are str");
  expect_not_made(ARGS(one, names, view_str("none"), half), "TypeError",
                  "unexpected keyword argument 'none'");
  expect_not_made(ARGS(one, names, view_str("device"), half), "TypeError", "'device'");
  expect_not_made(ARGS(one, names, number, one), "TypeError", "multiple values");
  expect_not_made(ARGS(one, names, ratio, half, ratio, half), "TypeError", "multiple values");
  drop(names);
}

// Each line of the message is moved to the right.
TEST(errors_of_setters_name_the_field)
{
  TVMFFIAny names = call("ffi.GetKwargsObject", NO_ARGS), ratio = view_str("ratio");
  expect_not_made(ARGS(view_str("text"), names, ratio, view_int(1)), "ValueError",
                  "class_test.All.__ffi_init__() field 'number':\n  no strings,\n  please");
  expect_not_made(ARGS(view_float(1), names, ratio, view_int(1)), "TypeError", "an int");
  drop(names);
}

TEST(rvalue_references_are_taken)
{
  TVMFFIAny names = call("ffi.GetKwargsObject", NO_ARGS);
  Probe probe = probe_make(kTVMFFIOpaquePyObject);
  TVMFFIObjectHandle slot = &probe;
  expect_not_made(ARGS(view_rvalue(&slot), names, view_str("ratio"), view_int(1)), "TypeError",
                  "an int");
  ck_assert_ptr_null(slot);
  ck_assert_int_eq(probe.calls, 1);
  drop(names);
}

TEST(registration_needs_a_type_and_room)
{
  static const char columns[] = "ffi._PyClassRegisterTypeAttrColumns";
  expect_refused(columns, ARGS(view_int(123456), view_int(SIZE)), "InternalError", "123456");
  expect_refused(columns, ARGS(view_int((int64_t)1 << 40), view_int(SIZE)), "InternalError", "");
  expect_refused(columns, ARGS(view_int(class_type), view_int(SIZE - 1)), "ValueError",
                 "the field `value`");
  expect_refused(columns, ARGS(view_int(class_type), view_int(-1)), "ValueError", "lies outside");
  expect_refused(columns, ARGS(view_int(kTVMFFIObject), view_int(8)), "ValueError", "no less than");
  expect_refused("ffi._RegisterFFIInit", ARGS(view_int(123456)), "InternalError", "123456");
  expect_refused("ffi._RegisterFFIInit", ARGS(view_int((int64_t)1 << 40)), "InternalError", "-1");
}

//--------------------------------------------------------------------------------------------------
// Fields
//--------------------------------------------------------------------------------------------------

static TVMFFIAny make(void)
{
  TVMFFIAny names = call("ffi.GetKwargsObject", NO_ARGS);
  TVMFFIAny made = construct(ARGS(view_int(7), names, view_str("ratio"), view_int(2)));
  drop(names);
  return made;
}

TEST(setters_store_what_getters_give)
{
  TVMFFIAny object = make();
  int target;
  const TVMFFIAny values[KINDS] = {
      view_int(-3),
      view_bool(0),
      view_float(1.5),
      view_pointer(&target),
      {.type_index = kTVMFFIDataType, .v_dtype = {kDLFloat, 16, 2}},
      {.type_index = kTVMFFIDevice, .v_device = {kDLCUDA, 3}},
      call("ffi.Array", NO_ARGS),
      view_float(2.5),
  };
  for (int i = 0; i < KINDS; ++i) {
    ck_assert_int_eq(set_field(object, i, values[i]), 0);
    TVMFFIAny got = field_of(object, i);
    ck_assert_int_eq(got.type_index, values[i].type_index);
    ck_assert_uint_eq(got.v_uint64, values[i].v_uint64);
    drop(got);
  }
  expect_counts(values[6].v_obj, 2, 1);
  ck_assert_int_eq(set_field(object, 6, view_none()), 0);
  expect_counts(values[6].v_obj, 1, 1);
  ck_assert_int_eq(set_field(object, 7, values[6]), 0);
  expect_counts(values[6].v_obj, 2, 1);
  drop(object);
  expect_counts(values[6].v_obj, 1, 1);
  drop(values[6]);
}

TEST(setters_take_what_can_be_one)
{
  TVMFFIAny object = make();
  ck_assert_int_eq(set_field(object, 0, view_bool(1)), 0);
  ck_assert_int_eq(field_of(object, 0).v_int64, 1);
  ck_assert_int_eq(set_field(object, 1, view_int(5)), 0);
  ck_assert_int_eq(field_of(object, 1).v_int64, 1);
  ck_assert_int_eq(set_field(object, 2, view_int(3)), 0);
  ck_assert_double_eq(field_of(object, 2).v_float64, 3);
  ck_assert_int_eq(set_field(object, 3, view_none()), 0);
  ck_assert_ptr_null(field_of(object, 3).v_ptr);
  drop(object);
}

TEST(setters_refuse_other_values_and_change_nothing)
{
  static const char *const due[KINDS - 1] = {
      "an int", "a bool", "a float", "a pointer or None", "a data type", "a device", "an object"};
  TVMFFIAny object = make();
  for (int i = 0; i < KINDS - 1; ++i) {
    TVMFFIAny before = field_of(object, i);
    bool takes_array = kinds[i].declared == kTVMFFIObject;
    TVMFFIAny wrong = takes_array ? view_int(1) : call("ffi.Array", NO_ARGS);
    ck_assert_int_eq(set_field(object, i, wrong), -1);
    expect_raised("TypeError", due[i]);
    if (!takes_array) expect_counts(wrong.v_obj, 1, 1);
    TVMFFIAny after = field_of(object, i);
    expect_same_value(&after, &before);
    drop(wrong);
  }
  TVMFFIAny args[] = {view_int(1), view_int(1)}, result = view_none();
  TVMFFIAny setter = setter_of(kTVMFFIInt);
  ck_assert_int_eq(TVMFFIFunctionCall(setter.v_obj, args, 2, &result), -1);
  expect_raised("TypeError", "the address of a field");
  args[0] = view_pointer(NULL);
  ck_assert_int_eq(TVMFFIFunctionCall(setter.v_obj, args, 2, &result), -1);
  expect_raised("TypeError", "the address of a field");
  drop(setter);
  drop(object);
}

TEST(accessors_need_a_kind_of_field)
{
  static const int64_t none[] = {-7, kTVMFFIRawStr, kTVMFFISmallStr, (int64_t)1 << 40};
  for (size_t i = 0; i < sizeof none / sizeof *none; ++i) {
    TVMFFIAny kind = view_int(none[i]);
    expect_refused("ffi.MakeFieldGetter", ARGS(kind), "ValueError", "no field has the type index");
    expect_refused("ffi.MakeFieldSetter", ARGS(kind, view_int(0), view_int(0)), "ValueError",
                   "no field has the type index");
  }
}

//--------------------------------------------------------------------------------------------------
// Copies
//--------------------------------------------------------------------------------------------------

TEST(copies_share_what_the_original_holds)
{
  TVMFFIAny object = make(), held = call("ffi.List", NO_ARGS);
  ck_assert_int_eq(set_field(object, 6, held), 0);
  ck_assert_int_eq(set_field(object, 7, held), 0);
  TVMFFIAny copy = call_function(attribute_of(class_type, "__ffi_shallow_copy__"), ARGS(object));
  expect_counts(held.v_obj, 5, 1);
  ck_assert_int_eq(field_of(copy, 0).v_int64, 7);
  ck_assert(call_bool("ffi.RecursiveEq", ARGS(object, copy)));
  ck_assert(call_bool("ffi.StructuralEqual", ARGS(object, copy, view_bool(0), view_bool(0))));
  ck_assert_int_eq(set_field(copy, 0, view_int(8)), 0);
  ck_assert(!call_bool("ffi.RecursiveEq", ARGS(object, copy)));
  ck_assert(!call_bool("ffi.StructuralEqual", ARGS(object, copy, view_bool(0), view_bool(0))));
  drop(copy);
  expect_counts(held.v_obj, 3, 1);
  drop(object);
  TVMFFIAny other = held, result = view_none();
  ck_assert_int_eq(
      TVMFFIFunctionCall(attribute_of(class_type, "__ffi_shallow_copy__"), &other, 1, &result), -1);
  expect_raised("TypeError", "an object of this type");
  expect_counts(held.v_obj, 1, 1);
  drop(held);
}

//--------------------------------------------------------------------------------------------------
// Functions of the type
//--------------------------------------------------------------------------------------------------

// What such a function does.
typedef enum { GIVES_ANSWER, ASKS_FOR_FIELD, GIVES_TEXT, FAILS, CALLS_ITSELF } Behaviour;

static Behaviour behaviour;
static int64_t answer;
static int asked;
static const char *repeated;  // the function that calls it, for CALLS_ITSELF
static TVMFFIAny field;       // borrow: what is handed to the runtime's function

// The last argument is the runtime's function for what objects hold, but of reprs and hashes by
// content, which have it second.
static int run_own(void *handle, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  const int64_t *two = handle;  // whether the function compares two objects
  ++asked;
  *result = view_none();
  if (behaviour == FAILS) {
    TVMFFIErrorSetRaisedFromCStr("OSError", "a type fails");
    return -1;
  }
  if (behaviour == GIVES_TEXT) return TVMFFIStringFromByteArray(BYTES("text"), result);
  if (behaviour == ASKS_FOR_FIELD) {
    TVMFFIAny both[] = {field, field};
    ck_assert_int_eq(args[num_args - 1].type_index, kTVMFFIFunction);
    return TVMFFIFunctionCall(args[num_args - 1].v_obj, both, *two ? 2 : 1, result);
  }
  if (behaviour == CALLS_ITSELF) {
    TVMFFIByteArray name = {repeated, strlen(repeated)};
    TVMFFIObjectHandle function = NULL;
    TVMFFIAny again[] = {args[0], *two ? args[1] : view_bool(0), view_bool(0), view_bool(0)};
    int count = strcmp(repeated, "ffi.StructuralEqual") == 0  ? 4
                : strcmp(repeated, "ffi.StructuralHash") == 0 ? 3
                : *two                                        ? 2
                                                              : 1;
    ck_assert_int_eq(TVMFFIFunctionGetGlobal(&name, &function), 0);
    int code = TVMFFIFunctionCall(function, again, count, result);
    TVMFFIObjectDecRef(function);
    return code;
  }
  *result = view_int(answer);
  return 0;
}

typedef struct {
  const char *attribute, *function;
  int64_t two;
  int args;  // of the function, all but objects false
} Own;

static const Own owns[] = {
    {"__ffi_eq__", "ffi.RecursiveEq", 1, 2},     {"__ffi_compare__", "ffi.RecursiveLt", 1, 2},
    {"__ffi_hash__", "ffi.RecursiveHash", 0, 1}, {"__s_equal__", "ffi.StructuralEqual", 1, 4},
    {"__s_hash__", "ffi.StructuralHash", 0, 3},  {"__ffi_repr__", "ffi.ReprPrint", 0, 1},
};

// Own: an object of a class without fields that has this function.
static TVMFFIAny make_own(const Own *own)
{
  TVMFFIByteArray name = {own->attribute, strlen(own->attribute)};
  char text[64] = "class_test.";
  strcat(text, own->attribute);
  TVMFFIByteArray key = {text, strlen(text)};
  int32_t type_index = TVMFFITypeGetOrAllocIndex(&key, -1, 1, 0, 1, kTVMFFIObject);
  TVMFFITypeMetadata metadata = {.total_size = sizeof(TVMFFIObject),
                                 .structural_eq_hash_kind = kTVMFFISEqHashKindTreeNode};
  if (TVMFFIGetTypeInfo(type_index)->metadata == NULL) {
    TVMFFIObjectHandle function = NULL;
    ck_assert_int_eq(TVMFFITypeRegisterMetadata(type_index, &metadata), 0);
    ck_assert_int_eq(TVMFFIFunctionCreate((void *)(intptr_t)&own->two, run_own, NULL, &function),
                     0);
    TVMFFIAny value = view_object(function);
    ck_assert_int_eq(TVMFFITypeRegisterAttr(type_index, &name, &value), 0);
    TVMFFIObjectDecRef(function);
    drop(call("ffi._PyClassRegisterTypeAttrColumns",
              ARGS(view_int(type_index), view_int(sizeof(TVMFFIObject)))));
  }
  asked = 0;
  return call_function(attribute_of(type_index, "__ffi_init__"), NO_ARGS);
}

// Calls the function that asks the type, for two objects or one.
static int call_about(const Own *own, TVMFFIAny one, TVMFFIAny other, TVMFFIAny *result)
{
  TVMFFIByteArray name = {own->function, strlen(own->function)};
  TVMFFIObjectHandle function = NULL;
  TVMFFIAny args[] = {one, own->two ? other : view_bool(0), view_bool(0), view_bool(0)};
  *result = view_none();
  ck_assert_int_eq(TVMFFIFunctionGetGlobal(&name, &function), 0);
  int code = TVMFFIFunctionCall(function, args, own->args, result);
  TVMFFIObjectDecRef(function);
  return code;
}

static TVMFFIAny result_about(const Own *own, TVMFFIAny one, TVMFFIAny other)
{
  TVMFFIAny result;
  ck_assert_int_eq(call_about(own, one, other, &result), 0);
  ck_assert_int_gt(asked, 0);
  return result;
}

TEST(types_answer_themselves, .rows = ROWS(owns))
{
  const Own *own = &owns[_i];
  TVMFFIAny one = make_own(own), other = make_own(own), result;
  behaviour = GIVES_ANSWER;
  if (own->function[strlen(own->function) - 1] == 't' && !own->two) behaviour = GIVES_TEXT;
  for (answer = -1; answer < 2; ++answer) {
    result = result_about(own, one, other);
    if (behaviour == GIVES_TEXT) expect_string(&result, "text");
    if (own->two) {
      bool is_order = strcmp(own->function, "ffi.RecursiveLt") == 0;
      ck_assert_int_eq(result.type_index, kTVMFFIBool);
      ck_assert_int_eq(result.v_int64, is_order ? answer < 0 : answer != 0);
    }
    drop(result);
  }
  drop(one);
  drop(other);
}

TEST(types_ask_for_what_objects_hold, .rows = 4)
{
  static const int with[] = {0, 1, 2, 5};
  const Own *own = &owns[with[_i]];
  TVMFFIAny one = make_own(own), other = make_own(own), result;
  behaviour = ASKS_FOR_FIELD;
  field = call("ffi.Array", ARGS(view_int(3)));
  result = result_about(own, one, other);
  if (own->attribute[6] == 'r') expect_string(&result, "(3,)");
  if (own->attribute[6] == 'e') ck_assert_int_eq(result.v_int64, 1);
  if (own->attribute[6] == 'c') ck_assert_int_eq(result.v_int64, 0);
  drop(result);
  drop(field);
  drop(one);
  drop(other);
}

TEST(errors_of_types_pass, .rows = ROWS(owns))
{
  const Own *own = &owns[_i];
  TVMFFIAny one = make_own(own), other = make_own(own), result;
  behaviour = FAILS;
  ck_assert_int_eq(call_about(own, one, other, &result), -1);
  expect_raised("OSError", "a type fails");
  TVMFFIAny outer = call("ffi.Array", ARGS(one)), second = call("ffi.Array", ARGS(other));
  ck_assert_int_eq(call_about(own, outer, second, &result), -1);
  expect_raised("OSError", "a type fails");
  drop(outer);
  drop(second);
  expect_counts(one.v_obj, 1, 1);
  drop(one);
  drop(other);
}

TEST(answers_of_another_type_are_refused, .rows = ROWS(owns))
{
  const Own *own = &owns[_i];
  TVMFFIAny one = make_own(own), other = make_own(own), result;
  bool shows = strcmp(own->function, "ffi.ReprPrint") == 0;
  behaviour = shows ? GIVES_ANSWER : GIVES_TEXT;
  ck_assert_int_eq(call_about(own, one, other, &result), -1);
  expect_raised("TypeError", "has");
  drop(one);
  drop(other);
}

TEST(types_that_call_themselves_get_an_error, .rows = ROWS(owns))
{
  const Own *own = &owns[_i];
  TVMFFIAny one = make_own(own), other = make_own(own), result;
  behaviour = CALLS_ITSELF;
  repeated = own->function;
  ck_assert_int_eq(call_about(own, one, other, &result), -1);
  expect_raised("RecursionError", "deep inside each other");
  ck_assert_int_eq(asked, 400);
  behaviour = FAILS;  // the count is back at 0
  asked = 0;
  ck_assert_int_eq(call_about(own, one, other, &result), -1);
  expect_raised("OSError", "a type fails");
  ck_assert_int_eq(asked, 1);
  drop(one);
  drop(other);
}
