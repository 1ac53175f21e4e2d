/** What a request carries. */
export type RequestBody =
  | { readonly kind: 'none' }
  | { readonly kind: 'text'; readonly contentType: string; readonly text: string }
  | { readonly kind: 'multipart'; readonly parts: readonly Part[] };

/** One part of a multipart/form-data body (RFC 7578): a field or a file. */
export type Part = { readonly name: string } & ({ readonly value: string } | { readonly file: UploadFile });

/** A file to send, whose bytes are read when they are needed. */
export interface UploadFile {
  /** Base name that the service is told. */
  readonly name: string;
  /** Bytes; announced before the first one is read. */
  readonly size: number;
  /** The bytes, in pieces of at most 64 KiB. */
  readonly bytes: () => AsyncIterable<Uint8Array>;
}
