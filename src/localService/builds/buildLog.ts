/** The log of a build: a file that grows while the build runs, without secrets. */
import { closeSync, openSync, writeFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';

import { MAX_LOG_BYTES, MAX_LOG_PART_BYTES, MAX_TEXT_LENGTH } from '../limits.ts';
import { findApp } from '../store/apps.ts';
import { FILE_MODE, readBytes } from '../store/dataFiles.ts';
import type { App, Build } from '../store/model.ts';
import type { BuildData } from './builder.ts';

export type BuildLog = ReturnType<typeof openBuildLog>;

/** A part of a log. */
export interface LogPart {
  readonly text: string;
  /** Where the next part begins, bytes of UTF-8. */
  readonly nextOffset: number;
  /** Whether nothing follows any more. */
  readonly ended: boolean;
}

/**
 * Starts a log.
 *
 * @param path of a file that does not exist
 * @param mask what each line goes through
 * @throws the system's error when the file cannot be made
 */
export function openBuildLog(path: string, mask: Mask) {
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
      // The disk is full. The build itself fails if it needs space, too.
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
    /** Adds a line. Lines beyond {@link MAX_LOG_BYTES} are dropped. */
    write: (line: string): void => {
      if (isFull) {
        return;
      }
      if (size >= MAX_LOG_BYTES) {
        isFull = true;
        add('The log is cut here: it has 4 MiB. The build goes on.');
        return;
      }
      add(line);
    },
    /** Adds the last line and ends the log: all of it can be read then. */
    end: (line: string): void => {
      isFull = true;
      add(line);
      flush();
      closeSync(file);
    },
  };
}

/**
 * Reads a part of the log of a build, of at most {@link MAX_LOG_PART_BYTES}. It may be asked for the next one while the build runs.
 *
 * @param offset bytes of UTF-8, as `nextOffset` says; beyond the end there is nothing
 */
export async function readBuildLog({ store, files }: BuildData, build: Build, offset: number): Promise<LogPart> {
  const isPast = build.number === 0 || build.finishedAt !== null;
  if (build.logFile === null) {
    const app = isPast ? findApp(store, String(build.appId)) : undefined;
    const bytes = Buffer.from(app === undefined ? '' : logOf(app, build)).subarray(offset);
    return { text: bytes.toString(), nextOffset: offset + bytes.length, ended: isPast };
  }
  const bytes = await readBytes(files.pathOf(build.logFile), MAX_LOG_PART_BYTES, offset).catch((error: unknown) => {
    // The build has not begun to write, or is built again.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      return Buffer.alloc(0);
    }
    throw error;
  });
  // Whole lines: a character may be written in part. Only a log that has ended ends without a line feed, where the disk was full.
  const isLast = bytes.length < MAX_LOG_PART_BYTES;
  const text = isPast && isLast ? bytes : bytes.subarray(0, bytes.lastIndexOf('\n') + 1);
  return { text: text.toString(), nextOffset: offset + text.length, ended: isPast && isLast };
}

/** The log of a build of the demo data, which never ran. */
function logOf({ title, version, package: id }: App, { platform, status, error }: Build): string {
  const outcome = error ?? status ?? 'No signing key was chosen for this platform.';
  return [`Building ${title} ${version} for ${platform}`, `Package ${id}`, outcome, ''].join('\n');
}

/** Makes a text fit to be shown: without control characters and secrets. */
export type Mask = (text: string) => string;

const SECRET_PLACEHOLDER = '***';
/** Characters of a secret that is hidden. A shorter one is part of many words: hiding it would garble the log, and tell what it is. */
const MIN_SECRET_LENGTH = 4;
/** Control characters but the tab, line separators, and what is not seen: it may change the direction of text, or part a secret. */
const UNSEEN_CHARACTERS = /(?!\t)[\p{Cc}\u2028\u2029\p{Default_Ignorable_Code_Point}]/gu;

/** The function that hides secrets of four characters or more, in the {@link spellingsOf} each, and cuts long texts. */
export function createMask(secrets: readonly string[]): Mask {
  // A program may print the lines apart.
  const parts = secrets.flatMap((each) => [each, ...each.split(/[\r\n]/)]).map(withoutUnseenCharacters);
  const long = parts.filter((part) => Array.from(part).length >= MIN_SECRET_LENGTH);
  const forms = [...new Set(long.flatMap(spellingsOf))].sort((left, right) => right.length - left.length);
  const hidden = new RegExp(forms.map(escapeExpression).join('|') || '(?!)', 'gu');
  const longest = forms[0]?.length ?? 0;
  return (text) => {
    const cut = text.length > MAX_TEXT_LENGTH;
    // A secret that is cut would not be found: what could be the first part of one is cut off too.
    const all = withoutUnseenCharacters(cut ? text.slice(0, MAX_TEXT_LENGTH + longest) : text);
    const shown = all.replace(hidden, SECRET_PLACEHOLDER);
    return cut ? `${shown.slice(0, Math.max(0, Math.min(MAX_TEXT_LENGTH, shown.length - longest)))}…` : shown;
  };
}

function withoutUnseenCharacters(text: string): string {
  return stripVTControlCharacters(text).replace(UNSEEN_CHARACTERS, '');
}

const NOT_ASCII = /[^ -~]/g;
/** What Gson and others escape in JSON, because it may stand in a page. */
const OF_PAGES = /[&<>'=]/g;

/** How tools print a text: plain, and as JSON, XML, percent-encoding, forms, shells, Java's properties, Python and base64 have it. */
function spellingsOf(text: string): readonly string[] {
  const json = JSON.stringify(text).slice(1, -1);
  // Percent-encoding knows no lone surrogates.
  const percent = [encodeURIComponent, encodeURI].map((encode) => encode(text.toWellFormed()));
  const form = new URLSearchParams([['', text]]).toString().slice(1);
  const xml = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const quotedXml = xml.replaceAll('"', '&quot;');
  const properties = text.replace(/[\\=:#!]|^ /g, '\\$&');
  const python = text.replaceAll('\\', '\\\\');
  return [
    text,
    ...[json, json.replaceAll('/', '\\/'), unicodeEscaped(json, OF_PAGES)].flatMap((each) => [
      each,
      unicodeEscaped(each, NOT_ASCII),
    ]),
    ...[xml, quotedXml, quotedXml.replaceAll("'", '&apos;'), quotedXml.replaceAll("'", '&#39;')],
    ...[...percent, form].flatMap((each) => [each, each.replace(/%../g, (code) => code.toLowerCase())]),
    ...[text.replaceAll("'", "'\\''"), text.replace(/[\s'"\\|&;()<>!{}*[\]?^$`,]|^[#~]/g, '\\$&')],
    ...[properties, unicodeEscaped(properties, NOT_ASCII, true)],
    ...[python, python.replaceAll("'", "\\'")],
    Buffer.from(text).toString('base64').replaceAll('=', ''),
  ];
}

function unicodeEscaped(text: string, characters: RegExp, upperCase = false): string {
  return text.replace(characters, (unit) => {
    const code = unit.charCodeAt(0).toString(16).padStart(4, '0');
    return `\\u${upperCase ? code.toUpperCase() : code}`;
  });
}

/** An expression for just this text. Node 22 has no `RegExp.escape`. */
function escapeExpression(text: string): string {
  return text.replace(/[$()*+./?[\\\]^{|}]/g, '\\$&');
}
