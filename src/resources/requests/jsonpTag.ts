/**
 * A script tag that calls a resource by JSONP (contract, General behaviours 2), with placeholders for the function's name
 * and for the token: everybody can read a page's source.
 *
 * @param url absolute, without credentials; a `callback` in its query is replaced.
 */
export function jsonpTag(url: string, tokenParameter: 'access_token' | 'auth_token'): string {
  const target = new URL(url);
  target.hash = '';
  target.searchParams.set(tokenParameter, 'YOUR_TOKEN');
  target.searchParams.set('callback', 'yourFunction');
  return `<script src="${escapeHtml(target.href)}"></script>`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`).replaceAll('&#38;', '&amp;');
}
