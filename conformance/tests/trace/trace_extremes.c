// SPDX-License-Identifier: Apache-2.0
// Calls where few programs make any: on small, alternate and foreign stacks, in handlers of signals, in
// threads that are cancelled, and around other programs.
//
//   trace_extremes RUNTIME.so [mistake]    all of them, or only the mistake at the end
#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include "abi/abi.h"

static AbiApi api;
static char **arguments;

static void load(const char *path)
{
  void *runtime = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!runtime) exit(70);
  for (unsigned i = 0; i < ABI_FUNCTION_COUNT; ++i)
    ((void **)&api)[i] = dlsym(runtime, abi_functions[i].symbol);
}

static TVMFFIObject *make(TVMFFISafeCallType code)
{
  TVMFFIObjectHandle function = NULL;
  if (api.FunctionCreate(NULL, code, NULL, &function) != 0) exit(71);
  return function;
}

static int call(TVMFFIObject *function, TVMFFIAny *args, int32_t num_args)
{
  TVMFFIAny result = {0};
  return api.FunctionCall(function, args, num_args, &result);
}

static int take_anything(void *self, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  (void)self, (void)args, (void)num_args, (void)result;
  return 0;
}

__attribute__((noinline)) static void make_mistake(void)
{
  TVMFFIObject *function = make(take_anything);
  TVMFFIAny argument = {.type_index = kTVMFFIInt, .zero_padding = 1};
  call(function, &argument, 1);
  api.ObjectDecRef(function);
}

static void call_often(int times)
{
  TVMFFIObject *function = make(take_anything);
  TVMFFIAny args[] = {{.type_index = kTVMFFIInt},
                      {.type_index = kTVMFFIFunction, .v_obj = function}};
  for (int i = 0; i < times; ++i) call(function, args, 2);
  api.ObjectDecRef(function);
}

// --- Stacks --------------------------------------------------------------------------------------

static sigjmp_buf back;
static TVMFFIObject *within;

static void jump_back(int number)
{
  (void)number;
  siglongjmp(back, 1);
}

static int overflow(void *self, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  (void)self, (void)args, (void)num_args, (void)result;
  volatile char room[1000];
  room[0] = 1;
  return call(within, NULL, 0) + room[0];
}

// The stack overflows in a call, and the program goes on.
static void alternate(void)
{
  enum { SIZE = 65536 };
  stack_t stack = {.ss_sp = malloc(SIZE), .ss_size = SIZE}, none = {.ss_flags = SS_DISABLE};
  struct sigaction action = {.sa_handler = jump_back, .sa_flags = SA_ONSTACK};
  if (!stack.ss_sp || sigaltstack(&stack, NULL) != 0) exit(72);
  sigaction(SIGSEGV, &action, NULL);
  within = make(overflow);
  for (volatile int i = 0; i < 3; ++i)
    if (sigsetjmp(back, 1) == 0) call(within, NULL, 0);
  signal(SIGSEGV, SIG_DFL);
  sigaltstack(&none, NULL);
  free(stack.ss_sp);
}

static void *call_in_thread(void *unused)
{
  call_often(100);
  return unused;
}

static void small(void)
{
  pthread_attr_t attributes;
  pthread_t thread;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, (size_t)PTHREAD_STACK_MIN);
  for (int i = 0; i < 10; ++i) {
    if (pthread_create(&thread, &attributes, call_in_thread, NULL) != 0) exit(73);
    pthread_join(thread, NULL);
  }
}

enum { FIBERS = 4, FIBER_SIZE = 65536 };
static ucontext_t scheduler, fibers[FIBERS];
static int fiber;

static int yield(void *self, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  (void)self, (void)num_args;
  swapcontext(&fibers[fiber], &scheduler);
  *result = args[0];
  return 0;
}

static void run_fiber(int number)
{
  for (int i = 0;; ++i) {
    TVMFFIAny argument = {.type_index = kTVMFFIInt, .v_int64 = number * 100 + i}, result = {0};
    if (api.FunctionCall(within, &argument, 1, &result) != 0 || result.v_int64 != argument.v_int64)
      exit(74);
  }
}

// Calls that end in another order than that in which they began, or never, on stacks that go away.
static void foreign(void)
{
  void *stacks[FIBERS];
  within = make(yield);
  for (int i = 0; i < FIBERS; ++i) {
    stacks[i] = mmap(NULL, FIBER_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (stacks[i] == MAP_FAILED || getcontext(&fibers[i]) != 0) exit(75);
    fibers[i].uc_stack = (stack_t){.ss_sp = stacks[i], .ss_size = FIBER_SIZE};
    makecontext(&fibers[i], (void (*)(void))run_fiber, 1, i);
  }
  for (int round = 0; round < 10; ++round)
    for (fiber = 0; fiber < FIBERS; ++fiber) {
      swapcontext(&scheduler, &fibers[fiber]);
      call_often(1);
    }
  for (int i = 0; i < FIBERS; ++i) munmap(stacks[i], FIBER_SIZE);
  call_often(100);
}

// --- Interruptions -------------------------------------------------------------------------------

static volatile sig_atomic_t alarms;

static void on_alarm(int number)
{
  TVMFFIAny args[] = {{.type_index = kTVMFFIFunction, .v_obj = within}};
  (void)number;
  ++alarms;
  call(within, args, 1);
}

static void interrupted(void)
{
  const struct itimerval often = {{0, 100}, {0, 100}}, never = {{0, 0}, {0, 0}};
  within = make(take_anything);
  signal(SIGALRM, on_alarm);
  setitimer(ITIMER_REAL, &often, NULL);
  TVMFFIAny argument = {.type_index = kTVMFFIInt};
  while (alarms < 50) call(within, &argument, 1);
  setitimer(ITIMER_REAL, &never, NULL);
}

static void *call_for_ever(void *at_any_time)
{
  int before;
  if (at_any_time) pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &before);
  while (call(within, NULL, 0) == 0) pthread_testcancel();
  return NULL;
}

static void cancelled(void)
{
  within = make(take_anything);
  for (int i = 0; i < 20; ++i) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, call_for_ever, i % 2 ? within : NULL) != 0) exit(76);
    usleep(500);
    pthread_cancel(thread);
    pthread_join(thread, NULL);
  }
}

// --- Programs ------------------------------------------------------------------------------------

static int run_itself(void *self, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  (void)self, (void)args, (void)num_args, (void)result;
  int status = 0;
  pid_t child = fork();
  if (child == 0) {
    execl(arguments[0], arguments[0], arguments[1], "mistake", (char *)NULL);
    _exit(77);
  }
  waitpid(child, &status, 0);
  return status;
}

static void started(void)
{
  within = make(run_itself);
  for (int i = 0; i < 3; ++i)
    if (call(within, NULL, 0) != 0) exit(78);
}

// Threads are in calls when the program ends.
static void left(void)
{
  pthread_t thread;
  within = make(take_anything);
  for (int i = 0; i < 4; ++i)
    if (pthread_create(&thread, NULL, call_for_ever, NULL) != 0) exit(79);
}

int main(int argc, char **argv)
{
  static void (*const all[])(void) = {alternate, small,   foreign, interrupted,
                                      cancelled, started, left};
  if (argc < 2) return 64;
  arguments = argv;
  load(argv[1]);
  for (size_t i = 0; argc == 2 && i < sizeof all / sizeof *all; ++i) all[i]();
  make_mistake();
  if (argc == 2) puts("end");
  return argc == 2 ? 5 : 0;
}
