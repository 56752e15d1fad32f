// SPDX-License-Identifier: Apache-2.0
// Calls of an exported function, as cases about kernels make them: a valid call is built from the
// signature, one thing is invalidated, the call is made, and its outcome is checked.
//
//   KernelCall *call = new_right_call(iut, kernel);
//   call->values[1] = view_of_int(7);               // an int where a tensor is expected
//   make_call(call);
//   expect_refused(call);
//
// Arguments end at an unmapped page and are read-only, and so are shapes, strides and the tensors'
// descriptions; data lies between unmapped pages; inputs are read-only; any access to the data of
// tensors on a device other than the CPU is a fault. Everything lives until the process of the case
// ends.
#ifndef TVMFFI_CONFORMANCE_KERNEL_KERNEL_CALL_H_
#define TVMFFI_CONFORMANCE_KERNEL_KERNEL_CALL_H_

#include <sys/types.h>

#include "battery/iut.h"
#include "cuda/account.h"
#include "kernel/kernel_host.h"
#include "kernel/kernel_tensor.h"
#include "plan/kernel.h"
#include "run/evidence.h"

enum {
  KERNEL_ARGS_MAX = 1024,
  KERNEL_HINT_MAX = 240,
  KERNEL_TENSORS_MAX = KERNEL_PARAMETERS_MAX + KERNEL_ELEMENTS_MAX,
};

typedef struct KernelKept KernelKept;

typedef struct KernelCall {
  Iut *iut;              // the runtime, unobserved
  const Kernel *kernel;  // borrowed
  TVMFFISafeCallType function;
  void *handle;  // NULL unless the case sets it

  // What will be handed over; the case may change it before make_call.
  int32_t num_args;  // may be wrong: as many values are copied as there are, up to KERNEL_ARGS_MAX
  int32_t value_count;
  bool args_null;                               // hand over NULL for the array
  TVMFFIAny values[KERNEL_ARGS_MAX];            // borrowed by the call, owned by the case
  TVMFFIAny examples[KERNEL_PARAMETERS_MAX];    // what `values` was in the valid call
  KernelTensor tensors[KERNEL_PARAMETERS_MAX];  // by parameter; empty for one that is not a tensor
  KernelTensor element_tensors[KERNEL_ELEMENTS_MAX];  // in containers, by element of the kernel
  TVMFFIAny inner[KERNEL_ELEMENTS_MAX];               // own: containers in containers
  uint32_t inner_count;
  TVMFFIAny result_before;  // the result slot before the call: 16 zero bytes
  // On a real device: inputs get there late, in the order of the stream. Until then zeros are
  // there.
  bool inputs_late;
  const TensorForm *elements;  // of tensors in containers; NULL: that of the valid call
  const char *program_before;  // C statements that do what the case has done before, or NULL
  const KernelKept *kept;      // borrowed; what earlier steps have kept, or NULL

  // The outcome.
  const TVMFFIAny *args;       // the fenced copy that was handed over
  TVMFFIAny *result;           // the slot, fenced
  int returned;                // the code
  TVMFFIObjectHandle error;    // own; what was raised after the call, NULL if nothing was
  char error_text[256];        // "TypeError: Expects a Tensor input", or "no error raised"
  char device_error[224];      // the error of its work on a real device; "" if none
  char hint[KERNEL_HINT_MAX];  // advice if a call that must succeed is refused, or ""
  // What it asked of the stand-in for CUDA, one thing after the other, as far as there was room.
  CudaWork *work;  // own; NULL without a stand-in
  unsigned work_count;
  unsigned launched;  // kernels, which were noted and not run: the outputs are not what they were
                      // to be
} KernelCall;

// A copy of a kernel (own, malloc), to be changed. Ends the case as inconclusive without memory.
Kernel *kernel_new_copy(const Kernel *kernel);

// The valid call of `kernel`: its example value of every parameter, None if no example is known.
// Ends the case as inconclusive if the module does not export the function.
KernelCall *new_right_call(Iut *iut, const Kernel *kernel);

