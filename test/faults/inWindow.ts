/** Faults that only a window of VS Code can have: they are tested there, and listed here by the titles of the tests. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { repositoryRoot } from '../support/repository.ts';
import type { Row } from './row.ts';

interface InWindow {
  readonly fault: string;
  /** Below test. */
  readonly file: string;
  /** Title of the test. */
  readonly test: string;
}

const integration = (name: string, fault: string, test: string): InWindow => ({
  fault,
  file: `integration/${name}.test.ts`,
  test,
});
const endToEnd = (name: string, fault: string, test: string): InWindow => ({
  fault,
  file: `e2e/${name}.test.ts`,
  test,
});

const FAULTS: readonly InWindow[] = [
  endToEnd(
    'deny',
    'the window is reloaded in mid-sign-in: no second prompt, no session',
    'ends with a reload of the window, asks nothing afterwards, and leaves nothing in the way of the next one',
  ),
  endToEnd(
    'mainJob',
    'the window is reloaded while signed in: no lost session',
    'is still signed in after a reload, and starts the local service again',
  ),
  endToEnd(
    'deny',
    'the sign-in is cancelled, its answer comes late',
    'ignores the answer to a sign-in that was cancelled',
  ),
  integration('signIn', 'the sign-in is never answered', 'timed out'),
  integration('signIn', 'the service is gone in mid-sign-in', 'the service is gone'),
  integration('signIn', 'several ask to sign in at the same time: one prompt', 'concurrent callers share one sign-in'),
  integration(
    'adversaries',
    '401 in mid-session for every call: one question to the service, one notification',
    'is dropped once, with one question, however many calls fail',
  ),
  integration(
    'tree',
    '401 for one resource while the token is good: no lost session',
    'for one resource, while /me accepts the token: the session stays',
  ),
  integration(
    'tree',
    '401, and the service cannot say whether the token is good: no lost session',
    'and /me fails otherwise: the session stays',
  ),
  integration(
    'adversaries',
    '401 for an older token: no lost session',
    'an answer for an older token leaves a newer one alone',
  ),
  endToEnd(
    'mainJob',
    'the token is revoked: one notification, one way back in',
    'asks once to sign in again when the token was revoked',
  ),
  integration(
    'tree',
    '500 at the root: no lost session',
    'an error at the root is a failure with the service’s own reason, and signs nobody out',
  ),
  endToEnd(
    'mainJob',
    'the local service is killed under the tree',
    'goes on when the service has died: it is started again',
  ),
  endToEnd(
    'connect',
    'the service is down while signed in: no lost session',
    'does not take a service that is down for being signed out',
  ),
  integration(
    'explorer',
    'the network is lost under an open tree',
    'stay, with the reason above them, while the network is away',
  ),
  integration(
    'sessions',
    'the keychain cannot be read',
    'cannot be read: that is an error, not "signed out", and it passes',
  ),
  integration(
    'sessions',
    'the keychain cannot be written',
    'cannot be written: the session lasts as long as the window',
  ),
  endToEnd(
    'requests',
    'a download is cancelled by its button: no file, not even a part',
    'cancels a download and leaves nothing behind',
  ),
  integration(
    'downloads',
    'a download to a virtual file system that is read-only',
    'says that a read-only one cannot be written',
  ),
  integration(
    'downloads',
    'a download to a virtual file system that does not take as much',
    'refuses what does not fit into memory, and says what to do',
  ),
  ...[
    ['the app of a folder is deleted', 'says that the app was deleted, before the upload or during it, and asks again'],
    [
      'an upload fails: nothing is linked, no package is left',
      'links nothing and keeps no package when the upload fails, and says what to do',
    ],
    ['a folder without a web project', 'says what is missing in a folder without a web project'],
    [
      'two folders linked to one app; a folder that is gone',
      'links a second folder to an app only after a question, and not for a folder that is gone',
    ],
  ].map(([fault = '', test = '']) => integration('buildFolder', fault, test)),
  ...[
    [
      'a task whose question is closed, without a folder, with a refused upload, with an app that goes',
      'never waits for ever: a question that is closed, no folder, a refused upload, an app that goes',
    ],
    ['a task with empty properties', 'tells what is wrong in tasks.json, and ends with 1'],
    ['a task in a folder that is not trusted', 'is not configured for a folder that is not trusted: no task would run'],
  ].map(([fault = '', test = '']) => integration('buildTask', fault, test)),
  integration(
    'leak',
    'every failure in every way to sign in and in every command: no secret in any output',
    'no secret is anywhere',
  ),
];

/** A row for each fault, which says where it is tested and nothing of the outcome; a test that does not exist is a problem. */
export async function inWindow(): Promise<readonly Row[]> {
  return Promise.all(
    FAULTS.map(async ({ fault, file, test }) => {
      const text = await readFile(path.join(repositoryRoot, 'test', file), 'utf8');
      const problems = text.includes(`it('${test}'`) ? [] : ['there is no such test'];
      return { group: 'window', name: fault, expected: test, got: `not run here, but in test/${file}`, problems };
    }),
  );
}
