#pragma once

#include <mariadb/mysql.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "mariadb_server.h"

namespace autoshard::test {

/// A session without any of the store's precautions.
class Session {
 public:
  explicit Session(const MariaDbServer& node) : connection_(mysql_init(nullptr), mysql_close) {
    if (!mysql_real_connect(connection_.get(), nullptr, "root", "", "autoshard", 0, node.socket().c_str(), 0))
      throw std::runtime_error(mysql_error(connection_.get()));
  }

  /// The number of the first error, 0 if there is none.
  unsigned run(const std::vector<std::string>& statements) {
    for (const std::string& sql : statements) {
      if (mysql_query(connection_.get(), sql.c_str()) != 0) return mysql_errno(connection_.get());
    }
    return 0;
  }

  /// The rows that a statement gives, null as an empty text. Throws `std::runtime_error`.
  std::vector<std::vector<std::string>> rows(const std::string& sql) {
    if (mysql_query(connection_.get(), sql.c_str()) != 0)
      throw std::runtime_error(mysql_error(connection_.get()));
    const std::unique_ptr<MYSQL_RES, void (*)(MYSQL_RES*)> result(mysql_store_result(connection_.get()),
                                                                  mysql_free_result);
    if (!result) throw std::runtime_error(mysql_error(connection_.get()));
    std::vector<std::vector<std::string>> rows;
    while (MYSQL_ROW row = mysql_fetch_row(result.get())) {
      std::vector<std::string>& values = rows.emplace_back();
      for (unsigned i = 0; i < mysql_num_fields(result.get()); ++i) values.emplace_back(row[i] ? row[i] : "");
    }
    return rows;
  }

 private:
  std::unique_ptr<MYSQL, void (*)(MYSQL*)> connection_;
};

}  // namespace autoshard::test
