import { nameOf } from './paths.ts';

/** What does not go into a package by its name, whatever ignore files say. */

/** Of version control: not even a rule takes them in. */
const VERSION_CONTROL = /^\.(?:git|hg|svn)$/i;
/** What tools and systems put beside an app. */
const NOT_PART_OF_APP = /^(?:node_modules|\.vscode|\.idea|\.DS_Store|Thumbs\.db|__MACOSX)$/i;
/** What Cordova makes, at the top of its project. */
const MADE_BY_CORDOVA = /^(?:platforms|plugins)$/i;

const SECRET = new RegExp(
  [
    // Variables and credentials of tools; a name such as `.envrc` too.
    String.raw`\.env.*`,
    String.raw`\.npmrc|\.netrc|_netrc|\.pypirc|\.git-credentials|\.htpasswd`,
    String.raw`\.ssh|\.gnupg|\.aws`,
    // Keys and key stores, and Apple's profiles, which belong to the signing keys of the service.
    String.raw`.*\.(?:keystore|jks|bks|p12|pfx|p8|ppk|kdbx|mobileprovision|provisionprofile)`,
    String.raw`id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?`,
    // Passwords of key stores.
    String.raw`(?:key|keystore|signing|.*-signing)\.properties`,
  ]
    .map((name) => `^(?:${name})$`)
    .join('|'),
  'i',
);

/** Names that Windows gives to devices, with any extension (Microsoft, "Naming Files, Paths, and Namespaces"). */
const DEVICE_NAME = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])\s*(?:\.|$)/i;
/** Bytes of a name and of a path that every system takes, with some room for the folder that a package is unpacked to. */
const MAX_NAME_BYTES = 255;
const MAX_PATH_BYTES = 800;

export function isVersionControl(name: string): boolean {
  return VERSION_CONTROL.test(name);
}

/** @param isMadeByCordova whether the name is at the top of a Cordova project */
export function isNotPartOfApp(name: string, isAtTopOfCordovaProject: boolean): boolean {
  return NOT_PART_OF_APP.test(name) || (isAtTopOfCordovaProject && MADE_BY_CORDOVA.test(name));
}

export function isSecretName(name: string): boolean {
  return SECRET.test(name);
}

/** Whether a zip archive can carry a path, and every system can unpack it: services refuse the whole archive otherwise. */
export function isPortable(path: string): boolean {
  const name = nameOf(path);
  return (
    name !== '' &&
    name !== '..' &&
    !/[\\:\p{Cc}\p{Cs}\p{Zl}\p{Zp}\uFFFD]/u.test(name) &&
    !/[. ]$/.test(name) &&
    !DEVICE_NAME.test(name) &&
    Buffer.byteLength(name) <= MAX_NAME_BYTES &&
    Buffer.byteLength(path) <= MAX_PATH_BYTES
  );
}

/** A path as the file systems of Windows and macOS compare it. */
export function comparable(path: string): string {
  return path.normalize('NFC').toLowerCase();
}
