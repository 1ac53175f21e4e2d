import type { App } from '../../apps/model/app.ts';
import type { SharedBuild } from '../installPage.ts';
import type { NetworkAddress } from './addresses.ts';
import type { WebFiles } from './webFiles.ts';

/** What is shared of an app, and in which network. */
export interface ShareSubject {
  readonly app: Pick<App, 'url' | 'title' | 'version'>;
  readonly build: SharedBuild;
  readonly network: NetworkAddress;
}

/** A build that this window shares in a network. */
export interface Share extends ShareSubject {
  readonly id: string;
  readonly kind: 'install' | 'preview';
  readonly url: string;
  readonly endsAt: Date;
}

/** The preview of an app, which shows each new build. */
export interface Preview extends Share {
  readonly kind: 'preview';
  /** Has the phones load another build. It takes the files. */
  show(files: WebFiles): Promise<void>;
}
