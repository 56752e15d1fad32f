// SPDX-License-Identifier: Apache-2.0
// What comes out of the right call, against the formulas and files of the signature.
#include "kernel/kernel_battery.h"
#include "kernel/kernel_expected.h"

CHAPTER(kernel);

KERNEL_CASE(outcome_is_as_promised, .clauses = {KER_10},
            .needs = KERNEL_NEEDS_EXAMPLE | KERNEL_NEEDS_RUN | KERNEL_NEEDS_EXPECTED,
            .title = "the outputs of the valid call are those of the formula in the signature")
{
  KernelOutcome outcome = kernel_outcome_of(require_right_call(iut, kernel));
  if (outcome.misread) case_inconclusive("%s", outcome.why);
  if (outcome.judged == 0) case_not_applicable("%s", outcome.why);
  if (outcome.why[0]) note("%s", outcome.why);
}
