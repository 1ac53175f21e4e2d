/**
 * The tables, as the steps that lead to them: step n takes a database from version n - 1 to n (`PRAGMA user_version`).
 * Columns are named like the fields of `model.ts`. A step that was released is never edited; another one follows it.
 */
export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE service (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    signingKey TEXT NOT NULL,
    port INTEGER,
    demoUserId INTEGER NOT NULL REFERENCES users,
    demoPassword TEXT NOT NULL,
    demoClientId TEXT NOT NULL,
    demoClientSecret TEXT NOT NULL
  ) STRICT;

  CREATE TABLE users (
    id INTEGER PRIMARY KEY,
    username TEXT NOT NULL UNIQUE,
    email TEXT NOT NULL UNIQUE,
    createdAt TEXT NOT NULL,
    updatedAt TEXT NOT NULL,
    password TEXT
  ) STRICT;

  CREATE TABLE authTokens (
    id TEXT PRIMARY KEY,
    userId INTEGER NOT NULL REFERENCES users ON DELETE CASCADE,
    name TEXT NOT NULL,
    token TEXT NOT NULL,
    hash TEXT NOT NULL UNIQUE,
    createdAt TEXT NOT NULL
  ) STRICT;
  CREATE INDEX authTokensOfUser ON authTokens (userId);

  CREATE TABLE clients (
    id TEXT PRIMARY KEY,
    ownerId INTEGER NOT NULL REFERENCES users ON DELETE CASCADE,
    name TEXT NOT NULL,
    mainUrl TEXT NOT NULL,
    callbackUrl TEXT NOT NULL,
    secretHash TEXT NOT NULL,
    createdAt TEXT NOT NULL
  ) STRICT;
  CREATE INDEX clientsOfOwner ON clients (ownerId);

  CREATE TABLE accessTokens (
    hash TEXT PRIMARY KEY,
    userId INTEGER NOT NULL REFERENCES users ON DELETE CASCADE,
    clientId TEXT NOT NULL REFERENCES clients ON DELETE CASCADE,
    createdAt TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX accessTokensOfUser ON accessTokens (userId, clientId);
  CREATE INDEX accessTokensOfClient ON accessTokens (clientId);

  CREATE TABLE codes (
    hash TEXT PRIMARY KEY,
    userId INTEGER NOT NULL REFERENCES users ON DELETE CASCADE,
    clientId TEXT NOT NULL REFERENCES clients ON DELETE CASCADE,
    expiresAt INTEGER NOT NULL,
    challenge TEXT,
    redirectUri TEXT
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX codesOfUser ON codes (userId);
  CREATE INDEX codesOfClient ON codes (clientId);
  CREATE INDEX codesByExpiry ON codes (expiresAt);

  CREATE TABLE sessions (
    hash TEXT PRIMARY KEY,
    userId INTEGER NOT NULL REFERENCES users ON DELETE CASCADE,
    expiresAt INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX sessionsOfUser ON sessions (userId);
  CREATE INDEX sessionsByExpiry ON sessions (expiresAt);

  CREATE TABLE keys (
    id INTEGER PRIMARY KEY,
    ownerId INTEGER NOT NULL REFERENCES users ON DELETE CASCADE,
    platform TEXT NOT NULL,
    title TEXT NOT NULL,
    isDefault INTEGER NOT NULL,
    locked INTEGER NOT NULL,
    createdAt TEXT NOT NULL
  ) STRICT;
  CREATE INDEX keysOfOwner ON keys (ownerId, platform);

  CREATE TABLE apps (
    id INTEGER PRIMARY KEY,
    ownerId INTEGER NOT NULL REFERENCES users ON DELETE CASCADE,
    title TEXT NOT NULL,
    package TEXT NOT NULL,
    version TEXT NOT NULL,
    description TEXT NOT NULL,
    repo TEXT,
    debug INTEGER NOT NULL,
    private INTEGER NOT NULL,
    hydrates INTEGER NOT NULL,
    phonegapVersion TEXT NOT NULL,
    buildCount INTEGER NOT NULL,
    lastBuild TEXT,
    icon TEXT
  ) STRICT;
  CREATE INDEX appsOfOwner ON apps (ownerId);

  CREATE TABLE builds (
    appId INTEGER NOT NULL REFERENCES apps ON DELETE CASCADE,
    platform TEXT NOT NULL,
    status TEXT,
    error TEXT,
    PRIMARY KEY (appId, platform)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE appKeys (
    appId INTEGER NOT NULL REFERENCES apps ON DELETE CASCADE,
    platform TEXT NOT NULL,
    keyId INTEGER NOT NULL REFERENCES keys ON DELETE CASCADE,
    PRIMARY KEY (appId, platform)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX appKeysOfKey ON appKeys (keyId);

  CREATE TABLE collaborators (
    appId INTEGER NOT NULL REFERENCES apps ON DELETE CASCADE,
    id INTEGER NOT NULL,
    userId INTEGER NOT NULL REFERENCES users ON DELETE CASCADE,
    role TEXT NOT NULL,
    PRIMARY KEY (appId, id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX collaboratorsOfUser ON collaborators (userId);

  CREATE TABLE pendingCollaborators (
    appId INTEGER NOT NULL REFERENCES apps ON DELETE CASCADE,
    person TEXT NOT NULL,
    role TEXT NOT NULL,
    PRIMARY KEY (appId, person)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- The last ID that was given, so that none is given twice: clients remember IDs of what was deleted.
  CREATE TABLE lastIds (
    name TEXT PRIMARY KEY,
    id INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  ALTER TABLE service ADD COLUMN tlsPort INTEGER;

  ALTER TABLE apps ADD COLUMN iconFile TEXT;
  ALTER TABLE apps ADD COLUMN uploadFile TEXT;
  ALTER TABLE apps ADD COLUMN uploadType TEXT;
  ALTER TABLE apps ADD COLUMN uploadSize INTEGER;
  ALTER TABLE apps ADD COLUMN tag TEXT;
  ALTER TABLE apps ADD COLUMN share INTEGER NOT NULL DEFAULT 0;
  -- JSON
  ALTER TABLE apps ADD COLUMN plugins TEXT NOT NULL DEFAULT '[]';

  -- From the same numbers as the IDs of active collaborators.
  ALTER TABLE pendingCollaborators ADD COLUMN id INTEGER NOT NULL DEFAULT 0;
  UPDATE pendingCollaborators SET id = (SELECT coalesce(max(id), 0) FROM collaborators) + (
    SELECT count(*) FROM pendingCollaborators AS other
    WHERE (other.appId, other.person) <= (pendingCollaborators.appId, pendingCollaborators.person)
  );
  INSERT INTO lastIds (name, id)
    SELECT 'collaborators', max(id) FROM pendingCollaborators HAVING max(id) IS NOT NULL;
  CREATE UNIQUE INDEX pendingCollaboratorsById ON pendingCollaborators (id);
  CREATE INDEX collaboratorsById ON collaborators (id);

  ALTER TABLE builds ADD COLUMN number INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE builds ADD COLUMN queuedAt INTEGER;
  ALTER TABLE builds ADD COLUMN startedAt INTEGER;
  ALTER TABLE builds ADD COLUMN finishedAt INTEGER;
  -- The process that runs the build, and until when it is taken to be alive without a further sign.
  ALTER TABLE builds ADD COLUMN worker TEXT;
  ALTER TABLE builds ADD COLUMN leaseUntil INTEGER;
  ALTER TABLE builds ADD COLUMN logFile TEXT;
  ALTER TABLE builds ADD COLUMN artifactFile TEXT;
  ALTER TABLE builds ADD COLUMN artifactName TEXT;
  ALTER TABLE builds ADD COLUMN artifactSize INTEGER;
  ALTER TABLE builds ADD COLUMN builder TEXT;
  CREATE INDEX unfinishedBuilds ON builds (queuedAt) WHERE queuedAt IS NOT NULL AND finishedAt IS NULL;

  ALTER TABLE keys ADD COLUMN lastUsedAt TEXT;
  ALTER TABLE keys ADD COLUMN alias TEXT;
  ALTER TABLE keys ADD COLUMN publisherId TEXT;
  ALTER TABLE keys ADD COLUMN keystoreFile TEXT;
  ALTER TABLE keys ADD COLUMN certFile TEXT;
  ALTER TABLE keys ADD COLUMN profileFile TEXT;
  -- When its certificate or profile expires, as far as it is known.
  ALTER TABLE keys ADD COLUMN expiresAt TEXT;
  -- Encrypted; kept until the key is locked again, at the latest at unlockedUntil.
  ALTER TABLE keys ADD COLUMN passwords TEXT;
  ALTER TABLE keys ADD COLUMN unlockedUntil INTEGER;
  CREATE INDEX unlockedKeys ON keys (unlockedUntil) WHERE unlockedUntil IS NOT NULL;

  -- What a phone opens to install one build.
  CREATE TABLE installKeys (
    id TEXT PRIMARY KEY,
    hash TEXT NOT NULL UNIQUE,
    appId INTEGER NOT NULL,
    platform TEXT NOT NULL,
    buildNumber INTEGER NOT NULL,
    userId INTEGER NOT NULL REFERENCES users ON DELETE CASCADE,
    createdAt TEXT NOT NULL,
    expiresAt INTEGER NOT NULL,
    FOREIGN KEY (appId, platform) REFERENCES builds ON DELETE CASCADE
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX installKeysOfBuild ON installKeys (appId, platform);
  CREATE INDEX installKeysOfUser ON installKeys (userId);
  CREATE INDEX installKeysByExpiry ON installKeys (expiresAt);
  `,
  `
  -- The app that a provisioning profile is for, as far as it is known.
  ALTER TABLE keys ADD COLUMN appId TEXT;
  `,
  `
  -- Where the service is, for a process that starts with the same data.
  ALTER TABLE service ADD COLUMN address TEXT;

  -- One process runs all builds.
  ALTER TABLE builds DROP COLUMN worker;
  ALTER TABLE builds DROP COLUMN leaseUntil;
  `,
];
