import type { Sentence } from '../../api/errors/sentence.ts';
import { isObject, type JsonObject } from '../../api/hypermedia/json.ts';
import type { BuildState, PlatformBuild } from '../../apps/model/app.ts';

/**
 * What windows share about a watched build. Addresses are paths at the service without a query: it may hold a secret, and a
 * local service comes back at another port.
 */
export interface WatchRecord {
  readonly title: string;
  /** Path of the app. */
  readonly path: string;
  /** Hash of the account that watches. */
  readonly account: string;
  readonly builds: readonly PlatformBuild[];
  /** Milliseconds since 1970, as are the other times. */
  readonly startedAt: number;
  readonly askedAt: number;
  readonly notBefore: number;
  readonly failures: number;
  /** Why there was no answer. */
  readonly trouble: Sentence | undefined;
  /** `undefined` while it is watched. */
  readonly end: { readonly kind: 'ended' | 'gone' | 'stopped'; readonly at: number } | undefined;
}

const STATES: readonly BuildState[] = ['none', 'waiting', 'building', 'complete', 'failed', 'skipped', 'other'];
const ENDS = ['ended', 'gone', 'stopped'] as const;

/** Longer texts of a service are cut. */
const MAX_TEXT_LENGTH = 1_000;

/** The text of a record's file. */
export function recordText(record: WatchRecord): string {
  return JSON.stringify({ ...record, builds: record.builds.map(storedBuild) });
}

function storedBuild(build: PlatformBuild): PlatformBuild {
  return {
    ...build,
    error: build.error?.slice(0, MAX_TEXT_LENGTH),
    downloadUrl: storedPath(build.downloadUrl),
    logUrl: storedPath(build.logUrl),
  };
}

/** The path of an address; undefined for one with a query, which stays in the memory of the window that knows it. */
export function storedPath(url: string | undefined): string | undefined {
  if (url === undefined || !URL.canParse(url, 'http://any')) {
    return undefined;
  }
  const { pathname, search } = new URL(url, 'http://any');
  return search === '' ? pathname : undefined;
}

/** Reads a record's file. @returns undefined for one that is damaged, or of another version. */
export function readRecord(text: string): WatchRecord | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? toRecord(value) : undefined;
  } catch {
    return undefined;
  }
}

function toRecord(value: JsonObject): WatchRecord | undefined {
  const { title, path, account, startedAt, askedAt, notBefore, failures, builds, end, trouble } = value;
  if (
    typeof title !== 'string' ||
    typeof path !== 'string' ||
    !path.startsWith('/') ||
    path.startsWith('//') ||
    typeof account !== 'string' ||
    !isTime(startedAt) ||
    !isTime(askedAt) ||
    !isTime(notBefore) ||
    !isTime(failures) ||
    !Array.isArray(builds)
  ) {
    return undefined;
  }
  const read = builds.map(toBuild);
  const complete = read.filter((build) => build !== undefined);
  if (complete.length === 0 || complete.length < read.length) {
    return undefined;
  }
  return {
    ...{ title, path, account, startedAt, askedAt, notBefore, failures },
    builds: complete,
    trouble: toSentence(trouble),
    end: toEnd(end),
  };
}

function toBuild(value: unknown): PlatformBuild | undefined {
  if (!isObject(value) || typeof value.platform !== 'string') {
    return undefined;
  }
  const state = STATES.find((each) => each === value.state);
  return state === undefined
    ? undefined
    : {
        platform: value.platform,
        state,
        status: textOf(value.status) ?? null,
        error: textOf(value.error),
        downloadUrl: textOf(value.downloadUrl),
        logUrl: textOf(value.logUrl),
      };
}

function toEnd(value: unknown): WatchRecord['end'] {
  if (!isObject(value) || !isTime(value.at)) {
    return undefined;
  }
  const kind = ENDS.find((each) => each === value.kind);
  return kind === undefined ? undefined : { kind, at: value.at };
}

function toSentence(value: unknown): Sentence | undefined {
  if (!isObject(value) || typeof value.template !== 'string' || !Array.isArray(value.args)) {
    return undefined;
  }
  return {
    template: value.template,
    args: value.args.filter((each) => typeof each === 'string' || typeof each === 'number'),
  };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function isTime(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}
