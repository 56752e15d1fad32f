// SPDX-License-Identifier: Apache-2.0
#include "worker/crash.h"

#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <ucontext.h>
#include <unistd.h>

#include "battery/fence.h"
#include "worker/frames.h"

static Evidence *evidence;
static const int crash_signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS};
enum { CRASH_SIGNALS = sizeof crash_signals / sizeof crash_signals[0], CRASH_STACK = 64 * 1024 };

void crash_reset_signals(void)
{
  struct itimerval never = {{0, 0}, {0, 0}};
  setitimer(ITIMER_REAL, &never, NULL);
  setitimer(ITIMER_VIRTUAL, &never, NULL);
  setitimer(ITIMER_PROF, &never, NULL);
  // Ignored for a moment, a signal that is blocked and waiting is gone for good.
  struct sigaction ignore = {.sa_handler = SIG_IGN}, plain = {.sa_handler = SIG_DFL};
  for (int number = 1; number < NSIG; ++number) {
    if (number == SIGKILL || number == SIGSTOP) continue;
    sigaction(number, &ignore, NULL);
    sigaction(number, &plain, NULL);
  }
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
}

static uintptr_t program_counter(const void *context)
{
#if defined(__x86_64__)
  return (uintptr_t)((const ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
#elif defined(__i386__)
  return (uintptr_t)((const ucontext_t *)context)->uc_mcontext.gregs[REG_EIP];
#elif defined(__aarch64__)
  return (uintptr_t)((const ucontext_t *)context)->uc_mcontext.pc;
#elif defined(__s390x__)
  return (uintptr_t)((const ucontext_t *)context)->uc_mcontext.psw.addr;
#else
  (void)context;
  return 0;
#endif
}

// The essentials are noted first: walking the stack of a broken process may crash or hang in its
// turn.
static void note_crash(int number, siginfo_t *info, void *context)
{
  EvidenceCrash *crash = &evidence->crash;
  if (crash->signal == 0) {
    crash->signal = number;
    // The kernel's own code says that the processor gave no address: a pointer beyond the address
    // space.
    crash->code = info->si_code == SI_KERNEL ? 0 : info->si_code;
    crash->address = (uint64_t)(uintptr_t)info->si_addr;
    crash->frames[0] = program_counter(context);
    crash->frame_count = 1;
    if (number == SIGSEGV || number == SIGBUS)
      fence_describe((uintptr_t)info->si_addr, crash->fence, sizeof crash->fence);
    alarm(1);
    void *frames[EVIDENCE_FRAMES_MAX];
    int count = frames_walk(frames, EVIDENCE_FRAMES_MAX);
    for (int i = 1; i < count; ++i) crash->frames[i] = (uint64_t)(uintptr_t)frames[i];
    if (count > 1) crash->frame_count = (uint32_t)count;
  }
  signal(number, SIG_DFL);
  raise(number);
}

void crash_install(Evidence *into)
{
  evidence = into;
  frames_prepare();
  // One stack for all children: each process has a copy of its own, and only the main thread of a
  // case needs it.
  stack_t stack = {.ss_size = CRASH_STACK};
  stack.ss_sp = mmap(NULL, CRASH_STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (stack.ss_sp != MAP_FAILED) sigaltstack(&stack, NULL);
  struct sigaction action = {.sa_sigaction = note_crash};
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  for (int i = 0; i < CRASH_SIGNALS; ++i) sigaction(crash_signals[i], &action, NULL);
}
