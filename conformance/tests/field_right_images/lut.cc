// SPDX-License-Identifier: Apache-2.0
// Look-up tables: one is made of a function, and codes are decoded by one. Tables are remembered
// in the form in which they are read, the few latest of them.
namespace {
using namespace kit;

using Table = std::shared_ptr<const std::vector<float>>;

struct Recent {
  std::mutex lock;
  std::vector<std::pair<std::vector<double>, Table>> kept;  // the latest one last
};

Recent& recent() {
  static Recent* r = new Recent;  // never taken down: threads may call until the end
  return *r;
}

Table prepared(const std::vector<double>& levels) {
  Recent& r = recent();
  std::lock_guard<std::mutex> hold(r.lock);
  for (auto& entry : r.kept) {
    // Bit for bit, since 0 and -0 are two levels.
    if (entry.first.size() == levels.size() &&
        std::memcmp(entry.first.data(), levels.data(), levels.size() * sizeof(double)) == 0) {
      return entry.second;
    }
  }
  auto table = std::make_shared<const std::vector<float>>(levels.begin(), levels.end());
  if (r.kept.size() == 4) r.kept.erase(r.kept.begin());
  r.kept.emplace_back(levels, table);
  return table;
}

void lut_apply(TensorView codes, ffi::Array<double> levels, bool clip, TensorView out) {
  size_t k = levels.size();
  if (k != 2 && k != 4 && k != 16) {
    TVM_FFI_THROW(NotImplementedError) << "tables have 2, 4 or 16 levels, not " << k;
  }
  std::vector<double> given(levels.begin(), levels.end());
  for (size_t i = 0; i < k; ++i) {
    if (!(given[i] >= -1024 && given[i] <= 1024)) {
      TVM_FFI_THROW(ValueError) << "level " << i << " is not between -1024 and 1024";
    }
    if (i > 0 && !(given[i] > given[i - 1])) TVM_FFI_THROW(ValueError) << "levels must rise";
  }
  const uint8_t* from = elements<uint8_t>(codes, "codes", 2);
  float* to = elements<float>(out, "out", 2);
  if (codes.size(0) != out.size(0) || codes.size(1) != out.size(1)) {
    TVM_FFI_THROW(ValueError) << "out must have the shape of codes";
  }
  int64_t n = codes.numel();
  if (!clip) {
    for (int64_t i = 0; i < n; ++i) {
      if (from[i] >= k) TVM_FFI_THROW(IndexError) << "code " << int(from[i]) << " has no level";
    }
  }
  Table table = prepared(given);
  for (int64_t i = 0; i < n; ++i) to[i] = (*table)[std::min<size_t>(from[i], k - 1)];
}

ffi::Array<double> lut_make(ffi::Function f, int64_t bits, double low, double high) {
  if (f == nullptr) TVM_FFI_THROW(TypeError) << "f must be a function";
  if (bits != 1 && bits != 2 && bits != 4) TVM_FFI_THROW(ValueError) << "bits must be 1, 2 or 4";
  if (!std::isfinite(low) || !std::isfinite(high)) {
    TVM_FFI_THROW(ValueError) << "the ends must be finite";
  }
  if (!(low < high)) TVM_FFI_THROW(ValueError) << "low must be less than high";
  if (low < -1e6 || high > 1e6) TVM_FFI_THROW(ValueError) << "the ends are beyond 1e6";
  int64_t last = (int64_t(1) << bits) - 1;
  ffi::Array<double> table;
  for (int64_t i = 0; i <= last; ++i) {
    double at = low + (high - low) * double(i) / double(last);
    double level = f(at).cast<double>();
    if (!std::isfinite(level)) TVM_FFI_THROW(ValueError) << "f is not finite at " << at;
    table.push_back(level);
  }
  return table;
}
}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(lut_apply, lut_apply);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(lut_make, lut_make);
