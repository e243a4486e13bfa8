// The rules of a world, as the OpenAPI document describes them.
#pragma once

#include "edges/api/api.hpp"

namespace larder::api {

FieldType rules_type();

}  // namespace larder::api
