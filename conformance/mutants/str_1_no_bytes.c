// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(STR_1, "there is no TVMFFIBytesFromByteArray")
OMIT(BytesFromByteArray);
