// SPDX-License-Identifier: Apache-2.0
// passes
#define HOLDS 1
#include "baton.h"
