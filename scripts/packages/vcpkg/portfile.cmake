# The SDK alone: find_package(tickreel COMPONENTS sdk). Its package file finds lz4 and zstd by pkg-config, so not on Windows.
vcpkg_check_linkage(ONLY_STATIC_LIBRARY)
vcpkg_from_github(
  OUT_SOURCE_PATH SOURCE_PATH
  REPO tickreel/tickreel
  REF "v${VERSION}"
  SHA512 0
  HEAD_REF main)
vcpkg_find_acquire_program(PKGCONFIG)
vcpkg_cmake_configure(
  SOURCE_PATH "${SOURCE_PATH}"
  OPTIONS
    -DTICKREEL_COMPONENTS=sdk
    -DPKG_CONFIG_EXECUTABLE=${PKGCONFIG})
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/tickreel)
vcpkg_fixup_pkgconfig()
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
