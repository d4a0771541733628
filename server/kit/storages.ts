import type { Settings } from './settings.ts'
import type { Storage } from './storage.ts'
import { diskStorage } from './storageDisk.ts'
import { s3Storage } from './storageS3.ts'

/** The one that the settings name. */
export const openStorage = ({ s3, dataDir }: Pick<Settings, 's3' | 'dataDir'>): Storage =>
  s3 ? s3Storage(s3) : diskStorage(dataDir)
