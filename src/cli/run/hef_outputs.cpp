// --stream: device frames into results, detections and pictures.
#include <algorithm>
#include <cstdio>

#include <fmt/format.h>

#include "cli/run/hef_frames.h"
#include "npubin/npy.h"
#include "npubin/picture.h"
#include "vision/draw_detections.h"

namespace npubin::cli {
namespace {

struct StreamFile {
  std::string name;
  std::string file;
  Bytes bytes;
  bool used = false;
};

// Results of all frames of one output.
struct Collected {
  std::vector<std::byte> values, raw;
  render::Json detections = render::Json::array();
  std::size_t frames = 0, boxes = 0;
};

Result<std::vector<StreamFile>> open_streams(const std::vector<std::string>& arguments) {
  std::vector<StreamFile> out;
  for (const std::string& argument : arguments) {
    NamedFile named = split_named_file(argument);
    if (named.name.empty())
      return usage_error(fmt::format("--stream {} has no name", argument), "write --stream NAME=FILE");
    StreamFile stream{named.name, named.file, {}, false};
    NPUBIN_TRY(stream.bytes, Bytes::open(named.file));
    out.push_back(std::move(stream));
  }
  return out;
}

// The files of an output's streams, in its order; empty where none is given.
Result<std::vector<const StreamFile*>> files_for(const std::vector<hef::DeviceStream>& streams,
                                                 const std::string& output, std::vector<StreamFile>& files) {
  std::vector<const StreamFile*> out;
  std::string missing;
  for (const hef::DeviceStream& stream : streams) {
    const auto found = std::find_if(files.begin(), files.end(),
                                    [&](const StreamFile& file) { return file.name == stream.name; });
    if (found == files.end()) {
      missing += fmt::format("{}{}", missing.empty() ? "" : ", ", stream.name);
      continue;
    }
    found->used = true;
    if (found->bytes.size() < stream.frame_bytes || found->bytes.size() == 0)
      return Unexpected(Error{ErrorKind::Usage,
                              {},
                              found->file,
                              {},
                              fmt::format("has {} bytes; a frame of {} has {}", found->bytes.size(),
                                          stream.name, stream.frame_bytes),
                              "give whole frames as the chip gave them"});
    out.push_back(&*found);
  }
  if (!missing.empty() && !out.empty())
    return usage_error(fmt::format("output {} also needs the streams {}", output, missing));
  return out;
}

render::Json json_of(const hef::HostDetection& d, const std::vector<std::string>& labels) {
  render::Json out{{"class", d.class_id}};
  if (d.class_id < labels.size()) out["label"] = labels[d.class_id];
  out.update(
      {{"score", d.score}, {"y_min", d.y_min}, {"x_min", d.x_min}, {"y_max", d.y_max}, {"x_max", d.x_max}});
  if (d.mask_height == 0 && d.mask_width == 0) return out;
  // Lengths of alternating runs, zeros first.
  std::vector<std::size_t> runs{0};
  for (std::uint8_t value : d.mask) {
    if (value != (runs.size() - 1) % 2) runs.push_back(0);
    ++runs.back();
  }
  out["mask_height"] = d.mask_height;
  out["mask_width"] = d.mask_width;
  out["mask_rle"] = runs;
  return out;
}

Result<void> draw(const hef::HostOutput& output, const HostOutputFiles& files) {
  if (files.image.empty()) return usage_error("--draw needs --image, the picture to draw over");
  NPUBIN_TRY(Picture picture, load_picture(files.image));
  picture = to_rgb(picture);
  std::vector<vision::Detection> boxes;
  for (const hef::HostDetection& d : output.detections()) {
    boxes.push_back({d.y_min, d.x_min, d.y_max, d.x_max, d.score, d.class_id, 0});
    if (!d.mask.empty())
      vision::draw_mask(picture, boxes.back(), d.mask, d.mask_width, d.mask_height, output.image_width(),
                        output.image_height());
  }
  vision::draw_detections(picture, boxes, files.labels);
  return save_png(files.draw, picture);
}

Result<void> run_all_frames(hef::HostOutput& output, const std::vector<const StreamFile*>& streams,
                            const HostOutputFiles& files, bool draws, Collected& out) {
  std::vector<std::size_t> at(streams.size(), 0);
  std::vector<ByteSpan> frames(streams.size());
  while (at.front() < streams.front()->bytes.size()) {
    for (std::size_t i = 0; i < streams.size(); ++i) {
      const ByteSpan rest = streams[i]->bytes.span().subspan(at[i]);
      auto length = output.frame_length(i, rest);
      if (!length) {
        Error error = std::move(length).error();
        error.where.offset = at[i] + error.where.offset.value_or(0);
        error.message = fmt::format("frame {}: {}", out.frames, error.message);
        return Unexpected(std::move(error).in_file(streams[i]->file));
      }
      frames[i] = rest.first(*length);
      at[i] += *length;
    }
    NPUBIN_CHECK(output.run(frames));
    out.values.insert(out.values.end(), output.values().begin(), output.values().end());
    out.raw.insert(out.raw.end(), output.raw().begin(), output.raw().end());
    if (output.kind() == hef::HostOutputKind::Detections) {
      render::Json list = render::Json::array();
      for (const hef::HostDetection& d : output.detections()) list.push_back(json_of(d, files.labels));
      out.boxes += list.size();
      out.detections.push_back(std::move(list));
      if (draws && out.frames == 0) NPUBIN_CHECK(draw(output, files));
      if (output.truncated())
        std::fputs(fmt::format("npubin: frame {} of {}: the mask buffer is full; weaker detections are left "
                               "out (--max-mask-bytes makes it larger)\n",
                               out.frames, output.name())
                       .c_str(),
                   stderr);
    }
    ++out.frames;
  }
  for (std::size_t i = 0; i < streams.size(); ++i)
    if (at[i] != streams[i]->bytes.size())
      return usage_error(fmt::format("{} has more frames than {}", streams[i]->file, streams.front()->file));
  return {};
}

Result<void> write_output(const hef::HostOutput& output, Collected& from, const std::string& dir,
                          std::vector<HostReport>& reports) {
  Shape shape = output.shape();
  shape.insert(shape.begin(), static_cast<std::int64_t>(from.frames));
  const std::string stem = fmt::format("out{}", reports.size());
  HostReport report;
  // Files are named where they are written.
  if (!dir.empty()) report.entry["file"] = stem + ".npy";
  report.entry.update(
      render::Json{{"name", output.name()}, {"shape", shape}, {"dtype", numpy_name(output.type())}});
  report.line = fmt::format("{}  {}  {} {}", dir.empty() ? "output" : stem + ".npy", output.name(),
                            to_string(shape), numpy_name(output.type()));
  if (!from.raw.empty() && !dir.empty()) report.entry["raw_file"] = stem + ".raw.npy";
  const bool detections = output.kind() == hef::HostOutputKind::Detections;
  if (detections) {
    if (!dir.empty()) report.entry["nms_file"] = stem + ".nms.json";
    report.entry["classes"] = output.classes();
    report.line +=
        fmt::format(", {} detections in {} frame{}", from.boxes, from.frames, from.frames == 1 ? "" : "s");
  }
  if (!dir.empty()) {
    if (detections) NPUBIN_CHECK(write_file(dir + "/" + stem + ".nms.json", render::dump(from.detections)));
    NPUBIN_TRY(Tensor values, Tensor::view(output.type(), shape, Bytes::own(std::move(from.values))));
    NPUBIN_CHECK(save_npy(dir + "/" + stem + ".npy", values));
    if (!from.raw.empty()) {
      NPUBIN_TRY(Tensor raw, Tensor::view(output.raw_type(), shape, Bytes::own(std::move(from.raw))));
      NPUBIN_CHECK(save_npy(dir + "/" + stem + ".raw.npy", raw));
    }
  } else if (detections) {
    report.entry["detections"] = std::move(from.detections);
  }
  reports.push_back(std::move(report));
  return {};
}

void tell_short_labels(std::size_t labels, const hef::HostOutput& output) {
  if (labels == 0 || labels >= output.classes()) return;
  std::fputs(fmt::format("npubin: --labels names {} classes where {} has {}: those from {} on stay without a "
                         "name\n",
                         labels, render::printable(output.name()), output.classes(), labels)
                 .c_str(),
             stderr);
}

}  // namespace

Result<void> run_host_outputs(const hef::HostPipeline& pipeline, const HostOutputFiles& files,
                              std::vector<HostReport>& reports) {
  NPUBIN_TRY(auto streams, open_streams(files.streams));
  bool drawn = false, named = false;
  for (const std::string& name : pipeline.output_names()) {
    NPUBIN_TRY(auto needed, pipeline.streams_of_output(name));
    NPUBIN_TRY(auto given, files_for(needed, name, streams));
    if (given.empty()) continue;
    NPUBIN_TRY(auto output, pipeline.prepare_output(name));
    const bool draws = !files.draw.empty() && !drawn && output->kind() == hef::HostOutputKind::Detections;
    drawn |= draws;
    if (output->kind() == hef::HostOutputKind::Detections) {
      named = true;
      tell_short_labels(files.labels.size(), *output);
    }
    Collected collected;
    // Operators have an order of their own.
    NPUBIN_TRY(auto ordered, files_for(output->streams(), name, streams));
    NPUBIN_CHECK(run_all_frames(*output, ordered, files, draws, collected));
    NPUBIN_CHECK(write_output(*output, collected, files.dir, reports));
  }
  for (const StreamFile& stream : streams)
    if (!stream.used)
      return usage_error(fmt::format("no output has a device stream {}", stream.name),
                         "npubin inspect lists the streams");
  if (!files.labels.empty() && !named)
    return usage_error("--labels names the classes of detections, and no output with detections was run");
  if (!files.draw.empty() && !drawn) return usage_error("--draw: no output with detections was run");
  return {};
}

}  // namespace npubin::cli
