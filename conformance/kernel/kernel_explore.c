// SPDX-License-Identifier: Apache-2.0
#include "kernel/kernel_explore.h"

#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "battery/clock.h"
#include "battery/expect.h"
#include "battery/faults_fence.h"
#include "battery/fence.h"
#include "kernel/kernel_allocator.h"
#include "kernel/kernel_cuda.h"

enum { FIRST_PAGE = 1 << 16, HEAP_FILL = 0xA5 };

// What a copy of the process says, in memory that it shares.
typedef struct Shared {
  Explored ends[EXPLORED_AT_ONCE];
  unsigned at;                       // the call that is being made
  bool calling;                      // it has begun
  bool changes[KERNEL_TENSORS_MAX];  // tensors that the last call wrote to, and was refused
} Shared;

static volatile Shared *shared;

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

static void note_signal(int number)
{
  (void)number;
  *ending = EXPLORED_SIGNALLED;
  raise(SIGKILL);
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
  char described[96];
  *ending = address < FIRST_PAGE ? EXPLORED_NO_ADDRESS : EXPLORED_LOST;
  if (faults_fence_holds(info->si_addr) || fence_describe(address, described, sizeof described))
    *ending = EXPLORED_OUTSIDE_HEAP;
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
  static const int others[] = {SIGFPE, SIGABRT, SIGILL, SIGTRAP};
  struct sigaction noting = {.sa_handler = note_signal, .sa_flags = SA_ONSTACK};
  for (size_t i = 0; i < sizeof others / sizeof *others; ++i) sigaction(others[i], &noting, NULL);
}

static void note_changes(const KernelCall *call)
{
  for (unsigned i = 0; i < KERNEL_TENSORS_MAX; ++i) {
    const KernelTensor *tensor = kernel_call_tensor_of(call, i);
    shared->changes[i] = tensor->tensor && tensor->on_host && !kernel_tensor_untouched(tensor);
  }
}

bool explored_change(unsigned i)
{
  return shared && shared->changes[i];
}

static Explored end_of(KernelCall *call, KernelCall *before)
{
  // What it has kept of an ordinary call, made smaller than this one, is no place for it.
  faults_fence(HEAP_FILL);
  make_call(before);
  explored = call;
  shared->calling = true;
  make_call(call);
  shared->calling = false;
  faults_unfence();
  Explored end = call->returned ? EXPLORED_REFUSED : EXPLORED_SERVED;
  if (kernel_allocator_is_damaged()) end = EXPLORED_OUTSIDE_RESULT;
  if (end == EXPLORED_REFUSED) note_changes(call);
  return wrote_outside(call) ? EXPLORED_OUTSIDE : end;
}

// Goes on after a call that was refused, which leaves nothing to the next one, and while it is quick.
static _Noreturn void make_here(Iut *iut, const Kernel *kernel, NewCall *new_call,
                                const void *const *contexts, unsigned count)
{
  const double enough = clock_seconds() + 0.1;
  bool on = true;
  KernelCall *before = NULL;
  watch_faults();
  for (unsigned i = 0; i < count && on; ++i) {
    alarm(1);
    shared->at = i;
    ending = &shared->ends[i];
    KernelCall *call = new_call(iut, kernel, contexts[i]);
    if (!call) continue;
    if (!before) before = new_right_call(iut, kernel);
    *ending = end_of(call, before);
    on = *ending == EXPLORED_REFUSED && clock_seconds() < enough;
    if (on) drop_outcome(call);
    if (on) drop_outcome(before);
  }
  // No exit handlers, and no code that the function could have ended with.
  raise(SIGKILL);
  _exit(0);
}

unsigned explore_calls(Iut *iut, const Kernel *kernel, NewCall *new_call,
                       const void *const *contexts, unsigned count, Explored ends[EXPLORED_AT_ONCE])
{
  int status;
  if (count > EXPLORED_AT_ONCE) count = EXPLORED_AT_ONCE;
  ends[0] = EXPLORED_ELSE;
  if (kernel_cuda_chosen()) return 1;
  if (!shared) {
    void *page =
        mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED) case_inconclusive("no memory to share with copies of the process");
    shared = page;
  }
  *shared = (Shared){.ends = {EXPLORED_ELSE}};
  pid_t copy = kernel_fork();
  if (copy == 0) make_here(iut, kernel, new_call, contexts, count);
  if (copy < 0 || waitpid(copy, &status, 0) != copy)
    case_inconclusive("no copy of the process can be made");
  const unsigned last = shared->at < count ? shared->at : count - 1;
  for (unsigned i = 0; i <= last; ++i) ends[i] = shared->ends[i];
  const bool own = WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
  if (!own) ends[last] = WIFEXITED(status) && shared->calling ? EXPLORED_SIGNALLED : EXPLORED_ELSE;
  return last + 1;
}

Explored explore_call(Iut *iut, const Kernel *kernel, NewCall *new_call, const void *context)
{
  Explored ends[EXPLORED_AT_ONCE];
  explore_calls(iut, kernel, new_call, &context, 1, ends);
  return ends[0];
}
