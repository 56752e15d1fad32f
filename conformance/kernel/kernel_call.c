// SPDX-License-Identifier: Apache-2.0
#include "kernel/kernel_call.h"

#include <dlfcn.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "battery/access.h"
#include "battery/clock.h"
#include "battery/expect.h"
#include "battery/fence.h"
#include "battery/probe.h"
#include "kernel/kernel_cuda.h"
#include "kernel/kernel_program.h"
#include "kernel/kernel_same.h"
#include "kernel/kernel_steps.h"
#include "kernel/kernel_value.h"
#include "kernel/kernel_work.h"
#include "plan/case.h"

#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434  // the same number on all machines that have it
#endif

// --- Tensors -------------------------------------------------------------------------------------

KernelTensor *kernel_call_tensor(KernelCall *call, unsigned i)
{
  return i < KERNEL_PARAMETERS_MAX ? &call->tensors[i]
                                   : &call->element_tensors[i - KERNEL_PARAMETERS_MAX];
}

const KernelTensor *kernel_call_tensor_of(const KernelCall *call, unsigned i)
{
  return i < KERNEL_PARAMETERS_MAX ? &call->tensors[i]
                                   : &call->element_tensors[i - KERNEL_PARAMETERS_MAX];
}

unsigned kernel_call_tensor_end(const KernelCall *call)
{
  return KERNEL_PARAMETERS_MAX + call->kernel->element_count;
}

// "x", or "parts[1]" for one in a container.
const char *kernel_tensor_name(const Kernel *kernel, unsigned i, char text[64])
{
  if (i < KERNEL_PARAMETERS_MAX) return parameter_name(kernel, i, text);
  const uint32_t element = i - KERNEL_PARAMETERS_MAX;
  const KernelParameter *made = &kernel->elements[element];
  snprintf(text, 64, "%s", made->name[0] ? made->name : "an element");
  for (uint32_t p = 0; p < kernel->parameter_count; ++p) {
    const KernelParameter *outer = &kernel->parameters[p];
    if (element < outer->first_element || element >= outer->first_element + outer->element_count)
      continue;
    char name[64];
    if (outer->keyed)
      snprintf(text, 64, "%.30s[\"%.24s\"]", parameter_name(kernel, p, name), made->name);
    else
      snprintf(text, 64, "%.40s[%u]", parameter_name(kernel, p, name),
               element - outer->first_element);
  }
  return text;
}

void call_with_tensor(KernelCall *call, unsigned position, const TensorForm *form)
{
  const KernelParameter *parameter = &call->kernel->parameters[position];
  call->tensors[position] = new_kernel_tensor(call->iut, parameter, form);
  call->values[position] = kernel_tensor_value(&call->tensors[position]);
}

// --- Calls ---------------------------------------------------------------------------------------

// The first calls of a case are in memory that is there, and zero, and of which only the pages are taken
// that are touched.
static KernelCall *allocate_call(void)
{
  enum { FIRST = 64 };
  static KernelCall first[FIRST];
  static atomic_uint taken;
  const unsigned index = atomic_load(&taken) < FIRST ? atomic_fetch_add(&taken, 1) : FIRST;
  return index < FIRST ? &first[index] : calloc(1, sizeof(KernelCall));
}

static KernelCall *new_call(Iut *iut, const Kernel *kernel)
{
  KernelCall *call = allocate_call();
  if (!call) case_inconclusive("no memory for a call");
  call->iut = iut;
  call->kernel = kernel;
  return call;
}

typedef bool LeftOut(const Kernel *kernel, unsigned position);

static KernelCall *with_arguments(KernelCall *call, LeftOut *left_out)
{
  const Kernel *kernel = call->kernel;
  call->num_args = call->value_count = (int32_t)kernel->parameter_count;
  call->result_before = any_none();
  for (uint32_t i = 0; i < kernel->parameter_count; ++i)
    if (!left_out || !left_out(kernel, i))
      call->values[i] = kernel_value_of(call, &kernel->parameters[i], false);
  memcpy(call->examples, call->values, sizeof call->examples);
  return call;
}

