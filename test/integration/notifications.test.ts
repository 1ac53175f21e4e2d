import assert from 'node:assert/strict';

import { InvalidInputError, type Remedy } from '../../src/api/errors/buildServiceError.ts';
import { sentence } from '../../src/api/errors/sentence.ts';
import { Redactor } from '../../src/api/redaction.ts';
import { Log } from '../../src/workbench/log.ts';
import { Notifications, type RemedyActions } from '../../src/workbench/notifications.ts';
import { withProgress } from '../../src/workbench/progress.ts';
import { waitUntil } from '../support/waitUntil.ts';
import { userOfEachTest } from './support/recordingUser.ts';

describe('notifications', () => {
  const failure = (remedy: Remedy) => new InvalidInputError(sentence('It failed.'), undefined, remedy);
  const witness = userOfEachTest();
  let pressed: string[];

  beforeEach(() => {
    pressed = [];
  });

  const notifications = (actions: RemedyActions = {}) =>
    new Notifications(new Log(new Redactor()), new Redactor(), actions);
  /** Presses a button as often as there is one, but no more than three times. */
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

  it('show what fails again on Retry again', async () => {
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

  it('show progress of what takes its time, and only of that', async () => {
    await withProgress({ notification: 'Short', delayMs: 1_000_000 }, () => Promise.resolve());
    await withProgress({ notification: 'Long', delayMs: 0 }, () => witness.untilProgress('Long'));
    assert.deepEqual(witness.progress, ['Long']);
  });

  it('show the same failure once while it is on screen', () => {
    const shown = notifications();
    shown.failure('Testing', failure('retry'));
    shown.failure('Testing', failure('retry'));
    assert.equal(witness.notifications.length, 1);
  });

  it('show no button for a remedy without an action, and that of the caller before the common one', async () => {
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

  it('have a button for the first step, and Show Log only for a text that needs more than a line', () => {
    const action = () => undefined;
    const actions = { openFolder: action, createSample: action, buildFolder: action, connect: action };
    const buttonsOf = (what: string, remedy: Remedy) => {
      let offered: readonly string[] = [];
      witness.answers.press = (_text, buttons) => void (offered = buttons);
      notifications(actions).failure('Testing', new InvalidInputError(sentence(what), undefined, remedy));
      return offered;
    };
    assert.deepEqual(buttonsOf('No folder.', 'openFolder'), ['Open Folder…', 'Create Sample Project…']);
    assert.deepEqual(buttonsOf('No service.', 'firstBuild'), ['Build App', 'Connect to a Service…']);
    assert.deepEqual(buttonsOf('A short one.', 'none'), []);
    assert.deepEqual(buttonsOf('A long one. '.repeat(6), 'none'), ['Show Log']);
  });

  it('show the failure of a button', async () => {
    press('Try');
    notifications().information('Well done.', { title: 'Try', run: () => Promise.reject(failure('refresh')) });
    await waitUntil(() => witness.notifications.length === 2);
    assert.match(witness.notifications[1] ?? '', /It failed\./);
  });
});
