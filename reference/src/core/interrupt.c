// SPDX-License-Identifier: Apache-2.0
#include "core/interrupt.h"

#include <stdlib.h>

#include "core/any.h"
#include "core/raise.h"

int interrupt_create(TVMFFIObjectHandle *result)
{
  if (result == NULL) return raise_null("creator", "result");
  InterruptObject *interrupt = malloc(sizeof *interrupt);
  if (interrupt == NULL) return raise_out_of_memory();
  object_init(&interrupt->header, kTVMFFIVisitInterrupt, nest_delete);
  interrupt->value = any_none();
  *result = interrupt;
  return 0;
}

void interrupt_end(TVMFFIObject *interrupt, Nest *nest)
{
  nest_drop_values(nest, &((InterruptObject *)interrupt)->value, 1);
}
