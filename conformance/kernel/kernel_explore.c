// SPDX-License-Identifier: Apache-2.0
#include "kernel/kernel_explore.h"

#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "battery/expect.h"
#include "kernel/kernel_allocator.h"
#include "kernel/kernel_cuda.h"

// In a copy of the process: the call that it makes, and where it says how that ended.
static const KernelCall *explored;
static volatile Explored *ending;

bool wrote_outside(const KernelCall *call)
{
  for (unsigned i = 0; i < KERNEL_TENSORS_MAX; ++i) {
    const KernelTensor *tensor = kernel_call_tensor_of(call, i);
    if (tensor->tensor && !kernel_tensor_gaps_untouched(tensor)) return true;
  }
  return false;
}

// On the pages before and behind the memory of a tensor.
static bool is_next_to_tensor(uintptr_t address)
{
  uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  for (unsigned i = 0; explored && i < KERNEL_TENSORS_MAX; ++i) {
    const KernelTensor *tensor = kernel_call_tensor_of(explored, i);
    if (!tensor->memory) continue;
    uintptr_t first = (uintptr_t)tensor->memory / page * page;
    uintptr_t behind = (uintptr_t)tensor->memory + tensor->memory_size;
    if (address >= first - page && address < first) return true;
    if (address >= behind && address < (behind + page - 1) / page * page + page) return true;
  }
  return false;
}

static void note_fault(int number, siginfo_t *info, void *context)
{
  (void)number, (void)context;
  uintptr_t address = (uintptr_t)info->si_addr;
  if (kernel_allocator_is_next_to(address)) *ending = EXPLORED_OUTSIDE_RESULT;
  if (is_next_to_tensor(address)) *ending = EXPLORED_OUTSIDE;
  raise(SIGKILL);
}

static void watch_faults(void)
{
  static char stack[65536];
  stack_t alternate = {.ss_sp = stack, .ss_size = sizeof stack};
  struct sigaction action = {.sa_sigaction = note_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK};
  sigaltstack(&alternate, NULL);
  for (int i = 1; i < 32; ++i) signal(i, SIG_DFL);
  sigaction(SIGSEGV, &action, NULL);
  sigaction(SIGBUS, &action, NULL);
}

static _Noreturn void make_here(Iut *iut, const Kernel *kernel, NewCall *new_call,
                                const void *context)
{
  watch_faults();
  alarm(1);
  KernelCall *call = new_call(iut, kernel, context);
  explored = call;
  if (call) {
    make_call(call);
    Explored end = call->returned ? EXPLORED_REFUSED : EXPLORED_SERVED;
    if (kernel_allocator_is_damaged()) end = EXPLORED_OUTSIDE_RESULT;
    *ending = wrote_outside(call) ? EXPLORED_OUTSIDE : end;
  }
  // No exit handlers, and no code that the function could have ended with.
  raise(SIGKILL);
  _exit(0);
}

Explored explore_call(Iut *iut, const Kernel *kernel, NewCall *new_call, const void *context)
{
  int status;
  if (kernel_cuda_chosen()) return EXPLORED_ELSE;
  if (!ending) {
    void *page =
        mmap(NULL, sizeof *ending, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED) case_inconclusive("no memory to share with copies of the process");
    ending = page;
  }
  *ending = EXPLORED_ELSE;
  fflush(NULL);
  pid_t copy = fork();
  if (copy == 0) make_here(iut, kernel, new_call, context);
  if (copy < 0 || waitpid(copy, &status, 0) != copy)
    case_inconclusive("no copy of the process can be made");
  bool own = WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
  return own ? *ending : EXPLORED_ELSE;
}
