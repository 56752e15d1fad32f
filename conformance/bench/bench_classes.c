// SPDX-License-Identifier: Apache-2.0
// Objects of a class that is described by its fields, as language packages make one: what is asked
// of one object, and of eight in an Array. The titles with a name of a function begin with it.
#include <stdio.h>
#include <string.h>

#include "battery/access.h"
#include "bench/bench_operations.h"

enum { NUMBER_AT = 24, HELD_AT = 32, OBJECT_SIZE = 40, OBJECTS = 8 };

// --- The class -----------------------------------------------------------------------------------

// Takes a value as it is.
static int convert(void *handle, const TVMFFIAny *value, TVMFFIAny *result)
{
  const Iut *iut = handle;
  *result = *value;
  if (value->type_index >= kTVMFFIStaticObjectBegin) iut->ObjectIncRef(value->v_obj);
  return 0;
}

static TVMFFIAny view_of_address(const void *address)
{
  return view_of_int((int64_t)(intptr_t)address);
}

static void setter_arguments(const Iut *iut, int32_t declared, TVMFFIAny args[3])
{
  int (*function)(void *, const TVMFFIAny *, TVMFFIAny *) = convert;
  intptr_t address = 0;
  memcpy(&address, &function, sizeof address);
  args[0] = view_of_int(declared);
  args[1] = view_of_address(iut);
  args[2] = view_of_int(address);
}

static TVMFFIFieldGetter getter_of(const Iut *iut, int32_t declared)
{
  TVMFFIAny arg = view_of_int(declared);
  TVMFFIAny address = bench_call_once(iut, "ffi.MakeFieldGetter", &arg, 1);
  TVMFFIFieldGetter getter = NULL;
  if (address.type_index == kTVMFFIInt) memcpy(&getter, &address.v_int64, sizeof getter);
  return getter;
}

// Own; NULL on failure.
static TVMFFIObjectHandle setter_of(const Iut *iut, int32_t declared)
{
  TVMFFIAny args[3];
  setter_arguments(iut, declared, args);
  TVMFFIAny setter = bench_call_once(iut, "ffi.MakeFieldSetter", args, 3);
  return setter.type_index == kTVMFFIFunction ? setter.v_obj : NULL;
}

static bool enter_field(const Iut *iut, int32_t type_index, const char *name, int64_t offset,
                        int32_t declared)
{
  TVMFFIFieldInfo field = {
      .name = bytes_of(name),
      .flags = kTVMFFIFieldFlagBitMaskWritable | kTVMFFIFieldFlagBitSetterIsFunctionObj,
      .size = 8,
      .alignment = 8,
      .offset = offset,
      .getter = getter_of(iut, declared),
      .setter = setter_of(iut, declared),
      .field_static_type_index = declared};
  bool done = field.getter && field.setter && iut->TypeRegisterField(type_index, &field) == 0;
  if (field.setter) iut->ObjectDecRef(field.setter);
  return done;
}

// Borrow: an attribute of the class that is a function; NULL if it has none.
static TVMFFIObjectHandle attribute_of(const Iut *iut, const char *name, int32_t type_index)
{
  TVMFFIByteArray text = bytes_of(name);
  const TVMFFITypeAttrColumn *column = iut->GetTypeAttrColumn(&text);
  if (!column) return NULL;
  TVMFFITypeAttrColumn seen = column_seen(iut, column);
  int64_t place = (int64_t)type_index - seen.begin_index;
  if (place < 0 || place >= seen.size || seen.data[place].type_index != kTVMFFIFunction)
    return NULL;
  return seen.data[place].v_obj;
}

// The type index of the class, which is made when it is first asked for; -1 on failure. Each subject
// has one of its own.
static int32_t class_of(const BenchSubject *subject)
{
  const Iut *iut = &subject->iut;
  char text[] = "bench.Pair?";
  text[sizeof text - 2] = subject->label;
  TVMFFIByteArray key = bytes_of(text);
  int32_t type_index = iut->TypeGetOrAllocIndex(&key, -1, 1, 0, 0, kTVMFFIObject);
  if (type_index < 0 || attribute_of(iut, "__ffi_init__", type_index)) return type_index;
  TVMFFITypeMetadata metadata = {.total_size = OBJECT_SIZE,
                                 .structural_eq_hash_kind = kTVMFFISEqHashKindTreeNode};
  TVMFFIAny args[] = {view_of_int(type_index), view_of_int(OBJECT_SIZE)};
  bool done = enter_field(iut, type_index, "number", NUMBER_AT, kTVMFFIInt) &&
              enter_field(iut, type_index, "held", HELD_AT, kTVMFFIObject) &&
              iut->TypeRegisterMetadata(type_index, &metadata) == 0;
  if (done) bench_call_once(iut, "ffi._PyClassRegisterTypeAttrColumns", args, 2);
  return done && attribute_of(iut, "__ffi_init__", type_index) ? type_index : -1;
}

