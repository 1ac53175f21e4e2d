import assert from 'node:assert/strict';
import {
  attributeRule,
  type ElementRule,
  elementRule,
  ELEMENTS,
  elementsIn,
  isForeignName,
  preferenceRule,
  PREFERENCES,
  type ValueType,
} from '../../../src/configXml/rules.ts';
import { ALLOWED_VALUES, allowedPreference } from '../../../src/localService/builds/cordova/projectConfig.ts';

const described = [
  ...ELEMENTS.map((rule) => ({ ...rule, label: `<${rule.name}>` })),
  ...ELEMENTS.flatMap(({ name, attributes }) =>
    attributes.map((attribute) => ({ ...attribute, label: `<${name} ${attribute.name}>` })),
  ),
  ...PREFERENCES.map((rule) => ({ ...rule, label: `preference ${rule.name}` })),
];

const typed = [
  ...ELEMENTS.flatMap(({ name, attributes }) =>
    attributes.map((attribute) => ({ label: `<${name} ${attribute.name}>`, type: attribute.type })),
  ),
  ...PREFERENCES.map(({ name, type }) => ({ label: `preference ${name}`, type })),
];

function found<T>(value: T | undefined, what: string): T {
  assert.ok(value !== undefined, `${what} is not in the table`);
  return value;
}

function repeated(names: readonly string[]): readonly string[] {
  return names.filter((name, index) => names.indexOf(name) !== index);
}

function fits(type: ValueType, value: string): boolean {
  if (type.kind === 'integer') {
    return /^\d+$/.test(value) && Number(value) >= (type.min ?? 0) && Number(value) <= (type.max ?? Infinity);
  }
  if (type.kind === 'choice') {
    return type.values.includes(value);
  }
  return (
    new Map([
      ['boolean', /^(true|false)$/],
      ['decimal', /^\d+(\.\d+)?$/],
      ['version', /^\d+(\.\d+)*$/],
    ])
      .get(type.kind)
      ?.test(value) ?? value !== ''
  );
}

describe('the table of config.xml', () => {
  it('says of an entry what it is for, in a sentence or two, and of each where that is written down', () => {
    assert.ok(described.filter(({ description }) => description !== undefined).length > 170);
    for (const { label, description, source } of described) {
      assert.match(description ?? 'It is known.', /^[^{}]{8,250}[.]$/s, label);
      assert.ok(source.startsWith('https://') && URL.canParse(source), `${label}: ${source}`);
    }
  });

  it('has each name once', () => {
    assert.deepEqual(repeated(ELEMENTS.map(({ name }) => name)), []);
    assert.deepEqual(repeated(PREFERENCES.map(({ name }) => name.toLowerCase())), []);
    for (const { name, attributes } of ELEMENTS) {
      assert.deepEqual(repeated(attributes.map((attribute) => attribute.name)), [], name);
    }
  });

  it('has the parents of each element but the root', () => {
    for (const { name, parents } of ELEMENTS) {
      assert.equal(parents.length === 0, name === 'widget', name);
      for (const parent of parents) {
        assert.ok(found(elementRule(parent), parent).isOpen !== true, `${name} in ${parent}`);
      }
    }
  });

  it('has choices of several values, each once, and limits that leave room', () => {
    for (const { label, type } of typed) {
      if (type.kind === 'choice') {
        const values = type.values.map((value) => (type.ignoresCase === true ? value.toLowerCase() : value));
        assert.ok(values.length > 1 && repeated(values).length === 0, label);
      }
      if (type.kind === 'integer') {
        assert.ok((type.min ?? 0) < (type.max ?? Infinity), label);
      }
    }
  });

  it('has defaults of the type of the preference', () => {
    for (const { name, type, defaultValue } of PREFERENCES) {
      assert.ok(defaultValue === undefined || fits(type, defaultValue), `${name}: ${defaultValue}`);
    }
  });

  it('names versions of platforms that the preference is for', () => {
    for (const { name, platforms, removed = {} } of PREFERENCES) {
      for (const [platform, version] of Object.entries(removed)) {
        assert.match(version, /^\d+\.\d+\.\d+$/, name);
        assert.ok(platforms.length === 0 || platforms.some((each) => each === platform), `${name}: ${platform}`);
      }
    }
  });

  it('has what takes the place of a preference', () => {
    for (const { replacedBy } of PREFERENCES) {
      assert.ok(replacedBy === undefined || preferenceRule(replacedBy)?.removed === undefined, replacedBy);
      assert.ok(replacedBy === undefined || preferenceRule(replacedBy) !== undefined, replacedBy);
    }
  });

  it('says why a service leaves out what runs code, chooses tools or writes files', () => {
    const leftOut = ELEMENTS.filter((rule) => rule.leftOut !== undefined).map(({ name }) => name);
    assert.deepEqual(leftOut.filter((name) => !name.startsWith('gap:')).sort(), [
      'config-file',
      'edit-config',
      'engine',
      'hook',
      'resource-file',
    ]);
    assert.ok(!leftOut.includes('gap:plugin'), 'services take plugins by their name on PhoneGap Build');
  });
});

