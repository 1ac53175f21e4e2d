/** The version of the tables (`PRAGMA user_version`). */
export const SCHEMA_VERSION = 8;

/** The tables. Columns are named like the fields of `model.ts`. */
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
  createdAt TEXT NOT NULL,
  -- Hash of the authentication token, or of the client's ID and the code, that it was given for: it ends with that.
  origin TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX accessTokensOfUser ON accessTokens (userId, clientId);
CREATE INDEX accessTokensOfClient ON accessTokens (clientId);
CREATE INDEX accessTokensOfOrigin ON accessTokens (origin);

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
-- What signs a browser in as a user, once.
CREATE TABLE signInTickets (
  -- Of the ticket and the path that it leads to.
  hash TEXT PRIMARY KEY,
  userId INTEGER NOT NULL REFERENCES users ON DELETE CASCADE,
  expiresAt INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX signInTicketsOfUser ON signInTickets (userId);
CREATE INDEX signInTicketsByExpiry ON signInTickets (expiresAt);

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

CREATE TABLE collaborators (
  appId INTEGER NOT NULL REFERENCES apps ON DELETE CASCADE,
  id INTEGER NOT NULL,
  userId INTEGER NOT NULL REFERENCES users ON DELETE CASCADE,
  role TEXT NOT NULL,
  PRIMARY KEY (appId, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX collaboratorsOfUser ON collaborators (userId);
CREATE INDEX collaboratorsById ON collaborators (id);

CREATE TABLE pendingCollaborators (
  appId INTEGER NOT NULL REFERENCES apps ON DELETE CASCADE,
  person TEXT NOT NULL,
  role TEXT NOT NULL,
  -- From the same numbers as the IDs of active collaborators.
  id INTEGER NOT NULL,
  PRIMARY KEY (appId, person)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX pendingCollaboratorsById ON pendingCollaborators (id);

-- The last ID that was given, so that none is given twice: clients remember IDs of what was deleted.
CREATE TABLE lastIds (
  name TEXT PRIMARY KEY,
  id INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

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
`;