static KernelCall *new_call_of_module(Iut *iut, const Kernel *kernel, const TensorForm *elements,
                                      LeftOut *left_out)
{
  KernelCall *call = new_call(iut, kernel);
  call->elements = elements;
  kernel_cuda_require();
  call->function = kernel_host_function(kernel->name);
  if (!call->function) case_inconclusive("the module has no symbol __tvm_ffi_%s", kernel->name);
  call->kept = kernel_steps_needed(iut, kernel);
  return with_arguments(call, left_out);
}

KernelCall *new_call_with_elements(Iut *iut, const Kernel *kernel, const TensorForm *elements)
{
  return new_call_of_module(iut, kernel, elements, NULL);
}

KernelCall *new_call_through(Iut *iut, const Kernel *kernel, TVMFFISafeCallType function,
                             void *handle, const KernelKept *kept)
{
  KernelCall *call = new_call(iut, kernel);
  call->function = function;
  call->handle = handle;
  call->kept = kept;
  return with_arguments(call, NULL);
}

Kernel *kernel_new_copy(const Kernel *kernel)
{
  Kernel *copy = malloc(sizeof *copy);
  if (!copy) case_inconclusive("no memory for a signature");
  kernel_copy(copy, kernel);
  return copy;
}

KernelCall *new_right_call(Iut *iut, const Kernel *kernel)
{
  return new_call_of_module(iut, kernel, NULL, NULL);
}

KernelCall *new_call_without(Iut *iut, const Kernel *kernel, LeftOut *left_out)
{
  return new_call_of_module(iut, kernel, NULL, left_out);
}

static void take_raised(KernelCall *call)
{
  Iut *iut = call->iut;
  call->error = take_error(iut);
  snprintf(call->error_text, sizeof call->error_text, "no error raised");
  if (!call->error || object_type_index(iut, call->error) != kTVMFFIError) return;
  const TVMFFIErrorCell *cell = error_cell(iut, call->error);
  snprintf(call->error_text, sizeof call->error_text, "%.*s: %.*s",
           (int)(cell->kind.size < 48 ? cell->kind.size : 48), cell->kind.data,
           (int)(cell->message.size < 180 ? cell->message.size : 180), cell->message.data);
}

void enter_device(const KernelCall *call)
{
  enum { LATE_MS = 40 };
  bool taken = true;
  if (!kernel_cuda_chosen()) return;
  kernel_cuda_require();
  for (unsigned i = 0; call->inputs_late && i < KERNEL_TENSORS_MAX; ++i)
    if (kernel_role_is_read(kernel_call_tensor_of(call, i)->role))
      taken &= kernel_tensor_upload(kernel_call_tensor_of(call, i), true);
  char why[KERNEL_CUDA_TEXT];
  if (call->inputs_late && (!kernel_cuda_settle(why) || !kernel_cuda_delay(LATE_MS)))
    case_inconclusive("cannot delay the stream of the device");
  for (unsigned i = 0; i < KERNEL_TENSORS_MAX; ++i)
    taken &= kernel_tensor_upload(kernel_call_tensor_of(call, i), false);
  if (!taken) case_inconclusive("the device takes no copy");
  if (!call->inputs_late && !kernel_cuda_settle(why))
    case_inconclusive("the device fails before the call: %s", why);
}

void leave_device(KernelCall *call)
{
  call->device_error[0] = '\0';
  char why[KERNEL_CUDA_TEXT] = "cannot copy from the device";
  if (!kernel_cuda_chosen()) return;
  bool good = kernel_cuda_settle(why);
  for (unsigned i = 0; good && i < KERNEL_TENSORS_MAX; ++i)
    good = kernel_tensor_download(kernel_call_tensor_of(call, i));
  if (!good) snprintf(call->device_error, sizeof call->device_error, "the device reports: %s", why);
}

_Thread_local unsigned kernel_calls_made, kernel_calls_needed;

void kernel_call_function(KernelCall *call, void *handle, TVMFFIAny *result)
{
  ++kernel_calls_made;
  call->returned = call->function(handle, call->args, call->num_args, result);
  expect_came_back();
}

