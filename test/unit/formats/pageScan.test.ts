import assert from 'node:assert/strict';

import { PageScan } from '../../../src/formats/pageScan.ts';

describe('what the pages of an app do', () => {
  it('is noted once each, where it is first', () => {
    const scan = new PageScan([]);
    scan.read('a.js', '\n  fetch("http://a.test/1");\nnavigator.camera.getPicture();');
    scan.read('b.html', '<script>fetch("http://a.test/2"); navigator.camera.a; navigator.geolocation</script>');
    scan.read('c.js', 'navigator.geolocation');
    assert.deepEqual([...scan.http], [['http://a.test', { path: 'a.js', line: 1, character: 9 }]]);
    assert.deepEqual([...scan.permissions], [['location', 'b.html']]);
    assert.equal(scan.pluginUses.get('cordova-plugin-camera')?.path, 'a.js');
  });

  it('of libraries, only the permissions count', () => {
    const scan = new PageScan([]);
    const script = 'fetch("http://a.test"); navigator.camera.a;';
    scan.read('vendor/a.js', `${script} navigator.geolocation`);
    scan.read('jquery.min.js', `${script} // getUserMedia({ video: true })`);
    assert.deepEqual([...scan.http.keys(), ...scan.pluginUses.keys()], []);
    assert.deepEqual([...scan.permissions], [['location', 'vendor/a.js']]);
  });
});
