import assert from 'node:assert/strict';
import { readDefinition } from '../../../../src/builds/task/tasksJson.ts';

describe('the definition of a build task', () => {
  it('may leave everything out', () => {
    assert.deepEqual(readDefinition({ type: 'app-build' }), {
      app: undefined,
      project: undefined,
      platforms: undefined,
    });
    assert.deepEqual(readDefinition({ type: 'app-build', app: ' Shop ', folder: 'web', platforms: ['ios'] }), {
      app: 'Shop',
      project: 'web',
      platforms: ['ios'],
    });
  });

  it('names the property that is empty, or of another type', () => {
    for (const [definition, problem] of [
      [{ app: '' }, { kind: 'empty', property: 'app' }],
      [{ folder: '  ' }, { kind: 'empty', property: 'folder' }],
      [{ platforms: [] }, { kind: 'empty', property: 'platforms' }],
      [{ platforms: '' }, { kind: 'empty', property: 'platforms' }],
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
