import assert from 'node:assert/strict';

import { secretsIn } from '../../../../src/web-project/packing/secretSearch.ts';
import { accessTokens, awsKey, cloudKeys, privateKey, randomText } from '../../../support/secrets.ts';

function kindsIn(text: string, ...names: readonly string[]): readonly string[] {
  return Array.from(secretsIn(names, Buffer.from(text)), ({ kind }) => kind);
}

describe('the search for secrets in text', () => {
  it('finds access tokens in code, settings, and text', () => {
    for (const seed of ['a', 'b']) {
      for (const token of accessTokens(seed)) {
        for (const text of [
          token,
          `const token = "${token}";`,
          `TOKEN=${token}\nOTHER=1`,
          `{"token":"${token}"}`,
          `(${token})`,
          `"first\\n${token}"`,
        ]) {
          assert.deepEqual(kindsIn(text), ['accessToken'], text);
        }
      }
    }
  });

  it('finds keys of cloud services', () => {
    for (const seed of ['a', 'b']) {
      for (const key of [...cloudKeys(seed), awsKey(seed)]) {
        assert.deepEqual(kindsIn(`const a = 1;\n${key}\n`), ['cloudKey'], key);
      }
    }
    const account = { type: 'service_account', private_key: `${privateKey()}\n`, client_email: 'a@b' };
    assert.deepEqual(kindsIn(JSON.stringify(account)), ['cloudKey']);
    assert.deepEqual(kindsIn(JSON.stringify(account, undefined, 2)), ['cloudKey']);
  });

  it('finds private keys with any line breaks and headers', () => {
    for (const newline of ['\n', '\r\n', '\\n', "\\n' +\n  '", '", "']) {
      assert.deepEqual(kindsIn(`key = '${privateKey('a', newline)}'`), ['privateKey'], newline);
    }
    for (const header of ['RSA PRIVATE KEY', 'EC PRIVATE KEY', 'OPENSSH PRIVATE KEY', 'ENCRYPTED PRIVATE KEY']) {
      assert.deepEqual(kindsIn(privateKey().replaceAll('PRIVATE KEY', header)), ['privateKey'], header);
    }
    const encrypted = `Proc-Type: 4,ENCRYPTED\nDEK-Info: DES-EDE3-CBC,${randomText(16)}\n\n`;
    assert.deepEqual(kindsIn(privateKey().replace('-----\n', `-----\n${encrypted}`)), ['privateKey']);
    const pgp = privateKey()
      .replaceAll('PRIVATE KEY', 'PGP PRIVATE KEY BLOCK')
      .replace('-----\n', '-----\nVersion: 2\n\n');
    assert.deepEqual(kindsIn(pgp), ['privateKey']);
  });

  it('finds passwords in addresses, with a fingerprint that doesn’t depend on the password', () => {
    const address = (password: string) => `fetch("https://deploy:${password}@git.shop.test/a")`;
    const secrets = ['correct2horse', 'battery7staple'].flatMap((password) => [
      ...secretsIn([], Buffer.from(address(password))),
    ]);
    assert.deepEqual(
      secrets.map(({ kind }) => kind),
      ['accessToken', 'accessToken'],
    );
    assert.equal(new Set(secrets.map(({ hash }) => hash)).size, 1);
    for (const text of [
      ...['password1', 'your-token-1', '${password}', 'xxxxxxx1', 'abcdefghij', '12345678'].map(address),
      'https://shop.test:8080/a@b.c',
      'http://[::1]:3000/a1@b',
      String.raw`/^https?:\/\/([\w.-]+):([\w-]+[0-9])@host/`,
      '"https?://([a-z0-9]+):([a-z0-9]{1,99})@host"',
    ]) {
      assert.deepEqual(kindsIn(text), [], text);
    }
  });

  it('ignores values that are public by design', () => {
    const certificate = privateKey().replaceAll('PRIVATE KEY', 'CERTIFICATE');
    for (const text of [
      `AIza${randomText(35)}`,
      `firebase.initializeApp({ apiKey: "AIza${randomText(35)}", appId: "1:2048163264:web:${randomText(22)}" })`,
      `Stripe("pk_live_${randomText(24)}")`,
      `Stripe("sk_test_${randomText(24)}")`,
      `mapboxgl.accessToken = "pk.eyJ1${randomText(50)}.${randomText(22)}"`,
      certificate,
      privateKey().replaceAll('PRIVATE KEY', 'PUBLIC KEY'),
      privateKey().replaceAll('PRIVATE KEY', 'RSA PUBLIC KEY'),
      // This is an identifier without its key.
      `AKIA${randomText(16, 'a', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567')}`,
      `<script integrity="sha384-${randomText(64)}" src="a.js"></script>`,
      '{"commit": "3f786850e387550fdab836ed7e6dc881de23001b"}',
    ]) {
      assert.deepEqual(kindsIn(text), [], text);
    }
  });

  it('ignores placeholders and examples from documentation', () => {
    for (const text of [
      `ghp_${'x'.repeat(36)}`,
      `ghp_${'X'.repeat(36)}`,
      `ghp_${'xX'.repeat(18)}`,
      'ghp_aBcDeFgHiJkLmNoPqRsTuVwXyZ0123456789',
      'ghp_1234567890abcdefghijklmnopqrstuvwxyz12',
      // This token is from GitHub's OAuth documentation.
      `gho_16C7e42F292c6912E7710c838347Ae178B4a`,
      'glpat-your-access-token-goes-here-9A',
      `glpat-${'X'.repeat(11)}-${'X'.repeat(8)}`,
      `npm_${'0'.repeat(36)}`,
      'npm_config_cache_directory_and_a_long_name',
      `sk_live_${'X'.repeat(24)}`,
      'sk_live_YourStripeSecretKeyHere1234',
      'xoxb-your-token-here-000000000',
      `https://hooks.slack.com/services/T00000000/B00000000/${'X'.repeat(24)}`,
      // These examples are from Amazon's and Microsoft's documentation.
      'AKIAIOSFODNN7EXAMPLE\nwJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
      'AccountKey=Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==',
      '-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----',
      '-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA...\n-----END RSA PRIVATE KEY-----',
      `-----BEGIN PRIVATE KEY-----\n${'x'.repeat(64)}\n-----END PRIVATE KEY-----`,
      'The first line is -----BEGIN PRIVATE KEY----- and the key in base64 follows in lines of 64 characters each.',
    ]) {
      assert.deepEqual(kindsIn(text), [], text);
    }
  });

  it('ignores values in libraries, styles, and data', () => {
    const id = `AKIA${randomText(16, 'a', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567')}`;
    for (const text of [
      'var b="-----BEGIN RSA PRIVATE KEY-----\\n"+hex2b64(h)+"\\n-----END RSA PRIVATE KEY-----";function wrapTheLines(){}',
      'if(s.indexOf("-----BEGIN PRIVATE KEY-----")!=-1)return{type:"pkcs8",needsPassword:!1,algorithmIdentifier:oid}',
      '["-----BEGIN PRIVATE KEY-----","-----BEGIN EC PRIVATE KEY-----","-----BEGIN OPENSSH PRIVATE KEY-----"]',
      '.sk-circle-fade-dot{animation:sk-circle-fade-dot 1.2s}.task-projected-sk-proj-a{}',
      `url(data:image/png;base64,${randomText(900)}${id}${randomText(900)})`,
      `{"data":"${randomText(300)}-ghp_${randomText(36)}"}`,
      `commit ${id}\n3f786850e387550fdab836ed7e6dc881de23001b`,
      '{"version":3,"mappings":"AAAA,SAASA,GAAGC,CAAC,CAACC,EAAE,CAACC,GAAG"}',
      'e.SG.length&&SG.prototype.constructor.apply(this,arguments)',
    ]) {
      assert.deepEqual(kindsIn(text), [], text.slice(0, 200));
    }
  });

  it('finds signing passwords and incomplete private keys only in files with certain names', () => {
    const passwords: readonly (readonly [name: string, text: string])[] = [
      ['build.json', '{"android": {"release": {"storePassword": "x"}}}'],
      ['gradle.properties', 'org.gradle.jvmargs=-Xmx2g\nMYAPP_UPLOAD_STORE_PASSWORD=x1\n'],
      ['gradle.properties', 'RELEASE_KEY_PASSWORD = x1'],
      ['local.properties', 'sdk.dir=/sdk\nsigning.store.passwd=x1'],
      ['build.gradle', "signingConfigs { release { storePassword 'x1' } }"],
      ['build-extras.gradle', 'keyPassword = "x1"'],
    ];
    for (const [name, text] of passwords) {
      assert.deepEqual(kindsIn(text, name), ['signingPasswords'], name);
      assert.deepEqual(kindsIn(text, 'a.js'), []);
      // The name belongs to a link's target.
      assert.deepEqual(kindsIn(text, 'a.js', name), ['signingPasswords'], name);
    }
    assert.deepEqual(kindsIn('-----BEGIN PRIVATE KEY-----\nAAAA', 'a.pem'), ['privateKey']);
    for (const [name, text] of [
      ['build.json', '{"number": 4}'],
      ['gradle.properties', 'android.useAndroidX=true\nSTORE_PASSWORD=\nKEY_PASSWORD=${env.KEY}\n'],
      ['build.gradle', 'storePassword System.getenv("PASSWORD")\nkeyPassword "$keyPassword"\n'],
      ['a.pem', '-----BEGIN CERTIFICATE-----\nAAAA'],
    ] as const) {
      assert.deepEqual(kindsIn(text, name), [], text);
    }
  });
});
