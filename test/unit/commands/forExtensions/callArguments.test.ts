import assert from 'node:assert/strict';
import fc from 'fast-check';
import { InvalidInputError } from '../../../../src/api/errors/invalidInputError.ts';
import {
  isCallArgument,
  readBuildArgument,
  readResourceArgument,
} from '../../../../src/commands/forExtensions/callArguments.ts';

describe('what another extension passes to a command', () => {
  it('is an object of its own; rows, paths and nothing are what a person’s click, keybinding and palette pass', () => {
    for (const value of [{}, { url: 'x' }, Object.create(null), JSON.parse('{"__proto__":1}')]) {
      assert.ok(isCallArgument(value));
    }
    for (const value of [undefined, null, '/api/v1', 7, [], new Date(), new URL('http://x/'), () => 0]) {
      assert.ok(!isCallArgument(value));
    }
  });

  it('is taken as documented', () => {
    assert.deepEqual(readResourceArgument('c', { url: '/api/v1/apps' }), { url: '/api/v1/apps' });
    assert.deepEqual(readBuildArgument('c', { app: 'Tide', platforms: ['ios', 'android', 'ios'] }), {
      app: 'Tide',
      platforms: ['ios', 'android'],
    });
  });

  for (const [argument, message] of [
    [{ app: 7 }, 'appBuild.buildApp needs a text as “app”.'],
    [{}, 'appBuild.buildApp needs a text as “app”.'],
    [{ app: ' ' }, 'appBuild.buildApp needs a text as “app”.'],
    [{ app: 'Tide', platform: 'ios' }, 'appBuild.buildApp does not know “platform”.'],
    [{ app: 'Tide', platforms: 'ios' }, '“platforms” has to be a list of names, such as ["android", "ios"].'],
    [{ app: 'Tide', platforms: [] }, '“platforms” has to be a list of names, such as ["android", "ios"].'],
    [{ app: 'Tide', platforms: ['ios', 7] }, '“platforms” has to be a list of names, such as ["android", "ios"].'],
  ] as const) {
    it(`is refused by name: ${JSON.stringify(argument)}`, () => {
      assert.throws(() => readBuildArgument('appBuild.buildApp', argument), { name: 'InvalidInputError', message });
    });
  }

  it('is read or refused, whatever it is', () => {
    const member = fc.oneof(fc.anything(), fc.string(), fc.array(fc.string()));
    const argument = fc.dictionary(fc.constantFrom('url', 'app', 'platforms', '__proto__', 'x'), member, {
      noNullPrototype: false,
    });
    fc.assert(
      fc.property(argument, (value) => {
        for (const read of [
          () => readResourceArgument('c', value).url,
          () => {
            const { app, platforms = [] } = readBuildArgument('c', value);
            assert.ok(platforms.every((name) => typeof name === 'string' && name !== ''));
            return app;
          },
        ]) {
          try {
            assert.equal(typeof read(), 'string');
          } catch (error) {
            assert.ok(error instanceof InvalidInputError, String(error));
            assert.ok(error.message.length < 400 && !/[\u202e\n]/.test(error.message), error.message);
          }
        }
      }),
      { numRuns: 500 },
    );
  });
});
