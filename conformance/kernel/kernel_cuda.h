// SPDX-License-Identifier: Apache-2.0
// A real device for the tensors of a call: memory, a stream and a context, through the CUDA
// driver's own API. The driver is opened at run time, in the process that makes the call: nothing
// is linked, no toolkit is needed, and no state of it is used across a fork.
//
//   if (kernel_cuda_holds(tensor->device)) {
//     uint64_t memory = kernel_cuda_allocate(size);   // or the case ends, with the driver's reason
//     kernel_cuda_write(memory, bytes, size);
//     ... the call, with kernel_cuda_stream() ...
//     kernel_cuda_settle(why, sizeof why);
//     kernel_cuda_read(bytes, memory, size);
//   }
//
// Until kernel_cuda_choose was told of a device nothing is opened and no device is held. Everything
// that is not given back lives until the process of the case ends.
//
// In the place of a real device may stand a stand-in (cuda/account.h): everything here works with
// it, too, except that kernels which are launched do nothing. What a call asked of it can be read.
#ifndef TVMFFI_CONFORMANCE_KERNEL_KERNEL_CUDA_H_
#define TVMFFI_CONFORMANCE_KERNEL_KERNEL_CUDA_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi/abi.h"
#include "cuda/account.h"
#include "plan/kernel.h"

enum { KERNEL_CUDA_TEXT = 200 };

// Loads the stand-ins for CUDA from this folder, so that what is loaded later finds them in the
// place of NVIDIA's libraries. False, with the linker's words in `why`, if they can't be loaded.
bool kernel_cuda_load_stand_ins(const char *folder, char why[KERNEL_CUDA_TEXT]);

// From here on the tensors of the CUDA device of `kernel` are real, or those of the stand-in; where
// it has none, or is NULL, all devices are faked. With the stand-in, a call of a function that it
// lacks ends the case.
void kernel_cuda_choose(const Kernel *kernel);

// Whether a real device was chosen, whether or not it can be reached.
bool kernel_cuda_chosen(void);

// Whether a real device was chosen, and a call failed with this message because the module has no
// code for it: compiled for others, or by a compiler that is newer than the driver.
bool kernel_cuda_lacks_code(const char *message);

// Whether memory of this device is real in this process.
bool kernel_cuda_holds(DLDevice device);

// Opens the driver and the device, if one was chosen and that was not done yet, and makes the
// device's primary context that of the calling thread. False if it can't be reached, with the
// reason in `why`, such as "no CUDA driver: libcuda.so.1: cannot open shared object file: ...";
// true if none was chosen.
bool kernel_cuda_open(char why[KERNEL_CUDA_TEXT]);

// The same, but ends the case as not applicable where the device can't be reached.
void kernel_cuda_require(void);

// Name of the device and version of the driver's API, "NVIDIA X, driver API 12.4"; opened before.
void kernel_cuda_describe(char text[KERNEL_CUDA_TEXT]);

// `size` bytes of device memory, at a multiple of 256 at least. Ends the case, as inconclusive, if
// there is none. Own: kernel_cuda_free, or the end of the process.
uint64_t kernel_cuda_allocate(size_t size);
// The same, but 0 where there is none.
uint64_t kernel_cuda_try_allocate(size_t size);
void kernel_cuda_free(uint64_t memory);

// Copies bytes to and from the device, ordered by the stream; the second waits until they are
// there. False if the driver refuses.
bool kernel_cuda_write(uint64_t to, const void *from, size_t size);
bool kernel_cuda_read(void *to, uint64_t from, size_t size);

// The stream that calls are made with: one of its own, not ordered with the default stream. The
// observer answers with it when it is asked for the stream of this device, in every thread.
TVMFFIStreamHandle kernel_cuda_stream(void);

// Waits for all work of that stream. False if the work, or what was launched before, ended with an
// error; its name is in `why`.
bool kernel_cuda_settle(char why[KERNEL_CUDA_TEXT]);

// Keeps what is put on the stream from here on waiting for `ms` milliseconds. False if the driver
// can't do that.
bool kernel_cuda_delay(unsigned ms);

// The account of the stand-in that is chosen, NULL if a real device is, or none.
CudaAccount *kernel_cuda_account(void);
// Has the account begin anew, and watch; ends that.
void kernel_cuda_watch(void);
void kernel_cuda_stop_watching(void);
// Whether an address is memory of the stand-in that is in use.
bool kernel_cuda_has(uint64_t address);

// How much memory of the device is free, in bytes; 0 if the driver does not tell.
size_t kernel_cuda_free_memory(void);

#endif  // TVMFFI_CONFORMANCE_KERNEL_KERNEL_CUDA_H_
