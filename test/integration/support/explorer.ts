import { parseServiceUrl } from '../../../src/api/serviceUrl.ts';
import { newSession } from '../../../src/auth/session.ts';
import type { TestAccess } from '../../../src/extension.ts';
import { oddToken, startOddService, type OddService } from '../../support/oddService.ts';
import { activated, configure } from './extension.ts';
import { ServedRows } from './treeRows.ts';

/** The resource explorer, signed in at a service that answers what a test wants. */
export class Explorer extends ServedRows {
  readonly #access: TestAccess;

  private constructor(access: TestAccess, service: OddService) {
    super(access.tree, service);
    this.#access = access;
  }

  static async open(): Promise<Explorer> {
    return new Explorer(await activated(), await startOddService());
  }

  /** Signs in, as each test has to. */
  signIn(): Promise<void> {
    return signInAtOddService(this.#access, this.service);
  }

  close(): Promise<void> {
    return this.service.close();
  }
}

/** Uses a service from now on, signed in with its token. */
export async function signInAtOddService({ sessions }: TestAccess, { url }: OddService): Promise<void> {
  await configure({ serviceUrl: url });
  await sessions.store(newSession(parseServiceUrl(url), 'odd', { type: 'authToken', authToken: oddToken }, []));
}
