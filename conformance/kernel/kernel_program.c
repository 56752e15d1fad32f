// SPDX-License-Identifier: Apache-2.0
#include "kernel/kernel_program.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "battery/access.h"
#include "battery/expect.h"
#include "battery/fence.h"
#include "kernel/kernel_program_text.h"

enum {
  LISTED_MAX = 64,    // elements of a tensor that are written one by one
  IMAGE_MAX = 1024,   // bytes of elements that C has no type for
  SHOWN_MAX = 32,     // elements of an output that are printed
  POINTEE_MAX = 256,  // bytes of other memory
  SMALL_NUMBER = 1 << 24,
  EXPRESSION_MAX = 64,
};

static ProgramText text;

// --- Elements ------------------------------------------------------------------------------------

static bool is_compact(const KernelTensor *tensor)
{
  int64_t stride = 1;
  for (int32_t i = tensor->rank; i-- > 0;) {
    if (tensor->shape[i] != 1 && tensor->strides[i] != stride) return false;
    stride *= tensor->shape[i];
  }
  return true;
}

// The element's place behind the first one, as an expression of `i`.
static void say_place(const KernelTensor *tensor)
{
  if (is_compact(tensor)) {
    program_say(&text, "i");
    return;
  }
  program_say(&text, "place(i, %d, (int64_t[]){", tensor->rank);
  program_say_numbers(&text, tensor->shape, (size_t)tensor->rank);
  program_say(&text, "}, (int64_t[]){");
  program_say_numbers(&text, tensor->strides, (size_t)tensor->rank);
  program_say(&text, "})");
}

static double element_at(const KernelTensor *tensor, DLDataType dtype, size_t index)
{
  double value = 0;
  kernel_tensor_number(tensor, dtype, index, &value);
  return value;
}

// Each element is one more than that before it, as those of examples are.
static bool is_rising(const KernelTensor *tensor, DLDataType dtype)
{
  double first = element_at(tensor, dtype, 0);
  for (size_t i = 1; i < tensor->count; ++i)
    if (element_at(tensor, dtype, i) != first + (double)i) return false;
  return isfinite(first);
}

static void say_typed_elements(unsigned position, const KernelTensor *tensor, DLDataType dtype)
{
  const char *type = program_element_type(dtype);
  bool rising = is_rising(tensor, dtype);
  size_t listed = tensor->count < LISTED_MAX ? tensor->count : LISTED_MAX;
  if (!rising) {
    program_say(&text, "  static const double e%u[] = {", position);
    for (size_t i = 0; i < listed; ++i) {
      double value = element_at(tensor, dtype, i);
      program_say(&text, "%s%.17g", i ? ", " : "", isfinite(value) ? value : 0);
    }
    program_say(&text, "};%s\n", listed < tensor->count ? "  // and so on" : "");
  }
  program_say(&text, "  for (int64_t i = 0; i < %zu; ++i) ((%s *)f%u)[",
              rising ? tensor->count : listed, type, position);
  say_place(tensor);
  if (rising)
    program_say(&text, "] = (%s)(%.17g + (double)i);\n", type, element_at(tensor, dtype, 0));
  else
    program_say(&text, "] = (%s)e%u[i];\n", type, position);
}

// Those that C has no type for, as bytes.
static void say_untyped_elements(unsigned position, const KernelTensor *tensor)
{
  static unsigned char image[1 << 16];
  size_t size = kernel_tensor_gather(tensor, NULL), bytes = tensor->element_bits / 8;
  bool whole_bytes = bytes > 0 && tensor->element_bits % 8 == 0;
  if (size > sizeof image || (!whole_bytes && !is_compact(tensor))) {
    program_say(&text, "  // Its elements have no room here.\n");
    return;
  }
  kernel_tensor_gather(tensor, image);
  size_t listed = size < IMAGE_MAX ? size : IMAGE_MAX;
  if (whole_bytes) listed -= listed % bytes;
  program_say(&text, "  static const unsigned char e%u[] = {", position);
  program_say_bytes(&text, image, listed);
  program_say(&text, "};%s\n", listed < size ? "  // and so on" : "");
  if (!whole_bytes) {
    program_say(&text, "  memcpy(f%u, e%u, sizeof e%u);\n", position, position, position);
    return;
  }
  program_say(&text, "  for (int64_t i = 0; i < %zu; ++i) memcpy(f%u + %zu * (", listed / bytes,
              position, bytes);
  say_place(tensor);
  program_say(&text, "), e%u + %zu * i, %zu);\n", position, bytes, bytes);
}

