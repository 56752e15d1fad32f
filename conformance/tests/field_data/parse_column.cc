// SPDX-License-Identifier: Apache-2.0
// parse_column(texts, dtype, errors, missing, fill): numbers of a column of texts, with a mask of those that are there.
#include <charconv>
#include <unordered_set>
using namespace set;

std::string_view Strip(std::string_view s) {
  while (!s.empty() && (s.front() == ' ' || s.front() == '\t')) s.remove_prefix(1);
  while (!s.empty() && (s.back() == ' ' || s.back() == '\t')) s.remove_suffix(1);
  return s;
}
bool Digit(char c) { return c >= '0' && c <= '9'; }

template <typename T>
bool Parse(std::string_view s, T* out) {
  bool minus = !s.empty() && s[0] == '-';
  if (!s.empty() && (s[0] == '+' || s[0] == '-')) s.remove_prefix(1);
  // digits, and of floats a fraction and an exponent
  if (s.empty() || !Digit(s[0])) return false;
  size_t i = 0;
  while (i < s.size() && Digit(s[i])) ++i;
  if constexpr (std::is_floating_point_v<T>) {
    if (i < s.size() && s[i] == '.') {
      ++i;
      while (i < s.size() && Digit(s[i])) ++i;
    }
    if (i < s.size() && (s[i] == 'e' || s[i] == 'E')) {
      ++i;
      if (i < s.size() && (s[i] == '+' || s[i] == '-')) ++i;
      if (i == s.size() || !Digit(s[i])) return false;
      while (i < s.size() && Digit(s[i])) ++i;
    }
    if (i != s.size()) return false;
    double v = 0;
    auto r = std::from_chars(s.data(), s.data() + s.size(), v);
    if (r.ec != std::errc() || r.ptr != s.data() + s.size()) return false;
    T t = static_cast<T>(v);
    if (std::isinf(t)) return false;
    *out = minus ? -t : t;
    return true;
  } else {
    if (i != s.size()) return false;
    uint64_t v = 0;
    auto r = std::from_chars(s.data(), s.data() + s.size(), v);
    if (r.ec != std::errc()) return false;
#if BUG == 2
    uint64_t most = static_cast<uint64_t>(std::numeric_limits<int64_t>::max());
#else
    uint64_t most = static_cast<uint64_t>(std::numeric_limits<T>::max());
#endif
    if (v > most + (minus ? 1 : 0)) return false;
    *out = static_cast<T>(minus ? uint64_t{0} - v : v);
    return true;
  }
}

template <typename T>
int64_t Fill(const Array<Any>& texts, bool raise, const std::unordered_set<std::string>& missing, int64_t fill,
             const Tensor& values, const Tensor& valid) {
  T* value = Data<T>(values);
  uint8_t* bit = Data<uint8_t>(valid);
  int64_t nulls = 0, at = 0;
  for (const Any& text : texts) {
    int64_t i = at++;
    bool null = text == nullptr, bad = false;
    T v{};
    if (!null) {
      auto s = text.try_cast<String>();
#if BUG == 1
      if (!s.has_value()) {
        value[i] = static_cast<T>(fill);
        bit[i] = 0;
        ++nulls;
        continue;
      }
#else
      REQUIRE(s.has_value(), TypeError) << "texts[" << i << "] is no string";
#endif
      std::string own(s->data(), s->size());
      if (missing.count(own)) {
        null = true;
      } else {
        bad = !Parse<T>(Strip(own), &v);
      }
    }
    REQUIRE(!bad || !raise, ValueError) << "texts[" << i << "] is no number of this type";
    if (null || bad) {
#if BUG == 5
      if (bad) value[i] = static_cast<T>(fill);
#else
      value[i] = static_cast<T>(fill);
#endif
      bit[i] = 0;
      ++nulls;
    } else {
      value[i] = v;
      bit[i] = 1;
    }
  }
  return nulls;
}

Tuple<Tensor, Tensor, int64_t> ParseColumn(Array<Any> texts, DLDataType dtype, String errors_,
                                           Optional<Array<String>> missing_, int64_t fill) {
  std::string errors(errors_);
#if BUG == 3
  bool raise = errors == "raise";
#else
  REQUIRE(errors == "raise" || errors == "null", ValueError) << "unknown errors: " << errors;
  bool raise = errors == "raise";
#endif
#if BUG == 6
  bool known = (dtype.code == kDLInt || dtype.code == kDLFloat) && (dtype.bits == 32 || dtype.bits == 64);
#else
  bool known = OneOf(dtype, {kI32, kI64, kF32, kF64});
#endif
  REQUIRE(known, TypeError) << "unsupported dtype " << Name(dtype);
  REQUIRE(fill >= std::numeric_limits<int32_t>::min() && fill <= std::numeric_limits<int32_t>::max(), ValueError)
      << "fill must be a number of 32 bits, is " << fill;
#if BUG == 4
  static std::mutex lock;
  static std::unordered_set<std::string> missing;
  std::lock_guard<std::mutex> guard(lock);
#else
  std::unordered_set<std::string> missing;
#endif
  if (missing_.has_value())
    for (const String& s : missing_.value()) missing.insert(std::string(s.data(), s.size()));
  int64_t n = texts.size();
  Tensor values = NewTensor({n}, dtype), valid = NewTensor({n}, kU8);
  int64_t nulls;
  if (dtype.code == kDLInt) {
    nulls = dtype.bits == 32 ? Fill<int32_t>(texts, raise, missing, fill, values, valid)
                             : Fill<int64_t>(texts, raise, missing, fill, values, valid);
  } else {
    nulls = dtype.bits == 32 ? Fill<float>(texts, raise, missing, fill, values, valid)
                             : Fill<double>(texts, raise, missing, fill, values, valid);
  }
  return Tuple<Tensor, Tensor, int64_t>(values, valid, nulls);
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(parse_column, ParseColumn);
