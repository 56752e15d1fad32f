// SPDX-License-Identifier: Apache-2.0
// caught by kernel.message-names-the-tensor.dtype
#define ABOUT(second, words) ((second) ? "x " words : "y " words)
#include "add_one.h"
