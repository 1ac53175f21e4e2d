import { withoutCredentialValues } from '../../api/credentialParameters.ts';
import { REPLACEMENT, withoutUserInfo } from '../../api/redaction.ts';

/** Members whose values open an account or a key, whoever made the resource. */
const SECRET_MEMBER =
  /^(?:(?:access|auth|authentication|refresh|id)_?token|token|client_?secret|pass(?:word|wd|phrase)|(?:key|keystore)_pw|(?:proxy-)?authorization|(?:set-)?cookie)$/i;

/**
 * What another extension may have of a text of the service: its known secrets are hidden by then. Credentials in addresses go.
 */
export function shareableText(text: string): string {
  return withoutUserInfo(withoutCredentialValues(text));
}

/**
 * What another extension may have of a JSON document: a value of its own, in which strings are as {@link shareableText} makes
 * them, and what stands under a secret's name is replaced. `null`, `true` and `false` tell no secret.
 *
 * @param json valid; known secrets are hidden in it.
 */
export function shareableJson(json: string): unknown {
  const root: Record<string, unknown> = { value: JSON.parse(json) as unknown };
  // A document may be nested deeper than functions may call themselves.
  const containers: Record<string, unknown>[] = [root];
  for (let container = containers.pop(); container !== undefined; container = containers.pop()) {
    for (const [name, value] of Object.entries(container)) {
      if (SECRET_MEMBER.test(name) && value !== null && typeof value !== 'boolean') {
        replace(container, name, REPLACEMENT);
      } else if (typeof value === 'string') {
        replace(container, name, shareableText(value));
      } else if (typeof value === 'object' && value !== null) {
        containers.push(value as Record<string, unknown>);
      }
    }
  }
  return root.value;
}

/** Also for a member called `__proto__`, which JSON.parse makes one like any other. */
function replace(container: object, name: string, value: string): void {
  Object.defineProperty(container, name, { value, configurable: true, enumerable: true, writable: true });
}
