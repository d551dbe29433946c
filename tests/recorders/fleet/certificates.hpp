// Certificates of a test authority, for servers on this machine. Created with openssl.
#pragma once

#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "preconditions.hpp"

namespace tickreel::test {

inline const auto with_certificates = needed(
    [] {
      static const bool has_openssl = std::system("openssl version > /dev/null 2>&1") == 0;
      return has_openssl ? nullptr : "no openssl, which makes the certificates";
    },
    "TICKREEL_REQUIRE_FLEET");

// NAME.pem and NAME.key in the folder.
class authority {
 public:
  explicit authority(const std::string& folder) : folder_(folder) {
    std::filesystem::create_directories(folder);
    run("req -x509 -days 2 -subj /CN=tests -out ca.pem -keyout ca.key" + new_key);
  }
  // `subject_name`: as in subjectAltName, "DNS:localhost"; empty for clients.
  void sign(const std::string& name, const std::string& subject_name = "") const {
    ask(name, subject_name);
    run("x509 -req -days 2 -in " + name +
        ".csr -CA ca.pem -CAkey ca.key -CAcreateserial -extfile more -out " + name + ".pem");
  }
  // The validity period: "20200101000000Z".
  void sign_for_a_time(const std::string& name, const std::string& subject_name, const std::string& from,
                       const std::string& until) const {
    ask(name, subject_name);
    std::ofstream(folder_ + "/index").close();
    std::ofstream(folder_ + "/ca.conf")
        << "[ca]\ndefault_ca=own\n[own]\ndatabase=index\nnew_certs_dir=.\ncertificate=ca.pem\n"
           "private_key=ca.key\nrand_serial=yes\ndefault_md=sha256\npolicy=any\n[any]\ncommonName=supplied\n";
    run("ca -batch -notext -config ca.conf -in " + name + ".csr -extfile more -startdate " + from +
        " -enddate " + until + " -out " + name + ".pem");
  }
  [[nodiscard]] std::string operator/(const std::string& file) const { return folder_ + '/' + file; }

 private:
  void ask(const std::string& name, const std::string& subject_name) const {
    std::ofstream(folder_ + "/more") << (subject_name.empty() ? "" : "subjectAltName=" + subject_name + "\n");
    run("req -subj /CN=" + name + " -out " + name + ".csr -keyout " + name + ".key" + new_key);
  }
  void run(const std::string& words) const {
    const std::string line = "cd '" + folder_ + "' && openssl " + words + " 2> log || { cat log; exit 1; }";
    BOOST_REQUIRE(std::system(line.c_str()) == 0);
  }

  inline static const std::string new_key = " -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes";
  std::string folder_;
};

}  // namespace tickreel::test
