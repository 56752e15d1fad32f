// SPDX-License-Identifier: Apache-2.0
// caught by kernel.other-calls-leak-nothing
#define LABEL_OF(label) LeakedLabel(label)
#include "score.h"
