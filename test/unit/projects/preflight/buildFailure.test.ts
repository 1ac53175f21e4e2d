import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

import { findingCodesOf, problemOf } from '../../../../src/projects/preflight/buildFailure.ts';
import type { FindingCode } from '../../../../src/projects/preflight/finding.ts';
import { cordovaFailure } from '../../../../src/localService/builds/cordova/platformBuild.ts';
import { createBuiltinBuilder } from '../../../../src/localService/builds/builtin/builtinBuilder.ts';
import { demoBuilder } from '../../../support/demoBuilder.ts';
import { missingRequirements } from '../../../../src/localService/builds/cordova/requirements.ts';
import { repositoryRoot } from '../../../support/repository.ts';

/** What the builders of the local service fail with, as the source has it; undefined where no file of an app is the reason. */
const BUILDERS: Readonly<Record<string, FindingCode | undefined>> = {
  'App has no index.html: put one at the root of the package or in its www folder, ': 'startPage',
  'Malformed config.xml: the element name is missing or empty.': 'nameMissing',
  'Malformed config.xml: name is missing.': 'nameMissing',
  'You must provide a signing key, first': 'keyMissing',
  'Invalid application identifier “${plainText(id)}”: it must look like com.company.app, of letters, digits and ':
    'idMalformed',
  'Invalid version “${plainText(given)}”: it must be numbers with dots, such as 1.0.0.': 'versionMalformed',
  'Plugin not supported: ${plainText(given)}. ${waysToPlugin(name, version)}': 'pluginNotSupported',
  "Plugin not supported: ${[...plugins.values()].join(', ')}. ${advice}": 'pluginNotSupported',
  'Plugin error: ${skipped} doesn’t work with the engine’s version of Cordova.': 'pluginNotSupported',
  'Invalid version “${version}”: it makes the android-versionCode ${code}, and Android takes up to ${MAX_VERSION_CODE}. ':
    'versionMalformed',
  'The test key of the service cannot be read. Restore the file ${FILE_NAME} in its data folder, or remove it: ':
    undefined,
  'Plugin ${name}: the variable “${plainText(variable)}” has a name or value that is not supported.': 'pluginVariable',
  'Cordova builds no winphone apps.': 'platformUnavailable',
  'Certificate not found: the signing key holds no certificate with its private key.': 'key',
  'The provisioning profile of the signing key names no team: add the key again.': 'key',
  'The signing key has no keystore, or no passwords: add it again, and unlock it.': 'keyLocked',
  'The signing key lacks its certificate, profile or password: add it again, and unlock it.': 'keyLocked',
  'Keystore alias not recognized': 'key',
  'The signing key “${title}” is locked: unlock it first.': 'keyLocked',
  'The file “${name}” of the signing key is missing: add the key again.': 'key',
  'The ${what} of the signing key expired on ${expiresAt.toISOString().slice(0, 10)}: add a key with a valid one.':
    'keyExpired',
  'The provisioning profile cannot be read.': 'key',
  'Certificate not found': 'key',
  'Invalid keystore format': 'key',
  'Incorrect certificate password': 'key',
  'Incorrect keystore password': 'key',
  'Incorrect key password': 'key',
  'Invalid keystore format: this kind can’t be opened. Convert it with “keytool -importkeystore -srckeystore OLD -destkeystore NEW.p12 -deststoretype pkcs12”, and add the new file.':
    'key',
  'Invalid keystore format: its password is hashed so often that it takes too long to open.': 'key',
  'The file “keystore” of the signing key holds a key of ${name}, and Android takes no package that is signed with it: add a key of RSA, or of EC on the curve P-256.':
    'key',
  'The build took longer than ${time} and was stopped.': undefined,
  'The build ended without an artifact.': undefined,
  'What the build made is no plain file.': undefined,
  'The artifact of the build is empty.': undefined,
  'The service has no space left for the build.': undefined,
  'The build failed inside the service.': undefined,
  'The step “${step}” has failed. The log says why.': undefined,
  'Cordova has ended without an error, and has made no app. The log may say why.': undefined,
};

