import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readDefinition, withDefaultBuild } from '../../../../../../src/extension/apps/builds/task/tasksJson.ts';

const OWN = {
  type: 'app-build',
  label: 'App Build: shop',
  group: { kind: 'build', isDefault: true },
  problemMatcher: ['$app-build'],
};

/** Parses JSON after removing comments and trailing commas. The tests' strings contain neither. */
const read = (text: string): { readonly version: string; readonly tasks: readonly unknown[] } =>
  JSON.parse(text.replace(/\/\/.*$/gm, '').replace(/,(\s*[\]}])/g, '$1')) as never;

describe('the default build in tasks.json', () => {
  it('creates tasks.json if it doesn’t exist', () => {
    const { others, text } = withDefaultBuild('', 'App Build: shop');
    assert.deepEqual(others, []);
    assert.deepEqual(JSON.parse(text), { version: '2.0.0', tasks: [OWN] });
  });

  it('adds the build after the existing tasks, and preserves their comments and indentation', () => {
    const before = `{
\t// how we build
\t"version": "2.0.0",
\t"tasks": [
\t\t{
\t\t\t"type": "npm", // with npm
\t\t\t"script": "lint",
\t\t},
\t],
}
`;
    const { others, text } = withDefaultBuild(before, 'App Build: shop');
    assert.deepEqual(others, []);
    for (const comment of ['// how we build', '// with npm']) {
      assert.ok(text.includes(comment), text);
    }
    assert.match(text, /^\t\t\{\n\t\t\t"type": "app-build",$/m);
    assert.deepEqual(read(text).tasks, [{ type: 'npm', script: 'lint' }, OWN]);
  });

  it('replaces another default build, reports its label, and keeps it as a build task', () => {
    const before = `{
  "version": "2.0.0",
  "tasks": [
    // bundles
    { "label": "bundle", "type": "shell", "command": "make", "group": { "kind": "build", "isDefault": true } },
    { "type": "app-build", "label": "mine", "platforms": ["ios"] } // ours
  ]
}`;
    const { others, text } = withDefaultBuild(before, 'App Build: shop');
    assert.deepEqual(others, ['bundle']);
    assert.ok(text.includes('// bundles') && text.includes('// ours'), text);
    assert.deepEqual(read(text).tasks, [
      { label: 'bundle', type: 'shell', command: 'make', group: 'build' },
      { type: 'app-build', label: 'mine', platforms: ['ios'], group: { kind: 'build', isDefault: true } },
    ]);
  });

  it('leaves tasks.json unchanged when the build is added again, whatever tasks exist', () => {
    const task = fc.record(
      {
        type: fc.constantFrom('npm', 'shell', 'app-build'),
        label: fc.string({ unit: fc.constantFrom('a', 'é', '{', '"', '\\', ' ') }),
        group: fc.constantFrom('build', 'test', { kind: 'build', isDefault: true }, { kind: 'test', isDefault: true }),
      },
      { requiredKeys: ['type'] },
    );
    fc.assert(
      fc.property(fc.array(task, { maxLength: 5 }), (tasks) => {
        const once = withDefaultBuild(JSON.stringify({ tasks }, undefined, 4), 'x');
        const own = tasks.findIndex(({ type }) => type === 'app-build');
        const isOther = ({ group }: { readonly group?: unknown }, index: number) =>
          index !== own && JSON.stringify(group) === '{"kind":"build","isDefault":true}';
        assert.equal(once.others.length, tasks.filter(isOther).length);
        assert.deepEqual(withDefaultBuild(once.text, 'x'), { others: [], text: once.text });
      }),
      { numRuns: 200 },
    );
  });

  it('rejects a file in an unexpected format', () => {
    const large = [`{"a": ${'['.repeat(20_000)}`, ' '.repeat(2 ** 18) + '{}'];
    for (const text of ['{ "tasks": [', '[]', '{ "tasks": {} }', 'tasks', '{"tasks": [}', ...large]) {
      assert.throws(() => withDefaultBuild(text, 'x'), { kind: 'invalidInput' }, text.slice(0, 20));
    }
  });
});

describe('the definition of a build task', () => {
  it('can omit every property', () => {
    assert.deepEqual(readDefinition({ type: 'app-build' }), {});
    const definition = { app: ' Shop ', folder: 'web', platforms: ['ios'] };
    assert.deepEqual(readDefinition({ type: 'app-build', ...definition }), { ...definition, app: 'Shop' });
  });

  it('is rejected with the name of a property that is empty or has the wrong type', () => {
    for (const [definition, problem] of [
      [{ app: '' }, { kind: 'empty', property: 'app' }],
      [{ folder: '  ' }, { kind: 'empty', property: 'folder' }],
      [{ platforms: [] }, { kind: 'empty', property: 'platforms' }],
      [{ platforms: ['ios', ''] }, { kind: 'empty', property: 'platforms' }],
      [{ app: 7 }, { kind: 'type', property: 'app' }],
      [{ folder: null }, { kind: 'type', property: 'folder' }],
      [{ platforms: 'ios' }, { kind: 'type', property: 'platforms' }],
      [{ platforms: [1] }, { kind: 'type', property: 'platforms' }],
    ] as const) {
      assert.deepEqual(readDefinition({ type: 'app-build', ...definition }), problem);
    }
  });
});
