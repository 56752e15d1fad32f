// SPDX-License-Identifier: Apache-2.0
// All that a file of cases about modules includes.
#ifndef TVMFFI_CONFORMANCE_RUN_KERNEL_BATTERY_H_
#define TVMFFI_CONFORMANCE_RUN_KERNEL_BATTERY_H_

#include "run/battery.h"
#include "run/kernel_call.h"
#include "run/kernel_hint.h"
#include "run/kernel_host.h"
#include "run/kernel_result.h"
#include "run/kernel_same.h"
#include "run/kernel_spelling.h"

#endif  // TVMFFI_CONFORMANCE_RUN_KERNEL_BATTERY_H_
