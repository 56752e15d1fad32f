// SPDX-License-Identifier: Apache-2.0
// The checks of a single value.
#ifndef TVMFFI_CONFORMANCE_LAYER_VALUES_H_
#define TVMFFI_CONFORMANCE_LAYER_VALUES_H_

#include "layer/layer.h"

enum { VALUE_RESULT = -1 };

// Checks an argument, whose number is `index`, or a result (VALUE_RESULT), and has objects in it
// followed.
void values_check(const TVMFFIAny *value, int index, const LayerParties *who);

// Whether nothing can be wrong with a value, as with most; values_check finds nothing there.
static inline bool values_is_plain(const TVMFFIAny *value, int index)
{
  if (value->zero_padding) return false;
  switch (value->type_index) {
    case kTVMFFIInt:
    case kTVMFFIFloat:
    case kTVMFFIOpaquePtr:
    case kTVMFFIDevice:
      return true;
    case kTVMFFINone:
      return value->v_int64 == 0;
    case kTVMFFIBool:
      return value->v_uint64 <= 1;
    case kTVMFFIRawStr:
      return index != VALUE_RESULT && value->v_c_str &&
             !layer_ring->enabled[CHECK_ARGUMENT_UNMAPPED];
    default:
      return false;
  }
}

#endif  // TVMFFI_CONFORMANCE_LAYER_VALUES_H_
