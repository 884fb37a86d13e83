#include <autoshard/errors.h>
#include <autoshard/mysql_store.h>

#include <cstdio>

/// Nobody listens at this address.
int main() {
  try {
    autoshard::MySqlStore store{{.endpoints = {"127.0.0.1:1"}, .user = "nobody"}};
  } catch (const autoshard::StoreUnavailable&) {
    std::puts("no server");
  }
}