void make_call(KernelCall *call)
{
  Observer *observer = kernel_host.observer;
  int32_t count = call->value_count < KERNEL_ARGS_MAX ? call->value_count : KERNEL_ARGS_MAX;
  call->args = call->args_null ? NULL : fenced_args(call->values, (size_t)count);
  if (!call->result) call->result = fenced_result();
  *call->result = call->result_before;
  // What earlier calls made can't be written.
  if (call->kept)
    note_program("", 0);
  else
    kernel_program_note(call);
  enter_device(call);
  kernel_cuda_watch();
  atomic_store(&observer->watching, true);
  kernel_call_function(call, call->handle, call->result);
  atomic_store(&observer->watching, false);
  kernel_cuda_stop_watching();
  kernel_work_take(call);
  take_raised(call);
  leave_device(call);
}

void drop_outcome(KernelCall *call)
{
  if (call->error) release_object(call->iut, call->error);
  call->error = NULL;
  if (call->returned == 0) release_any(call->iut, call->result);
}

void refuse_again(Iut *iut, void *call)
{
  KernelCall *again = call;
  kernel_call_function(again, NULL, again->result);
  again->error = take_error(iut);
  if (again->returned == 0) require(expect_that(false, "a refusal, as before", "0"));
  drop_outcome(again);
}

KernelCall *require_right_call(Iut *iut, const Kernel *kernel)
{
  KernelCall *call = new_right_call(iut, kernel);
  note_call(call, "the right call: ");
  make_call(call);
  if (call->returned != 0) case_not_applicable("the right call is refused: %s", call->error_text);
  if (call->device_error[0])
    case_not_applicable("the right call does not end well: %s", call->device_error);
  return call;
}

// --- Words ---------------------------------------------------------------------------------------

const char *parameter_name(const Kernel *kernel, unsigned position, char text[64])
{
  const char *name = position < kernel->parameter_count ? kernel->parameters[position].name : "";
  if (name[0])
    snprintf(text, 64, "%s", name);
  else
    snprintf(text, 64, "argument %u", position);
  return text;
}

// "x: float32[4]" for what the signature says of a parameter.
static int describe_parameter(char *out, size_t capacity, const Kernel *kernel, unsigned position)
{
  const KernelParameter *parameter = &kernel->parameters[position];
  char name[64], shape[64] = "";
  size_t at = 0;
  for (int32_t i = 0; parameter->typed && i < parameter->rank && at < sizeof shape; ++i)
    at += (size_t)snprintf(shape + at, sizeof shape - at, "%s%lld", i ? "," : "",
                           (long long)parameter->shape[i].size);
  if (parameter->typed)
    return snprintf(out, capacity, "%s: tensor[%s]", parameter_name(kernel, position, name), shape);
  return snprintf(out, capacity, "%s: %s", parameter_name(kernel, position, name),
                  kernel_kind_names[parameter->kind]);
}

void note_call(const KernelCall *call, const char *how, ...)
{
  char text[192], words[192];
  va_list arguments;
  va_start(arguments, how);
  vsnprintf(words, sizeof words, how, arguments);
  va_end(arguments);
  int at = snprintf(text, sizeof text, "%s%s(", words, call->kernel->name);
  for (uint32_t i = 0; i < call->kernel->parameter_count && at < (int)sizeof text; ++i) {
    if (i) at += snprintf(text + at, sizeof text - (size_t)at, ", ");
    if (at < (int)sizeof text)
      at += describe_parameter(text + at, sizeof text - (size_t)at, call->kernel, i);
  }
  note("%s%s", text, at < (int)sizeof text ? ")" : "");
}

void note_wrong_call(const KernelCall *call)
{
  const Kernel *kernel = call->kernel;
  unsigned position = 0;
  char name[64];
  if (call->num_args + 1 == (int32_t)kernel->parameter_count) {
    note_call(call, "without the last argument: ");
  } else if (call->num_args < (int32_t)kernel->parameter_count) {
    note_call(call, "with %d arguments: ", call->num_args);
  } else {
    while (position + 1 < kernel->parameter_count &&
           memcmp(&call->values[position], &call->examples[position], sizeof *call->values) == 0)
      ++position;
    note_call(call, "with a device for %s: ", parameter_name(kernel, position, name));
  }
}

// --- What came of a call -------------------------------------------------------------------------

bool call_is_the_example(const KernelCall *call)
{
  return call->num_args == (int32_t)call->kernel->parameter_count &&
         memcmp(call->values, call->examples,
                call->kernel->parameter_count * sizeof *call->values) == 0;
}

