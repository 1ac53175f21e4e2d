import path from 'node:path';

/**
 * The repository's absolute path. In the extension host, where tests run as a bundle below out/, the bundler puts each
 * source file's folder in place of `import.meta.dirname`.
 */
export const repositoryRoot = path.resolve(import.meta.dirname, '..', '..');
