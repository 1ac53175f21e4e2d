import assert from 'node:assert/strict';
import {
  attributeRule,
  elementRule,
  ELEMENTS,
  elementsIn,
  preferenceRule,
  PREFERENCES,
} from '../../../src/config-xml/rules.ts';
import { valueFault } from '../../../src/config-xml/checks/valueChecks.ts';
import { filesNamedIn } from '../../../src/config-xml/namedFiles.ts';
import { parseXml } from '../../../src/config-xml/xmlDocument.ts';
import { ALLOWED_VALUES, isAllowedPreference } from '../../../src/build-service/builds/cordova/projectConfig.ts';

const described = [
  ...ELEMENTS.map((rule) => ({ ...rule, label: `<${rule.name}>` })),
  ...ELEMENTS.flatMap(({ name, attributes }) =>
    attributes.map((attribute) => ({ ...attribute, label: `<${name} ${attribute.name}>` })),
  ),
  ...PREFERENCES.map((rule) => ({ ...rule, label: `preference ${rule.name}` })),
];

function found<T>(value: T | undefined, what: string): T {
  assert.ok(value !== undefined, `${what} isn’t in the table`);
  return value;
}

function repeated(names: readonly string[]): readonly string[] {
  return names.filter((name, index) => names.indexOf(name) !== index);
}

describe('the table of config.xml rules', () => {
  it('describes every entry in one or two sentences and links to its documentation', () => {
    assert.ok(described.filter(({ description }) => description !== undefined).length > 170);
    for (const { label, description, source } of described) {
      assert.match(description ?? 'It is known.', /^[^{}]{8,250}[.]$/s, label);
      assert.ok(source.startsWith('https://') && URL.canParse(source), `${label}: ${source}`);
    }
  });

  it('lists each name once', () => {
    assert.deepEqual(repeated(ELEMENTS.map(({ name }) => name)), []);
    assert.deepEqual(repeated(PREFERENCES.map(({ name }) => name.toLowerCase())), []);
    for (const { name, attributes } of ELEMENTS) {
      assert.deepEqual(repeated(attributes.map((attribute) => attribute.name)), [], name);
    }
  });

  it('lists the parents of each element except the root', () => {
    for (const { name, parents } of ELEMENTS) {
      assert.equal(parents.length === 0, name === 'widget', name);
      for (const parent of parents) {
        assert.ok(found(elementRule(parent), parent).isOpen !== true, `${name} in ${parent}`);
      }
    }
  });

  it('defines defaults that match the preference’s type', () => {
    for (const { name, type, defaultValue } of PREFERENCES) {
      assert.ok(defaultValue === undefined || valueFault(type, defaultValue) === undefined, `${name}: ${defaultValue}`);
    }
  });

  it('names the platform version that removed a preference', () => {
    for (const { name, platforms, removed = {} } of PREFERENCES) {
      for (const [platform, version] of Object.entries(removed)) {
        assert.match(version, /^\d+\.\d+\.\d+$/, name);
        assert.ok(platforms.length === 0 || platforms.some((each) => each === platform), `${name}: ${platform}`);
      }
    }
  });

  it('marks the preferences that name files', () => {
    for (const { name, type } of PREFERENCES.filter((rule) => rule.type.kind === 'path')) {
      const named = filesNamedIn(parseXml(`<widget><preference name="${name}" value="a.xml"/></widget>`));
      const isFile = type.kind === 'path' && type.of === 'file';
      assert.equal(
        named.some(({ path }) => path === 'a.xml'),
        isFile,
        name,
      );
    }
  });

  it('names only current preferences as replacements', () => {
    for (const { replacedBy } of PREFERENCES) {
      assert.ok(replacedBy === undefined || preferenceRule(replacedBy)?.removed === undefined, replacedBy);
      assert.ok(replacedBy === undefined || preferenceRule(replacedBy) !== undefined, replacedBy);
    }
  });
});

describe('the local service’s preferences', () => {
  const taken = () => [...ALLOWED_VALUES.keys()].map((name) => found(preferenceRule(name), name));

  it('have only defaults and choices that the service accepts', () => {
    for (const { name, type, defaultValue } of taken()) {
      const values = type.kind === 'choice' ? type.values : [];
      for (const value of [...values, ...(type.kind === 'boolean' ? ['true', 'false'] : []), defaultValue ?? '']) {
        assert.ok(value === '' || isAllowedPreference(name, value), `${name}=${value}`);
      }
    }
  });
});

describe('the lookup of rules', () => {
  const icon = found(elementRule('icon'), 'icon');

  it('ignores the prefixes cdv: and gap:, except in gap:platform', () => {
    assert.equal(elementRule('cdv:preference'), elementRule('preference'));
    assert.equal(elementRule('gap:icon'), icon);
    assert.notEqual(elementRule('gap:platform'), elementRule('platform'));
    assert.equal(attributeRule(icon, 'gap:platform')?.name, 'platform');
  });

  it('finds the elements allowed in an element', () => {
    const names = (parent: string): readonly string[] => elementsIn(parent).map(({ name }) => name);
    assert.deepEqual(names('gap:plugin'), ['param', 'variable']);
    assert.deepEqual(names('preference'), []);
    assert.ok(names('widget').includes('platform') && !names('platform').includes('platform'));
  });
});
