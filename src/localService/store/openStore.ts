import { openDatabase } from './database.ts';
import { setFilesAside } from './dataFiles.ts';
import { prepareFolder } from './dataFolder.ts';
import { createDemoData } from './demoData.ts';
import { insertInitialData, isEmpty } from './initialData.ts';
import { takeOverJsonData } from './jsonDataFile.ts';
import { Store } from './store.ts';

/**
 * Opens the data in `folder`, which this process alone serves; where there is none yet, it is that of version 0.1.0 in the same folder, or demo data.
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
  if (isEmpty(store) && folder !== undefined) {
    setFilesAside(folder, report);
  }
  if (isEmpty(store) && (folder === undefined || !takeOverJsonData(store, folder, report))) {
    insertInitialData(store, await createDemoData());
  }
  return store;
}
