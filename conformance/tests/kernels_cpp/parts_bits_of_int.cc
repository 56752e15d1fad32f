// SPDX-License-Identifier: Apache-2.0
// caught by kernel.int-is-the-same-number
#define SCALE(options) \
  (Option(options, "scale"), ffi::AnyView(options["scale"]).CopyToTVMFFIAny().v_float64)
#include "parts.h"
