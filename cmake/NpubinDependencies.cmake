# Every dependency is a Debian 12 package; ./dev installs them. Their headers are SYSTEM includes.
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(Protobuf REQUIRED)
find_package(ZLIB REQUIRED)
find_package(JPEG REQUIRED)
find_package(PNG REQUIRED)
pkg_check_modules(XXHASH REQUIRED IMPORTED_TARGET libxxhash)
pkg_check_modules(MD REQUIRED IMPORTED_TARGET libmd)
pkg_check_modules(HWY REQUIRED IMPORTED_TARGET libhwy)
# Debian's dnnl package file asks for OpenCL, which the CPU engine does not need.
# A second architecture has the library without its development link: the packages share their headers.
find_library(NPUBIN_DNNL NAMES dnnl libdnnl.so.2 REQUIRED)
find_path(NPUBIN_DNNL_INCLUDE oneapi/dnnl/dnnl.hpp REQUIRED)
add_library(npubin_dnnl INTERFACE)
# Debian's oneDNN runs on libgomp, through which npubin says how many threads it may use.
find_library(NPUBIN_GOMP NAMES libgomp.so.1 gomp REQUIRED)
target_link_libraries(npubin_dnnl INTERFACE ${NPUBIN_DNNL} ${NPUBIN_GOMP})
target_include_directories(npubin_dnnl SYSTEM INTERFACE ${NPUBIN_DNNL_INCLUDE})
find_program(NPUBIN_FLATC flatc REQUIRED)

add_library(npubin_dependencies INTERFACE)
target_link_libraries(npubin_dependencies INTERFACE
  fmt::fmt nlohmann_json::nlohmann_json protobuf::libprotobuf ZLIB::ZLIB JPEG::JPEG PNG::PNG
  npubin_dnnl PkgConfig::XXHASH PkgConfig::MD PkgConfig::HWY Threads::Threads)
