// SPDX-License-Identifier: Apache-2.0
// caught by kernel.choice-is-served
// Levels are cut, not rounded.
#define ROUND(level) std::floor(level)
#include "levels.h"