// --- Tensors -------------------------------------------------------------------------------------

static void say_memory(unsigned position, const KernelTensor *tensor, DLDataType dtype)
{
  program_say(&text, "  char *m%u = guarded(NULL, %zu), *f%u = m%u + %zu;\n", position,
              tensor->memory_size, position, position, (size_t)(tensor->first - tensor->memory));
  if (tensor->count > 0 && tensor->role != KERNEL_OUT) {
    if (program_element_type(dtype))
      say_typed_elements(position, tensor, dtype);
    else
      say_untyped_elements(position, tensor);
  }
  if (tensor->role == KERNEL_IN)
    program_say(&text, "  lock(m%u, %zu);\n", position, tensor->memory_size);
}

// Shape or strides: as many numbers as their memory holds.
static void say_extents(unsigned position, char letter, const int64_t *numbers, int32_t rank)
{
  int64_t copy[KERNEL_RANK_MAX + 1];
  FenceFacts fence;
  size_t count = rank < 0 ? 0 : (size_t)rank;
  if (!numbers) {
    program_say(&text, "  int64_t *%c%u = NULL;\n", letter, position);
    return;
  }
  if (fence_find(numbers, &fence)) count = fence.size / sizeof *copy;
  if (count > KERNEL_RANK_MAX + 1) count = KERNEL_RANK_MAX + 1;
  if (count == 0 || !program_read(copy, numbers, count * sizeof *copy)) {
    program_say(&text, "  int64_t *%c%u = fenced(NULL, 0);\n", letter, position);
    return;
  }
  program_say(&text, "  int64_t *%c%u = fenced((int64_t[]){", letter, position);
  program_say_numbers(&text, copy, count);
  program_say(&text, "}, %zu);\n", count * sizeof *copy);
}

// Where the data is, as an expression.
static void say_data(unsigned position, const KernelTensor *tensor, const DLTensor *described)
{
  FenceFacts fence;
  uintptr_t data = (uintptr_t)described->data;
  if (!data)
    program_say(&text, "NULL");
  else if (tensor->on_device)
    program_say(&text, "nowhere(%zu) + %td", tensor->memory_size,
                (ptrdiff_t)(data - tensor->on_device));
  else if (tensor->memory)
    program_say(&text, "m%u + %td", position, (ptrdiff_t)(data - (uintptr_t)tensor->memory));
  else if (fence_find(described->data, &fence))
    program_say(&text, "nowhere(%zu) + %td", fence.size,
                (ptrdiff_t)(data - (uintptr_t)fence.buffer));
  else
    program_say(&text, "nowhere(4096)");
}

static void say_parameter(const KernelCall *call, unsigned position)
{
  const KernelParameter *parameter = &call->kernel->parameters[position];
  static const char *const roles[] = {"input", "output", "input and output"};
  program_say(&text, "  // argument %u", position);
  if (parameter->name[0]) program_say(&text, ", ");
  program_say_comment(&text, parameter->name);
  program_say(&text, ": %s\n",
              call->tensors[position].tensor ? roles[call->tensors[position].role]
                                             : kernel_kind_names[parameter->kind]);
}

// The tensor as `described` has it, over the memory of the parameter's.
static void say_tensor(const KernelCall *call, unsigned position, const DLTensor *described)
{
  const KernelTensor *tensor = &call->tensors[position];
  if (tensor->on_device)
    program_say(&text, "  // Its memory was real memory of a device; here it is none at all.\n");
  else if (tensor->memory)
    say_memory(position, tensor, described->dtype);
  if (tensor->on_host && !tensor->memory)
    program_say(&text, "  // Its elements lay in pages far apart, which are left out here.\n");
  say_extents(position, 's', described->shape, described->ndim);
  say_extents(position, 'r', described->strides, described->ndim);
  program_say(&text, "  DLTensor *t%u = fenced(&(DLTensor){", position);
  say_data(position, tensor, described);
  program_say(&text, ", {%d, %d}, %d, {%u, %u, %u}, s%u, r%u, %" PRIu64 "}, sizeof(DLTensor));\n",
              (int)described->device.device_type, described->device.device_id, described->ndim,
              described->dtype.code, described->dtype.bits, described->dtype.lanes, position,
              position, described->byte_offset);
  if (tensor->memory && !tensor->on_device && (!described->data || tensor->count == 0))
    program_say(&text, "  (void)f%u;\n", position);
}