describe('the preferences that the local service takes', () => {
  const taken = () => [...ALLOWED_VALUES.keys()].map((name) => found(preferenceRule(name), name));

  it('are in the table', () => {
    assert.ok(taken().length > 40);
  });

  it('have defaults and choices there that the service takes', () => {
    for (const { name, type, defaultValue } of taken()) {
      const values = type.kind === 'choice' ? type.values : [];
      for (const value of [...values, ...(type.kind === 'boolean' ? ['true', 'false'] : []), defaultValue ?? '']) {
        assert.ok(value === '' || allowedPreference(name, value) !== undefined, `${name}=${value}`);
      }
    }
  });
});

describe('looking rules up', () => {
  const widget = found(elementRule('widget'), 'widget');
  const icon = found(elementRule('icon'), 'icon');

  it('finds elements by name, and by the prefixes of Cordova and PhoneGap Build', () => {
    assert.equal(elementRule('cdv:preference'), elementRule('preference'));
    assert.equal(elementRule('gap:icon'), icon);
    assert.notEqual(elementRule('gap:platform'), elementRule('platform'));
    assert.equal(elementRule('Widget'), undefined);
    assert.equal(elementRule('constructor'), undefined);
  });

  it('finds what may stand in an element', () => {
    const names = (parent: string): readonly string[] => elementsIn(parent).map(({ name }) => name);
    assert.deepEqual(names('feature'), ['param']);
    assert.deepEqual(names('gap:plugin'), ['param', 'variable']);
    assert.deepEqual(names('preference'), []);
    assert.deepEqual(names('nothing'), []);
    assert.ok(names('widget').includes('platform') && !names('platform').includes('platform'));
  });

  it('finds attributes, with and without prefix', () => {
    assert.equal(attributeRule(icon, 'gap:platform')?.name, 'platform');
    assert.equal(attributeRule(icon, 'cdv:platform')?.name, 'platform');
    assert.equal(attributeRule(widget, 'android-versionCode')?.type.kind, 'integer');
    assert.equal(attributeRule(widget, 'toString'), undefined);
    assert.equal(attributeRule({ ...widget } satisfies ElementRule, 'id'), undefined);
  });

  it('knows names of other formats', () => {
    assert.deepEqual(
      ['xmlns', 'xmlns:gap', 'android:name', 'tizen:setting', 'gap:plugin', 'cdv:x', 'id'].map(isForeignName),
      [true, true, true, true, false, false, false],
    );
  });

  it('finds preferences in any case', () => {
    assert.equal(preferenceRule('ORIENTATION')?.name, 'Orientation');
    assert.equal(preferenceRule('fullscreen')?.name, 'Fullscreen');
    assert.equal(preferenceRule('Orientierung'), undefined);
  });
});
