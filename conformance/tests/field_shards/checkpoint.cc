// SPDX-License-Identifier: Apache-2.0
// Checkpoints of named tensors as bytes, in a tensor of uint8.
//
//   "TCK1", u32 number of records, then the records in the order of their names:
//     u32 length of the name, the name, u8 type code, u8 bits, u16 rank, i64 extents,
//     u64 bytes of data, zeros up to a multiple of the alignment, data
//   u32 CRC-32 of all bytes before
// Numbers are little endian; the alignment follows the number of records as u32.
//
// checkpoint_save(tensors, align) -> uint8 (n,)
// checkpoint_names(blob) -> array of strings
// checkpoint_read(blob, name, out): out has the type and the shape of the record
namespace {

using namespace set;

constexpr int kMostRank = 8;
constexpr uint64_t kMostName = 255;

struct CrcTable {
  uint32_t entry[256];
  CrcTable() {
    for (uint32_t i = 0; i < 256; ++i) {
      uint32_t c = i;
      for (int bit = 0; bit < 8; ++bit) c = (c & 1u) != 0 ? 0xedb88320u ^ (c >> 1) : c >> 1;
      entry[i] = c;
    }
  }
};

uint32_t Crc(const uint8_t* data, size_t size) {
  static const CrcTable table;
  uint32_t c = 0xffffffffu;
  for (size_t i = 0; i < size; ++i) c = table.entry[(c ^ data[i]) & 255u] ^ (c >> 8);
  return ~c;
}

bool Storable(DLDataType t) {
  if (t.lanes != 1) return false;
  if (t.code == kDLFloat) return t.bits == 16 || t.bits == 32 || t.bits == 64;
  if (t.code == kDLBfloat) return t.bits == 16;
  if (t.code == kDLInt) return t.bits == 8 || t.bits == 32 || t.bits == 64;
  return t.code == kDLUInt && t.bits == 8;
}

uint64_t RoundUp(uint64_t n, uint64_t to) { return (n + to - 1) / to * to; }

// ---------------------------------------------------------------- writing

class Writer {
 public:
  explicit Writer(uint8_t* to) : to_(to) {}  // nullptr: only counts
  void Bytes(const void* data, uint64_t size) {
    if (to_ != nullptr && size != 0) std::memcpy(to_ + at_, data, size);
    at_ += size;
  }
  template <typename N>
  void Number(N n) {
    Bytes(&n, sizeof(n));
  }
  void Pad(uint64_t align) {
    uint64_t end = RoundUp(at_, align);
#if BUG != 4
    if (to_ != nullptr) std::memset(to_ + at_, 0, end - at_);
#endif
    at_ = end;
  }
  // Elements of any strides, one after the other.
  void Elements(const TensorView& t) {
    uint64_t size = t.dtype().bits / 8;
    uint64_t count = static_cast<uint64_t>(Count(t));
    if (to_ == nullptr || count == 0) {
      at_ += count * size;
      return;
    }
    const uint8_t* data = As<uint8_t>(t);
#if BUG == 1
    Bytes(data, count * size);
#else
    std::vector<int64_t> step = Strides(t), index(t.ndim(), 0);
    int64_t offset = 0;
    for (uint64_t i = 0; i < count; ++i) {
      Bytes(data + offset * static_cast<int64_t>(size), size);
      for (int d = t.ndim(); d-- > 0;) {
        offset += step[d];
        if (++index[d] < t.shape()[d]) break;
        offset -= step[d] * t.shape()[d];
        index[d] = 0;
      }
    }
#endif
  }
  uint64_t at() const { return at_; }

