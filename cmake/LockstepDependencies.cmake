# Finds all dependencies of Lockstep. The names of the Debian 12 packages are in tools/install-packages.sh.

find_package(Threads REQUIRED)
find_package(OpenMP REQUIRED COMPONENTS CXX)
find_package(HDF5 1.10 REQUIRED COMPONENTS C)
find_package(Boost 1.74 REQUIRED COMPONENTS program_options)
find_package(fmt REQUIRED)
find_package(nlohmann_json 3.11 REQUIRED)
find_package(LibArchive REQUIRED)
find_package(ZLIB REQUIRED)

# Programs link the static library of HDF5 where there is one. The shared one loads 28 other libraries, for files on the
# network, which takes half of a program's start. liblockstep.so needs the shared one, whose code may lie anywhere.
list(GET HDF5_C_LIBRARIES 0 hdf5_shared)
get_filename_component(hdf5_folder "${hdf5_shared}" DIRECTORY)
find_library(HDF5_STATIC_LIBRARY NAMES libhdf5.a libhdf5_serial.a PATHS ${hdf5_folder} NO_DEFAULT_PATH)
find_library(SZIP_LIBRARY sz)
set(hdf5 hdf5::hdf5)
if(HDF5_STATIC_LIBRARY AND SZIP_LIBRARY)
  set(static ${HDF5_STATIC_LIBRARY} ${SZIP_LIBRARY} ZLIB::ZLIB ${CMAKE_DL_LIBS})
  set(hdf5 "$<IF:$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>,${static},hdf5::hdf5>")
endif()
add_library(lockstep_hdf5 INTERFACE)
target_include_directories(lockstep_hdf5 SYSTEM INTERFACE ${HDF5_C_INCLUDE_DIRS})
target_link_libraries(lockstep_hdf5 INTERFACE ${hdf5})

find_path(METIS_INCLUDE_DIR metis.h REQUIRED)
find_library(METIS_LIBRARY metis REQUIRED)
find_path(XXHASH_INCLUDE_DIR xxhash.h REQUIRED)
find_path(RANDOM123_INCLUDE_DIR Random123/philox.h REQUIRED)

find_path(JEMALLOC_INCLUDE_DIR jemalloc/jemalloc.h)  # optional: allocator of the programs
find_library(JEMALLOC_LIBRARY jemalloc)

find_path(CAIRO_INCLUDE_DIR cairo-svg.h PATH_SUFFIXES cairo)  # optional: pictures of layouts
find_library(CAIRO_LIBRARY cairo)

file(STRINGS ${METIS_INCLUDE_DIR}/metis.h metis_lines REGEX "#define METIS_VER_")
string(REGEX REPLACE "[^0-9]*([0-9]+)[^0-9]+([0-9]+)[^0-9]+([0-9]+).*" "\\1.\\2.\\3" LOCKSTEP_METIS_VERSION "${metis_lines}")

# The CUDA backend. Everything else builds without it.
set(LOCKSTEP_HAS_CUDA OFF)
set(LOCKSTEP_CUDA_DESCRIPTION "not compiled in")
if(NOT LOCKSTEP_CUDA STREQUAL "OFF")
  if(NOT CMAKE_CUDA_COMPILER AND NOT DEFINED ENV{CUDACXX} AND EXISTS /usr/local/cuda/bin/nvcc)
    set(CMAKE_CUDA_COMPILER /usr/local/cuda/bin/nvcc)
  endif()
  if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
    set(CMAKE_CUDA_ARCHITECTURES 90)
  endif()
  include(CheckLanguage)
  check_language(CUDA)
  if(CMAKE_CUDA_COMPILER)
    enable_language(CUDA)
    # CMake 3.25.1 (Debian 12) does not recognize nvcc's support of C++20.
    if(NOT CMAKE_CUDA20_STANDARD_COMPILE_OPTION)
      set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION "-std=c++20")
      set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION "-std=c++20")
    endif()
    set(CMAKE_CUDA_STANDARD 20)
    find_package(CUDAToolkit REQUIRED)
    set(LOCKSTEP_HAS_CUDA ON)
    # NCCL is optional. Its header is needed to use several GPUs; the library is loaded at run time.
    find_path(NCCL_INCLUDE_DIR nccl.h HINTS ${CUDAToolkit_INCLUDE_DIRS} ENV NCCL_HOME PATH_SUFFIXES include)
    set(LOCKSTEP_CUDA_DESCRIPTION "${CMAKE_CUDA_COMPILER_VERSION}, architectures ${CMAKE_CUDA_ARCHITECTURES}")
  elseif(LOCKSTEP_CUDA STREQUAL "ON")
    message(FATAL_ERROR "LOCKSTEP_CUDA=ON, but no CUDA compiler was found; set CUDACXX")
  endif()
endif()
message(STATUS "Lockstep: CUDA backend ${LOCKSTEP_HAS_CUDA} (${LOCKSTEP_CUDA_DESCRIPTION})")

# MPI is optional. With it, several processes can share a run of lockstep-execute.
set(LOCKSTEP_HAS_MPI OFF)
if(NOT LOCKSTEP_MPI STREQUAL "OFF")
  find_package(MPI COMPONENTS C)
  if(MPI_C_FOUND)
    set(LOCKSTEP_HAS_MPI ON)
  elseif(LOCKSTEP_MPI STREQUAL "ON")
    message(FATAL_ERROR "LOCKSTEP_MPI=ON, but no MPI was found; Debian has libopenmpi-dev")
  endif()
endif()
message(STATUS "Lockstep: MPI ${LOCKSTEP_HAS_MPI}")
