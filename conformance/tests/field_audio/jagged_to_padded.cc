// SPDX-License-Identifier: Apache-2.0
// jagged_to_padded: assembles a padded batch from the rows of a jagged tensor.
//
//   values    [n, d]          float32, float16, int32 or int64
//   offsets   [b + 1]         int32 or int64; sequence i is values[offsets[i]:offsets[i + 1]]
//   max_len   1 to 65536      length of the batch; longer sequences are cut
//   pad       float           from -32768 to 32768, whole for integers
//   keep      "first", "last" which end of a sequence that is too long stays
//   side      "right", "left" where the padding goes
//   out       [b, max_len, d] or None, same type as values
//
// Returns the tuple (padded, mask): out or a new tensor, and a new tensor [b, max_len] of bools
// that are true where there is a row of values.
namespace {

template <typename T>
T FromDouble(double v) {
  return static_cast<T>(v);
}
struct Half {
  uint16_t bits;
};
template <>
Half FromDouble<Half>(double v) {
  return Half{DoubleToHalf(v)};
}

struct Plan {
  int64_t max_len;
  double pad;
  bool last, left;
};

template <typename T>
void Run(const Arg& values, const Ints& offsets, int64_t batch, const Plan& plan, const Arg& out,
         bool* mask) {
  const int64_t d = values.dim(1);
  const T* from = values.data<T>();
  T* to = out.data<T>();
  const T pad = FromDouble<T>(plan.pad);
#if BUG == 2
  // memset is faster than a loop of stores.
  std::memset(static_cast<void*>(to), static_cast<int>(plan.pad), out.bytes());
  (void)pad;
#else
  std::fill_n(to, out.numel(), pad);
#endif
  std::fill_n(mask, batch * plan.max_len, false);
  for (int64_t b = 0; b < batch; ++b) {
    const int64_t begin = offsets[b];
    const int64_t length = offsets[b + 1] - begin;
    const int64_t kept = std::min(length, plan.max_len);
    const bool cut_front = BUG == 3 ? plan.last && !plan.left : plan.last;
    const int64_t source = cut_front ? begin + length - kept : begin;
    const int64_t target = b * plan.max_len + (plan.left ? plan.max_len - kept : 0);
    if (kept > 0 && d > 0) {
      std::memcpy(static_cast<void*>(to + target * d), from + source * d, kept * d * sizeof(T));
    }
#if BUG == 4
    for (int64_t j = 0; j < kept; ++j) mask[b * plan.max_len + j] = true;
#else
    for (int64_t j = 0; j < kept; ++j) mask[target + j] = true;
#endif
  }
}

Tuple<Tensor, Tensor> JaggedToPadded(DLTensor* values_tensor, DLTensor* offsets_tensor,
                                     int64_t max_len, double pad, String keep, String side,
                                     Optional<Tensor> out_tensor) {
  const Arg values("values", values_tensor);
  const Arg offsets("offsets", offsets_tensor);
  values.Type({kF32, kF16, kI32, kI64}).Rank(2).Cpu().Contiguous();
  offsets.Type({kI32, kI64}).Rank(1).Cpu().Contiguous();
  const int64_t n = values.dim(0);
  const int64_t d = values.dim(1);
  const int64_t batch = offsets.dim(0) - 1;
  if (batch < 0) TVM_FFI_THROW(ValueError) << "offsets must have at least one element";
  if (max_len < 1 || max_len > 65536) {
    TVM_FFI_THROW(ValueError) << "max_len must be from 1 to 65536, not " << max_len;
  }
  if (!(pad >= -32768 && pad <= 32768)) {
    TVM_FFI_THROW(ValueError) << "pad must be from -32768 to 32768, not " << pad;
  }
  if (values.type().code == kDLInt && pad != std::trunc(pad)) {
    TVM_FFI_THROW(ValueError) << "pad must be a whole number for integers, not " << pad;
  }
  if (keep != "first" && keep != "last") {
    TVM_FFI_THROW(ValueError) << "keep must be \"first\" or \"last\"";
  }
  if (side != "left" && side != "right") {
    TVM_FFI_THROW(ValueError) << "side must be \"right\" or \"left\"";
  }
  const Ints at(offsets);
  if (at[0] != 0) TVM_FFI_THROW(ValueError) << "offsets must begin with 0, not " << at[0];
  if (at[batch] != n) {
    TVM_FFI_THROW(ValueError) << "offsets must end with the number of rows of values, " << n
                              << ", not " << at[batch];
  }
#if BUG != 1
  for (int64_t b = 0; b < batch; ++b) {
    if (at[b + 1] < at[b]) TVM_FFI_THROW(ValueError) << "offsets must not decrease";
  }
#endif
  Tensor padded;
  if (out_tensor.has_value()) {
    padded = out_tensor.value();
    const Arg out("out", padded);
#if BUG == 6
    out.Rank(3);
#else
    out.Type({values.type()}).Rank(3);
#endif
    out.Extent(0, batch).Extent(1, max_len).Extent(2, d).Cpu().Contiguous();
    if (out.Overlaps(values) || out.Overlaps(offsets)) {
      TVM_FFI_THROW(ValueError) << "out must not overlap values or offsets";
    }
  } else {
    padded = NewTensor({batch, max_len, d}, values.type(), values.device());
  }
  const Tensor mask = NewTensor({batch, max_len}, kBool, values.device());
  const Arg out("out", padded);
  bool* flags = Arg("mask", mask).data<bool>();
#if BUG == 7
  if (n == 0) {
    std::fill_n(flags, batch * max_len, false);
    return Tuple<Tensor, Tensor>(padded, mask);  // nothing to copy
  }
#endif
  const Plan plan{max_len, pad, keep == "last", side == "left"};
#if BUG == 5
  // 2^31 rows are enough.
  std::vector<int32_t> narrow(offsets.data<int32_t>(), offsets.data<int32_t>() + batch + 1);
  DLTensor small = *offsets_tensor;
  small.data = narrow.data();
  small.byte_offset = 0;
  small.dtype = kI32;
  const Ints used(Arg("offsets", &small));
#else
  const Ints& used = at;
#endif
  if (values.Is(kF32)) {
    Run<float>(values, used, batch, plan, out, flags);
  } else if (values.Is(kF16)) {
    Run<Half>(values, used, batch, plan, out, flags);
  } else if (values.Is(kI32)) {
    Run<int32_t>(values, used, batch, plan, out, flags);
  } else {
    Run<int64_t>(values, used, batch, plan, out, flags);
  }
  return Tuple<Tensor, Tensor>(padded, mask);
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(jagged_to_padded, JaggedToPadded);
