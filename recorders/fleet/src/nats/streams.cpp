#include <simdjson.h>

#include <charconv>

#include "link.hpp"

namespace tickreel::fleet {

namespace {

using simdjson::error_code::SUCCESS;
using owned_info = owned<jsStreamInfo, jsStreamInfo_Destroy>;
using owned_names = owned<jsStreamNamesList, jsStreamNamesList_Destroy>;

std::int64_t nanoseconds(std::chrono::seconds time) noexcept {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(time).count();
}

result<owned_message> make_message(const std::string& subject, const char* reply, byte_span body,
                                   const header_fields& fields) {
  natsMsg* raw = nullptr;
  natsStatus status = natsMsg_Create(&raw, subject.c_str(), reply, reinterpret_cast<const char*>(body.data()),
                                     static_cast<int>(body.size()));
  owned_message held(raw);
  for (const auto& [name, value] : fields) {
    if (status == NATS_OK) status = natsMsgHeader_Set(raw, name.c_str(), value.c_str());
  }
  if (status != NATS_OK) return fail(error_of(status));
  return held;
}

}  // namespace

// {"stream":"S","seq":7,"duplicate":true} or {"error":{"code":503,"err_code":10077,"description":"..."}}
result<stored_at> read_answer(natsMsg* answer) {
  if (natsMsg_IsNoResponders(answer)) return fail(error_of(NATS_NO_RESPONDERS));
  simdjson::dom::parser parser;
  simdjson::dom::element root;
  const auto bytes = static_cast<std::size_t>(natsMsg_GetDataLength(answer));
  if (parser.parse(natsMsg_GetData(answer), bytes).get(root) != SUCCESS) {
    return fail(error_code::bad_answer, error::no_offset, "the broker's acknowledgement is not JSON");
  }
  simdjson::dom::element failure;
  if (root["error"].get(failure) == SUCCESS) {
    std::uint64_t code = 0;
    if (failure["err_code"].get(code) != SUCCESS) code = 1;
    return fail(error_of(NATS_ERR, static_cast<int>(code)));
  }
  stored_at out;
  if (root["seq"].get(out.stream_sequence) != SUCCESS) {
    return fail(error_code::bad_answer, error::no_offset, "the broker's acknowledgement has no sequence");
  }
  if (root["duplicate"].get(out.duplicate) != SUCCESS) out.duplicate = false;
  return out;
}

result<void> broker::ensure_stream(const stream_settings& settings) {
  if (const auto there = stream(settings.name); there)
    return {};
  else if (there.error().code != error_code::not_found)
    return fail(there.error());
  jsStreamConfig config;
  jsStreamConfig_Init(&config);
  std::vector<const char*> subjects;
  for (const std::string& one : settings.subjects) subjects.push_back(one.c_str());
  config.Name = settings.name.c_str();
  config.Subjects = subjects.data();
  config.SubjectsLen = static_cast<int>(subjects.size());
  config.Retention = settings.work_queue ? js_WorkQueuePolicy : js_LimitsPolicy;
  config.MaxBytes = settings.max_bytes;
  config.MaxAge = nanoseconds(settings.max_age);
  config.MaxMsgsPerSubject = settings.max_per_subject;
  config.Discard = settings.refuse_when_full ? js_DiscardNew : js_DiscardOld;
  config.Storage = js_FileStorage;
  config.Replicas = settings.replicas;
  config.Duplicates = nanoseconds(settings.duplicates_within);
  if (settings.max_age.count() > 0) config.Duplicates = std::min(config.Duplicates, config.MaxAge);
  jsStreamInfo* info = nullptr;
  jsErrCode code{};
  const natsStatus status = js_AddStream(&info, state_->to->context.get(), &config, nullptr, &code);
  const owned_info held(info);
  // Another client created it at this moment, perhaps with other settings.
  if (status == NATS_OK || code == JSStreamNameExistErr) return {};
  return fail(error_of(*state_->to, status, static_cast<int>(code)));
}

result<stream_facts> broker::stream(const std::string& name, const std::string& subject) {
  jsOptions options;
  jsOptions_Init(&options);
  if (!subject.empty()) options.Stream.Info.SubjectsFilter = subject.c_str();
  jsStreamInfo* info = nullptr;
  jsErrCode code{};
  const natsStatus status = js_GetStreamInfo(&info, state_->to->context.get(), name.c_str(), &options, &code);
  const owned_info held(info);
  if (status != NATS_OK) return fail(error_of(*state_->to, status, static_cast<int>(code)));
  const jsStreamState& now = info->State;
  stream_facts out{.messages = now.Msgs,
                   .bytes = now.Bytes,
                   .first_sequence = now.FirstSeq,
                   .last_sequence = now.LastSeq,
                   .deleted = now.NumDeleted,
                   .created_ns = info->Created};
  if (const jsStreamConfig* const config = info->Config; config != nullptr) {
    const bool drops_oldest = config->Discard == js_DiscardOld;
    out.expires = config->MaxAge > 0 || config->MaxMsgsPerSubject > 0 ||
                  (drops_oldest && (config->MaxBytes > 0 || config->MaxMsgs > 0));
  }
  if (now.Subjects == nullptr) return out;
  for (int at = 0; at < now.Subjects->Count; ++at) {
    const jsStreamStateSubject& each = now.Subjects->List[at];
    out.subjects.emplace(each.Subject, each.Msgs);
  }
  return out;
}

// Servers of 2.9 crash if a stream is read while another connection is creating it: its name exists, but not
// its store. Only the request for its state is safe then. A stream that ever had a message exists completely.
result<bool> has_store(broker& of, broker::state& state, const std::string& stream) {
  if (state.made.contains(stream)) return true;
  const auto facts = of.stream(stream);
  if (!facts) return fail(facts.error());
  if (facts->last_sequence == 0) return false;
  state.made.insert(stream);
  return true;
}

// The message of a stream that `ask(&message, &code)` requests; nothing if the stream or the message does not exist.
template <class Ask>
static result<std::optional<message>> message_of(broker& of, broker::state& state, const std::string& stream,
                                                 Ask&& ask) {
  if (const auto there = has_store(of, state, stream); !there || !*there) {
    if (there || there.error().code == error_code::not_found) return std::nullopt;
    return fail(there.error());
  }
  natsMsg* raw = nullptr;
  jsErrCode code{};
  const natsStatus status = ask(&raw, &code);
  if (status == NATS_OK) {
    return own_message(raw, state.to,
                       {.stream_sequence = natsMsg_GetSequence(raw), .stored_at_ns = natsMsg_GetTime(raw)});
  }
  if (code == JSNoMessageFoundErr || code == JSStreamNotFoundErr || code == JSSequenceNotFoundErr ||
      (code == 0 && status == NATS_NOT_FOUND)) {
    return std::nullopt;
  }
  return fail(error_of(*state.to, status, static_cast<int>(code)));
}

result<std::vector<std::string>> broker::streams(std::string_view prefix) {
  jsStreamNamesList* list = nullptr;
  jsErrCode code{};
  const natsStatus status = js_StreamNames(&list, state_->to->context.get(), nullptr, &code);
  const owned_names held(list);
  std::vector<std::string> out;
  if (status == NATS_NOT_FOUND) return out;
  if (status != NATS_OK) return fail(error_of(*state_->to, status, static_cast<int>(code)));
  for (int at = 0; at < list->Count; ++at) {
    if (std::string_view(list->List[at]).starts_with(prefix)) out.emplace_back(list->List[at]);
  }
  return out;
}

result<void> broker::delete_stream(const std::string& name) {
  jsErrCode code{};
  state_->made.erase(name);
  const natsStatus status = js_DeleteStream(state_->to->context.get(), name.c_str(), nullptr, &code);
  if (status != NATS_OK) return fail(error_of(*state_->to, status, static_cast<int>(code)));
  return {};
}

result<stored_at> broker::publish(const std::string& subject, byte_span body, const header_fields& fields) {
  auto made = make_message(subject, nullptr, body, fields);
  if (!made) return fail(made.error());
  natsMsg* raw = nullptr;
  const natsStatus status =
      natsConnection_RequestMsg(&raw, state_->to->connection.get(), made->get(), state_->to->wait.count());
  const owned_message held(raw);
  if (status != NATS_OK) return fail(error_of(*state_->to, status, 0, subject));
  return read_answer(raw);
}

result<void> broker::publish_later(const std::string& subject, byte_span body, const header_fields& fields,
                                   std::uint64_t token) {
  const std::string reply = state_->answers_to + "." + std::to_string(token);
  auto made = make_message(subject, reply.c_str(), body, fields);
  if (!made) return fail(made.error());
  const natsStatus status = natsConnection_PublishMsg(state_->to->connection.get(), made->get());
  if (status != NATS_OK) return fail(error_of(status));
  if (token != 0) state_->awaited = subject;
  return {};
}

result<std::optional<broker::answer>> broker::next_answer(std::chrono::milliseconds wait) {
  natsMsg* raw = nullptr;
  const natsStatus status = natsSubscription_NextMsg(&raw, state_->answers.get(), wait.count());
  const owned_message held(raw);
  if (status == NATS_TIMEOUT) {
    if (const auto refused = state_->to->events->of(state_->awaited)) return fail(*refused);
    if (is_open()) return std::nullopt;
    return fail(error_of(NATS_CONNECTION_CLOSED));
  }
  if (status != NATS_OK) return fail(error_of(status));
  const std::string_view subject = natsMsg_GetSubject(raw);
  const std::string_view digits = subject.substr(subject.rfind('.') + 1);
  answer out{0, read_answer(raw)};
  std::from_chars(digits.data(), digits.data() + digits.size(), out.token);
  return out;
}

result<std::optional<message>> broker::last(const std::string& stream, const std::string& subject) {
  return message_of(*this, *state_, stream, [&](natsMsg** raw, jsErrCode* code) {
    return js_GetLastMsg(raw, state_->to->context.get(), stream.c_str(), subject.c_str(), nullptr, code);
  });
}

result<std::optional<message>> broker::at(const std::string& stream, std::uint64_t sequence) {
  if (sequence == 0) return std::nullopt;
  return message_of(*this, *state_, stream, [&](natsMsg** raw, jsErrCode* code) {
    return js_GetMsg(raw, state_->to->context.get(), stream.c_str(), sequence, nullptr, code);
  });
}

}  // namespace tickreel::fleet
