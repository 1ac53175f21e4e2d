import type { ServiceUrl } from '../api/serviceUrl.ts';
import type { ClientRegistration } from './clientRegistration.ts';

/** The service that the extension talks to, and how this extension introduces itself there. */
export interface Service {
  readonly url: ServiceUrl;
  /** True for the service that ships inside the extension. */
  readonly local: boolean;
  /** Resolves when the service can be called: the local service starts when it is first needed. */
  ready(): Promise<void>;
  /** The client registration; undefined when there is none yet. */
  registration(): Promise<ClientRegistration | undefined>;
  /** Makes the service send browsers back to `callbackUrl`, where it lets us decide. */
  registerCallback?(callbackUrl: string): Promise<void>;
}
