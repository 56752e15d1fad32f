// SPDX-License-Identifier: Apache-2.0
// caught by kernel.none-is-as-if-left-out
#define BIAS(options) (options["bias"] == nullptr ? 1.0 : Option(options, "bias"))
#include "parts.h"
