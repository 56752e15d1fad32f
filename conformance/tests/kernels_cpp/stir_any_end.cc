// SPDX-License-Identifier: Apache-2.0
// caught by argument.text-counts-as-a-whole
#define IS_MODE(mode, name) ((mode).compare(0, 3, (name), 0, 3) == 0)
#include "stir.h"
