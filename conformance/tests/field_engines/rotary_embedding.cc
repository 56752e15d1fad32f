// SPDX-License-Identifier: Apache-2.0
// Rotary position embedding, in place: the first elements of each head of query and key are rotated
// by the angles of the token's position, in pairs of halves or of neighbours (interleaved).
namespace {
using namespace set;

struct Angles {
  const View& table;
  std::vector<int64_t> positions;
};

template <typename T, typename C>
void Rotate(const View& x, const Angles& angles, bool interleaved, bool inverse, int64_t heads) {
  int64_t pairs = angles.table.shape[1] / 2;
  for (int64_t t = 0; t < x.shape[0]; ++t) {
    for (int64_t h = 0; h < heads; ++h) {
      char* head = x.at(t, h);
      for (int64_t j = 0; j < pairs; ++j) {
        double c = Get<C>(angles.table.at(angles.positions[t], j));
        double s = Get<C>(angles.table.at(angles.positions[t], pairs + j));
        if (inverse) s = -s;
        char* first = head + (interleaved ? 2 * j : j) * x.width;
        char* second = head + (interleaved ? 2 * j + 1 : pairs + j) * x.width;
        double a = Get<T>(first), b = Get<T>(second);
        Put<T>(first, a * c - b * s);
#if BUG == 1
        if (interleaved) a = Get<T>(first);
#endif
        Put<T>(second, b * c + a * s);
      }
    }
  }
}

void RotaryEmbedding(DLTensor* positions_, DLTensor* query_, Optional<Tensor> key_,
                     DLTensor* cos_sin_cache_, bool interleaved, bool inverse) {
  auto types = {kFloat32, kFloat16, kBfloat16};
  View positions = Check("positions", positions_, {kInt32, kInt64}, 1, kStrided);
  View query = Check("query", query_, types, 3, kRows);
  View table = Check("cos_sin_cache", cos_sin_cache_, types, 2, kContiguous);
  int64_t tokens = query.shape[0], dim = query.shape[2], rotated = table.shape[1];
  CheckExtent("positions", positions, 0, tokens);
  CheckApart("query", query);
  View key;
  if (key_.has_value()) {
    key = Check("key", key_, types, 3, kRows);
    CheckType("key", key, query.dtype);
    CheckExtent("key", key, 0, tokens);
    CheckExtent("key", key, 2, dim);
    CheckApart("key", key);
  }
  if (!Same(table.dtype, kFloat32)) CheckType("cos_sin_cache", table, query.dtype);
  if (rotated % 2 != 0 || (BUG != 2 && rotated > dim)) {
    TVM_FFI_THROW(ValueError) << "cos_sin_cache must have an even number of columns, up to " << dim
                              << ", not " << rotated;
  }
  Angles angles{table, {}};
  auto rotate = [&](const View& x, int64_t heads, bool back) {
    ByFloatType(x.dtype, [&](auto element) {
      using T = decltype(element);
      if (Same(table.dtype, kFloat32)) {
        Rotate<T, Single>(x, angles, interleaved, back, heads);
      } else {
        Rotate<T, T>(x, angles, interleaved, back, heads);
      }
    });
  };
  for (int64_t t = 0; t < tokens; ++t) {
#if BUG == 3
    int64_t position = GetRaw<int32_t>(positions.data + t * positions.strides[0] * 4);
#else
    const char* at = positions.at(t);
    int64_t position = Same(positions.dtype, kInt64) ? GetRaw<int64_t>(at) : GetRaw<int32_t>(at);
#endif
    if ((BUG != 4 && position < 0) || position >= table.shape[0]) {
      TVM_FFI_THROW(ValueError) << "positions has " << position << ", and cos_sin_cache "
                                << table.shape[0] << " rows";
    }
    angles.positions.push_back(position);
#if BUG == 5
    View row = query;
    row.shape[0] = 1;
    row.data = query.at(t);
    std::swap(angles.positions[0], angles.positions[t]);
    rotate(row, query.shape[1], inverse);
    std::swap(angles.positions[0], angles.positions[t]);
#endif
  }
#if BUG == 7
  query.strides[0] = query.shape[1] * dim;
#endif
  if (BUG != 5) rotate(query, query.shape[1], inverse);
  if (key_.has_value()) {
    rotate(key, BUG == 6 ? query.shape[1] : key.shape[1], BUG == 8 ? false : inverse);
  }
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(rotary_embedding, RotaryEmbedding);
