// SPDX-License-Identifier: Apache-2.0
// The module loaded twice, unloaded, loaded again; and what loading leaves in the process.
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kernel/kernel_battery.h"
#include "kernel/kernel_steps.h"

CHAPTER(load);

enum { NEEDS_A_RUN = KERNEL_NEEDS_EXAMPLE | KERNEL_NEEDS_RUN };

// --- A second copy -------------------------------------------------------------------------------

KERNEL_CASE(two_copies, .clauses = {LOAD_9}, .wrong_call = true, .needs = NEEDS_A_RUN,
            .title = "a valid call gives the same with a second copy of the module loaded")
{
  KernelCall *right = require_right_call(iut, kernel);
  kernel_require_no_needs(right);
  note("while a second copy is loaded");
  void *copy = kernel_host_open_copy();
  KernelCall *other = new_right_call(iut, kernel), *again = new_right_call(iut, kernel);
  other->function = kernel_host_function_of(copy, kernel->name);
  if (!other->function) case_inconclusive("the copy does not export the function");
  void **context = dlsym(copy, "__tvm_ffi__library_ctx");
  if (context) case_not_applicable("the functions of a copy need a loader to fill their context");
  note_call(other, "in a second copy of the module: ");
  make_call(other);
  expect_same_outcome(other, right);
  note_call(again, "with a second copy of the module loaded: ");
  make_call(again);
  expect_same_outcome(again, right);
}

// A variable named as a function of the C API, or of one of the runtimes built on it.
static bool has_context_symbol(void)
{
  static const char *const others[] = {"AllocWorkspace", "FreeWorkspace", "ParallelLaunch",
                                       "ParallelBarrier"};
  char name[96];
  for (unsigned i = 0; i < ABI_FUNCTION_COUNT; ++i) {
    snprintf(name, sizeof name, "__%s", abi_functions[i].symbol);
    if (dlsym(kernel_host.module, name)) return true;
  }
  for (unsigned i = 0; i < sizeof others / sizeof *others; ++i)
    if (kernel_host_symbol("__TVMBackend", others[i])) return true;
  return false;
}

// The runtime that is loaded here has registered none: they are all NULL.
KERNEL_CASE(context_symbols_not_filled, .clauses = {LOAD_6}, .wrong_call = true,
            .needs = NEEDS_A_RUN,
            .title = "a valid call succeeds when the context symbols are not set")
{
  if (!has_context_symbol()) case_not_applicable("the module has no context symbols");
  KernelCall *call = new_right_call(iut, kernel);
  note_call(call, "with context symbols that are NULL: ");
  make_call(call);
  expect_served(call);
}

// --- Unloaded ------------------------------------------------------------------------------------

KERNEL_CASE(unloaded_after_a_call, .clauses = {LOAD_7}, .wrong_call = true, .needs = NEEDS_A_RUN,
            .title = "a process can exit after a module was called and unloaded")
{
  KernelCall *call = require_right_call(iut, kernel);
  if (call->result->type_index >= kTVMFFIStaticObjectBegin)
    case_not_applicable("it returns an object, which may need the module");
  note("while the module is unloaded after a right call of %s", kernel->name);
  kernel_host_unload(iut);
  note("in a copy of the process that calls exit(7) when the module is unloaded");
  expect_int("exit code", exit_code_of_copy(7), 7);
}

KERNEL_CASE(loaded_again, .clauses = {LOAD_8}, .wrong_call = true, .needs = NEEDS_A_RUN,
            .title = "a valid call gives the same after the module was unloaded and loaded again")
{
  KernelCall *right = require_right_call(iut, kernel);
  if (right->result->type_index >= kTVMFFIStaticObjectBegin)
    case_not_applicable("it returns an object, which may need the module");
  note("while the module is unloaded");
  kernel_host_unload(iut);
  note("while the module is loaded again");
  kernel_host_load_again(iut);
  KernelCall *call = new_right_call(iut, kernel);
  note_call(call, "loaded again: ");
  make_call(call);
  expect_same_outcome(call, right);
}

// --- Outlived ------------------------------------------------------------------------------------

static Iut *runtime;

// The function object is the handle.
static int call_through_runtime(void *function, const TVMFFIAny *args, int32_t count,
                                TVMFFIAny *result)
{
  TVMFFIAny *writable;
  memcpy(&writable, &args, sizeof writable);
  return runtime->FunctionCall(function, writable, count, result);
}

