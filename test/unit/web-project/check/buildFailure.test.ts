import assert from 'node:assert/strict';

import { getFindingCodes, findBuildProblem } from '../../../../src/web-project/check/buildFailure.ts';
import type { FindingCode } from '../../../../src/web-project/check/projectFinding.ts';
import { cordovaFailure } from '../../../../src/build-service/builds/cordova/platformBuild.ts';
import { demoBuilder } from '../../../support/demoBuilder.ts';
import { missingRequirements } from '../../../../src/build-service/builds/cordova/requirements.ts';
import { createBuiltinBuilder } from '../../../../src/build-service/builds/builtinBuilder.ts';

/** Cordova's messages, and the failure titles that the original service documented. */
const MESSAGES: readonly (readonly [message: string, code: FindingCode])[] = [
  ["Unhandled error. ('Parsing <build>/config.xml failed')", 'malformed'],
  ['<build>/config.xml has incorrect root node name (expected "widget", was "foo")', 'wrongRoot'],
  ['<build>/app/src/main/res/xml/config.xml:25: AAPT: error: unbound prefix.', 'undeclaredPrefix'],
  ["Cannot read properties of null (reading 'attrib')", 'nameMissing'],
  ['Error validating package name. Must look like: `com.company.Name`. Currently is: `single`', 'idMalformed'],
  ['Error validating package name. "class" is a reserved word', 'idMalformed'],
  ['Command failed with exit code 254: npm view ./dir --json', 'pluginNotSupported'],
  ['No Java files found that extend CordovaActivity.', 'idChanges'],
  ['You must provide a signing key, first', 'keyMissing'],
  ['Variable(s) missing (use: --variable API_KEY=value).', 'pluginVariable'],
  ['Cannot find plugin.xml for plugin "pl". Please try adding it again.', 'pluginNotSupported'],
  ['No platforms added to this project. Please use `cordova platform add <platform>`.', 'platformUnavailable'],
  ['The platform "foo" does not appear to have been added to this project.', 'platformUnavailable'],
  ['xcodebuild was not found. Please install version 15.0.0 or greater from App Store', 'platformUnavailable'],
  ['Could not find an installed version of Gradle either in Android Studio, or on your system', 'platformUnavailable'],
  ['The signing key “Play” is locked. Unlock it first.', 'keyLocked'],
  ['The certificate of the signing key expired on 2026-01-01. Add a key with a valid one.', 'keyExpired'],
  ['The file “keystore” of the signing key is missing. Add the key again.', 'key'],
  ['Malformed config.xml: the element name is missing or empty.', 'nameMissing'],
  ['Invalid version “x”: it must be numbers separated by dots, such as 1.0.0.', 'versionMalformed'],
  ['Plugin a: the variable “B” has a name or value that isn’t supported.', 'pluginVariable'],
  ['Malformed config.xml', 'malformed'],
  ['App has no index.html', 'startPageMissing'],
  ['PhoneGap version not supported', 'droppedPreference'],
  ['Plugin error', 'pluginNotSupported'],
  ['Invalid application identifier', 'idMalformed'],
  ['Certificate not found', 'key'],
  ['Invalid keystore format', 'key'],
  ['invalid widget archive', 'malformed'],
];

describe('the search for the cause of a failed build', () => {
  it('recognizes Cordova’s messages, and the local service’s versions of them', () => {
    for (const [message, code] of MESSAGES) {
      assert.ok(getFindingCodes(message).includes(code), `${message}: ${getFindingCodes(message).join()}`);
      assert.ok(findBuildProblem(message));
      const told = cordovaFailure('Prepare', [message]).message;
      assert.ok(told.startsWith('The step') || getFindingCodes(told).includes(code), `${message}: ${told}`);
    }
  });

  it('recognizes messages about tools that a computer lacks', async () => {
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
      assert.deepEqual(getFindingCodes(reason), ['platformUnavailable'], reason);
    }
  });

  it('finds nothing for an unknown message', () => {
    for (const message of ['', 'Something else', 'The step “Compile” failed. See the log for details.']) {
      assert.deepEqual(getFindingCodes(message), []);
      assert.equal(findBuildProblem(message), undefined);
    }
  });
});
