// SPDX-License-Identifier: Apache-2.0
// Runs of equal elements: their values and lengths, in the caller's tensors, and how many there are.
#include "kit.h"

namespace kit
{

static int64_t Need(int64_t n)
{
  return (n * 8 + 63) / 64 * 64 + 64;
}

int64_t UniqueRunsWorkspace(int64_t n)
{
  TVM_FFI_CHECK(0 <= n && n <= int64_t{1} << 40, ValueError) << "n: " << n;
#if BUG == 1
  return n * 8;
#elif BUG == 5
  return static_cast<int32_t>(Need(n));
#else
  return Need(n);
#endif
}

template <typename T>
static int64_t Runs(TensorView x, TensorView values, TensorView lengths, int64_t *starts)
{
  const T *in = Data<T>(x);
  const int64_t n = x.size(0);
  int64_t runs = 0;
  for (int64_t i = 0; i < n; ++i)
    if (i == 0 || in[i] != in[i - 1]) starts[runs++] = i;
  for (int64_t r = 0; r < runs; ++r) {
    Data<T>(values)[r] = in[starts[r]];
#if BUG == 3
    if (r + 1 < runs) Data<int64_t>(lengths)[r] = starts[r + 1] - starts[r];
#else
    Data<int64_t>(lengths)[r] = (r + 1 < runs ? starts[r + 1] : n) - starts[r];
#endif
  }
  return runs;
}

int64_t UniqueRuns(TensorView x, TensorView values, TensorView lengths, TensorView workspace)
{
  Dense(x, 1, "x");
  Dense(values, 1, "values");
  Dense(lengths, 1, "lengths");
  Dense(workspace, 1, "workspace");
  Typed(IsI32(x) || IsI64(x), "x");
  Typed(SameDtype(x, values), "values");
  Typed(IsI64(lengths), "lengths");
  Typed(Is(workspace, kDLUInt, 8), "workspace");
  const int64_t n = x.size(0);
  Extent(values, 0, n, "values");
#if BUG == 4
  TVM_FFI_CHECK(lengths.size(0) > 0 || n == 0, ValueError) << "lengths: empty";
#else
  Extent(lengths, 0, n, "lengths");
#endif
#if BUG == 2
  TVM_FFI_CHECK(workspace.size(0) >= n, ValueError) << "workspace: too small";
#else
  TVM_FFI_CHECK(workspace.size(0) >= Need(n), ValueError) << "workspace: too small";
#endif
  const uintptr_t begin = reinterpret_cast<uintptr_t>(Data<char>(workspace));
  int64_t *starts = reinterpret_cast<int64_t *>((begin + 63) / 64 * 64);
  std::fill_n(Data<int64_t>(lengths), n, 0);
  std::memset(Data<char>(values), 0, n * (x.dtype().bits / 8));
  return IsI64(x) ? Runs<int64_t>(x, values, lengths, starts)
                  : Runs<int32_t>(x, values, lengths, starts);
}

}  // namespace kit

TVM_FFI_DLL_EXPORT_TYPED_FUNC(unique_runs_workspace, kit::UniqueRunsWorkspace);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(unique_runs, kit::UniqueRuns);
