// SPDX-License-Identifier: Apache-2.0
// What a call comes to, next to what it comes to in another build of the module (--same-as).
#include "kernel/kernel_battery.h"
#include "kernel/kernel_cuda.h"
#include "kernel/kernel_differ.h"

CHAPTER(kernel);

enum { NEEDS = KERNEL_NEEDS_OTHER | KERNEL_NEEDS_ARITY | KERNEL_NEEDS_RUN };

KERNEL_CASE(same_as_the_other_build, .clauses = {KER_61}, .needs = NEEDS, .patience = 10,
            .title = "a call gives what the other build, which the user names, gives for it")
{
  const unsigned compared = signature_under_test() && kernel->chosen
                                ? kernel_differ_listed(iut, kernel)
                                : kernel_differ_drawn(iut, kernel, KERNEL_DIFFERS_SERVED);
  if (compared == 0)
    case_not_applicable("no call is served by both builds, and gives the same when it is repeated");
}

static const char *lacks_silence(const CaseInstance *instance)
{
  return instance->kernel->chosen ? "a signature file says which calls are refused" : NULL;
}

KERNEL_CASE(refused_as_by_the_other_build, .clauses = {KER_70}, .needs = NEEDS, .patience = 10,
            .lacks = lacks_silence,
            .title = "a call is refused that the other build, which the user names, refuses")
{
  if (kernel_cuda_chosen()) case_not_applicable("a copy of the process cannot make the call");
  if (kernel_differ_drawn(iut, kernel, KERNEL_DIFFERS_REFUSED) == 0)
    case_not_applicable("no call was found that the other build refuses");
}