// --- Preparation ---------------------------------------------------------------------------------

// Own: an object with a number and what it holds; None on failure.
static TVMFFIAny make_object_of(BenchSubject *subject, int64_t number, TVMFFIAny held)
{
  int32_t type_index = class_of(subject);
  TVMFFIAny made = any_none(), args[] = {view_of_int(number), held};
  TVMFFIObjectHandle init =
      type_index < 0 ? NULL : attribute_of(&subject->iut, "__ffi_init__", type_index);
  if (init && subject->iut.FunctionCall(init, args, 2, &made) != 0) made = any_none();
  return made;
}

// The same with an Array of the number.
static TVMFFIAny make_object(BenchSubject *subject, int64_t number)
{
  TVMFFIAny value = view_of_int(number);
  TVMFFIAny array = bench_call_once(&subject->iut, "ffi.Array", &value, 1);
  TVMFFIAny made = make_object_of(subject, number, array);
  bench_drop(&subject->iut, &array);
  return made;
}

// Own: eight of them in an Array; None on failure.
static TVMFFIAny make_objects(BenchSubject *subject)
{
  TVMFFIAny objects[OBJECTS], all = any_none();
  bool made = true;
  for (int64_t i = 0; i < OBJECTS; ++i) {
    objects[i] = make_object(subject, i);
    made &= objects[i].type_index >= kTVMFFIStaticObjectBegin;
  }
  if (made) all = bench_call_once(&subject->iut, "ffi.Array", objects, OBJECTS);
  for (size_t i = 0; i < OBJECTS; ++i) bench_drop(&subject->iut, &objects[i]);
  return all;
}

static bool keep(BenchSubject *subject, TVMFFIAny value)
{
  if (value.type_index < kTVMFFIStaticObjectBegin) return false;
  subject->object = value.v_obj;
  return true;
}

// The function whose name the title begins with.
static bool take_function(BenchSubject *subject, const BenchOperation *operation)
{
  char name[64];
  snprintf(name, sizeof name, "%.*s", (int)strcspn(operation->title, ","), operation->title);
  subject->arg_count = (int32_t)operation->size;
  subject->function = bench_function_of(&subject->iut, name);
  return subject->function != NULL;
}

static bool prepare_maker(BenchSubject *subject, const BenchOperation *operation)
{
  setter_arguments(&subject->iut, kTVMFFIInt, subject->args);
  return take_function(subject, operation);
}

static bool prepare_object(BenchSubject *subject, const BenchOperation *operation)
{
  (void)operation;
  return keep(subject, make_object(subject, 7));
}

// The setter of the field at `size` is called with the value that is there.
static bool prepare_setter(BenchSubject *subject, const BenchOperation *operation)
{
  int32_t declared = operation->size == NUMBER_AT ? kTVMFFIInt : kTVMFFIObject;
  TVMFFIAny value = any_none();
  if (!keep(subject, make_object(subject, 7))) return false;
  TVMFFIFieldGetter getter = getter_of(&subject->iut, declared);
  char *place = (char *)subject->object + operation->size;
  if (!getter || getter(place, &value) != 0) return false;
  bench_drop(&subject->iut, &value);  // the object keeps it
  subject->args[0] = (TVMFFIAny){.type_index = kTVMFFIOpaquePtr, .v_ptr = place};
  subject->args[1] = value;
  subject->arg_count = 2;
  subject->function = setter_of(&subject->iut, declared);
  return subject->function != NULL;
}

// A function that the class has as an attribute.
static bool prepare_attribute(BenchSubject *subject, const char *name)
{
  if (!keep(subject, make_object(subject, 7))) return false;
  TVMFFIObjectHandle function = attribute_of(&subject->iut, name, class_of(subject));
  if (!function) return false;
  subject->iut.ObjectIncRef(function);
  subject->function = function;
  return true;
}

