import assert from 'node:assert/strict';
import { formatSentence, sentence } from '../../../../src/errors/index.ts';
import { remedyButtons } from '../../../../src/extension/preflight/remedies.ts';
import { fileUri } from '../../../support/packing.ts';
import type { Finding } from '../../../../src/extension/preflight/finding.ts';

const plugin = (about: string, more: Partial<Finding> = {}): Finding => ({
  ...{ code: 'pluginNotSupported', verdict: 'fails', message: sentence('{0}', about), about },
  ...more,
});

describe('the choice of buttons for findings', () => {
  it('offers one button per remedy, for the first matching finding, and one for the first position', async () => {
    const applied: string[] = [];
    const buttons = remedyButtons(
      [
        plugin('a', { remedies: ['removePlugin'] }),
        plugin('b', {
          remedies: ['installEngine', 'removePlugin'],
          location: { uri: fileUri('/shop/www/index.html') },
        }),
      ],
      (remedy, finding) => applied.push(`${remedy} ${formatSentence(finding.message)}`),
    );
    assert.deepEqual(
      buttons.map(({ title }) => title),
      ['Remove Plugin', 'Install Engine…', 'Open index.html'],
    );
    await buttons[0]?.run();
    await buttons[1]?.run();
    assert.deepEqual(applied, ['removePlugin a', 'installEngine b']);
  });

  it('doesn’t offer a button for a finding that requires several steps', () => {
    assert.deepEqual(
      remedyButtons([plugin('a')], () => undefined),
      [],
    );
  });
});
