// SPDX-License-Identifier: Apache-2.0
// Earliest and latest starts of the tasks of a graph, and its critical path.
namespace {

constexpr int64_t kMaxTasks = 1 << 20;

int64_t IndexAt(const TensorView& t, bool wide, int64_t i) {
  return wide ? Data<int64_t>(t)[i] : int64_t(Data<int32_t>(t)[i]);
}
double DurationAt(const TensorView& t, int64_t i) {
  return Is(t.dtype(), kF32) ? double(Data<float>(t)[i]) : Data<double>(t)[i];
}

Tuple<double, Array<int64_t>> CriticalPath(TensorView src, TensorView dst, TensorView duration, String order,
                                           Optional<Tensor> start, Optional<Tensor> slack) {
  NeedPlain(src, {kI32, kI64}, 1, "src");
  NeedPlain(dst, {kI32, kI64}, 1, "dst");
#if BUG != 6
  TVM_FFI_CHECK(Is(src.dtype(), dst.dtype()), TypeError) << "src and dst must have the same data type";
#endif
  bool wide = Is(src.dtype(), kI64);
  NeedPlain(duration, {kF32, kF64}, 1, "duration");
  int64_t edges = src.size(0), n = duration.size(0);
  TVM_FFI_CHECK(dst.size(0) == edges, ValueError) << "src and dst must have the same length";
  TVM_FFI_CHECK(n <= kMaxTasks, ValueError) << "too many tasks";
  bool late = order == "alap";
  TVM_FFI_CHECK(late || order == "asap", ValueError) << "order must be asap or alap, not " << order;
  double* start_out = nullptr;
  double* slack_out = nullptr;
  if (start.has_value()) {
    Tensor t = start.value();
    NeedPlain(t, {kF64}, 1, "start");
    TVM_FFI_CHECK(t.size(0) == n, ValueError) << "start must have an element for each task";
    start_out = Data<double>(t);
  }
#if BUG != 3
  if (slack.has_value())
#endif
  {
    Tensor t = slack.value();
    NeedPlain(t, {kF64}, 1, "slack");
    TVM_FFI_CHECK(t.size(0) == n, ValueError) << "slack must have an element for each task";
    slack_out = Data<double>(t);
  }
  std::vector<double> time(n), early(n, 0.0), latest(n);
  for (int64_t i = 0; i < n; ++i) {
    time[i] = DurationAt(duration, i);
    TVM_FFI_CHECK(time[i] >= 0 && std::isfinite(time[i]), ValueError) << "duration of task " << i << " is negative or not finite";
  }
  std::vector<std::vector<int64_t>> next(n), before(n);
  std::vector<int64_t> waits(n, 0);
  for (int64_t e = 0; e < edges; ++e) {
    int64_t a = IndexAt(src, wide, e), b = IndexAt(dst, wide, e);
#if BUG == 2
    TVM_FFI_CHECK(a >= 0 && a < n && b < n, ValueError) << "edge " << e << " is of no task";
#else
    TVM_FFI_CHECK(a >= 0 && a < n && b >= 0 && b < n, ValueError) << "edge " << e << " is of no task";
#endif
    next[a].push_back(b);
    before[b].push_back(a);
    ++waits[b];
  }
  std::vector<int64_t> queue;
  queue.reserve(n);
  for (int64_t i = 0; i < n; ++i)
    if (waits[i] == 0) queue.push_back(i);
  for (size_t q = 0; q < queue.size(); ++q) {
    int64_t a = queue[q];
#if BUG == 4
    if (start_out) start_out[a] = early[a];
#endif
    for (int64_t b : next[a]) {
      early[b] = std::max(early[b], early[a] + time[a]);
      if (--waits[b] == 0) queue.push_back(b);
    }
  }
#if BUG != 1
  TVM_FFI_CHECK(int64_t(queue.size()) == n, ValueError) << "the graph has a cycle";
#endif
  double span = 0;
  for (int64_t i = 0; i < n; ++i) span = std::max(span, early[i] + time[i]);
  for (int64_t i = 0; i < n; ++i) latest[i] = span - time[i];
  for (size_t q = queue.size(); q-- > 0;) {
    int64_t a = queue[q];
#if BUG == 5
    for (int64_t b : next[a]) latest[a] = std::min(latest[a], latest[b]);
#else
    for (int64_t b : next[a]) latest[a] = std::min(latest[a], latest[b] - time[a]);
#endif
  }
  for (int64_t i = 0; i < n; ++i) {
    if (start_out) start_out[i] = late ? latest[i] : early[i];
    if (slack_out) slack_out[i] = latest[i] - early[i];
  }
  // Back from the first task that ends last, always to the first one that it waited for.
  std::vector<int64_t> path;
#if BUG == 7
  int64_t at = 0;
#else
  int64_t at = n > 0 ? 0 : -1;
#endif
  for (int64_t i = 1; i < n; ++i)
    if (early[i] + time[i] > early[at] + time[at]) at = i;
  while (at >= 0 && int64_t(path.size()) <= n) {
    path.push_back(at);
    int64_t from = -1;
    for (int64_t p : before[at])
      if (early[p] + time[p] == early[at] && (from < 0 || p < from)) from = p;
    at = from;
  }
  return Tuple<double, Array<int64_t>>(span, Array<int64_t>(path.rbegin(), path.rend()));
}

}  // namespace
TVM_FFI_DLL_EXPORT_TYPED_FUNC(critical_path, CriticalPath)
