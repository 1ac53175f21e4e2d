import type { DatabaseSync } from 'node:sqlite';

/** Version of the tables (`PRAGMA user_version`). */
export const SCHEMA_VERSION = 10;

/** Table of the secrets that identify a user. */
const TOKENS = `
CREATE TABLE tokens (
  -- Of a sign-in ticket: that of the ticket and the path that it leads to.
  hash TEXT PRIMARY KEY,
  -- auth, access, code, session or ticket.
  kind TEXT NOT NULL,
  userId INTEGER NOT NULL REFERENCES users ON DELETE CASCADE,
  -- access, code
  clientId TEXT REFERENCES clients ON DELETE CASCADE,
  -- code, session, ticket: milliseconds since the epoch.
  expiresAt INTEGER,
  -- auth
  id TEXT UNIQUE,
  name TEXT,
  token TEXT,
  createdAt TEXT,
  -- access: hash of the authentication token, or of the client's ID and the code, that it was given for. It ends with that.
  origin TEXT,
  -- code
  challenge TEXT,
  redirectUri TEXT
) STRICT;
CREATE INDEX tokensOfUser ON tokens (userId, kind);
CREATE INDEX tokensOfClient ON tokens (clientId) WHERE clientId IS NOT NULL;
CREATE INDEX tokensOfOrigin ON tokens (origin) WHERE origin IS NOT NULL;
CREATE INDEX tokensByExpiry ON tokens (expiresAt) WHERE expiresAt IS NOT NULL;
`;

/** Table of the users who work on an app, and of invitations. */
const PARTICIPANTS = `
CREATE TABLE participants (
  id INTEGER PRIMARY KEY,
  appId INTEGER NOT NULL REFERENCES apps ON DELETE CASCADE,
  -- NULL for an invitation.
  userId INTEGER REFERENCES users ON DELETE CASCADE,
  -- The e-mail address that was invited.
  person TEXT COLLATE NOCASE,
  role TEXT NOT NULL
) STRICT;
CREATE INDEX participantsOfApp ON participants (appId, userId);
CREATE INDEX participantsOfUser ON participants (userId, appId);
`;

/** All tables. Columns have the names of the fields in `model.ts`. */
export const SCHEMA = `
CREATE TABLE service (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  signingKey TEXT NOT NULL,
  port INTEGER,
  -- Where the data is served, for a process that starts with the same data; NULL while it is not.
  address TEXT,
  -- The person whose service it is, and the client that is the extension.
  ownerId INTEGER NOT NULL REFERENCES users,
  ownerPassword TEXT NOT NULL,
  ownerClientId TEXT NOT NULL,
  ownerClientSecret TEXT NOT NULL,
  -- Whether it began with demo data, whose users need no password on the sign-in page.
  hasDemoData INTEGER NOT NULL
) STRICT;

CREATE TABLE users (
  id INTEGER PRIMARY KEY,
  username TEXT NOT NULL UNIQUE,
  -- An invitation has to find one person, whatever the case of its letters.
  email TEXT NOT NULL UNIQUE COLLATE NOCASE,
  createdAt TEXT NOT NULL,
  updatedAt TEXT NOT NULL,
  password TEXT
) STRICT;

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

${TOKENS}
CREATE TABLE keys (
  id INTEGER PRIMARY KEY,
  ownerId INTEGER NOT NULL REFERENCES users ON DELETE CASCADE,
  platform TEXT NOT NULL,
  title TEXT NOT NULL,
  isDefault INTEGER NOT NULL,
  locked INTEGER NOT NULL,
  createdAt TEXT NOT NULL,
  lastUsedAt TEXT,
  alias TEXT,
  publisherId TEXT,
  -- The app that its provisioning profile is for, as far as it is known.
  appId TEXT,
  keystoreFile TEXT,
  certFile TEXT,
  profileFile TEXT,
  -- When its certificate or profile expires, as far as it is known.
  expiresAt TEXT,
  -- The fingerprints of its certificate, as far as they are known.
  sha1 TEXT,
  sha256 TEXT,
  -- Encrypted; kept until the key is locked again, at the latest at unlockedUntil.
  passwords TEXT,
  unlockedUntil INTEGER
) STRICT;
CREATE INDEX keysOfOwner ON keys (ownerId, platform);
CREATE INDEX unlockedKeys ON keys (unlockedUntil) WHERE unlockedUntil IS NOT NULL;

CREATE TABLE apps (
  id INTEGER PRIMARY KEY,
  ownerId INTEGER NOT NULL REFERENCES users ON DELETE CASCADE,
  title TEXT NOT NULL,
  package TEXT NOT NULL,
  version TEXT NOT NULL,
  description TEXT NOT NULL,
  repo TEXT,
  tag TEXT,
  debug INTEGER NOT NULL,
  private INTEGER NOT NULL,
  hydrates INTEGER NOT NULL,
  share INTEGER NOT NULL,
  phonegapVersion TEXT NOT NULL,
  buildCount INTEGER NOT NULL,
  lastBuild TEXT,
  icon TEXT,
  iconFile TEXT,
  uploadFile TEXT,
  uploadType TEXT,
  uploadSize INTEGER,
  -- JSON
  plugins TEXT NOT NULL
) STRICT;
CREATE INDEX appsOfOwner ON apps (ownerId);

CREATE TABLE builds (
  appId INTEGER NOT NULL REFERENCES apps ON DELETE CASCADE,
  platform TEXT NOT NULL,
  status TEXT,
  error TEXT,
  number INTEGER NOT NULL,
  queuedAt INTEGER,
  startedAt INTEGER,
  finishedAt INTEGER,
  -- Number of processes that were killed during this build.
  interruptions INTEGER NOT NULL DEFAULT 0,
  logFile TEXT,
  artifactFile TEXT,
  artifactName TEXT,
  artifactSize INTEGER,
  builder TEXT,
  -- What the artifact is signed with, as far as it is known.
  signedWith TEXT,
  -- The fingerprints of the certificate that it is signed with, as far as they are known.
  sha1 TEXT,
  sha256 TEXT,
  -- The app bundle for Google Play that was made with it.
  bundleFile TEXT,
  bundleName TEXT,
  bundleSize INTEGER,
  -- The version code of the app's last package that a key of the user's signed. Later builds keep it.
  versionCode INTEGER,
  PRIMARY KEY (appId, platform)
) STRICT, WITHOUT ROWID;
CREATE INDEX unfinishedBuilds ON builds (queuedAt) WHERE queuedAt IS NOT NULL AND finishedAt IS NULL;

CREATE TABLE appKeys (
  appId INTEGER NOT NULL REFERENCES apps ON DELETE CASCADE,
  platform TEXT NOT NULL,
  keyId INTEGER NOT NULL REFERENCES keys ON DELETE CASCADE,
  PRIMARY KEY (appId, platform)
) STRICT, WITHOUT ROWID;
CREATE INDEX appKeysOfKey ON appKeys (keyId);

${PARTICIPANTS}
-- The last ID that was given, so that none is given twice: clients remember IDs of what was deleted.
CREATE TABLE lastIds (
  name TEXT PRIMARY KEY,
  id INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
`;

