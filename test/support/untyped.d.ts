// Types of packages that have none, limited to the parts that tests use.
declare module 'pgb-api' {
  import type { Agent } from 'node:http';
  interface PhoneGapBuild {
    addAuth(tokenOrUsername: string, password?: string): PhoneGapBuild;
    getToken(): Promise<unknown>;
    getApp(id: number): Promise<unknown>;
    getAppLog(id: number, platform: string): Promise<unknown>;
    downloadApp(id: number, platform: string, path: string): Promise<unknown>;
    addApp(path: string, data: object): Promise<unknown>;
    updateApp(id: number, path: string, data: object): Promise<unknown>;
    updateApp(id: number, data: object): Promise<unknown>;
    getStatus(id: number): Promise<unknown>;
    buildApp(id: number, ...platforms: string[]): Promise<unknown>;
    deleteApp(id: number): Promise<unknown>;
  }
  /** `agent` is an agent of node:https. */
  export default function pgbApi(options: { readonly baseUrl: string; readonly agent?: Agent }): PhoneGapBuild;
}

declare module '@devicefarmer/adbkit-apkreader' {
  interface Named {
    readonly name: string;
  }
  /** References are strings: `resourceId:0x7f020000`. */
  interface ApkReaderActivity extends Named {
    readonly label: string;
    readonly exported?: boolean;
    readonly launchMode?: number;
    readonly configChanges?: number;
    readonly screenOrientation?: number;
    readonly windowSoftInputMode?: number;
    readonly theme?: string;
    readonly intentFilters: readonly {
      readonly autoVerify?: boolean;
      readonly actions: readonly Named[];
      readonly categories: readonly Named[];
      readonly data: readonly Readonly<Record<string, string>>[];
    }[];
  }
  export interface ApkReaderManifest {
    readonly package: string;
    readonly versionCode: number;
    readonly versionName: string;
    readonly usesSdk: { readonly minSdkVersion: number; readonly targetSdkVersion: number };
    readonly usesPermissions: readonly Named[];
    readonly usesFeatures: readonly { readonly name?: string; readonly required?: boolean }[];
    readonly application: {
      readonly label: string;
      readonly icon: string;
      readonly roundIcon?: string;
      readonly theme?: string;
      readonly debuggable?: boolean;
      readonly allowBackup?: boolean;
      readonly usesCleartextTraffic?: boolean;
      readonly enableOnBackInvokedCallback?: boolean;
      readonly supportsRtl?: boolean;
      readonly fullBackupContent?: string;
      readonly dataExtractionRules?: string;
      readonly providers: readonly (Named & { readonly authorities: string; readonly exported: boolean })[];
      readonly receivers: readonly (Named & {
        readonly exported: boolean;
        readonly intentFilters: readonly { readonly actions: readonly Named[] }[];
      })[];
      readonly activities: readonly ApkReaderActivity[];
      readonly launcherActivities: readonly ApkReaderActivity[];
    };
  }
  export interface ApkReaderNode {
    readonly nodeName: string;
    readonly attributes: readonly { readonly name: string; readonly value: string | null }[];
    readonly childNodes: readonly ApkReaderNode[];
  }
  const ApkReader: {
    open(apk: Buffer): Promise<{
      readManifest(): Promise<ApkReaderManifest>;
      readXml(file: string): Promise<ApkReaderNode>;
    }>;
  };
  export default ApkReader;
}
