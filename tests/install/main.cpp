// What a user of the installed library writes: open a file, list what is wrong with it.
#include <cstdio>

#include <npubin/artifact.h>
#include <npubin/npy.h>

int main() {
  npubin::Tensor tensor(npubin::DType::F32, {2, 3});
  auto back = npubin::read_npy(npubin::Bytes::own(npubin::write_npy(tensor)));
  if (!back || back->shape() != tensor.shape()) return 1;
  auto missing = npubin::open_artifact("no-such-file.hef");
  if (missing) return 1;
  std::printf("%zu formats; %s\n", npubin::formats().size(), npubin::to_string(missing.error()).c_str());
  return npubin::exit_code(missing.error()) == 3 ? 0 : 1;
}
