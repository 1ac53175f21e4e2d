import assert from 'node:assert/strict';

import { didYouMean } from '../../../src/config-xml/didYouMean.ts';

describe('the suggestion for a misspelled name', () => {
  it('corrects typing mistakes', () => {
    const known = ['preference', 'name', 'author', 'allow-intent', 'allow-navigation', 'icon', 'id', 'src'];
    const meant = {
      preference: ['prefrence', 'preferecne', 'Preference', 'PREFERENCES'],
      author: ['auther'],
      'allow-intent': ['allow_intent'],
      'allow-navigation': ['allownavigation'],
      name: ['nmae'],
      src: ['scr'],
      id: ['ID'],
      nothing: ['in', 'xyz', 'splash', 'name', '', 'disallow-navigation', 'DisallowNavigation', 'unallow-intent'],
    };
    for (const [name, slips] of Object.entries(meant)) {
      for (const written of slips) {
        assert.equal(didYouMean(written, known) ?? 'nothing', name, written);
      }
    }
  });

  it('never suggests the opposite of a name', () => {
    const opposites = [
      ...['DisallowOverscroll AllowOverscrol', 'enabled disabled', 'external Internal', 'noallowintent allow-intent'],
      ...['androidinsecurefilemodedisabled AndroidInsecureFileModeEnabled', 'notfullscreen Fullscreen'],
      ...['AndroidSecureFileModeEnabled AndroidInsecureFileModeEnabled', 'NotFullscreen SetFullscreen'],
      ...['InAppBrowserStorageDisabled InAppBrowserStorageEnabled', 'DeactivateCache ActivateCache'],
      ...['CameraUsesNoGeolocation CameraUsesGeolocation', 'AllowTrustedCerts AllowUntrustedCerts'],
      ...['unalow-intent allow-intent', 'deny-allow allow'],
    ];
    for (const pair of opposites) {
      const [name = '', other = ''] = pair.split(' ');
      assert.deepEqual([didYouMean(name, [other]), didYouMean(other, [name])], [undefined, undefined], pair);
    }
    const slips = [
      ...['inntent intent', 'DisalowOverscroll DisallowOverscroll', 'disallowoverscrol DisallowOverscroll'],
      ...['InlinePlayback InlinePlaybak', 'discription description', 'unversal universal'],
    ];
    for (const pair of slips) {
      const [name = '', other = ''] = pair.split(' ');
      assert.deepEqual([didYouMean(name, [other]), didYouMean(other, [name])], [other, name], pair);
    }
  });
});
