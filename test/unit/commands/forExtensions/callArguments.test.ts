import assert from 'node:assert/strict';
import fc from 'fast-check';
import { InvalidInputError } from '../../../../src/api/errors/invalidInputError.ts';
import {
  isCallArgument,
  readBuildArgument,
  readResourceArgument,
} from '../../../../src/commands/forExtensions/callArguments.ts';

const token = { isCancellationRequested: false, onCancellationRequested: () => ({ dispose: () => undefined }) };

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
    assert.deepEqual(readResourceArgument('c', { url: '/api/v1/apps' }), { url: '/api/v1/apps', token: undefined });
    assert.deepEqual(readBuildArgument('c', { app: 'Tide', platforms: ['ios', 'android', 'ios'], wait: 0.5, token }), {
      app: 'Tide',
      platforms: ['ios', 'android'],
      wait: 0.5,
      token,
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
    [{ app: 'Tide', wait: true }, '“wait” has to be a number of seconds, at most 3600.'],
    [{ app: 'Tide', wait: NaN }, '“wait” has to be a number of seconds, at most 3600.'],
    [{ app: 'Tide', wait: 3601 }, '“wait” has to be a number of seconds, at most 3600.'],
    [{ app: 'Tide', token: {} }, '“token” has to be a CancellationToken of VS Code.'],
  ] as const) {
    it(`is refused by name: ${JSON.stringify(argument)}`, () => {
      assert.throws(() => readBuildArgument('appBuild.buildApp', argument), { name: 'InvalidInputError', message });
    });
  }

  it('is read or refused, whatever it is', () => {
    const member = fc.oneof(fc.anything(), fc.string(), fc.constant(token), fc.array(fc.string()));
    const argument = fc.dictionary(
      fc.constantFrom('url', 'app', 'platforms', 'wait', 'token', '__proto__', 'x'),
      member,
      { noNullPrototype: false },
    );
    fc.assert(
      fc.property(argument, (value) => {
        for (const read of [
          () => readResourceArgument('c', value).url,
          () => {
            const { app, platforms = [], wait = 0 } = readBuildArgument('c', value);
            assert.ok(platforms.every((name) => typeof name === 'string' && name !== '') && wait >= 0 && wait <= 3600);
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
