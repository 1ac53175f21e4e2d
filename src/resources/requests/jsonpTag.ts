/**
 * A script tag that calls a resource by JSONP (contract, General behaviours 2), with placeholders for the function's name
 * and for the token: everybody can read a page's source. It is made for a token also where the session is one of user name and
 * password: a browser that remembers these would send them for every website.
 *
 * @param url absolute; credentials in it are left out, and a `callback` in its query is replaced.
 */
export function jsonpTag(url: string, tokenParameter: 'access_token' | 'auth_token'): string {
  const target = new URL(url);
  target.hash = '';
  target.username = '';
  target.password = '';
  target.searchParams.delete('access_token');
  target.searchParams.delete('auth_token');
  target.searchParams.set(tokenParameter, 'YOUR_TOKEN');
  target.searchParams.set('callback', 'yourFunction');
  return `<script src="${escapeHtml(target.href)}"></script>`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`).replaceAll('&#38;', '&amp;');
}
