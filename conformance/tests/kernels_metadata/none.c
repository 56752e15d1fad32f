// SPDX-License-Identifier: Apache-2.0
// passes
// complaint: there is none, or asking for it fails
#define GIVE return 0
#include "metadata.h"
