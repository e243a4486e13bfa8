#include "systems/cache/cascade.hpp"

#include "systems/cache/snowflake.hpp"

#include <algorithm>

namespace larder::cache {

namespace {

constexpr std::size_t few_messages = 50;
constexpr std::string_view job_kinds[] = {"guild", "channel", "thread", "role"};

// The names in `pairs` (name, value, name, value...) whose value `matches`.
template <class Matches>
std::vector<std::string> names_where(Reads::List const& pairs, Matches matches) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i + 1 < pairs.size(); i += 2) {
    if (matches(pairs[i + 1])) names.push_back(pairs[i]);
  }
  return names;
}

}  // namespace

void Cascade::reactions(Id message) {
  auto& workspace = objects_.workspace();
  auto const& keys = objects_.keys();
  auto const emojis = workspace.elements(keys.reactions(message));
  for (auto const& emoji : emojis) {
    workspace.clear(keys.reaction(message, emoji));
    workspace.remove(keys.reactions(message), emoji, Role::index);
  }
  use(emojis.size());
}

void Cascade::message(Id channel, Id id) {
  auto& workspace = objects_.workspace();
  auto const& keys = objects_.keys();
  reactions(id);
  auto const answers = workspace.elements(keys.voted(id));
  for (auto const& answer : answers) {
    workspace.clear(keys.votes(id, answer));
    workspace.remove(keys.voted(id), answer, Role::index);
  }
  workspace.remove_text(keys.message(id));
  workspace.unrank(keys.messages_of(channel), id);
  use(2);
}

bool Cascade::messages_of(Id channel) {
  if (!has_room()) return false;
  auto& workspace = objects_.workspace();
  auto const key = objects_.keys().messages_of(channel);
  auto const missed = workspace.missed();
  // Most channels have few messages. The limits do not depend on the room, so that each question is asked
  // once.
  auto limit = std::min(few_messages, keys_max_);
  auto found = workspace.oldest(key, limit);
  if (found.size() >= limit) {
    limit = keys_max_;
    found = workspace.oldest(key, limit);
  }
  if (workspace.missed() != missed) {
    use(limit);  // so no more is asked for than can be removed
    return false;
  }
  for (auto const& id : found) {
    if (!has_room()) return false;
    message(channel, id);
  }
  return found.size() < limit;
}

bool Cascade::thread(Id guild, Id id) {
  auto& workspace = objects_.workspace();
  auto const& keys = objects_.keys();
  workspace.remove_text(keys.thread(id));
  workspace.replace_hash(keys.thread_members(id), {}, {});
  use(2);
  if (!messages_of(id)) return false;
  workspace.remove(keys.talked_in(guild), id, Role::outermost_index);
  workspace.remove_field(keys.threads_of(guild), id, Role::outermost_index);
  return true;
}

void Cascade::invite(Id guild, std::string_view code) {
  objects_.workspace().remove_text(objects_.keys().invite(code));
  objects_.workspace().remove_field(objects_.keys().invites_of(guild), code, Role::index);
  use(1);
}

void Cascade::webhooks(Id guild, std::optional<Id> channel, std::optional<Id> application) {
  auto& workspace = objects_.workspace();
  auto const& keys = objects_.keys();
  auto const ids = names_where(workspace.pairs(keys.webhooks_of(guild)), [&](std::string_view where) {
    auto const colon = where.find(':');
    return (!channel || where.substr(0, colon) == *channel) &&
           (!application || where.substr(colon + 1) == *application);
  });
  for (auto const& id : ids) {
    workspace.remove_text(keys.webhook(id));
    workspace.remove_field(keys.webhooks_of(guild), id, Role::index);
  }
  use(ids.size());
}

bool Cascade::channel(std::optional<Id> guild, Id id) {
  auto& workspace = objects_.workspace();
  auto const& keys = objects_.keys();
  workspace.remove_field(guild ? keys.channels(*guild) : keys.dm_channels(), id);
  if (!guild) return messages_of(id);
  workspace.remove_text(keys.guild_of(id));
  workspace.remove_text(keys.stage_instance(id));
  workspace.remove(keys.stages_of(*guild), id, Role::index);
  webhooks(*guild, id, std::nullopt);
  auto const here = [&](std::string_view channel) { return channel == id; };
  for (auto const& code : names_where(workspace.pairs(keys.invites_of(*guild)), here)) invite(*guild, code);
  bool done = true;
  for (auto const& thread_id : names_where(workspace.pairs(keys.threads_of(*guild)), here)) {
    done = has_room() && thread(*guild, thread_id) && done;
  }
  if (!messages_of(id)) return false;
  workspace.remove(keys.talked_in(*guild), id, Role::outermost_index);
  return done;
}

void Cascade::member(Id guild, Id user) {
  auto& workspace = objects_.workspace();
  auto const& keys = objects_.keys();
  workspace.remove(keys.members(guild), user, Role::index);
  workspace.remove_text(keys.member(guild, user));
  workspace.remove_text(keys.presence(guild, user));
  workspace.remove(keys.presences_of(guild), user, Role::index);
  workspace.remove_field(keys.voice_states(guild), user);
  workspace.remove(keys.guilds_of(user), guild, Role::index);
  if (workspace.elements(keys.guilds_of(user)).empty()) {
    auto const ttl = objects_.ttl(Resource::users);
    auto const stranger = std::chrono::duration_cast<Workspace::Ttl>(stranger_ttl);
    workspace.expire_text(keys.user(user), ttl.count() > 0 ? std::min(ttl, stranger) : stranger);
  }
  use(2);
}

