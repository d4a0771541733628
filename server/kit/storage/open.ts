import type { Settings } from '../app/settings.ts'
import { diskStorage } from './disk.ts'
import { s3Storage } from './s3.ts'
import type { Storage } from './storage.ts'

/** Opens the storage that the settings name. */
export const openStorage = ({ s3, dataDir }: Pick<Settings, 's3' | 'dataDir'>): Storage =>
  s3 ? s3Storage(s3) : diskStorage(dataDir)
