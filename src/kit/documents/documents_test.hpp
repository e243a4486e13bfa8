// Documents on a separate Redis.
#pragma once

#include "base/limits.hpp"
#include "kit/documents/documents.hpp"
#include "support/redis_servers.hpp"
#include "support/run.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace larder::documents {

inline void PrintTo(Document const& document, std::ostream* out) {
  *out << fmt::format("{} at {}", document.text.value_or("nothing"), document.revision);
}

class DocumentsTest : public testing::Test {
 protected:
  using Texts = std::vector<std::string>;

  Document read(std::string key) { return test::run(io, documents.read(std::move(key))); }
  Committed commit(std::vector<Change> changes) {
    return test::run(io, documents.commit(std::move(changes)));
  }
  std::string cli(Texts const& words) { return server.cli(words); }
  // A digest of all data, which a refused call must not change.
  std::string digest() const { return server.cli({"DEBUG", "DIGEST"}); }
  // The message of the ReplyError that the task throws, or "nothing".
  template <class T>
  std::string failure(Task<T> task) {
    try {
      test::run(io, std::move(task));
    } catch (redis::ReplyError const& error) {
      return error.what();
    }
    return "nothing";
  }

  test::RedisServer server{{.settings = {"enable-debug-command yes"}}};
  asio::io_context io;
  Metrics metrics;
  redis::Redis redis{io, {.url = redis::parse_url(server.url()), .tls_ca = {}}, metrics};
  Documents documents{redis};
};

}  // namespace larder::documents
