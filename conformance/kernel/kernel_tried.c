// SPDX-License-Identifier: Apache-2.0
#include "kernel/kernel_tried.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "signature/signature_words.h"

typedef struct Line {
  char *text;
  size_t capacity, size;
} Line;

__attribute__((format(printf, 2, 3))) static void say(Line *line, const char *format, ...)
{
  size_t room = line->capacity - line->size;
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(line->text + line->size, room, format, arguments);
  va_end(arguments);
  if (length > 0) line->size += (size_t)length < room ? (size_t)length : room - 1;
}

// Of the tensor as it was made, not of what the value points to: that may be made up.
static void say_tensor(Line *line, const KernelTensor *tensor)
{
  const DLTensor *described = tensor->tensor;
  char words[32];
  say(line, "%s[", signature_dtype_text(described->dtype, words));
  for (int32_t i = 0; i < tensor->rank; ++i)
    say(line, "%s%" PRId64, i ? ", " : "", tensor->shape[i]);
  say(line, "]");
  if (described->device.device_type != kDLCPU)
    say(line, " on %s", signature_device_text(described->device, words));
}

static void say_value(Line *line, const KernelCall *call, unsigned position)
{
  const TVMFFIAny *value = &call->values[position];
  char type[48];
  switch (value->type_index) {
    case kTVMFFINone:
      say(line, "None");
      break;
    case kTVMFFIInt:
      say(line, "%" PRId64, value->v_int64);
      break;
    case kTVMFFIBool:
      say(line, "%s", value->v_int64 ? "True" : "False");
      break;
    case kTVMFFIFloat:
      say(line, "%g", value->v_float64);
      break;
    case kTVMFFIDLTensorPtr:
    case kTVMFFITensor:
      if (position < KERNEL_PARAMETERS_MAX && call->tensors[position].tensor) {
        say_tensor(line, &call->tensors[position]);
        break;
      }
      // fall through
    default:
      abi_type_index_text(value->type_index, type);
      say(line, "%s", type);
  }
}

void describe_values(const KernelCall *call, char *text, size_t capacity)
{
  Line line = {text, capacity, 0};
  text[0] = '\0';
  for (int32_t i = 0; i < call->value_count; ++i) {
    const Kernel *kernel = call->kernel;
    bool named = (uint32_t)i < kernel->parameter_count && kernel->parameters[i].name[0];
    if (i) say(&line, ", ");
    if (named) say(&line, "%s: ", kernel->parameters[i].name);
    say_value(&line, call, (unsigned)i);
  }
  if (call->value_count == 0) say(&line, "no arguments");
}

void make_tried_call(KernelCall *call, TriedPromise promise)
{
  char text[sizeof(((EvidenceTried *)NULL)->what)];
  describe_values(call, text, sizeof text);
  tried(promise, "%s", text);
  make_call(call);
  tried_came_to(call->returned ? TRIED_REFUSED : TRIED_SERVED);
}
