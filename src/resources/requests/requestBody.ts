/** The body of a request. */
export type RequestBody =
  | { readonly kind: 'none' }
  | { readonly kind: 'text'; readonly contentType: string; readonly text: string }
  | { readonly kind: 'multipart'; readonly parts: readonly Part[] };

/** One part of a multipart/form-data body (RFC 7578): a field or a file. */
export type Part = { readonly name: string } & ({ readonly value: string } | { readonly file: UploadFile });

/** A file to send. It is read only while it is sent. */
export interface UploadFile {
  /** Base name for the service. */
  readonly name: string;
  /** Length in bytes, which is announced before anything is read. */
  readonly size: number;
  /** Reads the file, in pieces of at most 64 KiB. */
  readonly bytes: () => AsyncIterable<Uint8Array>;
}
