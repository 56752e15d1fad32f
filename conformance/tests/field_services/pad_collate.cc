// SPDX-License-Identifier: Apache-2.0
// Collates sequences of different lengths into one padded batch.
namespace {

using namespace set;

constexpr int64_t kParallel = 1 << 18;  // elements from which on threads are worth it
constexpr int64_t kThreads = 3;
constexpr int64_t kMaxMultiple = 4096;

template <typename T>
T ReadPad(double pad) {
  if (std::is_floating_point<T>::value) return static_cast<T>(pad);
  // Both ends are powers of two, so that they are exact as doubles.
  double end = std::ldexp(1.0, sizeof(T) * 8 - 1);
  if (!(pad >= -end && pad < end) || pad != std::floor(pad)) {
    TVM_FFI_THROW(ValueError) << "pad_value must be an integer of " << sizeof(T) * 8
                              << " bits, as the elements of samples are, not " << pad;
  }
#if BUG == 5
  return static_cast<T>(static_cast<float>(pad));
#else
  return static_cast<T>(pad);
#endif
}

template <typename T>
void FillRows(const std::vector<Tensor>& samples, const Tensor& batch, const Tensor& lengths,
              T pad, bool left, int64_t limit) {
  int64_t rows = static_cast<int64_t>(samples.size()), width = batch.size(1);
  T* out = Data<T>(batch);
  int64_t* counts = Data<int64_t>(lengths);
#if BUG == 7
  std::vector<T> line(width);
#endif
  auto part = [&](int64_t from, int64_t to) {
    for (int64_t r = from; r < to; ++r) {
      const Tensor& sample = samples[r];
      int64_t n = sample.size(0), kept = std::min(n, limit);
      int64_t first = left && BUG != 3 ? n - kept : 0;
      int64_t step = BUG == 1 ? 1 : Stride(sample, 0);
      const T* in = Data<T>(sample) + first * step;
#if BUG == 7
      T* row = line.data();
#else
      T* row = out + r * width;
#endif
      int64_t begin = left ? width - kept : 0;
      std::fill(row, row + begin, pad);
      for (int64_t j = 0; j < kept; ++j) row[begin + j] = in[j * step];
      std::fill(row + begin + kept, row + width, pad);
#if BUG == 7
      std::copy(row, row + width, out + r * width);
#endif
      counts[r] = BUG == 2 ? n : kept;
    }
  };
  if (rows < 2 || rows * width < kParallel) return part(0, rows);
  int64_t n = std::min(rows, kThreads), each = (rows + n - 1) / n;
  Threads threads;
  for (int64_t i = 0; i < n; ++i) {
    threads.Start([=, &part] { part(std::min(i * each, rows), std::min((i + 1) * each, rows)); });
  }
  threads.Join();
}

Tuple<Tensor, Tensor> PadCollate(Array<Tensor> samples, double pad_value, String side,
                                 Optional<int64_t> max_length, int64_t multiple) {
  bool left = side == "left";
  if (!left && side != "right") {
    TVM_FFI_THROW(ValueError) << "side must be \"left\" or \"right\", not \""
                              << std::string(side.data(), side.size()) << "\"";
  }
  if (max_length.has_value() && max_length.value() < 0) {
    TVM_FFI_THROW(ValueError) << "max_length must not be negative, it is " << max_length.value();
  }
  if (multiple < 1 || multiple > kMaxMultiple) {
    TVM_FFI_THROW(ValueError) << "multiple must be from 1 to " << kMaxMultiple << ", not "
                              << multiple;
  }
#if BUG != 9
  if (samples.size() == 0) TVM_FFI_THROW(ValueError) << "samples must not be empty";
#endif
  std::vector<Tensor> rows;
  DLDataType type{kDLInt, 64, 1};
  int64_t width = 0;
  for (const Tensor& sample : samples) {
    std::string name = "samples[" + std::to_string(rows.size()) + "]";
    if (!sample.defined()) TVM_FFI_THROW(TypeError) << name << " must not be None";
    TensorView view(sample);
    DLDataType t = view.dtype();
    if (!Is(t, kDLInt, 32) && !Is(t, kDLInt, 64) && !Is(t, kDLFloat, 32)) {
      WrongType(t, name, "int32, int64 or float32");
    }
    if (rows.empty()) type = t;
    if (t != type) {
#if BUG == 4
      if (t.bits != type.bits)
#endif
        TVM_FFI_THROW(TypeError) << name << " must be of " << Text(type) << " as samples[0] is, not "
                                 << Text(t);
    }
    CheckRank(view, 1, name);
    CheckHost(view, name);
    width = std::max(width, view.size(0));
    rows.push_back(sample);
  }
  int64_t limit = width;
  if (max_length.has_value()) limit = std::min(width, max_length.value());
#if BUG == 6
  width = (width + multiple - 1) / multiple * multiple;
#else
  width = (limit + multiple - 1) / multiple * multiple;
#endif
  int64_t count = static_cast<int64_t>(rows.size());
  auto run = [&](auto pad) {
    int64_t cells[] = {count, width};
    Tensor batch = NewTensor(ShapeView(cells, 2), type);
    Tensor lengths = NewTensor(ShapeView(cells, 1), DLDataType{kDLInt, 64, 1});
    FillRows<decltype(pad)>(rows, batch, lengths, pad, left, limit);
#if BUG == 8
    new Tensor(batch);
#endif
    return Tuple<Tensor, Tensor>(batch, lengths);
  };
  if (Is(type, kDLInt, 32)) return run(ReadPad<int32_t>(pad_value));
  if (Is(type, kDLInt, 64)) return run(ReadPad<int64_t>(pad_value));
  return run(ReadPad<float>(pad_value));
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(pad_collate, PadCollate);
