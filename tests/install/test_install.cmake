# Installs the build into an empty prefix, builds the samples against it, and runs them and the installed
# programs.

execute_process(COMMAND mktemp -d OUTPUT_VARIABLE folder OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
set(prefix ${folder}/prefix)
set(failures 0)

function(run_step)  # prints the command's output only if the command fails
  execute_process(COMMAND ${ARGN} OUTPUT_VARIABLE output ERROR_VARIABLE output RESULT_VARIABLE code)
  if(NOT code EQUAL 0)
    file(REMOVE_RECURSE ${folder})
    message(FATAL_ERROR "${ARGN}\nended with ${code}:\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()
function(expect text)
  string(FIND "${output}" "${text}" at)
  if(at EQUAL -1)
    math(EXPR count "${failures} + 1")
    set(failures ${count} PARENT_SCOPE)
    message("expected \"${text}\" in:\n${output}")
  endif()
endfunction()

run_step(${CMAKE_COMMAND} --install ${BUILD} --prefix ${prefix})
if(NOT CUDA)  # like the build: without CUDA, even if there is a compiler
  set(CUDA NOTFOUND)
endif()
run_step(${CMAKE_COMMAND} -S ${SOURCE}/samples/edge_operator -B ${folder}/build -G ${GENERATOR} -DCMAKE_CXX_COMPILER=${CXX} -DCMAKE_CUDA_COMPILER=${CUDA} -DCMAKE_CUDA_FLAGS=${CUDA_FLAGS}
         -DCMAKE_PREFIX_PATH=${prefix})
run_step(${CMAKE_COMMAND} --build ${folder}/build)
run_step(${prefix}/${BINDIR}/lockstep-preprocess ${SOURCE}/samples/paper.txt -o ${folder}/paper.h5 --schedule all)

# The expected sums of the edges of figure 3 with the weights of samples/paper.txt were computed by hand.
foreach(strategy agm-e agm-n sgm diag blkdiag el-sgm el nl)
  run_step(${folder}/build/edge_operator ${folder}/paper.h5 ${strategy})
  expect("12 edges")
  expect("CPU: bitwise identical to the serial loop")
  expect("strongest row: 1, strength 12, heaviest edge 5")
  expect("strongest column: 0, strength 15, heaviest edge 5")
  if(CUDA AND NOT output MATCHES "GPU: none found")
    expect("GPU: bitwise identical to the serial loop")
  endif()
endforeach()

# Runs an update of one set of vertices under every strategy, as a program and with lockstep-execute --update.
run_step(${CMAKE_COMMAND} -S ${SOURCE}/samples/springs -B ${folder}/springs -G ${GENERATOR} -DCMAKE_CXX_COMPILER=${CXX} -DCMAKE_CUDA_COMPILER=${CUDA} -DCMAKE_CUDA_FLAGS=${CUDA_FLAGS}
         -DCMAKE_PREFIX_PATH=${prefix})
run_step(${CMAKE_COMMAND} --build ${folder}/springs)
run_step(${prefix}/${BINDIR}/lockstep-generate grid --width 30 --height 30 -o ${folder}/mesh.txt)
run_step(${prefix}/${BINDIR}/lockstep-preprocess ${folder}/mesh.txt -o ${folder}/mesh.h5 --ends vertices --rank 4 --schedule all)
foreach(strategy agm-e diag blkdiag tiled stars local el el-shuffled nl nl-marks nl-el hogwild)
  run_step(${folder}/springs/springs ${folder}/mesh.h5 ${strategy})
  expect("${strategy}: 1740 springs")
  if(strategy MATCHES "^(agm-e|diag|blkdiag|tiled|stars|local)$")
    expect("bitwise identical to a serial loop")
  endif()
endforeach()
set(ENV{LOCKSTEP_CACHE} ${folder}/cache)
run_step(${prefix}/${BINDIR}/lockstep-execute ${folder}/mesh.h5 --update ${SOURCE}/samples/springs/spring.hpp --strategy all --sweeps 2 --verify)
expect("nl: 2 sweeps")
expect("bitwise identical")

# Runs operators along arcs and over active vertices, on a graph of many components and on roads with lengths.
run_step(${CMAKE_COMMAND} -S ${SOURCE}/samples/operators -B ${folder}/operators -G ${GENERATOR} -DCMAKE_CXX_COMPILER=${CXX} -DCMAKE_CUDA_COMPILER=${CUDA} -DCMAKE_CUDA_FLAGS=${CUDA_FLAGS}
         -DCMAKE_PREFIX_PATH=${prefix})
run_step(${CMAKE_COMMAND} --build ${folder}/operators)
run_step(${prefix}/${BINDIR}/lockstep-generate random --vertices 3000 --edges 1400 -o ${folder}/web.txt)
run_step(${prefix}/${BINDIR}/lockstep-generate road --vertices 3000 -o ${folder}/road.txt)
run_step(${prefix}/${BINDIR}/lockstep-preprocess ${folder}/web.txt -o ${folder}/web.h5 --shape square --undirected --schedule edge-tiled)
run_step(${prefix}/${BINDIR}/lockstep-preprocess ${folder}/road.txt -o ${folder}/road.h5 --shape square --schedule hubs-weight,regions)
run_step(${folder}/operators/labels ${folder}/web.h5)
expect("every strategy gives the labels of union and find")
run_step(${folder}/operators/widest_path ${folder}/road.h5)
expect("every strategy gives the widths of a serial search")

# Runs kernels over worklists.
run_step(${CMAKE_COMMAND} -S ${SOURCE}/samples/worklist -B ${folder}/worklist -G ${GENERATOR} -DCMAKE_CXX_COMPILER=${CXX} -DCMAKE_CUDA_COMPILER=${CUDA} -DCMAKE_CUDA_FLAGS=${CUDA_FLAGS}
         -DCMAKE_PREFIX_PATH=${prefix})
run_step(${CMAKE_COMMAND} --build ${folder}/worklist)
run_step(${folder}/worklist/colouring ${folder}/web.h5)
expect("right by Exclusive and by a Pipe")

# Installed files must not contain the paths of the source folder or the build folder.
execute_process(COMMAND grep -rlF -e ${SOURCE}/ -e ${BUILD}/ ${prefix}/lib ${prefix}/include --include=*.cmake --include=*.h* --include=*.cuh
                OUTPUT_VARIABLE output)
if(output)
  message("these installed files name the source or build folder:\n${output}")
  math(EXPR failures "${failures} + 1")
endif()

file(READ ${prefix}/share/bash-completion/completions/lockstep-execute output)
expect("complete -F _lockstep")

if(MANDIR)
  file(READ ${prefix}/${MANDIR}/man1/lockstep-execute.1 output)
  foreach(section NAME SYNOPSIS OPTIONS EXAMPLES)
    expect(".SH ${section}")
  endforeach()
endif()

file(REMOVE_RECURSE ${folder})
if(failures)
  message(FATAL_ERROR "${failures} expectations failed")
endif()
