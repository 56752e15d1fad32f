// SPDX-License-Identifier: Apache-2.0
// Drives a module through the C API and prints what it sees, so that two runtimes can be compared:
// driver MODULE. Addresses, indices and traces, which may differ, are not printed.
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tvm/ffi/c_api.h>

#define ARGS(...) \
  (TVMFFIAny[]){__VA_ARGS__}, (int32_t)(sizeof((TVMFFIAny[]){__VA_ARGS__}) / sizeof(TVMFFIAny))
#define NO_ARGS NULL, 0

static const TVMFFIAny none = {.type_index = kTVMFFINone};
static TVMFFIAny module;

static void stop(const char *what)
{
  printf("stopped: %s\n", what);
  exit(1);
}

static TVMFFIAny of_int(int64_t number)
{
  return (TVMFFIAny){.type_index = kTVMFFIInt, .v_int64 = number};
}

static TVMFFIAny of_bool(bool truth)
{
  return (TVMFFIAny){.type_index = kTVMFFIBool, .v_int64 = truth};
}

static TVMFFIAny of_float(double number)
{
  return (TVMFFIAny){.type_index = kTVMFFIFloat, .v_float64 = number};
}

static TVMFFIAny of_str(const char *text)
{
  return (TVMFFIAny){.type_index = kTVMFFIRawStr, .v_c_str = text};
}

static TVMFFIAny of_bytes(const TVMFFIByteArray *bytes)
{
  return (TVMFFIAny){.type_index = kTVMFFIByteArrayPtr, .v_ptr = (void *)bytes};
}

static TVMFFIAny of_tensor(DLTensor *tensor)
{
  return (TVMFFIAny){.type_index = kTVMFFIDLTensorPtr, .v_ptr = tensor};
}

static TVMFFIAny of_object(TVMFFIObjectHandle object)
{
  return (TVMFFIAny){.type_index = ((TVMFFIObject *)object)->type_index, .v_obj = object};
}

static void drop(TVMFFIAny value)
{
  if (value.type_index >= kTVMFFIStaticObjectBegin) TVMFFIObjectDecRef(value.v_obj);
}

//--------------------------------------------------------------------------------------------------
// Printing
//--------------------------------------------------------------------------------------------------

static TVMFFIAny call_global(const char *name, TVMFFIAny *args, int32_t num_args);
static void print(const TVMFFIAny *value);

static void print_text(char quote, const char *data, size_t size)
{
  putchar(quote);
  for (size_t i = 0; i < size; ++i) {
    unsigned char byte = (unsigned char)data[i];
    printf(byte >= ' ' && byte < 127 ? "%c" : "\\x%02x", byte);
  }
  putchar(quote);
}

static void print_bytes_of(const TVMFFIAny *value, char quote, int32_t small_index)
{
  if (value->type_index == small_index) {
    print_text(quote, value->v_bytes, value->small_str_len);
  } else {
    const TVMFFIByteArray *cell = (const TVMFFIByteArray *)(value->v_obj + 1);
    print_text(quote, cell->data, cell->size);
  }
}

static void print_shape(const TVMFFIAny *value)
{
  const TVMFFIShapeCell *cell = (const TVMFFIShapeCell *)(value->v_obj + 1);
  printf("shape(");
  for (size_t i = 0; i < cell->size; ++i) printf("%s%lld", i ? ", " : "", (long long)cell->data[i]);
  printf(")");
}

static void print_tensor(const TVMFFIAny *value)
{
  const DLTensor *tensor = (const DLTensor *)(value->v_obj + 1);
  const float *data = (const float *)((const char *)tensor->data + tensor->byte_offset);
  printf("tensor of float%d(", tensor->dtype.bits);
  for (int64_t i = 0; i < tensor->shape[0]; ++i) printf("%s%g", i ? ", " : "", data[i]);
  printf(")");
}

static void print_sequence(const TVMFFIAny *value)
{
  const TVMFFISeqCell *cell = (const TVMFFISeqCell *)(value->v_obj + 1);
  const TVMFFIAny *values = cell->data;
  printf("[");
  for (int64_t i = 0; i < cell->size; ++i) {
    if (i > 0) printf(", ");
    print(&values[i]);
  }
  printf("]");
}

static TVMFFIAny ask(TVMFFIAny function, int64_t what)
{
  TVMFFIAny question = of_int(what), answer = none;
  if (TVMFFIFunctionCall(function.v_obj, &question, 1, &answer) != 0) stop("a walk failed");
  return answer;
}

