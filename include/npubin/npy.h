// NumPy .npy files, versions 1 to 3.
#pragma once

#include <string>

#include "npubin/bytes.h"
#include "npubin/export.h"
#include "npubin/result.h"
#include "npubin/tensor.h"

namespace npubin {

// Reads an .npy: types f2 f4 f8 u1 i1 u2 i2 u4 i4 i8 b1, either byte order, C or Fortran order (Fortran is
// transposed to C order). Header of at most 64 KiB. Error: Malformed with the offset of the fault, Refused
// for a type that npubin has no tensors of.
NPUBIN_API Result<Tensor> read_npy(const Bytes& bytes);
NPUBIN_API Result<Tensor> load_npy(const std::string& path);
// By the magic at the beginning: whatever the file is called, and for standard input, which has no name.
NPUBIN_API bool is_npy(ByteSpan bytes);

// Writes version 1.0, little endian, C order, data 64-byte aligned. BF16 is written as float32.
NPUBIN_API std::string write_npy(const Tensor& tensor);
NPUBIN_API Result<void> save_npy(const std::string& path, const Tensor& tensor);

}  // namespace npubin
