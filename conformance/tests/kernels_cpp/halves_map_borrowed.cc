// SPDX-License-Identifier: Apache-2.0
// caught by kernel.view-in-the-result
#define IN_A_MAP
#define NEW_VIEW NewBorrowed
#include "halves.h"
