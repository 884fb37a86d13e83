# The target autoshard_httplib: cpp-httplib, a server and a client of HTTP, where it is installed. Packages such as
# Debian's compile it as a library with OpenSSL. Then its classes have further members, and each source that includes its
# header has to say so.
find_library(HTTPLIB_LIBRARY cpp-httplib)
find_path(HTTPLIB_INCLUDE_DIR httplib.h)
find_path(OPENSSL_INCLUDE_DIR openssl/ssl.h)
if(HTTPLIB_LIBRARY AND HTTPLIB_INCLUDE_DIR AND OPENSSL_INCLUDE_DIR AND NOT TARGET autoshard_httplib)
  add_library(autoshard_httplib INTERFACE)
  target_include_directories(autoshard_httplib SYSTEM INTERFACE ${HTTPLIB_INCLUDE_DIR} ${OPENSSL_INCLUDE_DIR})
  target_compile_definitions(autoshard_httplib INTERFACE CPPHTTPLIB_OPENSSL_SUPPORT)
  target_link_libraries(autoshard_httplib INTERFACE ${HTTPLIB_LIBRARY})
endif()
