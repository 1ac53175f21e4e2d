import path from 'node:path';

/**
 * Absolute path of the repository. In the extension host, where tests run as a bundle in out/, the bundler replaces
 * `import.meta.dirname` with the source file's folder.
 */
export const repositoryRoot = path.resolve(import.meta.dirname, '..', '..');
