/** App packages and icons to upload. */
import { buffer } from 'node:stream/consumers';
import { ZipFile } from 'yazl';

/** Returns a zip archive of files, keyed by path. */
export async function createZip(files: Readonly<Record<string, string | Buffer>>): Promise<Buffer<ArrayBuffer>> {
  const zip = new ZipFile();
  for (const [path, content] of Object.entries(files)) {
    zip.addBuffer(Buffer.from(content), path);
  }
  zip.end();
  return Buffer.from(await buffer(zip.outputStream));
}

/** Returns a package of an app with a config.xml. */
export function samplePackage({
  name = 'Sample',
  id = 'org.example.sample',
  version = '1.2.3',
  body = 'Hello',
} = {}): Promise<Buffer> {
  return createZip({
    'config.xml': `<?xml version="1.0" encoding="UTF-8"?>
<widget xmlns="http://www.w3.org/ns/widgets" id="${id}" version="${version}">
  <name>${name}</name>
  <description>As config.xml says</description>
  <plugin name="cordova-plugin-device" spec="^2.0.0" />
</widget>`,
    'www/index.html': `<!doctype html><title>${name}</title>${body}`,
  });
}

/** Returns the start of a PNG file with this size in pixels. The service reads only the start. */
export function pngStart(width = 32, height = width): Buffer {
  const png = Buffer.alloc(33);
  Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex').copy(png);
  png.writeUInt32BE(width, 16);
  png.writeUInt32BE(height, 20);
  return png;
}

/** Files of a folder with a web app, by path. */
export const WEB_PROJECT = {
  'config.xml':
    '<widget xmlns="http://www.w3.org/ns/widgets" id="com.example.shop" version="1.2.0"><name>Shop</name><content src="index.html"/></widget>',
  'www/index.html': '<!doctype html><title>Shop</title>',
};
