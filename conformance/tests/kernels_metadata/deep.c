// SPDX-License-Identifier: Apache-2.0
// passes but for load.metadata-is-json
// complaint: it is too long
#define GIVE return give_many("", '[', 1000 * 1000, "", result)
#include "metadata.h"
