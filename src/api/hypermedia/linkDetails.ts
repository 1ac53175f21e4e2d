import { label } from './label.ts';
import type { Link } from './resource.ts';

/** What a link may say of itself besides its target. Anything that is not of the right type is left out. */
export interface LinkDetails {
  readonly title?: unknown;
  readonly name?: unknown;
  readonly type?: unknown;
  readonly method?: unknown;
  readonly deprecated?: unknown;
}

/** The part of a link that says more than where it leads. */
export function described({ title, name, type, method, deprecated }: LinkDetails): {
  -readonly [Key in keyof Link]?: Link[Key];
} {
  const details: ReturnType<typeof described> = {};
  if (typeof title === 'string' && label(title) !== '') {
    details.title = label(title);
  }
  if (typeof name === 'string') {
    details.name = name;
  }
  if (typeof type === 'string') {
    details.type = type;
  }
  if (typeof method === 'string' && /^[a-z]{1,20}$/i.test(method)) {
    details.method = method.toUpperCase();
  }
  if (deprecated !== undefined && deprecated !== null && deprecated !== false) {
    details.deprecated = true;
  }
  return details;
}
