import assert from 'node:assert/strict';

import { plainText } from '../../../src/api/errors/sentence.ts';
import { isCaseOnly, valueFault } from '../../../src/configXml/checks/valueChecks.ts';
import type { ValueType } from '../../../src/configXml/rules.ts';

const RIGHT: readonly (readonly [ValueType, readonly string[]])[] = [
  [{ kind: 'text' }, ['', 'anything', ' with spaces ']],
  [{ kind: 'identifier' }, ['whatever identity.ts says']],
  [{ kind: 'boolean' }, ['true', 'false']],
  [{ kind: 'integer' }, ['0', '-1', '007', '86400000']],
  [{ kind: 'integer', min: 24, max: 36 }, ['24', '36']],
  [{ kind: 'decimal' }, ['0.5', '1', '-2.25', '.25']],
  [{ kind: 'choice', values: ['portrait', 'landscape'] }, ['portrait']],
  [{ kind: 'choice', values: ['WARN'], ignoresCase: true }, ['warn', 'Warn', 'WARN']],
  [{ kind: 'name' }, ['', ' ', 'cordova-plugin-camera', 'two words']],
  [{ kind: 'foreign' }, ['', ' ', 'any thing']],
  [
    { kind: 'choice', values: ['hdpi', 'xhdpi'], isQualified: true },
    [
      '',
      'hdpi',
      'land-xhdpi',
      'land-night-hdpi',
      'xhdpi-v26',
      'en-rGB-hdpi',
      'xhdpi-land',
      'land',
      'sw600dp',
      '560dpi',
    ],
  ],
  [
    { kind: 'colour' },
    ['#fff', '#8fff', '#3366FF', '#FF3366FF', '0xff000000', '0x000000', 'white', 'Black', 'transparent'],
  ],
  [{ kind: 'path', of: 'page' }, ['index.html', 'a/b.html?x=1#y', 'https://example.com/', 'mit Leerzeichen.html']],
  [{ kind: 'path', of: 'file' }, ['res/icon.png', './res/icon.png', '/res/icon.png']],
  [
    { kind: 'origin' },
    [
      '*',
      'https://*/*',
      'http://127.0.0.1*',
      'tel:*',
      '*.example.com',
      'cdvfile:*',
      'data:*',
      'https://a.example:8080',
    ],
  ],
  [{ kind: 'url' }, ['', 'https://example.com', 'http://example.com/a?b', 'mailto:a@b.example', 'market://x']],
  [{ kind: 'email' }, ['', ' ', 'dev@example.com']],
  [{ kind: 'version' }, ['1', '1.0.0', '12.0', '1.2.3.4.5']],
];

