#include "commands/agreement.hpp"

#include <fmt/format.h>

#include <cstring>
#include <exception>
#include <new>
#include <stdexcept>
#include <vector>

#include "cleave/core/error.hpp"
#include "commands/console.hpp"
#include "commands/exit_code.hpp"

namespace cleave {
namespace {

/// Result of a rank: its exit code and error if it failed, else the text that must be equal on all ranks.
struct Word {
  int code = 0;
  std::string text;

  Ranks::Bytes bytes() const {
    Ranks::Bytes all(sizeof code + text.size());
    std::memcpy(all.data(), &code, sizeof code);
    std::memcpy(all.data() + sizeof code, text.data(), text.size());
    return all;
  }
  static Word from(const Ranks::Bytes& bytes) {
    Word word;
    std::memcpy(&word.code, bytes.data(), sizeof word.code);
    word.text.assign(reinterpret_cast<const char*>(bytes.data()) + sizeof word.code, bytes.size() - sizeof word.code);
    return word;
  }
};

}  // namespace

void in_agreement(Ranks& ranks, const std::function<std::string()>& f) {
  Word own;
  std::exception_ptr error;
  try {
    own.text = f();
  } catch (const InputError& e) {
    own = {exit_code::wrong_input, e.what()};
    error = std::current_exception();
  } catch (const std::bad_alloc&) {
    own = {exit_code::other_error, no_memory};
    error = std::current_exception();
  } catch (const std::exception& e) {
    own = {exit_code::other_error, e.what()};
    error = std::current_exception();
  }
  if (ranks.is_alone()) {
    if (error) std::rethrow_exception(error);
    return;
  }
  std::vector<Word> words;
  for (const Ranks::Bytes& bytes : ranks.gather_everywhere(own.bytes())) words.push_back(Word::from(bytes));
  const Word& first = words.front();
  for (int r = 0; r < ranks.count(); ++r) {
    const Word& word = words[r];
    const bool other = word.code == 0 && word.text != first.text;
    if (word.code == 0 && !other) continue;
    const int code = other ? exit_code::wrong_input : word.code;
    if (!ranks.is_first()) throw LetGo{code};
    if (error) std::rethrow_exception(error);
    const std::string text =
        other ? "it reads another case or another mesh than rank 0: give all ranks the same files" : word.text;
    const std::string report = fmt::format("rank {}: {}", r, text);
    if (code == exit_code::wrong_input) throw InputError(report);
    throw std::runtime_error(report);
  }
}

bool OthersWait::told_to_go(Ranks& ranks) {
  bool go = false;
  ranks.broadcast(&go, sizeof go);
  return go;
}

void OthersWait::tell(bool go) {
  told_ = true;
  ranks_.broadcast(&go, sizeof go);
}

void together(Ranks& ranks, const std::function<void()>& f) {
  if (ranks.is_alone()) return f();
  const auto end = [&](const char* why) {
    const std::string text = fmt::format("rank {}: {}", ranks.rank(), why);
    tell("cleave: {}; all ranks end", text);
    ranks.end_all(text);
  };
  try {
    f();
  } catch (const InputError&) {
    throw;
  } catch (const NumericalError&) {
    throw;
  } catch (const std::bad_alloc&) {
    end(no_memory);
  } catch (const std::exception& error) {
    end(error.what());
  }
}

}  // namespace cleave