// Whether nothing but tensors is another than in the example.
static bool only_tensors_differ(const KernelCall *call)
{
  bool any = false;
  if (call->num_args != (int32_t)call->kernel->parameter_count) return false;
  for (uint32_t i = 0; i < call->kernel->parameter_count; ++i) {
    const TVMFFIAny *value = &call->values[i];
    if (memcmp(value, &call->examples[i], sizeof *value) == 0) continue;
    bool is_tensor = value->type_index == kTVMFFIDLTensorPtr || value->type_index == kTVMFFITensor;
    if (!is_tensor || !value->v_ptr || !call->tensors[i].tensor) return false;
    any = true;
  }
  return any;
}

// Whether the call takes an object that earlier calls may have changed, such as one that has room for so
// much, and nobody says what they leave.
static bool has_a_past(const KernelCall *call)
{
  bool has = false;
  for (uint32_t i = 0; i < call->kernel->parameter_count; ++i)
    has |= call->kernel->parameters[i].kind == KERNEL_OBJECT;
  return has && kernel_calls_made > kernel_calls_needed + 1 && !kernel_is_promised(call->kernel);
}

bool expect_served_(const char *at, KernelCall *call)
{
  if (call->returned && has_a_past(call))
    case_not_applicable("it is refused behind other calls with the same object: %s",
                        call->error_text);
  if (call->returned && !kernel_is_promised(call->kernel) && !call_is_the_example(call))
    case_not_applicable("nobody promises that such a call is served: %s", call->error_text);
  if (call->returned && kernel_cuda_lacks_code(call->error_text))
    case_inconclusive("the module has no code for this device: %s", call->error_text);
  bool served =
      expect_that_(at, call->returned == 0, "the function returns 0", "%d, %s%s%s", call->returned,
                   call->error_text, call->hint[0] ? "; " : "", call->hint);
  if (!served || !call->device_error[0]) return served;
  return expect_that_(at, false, "its work on the device ends well", "%s", call->device_error);
}

// Whether two messages say the same. Numbers in them are not looked at: the line of a launch is
// another one where each data type, or each way through the function, has a launch of its own.
static bool same_words(const char *a, const char *b)
{
  static const char digits[] = "0123456789";
  for (; *a && *b; ++a, ++b) {
    size_t skipped = strspn(a, digits);
    if ((skipped == 0) != (strspn(b, digits) == 0)) return false;
    a += skipped, b += strspn(b, digits);
    if (*a != *b) return false;
    if (!*a) return true;
  }
  return *a == *b;
}

// Asks the OpenMP runtime that the module has brought, if it has, to end its threads, which it does not need
// before the next parallel region (omp_pause_resource_all of OpenMP 5.0, with omp_pause_hard).
static void end_openmp_threads(void)
{
  enum { OMP_PAUSE_HARD = 2 };
  int (*pause_all)(int) = NULL;
  void *address = dlsym(kernel_host.module, "omp_pause_resource_all");
  if (!address) return;
  memcpy(&pause_all, &address, sizeof pause_all);
  pause_all(OMP_PAUSE_HARD);
}

bool kernel_keeps_threads(void)
{
  // The kernel lists a thread a little longer than those who wait for its end.
  const double enough = clock_seconds() + 0.05;
  if (threads_of_process() <= 1) return false;
  end_openmp_threads();
  while (threads_of_process() > 1)
    if (clock_seconds() > enough)
      return true;
    else
      usleep(200);
  return false;
}

pid_t kernel_fork(void)
{
  if (kernel_keeps_threads())
    case_not_applicable("it keeps threads after a call, which a copy of the process does not have");
  fflush(NULL);
  return fork();
}

// Whether a right call fails with the words of this one. It is made in a copy of the process, which
// it may end.
static bool right_call_fails_alike(const KernelCall *call)
{
  enum { ALIKE = 77 };
  int status;
  if (kernel_keeps_threads()) return false;
  pid_t copy = kernel_fork();
  if (copy == 0) {
    for (int i = 1; i < 32; ++i) signal(i, SIG_DFL);
    KernelCall *right = new_right_call(call->iut, call->kernel);
    make_call(right);
    _exit(right->returned && same_words(right->error_text, call->error_text) ? ALIKE : 0);
  }
  return copy > 0 && waitpid(copy, &status, 0) == copy && WIFEXITED(status) &&
         WEXITSTATUS(status) == ALIKE;
}

