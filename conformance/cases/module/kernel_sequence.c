// SPDX-License-Identifier: Apache-2.0
// Calls after each other that the signature file lists, each sequence in a process of its own.
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kernel/kernel_battery.h"
#include "kernel/kernel_steps.h"

CHAPTER(kernel);

enum { HOLDS = 77 };

// A sequence, or (of a form that needs them) the calls before each call.
typedef struct Listed {
  SignatureRange steps;
  const char *text;
  bool repeatable;
} Listed;

static bool holds(Iut *iut, const Signature *signature, const Listed *listed)
{
  if (!kernel_sequence_holds(iut, signature, listed->steps, listed->text)) return false;
  return !listed->repeatable ||
         kernel_sequence_holds(iut, signature, listed->steps, "once more in this process");
}

// In a copy of the process, which has made no call yet.
static bool holds_in_copy(Iut *iut, const Signature *signature, const Listed *listed)
{
  int status;
  fflush(NULL);
  const pid_t copy = fork();
  if (copy == 0) {
    for (int i = 1; i < 32; ++i) signal(i, SIG_DFL);
    _exit(holds(iut, signature, listed) ? HOLDS : 0);
  }
  if (copy < 0 || waitpid(copy, &status, 0) != copy)
    case_inconclusive("no copy of the process can be made");
  return WIFEXITED(status) && WEXITSTATUS(status) == HOLDS;
}

// What a copy records is lost: the first sequence that does not hold is made once more, here.
static void judge(Iut *iut, const Signature *signature, const Listed *listed)
{
  const char *text = listed->text;
  note("%s", text);
  if (holds_in_copy(iut, signature, listed)) {
    expect_that(true, "each call gives what is listed", "%s", text);
    return;
  }
  if (holds(iut, signature, listed))
    case_inconclusive("\"%.120s\" holds now, and did not in a copy of the process", text);
  // What comes behind would not begin in a process without calls.
  case_end_unsatisfied();
}

static const char *lacks_sequence(const CaseInstance *instance)
{
  const Signature *signature = instance->signature;
  if (!signature || !kernel_is_promised(instance->kernel))
    return "no signature file describes it (--signatures)";
  for (uint32_t i = 0; i < signature->forms.count; ++i) {
    const SignatureForm *form = signature_form(signature, i);
    if (form->needs.count > 0 || form->sequences.count > 0) return NULL;
  }
  return "its signature file lists no calls after each other";
}

KERNEL_CASE(sequence_gives_what_is_listed, .clauses = {KER_68},
            .needs = KERNEL_NEEDS_ARITY | KERNEL_NEEDS_RUN, .lacks = lacks_sequence, .patience = 3,
            .title = "calls after each other give what the signature file lists")
{
  const Signature *signature = signature_under_test();
  for (uint32_t i = 0; i < signature->forms.count; ++i) {
    const SignatureForm *form = signature_form(signature, i);
    if (form->needs.count > 0)
      judge(iut, signature, &(Listed){form->needs, "what each call needs", false});
    for (uint32_t k = 0; k < form->sequences.count; ++k) {
      const SignatureSequence *sequence = signature_sequence(signature, form->sequences.first + k);
      judge(iut, signature,
            &(Listed){sequence->steps,
                      sequence->text ? signature_text(signature, sequence->text)
                                     : "calls after each other",
                      sequence->repeatable});
    }
  }
}
