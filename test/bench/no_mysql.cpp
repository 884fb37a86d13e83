#include <stdexcept>

#include "figure6.h"

namespace autoshard::bench {

std::vector<Row> run_figure6_on_mysql(Figure6Options, const std::filesystem::path&, bool) {
  throw std::runtime_error("this was built without mariadb-server, galera-4 or rsync");
}

}  // namespace autoshard::bench
