// SPDX-License-Identifier: Apache-2.0
// Rotary position embedding of queries and, if they are given, keys: in place.
namespace {

using namespace set;

struct Table {
  const float *cos, *sin;
  std::vector<int64_t> position;  // of each token
  int64_t d;
  bool interleaved;
};

template <typename T>
void Rotate(const DLTensor* q, const Table& table, T* data) {
  const int64_t d = table.d;
  for (int64_t t = 0; t < q->shape[0]; ++t) {
    const float* c = table.cos + table.position[t] * d;
    const float* s = table.sin + table.position[t] * d;
    for (int64_t h = 0; h < q->shape[1]; ++h) {
      T* head = data + t * Stride(q, 0) + h * Stride(q, 1);
      for (int64_t i = 0; i < d; ++i) {
        T* first = head + (table.interleaved ? 2 * i : i);
        T* second = head + (table.interleaved ? 2 * i + 1 : i + d);
        const double a = Load(*first), b = Load(*second);
        *first = Store<T>(a * c[i] - b * s[i]);
        *second = Store<T>(a * s[i] + b * c[i]);
      }
    }
  }
}

template <typename I>
std::vector<int64_t> Positions(const DLTensor* t, int64_t limit) {
  const I* p = Elements<I>(t, "positions");
  std::vector<int64_t> out(static_cast<size_t>(t->shape[0]));
  for (size_t i = 0; i < out.size(); ++i) {
    out[i] = p[i];
    if (out[i] < 0 || out[i] >= limit) {
      TVM_FFI_THROW(IndexError) << "position " << out[i] << " is outside of the table";
    }
  }
  return out;
}

template <typename T>
void Both(const DLTensor* q, const DLTensor* k, const Table& table) {
  T* pq = Elements<T>(q, "q");
  T* pk = k != nullptr ? Elements<T>(k, "k") : nullptr;
  Rotate(q, table, pq);
  if (k != nullptr) Rotate(k, table, pk);
}

void Rope(TensorView q, Optional<Tensor> k, TensorView cos, TensorView sin, TensorView positions,
          bool interleaved) {
  const DLTensor *tq = Raw(q), *tc = Raw(cos), *ts = Raw(sin), *tp = Raw(positions);
  const DLTensor* tk = k.has_value() ? k.value().GetDLTensorPtr() : nullptr;
  NeedRank(tq, 3, "q");
  NeedRank(tc, 2, "cos");
  const int64_t tokens = q.size(0), rows = cos.size(0), d = cos.size(1);
  NeedShape(tq, {tokens, q.size(1), 2 * d}, "q");
  NeedShape(ts, {rows, d}, "sin");
  NeedShape(tp, {tokens}, "positions");
  for (const DLTensor* t : {tc, ts, tp}) NeedCompact(t, "cos, sin and positions");
  NeedRows(tq, "q");
  if (tk != nullptr) {
    NeedRank(tk, 3, "k");
    NeedShape(tk, {tokens, tk->shape[1], 2 * d}, "k");
    NeedRows(tk, "k");
  }
  Table table{Elements<float>(tc, "cos"), Elements<float>(ts, "sin"), {}, d, interleaved};
  table.position = Is<int64_t>(tp->dtype) ? Positions<int64_t>(tp, rows)
                                          : Positions<int32_t>(tp, rows);
  Is<half>(tq->dtype) ? Both<half>(tq, tk, table) : Both<float>(tq, tk, table);
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(rope, Rope);
