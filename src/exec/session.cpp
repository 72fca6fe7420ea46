#include "npubin/session.h"

#include "exec/admission.h"
#include "exec/fast/session.h"
#include "exec/reference/session.h"

namespace npubin {

Result<std::unique_ptr<Session>> Session::compile(graph::Graph graph, const SessionOptions& options) {
  NPUBIN_TRY(auto kernels, exec::admit(graph));
  if (options.mode == ExecMode::Fast) return exec::compile_fast(std::move(graph), kernels, options);
  return exec::compile_reference(std::move(graph), std::move(kernels));
}

}  // namespace npubin
