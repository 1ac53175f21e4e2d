import type { AppCalls } from '../apps/calls/appCalls.ts';
import type { Connections, SignedInConnection } from '../auth/connection.ts';
import type { Apps } from '../builds/apps.ts';
import { ToolError } from './toolInput.ts';

/** The account that a tool acts for, with its calls. */
export interface ToolAccount {
  readonly connection: SignedInConnection;
  readonly apps: Apps;
  readonly calls: AppCalls;
  readonly signal: AbortSignal;
}

/** The signed-in account. @throws ToolError when no account is signed in; BuildServiceError when the connection is broken. */
export async function accountOf(connections: Connections): Promise<SignedInConnection> {
  const connection = await connections.current();
  switch (connection.kind) {
    case 'signedIn':
      return connection;
    case 'broken':
      throw connection.error;
    case 'signedOut':
      throw new ToolError(
        `Nobody is signed in to ${hostOf(connection)}. Ask the person to run the command “App Build: Sign In”, then call again.`,
      );
    case 'unconfigured':
      throw new ToolError(
        'No application build service is chosen, so nobody is signed in. Ask the person to run the command “App Build: Connect to a Service…”, or “App Build: Start Local Service” to try things out, then “App Build: Sign In”.',
      );
  }
}

/** Host of the service, with its port. */
export function hostOf({ service }: Pick<SignedInConnection, 'service'>): string {
  return new URL(service.url.href).host;
}
