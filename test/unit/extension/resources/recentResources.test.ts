import assert from 'node:assert/strict';
import { RecentResources } from '../../../../src/extension/resources/recentResources.ts';

describe('the list of recent resources', () => {
  const one = (url: string, title = url) => ({ url, title });

  it('starts with the latest one, and contains each only once, with its latest title', () => {
    const recent = new RecentResources();
    recent.add('ann', [one('/a'), one('/b'), one('/c')]);
    recent.add('ann', [one('/a', 'A')]);
    assert.deepEqual(recent.get('ann'), [one('/a', 'A'), one('/c'), one('/b')]);
  });

  it('is separate for each account', () => {
    const recent = new RecentResources();
    recent.add('ann', [one('/a')]);
    assert.deepEqual(recent.get('ben'), []);
  });
});
