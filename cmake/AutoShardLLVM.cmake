# Finds the newest LLVM and Clang among those that the generator is made for. A version number in find_package() would
# be refused by LLVM's own version file, because every major version counts as incompatible with the others.

foreach(version IN ITEMS 22 19 16)
  find_package(LLVM QUIET CONFIG PATHS /usr/lib/llvm-${version} NO_DEFAULT_PATH)
  if(LLVM_FOUND)
    break()
  endif()
endforeach()
if(NOT LLVM_FOUND)
  find_package(LLVM REQUIRED CONFIG)
endif()
find_package(Clang REQUIRED CONFIG HINTS ${LLVM_INSTALL_PREFIX} NO_DEFAULT_PATH)
message(STATUS "AutoShard's generator uses LLVM ${LLVM_PACKAGE_VERSION}")

# The folder of the headers that belong to the compiler, such as stddef.h.
set(AUTOSHARD_RESOURCE_DIR ${LLVM_INSTALL_PREFIX}/lib/clang/${LLVM_VERSION_MAJOR})
if(NOT EXISTS ${AUTOSHARD_RESOURCE_DIR}/include/stddef.h)
  message(FATAL_ERROR "Clang's own headers are not in ${AUTOSHARD_RESOURCE_DIR}: install the package clang-${LLVM_VERSION_MAJOR}")
endif()
