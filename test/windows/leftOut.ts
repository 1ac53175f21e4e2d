/** What Wine itself cannot do, and the tests that need it. */
export interface Reason {
  readonly reason: string;
  /** By file below test/unit: how the full titles of these tests begin. */
  readonly tests: Readonly<Record<string, readonly string[]>>;
}

export const leftOut: readonly Reason[] = [
  {
    reason: 'Wine makes no links: neither symbolic ones nor junctions',
    tests: {
      'localService/builds/buildQueue.test.ts': [
        'local service: the queue of builds takes no artifact that is a link',
        'local service: the queue of builds takes no artifact from elsewhere, also not by a link to a folder',
      ],
      'localService/builds/buildsOfEarlierProcesses.test.ts': [
        'local service: what an earlier process has left is not looked for through a link',
      ],
      // The project of a build gets the modules of the engine by a junction.
      'localService/cordova/cordovaBuilder.test.ts': [
        'local service: builds with Cordova makes a browser app',
        'local service: builds with Cordova begins with the page',
        'local service: builds with Cordova with a plugin of the engine',
        'local service: builds with Cordova whatever Cordova does',
      ],
      'localService/cordova/hostileUploads.test.ts': [
        'local service: uploads that attack Cordova execute, read and write nothing when a browser app is built',
      ],
      'localService/cordova/ios.test.ts': ['local service: iOS apps by Cordova need a key that can sign'],
      'projects/preflight/failures.test.ts': [
        'no config.xml',
        'only a page at the top',
        '<name> is missing',
        '<name/> is empty',
        'the id is missing',
        'the version is missing',
        '<content src> that is not there, beside index.html',
        '<content src> that is there, without index.html',
        'an icon that is not there',
        'a variable that the plugin requires is missing',
        'a plugin with its variable',
        '<engine> of a platform',
        'spaces, other scripts and a byte order mark',
      ].map((what) => `what a check says before the upload, and what the builders fail with ${what}`),
      'localService/packages/unpackPackage.test.ts': ['packages: unpacking writes through no link'],
      'projects/packing/packageFile.test.ts': [
        'the package of a folder names the file that has vanished, changed or become something else meanwhile',
      ],
      'projects/packing/packageScope.test.ts': [
        'what of a project is sent is no folder that config.xml names, for it names files, also where that is a link',
      ],
      'resources/downloads/diskFile.test.ts': [
        'writeToDisk writes through no link and into no file that stands where it wants to write',
      ],
      'resources/downloads/plainFile.test.ts': ['a plain file of a folder'],
    },
  },
  {
    reason: 'There is no git in Wine',
    tests: {
      'localService/appOperations.test.ts': [
        'local service: operations of apps create an app from a repository, and pull it again',
      ],
      'localService/packages/repository.test.ts': ['repositories: cloning'],
    },
  },
  {
    reason: 'There is neither sh nor bash in Wine',
    tests: {
      'resources/requests/curl.test.ts': [
        'curl quotes any text',
        'curl sends the request',
        'curl asks for the token',
        'a cURL command that is pasted sends just the request',
        'a cURL command that is pasted keeps a form’s values',
      ],
    },
  },
  {
    reason: 'esbuild is installed for the system of this machine',
    tests: {
      'api/http/undici.test.ts': ['undici is a file of its own in the bundle, and behaves the same there'],
    },
  },
  {
    reason: 'Wine changes no attributes of a file that is mapped into memory, as SQLite has it',
    tests: {
      'localService/instances.test.ts': [
        'local service: another process that serves the same data has no address any more for the next one that opens the data',
      ],
    },
  },
];
