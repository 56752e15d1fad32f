// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>

#include "unit/unit.h"

int main(void)
{
  return unit_run(NULL) ? EXIT_SUCCESS : EXIT_FAILURE;
}
