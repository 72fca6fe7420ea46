# Installed: the shared library, its headers, the command line, a CMake package and a pkg-config file.
include(CMakePackageConfigHelpers)
install(TARGETS npubin EXPORT npubinTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS npubin_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY include/npubin DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT npubinTargets NAMESPACE npubin:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/npubin)
configure_package_config_file(cmake/npubinConfig.cmake.in npubinConfig.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/npubin)
write_basic_package_version_file(npubinConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/npubinConfig.cmake ${PROJECT_BINARY_DIR}/npubinConfigVersion.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/npubin)
configure_file(cmake/npubin.pc.in npubin.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/npubin.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
