import { openDatabase } from './database.ts';
import { setFilesAside } from './dataFiles.ts';
import { prepareFolder } from './dataFolder.ts';
import { createDemoPassword, insertDemoData } from './demoData.ts';
import { Store } from './store.ts';

/**
 * Opens the data in `folder`, which this process alone serves; where there is none yet, it is demo data.
 *
 * @param folder `undefined`: nothing is kept
 * @param report receives a line for a person when something was wrong with the data
 * @throws DataError when the data cannot be used
 */
export async function openStore(folder: string | undefined, report: (line: string) => void): Promise<Store> {
  if (folder !== undefined) {
    prepareFolder(folder);
  }
  const store = new Store(openDatabase(folder, report));
  if (store.get('SELECT 1 FROM service') === undefined) {
    if (folder !== undefined) {
      setFilesAside(folder, report);
    }
    insertDemoData(store, await createDemoPassword());
  }
  return store;
}
