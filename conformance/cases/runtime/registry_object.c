// SPDX-License-Identifier: Apache-2.0
// Functions made of callbacks, and objects made of their fields.
#include "cases/runtime/container_calling.h"

CHAPTER(registry);

// --- Callbacks -----------------------------------------------------------------------------------

static TVMFFIAny view_of_callback(TVMFFISafeCallType callback)
{
  return view_of_bits(kTVMFFIOpaquePtr, (uintptr_t)callback);
}

static TVMFFIAny view_of_deleter(void (*deleter)(void *self))
{
  return view_of_bits(kTVMFFIOpaquePtr, (uintptr_t)deleter);
}

static const struct {
  const char *name;
  bool with_self, with_deleter, null_pointers;  // what is not there is a NULL pointer, not None
} closures[] = {
    {"self-and-deleter", true, true, false},
    {"self-only", true, false, false},
    {"self-and-null-pointer", true, false, true},
    {"deleter-only", false, true, false},
    {"neither", false, false, false},
    {"two-null-pointers", false, false, true},
};

// For a deleter that is called without self.
static atomic_uint ended_without_self;

static void note_end(void *self)
{
  if (!self) atomic_fetch_add(&ended_without_self, 1);
}

CASE_ROWS(callback_becomes_a_function, closures, .clauses = {REG_18},
          .title =
              "a function made of self, callback and deleter is called with the self that it "
              "should, gives what the callback gives, and ends once")
{
  CallLog log = {.gives = true, .give = view_of_int(42)}, *seen = &log;
  TVMFFIAny nothing = row->null_pointers ? view_of_bits(kTVMFFIOpaquePtr, 0) : any_none();
  TVMFFIAny args[3] = {nothing, view_of_callback(call_log_callee_without_self), nothing};
  if (row->with_self) {
    args[0] = view_of_bits(kTVMFFIOpaquePtr, (uintptr_t)&log);
    args[1] = view_of_callback(call_log_callee);
  } else {
    seen = &call_log_without_self;
    seen->gives = true, seen->give = view_of_int(42);
  }
  if (row->with_deleter) args[2] = view_of_deleter(row->with_self ? call_log_delete : note_end);
  TVMFFIObjectHandle function = object_of(iut, "ffi.FunctionFromExternC", fenced_args(args, 3), 3);
  expect_int("type index", object_type_index(iut, function), kTVMFFIFunction);
  expect_counts(iut, function, .strong = 1, .weak = 1);
  expect_int("calls of the callback before", seen->calls, 0);
  TVMFFIAny result = any_none(), given[2] = {view_of_int(1), view_of_float(2)};
  require(expect_ok(iut, iut->FunctionCall(function, given, 2, &result)));
  expect_same_bytes(&result, &seen->give);
  expect_int("arguments that the callback saw", seen->num_args, 2);
  void *self = row->with_self ? (void *)&log : row->with_deleter ? NULL : function;
  expect_pointer("handle that the callback saw", seen->handle, self);
  object_take_weak(iut, function);
  release_object(iut, function);
  expect_int("calls of the deleter", log.deleted + ended_without_self, row->with_deleter);
  object_release_weak(iut, function);
  expect_int("calls of the deleter after all", log.deleted + ended_without_self, row->with_deleter);
}

CASE(failing_callback_fails, .clauses = {REG_18},
     .title = "a function made of a callback returns what the callback returns, and its error")
{
  CallLog log = {.returns = -1};
  TVMFFIAny args[3] = {view_of_bits(kTVMFFIOpaquePtr, (uintptr_t)&log),
                       view_of_callback(call_log_callee), any_none()};
  TVMFFIObjectHandle function = object_of(iut, "ffi.FunctionFromExternC", args, 3);
  TVMFFIAny result = any_none();
  iut->ErrorSetRaisedFromCStr("conform.Kind", "of the callback");
  expect_error(iut, iut->FunctionCall(function, NULL, 0, &result), "conform.Kind");
  log.returns = 0;
  expect_ok(iut, iut->FunctionCall(function, NULL, 0, &result));
  release_object(iut, function);
}

