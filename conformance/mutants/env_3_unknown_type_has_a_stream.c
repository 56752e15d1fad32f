// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ENV_3, "a device type that nobody knows has a stream of its own")
OVERRIDE(EnvGetStream, int32_t device_type, int32_t device_id)
{
  static char unknown;
  return device_type > kDLTrn ? &unknown : REFERENCE(EnvGetStream)(device_type, device_id);
}
