// SPDX-License-Identifier: Apache-2.0
// Fourier transform of rows of real numbers: radix 2, in double. The roots of unity of each length
// are worked out once, and kept for all threads.
namespace {

using Complex = std::complex<double>;
using Roots = std::vector<Complex>;

std::shared_ptr<const Roots> RootsOf(int64_t n) {
  static std::mutex lock;
  static std::map<int64_t, std::shared_ptr<const Roots>> known;  // at most 12 of them
  std::lock_guard<std::mutex> hold(lock);
  std::shared_ptr<const Roots>& entry = known[n];
  if (entry == nullptr) {
    auto made = std::make_shared<Roots>();
    const double turn = -2 * std::acos(-1.0) / static_cast<double>(n);
    for (int64_t i = 0; i < n / 2; ++i) {
      made->emplace_back(std::cos(turn * static_cast<double>(i)),
                         std::sin(turn * static_cast<double>(i)));
    }
    entry = std::move(made);
  }
  return entry;
}

void Transform(Complex* a, int64_t n, const Roots& roots) {
  for (int64_t i = 1, j = 0; i < n; ++i) {
    int64_t bit = n >> 1;
    for (; (j & bit) != 0; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) std::swap(a[i], a[j]);
  }
  for (int64_t half = 1; half < n; half *= 2) {
    const int64_t skip = n / (2 * half);
    for (int64_t at = 0; at < n; at += 2 * half) {
      for (int64_t k = 0; k < half; ++k) {
        const Complex& r = roots[static_cast<size_t>(k * skip)];
        Complex& u = a[at + k];
        Complex& v = a[at + k + half];
        const Complex t(r.real() * v.real() - r.imag() * v.imag(),
                        r.real() * v.imag() + r.imag() * v.real());
        v = u - t;
        u += t;
      }
    }
  }
}

// Real and imaginary parts are the last dimension of `out`.
void Rfft(DLTensor* x, vx::ffi::String norm, DLTensor* out) {
  using vx::Num;
  const std::string_view how(norm.data(), norm.size());
  if (how != "backward" && how != "forward" && how != "ortho") {
    TVM_FFI_THROW(ValueError) << "norm: one of backward, forward, ortho, not \"" << how << "\"";
  }
  const vx::View in = vx::Look(x, "x", 2, {Num::F32, Num::F64});
  const vx::View to = vx::Look(out, "out", 3, {in.num});
  const int64_t rows = in.shape[0];
  const int64_t n = in.shape[1];
  if (n < 1 || n > 2048 || (n & (n - 1)) != 0) {
    TVM_FFI_THROW(ValueError) << "x: rows must have a power of two up to 2048 elements, not " << n;
  }
  vx::SameShape(to, "out", {rows, n / 2 + 1, 2});
  for (int64_t i = 0; i < in.count; ++i) {
    if (!std::isfinite(in.Get(i / n, i % n))) TVM_FFI_THROW(ValueError) << "x: must be finite";
  }
  const double length = static_cast<double>(n);
  const double by = how == "forward" ? 1 / length : how == "ortho" ? 1 / std::sqrt(length) : 1;
  const auto roots = RootsOf(n);
  std::vector<Complex> a(static_cast<size_t>(n));
  for (int64_t r = 0; r < rows; ++r) {
    for (int64_t i = 0; i < n; ++i) a[static_cast<size_t>(i)] = in.Get(r, i);
    Transform(a.data(), n, *roots);
    for (int64_t i = 0; i <= n / 2; ++i) {
      to.Put(a[static_cast<size_t>(i)].real() * by, r, i, 0);
      to.Put(a[static_cast<size_t>(i)].imag() * by, r, i, 1);
    }
  }
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(rfft, Rfft);
