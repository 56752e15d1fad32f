// SPDX-License-Identifier: Apache-2.0
// Split of ragged requests into chunks, and their distribution over persistent workers: each chunk goes to the worker
// with the least load so far, the first of several.

#if BUG == 5
static std::unordered_map<int64_t, double> g_costs;
static std::mutex g_lock;
#endif

static Map<String, Any> work_plan(Variant<Tensor, Array<int64_t>> lengths, int64_t workers, Map<String, Any> options,
                                  Optional<Function> cost) {
  check_range(workers, 1, 256, "workers");
  int64_t chunk = 0;
  bool longest_first = false;
  for (auto kv : options) {
    std::string key = kv.first;
    if (key == "chunk") {
      auto v = kv.second.as<int64_t>();
      NEED(v.has_value(), TypeError) << "options: chunk must be an int";
#if BUG != 4
      check_range(*v, 1, std::numeric_limits<int32_t>::max(), "options: chunk");
#endif
      chunk = *v;
    } else if (key == "order") {
      auto v = kv.second.as<String>();
      NEED(v.has_value(), TypeError) << "options: order must be a string";
      std::string order = *v;
#if BUG != 3
      NEED(order == "fifo" || order == "longest", ValueError) << "options: order \"" << order << "\" is not known";
#endif
      longest_first = order == "longest";
    } else {
      FAIL(ValueError) << "options: \"" << key << "\" is not known";
    }
  }
  std::vector<int64_t> sizes;
  if (auto list = lengths.as<Array<int64_t>>()) {
    for (int64_t v : *list) sizes.push_back(v);
  } else {
    Tensor t = lengths.get<Tensor>();
    NEED(t.defined(), TypeError) << "lengths: None is not a tensor";
    check_tensor(t, "lengths", 1, {I32});
    check_dense(t, "lengths");
    for (int64_t i = 0; i < t.shape()[0]; ++i) sizes.push_back(data_of<int32_t>(t)[i]);
  }
  for (int64_t v : sizes) check_range(v, 0, 4096, "lengths");
#if BUG == 6
  DLTensor like{};
  int64_t extent = workers;
  like.device = CPU;
  like.dtype = F64;
  like.ndim = 1;
  like.shape = &extent;
  TVMFFIObjectHandle raw = nullptr;
  TVM_FFI_CHECK_SAFE_CALL(TVMFFIEnvTensorAlloc(&like, &raw));
#endif

  struct Item {
    int32_t request, begin, size;
    double cost;
  };
  std::vector<Item> items;
  for (size_t r = 0; r < sizes.size(); ++r)
    for (int64_t at = 0; at < sizes[r]; at += chunk > 0 ? chunk : sizes[r]) {
      int64_t size = chunk > 0 ? std::min(chunk, sizes[r] - at) : sizes[r];
      items.push_back({int32_t(r), int32_t(at), int32_t(size), double(size)});
    }
  if (cost.has_value()) {
    Function f = cost.value();
    for (Item& item : items) {
#if BUG == 5
      {
        std::lock_guard<std::mutex> guard(g_lock);
        auto known = g_costs.find(item.size);
        if (known != g_costs.end()) {
          item.cost = known->second;
          continue;
        }
      }
#endif
      double c;
#if BUG == 2
      try {
        c = f(int64_t(item.size)).cast<double>();
      } catch (const ffi::Error&) {
        continue;
      }
#else
      c = f(int64_t(item.size)).cast<double>();
#endif
#if BUG != 1
      NEED(std::isfinite(c) && c >= 0, ValueError) << "cost: " << c << " is no cost";
#endif
      item.cost = c;
#if BUG == 5
      std::lock_guard<std::mutex> guard(g_lock);
      g_costs[item.size] = c;
#endif
    }
  }
  if (longest_first)
    std::stable_sort(items.begin(), items.end(), [](const Item& a, const Item& b) { return a.cost > b.cost; });

  int64_t n = int64_t(items.size());
  Tensor request = alloc({n}, I32), begin = alloc({n}, I32), worker = alloc({n}, I32);
#if BUG == 6
  Tensor load(ffi::detail::ObjectUnsafe::ObjectPtrFromOwned<ffi::TensorObj>(static_cast<TVMFFIObject*>(raw)));
#else
  Tensor load = alloc({workers}, F64);
#endif
  std::vector<double> busy(workers, 0);
  for (int64_t i = 0; i < n; ++i) {
    int64_t w = std::min_element(busy.begin(), busy.end()) - busy.begin();
    busy[w] += items[i].cost;
    data_of<int32_t>(request)[i] = items[i].request;
    data_of<int32_t>(begin)[i] = items[i].begin;
    data_of<int32_t>(worker)[i] = int32_t(w);
  }
  std::copy(busy.begin(), busy.end(), data_of<double>(load));
  Map<String, Any> result;
  result.Set("request", request);
  result.Set("begin", begin);
  result.Set("worker", worker);
  result.Set("load", load);
  result.Set("makespan", *std::max_element(busy.begin(), busy.end()));
  return result;
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(work_plan, work_plan);
