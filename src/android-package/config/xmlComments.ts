/** Handles XML comments like Cordova, which allows `--` in comments. */

/**
 * Replaces the content of comments with spaces, so that a strict parser accepts them. Offsets and lines don't change.
 */
export function withBlankComments(xml: string): string {
  const parts: string[] = [];
  let segments = 0;
  let at = xml.indexOf('<!');
  while (at >= 0) {
    const isComment = xml.startsWith('<!--', at);
    const isText = xml.startsWith('<![CDATA[', at);
    const end = isComment ? xml.indexOf('-->', at + 4) : isText ? xml.indexOf(']]>', at) : at + 2;
    if (end < 0) {
      break;
    }
    if (isComment) {
      parts.push(xml.slice(segments, at + 4), xml.slice(at + 4, end).replace(/[^\r\n]/g, ' '));
      segments = end;
    }
    at = xml.indexOf('<!', end);
  }
  parts.push(xml.slice(segments));
  return parts.join('');
}
