// SPDX-License-Identifier: Apache-2.0
// caught by buffer.description-in-other-calls.shorter
#define CHECKS_LENGTH(x, weights) ((void)(x), (void)(weights))
#include "score.h"
