import assert from 'node:assert/strict';

import { InvalidInputError, type Remedy, sentence } from '../../src/errors/index.ts';
import { Redactor } from '../../src/service-client/index.ts';
import { Log } from '../../src/extension/workbench/log.ts';
import { Notifications, type RemedyActions } from '../../src/extension/workbench/notifications.ts';
import { withProgress } from '../../src/extension/workbench/progress.ts';
import { waitUntil } from '../support/waitUntil.ts';
import { useRecordingUser } from './support/recordingUser.ts';

describe('a notification', () => {
  const failure = (remedy: Remedy) => new InvalidInputError(sentence('It failed.'), undefined, remedy);
  const witness = useRecordingUser();
  let pressed: string[];

  beforeEach(() => {
    pressed = [];
  });

  const notifications = (actions: RemedyActions = {}) =>
    new Notifications(new Log(new Redactor()), new Redactor(), actions);
  /** Presses a button whenever it appears, but at most three times. */
  const press = (wanted: string) => {
    witness.answers.press = (_text, buttons) => {
      const button = buttons.find((title) => title === wanted);
      if (button === undefined || pressed.length === 3) {
        return undefined;
      }
      pressed.push(button);
      return button;
    };
  };
  const settled = () => new Promise((resolve) => setImmediate(resolve));

  it('repeats a failed action on Retry', async () => {
    press('Retry');
    let runs = 0;
    const run = () => {
      runs += 1;
      return Promise.reject(failure('retry'));
    };
    await notifications().run('Testing', run);
    await waitUntil(() => pressed.length === 3);
    await settled();
    assert.equal(runs, 4);
    assert.equal(witness.notifications.length, 4);
  });

  it('reports progress only for slow operations', async () => {
    await withProgress({ notification: 'Short', delayMs: 1_000_000 }, () => Promise.resolve());
    await withProgress({ notification: 'Long', delayMs: 0 }, () => witness.untilProgress('Long'));
    assert.deepEqual(witness.progress, ['Long']);
  });

  it('isn’t repeated for the same failure while it’s visible', () => {
    const shown = notifications();
    shown.failure('Testing', failure('retry'));
    shown.failure('Testing', failure('retry'));
    assert.equal(witness.notifications.length, 1);
  });

  it('has no button for a remedy without an action, and prefers the caller’s button to the common one', async () => {
    const shown = notifications({ connect: () => pressed.push('common') });
    shown.failure('Testing', failure('download'));
    assert.doesNotMatch(witness.notifications.join('\n'), /Download/);
    press('Connect to a Service…');
    shown.failure('Testing', new InvalidInputError(sentence('There is none.'), undefined, 'connect'), {
      connect: () => pressed.push('the caller’s'),
    });
    await settled();
    assert.deepEqual(pressed, ['Connect to a Service…', 'the caller’s']);
  });

  it('has a button for the first step, and Show Log only if its text is longer than a line', () => {
    const action = () => undefined;
    const actions = { openFolder: action, createSample: action, buildFolder: action, connect: action };
    const getButtons = (what: string, remedy: Remedy) => {
      let offered: readonly string[] = [];
      witness.answers.press = (_text, buttons) => void (offered = buttons);
      notifications(actions).failure('Testing', new InvalidInputError(sentence(what), undefined, remedy));
      return offered;
    };
    assert.deepEqual(getButtons('No folder.', 'openFolder'), ['Open Folder…', 'Create Sample Project…']);
    assert.deepEqual(getButtons('No service.', 'firstBuild'), ['Build App', 'Connect to a Service…']);
    assert.deepEqual(getButtons('A short one.', 'none'), []);
    assert.deepEqual(getButtons('A long one. '.repeat(6), 'none'), ['Show Log']);
  });

  it('reports the failure of a button', async () => {
    press('Try');
    notifications().information('Well done.', { title: 'Try', run: () => Promise.reject(failure('refresh')) });
    await waitUntil(() => witness.notifications.length === 2);
    assert.match(witness.notifications[1] ?? '', /It failed\./);
  });
});
