import type { BackedDatabase, BackedWebsite } from '@innkeeper/contract/recovery/backups/backed'
import type { KeptSettings } from '@innkeeper/contract/recovery/backups/shapes'
import type { SettingKind } from '@innkeeper/contract/recovery/backups/values'

/** Settings in a backup. Cron jobs are missing here, because only the managed server has them. */
export interface KeptFacts extends KeptSettings {
  facts: Record<string, unknown>
}

/** A mail domain in a full backup of its website. */
export interface KeptMail {
  mailboxId: number
  domain: string
  serverId: number
  serverName: string
  /** Why its mail cannot be read now: the backup is partial. */
  problem?: string
}

/** The configuration of a website at the time of the backup. */
export interface Configuration {
  website: BackedWebsite
  databases: BackedDatabase[]
  settings?: KeptFacts[]
  tooLarge?: SettingKind[]
  mail?: KeptMail[]
}
