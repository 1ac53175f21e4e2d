import assert from 'node:assert/strict';

import { Redactor } from '../../../../src/api/redaction.ts';
import { MAX_LINES } from '../../../../src/builds/logs/logParts.ts';
import { storedLogOf } from '../../../../src/builds/logs/storedLog.ts';

describe('a log as it is stored', () => {
  it('has its lines without colours and secrets, and the first errors by their lines', async () => {
    const redactor = new Redactor();
    redactor.add('a-secret-of-mine');
    const text = '── One\r\n\u001b[31merror: no\u001b[0m\n\nkey a-secret-of-mine\nerror: b\n\n\n';
    assert.deepEqual(await storedLogOf(text, redactor), {
      lines: ['── One', 'error: no', '', 'key ***', 'error: b'],
      errors: [
        { line: 2, text: 'error: no' },
        { line: 5, text: 'error: b' },
      ],
      isCut: false,
    });
    assert.deepEqual(await storedLogOf('', redactor), { lines: [], errors: [], isCut: false });
  });

  it('has its last lines where there are too many', async () => {
    const { lines, isCut } = await storedLogOf(`first\n${'a\n'.repeat(MAX_LINES)}`, new Redactor());
    assert.deepEqual([lines.length, lines[0], isCut], [MAX_LINES, 'a', true]);
    const whole = await storedLogOf('a\n'.repeat(MAX_LINES - 1) + 'a', new Redactor());
    assert.deepEqual([whole.lines.length, whole.isCut], [MAX_LINES, false]);
  });
});
