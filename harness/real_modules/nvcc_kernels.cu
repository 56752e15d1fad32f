// SPDX-License-Identifier: Apache-2.0
// Kernels of our own for nvcc, against the C++ headers of the runtime: several dtypes, any rank, a
// tensor that is returned, memory of the device for the time of a call. Every step is checked.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <tvm/ffi/extra/c_env_api.h>
#include <tvm/ffi/extra/cuda/device_guard.h>
#include <tvm/ffi/tvm_ffi.h>

#include <cstdint>
#include <limits>

namespace {

namespace ffi = tvm::ffi;

constexpr int64_t kBlock = 256;

// Sum: what is computed in. A float has too few digits for an int32.
template <typename T, typename Sum>
__global__ void AxpyEach(const T* x, const T* y, T* out, Sum alpha, int64_t n) {
  int64_t at = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (at < n) {
    out[at] = static_cast<T>(alpha * static_cast<Sum>(x[at]) + static_cast<Sum>(y[at]));
  }
}

__global__ void SumRowsEach(const float* x, float* out, int64_t rows, int64_t columns) {
  int64_t row = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (row < rows) {
    float sum = 0;
    for (int64_t at = 0; at < columns; ++at) {
      sum += x[row * columns + at];
    }
    out[row] = sum;
  }
}

__global__ void LargestOf(const float* x, float* out, int64_t n) {
  float largest = x[0];
  for (int64_t at = 1; at < n; ++at) {
    largest = x[at] > largest ? x[at] : largest;
  }
  *out = largest;
}

void Check(cudaError_t result, const char* what) {
  if (result != cudaSuccess) {
    TVM_FFI_THROW(RuntimeError) << what << ": " << cudaGetErrorString(result);
  }
}

void CheckTensor(ffi::TensorView x, const char* name) {
  TVM_FFI_CHECK(x.device().device_type == kDLCUDA, ValueError) << name << " is not on a CUDA device";
  TVM_FFI_CHECK(x.IsContiguous(), ValueError) << name << " is not contiguous";
}

void CheckMatrix(ffi::TensorView x, const char* name) {
  CheckTensor(x, name);
  TVM_FFI_CHECK(x.ndim() == 2, ValueError) << name << " has " << x.ndim() << " axes, not 2";
  TVM_FFI_CHECK((x.dtype() == DLDataType{kDLFloat, 32, 1}), TypeError)
      << name << " has dtype " << x.dtype() << ", not float32";
}

void CheckAlike(ffi::TensorView x, ffi::TensorView y, const char* name) {
  CheckTensor(y, name);
  TVM_FFI_CHECK(y.dtype() == x.dtype(), TypeError) << name << " has another dtype than x";
  TVM_FFI_CHECK(y.device().device_id == x.device().device_id, ValueError)
      << name << " is on another device than x";
  TVM_FFI_CHECK(y.ndim() == x.ndim(), ValueError) << name << " has another rank than x";
  for (int32_t axis = 0; axis < x.ndim(); ++axis) {
    TVM_FFI_CHECK(y.size(axis) == x.size(axis), ValueError)
        << name << " has another extent than x in axis " << axis;
  }
}

unsigned int Blocks(int64_t n) {
  int64_t blocks = n / kBlock + (n % kBlock != 0);
  TVM_FFI_CHECK(blocks <= std::numeric_limits<int32_t>::max(), ValueError)
      << n << " elements are too many";
  return static_cast<unsigned int>(blocks);
}

template <typename T>
T* Data(ffi::TensorView x) {
  return reinterpret_cast<T*>(static_cast<char*>(x.data_ptr()) + x.byte_offset());
}

cudaStream_t StreamOf(ffi::TensorView x) {
  DLDevice device = x.device();
  return static_cast<cudaStream_t>(TVMFFIEnvGetStream(device.device_type, device.device_id));
}

template <typename T, typename Sum = float>
void LaunchAxpy(ffi::TensorView x, ffi::TensorView y, ffi::TensorView out, double alpha) {
  AxpyEach<T, Sum><<<Blocks(x.numel()), kBlock, 0, StreamOf(x)>>>(
      Data<T>(x), Data<T>(y), Data<T>(out), static_cast<Sum>(alpha), x.numel());
  Check(cudaGetLastError(), "axpy");
}

// out = alpha * x + y
void Axpy(double alpha, ffi::TensorView x, ffi::TensorView y, ffi::TensorView out) {
  CheckTensor(x, "x");
  CheckAlike(x, y, "y");
  CheckAlike(x, out, "out");
  DLDataType dtype = x.dtype();
  bool known = dtype == DLDataType{kDLFloat, 32, 1} || dtype == DLDataType{kDLFloat, 16, 1} ||
               dtype == DLDataType{kDLBfloat, 16, 1} || dtype == DLDataType{kDLInt, 32, 1};
  TVM_FFI_CHECK(known, TypeError) << "x has dtype " << dtype;
  if (x.numel() == 0) {
    return;
  }
  ffi::CUDADeviceGuard guard(x.device().device_id);
  if (dtype.code == kDLInt) {
    LaunchAxpy<int32_t, double>(x, y, out, alpha);
  } else if (dtype.code == kDLBfloat) {
    LaunchAxpy<__nv_bfloat16>(x, y, out, alpha);
  } else if (dtype.bits == 16) {
    LaunchAxpy<__half>(x, y, out, alpha);
  } else {
    LaunchAxpy<float>(x, y, out, alpha);
  }
}

// The sum of each row, as a new tensor.
ffi::Tensor SumRows(ffi::TensorView x) {
  CheckMatrix(x, "x");
  ffi::CUDADeviceGuard guard(x.device().device_id);
  ffi::Tensor out = ffi::Tensor::FromEnvAlloc(
      TVMFFIEnvTensorAlloc, ffi::Shape({x.size(0)}), x.dtype(), x.device());
  if (x.size(0) > 0) {
    SumRowsEach<<<Blocks(x.size(0)), kBlock, 0, StreamOf(x)>>>(
        Data<float>(x), static_cast<float*>(out.data_ptr()), x.size(0), x.size(1));
    Check(cudaGetLastError(), "sum_rows");
  }
  return out;
}

// Memory of the device that is freed at the end of a call, however it ends.
class Scratch {
 public:
  Scratch(size_t size, cudaStream_t stream) : stream_(stream) {
    Check(cudaMallocAsync(&data_, size, stream), "cudaMallocAsync");
  }
  Scratch(const Scratch&) = delete;
  ~Scratch() { cudaFreeAsync(data_, stream_); }
  void* data() const { return data_; }

 private:
  void* data_ = nullptr;
  cudaStream_t stream_;
};

// The largest element, as a float.
double Largest(ffi::TensorView x) {
  CheckMatrix(x, "x");
  TVM_FFI_CHECK(x.numel() > 0, ValueError) << "x has no elements";
  ffi::CUDADeviceGuard guard(x.device().device_id);
  cudaStream_t stream = StreamOf(x);
  Scratch largest(sizeof(float), stream);
  LargestOf<<<1, 1, 0, stream>>>(Data<float>(x), static_cast<float*>(largest.data()), x.numel());
  Check(cudaGetLastError(), "largest");
  float result = 0;
  Check(cudaMemcpyAsync(&result, largest.data(), sizeof(result), cudaMemcpyDeviceToHost, stream),
        "cudaMemcpyAsync");
  Check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
  return result;
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(axpy, Axpy);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(sum_rows, SumRows);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(largest, Largest);
