/** Signing of Android packages, after the build: Cordova would leave the passwords in a file. */
import path from 'node:path';

import { BuildError, type BuildKey } from '../builder.ts';
import type { AndroidTools } from './requirements.ts';

/** A program, its arguments and what is added to its environment. */
export interface SigningStep {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export interface AndroidPackage {
  /** APK or app bundle, as Gradle has made it. */
  readonly unsigned: string;
  /** The signed one, a file that does not exist. */
  readonly signed: string;
  readonly type: 'apk' | 'aab';
}

/**
 * The steps that sign a package. Passwords are in the environment of the programs, never among their arguments, which
 * every user of the machine can see. https://developer.android.com/tools/apksigner
 *
 * @throws BuildError when the key has no keystore, or its alias or passwords are not known
 */
export function androidSigningSteps(
  { unsigned, signed, type }: AndroidPackage,
  { key, files, passwords }: BuildKey,
  { zipalign, apksigner, jarsigner }: AndroidTools,
): readonly SigningStep[] {
  const { keystore } = files;
  const { keystore_pw: storePassword, key_pw: keyPassword = storePassword } = passwords ?? {};
  if (keystore === undefined || storePassword === undefined || keyPassword === undefined) {
    throw new BuildError('The signing key has no keystore, or no passwords: add it again, and unlock it.');
  }
  const env = { KEYSTORE_PASSWORD: storePassword, KEY_PASSWORD: keyPassword };
  const { alias } = key;
  // `jarsigner` would take it for an option.
  if (alias === null || alias === '' || alias.startsWith('-')) {
    throw new BuildError('Keystore alias not recognized');
  }
  if (type === 'aab') {
    const passwordOptions = ['-storepass:env', 'KEYSTORE_PASSWORD', '-keypass:env', 'KEY_PASSWORD'];
    return [
      {
        command: jarsigner,
        args: ['-keystore', keystore, ...passwordOptions, '-signedjar', signed, unsigned, alias],
        env,
      },
    ];
  }
  const aligned = path.join(path.dirname(signed), 'aligned.apk');
  const passwordOptions = ['--ks-pass', 'env:KEYSTORE_PASSWORD', '--key-pass', 'env:KEY_PASSWORD'];
  return [
    { command: zipalign, args: ['-f', '-p', '4', unsigned, aligned], env: {} },
    {
      command: apksigner,
      args: ['sign', '--ks', keystore, '--ks-key-alias', alias, ...passwordOptions, '--out', signed, aligned],
      env,
    },
    { command: apksigner, args: ['verify', signed], env: {} },
  ];
}
