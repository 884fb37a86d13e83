# Finds the newest LLVM and Clang among those that the generator is made for. A version number in find_package() would
# be refused by LLVM's own version file, because every major version counts as incompatible with the others.

enable_language(C) # in which LLVM looks for what it is linked with

set(AUTOSHARD_LLVM_VERSION "" CACHE STRING "The major version of LLVM; empty: the newest of 22, 19")

foreach(version IN ITEMS 22 19)
  if(AUTOSHARD_LLVM_VERSION STREQUAL "" OR AUTOSHARD_LLVM_VERSION STREQUAL version)
    find_package(LLVM QUIET CONFIG PATHS /usr/lib/llvm-${version} NO_DEFAULT_PATH)
  endif()
  if(LLVM_FOUND)
    break()
  endif()
endforeach()
if(NOT LLVM_FOUND)
  find_package(LLVM REQUIRED CONFIG)
endif()
if(AUTOSHARD_LLVM_VERSION AND NOT AUTOSHARD_LLVM_VERSION EQUAL LLVM_VERSION_MAJOR)
  message(FATAL_ERROR "There is no LLVM ${AUTOSHARD_LLVM_VERSION}: install the packages "
                      "llvm-${AUTOSHARD_LLVM_VERSION}-dev libclang-${AUTOSHARD_LLVM_VERSION}-dev "
                      "clang-${AUTOSHARD_LLVM_VERSION}, or configure another -DAUTOSHARD_LLVM_VERSION")
endif()
find_package(Clang REQUIRED CONFIG HINTS ${LLVM_INSTALL_PREFIX} NO_DEFAULT_PATH)
message(STATUS "AutoShard's generator uses LLVM ${LLVM_PACKAGE_VERSION}")

# The folder of the headers that belong to the compiler, such as stddef.h.
set(AUTOSHARD_RESOURCE_DIR ${LLVM_INSTALL_PREFIX}/lib/clang/${LLVM_VERSION_MAJOR})
if(NOT EXISTS ${AUTOSHARD_RESOURCE_DIR}/include/stddef.h)
  message(FATAL_ERROR "Clang's own headers are not in ${AUTOSHARD_RESOURCE_DIR}: "
                      "install the package clang-${LLVM_VERSION_MAJOR}")
endif()

# autoshard_static_clang(<variable> <library>...): the archives to link for <library>s of Clang, or empty if one of them
# is missing. (Debian's targets for Clang's archives lead to the shared LLVM, so only their names are used.)
function(autoshard_static_clang variable)
  set(${variable} "" PARENT_SCOPE)
  set(clang ${ARGN})
  set(archives)
  while(clang)
    list(POP_FRONT clang library)
    if(NOT TARGET ${library})
      return()
    endif()
    get_target_property(archive ${library} LOCATION)
    if(archive IN_LIST archives)
      continue()
    endif()
    if(NOT archive MATCHES "\\.a$" OR NOT EXISTS ${archive})
      return()
    endif()
    list(APPEND archives ${archive})
    get_target_property(needed ${library} INTERFACE_LINK_LIBRARIES)
    list(FILTER needed INCLUDE REGEX "^clang")
    list(APPEND clang ${needed})
  endwhile()
  llvm_map_components_to_libnames(
    llvm coverage frontenddriver frontendhlsl frontendopenmp frontendoffloading hipstdpar irreader option passes support
    targetparser windowsdriver)
  foreach(library IN LISTS llvm ITEMS ZLIB::ZLIB zstd::libzstd_shared)
    if(NOT TARGET ${library})
      return()
    endif()
  endforeach()
  list(JOIN archives "," archives)
  set(${variable} $<LINK_GROUP:RESCAN,${archives}> ${llvm} PARENT_SCOPE)
endfunction()
