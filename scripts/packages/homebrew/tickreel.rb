class Tickreel < Formula
  desc "Record, read, repair, convert and show recordings of games"
  homepage "https://github.com/tickreel/tickreel"
  url "https://github.com/tickreel/tickreel/archive/refs/tags/v0.3.0.tar.gz"
  sha256 "0000000000000000000000000000000000000000000000000000000000000000"
  license "MIT"

  depends_on "boost" => :build
  depends_on "cli11" => :build
  depends_on "cmake" => :build
  depends_on "ninja" => :build
  depends_on "pkgconf" => :build
  depends_on "tomlplusplus" => :build
  depends_on "xxhash" => :build
  depends_on "cnats"
  depends_on "fmt"
  depends_on "libdeflate"
  depends_on "libsodium"
  depends_on "libzip"
  depends_on "lua"
  depends_on "lz4"
  depends_on "simdjson"
  depends_on "zstd"

  uses_from_macos "bzip2"
  uses_from_macos "curl"
  uses_from_macos "sqlite"
  uses_from_macos "zlib"

  # Headers alone; Homebrew has no formula of it.
  resource "tl-expected" do
    url "https://github.com/TartanLlama/expected/archive/refs/tags/v1.1.0.tar.gz"
    sha256 "0000000000000000000000000000000000000000000000000000000000000000"
  end

  def install
    resource("tl-expected").stage do
      system "cmake", "-S", ".", "-B", "build", "-DEXPECTED_BUILD_TESTS=OFF", "-DCMAKE_INSTALL_PREFIX=#{buildpath}/expected"
      system "cmake", "--install", "build"
    end
    system "cmake", "-S", ".", "-B", "build", "-G", "Ninja", *std_cmake_args,
           "-DCMAKE_PREFIX_PATH=#{buildpath}/expected", "-DTICKREEL_BUILD_TESTS=OFF", "-DTICKREEL_BUILD_EXAMPLES=OFF",
           "-DTICKREEL_INSTALL_LIBRARIES=OFF"
    system "cmake", "--build", "build", "--target", "tickreel"
    system "cmake", "--install", "build", "--component", "program"
    generate_completions_from_executable(bin/"tickreel", "completion")
    (man1/"tickreel.1").write Utils.safe_popen_read(bin/"tickreel", "man")
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/tickreel --version")
    (testpath/"none.reel").write "no recording"
    assert_match "none.reel", shell_output("#{bin}/tickreel info none.reel 2>&1", 1)
  end
end
