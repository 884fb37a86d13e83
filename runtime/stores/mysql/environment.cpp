#include <autoshard/errors.h>
#include <autoshard/mysql_store.h>

#include <cstdlib>
#include <optional>

namespace autoshard::mysql_store {
namespace {

std::optional<std::string> variable(const std::string& name) {
  const char* const value = std::getenv(("AUTOSHARD_MYSQL_" + name).c_str());
  return value ? std::optional<std::string>(value) : std::nullopt;
}

std::string trimmed(std::string text) {
  text.erase(0, text.find_first_not_of(' '));
  return text.erase(text.find_last_not_of(' ') + 1);
}

void set(std::string& option, const std::string& name) {
  if (const auto value = variable(name)) option = *value;
}

void set(bool& option, const std::string& name) {
  const auto value = variable(name);
  if (!value) return;
  if (*value != "0" && *value != "1")
    throw InvalidUse("AUTOSHARD_MYSQL_" + name + " is \"" + *value + "\": set it to 0 or 1");
  option = *value == "1";
}

MySqlOptions options_in_environment() {
  MySqlOptions options;
  if (const auto names = variable("ENDPOINTS")) {
    options.endpoints.clear();
    for (std::size_t begin = 0; begin <= names->size();) {
      const std::size_t end = std::min(names->find(',', begin), names->size());
      options.endpoints.push_back(trimmed(names->substr(begin, end - begin)));
      begin = end + 1;
    }
  }
  set(options.user, "USER");
  set(options.password, "PASSWORD");
  set(options.database, "DATABASE");
  set(options.table, "TABLE");
  set(options.tls.ca, "TLS_CA");
  set(options.tls.certificate, "TLS_CERTIFICATE");
  set(options.tls.key, "TLS_KEY");
  set(options.tls.required, "TLS_REQUIRED");
  set(options.tls.verify, "TLS_VERIFY");
  return options;
}

}  // namespace
}  // namespace autoshard::mysql_store

namespace autoshard {

MySqlOptions MySqlOptions::from_environment() { return mysql_store::options_in_environment(); }

}  // namespace autoshard
