// SPDX-License-Identifier: Apache-2.0
// passes
// complaint: it is too long
#define GIVE return give_many("{\"about\": \"", 'a', 4 << 20, "\"}", result)
#include "metadata.h"