CASE(what_is_no_pointer_is_no_callback, .clauses = {REG_19}, .wrong_call = true,
     .title =
         "an integer, a string or an object among the three arguments, or another number of "
         "arguments, raises a TypeError")
{
  TVMFFIAny text = new_text(iut, kTVMFFIStr, "not a pointer");
  ExpectedCounts before = counts_of(iut, text.v_obj);
  TVMFFIAny good[4] = {any_none(), view_of_callback(call_log_callee_without_self), any_none(),
                       any_none()};
  const TVMFFIAny bad[] = {view_of_int(0), view_of_int((int64_t)(uintptr_t)call_log_callee),
                           view_of_small_string("f"), view_of_raw_string("f"), text};
  for (int place = 0; place < 3; ++place)
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i) {
      TVMFFIAny args[3] = {good[0], good[1], good[2]};
      args[place] = bad[i];
      note("argument %d is of type index %d", place, bad[i].type_index);
      expect_refused(iut, "TypeError", "ffi.FunctionFromExternC", args, 3);
    }
  for (size_t count = 0; count <= 4; ++count) {
    note("%zu arguments", count);
    if (count != 3) expect_refused(iut, "TypeError", "ffi.FunctionFromExternC", good, count);
  }
  release_object(iut, object_of(iut, "ffi.FunctionFromExternC", good, 3));
  expect_counts_added(iut, text.v_obj, before, 0);
  release_any(iut, &text);
}

// --- Types of ours -------------------------------------------------------------------------------

enum { CALLS_MAX = 16 };

// What the creator and the setters below saw, and what they are to do.
static struct {
  const Iut *library;
  int32_t type_index;
  unsigned creations, sets;
  TVMFFIObjectHandle created;
  size_t offsets[CALLS_MAX];  // of the addresses, from the handle
  TVMFFIAny values[CALLS_MAX];
  unsigned failing_set;  // the call of a setter that fails, counted from 1
  bool creator_fails;
  TVMFFIObjectHandle setter_gives;  // what setters that are functions return; NULL: nothing
} seen;

static int create(TVMFFIObjectHandle *result)
{
  ++seen.creations;
  if (seen.creator_fails) {
    seen.library->ErrorSetRaisedFromCStr("conform.CreatorError", "asked to fail");
    return -1;
  }
  *result = seen.created = new_probe_object_of(seen.library, seen.type_index);
  return 0;
}

static int set(void *field, const TVMFFIAny *value)
{
  unsigned call = seen.sets++;
  if (call < CALLS_MAX) {
    seen.offsets[call] = (size_t)((char *)field - (char *)seen.created);
    seen.values[call] = *value;
  }
  if (seen.sets != seen.failing_set) return 0;
  seen.library->ErrorSetRaisedFromCStr("conform.SetterError", "asked to fail");
  return -1;
}

// The same as a function.
static int set_by_function(void *self, const TVMFFIAny *args, int32_t count, TVMFFIAny *result)
{
  (void)self;
  if (count != 2 || args[0].type_index != kTVMFFIOpaquePtr) {
    seen.library->ErrorSetRaisedFromCStr("TypeError", "a setter takes an address and a value");
    return -1;
  }
  if (seen.setter_gives) {
    seen.library->ObjectIncRef(seen.setter_gives);
    *result = view_of_object(seen.library, seen.setter_gives);
  }
  return set(args[0].v_ptr, &args[1]);
}

static unsigned made_defaults;
static bool default_fails;

static int make_default(void *self, const TVMFFIAny *args, int32_t count, TVMFFIAny *result)
{
  (void)self;
  (void)args;
  ++made_defaults;
  if (default_fails) {
    seen.library->ErrorSetRaisedFromCStr("conform.DefaultError", "asked to fail");
    return -1;
  }
  *result = view_of_int(900 + count);
  return 0;
}

static TVMFFIAny function_of(Iut *iut, TVMFFISafeCallType callback)
{
  return view_of_object(iut, new_function(iut, NULL, callback, NULL));
}

static void add_field(Iut *iut, int32_t type_index, const char *name, int64_t offset, int64_t flags,
                      TVMFFIAny default_value)
{
  void *setter;
  TVMFFIFieldSetter set_field = set;
  memcpy(&setter, &set_field, sizeof setter);
  if (flags & kTVMFFIFieldFlagBitSetterIsFunctionObj)
    setter = function_of(iut, set_by_function).v_obj;
  TVMFFIFieldInfo info = {.name = bytes_of(name),
                          .flags = flags | kTVMFFIFieldFlagBitMaskWritable,
                          .size = 8,
                          .alignment = 8,
                          .offset = offset,
                          .setter = setter,
                          .default_value_or_factory = default_value,
                          .field_static_type_index = -1};
  require(expect_ok(iut, iut->TypeRegisterField(type_index, &info)));
}

