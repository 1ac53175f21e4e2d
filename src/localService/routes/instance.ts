/** What a process that starts with the same data asks: the proof that this one serves it, and how it does. */
import type { Hono } from 'hono';

import { HttpError } from '../http/errors.ts';
import type { Service } from '../service.ts';
import { instanceProof } from '../store/instanceProof.ts';

/** Adds `GET /instance?challenge=<64 hexadecimal digits>`. `origin` is that of this process. */
export function addInstanceRoute(app: Hono, { store, builder }: Service, origin: string): void {
  app.get('/instance', (c) => {
    const challenge = c.req.query('challenge') ?? '';
    if (!/^[0-9a-f]{64}$/.test(challenge)) {
      throw new HttpError(400, 'The challenge must be 64 hexadecimal digits.');
    }
    return c.json({ proof: instanceProof(store, origin, challenge), builder: builder.name });
  });
}
