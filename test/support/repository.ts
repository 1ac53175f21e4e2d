import path from 'node:path';

/**
 * The repository's root. In Node it follows from this file's place; in the extension host, where the tests run as a
 * bundle below out/, the bundler writes each source file's folder in place of `import.meta.dirname`.
 */
export const repositoryRoot = path.resolve(import.meta.dirname, '..', '..');