static int32_t new_type(Iut *iut, const char *key, int32_t depth, int32_t parent)
{
  TVMFFIByteArray text = bytes_of(key);
  int32_t type_index = iut->TypeGetOrAllocIndex(&text, -1, depth, 0, 1, parent);
  TVMFFITypeMetadata metadata = {.creator = create, .total_size = 64};
  require(expect_ok(iut, iut->TypeRegisterMetadata(type_index, &metadata)));
  seen.library = iut;
  seen.type_index = type_index;
  return type_index;
}

// A type with the fields x and y, and the fields a and b of its parent: the offsets are not in
// order.
static int32_t new_child_type(Iut *iut)
{
  int32_t parent = new_type(iut, "conform.Parent", 1, kTVMFFIObject);
  add_field(iut, parent, "a", 40, 0, any_none());
  add_field(iut, parent, "b", 24, 0, any_none());
  int32_t child = new_type(iut, "conform.AChild", 2, parent);
  add_field(iut, child, "x", 56, 0, any_none());
  add_field(iut, child, "y", 48, 0, any_none());
  return child;
}

// A type with one field w without, and these with a default: v of 5, and what the caller adds.
static int32_t new_default_type(Iut *iut)
{
  int32_t type_index = new_type(iut, "conform.Defaults", 1, kTVMFFIObject);
  add_field(iut, type_index, "v", 24, kTVMFFIFieldFlagBitMaskHasDefault, view_of_int(5));
  add_field(iut, type_index, "w", 32, 0, any_none());
  return type_index;
}

// The n-th call of a setter was for this offset, with this integer.
static void expect_set(unsigned n, size_t offset, int64_t value)
{
  note("call %u of a setter", n);
  expect_int("offset of the address", (int64_t)seen.offsets[n], (int64_t)offset);
  TVMFFIAny expected = view_of_int(value);
  expect_same_bytes(&seen.values[n], &expected);
}

#define MAKE "ffi.MakeObjectFromPackedArgs"

static TVMFFIAny name_of(const char *field)
{
  return view_of_raw_string(field);
}

// --- Objects -------------------------------------------------------------------------------------

static const struct {
  const char *name;
  bool by_key;
} ways[] = {{"by-index", false}, {"by-key", true}};

CASE_ROWS(object_is_made_of_its_fields, ways, .clauses = {REG_20},
          .title =
              "the creator is called once, then the setter of each field, the ancestors' first, "
              "with its address and value")
{
  int32_t type_index = new_child_type(iut);
  TVMFFIAny type = row->by_key ? view_of_raw_string("conform.AChild") : view_of_int(type_index);
  TVMFFIAny args[9] = {type,         name_of("x"),   view_of_int(1), name_of("b"),  view_of_int(2),
                       name_of("y"), view_of_int(3), name_of("a"),   view_of_int(4)};
  TVMFFIObjectHandle made = object_of(iut, MAKE, fenced_args(args, 9), 9);
  expect_int("calls of the creator", seen.creations, 1);
  require(expect_int("calls of setters", seen.sets, 4));
  expect_pointer("the object", made, seen.created);
  expect_counts(iut, made, .strong = 1, .weak = 1);
  expect_set(0, 40, 4);
  expect_set(1, 24, 2);
  expect_set(2, 56, 1);
  expect_set(3, 48, 3);
  release_object(iut, made);
  expect_deleter_calls(made, "3");
}

CASE(made_object_sees_objects, .clauses = {REG_20},
     .title = "a setter sees the object that the caller gave, and no reference is left behind")
{
  TVMFFIObjectHandle probe = new_probe_object(iut);
  TVMFFIAny object = view_of_object(iut, probe), type = view_of_int(new_default_type(iut));
  TVMFFIObjectHandle made = object_of(iut, MAKE, VALUES(type, name_of("w"), object));
  require(expect_int("calls of setters", seen.sets, 2));
  expect_pointer("the value that the setter saw", seen.values[1].v_obj, probe);
  expect_int("its type index", seen.values[1].type_index, PROBE_TYPE_INDEX);
  expect_counts(iut, probe, .strong = 1, .weak = 1);
  release_object(iut, made);
}

