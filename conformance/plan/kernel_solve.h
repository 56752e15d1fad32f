// SPDX-License-Identifier: Apache-2.0
// Calls that meet the conditions of a signature: kernel_choice_solve and kernel_example (kernel_choice.h), and what they
// share with the choices of calls.
#ifndef TVMFFI_CONFORMANCE_PLAN_KERNEL_SOLVE_H_
#define TVMFFI_CONFORMANCE_PLAN_KERNEL_SOLVE_H_

#include "plan/kernel_choice.h"

// A number below `below`, of a sequence that is the same in every run. The state is any number at first.
unsigned kernel_draw(uint32_t *state, unsigned below);

// Makes the example of the form choice->form: what the signature states, or else a listed call; that is also the
// example where a made one has inputs without elements, and nobody promises it. False, and why, if there is none.
bool kernel_solve_example(const Signature *signature, KernelChoice *choice, Kernel *kernel,
                          char problem[KERNEL_PROBLEM_MAX]);

#endif  // TVMFFI_CONFORMANCE_PLAN_KERNEL_SOLVE_H_
