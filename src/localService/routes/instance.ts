/** The proof that this is the service of certain data, for another process that starts with the same data. */
import type { Hono } from 'hono';

import { HttpError } from '../http/errors.ts';
import { instanceProof } from '../store/instanceProof.ts';
import type { Store } from '../store/store.ts';

/** Adds `GET /instance?challenge=<64 hexadecimal digits>`. `origin` is that of this process. */
export function addInstanceRoute(app: Hono, store: Store, origin: string): void {
  app.get('/instance', (c) => {
    const challenge = c.req.query('challenge') ?? '';
    if (!/^[0-9a-f]{64}$/.test(challenge)) {
      throw new HttpError(400, 'The challenge must be 64 hexadecimal digits.');
    }
    return c.json({ proof: instanceProof(store, origin, challenge) });
  });
}