static bool prepare_constructor(BenchSubject *subject, const BenchOperation *operation)
{
  (void)operation;
  if (!prepare_attribute(subject, "__ffi_init__")) return false;
  subject->args[0] = view_of_int(7);
  subject->args[1] = view_of_object(&subject->iut, subject->object);
  subject->arg_count = 2;
  return true;
}

static bool prepare_shallow_copy(BenchSubject *subject, const BenchOperation *operation)
{
  (void)operation;
  if (!prepare_attribute(subject, "__ffi_shallow_copy__")) return false;
  subject->args[0] = view_of_object(&subject->iut, subject->object);
  subject->arg_count = 1;
  return true;
}

static bool prepare_packed(BenchSubject *subject, const BenchOperation *operation)
{
  if (!keep(subject, make_object(subject, 7))) return false;
  subject->args[0] = view_of_int(class_of(subject));
  subject->args[1] = view_of_raw_string("number");
  subject->args[2] = view_of_int(7);
  subject->args[3] = view_of_raw_string("held");
  subject->args[4] = view_of_object(&subject->iut, subject->object);
  return take_function(subject, operation);
}

// The objects, and false for the other arguments.
static bool prepare_objects(BenchSubject *subject, const BenchOperation *operation)
{
  TVMFFIAny all = make_objects(subject);
  if (!keep(subject, all)) return false;
  subject->args[0] = all;
  for (int i = 1; i < 4; ++i) subject->args[i] = (TVMFFIAny){.type_index = kTVMFFIBool};
  return take_function(subject, operation);
}

static bool prepare_objects_and_none(BenchSubject *subject, const BenchOperation *operation)
{
  if (!prepare_objects(subject, operation)) return false;
  subject->args[1] = any_none();
  return true;
}

// Twice eight of them, which an Array holds.
static bool prepare_two(BenchSubject *subject, const BenchOperation *operation)
{
  TVMFFIAny halves[2] = {make_objects(subject), make_objects(subject)};
  TVMFFIAny both = bench_call_once(&subject->iut, "ffi.Array", halves, 2);
  for (int i = 0; i < 2; ++i) {
    bench_drop(&subject->iut, &halves[i]);
    subject->args[i] = halves[i];
    subject->args[2 + i] = (TVMFFIAny){.type_index = kTVMFFIBool};
  }
  return keep(subject, both) && take_function(subject, operation);
}

static bool prepare_graph(BenchSubject *subject, const BenchOperation *operation)
{
  TVMFFIAny args[2] = {make_objects(subject), any_none()};
  TVMFFIAny text = bench_call_once(&subject->iut, "ffi.ToJSONGraphString", args, 2);
  bench_drop(&subject->iut, &args[0]);
  if (!keep(subject, text)) return false;
  subject->args[0] = text;
  return take_function(subject, operation);
}

// Own: what an error knows of the way to a value, which are these objects; None on failure.
static TVMFFIAny make_context(const Iut *iut, TVMFFIAny *noted, int32_t count)
{
  TVMFFIByteArray key = bytes_of("ffi.VisitErrorContext");
  int32_t type_index = -1;
  TVMFFIObjectHandle context = NULL;
  const TVMFFITypeInfo *info =
      iut->TypeKeyToIndex(&key, &type_index) == 0 ? iut->GetTypeInfo(type_index) : NULL;
  if (!info || !info->metadata || !info->metadata->creator) return any_none();
  if (info->metadata->creator(&context) != 0) return any_none();
  TVMFFIAny list = bench_call_once(iut, "ffi.List", noted, count);
  for (int32_t i = 0; i < info->num_fields; ++i) {
    const TVMFFIFieldInfo *field = &info->fields[i];
    TVMFFIFieldSetter setter = NULL;
    memcpy(&setter, &field->setter, sizeof setter);
    if (field->name.size == 21 && memcmp(field->name.data, "reverse_visit_pattern", 21) == 0)
      setter((char *)context + field->offset, &list);
  }
  bench_drop(iut, &list);
  return view_of_object(iut, context);
}

