// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(TEN_24, "a tensor that is exported again gives what it gave before")

static _Thread_local TVMFFIObjectHandle exported;
static _Thread_local DLManagedTensor *given;
static _Thread_local unsigned holders;
static void (*delete_given)(DLManagedTensor *);

static void let_go(DLManagedTensor *self)
{
  if (self == given && --holders > 0) {
    TVMFFIObjectDecRef(exported);
    return;
  }
  if (self == given) given = NULL, exported = NULL;
  delete_given(self);
}

OVERRIDE(TensorToDLPack, TVMFFIObjectHandle from, DLManagedTensor **out)
{
  if (given && from == exported) {
    *out = given;
    ++holders;
    return TVMFFIObjectIncRef(from);
  }
  int status = REFERENCE(TensorToDLPack)(from, out);
  if (status != 0) return status;
  exported = from;
  given = *out;
  holders = 1;
  delete_given = given->deleter;
  given->deleter = let_go;
  return 0;
}