// --- Pointers and objects ------------------------------------------------------------------------

static bool is_filled(const unsigned char *bytes, size_t size)
{
  for (size_t i = 0; i < size; ++i)
    if (bytes[i] != 0xA5) return false;
  return true;
}

// Memory of any kind; `name` is a variable's. Writes an expression for the pointer.
static void say_pointer(const char *name, const void *pointer, char expression[EXPRESSION_MAX])
{
  FenceFacts fence;
  unsigned char bytes[POINTEE_MAX];
  if (!pointer) {
    snprintf(expression, EXPRESSION_MAX, "NULL");
  } else if ((uintptr_t)pointer < SMALL_NUMBER) {
    snprintf(expression, EXPRESSION_MAX, "(void *)0x%" PRIxPTR, (uintptr_t)pointer);
  } else if (fence_find(pointer, &fence)) {
    size_t size = fence.size < POINTEE_MAX ? fence.size : POINTEE_MAX;
    bool read = !fence.device && program_read(bytes, fence.buffer, size);
    program_say(&text, "  char *%s = ", name);
    if (fence.device)
      program_say(&text, "nowhere(%zu);\n", fence.size);
    else if (!read || fence.size > POINTEE_MAX || is_filled(bytes, size))
      program_say(&text, "guarded(NULL, %zu);\n", fence.size);
    else {
      program_say(&text, "%s(", fence.read_only ? "fenced" : "guarded");
      program_say_string(&text, (const char *)bytes, size);
      program_say(&text, ", %zu);\n", size);
    }
    snprintf(expression, EXPRESSION_MAX, "%s + %td", name,
             (ptrdiff_t)((uintptr_t)pointer - (uintptr_t)fence.buffer));
  } else {
    program_say(&text, "  char *%s = guarded(NULL, 64);  // some memory\n", name);
    snprintf(expression, EXPRESSION_MAX, "%s", name);
  }
}

// What lies behind an object's header: characters, extents, the copy of a tensor's description.
// False if it is nothing of these.
static bool say_body(const KernelCall *call, unsigned position, int32_t index,
                     const unsigned char body[64])
{
  char bytes[KERNEL_TEXT_MAX + 8];
  int64_t extents[KERNEL_RANK_MAX];
  TVMFFIByteArray cell;
  DLTensor tensor;
  const DLTensor *own = call->tensors[position].tensor;
  memcpy(&cell, body, sizeof cell);
  if (own && program_read(&tensor, own, sizeof tensor) &&
      memcmp(body, &tensor, sizeof tensor) == 0) {
    program_say(&text, "t%u, sizeof(DLTensor)", position);
  } else if ((index == kTVMFFIStr || index == kTVMFFIBytes) && cell.size <= sizeof bytes &&
             program_read(bytes, cell.data, cell.size)) {
    program_say(&text, "&(TVMFFIByteArray){fenced(");
    program_say_string(&text, bytes, cell.size);
    program_say(&text, ", %zu), %zu}, sizeof(TVMFFIByteArray)", cell.size + 1, cell.size);
  } else if (index == kTVMFFIShape && cell.size && cell.size <= KERNEL_RANK_MAX &&
             program_read(extents, cell.data, cell.size * sizeof *extents)) {
    program_say(&text, "&(TVMFFIShapeCell){fenced((int64_t[]){");
    program_say_numbers(&text, extents, cell.size);
    program_say(&text, "}, %zu), %zu}, sizeof(TVMFFIShapeCell)", cell.size * 8, cell.size);
  } else {
    return false;
  }
  return true;
}