// What ffi.ModuleGetFunction finds. Own.
static TVMFFIObjectHandle function_of_module(Iut *iut, const Kernel *kernel)
{
  TVMFFIByteArray name = bytes_of("ffi.ModuleGetFunction");
  TVMFFIObjectHandle find = NULL;
  if (!kernel_host.loaded) case_not_applicable("the runtime has not loaded it as a module");
  TVMFFIAny result = any_none(), args[3] = {view_of_object(iut, kernel_host.loaded),
                                            view_of_raw_string(kernel->name), any_none()};
  args[2].type_index = kTVMFFIBool;
  require(expect_ok(iut, iut->FunctionGetGlobal(&name, &find)));
  if (!find) case_not_applicable("the runtime has no ffi.ModuleGetFunction");
  require(expect_ok(iut, iut->FunctionCall(find, args, 3, &result)));
  release_object(iut, find);
  if (result.type_index != kTVMFFIFunction)
    case_not_applicable("the runtime does not find the function in the module");
  return result.v_obj;
}

KERNEL_CASE(function_outlives_module, .clauses = {LOAD_15}, .needs = NEEDS_A_RUN,
            .title = "a function can be called after its module was released")
{
  KernelCall *right = require_right_call(iut, kernel), *call = new_right_call(iut, kernel);
  if (right->result->type_index >= kTVMFFIStaticObjectBegin)
    case_not_applicable("it returns an object, which may need the module");
  runtime = iut;
  call->handle = function_of_module(iut, kernel);
  call->function = call_through_runtime;
  note("while the module is given back, its function %s not", kernel->name);
  kernel_host_unload(iut);
  note_call(call, "when its module has been given back: ");
  make_call(call);
  expect_same_outcome(call, right);
}

// --- What is left behind -------------------------------------------------------------------------

// Ends the case where the module can't stand a second copy, which is not what it asks about: a
// module that registers types ends the process then. That is tried in a copy of the process.
static void require_copies(void)
{
  int status, words = memfd_create("what it says", MFD_CLOEXEC);
  fflush(NULL);
  pid_t trial = fork();
  if (trial == 0) {
    for (int i = 1; i < 32; ++i) signal(i, SIG_DFL);
    dup2(words, STDOUT_FILENO);
    dup2(words, STDERR_FILENO);
    kernel_host_open_copy();
    _exit(0);
  }
  if (trial < 0 || waitpid(trial, &status, 0) != trial)
    case_inconclusive("no copy of the process can be made");
  close(words);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    case_not_applicable("the process crashes with a second copy of it");
}

static int64_t count_threads(void)
{
  const unsigned count = threads_of_process();
  if (count == 0) case_inconclusive("cannot count the threads of this process");
  return count;
}

MODULE_CASE(loading_starts_no_thread, .clauses = {LOAD_13}, .title = "loading starts no thread")
{
  require_copies();
  int64_t before = count_threads();
  note("while a second copy is loaded");
  kernel_host_open_copy();
  expect_int("threads", count_threads(), before);
}

MODULE_CASE(loading_installs_no_handler, .clauses = {LOAD_13},
            .title = "loading installs no signal handler")
{
  struct sigaction before[32], after;
  require_copies();
  for (int i = 1; i < 32; ++i)
    if (sigaction(i, NULL, &before[i]) != 0) case_inconclusive("cannot read the signal handlers");
  note("while a second copy is loaded");
  kernel_host_open_copy();
  for (int i = 1; i < 32; ++i) {
    sigaction(i, NULL, &after);
    expect_that(after.sa_handler == before[i].sa_handler, "the handler is the one from before",
                "another one for signal %d", i);
  }
}

MODULE_CASE(loading_writes_nothing, .clauses = {LOAD_13},
            .title = "loading writes nothing to the standard streams")
{
  require_copies();
  int file = memfd_create("what is written", MFD_CLOEXEC);
  fflush(NULL);
  if (file < 0 || dup2(file, STDOUT_FILENO) < 0 || dup2(file, STDERR_FILENO) < 0)
    case_inconclusive("cannot redirect the standard streams");
  note("while a second copy is loaded");
  kernel_host_open_copy();
  fflush(NULL);
  expect_int("bytes written", (int64_t)lseek(file, 0, SEEK_END), 0);
}
