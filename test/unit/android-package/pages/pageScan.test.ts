import assert from 'node:assert/strict';

import { httpAddressesIn, PageScan } from '../../../../src/android-package/pages/pageScan.ts';
import { scriptsIn } from '../../../../src/android-package/pages/pageScripts.ts';

describe('the search for http: addresses that pages load', () => {
  const inScript = (script: string): readonly string[] =>
    httpAddressesIn('app.js', script, script).map(({ origin }) => origin);
  const A = 'http://api.shop.test:8080';

  for (const script of [
    `fetch("${A}/items?key=secret")`,
    `fetch(\`${A}/items/\${id}\`)`,
    `axios.get( '${A}/items' )`,
    `$.getJSON("${A}/items", show)`,
    `$.ajax({ type: "POST", url: "${A}/items" })`,
    `$http({method:'GET',url:'${A}/items'})`,
    `this.http.get('${A}/items')`,
    `request.open("GET", "${A}/items", true)`,
    `image.src = '${A}/a.png'`,
    `const API_URL = "${A}/v1";`,
    `export const environment = { baseUrl: '${A}' }`,
    `{"serverAddress":"${A}"}`,
    `const e="${A}";fetch(e+"/items")`,
    `const root = '${A}'; axios.post(\`\${root}/items\`)`,
    `this.url = '${A}'; $.post(this.url, data)`,
    `x.open('PUT', url); url = "${A}"`,
  ]) {
    it(`finds the address in ${script}`, () => assert.deepEqual(inScript(script), [A]));
  }

  it('finds the ws: address of a WebSocket', () => {
    assert.deepEqual(inScript(`new WebSocket("ws://live.shop.test/feed")`), ['ws://live.shop.test']);
  });

  for (const script of [
    `window.open("${A}/help")`,
    `location.href = "${A}"`,
    `a = { href: "${A}", homepage: "${A}", docs: "${A}", siteBase: "${A}" }`,
    `const text = "See ${A}"`,
    `createElementNS("http://www.w3.org/2000/svg", "svg"); var base = "http://www.w3.org/1999/xlink"`,
    `fetch("http://localhost:3000/items"); fetch("http://127.0.0.1/items"); fetch("http://api.example.com")`,
    `fetch("https://api.shop.test"); fetch("http://"); fetch("http://[")`,
    `throw new Error("http://g.co/ng/security")`,
  ]) {
    it(`finds no address in ${script}`, () => assert.deepEqual(inScript(script), []));
  }

  it('lists each address once, at its first occurrence', () => {
    const script = `fetch("http://a.test/1"); fetch("http://b.test"); fetch("http://a.test/2")`;
    assert.deepEqual(httpAddressesIn('app.js', script, script), [
      { origin: 'http://a.test', index: script.indexOf('http://a') },
      { origin: 'http://b.test', index: script.indexOf('http://b') },
    ]);
  });

  it('finds the addresses that elements of a page load, but not those in links or comments', () => {
    const page = `<!-- <img src="http://a.test/1.png"> --><a href="http://b.test">b</a><!---->
      <img alt="" src='http://c.test/2.png'><script src=http://d.test/e.js></script>
      <link rel="canonical" href="http://g.test"><link href="http://h.test/i.css" media="all" rel="StyleSheet">
      <!-- <img src="http://f.test">`;
    assert.deepEqual(httpAddressesIn('a.html', page, scriptsIn('a.html', page)), [
      { origin: 'http://c.test', index: page.indexOf('http://c') },
      { origin: 'http://d.test', index: page.indexOf('http://d') },
      { origin: 'http://h.test', index: page.indexOf('http://h') },
    ]);
  });
});

describe('the scan of an app’s pages', () => {
  it('lists each finding once, at its first occurrence', () => {
    const scan = new PageScan([]);
    scan.read('a.js', '\n  fetch("http://a.test/1");\nnavigator.camera.getPicture();');
    scan.read('b.html', '<script>fetch("http://a.test/2"); navigator.camera.a; navigator.geolocation</script>');
    scan.read('c.js', 'navigator.geolocation');
    assert.deepEqual([...scan.http], [['http://a.test', { path: 'a.js', line: 1, character: 9 }]]);
    assert.deepEqual([...scan.permissions], [['location', 'b.html']]);
    assert.equal(scan.pluginUses.get('cordova-plugin-camera')?.path, 'a.js');
  });

  it('finds only permissions in libraries, not http: addresses or plugin calls', () => {
    const scan = new PageScan([]);
    const script = 'fetch("http://a.test"); navigator.camera.a;';
    scan.read('vendor/a.js', `${script} navigator.geolocation`);
    scan.read('jquery.min.js', `${script} // getUserMedia({ video: true })`);
    assert.deepEqual([...scan.http.keys(), ...scan.pluginUses.keys()], []);
    assert.deepEqual([...scan.permissions], [['location', 'vendor/a.js']]);
  });

  it('finds each form of a plugin’s name', () => {
    const uses = (script: string): readonly string[] => {
      const scan = new PageScan([
        { name: 'cordova-plugin-mine', clobbers: ['my$tool'] },
        { name: 'cordova-plugin-wrapped' },
      ]);
      scan.read('a.js', script);
      return [...scan.pluginUses.keys()];
    };
    for (const script of ['window["plugins"].toast.show()', '$cordovaToast.show()']) {
      assert.deepEqual(uses(script), ['cordova-plugin-x-toast'], script);
    }
    for (const script of [
      'my$tool.run()',
      '1;my$tool.run()',
      '/* a */window.my$tool.run()',
      "window['my$tool'].run()",
    ]) {
      assert.deepEqual(uses(script), ['cordova-plugin-mine'], script);
    }
    assert.deepEqual(uses('A.plugin = "cordova-plugin-wrapped"'), ['cordova-plugin-wrapped']);
    assert.deepEqual(uses('function handleOpenURL(url) {}'), ['cordova-plugin-customurlscheme']);
  });
});