// Declares the object as o<position>. False if there is none where `object` points to.
static bool say_object(const KernelCall *call, unsigned position, const void *object)
{
  const AbiLayout *layout = call->iut->layout;
  unsigned char header[64] = {0}, body[64];
  int32_t index;
  if ((uintptr_t)object < SMALL_NUMBER || !program_read(header, object, layout->header_size))
    return false;
  memset(body, 0x5A, sizeof body);
  program_read(body, (const char *)object + layout->header_size, sizeof body);
  memcpy(&index, header + layout->type_index_offset, sizeof index);
  if (position < KERNEL_PARAMETERS_MAX && object == call->tensors[position].object) {
    program_say(&text,
                "  DLManagedTensor d%u = {*t%u, NULL, forget};\n  TVMFFIObjectHandle o%u = NULL;\n"
                "  RUNTIME(TVMFFITensorFromDLPack)(&d%u, 0, 0, &o%u);\n",
                position, position, position, position, position);
  } else if (index == kTVMFFIFunction && position < KERNEL_PARAMETERS_MAX &&
             call->kernel->parameters[position].kind == KERNEL_FUNCTION) {
    program_say(&text,
                "  TVMFFIObjectHandle o%u = NULL;\n"
                "  RUNTIME(TVMFFIFunctionCreate)(NULL, callee, NULL, &o%u);\n",
                position, position);
  } else {
    program_say(&text, "  TVMFFIObjectHandle o%u = object(%d, ", position, index);
    if (position >= KERNEL_PARAMETERS_MAX || !say_body(call, position, index, body))
      program_say(&text, "\"\", 0");
    program_say(&text, ");\n");
  }
  return true;
}

// --- Arguments -----------------------------------------------------------------------------------

static void say_assignment(unsigned position, const TVMFFIAny *value)
{
  program_say(&text, "  values[%u] = (TVMFFIAny){.type_index = %d, ", position, value->type_index);
  if (value->zero_padding) program_say(&text, ".small_str_len = %u, ", value->small_str_len);
}

static void say_plain(unsigned position, const TVMFFIAny *value)
{
  say_assignment(position, value);
  switch (value->type_index) {
    case kTVMFFIInt:
    case kTVMFFIBool:
      program_say(&text, ".v_int64 = ");
      program_say_numbers(&text, &value->v_int64, 1);
      break;
    case kTVMFFIDataType:
      program_say(&text, ".v_dtype = {%u, %u, %u}", value->v_dtype.code, value->v_dtype.bits,
                  value->v_dtype.lanes);
      break;
    case kTVMFFIDevice:
      program_say(&text, ".v_device = {%d, %d}", (int)value->v_device.device_type,
                  value->v_device.device_id);
      break;
    case kTVMFFIFloat:
      if (isfinite(value->v_float64)) {
        program_say(&text, ".v_float64 = %.17g", value->v_float64);
        break;
      }
      __attribute__((fallthrough));
    default:
      program_say(&text, ".v_uint64 = 0x%" PRIx64, value->v_uint64);
  }
  program_say(&text, "};\n");
}

static void say_reference(unsigned position, const TVMFFIAny *value, const char *expression)
{
  say_assignment(position, value);
  program_say(&text, ".v_ptr = %s};\n", expression);
}

// A byte array, with its characters in memory of their own.
static bool say_byte_array(unsigned position, const TVMFFIAny *value)
{
  TVMFFIByteArray array;
  char name[16], expression[EXPRESSION_MAX];
  if (!program_read(&array, value->v_ptr, sizeof array)) return false;
  snprintf(name, sizeof name, "b%u", position);
  say_pointer(name, array.data, expression);
  program_say(&text,
              "  TVMFFIByteArray *p%u = fenced(&(TVMFFIByteArray){%s, %zu}, "
              "sizeof(TVMFFIByteArray));\n",
              position, expression, array.size);
  return true;
}

static void say_rvalue(const KernelCall *call, unsigned position, const TVMFFIAny *value)
{
  void *object = NULL;
  char expression[EXPRESSION_MAX];
  if (program_read(&object, value->v_ptr, sizeof object) && say_object(call, position, object))
    snprintf(expression, sizeof expression, "&o%u", position);
  else
    snprintf(expression, sizeof expression, "NULL");
  say_reference(position, value, expression);
}

static void say_pointed(const KernelCall *call, unsigned position, const TVMFFIAny *value)
{
  char name[16], expression[EXPRESSION_MAX];
  int32_t index = value->type_index;
  snprintf(name, sizeof name, "p%u", position);
  if (index == kTVMFFIByteArrayPtr && say_byte_array(position, value)) {
    say_reference(position, value, name);
    return;
  }
  bool may_be_object = index < 0 || index > kTVMFFISmallBytes;
  if (may_be_object && say_object(call, position, value->v_ptr))
    snprintf(expression, sizeof expression, "o%u", position);
  else
    say_pointer(name, value->v_ptr, expression);
  say_reference(position, value, expression);
}

