// SPDX-License-Identifier: Apache-2.0
#include "kernel/kernel_hint.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kernel/kernel_spelling.h"

enum { TRIAL_SECONDS = 1 };

__attribute__((format(printf, 2, 3))) static void add(char hint[KERNEL_HINT_MAX],
                                                      const char *format, ...)
{
  size_t used = strlen(hint);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(hint + used, KERNEL_HINT_MAX - used, format, arguments);
  va_end(arguments);
}

// "x": ["raw", "small"]
static void add_spellings(char hint[KERNEL_HINT_MAX], const Kernel *kernel, unsigned position,
                          unsigned bits)
{
  char name[64];
  const char *separator = "";
  add(hint, "%s: \"spellings\": [", parameter_name(kernel, position, name));
  for (size_t i = 0; i < KERNEL_SPELLING_COUNT; ++i) {
    const KernelSpelling *spelling = &kernel_spellings[i];
    if (spelling->kind != kernel->parameters[position].kind || !(spelling->bit & bits)) continue;
    add(hint, "%s\"%s\"", separator, spelling->name);
    separator = ", ";
  }
  add(hint, "]");
}

// --- Another right call --------------------------------------------------------------------------

// Whether a text of this parameter's can be written so; tensors can in each of their spellings.
static bool can_be_written(const KernelParameter *parameter)
{
  return parameter->kind == KERNEL_TENSOR ||
         kernel_spelling_for(parameter, kernel_text_length(parameter), false) >= 0;
}

// Makes the right call of `trial`. True if it is served; else `words` becomes what it says.
static bool is_served(const KernelCall *refused, const Kernel *trial, char words[256])
{
  KernelCall *call = new_right_call(refused->iut, trial);
  make_call(call);
  snprintf(words, 256, "%s", call->error_text);
  return call->returned == 0;
}

// Tries the spellings of one parameter. One that is refused with other words is kept: what was
// complained of before is looked at first, and is no longer complained of.
static bool try_parameter(const KernelCall *refused, Kernel *trial, unsigned position,
                          char words[256])
{
  KernelParameter *parameter = &trial->parameters[position];
  for (size_t i = 0; i < KERNEL_SPELLING_COUNT; ++i) {
    char seen[256];
    if (kernel_spellings[i].kind != parameter->kind) continue;
    parameter->spellings = kernel_spellings[i].bit;
    if (!can_be_written(parameter)) continue;
    bool served = is_served(refused, trial, seen);
    bool moved_on = strcmp(seen, words) != 0;
    snprintf(words, 256, "%s", seen);
    if (served || moved_on) return served;
  }
  parameter->spellings = 0;
  return false;
}

static void try_all(const KernelCall *refused, char hint[KERNEL_HINT_MAX])
{
  static Kernel trial;
  char words[256];
  bool served = false;
  trial = *refused->kernel;
  snprintf(words, sizeof words, "%s", refused->error_text);
  for (unsigned i = 0; i < trial.parameter_count && !served; ++i)
    if (!trial.parameters[i].spellings && kernel_spelling_count(&trial.parameters[i]) > 1)
      served = try_parameter(refused, &trial, i, words);
  if (!served) return;
  add(hint, "it returns 0 with, in a signature file,");
  const char *separator = " ";
  for (unsigned i = 0; i < trial.parameter_count; ++i) {
    if (trial.parameters[i].spellings == refused->kernel->parameters[i].spellings) continue;
    add(hint, "%s", separator);
    add_spellings(hint, &trial, i, trial.parameters[i].spellings);
    separator = ", ";
  }
}

void kernel_hint_right_call(KernelCall *refused)
{
  int status;
  // The state of a driver is lost in a fork.
  if (refused->kernel->cuda || kernel_keeps_threads()) return;
  char *hint =
      mmap(NULL, KERNEL_HINT_MAX, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (hint == MAP_FAILED) return;
  pid_t copy = kernel_fork();
  if (copy == 0) {
    for (int i = 1; i < 32; ++i) signal(i, SIG_DFL);
    alarm(TRIAL_SECONDS);
    try_all(refused, hint);
    _exit(0);
  }
  bool done = copy > 0 && waitpid(copy, &status, 0) == copy && WIFEXITED(status);
  hint[KERNEL_HINT_MAX - 1] = '\0';
  if (done) snprintf(refused->hint, sizeof refused->hint, "%s", hint);
  munmap(hint, KERNEL_HINT_MAX);
}

// --- A spelling that is refused ------------------------------------------------------------------

void kernel_hint_spelling(KernelCall *call, unsigned position, int32_t type_index)
{
  const KernelParameter *parameter = &call->kernel->parameters[position];
  unsigned others = 0;
  for (size_t i = 0; i < KERNEL_SPELLING_COUNT; ++i)
    if (kernel_spellings[i].kind == parameter->kind &&
        kernel_spellings[i].type_index != type_index &&
        kernel_takes_spelling(parameter, kernel_spellings[i].type_index))
      others |= kernel_spellings[i].bit;
  call->hint[0] = '\0';
  add(call->hint, "if only others are promised, a signature file says so: ");
  add_spellings(call->hint, call->kernel, position, others);
}