// The valid call of `kernel` through another function than the one that the module exports under its
// name: a method, or an object that is a function.
KernelCall *new_call_through(Iut *iut, const Kernel *kernel, TVMFFISafeCallType function,
                             void *handle, const KernelKept *kept);

// The same with all tensors in containers in this form (static lifetime).
KernelCall *new_call_with_elements(Iut *iut, const Kernel *kernel, const TensorForm *elements);

// The same without the values of the parameters that `left_out` holds for: the case sets them. Those
// that it does not set are None.
KernelCall *new_call_without(Iut *iut, const Kernel *kernel,
                             bool (*left_out)(const Kernel *kernel, unsigned position));

// Each tensor of the call in turn, `i` below KERNEL_TENSORS_MAX: those of the parameters, then those
// in containers. `tensor` of one that there is not is NULL; from kernel_call_tensor_end on there are none.
KernelTensor *kernel_call_tensor(KernelCall *call, unsigned i);
const KernelTensor *kernel_call_tensor_of(const KernelCall *call, unsigned i);
unsigned kernel_call_tensor_end(const KernelCall *call);

// "x" for one of a parameter, "parts[1]" or "parts[\"key\"]" for one in a container.
const char *kernel_tensor_name(const Kernel *kernel, unsigned i, char text[64]);

// Makes another tensor of the parameter at `position`: NULL is the form of the valid call.
void call_with_tensor(KernelCall *call, unsigned position, const TensorForm *form);

// How many calls were made in this thread, the one that is being made included.
extern _Thread_local unsigned kernel_calls_made;
// How many of them were made for what calls need (kernel_steps_needed).
extern _Thread_local unsigned kernel_calls_needed;

// Calls the function with the prepared arguments, unobserved, and takes what it returns. Each call is made by this.
void kernel_call_function(KernelCall *call, void *handle, TVMFFIAny *result);

// Makes the call, observed, and takes what it raised off the thread. May be repeated: what an
// earlier call left in `result` and `error` must have been released with drop_outcome.
void make_call(KernelCall *call);

// What make_call does before and after for tensors on a real device, in the thread of the call, for
// cases that call the function themselves: their memory gets there, and after the call, once the
// work that it left on the stream is done, back. Without a real device nothing.
void enter_device(const KernelCall *call);
void leave_device(KernelCall *call);

// Whether the right call of `kernel` returns 0, within so many milliseconds.
bool kernel_is_served(Iut *iut, const Kernel *kernel, unsigned limit_ms);

// Makes a call (`context`) that was made before, unobserved, and drops what comes of it: for expect_no_heap_growth.
void kernel_call_again(Iut *iut, void *context);

// Releases error and result, as a caller does: the result only of a call that returned 0.
void drop_outcome(KernelCall *call);

// For expect_no_heap_growth: makes a call (a KernelCall that was made and refused) once more,
// unobserved. It must be refused again.
void refuse_again(Iut *iut, void *call);

// The valid call, made, with its outputs and result: the positive control. If it fails the case
// ends as not applicable, since kernel.right-call fails then. Every case about a wrong call begins
// with it.
KernelCall *require_right_call(Iut *iut, const Kernel *kernel);

// Sets the note in force to "after NAME(x: float32[4], ...)" with `how` before it: "with a str for
// x: ". printf-like.
void note_call(const KernelCall *call, const char *how, ...) __attribute__((format(printf, 2, 3)));

// "x" or "argument 2": how our messages name a parameter.
const char *parameter_name(const Kernel *kernel, unsigned position, char text[64]);

// --- The outcome of a call -----------------------------------------------------------------------

// Whether this process has other threads, which earlier calls have left. Those of OpenMP are ended first.
bool kernel_keeps_threads(void);

// A copy of this process (fork), for calls that may end it. The case does not apply where the function keeps
// threads that nobody can end: a copy has none of them, and would wait for their work.
pid_t kernel_fork(void);

