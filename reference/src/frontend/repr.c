// SPDX-License-Identifier: Apache-2.0
// Containers look as in Python, objects as the calls that would make them. Objects wait on a stack
// of their own; one that is still being written is `...`. The text of one that was written before is
// copied, so that parts that are shared many times over cost no more than what is written.
#include "frontend/repr.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "container/pairs.h"
#include "frontend/big.h"
#include "frontend/children.h"
#include "frontend/nested.h"
#include "frontend/writer.h"
#include "native/rows.h"
#include "native/singleton.h"
#include "type/attribute.h"
#include "type/type.h"

static Attribute repr_attribute = {ATTRIBUTE("__ffi_repr__")};

typedef struct {
  Children children;
  size_t written;  // values
  size_t number;   // of the object among those that are met
  size_t start;    // of its text
} ReprFrame;

// What is known of an object.
typedef struct {
  bool is_open;        // it is being written
  size_t start, size;  // of its text; 0 bytes if it has none yet
} ReprMet;

typedef struct Repr {
  const char *function;
  bool with_addresses;
  Pairs met;
  ReprMet *known;  // of the objects that are met, by their numbers
  size_t known_room;
  Writer writer;
  ReprFrame *frames;
  size_t count, room;
  const struct Repr *outer;  // the one in whose type's function this one was asked for
} Repr;

// What the thread is writing, while it calls functions of types.
static _Thread_local const Repr *current;

//--------------------------------------------------------------------------------------------------
// Texts
//--------------------------------------------------------------------------------------------------

static int repr_add_format(Repr *self, const char *format, unsigned long long number)
{
  char text[40];
  int size = snprintf(text, sizeof text, format, number);
  return writer_add(&self->writer, text, (size_t)size);
}

// Reads a code point. Returns its size; 0 if these bytes are not UTF-8.
static size_t repr_decode(const unsigned char *at, size_t left, uint32_t *code)
{
  static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  size_t size = at[0] < 0xc2 ? 0 : at[0] < 0xe0 ? 2 : at[0] < 0xf0 ? 3 : at[0] < 0xf5 ? 4 : 0;
  if (size == 0 || size > left) return 0;
  *code = at[0] & (0x7fU >> size);
  for (size_t i = 1; i < size; ++i) {
    if ((at[i] & 0xc0) != 0x80) return 0;
    *code = *code << 6 | (at[i] & 0x3f);
  }
  bool surrogate = *code >= 0xd800 && *code < 0xe000;
  return *code < least[size] || *code > 0x10ffff || surrogate ? 0 : size;
}

static int repr_add_escaped(Repr *self, unsigned char byte)
{
  switch (byte) {
    case '"':
      return writer_add_text(&self->writer, "\\\"");
    case '\\':
      return writer_add_text(&self->writer, "\\\\");
    case '\n':
      return writer_add_text(&self->writer, "\\n");
    case '\r':
      return writer_add_text(&self->writer, "\\r");
    case '\t':
      return writer_add_text(&self->writer, "\\t");
    default:
      return repr_add_format(self, "\\x%02llx", byte);
  }
}

static bool repr_is_plain(unsigned char byte)
{
  return byte >= 0x20 && byte < 0x7f && byte != '"' && byte != '\\';
}

static int repr_add_str(Repr *self, TVMFFIByteArray text)
{
  const unsigned char *at = (const unsigned char *)text.data;
  if (writer_add_text(&self->writer, "\"") != 0) return -1;
  for (size_t left = text.size; left > 0;) {
    size_t size = 0;
    uint32_t code;
    int added;
    while (size < left && repr_is_plain(at[size])) ++size;
    if (size > 0) {
      added = writer_add(&self->writer, (const char *)at, size);
    } else if ((size = repr_decode(at, left, &code)) == 0) {
      size = 1;
      added = repr_add_escaped(self, at[0]);
    } else {
      added = repr_add_format(self, code > 0xffff ? "\\U%08llx" : "\\u%04llx", code);
    }
    if (added != 0) return -1;
    at += size;
    left -= size;
  }
  return writer_add_text(&self->writer, "\"");
}

