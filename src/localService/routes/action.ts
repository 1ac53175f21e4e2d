/** Operations that resources offer, in the form of Siren's actions (github.com/kevinswiber/siren#actions-1). */

/** An operation: a client fills in the fields and sends them to `href`. */
export interface Action {
  readonly name: string;
  readonly title: string;
  readonly method: 'POST' | 'PUT' | 'DELETE';
  readonly href: string;
  /** How the fields are encoded. */
  readonly type: 'application/x-www-form-urlencoded' | 'multipart/form-data';
  readonly fields: readonly ActionField[];
}

/** An input of an operation, with the names of HTML's input types. */
export interface ActionField {
  readonly name: string;
  readonly type: 'text' | 'email' | 'password' | 'checkbox' | 'radio' | 'file' | 'hidden';
  readonly title: string;
  /** What is sent unless somebody changes it; of a `radio`, what can be chosen. */
  readonly value?: string | readonly ActionChoice[];
  readonly required?: true;
}

export interface ActionChoice {
  readonly title: string;
  readonly value: string;
  readonly selected?: true;
}

/** An operation. One with a file is sent as multipart/form-data, any other urlencoded. */
export function action(
  method: Action['method'],
  href: string,
  name: string,
  title: string,
  fields: readonly ActionField[] = [],
): Action {
  const hasFile = fields.some((field) => field.type === 'file');
  const type = hasFile ? 'multipart/form-data' : 'application/x-www-form-urlencoded';
  return { name, title, method, href, type, fields };
}
