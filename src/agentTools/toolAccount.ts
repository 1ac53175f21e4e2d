import type { AppCalls } from '../apps/calls/appCalls.ts';
import type { SignedInConnection } from '../auth/connection.ts';
import type { Apps } from '../builds/apps.ts';

/** The account that a tool acts for, with its calls. */
export interface ToolAccount {
  readonly connection: SignedInConnection;
  readonly apps: Apps;
  readonly calls: AppCalls;
  readonly signal: AbortSignal;
}
