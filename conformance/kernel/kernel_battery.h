// SPDX-License-Identifier: Apache-2.0
// All that a file of cases about modules includes.
#ifndef TVMFFI_CONFORMANCE_KERNEL_KERNEL_BATTERY_H_
#define TVMFFI_CONFORMANCE_KERNEL_KERNEL_BATTERY_H_

#include "battery/battery.h"
#include "kernel/kernel_beside.h"
#include "kernel/kernel_call.h"
#include "kernel/kernel_due.h"
#include "kernel/kernel_explore.h"
#include "kernel/kernel_fresh.h"
#include "kernel/kernel_hint.h"
#include "kernel/kernel_host.h"
#include "kernel/kernel_result.h"
#include "kernel/kernel_same.h"
#include "kernel/kernel_spelling.h"
#include "kernel/kernel_tried.h"
#include "kernel/kernel_work.h"

#endif  // TVMFFI_CONFORMANCE_KERNEL_KERNEL_BATTERY_H_
