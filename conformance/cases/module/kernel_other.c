// SPDX-License-Identifier: Apache-2.0
// What a call comes to, next to what it comes to in another build of the module (--same-as).
#include "kernel/kernel_battery.h"
#include "kernel/kernel_cuda.h"
#include "kernel/kernel_differ.h"

CHAPTER(kernel);

enum { NEEDS = KERNEL_NEEDS_OTHER | KERNEL_NEEDS_ARITY | KERNEL_NEEDS_RUN };

KERNEL_CASE(same_as_the_other_build, .clauses = {KER_61}, .needs = NEEDS, .patience = 10,
            .explores = true,
            .title = "a call gives what the other build, which the user names, gives for it")
{
  const unsigned compared = signature_under_test() && kernel->chosen
                                ? kernel_differ_listed(iut, kernel)
                                : kernel_differ_drawn(iut, kernel, KERNEL_DIFFERS_SERVED);
  if (compared == 0)
    case_not_applicable("no call is served by both builds, and gives the same when it is repeated");
}

static const char no_copy[] = "a copy of the process cannot make the call";

static const char *lacks_silence(const CaseInstance *instance)
{
  return instance->kernel->chosen ? "a signature file says which calls are refused" : NULL;
}

KERNEL_CASE(refused_as_by_the_other_build, .clauses = {KER_70}, .needs = NEEDS, .patience = 10,
            .explores = true, .lacks = lacks_silence,
            .title = "a call is refused that the other build, which the user names, refuses")
{
  if (kernel_cuda_chosen()) case_not_applicable("%s", no_copy);
  if (kernel_differ_drawn(iut, kernel, KERNEL_DIFFERS_REFUSED) == 0)
    case_not_applicable("no call was found that the other build refuses");
}

static const char *lacks_drawn_calls(const CaseInstance *instance)
{
  return instance->kernel->chosen ? "its signature file says which calls are made" : NULL;
}

KERNEL_CASE(
    keeps_no_more_than_the_other_build, .clauses = {KER_71}, .needs = NEEDS, .patience = 10,
    .explores = true, .lacks = lacks_drawn_calls,
    .title =
        "a call that is made over and over keeps no more memory than in the other build, which the user names")
{
  if (kernel_cuda_chosen()) case_not_applicable("%s", no_copy);
  if (heap_in_use() == SIZE_MAX) case_inconclusive("cannot measure the heap of this process");
  if (kernel_differ_drawn(iut, kernel, KERNEL_DIFFERS_MEMORY) == 0)
    case_not_applicable("no call returns in both builds");
}
