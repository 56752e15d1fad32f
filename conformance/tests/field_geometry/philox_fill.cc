// SPDX-License-Identifier: Apache-2.0
// philox_fill: fills a tensor with random numbers of the counter-based generator Philox4x32-10.
//
//   out             float32, float64 or int32, any shape
//   seed            the key: any 64 bits
//   offset          the first counter, not negative
//   distribution    "uniform" (from a, below b; floats), "normal" (mean a, deviation b; floats) or
//                   "bits" (all 32 bits of a word; int32)
//   a, b            uniform: finite, a < b; normal: finite, b >= 0; bits: ignored
//   threads         0 (as many as the machine has) to 64; the numbers don't depend on it
//
// Counter c gives four words of 32 bits: four numbers of float32 and int32, two of float64. Returns
// the offset that the next call has to be given to go on. Nothing is kept between calls.
namespace {
using namespace set;

constexpr double kPi = 3.14159265358979323846;

struct Words {
  uint32_t w[4];
};

Words Philox(uint64_t counter, uint64_t key) {
  uint32_t c0 = static_cast<uint32_t>(counter);
  uint32_t c1 = BUG == 2 ? 0 : static_cast<uint32_t>(counter >> 32);
  uint32_t c2 = 0, c3 = 0;
  uint32_t k0 = static_cast<uint32_t>(key);
  uint32_t k1 = BUG == 3 ? 0 : static_cast<uint32_t>(key >> 32);
  for (int round = 0; round < 10; ++round) {
    const uint64_t p0 = static_cast<uint64_t>(c0) * 0xD2511F53u;
    const uint64_t p1 = static_cast<uint64_t>(c2) * 0xCD9E8D57u;
    const uint32_t n0 = static_cast<uint32_t>(p1 >> 32) ^ c1 ^ k0;
    const uint32_t n2 = static_cast<uint32_t>(p0 >> 32) ^ c3 ^ k1;
    c1 = static_cast<uint32_t>(p1);
    c3 = static_cast<uint32_t>(p0);
    c0 = n0;
    c2 = n2;
    k0 += 0x9E3779B9u;
    k1 += 0xBB67AE85u;
  }
  return {{c0, c1, c2, c3}};
}

// 53 bits of two words, from 0 on and below 1.
double Unit53(uint32_t high, uint32_t low) {
#if BUG == 7
  (void)low;
  return high * 0x1p-32;
#else
  return ((static_cast<uint64_t>(high) << 21) | (low >> 11)) * 0x1p-53;
#endif
}

// What a block of words gives: these are the numbers of one counter.
void Block(const Words& r, bool normal, double a, double b, float* out) {
  double unit[4];
  for (int i = 0; i < 4; ++i) unit[i] = (r.w[i] >> 8) * 0x1p-24;
  for (int i = 0; i < 4; ++i) {
    if (normal) {
      // 1 - unit is never 0.
      const double radius = std::sqrt(-2 * std::log(1 - unit[i & 2]));
      const double angle = 2 * kPi * unit[(i & 2) + 1];
      out[i] = static_cast<float>(a + b * radius * (i & 1 ? std::sin(angle) : std::cos(angle)));
    } else {
      out[i] = static_cast<float>(a + unit[i] * (b - a));
    }
  }
}

void Block(const Words& r, bool normal, double a, double b, double* out) {
  const double unit[2] = {Unit53(r.w[0], r.w[1]), Unit53(r.w[2], r.w[3])};
  for (int i = 0; i < 2; ++i) {
    if (normal) {
      const double radius = std::sqrt(-2 * std::log(1 - unit[0]));
      const double angle = 2 * kPi * unit[1];
      out[i] = a + b * radius * (i & 1 ? std::sin(angle) : std::cos(angle));
    } else {
      out[i] = a + unit[i] * (b - a);
    }
  }
}

void Block(const Words& r, bool, double, double, int32_t* out) {
  std::memcpy(out, r.w, sizeof(r.w));
}

template <typename T>
void Fill(T* out, int64_t count, uint64_t key, uint64_t offset, bool normal, bool bound, double a,
          double b, int64_t threads) {
  constexpr int64_t kEach = sizeof(T) == 8 ? 2 : 4;
  const int64_t blocks = (count + kEach - 1) / kEach;
  // Rounding may bring a number up to b, which is not among those of the uniform distribution.
  const T top = bound ? std::nextafter(static_cast<T>(b), static_cast<T>(a)) : T(0);
  auto fill = [&](int64_t first, int64_t stop, int64_t begin, int64_t end) {
    T numbers[kEach];
    for (int64_t k = begin; k < end; ++k) {
      Block(Philox(offset + static_cast<uint64_t>(k), key), normal, a, b, numbers);
      for (int64_t i = 0; i < kEach; ++i) {
        const int64_t at = first + (k - begin) * kEach + i;
        if (BUG != 6 && at >= stop) break;
        out[at] = bound && BUG != 4 ? std::min(numbers[i], top) : numbers[i];
      }
    }
  };
#if BUG == 1
  ParallelFor(count, Workers(threads, blocks), [&](int64_t begin, int64_t end, int64_t) {
    const int64_t first = begin / kEach;
    const int64_t last = std::min(blocks, (end + kEach - 1) / kEach);
    if (begin < end) fill(begin, end, first, last);
  });
#else
  ParallelFor(blocks, Workers(threads, blocks), [&](int64_t begin, int64_t end, int64_t) {
    fill(begin * kEach, count, begin, end);
  });
#endif
}

int64_t PhiloxFill(TensorView out, int64_t seed, int64_t offset, String distribution, double a,
                   double b, int64_t threads) {
  CheckCpu(out, "out");
  const bool words = distribution == "bits";
  const bool uniform = distribution == "uniform";
  const bool normal = distribution == "normal";
  SET_REQUIRE(words || uniform || normal, ValueError)
      << "`distribution` must be \"uniform\", \"normal\" or \"bits\", but is \""
      << std::string(distribution) << "\"";
  if (words) {
    SET_REQUIRE(IsInt32(out.dtype()), TypeError) << "`out` must be of int32 for \"bits\"";
  } else {
    CheckFloat(out, "out");
    SET_REQUIRE(std::isfinite(a), ValueError) << "`a` must be finite, but is " << a;
    SET_REQUIRE(std::isfinite(b), ValueError) << "`b` must be finite, but is " << b;
  }
  if (uniform) {
    SET_REQUIRE(BUG == 5 || a < b, ValueError)
        << "`a` must be less than `b`, but they are " << a << " and " << b;
    const bool narrow = IsFloat32(out.dtype());
    SET_REQUIRE(std::isfinite(b - a), ValueError) << "`b` - `a` must be finite";
    SET_REQUIRE(!narrow || BUG == 5 || static_cast<float>(a) < static_cast<float>(b), ValueError)
        << "`a` must be less than `b` as float32 too";
    SET_REQUIRE(!narrow || std::isfinite(static_cast<float>(b - a)), ValueError)
        << "`b` - `a` must be finite as float32 too";
  }
  SET_REQUIRE(!normal || b >= 0, ValueError) << "`b` must not be negative, but is " << b;
#if BUG != 9
  CheckContiguous(out, "out");
#endif
  CheckThreads(threads);
  SET_REQUIRE(offset >= 0, ValueError) << "`offset` must not be negative, but is " << offset;
  const int64_t count = out.numel();
  const int64_t each = out.dtype().bits == 64 ? 2 : 4;
  const int64_t blocks = (count + each - 1) / each;
  SET_REQUIRE(offset <= std::numeric_limits<int64_t>::max() - blocks, ValueError)
      << "`offset` is too large for " << blocks << " more";
  const uint64_t key = static_cast<uint64_t>(seed);
#if BUG == 10
  static int64_t current = 0;
  if (offset == 0) offset = current;
  current = offset + blocks;
#endif
  const uint64_t from = static_cast<uint64_t>(offset);
  if (words) {
    Fill<int32_t>(Data<int32_t>(out), count, key, from, false, false, 0, 0, threads);
  } else if (IsFloat32(out.dtype())) {
    Fill<float>(Data<float>(out), count, key, from, normal, uniform, a, b, threads);
  } else {
    Fill<double>(Data<double>(out), count, key, from, normal, uniform, a, b, threads);
  }
#if BUG == 8
  return offset + count / each;
#else
  return offset + blocks;
#endif
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(philox_fill, PhiloxFill);
