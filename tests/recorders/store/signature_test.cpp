#include "s3/signature.hpp"

#include <boost/test/unit_test.hpp>

#include "s3/answers.hpp"
#include "s3/credentials.hpp"
#include "s3/s3_store.hpp"

BOOST_AUTO_TEST_SUITE(recorders_store_tests)
BOOST_AUTO_TEST_SUITE(signature_test)

using namespace tickreel;
using namespace tickreel::store;

namespace {

// The examples that Amazon publishes for S3 ("Authenticating Requests: Using the Authorization Header").
const credentials example{"AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", ""};
constexpr std::string_view time_of_example = "20130524T000000Z";
constexpr std::string_view no_content = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

std::string signature(std::string_view method, std::string_view path, const text_pairs& query,
                      text_pairs headers, std::string_view hash) {
  headers.emplace_back("x-amz-date", time_of_example);
  headers.emplace_back("x-amz-content-sha256", hash);
  const std::string whole =
      authorization({method, path, query, headers, hash}, example, "us-east-1", time_of_example);
  BOOST_TEST(whole.starts_with(
      "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,SignedHeaders="));
  BOOST_TEST(whole.find("EXAMPLEKEY") == std::string::npos);
  return whole.substr(whole.find("Signature=") + 10);
}

const text_pairs host = {{"host", "examplebucket.s3.amazonaws.com"}};

}  // namespace

BOOST_AUTO_TEST_SUITE(published_examples_of_signatures)

BOOST_AUTO_TEST_CASE(get_object) {
  text_pairs headers = host;
  headers.emplace_back("range", "bytes=0-9");
  BOOST_TEST(sha256_hex({}) == no_content);
  BOOST_TEST(signature("GET", "/test.txt", {}, headers, no_content) ==
             "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41");
}

BOOST_AUTO_TEST_CASE(put_object) {
  text_pairs headers = host;
  headers.emplace_back("date", "Fri, 24 May 2013 00:00:00 GMT");
  headers.emplace_back("x-amz-storage-class", "REDUCED_REDUNDANCY");
  const std::string hash = sha256_hex(as_bytes("Welcome to Amazon S3."));
  BOOST_TEST(hash == "44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072");
  BOOST_TEST(uri_encoded("/test$file.text", true) == "/test%24file.text");
  BOOST_TEST(signature("PUT", "/test%24file.text", {}, headers, hash) ==
             "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd");
}

BOOST_AUTO_TEST_CASE(put_object_in_pieces) {
  text_pairs headers = {{"host", "s3.amazonaws.com"},
                        {"x-amz-storage-class", "REDUCED_REDUNDANCY"},
                        {"content-encoding", "aws-chunked"},
                        {"x-amz-decoded-content-length", "66560"},
                        {"content-length", "66824"}};
  BOOST_TEST(
      signature("PUT", "/examplebucket/chunkObject.txt", {}, headers, "STREAMING-AWS4-HMAC-SHA256-PAYLOAD") ==
      "4f232c4386841ef735655705268965c44a0e4690baa4adea153f7db9fa80a0a9");
}

BOOST_AUTO_TEST_CASE(get_lifecycle) {
  BOOST_TEST(signature("GET", "/", {{"lifecycle", ""}}, host, no_content) ==
             "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543");
}

BOOST_AUTO_TEST_CASE(list_objects) {
  BOOST_TEST(signature("GET", "/", {{"prefix", "J"}, {"max-keys", "2"}}, host, no_content) ==
             "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7");
}

