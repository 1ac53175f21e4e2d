import sanitize from 'sanitize-filename';

/** Room for the suffix of a temporary file in the 255 bytes that file systems allow. */
const longestName = 200;
const longestExtension = 20;

// Beyond what sanitize-filename knows: superscript digits and consoles are devices too.
const windowsDevice = /^(con|prn|aux|nul|clock\$|conin\$|conout\$|(com|lpt)[0-9¹²³])\s*(\.|$)/i;
// Control, format (bidi above all), private, unassigned characters, lone surrogates and line separators
const invisible = /[\p{C}\p{Zl}\p{Zp}]/gu;

/**
 * A file name to suggest: the base name of what a service proposes, or of a URL, without characters and names that mislead
 * people or file systems. Never hidden, never empty, at most 200 bytes.
 *
 * @param proposals best first, untrusted; of an http(s) URL the last part of its path counts.
 */
export function safeFileName(...proposals: readonly (string | undefined)[]): string {
  for (const proposal of proposals) {
    const name =
      proposal === undefined
        ? ''
        : clean(/^https?:/i.test(proposal) && URL.canParse(proposal) ? lastSegment(proposal) : proposal);
    if (name !== '') {
      return name;
    }
  }
  return 'download';
}

function clean(proposal: string): string {
  const base = proposal.split(/[/\\]/).at(-1) ?? '';
  const visible = base.replace(invisible, '').replace(/\s+/g, ' ').normalize('NFC');
  const name = sanitize(shorten(withoutDevice(trimmed(visible))), { replacement: '_' });
  return /^_*$/.test(name) ? '' : name;
}

/** Leading dots hide a file; Windows drops dots and spaces at the end. */
function trimmed(name: string): string {
  return name.replace(/^[. ]+|[. ]+$/g, '');
}

function withoutDevice(name: string): string {
  return windowsDevice.test(name) ? `_${name}` : name;
}

/** Cuts the stem, so that the extension keeps saying what the file is. */
function shorten(name: string): string {
  const extension = /[^.]\.[^.]+$/.test(name) ? name.slice(name.lastIndexOf('.')) : '';
  const kept = Buffer.byteLength(extension) <= longestExtension ? extension : '';
  let stem = '';
  let bytes = Buffer.byteLength(kept);
  for (const character of name.slice(0, name.length - kept.length)) {
    bytes += Buffer.byteLength(character);
    if (bytes > longestName) {
      break;
    }
    stem += character;
  }
  return trimmed(stem + kept);
}

function lastSegment(url: string): string {
  const segment = new URL(url).pathname.split('/').at(-1) ?? '';
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
