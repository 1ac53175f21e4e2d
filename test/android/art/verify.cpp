// `verify BOOT.dex APP.dex CLASS...`: prints the verdicts of ART 11's own verifier (Debian's libart) on classes. That library has no
// headers, so its functions are declared here. Both files are on the boot class path, because class loaders don't exist without Android's
// Java.
#include <jni.h>
#include <cstdint>
#include <cstdio>
#include <string>
#include <unistd.h>
#include <utility>
#include <vector>

namespace art {
namespace mirror {
class Class;
class Object;
}
class CompilerCallbacks;
template <typename T> struct ObjPtr { uintptr_t reference; };
class Runtime {
 public:
  static bool Create(const std::vector<std::pair<std::string, const void*>>& options, bool ignore_unrecognized);
};
class Thread {
 public:
  static Thread* CurrentFromGdb();
  ObjPtr<mirror::Object> DecodeJObject(jobject object) const;
};
namespace verifier {
enum class FailureKind { kNoFailure, kAccessChecksFailure, kSoftFailure, kHardFailure };
enum class HardFailLogMode { kLogNone, kLogVerbose, kLogWarning, kLogInternalFatal };
class ClassVerifier {
 public:
  static FailureKind VerifyClass(
      Thread* self, ObjPtr<mirror::Class> klass, CompilerCallbacks* callbacks, bool allow_soft_failures, HardFailLogMode log,
      uint32_t api_level, std::string* error);
};
}
}
using namespace art;

int main(int count, char** arguments) {
  std::vector<std::pair<std::string, const void*>> options;
  const std::string path = std::string("-Xbootclasspath:") + arguments[1] + ":" + arguments[2];
  for (const std::string& option : {path, std::string("-Ximage:/none"), std::string("-Xusejit:false"), std::string("-Xno-sig-chain")}) {
    options.push_back({option, nullptr});
  }
  JavaVM* machine;
  jsize machines = 0;
  JNIEnv* java;
  if (!Runtime::Create(options, false) || JNI_GetCreatedJavaVMs(&machine, 1, &machines) != JNI_OK ||
      machine->GetEnv((void**) &java, JNI_VERSION_1_6) != JNI_OK) {
    printf("ART doesn't start\n");
    return 1;
  }
  for (int index = 3; index < count; index++) {
    jclass found = java->FindClass(arguments[index]);
    if (found == nullptr) {
      java->ExceptionClear();
      printf("%s: not loaded\n", arguments[index]);
      continue;
    }
    Thread* self = Thread::CurrentFromGdb();
    std::string error;
    auto kind = verifier::ClassVerifier::VerifyClass(
        self, {self->DecodeJObject(found).reference}, nullptr, true, verifier::HardFailLogMode::kLogWarning, 36, &error);
    static const char* const kinds[] = {"good", "access checks", "soft", "hard"};
    printf("%s: %s %s\n", arguments[index], kinds[(int) kind], error.c_str());
  }
  fflush(stdout);
  _exit(0);
}
