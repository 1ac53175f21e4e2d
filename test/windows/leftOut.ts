/** A limitation of Wine, and the tests that it affects. */
export interface Reason {
  readonly reason: string;
  /** Prefixes of the full titles of these tests, by file in test/unit. */
  readonly tests: Readonly<Record<string, readonly string[]>>;
}

export const leftOut: readonly Reason[] = [
  {
    reason: 'Wine supports neither symbolic links nor junctions',
    tests: {
      'localService/builds/buildQueue.test.ts': [
        'local service: the queue of builds accepts no artifact and no bundle that is a link',
        'local service: the queue of builds accepts no artifact and no bundle that is outside, through a link',
      ],
      'localService/builds/buildsOfEarlierProcesses.test.ts': [
        'local service: data left by an earlier process doesn’t follow a link when it searches',
      ],
      // A build's project links to the engine's modules with a junction.
      'localService/cordova/cordovaBuilder.test.ts': [
        'local service: builds with Cordova makes a browser app',
        'local service: builds with Cordova starts with the page',
        'local service: builds with Cordova with a plugin of the engine',
        'local service: builds with Cordova with an unreliable Cordova',
      ],
      'localService/cordova/hostileUploads.test.ts': [
        'local service: uploads that attack Cordova executes, reads, and writes nothing outside when a browser app',
      ],
      'localService/cordova/ios.test.ts': ['local service: iOS apps by Cordova requires a key that can sign'],
      'projects/preflight/failures.test.ts': [
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
      'localService/packages/unpackPackage.test.ts': ['packages: unpacking writes through no link'],
      'projects/packing/packageFile.test.ts': [
        'the package of a folder names a file that vanished, changed, or was replaced in the meantime',
      ],
      'projects/packing/neededFiles.test.ts': [
        'the list of sent files omits folders named by config.xml, even through a link',
      ],
      'resources/downloads/diskFile.test.ts': [
        'writeToDisk writes through no link and into no existing file at the temporary name',
      ],
      'resources/downloads/plainFile.test.ts': ['a plain file in a folder'],
    },
  },
  {
    reason: 'Wine doesn’t include git',
    tests: {
      'localService/appOperations.test.ts': [
        'local service: operations of apps creates an app from a repository, and pulls it again',
      ],
      'localService/packages/repository.test.ts': ['repositories: cloning'],
    },
  },
  {
    reason: 'Wine includes neither sh nor bash',
    tests: {
      'resources/requests/curl.test.ts': [
        'curl sends the request',
        'a pasted cURL command sends only the request',
        'a pasted cURL command keeps a form’s values',
      ],
    },
  },
  {
    reason: 'esbuild is installed for this computer’s own system',
    tests: {
      'api/http/undici.test.ts': ['undici loads a separate file from the bundle'],
    },
  },
  {
    reason: 'Wine can’t change the attributes of a file that is mapped into memory, as SQLite’s files are',
    tests: {
      'localService/instances.test.ts': [
        'local service: another process that serves the same data loses its address when the next process opens the data',
      ],
    },
  },
];
