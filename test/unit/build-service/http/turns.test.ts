import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';

import { MAX_REQUESTS_PER_TURN } from '../../../../src/build-service/limits.ts';
import { createBuilder, untilAborted } from '../../../support/builds.ts';
import { useService } from '../../../support/hooks.ts';
import { startInProcess } from '../../../support/inProcessService.ts';

const REQUESTS = 4 * MAX_REQUESTS_PER_TURN;

describe('local service: requests that arrive together', () => {
  /** Turn of the event loop in which each request asked the builder for its platforms. */
  const askedIn: number[] = [];
  let turn = 0;
  const builder = createBuilder(untilAborted);
  const service = useService(() =>
    startInProcess({
      builder: {
        ...builder,
        platforms: () => {
          askedIn.push(turn);
          return builder.platforms();
        },
      },
    }),
  );

  it('begins a few of them in each turn of the event loop, and answers all in order', async () => {
    let isCounting = true;
    const count = (): void => {
      turn += 1;
      if (isCounting) {
        setImmediate(count);
      }
    };
    const { host, hostname, port } = new URL(service.baseUrl);
    const socket = connect(Number(port), hostname);
    const target = (index: number): string =>
      `/api/v1/current_support?callback=n${index}&auth_token=${service.authToken}`;
    const close = (index: number): string => (index === REQUESTS - 1 ? 'Connection: close\r\n' : '');
    setImmediate(count);
    socket.write(
      Array.from(
        { length: REQUESTS },
        (_, index) => `GET ${target(index)} HTTP/1.1\r\nHost: ${host}\r\n${close(index)}\r\n`,
      ).join(''),
    );
    const answers = await text(socket);
    isCounting = false;
    const names = Array.from(answers.matchAll(/^(n\d+)\(/gm), ([, name]) => name);
    assert.deepEqual(
      names,
      Array.from({ length: REQUESTS }, (_, index) => `n${index}`),
    );
    const perTurn = Object.values(Object.groupBy(askedIn, String)).map((asked = []) => asked.length);
    assert.equal(askedIn.length, REQUESTS);
    assert.equal(Math.max(...perTurn), MAX_REQUESTS_PER_TURN);
  });
});