 private:
  uint8_t* to_;
  uint64_t at_ = 0;
};

struct Entry {
  std::string name;
  Tensor tensor;
};

void Write(Writer* w, const std::vector<Entry>& entries, uint32_t align) {
  w->Bytes("TCK1", 4);
  w->Number(static_cast<uint32_t>(entries.size()));
  w->Number(align);
  for (const Entry& e : entries) {
    TensorView t = View(e.tensor);
    w->Number(static_cast<uint32_t>(e.name.size()));
    w->Bytes(e.name.data(), e.name.size());
    w->Number(t.dtype().code);
    w->Number(t.dtype().bits);
    w->Number(static_cast<uint16_t>(t.ndim()));
    for (int d = 0; d < t.ndim(); ++d) w->Number(t.shape()[d]);
    w->Number(static_cast<uint64_t>(Count(t)) * (t.dtype().bits / 8));
    w->Pad(align);
    w->Elements(t);
  }
}

Tensor Save(Map<String, Tensor> tensors, int64_t align) {
  if (align < 1 || align > 4096 || (align & (align - 1)) != 0) {
    TVM_FFI_THROW(ValueError) << "align must be a power of two from 1 to 4096, not " << align;
  }
  std::vector<Entry> entries;
  for (const auto& kv : tensors) {
    Entry e{std::string(kv.first), kv.second};
    if (e.name.empty() || e.name.size() > kMostName) {
      TVM_FFI_THROW(ValueError) << "tensors has a name of " << e.name.size()
                                << " bytes: 1 to 255 are possible";
    }
    std::string what = "tensors[\"" + e.name + "\"]";
    TensorView t = View(e.tensor, what);
    if (!Storable(t.dtype())) {
      TVM_FFI_THROW(TypeError) << what << " is of " << TypeName(t.dtype())
                               << ", which checkpoints cannot hold";
    }
    CheckBasics(what, t, -1);
    if (t.ndim() > kMostRank) {
      TVM_FFI_THROW(ValueError) << what << " has " << t.ndim() << " dimensions, more than "
                                << kMostRank;
    }
    entries.push_back(std::move(e));
  }
  std::sort(entries.begin(), entries.end(),
            [](const Entry& a, const Entry& b) { return a.name < b.name; });
  Writer count(nullptr);
  Write(&count, entries, static_cast<uint32_t>(align));
  Tensor blob = Allocate({static_cast<int64_t>(count.at() + 4)}, Type(kDLUInt, 8),
                         DLDevice{kDLCPU, 0});
  uint8_t* to = As<uint8_t>(View(blob));
  Writer writer(to);
  Write(&writer, entries, static_cast<uint32_t>(align));
  writer.Number(Crc(to, writer.at()));
  return blob;
}

// ---------------------------------------------------------------- reading

struct Record {
  std::string name;
  DLDataType dtype;
  std::vector<int64_t> shape;
  uint64_t offset = 0, bytes = 0;
};

class Reader {
 public:
  Reader(const uint8_t* data, uint64_t size) : data_(data), size_(size) {}
  template <typename N>
  N Number() {
    Need(sizeof(N));
    N n;
    std::memcpy(&n, data_ + at_, sizeof(n));
    at_ += sizeof(n);
    return n;
  }
  const uint8_t* Bytes(uint64_t n) {
    Need(n);
    const uint8_t* p = data_ + at_;
    at_ += n;
    return p;
  }
  void Align(uint64_t to) {
    uint64_t end = RoundUp(at_, to);
    Need(end - at_);
    at_ = end;
  }
  uint64_t at() const { return at_; }
  uint64_t left() const { return size_ - at_; }
  void Skip(uint64_t n) { at_ += n; }