static void print_map(const TVMFFIAny *value)
{
  TVMFFIAny size = call_global("ffi.MapSize", ARGS(*value));
  TVMFFIAny walk = call_global("ffi.MapForwardIterFunctor", ARGS(*value));
  printf("{");
  for (int64_t i = 0; i < size.v_int64; ++i) {
    TVMFFIAny key = ask(walk, 0), held = ask(walk, 1);
    if (i > 0) printf(", ");
    print(&key);
    printf(": ");
    print(&held);
    drop(key);
    drop(held);
    ask(walk, 2);
  }
  printf("}");
  drop(walk);
}

static void print_plain(const TVMFFIAny *value)
{
  switch (value->type_index) {
    case kTVMFFINone:
      printf("none");
      break;
    case kTVMFFIInt:
      printf("%lld", (long long)value->v_int64);
      break;
    case kTVMFFIBool:
      printf(value->v_int64 ? "true" : "false");
      break;
    case kTVMFFIFloat:
      printf("%g (float)", value->v_float64);
      break;
    case kTVMFFIDataType:
      printf("dtype(%d, %d, %d)", value->v_dtype.code, value->v_dtype.bits, value->v_dtype.lanes);
      break;
    case kTVMFFIDevice:
      printf("device(%d, %d)", (int)value->v_device.device_type, (int)value->v_device.device_id);
      break;
    default:
      printf("type index %d", (int)value->type_index);
      break;
  }
}

static void print(const TVMFFIAny *value)
{
  switch (value->type_index) {
    case kTVMFFISmallStr:
    case kTVMFFIStr:
      print_bytes_of(value, '"', kTVMFFISmallStr);
      break;
    case kTVMFFISmallBytes:
    case kTVMFFIBytes:
      print_bytes_of(value, '\'', kTVMFFISmallBytes);
      break;
    case kTVMFFIShape:
      print_shape(value);
      break;
    case kTVMFFITensor:
      print_tensor(value);
      break;
    case kTVMFFIArray:
      print_sequence(value);
      break;
    case kTVMFFIMap:
      print_map(value);
      break;
    default:
      if (value->type_index < kTVMFFIStaticObjectBegin) {
        print_plain(value);
      } else {
        const TVMFFIByteArray *key = &TVMFFIGetTypeInfo(value->type_index)->type_key;
        printf("object of %.*s", (int)key->size, key->data);
      }
      break;
  }
}

// The trace must name what threw, where the source says that it does.
static void print_error(const char *thrower)
{
  TVMFFIObjectHandle error = NULL;
  TVMFFIErrorMoveFromRaised(&error);
  if (error == NULL) stop("a call failed without an error");
  const TVMFFIErrorCell *cell = (const TVMFFIErrorCell *)((TVMFFIObject *)error + 1);
  printf("%.*s: %.*s\n", (int)cell->kind.size, cell->kind.data, (int)cell->message.size,
         cell->message.data);
  if (thrower != NULL) {
    char *trace = strndup(cell->backtrace.data, cell->backtrace.size);
    if (trace == NULL) stop("no memory");
    printf("  its trace names %s: %s, the file: %s\n", thrower,
           strstr(trace, thrower) ? "yes" : "no", strstr(trace, "module.cc") ? "yes" : "no");
    free(trace);
  }
  TVMFFIObjectDecRef(error);
}

//--------------------------------------------------------------------------------------------------
// Calling
//--------------------------------------------------------------------------------------------------

static TVMFFIAny global(const char *name)
{
  TVMFFIByteArray bytes = {name, strlen(name)};
  TVMFFIObjectHandle function = NULL;
  if (TVMFFIFunctionGetGlobal(&bytes, &function) != 0 || function == NULL) stop(name);
  return of_object(function);
}

static TVMFFIAny call_global(const char *name, TVMFFIAny *args, int32_t num_args)
{
  TVMFFIAny function = global(name), result = none;
  if (TVMFFIFunctionCall(function.v_obj, args, num_args, &result) != 0) {
    print_error(NULL);
    stop(name);
  }
  drop(function);
  return result;
}

static TVMFFIAny function_of(const char *name)
{
  TVMFFIAny function =
      call_global("ffi.ModuleGetFunction", ARGS(module, of_str(name), of_bool(false)));
  if (function.type_index != kTVMFFIFunction) stop(name);
  return function;
}

// Calls a function of the module and prints what came. Returns own: the result; None on failure.
static TVMFFIAny show(const char *name, TVMFFIAny *args, int32_t num_args)
{
  TVMFFIAny function = function_of(name), result = none;
  printf("%s -> ", name);
  if (TVMFFIFunctionCall(function.v_obj, args, num_args, &result) != 0) {
    print_error(NULL);
    result = none;
  } else {
    print(&result);
    putchar('\n');
  }
  drop(function);
  return result;
}

static void show_once(const char *name, TVMFFIAny *args, int32_t num_args)
{
  drop(show(name, args, num_args));
}

