import type { PackageType, Plugin } from '../../store/model.ts';

/** What a package holds, as far as it is known before a build. */
export interface PackageInfo {
  readonly type: PackageType;
  /** Bytes, unpacked. */
  readonly unpackedSize: number;
  /** Files. */
  readonly fileCount: number;
  /** What config.xml says; `undefined` without one, and for one that cannot be read: the build tells. */
  readonly config: PackageConfig | undefined;
}

/** What config.xml says of an app (W3C Widget Packaging). Missing texts are empty. */
export interface PackageConfig {
  readonly id: string;
  readonly version: string;
  readonly name: string;
  readonly description: string;
  readonly plugins: readonly Plugin[];
}

/** The package is refused. The message names what is wrong with it and is for its developer. */
export class PackageError extends Error {
  override readonly name = 'PackageError';
}