CASE(default_is_set, .clauses = {REG_21},
     .title = "a field that is not named gets its default, and one that is named does not")
{
  TVMFFIAny type = view_of_int(new_default_type(iut)), one = view_of_int(1), two = view_of_int(2);
  release_object(iut, object_of(iut, MAKE, VALUES(type, name_of("w"), one)));
  require(expect_int("calls of setters", seen.sets, 2));
  expect_set(0, 24, 5);
  expect_set(1, 32, 1);
  release_object(iut, object_of(iut, MAKE, VALUES(type, name_of("w"), one, name_of("v"), two)));
  require(expect_int("calls of setters", seen.sets, 4));
  expect_set(2, 24, 2);
  expect_set(3, 32, 1);
}

CASE(default_may_be_none, .clauses = {REG_21}, .title = "a default of None is a default")
{
  int32_t type_index = new_default_type(iut);
  add_field(iut, type_index, "n", 40, kTVMFFIFieldFlagBitMaskHasDefault, any_none());
  TVMFFIObjectHandle made =
      object_of(iut, MAKE, VALUES(view_of_int(type_index), name_of("w"), view_of_int(1)));
  require(expect_int("calls of setters", seen.sets, 3));
  expect_int("offset of the third", (int64_t)seen.offsets[2], 40);
  expect_type_index(&seen.values[2], kTVMFFINone);
  release_object(iut, made);
}

CASE(default_is_made_by_a_function, .clauses = {REG_34},
     .title =
         "a default that is a function is called without arguments for each new object, and "
         "its result is set")
{
  int32_t type_index = new_default_type(iut);
  TVMFFIAny maker = function_of(iut, make_default), type = view_of_int(type_index);
  add_field(iut, type_index, "m", 40,
            kTVMFFIFieldFlagBitMaskHasDefault | kTVMFFIFieldFlagBitMaskDefaultFromFactory, maker);
  TVMFFIAny named[5] = {type, name_of("w"), view_of_int(1), name_of("m"), view_of_int(7)};
  for (unsigned i = 1; i <= 2; ++i) {
    seen.sets = 0;
    release_object(iut, object_of(iut, MAKE, named, 3));
    expect_int("calls of the function", made_defaults, i);
    require(expect_int("calls of setters", seen.sets, 3));
    expect_set(2, 40, 900);
  }
  seen.sets = 0;
  release_object(iut, object_of(iut, MAKE, named, 5));
  expect_int("calls of the function when the field is named", made_defaults, 2);
  expect_set(2, 40, 7);
}

CASE(setter_may_be_a_function, .clauses = {REG_35},
     .title = "a setter that is a function is called with the address as a pointer and the value")
{
  int32_t type_index = new_default_type(iut);
  add_field(iut, type_index, "f", 40, kTVMFFIFieldFlagBitSetterIsFunctionObj, any_none());
  add_field(iut, type_index, "g", 48,
            kTVMFFIFieldFlagBitSetterIsFunctionObj | kTVMFFIFieldFlagBitMaskHasDefault,
            view_of_int(6));
  TVMFFIObjectHandle made = object_of(
      iut, MAKE,
      VALUES(view_of_int(type_index), name_of("f"), view_of_int(8), name_of("w"), view_of_int(1)));
  require(expect_int("calls of setters", seen.sets, 4));
  expect_set(2, 40, 8);
  expect_set(3, 48, 6);
  release_object(iut, made);
}

CASE(result_of_a_setter_is_released, .clauses = {REG_39},
     .title = "an object that a setter which is a function returns is released")
{
  int32_t type_index = new_default_type(iut);
  add_field(iut, type_index, "f", 40, kTVMFFIFieldFlagBitSetterIsFunctionObj, any_none());
  TVMFFIObjectHandle probe = seen.setter_gives = new_probe_object(iut);
  TVMFFIObjectHandle made = object_of(
      iut, MAKE,
      VALUES(view_of_int(type_index), name_of("f"), view_of_int(8), name_of("w"), view_of_int(1)));
  require(expect_int("calls of setters", seen.sets, 3));
  expect_counts(iut, probe, .strong = 1, .weak = 1);
  release_object(iut, made);
}

CASE(default_that_cannot_be_made_makes_the_call_fail, .clauses = {REG_38},
     .title =
         "a function for a default that fails makes the call fail with the error that it raised")
{
  int32_t type_index = new_default_type(iut);
  TVMFFIAny maker = function_of(iut, make_default), type = view_of_int(type_index);
  add_field(iut, type_index, "m", 40,
            kTVMFFIFieldFlagBitMaskHasDefault | kTVMFFIFieldFlagBitMaskDefaultFromFactory, maker);
  TVMFFIAny named[3] = {type, name_of("w"), view_of_int(1)};
  release_object(iut, object_of(iut, MAKE, named, 3));
  require(expect_int("calls of setters", seen.sets, 3));
  default_fails = true;
  seen.sets = 0;
  expect_refused(iut, "conform.DefaultError", MAKE, named, 3);
  expect_that(seen.sets < 3, "no call of the setter of the field", "%u calls", seen.sets);
}

