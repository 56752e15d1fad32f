// SPDX-License-Identifier: Apache-2.0
// passes
// Modes that are remembered are kept, so that nothing else comes to lie where they are.
#define IS_RISING(mode) (Keep(mode), Remembered(mode))
#include "paint.h"
