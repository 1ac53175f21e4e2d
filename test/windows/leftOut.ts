/** A limitation of Wine, and the tests that it affects. */
interface Reason {
  readonly reason: string;
  /** Prefixes of the full titles of these tests, by file in test/unit. */
  readonly tests: Readonly<Record<string, readonly string[]>>;
}

export const leftOut: readonly Reason[] = [
  {
    reason: 'Wine supports neither symbolic links nor junctions',
    tests: {
      'build-service/builds/buildQueue.test.ts': [
        'local service: the queue of builds rejects an artifact or bundle that is a link',
        'local service: the queue of builds rejects an artifact or bundle that is outside the work folder',
      ],
      'build-service/builds/buildsOfEarlierProcesses.test.ts': [
        'local service: data left by an earlier process rejects a data folder in which',
      ],
      // A build's project links to the engine's modules with a junction.
      'build-service/builds/cordova/cordovaBuilder.test.ts': [
        'local service: builds with Cordova makes a browser app',
        'local service: builds with Cordova starts the app with the page',
        'local service: builds with Cordova with a plugin of the engine',
        'local service: builds with Cordova with an unreliable Cordova',
      ],
      'build-service/builds/cordova/hostileUploads.test.ts': [
        'local service: uploads that attack Cordova can’t execute code, or read or write files outside the project, in a browser',
      ],
      'build-service/builds/cordova/ios.test.ts': ['local service: iOS apps by Cordova requires a key that can sign'],
      'extension/preflight/failures.test.ts': [
        'a missing config.xml',
        'a single page at the top',
        'a missing <name>',
        'a missing version',
        'a missing <content src>, beside index.html',
        'an existing <content src>, without index.html',
        'a missing icon',
        'a missing variable that the plugin requires',
        'a plugin with its variable',
        'spaces, international characters, and a byte order mark',
      ].map((what) => `the check before an upload, compared with the builders’ failures predicts the result: ${what}`),
      'build-service/builds/packages/unpackPackage.test.ts': ['packages: unpacking never writes through a link'],
      'web-project/packing/packageFile.test.ts': [
        'the package of a folder names a file that was deleted, changed, or replaced after planning',
      ],
      'web-project/neededFiles.test.ts': [
        'the list of sent files omits folders named by config.xml, even through a link',
      ],
      'extension/resources/downloads/diskFile.test.ts': [
        'writeToDisk doesn’t write through a link or into an existing file',
      ],
      'extension/resources/downloads/plainFile.test.ts': ['a plain file in a folder'],
    },
  },
  {
    reason: 'Wine doesn’t include git',
    tests: {
      'build-service/appOperations.test.ts': [
        'local service: operations of apps creates an app from a repository, and pulls it again',
      ],
      'build-service/builds/packages/repository.test.ts': ['repositories: cloning'],
    },
  },
  {
    reason: 'Wine includes neither sh nor bash',
    tests: {
      'extension/resources/requests/curl.test.ts': [
        'curl sends the request',
        'a pasted cURL command sends only the request',
        'a pasted cURL command keeps a form’s values',
      ],
    },
  },
  {
    reason: 'esbuild is installed for this computer’s own system',
    tests: {
      'service-client/http/undici.test.ts': ['undici is loaded from a separate file'],
    },
  },
  {
    reason: 'Wine can’t change the attributes of a file that is mapped into memory, as SQLite’s files are',
    tests: {
      'build-service/instances.test.ts': [
        'local service: another process that serves the same data loses its address when the next process opens the data',
      ],
    },
  },
];