// The call returned 0. Where nobody promised what the function takes and the call is not the
// example, the case does not apply if it is refused.
// bool expect_served(KernelCall *call)
#define expect_served(...) expect_served_(EXPECT_HERE_, __VA_ARGS__)
// The call returned non-zero. Where nobody promised what the function takes, and only a tensor is
// another one than in the example, the case does not apply if it is served.
// bool expect_refused(KernelCall *call)
#define expect_refused(...) expect_refused_(EXPECT_HERE_, __VA_ARGS__)
// The outputs and the result of both calls, which returned 0, are the same: the elements of tensors
// bit for bit, whatever their strides; results as kernel/kernel_same.h says.
// bool expect_same_outcome(KernelCall *actual, KernelCall *expected)
#define expect_same_outcome(...) expect_same_outcome_(EXPECT_HERE_, __VA_ARGS__)
// The same of two valid calls, for the case about repeating them. The others do not apply where
// nobody promised what the function does, and valid calls differ.
// bool expect_same_again(KernelCall *actual, KernelCall *expected)
#define expect_same_again(...) expect_same_again_(EXPECT_HERE_, __VA_ARGS__)
// The same, but a result that is a number may be an int in one and a bool or float in the other.
// Where `expected` left its outputs as they were, the case does not apply.
// bool expect_same_values(KernelCall *actual, KernelCall *expected)
#define expect_same_values(...) expect_same_values_(EXPECT_HERE_, __VA_ARGS__)
// The call was refused, or gave the same outcome as `expected`. Says which with a note. Where
// `expected` left its outputs as they were, the case does not apply.
// bool expect_same_or_refused(KernelCall *actual, KernelCall *expected)
#define expect_same_or_refused(...) expect_same_or_refused_(EXPECT_HERE_, __VA_ARGS__)
// Whether the arguments are those of the valid call.
bool call_is_the_example(const KernelCall *call);
// Whether a refusal proves nothing about the invalidated argument: the valid call can't be made
// here, or is not known to be right, and is refused with the same words, or crashes.
bool refusal_says_nothing(const KernelCall *call);

// How a call ends, made in a copy of the process. Whether a wrong call ends the process is judged by
// cases of its own: the others leave out those that do.
typedef enum CallEnd { CALL_RETURNS, CALL_THROWS, CALL_ENDS_THE_PROCESS, CALL_HANGS } CallEnd;
// The call must not have been made yet, and is not made by this. Where a driver holds the device,
// which no copy of the process can use, each call is said to return.
CallEnd end_of_call(KernelCall *call);
// The same; CALL_HANGS if it is still running after `ms` milliseconds.
CallEnd end_of_call_within(KernelCall *call, unsigned ms);
// Notes a call that has fewer arguments than the example, or a device in the place of one.
void note_wrong_call(const KernelCall *call);
// Whether all of them return, made one after the other in one copy of the process.
bool calls_return(KernelCall *const *calls, unsigned count);
// The same, in `ms` milliseconds altogether.
bool calls_return_within(KernelCall *const *calls, unsigned count, unsigned ms);
// Whether two calls that returned 0 have the same outputs, bit for bit, and the same result.
bool kernel_calls_alike(const KernelCall *one, const KernelCall *other);
// The elements of the outputs are as they were before the call.
// bool expect_outputs_untouched(call)
#define expect_outputs_untouched(...) expect_outputs_untouched_(EXPECT_HERE_, __VA_ARGS__)

bool expect_served_(const char *at, KernelCall *call);
bool expect_refused_(const char *at, KernelCall *call);
bool expect_same_outcome_(const char *at, KernelCall *actual, KernelCall *expected);
bool expect_same_again_(const char *at, KernelCall *actual, KernelCall *expected);
bool expect_same_values_(const char *at, KernelCall *actual, KernelCall *expected);
bool expect_same_or_refused_(const char *at, KernelCall *actual, KernelCall *expected);
bool expect_outputs_untouched_(const char *at, KernelCall *call);

#endif  // TVMFFI_CONFORMANCE_KERNEL_KERNEL_CALL_H_