/** Migrations, keyed by the earlier version. Each one migrates the tables to the next version. */
export const MIGRATIONS: ReadonlyMap<number, (database: DatabaseSync) => void> = new Map([
  [
    8,
    (database) => {
      database.exec(`
        ${TOKENS} ${PARTICIPANTS}
        INSERT INTO tokens (hash, kind, userId, id, name, token, createdAt)
          SELECT hash, 'auth', userId, id, name, token, createdAt FROM authTokens ORDER BY rowid;
        INSERT INTO tokens (hash, kind, userId, clientId, origin)
          SELECT hash, 'access', userId, clientId, origin FROM accessTokens;
        INSERT INTO tokens (hash, kind, userId, clientId, expiresAt, challenge, redirectUri)
          SELECT hash, 'code', userId, clientId, expiresAt, challenge, redirectUri FROM codes;
        INSERT INTO tokens (hash, kind, userId, expiresAt)
          SELECT hash, 'session', userId, expiresAt FROM sessions
          UNION ALL SELECT hash, 'ticket', userId, expiresAt FROM signInTickets;
        INSERT INTO participants (id, appId, userId, role) SELECT id, appId, userId, role FROM collaborators;
        INSERT INTO participants (id, appId, person, role) SELECT id, appId, person, role FROM pendingCollaborators;
        UPDATE lastIds SET name = 'participants' WHERE name = 'collaborators';
        DROP TABLE authTokens; DROP TABLE accessTokens; DROP TABLE codes; DROP TABLE sessions;
        DROP TABLE signInTickets; DROP TABLE installKeys; DROP TABLE collaborators; DROP TABLE pendingCollaborators;`);
      // Early databases of this version lack the column.
      const builds = database.prepare("SELECT 1 FROM pragma_table_info('builds') WHERE name = 'interruptions'");
      if (builds.get() === undefined) {
        database.exec('ALTER TABLE builds ADD COLUMN interruptions INTEGER NOT NULL DEFAULT 0');
      }
    },
  ],
  [
    9,
    (database) =>
      database.exec(`
        ALTER TABLE keys ADD COLUMN sha1 TEXT;
        ALTER TABLE keys ADD COLUMN sha256 TEXT;
        ALTER TABLE builds ADD COLUMN sha1 TEXT;
        ALTER TABLE builds ADD COLUMN sha256 TEXT;
        ALTER TABLE builds ADD COLUMN bundleFile TEXT;
        ALTER TABLE builds ADD COLUMN bundleName TEXT;
        ALTER TABLE builds ADD COLUMN versionCode INTEGER;
        ALTER TABLE builds ADD COLUMN bundleSize INTEGER;`),
  ],
]);