/** What Cordova prints, and the titles of the failures that the original service documented. */
const OTHERS: readonly (readonly [message: string, code: FindingCode])[] = [
  ["Unhandled error. ('Parsing <build>/config.xml failed')", 'malformed'],
  ['<build>/config.xml has incorrect root node name (expected "widget", was "foo")', 'wrongRoot'],
  ['<build>/app/src/main/res/xml/config.xml:25: AAPT: error: unbound prefix.', 'undeclaredPrefix'],
  ["Cannot read properties of null (reading 'attrib')", 'nameMissing'],
  ["Cannot read properties of null (reading 'replace')", 'nameMissing'],
  ['Error validating package name. Must look like: `com.company.Name`. Currently is: `single`', 'idMalformed'],
  ['Error validating package name. "class" is a reserved word', 'idMalformed'],
  ['No Java files found that extend CordovaActivity.', 'idChanges'],
  ['Failed to fetch plugin X@1.0.0 via registry.', 'pluginNotSupported'],
  ['Command failed with exit code 254: npm view ./dir --json', 'pluginNotSupported'],
  ['Variable(s) missing (use: --variable API_KEY=value).', 'pluginVariable'],
  ['Cannot find plugin.xml for plugin "pl". Please try adding it again.', 'pluginNotSupported'],
  ['No platforms added to this project. Please use `cordova platform add <platform>`.', 'platformUnavailable'],
  ['The platform "foo" does not appear to have been added to this project.', 'platformUnavailable'],
  ['Failed to fetch platform cordova-browser@6.0.0', 'platformUnavailable'],
  ['xcodebuild was not found. Please install version 15.0.0 or greater from App Store', 'platformUnavailable'],
  ['Could not find an installed version of Gradle either in Android Studio, or on your system', 'platformUnavailable'],
  ['Malformed config.xml', 'malformed'],
  ['App has no index.html', 'startPageMissing'],
  ['PhoneGap version not supported', 'droppedPreference'],
  ['Plugin not supported', 'pluginNotSupported'],
  ['One of your plugins requires a parameter', 'pluginVariable'],
  ['Plugin error', 'pluginNotSupported'],
  ['Invalid application identifier', 'idMalformed'],
  ['Certificate not found', 'key'],
  ['Incorrect keystore password', 'key'],
  ['Keystore alias not recognized', 'key'],
  ['Alias not associated with private key', 'key'],
  ['Invalid keystore format', 'key'],
  ['invalid widget archive', 'malformed'],
];

describe('the findings that a failed build is about', () => {
  it('are known for every failure of the local service’s builders that a check can foresee', async () => {
    const texts = await failuresInSource();
    assert.deepEqual(
      texts.filter((text) => !Object.hasOwn(BUILDERS, text)),
      [],
      'a failure that this table does not know',
    );
    assert.deepEqual(
      Object.keys(BUILDERS).filter((text) => !texts.includes(text)),
      [],
      'a failure that no builder has',
    );
    for (const [message, code] of Object.entries(BUILDERS)) {
      const codes = findingCodesOf(message.replace(/\$\{[^}]*\}/g, 'certificate'));
      assert.ok(code === undefined ? codes.length === 0 : codes.includes(code), `${message}: ${codes.join()}`);
    }
  });

  it('are known for what Cordova prints, and for what the local service makes of it', () => {
    for (const [message, code] of OTHERS) {
      assert.ok(findingCodesOf(message).includes(code), `${message}: ${findingCodesOf(message).join()}`);
      assert.ok(problemOf(message));
      const told = cordovaFailure('Prepare', [message]).message;
      assert.ok(told.startsWith('The step') || findingCodesOf(told).includes(code), `${message}: ${told}`);
    }
  });

  it('are known for what a machine lacks to build', async () => {
    const engine = {
      folder: '/none',
      version: '13.0.0',
      platforms: {},
      plugins: [],
    };
    const all = [
      await missingRequirements(engine, { PATH: '' }),
      await demoBuilder.platforms(),
      await createBuiltinBuilder(undefined).platforms(),
    ];
    const reasons = all.flatMap((each) => Object.values(each)).filter((text) => text !== undefined);
    assert.ok(reasons.length > 2);
    for (const reason of reasons) {
      assert.deepEqual(findingCodesOf(reason), ['platformUnavailable'], reason);
    }
  });

  it('are none for a message that nobody knows', () => {
    for (const message of ['', 'Something else', 'The step “Compile” has failed. The log says why.']) {
      assert.deepEqual(findingCodesOf(message), []);
      assert.equal(problemOf(message), undefined);
    }
  });
});

/** The beginnings of the texts of failures in the builders, as they are written. */
async function failuresInSource(): Promise<readonly string[]> {
  const folder = path.join(repositoryRoot, 'src');
  const names = (await readdir(folder, { recursive: true }))
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => /^(?:formats|localService[/]builds(?![/]packages))[/].*[.]ts$/.test(name));
  const sources = await Promise.all(names.map((name) => readFile(path.join(folder, name), 'utf8')));
  const inErrors = /(?:new (?:BuildError\(\s*(?:\w+ \?\?\s*)?|KeyFileError\(\s*'[\w ]+',\s*)|super\()(['`])(.*?)\1/gs;
  const faults = /(?:return|fault:|[?:=])\s*(['`])([A-Z][a-z]+ .*?)\1/g;
  const found = sources.flatMap((source) => {
    const tellsOtherwise = /(?:NO_KEY|SENTENCES|APPLE_FAULTS|NO_START_PAGE|failureOf)\b.* =/.test(source);
    const errors = [...source.matchAll(inErrors)];
    return [...errors, ...(tellsOtherwise ? source.matchAll(faults) : [])].map(([, , text = '']) => text);
  });
  return [...new Set(found)];
}