enum { THROWN = 77 };

static void say_thrown(void)
{
  _exit(THROWN);
}

// std::set_terminate() of the C++ library that the module has brought, if it has: what is thrown and
// caught by nobody ends there.
static void watch_for_exceptions(void)
{
  void (*(*set_terminate)(void (*)(void)))(void) = NULL;
  void *address = dlsym(kernel_host.module, "_ZSt13set_terminatePFvvE");
  if (!address) return;
  memcpy(&set_terminate, &address, sizeof set_terminate);
  set_terminate(say_thrown);
}

// Waits for the end of a copy, for `ms` milliseconds at the most if that is not 0. False if it is
// still running.
static bool wait_for(pid_t copy, unsigned ms, int *status)
{
  const int process = ms ? (int)syscall(SYS_pidfd_open, copy, 0) : -1;
  struct timespec start, now;
  pid_t ended;
  clock_gettime(CLOCK_MONOTONIC, &start);
  while ((ended = waitpid(copy, status, ms ? WNOHANG : 0)) == 0) {
    clock_gettime(CLOCK_MONOTONIC, &now);
    const int64_t waited =
        (int64_t)(now.tv_sec - start.tv_sec) * 1000 + (now.tv_nsec - start.tv_nsec) / 1000000;
    if (waited >= (int64_t)ms) break;
    // Kernels before 5.3 do not tell when a process ends.
    poll(&(struct pollfd){.fd = process, .events = POLLIN}, 1,
         process >= 0 ? (int)((int64_t)ms - waited) : 1);
  }
  if (process >= 0) close(process);
  if (ended < 0) case_inconclusive("no copy of the process can be made");
  if (ended == copy) return true;
  kill(copy, SIGKILL);
  waitpid(copy, status, 0);
  return false;
}

static CallEnd end_of_calls(KernelCall *const *calls, unsigned count, unsigned ms)
{
  int status;
  if (kernel_cuda_chosen() && !kernel_cuda_account()) return CALL_RETURNS;
  pid_t copy = kernel_fork();
  if (copy == 0) {
    for (int i = 1; i < 32; ++i) signal(i, SIG_DFL);
    watch_for_exceptions();
    for (unsigned i = 0; i < count; ++i) {
      make_call(calls[i]);
      if (i + 1 < count) drop_outcome(calls[i]);
    }
    raise(SIGKILL);  // no code that it could end with itself
  }
  if (copy < 0) case_inconclusive("no copy of the process can be made");
  if (!wait_for(copy, ms, &status)) return CALL_HANGS;
  if (WIFEXITED(status) && WEXITSTATUS(status) == THROWN) return CALL_THROWS;
  return WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL ? CALL_RETURNS : CALL_ENDS_THE_PROCESS;
}

CallEnd end_of_call_within(KernelCall *call, unsigned ms)
{
  return end_of_calls(&call, 1, ms);
}

bool calls_return(KernelCall *const *calls, unsigned count)
{
  return calls_return_within(calls, count, 0);
}

bool calls_return_within(KernelCall *const *calls, unsigned count, unsigned ms)
{
  return end_of_calls(calls, count, ms) == CALL_RETURNS;
}

CallEnd end_of_call(KernelCall *call)
{
  return end_of_call_within(call, 0);
}

bool refusal_says_nothing(const KernelCall *call)
{
  const Kernel *kernel = call->kernel;
  if (call->returned && kernel->launches) return right_call_fails_alike(call);
  if (call->returned == 0 || kernel_has_example(kernel)) return false;
  if (!kernel->stands_in) return true;
  size_t twin = strlen(kernel->twin), actual = strlen(call->error_text);
  return twin > 0 && strncmp(kernel->twin, call->error_text, twin < actual ? twin : actual) == 0;
}

bool expect_refused_(const char *at, KernelCall *call)
{
  // Where the function launches work and the device is not there, a right call fails, too. A wrong
  // one that fails with the same words was taken for right as far as the launch: nobody refused it.
  if (call->kernel->launches && call->returned && right_call_fails_alike(call))
    case_not_applicable("a right call fails here as the wrong one: %s", call->error_text);
  if (call->returned == 0 && !kernel_is_promised(call->kernel) && only_tensors_differ(call))
    case_not_applicable("nobody promises that such a tensor is refused");
  return expect_that_(at, call->returned != 0, "the function returns non-zero", "0, %s",
                      call->error ? call->error_text : "no error raised");
}

