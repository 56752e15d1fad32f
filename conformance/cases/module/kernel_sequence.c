// SPDX-License-Identifier: Apache-2.0
// Calls after each other that the signature file lists, each sequence in a process of its own.
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
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

static bool holds(Iut *iut, const Signature *signature, const Listed *listed, KernelCourse *course)
{
  if (!kernel_sequence_holds(iut, signature, listed->steps, listed->text, course)) return false;
  return course || !listed->repeatable ||
         kernel_sequence_holds(iut, signature, listed->steps, "once more in this process", NULL);
}

// What a copy of the process has seen, in memory that it shares with the case.
static KernelCourse *shared_course(void)
{
  KernelCourse *course =
      mmap(NULL, sizeof *course, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (course == MAP_FAILED) case_inconclusive("no memory to share with a copy of the process");
  return course;
}

// In a copy of the process, which has made no call yet. `course` is of shared_course, or NULL.
static bool holds_in_copy(Iut *iut, const Signature *signature, const Listed *listed,
                          KernelCourse *course)
{
  int status;
  fflush(NULL);
  const pid_t copy = fork();
  if (copy == 0) {
    for (int i = 1; i < 32; ++i) signal(i, SIG_DFL);
    _exit(holds(iut, signature, listed, course) ? HOLDS : 0);
  }
  if (copy < 0 || waitpid(copy, &status, 0) != copy)
    case_inconclusive("no copy of the process can be made");
  return WIFEXITED(status) && WEXITSTATUS(status) == HOLDS;
}

// What a copy records is lost: the first sequence that does not hold is made once more, here.
// Returns how many objects were counted.
static unsigned judge(Iut *iut, const Signature *signature, const Listed *listed,
                      const KernelCourse *course)
{
  const char *text = listed->text;
  KernelCourse again = course ? *course : (KernelCourse){0}, *seen = shared_course();
  note("%s", text);
  *seen = again;
  const bool right = holds_in_copy(iut, signature, listed, course ? seen : NULL);
  const unsigned counted = seen->counted;
  munmap(seen, sizeof *seen);
  if (right && (!course || !course->counts || counted > 0))
    expect_that(true, "each call gives what is listed", "%s", text);
  if (right) return counted;
  if (holds(iut, signature, listed, course ? &again : NULL))
    case_inconclusive("\"%.120s\" holds now, and did not in a copy of the process", text);
  // What comes behind would not begin in a process without calls.
  case_end_unsatisfied();
}

static Listed listed_of(const Signature *signature, uint32_t index)
{
  const SignatureSequence *sequence = signature_sequence(signature, index);
  return (Listed){
      sequence->steps,
      sequence->text ? signature_text(signature, sequence->text) : "calls after each other",
      sequence->repeatable};
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
      judge(iut, signature, &(Listed){form->needs, "what each call needs", false}, NULL);
    for (uint32_t k = 0; k < form->sequences.count; ++k) {
      const Listed listed = listed_of(signature, form->sequences.first + k);
      judge(iut, signature, &listed, NULL);
    }
  }
}

// --- What is promised of each of the calls -------------------------------------------------------

// Makes the sequences as they are listed; those that do not hold are for the case above. Calls `look` for each
// other, with what was seen.
typedef void LookAtSequence(Iut *iut, const Signature *signature, const Listed *listed,
                            const KernelCourse *seen);

static void for_each_sequence(Iut *iut, const Signature *signature, LookAtSequence *look)
{
  KernelCourse *seen = shared_course();
  for (uint32_t i = 0; i < signature->forms.count; ++i) {
    const SignatureForm *form = signature_form(signature, i);
    for (uint32_t k = 0; k < form->sequences.count; ++k) {
      const Listed listed = listed_of(signature, form->sequences.first + k);
      *seen = (KernelCourse){0};
      if (holds_in_copy(iut, signature, &listed, seen)) look(iut, signature, &listed, seen);
    }
  }
}

static unsigned looked_at;

static void look_at_counts(Iut *iut, const Signature *signature, const Listed *listed,
                           const KernelCourse *seen)
{
  (void)seen;
  looked_at += judge(iut, signature, listed, &(KernelCourse){.counts = true});
}

KERNEL_CASE(sequence_keeps_no_arguments, .clauses = {KER_34},
            .needs = KERNEL_NEEDS_ARITY | KERNEL_NEEDS_RUN, .lacks = lacks_sequence, .patience = 3,
            .title = "calls after each other keep no argument that they are not said to retain")
{
  for_each_sequence(iut, signature_under_test(), look_at_counts);
  if (looked_at == 0)
    case_not_applicable("no step that gives what is listed takes an object to let go");
}

static void look_at_failures(Iut *iut, const Signature *signature, const Listed *listed,
                             const KernelCourse *seen)
{
  enum { CALLS_MOST = 12 };
  for (unsigned at = 1; at <= seen->calls && at <= CALLS_MOST; ++at, ++looked_at)
    judge(iut, signature, listed, &(KernelCourse){.fails_at = at});
}

KERNEL_CASE(sequence_passes_errors_on, .clauses = {KER_22},
            .needs = KERNEL_NEEDS_ARITY | KERNEL_NEEDS_RUN, .lacks = lacks_sequence, .patience = 3,
            .title = "in a sequence, a call in which a callback fails is refused")
{
  for_each_sequence(iut, signature_under_test(), look_at_failures);
  if (looked_at == 0) case_not_applicable("no sequence calls a callback, and gives what is listed");
}
