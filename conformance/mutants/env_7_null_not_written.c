// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ENV_7, "nothing is written where there was no stream before")
OVERRIDE(EnvSetStream, int32_t device_type, int32_t device_id, TVMFFIStreamHandle stream,
         TVMFFIStreamHandle *opt_out_original_stream)
{
  TVMFFIStreamHandle before = NULL;
  int status = REFERENCE(EnvSetStream)(device_type, device_id, stream, &before);
  if (status == 0 && before && opt_out_original_stream) *opt_out_original_stream = before;
  return status;
}
