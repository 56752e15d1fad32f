// SPDX-License-Identifier: Apache-2.0
// caught by kernel.choice-is-served
// Far up all steps are alike.
#define STEP(i) ((i) < 400 ? (i) * (i) : 160000)
#include "stairs.h"
