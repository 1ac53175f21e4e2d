import type { OriginalService } from '../../support/originalService.ts';

/**
 * Has a service forget what happened and answer as the original would. A file has one service for all of its tests: another URL
 * would have to be written into the settings, which takes longer than most tests.
 */
export function fresh(service: OriginalService): OriginalService {
  service.apps.clear();
  service.keys.clear();
  service.role = 'admin';
  service.answerNormally();
  for (const list of [service.requests, service.uploads]) {
    list.length = 0;
  }
  return service;
}
