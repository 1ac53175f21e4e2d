import assert from 'node:assert/strict';
import fc from 'fast-check';

import { readDeviceList } from '../../../../../src/extension/devices/adb/deviceList.ts';

describe('the list of connected devices', () => {
  it('reads the serial number, model, and state of each device', () => {
    const list = readDeviceList(
      [
        '* daemon not running; starting now at tcp:5037',
        '* daemon started successfully',
        'List of devices attached',
        'PIXEL                  device usb:1-1 product:panther model:Pixel_7_Pro device:panther transport_id:1',
        'emulator-5554          offline',
        'ASKS                   authorizing usb:1-2',
        'ROOT                   no permissions (missing udev rules? user is in the plugdev group); see [http://x] usb:1-3',
        'TWRP                   recovery usb:1-4 product:x model:A_\u202eB',
        '',
        '',
      ].join('\r\n'),
    );
    assert.deepEqual(list, [
      { serial: 'PIXEL', name: 'Pixel 7 Pro', state: 'ready', stateName: 'device' },
      { serial: 'emulator-5554', name: 'emulator-5554', state: 'offline', stateName: 'offline' },
      { serial: 'ASKS', name: 'ASKS', state: 'unauthorized', stateName: 'authorizing' },
      { serial: 'ROOT', name: 'ROOT', state: 'noPermissions', stateName: 'no permissions' },
      { serial: 'TWRP', name: 'A B', state: 'other', stateName: 'recovery' },
    ]);
  });

  it('is empty if no device is connected, or if the output isn’t a list', () => {
    for (const text of ['List of devices attached\n\n', '', '* daemon started successfully\n']) {
      assert.deepEqual(readDeviceList(text), [], text);
    }
  });

  it('omits a serial number that adb would treat as an option', () => {
    const word = fc.oneof(
      fc.constantFrom('-s', '--', 'device', 'no permissions', 'model:', '*', ' ', '\t'),
      fc.string(),
    );
    const line = fc.array(word, { maxLength: 5 }).map((words) => words.join(' '));
    fc.assert(
      fc.property(fc.array(line), (lines) => {
        for (const { serial, name } of readDeviceList(`List of devices attached\n${lines.join('\n')}`)) {
          assert.match(serial, /^[^\s-]\S*$/);
          assert.doesNotMatch(name, /[\p{Cc}\p{Cf}\n]/u);
          assert.ok(name.length <= 300);
        }
      }),
    );
  });
});
