// SPDX-License-Identifier: Apache-2.0
// passes but for load.metadata-is
// complaint: there is none, or asking for it fails
#define GIVE return FAIL("RuntimeError", "there are no metadata")
#include "metadata.h"
