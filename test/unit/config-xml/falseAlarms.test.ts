import assert from 'node:assert/strict';

import { getAlarms, configFixture, configFixtures } from '../../support/configXml.ts';

/**
 * True warnings about files of published apps: an element has no effect on current platforms, or a service rejects it. Keyed
 * by folder and file. Any other problem that the check reports for these files is a false alarm.
 */
const TRUE_ALARMS: Readonly<Record<string, readonly string[]>> = {
  'apps/phoneGapGame.xml': [
    // PhoneGap Build read it. Cordova reads android-versionCode.
    '6 warning unknownAttribute: <widget> has no attribute “versionCode”.',
  ],
  // Without <engine>, a service uses current platforms, which ignore these.
  'apps/ionicShop.xml': [
    '17 warning droppedPreference: The preference BackupWebStorage has no effect since cordova-ios 7.0.0.',
    '18 warning droppedPreference: The preference SplashMaintainAspectRatio has no effect since cordova-android 11.0.0.',
    '20 warning droppedPreference: The preference SplashShowOnlyFirstTime has no effect since cordova-android 11.0.0.',
    '21 warning droppedPreference: The preference SplashScreen has no effect since cordova-android 11.0.0, cordova-ios 6.0.0.',
  ],
  'apps/pointOfSale.xml': [
    '17 warning droppedPreference: The preference TopActivityIndicator has no effect since cordova-ios 6.0.0.',
    '18 warning droppedPreference: The preference GapBetweenPages has no effect since cordova-ios 6.0.0.',
    '19 warning droppedPreference: The preference PageLength has no effect since cordova-ios 6.0.0.',
    '20 warning droppedPreference: The preference PaginationBreakingMode has no effect since cordova-ios 6.0.0.',
    '21 warning droppedPreference: The preference PaginationMode has no effect since cordova-ios 6.0.0.',
    '25 warning droppedPreference: The preference UIWebViewDecelerationSpeed has no effect since cordova-ios 6.0.0.',
  ],
};

describe('config.xml: false warnings about published apps', () => {
  for (const folder of ['template', 'apps'] as const) {
    for (const name of configFixtures(folder)) {
      it(`reports only real problems in ${folder}/${name}`, () => {
        const text = configFixture(folder, name);
        const expected = TRUE_ALARMS[`${folder}/${name}`] ?? [];
        assert.deepEqual(getAlarms(text, []), expected);
        assert.deepEqual(getAlarms(text.replaceAll('\n', '\r\n'), []), expected, 'with the line ends of Windows');
        assert.deepEqual(getAlarms(`\uFEFF${text}`, []), expected, 'with a byte order mark');
        assert.deepEqual(getAlarms(text.replaceAll(' />', '/>'), []), expected, 'written tightly');
      });
    }
  }
  it('covers at least 5 templates and 10 published apps', () => {
    assert.ok(configFixtures('template').length >= 5 && configFixtures('apps').length >= 10);
  });
});
