// The ledger as a library: #include <larder/ledger.hpp>, link larder::ledger.
#pragma once

#include "systems/ledger/embedded_ledger.hpp"
