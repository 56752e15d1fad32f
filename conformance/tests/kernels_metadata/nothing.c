// SPDX-License-Identifier: Apache-2.0
// passes
// complaint: it has no type_schema
#define GIVE return give_bytes("{}", sizeof("{}") - 1, result)
#include "metadata.h"
