// SPDX-License-Identifier: Apache-2.0
// caught by kernel.nested-failure-is-passed-on.call
#define CALL_CODE(code) ((code) ? (TVMFFIErrorMoveFromRaised(&found), (code)) : 0)
#include "relay.h"
