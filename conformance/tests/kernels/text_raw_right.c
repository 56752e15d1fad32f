// SPDX-License-Identifier: Apache-2.0
// passes
#define WRONG ONLY_RAW
#include "text.h"
