import assert from 'node:assert/strict';
import type { CallbackHandler } from '../../../../src/extension/auth/callback/callbackHandler.ts';
import { loopbackFlow, pastedCallbackFlow, uriHandlerFlow } from '../../../../src/extension/auth/flows/browserFlows.ts';
import type { FlowEnvironment, FlowId } from '../../../../src/extension/auth/flows/flow.ts';
import { authTokenFlow, passwordFlow } from '../../../../src/extension/auth/flows/tokenFlows.ts';
import { MapMemento } from '../../../support/mapMemento.ts';

const DESKTOP: FlowEnvironment = {
  host: 'desktop',
  remote: false,
  registered: true,
  callback: 'extension',
  ownCallback: false,
};
/** Flows that work wherever the extension is registered. */
const ALWAYS: readonly FlowId[] = ['authToken', 'password', 'pastedCallback'];

describe('the offered sign-in methods', () => {
  // The flows need no dependencies because none of them runs here.
  const browser = { callbacks: {} as CallbackHandler, globalState: new MapMemento() };
  const flows = [
    uriHandlerFlow('id', browser),
    loopbackFlow(browser),
    authTokenFlow(),
    passwordFlow(),
    pastedCallbackFlow(browser),
  ];

  for (const [where, environment, expected] of [
    ['on the desktop', {}, ['uriHandler', ...ALWAYS]],
    ['on the desktop, in a remote window', { remote: true }, ['uriHandler', ...ALWAYS]],
    ['in a browser', { host: 'web' }, ALWAYS],
    [
      'in a browser, at a service that accepts its callback',
      { host: 'web', ownCallback: true },
      ['uriHandler', ...ALWAYS],
    ],
    ['with a callback on this computer', { callback: 'loopback' }, ['loopback', ...ALWAYS]],
    ['with a callback on this computer, in a remote window', { callback: 'loopback', remote: true }, ALWAYS],
    ['with a callback elsewhere', { callback: 'other' }, ALWAYS],
    ['without a registration', { registered: false }, ['password']],
    [
      'without a registration, at a service that accepts its callback',
      { registered: false, ownCallback: true },
      ['password'],
    ],
  ] satisfies readonly (readonly [string, Partial<FlowEnvironment>, readonly FlowId[]])[]) {
    it(`are those that work ${where}`, () => {
      const offered = flows.filter((flow) => flow.worksIn({ ...DESKTOP, ...environment }));
      assert.deepEqual(
        offered.map(({ id }) => id),
        expected,
      );
    });
  }
});
