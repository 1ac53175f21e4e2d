import { OriginalService } from '../../support/originalService.ts';

/**
 * Creates one simulated original service for all tests of a `describe`, because writing another URL to the settings takes longer than most
 * tests. The service is reset before each test.
 */
export function useOriginalService(): OriginalService {
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