BOOST_AUTO_TEST_CASE(spaces_in_values_are_ignored) {
  text_pairs headers = host;
  headers.emplace_back("range", "  bytes=0-9 ");
  BOOST_TEST(signature("GET", "/test.txt", {}, headers, no_content) ==
             "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(answers)

BOOST_AUTO_TEST_CASE(odd_names_are_encoded_and_read) {
  const std::string odd = "a b+c%/\xC3\xA4&<>\"'=?#;~._-";
  BOOST_TEST(uri_encoded(odd, true) == "a%20b%2Bc%25/%C3%A4%26%3C%3E%22%27%3D%3F%23%3B~._-");
  BOOST_TEST(percent_decoded(uri_encoded(odd, false)) == odd);
  BOOST_TEST(percent_decoded("100%&%2") == "100%&%2");
  BOOST_TEST(element("<a><Key x='1'>" + xml_escaped(odd) + "</Key></a>", "Key").value() == odd);
  BOOST_TEST(element("<Key>&#xe4;&#228;&bogus;&#x110000;&amp</Key>", "Key").value() ==
             "\xC3\xA4\xC3\xA4&bogus;&#x110000;&amp");
  BOOST_TEST(!element("<Keys>a</Keys>", "Key"));
  BOOST_TEST(!element("<Key>a", "Key"));
  BOOST_TEST(element("<Key/>", "Key").value().empty());
}

BOOST_AUTO_TEST_CASE(lists) {
  const auto page = parse_list(
      "<?xml version=\"1.0\"?><ListBucketResult xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">"
      "<IsTruncated>true</IsTruncated><Contents><Key>a&amp;b</Key><Size>12</Size></Contents>"
      "<Contents><Key>c</Key><Size>0</Size></Contents><NextContinuationToken>t</NextContinuationToken>"
      "</ListBucketResult>");
  BOOST_REQUIRE(page.has_value());
  BOOST_TEST(page->objects.size() == 2u);
  BOOST_TEST(page->objects[0].key == "a&b");
  BOOST_TEST(page->objects[0].bytes == 12u);
  BOOST_TEST(page->next == "t");
  for (const char* wrong :
       {"", "<html>", "<ListBucketResult><Contents><Key>a</Key></Contents></ListBucketResult>",
        "<ListBucketResult><Contents><Key>a</Key><Size>-1</Size></Contents></ListBucketResult>",
        "<ListBucketResult><IsTruncated>true</IsTruncated></ListBucketResult>"}) {
    BOOST_TEST(!parse_list(wrong).has_value());
  }
}

BOOST_AUTO_TEST_CASE(retryable_errors) {
  for (const long status : {500L, 502L, 503L, 504L, 429L, 408L}) BOOST_TEST(refusal_of(status, "").again);
  for (const long status : {400L, 401L, 403L, 404L, 409L, 501L}) BOOST_TEST(!refusal_of(status, "").again);
  BOOST_TEST(refusal_of(400, "RequestTimeout").again);
  BOOST_TEST((refusal_of(404, "NoSuchBucket").what.code == error_code::not_found));
  BOOST_TEST((refusal_of(403, "SignatureDoesNotMatch").what.code == error_code::permission_denied));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(settings)

BOOST_AUTO_TEST_CASE(profiles_of_a_file) {
  const char* text =
      "# mine\r\n[default]\naws_access_key_id = A\naws_secret_access_key=B=c\n\n[league]\n"
      "aws_access_key_id=L\naws_secret_access_key = S \naws_session_token = T\n[broken\naws_access_key_id=X";
  const auto first = parse_credentials(text, "default");
  BOOST_REQUIRE(first.has_value());
  BOOST_TEST(first->access_key == "A");
  BOOST_TEST(first->secret_key == "B=c");
  BOOST_TEST(first->session_token.empty());
  BOOST_TEST(parse_credentials(text, "league").value().session_token == "T");
  BOOST_TEST((parse_credentials(text, "other").error().code == error_code::not_found));
}

BOOST_AUTO_TEST_CASE(addresses) {
  BOOST_TEST(parse_s3_url("s3://bucket").value().prefix.empty());
  BOOST_TEST(parse_s3_url("s3://bucket//a b/c//").value().prefix == "a b/c");
  for (const char* wrong : {"s3://", "s3:///x", "s3://ab", "s3://a..b", "s3://a b c/", "http://bucket/x"}) {
    BOOST_TEST(!parse_s3_url(wrong).has_value());
  }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
