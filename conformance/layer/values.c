// SPDX-License-Identifier: Apache-2.0
#include "layer/values.h"

#include <string.h>

#include "layer/growth.h"
#include "layer/memory.h"
#include "layer/shadow.h"
#include "layer/tensors.h"

// Argument and result.
typedef struct Pair {
  CheckId of[2];
} Pair;

// What follows is in functions of their own, so that values_check is short where it is done at once.
#define BOTH(what) ((Pair){{CHECK_ARGUMENT_##what, CHECK_RESULT_##what}})

enum { SMALL_MAX = 7 };

__attribute__((cold, noinline)) static void report(Pair pair, int index, const LayerParties *who,
                                                   const TVMFFIAny *value, int64_t number)
{
  LAYER_REPORT(pair.of[index == VALUE_RESULT], who, NULL, index, value->type_index, number);
}

__attribute__((cold, noinline)) static void report_text(CheckId check, int index,
                                                        const LayerParties *who, const char *text)
{
  LAYER_REPORT(check, who, text, index);
}

__attribute__((noinline)) static void check_small(const TVMFFIAny *value, int index,
                                                  const LayerParties *who)
{
  uint32_t length = value->small_str_len;
  if (length > SMALL_MAX) {
    report(BOTH(SMALL_LENGTH), index, who, value, length);
    return;
  }
  for (uint32_t i = length; i < sizeof value->v_bytes; ++i)
    if (value->v_bytes[i]) {
      report(BOTH(TAIL), index, who, value, value->v_int64);
      return;
    }
}

// Each runtime assigns these indices in an order of its own.
static void check_runtime(const TVMFFIObject *object, int index, const LayerParties *who)
{
  ShadowEntry entry;
  if (who->runtime && shadow_find(object, &entry) && entry.runtime && entry.runtime != who->runtime)
    LAYER_REPORT(CHECK_RUNTIMES_MIXED, who, NULL, index, object->type_index);
}

__attribute__((noinline)) static void check_object(const TVMFFIAny *value, int index,
                                                   const LayerParties *who)
{
  TVMFFIObject *object = value->v_obj;
  if (!shadow_can_read(object)) {
    report(BOTH(NULL_OBJECT), index, who, value, value->v_int64);
    return;
  }
  uint64_t counts = __atomic_load_n(&object->combined_ref_count, __ATOMIC_RELAXED);
  if ((uint32_t)counts == 0) {
    report(BOTH(DEAD_OBJECT), index, who, value, (int64_t)counts);
    return;
  }
  if (object->type_index != value->type_index)
    report(BOTH(OTHER_INDEX), index, who, value, object->type_index);
  bool known = shadow_see(object, who, NULL);
  if (layer_ring->keeps_dead && (index == VALUE_RESULT || !known)) growth_note_handed_over(object);
  if (index == VALUE_RESULT) return;
  if (value->type_index >= kTVMFFIDynObjectBegin) check_runtime(object, index, who);
  if (!known && object->type_index == kTVMFFITensor)
    tensors_check((const DLTensor *)(object + 1), index, who);
}

static void check_bytes(const TVMFFIAny *value, int index, const LayerParties *who)
{
  const TVMFFIByteArray *bytes = value->v_ptr;
  if (!bytes)
    report_text(CHECK_ARGUMENT_NULL_BYTES, index, who, "it is NULL");
  else if (!memory_is_readable(bytes, sizeof *bytes))
    report_text(CHECK_ARGUMENT_NULL_BYTES, index, who, "its address is not mapped");
  else if (!bytes->data && bytes->size > 0)
    report_text(CHECK_ARGUMENT_NULL_BYTES, index, who, "its data is NULL, and its size is not 0");
}

static void check_rvalue(const TVMFFIAny *value, int index, const LayerParties *who)
{
  TVMFFIObject *const *slot = value->v_ptr;
  if (!slot)
    report_text(CHECK_ARGUMENT_MOVED, index, who, "it is NULL");
  else if (!memory_is_readable(slot, sizeof *slot))
    report_text(CHECK_ARGUMENT_MOVED, index, who, "its address is not mapped");
  else if (!*slot)
    report_text(CHECK_ARGUMENT_MOVED, index, who, "its slot holds NULL");
}

__attribute__((noinline)) static void check_view(const TVMFFIAny *value, int index,
                                                 const LayerParties *who)
{
  if (index == VALUE_RESULT)
    LAYER_REPORT(CHECK_RESULT_VIEW, who, NULL, index, value->type_index);
  else if (value->type_index == kTVMFFIRawStr && !value->v_c_str)
    LAYER_REPORT(CHECK_ARGUMENT_NULL_STRING, who, NULL, index);
  else if (value->type_index == kTVMFFIRawStr && layer_ring->enabled[CHECK_ARGUMENT_UNMAPPED] &&
           !memory_is_readable(value->v_c_str, 1))
    LAYER_REPORT(CHECK_ARGUMENT_UNMAPPED, who, NULL, index, value->type_index, value->v_int64);
  else if (value->type_index == kTVMFFIDLTensorPtr)
    tensors_check(value->v_ptr, index, who);
  else if (value->type_index == kTVMFFIByteArrayPtr)
    check_bytes(value, index, who);
  else if (value->type_index == kTVMFFIObjectRValueRef)
    check_rvalue(value, index, who);
}

void values_check(const TVMFFIAny *value, int index, const LayerParties *who)
{
  int32_t type = value->type_index;
  if (type == kTVMFFISmallStr || type == kTVMFFISmallBytes) {
    check_small(value, index, who);
    return;
  }
  if (value->zero_padding) report(BOTH(PADDING), index, who, value, value->zero_padding);
  if (type >= kTVMFFIStaticObjectBegin) {
    check_object(value, index, who);
    return;
  }
  switch (type) {
    case kTVMFFINone:
      if (value->v_int64) report(BOTH(NONE), index, who, value, value->v_int64);
      break;
    case kTVMFFIBool:
      if (value->v_uint64 > 1) report(BOTH(BOOL), index, who, value, value->v_int64);
      break;
    case kTVMFFIDataType:
      if (memcmp(value->v_bytes + sizeof value->v_dtype, "\0\0\0", 4) != 0)
        report(BOTH(TAIL), index, who, value, value->v_int64);
      break;
    case kTVMFFIDLTensorPtr:
    case kTVMFFIRawStr:
    case kTVMFFIByteArrayPtr:
    case kTVMFFIObjectRValueRef:
      check_view(value, index, who);
      break;
    case kTVMFFIInt:
    case kTVMFFIFloat:
    case kTVMFFIOpaquePtr:
    case kTVMFFIDevice:
      break;
    default:
      // kTVMFFIUnchanged passes between a runtime and what changes objects for it.
      if (type != kTVMFFIUnchanged) report(BOTH(INDEX), index, who, value, type);
  }
}