static int repr_add_bytes(Repr *self, TVMFFIByteArray bytes)
{
  if (writer_add_text(&self->writer, "b\"") != 0) return -1;
  for (size_t i = 0; i < bytes.size; ++i) {
    unsigned char byte = (unsigned char)bytes.data[i];
    int added = repr_is_plain(byte) ? writer_add(&self->writer, &bytes.data[i], 1)
                                    : repr_add_format(self, "\\x%02llx", byte);
    if (added != 0) return -1;
  }
  return writer_add_text(&self->writer, "\"");
}

static int repr_add_float(Repr *self, double number)
{
  char text[40];
  if (number != number) return writer_add_text(&self->writer, "nan");
  snprintf(text, sizeof text, "%g", number);
  for (char *comma; (comma = strchr(text, ',')) != NULL;) *comma = '.';  // of a locale
  return writer_add_text(&self->writer, text);
}

static int repr_add_dtype(Repr *self, DLDataType dtype)
{
  TVMFFIAny text;
  if (TVMFFIDataTypeToString(&dtype, &text) != 0) return -1;
  TVMFFIByteArray content = native_text(&text);
  int code = writer_add(&self->writer, content.data, content.size);
  any_release(&text);
  return code;
}

static const char *repr_device_name(int device_type)
{
  switch (device_type) {
    case kDLCPU:
      return "cpu";
    case kDLCUDA:
      return "cuda";
    case kDLCUDAHost:
      return "cuda_host";
    case kDLOpenCL:
      return "opencl";
    case kDLVulkan:
      return "vulkan";
    case kDLMetal:
      return "metal";
    case kDLVPI:
      return "vpi";
    case kDLROCM:
      return "rocm";
    case kDLROCMHost:
      return "rocm_host";
    case kDLExtDev:
      return "ext_dev";
    case kDLCUDAManaged:
      return "cuda_managed";
    case kDLOneAPI:
      return "oneapi";
    case kDLWebGPU:
      return "webgpu";
    case kDLHexagon:
      return "hexagon";
    case kDLMAIA:
      return "maia";
    case kDLTrn:
      return "trn";
    default:
      return "unknown";
  }
}

static int repr_add_device(Repr *self, DLDevice device)
{
  if (writer_add_text(&self->writer, repr_device_name((int)device.device_type)) != 0) return -1;
  return writer_add_text(&self->writer, ":") != 0
             ? -1
             : writer_add_text(&self->writer, raise_number(device.device_id).text);
}

static int repr_add_address(Repr *self, const TVMFFIObject *object)
{
  if (!self->with_addresses) return 0;
  return repr_add_format(self, "@0x%llx", (unsigned long long)(uintptr_t)object);
}

static int repr_add_numbers(Repr *self, const int64_t *numbers, size_t count)
{
  for (size_t i = 0; i < count; ++i) {
    if (i > 0 && writer_add_text(&self->writer, ", ") != 0) return -1;
    if (writer_add_text(&self->writer, raise_number(numbers[i]).text) != 0) return -1;
  }
  return 0;
}

static int repr_add_shape(Repr *self, TVMFFIObject *shape)
{
  const TVMFFIShapeCell *cell = (const TVMFFIShapeCell *)(shape + 1);
  if (writer_add_text(&self->writer, "Shape(") != 0) return -1;
  if (repr_add_numbers(self, cell->data, cell->size) != 0) return -1;
  return writer_add_text(&self->writer, ")");
}

static int repr_add_tensor(Repr *self, TVMFFIObject *object)
{
  const DLTensor *tensor = (const DLTensor *)(object + 1);
  if (repr_add_dtype(self, tensor->dtype) != 0) return -1;
  if (writer_add_text(&self->writer, "[") != 0) return -1;
  if (repr_add_numbers(self, tensor->shape, (size_t)tensor->ndim) != 0) return -1;
  if (writer_add_text(&self->writer, "]@") != 0) return -1;
  if (repr_add_device(self, tensor->device) != 0) return -1;
  return repr_add_address(self, object);
}

