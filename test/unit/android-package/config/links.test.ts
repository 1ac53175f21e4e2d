import assert from 'node:assert/strict';

import { readLinks } from '../../../../src/android-package/config/links.ts';
import { parseConfig } from '../../../../src/android-package/config/packageConfig.ts';

/** Returns an intent filter that opens links. */
function filter(data: string, attributes = ''): string {
  return (
    `<intent-filter${attributes}><action android:name="android.intent.action.VIEW"/>` +
    `<category android:name="android.intent.category.BROWSABLE"/>${data}</intent-filter>`
  );
}

function inManifest(filters: string, parent = "/manifest/application/activity[@android:name='MainActivity']"): string {
  return `<platform name="android"><config-file target="AndroidManifest.xml" parent="${parent}">${filters}</config-file></platform>`;
}

function plugin(name: string, variables: Readonly<Record<string, string>>): string {
  const elements = Object.entries(variables).map(([key, value]) => `<variable name="${key}" value="${value}"/>`);
  return `<plugin name="${name}">${elements.join('')}</plugin>`;
}

const WEB = '<data android:scheme="https" android:host="shop.example"/>';
const NO_EFFECT = 'config.xml: An intent filter has no effect, because ';

/** config.xml with the expected log, the manifest's filters, and the elements without effect. */
const LINKS: Readonly<
  Record<
    string,
    readonly [body: string, log: readonly string[], filters: readonly string[], others?: readonly string[]]
  >
