// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ENV_8, "a stream is set only for those who ask for the original one")
OVERRIDE(EnvSetStream, int32_t device_type, int32_t device_id, TVMFFIStreamHandle stream,
         TVMFFIStreamHandle *opt_out_original_stream)
{
  if (opt_out_original_stream)
    return REFERENCE(EnvSetStream)(device_type, device_id, stream, opt_out_original_stream);
  TVMFFIErrorSetRaisedFromCStr("ValueError", "no place for the original stream");
  return -1;
}
