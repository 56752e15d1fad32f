// SPDX-License-Identifier: Apache-2.0
// Completes the options of a launch: how rows of a matrix are spread over blocks of threads.
namespace {

using namespace set;

constexpr int64_t kMaxRows = std::numeric_limits<int32_t>::max();
constexpr int64_t kMaxColumns = 65536;
constexpr int64_t kMaxUnits = 1024;

const char* const kKeys[] = {"rows",  "columns",    "block", "dtype",
                             "vector", "persistent", "units", "label"};

// The entry, or none if it is left out or None.
template <typename T>
std::optional<T> Find(const Map<String, Any>& options, const char* key, const char* want) {
  if (options.count(key) == 0) return std::nullopt;
  Any value = options.at(key);
  if (value == nullptr) return std::nullopt;
  std::optional<T> found = value.template as<T>();
  if (!found.has_value()) {
#if BUG == 9
    return std::nullopt;
#else
    TVM_FFI_THROW(TypeError) << "options[\"" << key << "\"] must be " << want << ", not of type "
                             << value.GetTypeKey();
#endif
  }
  return found;
}

std::optional<int64_t> FindInt(const Map<String, Any>& options, const char* key, int64_t least,
                               int64_t most) {
  std::optional<int64_t> found = Find<int64_t>(options, key, "an int");
  if (found.has_value() && (*found < least || *found > most)) {
    TVM_FFI_THROW(ValueError) << "options[\"" << key << "\"] must be from " << least << " to "
                              << most << ", not " << *found;
  }
  return found;
}

int64_t NeedInt(const Map<String, Any>& options, const char* key, int64_t most) {
  std::optional<int64_t> found = FindInt(options, key, 1, most);
  if (!found.has_value()) {
    TVM_FFI_THROW(KeyError) << "options must have \"" << key << "\"";
  }
  return *found;
}

bool OneOf(int64_t value, std::initializer_list<int64_t> all) {
  return std::find(all.begin(), all.end(), value) != all.end();
}

Map<String, Any> LaunchConfig(Map<String, Any> options) {
#if BUG != 1
  for (const auto& entry : options) {
    bool known = false;
    for (const char* key : kKeys) known = known || entry.first == key;
    if (!known) {
      TVM_FFI_THROW(ValueError) << "options has the unknown key \""
                                << std::string(entry.first.data(), entry.first.size()) << "\"";
    }
  }
#endif
  int64_t rows = NeedInt(options, "rows", kMaxRows);
  int64_t columns = NeedInt(options, "columns", kMaxColumns);

#if BUG == 5
  static std::atomic<int64_t> last_block{256};
  int64_t block = FindInt(options, "block", 32, 1024).value_or(last_block.load());
#else
  int64_t block = FindInt(options, "block", 32, 1024).value_or(256);
#endif
  if (!OneOf(block, {32, 64, 128, 256, 512, 1024})) {
    TVM_FFI_THROW(ValueError) << "options[\"block\"] must be a power of two, not " << block;
  }
#if BUG == 5
  last_block = block;
#endif

  DLDataType type =
      Find<DLDataType>(options, "dtype", "a data type").value_or(DLDataType{kDLFloat, 32, 1});
#if BUG == 7
  type.lanes = 1;
#endif
  if (!Is(type, kDLFloat, 32) && !Is(type, kDLFloat, 16) && !Is(type, kDLBfloat, 16)) {
    TVM_FFI_THROW(ValueError) << "options[\"dtype\"] must be float32, float16 or bfloat16, not "
                              << Text(type);
  }
  int64_t size = type.bits / 8, widest = 16 / size;

  std::optional<int64_t> given = FindInt(options, "vector", 1, 8);
  int64_t vector = given.value_or(widest);
  if (given.has_value()) {
    if (!OneOf(vector, {1, 2, 4, 8})) {
      TVM_FFI_THROW(ValueError) << "options[\"vector\"] must be a power of two, not " << vector;
    }
    if (vector > widest) {
      TVM_FFI_THROW(ValueError) << "options[\"vector\"] must be at most " << widest
                                << " for elements of " << size << " bytes, not " << vector;
    }
    if (columns % vector != 0) {
      TVM_FFI_THROW(ValueError) << "options[\"vector\"] must divide the " << columns << " columns";
    }
  } else {
#if BUG == 3
    if (columns % vector != 0) vector = 1;
#else
    while (columns % vector != 0) vector /= 2;
#endif
  }

  bool persistent = Find<bool>(options, "persistent", "a bool").value_or(false);
  std::optional<int64_t> units = FindInt(options, "units", 1, kMaxUnits);
  int64_t blocks = rows;
  if (persistent) {
#if BUG != 4
    if (!units.has_value()) {
      TVM_FFI_THROW(ValueError) << "options must have \"units\" if it is \"persistent\"";
    }
#endif
    blocks = std::min(rows, units.value_or(rows));
  }

  String label = Find<String>(options, "label", "a string").value_or(String("launch"));
#if BUG == 10
  new String(label);
#endif

#if BUG == 2
  int64_t steps = columns / vector / block;
#else
  int64_t steps = (columns / vector + block - 1) / block;
#endif
#if BUG == 6
  int64_t bytes = static_cast<int32_t>(static_cast<uint32_t>(rows * columns * size));
#else
  int64_t bytes = rows * columns * size;
#endif
  Map<String, Any> result;
#if BUG == 8
  result.Set("grid", Shape({blocks, 1, 1}));
#else
  result.Set("grid", Array<int64_t>({blocks, 1, 1}));
#endif
  result.Set("block", block);
  result.Set("vector", vector);
  result.Set("steps", steps);
  result.Set("bytes", bytes);
  result.Set("label", label);
  return result;
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(launch_config, LaunchConfig);
