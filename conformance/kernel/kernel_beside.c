// SPDX-License-Identifier: Apache-2.0
#include "kernel/kernel_beside.h"

#include "battery/expect.h"

static bool expect_refused_again(const char *at, KernelCall *again)
{
  make_call(again);
  const bool served = again->returned == 0;
  drop_outcome(again);
  return expect_that_(at, !served,
                      "refused as well where right values lie beside the elements of the tensor",
                      "it is served");
}

bool expect_refused_whatever_is_beside_(const char *at, Iut *iut, KernelCall *call,
                                        unsigned position, const TensorForm *form)
{
  TensorForm beside = *form;
  beside.beside = true;
  if (call->returned == 0) return true;
  KernelCall *again = new_right_call(iut, call->kernel);
  call_with_tensor(again, position, &beside);
  return expect_refused_again(at, again);
}

bool expect_refused_whatever_is_beside_elements_(const char *at, Iut *iut, KernelCall *call,
                                                 const TensorForm *form)
{
  TensorForm beside = *form;
  beside.beside = true;
  if (call->returned == 0) return true;
  return expect_refused_again(at, new_call_with_elements(iut, call->kernel, &beside));
}
