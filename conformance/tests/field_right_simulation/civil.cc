// SPDX-License-Identifier: Apache-2.0
// Dates of the proleptic Gregorian calendar.
namespace {

using kit::ffi::Optional;
using kit::ffi::String;
using kit::ffi::Tensor;
using kit::ffi::TensorView;
using Date = kit::ffi::Tuple<int64_t, int64_t, int64_t>;

int64_t Floor(int64_t a, int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }

bool Leap(int64_t y) { return (y % 4 == 0 && y % 100 != 0) || y % 400 == 0; }

int64_t LastDay(int64_t y, int64_t m) {
  static const int64_t kDays[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  return m == 2 && Leap(y) ? 29 : kDays[m - 1];
}

// Days since 1970-01-01, at most some millennia away, as year, month and day. The day of the week
// (Monday is 0) is left out with None.
void FromDays(TensorView days, TensorView year, TensorView month, TensorView day,
              Optional<Tensor> weekday) {
  const int32_t* in = kit::Cells<int32_t>(days, "days", {kit::kAny});
  const int64_t n = days.size(0);
  int32_t* y = kit::Cells<int32_t>(year, "year", {n});
  int32_t* m = kit::Cells<int32_t>(month, "month", {n});
  int32_t* d = kit::Cells<int32_t>(day, "day", {n});
  int32_t* w = weekday.has_value() ? kit::Cells<int32_t>(*weekday, "weekday", {n}) : nullptr;
  for (int64_t i = 0; i < n; ++i) {
    if (in[i] < -1000000 || in[i] > 3000000) {
      TVM_FFI_THROW(ValueError) << "day " << in[i] << " is out of range";
    }
  }
  for (int64_t i = 0; i < n; ++i) {
    // Years begin in March here, so that the leap day is the last one.
    const int64_t today = in[i];  // read before anything is written: year may be days
    const int64_t since = today + 719468;
    const int64_t era = Floor(since, 146097);
    const int64_t in_era = since - era * 146097;
    int64_t years = std::min<int64_t>(in_era / 365, 399);
    auto before = [](int64_t k) { return 365 * k + k / 4 - k / 100; };
    while (before(years) > in_era) --years;
    int64_t rest = in_era - before(years);
    static const int64_t kMonths[] = {31, 30, 31, 30, 31, 31, 30, 31, 30, 31, 31};
    int64_t k = 0;
    while (k < 11 && rest >= kMonths[k]) rest -= kMonths[k++];
    y[i] = static_cast<int32_t>(era * 400 + years + (k >= 10 ? 1 : 0));
    m[i] = static_cast<int32_t>(k < 10 ? k + 3 : k - 9);
    d[i] = static_cast<int32_t>(rest + 1);
    if (w != nullptr) {
      const int64_t v = today + 3;
      w[i] = static_cast<int32_t>(v - 7 * Floor(v, 7));
    }
  }
}

// `late` says what becomes of a day that the month has not: "clip", "refuse", or the day to take.
Date AddMonths(const Date& date, int64_t months, kit::ffi::Variant<String, int64_t> late) {
  const int64_t y = date.get<0>(), m = date.get<1>(), d = date.get<2>();
  auto text = late.as<String>();
  if (text.has_value() && *text != "clip" && *text != "refuse") {
    TVM_FFI_THROW(ValueError) << "late is neither \"clip\" nor \"refuse\"";
  }
  if (!text.has_value() && (late.get<int64_t>() < 1 || late.get<int64_t>() > 28)) {
    TVM_FFI_THROW(ValueError) << "late, as a day, is from 1 to 28";
  }
  if (y < 1 || y > 9999 || m < 1 || m > 12 || d < 1 || d > LastDay(y, m)) {
    TVM_FFI_THROW(ValueError) << "no such date";
  }
  if (months < -120000 || months > 120000) TVM_FFI_THROW(ValueError) << "too many months";
  const int64_t total = y * 12 + m - 1 + months;
  const int64_t y2 = Floor(total, 12), m2 = total - 12 * y2 + 1;
  if (y2 < 1 || y2 > 9999) TVM_FFI_THROW(ValueError) << "leaves the calendar";
  const int64_t last = LastDay(y2, m2);
  int64_t d2 = d;
  if (d > last) {
    if (text.has_value() && *text == "refuse") {
      TVM_FFI_THROW(ValueError) << "the month has no day " << d;
    }
    d2 = text.has_value() ? last : late.get<int64_t>();
  }
  return Date(y2, m2, d2);
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(from_days, FromDays);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(add_months, AddMonths);
