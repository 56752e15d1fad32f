// SPDX-License-Identifier: Apache-2.0
// passes
#include "kernels_device/add_one_on_device.h"