static bool same_elements(const char *at, const Kernel *kernel, unsigned position,
                          const KernelTensor *actual, const KernelTensor *expected)
{
  char name[64], what[96];
  size_t seen_size = kernel_tensor_gather(actual, NULL);
  size_t size = kernel_tensor_gather(expected, NULL);
  unsigned char *copy, *other_copy;
  const unsigned char *seen = kernel_tensor_elements(actual, &copy);
  const unsigned char *elements = kernel_tensor_elements(expected, &other_copy);
  snprintf(what, sizeof what, "elements of %s", kernel_tensor_name(kernel, position, name));
  bool same = expect_memory_(at, what, seen, seen_size, elements, size);
  free(copy);
  free(other_copy);
  return same;
}

bool kernel_is_served(Iut *iut, const Kernel *kernel, unsigned limit_ms)
{
  KernelCall *call = new_right_call(iut, kernel);
  if (end_of_call_within(call, limit_ms) != CALL_RETURNS) return false;
  make_call(call);
  const bool served = call->returned == 0;
  drop_outcome(call);
  return served;
}

void kernel_call_again(Iut *iut, void *context)
{
  KernelCall *call = context;
  *call->result = call->result_before;
  kernel_call_function(call, NULL, call->result);
  leave_device(call);
  call->error = call->returned == 0 ? NULL : take_error(iut);
  drop_outcome(call);
}

bool kernel_calls_alike(const KernelCall *one, const KernelCall *other)
{
  for (unsigned i = 0; i < KERNEL_TENSORS_MAX; ++i) {
    const KernelTensor *tensor = kernel_call_tensor_of(one, i);
    if (!tensor->tensor || !kernel_role_is_given(tensor->role) || !tensor->on_host) continue;
    size_t size = kernel_tensor_gather(tensor, NULL);
    unsigned char *a, *b;
    const unsigned char *elements = kernel_tensor_elements(tensor, &a);
    bool same =
        memcmp(elements, kernel_tensor_elements(kernel_call_tensor_of(other, i), &b), size) == 0;
    free(a);
    free(b);
    if (!same) return false;
  }
  return kernel_same_result(one, other);
}

// Whether it is stated what the function gives, or that equal calls come to the same. What listed calls give says
// it of the function where no others are promised.
static bool is_stated_to_repeat(const Kernel *kernel)
{
  const Signature *signature = kernel_is_promised(kernel) ? signature_under_test() : NULL;
  if (!signature) return false;
  const SignatureForm *form = signature_form(signature, kernel->chosen ? kernel->form : 0);
  bool stated = form->expected.count > 0 || (form->promises & SIGNATURE_REPEATABLE);
  const bool listed = form->only_calls || form->example_of_calls;
  for (uint32_t i = 0; i < form->calls.count && listed; ++i)
    stated |= signature_call(signature, form->calls.first + i)->expected.count > 0;
  return stated;
}

// Whether something that the call reads is not what it was before the call.
static bool has_changed_what_it_reads(const KernelCall *call)
{
  for (unsigned i = 0; i < KERNEL_TENSORS_MAX; ++i) {
    const KernelTensor *tensor = kernel_call_tensor_of(call, i);
    if (tensor->tensor && kernel_role_is_read(tensor->role) && !kernel_tensor_untouched(tensor))
      return true;
  }
  return false;
}

// Whether `call`, made once more with its own arguments, gives what `other` has.
static bool turns_into(KernelCall *call, const KernelCall *other)
{
  if (has_changed_what_it_reads(call)) return false;
  *call->result = call->result_before;
  kernel_call_function(call, NULL, call->result);
  leave_device(call);
  return call->returned == 0 && kernel_calls_alike(call, other);
}

