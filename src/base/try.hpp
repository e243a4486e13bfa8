// Passes a refusal on to the caller, or continues with the value.
//
//   TRY(auto const type, read_type(request));             // in a function that returns a Result
//   CO_TRY(auto const made, co_await ledger.post(entry)); // in a coroutine that returns a Result
//   TRY_DO(check(request));                               // for a Result<void>; also CO_TRY_DO
#pragma once

#include <expected>
#include <utility>

#define LARDER_JOIN_(a, b) a##b
#define LARDER_JOIN(a, b) LARDER_JOIN_(a, b)
#define LARDER_TRY_(leave, result, declaration, ...)             \
  auto result = (__VA_ARGS__);                                   \
  if (!result) leave std::unexpected(std::move(result).error()); \
  declaration = *std::move(result)

#define TRY(declaration, ...) LARDER_TRY_(return, LARDER_JOIN(tried_, __LINE__), declaration, __VA_ARGS__)
#define CO_TRY(declaration, ...) \
  LARDER_TRY_(co_return, LARDER_JOIN(tried_, __LINE__), declaration, __VA_ARGS__)

#define LARDER_TRY_DO_(leave, ...) \
  if (auto tried = (__VA_ARGS__); !tried) leave std::unexpected(std::move(tried).error())

#define TRY_DO(...) LARDER_TRY_DO_(return, __VA_ARGS__)
#define CO_TRY_DO(...) LARDER_TRY_DO_(co_return, __VA_ARGS__)
