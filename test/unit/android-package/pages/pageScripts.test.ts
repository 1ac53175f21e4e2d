import assert from 'node:assert/strict';

import { isLibrary, mayHaveScripts, scriptsIn } from '../../../../src/android-package/pages/pageScripts.ts';

describe('the search for scripts in pages', () => {
  const withoutBlanks = (path: string, text: string): string => scriptsIn(path, text).replace(/\s+/g, ' ').trim();

  it('finds script files, inline scripts, and event handlers, but not Cordova’s own scripts', () => {
    assert.deepEqual(['a.js', 'a.mjs', 'a.cjs', 'b.html', 'b.HTM', 'c.css', 'js', 'd.json'].map(mayHaveScripts), [
      ...Array<boolean>(5).fill(true),
      ...Array<boolean>(3).fill(false),
    ]);
    assert.deepEqual(['cordova.js', 'js/cordova-2.4.0.js', 'www/phonegap.js', 'cordova-start.js'].map(mayHaveScripts), [
      ...Array<boolean>(3).fill(false),
      true,
    ]);
    const page = `<!DOCTYPE html><title>script</title><!-- <script>hidden()</script> -->
      <script src="a.js"></script><SCRIPT type="module">inline("</p>")</SCRIPT >
      <script type="text/template">template()</script><script type='application/json'>{"json":1}</script>
      <button onclick="tap('>')" title="a > b">text()</button><a href='javascript:go()'>b</a><a href="other()">c</a>
      <body onload=start()>`;
    assert.equal(withoutBlanks('index.html', page), `inline("</p>") tap('>') javascript:go() start()`);
    assert.equal(withoutBlanks('style.css', 'a { b: c }'), '');
  });

  it('keeps the positions of inline scripts', () => {
    const page = '<p>one</p>\r\n<script>/* two\n */ here() // 🙂\n</script>';
    const text = scriptsIn('index.html', page);
    assert.equal(text.length, page.length);
    assert.equal(text.indexOf('here'), page.indexOf('here'));
    assert.equal(text.split('\n').length, page.split('\n').length);
  });

  it('removes comments', () => {
    const rows: readonly (readonly [script: string, left: string])[] = [
      ['a() // b()\nc()', 'a() c()'],
      ['a(/* b */ c) /* d\n e */', 'a( c)'],
      [
        '"// a" + \'/* b */\' + `// c ${d /* e */ + `/* f */`} // g` // h',
        '"// a" + \'/* b */\' + `// c ${d + `/* f */`} // g`',
      ],
      ['const a = {b: `${{c: 1}}`} // d', 'const a = {b: `${{c: 1}}`}'],
      ['a("\\"// b") // c', 'a("\\"// b")'],
      ['x = /[/"]\\/\\/ /g.test("// a") // b', 'x = /[/"]\\/\\/ /g.test("// a")'],
      ["return /'/.test(a) // b", "return /'/.test(a)"],
      ['a / 2 // b\n"c"', 'a / 2 "c"'],
      // A slash after `)` is treated as a division. The code after it is still read.
      ['if(a)/"/.test(b);f("http://c/d");g()', 'if(a)/"/.test(b);f("http://c/d");g()'],
      ['if(a)/b\\//.test(c);d()', 'if(a)/b\\//.test(c);d()'],
      ['a /* b', 'a /* b'],
      ['a `b', 'a `b'],
    ];
    for (const [script, left] of rows) {
      assert.equal(withoutBlanks('a.js', script), left);
    }
  });
  it('recognizes libraries by their names and folders', () => {
    const libraries =
      'cordova.js js/cordova-2.9.0.js cordova_plugins.js www/lib/app.js a/node_modules/b.js jquery-3.7.1.min.js jquery.mobile.js ' +
      'ng-cordova.min.js ionic.bundle.min.js angular-route.js vue.global.prod.js React-DOM.production.min.js d3.v7.min.js ' +
      'plugins/cordova-plugin-camera/www/Camera.js html5-qrcode.min.js';
    const own =
      'app.js cordova-start.js vue-app.js main.3f2a.js app.min.js 1.2.3.js js/camera.js library/a.js index.html';
    assert.deepEqual(
      libraries.split(' ').filter((path) => !isLibrary(path)),
      [],
    );
    assert.deepEqual(own.split(' ').filter(isLibrary), []);
  });
});