// The way from an object to the last of eight in it. An Array holds the object and what is known of the
// way.
static bool prepare_way(BenchSubject *subject, const BenchOperation *operation)
{
  const Iut *iut = &subject->iut;
  TVMFFIAny all = make_objects(subject), place[] = {all, view_of_int(OBJECTS - 1)};
  TVMFFIAny root = make_object_of(subject, 7, all);
  TVMFFIAny noted[] = {bench_call_once(iut, "ffi.ArrayGetItem", place, 2), root};
  TVMFFIAny parts[] = {root, make_context(iut, noted, 2)};
  TVMFFIAny both = bench_call_once(iut, "ffi.Array", parts, 2);
  bench_drop(iut, &noted[0]);
  bench_drop(iut, &all);
  for (int i = 0; i < 2; ++i) {
    bench_drop(iut, &parts[i]);
    subject->args[i] = parts[i];
  }
  subject->args[2] = (TVMFFIAny){.type_index = kTVMFFIBool};
  return parts[1].type_index >= kTVMFFIStaticObjectBegin && keep(subject, both) &&
         take_function(subject, operation);
}

// --- Operations ----------------------------------------------------------------------------------

static inline int read_field(BenchSubject *subject, int32_t declared, size_t at, uint64_t times)
{
  TVMFFIFieldGetter getter = getter_of(&subject->iut, declared);
  int status = getter == NULL;
  for (; times && getter; --times) {
    TVMFFIAny value = any_none();
    status |= getter((char *)subject->object + at, &value);
    status |= bench_drop(&subject->iut, &value);
  }
  return status;
}

static int run_read_number(BenchSubject *subject, unsigned thread, uint64_t times)
{
  (void)thread;
  return read_field(subject, kTVMFFIInt, NUMBER_AT, times);
}

static int run_read_held(BenchSubject *subject, unsigned thread, uint64_t times)
{
  (void)thread;
  return read_field(subject, kTVMFFIObject, HELD_AT, times);
}

// --- The table -----------------------------------------------------------------------------------

#define USE                                                                                 \
  (NEED(FunctionGetGlobal) | NEED(FunctionCall) | NEED(ObjectDecRef) | NEED(ObjectIncRef) | \
   NEED(TypeGetOrAllocIndex) | NEED(TypeRegisterField) | NEED(TypeRegisterMetadata) |       \
   NEED(GetTypeAttrColumn))

static const BenchOperation operations[] = {
    {"ffi.MakeFieldSetter, and release", USE, 1, 3, prepare_maker, bench_call_and_drop},
    {"read an int field", USE, 1, 0, prepare_object, run_read_number},
    {"read an object field, and release", USE, 1, 0, prepare_object, run_read_held},
    {"write an int field", USE, 1, NUMBER_AT, prepare_setter, bench_call_and_drop},
    {"write an object field", USE, 1, HELD_AT, prepare_setter, bench_call_and_drop},
    {"construct an object of 2 fields, and release", USE, 1, 0, prepare_constructor,
     bench_call_and_drop},
    {"copy an object of 2 fields, and release", USE, 1, 0, prepare_shallow_copy,
     bench_call_and_drop},
    {"ffi.MakeObjectFromPackedArgs, 2 fields", USE, 1, 5, prepare_packed, bench_call_and_drop},
    {"ffi.DeepCopy, 8 objects", USE, 1, 1, prepare_objects, bench_call_and_drop},
    {"ffi.ReprPrint, 8 objects", USE, 1, 1, prepare_objects, bench_call_and_drop},
    {"ffi.RecursiveEq, 8 objects", USE, 1, 2, prepare_two, bench_call_and_drop},
    {"ffi.RecursiveLt, 8 objects", USE, 1, 2, prepare_two, bench_call_and_drop},
    {"ffi.RecursiveHash, 8 objects", USE, 1, 1, prepare_objects, bench_call_and_drop},
    {"ffi.StructuralEqual, 8 objects", USE, 1, 4, prepare_two, bench_call_and_drop},
    {"ffi.StructuralHash, 8 objects", USE, 1, 3, prepare_objects, bench_call_and_drop},
    {"ffi.ToJSONGraphString, 8 objects", USE, 1, 2, prepare_objects_and_none, bench_call_and_drop},
    {"ffi.FromJSONGraphString, 8 objects", USE, 1, 1, prepare_graph, bench_call_and_drop},
    {"ffi.VisitErrorContext.FindAccessPaths, 8 objects",
     USE | NEED(GetTypeInfo) | NEED(TypeKeyToIndex), 1, 3, prepare_way, bench_call_and_drop},
};
const BenchGroup bench_classes_group = {operations, sizeof operations / sizeof *operations};
