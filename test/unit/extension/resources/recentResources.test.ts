import assert from 'node:assert/strict';
import { RecentResources } from '../../../../src/extension/resources/recentResources.ts';

describe('recent resources', () => {
  const one = (url: string, title = url) => ({ url, title });

  it('lists recent resources first, without duplicates, with the latest title', () => {
    const recent = new RecentResources();
    recent.add('ann', [one('/a'), one('/b'), one('/c')]);
    recent.add('ann', [one('/a', 'A')]);
    assert.deepEqual(recent.of('ann'), [one('/a', 'A'), one('/c'), one('/b')]);
  });

  it('keeps a list per account', () => {
    const recent = new RecentResources();
    recent.add('ann', [one('/a')]);
    assert.deepEqual(recent.of('ben'), []);
  });
});
