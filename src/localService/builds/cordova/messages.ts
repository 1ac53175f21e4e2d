import { BuildError } from '../builder.ts';

/** What Cordova prints when it fails, and what to tell the developer of the app. `$1` is what the first group has found. */
const SENTENCES: readonly (readonly [printed: RegExp, sentence: string])[] = [
  [
    /Failed to fetch plugin (\S+)/,
    'Plugin not supported: $1. Who runs the service can install it into the Cordova engine.',
  ],
  [/Variable\(s\) missing \(use: --variable (\w+)/, 'One of your plugins requires a parameter: $1.'],
  [/Cannot find plugin\.xml for plugin "([^"\s]+)"/, 'Plugin error: $1 has no plugin.xml.'],
  [/Failed to fetch platform (\S+)/, 'The Cordova engine lacks $1: install the engine again.'],
  [/Parsing .* failed|incorrect root node name/, 'Malformed config.xml.'],
  [/Error validating package name/, 'Invalid application identifier.'],
  [/Could not find an installed version of Gradle/, 'Gradle is missing: install it, and put it on PATH.'],
  [/Failed to find 'ANDROID_HOME'/, 'The Android SDK is missing: install it, and set ANDROID_HOME to its folder.'],
  [/xcodebuild was not found/, 'Xcode is missing: install it from the App Store, and open it once.'],
];

/**
 * The failure of a step of Cordova, in a sentence.
 *
 * @param lines what it has printed
 */
export function cordovaFailure(step: string, lines: readonly string[]): BuildError {
  for (const [printed, sentence] of SENTENCES) {
    const found = lines.map((line) => printed.exec(line)).find((match) => match !== null);
    if (found) {
      return new BuildError(sentence.replace('$1', () => found[1] ?? ''));
    }
  }
  return new BuildError(`The step “${step}” has failed. The log says why.`);
}
