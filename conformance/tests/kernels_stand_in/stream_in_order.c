// SPDX-License-Identifier: Apache-2.0
// passes
// A stream of its own, which waits for the caller's, and for which the caller's waits.
#define AFTERWARDS wait_for(CALLERS_STREAM, stream)
#include "kernels_stand_in/own_stream.h"