static bool is_plain(int32_t index)
{
  return index == kTVMFFIInt || index == kTVMFFIBool || index == kTVMFFIFloat ||
         index == kTVMFFIDataType || index == kTVMFFIDevice || index == kTVMFFISmallStr ||
         index == kTVMFFISmallBytes || index == kTVMFFINone;
}

static void say_value(const KernelCall *call, unsigned position)
{
  const TVMFFIAny *value = &call->values[position];
  DLTensor described;
  bool is_parameter = position < call->kernel->parameter_count, has_tensor = false;
  if (is_parameter) say_parameter(call, position);
  if (is_parameter && call->tensors[position].tensor) {
    // What is handed over may be another description of the same memory.
    FenceFacts fence;
    const void *view = call->tensors[position].tensor;
    has_tensor = value->type_index == kTVMFFIDLTensorPtr && fence_find(value->v_ptr, &fence) &&
                 fence.size == sizeof described && !fence.device;
    if (has_tensor) view = value->v_ptr;
    if (program_read(&described, view, sizeof described)) say_tensor(call, position, &described);
  }
  if (has_tensor) {
    char expression[EXPRESSION_MAX];
    snprintf(expression, sizeof expression, "t%u", position);
    say_reference(position, value, expression);
    return;
  }
  if (is_parameter && call->tensors[position].tensor)
    program_say(&text, "  (void)t%u;\n", position);
  if (is_plain(value->type_index))
    say_plain(position, value);
  else if (value->type_index == kTVMFFIObjectRValueRef)
    say_rvalue(call, position, value);
  else
    say_pointed(call, position, value);
}

// --- The whole -----------------------------------------------------------------------------------

static void say_loading(const KernelCall *call)
{
  const char *path = kernel_host.path ? kernel_host.path : "module.so", *base = strrchr(path, '/');
  char file[256], symbol[KERNEL_NAME_MAX + 16];
  snprintf(file, sizeof file, "./%s", base ? base + 1 : path);
  snprintf(symbol, sizeof symbol, "__tvm_ffi_%s", call->kernel->name);
  program_say(&text,
              "int main(int argc, char **argv)\n{\n  const char *module = argc > 1 ? argv[1] : ");
  program_say_string(&text, file, strlen(file));
  program_say(
      &text,
      ";\n  runtime = dlopen(argc > 2 ? argv[2] : \"libtvm_ffi.so\", RTLD_NOW | RTLD_GLOBAL);\n"
      "  void *library = runtime ? dlopen(module, %s | RTLD_LOCAL) : NULL;\n"
      "  void *symbol = library ? dlsym(library, ",
      kernel_host.unresolved[0] ? "RTLD_LAZY" : "RTLD_NOW");
  program_say_string(&text, symbol, strlen(symbol));
  program_say(&text,
              ") : NULL;\n  if (!symbol) return fprintf(stderr, \"%%s\\n\", dlerror()), 2;\n"
              "  TVMFFISafeCallType function;\n  memcpy(&function, &symbol, sizeof function);\n");
  if (kernel_host.context_slot && kernel_host.loaded)
    program_say(
        &text,
        "  // The runtime fills __tvm_ffi__library_ctx.\n"
        "  TVMFFIObjectHandle load = NULL;\n"
        "  RUNTIME(TVMFFIFunctionGetGlobal)\n"
        "  (&(TVMFFIByteArray){\"ffi.ModuleLoadFromFile\", 22}, &load);\n"
        "  TVMFFIAny file = {.type_index = kTVMFFIRawStr, .v_c_str = module}, loaded = {0};\n"
        "  if (load) RUNTIME(TVMFFIFunctionCall)(load, &file, 1, &loaded);\n");
}

