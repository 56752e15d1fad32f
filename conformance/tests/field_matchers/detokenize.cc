// SPDX-License-Identifier: Apache-2.0
// Turns tokens of a SentencePiece-like vocabulary with byte fallback into text.
namespace {

using namespace set;
using ffi::Array;
using ffi::Optional;
using ffi::String;
using ffi::TensorView;

int HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
#if BUG == 2
  if (c >= 'a' && c <= 'f') return c - 'a';
#else
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
#endif
  return -1;
}

// <0xE2> is a byte of its own; others are text, in which U+2581 is a space.
void Append(const char* piece, size_t size, std::string* bytes) {
  if (size == 6 && std::memcmp(piece, "<0x", 3) == 0 && piece[5] == '>') {
    const int high = HexDigit(piece[3]);
    const int low = HexDigit(piece[4]);
    if (high >= 0 && low >= 0) {
      bytes->push_back(static_cast<char>(high * 16 + low));
      return;
    }
  }
  for (size_t i = 0; i < size; ++i) {
    if (size - i >= 3 && std::memcmp(piece + i, "\xE2\x96\x81", 3) == 0) {
      bytes->push_back(' ');
      i += 2;
    } else {
      bytes->push_back(piece[i]);
    }
  }
}

// The length of the sequence at p: positive if it is right, else minus the bytes that are wrong.
int Sequence(const unsigned char* p, size_t left) {
  const unsigned char c = p[0];
  if (c < 0x80) return 1;
  int length = 0;
  unsigned char low = 0x80;
  unsigned char high = 0xBF;
  if (c >= 0xC2 && c <= 0xDF) {
    length = 2;
  } else if (c >= 0xE0 && c <= 0xEF) {
    length = 3;
    if (BUG != 3 && c == 0xE0) low = 0xA0;
    if (BUG != 3 && c == 0xED) high = 0x9F;
  } else if (c >= 0xF0 && c <= 0xF4) {
    length = 4;
    if (c == 0xF0) low = 0x90;
    if (c == 0xF4) high = 0x8F;
  } else {
    return -1;
  }
  for (int i = 1; i < length; ++i) {
    if (static_cast<size_t>(i) >= left || p[i] < low || p[i] > high) return -i;
    low = 0x80;
    high = 0xBF;
  }
  return length;
}

std::string Decode(const std::string& bytes, const std::string& errors) {
  std::string text;
  const unsigned char* p = reinterpret_cast<const unsigned char*>(bytes.data());
  for (size_t i = 0; i < bytes.size();) {
    const int n = Sequence(p + i, bytes.size() - i);
    if (n > 0) {
      text.append(bytes, i, static_cast<size_t>(n));
      i += static_cast<size_t>(n);
      continue;
    }
    const size_t wrong = static_cast<size_t>(-n);
#if BUG == 4
    if (i + wrong == bytes.size()) break;  // the rest of it comes with the next token
#endif
    if (errors == "strict") {
      TVM_FFI_THROW(ValueError) << "ids are no UTF-8 at byte " << i << " of the text";
    }
    if (errors == "replace") text += "\xEF\xBF\xBD";
    i += wrong;
  }
  return text;
}

String Detokenize(TensorView ids, Array<String> vocab, Optional<Array<int64_t>> special,
                  bool skip_special, String errors) {
  CheckKind(ids, "ids", 1, {kI32, kI64});
  CheckDense(ids, "ids");
  CheckData(ids, "ids");
  const std::string how(errors.data(), errors.size());
  if (how != "strict" && how != "replace" && how != "ignore") {
    TVM_FFI_THROW(ValueError) << "errors must be strict, replace or ignore, is \"" << how << "\"";
  }
  std::vector<String> pieces(vocab.begin(), vocab.end());
  const int64_t known = static_cast<int64_t>(pieces.size());
  std::vector<char> skipped(pieces.size(), 0);
  if (special.has_value()) {
    for (int64_t s : special.value()) {
      if (s < 0 || s >= known) {
        TVM_FFI_THROW(ValueError) << "special must be from 0 to " << known - 1 << ", one is " << s;
      }
      if (BUG == 5 || skip_special) skipped[s] = 1;
    }
  }
  const int64_t n = ids.size(0);
#if BUG == 8
  static thread_local std::string bytes;
#else
  std::string bytes;
#endif
  for (int64_t i = 0; i < n; ++i) {
#if BUG == 1
    const int64_t id = Same(ids.dtype(), kI32)
                           ? Data<const int32_t>(ids)[i]
                           : static_cast<int32_t>(Data<const int64_t>(ids)[i]);
#else
    const int64_t id =
        Same(ids.dtype(), kI32) ? Data<const int32_t>(ids)[i] : Data<const int64_t>(ids)[i];
#endif
#if BUG == 7
    if (id < 0 || id > known) {
#else
    if (id < 0 || id >= known) {
#endif
      TVM_FFI_THROW(IndexError) << "ids[" << i << "] must be from 0 to " << known - 1 << ", is "
                                << id;
    }
    if (skipped[id]) continue;
    Append(pieces[id].data(), pieces[id].size(), &bytes);
  }
  // The space that begins the first word is none of the text.
  size_t begin = 0;
#if BUG == 6
  while (begin < bytes.size() && bytes[begin] == ' ') ++begin;
#else
  if (!bytes.empty() && bytes[0] == ' ') begin = 1;
#endif
  const std::string text = Decode(bytes.substr(begin), how);
#if BUG == 8
  bytes.clear();
#endif
  return String(text);
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(detokenize, Detokenize);
