import assert from 'node:assert/strict';
import fc from 'fast-check';
import { BerElement } from '../../../src/formats/berElement.ts';
import { KeyFileError } from '../../../src/formats/keyEntry.ts';
import {
  aliasesOf,
  checkPassword,
  factsOf,
  isKeyPassword,
  MAX_KEY_FILE_BYTES,
  readKeyFile,
} from '../../../src/formats/keyFile.ts';
import { certificateIn, KEY_PASSWORDS, keyFile, provisioningProfile } from '../../support/signingKeys.ts';

const yearOf = (date: Date | undefined): number | undefined => date?.getUTCFullYear();
const names = Object.keys(KEY_PASSWORDS) as (keyof typeof KEY_PASSWORDS)[];

describe('apps: files of signing keys', () => {
  it('tells alias, owner and expiry of a Java keystore without its password', () => {
    const file = readKeyFile(keyFile('release.jks'));
    assert.equal(file.kind, 'jks');
    assert.deepEqual(aliasesOf(file), ['release']);
    // Java ignores the case of an alias.
    const facts = factsOf(file, 'Release');
    assert.equal(yearOf(facts?.expiresAt), 2126);
    assert.notEqual(facts?.subject, undefined);
    assert.equal(factsOf(file, 'other'), undefined);
  });

  it('tells no expiry of a certificate whose date cannot be read', () => {
    const content = Buffer.from(keyFile('release.jks'));
    const date = content.indexOf('2126');
    assert.ok(date > 0);
    content.write('99', date + '2126'.length, 'latin1');
    const facts = factsOf(readKeyFile(content), 'release');
    assert.notEqual(facts?.subject, undefined);
    assert.equal(facts?.expiresAt, undefined);
  });

  it('tells the two passwords of a Java keystore apart', async () => {
    const file = readKeyFile(keyFile('release.jks'));
    const { keystore, key } = KEY_PASSWORDS['release.jks'];
    assert.equal((await checkPassword(file, keystore, 'release')).kind, 'accepted');
    assert.deepEqual(await checkPassword(file, key, 'release'), { kind: 'wrong' });
    assert.equal(isKeyPassword(file, 'release', key), true);
    assert.equal(isKeyPassword(file, 'release', keystore), false);
    assert.equal(isKeyPassword(file, 'other', key), undefined);
  });

  it('tells the alias of PKCS#12 without the password, and the rest with it', async () => {
    for (const [name, alias, year] of [
      ['release.p12', 'release', 2126],
      ['expired.p12', 'expired', 2020],
    ] as const) {
      const file = readKeyFile(keyFile(name));
      assert.deepEqual(aliasesOf(file), [alias]);
      assert.equal(factsOf(file, alias), undefined);
      assert.deepEqual(await checkPassword(file, 'guess'), { kind: 'wrong' });
      const opened = await checkPassword(file, KEY_PASSWORDS[name].keystore);
      assert.ok(opened.kind === 'accepted');
      assert.equal(yearOf(opened.facts?.expiresAt), year);
    }
  });

  it('opens ciphers that OpenSSL has given up, and says of others that it cannot tell', async () => {
    const file = readKeyFile(keyFile('legacy.p12'));
    const opened = await checkPassword(file, KEY_PASSWORDS['legacy.p12'].keystore);
    assert.equal(opened.kind === 'accepted' && yearOf(opened.facts?.expiresAt), 2020);
    assert.deepEqual(await checkPassword(file, 'guess'), { kind: 'wrong' });
    const other = readKeyFile(keyFile('openssl-rc4.p12'));
    assert.deepEqual(await checkPassword(other, KEY_PASSWORDS['openssl-rc4.p12'].keystore), { kind: 'unknown' });
  });

  it('tells the facts of the key that is meant, and none of one that is not there', async () => {
    const file = readKeyFile(keyFile('keytool-two.p12'));
    const { keystore } = KEY_PASSWORDS['keytool-two.p12'];
    const [first = '', second = ''] = aliasesOf(file);
    const facts = await Promise.all([first, second, 'other'].map((alias) => checkPassword(file, keystore, alias)));
    const [own, other, none] = facts.map((each) => (each.kind === 'accepted' ? each.facts?.certificates : 'refused'));
    assert.equal(own?.length, 1);
    assert.notDeepEqual(own, other);
    assert.equal(none, undefined);
  });

  it('tells name, team and expiry of a provisioning profile', () => {
    const [list = '', end = ''] = provisioningProfile('2031-05-06T07:08:09Z').toString('latin1').split('</dict>');
    const teams = '<key>TeamIdentifier</key>\n<array>\n<string>TEAM&amp;1</string></array>';
    const file = readKeyFile(Buffer.from(`${list}${teams}</dict>${end}`, 'latin1'));
    assert.deepEqual(factsOf(file), {
      subject: 'Test',
      team: 'TEAM&1',
      expiresAt: new Date('2031-05-06T07:08:09Z'),
      appId: undefined,
      certificates: [],
    });
    const { subject, team, expiresAt } = factsOf(readKeyFile(provisioningProfile('never'))) ?? {};
    assert.deepEqual([subject, team, expiresAt], ['Test', undefined, undefined]);
  });

  it('tells which app a provisioning profile is for, without the team in front', () => {
    const appIdIn = (text: string) => factsOf(readKeyFile(Buffer.from(`<?xml?><plist>${text}</plist>`)))?.appId;
    const identifier = (text: string) => `<key>application-identifier</key><string>${text}</string>`;
    for (const appId of ['com.example.app', 'com.example.*', '*']) {
      assert.equal(factsOf(readKeyFile(provisioningProfile('2031-05-06T07:08:09Z', { appId })))?.appId, appId);
      assert.equal(appIdIn(identifier(`Z9Y8X7W6V5.${appId}`)), appId);
    }
    const team = '<key>TeamIdentifier</key><array><string>team</string></array>';
    assert.equal(appIdIn(identifier('team.com.example') + team), 'com.example');
    assert.equal(appIdIn(identifier('com.example') + team), 'com.example');
    assert.equal(appIdIn('<key>com.apple.application-identifier</key><string>A1B2C3D4E5.a.b</string>'), 'a.b');
    assert.equal(appIdIn(identifier('')), undefined);
    assert.equal(appIdIn(identifier('a'.repeat(300))), undefined);
  });

  it('tells whether a provisioning profile is made for a certificate', async () => {
    const file = readKeyFile(keyFile('release.p12'));
    const opened = await checkPassword(file, KEY_PASSWORDS['release.p12'].keystore);
    const [own = ''] = opened.kind === 'accepted' ? (opened.facts?.certificates ?? []) : [];
    assert.match(own, /^[\da-f]{64}$/);
    const listed = (names: readonly ('release.p12' | 'expired.p12')[]) => {
      const profile = provisioningProfile('2031-05-06T07:08:09Z', { certificates: names.map(certificateIn) });
      return factsOf(readKeyFile(profile))?.certificates ?? [];
    };
    assert.equal(listed(['expired.p12', 'release.p12'])[1], own);
    assert.equal(listed(['expired.p12']).includes(own), false);
    assert.deepEqual(listed([]), []);
  });

  it('takes a file of any other kind for one that the service may know', async () => {
    for (const bytes of [Buffer.alloc(0), Buffer.from('PK\u0003\u0004'), Buffer.alloc(MAX_KEY_FILE_BYTES + 1, 0x30)]) {
      const file = readKeyFile(bytes);
      assert.equal(file.kind, 'unknown');
      assert.deepEqual(aliasesOf(file), []);
      assert.deepEqual(await checkPassword(file, 'any'), { kind: 'unknown' });
    }
  });

  it('opens no key that is larger than keys are, and reads no more entries than files have', () => {
    const uint32 = (...values: readonly number[]) =>
      Buffer.concat(values.map((value) => Buffer.from(value.toString(16).padStart(8, '0'), 'hex')));
    const keystore = (...parts: readonly Buffer[]) =>
      Buffer.concat([uint32(0xfeedfeed, 2), ...parts, Buffer.alloc(20)]);
    const head = Buffer.concat([uint32(1), Buffer.from([0, 1]), Buffer.from('a'), Buffer.alloc(8)]);
    // As large as the file can be: a digest is made for each twenty bytes.
    const protector = Buffer.from('300e060a2b060104012a021101010500', 'hex');
    const keyOf = (length: number) => {
      const octets = Buffer.concat([Buffer.from('0484', 'hex'), uint32(length), Buffer.alloc(length)]);
      const key = Buffer.concat([
        Buffer.from('3084', 'hex'),
        uint32(protector.length + octets.length),
        protector,
        octets,
      ]);
      return readKeyFile(keystore(uint32(1), head, uint32(key.length), key, uint32(0)));
    };
    assert.equal(isKeyPassword(keyOf(10_000), 'a', 'x'), false);
    assert.equal(isKeyPassword(keyOf(70_000), 'a', 'x'), undefined);
    const certificates = (count: number) =>
      readKeyFile(keystore(uint32(1), head, uint32(0, count), Buffer.alloc(6 * count))).kind;
    assert.deepEqual([certificates(9_000), certificates(10_000)], ['jks', 'unknown']);
    const elements = (count: number) => {
      const content = Buffer.concat([
        Buffer.from('020103', 'hex'),
        Buffer.alloc(2 * count, Buffer.from('0500', 'hex')),
      ]);
      return BerElement.read(Buffer.concat([Buffer.from('3084', 'hex'), uint32(content.length), content]));
    };
    assert.equal(elements(19_000).children.length, 19_001);
    assert.throws(() => elements(20_000), KeyFileError);
  });

  it('reads whatever bytes without failing, and soon', async () => {
    const changed = fc
      .tuple(fc.constantFrom(...names), fc.array(fc.tuple(fc.nat(1100), fc.nat(255)), { maxLength: 20 }), fc.nat(1100))
      .map(([name, changes, cut]) => {
        const bytes = keyFile(name);
        changes.forEach(([position, value]) => bytes.writeUInt8(value, position % bytes.length));
        return bytes.subarray(0, cut);
      });
    const any = fc.oneof(
      changed,
      fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
      fc.string().map((text) => Buffer.from(`<?xml<key>Name</key><string>${text}</plist>`)),
      fc
        .array(fc.oneof(fc.constantFrom(...PROFILE_PARTS), fc.string()), { maxLength: 60 })
        .map((parts) => Buffer.from(`<?xml${parts.join('')}</plist>`)),
    );
    await fc.assert(
      fc.asyncProperty(any, fc.string(), async (bytes, password) => {
        const file = readKeyFile(bytes);
        for (const alias of [...aliasesOf(file), password]) {
          factsOf(file, alias);
          isKeyPassword(file, alias, password);
        }
        // A process for each would take minutes.
        if (file.kind !== 'pkcs12') {
          await checkPassword(file, password);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});

const PROFILE_PARTS = [
  ...[
    '<key>',
    '</key>',
    '<string>',
    '</string>',
    '<array>',
    '</array>',
    '<data>',
    '</data>',
    '<date>',
    '</plist>',
    ' ',
  ],
  ...['DeveloperCertificates', 'application-identifier', 'TeamIdentifier', 'ExpirationDate', 'A1B2C3D4E5.', '&amp;'],
  ...['<key>DeveloperCertificates</key><array>', '<key>application-identifier</key><string>'],
];
