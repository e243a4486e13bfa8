// Exports and forgets the account of a player.
//
// Forgetting deletes the account: its name and its password go, its sessions end, and its towns become ruins.
// The id was drawn at random, so without the account it names nobody. It stays where it keeps a deleted
// account from coming back.
#pragma once

#include "edges/api/user_stores.hpp"
#include "kit/events/privacy/subject.hpp"

namespace larder::api {

// Section: account, without the password.
Task<void> export_account(UserStores at, UserId user, privacy::ExportTo to);

// May be repeated. Throws StoreError until the towns are ruins, which the servers see to. Returns what stays,
// in words; empty: nothing.
Task<std::string> forget_account(UserStores at, UserId user);

}  // namespace larder::api