// The type says what the value is.
static int repr_add_type(Repr *self, int32_t type_index)
{
  const Type *type = type_find(type_index);
  if (type == NULL) return writer_add_text(&self->writer, "object of an unknown type");
  return writer_add(&self->writer, type->info.type_key.data, type->info.type_key.size);
}

//--------------------------------------------------------------------------------------------------
// Objects
//--------------------------------------------------------------------------------------------------

// Tells whether an object is being written by those in whose types' functions this was asked for.
static bool repr_is_open_outside(const Repr *self, const TVMFFIObject *object)
{
  for (self = self->outer; self != NULL; self = self->outer) {
    for (size_t i = 0; i < self->count; ++i) {
      if (self->frames[i].children.object == object) return true;
    }
  }
  return false;
}

// Notes an object. Returns 1 if it is to be written, 0 if it is being written; -1 with an error.
static int repr_meet(Repr *self, TVMFFIObject *object, size_t *number)
{
  if (repr_is_open_outside(self, object)) return 0;
  int is_new = pairs_note(&self->met, object, NULL, number);
  if (is_new < 0) return -1;
  if (self->known_room < self->met.room) {
    ReprMet *grown = realloc(self->known, self->met.room * sizeof *grown);
    if (grown == NULL) return raise_out_of_memory();
    self->known = grown;
    self->known_room = self->met.room;
  }
  if (is_new != 0) self->known[*number] = (ReprMet){false, 0, 0};
  return !self->known[*number].is_open;
}

// Writes the text of an object another time.
static int repr_copy(Repr *self, const ReprMet *known)
{
  char *to = writer_reserve(&self->writer, known->size);
  if (to == NULL) return -1;
  memcpy(to, self->writer.data + known->start, known->size);
  self->writer.size += known->size;
  return 0;
}

static int repr_call_nested(const NativeCall *call);
static const NativeSpec nested_spec = {F1("fn_repr", repr_call_nested, STR, ANY)};
static NativeFunction nested_function;

__attribute__((constructor(102))) static void repr_start(void)
{
  native_init(&nested_function, &nested_spec);
}

// Asks the type's own function, which gets one for what the object holds.
static int repr_ask(Repr *self, const TVMFFIAny *callee, const TVMFFIAny *value)
{
  TVMFFIAny args[] = {*value, any_object(&nested_function.header)}, result = any_none();
  Nested *here = nested_here();
  if (nested_enter(here, self->function) != 0) return -1;
  const Repr *outer = current;
  current = self;
  int code = TVMFFIFunctionCall(callee->v_obj, args, 2, &result);
  current = outer;
  nested_leave(here);
  if (code != 0) return -1;
  if (!native_is_string(&result)) {
    code = raise_error("TypeError", self->function, ": a type's own function has returned no str",
                       NULL);
  } else {
    TVMFFIByteArray text = native_text(&result);
    code = writer_add(&self->writer, text.data, text.size);
  }
  any_release(&result);
  return code;
}

// start: of the object's text.
static int repr_push(Repr *self, TVMFFIObject *object, size_t number, size_t start)
{
  if (self->count == self->room) {
    size_t room = self->room == 0 ? 8 : self->room * 2;
    ReprFrame *grown = realloc(self->frames, room * sizeof *grown);
    if (grown == NULL) return raise_out_of_memory();
    self->frames = grown;
    self->room = room;
  }
  self->frames[self->count++] =
      (ReprFrame){.children = children_of(object, kTVMFFIFieldFlagBitMaskReprOff),
                  .number = number,
                  .start = start};
  self->known[number].is_open = true;
  return 0;
}

