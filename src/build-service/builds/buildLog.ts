/** Writes and reads the log of a build: a file that grows during the build and doesn't contain secrets. */
import { closeSync, openSync, writeFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';

import { MAX_LOG_BYTES, MAX_LOG_PART_BYTES, MAX_TEXT_LENGTH } from '../limits.ts';
import { findApp } from '../store/apps.ts';
import type { App, Build } from '../store/model.ts';
import type { BuildData } from './builder.ts';
import { FILE_MODE, readBytes } from '../../android-package/index.ts';
import { getSpellings } from './secretSpellings.ts';

/** The log of a running build. */
export type BuildLog = ReturnType<typeof openBuildLog>;

/** Part of a log. */
interface LogPart {
  readonly text: string;
  /** Offset of the next part, in UTF-8 bytes. */
  readonly nextOffset: number;
  /** Whether the log is complete after this part. */
  readonly ended: boolean;
}

/**
 * Starts a log.
 *
 * @param path path of the new file, which must not exist
 * @param mask applied to every line
 * @throws the system's error if the file can't be created
 */
export function openBuildLog(path: string, mask: MaskText) {
  const file = openSync(path, 'wx', FILE_MODE);
  let size = 0;
  let isFull = false;
  let waiting: string[] = [];
  const flush = (): void => {
    const text = waiting.join('');
    waiting = [];
    try {
      writeFileSync(file, text);
    } catch {
      // The disk is full. The build will also fail if it needs space.
      isFull = true;
    }
  };
  const add = (line: string): void => {
    const text = `${mask(line)}\n`;
    size += Buffer.byteLength(text);
    if (waiting.push(text) === 1) {
      setImmediate(() => waiting.length > 0 && flush());
    }
  };
  return {
    /** Adds a line. Drops lines beyond {@link MAX_LOG_BYTES}. */
    write: (line: string): void => {
      if (isFull) {
        return;
      }
      if (size >= MAX_LOG_BYTES) {
        isFull = true;
        add('The log is cut off here because it reached 4 MiB. The build continues.');
        return;
      }
      add(line);
    },
    /** Adds the last line and ends the log. The log is then complete on disk. */
    end: (line: string): void => {
      isFull = true;
      add(line);
      flush();
      closeSync(file);
    },
  };
}

/**
 * Reads a part of a build's log, at most {@link MAX_LOG_PART_BYTES}. Callers can request the next part while the build
 * runs.
 *
 * @param offset offset of the part in UTF-8 bytes, from `nextOffset`. An offset beyond the end returns an empty part.
 */
export async function readBuildLog({ store, files }: BuildData, build: Build, offset: number): Promise<LogPart> {
  const isPast = build.number === 0 || build.finishedAt !== null;
  if (build.logFile === null) {
    const app = isPast ? findApp(store, String(build.appId)) : undefined;
    const bytes = Buffer.from(app === undefined ? '' : createDemoLog(app, build)).subarray(offset);
    return { text: bytes.toString(), nextOffset: offset + bytes.length, ended: isPast };
  }
  const bytes = await readBytes(files.getPath(build.logFile), MAX_LOG_PART_BYTES, offset).catch((error: unknown) => {
    // The build hasn't written anything yet, or it has been requested again.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      return Buffer.alloc(0);
    }
    throw error;
  });
  // Return only whole lines, because the last character that was read may be incomplete. A finished log can end without
  // a line feed if the disk was full.
  const isLast = bytes.length < MAX_LOG_PART_BYTES;
  const text = isPast && isLast ? bytes : bytes.subarray(0, bytes.lastIndexOf('\n') + 1);
  return { text: text.toString(), nextOffset: offset + text.length, ended: isPast && isLast };
}

/** Returns the log of a demo build, which never ran. */
function createDemoLog({ title, version, package: id }: App, { platform, status, error }: Build): string {
  const outcome = error ?? status ?? 'No signing key was chosen for this platform.';
  return [`Building ${title} ${version} for ${platform}`, `Package ${id}`, outcome, ''].join('\n');
}

/** Makes a string safe to show: removes control characters and secrets. */
type MaskText = (text: string) => string;

const SECRET_PLACEHOLDER = '***';
/**
 * Minimum length of a masked secret, in characters. A shorter secret occurs in many words, so masking it would garble
 * the log and reveal the secret.
 */
const MIN_SECRET_LENGTH = 4;
/**
 * Invisible characters, control characters except the tab, and line separators. They can change the direction of text
 * or hide a secret from the search.
 */
const UNSEEN_CHARACTERS = /(?!\t)[\p{Cc}\u2028\u2029\p{Default_Ignorable_Code_Point}]/gu;

/**
 * Creates a function that hides secrets of four or more characters in all their {@link getSpellings}, and shortens long
 * strings.
 */
export function createMask(secrets: readonly string[]): MaskText {
  // A program can print the lines of a secret separately.
  const parts = secrets.flatMap((each) => [each, ...each.split(/[\r\n]/)]).map(withoutUnseenCharacters);
  const long = parts.filter((part) => Array.from(part).length >= MIN_SECRET_LENGTH);
  const forms = [...new Set(long.flatMap(getSpellings))].sort((left, right) => right.length - left.length);
  const hidden = new RegExp(forms.join('|') || '(?!)', 'gu');
  // A form isn't longer than its expression.
  const longest = forms[0]?.length ?? 0;
  return (text) => {
    const cut = text.length > MAX_TEXT_LENGTH;
    // The search can't find a secret that was cut off, so also cut off anything that may be the beginning of one.
    const all = withoutUnseenCharacters(cut ? text.slice(0, MAX_TEXT_LENGTH + longest) : text);
    const shown = all.replace(hidden, SECRET_PLACEHOLDER);
    return cut ? `${shown.slice(0, Math.max(0, Math.min(MAX_TEXT_LENGTH, shown.length - longest)))}…` : shown;
  };
}

function withoutUnseenCharacters(text: string): string {
  return stripVTControlCharacters(text).replace(UNSEEN_CHARACTERS, '');
}
