// SPDX-License-Identifier: Apache-2.0
#include "kernel/kernel_tried.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "kernel/kernel_result.h"
#include "signature/signature_line.h"
#include "signature/signature_words.h"

// Of the tensor as it was made, not of what the value points to: that may be made up.
static void say_tensor(SignatureLine *line, const KernelTensor *tensor)
{
  const DLTensor *described = tensor->tensor;
  char words[32];
  signature_say(line, "%s[", signature_dtype_text(described->dtype, words));
  for (int32_t i = 0; i < tensor->rank; ++i)
    signature_say(line, "%s%" PRId64, i ? ", " : "", tensor->shape[i]);
  signature_say(line, "]");
  if (described->device.device_type != kDLCPU)
    signature_say(line, " on %s", signature_device_text(described->device, words));
}

// The beginning of it; a dot for each octet that is no letter, digit or the like.
static void say_text(SignatureLine *line, const TVMFFIByteArray *text)
{
  enum { SAID_MOST = 40 };
  signature_say(line, "\"");
  for (size_t i = 0; i < text->size && i < SAID_MOST; ++i) {
    const char letter = text->data[i];
    signature_say(line, "%c", letter >= ' ' && letter <= '~' ? letter : '.');
  }
  signature_say(line, text->size > SAID_MOST ? "...\"" : "\"");
}

static void say_value(SignatureLine *line, const KernelCall *call, unsigned position)
{
  const TVMFFIAny *value = &call->values[position];
  char type[48];
  TVMFFIByteArray text;
  switch (value->type_index) {
    case kTVMFFINone:
      signature_say(line, "None");
      break;
    case kTVMFFIInt:
      signature_say(line, "%" PRId64, value->v_int64);
      break;
    case kTVMFFIBool:
      signature_say(line, "%s", value->v_int64 ? "True" : "False");
      break;
    case kTVMFFIFloat:
      signature_say(line, "%g", value->v_float64);
      break;
    case kTVMFFIRawStr:
      text = (TVMFFIByteArray){value->v_c_str, strlen(value->v_c_str)};
      say_text(line, &text);
      break;
    case kTVMFFISmallStr:
    case kTVMFFIStr:
      if (result_text(call->iut, value, &text)) say_text(line, &text);
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
      signature_say(line, "%s", type);
  }
}

void describe_values(const KernelCall *call, char *text, size_t capacity)
{
  SignatureLine line = {text, capacity, 0};
  text[0] = '\0';
  for (int32_t i = 0; i < call->value_count; ++i) {
    const Kernel *kernel = call->kernel;
    bool named = (uint32_t)i < kernel->parameter_count && kernel->parameters[i].name[0];
    if (i) signature_say(&line, ", ");
    if (named) signature_say(&line, "%s: ", kernel->parameters[i].name);
    say_value(&line, call, (unsigned)i);
  }
  if (call->value_count == 0) signature_say(&line, "no arguments");
}

void make_tried_call(KernelCall *call, TriedPromise promise)
{
  char text[sizeof(((EvidenceTried *)NULL)->what)];
  describe_values(call, text, sizeof text);
  tried(promise, "%s", text);
  make_call(call);
  tried_came_to(call->returned ? TRIED_REFUSED : TRIED_SERVED);
}
