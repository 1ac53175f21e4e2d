/** Source files to mutate, and the tests that must detect the changes. */
export const PARTS: Readonly<Record<string, { readonly mutate: readonly string[]; readonly spec: readonly string[] }>> =
  {
    callbacks: {
      mutate: ['src/extension/auth/callback/{callback,pendingSignIns}.ts', 'src/extension/auth/session.ts'],
      spec: ['test/unit/extension/auth/**/*.test.ts'],
    },
    credentials: {
      mutate: [
        'src/service-client/credentials.ts',
        'src/service-client/http/redirects.ts',
        'src/service-client/serviceUrl.ts',
      ],
      spec: ['credentials', 'serviceUrl', 'http/redirects'].map((name) => `test/unit/service-client/${name}.test.ts`),
    },
    packing: {
      mutate: ['src/web-project/packing/{packageWalk,ignoreRules}.ts'],
      spec: ['test/unit/web-project/packing/*.test.ts'],
    },
    archives: {
      mutate: ['src/build-service/builds/packages/{archiveContents,zipArchive}.ts'],
      spec: ['checkPackage', 'unpackPackage'].map((name) => `test/unit/build-service/builds/packages/${name}.test.ts`),
    },
    signing: {
      mutate: ['src/android-package/archive/{signingBlock,androidPackage}.ts'],
      spec: ['test/unit/android-package/archive/androidPackage.test.ts'],
    },
    listener: {
      mutate: ['src/extension/devices/network/networkListener.ts', 'src/http-server/httpServer.ts'],
      spec: ['test/unit/extension/devices/network/networkListener.test.ts', 'test/unit/http-server/*.test.ts'],
    },
  };
