import assert from 'node:assert/strict';

import { didYouMean, isOpposite } from '../../../src/configXml/didYouMean.ts';

describe('did you mean', () => {
  it('finds what differs by slips of the hand', () => {
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

  it('never takes a name for its opposite', () => {
    const opposites = [
      ...['allow-intent disallow-intent', 'DisallowOverscroll AllowOverscrol', 'enabled disabled'],
      ...['androidinsecurefilemodedisabled AndroidInsecureFileModeEnabled', 'NotFullscreen SetFullscreen'],
      ...['AndroidSecureFileModeEnabled AndroidInsecureFileModeEnabled', 'notfullscreen Fullscreen'],
      ...['InAppBrowserStorageDisabled InAppBrowserStorageEnabled', 'DeactivateCache ActivateCache'],
      ...['CameraUsesNoGeolocation CameraUsesGeolocation', 'AllowTrustedCerts AllowUntrustedCerts'],
      ...['StopRunning KeepRunning', 'external Internal', 'deny-navigation allow-navigation'],
      ...['unalow-intent allow-intent', 'noallowintent allow-intent'],
    ];
    const others = [
      ...['inntent intent', 'DisalowOverscroll DisallowOverscroll', 'disallowoverscrol DisallowOverscroll'],
      ...['InlinePlayback InlinePlaybak', 'discription description', 'node name', 'unversal universal'],
    ];
    for (const pair of [...opposites, ...others]) {
      const [name = '', other = ''] = pair.split(' ');
      const isOne = opposites.includes(pair);
      assert.deepEqual([isOpposite(name, other), isOpposite(other, name)], [isOne, isOne], pair);
    }
  });
});
