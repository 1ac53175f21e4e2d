import { readFileSync } from 'node:fs';
import path from 'node:path';

/** Returns the first page that a build tool's starter creates, or its build, from a file in `fixtures/starterPages`. */
export function starterPage(name: string): string {
  return readFileSync(path.join(import.meta.dirname, '../fixtures/starterPages', `${name}.html`), 'utf8');
}
