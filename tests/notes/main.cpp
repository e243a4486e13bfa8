// A server with no system but the notes.
#include "app/larder.hpp"
#include "notes/notes_system.hpp"

int main(int argc, char** argv) {
  larder::Systems systems;
  systems.push_back(std::make_unique<larder::api::NotesSystem>());
  return larder::run_larder(argc, argv, std::move(systems));
}
