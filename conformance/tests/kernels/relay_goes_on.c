// SPDX-License-Identifier: Apache-2.0
// caught by kernel.nested-failure-is-passed-on.look-up
#define LOOKUP_CODE(code) ((void)(code), 0)
#include "relay.h"
