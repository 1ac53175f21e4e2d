import { NotSignedInError } from '../authErrors.ts';
import type { Flow } from './flow.ts';

/**
 * The person's own service hands over an access token: this window's child does, over the channel between them. There is no
 * browser, and nothing to consent to between a program and its own child. It has no name: nobody is offered it.
 */
export const ownerFlow: Pick<Flow, 'run'> = {
  async run({ service }) {
    if (service.ownerAccessToken === undefined) {
      throw new NotSignedInError(new URL(service.url.href).host);
    }
    return { token: { type: 'accessToken', accessToken: await service.ownerAccessToken() }, stateVerified: true };
  },
};
