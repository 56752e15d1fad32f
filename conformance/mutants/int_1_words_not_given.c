// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(INT_1, "there is no TVMFFIBigIntGetContentByteArray")
OMIT(BigIntGetContentByteArray);
