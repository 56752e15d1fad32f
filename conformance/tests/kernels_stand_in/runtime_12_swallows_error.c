// SPDX-License-Identifier: Apache-2.0
// caught by kernel.device-error-is-passed-on.launch
// What the launch returns, and the last error, are never looked at.
#define ERROR 0
#include "kernels_stand_in/add_one_by_runtime.h"