static void repr_pop(Repr *self)
{
  const ReprFrame *frame = &self->frames[--self->count];
  ReprMet *known = &self->known[frame->number];
  *known = (ReprMet){false, frame->start, self->writer.size - frame->start};
}

// Tells whether any field is to be written.
static bool repr_has_fields(TVMFFIObject *object)
{
  const Type *type = type_find(object->type_index);
  if (type == NULL) return false;
  FieldWalk walk = {.type = &type->info};
  for (const TVMFFIFieldInfo *field; (field = field_next(&walk)) != NULL;) {
    if (!(field->flags & kTVMFFIFieldFlagBitMaskReprOff)) return true;
  }
  return false;
}

// Writes by which name an object is known, if it is a value of an enumeration. Returns 1; 0 if it
// isn't; -1 with an error.
static int repr_add_enum(Repr *self, TVMFFIObject *object)
{
  static const TVMFFIByteArray name = {"_str_index", sizeof "_str_index" - 1};
  const Type *type = type_find(object->type_index), *root = type_find(TYPE_ENUM);
  if (type == NULL || !type_is_above(root, type)) return 0;
  FieldWalk walk = {.type = &root->info};
  for (const TVMFFIFieldInfo *field; (field = field_next(&walk)) != NULL;) {
    TVMFFIAny value;
    if (!field_is_named(field, name)) continue;
    if (field_get(field, object, &value) != 0) return -1;
    TVMFFIByteArray text = native_is_string(&value) ? native_text(&value) : name;
    int code = writer_add_text(&self->writer, ".");
    if (code == 0) code = writer_add(&self->writer, text.data, text.size);
    any_release(&value);
    return code == 0 ? 1 : -1;
  }
  return 0;
}

// Begins an object, whose content follows.
static int repr_begin_object(Repr *self, TVMFFIObject *object, size_t number)
{
  int32_t type_index = object->type_index;
  size_t start = self->writer.size;
  if (children_is_sequence(type_index) || children_is_map(type_index)) {
    const char *opening = type_index == kTVMFFIArray ? "(" : type_index == kTVMFFIList ? "[" : "{";
    if (writer_add_text(&self->writer, opening) != 0) return -1;
    return repr_push(self, object, number, start);
  }
  if (repr_add_type(self, type_index) != 0) return -1;
  int is_value = repr_add_enum(self, object);
  if (is_value < 0 || repr_add_address(self, object) != 0) return -1;
  if (is_value != 0 || !repr_has_fields(object)) return 0;
  return writer_add_text(&self->writer, "(") != 0 ? -1 : repr_push(self, object, number, start);
}

static int repr_add_object(Repr *self, const TVMFFIAny *value)
{
  TVMFFIObject *object = value->v_obj;
  switch (value->type_index) {
    case kTVMFFIStr:
      return repr_add_str(self, native_text(value));
    case kTVMFFIBytes:
      return repr_add_bytes(self, native_text(value));
    case kTVMFFIShape:
      return repr_add_shape(self, object);
    case kTVMFFITensor:
      return repr_add_tensor(self, object);
    case kTVMFFIBigInt:
      return big_write(object, &self->writer);
    default:
      break;
  }
  if (singleton_is_invalid(object)) return writer_add_text(&self->writer, "<MISSING>");
  if (singleton_is_kwargs(object)) return writer_add_text(&self->writer, "<KWARGS>");
  size_t number;
  int is_due = repr_meet(self, object, &number);
  if (is_due < 0) return -1;
  if (is_due == 0) {
    return writer_add_text(&self->writer, "...") != 0 ? -1 : repr_add_address(self, object);
  }
  if (self->known[number].size > 0) return repr_copy(self, &self->known[number]);
  const TVMFFIAny *own = attribute_of(&repr_attribute, value->type_index);
  if (own == NULL || own->type_index != kTVMFFIFunction)
    return repr_begin_object(self, object, number);
  // It is open while its own function runs.
  if (repr_push(self, object, number, self->writer.size) != 0) return -1;
  int code = repr_ask(self, own, value);
  repr_pop(self);
  return code;
}

