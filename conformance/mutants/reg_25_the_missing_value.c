// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(REG_25, "the mark of keyword arguments is the missing value")
REGISTERED("ffi.GetKwargsObject")
{
  return registered_call_by_name("ffi.GetInvalidObject", args, num_args, result);
}
