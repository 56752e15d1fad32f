// SPDX-License-Identifier: Apache-2.0
// What the files of the stand-in for the CUDA runtime share.
#ifndef TVMFFI_CONFORMANCE_CUDA_RUNTIME_H_
#define TVMFFI_CONFORMANCE_CUDA_RUNTIME_H_

// Makes the first device's primary context current where the thread has none. An error, or 0.
int runtime_begin(void);
// Keeps an error for cudaGetLastError(), and returns it.
int runtime_end(int error);

#endif  // TVMFFI_CONFORMANCE_CUDA_RUNTIME_H_
