import type { SuspectFile } from '../../packing/packageContents.ts';

/** What the commands of a row in the view are about. Paths are below the project. */
export type CheckValue =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'folder'; readonly path: string }
  /** A file that may hold a secret. */
  | { readonly kind: 'suspect'; readonly path: string; readonly suspect: SuspectFile };
