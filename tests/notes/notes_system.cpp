#include "notes/notes_system.hpp"

#include <fmt/format.h>

namespace larder::api {

namespace {

constexpr ErrorCode note_not_found{ErrorKind::not_found, "note_not_found"};
constexpr ErrorCode too_many_notes{ErrorKind::conflict, "too_many_notes"};

// KEYS: the user's notes    ARGV: name, text, largest number of notes
// Returns 1; 0 if there would be too many notes
redis::Script const put_note{"put_note", R"(
  local full = redis.call('HLEN', KEYS[1]) >= tonumber(ARGV[3])
  if full and redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then return 0 end
  redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
  return 1
)"};

std::string key_of(UserId const& uid) { return fmt::format("{{notes:{}}}", uid.str()); }

}  // namespace

Task<Result<Notes::Note>> Notes::put(UserId uid, Note note) {
  auto const reply = co_await redis_.run(
      redis::Use::idempotent_write,
      redis::ScriptCall(put_note).keys(key_of(uid)).args(note.name, note.text, notes_max_));
  if (reply.integer() == 0)
    co_return refuse(too_many_notes, fmt::format("a user keeps at most {} notes", notes_max_));
  co_return note;
}

Task<Result<Notes::Note>> Notes::get(UserId uid, std::string name) {
  auto const key = key_of(uid);
  auto const reply = co_await redis_.command(redis::Use::read, key, {"HGET", key, name});
  if (reply.is_nil()) co_return refuse(note_not_found, "there is no note with this name");
  co_return Note{.name = std::move(name), .text = std::string(reply.text())};
}

Task<std::vector<Notes::Note>> Notes::list(UserId uid, std::string after, std::int64_t limit) {
  auto const key = key_of(uid);
  auto const reply = co_await redis_.command(redis::Use::read, key, {"HGETALL", key});
  std::vector<Note> notes;
  for (std::size_t i = 0; i + 1 < reply.size(); i += 2) {
    if (reply.at(i).text() <= after) continue;
    notes.push_back({.name = std::string(reply.at(i).text()), .text = std::string(reply.at(i + 1).text())});
  }
  std::ranges::sort(notes, {}, &Note::name);
  if (notes.size() > std::size_t(limit)) notes.resize(std::size_t(limit));
  co_return notes;
}

namespace {

struct OneNote {
  UserId uid;
  Notes::Note note;
};
struct ListOfNotes {
  UserId uid;
  std::string after;
  std::int64_t limit = 0;
};
constexpr auto name_kind = kind::text(1, 64);

Schema<OneNote> note_path() {
  return Schema<OneNote>()
      .path("uid", kind::user_id, &OneNote::uid, "whose note it is")
      .path("name", name_kind, [](OneNote& one) -> auto& { return one.note.name; }, "the name of the note");
}

Schema<OneNote> new_note() {
  return note_path().body(ObjectSchema<OneNote>().required(
      "text", kind::text(1, 1000), [](OneNote& one) -> auto& { return one.note.text; }, "what to keep"));
}

Schema<ListOfNotes> list_of_notes() {
  return Schema<ListOfNotes>()
      .path("uid", kind::user_id, &ListOfNotes::uid, "whose notes")
      .page(&ListOfNotes::limit, [](std::string const& cursor, ListOfNotes& list) {
        list.after = cursor;
        return true;
      });
}

json::object to_json(Notes::Note const& note) { return {{"name", note.name}, {"text", note.text}}; }

Answering put(Notes& notes, OneNote one) {
  CO_TRY(auto const note, co_await notes.put(std::move(one.uid), std::move(one.note)));
  co_return json_response(to_json(note));
}

Answering get(Notes& notes, OneNote one) {
  CO_TRY(auto const note, co_await notes.get(std::move(one.uid), std::move(one.note.name)));
  co_return json_response(to_json(note));
}

Answering list(Notes& notes, ListOfNotes asked) {
  auto const found = co_await notes.list(std::move(asked.uid), std::move(asked.after), asked.limit);
  co_return page_response(
      found, asked.limit, [](Notes::Note const& note) { return to_json(note); },
      [](Notes::Note const& note) { return note.name; });
}

}  // namespace

Api NotesSystem::api() const {
  static std::vector<Field> const note = {required("name", type::text(), "the name of the note"),
                                          required("text", type::text(), "what is kept")};
  static Route const routes[] = {
      {Method::put,
       "/v1/notes/{uid}/{name}",
       Scope::messages,
       handle(new_note(), &put),
       {.id = "put_note", .summary = "Keeps a note", .answer = note, .refusals = {too_many_notes}}},
      {Method::get,
       "/v1/notes/{uid}/{name}",
       Scope::messages,
       handle(note_path(), &get),
       {.id = "get_note", .summary = "Shows a note", .answer = note, .refusals = {note_not_found}}},
      {Method::get,
       "/v1/notes/{uid}",
       Scope::messages,
       handle(list_of_notes(), &list),
       {.id = "list_notes", .summary = "Lists the notes of a user by name", .answer = note}},
  };
  return {.tables = {routes}};
}

}  // namespace larder::api
