// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ENV_7, "the stream that is set is given back as the original one")
OVERRIDE(EnvSetStream, int32_t device_type, int32_t device_id, TVMFFIStreamHandle stream,
         TVMFFIStreamHandle *opt_out_original_stream)
{
  int status = REFERENCE(EnvSetStream)(device_type, device_id, stream, opt_out_original_stream);
  if (status == 0 && opt_out_original_stream) *opt_out_original_stream = stream;
  return status;
}
