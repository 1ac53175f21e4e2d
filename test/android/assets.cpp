// `assets APK ID FILE...`: prints what Android 10's own code (Debian's libandroidfw and libziparchive) reads from a package: its entries,
// the icon and the theme for each kind of phone, and the middle byte of some files.
#include <androidfw/ApkAssets.h>
#include <androidfw/AssetManager2.h>
#include <androidfw/ResourceTypes.h>
#include <ziparchive/zip_archive.h>
#include <cstdio>
#include <string>
#include <vector>
using namespace android;

/** Extracts every entry. */
static void readEntries(const char* apk) {
  ZipArchiveHandle archive;
  void* cookie;
  if (OpenArchive(apk, &archive) != 0 || StartIteration(archive, &cookie) != 0) {
    printf("zip: not opened\n");
    return;
  }
  ZipEntry entry;
  std::string name;
  int wrong = 0, unaligned = 0, result;
  while ((result = Next(cookie, &entry, &name)) == 0) {
    std::vector<uint8_t> content(entry.uncompressed_length + 1);
    wrong += ExtractToMemory(archive, &entry, content.data(), entry.uncompressed_length) != 0;
    unaligned += entry.method == kCompressStored && entry.offset % 4 != 0;
  }
  // -1 means the end.
  printf("zip: %d wrong, %d unaligned, end %d\n", wrong, unaligned, result);
}

static void showFile(const AssetManager2& manager, const char* what, uint32_t id) {
  Res_value value;
  ResTable_config config;
  uint32_t flags;
  ApkAssetsCookie cookie = manager.GetResource(id, false, 640, &value, &config, &flags);
  std::string text = "not found";
  size_t length;
  if (cookie != kInvalidCookie) {
    const char16_t* wide = manager.GetStringPoolForCookie(cookie)->stringAt(value.data, &length);
    text = std::string(wide, wide + length);
  }
  printf(", %s %s", what, text.c_str());
}

static void showAttribute(AssetManager2& manager, Theme& theme, const char* what, uint32_t id) {
  Res_value value;
  ResTable_config config;
  uint32_t flags, last = 0;
  ApkAssetsCookie cookie = theme.GetAttribute(id, &value, &flags);
  if (cookie != kInvalidCookie) {
    manager.ResolveReference(cookie, &value, &config, &flags, &last);
  }
  printf(", %s %d", what, cookie == kInvalidCookie ? 0 : (int) value.data);
}

int main(int count, char** arguments) {
  readEntries(arguments[1]);
  auto system = ApkAssets::Load("/usr/share/android-framework-res/framework-res.apk", true);
  auto package = ApkAssets::Load(arguments[1]);
  if (!system || !package) {
    printf("not loaded\n");
    return 1;
  }
  AssetManager2 manager;
  manager.SetApkAssets({system.get(), package.get()});
  for (int sdk : {24, 26, 29}) {
    for (bool night : {false, true}) {
      ResTable_config config = {};
      config.size = sizeof(config);
      config.sdkVersion = sdk;
      config.density = 480;
      config.uiMode = night ? ResTable_config::UI_MODE_NIGHT_YES : ResTable_config::UI_MODE_NIGHT_NO;
      manager.SetConfiguration(config);
      printf("API %d, %s", sdk, night ? "night" : "day");
      showFile(manager, "icon", manager.GetResourceId("mipmap/icon", "", arguments[2]));
      auto theme = manager.NewTheme();
      theme->ApplyStyle(manager.GetResourceId("style/AppTheme", "", arguments[2]), true);
      showAttribute(manager, *theme, "windowNoTitle", 0x01010056);
      showAttribute(manager, *theme, "windowBackground", 0x01010054);
      showAttribute(manager, *theme, "isLightTheme", 0x01010590);
      printf("\n");
    }
  }
  for (int index = 3; index < count; index++) {
    auto asset = manager.Open(arguments[index], Asset::ACCESS_STREAMING);
    char byte = 0;
    if (!asset || asset->seek(asset->getLength() / 2, SEEK_CUR) < 0 || asset->read(&byte, 1) != 1) {
      printf("%s: not read\n", arguments[index]);
      continue;
    }
    printf("%s: %lld bytes, %c in the middle\n", arguments[index], (long long) asset->getLength(), byte);
  }
  return 0;
}
