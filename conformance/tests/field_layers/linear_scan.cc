// SPDX-License-Identifier: Apache-2.0
// First-order linear recurrences over packed sequences, as in gated state space layers:
//   h[t] = gate(a[t]) * h[t - 1] + b[t]
// in each column, beginning anew with each sequence; from the last time to the first if reversed.
namespace {

using namespace set;

constexpr int64_t kBlock = 64;  // columns that are worked out together

template <typename I>
void CheckOffsets(const Arg& offsets, int64_t times) {
  const I* at = offsets.as<I>();
  const int64_t s = offsets.size(0) - 1;
  if (at[0] != 0) {
    TVM_FFI_THROW(ValueError) << "cu_seqlens must begin with 0, not " << int64_t{at[0]};
  }
  for (int64_t i = 0; i < s; ++i) {
    if (at[i + 1] < at[i]) {
      TVM_FFI_THROW(ValueError) << "cu_seqlens must not decrease, as after " << i;
    }
  }
#if BUG == 1
  const bool fits = at[s] >= times;
#else
  const bool fits = at[s] == times;
#endif
  if (!fits) {
    TVM_FFI_THROW(ValueError) << "cu_seqlens must end with the number of times, " << times
                              << ", not " << int64_t{at[s]};
  }
}

double Sigmoid(double v) {
#if BUG == 4
  return std::exp(v) / (1 + std::exp(v));
#else
  return 1 / (1 + std::exp(-v));
#endif
}

template <typename T, typename I>
void Run(const Arg& a, const Arg& b, const Arg& offsets, const Arg* h0, bool sigmoid, bool reverse,
         const Arg& out, const Arg* final_state) {
  const int64_t times = a.size(0), d = a.size(1), s = offsets.size(0) - 1;
  const I* at = offsets.as<I>();
#if BUG == 8
  for (int64_t t = 0; t < times; ++t) {
    for (int64_t j = 0; j < d; ++j) {
      out.as<T>()[t * out.stride(0) + j * out.stride(1)] = Make<T>::From(0.0);
    }
  }
#else
  (void)times;
#endif
  double h[kBlock];
#if BUG == 5
  const int64_t blocks = std::max<int64_t>(1, d / kBlock);
#else
  const int64_t blocks = (d + kBlock - 1) / kBlock;
#endif
  for (int64_t block = 0; block < blocks; ++block) {
    const int64_t first = block * kBlock;
    const int64_t width = std::min(kBlock, d - first);
    std::fill(h, h + kBlock, 0.0);
    for (int64_t q = 0; q < s; ++q) {
      const int64_t begin = at[q], end = at[q + 1];
      for (int64_t j = 0; j < width; ++j) {
        if (h0 != nullptr) {
#if BUG == 3
          h[j] = Get(static_cast<const T*>(h0->raw()->data)[q * h0->stride(0) +
                                                            (first + j) * h0->stride(1)]);
#else
          h[j] = Get(h0->as<T>()[q * h0->stride(0) + (first + j) * h0->stride(1)]);
#endif
        } else {
#if BUG == 2
          if (!reverse) h[j] = 0;
#else
          h[j] = 0;
#endif
        }
      }
      for (int64_t i = 0; i < end - begin; ++i) {
        const int64_t t = reverse ? end - 1 - i : begin + i;
        const T* ta = a.as<T>() + t * a.stride(0) + first * a.stride(1);
        const T* tb = b.as<T>() + t * b.stride(0) + first * b.stride(1);
        T* to = out.as<T>() + t * out.stride(0) + first * out.stride(1);
        for (int64_t j = 0; j < width; ++j) {
          const double factor = Get(ta[j * a.stride(1)]);
          h[j] = (sigmoid ? Sigmoid(factor) : factor) * h[j] + Get(tb[j * b.stride(1)]);
          to[j * out.stride(1)] = Make<T>::From(h[j]);
        }
      }
      if (final_state != nullptr) {
#if BUG == 6
        if (begin == end) continue;
#endif
        T* to = final_state->as<T>() + q * d + first;
        for (int64_t j = 0; j < width; ++j) to[j] = Make<T>::From(h[j]);
      }
    }
  }
}

void LinearScan(DLTensor* a_arg, DLTensor* b_arg, DLTensor* cu_seqlens_arg,
                ffi::Optional<ffi::Tensor> h0_arg, ffi::String gate, bool reverse,
                DLTensor* out_arg, ffi::Optional<ffi::Tensor> final_arg) {
  const auto types = {Type::kF32, Type::kF16, Type::kF64};
  const Arg a(a_arg, "a", types, 2, Layout::kStrided);
  const Arg b(b_arg, "b", types, 2, Layout::kStrided);
  const Arg offsets(cu_seqlens_arg, "cu_seqlens", {Type::kI32, Type::kI64}, 1);
  const Arg out(out_arg, "out", types, 2, Layout::kStrided);
  const int64_t d = a.size(1);
  b.SameType(a);
  b.SameShape(a);
  out.SameType(a);
  out.SameShape(a);
  if (offsets.size(0) == 0) TVM_FFI_THROW(ValueError) << "cu_seqlens must not be empty";
  const int64_t s = offsets.size(0) - 1;
  std::vector<Arg> optional;
  optional.reserve(2);
  const Arg* h0 = nullptr;
  const Arg* final_state = nullptr;
  ffi::Optional<ffi::Tensor> held = h0_arg, held_final = final_arg;
  if (held.has_value()) {
    optional.emplace_back(Pointer(held.value()), "h0", types, 2, Layout::kStrided);
    h0 = &optional.back();
    h0->SameType(a);
    h0->Extent(0, s, "one row for each sequence");
    h0->Extent(1, d, "the columns of a");
  }
  if (held_final.has_value()) {
    optional.emplace_back(Pointer(held_final.value()), "final_state", types, 2);
    final_state = &optional.back();
    final_state->SameType(a);
#if BUG == 7
    if (final_state->size(0) < 1) {
      TVM_FFI_THROW(ValueError) << "final_state must not be empty";
    }
#else
    final_state->Extent(0, s, "one row for each sequence");
#endif
    final_state->Extent(1, d, "the columns of a");
  }
  if (gate != "none" && gate != "sigmoid") {
    TVM_FFI_THROW(ValueError) << "gate must be none or sigmoid, not \"" << std::string(gate)
                              << "\"";
  }
  WithIndex(offsets.type(), [&](auto index) {
    using I = decltype(index);
    CheckOffsets<I>(offsets, a.size(0));
    WithFloat(a.type(), [&](auto value) {
      Run<decltype(value), I>(a, b, offsets, h0, gate == "sigmoid", reverse, out, final_state);
    });
  });
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(linear_scan, LinearScan);
