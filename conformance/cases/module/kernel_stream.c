// SPDX-License-Identifier: Apache-2.0
// Which stream a function asks for; the observer answers in the place of the runtime.
#include "kernel/kernel_battery.h"
#include "kernel/kernel_cuda.h"

CHAPTER(kernel);

// A stream that nothing can be done with, as asking for it is all that is judged; but that of a
// real device, where there is one.
static TVMFFIStreamHandle answer_for(DLDevice device)
{
  Observer *observer = kernel_host.observer;
  TVMFFIStreamHandle stream =
      kernel_cuda_holds(device) ? kernel_cuda_stream() : fenced_device_memory("a stream", 64);
  observer->streams[0] = (ObservedStream){device.device_type, device.device_id, stream};
  atomic_store(&observer->stream_count, 1);
  return stream;
}

static bool is_on_device(const KernelParameter *parameter)
{
  return parameter->kind == KERNEL_TENSOR && parameter->typed &&
         parameter->device.device_type != kDLCPU;
}

static bool has_asked_for(DLDevice device)
{
  const Observer *observer = kernel_host.observer;
  unsigned noted = atomic_load(&observer->noted);
  for (unsigned i = 0; i < noted && i < OBSERVE_LOG_MAX; ++i) {
    const ObservedCall *call = &observer->log[i];
    if (call->function == FN_EnvGetStream && call->first == (int32_t)device.device_type &&
        call->second == device.device_id)
      return true;
  }
  return false;
}

static void judge_stream(Iut *iut, const Kernel *kernel, int32_t device_id)
{
  KernelCall *call = new_right_call(iut, kernel);
  kernel_cuda_require();
  unsigned first = 0;
  while (first < kernel->parameter_count && !is_on_device(&kernel->parameters[first])) ++first;
  if (first == kernel->parameter_count)
    case_not_applicable("none of its tensors is on a device other than the CPU");
  DLDevice device = {kernel->parameters[first].device.device_type, device_id};
  if (kernel_cuda_chosen() && !kernel_cuda_account() && !kernel_cuda_holds(device))
    case_not_applicable("this is not the device that the run has (--device)");
  for (unsigned i = 0; i < kernel->parameter_count; ++i)
    if (is_on_device(&kernel->parameters[i]))
      call_with_tensor(call, i, &(TensorForm){.has_device = true, .device = device});
  answer_for(device);
  note_call(call, "with its tensors on device number %d: ", device_id);
  make_call(call);
  // A function that launches may be refused by the driver that is not there, once it has asked.
  if (call->returned != 0 && !has_asked_for(device))
    case_not_applicable("the call is refused before it asks for a stream: %s", call->error_text);
  expect_that(has_asked_for(device), "TVMFFIEnvGetStream is asked for the stream of the device",
              "%u calls of it, for other devices or none",
              atomic_load(&kernel_host.observer->calls[FN_EnvGetStream]));
}

KERNEL_CASE(stream_of_the_device, .clauses = {KER_37}, .wrong_call = true,
            .needs = KERNEL_NEEDS_EXAMPLE | KERNEL_NEEDS_TENSOR,
            .title = "the stream of device 0 is requested when the tensors are on it")
{
  judge_stream(iut, kernel, 0);
}

KERNEL_CASE(stream_of_another_device, .clauses = {KER_37}, .wrong_call = true,
            .needs = KERNEL_NEEDS_EXAMPLE | KERNEL_NEEDS_TENSOR,
            .title = "the stream of device 1 is requested when the tensors are on it")
{
  judge_stream(iut, kernel, 1);
}
