/**
 * Builds iOS apps on macOS. Xcode builds an unsigned app, which is then signed with a temporary keychain. The user's
 * keychains are neither read nor changed.
 */
import { randomBytes } from 'node:crypto';
import { copyFile, mkdir, readdir, readFile, rename } from 'node:fs/promises';
import path from 'node:path';

import type { BuildKey, BuildResult } from '../builder.ts';
import { keyFault } from '../buildKeys.ts';
import { inheritedEnvironment, toolPath } from '../runProgram.ts';
import { requireMade, type CordovaPlatformBuild } from './platformBuild.ts';
import { artifactName, BuildError } from '../../../android-package/index.ts';

const NO_KEY = 'You must provide a signing key, first';

interface IosKey {
  readonly certificate: string;
  readonly profile: string;
  readonly password: string;
}

/** Builds a signed IPA. */
export async function buildIos(build: CordovaPlatformBuild): Promise<BuildResult> {
  const { job, folder, workFolder, config, cordova, run } = build;
  const key = await usableKey(job.key);
  const env = { ...inheritedEnvironment(['DEVELOPER_DIR'], build.env), PATH: toolPath(build.env) };
  const tool: RunTool = (step, command, args, more) => run(step, command, args, { ...env, ...more });
  const start = Date.now();
  // Cordova searches PATH for CocoaPods and Xcode's tools.
  await cordova('Prepare', ['prepare', 'ios'], env);
  const products = path.join(workFolder, 'derived');
  const project = ['-workspace', path.join(folder, 'platforms', 'ios', 'App.xcworkspace'), '-scheme', 'App'];
  const target = ['-configuration', 'Release', '-sdk', 'iphoneos', '-destination', 'generic/platform=iOS'];
  const args = [...project, ...target, '-derivedDataPath', products, 'CODE_SIGNING_ALLOWED=NO', 'build'];
  await tool('Compile', 'xcodebuild', args);

  const output = path.join(products, 'Build', 'Products', 'Release-iphoneos');
  const name = (await readdir(output).catch(() => [])).find((each) => each.endsWith('.app')) ?? 'App.app';
  const payload = path.join(workFolder, 'Payload');
  const app = path.join(payload, name);
  await requireMade(path.join(output, name), start);
  await mkdir(payload);
  await rename(path.join(output, name), app);
  await signApp(app, config.id, key, workFolder, tool);
  const artifact = path.join(workFolder, 'artifact.ipa');
  await tool('Pack', 'ditto', ['-c', '-k', '--keepParent', payload, artifact]);
  return {
    path: await requireMade(artifact, start),
    fileName: `${artifactName(config.name, config.version)}.ipa`,
  };
}

/** Runs a macOS tool. @returns the last lines of its output */
type RunTool = CordovaPlatformBuild['run'];

/**
 * Returns the key, if it can sign.
 *
 * @throws BuildError if it can't
 */
async function usableKey(key: BuildKey | undefined): Promise<IosKey> {
  const { cert: certificate, profile } = key?.files ?? {};
  const password = key?.passwords?.password;
  const fault = key === undefined ? NO_KEY : await keyFault(key);
  if (fault !== undefined || certificate === undefined || profile === undefined || password === undefined) {
    throw new BuildError(
      fault ?? 'The signing key doesn’t have its certificate, profile, or password. Add it again and unlock it.',
    );
  }
  return { certificate, profile, password };
}

async function signApp(app: string, appId: string, key: IosKey, folder: string, tool: RunTool): Promise<void> {
  // `security` accepts passwords only as arguments, which other users can see. This password protects only this build's
  // files.
  const throwAway = randomBytes(24).toString('hex');
  const passwords = { KEY_PASSWORD: key.password, THROW_AWAY: throwAway };
  const pem = path.join(folder, 'key.pem');
  const certificate = path.join(folder, 'key.p12');
  const keychain = path.join(folder, 'build.keychain-db');
  const openssl = (...args: readonly string[]) => tool('Sign: read the key', 'openssl', ['pkcs12', ...args], passwords);
  const security = (...args: readonly string[]) => tool('Sign: keychain', 'security', args);
  await openssl('-in', key.certificate, '-passin', 'env:KEY_PASSWORD', '-out', pem, '-passout', 'env:THROW_AWAY');
  const fromPem = ['-export', '-in', pem, '-passin', 'env:THROW_AWAY'];
  await openssl(...fromPem, '-out', certificate, '-passout', 'env:THROW_AWAY');
  await security('create-keychain', '-p', throwAway, keychain);
  await security('unlock-keychain', '-p', throwAway, keychain);
  const access = ['-P', throwAway, '-T', '/usr/bin/codesign'];
  await security('import', certificate, '-k', keychain, '-f', 'pkcs12', ...access);
  await security('set-key-partition-list', '-S', 'apple-tool:,apple:', '-s', '-k', throwAway, keychain);
  const identities = await security('find-identity', '-p', 'codesigning', keychain);
  const identity = identities.map((line) => /\b[0-9A-F]{40}\b/.exec(line)?.[0]).find((hash) => hash !== undefined);
  if (identity === undefined) {
    throw new BuildError('Certificate not found: the signing key doesn’t contain a certificate with its private key.');
  }

  const entitlements = await writeEntitlements(key.profile, appId, folder, tool);
  await copyFile(key.profile, path.join(app, 'embedded.mobileprovision'));
  const codesign = (...args: readonly string[]) => tool('Sign', 'codesign', args);
  const sign = ['--force', '--timestamp=none', '--sign', identity, '--keychain', keychain];
  for (const library of await readdir(path.join(app, 'Frameworks')).catch(() => [])) {
    await codesign(...sign, path.join(app, 'Frameworks', library));
  }
  await codesign(...sign, '--entitlements', entitlements, app);
  await codesign('--verify', '--deep', '--strict', app);
}

/** Writes the entitlements that the profile grants. Limits a profile for several apps to this app. */
async function writeEntitlements(profile: string, appId: string, folder: string, tool: RunTool): Promise<string> {
  const step = 'Sign: read the profile';
  const decoded = path.join(folder, 'profile.plist');
  const entitlements = path.join(folder, 'entitlements.plist');
  await tool(step, 'security', ['cms', '-D', '-i', profile, '-o', decoded]);
  const text = await readFile(decoded, 'utf8');
  const team = /<key>TeamIdentifier<\/key>\s*<array>\s*<string>([A-Z0-9]+)<\/string>/.exec(text)?.[1];
  if (team === undefined) {
    throw new BuildError('The signing key’s provisioning profile doesn’t name a team. Add the key again.');
  }
  await tool(step, 'plutil', ['-extract', 'Entitlements', 'xml1', '-o', entitlements, decoded]);
  await tool(step, 'plutil', ['-replace', 'application-identifier', '-string', `${team}.${appId}`, entitlements]);
  return entitlements;
}
