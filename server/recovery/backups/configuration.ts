import type { BackedDatabase, BackedWebsite } from '@innkeeper/contract/recovery/backups/backed'
import type { SettingKind } from '@innkeeper/contract/recovery/backups/values'
import type { KeptMail } from './mail/keep.ts'
import type { KeptFacts } from './settings/keep.ts'

/** The configuration of a website at the time of the backup. */
export interface Configuration {
  website: BackedWebsite
  databases: BackedDatabase[]
  settings?: KeptFacts[]
  tooLarge?: SettingKind[]
  mail?: KeptMail[]
}
