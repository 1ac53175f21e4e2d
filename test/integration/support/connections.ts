import { Redactor } from '../../../src/service-client/index.ts';
import { ClientFactory } from '../../../src/extension/auth/clientFactory.ts';
import { ClientRegistrations, ServiceSelection } from '../../../src/extension/auth/serviceSelection.ts';
import { Connections } from '../../../src/extension/auth/connection.ts';
import type { TestAccess } from '../../../src/extension.ts';
import { Configuration } from '../../../src/extension/workbench/configuration.ts';
import { Log } from '../../../src/extension/workbench/log.ts';

/** Creates another service selection and connection with the window's sessions. @returns them, and disposables */
export function newConnections({ context, globalState, sessions }: TestAccess): {
  readonly connections: Connections;
  readonly selection: ServiceSelection;
  readonly parts: { dispose(): unknown }[];
} {
  const [redactor, configuration] = [new Redactor(), new Configuration()];
  const log = new Log(redactor);
  const selection = new ServiceSelection(
    configuration,
    new ClientRegistrations(context.secrets, configuration, redactor),
  );
  const connections = new Connections({
    selection,
    sessions,
    preferences: globalState,
    log,
    loadClientFactory: () => Promise.resolve(new ClientFactory(log, redactor)),
  });
  return { connections, selection, parts: [connections, selection, configuration] };
}
