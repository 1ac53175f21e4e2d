import type * as vscode from 'vscode';

/** The same storage; notes the keys that are written. */
export function recordingWrites(secrets: vscode.SecretStorage, writes: string[] = []): vscode.SecretStorage {
  return {
    get: (key) => secrets.get(key),
    keys: () => secrets.keys(),
    onDidChange: secrets.onDidChange,
    store: (key, value) => {
      writes.push(key);
      return secrets.store(key, value);
    },
    delete: (key) => {
      writes.push(key);
      return secrets.delete(key);
    },
  };
}
