// SPDX-License-Identifier: Apache-2.0
// passes
#define SAME_TYPE(x, out) ((x).code == (out).code && (x).bits == (out).bits)
#include "ditto.h"
