// SPDX-License-Identifier: Apache-2.0
// passes
#define GIVE p
#include "handle.h"
