/** What the report reads of the extension's own package.json. */
export interface Manifest {
  readonly version: string;
  readonly bugs?: { readonly url?: string };
  readonly contributes: {
    readonly commands: readonly { readonly command: string }[];
    readonly configuration: {
      readonly properties: Readonly<Record<string, { readonly enum?: readonly unknown[] }>>;
    };
    readonly languageModelTools: readonly { readonly name: string }[];
  };
}
