/** The forms in which real clients write their requests, byte by byte. */
import type { InProcessService } from './inProcessService.ts';
import { basic, call, type Answer } from './serviceRequests.ts';

/** A request, whatever its form. */
export interface Operation {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly fields?: Readonly<Record<string, FieldValue>>;
  readonly files?: Readonly<Record<string, UploadedFile>>;
}

type Primitive = string | number | boolean | null;
export type FieldValue = Primitive | readonly Primitive[] | { readonly [name: string]: FieldValue };

export interface UploadedFile {
  readonly name: string;
  readonly content: Buffer;
  readonly type?: string;
}

export type Credentials = Pick<InProcessService, 'baseUrl' | 'username' | 'password'> & { readonly authToken: string };

/** Sends an operation in one form. */
export type RequestForm = (credentials: Credentials, operation: Operation) => Promise<Answer>;

interface Part {
  readonly name: string;
  readonly value: string | UploadedFile;
}

const BOUNDARY = '----pgbapi';

/** phonegap-build-api, phonegap-build and the PhoneGap CLI: the fields as JSON in the part `data`. */
const phonegapCli: RequestForm = ({ baseUrl, authToken }, { method, path, fields = {}, files = {} }) => {
  const target = `${path}?auth_token=${authToken}`;
  const parts = [...(isEmpty(fields) ? [] : [{ name: 'data', value: JSON.stringify(fields) }]), ...filesOf(files)];
  return method === 'GET' || parts.length === 0
    ? call(baseUrl, target, { method, ...(method !== 'GET' && { headers: { 'Content-Length': '0' } }) })
    : sendParts(baseUrl, { method, path: target }, parts, {
        file: ({ name, type = 'application/zip' }) => `filename="${name}"\r\nContent-Type: ${type}`,
      });
};

/** pgb-api: flat fields, whose heads end in a semicolon, beside the header `Authorization: token`. */
const pgbApi: RequestForm = ({ baseUrl, authToken }, { method, path, fields = {}, files = {} }) => {
  const parts = [...Object.entries(fields).map(([name, value]) => ({ name, value: flat(value) })), ...filesOf(files)];
  const headers = { Authorization: `token ${authToken}` };
  return method === 'GET' || parts.length === 0
    ? call(baseUrl, path, { method, headers })
    : sendParts(baseUrl, { method, path, headers }, parts, {
        text: ';',
        file: ({ name }) => `filename="${name}"\r\nContent-Type: application/octet-stream`,
      });
};

/** grunt-phonegap-build: nested fields, urlencoded; a file alone as multipart. */
const grunt: RequestForm = ({ baseUrl, authToken }, { method, path, fields = {}, files = {} }) => {
  const target = `${path}?auth_token=${authToken}`;
  const nested = nestedFields('data', fields);
  return isEmpty(files)
    ? sendForm(baseUrl, { method, path: target }, nested)
    : sendParts(baseUrl, { method, path: target }, [...nested.map(toPart), ...filesOf(files)], {
        file: ({ name }) =>
          `filename="${name}"\r\nContent-Transfer-Encoding: binary\r\nContent-Type: application/octet-stream`,
      });
};

/** The documentation's calls of curl: `-d data=` or `-F data= -F file=@`, with basic authentication. */
const curl: RequestForm = ({ baseUrl, username, password }, { method, path, fields = {}, files = {} }) => {
  const headers = basic(username, password);
  const data: [string, string][] = isEmpty(fields) ? [] : [['data', JSON.stringify(fields)]];
  return isEmpty(files)
    ? sendForm(baseUrl, { method, path, headers }, data)
    : sendParts(baseUrl, { method, path, headers }, [...data.map(toPart), ...filesOf(files)], {
        file: ({ name, type = 'application/octet-stream' }) => `filename="${name}"\r\nContent-Type: ${type}`,
      });
};

/** A JSON body; with a file, what a browser makes of a form. */
const json: RequestForm = ({ baseUrl, authToken }, { method, path, fields = {}, files = {} }) => {
  const headers = { Authorization: `token ${authToken}` };
  if (!isEmpty(files)) {
    const parts = [...Object.entries(fields).map(([name, value]) => toPart([name, flat(value)])), ...filesOf(files)];
    return sendParts(baseUrl, { method, path, headers }, parts, {
      file: ({ name, type = 'application/octet-stream' }) => `filename="${name}"\r\nContent-Type: ${type}`,
    });
  }
  return call(baseUrl, path, {
    method,
    headers: { ...headers, ...(!isEmpty(fields) && { 'Content-Type': 'application/json' }) },
    ...(!isEmpty(fields) && { body: JSON.stringify(fields) }),
  });
};

export const REQUEST_FORMS: Readonly<Record<string, RequestForm>> = {
  'data + file': phonegapCli,
  'flat;': pgbApi,
  'nested urlencoded': grunt,
  'curl data=': curl,
  JSON: json,
};

interface Target {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
}

interface PartHeads {
  /** What ends the head of a text. */
  readonly text?: string;
  readonly file: (file: UploadedFile) => string;
}

function sendParts(
  baseUrl: string,
  { path, ...rest }: Target,
  parts: readonly Part[],
  heads: PartHeads,
): Promise<Answer> {
  const pieces = parts.flatMap(({ name, value }) => {
    const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"`;
    return typeof value === 'string'
      ? [`${head}${heads.text ?? ''}\r\n\r\n${value}\r\n`]
      : [`${head}; ${heads.file(value)}\r\n\r\n`, value.content, '\r\n'];
  });
  const body = Buffer.concat([...pieces, `--${BOUNDARY}--\r\n`].map((piece) => Buffer.from(piece)));
  const type = `multipart/form-data; boundary=${BOUNDARY}`;
  return call(baseUrl, path, { ...rest, headers: { ...rest.headers, 'Content-Type': type }, body });
}

function sendForm(
  baseUrl: string,
  { path, ...rest }: Target,
  fields: readonly (readonly [string, string])[],
): Promise<Answer> {
  const headers = { ...rest.headers, 'Content-Type': 'application/x-www-form-urlencoded' };
  return rest.method === 'GET' || fields.length === 0
    ? call(baseUrl, path, rest)
    : call(baseUrl, path, { ...rest, headers, body: new URLSearchParams(fields.map(([...pair]) => pair)).toString() });
}

function nestedFields(prefix: string, value: FieldValue): readonly (readonly [string, string])[] {
  if (typeof value !== 'object' || value === null) {
    // As the encoders of forms write what is null.
    return [[prefix, value === null ? '' : String(value)]];
  }
  return Object.entries<FieldValue>(value).flatMap(([name, each]) =>
    nestedFields(`${prefix}[${Array.isArray(value) ? '' : name}]`, each),
  );
}

/** As pgb-api writes a value. */
function flat(value: FieldValue): string {
  return typeof value === 'object' && !Array.isArray(value) ? JSON.stringify(value) : String(value);
}

function toPart([name, value]: readonly [string, string]): Part {
  return { name, value };
}

function filesOf(files: Readonly<Record<string, UploadedFile>>): readonly Part[] {
  return Object.entries(files).map(([name, value]) => ({ name, value }));
}

function isEmpty(value: object): boolean {
  return Object.keys(value).length === 0;
}
