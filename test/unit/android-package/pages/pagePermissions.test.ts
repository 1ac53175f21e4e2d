import assert from 'node:assert/strict';

import { allowedPermissions, permissionsIn } from '../../../../src/android-package/pages/pagePermissions.ts';

describe('the search for permissions that pages request', () => {
  const ROWS: readonly (readonly [script: string, permissions: string])[] = [
    ['navigator.geolocation.getCurrentPosition(show)', 'location'],
    ['"geolocation"in navigator&&e.geolocation.watchPosition(t)', 'location'],
    ['window.navigator?.geolocation', 'location'],
    ['navigator["geolocation"]', 'location'],
    ['const { geolocation } = navigator; geolocation.watchPosition(show)', 'location'],
    ['player.getCurrentPosition(show); user.geolocation = "Rome"; navigator.onLine', ''],
    [
      'Zone.__load_patch("geolocation",e=>{e.navigator&&e.navigator.geolocation&&wrap(e.navigator.geolocation,["getCurrentPosition","watchPosition"])})',
      '',
    ],
    [
      'Zone.__load_patch("geolocation",e=>{wrap(e.navigator.geolocation,["watchPosition"])});navigator.geolocation.watchPosition(show)',
      'location',
    ],
    ['navigator.mediaDevices.getUserMedia({ video: true })', 'camera'],
    ['navigator.mediaDevices.getUserMedia({audio:!1,video:{facingMode:{exact:"environment"}}})', 'camera'],
    ['navigator.mediaDevices.getUserMedia({ audio: true, video: false })', 'microphone'],
    ['navigator.mediaDevices.getUserMedia({ "audio": { echoCancellation: true } })', 'microphone'],
    ['getUserMedia({ audio, video })', 'camera microphone'],
    ['const wanted = { audio: true };\nawait navigator.mediaDevices.getUserMedia(wanted)', 'microphone'],
    ['n={audio:!1,video:e};return t.mediaDevices.getUserMedia(n)', 'camera'],
    ['(navigator.getUserMedia || navigator.webkitGetUserMedia).call(navigator, {video: true}, show)', 'camera'],
    ['navigator["getUserMedia"]({audio: 1})', 'microphone'],
    ['ask(constraints) { return navigator.mediaDevices.getUserMedia(constraints) }', 'camera microphone'],
    ['ask(e) { return getUserMedia(e) } scan() { return ask({ video: { width: 640 } }) }', 'camera'],
    ['getUserMedia(Object.assign({}, defaults))', 'camera microphone'],
    ['getUserMedia({', 'camera microphone'],
    ['features.getUserMedia = !!navigator.getUserMedia && !!window.URL', ''],
    ['input.capture = "environment"', ''],
  ];
  for (const [script, permissions] of ROWS) {
    it(`finds ${permissions === '' ? 'no permission' : permissions} in ${script}`, () => {
      assert.equal([...permissionsIn(script)].sort().join(' '), permissions);
    });
  }
  it('reads a list of allowed permissions, and rejects an invalid list', () => {
    const allowed = (value: string): readonly string[] | undefined => {
      const set = allowedPermissions(value);
      return set && [...set];
    };
    assert.deepEqual(allowed('none'), []);
    assert.deepEqual(allowed('Camera, location'), ['camera', 'location']);
    assert.deepEqual(allowed('microphone'), ['microphone']);
    for (const value of ['', 'all', 'none, camera', 'camera contacts']) {
      assert.equal(allowed(value), undefined);
    }
  });
});
