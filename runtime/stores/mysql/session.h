#pragma once

#include <autoshard/mysql_store.h>

#include <map>
#include <string>

/// What a server's administrator may have set for all sessions and a statement of ours depends on.
namespace autoshard::mysql_store {

/// Names of variables, in lower case, and their values in a session.
using Variables = std::map<std::string, std::string>;

/// Empty if there is none of this name.
std::string value_of(const Variables& variables, const std::string& name);

/// A statement after which `select_variables` gives all of them.
std::string begin_session(bool is_mariadb);

/// A statement that gives the variables which the store depends on or which say what server it is.
std::string select_variables();

/// A statement that sets those of these variables that have another value than the store needs; empty if none
/// has.
std::string set_variables(const Variables& variables, const MySqlOptions& options);

/// Why the store cannot use a server with these variables, and what to do; empty if it can.
std::string objection(const Variables& variables);

}  // namespace autoshard::mysql_store