static void say_arguments(const KernelCall *call)
{
  int32_t count = call->value_count < KERNEL_ARGS_MAX ? call->value_count : KERNEL_ARGS_MAX;
  static const TVMFFIAny none;
  program_say(&text, "  TVMFFIAny values[%d] = {{0}};\n", count > 0 ? count : 1);
  for (int32_t i = 0; i < count; ++i)
    if (memcmp(&call->values[i], &none, sizeof none) != 0 ||
        (i < KERNEL_PARAMETERS_MAX && call->tensors[i].tensor))
      say_value(call, (unsigned)i);
  if (call->args_null)
    program_say(&text, "  (void)values;\n  const TVMFFIAny *args = NULL;\n");
  else
    program_say(&text, "  const TVMFFIAny *args = fenced(values, %d * sizeof *values);\n", count);
}

static void say_call(const KernelCall *call)
{
  char handle[EXPRESSION_MAX];
  static const TVMFFIAny none;
  unsigned char before[sizeof none];
  say_pointer("handle", call->handle, handle);
  memcpy(before, &call->result_before, sizeof before);
  program_say(&text, "  TVMFFIAny *result = guarded(");
  if (memcmp(before, &none, sizeof before) == 0) {
    program_say(&text, "&(TVMFFIAny){0}");
  } else {
    program_say(&text, "(unsigned char[]){");
    program_say_bytes(&text, before, sizeof before);
    program_say(&text, "}");
  }
  program_say(&text, ", sizeof(TVMFFIAny));\n");
  if (call->program_before) program_say(&text, "%s", call->program_before);
  program_say(&text,
              "  puts(\"the call begins\");\n  fflush(stdout);\n"
              "  int code = function(%s, args, %d, result);\n"
              "  printf(\"returned %%d\\n\", code);\n"
              "  TVMFFIObjectHandle error = NULL;\n"
              "  RUNTIME(TVMFFIErrorMoveFromRaised)(&error);\n"
              "  TVMFFIErrorCell *cell = error ? (void *)((TVMFFIObject *)error + 1) : NULL;\n"
              "  if (!cell) puts(\"no error raised\");\n"
              "  if (cell)\n"
              "    printf(\"raised %%.*s: %%.*s\\n\", (int)cell->kind.size, cell->kind.data,\n"
              "           (int)cell->message.size, cell->message.data);\n"
              "  printf(\"result: type index %%d, padding 0x%%x, payload 0x%%llx\\n\", "
              "result->type_index,\n"
              "         result->zero_padding, (unsigned long long)result->v_uint64);\n",
              handle, call->num_args);
}

static void say_output(const KernelCall *call, unsigned position)
{
  const KernelTensor *tensor = &call->tensors[position];
  DLTensor described;
  if (!tensor->memory || tensor->on_device || tensor->role == KERNEL_IN || tensor->count == 0 ||
      !program_read(&described, tensor->tensor, sizeof described))
    return;
  const char *type = program_element_type(described.dtype);
  bool is_real = described.dtype.code == kDLFloat;
  if (!type) return;
  program_say(&text, "  printf(\"argument %u:\");\n", position);
  program_say(&text, "  for (int64_t i = 0; i < %zu; ++i)\n    printf(\" %%%s\", (%s)((%s *)f%u)[",
              tensor->count < SHOWN_MAX ? tensor->count : SHOWN_MAX, is_real ? ".9g" : "lld",
              is_real ? "double" : "long long", type, position);
  say_place(tensor);
  program_say(&text, "]);\n  puts(\"\");\n");
}

static void write_program(const KernelCall *call, const char *what)
{
  text.size = 0;
  text.full = false;
  program_say(&text, "// A call that was judged, ");
  program_say_comment(&text, what);
  program_say(&text,
              "\n// cc -I INCLUDE -I DLPACK call.c -o call && ./call MODULE.so LIBTVM_FFI.so\n");
  program_say_head(&text, call->iut->layout == &abi_layout_2025_09);
  say_loading(call);
  say_arguments(call);
  say_call(call);
  for (unsigned i = 0; i < call->kernel->parameter_count; ++i)
    if ((int32_t)i < call->value_count) say_output(call, i);
  program_say(&text, "  return 0;\n}\n");
}

void kernel_program_note(const KernelCall *call)
{
  static const char too_long[] = "// The call has too many arguments to be written as a program.\n";
  if (!expect_recording_into()) return;
  write_program(call, note_in_force());
  if (text.full)
    note_program(too_long, sizeof too_long - 1);
  else
    note_program(text.bytes, text.size);
}
