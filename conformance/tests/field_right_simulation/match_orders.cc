// SPDX-License-Identifier: Apache-2.0
// A limit order book with priority by price, then time. Orders come in the order of their index;
// the price of a trade is that of the order that was there first.
namespace {

using kit::ffi::Map;
using kit::ffi::String;
using kit::ffi::TensorView;

constexpr int64_t kMost = 1000000;

struct Book {
  // The best order first: (signed price, index).
  using Side = std::priority_queue<std::pair<int64_t, int64_t>,
                                   std::vector<std::pair<int64_t, int64_t>>, std::greater<>>;
  Side asks;  // at +price
  Side bids;  // at -price
};

Map<String, int64_t> Match(TensorView side, TensorView price, TensorView qty,
                           kit::ffi::Variant<int64_t, String> life, TensorView fills) {
  int64_t turns = std::numeric_limits<int64_t>::max();
  if (auto text = life.as<String>()) {
    if (*text == "ioc") {
      turns = 0;
    } else if (*text != "day") {
      TVM_FFI_THROW(ValueError) << "life must be \"day\", \"ioc\" or a number of turns";
    }
  } else {
    turns = life.get<int64_t>();
    if (turns < 0) TVM_FFI_THROW(ValueError) << "an order can't live for " << turns << " turns";
  }

  const int8_t* s = kit::Cells<int8_t>(side, "side", {kit::kAny});
  const int64_t n = side.size(0);
  const int64_t* p = kit::Cells<int64_t>(price, "price", {n});
  const int64_t* q = kit::Cells<int64_t>(qty, "qty", {n});
  int64_t* done = kit::Cells<int64_t>(fills, "fills", {n});
  if (n > 4000000) TVM_FFI_THROW(ValueError) << "more orders than a day has";
  for (int64_t i = 0; i < n; ++i) {
    if (s[i] != 1 && s[i] != -1) {
      TVM_FFI_THROW(ValueError) << "order " << i << " neither buys (1) nor sells (-1)";
    }
    if (p[i] < 1 || p[i] > kMost || q[i] < 1 || q[i] > kMost) {
      TVM_FFI_THROW(ValueError) << "price or quantity of order " << i << " is out of range";
    }
  }

  std::vector<int64_t> left(q, q + n);
  Book book;
  int64_t volume = 0, notional = 0, trades = 0;
  for (int64_t i = 0; i < n; ++i) {
    Book::Side& against = s[i] == 1 ? book.asks : book.bids;
    while (left[i] > 0 && !against.empty()) {
      const auto [key, other] = against.top();
      if (i - other > turns) {
        against.pop();
        continue;
      }
      const int64_t at = key < 0 ? -key : key;
      if (s[i] == 1 ? at > p[i] : at < p[i]) break;
      const int64_t some = std::min(left[i], left[other]);
      left[i] -= some;
      left[other] -= some;
      volume += some;
      notional += some * at;
      ++trades;
      if (left[other] == 0) against.pop();
    }
    if (left[i] > 0) {
      if (s[i] == 1) {
        book.bids.emplace(-p[i], i);
      } else {
        book.asks.emplace(p[i], i);
      }
    }
  }
  for (int64_t i = 0; i < n; ++i) done[i] = q[i] - left[i];
  return Map<String, int64_t>{{"volume", volume}, {"notional", notional}, {"trades", trades}};
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(match_orders, Match);
