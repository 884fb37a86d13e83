#pragma once

#include <autoshard/mysql_store.h>

#include <map>
#include <string>

/// Session variables that the statements of the store depend on, and that the administrator of a server may
/// have set for all sessions.
namespace autoshard::mysql_store {

/// Names of variables, in lower case, and their values in a session.
using Variables = std::map<std::string, std::string>;

/// Returns the value of a variable; empty if there is none of this name.
std::string value_of(const Variables& variables, const std::string& name);

/// Returns a statement that has to run before that of `select_variables`, so that no limit of the server cuts
/// its result.
std::string begin_session(bool is_mariadb);

/// Returns a statement that reads the variables which the store depends on, or which tell what server it is.
std::string select_variables();

/// Returns a statement that sets each of these variables to the value that the store needs; empty if all of
/// them have it.
std::string set_variables(const Variables& variables, const MySqlOptions& options);

/// Returns why the store cannot use a server with these variables, and what to do; empty if the store can use
/// it.
std::string objection(const Variables& variables);

}  // namespace autoshard::mysql_store