> = {
  'a scheme of the app': [
    inManifest(filter('<data android:scheme="Shop"/>')),
    ['Links that open the app: shop:'],
    ['scheme=shop'],
  ],
  'verified links of a website, including PhoneGap Build’s syntax': [
    inManifest(filter(WEB, ' android:autoVerify="true"')).replaceAll('config-file', 'gap:config-file'),
    ['Links that open the app: https://shop.example'],
    ['verified scheme=https host=shop.example'],
  ],
  'parts of an address in separate elements': [
    inManifest(filter('<data android:scheme="https"/><data android:host="*.shop.example" android:pathPrefix="/a"/>')),
    ['Links that open the app: https://*.shop.example/a'],
    ['scheme=https; host=*.shop.example pathPrefix=/a'],
  ],
  'several schemes and paths, which Android combines': [
    inManifest(
      filter(
        '<data android:scheme="http"/><data android:scheme="https"/><data android:host="a.example" android:port="8080"/>' +
          '<data android:path="/$b" android:pathPrefix="/c"/>',
      ),
    ),
    [
      'Links that open the app: http://a.example:8080/$b, http://a.example:8080/c, https://a.example:8080/$b, ' +
        'https://a.example:8080/c',
    ],
    ['scheme=http; scheme=https; host=a.example port=8080; path=/$b pathPrefix=/c'],
  ],
  'the app’s ID as a scheme, and an international host name': [
    inManifest(filter('<data android:scheme="com.my_shop" android:host="*.Größe.example"/>')),
    ['Links that open the app: com.my_shop://*.xn--gre-6ka8i.example'],
    ['scheme=com.my_shop host=*.xn--gre-6ka8i.example'],
  ],
  'attributes in other namespaces, which are ignored': [
    inManifest(filter('<data android:scheme="shop" tools:ignore="AppLinkUrlError" scheme="other"/>')),
    ['Links that open the app: shop:'],
    ['scheme=shop'],
  ],
  'the scheme of cordova-plugin-customurlscheme, including its old name': [
    plugin('nl.x-services.plugins.launchmyapp', { URL_SCHEME: 'shop', ANDROID_SCHEME: ' ', ANDROID_HOST: ' ' }),
    ['Links that open the app: shop:'],
    ['scheme=shop'],
  ],
  'the Android address of cordova-plugin-customurlscheme': [
    plugin('cordova-plugin-customurlscheme', {
      ...{ URL_SCHEME: 'shop', ANDROID_SCHEME: 'https', ANDROID_HOST: 'shop.example', ANDROID_PATHPREFIX: '/open' },
    }),
    ['Links that open the app: shop:', 'Links that open the app: https://shop.example/open'],
    ['scheme=shop', 'verified scheme=https host=shop.example pathPrefix=/open'],
  ],
  'the addresses of ionic-plugin-deeplinks': [
    plugin('ionic-plugin-deeplinks', {
      ...{
        URL_SCHEME: 'shop',
        DEEPLINK_HOST: 'shop.example',
        DEEPLINK_2_SCHEME: 'http',
        DEEPLINK_2_HOST: 'old.example',
      },
    }),
    ['shop:', 'https://shop.example', 'http://old.example'].map((link) => `Links that open the app: ${link}`),
    ['scheme=shop', 'verified scheme=https host=shop.example', 'verified scheme=http host=old.example'],
  ],
  'a scheme of ionic-plugin-deeplinks without a host': [
    plugin('ionic-plugin-deeplinks', { URL_SCHEME: 'shop', DEEPLINK_SCHEME: 'https', DEEPLINK_HOST: '' }),
    ['Links that open the app: shop:'],
    ['scheme=shop'],
  ],
  '<universal-links>': [
    '<universal-links><host name="shop.example" scheme="https"><path url="/a"/><path url="b/*"/></host>' +
      '<host name="*.old.example"/><ios-team-id value="1"/></universal-links>',
    ['https://shop.example/a', 'https://shop.example/b/.*', 'http://*.old.example'].map(
      (link) => `Links that open the app: ${link}`,
    ),
    [
      'verified scheme=https host=shop.example path=/a',
      'verified scheme=https host=shop.example pathPattern=/b/.*',
      'verified scheme=http host=*.old.example',
    ],
  ],
  'a filter that isn’t for links': [inManifest(filter(WEB).replace('VIEW', 'SEND')), [], [], ['config-file']],
  'a filter in another part of the manifest': [inManifest(filter(WEB), '/manifest/queries'), [], [], ['config-file']],
  'a filter for another platform': [inManifest(filter(WEB)).replace('"android"', '"ios"'), [], []],
  'a MIME type': [
    inManifest(filter('<data android:scheme="shop" android:mimeType="text/plain"/>')),
    [`${NO_EFFECT}mimeType="text/plain" isn’t valid for links.`],
    [],
  ],
  'an invalid scheme': [
    plugin('cordova-plugin-customurlscheme', { URL_SCHEME: 'shop://' }),
    [`${NO_EFFECT}scheme="shop://" isn’t valid for links.`],
    [],
  ],
  'a variable set by Gradle': [
    inManifest(filter('<data android:scheme="${appScheme}"/>')),
    [`${NO_EFFECT}scheme="\${appscheme}" isn’t valid for links.`],
    [],
  ],
  'schemes reserved for the system': [
    ['JavaScript', 'file', 'content', 'intent']
      .map((scheme) => inManifest(filter(`<data android:scheme="${scheme}"/>`)))
      .join(''),
    ['javascript', 'file', 'content', 'intent'].map(
      (scheme) => `${NO_EFFECT}the scheme “${scheme}” is reserved for the system.`,
    ),
    [],
  ],
  'http: and https: without a specific host': [
    inManifest(filter('<data android:scheme="http"/>') + filter('<data android:scheme="https" android:host="*"/>')),
    [`${NO_EFFECT}http: and https: require a host.`, `${NO_EFFECT}http: and https: require a host.`],
    [],
  ],
  'a missing scheme': [
    inManifest(filter('<data android:host="shop.example"/>')),
    [`${NO_EFFECT}it doesn’t specify a scheme.`],
    [],
  ],
};

describe('local service: links that open an app', () => {
  for (const [what, [body, expectedLog, expected, others = []]] of Object.entries(LINKS)) {
    it(`reads the app links in config.xml: ${what}`, () => {
      const { intentFilters, otherElements } = parseConfig(Buffer.from(`<widget>${body}</widget>`), 'android');
      const log: string[] = [];
      const filters = readLinks(intentFilters, (line) => log.push(line));
      assert.deepEqual(log, expectedLog);
      assert.deepEqual(otherElements, others);
      assert.deepEqual(
        filters.map(({ autoVerify, data }) => {
          const shown = data.map((each) =>
            each.map(({ name, value }) => `${name}=${typeof value === 'string' ? value : '?'}`).join(' '),
          );
          return `${autoVerify ? 'verified ' : ''}${shown.join('; ')}`;
        }),
        expected,
      );
    });
  }
});
