// Builds an ONNX model node by node, and keeps track of which layout each value exists in.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_set>
#include <vector>

#include "npubin/graph.h"
#include "schema/onnx.pb.h"

namespace npubin::convert {

enum class Layout : std::uint8_t { Original, Nchw };

class OnnxBuilder {
 public:
  explicit OnnxBuilder(const graph::Graph& graph);

  const graph::Graph& source() const { return graph_; }

  // Name of a value of the graph in a layout; a constant is written and a transposition inserted where
  // needed. Nchw needs rank 4.
  std::string name(graph::ValueId id, Layout layout = Layout::Original);
  // True where the value is at hand in NCHW without another transposition.
  bool has_nchw(graph::ValueId id) const;
  // Announces that a node has produced the value in this layout; returns the ONNX name to give it.
  std::string define(graph::ValueId id, Layout layout = Layout::Original);

  // Adds a node; `inputs` and `outputs` are ONNX names.
  onnx::NodeProto& node(const std::string& op_type, const std::vector<std::string>& inputs,
                        const std::vector<std::string>& outputs);
  // A name for something in between.
  std::string temporary(const std::string& stem);
  std::string floats(const std::string& stem, const std::vector<float>& values,
                     const std::vector<std::int64_t>& dims);
  std::string ints(const std::string& stem, const std::vector<std::int64_t>& values);
  // A float constant of the graph with its dimensions permuted (`permutation` empty: as it is) and reshaped.
  std::string weights(graph::ValueId id, const std::vector<int>& permutation,
                      const std::vector<std::int64_t>& dims);

  std::string finish();

 private:
  struct Names {
    std::string original, nchw;
    bool has_original = false,
         has_nchw = false;  // produced already (outputs have their name reserved before)
  };
  onnx::TensorProto& initializer(const std::string& stem, onnx::TensorProto::DataType type,
                                 const std::vector<std::int64_t>& dims);
  std::string constant(graph::ValueId id);
  void declare(onnx::ValueInfoProto& info, const std::string& name, const graph::Value& value);
  std::string unique(std::string wish);

  const graph::Graph& graph_;
  onnx::ModelProto model_;
  std::vector<Names> names_;
  std::unordered_set<std::string> used_;
  std::uint64_t serial_ = 0;
};

void set_int(onnx::NodeProto& node, const std::string& key, std::int64_t value);
void set_float(onnx::NodeProto& node, const std::string& key, float value);
void set_ints(onnx::NodeProto& node, const std::string& key, const std::vector<std::int64_t>& values);
void set_string(onnx::NodeProto& node, const std::string& key, const std::string& value);

// The element type, or UNDEFINED where ONNX export has none for it.
onnx::TensorProto::DataType onnx_type(DType type);
// A constant's elements as float32 (from F32 or F16).
std::vector<float> constant_floats(const graph::Value& value);

}  // namespace npubin::convert
