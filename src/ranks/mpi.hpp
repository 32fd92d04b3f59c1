// SPDX-License-Identifier: Apache-2.0
// Ranks by MPI, through a module that is a shared object of its own (module.h): the program runs
// where there is no MPI, and a module can be built for another MPI than the one it was packaged
// with.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "ranks/transport.hpp"

namespace chancel {

// The number of ranks, from the environment that the launcher (mpirun, srun) sets; 0: a launcher
// that does not give it, 1: started without a launcher.
unsigned launched_ranks(const std::function<const char*(const char*)>& environment);

// Loads the module from the first of these files that is there, and joins the other ranks. Null:
// `*problem` says why not.
std::unique_ptr<Transport> join_mpi(const std::vector<std::string>& files, std::string* problem);

}  // namespace chancel
