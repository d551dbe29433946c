"""The SDK alone, tickreel::sdk, for Conan 2."""

from conan import ConanFile
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy, get, rmdir
from conan.tools.gnu import PkgConfigDeps


class TickreelConan(ConanFile):
    name = "tickreel"
    version = "0.3.0"
    description = "Records live games tick by tick: the SDK for C++20"
    homepage = url = "https://github.com/tickreel/tickreel"
    license = "MIT"
    package_type = "static-library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"fPIC": [True, False]}
    default_options = {"fPIC": True}
    implements = ["auto_shared_fpic"]
    sha256 = "0000000000000000000000000000000000000000000000000000000000000000"

    def layout(self):
        cmake_layout(self, src_folder="src")

    def requirements(self):
        self.requires("libdeflate/[>=1.14 <2]")
        self.requires("lz4/[>=1.9.4 <2]")
        self.requires("tl-expected/[>=1.0 <2]", transitive_headers=True)
        self.requires("xxhash/[>=0.8.1 <1]")
        self.requires("zlib/[>=1.2.13 <2]")
        self.requires("zstd/[>=1.5.4 <2]")

    def source(self):
        archive = f"{self.url}/archive/refs/tags/v{self.version}.tar.gz"
        get(self, archive, sha256=self.sha256, strip_root=True)

    def generate(self):
        toolchain = CMakeToolchain(self)
        toolchain.cache_variables["TICKREEL_COMPONENTS"] = "sdk"
        toolchain.generate()
        CMakeDeps(self).generate()
        PkgConfigDeps(self).generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        copy(self, "LICENSE", self.source_folder, f"{self.package_folder}/licenses")
        CMake(self).install()
        # CMakeDeps and PkgConfigDeps of the consumer write these.
        rmdir(self, f"{self.package_folder}/lib/cmake")
        rmdir(self, f"{self.package_folder}/lib/pkgconfig")

    def package_info(self):
        sdk = self.cpp_info.components["sdk"]
        sdk.libs = ["tickreel_sdk"]
        sdk.set_property("cmake_target_name", "tickreel::sdk")
        sdk.set_property("pkg_config_name", "tickreel-sdk")
        sdk.requires = [
            "libdeflate::libdeflate", "lz4::lz4", "tl-expected::tl-expected", "xxhash::xxhash", "zlib::zlib", "zstd::zstd"]
        if self.settings.os in ("Linux", "FreeBSD"):
            sdk.system_libs = ["pthread"]