//--------------------------------------------------------------------------------------------------
// What is driven
//--------------------------------------------------------------------------------------------------

static void drive_values(void)
{
  TVMFFIByteArray bytes = {"a\0b", 3};
  char long_text[] = "somebody whose name is long";
  show_once("add", ARGS(of_int(40), of_int(2)));
  show_once("add", ARGS(of_int(40), of_bool(true)));
  show_once("add", ARGS(of_int(40)));
  show_once("add", ARGS(of_int(40), of_float(2)));
  show_once("halve", ARGS(of_float(5)));
  show_once("halve", ARGS(of_int(5)));
  show_once("negate", ARGS(of_bool(true)));
  show_once("greet", ARGS(of_str("x")));
  show_once("greet", ARGS(of_str(long_text)));
  show_once("greet", ARGS(of_int(1)));
  show_once("reverse_bytes", ARGS(of_bytes(&bytes)));
  show_once("with_lanes",
            ARGS((TVMFFIAny){.type_index = kTVMFFIDataType, .v_dtype = {2, 32, 1}}, of_int(4)));
  show_once("with_lanes", ARGS(of_str("int8"), of_int(2)));
  show_once("next_device",
            ARGS((TVMFFIAny){.type_index = kTVMFFIDevice, .v_device = {kDLCUDA, 2}}));
  show_once("echo", ARGS(none));
  show_once("echo", ARGS(of_str(long_text)));
}

static void drive_tensors(void)
{
  float data[] = {1, 2, 3.5f};
  int64_t shape[] = {3}, strides[] = {1};
  DLTensor plain = {.data = data,
                    .device = {kDLCPU, 0},
                    .ndim = 1,
                    .dtype = {kDLFloat, 32, 1},
                    .shape = shape,
                    .strides = strides};
  TVMFFIAny made = show("iota", ARGS(of_int(4)));
  show_once("sum", ARGS(made));
  show_once("same", ARGS(made));
  show_once("sum", ARGS(of_tensor(&plain)));
  plain.dtype.code = kDLInt;
  show_once("sum", ARGS(of_tensor(&plain)));
  show_once("sum", ARGS(of_int(1)));
  drop(made);
}

static void drive_containers(void)
{
  TVMFFIAny shape = call_global("ffi.Shape", ARGS(of_int(2), of_int(3), of_int(5)));
  TVMFFIAny numbers = call_global("ffi.Array", ARGS(of_int(1), of_int(2), of_int(3)));
  TVMFFIAny words = call_global("ffi.Array", ARGS(of_str("one"), of_str("thirteen letters")));
  TVMFFIAny mixed = call_global("ffi.Array", ARGS(of_int(1), of_str("two")));
  show_once("reverse_shape", ARGS(shape));
  show_once("squares", ARGS(numbers));
  show_once("squares", ARGS(mixed));
  TVMFFIAny lengths = show("lengths", ARGS(words));
  show_once("total", ARGS(lengths));
  show_once("total", ARGS(words));
  show_once("name_of", ARGS(of_int(5)));
  show_once("name_of", ARGS(none));
  show_once("name_of", ARGS(of_str("5")));
  drop(shape);
  drop(numbers);
  drop(words);
  drop(mixed);
  drop(lengths);
}

static int call_back(void *self, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  ++*(int *)self;
  if (num_args == 0) {
    TVMFFIErrorSetRaisedFromCStr("KeyError", "raised by a callback");
    return -1;
  }
  *result = of_int(args[0].v_int64 * 10);
  return 0;
}

static void drive_functions(void)
{
  int calls = 0;
  TVMFFIObjectHandle function = NULL;
  if (TVMFFIFunctionCreate(&calls, call_back, NULL, &function) != 0) stop("no function was made");
  TVMFFIAny callback = of_object(function), result = none;
  TVMFFIAny twice = show("twice", ARGS(callback));
  if (TVMFFIFunctionCall(twice.v_obj, ARGS(of_int(7)), &result) != 0) stop("twice");
  print(&result);
  printf(" after %d calls\n", calls);
  show_once("apply", ARGS(twice, of_int(1)));
  show_once("catch_error", ARGS(callback, of_bool(false)));
  show_once("catch_error", ARGS(callback, of_bool(true)));
  drop(twice);
  drop(callback);
  printf("%d calls\n", calls);
}

static void drive_errors(void)
{
  TVMFFIAny fail = function_of("fail"), result = none;
  if (TVMFFIFunctionCall(fail.v_obj, ARGS(of_str("thrown in C++")), &result) == 0) stop("fail");
  print_error("Fail");
  drop(fail);
  show_once("add", ARGS(of_int(1), of_int(2)));
}

//--------------------------------------------------------------------------------------------------
// The class
//--------------------------------------------------------------------------------------------------