// Where nobody states what the function gives, two valid calls may differ: other calls say nothing
// then. Nor do they where the call that is compared with gives the same, made once more: it was the one between
// that made the difference.
static void require_repeatable(const KernelCall *actual, KernelCall *expected)
{
  enum { DIFFERS = 77 };
  int status;
  if (actual->returned || is_stated_to_repeat(actual->kernel)) return;
  if (kernel_calls_alike(actual, expected)) return;
  // Where a file describes it, and no copy can be made, calls are compared.
  if (kernel_is_promised(actual->kernel) && kernel_keeps_threads()) return;
  pid_t copy = kernel_fork();
  if (copy == 0) {
    for (int i = 1; i < 32; ++i) signal(i, SIG_DFL);
    if (turns_into(expected, actual)) _exit(DIFFERS);
    KernelCall *calls[2];
    for (int i = 0; i < 2; ++i) {
      calls[i] = new_right_call(actual->iut, actual->kernel);
      make_call(calls[i]);
      if (i == 0) usleep(2000);
    }
    _exit(kernel_calls_alike(calls[0], calls[1]) ? 0 : DIFFERS);
  }
  bool ended = copy > 0 && waitpid(copy, &status, 0) == copy;
  if (ended && WIFEXITED(status) && WEXITSTATUS(status) == DIFFERS)
    case_not_applicable("two valid calls do not give the same");
}

static bool same_outcome(const char *at, KernelCall *actual, KernelCall *expected,
                         KernelNumbers numbers)
{
  if (!expect_served_(at, actual)) return false;
  if (actual->launched || expected->launched)
    return expect_same_work_(at, actual, expected) &&
           expect_same_result_(at, actual, expected, numbers);
  bool same = true;
  for (unsigned i = 0; i < KERNEL_TENSORS_MAX; ++i) {
    const KernelTensor *tensor = kernel_call_tensor_of(actual, i);
    if (!tensor->tensor || !kernel_role_is_given(tensor->role) || !tensor->on_host) continue;
    same &= same_elements(at, actual->kernel, i, tensor, kernel_call_tensor_of(expected, i));
  }
  return expect_same_result_(at, actual, expected, numbers) && same;
}

bool expect_same_again_(const char *at, KernelCall *actual, KernelCall *expected)
{
  return same_outcome(at, actual, expected, KERNEL_NUMBERS_BY_TYPE);
}

bool expect_same_outcome_(const char *at, KernelCall *actual, KernelCall *expected)
{
  require_repeatable(actual, expected);
  return same_outcome(at, actual, expected, KERNEL_NUMBERS_BY_TYPE);
}

// A call that leaves its outputs as they were says nothing of how it reads its arguments: that two
// such calls are alike would pass whatever is called.
static void require_outcome(const KernelCall *call)
{
  bool outputs = false;
  if (call->launched) return;
  for (unsigned i = 0; i < KERNEL_TENSORS_MAX; ++i) {
    const KernelTensor *tensor = kernel_call_tensor_of(call, i);
    if (!tensor->tensor || !kernel_role_is_given(tensor->role) || !tensor->on_host) continue;
    outputs |= tensor->memory_size > 0;
    if (!kernel_tensor_untouched(tensor)) return;
  }
  if (outputs && call->result->type_index == kTVMFFINone)
    case_not_applicable("the right call writes nothing into its outputs");
}

bool expect_same_values_(const char *at, KernelCall *actual, KernelCall *expected)
{
  if (actual->returned == 0) require_outcome(expected);
  require_repeatable(actual, expected);
  return same_outcome(at, actual, expected, KERNEL_NUMBERS_BY_VALUE);
}

bool expect_same_or_refused_(const char *at, KernelCall *actual, KernelCall *expected)
{
  if (actual->returned != 0) return expect_refused_(at, actual);
  require_outcome(expected);
  return expect_same_outcome_(at, actual, expected);
}

bool expect_outputs_untouched_(const char *at, KernelCall *call)
{
  bool untouched = true;
  for (unsigned i = 0; i < KERNEL_TENSORS_MAX; ++i) {
    char name[64], expected[96];
    const KernelTensor *tensor = kernel_call_tensor_of(call, i);
    if (!tensor->tensor) continue;
    snprintf(expected, sizeof expected, "the memory of %s is as it was",
             kernel_tensor_name(call->kernel, i, name));
    untouched &= expect_that_(at, kernel_tensor_untouched(tensor), expected, "it was written to");
  }
  return untouched;
}
