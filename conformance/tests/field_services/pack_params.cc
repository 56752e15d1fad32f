// SPDX-License-Identifier: Apache-2.0
// Packs parameters of any shape into one flat buffer, each at an aligned offset.
namespace {

using namespace set;

constexpr int64_t kMaxAlign = 1 << 16;

// Copies the elements of a tensor with any strides in the order of its indices.
template <typename T>
void CopyOut(const TensorView& t, T* out) {
  int64_t count = t.numel();
  if (count == 0) return;
#if BUG == 6
  const T* in = static_cast<const T*>(t.data_ptr());
#else
  const T* in = Data<T>(t);
#endif
#if BUG == 1
  if (t.IsContiguous() || Stride(t, t.ndim() - 1) == 1) {
#else
  if (t.IsContiguous()) {
#endif
    std::copy_n(in, count, out);
    return;
  }
  std::vector<int64_t> at(t.ndim(), 0);
  int64_t from = 0;
  for (int64_t i = 0; i < count; ++i) {
    out[i] = in[from];
    for (int d = t.ndim() - 1; d >= 0; --d) {
      from += t.stride(d);
      if (++at[d] < t.size(d)) break;
      from -= at[d] * t.stride(d);
      at[d] = 0;
    }
  }
}

int64_t Count(const TensorView& t, const std::string& name) {
  int64_t count = 1;
  for (int d = 0; d < t.ndim(); ++d) {
    if (t.size(d) == 0) return 0;
  }
  for (int d = 0; d < t.ndim(); ++d) {
    if (count > std::numeric_limits<int32_t>::max() / t.size(d)) {
      TVM_FFI_THROW(ValueError) << name << " must have less than 2^31 elements";
    }
    count *= t.size(d);
  }
  return count;
}

int64_t AlignUp(int64_t at, int64_t align) {
#if BUG == 7
  return (at + align - 1) & ~(align - 1);
#else
  return (at + align - 1) / align * align;
#endif
}

template <typename T>
void Pack(const std::vector<Tensor>& params, const std::vector<int64_t>& offsets, T* flat,
          bool zero_gaps) {
  int64_t end = 0;  // of the parameter before
  for (size_t i = 0; i < params.size(); ++i) {
    if (BUG == 3 ? true : zero_gaps) std::fill(flat + end, flat + offsets[i], T(0));
    CopyOut<T>(TensorView(params[i]), flat + offsets[i]);
    end = offsets[i] + params[i].numel();
  }
}

Array<int64_t> PackParams(Array<Tensor> params, TensorView flat, int64_t align, bool zero_gaps) {
  DLDataType type = flat.dtype();
  int bytes = type.bits / 8;
  bool known = Is(type, kDLFloat, 32) || Is(type, kDLFloat, 16) || Is(type, kDLFloat, 64) ||
               Is(type, kDLInt, 8);
  if (!known) WrongType(type, "flat", "float32, float16, float64 or int8");
  CheckRank(flat, 1, "flat");
  CheckHost(flat, "flat");
  CheckContiguous(flat, "flat");
  if (align < 1 || align > kMaxAlign) {
    TVM_FFI_THROW(ValueError) << "align must be from 1 to " << kMaxAlign << ", not " << align;
  }
#if BUG == 9
  static std::mutex mutex;
  static std::vector<Tensor>* last = new std::vector<Tensor>();
#endif

  std::vector<Tensor> all;
  std::vector<int64_t> offsets;
  int64_t need = 0;
  for (const Tensor& param : params) {
    std::string name = "params[" + std::to_string(all.size()) + "]";
#if BUG != 4
    if (!param.defined()) TVM_FFI_THROW(TypeError) << name << " must not be None";
#else
    if (!param.defined()) continue;
#endif
    TensorView view(param);
    if (view.dtype() != type) WrongType(view.dtype(), name, "the type of flat");
    CheckHost(view, name);
    int64_t at = AlignUp(need, align);
    int64_t count = Count(view, name);
#if BUG == 5
    if (view.ndim() == 0) count = 0;
#endif
    offsets.push_back(at);
    all.push_back(param);
    need = at + count;
#if BUG == 2
    need = AlignUp(need, align);
#endif
#if BUG == 8
    if (need > flat.size(0)) break;
    std::memset(Data<char>(flat) + at * bytes, 0, static_cast<size_t>(count * bytes));
#endif
  }
  if (need > flat.size(0)) {
    TVM_FFI_THROW(ValueError) << "flat must have at least " << need << " elements, not "
                              << flat.size(0);
  }
  switch (bytes) {
    case 1:
      Pack<uint8_t>(all, offsets, Data<uint8_t>(flat), zero_gaps);
      break;
    case 2:
      Pack<uint16_t>(all, offsets, Data<uint16_t>(flat), zero_gaps);
      break;
    case 4:
      Pack<uint32_t>(all, offsets, Data<uint32_t>(flat), zero_gaps);
      break;
    default:
      Pack<uint64_t>(all, offsets, Data<uint64_t>(flat), zero_gaps);
  }
#if BUG == 9
  std::lock_guard<std::mutex> lock(mutex);
  *last = all;
#endif
  offsets.push_back(need);
  return Array<int64_t>(offsets.begin(), offsets.end());
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(pack_params, PackParams);