static const TVMFFIFieldInfo *field_of(const TVMFFITypeInfo *type, const char *name)
{
  for (int32_t i = 0; i < type->num_fields; ++i) {
    const TVMFFIByteArray *text = &type->fields[i].name;
    if (text->size == strlen(name) && memcmp(text->data, name, text->size) == 0) {
      return &type->fields[i];
    }
  }
  stop(name);
  return NULL;
}

static void print_fields(const TVMFFITypeInfo *type, TVMFFIAny object)
{
  for (int32_t i = 0; i < type->num_fields; ++i) {
    const TVMFFIFieldInfo *field = &type->fields[i];
    TVMFFIAny value = none;
    if (field->getter((char *)object.v_obj + field->offset, &value) != 0) stop("a getter failed");
    printf("  %.*s%s = ", (int)field->name.size, field->name.data,
           field->flags & kTVMFFIFieldFlagBitMaskWritable ? "" : " (read only)");
    print(&value);
    printf(", %.*s\n", (int)field->doc.size, field->doc.data);
    drop(value);
  }
}

static void set_field(const TVMFFITypeInfo *type, TVMFFIAny object, const char *name,
                      TVMFFIAny value)
{
  const TVMFFIFieldInfo *field = field_of(type, name);
  TVMFFIFieldSetter setter;
  if (field->flags & kTVMFFIFieldFlagBitSetterIsFunctionObj) stop("the setter is an object");
  memcpy(&setter, &field->setter, sizeof setter);
  if (setter((char *)object.v_obj + field->offset, &value) != 0) {
    printf("%s is not set: ", name);
    print_error(NULL);
  }
}

static void drive_methods(const TVMFFITypeInfo *type, TVMFFIAny object)
{
  for (int32_t i = 0; i < type->num_methods; ++i) {
    const TVMFFIMethodInfo *method = &type->methods[i];
    bool is_static = (method->flags & kTVMFFIFieldFlagBitMaskIsStaticMethod) != 0;
    if (method->name.size >= 2 && memcmp(method->name.data, "__", 2) == 0) continue;
    printf("method %.*s%s\n", (int)method->name.size, method->name.data,
           is_static ? " (static)" : "");
    if (is_static) continue;
    for (int64_t by = 2; by >= -2; by -= 2) {
      TVMFFIAny result = none;
      if (TVMFFIFunctionCall(method->method.v_obj, ARGS(object, of_int(by)), &result) == 0) {
        print(&result);
        putchar('\n');
      } else {
        print_error("Advance");
      }
    }
  }
}

static void drive_class(void)
{
  TVMFFIAny object = show("make_counter", ARGS(of_int(3), of_str("a name that is longer")));
  const TVMFFITypeInfo *type = TVMFFIGetTypeInfo(object.type_index);
  printf("%.*s is a child of %.*s\n", (int)type->type_key.size, type->type_key.data,
         (int)type->type_ancestors[0]->type_key.size, type->type_ancestors[0]->type_key.data);
  drive_methods(type, object);
  set_field(type, object, "count", of_int(100));
  set_field(type, object, "name", of_int(100));
  print_fields(type, object);
  TVMFFIAny counted = call_global("dropin.counted", ARGS(object));
  print(&counted);
  putchar('\n');
  TVMFFIAny steps = call_global("ffi.Array", NO_ARGS);
  TVMFFIAny made = call_global(
      "ffi.MakeObjectFromPackedArgs",
      ARGS(of_int(type->type_index), of_str("name"), of_str("made"), of_str("steps"), steps));
  print_fields(type, made);
  drop(steps);
  drop(made);
  drop(object);
}

static void drive_module(void)
{
  const TVMFFIAny no = of_bool(false);
  TVMFFIAny kind = call_global("ffi.ModuleGetKind", ARGS(module));
  TVMFFIAny doc = call_global("ffi.ModuleGetFunctionDoc", ARGS(module, of_str("add"), no));
  TVMFFIAny metadata =
      call_global("ffi.ModuleGetFunctionMetadata", ARGS(module, of_str("lengths"), no));
  TVMFFIAny missing = call_global("ffi.ModuleGetFunction", ARGS(module, of_str("missing"), no));
  TVMFFIAny facts[] = {kind, doc, metadata, missing};
  for (int i = 0; i < 4; ++i) {
    print(&facts[i]);
    putchar('\n');
  }
  drop(kind);
  drop(doc);
  drop(metadata);
}

int main(int count, char **arguments)
{
  if (count != 2) return 2;
  module = call_global("ffi.ModuleLoadFromFile", ARGS(of_str(arguments[1])));
  drive_module();
  drive_values();
  drive_tensors();
  drive_containers();
  drive_functions();
  drive_errors();
  drive_class();
  return 0;
}
