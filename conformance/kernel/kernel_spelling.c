// SPDX-License-Identifier: Apache-2.0
#include "kernel/kernel_spelling.h"

#include <string.h>

#include "battery/access.h"
#include "battery/expect.h"
#include "battery/fence.h"
#include "battery/probe.h"

enum { SMALL_MAX = 7 };

// An object of any length, its data ending in the NUL that it must have, at the unmapped page.
static TVMFFIAny spell_object(Iut *iut, int32_t type_index, const char *text, size_t size)
{
  char ended[KERNEL_TEXT_MAX + 8] = {0};
  memcpy(ended, text, size);
  TVMFFIObjectHandle object = new_probe_object_of(iut, type_index);
  TVMFFIByteArray cell = {fenced_copy("the characters of an object", ended, size + 1), size};
  memcpy(object_body(iut, object), &cell, sizeof cell);
  return view_of_object(iut, object);
}

TVMFFIAny kernel_spell_text(Iut *iut, int32_t type_index, const char *text, size_t size)
{
  TVMFFIAny value = any_none();
  switch (type_index) {
    case kTVMFFIRawStr:
      return view_of_raw_string(fenced_string(text));
    case kTVMFFIByteArrayPtr:
      return view_of_byte_array(fenced_bytes(text, size));
    case kTVMFFIStr:
    case kTVMFFIBytes:
      return spell_object(iut, type_index, text, size);
    default:
      value.type_index = type_index;
      value.small_str_len = (uint32_t)size;
      memcpy(value.v_bytes, text, size);
      return value;
  }
}

static bool is_possible(int32_t type_index, size_t size, bool counted)
{
  if (type_index == kTVMFFISmallStr || type_index == kTVMFFISmallBytes) return size <= SMALL_MAX;
  return !counted || type_index != kTVMFFIRawStr;
}

int32_t kernel_spelling_for(const KernelParameter *parameter, size_t size, bool counted)
{
  for (size_t i = KERNEL_SPELLING_COUNT; i-- > 0;) {
    const KernelSpelling *spelling = &kernel_spellings[i];
    if (spelling->kind == parameter->kind &&
        kernel_takes_spelling(parameter, spelling->type_index) &&
        is_possible(spelling->type_index, size, counted))
      return spelling->type_index;
  }
  return -1;
}

unsigned kernel_spelling_count(const KernelParameter *parameter)
{
  unsigned count = 0;
  for (size_t i = 0; i < KERNEL_SPELLING_COUNT; ++i)
    count += kernel_spellings[i].kind == parameter->kind &&
             kernel_takes_spelling(parameter, kernel_spellings[i].type_index);
  return count;
}
