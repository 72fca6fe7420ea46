// Running differs by format: a backend each, with options of its own beside the common ones.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/verb.h"
#include "npubin/picture.h"
#include "npubin/tensor.h"

namespace npubin::cli {

// Options that every backend understands the same way.
struct RunOptions {
  FileOptions file;
  std::vector<std::string> inputs;  // --input [NAME=]FILE, in order
  std::string image;                // --image FILE
  std::string labels;               // --labels FILE
  std::string out_dir;              // -o DIR
  int threads = 1;
};

class RunBackend {
 public:
  virtual ~RunBackend() = default;
  virtual std::string_view name() const = 0;       // "graphs (.armnn, .tflite)": for messages
  virtual void add_options(OptionSet& group) = 0;  // options of this backend alone, in an option group
  // The name of another backend whose options this one understands too; empty: none.
  virtual std::string_view borrows() const { return {}; }
  virtual bool accepts(const Artifact& artifact) const = 0;
  virtual int run(Artifact& artifact, const RunOptions& options) = 0;  // returns the exit code
};

// One line per backend, in backends.cpp.
std::vector<std::unique_ptr<RunBackend>> run_backends();

struct NamedFile {
  std::string name;  // empty where none was given
  std::string file;
};
// "NAME=FILE" or "FILE". A '=' inside an existing file's name is no separator.
NamedFile split_named_file(const std::string& argument);

// An input file: the tensor of an .npy, known by its magic or its extension; nothing where it is raw.
struct InputFile {
  Bytes bytes;                   // all of the file
  std::optional<Tensor> tensor;  // set for an .npy
  // The elements, whichever of the two it is.
  ByteSpan contents() const { return tensor ? tensor->bytes() : bytes.span(); }
};
// `-` is standard input. Error: Io; Malformed for a bad .npy.
Result<InputFile> load_input_file(const std::string& file);

// One tensor of outputs.json.
struct NamedTensor {
  std::string name;
  Tensor tensor;
};
// Creates DIR if needed; writes out0.npy, out1.npy, ... (or `stem`0.npy ...) and <stem>puts.json, i.e.
// outputs.json for "out" and inputs.json for "in", with schema npubin.run/1.
Result<void> write_tensors(const std::string& dir, const std::string& stem,
                           const std::vector<NamedTensor>& tensors);

}  // namespace npubin::cli