static int repr_add(Repr *self, const TVMFFIAny *value)
{
  switch (value->type_index) {
    case kTVMFFINone:
      return writer_add_text(&self->writer, "None");
    case kTVMFFIInt:
      return writer_add_text(&self->writer, raise_number(value->v_int64).text);
    case kTVMFFIBool:
      return writer_add_text(&self->writer, value->v_int64 != 0 ? "True" : "False");
    case kTVMFFIFloat:
      return repr_add_float(self, value->v_float64);
    case kTVMFFIDataType:
      return repr_add_dtype(self, value->v_dtype);
    case kTVMFFIDevice:
      return repr_add_device(self, value->v_device);
    case kTVMFFISmallStr:
      return repr_add_str(self, native_text(value));
    case kTVMFFISmallBytes:
      return repr_add_bytes(self, native_text(value));
    default:
      if (any_held(value) == NULL) return repr_add_type(self, value->type_index);
      return repr_add_object(self, value);
  }
}

//--------------------------------------------------------------------------------------------------
// Content
//--------------------------------------------------------------------------------------------------

static int repr_end_object(Repr *self)
{
  const ReprFrame *frame = &self->frames[self->count - 1];
  TVMFFIObject *object = frame->children.object;
  int32_t type_index = object->type_index;
  const char *end = type_index == kTVMFFIList ? "]" : children_is_map(type_index) ? "}" : ")";
  if (type_index == kTVMFFIArray && frame->written == 1) end = ",)";
  int code = writer_add_text(&self->writer, end);
  if (code == 0 && frame->children.kind != CHILDREN_FIELDS) code = repr_add_address(self, object);
  repr_pop(self);
  return code;
}

// Writes what stands before a value.
static int repr_add_separator(Repr *self, ReprFrame *frame)
{
  bool is_value = frame->children.kind == CHILDREN_MAP && !frame->children.value_is_next;
  if (is_value) return writer_add_text(&self->writer, ": ");
  if (frame->written++ > 0 && writer_add_text(&self->writer, ", ") != 0) return -1;
  const TVMFFIFieldInfo *field = frame->children.field;
  if (field == NULL) return 0;
  if (writer_add(&self->writer, field->name.data, field->name.size) != 0) return -1;
  return writer_add_text(&self->writer, "=");
}

static int repr_step(Repr *self)
{
  ReprFrame *frame = &self->frames[self->count - 1];
  TVMFFIAny value;
  int has = children_next(&frame->children, &value);
  if (has < 0) return -1;
  if (has == 0) return repr_end_object(self);
  int code = repr_add_separator(self, frame);
  if (code == 0) code = repr_add(self, &value);
  any_release(&value);
  return code;
}

static int repr_run(Repr *self, const TVMFFIAny *value)
{
  int code = repr_add(self, value);
  while (code == 0 && self->count > 0) code = repr_step(self);
  free(self->frames);
  free(self->known);
  pairs_end(&self->met);
  return code;
}

static bool repr_wants_addresses(void)
{
  const char *wish = getenv("TVM_FFI_REPR_WITH_ADDR");
  return wish != NULL && strcmp(wish, "1") == 0;
}

static int repr_of(const NativeCall *call, Repr *self)
{
  TVMFFIAny value, text;
  if (any_own(&call->args[0], &value) != 0) return -1;
  int code = repr_run(self, &value);
  any_release(&value);
  if (code != 0) {
    writer_end(&self->writer);
    return -1;
  }
  return writer_finish(&self->writer, &text) != 0 ? -1 : native_give(call, text);
}

int repr_print(const NativeCall *call)
{
  Repr self = {.function = call->spec->name, .with_addresses = repr_wants_addresses()};
  return repr_of(call, &self);
}

static int repr_call_nested(const NativeCall *call)
{
  Repr self = {
      .function = call->spec->name, .with_addresses = repr_wants_addresses(), .outer = current};
  return repr_of(call, &self);
}
