// SPDX-License-Identifier: Apache-2.0
// passes
// What f returns has to be compact.
#define STRIDE(tensor) (Require((tensor).IsContiguous(), "f must return a compact vector"), 1)
#include "relax.h"
