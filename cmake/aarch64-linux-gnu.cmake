# Cross build for 64-bit Arm with Debian's compiler and arm64 packages beside the machine's own (multiarch).
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
set(ENV{PKG_CONFIG_LIBDIR} /usr/lib/aarch64-linux-gnu/pkgconfig:/usr/share/pkgconfig)
# Tests run on the machine that builds, where qemu's user mode is installed.
find_program(NPUBIN_QEMU_AARCH64 qemu-aarch64-static)
if(NPUBIN_QEMU_AARCH64)
  set(CMAKE_CROSSCOMPILING_EMULATOR ${NPUBIN_QEMU_AARCH64})
endif()
