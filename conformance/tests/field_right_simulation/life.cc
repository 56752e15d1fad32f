// SPDX-License-Identifier: Apache-2.0
// Cellular automata of the kind of Life: cells are 0 or 1 and have eight neighbours.
namespace {

using kit::ffi::Array;
using kit::ffi::Map;
using kit::ffi::Optional;
using kit::ffi::String;

struct Rule {
  bool birth[9] = {};
  bool survive[9] = {};
};

void Fill(const Array<int64_t>& counts, bool (&to)[9]) {
  for (int64_t count : counts) {
    if (count < 0 || count > 8) {
      TVM_FFI_THROW(ValueError) << "a cell can't have " << count << " neighbours";
    }
    to[count] = true;
  }
}

Rule Parse(const Optional<Map<String, Array<int64_t>>>& rule) {
  Rule made;
  if (!rule.has_value()) {
    made.birth[3] = made.survive[2] = made.survive[3] = true;
    return made;
  }
  for (const auto& [key, counts] : *rule) {
    if (key == "birth") {
      Fill(counts, made.birth);
    } else if (key == "survive") {
      Fill(counts, made.survive);
    } else {
      TVM_FFI_THROW(ValueError) << "a rule has \"birth\" and \"survive\", not " << key;
    }
  }
  return made;
}

// Returns how many cells live in the end. `out` may be `grid`.
int64_t Life(DLTensor* grid, int64_t steps, String edge,
             Optional<Map<String, Array<int64_t>>> rule, DLTensor* out) {
  if (grid == nullptr || out == nullptr) TVM_FFI_THROW(TypeError) << "a grid is None";
  const uint8_t* from = kit::Cells<uint8_t>(*grid, "grid", {kit::kAny, kit::kAny});
  const int64_t h = grid->shape[0], w = grid->shape[1];
  uint8_t* to = kit::Cells<uint8_t>(*out, "out", {h, w});
  if (steps < 0 || steps > 64) TVM_FFI_THROW(ValueError) << "steps must be from 0 to 64";
  if (edge != "wrap" && edge != "dead") TVM_FFI_THROW(ValueError) << "edge is unknown: " << edge;
  const bool wrap = edge == "wrap";
  const Rule what = Parse(rule);
  const int64_t size = from == nullptr ? 0 : h * w;
  for (int64_t i = 0; i < size; ++i) {
    if (from[i] > 1) TVM_FFI_THROW(ValueError) << "cell " << i << " is neither 0 nor 1";
  }
  std::vector<uint8_t> now(from, from + size), next(now.size());
  auto at = [&](int64_t r, int64_t c) -> int {
    if (wrap) return now[static_cast<size_t>((r + h) % h * w + (c + w) % w)];
    return r < 0 || c < 0 || r >= h || c >= w ? 0 : now[static_cast<size_t>(r * w + c)];
  };
  for (int64_t step = 0; step < steps && size > 0; ++step) {
    for (int64_t r = 0; r < h; ++r) {
      for (int64_t c = 0; c < w; ++c) {
        const int alive = at(r, c);
        int sum = -alive;
        for (int64_t dr = -1; dr <= 1; ++dr) {
          for (int64_t dc = -1; dc <= 1; ++dc) sum += at(r + dr, c + dc);
        }
        next[static_cast<size_t>(r * w + c)] = alive ? what.survive[sum] : what.birth[sum];
      }
    }
    now.swap(next);
  }
  if (size > 0) std::memcpy(to, now.data(), now.size());
  return std::accumulate(now.begin(), now.end(), int64_t{0});
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(life, Life);
