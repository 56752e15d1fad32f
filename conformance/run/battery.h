// SPDX-License-Identifier: Apache-2.0
// All that a file of cases includes.
#ifndef TVMFFI_CONFORMANCE_RUN_BATTERY_H_
#define TVMFFI_CONFORMANCE_RUN_BATTERY_H_

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "abi/abi.h"
#include "plan/case.h"
#include "run/access.h"
#include "run/expect.h"
#include "run/faults.h"
#include "run/fence.h"
#include "run/iut.h"
#include "run/probe.h"

#endif  // TVMFFI_CONFORMANCE_RUN_BATTERY_H_
