// SPDX-License-Identifier: Apache-2.0
// On which device the tensors of a container are.
#ifndef REFERENCE_SRC_FRONTEND_DEVICE_H_
#define REFERENCE_SRC_FRONTEND_DEVICE_H_

#include "native/native.h"

// ffi.ContainerFindFirstNonCPUDevice: the device of the first tensor that isn't on the CPU, at any
// depth; the CPU if there is none.
NativeBody device_find;

#endif  // REFERENCE_SRC_FRONTEND_DEVICE_H_
