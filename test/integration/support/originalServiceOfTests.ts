import { OriginalService } from '../../support/originalService.ts';

/**
 * One service as the original was for all tests of a `describe`: another URL would have to be written into the settings, which
 * takes longer than most tests. It has forgotten what happened when a test begins.
 */
export function originalServiceOfTests(): OriginalService {
  const service = new OriginalService();
  before(() => service.listen());
  beforeEach(() => {
    service.apps.clear();
    service.keys.clear();
    service.role = 'admin';
    service.answerNormally();
    for (const list of [service.requests, service.uploads]) {
      list.length = 0;
    }
  });
  after(() => service.close());
  return service;
}
