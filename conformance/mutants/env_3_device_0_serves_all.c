// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ENV_3, "a device without a stream gets that of device 0")
OVERRIDE(EnvGetStream, int32_t device_type, int32_t device_id)
{
  TVMFFIStreamHandle stream = REFERENCE(EnvGetStream)(device_type, device_id);
  return stream || device_id <= 0 ? stream : REFERENCE(EnvGetStream)(device_type, 0);
}
