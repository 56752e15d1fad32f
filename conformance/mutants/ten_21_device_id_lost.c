// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(TEN_21, "every export is on device 0")
OVERRIDE(TensorToDLPackVersioned, TVMFFIObjectHandle from, DLManagedTensorVersioned **out)
{
  int status = REFERENCE(TensorToDLPackVersioned)(from, out);
  if (status == 0) (*out)->dl_tensor.device.device_id = 0;
  return status;
}
