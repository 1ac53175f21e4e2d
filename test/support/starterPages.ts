import { readFileSync } from 'node:fs';
import path from 'node:path';

/** The first page that the starter of a build tool makes, or its build: a file of `fixtures/starterPages`. */
export function starterPage(name: string): string {
  return readFileSync(path.join(import.meta.dirname, '../fixtures/starterPages', `${name}.html`), 'utf8');
}
