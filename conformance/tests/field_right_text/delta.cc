// SPDX-License-Identifier: Apache-2.0
// Delta encoding of first or second order, and back. Wraps around as unsigned integers do.
#define REQUIRE(cond, kind, text)     \
  do {                                \
    if (!(cond)) TVM_FFI_THROW(kind) << text; \
  } while (0)

static void check_arg(const DLTensor* t, const char* name) {
  REQUIRE(set::same(t->dtype, set::kI32) || set::same(t->dtype, set::kI64), TypeError,
          name << " must hold int32 or int64");
  set::dense(t, t->dtype, 1, name);
}

// In place, so from the end: each number is replaced by what it adds to the one before.
template <typename U>
static void difference(U* v, int64_t n) {
  for (int64_t i = n - 1; i > 0; --i) v[i] -= v[i - 1];
}

template <typename U>
static void accumulate(U* v, int64_t n) {
  for (int64_t i = 1; i < n; ++i) v[i] += v[i - 1];
}

template <typename U>
static void run(const DLTensor* x, DLTensor* out, int64_t order, bool inverse) {
  const int64_t n = x->shape[0];
  U* v = set::begin<U>(out);
  if (n > 0) std::memmove(v, set::begin<U>(x), static_cast<size_t>(n) * sizeof(U));
  while (order-- > 0) {
    if (inverse) {
      accumulate(v, n);
    } else {
      difference(v, n);
    }
  }
}

static void delta(DLTensor* x, int64_t order, bool inverse, DLTensor* out) {
  REQUIRE(x != nullptr && out != nullptr, TypeError, "x and out must be tensors");
  check_arg(x, "x");
  check_arg(out, "out");
  REQUIRE(set::same(x->dtype, out->dtype), TypeError, "x and out differ in their data types");
  REQUIRE(x->shape[0] == out->shape[0], ValueError,
          "x has " << x->shape[0] << " elements, and out " << out->shape[0]);
  REQUIRE(order == 1 || order == 2, ValueError, "order " << order << " is neither 1 nor 2");
  if (x->dtype.bits == 32) {
    run<uint32_t>(x, out, order, inverse);
  } else {
    run<uint64_t>(x, out, order, inverse);
  }
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(delta, delta);
