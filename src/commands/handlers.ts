import type { Redactor } from '../api/redaction.ts';
import type { AuthenticationProvider } from '../auth/authenticationProvider.ts';
import type { CallbackHandler } from '../auth/callback/callbackHandler.ts';
import type { ClientRegistrations } from '../auth/clientRegistration.ts';
import type { Connections } from '../auth/connection.ts';
import type { ServiceSelection } from '../auth/serviceSelection.ts';
import { RequestDrafts } from '../resources/requests/requestDrafts.ts';
import type { ResourceDocuments } from '../resources/documents/resourceDocuments.ts';
import type { ResourceTree } from '../resources/tree/resourceTree.ts';
import type { ResponseDocuments } from '../resources/documents/responseDocuments.ts';
import type { RecentResources } from '../resources/recentResources.ts';
import type { Configuration } from '../workbench/configuration.ts';
import type { Dialogs } from '../workbench/dialogs.ts';
import type { Log } from '../workbench/log.ts';
import type { Notifications } from '../workbench/notifications.ts';
import { SecretClipboard } from '../workbench/secretClipboard.ts';
import { accountCommands } from './account.ts';
import { copyCommands } from './copy.ts';
import { downloadCommands } from './download.ts';
import type { LocalService } from '../localServiceHost/localService.ts';
import { localServiceCommands } from './localServiceCommands.ts';
import { logCommands } from './log.ts';
import type { Handlers, Keep } from './registry.ts';
import { requestCommands } from './request.ts';
import { resourceCommands } from './resource.ts';
import { serviceCommands } from './service.ts';
import { tokenCommands } from './token.ts';

interface Parts {
  readonly extensionId: string;
  readonly log: Log;
  readonly redactor: Redactor;
  readonly notifications: Notifications;
  readonly configuration: Configuration;
  readonly dialogs: Dialogs;
  readonly provider: AuthenticationProvider;
  readonly callbacks: CallbackHandler;
  readonly registrations: ClientRegistrations;
  readonly selection: ServiceSelection;
  readonly connections: Connections;
  readonly localService: LocalService;
  readonly tree: ResourceTree;
  readonly documents: ResourceDocuments;
  readonly responses: ResponseDocuments;
  readonly recent: RecentResources;
}

/** What every command does. Loaded when the first command runs, not with the extension. */
export function handlersOf(parts: Parts, keep: Keep): Required<Handlers> {
  const { log, tree, documents, localService } = parts;
  const drafts = keep(new RequestDrafts());
  const changed = () => Promise.all([tree.refresh(), documents.refresh()]);
  return {
    ...accountCommands(parts),
    ...serviceCommands(parts),
    ...localServiceCommands(localService),
    ...resourceCommands(parts),
    ...requestCommands({ ...parts, drafts, changed }),
    ...downloadCommands(parts),
    ...copyCommands(parts),
    ...tokenCommands({ ...parts, clipboard: keep(new SecretClipboard()) }),
    ...logCommands(log),
  };
}
