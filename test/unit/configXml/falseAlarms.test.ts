import assert from 'node:assert/strict';

import { alarmsOf, configFixture, configFixtures } from '../../support/configXml.ts';

/**
 * What is wrong indeed with a file that somebody builds: it has no effect on the platforms of today, or a service refuses it.
 * By folder and file; everything else that is said of them is a false alarm.
 */
const TRUE_ALARMS: Readonly<Record<string, readonly string[]>> = {
  'apps/phoneGapGame.xml': [
    // PhoneGap Build read it; Cordova reads android-versionCode.
    '6 warning unknownAttribute: <widget> has no attribute “versionCode”.',
  ],
  // No <engine>: a service takes the platforms of today, which do not read these.
  'apps/ionicShop.xml': [
    '17 warning droppedPreference: The preference BackupWebStorage has no effect from cordova-ios 7.0.0 on.',
    '18 warning droppedPreference: The preference SplashMaintainAspectRatio has no effect from cordova-android 11.0.0 on.',
    '20 warning droppedPreference: The preference SplashShowOnlyFirstTime has no effect from cordova-android 11.0.0 on.',
    '21 warning droppedPreference: The preference SplashScreen has no effect from cordova-android 11.0.0, cordova-ios 6.0.0 on.',
  ],
  'apps/pointOfSale.xml': [
    '17 warning droppedPreference: The preference TopActivityIndicator has no effect from cordova-ios 6.0.0 on.',
    '18 warning droppedPreference: The preference GapBetweenPages has no effect from cordova-ios 6.0.0 on.',
    '19 warning droppedPreference: The preference PageLength has no effect from cordova-ios 6.0.0 on.',
    '20 warning droppedPreference: The preference PaginationBreakingMode has no effect from cordova-ios 6.0.0 on.',
    '21 warning droppedPreference: The preference PaginationMode has no effect from cordova-ios 6.0.0 on.',
    '25 warning droppedPreference: The preference UIWebViewDecelerationSpeed has no effect from cordova-ios 6.0.0 on.',
  ],
};

describe('config.xml: no false alarms', () => {
  for (const folder of ['template', 'apps'] as const) {
    for (const name of configFixtures(folder)) {
      it(`${folder}/${name}`, () => {
        const text = configFixture(folder, name);
        const expected = TRUE_ALARMS[`${folder}/${name}`] ?? [];
        assert.deepEqual(alarmsOf(text, []), expected);
        assert.deepEqual(alarmsOf(text.replaceAll('\n', '\r\n'), []), expected, 'with the line ends of Windows');
        assert.deepEqual(alarmsOf(`\uFEFF${text}`, []), expected, 'with a byte order mark');
        assert.deepEqual(alarmsOf(text.replaceAll(' />', '/>'), []), expected, 'written tightly');
      });
    }
  }
  it('knows the files', () => {
    assert.ok(configFixtures('template').length >= 5 && configFixtures('apps').length >= 10);
  });
});