const WRONG: readonly (readonly [ValueType, string, message: string, suggestion?: string])[] = [
  [{ kind: 'boolean' }, 'True', 'The value must be true or false, not “True”.', 'true'],
  [{ kind: 'boolean' }, 'yes', 'The value must be true or false, not “yes”.', 'true'],
  [{ kind: 'boolean' }, '0', 'The value must be true or false, not “0”.', 'false'],
  [{ kind: 'boolean' }, 'constructor', 'The value must be true or false, not “constructor”.'],
  [{ kind: 'boolean' }, '', 'The value must be true or false, not “”.'],
  [{ kind: 'boolean' }, ' true', 'The value must not begin or end with white space.', 'true'],
  [{ kind: 'boolean' }, ' YES ', 'The value must be true or false, not “YES”.', 'true'],
  [{ kind: 'integer' }, '3000ms', 'The value must be a whole number, not “3000ms”.', '3000'],
  [{ kind: 'integer' }, '3.0', 'The value must be a whole number, not “3.0”.', '3'],
  [{ kind: 'integer' }, 'long', 'The value must be a whole number, not “long”.'],
  [{ kind: 'integer', min: 19 }, '7', 'The number 7 is too small: the smallest is 19.'],
  [{ kind: 'integer', max: 99 }, '100', 'The number 100 is too large: the largest is 99.'],
  [{ kind: 'decimal' }, '0,5', 'The value must be a number such as 0.5, not “0,5”.', '0.5'],
  [{ kind: 'decimal' }, 'half', 'The value must be a number such as 0.5, not “half”.'],
  [
    { kind: 'choice', values: ['portrait', 'landscape'] },
    'Portrait',
    '“Portrait” is not one of the values that can stand here: portrait, landscape.',
    'portrait',
  ],
  [
    { kind: 'choice', values: ['portrait', 'landscape'] },
    'sideways',
    '“sideways” is not one of the values that can stand here: portrait, landscape.',
  ],
  [
    { kind: 'choice', values: ['hdpi', 'xxhdpi'], isQualified: true },
    'land-xxhpdi-v21',
    '“xxhpdi” is not one of the values that can stand here: hdpi, xxhdpi.',
    'land-xxhdpi-v21',
  ],
  [{ kind: 'name' }, ' a b', 'The value must not begin or end with white space.', 'a b'],
  [{ kind: 'foreign' }, 'a ', 'The white space before or behind the value is part of it.', 'a'],
  [{ kind: 'path', of: 'file' }, 'icon.png ', 'The value must not begin or end with white space.', 'icon.png'],
  [{ kind: 'colour' }, '3366FF', 'The value must be a colour such as #3366FF, not “3366FF”.', '#3366FF'],
  [{ kind: 'colour' }, '#12345', 'The value must be a colour such as #3366FF, not “#12345”.'],
  [{ kind: 'colour' }, 'rgb(1, 2, 3)', 'The value must be a colour such as #3366FF, not “rgb(1, 2, 3)”.'],
  [{ kind: 'path', of: 'file' }, '', 'The name of the file is missing.'],
  [
    { kind: 'path', of: 'file' },
    'res\\icon.png',
    'The folders of “res\\icon.png” must be separated by /.',
    'res/icon.png',
  ],
  [{ kind: 'origin' }, '', 'The address is missing. Write * for any.'],
  [
    { kind: 'origin' },
    'https://a.example https://b.example',
    '“https://a.example https://b.example” is more than one address. Write an element for each.',
  ],
  [{ kind: 'origin' }, ' https://a.example', 'The value must not begin or end with white space.', 'https://a.example'],
  [
    { kind: 'url' },
    'example.com/a',
    '“example.com/a” is no address such as https://example.com.',
    'https://example.com/a',
  ],
  [{ kind: 'url' }, 'our site', '“our site” is no address such as https://example.com.'],
  [{ kind: 'email' }, 'dev at example', '“dev at example” is no e-mail address.'],
  [{ kind: 'version' }, 'v1.2', 'The value must be numbers with dots such as 1.0.0, not “v1.2”.', '1.2'],
  [{ kind: 'version' }, '1.0-beta', 'The value must be numbers with dots such as 1.0.0, not “1.0-beta”.'],
];

describe('config.xml: values', () => {
  for (const [type, values] of RIGHT) {
    it(`${JSON.stringify(type)}: what is right`, () => {
      for (const value of values) {
        assert.equal(valueFault(type, value), undefined, value);
      }
    });
  }
  it('what is wrong is reported, with a suggestion where it is plain', () => {
    for (const [type, value, message, suggestion] of WRONG) {
      const fault = valueFault(type, value);
      assert.ok(fault !== undefined, `${type.kind}: ${value}`);
      assert.equal(plainText(fault.message), message);
      assert.equal(fault.suggestion, suggestion, value);
      assert.ok(suggestion === undefined || valueFault(type, suggestion) === undefined, 'the suggestion is right');
    }
  });
  it('a value with letters of the wrong case only is told apart', () => {
    const fault = valueFault({ kind: 'boolean' }, 'TRUE');
    assert.ok(fault !== undefined && isCaseOnly('TRUE', fault));
    const other = valueFault({ kind: 'boolean' }, 'yes');
    assert.ok(other !== undefined && !isCaseOnly('yes', other));
  });
  it('a value of a thousand characters is cut in its message', () => {
    const fault = valueFault({ kind: 'boolean' }, 'x'.repeat(1000));
    assert.ok(fault !== undefined && plainText(fault.message).length < 120);
  });
});
