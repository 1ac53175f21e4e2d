import path from 'node:path';
import sanitize from 'sanitize-filename';
import { MAX_ADDRESS_LENGTH } from '../../api/limits.ts';
import { MAX_NAME_BYTES } from '../limits.ts';

/** Device names of Windows. sanitize-filename lacks those with superscript digits and the consoles. */
const WINDOWS_DEVICE = /^(con|prn|aux|nul|clock\$|conin\$|conout\$|(com|lpt)[0-9¹²³])\s*(\.|$)/i;
/** Control, format (bidirectional above all), private and unassigned characters, lone surrogates, line separators. */
const INVISIBLE = /[\p{C}\p{Zl}\p{Zp}]/gu;

/**
 * A file name to suggest: the base name of what a service proposes, or of a URL, without characters and names that mislead
 * people or file systems. It is never hidden, never empty, and at most {@link MAX_NAME_BYTES} long.
 *
 * @param proposals best first, untrusted; of an http(s) URL the last part of its path counts.
 */
export function safeFileName(...proposals: readonly (string | undefined)[]): string {
  for (const proposal of proposals) {
    const name =
      proposal === undefined
        ? ''
        : clean(
            /^https?:/i.test(proposal) && proposal.length <= MAX_ADDRESS_LENGTH && URL.canParse(proposal)
              ? lastSegment(proposal)
              : proposal,
          );
    if (name !== '') {
      return name;
    }
  }
  return 'download';
}

/** Endings of packages: a tool of a folder, or a system, could run a file with another one. */
const PACKAGE_EXTENSION = /^\.(?:aab|apk|appx|ipa|msix|tgz|xap|zip)$/;

/**
 * The name of a package that is saved without a question about its name: ours, with the ending of the service's where that is one
 * of packages.
 *
 * @param suggested by the service, untrusted
 */
export function packageFileName(own: string, suggested: string | undefined): string {
  const name = safeFileName(own);
  const extension = suggested === undefined ? '' : path.posix.extname(safeFileName(suggested)).toLowerCase();
  return PACKAGE_EXTENSION.test(extension) ? `${path.posix.parse(name).name}${extension}` : name;
}

function clean(proposal: string): string {
  const base = proposal.split(/[/\\]/).at(-1) ?? '';
  const visible = base.replace(INVISIBLE, '').replace(/\s+/g, ' ').normalize('NFC');
  const name = sanitize(shorten(escapeDevice(trimDotsAndSpaces(visible))), { replacement: '_' });
  return /^_*$/.test(name) ? '' : name;
}

/** Leading dots hide a file; Windows drops dots and spaces at the end. */
function trimDotsAndSpaces(name: string): string {
  return name.replace(/^[. ]+|(?<![. ])[. ]+$/g, '');
}

function escapeDevice(name: string): string {
  return WINDOWS_DEVICE.test(name) ? `_${name}` : name;
}

/** Cuts the stem, so that the extension keeps saying what the file is. */
function shorten(name: string): string {
  const kept = /[^.]\.\w{1,20}$/.test(name) ? name.slice(name.lastIndexOf('.')) : '';
  let stem = '';
  let bytes = Buffer.byteLength(kept);
  for (const character of name.slice(0, name.length - kept.length)) {
    bytes += Buffer.byteLength(character);
    if (bytes > MAX_NAME_BYTES) {
      break;
    }
    stem += character;
  }
  return trimDotsAndSpaces(stem + kept);
}

function lastSegment(url: string): string {
  const segment = new URL(url).pathname.split('/').at(-1) ?? '';
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
