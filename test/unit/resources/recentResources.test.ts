import assert from 'node:assert/strict';
import { RecentResources } from '../../../src/resources/recentResources.ts';

describe('recent resources', () => {
  const one = (url: string, title = url) => ({ url, title });

  it('come back the most recent first, each once, with the latest title', () => {
    const recent = new RecentResources();
    recent.add('ann', [one('/a'), one('/b'), one('/c')]);
    recent.add('ann', [one('/a', 'A')]);
    assert.deepEqual(recent.of('ann'), [one('/a', 'A'), one('/c'), one('/b')]);
  });

  it('belong to an account', () => {
    const recent = new RecentResources();
    recent.add('ann', [one('/a')]);
    assert.deepEqual(recent.of('ben'), []);
  });
});
