// SPDX-License-Identifier: Apache-2.0
// passes
#include "add_one_on_device.h"
