import assert from 'node:assert/strict';
import { EventEmitter, type StatusBarItem } from 'vscode';
import { KeyExpiry } from '../../../../src/extension/apps/keyExpiry.ts';
import { KEY_WARNING_MS } from '../../../../src/extension/apps/limits.ts';
import { dayText } from '../../../../src/extension/apps/rows/rowTexts.ts';
import { signingKey } from '../../../support/testData.ts';
import { statusBarItems } from '../../../support/vscode.ts';

const DAY_MS = 24 * 60 * 60_000;

describe('the expiry of signing keys', () => {
  it('shows a key in the status bar from a week before until a week after its expiry', () => {
    const accounts = new EventEmitter<never>();
    const keyExpiry = new KeyExpiry({ onDidChange: accounts.event }, { complete: (key) => key });
    const item = statusBarItems.at(-1) as StatusBarItem;
    let isShown = false;
    Object.assign(item, { show: () => (isShown = true), hide: () => (isShown = false) });
    const text = () => (isShown ? item.text : undefined);
    const key = signingKey({ title: 'Team' });
    const ending = (milliseconds: number) => ({ ...key, expiresAt: new Date(Date.now() + milliseconds) });
    const day = dayText(ending(6 * DAY_MS).expiresAt, 'en');
    keyExpiry.read(ending(6 * DAY_MS));
    const sentence = `The signing key Team (iOS) expires on ${day}.`;
    assert.deepEqual(
      [text(), item.tooltip, item.command, item.accessibilityInformation?.label],
      [`$(key) Key expires on ${day}`, `${sentence}\n\nClick to add a new key.`, 'appBuild.addKey', sentence],
    );
    keyExpiry.read({ ...ending(DAY_MS), url: `${key.url}0`, title: 'Sooner' });
    assert.deepEqual(keyExpiry.titles, ['Sooner', 'Team']);
    keyExpiry.readAll([ending(-DAY_MS)]);
    assert.equal(text(), `$(warning) Key expired on ${dayText(new Date(Date.now() - DAY_MS), 'en')}`);
    for (const left of [KEY_WARNING_MS + DAY_MS, -KEY_WARNING_MS - DAY_MS]) {
      keyExpiry.readAll([ending(left)]);
      assert.equal(text(), undefined);
    }
  });
});
