import { openDatabase } from './database.ts';
import { setFilesAside } from './dataFiles.ts';
import { prepareFolder } from './dataFolder.ts';
import { insertDemoData } from './demoData.ts';
import { insertOwner } from './owner.ts';
import { ownerName } from './ownerName.ts';
import { createPassword } from './secrets.ts';
import { Store } from './store.ts';

/**
 * Opens the data in `folder`, which this process alone serves; where there is none yet, it is made: with its owner alone,
 * or as demo data.
 *
 * @param folder `undefined`: nothing is kept
 * @param report receives a line for a person when something was wrong with the data
 * @param options `demo`: data that is made is demo data
 * @throws DataError when the data cannot be used
 */
export async function openStore(
  folder: string | undefined,
  report: (line: string) => void,
  { demo }: { readonly demo: boolean },
): Promise<Store> {
  if (folder !== undefined) {
    prepareFolder(folder);
  }
  const store = new Store(openDatabase(folder, report));
  if (store.get('SELECT 1 FROM service') === undefined) {
    if (folder !== undefined) {
      setFilesAside(folder, report);
    }
    const password = await createPassword();
    if (demo) {
      insertDemoData(store, password);
    } else {
      insertOwner(store, ownerName(), password);
    }
  }
  return store;
}
