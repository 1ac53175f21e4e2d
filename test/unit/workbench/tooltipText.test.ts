import assert from 'node:assert/strict';
import { tooltipText } from '../../../src/workbench/tooltipText.ts';

describe('text from the service in a tooltip', () => {
  it('keeps its lines, and nothing else that is invisible', () => {
    assert.equal(tooltipText('a\nb\u202ec\u0007\td'), 'a\nbc d');
    assert.equal(tooltipText('x'.repeat(5000)).length, 2001);
  });
});
