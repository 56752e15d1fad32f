// SPDX-License-Identifier: Apache-2.0
// caught by kernel.excluded-value-is-refused saying calls[0]
#define SCALE(options) (options.count("scale") ? Option(options, "scale") : 1)
#include "parts.h"
