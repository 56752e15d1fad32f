// SPDX-License-Identifier: Apache-2.0
// caught by kernel.device-error-is-passed-on.launch
// Does not look at what the launch returns.
#define IS_REFUSED(code) ((void)(code), 0)
#include "kernels_device/add_one_on_device.h"