// --- Refused -------------------------------------------------------------------------------------

// tvm-ffi#674: a name of which a field is the beginning was taken for the field.
CASE(missing_and_unknown_fields_are_refused, .clauses = {REG_22}, .wrong_call = true,
     .title =
         "a missing field without default and an unknown field name raise TypeErrors; a name "
         "without value and an unknown type key raise InternalErrors")
{
  TVMFFIAny type = view_of_int(new_default_type(iut)), one = view_of_int(1);
  TVMFFIAny w = name_of("w"), v = name_of("v");
  note("the field w is missing");
  expect_refused(iut, "TypeError", MAKE, VALUES(type));
  expect_refused(iut, "TypeError", MAKE, VALUES(type, v, one));
  note("unknown fields");
  expect_refused(iut, "TypeError", MAKE, VALUES(type, w, one, name_of("unknown"), one));
  expect_refused(iut, "TypeError", MAKE, VALUES(type, w, one, name_of("ww"), one));
  expect_refused(iut, "TypeError", MAKE, VALUES(type, w, one, name_of(""), one));
  note("a name without value");
  expect_refused(iut, "InternalError", MAKE, VALUES(type, w));
  expect_refused(iut, "InternalError", MAKE, VALUES(type, w, one, v));
  note("an unknown type key");
  expect_refused(iut, "InternalError", MAKE, VALUES(name_of("conform.Unknown"), w, one));
  note("a good call");
  release_object(iut, object_of(iut, MAKE, VALUES(type, w, one)));
}

static const struct {
  const char *name;
  unsigned set;
  bool by_function;
} failing[] = {{"of-a-default", 1, false}, {"of-a-value", 2, false}, {"function", 3, true}};

CASE_ROWS(failing_setter_makes_the_call_fail, failing, .clauses = {REG_23},
          .title = "a setter that fails makes the call fail with the error that it raised")
{
  int32_t type_index = new_default_type(iut);
  if (row->by_function)
    add_field(iut, type_index, "f", 40, kTVMFFIFieldFlagBitSetterIsFunctionObj, any_none());
  TVMFFIAny args[5] = {view_of_int(type_index), name_of("w"), view_of_int(1), name_of("f"),
                       view_of_int(2)};
  size_t count = row->by_function ? 5 : 3;
  release_object(iut, object_of(iut, MAKE, args, count));
  seen.sets = 0;
  seen.failing_set = row->set;
  expect_refused(iut, "conform.SetterError", MAKE, args, count);
  expect_int("calls of setters", seen.sets >= row->set, true);
}

// tvm-ffi#650: what was allocated for an object stayed when it could not be finished.
CASE(object_that_is_not_finished_is_released, .clauses = {REG_37},
     .title = "an object of which a setter fails is deleted, and one that is finished is not")
{
  TVMFFIAny args[3] = {view_of_int(new_default_type(iut)), name_of("w"), view_of_int(1)};
  TVMFFIObjectHandle finished = object_of(iut, MAKE, args, 3);
  expect_deleter_calls(finished, "");
  seen.sets = 0;
  seen.failing_set = 2;
  expect_refused(iut, "conform.SetterError", MAKE, args, 3);
  require(expect_that(seen.created != finished, "two objects", "one object"));
  expect_deleter_calls(seen.created, "3");
  expect_deleter_calls(finished, "");
  release_object(iut, finished);
}

CASE(failing_creator_makes_the_call_fail, .clauses = {REG_36},
     .title =
         "a creator that fails makes the call fail with the error that it raised, and nothing "
         "is set")
{
  TVMFFIAny args[3] = {view_of_int(new_default_type(iut)), name_of("w"), view_of_int(1)};
  seen.creator_fails = true;
  expect_refused(iut, "conform.CreatorError", MAKE, args, 3);
  expect_int("calls of the creator", seen.creations, 1);
  expect_int("calls of setters", seen.sets, 0);
  seen.creator_fails = false;
  release_object(iut, object_of(iut, MAKE, args, 3));
  expect_int("calls of setters when it does not fail", seen.sets, 2);
}
