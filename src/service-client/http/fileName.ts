import path from 'node:path';
import sanitize from 'sanitize-filename';
import { MAX_NAME_BYTES, MAX_ADDRESS_LENGTH } from '../limits.ts';

/** Matches Windows device names. sanitize-filename misses the console devices and names with superscript digits. */
const WINDOWS_DEVICE = /^(con|prn|aux|nul|clock\$|conin\$|conout\$|(com|lpt)[0-9¹²³])\s*(\.|$)/i;
/**
 * Matches control, format (especially bidirectional), private, and unassigned characters, lone surrogates, and line
 * separators.
 */
const INVISIBLE = /[\p{C}\p{Zl}\p{Zp}]/gu;

/**
 * Returns a file name to suggest: the base name of the service's proposal, or of a URL. Characters and names that
 * mislead users or file systems are removed. The name is never hidden or empty, and has at most {@link MAX_NAME_BYTES}
 * bytes.
 *
 * @param proposals untrusted proposals, best first. For an http(s) URL, the last path segment is used.
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

/** Extensions of packages. The system or a tool in the folder could run a file with another extension. */
const PACKAGE_EXTENSION = /^\.(?:aab|apk|appx|ipa|msix|tgz|xap|zip)$/;

/**
 * Returns the file name for a package that is saved without asking for a name: the extension's own name, plus the
 * service's extension if that's a package extension.
 *
 * @param suggested untrusted file name from the service.
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

/** Removes leading dots, which hide a file, and trailing dots and spaces, which Windows drops. */
function trimDotsAndSpaces(name: string): string {
  return name.replace(/^[. ]+|(?<![. ])[. ]+$/g, '');
}

function escapeDevice(name: string): string {
  return WINDOWS_DEVICE.test(name) ? `_${name}` : name;
}

/** Shortens a name by cutting its stem. The extension is kept, because it shows the type of the file. */
function shorten(name: string): string {
  const extension = /[^.]\.\w{1,20}$/.test(name) ? name.slice(name.lastIndexOf('.')) : '';
  let stem = '';
  let bytes = Buffer.byteLength(extension);
  for (const character of name.slice(0, name.length - extension.length)) {
    bytes += Buffer.byteLength(character);
    if (bytes > MAX_NAME_BYTES) {
      break;
    }
    stem += character;
  }
  return trimDotsAndSpaces(stem + extension);
}

function lastSegment(url: string): string {
  const segment = new URL(url).pathname.split('/').at(-1) ?? '';
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