bool Cascade::guild(Id id) {
  auto& workspace = objects_.workspace();
  auto const& keys = objects_.keys();
  workspace.remove(keys.guilds(), id, Role::list);
  for (auto const& key : {keys.guild(id), keys.widget(id), keys.welcome_screen(id)})
    workspace.remove_text(key);
  for (auto const& event : workspace.fields(keys.scheduled_events(id))) {
    workspace.clear(keys.interested(id, event));
  }
  auto const channels = workspace.fields(keys.channels(id));
  for (auto const& channel : channels) workspace.remove_text(keys.guild_of(channel));
  use(channels.size());
  workspace.replace_hash(keys.channels(id), {}, {}, Role::index);  // it leads to the texts above
  for (auto key :
       {keys.roles(id), keys.emojis(id), keys.stickers(id), keys.voice_states(id), keys.automod_rules(id),
        keys.scheduled_events(id), keys.integrations(id), keys.templates(id)}) {
    workspace.replace_hash(std::move(key), {}, {});
  }
  workspace.clear(keys.gone_roles(id));
  use(13);
  webhooks(id, std::nullopt, std::nullopt);
  for (auto const& code : workspace.fields(keys.invites_of(id))) invite(id, code);
  for (auto const& channel : workspace.elements(keys.stages_of(id))) {
    workspace.remove_text(keys.stage_instance(channel));
    workspace.remove(keys.stages_of(id), channel, Role::index);
    use(1);
  }
  // Takes a portion of a set that may be large. The next step finds the rest.
  auto const some = [&](std::string const& set, auto remove) {
    if (!has_room()) return false;
    auto const found = workspace.elements(set, keys_max_);
    for (auto const& element : found) {
      if (!has_room()) return false;
      remove(element);
    }
    return found.size() < keys_max_;
  };
  bool done = some(keys.members(id), [&](std::string const& user) { member(id, user); });
  done = some(keys.presences_of(id),
              [&](std::string const& user) {
                workspace.remove_text(keys.presence(id, user));
                workspace.remove(keys.presences_of(id), user, Role::index);
                use(1);
              }) &&
         done;
  done = some(keys.bans_of(id),
              [&](std::string const& user) {
                workspace.remove_text(keys.ban(id, user));
                workspace.remove(keys.bans_of(id), user, Role::index);
                use(1);
              }) &&
         done;
  for (auto const& thread_id : workspace.fields(keys.threads_of(id))) {
    done = has_room() && thread(id, thread_id) && done;
  }
  for (auto const& channel : workspace.elements(keys.talked_in(id))) {
    bool const empty = has_room() && messages_of(channel);
    if (empty) workspace.remove(keys.talked_in(id), channel, Role::outermost_index);
    done = empty && done;
  }
  return done;
}

void Cascade::role(Id guild, Id id, std::vector<std::string> const& users) {
  auto& workspace = objects_.workspace();
  auto const& keys = objects_.keys();
  auto const gone = fmt::format("\"{}\"", id);
  for (auto const& user : users) {
    auto const key = keys.member(guild, user);
    auto const stored = workspace.text(key);
    if (!stored || stored->find(gone) == std::string_view::npos) continue;
    auto const text = compact(*stored);
    auto member = text ? RawObject::parse(*text) : std::nullopt;
    if (!member) continue;
    auto roles = elements_of(member->find("roles"));
    if (std::erase(roles, std::string_view(gone)) == 0) continue;
    member->set("roles", array_of(roles));
    workspace.set_text(key, member->text(), objects_.ttl(Resource::members));
  }
}

std::string CascadeJob::name() const {
  auto const word = job_kinds[std::size_t(kind)];
  return kind == Kind::guild ? fmt::format("{}:{}", word, guild) : fmt::format("{}:{}:{}", word, guild, id);
}

std::optional<CascadeJob> CascadeJob::parse(std::string_view name) {
  auto const first = std::min(name.find(':'), name.size());
  auto const* const kind = std::ranges::find(job_kinds, name.substr(0, first));
  if (kind == std::end(job_kinds) || first == name.size()) return std::nullopt;
  CascadeJob job{.kind = Kind(kind - std::begin(job_kinds)), .guild = {}};
  auto const rest = name.substr(first + 1);
  auto const second = std::min(rest.find(':'), rest.size());
  job.guild = rest.substr(0, second);
  if (second < rest.size()) job.id = rest.substr(second + 1);
  bool const direct = job.guild == "@me" && job.kind == Kind::channel;
  if (!direct && !is_snowflake(job.guild)) return std::nullopt;
  if ((job.kind == Kind::guild) != job.id.empty() || (!job.id.empty() && !is_snowflake(job.id))) {
    return std::nullopt;
  }
  return job;
}

bool run_step(Cascade& cascade, CascadeJob const& job) {
  switch (job.kind) {
    case CascadeJob::Kind::guild: return cascade.guild(job.guild);
    case CascadeJob::Kind::channel:
      return cascade.channel(job.guild == "@me" ? std::nullopt : std::optional<Id>(job.guild), job.id);
    case CascadeJob::Kind::thread: return cascade.thread(job.guild, job.id);
    case CascadeJob::Kind::role: break;
  }
  return true;
}

}  // namespace larder::cache
