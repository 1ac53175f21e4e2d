/** Creates signed Android packages from an app's files. Also reads key files and the plugin table. */
export {
  APP_VERSION,
  JAVA_KEYWORDS,
  toAndroidId,
  toVersionCode,
  UNSAFE_CHARACTERS,
  VERSION_NUMBERS,
} from './appIdentity.ts';
export { isCompressed } from './archive/packageContent.ts';
export { BuildError, type BuiltFile, UnsupportedPluginError, type WriteLog } from './buildError.ts';
export { type AndroidPackage, buildAndroidPackage, type PackageKey } from './buildPackage.ts';
export { type AppFiles, chooseWebRoot, listFiles, readAppFiles } from './config/appFiles.ts';
export {
  artifactName,
  escapeMarkup,
  firstText,
  getVersionNumbers,
  getWebsite,
  removeUnsafeCharacters,
  requireAppId,
  requireStartPage,
  requireVersion,
  xmlAttributes,
} from './config/appValues.ts';
export {
  type ConfigFile,
  type ConfigPlugin,
  PackageError,
  parseConfig,
  toDisplayText,
} from './config/packageConfig.ts';
export { withBlankComments } from './config/xmlComments.ts';
export { getChildren } from './config/xmlElements.ts';
export { createTemporaryFolder, FILE_MODE, readBytes, removeAbandonedFolders, temporaryPrefix } from './files.ts';
export { certificateFacts, type FileFacts, readProvisioningProfile } from './keys/certificates.ts';
export { KeyFileError, type KeyFileFault } from './keys/keyEntry.ts';
export {
  checkPassword,
  getAliases,
  getFileFacts,
  isKeyPassword,
  type KeyFile,
  type PasswordCheck,
  readCertificates,
  readKeyFile,
} from './keys/keyFile.ts';
export type { Certificate } from './keys/selfSigned.ts';
export { getFingerprints, openKeystore, type Signer } from './keys/signer.ts';
export { createSelfSigned, createTestKeyLoader } from './keys/testKey.ts';
export { MAX_CONFIG_BYTES, MAX_ID_LENGTH, MAX_KEY_FILE_BYTES, MAX_VERSION_CODE } from './limits.ts';
export {
  type Fingerprints,
  MOBILE_PLATFORMS,
  type Platform,
  PLATFORMS,
  type Plugin,
  type SignedWith,
} from './model.ts';
export {
  allowedPermissions,
  getPluginPermissions,
  PAGE_PERMISSIONS,
  type PagePermission,
  PERMISSIONS_PREFERENCE,
} from './pages/pagePermissions.ts';
export { type HttpUse, PageScan } from './pages/pageScan.ts';
export { mayHaveScripts } from './pages/pageScripts.ts';
export { TextLines, type TextPosition } from './pages/textLines.ts';
export {
  currentName,
  harmlessPlugin,
  isCapacitorPlugin,
  isCleartextPlugin,
  isKnownPlugin,
  isOnNpm,
  isPackageName,
  isVersionRange,
  NEWEST,
  PLUGIN_CALLS,
} from './plugins/cordovaPlugins.ts';
export { CAPACITOR_CORE, getNativePlugin, NATIVE_PLUGINS, WEB_SQL } from './plugins/nativePlugins.ts';
export { SUPPORTED_PLUGINS } from './plugins/pluginNotes.ts';
export type { DeclaredPlugin, PluginUse } from './plugins/pluginSearch.ts';
export { PNG_HEAD_BYTES, pngSize } from './png.ts';