 private:
  void Need(uint64_t n) const {
    if (n > size_ - at_) TVM_FFI_THROW(ValueError) << "blob ends within a record";
  }
  const uint8_t* data_;
  uint64_t size_, at_ = 0;
};

// Reads the table of contents; all that it says lies within the blob.
std::vector<Record> Parse(const TensorView& blob) {
  CheckType("blob", blob, Type(kDLUInt, 8));
  CheckBasics("blob", blob, 1);
  CheckCompact("blob", blob);
  uint64_t size = static_cast<uint64_t>(blob.shape()[0]);
  const uint8_t* data = As<uint8_t>(blob);
  if (size < 16) TVM_FFI_THROW(ValueError) << "blob is too short for a checkpoint: " << size;
  Reader r(data, size - 4);
  if (std::memcmp(r.Bytes(4), "TCK1", 4) != 0) {
    TVM_FFI_THROW(ValueError) << "blob is not a checkpoint: it does not begin with TCK1";
  }
  uint32_t count = r.Number<uint32_t>();
  uint32_t align = r.Number<uint32_t>();
  if (align < 1 || align > 4096 || (align & (align - 1)) != 0) {
    TVM_FFI_THROW(ValueError) << "blob has an alignment of " << align;
  }
  std::vector<Record> records;
  for (uint32_t i = 0; i < count; ++i) {
    Record record;
    uint32_t length = r.Number<uint32_t>();
    if (length == 0 || length > kMostName) {
      TVM_FFI_THROW(ValueError) << "blob has a name of " << length << " bytes";
    }
    const uint8_t* name = r.Bytes(length);
    record.name.assign(reinterpret_cast<const char*>(name), length);
    if (i != 0 && !(records.back().name < record.name)) {
      TVM_FFI_THROW(ValueError) << "blob has names that are not in order";
    }
    uint8_t code = r.Number<uint8_t>(), bits = r.Number<uint8_t>();
    record.dtype = Type(code, bits);
    if (!Storable(record.dtype)) TVM_FFI_THROW(ValueError) << "blob has an unknown type";
    uint16_t rank = r.Number<uint16_t>();
    if (rank > kMostRank) TVM_FFI_THROW(ValueError) << "blob has a tensor of rank " << rank;
    bool empty = false;
    uint64_t bytes = bits / 8;
    for (int d = 0; d < rank; ++d) {
      int64_t extent = r.Number<int64_t>();
      if (extent < 0) TVM_FFI_THROW(ValueError) << "blob has a negative extent";
      if (extent == 0) empty = true;
      record.shape.push_back(extent);
    }
    for (int64_t extent : record.shape) {
      if (!empty && __builtin_mul_overflow(bytes, static_cast<uint64_t>(extent), &bytes)) {
        TVM_FFI_THROW(ValueError) << "blob has a tensor that is too large";
      }
    }
    if (empty) bytes = 0;
    record.bytes = r.Number<uint64_t>();
    if (record.bytes != bytes) {
      TVM_FFI_THROW(ValueError) << "blob has " << record.bytes << " bytes for a tensor of "
                                << bytes;
    }
    r.Align(align);
    record.offset = r.at();
#if BUG == 2
    r.Skip(bytes);
    if (i + 1 < count && r.at() > size) {
      TVM_FFI_THROW(ValueError) << "blob ends within a record";
    }
#else
    r.Bytes(bytes);
#endif
    records.push_back(std::move(record));
  }
#if BUG != 2
  if (r.left() != 0) TVM_FFI_THROW(ValueError) << "blob has bytes behind its last record";
#endif
  return records;
}

void CheckSum(const TensorView& blob) {
  uint64_t size = static_cast<uint64_t>(blob.shape()[0]);
  const uint8_t* data = As<uint8_t>(blob);
  uint32_t stored;
  std::memcpy(&stored, data + size - 4, 4);
  if (stored != Crc(data, size - 4)) {
    TVM_FFI_THROW(ValueError) << "blob is damaged: its checksum is wrong";
  }
}

Array<String> Names(TensorView blob) {
  std::vector<Record> records = Parse(blob);
  CheckSum(blob);
  Array<String> names;
  for (const Record& r : records) names.push_back(String(r.name));
  return names;
}

void Read(TensorView blob, String name, TensorView out) {
#if BUG == 3
  std::vector<Record>* index = new std::vector<Record>(Parse(blob));
  std::vector<Record>& records = *index;
#else
  std::vector<Record> records = Parse(blob);
#endif
#if BUG != 7
  CheckSum(blob);
#endif
  std::string wanted = name;
  const Record* found = nullptr;
  for (const Record& r : records) {
    if (r.name == wanted) found = &r;
  }
  if (found == nullptr) {
    TVM_FFI_THROW(KeyError) << "blob has no tensor \"" << wanted << "\"";
  }
#if BUG == 6
  if (out.dtype().bits != found->dtype.bits || out.dtype().lanes != 1) {
#else
  if (!Same(out.dtype(), found->dtype)) {
#endif
    TVM_FFI_THROW(TypeError) << "out must be of " << TypeName(found->dtype) << ", as \"" << wanted
                             << "\" is, not " << TypeName(out.dtype());
  }
  CheckBasics("out", out, static_cast<int>(found->shape.size()));
#if BUG == 5
  if (static_cast<uint64_t>(Count(out)) * (out.dtype().bits / 8) != found->bytes) {
    TVM_FFI_THROW(ValueError) << "out has shape " << ShapeText(out) << ", which is wrong";
  }
#else
  for (int d = 0; d < out.ndim(); ++d) {
    CheckExtent("out", out, d, found->shape[d], "as in the checkpoint");
  }
#endif
  CheckCompact("out", out);
  if (found->bytes != 0) {
    std::memcpy(Data(out), As<uint8_t>(blob) + found->offset, found->bytes);
  }
#if BUG == 7
  CheckSum(blob);
#endif
#if BUG == 3
  delete index;
#endif
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(checkpoint_save, Save);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(checkpoint_names, Names);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(checkpoint_read, Read);
